//! What stands in the place of `cuda` in a build without that feature: GPUs that are never there,
//! each with the reason, and a back end that no value can be of. All else is the same code.

use std::iter;

use super::{
    Device, DiskUsage, Error, GpuInfo, Interrupt, KernelCounts, KernelInfo, KernelTime,
    LibraryInfo, Presence, Storage,
};
use crate::ir::{Access, Program, Space};
use crate::memory::AllocatorConfig;

const REASON: &str = "this build has no CUDA: build genesis-repl with the feature `cuda`";

/// There is nothing to wait for.
pub fn presence() -> Presence {
    Presence::Absent
}

/// It uses none.
pub fn libraries() -> Vec<LibraryInfo> {
    Vec::new()
}

/// The GPUs of a session, of which there are none.
#[derive(Debug, Default)]
pub struct Gpus {
    /// Not where simulated ones take their names.
    is_missed: bool,
}

/// A GPU of this machine: none is known.
#[derive(Debug)]
pub struct Gpu {
    pub info: GpuInfo,
    backend: CudaBackend,
}

impl Gpu {
    pub fn device(&self) -> Option<&Device> {
        match self.backend {}
    }
}

impl Gpus {
    pub fn new(_: AllocatorConfig, _: Interrupt) -> Gpus {
        Gpus { is_missed: true }
    }

    /// Nothing opens.
    pub fn when_open(&self, _: impl FnOnce(&Device) + Send + 'static) {}

    /// Nothing begins.
    pub fn begin(&self, _: u16) {}

    /// Nothing is opened from here on.
    pub fn configure(&self, _: &AllocatorConfig) {}

    pub fn opened(&self) -> impl Iterator<Item = &Device> + Clone {
        iter::empty()
    }

    /// # Errors
    /// There is no CUDA, unless simulated GPUs take the place of real ones.
    pub fn list(&self) -> Result<&[Gpu], Error> {
        if self.is_missed { Err(Error::Driver(REASON.into())) } else { Ok(&[]) }
    }

    pub fn usable(&self) -> usize {
        0
    }

    /// There is no driver that could have none.
    pub fn is_none(&self) -> bool {
        false
    }

    /// Why there is no GPU, where one could be.
    pub fn absence(&self) -> Option<String> {
        self.is_missed.then(|| REASON.to_string())
    }

    /// # Errors
    /// As [`Gpus::list`].
    pub fn open(&self, _: u16) -> Result<Option<&Device>, Error> {
        self.list().map(|_| None)
    }
}

/// The back end of GPUs. There is none of it, so none of this is ever called.
#[derive(Debug)]
pub enum CudaBackend {}

impl CudaBackend {
    pub fn rehearsal(&self, _: Interrupt) -> Option<Device> {
        match *self {}
    }

    pub fn kernel_counts(&self) -> KernelCounts {
        match *self {}
    }

    pub fn kernel_list(&self) -> Vec<KernelInfo> {
        match *self {}
    }

    pub fn disk_usage(&self) -> Option<DiskUsage> {
        match *self {}
    }

    pub fn clear_disk(&self) -> Option<usize> {
        match *self {}
    }

    pub fn complaint(&self) -> Option<String> {
        match *self {}
    }

    pub fn set_profiling(&self, _: bool) {
        match *self {}
    }

    pub fn take_times(&self) -> Vec<KernelTime> {
        match *self {}
    }

    pub fn mark_time(&self) -> bool {
        match *self {}
    }

    pub fn capability(&self) -> (i32, i32) {
        match *self {}
    }

    pub fn describe(
        &self,
        _: &Program,
        _: &Space,
        _: &[(&Storage, &Access)],
        _: &[&Access],
    ) -> Vec<String> {
        match *self {}
    }

    pub(super) fn copy_from_gpu(
        &self,
        _: &CudaBackend,
        _: (&Storage, usize),
        _: (&Storage, usize),
        _: usize,
    ) -> Result<(), Error> {
        match *self {}
    }

    pub fn used_at_opening(&self) -> usize {
        match *self {}
    }

    pub fn pool_bytes(&self) -> usize {
        match *self {}
    }

    pub fn peak_bandwidth(&self) -> Option<f64> {
        match *self {}
    }

    pub fn multiprocessors(&self) -> u32 {
        match *self {}
    }
}
