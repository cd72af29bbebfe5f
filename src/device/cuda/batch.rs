//! Small launches that follow each other, as one.
//!
//! However little a kernel does, a GPU begins one every few microseconds at the most. A loop of statements like
//! `result[i] = x[i].sum()` launches one kernel again and again, and only addresses differ. Launches of which none
//! writes what another one reads or writes may run in any order, and at once: so they wait, and a kernel whose
//! blocks find their parameters by their `z` does up to [`MOST`] of them. Whatever else is given to a stream,
//! or asks how far it is, comes behind all that wait.
//!
//! The order of memory's use stays what it was: a block that was freed while its launch waited is written next by a launch
//! that is compared with it here, or by something that lets it go first.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::args::Args;
use super::context::{Context, Grid};
use super::graph::is_blocking;
use super::kernel::{Ahead, Kernel, Kernels};
use super::recipe::Step;
use crate::codegen::{self, Text};
use crate::device::Error;
use crate::ir::Program;

/// Launches that wait for each other.
const MOST: usize = 32;

/// Bytes of parameters that every GPU's kernels may have.
const PARAMETERS: usize = 4096;

/// Kernels of which launches wait at a time: the statements of a loop's body.
const KINDS: usize = 4;

/// Small launches of a kernel before the one for many is made, which takes some 20 ms of another thread's.
const OFTEN: u32 = 64;

/// Blocks of a launch, and bytes that it reads and writes: what has more keeps the GPU busy by itself.
const MOST_BLOCKS: u64 = 64;
const MOST_TRAFFIC: u64 = 1 << 18;

/// So often, with no company in between, the next launch may need what the one before does; then a kernel's
/// launches don't wait for a while, and for four times as long the next time.
const DISAPPOINTMENTS: u32 = 16;
const LONGEST: u32 = 1 << 16;

/// The bytes that a launch reaches of each operand, from and to: inputs, then outputs.
pub type Spans = SmallVec<[(u64, u64); 4]>;

/// The launches that wait on a GPU.
#[derive(Debug)]
pub struct Batches {
    /// Whether something waits, or has failed and nobody was told.
    is_any: AtomicBool,
    is_off: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    batches: SmallVec<[Batch; 1]>,
    failure: Option<Error>,
}

/// Launches of one kernel.
#[derive(Debug)]
struct Batch {
    many: Kernel,
    single: Kernel,
    grid: Grid,
    /// Of one launch.
    bytes: usize,
    params: Vec<u8>,
    count: usize,
    /// Those of each launch, one behind the other.
    spans: Vec<(u64, u64)>,
    /// What these reach of each operand together.
    around: Spans,
    inputs: usize,
}

/// Whether a kernel's small launches wait.
#[derive(Debug, Default)]
pub struct Batching {
    /// Small launches since the last time that it was no use to wait.
    runs: u32,
    /// As many go by before one waits.
    rest: u32,
    /// See [`DISAPPOINTMENTS`].
    disappointments: u32,
    many: Many,
}

/// The kernel for many launches.
#[derive(Debug, Default)]
enum Many {
    #[default]
    Unasked,
    Compiling(Ahead),
    Ready(Kernel),
    /// There is none.
    Impossible,
}

impl Default for Batches {
    fn default() -> Batches {
        Batches { is_any: AtomicBool::new(false), is_off: is_blocking(), state: Mutex::default() }
    }
}

impl Batches {
    /// Counts a small launch. Gives the kernel for many where it may wait.
    pub fn kernel(
        &self,
        context: &Context,
        program: &Program,
        step: &Step,
        traffic: u64,
    ) -> Option<Kernel> {
        let blocks: u64 = step.grid.blocks.iter().map(|blocks| u64::from(*blocks)).product();
        let most = most(step.params.bytes().len());
        let is_small = blocks <= MOST_BLOCKS && traffic <= MOST_TRAFFIC && most > 1;
        if !is_small || self.is_off || context.is_rehearsal || context.profile.is_on() {
            return None;
        }
        let text = || codegen::render_many(program, &step.form, most);
        step.kernel.batching().kernel(&context.kernels, text)
    }

    /// Takes a step whose parameters are filled in. The current stream is the one of all that waits.
    ///
    /// # Errors
    /// Launches that waited failed.
    pub fn add(
        &self,
        context: &Context,
        many: &Kernel,
        step: &Step,
        (spans, inputs): (&Spans, usize),
    ) -> Result<(), Error> {
        let mut state = self.lock();
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        if state.batches.iter().any(|batch| batch.meets(spans, inputs)) {
            step.kernel.batching().note_predecessor();
            self.let_go(context, &mut state)?;
        }
        let is_same = |batch: &Batch| batch.many.is(many) && batch.grid == step.grid;
        let at = match state.batches.iter().position(is_same) {
            Some(at) => {
                step.kernel.batching().note_company();
                at
            }
            None => {
                if state.batches.len() == KINDS {
                    self.let_go(context, &mut state)?;
                }
                state.batches.push(Batch::new(many, step, inputs));
                state.batches.len() - 1
            }
        };
        let batch = &mut state.batches[at];
        batch.push(step.params.bytes(), spans);
        if batch.is_full() {
            // None of the others needs what these do.
            state.batches.remove(at).launch(context)?;
        }
        self.is_any.store(!state.batches.is_empty(), Ordering::Release);
        Ok(())
    }

    /// Starts what waits. The context must be bound.
    ///
    /// # Errors
    /// Of a launch, also of one that was started where nobody could be told.
    #[inline]
    pub fn flush(&self, context: &Context) -> Result<(), Error> {
        match self.is_any.load(Ordering::Acquire) {
            true => self.flush_now(context),
            false => Ok(()),
        }
    }

    /// The same where a failure can't be told: the next that can tell it does.
    #[inline]
    pub fn flush_in_silence(&self, context: &Context) {
        if let Err(failure) = self.flush(context) {
            self.lock().failure = Some(failure);
            self.is_any.store(true, Ordering::Release);
        }
    }

    #[cold]
    #[inline(never)]
    fn flush_now(&self, context: &Context) -> Result<(), Error> {
        let mut state = self.lock();
        let earlier = state.failure.take();
        let outcome = self.let_go(context, &mut state);
        earlier.map_or(outcome, Err)
    }

    fn let_go(&self, context: &Context, state: &mut State) -> Result<(), Error> {
        self.is_any.store(false, Ordering::Release);
        state.batches.drain(..).try_for_each(|batch| batch.launch(context))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch {
    fn new(many: &Kernel, step: &Step, inputs: usize) -> Batch {
        let bytes = step.params.bytes().len();
        Batch {
            many: many.clone(),
            single: step.kernel.clone(),
            grid: step.grid,
            bytes,
            params: Vec::with_capacity(bytes * most(bytes)),
            count: 0,
            spans: Vec::new(),
            around: Spans::new(),
            inputs,
        }
    }

    /// Whether a launch that reaches these must come behind one of this batch's.
    fn meets(&self, spans: &Spans, inputs: usize) -> bool {
        let is_apart = |a: &(u64, u64), b: &(u64, u64)| a.1 <= b.0 || b.1 <= a.0;
        let collide = |theirs: &[(u64, u64)]| {
            spans.iter().enumerate().any(|(own, span)| {
                let mut pairs = theirs.iter().enumerate();
                pairs.any(|(other, it)| {
                    (own >= inputs || other >= self.inputs) && !is_apart(span, it)
                })
            })
        };
        collide(&self.around) && self.spans.chunks(self.around.len()).any(collide)
    }

    fn push(&mut self, params: &[u8], spans: &Spans) {
        self.params.extend_from_slice(params);
        self.count += 1;
        self.spans.extend_from_slice(spans);
        if self.around.is_empty() {
            self.around.clone_from(spans);
            return;
        }
        for (around, span) in self.around.iter_mut().zip(spans) {
            *around = (around.0.min(span.0), around.1.max(span.1));
        }
    }

    fn is_full(&self) -> bool {
        self.count == most(self.bytes)
    }

    fn launch(mut self, context: &Context) -> Result<(), Error> {
        if self.count > 1 {
            let [x, y, _] = self.grid.blocks;
            let grid = Grid { blocks: [x, y, self.count as u32], ..self.grid };
            let given = self.params.len();
            // The driver reads as many as the kernel declares.
            self.params.resize(self.bytes * most(self.bytes), 0);
            if context.start(&self.many, grid, &mut Args::new().bytes(&self.params)).is_ok() {
                // What they read and write is counted with the kernel whose launches they are.
                self.many.count(0);
                return Ok(());
            }
            // It may take more of the GPU than one by itself.
            self.params.truncate(given);
        }
        let mut each = self.params.chunks(self.bytes);
        each.try_for_each(|params| {
            context.start(&self.single, self.grid, &mut Args::new().bytes(params))
        })
    }
}

/// How many launches with so many bytes of parameters are one kernel's.
fn most(bytes: usize) -> usize {
    (PARAMETERS / bytes).min(MOST)
}

impl Batching {
    fn kernel(&mut self, kernels: &Kernels, text: impl FnOnce() -> Option<Text>) -> Option<Kernel> {
        self.runs = self.runs.saturating_add(1);
        if self.runs < self.rest.max(OFTEN) {
            return None;
        }
        match &self.many {
            Many::Ready(kernel) => return Some(kernel.clone()),
            Many::Unasked => {
                let ahead = text().and_then(|text| kernels.ahead(&text.name, text.source));
                self.many = ahead.map_or(Many::Impossible, Many::Compiling);
            }
            Many::Compiling(ahead) if ahead.is_done() => {
                if let Many::Compiling(ahead) = mem::replace(&mut self.many, Many::Impossible)
                    // Without it the launches go on one by one.
                    && let Ok(kernel) = kernels.take_over(ahead)
                {
                    self.many = Many::Ready(kernel);
                }
            }
            Many::Compiling(_) | Many::Impossible => {}
        }
        None
    }

    /// A launch needs what one that waited does, or must not come before it.
    fn note_predecessor(&mut self) {
        self.disappointments += 1;
        if self.disappointments == DISAPPOINTMENTS {
            self.disappointments = 0;
            self.runs = 0;
            self.rest = (self.rest.max(OFTEN) * 4).min(LONGEST);
        }
    }

    /// A launch found others like it.
    fn note_company(&mut self) {
        self.disappointments = 0;
    }
}

#[cfg(test)]
mod tests;
