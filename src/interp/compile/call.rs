//! Calls.

use super::Compiler;
use super::code::{ArgumentAt, ArgumentKind, CallSite, Kind};
use super::level::Place;
use super::op::{Op, Reg};
use crate::diag::Span;
use crate::syntax::ast::{Arg, Expr, ExprKind};

impl Compiler<'_> {
    /// `callee(args)`. `is_last` says that nothing in the statement can fail afterwards.
    #[inline(never)]
    pub(super) fn call(&mut self, callee: &Expr, args: &[Arg], to: Reg, span: Span, is_last: bool) {
        let mark = self.mark();
        if super::class::is_super(callee, args) && self.code().kind == super::Kind::Function {
            self.super_call(to, span);
            return self.release(mark);
        }
        if args.is_empty() && self.asks_for_locals(callee) {
            let (count, cells) = self.level().own;
            self.emit(Op::Locals { to, count, cells }, span);
            return self.release(mark);
        }
        let function = self.temporary();
        let mut there = None;
        let receiver = match &callee.node {
            // A method is called without making a bound method first.
            ExprKind::Attribute { value, name } => {
                let behind = self.temporary();
                let object = self.register_of(value);
                if object.is_none() {
                    self.expr_to(value, behind);
                }
                let object = object.unwrap_or(behind);
                let name = self.attribute_name(name);
                // Nothing gives the variable another value before the call.
                let stays = object == behind || !self.level().scope.has_walrus;
                let is_plain = args.iter().all(|arg| matches!(arg, Arg::Positional(_)));
                let op = match stays && is_plain && to <= behind {
                    true => {
                        there = Some((object, name));
                        Op::MethodThere { to: function, object, name }
                    }
                    false => Op::Method { to: function, object, name },
                };
                self.emit(op, value.span);
                Some(value.span)
            }
            _ => {
                self.expr_to(callee, function);
                None
            }
        };
        let places = (callee.span, receiver.unwrap_or(callee.span));
        let site = self.arguments(function, places, args, is_last);
        self.code().sites[usize::from(site)].there = there;
        let op = match receiver {
            Some(_) => Op::CallMethod { to, callee: function, site },
            None => Op::Call { to, callee: function, site },
        };
        self.emit(op, span);
        self.release(mark);
    }

    /// Whether a call of this without arguments is about the variables of the frame; at the level of a cell
    /// these are the session's, which a built-in function gives.
    fn asks_for_locals(&mut self, callee: &Expr) -> bool {
        let ExprKind::Name(name) = &callee.node else { return false };
        matches!(&**name, "locals" | "vars")
            && self.code().kind != Kind::Cell
            && matches!(self.find(name), Place::Global(_))
    }

    /// Computes arguments of what stands in `function` into registers in a row; the places are the
    /// callee's and the receiver's.
    pub(super) fn arguments(
        &mut self,
        function: Reg,
        places: (Span, Span),
        args: &[Arg],
        is_last: bool,
    ) -> u16 {
        let is_last = is_last && self.may_end();
        let arguments = args.iter().map(|arg| match arg {
            Arg::Positional(value) => {
                ArgumentAt { kind: ArgumentKind::Positional, span: value.span }
            }
            Arg::Star(value) => ArgumentAt { kind: ArgumentKind::Star, span: value.span },
            Arg::Keyword { name, value } => ArgumentAt {
                kind: ArgumentKind::Keyword(name.node.clone(), name.span),
                span: name.span.to(value.span),
            },
            Arg::DoubleStar(value) => {
                ArgumentAt { kind: ArgumentKind::DoubleStar, span: value.span }
            }
        });
        let site = self.site(CallSite::new(places, arguments.collect(), is_last));
        for arg in args {
            match arg {
                Arg::Positional(value) | Arg::Keyword { value, .. } => {
                    self.in_temporary(value);
                }
                Arg::Star(value) => {
                    let register = self.in_temporary(value);
                    self.emit(Op::Spread { value: register, callee: function }, value.span);
                }
                Arg::DoubleStar(value) => {
                    let register = self.in_temporary(value);
                    self.emit(Op::SpreadMapping { value: register, callee: function }, value.span);
                }
            }
        }
        site
    }

    pub(super) fn site(&mut self, site: CallSite) -> u16 {
        let sites = &mut self.code().sites;
        sites.push(site);
        let at = sites.len() - 1;
        self.checked(at)
    }

    /// `callee(argument)` with values that stand in `function` and behind it.
    pub(super) fn call_one(&mut self, function: Reg, to: Reg, span: Span) {
        let argument = ArgumentAt { kind: ArgumentKind::Positional, span };
        let site = self.site(CallSite::new((span, span), vec![argument], false));
        self.emit(Op::Call { to, callee: function, site }, span);
    }
}
