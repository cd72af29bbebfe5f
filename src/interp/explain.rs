//! What a statement would do, found out without doing it: it is run on devices that only note what
//! they are asked for, and every change is taken back.

use std::collections::HashSet;

use super::compile::names::{Visit, walk_expr, walk_stmt};
use super::index::TensorIndex;
use super::reach::Walk;
use super::{Evaluator, Interp, Value, compile};
use crate::device::Device;
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::layout::IndexPlan;
use crate::memory::Allocator;
use crate::syntax::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::tensor::{Engine, Error, Explanation, Operand, Tensor};

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
    /// would tell, a size is beyond all memory, or something would be written.
    pub stopped: Option<Box<Diagnostic>>,
    /// Whether it was stopped before something that would be written.
    pub reached_out: bool,
}

/// What came of a rehearsal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rehearsed {
    Fits,
    /// Memory runs out.
    Short,
    /// It needs a variable that was taken away.
    Misses(String),
    /// A value decides that only running would tell.
    Unknown,
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
        self.interp.reached_out.set(false);
        let (result, work) = engine.explain(|| {
            let result = engine.modelled(ends(self.interp, statement), || self.follow(statement));
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
            Err(error)
                if work.needs_value()
                    || self.interp.reached_out.get()
                    || error.kind.is_a(ErrorKind::Memory) =>
            {
                (None, 0, Some(error))
            }
            // What does not fit as large as it can be may fit as it is.
            Err(error) if work.is_bound() && error.kind.is_a(ErrorKind::Value) => {
                (None, 0, Some(error))
            }
            Err(error) => return Err(error),
        };
        let reached_out = self.interp.reached_out.get();
        Ok(Explained { indexes, work, value, result_bytes, stopped, reached_out })
    }

    /// Whether a statement would find the memory that it takes, where devices have `memory` and the
    /// variables `without` are not there. Nothing of it runs.
    pub fn rehearse(
        &self,
        statement: &Stmt,
        memory: impl Fn(&Device) -> Allocator,
        without: &HashSet<&str>,
    ) -> Rehearsed {
        let engine = &self.interp.engine;
        self.interp.begin();
        self.set_place(statement.span);
        *self.interp.explained.borrow_mut() = Some(Vec::new());
        let (result, work) = engine.explain_with(memory, || {
            without.iter().for_each(|name| _ = self.interp.remove(name));
            let result = engine.modelled(ends(self.interp, statement), || self.follow(statement));
            self.interp.roll_back();
            result
        });
        self.interp.explained.borrow_mut().take();
        match result {
            Ok(_) if !work.is_rough() => Rehearsed::Fits,
            Err(error) if error.kind.is_a(ErrorKind::Memory) && !work.is_bound() => {
                Rehearsed::Short
            }
            Err(error) if error.kind.is_a(ErrorKind::Name) => {
                let mut words = error.message.split(['\'', '`']);
                let missed = words.find(|word| without.contains(word));
                missed.map_or(Rehearsed::Unknown, |name| Rehearsed::Misses(name.to_string()))
            }
            _ => Rehearsed::Unknown,
        }
    }

    /// Whether a statement is being explained and not run.
    pub(super) fn is_explaining(&self) -> bool {
        self.interp.explained.borrow().is_some()
    }

    /// Called before what reaches out of the program, as a file that is written does.
    ///
    /// # Errors
    /// A statement is explained: it is followed no further.
    pub(super) fn reach_out(&self) -> Result<(), Fault> {
        if !self.is_explaining() {
            return Ok(());
        }
        self.interp.reached_out.set(true);
        Err(Fault::new(ErrorKind::Runtime, "nothing is written while a statement is explained"))
    }

    /// Notes the plan of an index that a value is stored through, if a statement is being explained.
    pub(super) fn note_store(&self, tensor: &Tensor, index: &TensorIndex, value: &Operand) {
        if self.is_explaining() {
            self.note_index(tensor, index);
            self.interp.stores_one.set(match value {
                Operand::Tensor(value) => value.elem_count() == 1,
                Operand::Scalar(_) => true,
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
                self.place(self.interp.engine.settle(), span)?;
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
            _ => {
                self.run_code(code, false)?;
                self.place(self.interp.engine.settle(), span)?;
                Ok((Value::None, false))
            }
        }
    }

    /// Computes a value's tensors, also inside containers.
    fn realize_value(&self, value: &Value) -> Result<(), Error> {
        let mut lazy: Vec<Tensor> = Vec::new();
        Walk::new(&self.interp.engine).visit(value, &mut |tensor| lazy.push(tensor.clone()))?;
        self.interp.engine.realize(&lazy.iter().collect::<Vec<_>>())
    }
}

/// Whether a statement ends with its only write that could be known to be one, so that nothing can fail
/// behind it.
fn ends(interp: &Interp, statement: &Stmt) -> bool {
    let mut writes = Writes { interp, count: 0 };
    writes.stmt(statement);
    match &statement.node {
        StmtKind::AugAssign { value, .. } => {
            writes.expr(value);
            writes.count == 0
        }
        StmtKind::Assign { targets, .. } => {
            let is_name = |target: &Expr| matches!(target.node, ExprKind::Name(_));
            writes.count == 0 && targets.last().is_some_and(|target| !is_name(target))
        }
        StmtKind::Expr(expr) => writes.count == 1 && is_in_place(expr),
        _ => false,
    }
}

/// Whether an expression is a call of a method of PyTorch's that works in place.
fn is_in_place(expr: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &expr.node else { return false };
    matches!(&callee.node, ExprKind::Attribute { name, .. } if name.node.ends_with('_'))
}

/// Counts the calls that may write to what was there before: of the program's functions and objects, and of
/// PyTorch's methods that work in place.
struct Writes<'a> {
    interp: &'a Interp,
    count: usize,
}

impl Writes<'_> {
    fn may_write(&self, expr: &Expr) -> bool {
        let ExprKind::Call { callee, .. } = &expr.node else { return false };
        match &callee.node {
            ExprKind::Name(name) => self.interp.get(name).is_some(),
            ExprKind::Attribute { value, .. } => {
                let held = match &value.node {
                    ExprKind::Name(name) => self.interp.get(name),
                    _ => None,
                };
                let is_plain = matches!(held, None | Some(Value::Tensor(_) | Value::Module(_)));
                is_in_place(expr) || !is_plain
            }
            _ => true,
        }
    }
}

impl Visit for Writes<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(stmt, self);
    }

    fn expr(&mut self, expr: &Expr) {
        self.count += usize::from(self.may_write(expr));
        walk_expr(expr, self);
    }

    fn target(&mut self, target: &Expr) {
        self.expr(target);
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
