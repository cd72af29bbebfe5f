//! One GPU, opened: its context, its streams, and what every launch needs.
//!
//! All of cudarc's unsafe calls to the driver are here, in `staging.rs` and in `upstream.rs`.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};

use super::args::Args;
use super::fault::FaultCell;
use super::kernel::{Kernel, Kernels};
use super::profile::Profile;
use crate::codegen::{COUNTERS, Chip};
use crate::device::storage::check_stream;
use crate::device::{Error, Interrupt};
use crate::memory::StreamId;

/// How long a wait looks at the stream without pause. The host sleeps a hundred microseconds at the
/// least, which counts beside anything shorter than this.
const SPIN: Duration = Duration::from_millis(2);

/// How long a longer wait sleeps between looks.
const NAP: Duration = Duration::from_micros(50);

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
    /// Bytes a second between the chip and its memory at the most, if the driver says so.
    pub peak_bandwidth: Option<f64>,
    /// Bytes in use when this was opened, by others and by the context itself.
    pub used_at_opening: usize,
    pub kernels: Kernels,
    /// How many were started, those of libraries included.
    pub started: AtomicU64,
    pub profile: Profile,
    pub interrupt: Interrupt,
    /// Whether kernels are only compiled: then no call reaches the driver.
    pub is_rehearsal: bool,
    device: sys::CUdevice,
    context: Handle<sys::CUctx_st>,
    streams: Mutex<Vec<Stream>>,
    current: AtomicU32,
    /// The two parts of the current stream, for launches to read without the lock.
    current_stream: AtomicPtr<sys::CUstream_st>,
    current_counters: AtomicU64,
    pub(super) fault: FaultCell,
}

#[derive(Debug, Clone, Copy)]
struct Stream {
    handle: Handle<sys::CUstream_st>,
    /// [`COUNTERS`] zeros for the blocks of a launch to count themselves.
    counters: u64,
}

impl Stream {
    /// The context must be bound.
    fn new() -> Result<Stream, DriverError> {
        let handle = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        // SAFETY: an allocation of this context, never freed; the fill is the stream's first work.
        let counters = unsafe {
            let counters = result::malloc_sync(COUNTERS * 4)?;
            result::memset_d8_async(counters, 0, COUNTERS * 4, handle)?;
            counters
        };
        Ok(Stream { handle: Handle(handle), counters })
    }
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
        // The primary context ends with the process. Releasing it sooner would only make every
        // exit wait for the driver's teardown.
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
        // Clock in kHz and width in bits; memory moves data at both edges.
        let rates = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).and_then(|clock| {
            let width = attribute(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
            Ok(2.0 * f64::from(clock) * 1e3 * f64::from(width) / 8.0)
        });
        let stream = Stream::new().map_err(failed)?;
        let fault = FaultCell::new().map_err(failed)?;
        let (free, total) = result::mem_get_info().map_err(failed)?;
        Ok(Context {
            ordinal,
            name: result::device::get_name(device).map_err(failed)?,
            capability,
            chip,
            has_pools: pools > 0,
            peak_bandwidth: rates.ok().filter(|rate| *rate > 0.0),
            used_at_opening: total.saturating_sub(free),
            kernels: Kernels::new(capability),
            started: AtomicU64::new(0),
            profile: Profile::default(),
            interrupt,
            is_rehearsal: false,
            device,
            context: Handle(context),
            streams: Mutex::new(vec![stream]),
            current: AtomicU32::new(0),
            current_stream: AtomicPtr::new(stream.handle.0),
            current_counters: AtomicU64::new(stream.counters),
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
            peak_bandwidth: None,
            used_at_opening: 0,
            kernels: self.kernels.rehearsal(interrupt.clone())?,
            started: AtomicU64::new(0),
            profile: Profile::default(),
            interrupt,
            is_rehearsal: true,
            device: self.device,
            context: self.context,
            streams: Mutex::new(vec![stream]),
            current: AtomicU32::new(0),
            current_stream: AtomicPtr::new(stream.handle.0),
            current_counters: AtomicU64::new(stream.counters),
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

    /// The driver's handle of the stream that work goes to.
    pub fn raw_stream(&self) -> sys::CUstream {
        self.current_stream.load(Ordering::Relaxed)
    }

    /// The driver's handle of a stream; streams are made when they are first named.
    pub fn raw_stream_of(&self, id: StreamId) -> Result<sys::CUstream, Error> {
        self.stream_of(id).map(|stream| stream.handle.0)
    }

    fn stream_of(&self, id: StreamId) -> Result<Stream, Error> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        while streams.len() <= id.0 as usize {
            let made = Stream::new();
            streams.push(made.map_err(|error| driver_error("making a stream failed", error))?);
        }
        Ok(streams[id.0 as usize])
    }

    /// Sends the work from here on to another stream.
    pub fn set_stream(&self, id: StreamId) -> Result<(), Error> {
        check_stream(id)?;
        self.bind()?;
        let stream = self.stream_of(id)?;
        self.current.store(id.0, Ordering::Relaxed);
        self.current_stream.store(stream.handle.0, Ordering::Relaxed);
        self.current_counters.store(stream.counters, Ordering::Relaxed);
        Ok(())
    }

    /// Where the current stream's [`COUNTERS`] zeros lie, which every kernel leaves zero.
    pub fn counters(&self) -> u64 {
        self.current_counters.load(Ordering::Relaxed)
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
        if grid.shared > 48 << 10 {
            kernel.allow_shared(grid.shared)?;
        }
        let timing = self.profile.begin(self.raw_stream());
        let [x, y, z] = grid.blocks;
        // SAFETY: the module is loaded for the process's life; the launcher of each family passes
        // the arguments that its kernel declares, over memory that stream order keeps alive.
        let launched = unsafe {
            result::launch_kernel(
                kernel.function(),
                (x, y, z),
                (grid.threads, 1, 1),
                grid.shared,
                self.raw_stream(),
                &mut args.pointers(),
            )
        };
        launched.map_err(|error| driver_error(&format!("`{}`", kernel.name()), error))?;
        self.count(kernel, traffic);
        if let Some(timing) = timing {
            self.profile.end(timing, kernel, traffic);
        }
        Ok(())
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

    /// As [`Context::wait`], for all streams.
    pub fn wait_for_all(&self) -> Result<(), Error> {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner).clone();
        streams.iter().try_for_each(|stream| self.wait_until(|| is_idle(stream.handle.0)))
    }

    /// Looks until `done` says so, the interrupt comes, or `done` fails.
    pub fn wait_until(&self, done: impl Fn() -> Result<bool, Error>) -> Result<(), Error> {
        let begin = Instant::now();
        loop {
            if self.is_rehearsal || done()? {
                return Ok(());
            }
            if self.interrupt.is_raised() {
                return Err(Error::Interrupted);
            }
            if begin.elapsed() > SPIN {
                std::thread::sleep(NAP);
            } else {
                std::hint::spin_loop();
            }
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

/// Whether a live stream has done all its work.
fn is_idle(stream: sys::CUstream) -> Result<bool, Error> {
    // SAFETY: the caller's stream lives as long as its context.
    match unsafe { sys::cuStreamQuery(stream) } {
        sys::CUresult::CUDA_SUCCESS => Ok(true),
        sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
        error => Err(driver_error("a kernel failed", DriverError(error))),
    }
}

/// Memory of the host that the GPU reads and writes too, for as long as the process lives.
#[derive(Debug, Clone, Copy)]
pub struct Mapped {
    pub host: Handle<u8>,
    /// Where the GPU finds it.
    pub address: u64,
}

impl Mapped {
    /// The context must be bound.
    pub fn new(bytes: usize) -> Result<Mapped, DriverError> {
        // SAFETY: a fresh allocation; the device's address of it is asked for while it is live.
        unsafe {
            let host = result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_DEVICEMAP)?.cast::<u8>();
            ptr::write_bytes(host, 0, bytes);
            let mut address = 0;
            sys::cuMemHostGetDevicePointer_v2(&mut address, host.cast::<c_void>(), 0).result()?;
            Ok(Mapped { host: Handle(host), address })
        }
    }
}
