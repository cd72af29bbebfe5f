//! Launches generated kernels: the plan says which, the text is compiled once for each form.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::args::Args;
use super::context::{Context, Grid};
use super::kernel::Kernel;
use super::tune::Tuner;
use crate::codegen::{self, Form, Job, Operand};
use crate::device::{Device, Error, Storage};
use crate::dtype::DType;
use crate::ir::{Access, Program, Space};
use crate::memory::Provenance;

/// Kernels are forgotten together when there are as many as this; their code stays loaded.
const MAX_KERNELS: usize = 8192;

type Known = FxHashMap<u64, SmallVec<[(Arc<Program>, Form, Kernel); 1]>>;

/// Runs programs, and remembers their kernels.
#[derive(Debug, Default)]
pub struct Runner {
    known: Mutex<Known>,
    tuner: Tuner,
}

impl Runner {
    /// See [`crate::device::Backend::run`].
    pub fn run(
        &self,
        context: &Context,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        let Some((home, _)) = outputs.first() else { return Ok(()) };
        let inputs: SmallVec<[Operand<'_>; 4]> = inputs.iter().map(operand).collect();
        let outputs: SmallVec<[Operand<'_>; 2]> = outputs.iter().map(operand).collect();
        let mut hasher = FxHasher::default();
        program.hash(&mut hasher);
        let key = hasher.finish();
        let traffic = traffic(space, &inputs) + traffic(space, &outputs);

        let trial = self.tuner.choose(key, space, &inputs, &outputs, traffic);
        let mut job = codegen::plan(program, space, &inputs, &outputs, &context.chip, trial.choice);
        let timing = self.tuner.begin(&trial, job.choices, context);
        self.launch(context, program, key, &mut job, home.device(), traffic)?;
        self.tuner.end(timing, context);
        if job.can_fail { context.check() } else { Ok(()) }
    }

    /// Launches what was planned. `key` is the program's hash.
    pub(super) fn launch(
        &self,
        context: &Context,
        program: &Program,
        key: u64,
        job: &mut Job,
        home: &Device,
        traffic: u64,
    ) -> Result<(), Error> {
        // It goes back to the allocator while the launches still run: what gets it next runs
        // behind them.
        let scratch = match job.scratch {
            0 => None,
            bytes => {
                let provenance = Provenance::WORKSPACE.by("program");
                Some(home.allocate(DType::U8, bytes, provenance)?)
            }
        };
        let scratch = scratch.as_ref().map_or(0, |storage| storage.address());
        let count = job.launches.len().max(1) as u64;
        for launch in &mut job.launches {
            let kernel = self.kernel(context, key, program, &launch.form)?;
            let head = [context.fault.address(), scratch, context.counters()];
            for (bytes, pointer) in launch.params.chunks_exact_mut(8).zip(head) {
                bytes.copy_from_slice(&pointer.to_ne_bytes());
            }
            let grid = Grid { blocks: launch.grid, threads: launch.block, shared: launch.shared };
            let mut args = Args::new().bytes(&launch.params);
            context.launch(&kernel, grid, &mut args, traffic / count)?;
        }
        Ok(())
    }

    fn kernel(
        &self,
        context: &Context,
        key: u64,
        program: &Program,
        form: &Form,
    ) -> Result<Kernel, Error> {
        {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let found = known.get(&key).and_then(|kernels| {
                kernels.iter().find(|(own, own_form, _)| own_form == form && **own == *program)
            });
            if let Some((_, _, kernel)) = found {
                context.kernels.count_hit();
                return Ok(kernel.clone());
            }
        }
        let text = codegen::render(program, form);
        let kernel = context.kernels.generated(text.name, &text.source)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KERNELS {
            known.clear();
        }
        let entry = (Arc::new(program.clone()), form.clone(), kernel.clone());
        known.entry(key).or_default().push(entry);
        Ok(kernel)
    }
}

pub(super) fn operand<'a>((storage, access): &(&Storage, &'a Access)) -> Operand<'a> {
    Operand { dtype: storage.dtype(), address: storage.address(), len: storage.len(), access }
}

/// Bytes that must move at the least: an axis that an operand does not walk along costs nothing.
fn traffic(space: &Space, operands: &[Operand<'_>]) -> u64 {
    let of = |operand: &Operand<'_>| {
        let walked = space.dims.iter().zip(&operand.access.strides);
        let points: usize =
            walked.filter(|(_, stride)| **stride != 0).map(|(dim, _)| dim).product();
        (points * operand.dtype.size()) as u64
    };
    operands.iter().map(of).sum()
}
