//! `class`: its body is a function of the bases that returns the class.

use std::rc::Rc;

use super::Compiler;
use super::code::{ArgumentAt, ArgumentKind, CallSite, Kind, Local, Parameters};
use super::function::doc_of;
use super::level::{Level, Place};
use super::op::{Op, Reg};
use super::scope::{CLASS, key};
use crate::diag::{Diagnostic, ErrorKind, Span};
use crate::interp::value::Value;
use crate::syntax::ast::{Arg, ClassDef, Expr, ExprKind, Ident};

/// Under which name a class's body keeps what it annotates.
pub const ANNOTATIONS: &str = "__annotations__";

impl Compiler<'_> {
    pub(super) fn class(&mut self, class: &Rc<ClassDef>, span: Span) {
        let mark = self.mark();
        let decorators: Vec<Reg> =
            class.decorators.iter().map(|decorator| self.in_temporary(decorator)).collect();
        let function = self.temporary();
        let site = self.class_arguments(&class.bases, class.name.span);
        let index = self.class_body(class, span);
        self.emit(Op::Function { to: function, first: function, index }, class.name.span);
        self.emit(Op::Call { to: function, callee: function, site }, class.name.span);
        let mut result = function;
        for (at, decorator) in decorators.iter().enumerate().rev() {
            // What is decorated stands behind its decorator.
            let argument = *decorator + 1;
            if result != argument {
                self.emit(Op::Move { to: argument, from: result }, class.decorators[at].span);
            }
            self.call_one(*decorator, *decorator, class.decorators[at].span);
            result = *decorator;
        }
        self.bind(&class.name.node, result, true, class.name.span);
        self.release(mark);
    }

    /// The bases as a tuple and the keywords as a dictionary, in the two registers that follow.
    fn class_arguments(&mut self, bases: &[Arg], span: Span) -> u16 {
        let first = self.temporaries(2);
        self.emit(Op::List { to: first, first, count: 0 }, span);
        self.emit(Op::Dict { to: first + 1 }, span);
        for base in bases {
            let mark = self.mark();
            match base {
                Arg::Positional(value) => {
                    let item = self.in_temporary(value);
                    self.emit(Op::Append { list: first, item }, value.span);
                }
                Arg::Star(value) => {
                    let items = self.in_temporary(value);
                    self.emit(Op::Extend { list: first, items }, value.span);
                }
                Arg::Keyword { name, value } => {
                    let item = self.temporaries(2);
                    self.constant_to(Value::str(&name.node), item, name.span);
                    self.expr_to(value, item + 1);
                    self.emit(Op::Insert { dict: first + 1, item }, name.span);
                }
                Arg::DoubleStar(value) => {
                    let mapping = self.in_temporary(value);
                    self.emit(Op::Merge { dict: first + 1, mapping }, value.span);
                }
            }
            self.release(mark);
        }
        let argument = || ArgumentAt { kind: ArgumentKind::Positional, span };
        self.site(CallSite::new((span, span), vec![argument(), argument()], false))
    }

    /// The number of the body's prototype.
    fn class_body(&mut self, class: &Rc<ClassDef>, span: Span) -> u16 {
        let scope = self.scopes.get(key(class));
        let (around, source) = (self.qualifier(&class.name.node), self.code().source.clone());
        let has_cell = scope.cells.contains(CLASS);
        let annotates = scope.bound.contains_key(ANNOTATIONS);
        let mut level = Level::new(scope, Kind::Class, &class.name.node, &around, source, span);
        for (at, name) in [".bases", ".keywords"].into_iter().enumerate() {
            let name = Ident::from(name);
            level.code.parameters.names.push(name.clone());
            level.code.locals.push(Local { name, first: class.name.span });
            level.bind(at as Reg);
        }
        let names = std::mem::take(&mut level.code.parameters.names);
        level.code.parameters =
            Parameters { positional_only: 2, positional: 2, names, ..Parameters::default() };
        if has_cell {
            level.names.insert(CLASS.into(), Place::Cell(0));
            level.code.cells.push(Local { name: CLASS.into(), first: class.name.span });
        }
        level.lay_out(2);
        let count = level.next_inner;
        self.levels.push(level);
        self.code().doc = doc_of(&class.body);
        if annotates {
            let dict = self.temporary();
            self.emit(Op::Dict { to: dict }, class.name.span);
            self.bind(&ANNOTATIONS.into(), dict, false, class.name.span);
            self.release(dict);
        }
        self.block(&class.body);
        let to = self.temporary();
        self.emit(Op::Class { to, count }, class.name.span);
        self.emit(Op::Return { value: to }, span);
        self.level().bound = None;
        self.leave(&crate::syntax::ast::Parameters::default(), None, span)
    }

    /// `name: annotation` in a class.
    pub(super) fn annotate(&mut self, name: &Ident, annotation: &Expr, span: Span) {
        let Place::Local(dict) = self.find(&ANNOTATIONS.into()) else { return };
        let item = self.temporaries(2);
        self.constant_to(Value::str(name), item, span);
        self.annotation_to(annotation, item + 1);
        self.emit(Op::Insert { dict, item }, span);
    }

    /// Reads a name of a class's body, which may not be bound there yet: then it is what the name
    /// means around the class.
    pub(super) fn read_in_class(&mut self, local: Reg, name: &Ident, to: Reg, span: Span) {
        let (bound, end) = (self.label(), self.label());
        self.emit(Op::IfUnbound { local }, span);
        self.jump(bound, span);
        let op = match self.around(name) {
            Place::Free(index) => Op::Free { to, index },
            Place::Global(index) => Op::Global { to, index },
            _ => Op::Copy { to, from: local },
        };
        self.emit(op, span);
        self.jump(end, span);
        self.place(bound);
        self.emit(Op::Copy { to, from: local }, span);
        self.place(end);
    }

    /// `super()` in a method.
    pub(super) fn super_call(&mut self, to: Reg, span: Span) {
        let first = self.temporaries(2);
        let class = self.find(&CLASS.into());
        let parameters = &self.code().parameters;
        let is_method = parameters.positional > 0 && matches!(class, Place::Free(_));
        let name = parameters.names.first().cloned().filter(|_| is_method);
        let Some(name) = name else {
            let message = "super(): no arguments";
            let error = Diagnostic::new(ErrorKind::Runtime, span, message);
            return self
                .fail(error.with_hint("without arguments it stands in a method of a class"));
        };
        self.read(&CLASS.into(), first, span);
        self.read(&name, first + 1, span);
        self.emit(Op::Super { to, first }, span);
    }

    /// A name with two underscores in front is the class's own: `_Class__name`.
    pub(super) fn own_name(&self, name: &Ident) -> Ident {
        if !name.starts_with("__") || name.ends_with("__") || name.contains('.') {
            return name.clone();
        }
        let class = self.levels.iter().rev().find(|level| level.code.kind == Kind::Class);
        match class.map(|level| level.code.name.trim_start_matches('_').to_owned()) {
            Some(class) if !class.is_empty() => format!("_{class}{name}").into(),
            _ => name.clone(),
        }
    }
}

/// Whether an expression is `super()`.
pub fn is_super(callee: &Expr, args: &[Arg]) -> bool {
    args.is_empty() && matches!(&callee.node, ExprKind::Name(name) if &**name == "super")
}
