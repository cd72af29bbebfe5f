//! Places of computation: a device owns its memory (a caching allocator over an upstream) and a
//! back end that runs programs in it. A device is a value that is passed, never a global.

mod backend;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(not(feature = "cuda"))]
#[path = "no_cuda.rs"]
pub mod cuda;
mod error;
mod factorise;
mod fourier;
mod gpu;
mod interrupt;
mod left_fold;
pub mod libm;
pub mod line;
mod model;
mod open;
mod profiler;
mod progress;
mod selection;
mod storage;
mod transfer;

#[cfg(test)]
pub use backend::FILLED_AT_ONCE;
pub use backend::{
    Backend, Content, FileBytes, MakePart, MatmulPrecision, Memo, Parts, RandomKind, ReadAt,
    ScatterOp, Searcher, View, Work,
};
pub use cpu::{Distance, Moments, at_once};
pub use error::Error;
pub use factorise::{Factorisation, Factoriser};
pub use fourier::{Fourier, Rows, Transformer};
pub use gpu::{DiskUsage, GpuInfo, KernelCounts, KernelInfo, KernelTime, LibraryInfo, Presence};
pub use interrupt::Interrupt;
pub use left_fold::{LeftFold, Sections};
pub use model::{Plan, Step};
pub use profiler::{WorkKind, Worked};
pub use progress::{BYTES, Course, Progress, Task, Watch, Watcher};
pub use selection::{Mask, Selection};
pub use storage::{MAX_STREAMS, Storage};
pub use transfer::transfer;

use model::Model;
use profiler::Profiler;

use std::fmt;
use std::sync::Arc;

use crate::dtype::DType;
use crate::memory::{Allocation, Allocator, AllocatorStats, Compacted, Provenance};

/// Which device, as the user names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeviceId {
    Cpu,
    Cuda(u16),
}

impl DeviceId {
    /// From `cpu`, `cuda` (the first) or `cuda:1`.
    pub fn from_name(name: &str) -> Option<DeviceId> {
        match name {
            "cpu" => Some(DeviceId::Cpu),
            "cuda" | "gpu" => Some(DeviceId::Cuda(0)),
            _ => name.strip_prefix("cuda:")?.parse().ok().map(DeviceId::Cuda),
        }
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceId::Cpu => f.write_str("cpu"),
            DeviceId::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

/// A device. Cheap to clone: all clones are the same device.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    id: DeviceId,
    /// What the hardware calls itself, with "simulated" where it is.
    name: String,
    allocator: Allocator,
    backend: Arc<dyn Backend>,
    /// What stands in for both while a statement is explained.
    model: Model,
    /// What stands before the back end while somebody profiles.
    profiler: Profiler,
}

impl Device {
    pub fn new(
        id: DeviceId,
        name: String,
        allocator: Allocator,
        backend: Box<dyn Backend>,
    ) -> Device {
        let backend: Arc<dyn Backend> = backend.into();
        let (model, profiler) = (Model::new(backend.clone()), Profiler::new(backend.clone()));
        Device(Arc::new(Inner { id, name, allocator, backend, model, profiler }))
    }

    pub fn id(&self) -> DeviceId {
        self.0.id
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether it is a GPU that the processor plays.
    pub fn is_simulated(&self) -> bool {
        self.0.id != DeviceId::Cpu && self.0.backend.cuda().is_none()
    }

    /// Whether it is a GPU, and none that the processor plays.
    pub fn is_gpu(&self) -> bool {
        self.0.backend.cuda().is_some()
    }

    pub fn allocator(&self) -> &Allocator {
        &self.0.allocator
    }

    /// What runs its work; while it only notes that, what notes it.
    #[inline]
    pub fn backend(&self) -> &dyn Backend {
        match (self.0.model.is_on(), self.0.profiler.is_on()) {
            (true, _) => &self.0.model,
            (false, true) => &self.0.profiler,
            (false, false) => &*self.0.backend,
        }
    }

    /// Whether it notes what it is asked to do, because somebody profiles.
    #[inline]
    pub fn is_profiled(&self) -> bool {
        self.0.profiler.is_on()
    }

    /// From here on it notes what it is asked to do, or does so no more. What was noted is forgotten.
    pub fn set_profiled(&self, is_on: bool) {
        self.0.profiler.set(is_on);
    }

    /// What it has been asked to do since somebody looks.
    pub fn worked(&self) -> Vec<Worked> {
        self.0.profiler.seen_so_far()
    }

    /// Does something for this device, which is noted while somebody looks.
    #[inline]
    pub fn noting<T>(
        &self,
        kind: WorkKind,
        name: &str,
        bytes: usize,
        run: impl FnOnce() -> T,
    ) -> T {
        match self.is_profiled() && !self.is_modelled() {
            true => self.0.profiler.during(kind, || name.to_owned(), bytes, run),
            false => run(),
        }
    }

    /// Whether the host may read and write single elements itself: the memory is its own, and
    /// statements run.
    #[inline]
    pub fn is_host(&self) -> bool {
        self.0.id == DeviceId::Cpu && !self.is_modelled()
    }

    /// Whether it only notes what it is asked to do, because a statement is explained.
    #[inline]
    pub fn is_modelled(&self) -> bool {
        self.0.model.is_on()
    }

    /// From here on it notes what it is asked to do and does nothing; new memory is `allocator`'s, and
    /// nothing stands behind it.
    pub fn begin_model(&self, allocator: Allocator) {
        self.0.model.begin(allocator);
    }

    /// From here on it works again. Gives what it was asked to do meanwhile.
    pub fn end_model(&self) -> Plan {
        self.0.model.end()
    }

    /// How many steps it has noted.
    pub fn model_mark(&self) -> usize {
        self.0.model.mark()
    }

    /// Forgets the steps beyond so many.
    pub fn forget_steps(&self, mark: usize) {
        self.0.model.forget(mark);
    }

    /// Uninitialised memory for `len` elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything was touched.
    pub fn allocate(
        &self,
        dtype: DType,
        len: usize,
        provenance: Provenance,
    ) -> Result<Arc<Storage>, Error> {
        let bytes = len.saturating_mul(dtype.size());
        let allocation = match self.0.model.is_on() {
            true => self.0.model.allocate(bytes, provenance)?,
            false => self.0.allocator.allocate(bytes, self.0.backend.stream(), provenance)?,
        };
        Ok(Arc::new(Storage::new(self.clone(), dtype, len, allocation)))
    }

    /// The same, if there is memory without asking anybody to let go of any.
    pub fn allocate_spare(
        &self,
        dtype: DType,
        len: usize,
        provenance: Provenance,
    ) -> Option<Arc<Storage>> {
        let bytes = len.saturating_mul(dtype.size());
        let stream = self.0.backend.stream();
        let allocation = self.0.allocator.allocate_spare(bytes, stream, provenance)?;
        Some(Arc::new(Storage::new(self.clone(), dtype, len, allocation)))
    }
}

impl Device {
    /// Bytes of these sizes, all or none, each for itself; they are placed together.
    ///
    /// # Errors
    /// MemoryError for the first that found no place.
    pub fn allocate_batch(
        &self,
        sizes: &[usize],
        provenance: Provenance,
    ) -> Result<Vec<Arc<Storage>>, Error> {
        if self.0.model.is_on() {
            return sizes.iter().map(|size| self.allocate(DType::U8, *size, provenance)).collect();
        }
        let stream = self.0.backend.stream();
        let blocks = self.0.allocator.allocate_batch(sizes, stream, provenance)?;
        let storage = |(block, size): (_, &usize)| {
            Arc::new(Storage::new(self.clone(), DType::U8, *size, block))
        };
        Ok(blocks.into_iter().zip(sizes).map(storage).collect())
    }
}

/// Compaction: see [`Allocator::compact`].
impl Device {
    /// Moves storages together, which are its own and whose addresses nobody keeps, after waiting for all work.
    ///
    /// # Errors
    /// Earlier work has failed, or the user does not want to wait for it.
    pub fn compact(&self, storages: &[Arc<Storage>]) -> Result<Compacted, Error> {
        self.0.backend.synchronize()?;
        Ok(self.0.allocator.compact(&allocations(storages)))
    }

    /// What that would do, and the allocator's counters after it.
    pub fn rehearse_compaction(&self, storages: &[Arc<Storage>]) -> (Compacted, AllocatorStats) {
        self.0.allocator.rehearse_compaction(&allocations(storages))
    }

    /// The same, if it lets a request through that is refused now; else nothing happens.
    pub fn compact_for(&self, bytes: usize, storages: &[Arc<Storage>]) -> Option<Compacted> {
        let stream = self.0.backend.stream();
        self.0.backend.synchronize().ok()?;
        self.0.allocator.compact_for(bytes, stream, &allocations(storages))
    }
}

fn allocations(storages: &[Arc<Storage>]) -> Vec<&Allocation> {
    storages.iter().map(|storage| storage.allocation()).collect()
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({}, {})", self.id(), self.name())
    }
}
