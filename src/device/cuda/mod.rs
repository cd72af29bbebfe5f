//! The CUDA back end: kernels compiled on first use, memory from the driver, all found at run time.
//!
//! `library` finds the driver, NVRTC and NVIDIA's libraries; `context` is an opened GPU with its `streams`;
//! `kernel`, `compile` and `disk` turn text into code that is kept; `upstream` feeds the allocator;
//! `staging` moves bytes through pinned memory (`mapped`), `direct` those of files past it; `fault` brings errors out of kernels. The
//! other files launch one family of kernels each.

mod args;
mod batch;
mod bounds;
mod compile;
mod compress;
mod context;
mod copy;
#[cfg(target_os = "linux")]
mod direct;
#[cfg(not(target_os = "linux"))]
#[path = "no_direct.rs"]
mod direct;
mod disk;
mod factorise;
mod fault;
mod fourier;
mod gpus;
mod graph;
mod kernel;
mod left_fold;
mod library;
mod mapped;
mod matmul;
mod open;
mod order;
mod pages;
mod profile;
#[cfg(test)]
mod program_tests;
mod random;
mod recipe;
mod run;
mod scan;
mod scatter;
mod search;
mod sort;
mod source;
mod staging;
mod streams;
mod tiles;
#[cfg(test)]
mod trials;
mod tune;
mod upstream;

pub use gpus::{Gpu, Gpus};
pub use open::{libraries, presence};

use std::sync::Arc;
use std::sync::atomic::Ordering;

use self::context::Context;
use self::direct::Direct;
use self::factorise::Solver;
use self::fourier::Fft;
use self::matmul::Blas;
use self::run::Runner;
use self::staging::{Part, Staging};
use super::{
    Backend, Content, Device, DeviceId, DiskUsage, Error, Factoriser, Fourier, Interrupt,
    KernelCounts, KernelInfo, KernelTime, LeftFold, Mask, MatmulPrecision, Memo, RandomKind, Rows,
    ScatterOp, Searcher, Selection, Storage, Transformer, View, Work,
};
use crate::ir::{Access, Program, ScanOp, Space};
use crate::memory::{Allocator, AllocatorConfig, SimUpstream, StreamId};

/// Runs kernels on one GPU.
#[derive(Debug)]
pub struct CudaBackend {
    runner: Runner,
    staging: Staging,
    direct: Direct,
    blas: Blas,
    fft: Fft,
    solver: Solver,
    /// Goes last, with the streams that the others use.
    context: Arc<Context>,
}

impl CudaBackend {
    fn new(context: Arc<Context>) -> CudaBackend {
        CudaBackend {
            runner: Runner::default(),
            staging: Staging::default(),
            direct: Direct::default(),
            blas: Blas::default(),
            fft: Fft::default(),
            solver: Solver::default(),
            context,
        }
    }

    /// Makes ready what the first result needs on its way to the host. A failure is met again, and
    /// told, where it matters.
    fn prepare(&self) {
        let _ = self.context.prepare(&self.staging);
    }

    /// A device like this GPU on which nothing runs: what is launched there is compiled, and kept on
    /// disk for the sessions to come. None where nothing is kept.
    pub fn rehearsal(&self, interrupt: Interrupt) -> Option<Device> {
        let context = self.context.rehearsal(interrupt)?;
        let (id, name) = (DeviceId::Cuda(context.ordinal), context.name.clone());
        let upstream = SimUpstream::unbacked(&id.to_string(), 1 << 40);
        let allocator = Allocator::new(Box::new(upstream), AllocatorConfig::default()).ok()?;
        Some(Device::new(id, name, allocator, Box::new(CudaBackend::new(context.into()))))
    }

    /// How often kernels were found, and how.
    pub fn kernel_counts(&self) -> KernelCounts {
        self.context.kernels.counts()
    }

    /// All kernels so far, in the order in which they were first used.
    pub fn kernel_list(&self) -> Vec<KernelInfo> {
        self.context.kernels.list()
    }

    /// The compiled kernels on disk. None where nothing is kept.
    pub fn disk_usage(&self) -> Option<DiskUsage> {
        Some(self.context.kernels.disk()?.usage())
    }

    /// Removes the compiled kernels from disk; gives how many there were.
    pub fn clear_disk(&self) -> Option<usize> {
        Some(self.context.kernels.disk()?.clear())
    }

    /// What the user should know of this GPU's libraries and has not been told.
    pub fn complaint(&self) -> Option<String> {
        self.blas.absence()
    }

    /// Whether launches are timed from here on.
    pub fn set_profiling(&self, on: bool) {
        self.context.profile.set(on);
    }

    /// The times of the launches since the last call, in their order. Waits for the last of them.
    pub fn take_times(&self) -> Vec<KernelTime> {
        self.context.profile.take()
    }

    /// The beginnings of launches count from here on, when all earlier work is done; false where the driver
    /// refuses.
    pub fn mark_time(&self) -> bool {
        self.context.profile.mark(self.context.raw_stream())
    }

    /// Major and minor number of the compute capability.
    pub fn capability(&self) -> (i32, i32) {
        self.context.capability
    }

    /// The kernels that would run a program, and on how many threads, in words: for `:explain`.
    pub fn describe(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[&Access],
    ) -> Vec<String> {
        run::describe(&self.context, program, space, inputs, outputs)
    }

    /// Copies from another GPU's memory; the places count bytes from the storages' beginnings.
    ///
    /// # Errors
    /// The driver's, in words.
    pub(super) fn copy_from_gpu(
        &self,
        giver: &CudaBackend,
        (source, start): (&Storage, usize),
        (target, place): (&Storage, usize),
        bytes: usize,
    ) -> Result<(), Error> {
        giver.enter([source], [])?;
        self.enter([], [target])?;
        let (from, to) = (source.address() + start as u64, target.address() + place as u64);
        self.context.copy_from_peer(&giver.context, from, to, bytes)
    }

    /// Bytes that were in use right after the GPU was opened: the context, the driver's own, and
    /// other processes.
    pub fn used_at_opening(&self) -> usize {
        self.context.used_at_opening
    }

    /// Bytes that the driver's stream-ordered pool holds, in use or not.
    pub fn pool_bytes(&self) -> usize {
        self.context.pool_bytes()
    }

    /// Bytes a second between the chip and its memory at the most, if the driver says so.
    pub fn peak_bandwidth(&self) -> Option<f64> {
        self.context.peak_bandwidth
    }

    /// How many multiprocessors there are.
    pub fn multiprocessors(&self) -> u32 {
        self.context.chip.multiprocessors
    }

    /// Makes the GPU current, and the present stream wait for what others do with these, of which some are
    /// about to be written.
    fn enter<'a>(
        &self,
        read: impl IntoIterator<Item = &'a Storage>,
        written: impl IntoIterator<Item = &'a Storage>,
    ) -> Result<(), Error> {
        self.context.bind()?;
        self.context.batches.flush(&self.context)?;
        self.order(read, written)
    }

    /// As [`CudaBackend::enter`], where the GPU is current, and launches that wait may be joined by what comes.
    fn order<'a>(
        &self,
        read: impl IntoIterator<Item = &'a Storage>,
        written: impl IntoIterator<Item = &'a Storage>,
    ) -> Result<(), Error> {
        let stream = self.context.stream();
        let forget = |storage: &&Storage| storage.set_finding(0);
        for storage in read.into_iter().chain(written.into_iter().inspect(forget)) {
            let mut others = storage.enter_stream(stream);
            while others != 0 {
                self.context.wait_for(StreamId(others.trailing_zeros()))?;
                others &= others - 1;
            }
        }
        Ok(())
    }
}

impl Drop for CudaBackend {
    fn drop(&mut self) {
        // Copies may still be under way through memory that goes now. After a failure none is.
        let _ = self.context.finish();
    }
}

impl Backend for CudaBackend {
    fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.enter(inputs.iter().map(|(it, _)| *it), outputs.iter().map(|(it, _)| *it))?;
        self.runner.run(&self.context, program, space, inputs, outputs)
    }

    fn run_again(
        &self,
        memo: &Memo,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.context.bind()?;
        self.order(inputs.iter().map(|(it, _)| *it), outputs.iter().map(|(it, _)| *it))?;
        self.runner.run_again(&self.context, memo, program, space, inputs, outputs)
    }

    fn scatter(
        &self,
        op: ScatterOp,
        space: &Space,
        target: (&Storage, &Access),
        indices: &[View<'_>],
        values: View<'_>,
    ) -> Result<(), Error> {
        let views = indices.iter().map(|view| view.storage);
        self.enter(views.chain([values.storage]), [target.0])?;
        scatter::scatter(&self.context, &self.runner.bounds, op, space, target, indices, values)
    }

    fn count_true(&self, mask: Mask<'_>) -> Result<Selection, Error> {
        self.enter([mask.storage()], [])?;
        compress::count_true(&self.context, &self.staging, mask)
    }

    fn prefers_bits(&self) -> bool {
        true
    }

    fn compress(
        &self,
        _: Mask<'_>,
        selection: &Selection,
        values: View<'_>,
        out: View<'_>,
    ) -> Result<(), Error> {
        self.enter(selection.memory().chain([values.storage]), [out.storage])?;
        compress::compress(&self.context, selection, values, out)
    }

    fn positions(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        outs: &[View<'_>],
    ) -> Result<(), Error> {
        self.enter(selection.memory(), outs.iter().map(|view| view.storage))?;
        compress::positions(&self.context, mask.shape(), selection, outs)?;
        for (out, extent) in outs.iter().zip(mask.shape().iter()) {
            self.runner.bounds.note_view(*out, 0..*extent as i64);
        }
        Ok(())
    }

    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error> {
        self.enter([input.storage], [out.storage])?;
        scan::scan(&self.context, &self.runner, op, input, axis, out)
    }

    fn fold_left(&self, fold: LeftFold<'_>) -> Result<(), Error> {
        self.enter(fold.reads().map(|view| view.storage), [fold.out.storage])?;
        left_fold::fold_left(&self.context, fold)
    }

    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error> {
        let outs = values.iter().chain(&indices).map(|view| view.storage);
        self.enter([input.storage], outs)?;
        sort::sort(&self.context, &self.runner, input, descending, values, indices)?;
        if let (Some(indices), Some(len)) = (indices, input.layout.shape.last()) {
            self.runner.bounds.note_view(indices, 0..*len as i64);
        }
        Ok(())
    }

    fn workspace(&self, work: Work<'_>) -> Option<Vec<usize>> {
        match work {
            Work::Sort { input, has_values, has_indices } => {
                Some(sort::workspace(input, has_values, has_indices))
            }
            Work::Matmul { lhs, rhs } => matmul::workspace(&self.context, &self.blas, lhs, rhs),
            Work::Scatter { .. } | Work::Factorise | Work::Transform => None,
        }
    }

    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        precision: MatmulPrecision,
    ) -> Result<(), Error> {
        self.enter([lhs.storage, rhs.storage], [out.storage])?;
        matmul::matmul(&self.context, &self.runner, &self.blas, [lhs, rhs, out], precision)
    }

    fn random(
        &self,
        kind: RandomKind,
        seed: u64,
        counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error> {
        self.enter([], [out.storage])?;
        let used = random::random(&self.context, kind, seed, counter, out)?;
        if let RandomKind::Integer { low, high } = kind
            && low < high
        {
            self.runner.bounds.note_view(out, low..high);
        }
        Ok(used)
    }

    fn copy_from_host(&self, data: &[u8], target: &Storage, start: usize) -> Result<(), Error> {
        assert!(start + data.len() <= target.size_bytes(), "a copy past the end of {target:?}");
        self.enter([], [target])?;
        self.context.upload(&self.staging, data, target.address() + start as u64)
    }

    fn fill(&self, target: &Storage, content: Content<'_>) -> Result<(), Error> {
        self.enter([], [target])?;
        let (to, bytes) = (target.address(), target.size_bytes());
        let done = match content.file {
            Some(part) => self.direct.read(&self.context, part, to, bytes)?,
            None => 0,
        };
        let rest = |at: usize, buffer: &mut [u8]| (content.read)(done + at, buffer);
        self.context.bring(&self.staging, to + done as u64, bytes - done, &rest)
    }

    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error> {
        self.copy_all_to_host(&mut [(source, start, data)])
    }

    fn copy_all_to_host(&self, pieces: &mut [(&Storage, usize, &mut [u8])]) -> Result<(), Error> {
        self.enter(pieces.iter().map(|(source, ..)| *source), [])?;
        let mut parts: Vec<Part<'_>> = Vec::with_capacity(pieces.len());
        for (source, start, data) in pieces {
            assert!(
                *start + data.len() <= source.size_bytes(),
                "a copy past the end of {source:?}"
            );
            parts.push(Part { from: source.address() + *start as u64, to: data });
        }
        self.context.download(&self.staging, &mut parts)
    }

    fn factoriser(&self) -> Option<&dyn Factoriser> {
        Some(self)
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        Some(self)
    }

    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        self.fft.find()?;
        Ok(self)
    }

    fn stream(&self) -> StreamId {
        self.context.stream()
    }

    fn set_stream(&self, stream: StreamId) -> Result<(), Error> {
        self.context.set_stream(stream)
    }

    fn cuda(&self) -> Option<&CudaBackend> {
        Some(self)
    }

    fn launches_cost(&self) -> bool {
        true
    }

    fn kernels(&self) -> u64 {
        self.context.started.load(Ordering::Relaxed)
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.context.bind()?;
        self.context.wait_for_all()
    }
}

impl Searcher for CudaBackend {
    fn search(
        &self,
        sorted: View<'_>,
        values: View<'_>,
        right: bool,
        out: View<'_>,
    ) -> Result<(), Error> {
        self.enter([sorted.storage, values.storage], [out.storage])?;
        search::search(&self.context, &self.runner, sorted, values, right, out)?;
        let end = sorted.layout.elem_count() as i64 + 1;
        self.runner.bounds.note_view(out, 0..end);
        Ok(())
    }
}

impl Transformer for CudaBackend {
    fn is_limited(&self) -> bool {
        true
    }

    fn transform(
        &self,
        what: Fourier,
        rows: Rows,
        _scale: f64,
        input: View<'_>,
        output: View<'_>,
    ) -> Result<(), Error> {
        self.enter([input.storage], [output.storage])?;
        self.fft.transform(&self.context, what, rows, [input, output])
    }
}
