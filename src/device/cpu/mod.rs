//! The CPU back end: programs run in cache-sized blocks on all cores, and a family of kernels a
//! file.

mod compress;
mod dispatch;
mod elements;
mod exec;
#[cfg(feature = "linalg")]
mod factorise;
mod fill;
#[cfg(feature = "fft")]
mod fourier;
mod fused;
mod lanes;
mod left_fold;
mod line;
mod matmul;
mod moments;
mod number;
mod random;
#[cfg(test)]
pub(super) mod reference;
mod scan;
mod scatter;
mod scratch;
mod search;
mod sort;
mod team;
#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
pub(crate) mod trials;

/// Where each family of kernels takes another way, in elements: its tests stand on both sides.
#[cfg(test)]
pub mod thresholds {
    pub use super::compress::THRESHOLDS as COMPRESS;
    pub use super::exec::THRESHOLDS as PROGRAM;
    #[cfg(feature = "linalg")]
    pub use super::factorise::THRESHOLDS as FACTORISE;
    #[cfg(feature = "fft")]
    pub use super::fourier::THRESHOLDS as FOURIER;
    pub use super::left_fold::{AT_ONCE, THRESHOLDS as LEFT_FOLD};
    #[cfg(feature = "simd")]
    pub use super::matmul::{DEEP, FEW, LONG, TILE, TILE_COLUMNS, TILE_DEPTH};
    pub use super::matmul::{LONG_THRESHOLDS as MATMUL_LONG, THRESHOLDS as MATMUL};
    pub use super::random::THRESHOLDS as RANDOM;
    pub use super::scan::THRESHOLDS as SCAN;
    pub use super::scatter::THRESHOLDS as SCATTER;
    pub use super::search::THRESHOLDS as SEARCH;
    pub use super::sort::{QUICK_THRESHOLDS as QUICK, THRESHOLDS as SORT};

    /// Of whole tensors, in bytes.
    pub const BYTES: &[usize] =
        &[crate::device::FILLED_AT_ONCE, super::COPIED_AT_ONCE, super::exec::STREAMED];
}

pub use fill::at_once;
pub use moments::{Distance, Moments};

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use self::dispatch::Level;
use super::line::Lines;
use super::storage::check_stream;
use super::{
    Backend, Content, Error, Interrupt, LeftFold, Mask, MatmulPrecision, Memo, Parts, RandomKind,
    ScatterOp, Searcher, Selection, Storage, Transformer, View, Work,
};
#[cfg(feature = "linalg")]
use super::{Factorisation, Factoriser};
#[cfg(feature = "fft")]
use super::{Fourier, Rows};
use crate::ir::{Access, Program, ScanOp, Space};
use crate::memory::StreamId;

/// Bytes that are copied between two looks at Ctrl-C.
const COPIED_AT_ONCE: usize = 8 << 20;

/// Runs kernels in host memory. Storages must come from an upstream whose addresses are the host's.
#[derive(Debug)]
pub struct CpuBackend {
    interrupt: Interrupt,
    executor: exec::Executor,
    #[cfg(feature = "fft")]
    plans: fourier::Plans,
    /// Work is done before it returns, so streams only tell whom memory belongs to.
    stream: AtomicU32,
    /// How many kernels have been started.
    kernels: AtomicU64,
}

impl CpuBackend {
    /// Long work stops soon after `interrupt` was raised.
    pub fn new(interrupt: Interrupt) -> CpuBackend {
        CpuBackend::with_level(interrupt, Level::detect())
    }

    /// With vector instructions of at most `level`, which the machine must have.
    fn with_level(interrupt: Interrupt, level: Level) -> CpuBackend {
        let executor = exec::Executor::new(level);
        let (stream, kernels) = (AtomicU32::new(StreamId::DEFAULT.0), AtomicU64::new(0));
        CpuBackend {
            interrupt,
            executor,
            #[cfg(feature = "fft")]
            plans: fourier::Plans::default(),
            stream,
            kernels,
        }
    }

    /// A kernel begins that works on these.
    fn begin<'a>(&self, storages: impl IntoIterator<Item = &'a Storage>) {
        self.kernels.fetch_add(1, Ordering::Relaxed);
        self.enter(storages);
    }

    /// Notes that work on the present stream uses these.
    fn enter<'a>(&self, storages: impl IntoIterator<Item = &'a Storage>) {
        let stream = self.stream();
        storages.into_iter().for_each(|storage| {
            storage.enter_stream(stream);
        });
    }
}

impl Backend for CpuBackend {
    fn run(
        &self,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.begin(inputs.iter().chain(outputs).map(|(storage, _)| *storage));
        self.executor.run(program, space, inputs, outputs, None, &self.interrupt)
    }

    fn run_again(
        &self,
        memo: &Memo,
        program: &Program,
        space: &Space,
        inputs: &[(&Storage, &Access)],
        outputs: &[(&Storage, &Access)],
    ) -> Result<(), Error> {
        self.begin(inputs.iter().chain(outputs).map(|(storage, _)| *storage));
        let known = memo.get_or_init(exec::Known::default);
        self.executor.run(program, space, inputs, outputs, known, &self.interrupt)
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
        self.begin(views.chain([target.0, values.storage]));
        scatter::scatter(op, space, target, indices, values, &self.interrupt)
    }

    fn count_true(&self, mask: Mask<'_>) -> Result<Selection, Error> {
        self.begin([mask.storage()]);
        compress::count_true(mask, &self.interrupt)
    }

    fn compress(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        values: View<'_>,
        out: View<'_>,
    ) -> Result<(), Error> {
        self.begin([mask.storage(), values.storage, out.storage]);
        compress::compress(mask, selection, values, out, &self.interrupt)
    }

    fn positions(
        &self,
        mask: Mask<'_>,
        selection: &Selection,
        outs: &[View<'_>],
    ) -> Result<(), Error> {
        self.begin(outs.iter().map(|view| view.storage).chain([mask.storage()]));
        compress::positions(mask, selection, outs, &self.interrupt)
    }

    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error> {
        self.begin([input.storage, out.storage]);
        scan::scan(op, input, axis, out, &self.interrupt)
    }

    fn fold_left(&self, fold: LeftFold<'_>) -> Result<(), Error> {
        self.begin(fold.reads().chain([fold.out]).map(|view| view.storage));
        left_fold::fold_left(self.executor.level(), fold, &self.interrupt)
    }

    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error> {
        let outs = values.iter().chain(&indices).map(|view| view.storage);
        self.begin(outs.chain([input.storage]));
        sort::sort(input, descending, values, indices, &self.interrupt)
    }

    fn partition(&self, input: View<'_>, places: &[usize], values: View<'_>) -> Result<(), Error> {
        self.begin([input.storage, values.storage]);
        sort::partition(input, places, values, &self.interrupt)
    }

    fn workspace(&self, work: Work<'_>) -> Option<Vec<usize>> {
        match work {
            Work::Sort { input, has_indices, .. } => Some(sort::workspace(input, has_indices)),
            Work::Matmul { lhs, rhs } => matmul::workspace(lhs, rhs),
            Work::Scatter { indices: 0 | 1, .. } => Some(Vec::new()),
            Work::Scatter { points, .. } => Some(vec![points * size_of::<i64>()]),
            Work::Factorise | Work::Transform => None,
        }
    }

    #[cfg(feature = "simd")]
    fn matmul_wants_rows(&self, lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
        matmul::want_rows(lhs, rhs)
    }

    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        _precision: MatmulPrecision,
    ) -> Result<(), Error> {
        self.begin([lhs.storage, rhs.storage, out.storage]);
        matmul::matmul(lhs, rhs, out, &self.interrupt)
    }

    fn random(
        &self,
        kind: RandomKind,
        seed: u64,
        counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error> {
        self.begin([out.storage]);
        random::random(kind, seed, counter, out, &self.interrupt)
    }

    fn copy_from_host(&self, data: &[u8], target: &Storage, start: usize) -> Result<(), Error> {
        assert!(start + data.len() <= target.size_bytes(), "a copy past the end of {target:?}");
        self.enter([target]);
        let mut to = (target.address() as usize + start) as *mut u8;
        for piece in data.chunks(COPIED_AT_ONCE) {
            self.interrupt.heed()?;
            // SAFETY: the range lies in the storage, as was just checked; `data` is borrowed from
            // elsewhere, so the two do not overlap.
            unsafe {
                std::ptr::copy_nonoverlapping(piece.as_ptr(), to, piece.len());
                to = to.add(piece.len());
            }
        }
        Ok(())
    }

    fn fill(&self, target: &Storage, content: Content<'_>) -> Result<(), Error> {
        self.fill_memory(target, content)
    }

    fn fill_parts(&self, target: &Storage, parts: Parts<'_>) -> Result<(), Error> {
        self.fill_parts_of_memory(target, parts)
    }

    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error> {
        assert!(start + data.len() <= source.size_bytes(), "a copy past the end of {source:?}");
        self.enter([source]);
        let mut from = (source.address() as usize + start) as *const u8;
        for piece in data.chunks_mut(COPIED_AT_ONCE) {
            self.interrupt.heed()?;
            // SAFETY: as in `copy_from_host`.
            unsafe {
                std::ptr::copy_nonoverlapping(from, piece.as_mut_ptr(), piece.len());
                from = from.add(piece.len());
            }
        }
        Ok(())
    }

    fn host_bytes<'a>(&self, source: &'a Storage, start: usize, length: usize) -> Option<&'a [u8]> {
        Some(self.bytes_of_memory(source, start, length))
    }

    fn lines(&self) -> Option<&dyn Lines> {
        Some(self)
    }

    #[cfg(feature = "linalg")]
    fn factoriser(&self) -> Option<&dyn Factoriser> {
        Some(self)
    }

    #[cfg(feature = "fft")]
    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        Ok(self)
    }

    #[cfg(not(feature = "fft"))]
    fn transformer(&self) -> Result<&dyn Transformer, Error> {
        Err(Error::Driver(
            "Fourier transforms are not in this build: enable the cargo feature `fft`".to_string(),
        ))
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        Some(self)
    }

    fn stream(&self) -> StreamId {
        StreamId(self.stream.load(Ordering::Relaxed))
    }

    fn set_stream(&self, stream: StreamId) -> Result<(), Error> {
        check_stream(stream)?;
        self.stream.store(stream.0, Ordering::Relaxed);
        Ok(())
    }

    fn kernels(&self) -> u64 {
        self.kernels.load(Ordering::Relaxed)
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl Searcher for CpuBackend {
    fn search(
        &self,
        sorted: View<'_>,
        values: View<'_>,
        right: bool,
        out: View<'_>,
    ) -> Result<(), Error> {
        self.begin([sorted.storage, values.storage, out.storage]);
        search::search(sorted, values, right, out, &self.interrupt)
    }
}

#[cfg(feature = "linalg")]
impl Factoriser for CpuBackend {
    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error> {
        let views = inputs.iter().chain(outputs).map(|view| view.storage);
        self.begin(views.chain([flaws.storage]));
        factorise::factorise(what, inputs, outputs, flaws, &self.interrupt)
    }
}

#[cfg(feature = "fft")]
impl Transformer for CpuBackend {
    fn is_limited(&self) -> bool {
        false
    }

    fn transform(
        &self,
        what: Fourier,
        rows: Rows,
        scale: f64,
        input: View<'_>,
        output: View<'_>,
    ) -> Result<(), Error> {
        self.begin([input.storage, output.storage]);
        fourier::transform(&self.plans, what, rows, scale, [input, output], &self.interrupt)
    }
}
