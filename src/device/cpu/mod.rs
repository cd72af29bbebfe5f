//! The CPU back end: programs run in cache-sized blocks on all cores, and a family of kernels a
//! file.

mod compress;
mod dispatch;
mod elements;
mod exec;
mod lanes;
mod matmul;
mod number;
mod random;
#[cfg(test)]
mod reference;
mod scan;
mod scatter;
mod sort;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) mod trials;

use self::dispatch::Level;
use super::{Backend, Error, Interrupt, MatmulPrecision, RandomKind, ScatterOp, Storage, View};
use crate::ir::{Access, Program, ScanOp, Space};

/// Runs kernels in host memory. Storages must come from an upstream whose addresses are the host's.
#[derive(Debug)]
pub struct CpuBackend {
    interrupt: Interrupt,
    executor: exec::Executor,
}

impl CpuBackend {
    /// Long work stops soon after `interrupt` was raised.
    pub fn new(interrupt: Interrupt) -> CpuBackend {
        CpuBackend::with_level(interrupt, Level::detect())
    }

    /// With vector instructions of at most `level`, which the machine must have.
    fn with_level(interrupt: Interrupt, level: Level) -> CpuBackend {
        CpuBackend { interrupt, executor: exec::Executor::new(level) }
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
        self.executor.run(program, space, inputs, outputs, &self.interrupt)
    }

    fn scatter(
        &self,
        op: ScatterOp,
        space: &Space,
        target: (&Storage, &Access),
        indices: &[View<'_>],
        values: View<'_>,
    ) -> Result<(), Error> {
        scatter::scatter(op, space, target, indices, values, &self.interrupt)
    }

    fn count_true(&self, mask: View<'_>) -> Result<usize, Error> {
        compress::count_true(mask, &self.interrupt)
    }

    fn compress(&self, mask: View<'_>, values: View<'_>, out: View<'_>) -> Result<(), Error> {
        compress::compress(mask, values, out, &self.interrupt)
    }

    fn positions(&self, mask: View<'_>, outs: &[View<'_>]) -> Result<(), Error> {
        compress::positions(mask, outs, &self.interrupt)
    }

    fn scan(&self, op: ScanOp, input: View<'_>, axis: usize, out: View<'_>) -> Result<(), Error> {
        scan::scan(op, input, axis, out, &self.interrupt)
    }

    fn sort(
        &self,
        input: View<'_>,
        descending: bool,
        values: Option<View<'_>>,
        indices: Option<View<'_>>,
    ) -> Result<(), Error> {
        sort::sort(input, descending, values, indices, &self.interrupt)
    }

    fn matmul(
        &self,
        lhs: View<'_>,
        rhs: View<'_>,
        out: View<'_>,
        _precision: MatmulPrecision,
    ) -> Result<(), Error> {
        matmul::matmul(lhs, rhs, out, &self.interrupt)
    }

    fn random(
        &self,
        kind: RandomKind,
        seed: u64,
        counter: u64,
        out: View<'_>,
    ) -> Result<u64, Error> {
        random::random(kind, seed, counter, out, &self.interrupt)
    }

    fn copy_from_host(&self, data: &[u8], target: &Storage, start: usize) -> Result<(), Error> {
        assert!(start + data.len() <= target.size_bytes(), "a copy past the end of {target:?}");
        // SAFETY: the range lies in the storage, as was just checked; `data` is borrowed from
        // elsewhere, so the two do not overlap.
        unsafe {
            let to = (target.address() as usize + start) as *mut u8;
            std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len());
        }
        Ok(())
    }

    fn copy_to_host(&self, source: &Storage, start: usize, data: &mut [u8]) -> Result<(), Error> {
        assert!(start + data.len() <= source.size_bytes(), "a copy past the end of {source:?}");
        // SAFETY: as in `copy_from_host`.
        unsafe {
            let from = (source.address() as usize + start) as *const u8;
            std::ptr::copy_nonoverlapping(from, data.as_mut_ptr(), data.len());
        }
        Ok(())
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
