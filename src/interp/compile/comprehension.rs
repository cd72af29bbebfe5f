//! Comprehensions. Those that make a list, a set or a dictionary run in the frame around them, with
//! variables of their own; a generator expression is a function.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Compiler;
use super::code::Local;
use super::level::Place;
use super::op::{Op, Reg};
use super::scope::{GENERATED, key};
use crate::diag::{Span, Spanned};
use crate::interp::value::Value;
use crate::syntax::ast::{Clause, Comprehension, ComprehensionKind, Ident, Parameter, Parameters};

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn comprehension(&mut self, comprehension: &Rc<Comprehension>, to: Reg, span: Span) {
        if let ComprehensionKind::Generator(_) = comprehension.kind {
            return self.generator(comprehension, to, span);
        }
        let mark = self.mark();
        let result = self.temporary();
        let op = match comprehension.kind {
            ComprehensionKind::Dict(..) => Op::Dict { to: result },
            ComprehensionKind::Set(_) => Op::Set { to: result },
            _ => Op::List { to: result, first: 0, count: 0 },
        };
        self.emit(op, span);
        let Some((first, others)) = comprehension.clauses.split_first() else { return };
        let iter = self.temporaries(3);
        let outermost = self.expr(&first.iter);
        self.emit(Op::Iter { to: iter, value: outermost }, first.iter.span);
        self.release(iter + 3);
        let bound = self.level().bound.clone();
        self.open_names(comprehension);
        self.clause(comprehension, first, others, iter, result);
        self.level().inner.pop();
        self.level().bound = bound;
        self.emit(Op::Move { to, from: result }, span);
        self.release(mark);
    }

    /// Gives a comprehension's variables their places.
    fn open_names(&mut self, comprehension: &Rc<Comprehension>) {
        let scope = self.scopes.get(key(comprehension));
        let mut names: FxHashMap<Ident, Place> = FxHashMap::default();
        for (name, first) in &scope.bound {
            let place = if scope.cells.contains(name) {
                let cells = &mut self.code().cells;
                cells.push(Local { name: name.clone(), first: *first });
                let at = cells.len() - 1;
                let index = self.checked(at);
                self.emit(Op::FreshCell { index }, *first);
                Place::Cell(index)
            } else {
                let register = self.level().inner_register(name, *first);
                self.level().unbind(register);
                Place::Local(register)
            };
            names.insert(name.clone(), place);
        }
        self.level().inner.push(names);
    }

    /// One loop and those inside.
    fn clause(
        &mut self,
        comprehension: &Comprehension,
        clause: &Clause,
        others: &[Clause],
        iter: Reg,
        result: Reg,
    ) {
        let mark = self.mark();
        let (next, skip, end) = (self.label(), self.label(), self.label());
        self.place(next);
        let span = clause.iter.span;
        let item = self.loop_target(&clause.target);
        self.emit(Op::Next { to: item, iter }, span);
        self.jump(end, span);
        self.bind_loop_target(&clause.target, item);
        for condition in &clause.conditions {
            self.jump_unless(condition, skip);
        }
        match others.split_first() {
            Some((inner, others)) => {
                let iter = self.temporaries(3);
                let value = self.expr(&inner.iter);
                self.emit(Op::Iter { to: iter, value }, inner.iter.span);
                self.release(iter + 3);
                self.clause(comprehension, inner, others, iter, result);
            }
            None => self.element(comprehension, result),
        }
        self.place(skip);
        self.again(item, iter, next, span);
        self.place(end);
        self.release(mark);
    }

    fn element(&mut self, comprehension: &Comprehension, result: Reg) {
        let mark = self.mark();
        match &comprehension.kind {
            ComprehensionKind::List(element) => {
                let item = self.expr(element);
                self.emit(Op::Append { list: result, item }, element.span);
            }
            ComprehensionKind::Set(element) => {
                let item = self.expr(element);
                self.emit(Op::SetAdd { set: result, item }, element.span);
            }
            ComprehensionKind::Dict(key, value) => {
                let item = self.in_temporary(key);
                self.in_temporary(value);
                self.emit(Op::Insert { dict: result, item }, key.span);
            }
            ComprehensionKind::Generator(element) => {
                let value = self.in_temporary(element);
                self.emit(Op::Yield { to: value, value }, element.span);
            }
        }
        self.release(mark);
    }

    fn generator(&mut self, comprehension: &Rc<Comprehension>, to: Reg, span: Span) {
        let mark = self.mark();
        let function = self.temporary();
        let Some((first, others)) = comprehension.clauses.split_first() else { return };
        let argument = self.in_temporary(&first.iter);
        self.emit(Op::Iterable { value: argument }, first.iter.span);
        let name = Spanned { node: Ident::from(GENERATED), span: first.iter.span };
        let parameter = Parameter { name, annotation: None, default: None };
        let parameters = Parameters { positional_only: vec![parameter], ..Parameters::default() };
        let scope = self.scopes.get(key(comprehension));
        self.enter(scope, &"<genexpr>".into(), &parameters, span);
        let iter = self.temporaries(3);
        self.emit(Op::Iter { to: iter, value: 0 }, first.iter.span);
        let unused = self.temporary();
        self.clause(comprehension, first, others, iter, unused);
        self.constant_to(Value::None, unused, span);
        self.emit(Op::Return { value: unused }, span);
        self.level().bound = None;
        let index = self.leave(&parameters, None, span);
        self.emit(Op::Function { to: function, first: function, index }, span);
        self.call_one(function, to, span);
        self.release(mark);
    }
}
