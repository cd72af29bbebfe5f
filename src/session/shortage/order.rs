//! Another order of evaluation, where memory ran out: the right operand of an operator before the left one,
//! so that what takes most at once is computed while least is held.
//!
//! Only where nobody can tell: the statement gives names the value of operators, and of functions that do nothing
//! but compute, on tensors and numbers that variables hold. Which order would do is found by rehearsals.

use std::collections::HashSet;

use rustc_hash::FxHashSet;

use super::advice::within;
use crate::device::Device;
use crate::diag::{ErrorKind, SourceResult, Span};
use crate::interp::builtins::is_pure;
use crate::interp::{Evaluator, Interp, Rehearsed};
use crate::report::Markup;
use crate::session::{Session, Value};
use crate::syntax::ast::{Arg, Expr, ExprKind, Stmt, StmtKind};

/// Of no more operators than this every choice is tried.
const MOST: usize = 6;

impl Session {
    /// Runs a statement; where memory runs out and another order of evaluation would do with what there is, once
    /// more in that order.
    pub(in crate::session) fn in_some_order(
        &self,
        evaluator: Evaluator<'_>,
        statement: &Stmt,
    ) -> SourceResult<Option<Value>> {
        let error = match evaluator.statement(statement) {
            Err(error) if error.kind.is_a(ErrorKind::Memory) => error,
            result => return result,
        };
        let device = self.short_device(&self.desk.shortages.borrow());
        let Some(order) = device.and_then(|device| self.other_order(statement, &device)) else {
            return Err(error);
        };
        let count = order.len();
        self.interp.turned.replace(order);
        let result = evaluator.statement(statement);
        self.interp.turned.take();
        if result.is_ok() {
            self.desk.shortages.replace(self.shortages());
            self.room.take_snapshot();
            let of = match count {
                1 => "the right operand of an operator was".to_string(),
                count => format!("the right operands of {count} operators were"),
            };
            let words = format!("memory was short, so {of} computed before the left");
            self.room.note(Markup::new().dim(words));
        }
        // In the order as it is written it failed, and nothing of it stands.
        result.map_err(|_| error)
    }

    /// The operators whose right operand has to come first for a statement to fit.
    fn other_order(&self, statement: &Stmt, device: &Device) -> Option<FxHashSet<Span>> {
        let spots = turnable(&self.interp, statement)?;
        let movable = self.movable(device).iter().map(|storage| storage.address()).collect();
        let memory = |of: &Device| match of == device {
            true => of.allocator().rehearsal_without(&HashSet::new(), 0, &movable),
            false => of.allocator().rehearsal(),
        };
        // The fewest first.
        let mut choices: Vec<u32> = (1..1 << spots.len()).collect();
        choices.sort_by_key(|choice| choice.count_ones());
        let search = || {
            choices.into_iter().find_map(|choice| {
                let chosen = spots.iter().enumerate().filter(|(at, _)| choice & 1 << at != 0);
                let order: FxHashSet<Span> = chosen.map(|(_, spot)| *spot).collect();
                self.interp.turned.replace(order.clone());
                let found = self.quiet().rehearse(statement, memory, &HashSet::new());
                (found == Rehearsed::Fits).then_some(order)
            })
        };
        let found = within(&self.interrupt(), super::advice::PATIENCE, search);
        self.interp.turned.take();
        found
    }
}

/// The operators of a statement both of whose operands do work; none where anybody could tell in which order
/// they do it.
fn turnable(interp: &Interp, statement: &Stmt) -> Option<Vec<Span>> {
    let is_name = |target: &Expr| matches!(target.node, ExprKind::Name(_));
    let value = match &statement.node {
        StmtKind::Expr(value) => value,
        StmtKind::Assign { targets, value } if targets.iter().all(is_name) => value,
        _ => return None,
    };
    let mut look = Look { interp, spots: Vec::new() };
    look.expr(value)?;
    (1..=MOST).contains(&look.spots.len()).then_some(look.spots)
}

struct Look<'a> {
    interp: &'a Interp,
    spots: Vec<Span>,
}

impl Look<'_> {
    /// Whether an expression does work; none where somebody could tell when.
    fn expr(&mut self, expr: &Expr) -> Option<bool> {
        match &expr.node {
            ExprKind::None | ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) => {
                Some(false)
            }
            ExprKind::Imaginary(_) | ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::Ellipsis => {
                Some(false)
            }
            ExprKind::Name(name) => match self.value(name)? {
                Value::Tensor(_) => Some(false),
                value => value.number().map(|_| false),
            },
            ExprKind::Unary { operand, .. } => self.expr(operand).map(|_| true),
            ExprKind::Binary { lhs, rhs, .. } => {
                let (left, right) = (self.expr(lhs)?, self.expr(rhs)?);
                if left && right {
                    self.spots.push(expr.span);
                }
                Some(true)
            }
            ExprKind::Compare { first, rest } if rest.len() == 1 => {
                self.expr(first)?;
                self.expr(&rest[0].1)?;
                Some(true)
            }
            // Those of a tensor.
            ExprKind::Attribute { value, .. } => self.expr(value),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().try_fold(false, |works, item| Some(self.expr(item)? || works))
            }
            ExprKind::Call { callee, args } => {
                let function = self.callee(callee)?;
                if !matches!(&function, Value::Function(function) if is_pure(function)) {
                    return None;
                }
                for arg in args {
                    match arg {
                        Arg::Positional(value) => self.expr(value)?,
                        Arg::Keyword { name, value } if *name.node != *"out" => self.expr(value)?,
                        _ => return None,
                    };
                }
                Some(true)
            }
            _ => None,
        }
    }

    fn value(&self, name: &str) -> Option<Value> {
        self.interp.get(name).or_else(|| self.interp.registry.name(name).cloned())
    }

    /// `sort`, `np.sort`
    fn callee(&self, callee: &Expr) -> Option<Value> {
        match &callee.node {
            ExprKind::Name(name) => self.value(name),
            ExprKind::Attribute { value, name } => {
                let ExprKind::Name(module) = &value.node else { return None };
                let Value::Module(module) = self.value(module)? else { return None };
                self.interp.registry.attribute_of_module(module, &name.node).cloned()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Config, Nobody, Session, Sink};

    #[derive(Default)]
    struct Heard(Vec<String>);

    impl Sink for Heard {
        fn text(&mut self, _: &str) {}

        fn report(&mut self, _: &crate::report::Report) {}

        fn notice(&mut self, notice: &crate::report::Markup) {
            self.0.push(notice.to_plain());
        }
    }

    /// Small results beside one that takes much while it is computed.
    const TEXTS: [&str; 4] = [
        "x = (ones(1024, 4) @ ones(4, 768)) + (ones(1024, 1536) @ ones(1536, 768))",
        "x = sort(a) + (ones(1024, 1536) @ ones(1536, 768)).ravel()",
        "(ones(1024, 4) @ ones(4, 768)) * (1 + (ones(1024, 1536) @ ones(1536, 768)))",
        "x = np.sort(a) - sort(a + sort(a * 2))",
    ];

    fn session(limit: &str) -> Session {
        let config = Config::default().with_simulated(limit).unwrap();
        Session::new(config).unwrap()
    }

    #[test]
    fn a_statement_that_fits_in_another_order_is_run_in_it() {
        let mut all = 0;
        for text in TEXTS {
            let setup = "a = arange(1024 * 768, dtype=float32) % 1001";
            let mut large = session("1GiB");
            for statement in [setup, text] {
                assert!(large.run(statement, &mut Nobody).error.is_none(), "{text}");
            }
            let name = if text.starts_with("x =") { "x" } else { "_2" };
            let sum = |session: &mut Session| {
                let outcome = session.run(&format!("{name}.sum().item()"), &mut Nobody);
                format!("{:?}", outcome.value)
            };
            let wanted = sum(&mut large);
            let mut was_turned = false;
            for mib in 6..28 {
                let mut small = session(&format!("{mib}MiB"));
                let mut heard = Heard::default();
                if small.run(setup, &mut heard).error.is_some() {
                    continue;
                }
                let outcome = small.run(text, &mut heard);
                let is_turned = heard.0.iter().any(|said| said.contains("before the left"));
                assert!(!is_turned || outcome.error.is_none(), "{mib}: {text}");
                if outcome.error.is_none() && is_turned {
                    was_turned = true;
                    assert_eq!(sum(&mut small), wanted, "{mib}: {text}");
                }
            }
            all += usize::from(was_turned);
        }
        assert!(all >= 2, "{all} of the statements fit in another order only");
    }

    #[test]
    fn what_somebody_could_notice_is_run_once() {
        let head = "def f(x):\n    print('f')\n    return x";
        for text in [
            "x = f(ones(1024, 4) @ ones(4, 768)) + (ones(1024, 1536) @ ones(1536, 768))",
            "x = (rand(1024, 4) @ ones(4, 768)) + (ones(1024, 1536) @ rand(1536, 768))",
            "(x := ones(1024, 4) @ ones(4, 768)) + (ones(1024, 1536) @ ones(1536, 768))",
        ] {
            for mib in (8..24).step_by(2) {
                let mut small = session(&format!("{mib}MiB"));
                small.run(head, &mut Nobody);
                let mut heard = Heard::default();
                small.run(text, &mut heard);
                assert!(!heard.0.iter().any(|said| said.contains("before the left")), "{text}");
            }
        }
    }
}
