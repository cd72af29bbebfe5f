//! A device while a statement is explained: it notes what it is asked to do, and does nothing.
//!
//! Memory comes from an allocator over addresses that nothing stands behind: one that has more than there
//! can be, or a rehearsal of the device's own, which runs out where that would. So the engine takes the
//! very way that it takes when the statement runs, and the figures are those of the real allocator's
//! policy. What can't be known without running (how many elements a mask selects, a value that
//! decides something) is bounded, or ends the explanation.

mod parts;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    Backend, Error, Factoriser, LeftFold, Mask, MatmulPrecision, RandomKind, ScatterOp, Searcher,
    Selection, Storage, Transformer, View, Work,
};
use crate::dtype::DType;
use crate::ir::{Access, Program, ScanOp, Space};
use crate::layout::{Layout, Shape};
use crate::memory::{Allocation, Allocator, Provenance, StreamId};

/// Something that a device would do.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// The family of kernels and what they work on: `sort float32 (1000,) along its last axis`.
    pub what: String,
    /// The program's text, if it is one.
    pub program: Option<String>,
    pub read_bytes: usize,
    pub written_bytes: usize,
    /// The kernels that a GPU would launch for it, in words; empty on other devices.
    pub launches: Vec<String>,
}

/// What a device was asked to do while nothing ran.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// What is live before, in bytes.
    live_bytes: usize,
    /// The most that would be live at one time on top of that.
    pub peak_bytes: usize,
    /// The largest block among that.
    pub largest_bytes: usize,
    /// Bytes written to tensors that were there before.
    pub written_bytes: usize,
    /// Whether sizes are bounds, because they depend on values.
    pub is_bound: bool,
    /// Whether kernels take memory besides that is not counted.
    pub is_rough: bool,
    /// Whether a value was asked for that only running would tell.
    pub needs_value: bool,
}

/// The stand-in of a device's back end and allocator.
#[derive(Debug)]
pub(super) struct Model {
    real: Arc<dyn Backend>,
    /// The latest: what was made while it noted may outlive that.
    allocator: Mutex<Option<Allocator>>,
    is_on: AtomicBool,
    plan: Mutex<Plan>,
}

impl Model {
    pub fn new(real: Arc<dyn Backend>) -> Model {
        let (allocator, is_on, plan) = Default::default();
        Model { real, allocator, is_on, plan }
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// From here on nothing runs, and memory comes from `allocator`.
    pub fn begin(&self, allocator: Allocator) {
        *self.plan() = Plan { live_bytes: allocator.stats().now.allocated, ..Plan::default() };
        *self.allocator.lock().unwrap_or_else(PoisonError::into_inner) = Some(allocator);
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// From here on everything runs again.
    pub fn end(&self) -> Plan {
        self.is_on.store(false, Ordering::Relaxed);
        let plan = std::mem::take(&mut *self.plan());
        let peak = self.allocator().map_or(0, |allocator| allocator.stats().peak.allocated);
        Plan { peak_bytes: peak.saturating_sub(plan.live_bytes), ..plan }
    }

    /// How many steps there are so far.
    pub fn mark(&self) -> usize {
        self.plan().steps.len()
    }

    /// Forgets the steps beyond so many.
    pub fn forget(&self, mark: usize) {
        self.plan().steps.truncate(mark);
    }

    pub fn allocate(&self, bytes: usize, provenance: Provenance) -> Result<Allocation, Error> {
        let mut plan = self.plan();
        plan.largest_bytes = plan.largest_bytes.max(bytes);
        drop(plan);
        match self.allocator() {
            Some(allocator) => Ok(allocator.allocate(bytes, self.real.stream(), provenance)?),
            None => unreachable!("it was begun with one"),
        }
    }

    /// Whether a storage's elements were never computed.
    pub fn owns(&self, storage: &Storage) -> bool {
        self.allocator().is_some_and(|own| own.is_same(storage.allocation().allocator()))
    }

    /// Notes a copy from one device to another.
    pub fn copy(&self, bytes: usize) {
        self.note(Step {
            what: "copy to another device".to_string(),
            read_bytes: bytes,
            written_bytes: bytes,
            ..Step::default()
        });
    }

    fn allocator(&self) -> Option<Allocator> {
        self.allocator.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes what kernels take besides their operands, and gives it back.
    fn take(&self, work: Work<'_>) -> Result<(), Error> {
        let Some(sizes) = self.real.workspace(work) else {
            self.plan().is_rough = true;
            return Ok(());
        };
        let mut plan = self.plan();
        plan.largest_bytes = plan.largest_bytes.max(sizes.iter().copied().max().unwrap_or(0));
        drop(plan);
        let (allocator, stream) = (self.allocator(), self.real.stream());
        let taken = allocator.map_or(Ok(()), |allocator| {
            allocator.rehearse_together(&sizes, stream, Provenance::WORKSPACE)
        });
        Ok(taken?)
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, step: Step) {
        self.plan().steps.push(step);
    }

    /// Notes bytes that go to a storage which was there before.
    fn write(&self, target: &Storage, bytes: usize) {
        if !self.owns(target) {
            self.plan().written_bytes += bytes;
        }
    }
}

/// `float32 (3, 4)`
pub(super) fn kind(dtype: DType, shape: &Shape) -> String {
    format!("{dtype} {shape}")
}

pub(super) fn bytes(view: &View<'_>) -> usize {
    distinct(view.layout) * view.dtype().size()
}

/// Elements that a layout reaches, each once.
fn distinct(layout: &Layout) -> usize {
    let axes = layout.shape.iter().zip(&layout.strides);
    axes.map(|(len, step)| if *step == 0 && *len > 0 { 1 } else { *len }).product()
}

/// Bytes that a program reads or writes through an access.
pub(super) fn reached(storage: &Storage, access: &Access, space: &Space) -> usize {
    let axes = space.dims.iter().zip(&access.strides);
    let plain: usize = axes.map(|(len, step)| if *step == 0 { 1 } else { *len }).product();
    let count = match access.gathered.is_empty() {
        true => plain,
        // Each point may read another element, but no more than there are.
        false => space.dims.iter().product::<usize>().min(storage.len()),
    };
    count * storage.dtype().size()
}

/// `100 × 3, folding 7`
pub(super) fn extents(space: &Space) -> String {
    let join = |dims: &[usize]| {
        let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
        if dims.is_empty() { "one point".to_string() } else { dims.join(" × ") }
    };
    match space.dims.split_at(space.kept.min(space.dims.len())) {
        (kept, []) => join(kept),
        (kept, folded) => format!("{}, folding {}", join(kept), join(folded)),
    }
}

impl Backend for Model {
    fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        let sum = |operands: &[(&Storage, &Access)]| -> usize {
            operands.iter().map(|(storage, access)| reached(storage, access, space)).sum()
        };
        for (storage, access) in outputs {
            self.write(storage, reached(storage, access, space));
        }
        let launches = self.real.cuda().map(|gpu| {
            let outputs: Vec<&Access> = outputs.iter().map(|(_, access)| *access).collect();
            gpu.describe(program, space, inputs, &outputs)
        });
        self.note(Step {
            what: format!("over {}", extents(space)),
            program: Some(program.to_string()),
            read_bytes: sum(inputs),
            written_bytes: sum(outputs),
            launches: launches.unwrap_or_default(),
        });
        Ok(())
    }

    fn scatter(
        &self,
        op: ScatterOp,
        space: &Space,
        (target, _): (&Storage, &Access),
        indices: &[View<'_>],
        values: View<'_>,
    ) -> Result<(), Error> {
        let points = space.dims.iter().product::<usize>();
        self.take(Work::Scatter { points, indices: indices.len() })?;
        let written_bytes = points * target.dtype().size();
        self.write(target, written_bytes);
        let op = match op {
            ScatterOp::Write => "write",
            ScatterOp::Add => "add",
            ScatterOp::Multiply => "multiply",
            ScatterOp::Max => "max",
            ScatterOp::Min => "min",
        };
        self.note(Step {
            what: format!(
                "scatter ({op}) to places of {}, over {}",
                target.dtype(),
                extents(space)
            ),
            read_bytes: indices.iter().map(bytes).sum::<usize>() + bytes(&values),
            written_bytes,
            ..Step::default()
        });
        Ok(())
    }

    /// As many as there are: the most that can be true.
    fn count_true(&self, mask: Mask<'_>) -> Result<Selection, Error> {
        self.plan().is_bound = true;
        self.note(Step {
            what: format!("count what is true in a mask {}", mask.shape()),
            read_bytes: mask.bytes(),
            written_bytes: 8,
            ..Step::default()
        });
        Ok(Selection::of(mask.shape().elem_count()))
    }

    fn prefers_bits(&self) -> bool {
        self.real.prefers_bits()
    }

    fn compress(
        &self,
        mask: Mask<'_>,
        _: &Selection,
        values: View<'_>,
        out: View<'_>,
    ) -> Result<(), Error> {
        self.note(Step {
            what: format!(
                "compact {} under a mask, at most",
                kind(values.dtype(), &values.layout.shape)
            ),
            read_bytes: mask.bytes() + bytes(&values),
            written_bytes: bytes(&out),
            ..Step::default()
        });
        Ok(())
    }

    fn positions(&self, mask: Mask<'_>, _: &Selection, outs: &[View<'_>]) -> Result<(), Error> {
        self.note(Step {
            what: format!("places where a mask {} is true, at most", mask.shape()),
            read_bytes: mask.bytes(),
            written_bytes: outs.iter().map(bytes).sum(),
            ..Step::default()
        });
        Ok(())
    }

    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error> {
        let of = kind(input.dtype(), &input.layout.shape);
        self.note(Step {
            what: format!("scan ({}) {of} along axis {axis}", format!("{op:?}").to_lowercase()),
            read_bytes: bytes(&input),
            written_bytes: bytes(&out),
            ..Step::default()
        });
        Ok(())
    }

    fn fold_left(&self, fold: LeftFold<'_>) -> Result<(), Error> {
        let of = kind(fold.input.dtype(), &fold.input.layout.shape);
        self.note(Step {
            what: format!("{} in turn, {of}", fold.op.name()),
            read_bytes: fold.read_bytes(),
            written_bytes: fold.written_bytes(),
            ..Step::default()
        });
        Ok(())
    }

    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error> {
        let order = if descending { ", the largest first" } else { "" };
        let found = match (&values, &indices) {
            (Some(_), Some(_)) => "values and places",
            (None, Some(_)) => "places",
            _ => "values",
        };
        let of = kind(input.dtype(), &input.layout.shape);
        let (has_values, has_indices) = (values.is_some(), indices.is_some());
        self.take(Work::Sort { input, has_values, has_indices })?;
        self.note(Step {
            what: format!("sort {of} along its last axis{order}: {found}"),
            read_bytes: bytes(&input),
            written_bytes: values.iter().chain(&indices).map(bytes).sum(),
            ..Step::default()
        });
        Ok(())
    }

    fn matmul_wants_rows(&self, lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
        self.real.matmul_wants_rows(lhs, rhs)
    }

    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        _precision: MatmulPrecision,
    ) -> Result<(), Error> {
        self.take(Work::Matmul { lhs, rhs })?;
        let (left, right) = (&lhs.layout.shape, &rhs.layout.shape);
        self.note(Step {
            what: format!("product {} {left} @ {right}", lhs.dtype()),
            read_bytes: bytes(&lhs) + bytes(&rhs),
            written_bytes: bytes(&out),
            ..Step::default()
        });
        Ok(())
    }

    fn random(
        &self,
        kind_of: RandomKind,
        _seed: u64,
        _counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error> {
        let name = match kind_of {
            RandomKind::Uniform => "uniform",
            RandomKind::Normal => "normal",
            RandomKind::Integer { .. } => "whole",
        };
        self.note(Step {
            what: format!("random {name} numbers {}", kind(out.dtype(), &out.layout.shape)),
            written_bytes: bytes(&out),
            ..Step::default()
        });
        Ok(0)
    }

    fn copy_from_host(&self, data: &[u8], target: &Storage, _start: usize) -> Result<(), Error> {
        self.write(target, data.len());
        self.note(Step {
            what: "copy from the host".to_string(),
            read_bytes: data.len(),
            written_bytes: data.len(),
            ..Step::default()
        });
        Ok(())
    }

    /// What was there before can be read; what would have been computed is not known.
    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error> {
        if !self.owns(source) {
            return self.real.copy_to_host(source, start, data);
        }
        self.plan().needs_value = true;
        Err(Error::Driver("its value is known only when it is run".to_string()))
    }

    fn factoriser(&self) -> Option<&dyn Factoriser> {
        self.real.factoriser().map(|_| self as &dyn Factoriser)
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        self.real.searcher().map(|_| self as &dyn Searcher)
    }

    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        self.real.transformer().map(|_| self as &dyn Transformer)
    }

    fn stream(&self) -> StreamId {
        self.real.stream()
    }

    fn set_stream(&self, stream: StreamId) -> Result<(), Error> {
        self.real.set_stream(stream)
    }

    fn launches_cost(&self) -> bool {
        self.real.launches_cost()
    }

    fn kernels(&self) -> u64 {
        self.real.kernels()
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
