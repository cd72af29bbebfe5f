//! One GPU, opened: its context, its streams, and what every launch needs.
//!
//! What waits for streams is in `streams.rs`, copies are in `staging.rs`, memory in `upstream.rs`.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};

use super::args::Args;
use super::batch::Batches;
use super::fault::FaultCell;
use super::kernel::{Kernel, Kernels, Loading};
use super::profile::Profile;
use super::streams::{self, Stream, Streams, is_idle, wait_until};
use crate::codegen::{COUNTERS, Chip};
use crate::device::storage::check_stream;
use crate::device::{Error, Interrupt};
use crate::memory::StreamId;

/// An opened GPU. Calls come from the session's thread and, for memory, from whichever thread
/// frees; each binds the context first.
#[derive(Debug)]
pub struct Context {
    pub ordinal: u16,
    pub name: String,
    /// Compute capability: major and minor.
    pub capability: (i32, i32),
    pub chip: Chip,
    /// Whether the driver has stream-ordered memory pools.
    pub has_pools: bool,
    /// Whether memory can be mapped to reserved addresses.
    pub has_virtual_memory: bool,
    /// Bytes a second between the chip and its memory at the most, if the driver says so.
    pub peak_bandwidth: Option<f64>,
    /// Bytes in use when this was opened, by others and by the context itself.
    pub used_at_opening: usize,
    pub kernels: Kernels,
    /// How many were started, those of libraries included.
    pub started: AtomicU64,
    pub profile: Profile,
    pub batches: Batches,
    pub interrupt: Interrupt,
    /// Whether kernels are only compiled: then no call reaches the driver.
    pub is_rehearsal: bool,
    device: sys::CUdevice,
    context: Handle<sys::CUctx_st>,
    streams: Streams,
    current: AtomicU32,
    /// The two parts of the current stream, for launches to read without the lock.
    current_stream: AtomicPtr<sys::CUstream_st>,
    current_counters: AtomicU64,
    /// The last number that [`Context::words`] gave.
    last_tag: AtomicU64,
    pub(super) fault: FaultCell,
}

/// A pointer that the driver gave and understands from any thread.
#[derive(Debug)]
pub struct Handle<T>(pub *mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Handle<T> {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> Handle<T> {
    /// So many elements behind it.
    ///
    /// # Safety
    /// They lie in the same allocation.
    pub unsafe fn at(self, count: usize) -> *mut T {
        // SAFETY: the caller's.
        unsafe { self.0.add(count) }
    }
}

// SAFETY: the driver's functions may be called from any thread with any handle.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

/// How a kernel's threads are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    pub blocks: [u32; 3],
    /// Of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
}

impl Grid {
    /// A row of blocks without dynamic shared memory.
    pub fn line(blocks: u32, threads: u32) -> Grid {
        Grid { blocks: [blocks, 1, 1], threads, shared: 0 }
    }
}

/// What the driver says of a failed call.
#[cold]
pub fn driver_error(what: &str, error: DriverError) -> Error {
    let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|_| "unknown error".into());
    let text = text.map(|text| format!(" ({text})")).unwrap_or_default();
    Error::Driver(format!("{what}: {name}{text}"))
}

impl Context {
    /// Opens the GPU of that number. The driver must be loaded and initialised.
    ///
    /// # Errors
    /// The driver's, in words.
    pub fn open(ordinal: u16, interrupt: Interrupt) -> Result<Context, Error> {
        let failed = |error| driver_error("opening the GPU failed", error);
        let device = result::device::get(i32::from(ordinal)).map_err(failed)?;
        // SAFETY: `device` is the driver's own.
        let attribute = |which| unsafe { result::device::get_attribute(device, which) };
        // The primary context ends with the process, whatever else of a session ends with that.
        // Releasing it sooner would only make every exit wait for the driver's teardown.
        // SAFETY: as above.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(failed)?;
        // SAFETY: the context was just retained.
        unsafe { result::ctx::set_current(context) }.map_err(failed)?;
        let value = |which| attribute(which).map_err(failed);
        let capability = (
            value(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            value(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let shared = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let chip = Chip {
            multiprocessors: value(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
            threads: value(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)? as u32,
            shared: value(shared)? as u32,
        };
        let pools = value(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)?;
        let mapping = value(Attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED)?;
        // Clock in kHz and width in bits; memory moves data at both edges.
        let rates = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).and_then(|clock| {
            let width = attribute(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
            Ok(2.0 * f64::from(clock) * 1e3 * f64::from(width) / 8.0)
        });
        let stream = Stream::new().map_err(failed)?;
        let streams = Streams::new(stream);
        let loading = Loading {
            context: Handle(context),
            streams: streams.clone(),
            interrupt: interrupt.clone(),
        };
        let fault = FaultCell::new().map_err(failed)?;
        let (free, total) = result::mem_get_info().map_err(failed)?;
        Ok(Context {
            ordinal,
            name: result::device::get_name(device).map_err(failed)?,
            capability,
            chip,
            has_pools: pools > 0,
            has_virtual_memory: mapping > 0,
            peak_bandwidth: rates.ok().filter(|rate| *rate > 0.0),
            used_at_opening: total.saturating_sub(free),
            kernels: Kernels::new(capability, loading),
            started: AtomicU64::new(0),
            profile: Profile::default(),
            batches: Batches::default(),
            interrupt,
            is_rehearsal: false,
            device,
            context: Handle(context),
            streams,
            current: AtomicU32::new(0),
            current_stream: AtomicPtr::new(stream.handle.0),
            current_counters: AtomicU64::new(stream.counters),
            last_tag: AtomicU64::new(0),
            fault,
        })
    }

    /// A context of the same GPU in which kernels are compiled and nothing runs. None where compiled
    /// kernels are not kept on disk.
    pub fn rehearsal(&self, interrupt: Interrupt) -> Option<Context> {
        let stream = Stream { handle: Handle(ptr::null_mut()), counters: 0 };
        Some(Context {
            ordinal: self.ordinal,
            name: self.name.clone(),
            capability: self.capability,
            chip: self.chip,
            has_pools: false,
            has_virtual_memory: false,
            peak_bandwidth: None,
            used_at_opening: 0,
            kernels: self.kernels.rehearsal(interrupt.clone())?,
            started: AtomicU64::new(0),
            profile: Profile::default(),
            batches: Batches::default(),
            interrupt,
            is_rehearsal: true,
            device: self.device,
            context: self.context,
            streams: Streams::new(stream),
            current: AtomicU32::new(0),
            current_stream: AtomicPtr::new(stream.handle.0),
            current_counters: AtomicU64::new(stream.counters),
            last_tag: AtomicU64::new(0),
            fault: FaultCell::nowhere(),
        })
    }

    /// Makes this GPU the one that the thread's next calls mean.
    pub fn bind(&self) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        // SAFETY: the context lives as long as the process.
        unsafe { result::ctx::set_current(self.context.0) }
            .map_err(|error| driver_error("choosing the GPU failed", error))
    }

    /// The stream that work goes to.
    pub fn stream(&self) -> StreamId {
        StreamId(self.current.load(Ordering::Relaxed))
    }

    /// The driver's handle of the stream that work goes to, for something to come behind all that was given to it.
    pub fn raw_stream(&self) -> sys::CUstream {
        self.batches.flush_in_silence(self);
        self.current_stream.load(Ordering::Relaxed)
    }

    /// The same of a stream by its number; streams are made when they are first named. The context must be bound.
    pub fn raw_stream_of(&self, id: StreamId) -> Result<sys::CUstream, Error> {
        self.batches.flush(self)?;
        self.streams.get(id).map(|stream| stream.handle.0)
    }

    /// Sends the work from here on to another stream.
    pub fn set_stream(&self, id: StreamId) -> Result<(), Error> {
        check_stream(id)?;
        self.bind()?;
        self.batches.flush(self)?;
        let stream = self.streams.get(id)?;
        self.current.store(id.0, Ordering::Relaxed);
        self.current_stream.store(stream.handle.0, Ordering::Relaxed);
        self.current_counters.store(stream.counters, Ordering::Relaxed);
        Ok(())
    }

    /// Where the current stream's zeros lie, which every kernel leaves zero.
    pub fn counters(&self) -> u64 {
        self.current_counters.load(Ordering::Relaxed)
    }

    /// [`streams::WORDS`] bytes of the current stream for the blocks of a launch to tell each other things, and a tag for what
    /// they say there: what carries another was said in a launch before. So nobody has to fill them with zeros.
    pub fn words(&self) -> (u64, u64) {
        (self.counters() + 4 * COUNTERS as u64, self.last_tag.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// [`streams::REPAIRS`] bytes of the current stream, which hold numbers that stand below a launch's tag, and what goes
    /// with them.
    pub fn repairs(&self) -> u64 {
        self.counters() + (4 * COUNTERS + streams::WORDS) as u64
    }

    /// Starts a kernel on the present stream. `traffic` is how many bytes it reads and writes at
    /// the least, for the profile.
    ///
    /// # Errors
    /// The driver refused the launch.
    pub fn launch(
        &self,
        kernel: &Kernel,
        grid: Grid,
        args: &mut Args<'_>,
        traffic: u64,
    ) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        self.batches.flush(self)?;
        let timing = self.profile.begin(self.current_stream.load(Ordering::Relaxed));
        self.start(kernel, grid, args)?;
        self.count(kernel, traffic);
        if let Some(timing) = timing {
            self.profile.end(timing, kernel, traffic);
        }
        Ok(())
    }

    /// Starts a kernel before whatever waits in [`Batches`], and counts nothing.
    pub(super) fn start(
        &self,
        kernel: &Kernel,
        grid: Grid,
        args: &mut Args<'_>,
    ) -> Result<(), Error> {
        if grid.shared > 48 << 10 {
            kernel.allow_shared(grid.shared)?;
        }
        let [x, y, z] = grid.blocks;
        // SAFETY: the module stays loaded until this context has waited for its work; the launcher
        // of each family passes the arguments that its kernel declares, over memory that stream
        // order keeps alive.
        let launched = unsafe {
            result::launch_kernel(
                kernel.function(),
                (x, y, z),
                (grid.threads, 1, 1),
                grid.shared,
                self.current_stream.load(Ordering::Relaxed),
                &mut args.pointers(),
            )
        };
        launched.map_err(|error| driver_error(&format!("`{}`", kernel.name()), error))
    }

    /// A kernel was started that reads and writes `traffic` bytes at the least.
    pub fn count(&self, kernel: &Kernel, traffic: u64) {
        self.started.fetch_add(1, Ordering::Relaxed);
        kernel.count(traffic);
    }

    /// Waits until the present stream has done all its work. Ctrl-C ends the wait, not the work:
    /// what it still writes is reused in stream order only.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; what the driver says went wrong.
    pub fn wait(&self) -> Result<(), Error> {
        self.wait_until(|| is_idle(self.raw_stream()))
    }

    /// As [`Context::wait`], but Ctrl-C takes effect behind the work.
    pub fn wait_to_the_end(&self) -> Result<(), Error> {
        streams::finish(self.raw_stream())
    }

    /// As [`Context::wait`], for all streams.
    pub fn wait_for_all(&self) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        self.batches.flush(self)?;
        self.streams.wait(&self.interrupt)
    }

    /// Whether all streams have done their work within a moment.
    pub fn rests_soon(&self) -> bool {
        self.batches.flush_in_silence(self);
        self.streams.rest_soon()
    }

    /// Waits for all streams, whatever the user wants, because what their work uses is about to go.
    pub fn finish(&self) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        self.bind()?;
        self.batches.flush(self)?;
        self.streams.finish()
    }

    /// Looks until `done` says so, the interrupt comes, or `done` fails.
    pub fn wait_until(&self, done: impl Fn() -> Result<bool, Error>) -> Result<(), Error> {
        match self.is_rehearsal {
            true => Ok(()),
            false => wait_until(&self.interrupt, done),
        }
    }

    /// Sets bytes on the present stream.
    pub fn fill(&self, address: u64, byte: u8, bytes: usize) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        // SAFETY: the caller owns the range.
        unsafe { result::memset_d8_async(address, byte, bytes, self.raw_stream()) }
            .map_err(|error| driver_error("filling memory failed", error))
    }

    /// What the driver reports: free and total bytes.
    pub fn driver_memory(&self) -> Result<(usize, usize), Error> {
        self.bind()?;
        result::mem_get_info().map_err(|error| driver_error("asking for memory failed", error))
    }

    /// The driver's handle of the context.
    pub fn raw_context(&self) -> sys::CUcontext {
        self.context.0
    }

    /// Bytes that the driver's stream-ordered pool holds, in use or not.
    pub fn pool_bytes(&self) -> usize {
        if !self.has_pools || self.bind().is_err() {
            return 0;
        }
        let mut bytes = 0u64;
        // SAFETY: the device is the driver's own; the attribute is a 64-bit number.
        unsafe {
            let Ok(pool) = result::device::get_default_mem_pool(self.device) else { return 0 };
            let which = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
            match result::mem_pool::get_attribute(pool, which, ptr::from_mut(&mut bytes).cast()) {
                Ok(()) => bytes as usize,
                Err(_) => 0,
            }
        }
    }

    /// The driver's handle of the device.
    pub fn raw_device(&self) -> sys::CUdevice {
        self.device
    }
}

impl Drop for Context {
    /// The process may go on, with other sessions: what this one took from the driver goes back.
    fn drop(&mut self) {
        if self.is_rehearsal {
            return;
        }
        // After a failure of the GPU nothing runs any more, and the driver refuses what follows.
        let _ = self.finish();
        self.streams.close();
    }
}
