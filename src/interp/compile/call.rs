//! Calls.

use super::Compiler;
use super::code::{ArgumentAt, ArgumentKind, CallSite, Kind};
use super::level::Place;
use super::op::{Op, Reg};
use crate::diag::Span;
use crate::interp::Value;
use crate::syntax::ast::{Arg, Expr, ExprKind};

/// More arguments than this need no registers of their own.
const IN_REGISTERS: usize = 1024;

/// Which run of arguments one belongs to that stand side by side: values, or values with names.
fn run_of(arg: &Arg) -> Option<bool> {
    match arg {
        Arg::Positional(_) => Some(false),
        Arg::Keyword { .. } => Some(true),
        Arg::Star(_) | Arg::DoubleStar(_) => None,
    }
}

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
        if self.answers(callee, args, to, span) {
            return self.release(mark);
        }
        if let [Arg::Positional(argument)] = args
            && let Some(global) = self.answers_at_once(callee)
            && let Some(from) = self.variable_of(argument)
        {
            self.call_on((callee, global), (from, argument.span), to, span, is_last);
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

    /// The global name that this is, if it is that of a built-in function or type, unless the program says otherwise.
    fn answers_at_once(&mut self, callee: &Expr) -> Option<u16> {
        let ExprKind::Name(name) = &callee.node else { return None };
        let Place::Global(global) = self.find(name) else { return None };
        let is_quick = match &self.code().globals[usize::from(global)].built_in {
            Some(Value::Function(function)) => function.builtin.quick.is_some(),
            Some(Value::Type(_)) => true,
            _ => false,
        };
        is_quick.then_some(global)
    }

    /// The register of a local variable.
    fn variable_of(&mut self, expr: &Expr) -> Option<Reg> {
        matches!(expr.node, ExprKind::Name(_)).then(|| self.register_of(expr)).flatten()
    }

    /// `function(variable)`, first where the variable stands.
    fn call_on(
        &mut self,
        (callee, global): (&Expr, u16),
        (from, argument): (Reg, Span),
        to: Reg,
        span: Span,
        is_last: bool,
    ) {
        let argument = ArgumentAt { kind: ArgumentKind::Positional, span: argument };
        let is_last = is_last && self.may_end();
        let places = (callee.span, callee.span);
        let site = self.site(CallSite::new(places, vec![argument], is_last));
        self.emit(Op::CallOn { to, from, global }, span);
        let function = self.temporary();
        self.emit(Op::Global { to: function, index: global }, callee.span);
        let behind = self.temporary();
        self.emit(Op::Copy { to: behind, from }, span);
        self.emit(Op::Call { to, callee: function, site }, span);
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
        if args.len() > IN_REGISTERS {
            return self.many_arguments(function, places, args, is_last);
        }
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

    /// As [`Compiler::arguments`], where those that stand together are in a list or a dictionary, so that
    /// they need no registers.
    fn many_arguments(
        &mut self,
        function: Reg,
        places: (Span, Span),
        args: &[Arg],
        is_last: bool,
    ) -> u16 {
        let runs = || args.chunk_by(|a, b| run_of(a).is_some() && run_of(a) == run_of(b));
        let arguments = runs().map(|run| {
            let (kind, span) = match (&run[0], &run[run.len() - 1]) {
                (Arg::Positional(first), Arg::Positional(last)) => {
                    (ArgumentKind::Star, first.span.to(last.span))
                }
                (Arg::Keyword { name, .. }, Arg::Keyword { value, .. }) => {
                    (ArgumentKind::DoubleStar, name.span.to(value.span))
                }
                (Arg::DoubleStar(value), _) => (ArgumentKind::DoubleStar, value.span),
                (Arg::Star(value) | Arg::Positional(value), _) => (ArgumentKind::Star, value.span),
                (Arg::Keyword { value, .. }, _) => (ArgumentKind::DoubleStar, value.span),
            };
            ArgumentAt { kind, span }
        });
        let site = self.site(CallSite::new(places, arguments.collect(), is_last));
        for run in runs() {
            let register = self.temporary();
            match &run[0] {
                Arg::Positional(first) => {
                    self.emit(Op::List { to: register, first: 0, count: 0 }, first.span);
                }
                Arg::Keyword { name, .. } => {
                    self.emit(Op::Dict { to: register }, name.span);
                }
                Arg::Star(value) | Arg::DoubleStar(value) => self.expr_to(value, register),
            }
            for arg in run {
                let mark = self.mark();
                match arg {
                    Arg::Positional(value) => {
                        let item = self.expr(value);
                        self.emit(Op::Append { list: register, item }, value.span);
                    }
                    Arg::Keyword { name, value } => {
                        let item = self.temporary();
                        self.constant_to(Value::str(&name.node), item, name.span);
                        self.in_temporary(value);
                        self.emit(Op::Insert { dict: register, item }, name.span);
                    }
                    Arg::Star(_) | Arg::DoubleStar(_) => {}
                }
                self.release(mark);
            }
            let op = match &run[0] {
                Arg::Positional(_) | Arg::Star(_) => {
                    Op::Spread { value: register, callee: function }
                }
                Arg::Keyword { .. } | Arg::DoubleStar(_) => {
                    Op::SpreadMapping { value: register, callee: function }
                }
            };
            self.emit(op, places.0);
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
        self.call_by_position(function, to, 1, span);
    }

    /// Calls what stands in `function` with so many values behind it.
    pub(super) fn call_by_position(&mut self, function: Reg, to: Reg, count: usize, span: Span) {
        let argument = || ArgumentAt { kind: ArgumentKind::Positional, span };
        let arguments = std::iter::repeat_with(argument).take(count).collect();
        let site = self.site(CallSite::new((span, span), arguments, false));
        self.emit(Op::Call { to, callee: function, site }, span);
    }
}
