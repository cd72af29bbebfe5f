//! Comprehensions. Those that make a list, a set or a dictionary run in the frame around them, with
//! variables of their own; a generator expression is a function.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Compiler;
use super::code::{ArgumentAt, ArgumentKind, CallSite, Local};
use super::level::Place;
use super::op::{Op, Reg};
use super::scope::{GENERATED, key};
use crate::diag::{Span, Spanned};
use crate::interp::value::Value;
use crate::syntax::ast::{
    Arg, Clause, CompareOp, Comprehension, ComprehensionKind, Expr, ExprKind, Ident, Parameter,
    Parameters,
};

/// What becomes of the elements.
#[derive(Clone, Copy)]
enum Elements {
    /// They are put into what stands in this register.
    Collected(Reg),
    /// They are given out, one by one.
    Given,
    /// The first one with this truth ends the function, which returns that.
    Sought(bool),
    /// The function returns their sum, which grows in this register.
    Summed(Reg),
}

/// What a call of a built-in function makes of a generator expression without a generator.
#[derive(Clone, Copy)]
enum Answer {
    Sought(bool),
    Sum,
}

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn comprehension(&mut self, comprehension: &Rc<Comprehension>, to: Reg, span: Span) {
        if let ComprehensionKind::Generator(_) = comprehension.kind {
            let mark = self.mark();
            let function = self.temporary();
            let argument = self.outermost(comprehension);
            debug_assert_eq!(argument, function + 1, "a call of one argument");
            self.generator(comprehension, None, function, to, span);
            return self.release(mark);
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
        self.clause(comprehension, first, others, iter, Elements::Collected(result));
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
        elements: Elements,
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
                self.clause(comprehension, inner, others, iter, elements);
            }
            None => self.element(comprehension, elements),
        }
        self.place(skip);
        self.again(item, iter, next, span);
        self.place(end);
        self.release(mark);
    }

    fn element(&mut self, comprehension: &Comprehension, elements: Elements) {
        use ComprehensionKind::{Dict, Generator, List, Set};
        let (List(element) | Set(element) | Generator(element) | Dict(element, _)) =
            &comprehension.kind;
        let mark = self.mark();
        match (elements, &comprehension.kind) {
            (Elements::Collected(dict), Dict(key, value)) => {
                let item = self.in_temporary(key);
                self.in_temporary(value);
                self.emit(Op::Insert { dict, item }, key.span);
            }
            (Elements::Collected(set), Set(_)) => {
                let item = self.expr(element);
                self.emit(Op::SetAdd { set, item }, element.span);
            }
            (Elements::Collected(list), List(_) | Generator(_)) => {
                let item = self.expr(element);
                self.emit(Op::Append { list, item }, element.span);
            }
            (Elements::Given, _) => {
                let value = self.in_temporary(element);
                self.emit(Op::Yield { to: value, value }, element.span);
            }
            (Elements::Summed(total), _) => {
                let b = self.expr(element);
                self.emit(Op::Add { to: total, a: total, b }, element.span);
            }
            (Elements::Sought(truth), _) => {
                let behind = self.label();
                match truth {
                    true => self.jump_unless(element, behind),
                    false => self.jump_when(element, behind),
                }
                let bound = self.level().bound.clone();
                self.return_constant(Value::Bool(truth), element.span);
                self.level().bound = bound;
                self.place(behind);
            }
        }
        self.release(mark);
    }

    fn return_constant(&mut self, value: Value, span: Span) {
        let mark = self.mark();
        let result = self.temporary();
        self.constant_to(value, result, span);
        self.emit(Op::Return { value: result }, span);
        self.release(mark);
    }

    /// What the outermost loop of a generator expression goes through, in a new temporary.
    fn outermost(&mut self, comprehension: &Comprehension) -> Reg {
        let Some(first) = comprehension.clauses.first() else { return self.temporary() };
        let value = self.in_temporary(&first.iter);
        self.emit(Op::Iterable { value }, first.iter.span);
        value
    }

    /// `all(… for …)`, `any(… for …)` and `sum(… for …)`: while the name means the built-in function, the expression is a
    /// function that returns the answer, and no generator goes on for each element. Whether it is such a call.
    pub(super) fn answers(&mut self, callee: &Expr, args: &[Arg], to: Reg, span: Span) -> bool {
        let (ExprKind::Name(name), [Arg::Positional(argument)]) = (&callee.node, args) else {
            return false;
        };
        let ExprKind::Comprehension(comprehension) = &argument.node else { return false };
        let answer = match &**name {
            "all" => Answer::Sought(false),
            "any" => Answer::Sought(true),
            "sum" => Answer::Sum,
            _ => return false,
        };
        let ComprehensionKind::Generator(_) = comprehension.kind else { return false };
        let Place::Global(global) = self.find(name) else { return false };
        let Some(built_in) = self.code().globals[usize::from(global)].built_in.clone() else {
            return false;
        };
        let (otherwise, end) = (self.label(), self.label());
        let asked = self.in_temporary(callee);
        let function = self.temporary();
        self.outermost(comprehension);
        let b = self.temporary();
        self.constant_to(built_in, b, callee.span);
        self.emit(Op::Unless { op: CompareOp::Is, a: asked, b }, callee.span);
        self.jump(otherwise, callee.span);
        self.generator(comprehension, Some(answer), function, to, argument.span);
        self.jump(end, span);
        self.place(otherwise);
        self.generator(comprehension, None, function, function, argument.span);
        let kind = ArgumentKind::Positional;
        let arguments = vec![ArgumentAt { kind, span: argument.span }];
        let site = self.site(CallSite::new((callee.span, callee.span), arguments, false));
        self.emit(Op::Call { to, callee: asked, site }, span);
        self.place(end);
        true
    }

    /// The function of a generator expression, and its call with what stands behind it.
    fn generator(
        &mut self,
        comprehension: &Rc<Comprehension>,
        answer: Option<Answer>,
        function: Reg,
        to: Reg,
        span: Span,
    ) {
        let Some((first, others)) = comprehension.clauses.split_first() else { return };
        let name = Spanned { node: Ident::from(GENERATED), span: first.iter.span };
        let parameter = Parameter { name, annotation: None, default: None };
        let parameters = Parameters { positional_only: vec![parameter], ..Parameters::default() };
        let scope = self.scopes.get(key(comprehension));
        self.enter(scope, &"<genexpr>".into(), &parameters, span);
        if answer.is_some() {
            self.code().is_generator = false;
            self.code().is_plain = true;
        }
        let elements = match answer {
            None => Elements::Given,
            Some(Answer::Sought(truth)) => Elements::Sought(truth),
            Some(Answer::Sum) => {
                let total = self.temporary();
                self.constant_to(Value::Int(0), total, span);
                Elements::Summed(total)
            }
        };
        let iter = self.temporaries(3);
        self.emit(Op::Iter { to: iter, value: 0 }, first.iter.span);
        self.clause(comprehension, first, others, iter, elements);
        match elements {
            Elements::Sought(truth) => self.return_constant(Value::Bool(!truth), span),
            Elements::Summed(value) => _ = self.emit(Op::Return { value }, span),
            Elements::Collected(_) | Elements::Given => self.return_constant(Value::None, span),
        }
        self.level().bound = None;
        let index = self.leave(&parameters, None, span);
        self.emit(Op::Function { to: function, first: function, index }, span);
        self.call_one(function, to, span);
    }
}
