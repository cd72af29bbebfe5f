//! What a statement would do, found out without doing it: it is run on devices that only note what
//! they are asked for, and every change is taken back.

use super::index::TensorIndex;
use super::reach::Walk;
use super::{Evaluator, Value, eval, ops};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::layout::IndexPlan;
use crate::syntax::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::tensor::{Error, Explanation, Tensor};

/// What `:explain` shows of a statement.
#[derive(Debug)]
pub struct Explained {
    /// Each index of a tensor: where it stands, and its plan.
    pub indexes: Vec<(Span, IndexPlan)>,
    /// What devices would do.
    pub work: Explanation,
    /// The statement's value, if it would have one; its tensors have no elements.
    pub value: Option<Value>,
    /// New memory that the value would keep, in bytes.
    pub result_bytes: usize,
    /// Why the statement could be followed no further, and where: a value decides that only running
    /// would tell, or a size is beyond all memory.
    pub stopped: Option<Box<Diagnostic>>,
}

impl Evaluator<'_> {
    /// Explains a statement. Nothing of it runs; what is there already may be read.
    ///
    /// # Errors
    /// What the statement itself would bring up.
    pub fn explain(&self, statement: &Stmt) -> SourceResult<Explained> {
        let engine = &self.interp.engine;
        self.interp.begin();
        self.set_place(statement.span);
        *self.interp.explained.borrow_mut() = Some(Vec::new());
        let (result, work) = engine.explain(|| {
            let result = engine.without_copies(|| self.follow(statement));
            self.interp.roll_back();
            result
        });
        let indexes = self.interp.explained.borrow_mut().take().unwrap_or_default();
        let (value, result_bytes, stopped) = match result {
            Ok((value, is_held)) => {
                let bytes = if is_held { new_bytes(&value) } else { 0 };
                (Some(value), bytes, None)
            }
            Err(error) if work.needs_value() || error.kind.is_a(ErrorKind::Memory) => {
                (None, 0, Some(error))
            }
            Err(error) => return Err(error),
        };
        Ok(Explained { indexes, work, value, result_bytes, stopped })
    }

    /// Whether a statement is being explained and not run.
    pub(super) fn is_explaining(&self) -> bool {
        self.interp.explained.borrow().is_some()
    }

    /// Notes the plan of an index, if a statement is being explained.
    pub(super) fn note_index(&self, tensor: &Tensor, index: &TensorIndex) {
        if !self.is_explaining() {
            return;
        }
        let engine = &self.interp.engine;
        let planned = engine.unexplained(|| engine.explain_index(tensor, &index.items));
        if let (Some(noted), Ok(plan)) = (&mut *self.interp.explained.borrow_mut(), planned) {
            noted.push((index.span(), plan));
        }
    }

    /// Evaluates what a statement would compute, without its effects on names and containers. The
    /// value, and whether something would hold it.
    fn follow(&self, statement: &Stmt) -> SourceResult<(Value, bool)> {
        match &statement.node {
            StmtKind::Expr(expr) => {
                let value = self.expr(expr)?;
                self.place(self.realize_value(&value), statement.span)?;
                Ok((value, true))
            }
            StmtKind::Assign { targets, value } => {
                let value = self.expr(value)?;
                let mut is_held = false;
                for target in targets {
                    is_held |= !self.explain_target(target, &value, statement.span)?;
                }
                if is_held {
                    self.place(self.realize_value(&value), statement.span)?;
                }
                Ok((value, is_held))
            }
            StmtKind::AugAssign { target, op, value } => {
                if self.is_of_tensor(target)? {
                    self.augment(target, *op, value, statement.span)?;
                    return match &target.node {
                        ExprKind::Name(_) => Ok((self.expr(target)?, true)),
                        _ => Ok((Value::None, false)),
                    };
                }
                let (before, operand) = (self.expr(target)?, self.expr(value)?);
                self.set_place(statement.span);
                let after = self.place(self.binary(*op, &before, &operand), statement.span)?;
                self.place(self.realize_value(&after), statement.span)?;
                Ok((after, true))
            }
            _ => Err(eval::placed(
                Fault::new(ErrorKind::Value, "this kind of statement computes nothing"),
                statement.span,
            )),
        }
    }

    /// Computes a value's tensors, also inside containers.
    fn realize_value(&self, value: &Value) -> Result<(), Error> {
        let mut lazy: Vec<Tensor> = Vec::new();
        Walk::default().visit(value, &mut |tensor| lazy.push(tensor.clone()));
        self.interp.engine.realize(&lazy.iter().collect::<Vec<_>>())
    }

    /// Whether a target is a tensor that a name holds, or a part of one.
    fn is_of_tensor(&self, target: &Expr) -> SourceResult<bool> {
        let holder = match &target.node {
            ExprKind::Subscript { value, .. } => value,
            ExprKind::Name(_) => target,
            _ => return Ok(false),
        };
        Ok(matches!(self.expr(holder)?, Value::Tensor(_)))
    }

    /// What giving `value` to elements of a tensor would do; whether the target is that.
    fn explain_target(&self, target: &Expr, value: &Value, span: Span) -> SourceResult<bool> {
        let engine = &self.interp.engine;
        match &target.node {
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                for target in targets {
                    self.explain_target(target, &Value::Int(0), span)?;
                }
                Ok(false)
            }
            ExprKind::Subscript { value: base, index } => {
                let Value::Tensor(tensor) = self.expr(base)? else { return Ok(false) };
                let index = self.tensor_index(index)?;
                self.note_index(&tensor, &index);
                let operand = self.place(ops::operand(engine, value, tensor.dtype()), span)?;
                let written = engine.assign(&tensor, &index.items, operand);
                written.map_err(|error| self.blame(&index, error))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Bytes of the storages behind a value that are not there yet.
fn new_bytes(value: &Value) -> usize {
    let mut storages = Vec::new();
    Walk::default().visit(value, &mut |tensor| {
        if let Some((storage, _)) = tensor.storage_and_layout()
            && storage.is_modelled()
        {
            storages.push((storage.address(), storage.size_bytes()));
        }
    });
    storages.sort_unstable();
    storages.dedup();
    storages.into_iter().map(|(_, bytes)| bytes).sum()
}
