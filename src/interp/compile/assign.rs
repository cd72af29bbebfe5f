//! Assignment, `op=`, and `del`.

use super::Compiler;
use super::level::Place;
use super::op::{Op, Reg};
use crate::diag::{Diagnostic, ErrorKind, Span};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};

impl Compiler<'_> {
    /// `a = b = value`
    pub(super) fn assign_statement(&mut self, targets: &[Expr], value: &Expr) {
        let mark = self.mark();
        let Some((last, others)) = targets.split_last() else { return };
        if let (ExprKind::Name(name), true) = (&last.node, others.is_empty())
            && let Place::Local(local) = self.find(name)
        {
            self.expr_to_local(value, local);
            self.level().bind(local);
            self.release(mark);
            return;
        }
        // A pair of targets takes a pair of values without a tuple in between.
        if let (ExprKind::Tuple(targets), ExprKind::Tuple(values), true) =
            (&last.node, &value.node, others.is_empty())
            && targets.len() == values.len()
            && targets.iter().all(|target| matches!(target.node, ExprKind::Name(_)))
            && !values.iter().any(|value| matches!(value.node, ExprKind::Starred(_)))
        {
            self.assign_each(targets, values, value.span);
            self.release(mark);
            return;
        }
        // What stores a value only reads it.
        let is_stored = others.is_empty()
            && matches!(last.node, ExprKind::Subscript { .. } | ExprKind::Attribute { .. });
        let from = if is_stored { self.operand(value) } else { self.in_temporary(value) };
        for target in others {
            let again = self.temporary();
            self.emit(Op::Copy { to: again, from }, value.span);
            self.assign(target, again, value.span, false);
            self.release(again);
        }
        self.assign(last, from, value.span, true);
        self.release(mark);
    }

    /// `a, b = value, other`: all values are computed before the first name is bound, the last one in its
    /// place where that is a variable of the frame.
    fn assign_each(&mut self, names: &[Expr], values: &[Expr], span: Span) {
        let locals = self.own_locals(names);
        let (Some((last, before)), Some(locals)) = (values.split_last(), locals) else {
            let from: Vec<Reg> = values.iter().map(|value| self.in_temporary(value)).collect();
            for (target, from) in names.iter().zip(from) {
                self.assign(target, from, span, true);
            }
            return;
        };
        let from: Vec<Reg> = before.iter().map(|value| self.in_temporary(value)).collect();
        self.expr_to_local(last, locals[before.len()]);
        self.level().bind(locals[before.len()]);
        for (target, from) in names.iter().zip(from) {
            self.assign(target, from, span, true);
        }
    }

    /// The registers of names that are variables of the frame, each once.
    fn own_locals(&mut self, names: &[Expr]) -> Option<Vec<Reg>> {
        let mut locals: Vec<Reg> = Vec::with_capacity(names.len());
        for name in names {
            let ExprKind::Name(name) = &name.node else { return None };
            let Place::Local(local) = self.find(name) else { return None };
            if locals.contains(&local) {
                return None;
            }
            locals.push(local);
        }
        Some(locals)
    }

    /// Gives what stands in `from`, whose expression stands at `place`, to a target. `is_last` says
    /// that nothing in the statement can fail afterwards.
    pub(super) fn assign(&mut self, target: &Expr, from: Reg, place: Span, is_last: bool) {
        let mark = self.mark();
        match &target.node {
            ExprKind::Name(name) => self.bind(name, from, is_last, target.span),
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                self.unpack(targets, from, place, is_last);
            }
            ExprKind::Starred(inner) => self.assign(inner, from, place, is_last),
            ExprKind::Subscript { value, index } => {
                let base = self.operand(value);
                let is_last = is_last && self.may_end();
                let at = self.index(index, target.span);
                self.emit(Op::SetSubscript { base, index: at, from, is_last }, target.span);
                self.places(index, place);
            }
            ExprKind::Attribute { value, name } => {
                let object = self.expr(value);
                let name_at = self.attribute_name(name);
                self.emit(Op::SetAttribute { object, from, name: name_at }, name.span);
            }
            _ => {
                let message = "cannot assign to this expression";
                self.fail(Diagnostic::new(ErrorKind::Syntax, target.span, message));
            }
        }
        self.release(mark);
    }

    fn unpack(&mut self, targets: &[Expr], from: Reg, place: Span, is_last: bool) {
        let count = targets.len();
        // Variables that lie one behind the other take the items where they are.
        if let Some(locals) = self.own_locals(targets)
            && locals.windows(2).all(|pair| pair[0] + 1 == pair[1])
            && let Some(first) = locals.first()
            && !locals.contains(&from)
        {
            self.emit(Op::Unpack { from, first: *first, count: count as u16 }, place);
            self.checked(count);
            return locals.into_iter().for_each(|local| self.level().bind(local));
        }
        let first = self.mark();
        if count > 0 {
            self.temporaries(count);
        }
        let is_star = |target: &Expr| matches!(target.node, ExprKind::Starred(_));
        let op = match targets.iter().position(is_star) {
            Some(at) => {
                let stars = &mut self.code().stars;
                stars.push(super::code::Star { count: count as u16, at: at as u16 });
                let last = stars.len() - 1;
                Op::UnpackStar { from, first, index: self.checked(last) }
            }
            None => Op::Unpack { from, first, count: count as u16 },
        };
        self.checked(count);
        self.emit(op, place);
        // Names can't fail, so that those before the last may be the last to fail, too.
        let can_fail = |target: &Expr| !matches!(target.node, ExprKind::Name(_));
        for (at, target) in targets.iter().enumerate() {
            let is_last = is_last && !targets[at + 1..].iter().any(can_fail);
            let is_last = is_last && (at + 1 == count || matches!(target.node, ExprKind::Name(_)));
            self.assign(target, first + at as Reg, place, is_last);
        }
    }

    /// `target op= value`
    pub(super) fn augment(&mut self, target: &Expr, op: BinaryOp, value: &Expr, span: Span) {
        let mark = self.mark();
        let may_end = self.may_end();
        let update = |to: Reg, a: Reg, b: Reg| match may_end {
            true => Op::UpdateLast { op, to, a, b },
            false => Op::Update { op, to, a, b },
        };
        match &target.node {
            ExprKind::Name(name) => match self.find(name) {
                Place::Local(_) => {
                    let Some(a) = self.local(name, target.span) else { return };
                    let a = match self.level().scope.has_walrus {
                        true => self.in_temporary(target),
                        false => a,
                    };
                    let b = self.expr(value);
                    let Place::Local(to) = self.find(name) else { return };
                    self.emit(update(to, a, b), span);
                }
                _ => {
                    let a = self.in_temporary(target);
                    let b = self.expr(value);
                    self.emit(update(a, a, b), span);
                    self.bind(name, a, true, target.span);
                }
            },
            ExprKind::Subscript { value: base, index } => {
                let first = self.temporaries(4);
                self.expr_to(base, first);
                self.expr_to(index, first + 1);
                self.emit(Op::ItemToUpdate { first }, span);
                self.places(index, span);
                self.expr_to(value, first + 3);
                self.emit(Op::UpdateItem { op, first, is_last: may_end }, span);
                self.places(index, value.span);
            }
            ExprKind::Attribute { value: object, name } => {
                let object_at = self.in_temporary(object);
                let again = self.temporary();
                self.emit(Op::Copy { to: again, from: object_at }, object.span);
                let name_at = self.attribute_name(name);
                let a = self.temporary();
                self.emit(Op::Attribute { to: a, object: again, name: name_at }, target.span);
                let b = self.expr(value);
                self.emit(Op::Update { op, to: a, a, b }, span);
                // What is remembered of reading a name says nothing about setting it.
                let name_at = self.attribute_name(name);
                self.emit(
                    Op::SetAttribute { object: object_at, from: a, name: name_at },
                    name.span,
                );
            }
            _ => {
                let message = "this expression is no target of an augmented assignment";
                self.fail(Diagnostic::new(ErrorKind::Syntax, target.span, message));
            }
        }
        self.release(mark);
    }

    /// `del` of several targets. `is_last` says that nothing in the statement can fail afterwards.
    pub(super) fn delete_all(&mut self, targets: &[Expr], is_last: bool) {
        for (at, target) in targets.iter().enumerate() {
            self.delete(target, is_last && at + 1 == targets.len());
        }
    }

    fn delete(&mut self, target: &Expr, is_last: bool) {
        let mark = self.mark();
        match &target.node {
            ExprKind::Name(name) => self.delete_name(name, target.span),
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                self.delete_all(targets, is_last);
            }
            ExprKind::Subscript { value, index } => {
                let base = self.operand(value);
                let at = self.expr(index);
                let is_last = is_last && self.may_end();
                self.emit(Op::DeleteSubscript { base, index: at, is_last }, index.span);
            }
            ExprKind::Attribute { value, name } => {
                let object = self.expr(value);
                let name_at = self.attribute_name(name);
                self.emit(Op::DeleteAttribute { object, name: name_at }, name.span);
            }
            _ => {
                let message = "cannot delete this expression";
                self.fail(Diagnostic::new(ErrorKind::Syntax, target.span, message));
            }
        }
        self.release(mark);
    }
}
