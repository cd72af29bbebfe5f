//! What a statement would do, found out without doing it: it is run on devices that only note what
//! they are asked for, and every change is taken back.

use super::index::TensorIndex;
use super::reach::Walk;
use super::{Evaluator, Value, compile, eval};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::layout::IndexPlan;
use crate::syntax::ast::{ExprKind, Stmt, StmtKind};
use crate::tensor::{Engine, Error, Explanation, Tensor};

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
        self.interp.stores_one.set(false);
        let (result, work) = engine.explain(|| {
            let result = engine.without_copies(|| self.follow(statement));
            self.interp.roll_back();
            result
        });
        let indexes = self.interp.explained.borrow_mut().take().unwrap_or_default();
        let (value, result_bytes, stopped) = match result {
            Ok((value, is_held)) => {
                let bytes = match is_held {
                    true => {
                        new_bytes(engine, &value).map_err(|fault| fault.placed(statement.span))?
                    }
                    false => 0,
                };
                (Some(value), bytes, None)
            }
            Err(error) if work.needs_value() || error.kind.is_a(ErrorKind::Memory) => {
                (None, 0, Some(error))
            }
            // What does not fit as large as it can be may fit as it is.
            Err(error) if work.is_bound() && error.kind.is_a(ErrorKind::Value) => {
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

    /// Notes the plan of an index that a value is stored through, if a statement is being explained.
    pub(super) fn note_store(&self, tensor: &Tensor, index: &TensorIndex, value: &Value) {
        if self.is_explaining() {
            self.note_index(tensor, index);
            self.interp.stores_one.set(match value {
                Value::Tensor(value) => value.rank() == 0,
                value => value.number().is_some(),
            });
        }
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

    /// Runs a statement; its effects are taken back later. The value, and whether something would
    /// hold it.
    fn follow(&self, statement: &Stmt) -> SourceResult<(Value, bool)> {
        let span = statement.span;
        let code = compile::compile_to_explain(self.interp, statement)?;
        match &statement.node {
            StmtKind::Expr(_) => {
                let value = self.run_code(code, false)?;
                self.place(self.realize_value(&value), span)?;
                Ok((value, true))
            }
            StmtKind::Assign { .. } | StmtKind::AugAssign { .. } => {
                self.run_code(code, false)?;
                self.place(self.interp.engine.settle(), span)?;
                let target = match &statement.node {
                    StmtKind::Assign { targets, .. } => targets.last(),
                    StmtKind::AugAssign { target, .. } => Some(target),
                    _ => None,
                };
                match target.map(|target| &target.node) {
                    Some(ExprKind::Name(name)) => {
                        Ok((self.interp.get(name).unwrap_or(Value::None), true))
                    }
                    // One number goes everywhere, others each to their place.
                    _ if self.interp.stores_one.get() => Ok((Value::Int(0), false)),
                    _ => Ok((Value::None, false)),
                }
            }
            _ => Err(eval::placed(
                Fault::new(ErrorKind::Value, "this kind of statement computes nothing"),
                span,
            )),
        }
    }

    /// Computes a value's tensors, also inside containers.
    fn realize_value(&self, value: &Value) -> Result<(), Error> {
        let mut lazy: Vec<Tensor> = Vec::new();
        Walk::new(&self.interp.engine).visit(value, &mut |tensor| lazy.push(tensor.clone()))?;
        self.interp.engine.realize(&lazy.iter().collect::<Vec<_>>())
    }
}

/// Bytes of the storages behind a value that are not there yet.
fn new_bytes(engine: &Engine, value: &Value) -> Result<usize, Fault> {
    let mut storages = Vec::new();
    Walk::new(engine).visit(value, &mut |tensor| {
        if let Some((storage, _)) = tensor.storage_and_layout()
            && storage.is_modelled()
        {
            storages.push((storage.address(), storage.size_bytes()));
        }
    })?;
    storages.sort_unstable();
    storages.dedup();
    Ok(storages.into_iter().map(|(_, bytes)| bytes).sum())
}
