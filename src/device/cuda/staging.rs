//! Bytes between the host and the GPU, through pinned memory.
//!
//! Small results come by a kernel that writes to mapped memory and raises a number there: the host
//! sees it sooner than the driver could say that the stream is done (7 µs instead of 11 to 17 on an
//! H200). Large copies go through two pinned buffers in turn, so that the copy of one and the
//! transfer of the other overlap, and so that Ctrl-C ends them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::args::Args;
use super::context::{Context, Grid, Handle, driver_error};
use super::mapped::Mapped;
use super::source::DELIVER;
use crate::device::Error;

/// Bytes that the small path brings at once.
const SMALL: usize = 64 << 10;

/// Parts that one launch of the small path brings.
const PARTS: usize = 32;

/// Bytes of each buffer of the large path.
const CHUNK: usize = 8 << 20;

/// Pinned memory, made when it is first needed.
#[derive(Debug, Default)]
pub struct Staging {
    small: OnceLock<Small>,
    large: OnceLock<[Buffer; 2]>,
    /// One copy at a time uses the buffers.
    turn: Mutex<()>,
}

#[derive(Debug)]
struct Small {
    /// [`SMALL`] bytes, then the number.
    memory: Mapped,
    number: AtomicU32,
}

#[derive(Debug)]
struct Buffer {
    memory: Mapped,
    /// The latest transfer through it.
    event: Handle<sys::CUevent_st>,
}

/// Where a kernel writes a number for the host.
#[derive(Debug, Clone, Copy)]
pub struct Mailbox {
    pub address: u64,
    /// Four bytes, which are `ticket` when the number is there.
    pub flag: u64,
    pub ticket: u32,
}

/// Bytes of the GPU and where they go.
#[derive(Debug)]
pub struct Part<'a> {
    pub from: u64,
    pub to: &'a mut [u8],
}

/// `struct Parts` of `kernels/deliver.cu`.
#[repr(C)]
struct Parts {
    from: [u64; PARTS],
    bytes: [u32; PARTS],
    at: [u32; PARTS],
}

impl Context {
    /// Makes what the small path needs.
    pub fn prepare(&self, staging: &Staging) -> Result<(), Error> {
        self.bind()?;
        staging.small()?;
        self.kernels.family(&DELIVER, "deliver", &[]).map(|_| ())
    }

    /// Copies bytes in, in order with the present stream. The bytes are free when this returns.
    pub fn upload(&self, staging: &Staging, data: &[u8], to: u64) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        self.bind()?;
        if data.len() <= SMALL {
            // SAFETY: the driver takes pageable memory over before it returns.
            return unsafe { result::memcpy_htod_async(to, data, self.raw_stream()) }
                .map_err(|error| driver_error("copying to the GPU failed", error));
        }
        let _turn = staging.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let buffers = staging.buffers()?;
        for (number, chunk) in data.chunks(CHUNK).enumerate() {
            let buffer = &buffers[number % 2];
            self.wait_event(buffer.event)?;
            // SAFETY: the buffer holds a chunk and no transfer uses it now; the transfer reads it
            // until its event, which the next user of the buffer waits for.
            unsafe {
                let Handle(host) = buffer.memory.host;
                std::ptr::copy_nonoverlapping(chunk.as_ptr(), host, chunk.len());
                let to = to + (number * CHUNK) as u64;
                let stream = self.raw_stream();
                let bytes = chunk.len();
                sys::cuMemcpyHtoDAsync_v2(to, host.cast(), bytes, stream)
                    .result()
                    .and_then(|()| result::event::record(buffer.event.0, stream))
                    .map_err(|error| driver_error("copying to the GPU failed", error))?;
            }
        }
        Ok(())
    }

    /// Copies bytes out, behind all work of the present stream: with one wait for all small parts
    /// together.
    pub fn download(&self, staging: &Staging, parts: &mut [Part<'_>]) -> Result<(), Error> {
        if self.is_rehearsal {
            parts.iter_mut().for_each(|part| part.to.fill(0));
            return Ok(());
        }
        self.bind()?;
        let _turn = staging.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch: Vec<&mut Part<'_>> = Vec::new();
        let mut used = 0;
        for part in parts.iter_mut().filter(|part| !part.to.is_empty()) {
            if part.to.len() > SMALL {
                self.download_large(staging, part)?;
                continue;
            }
            if used + part.to.len() > SMALL || batch.len() == PARTS {
                self.deliver(staging, &mut batch)?;
                (batch, used) = (Vec::new(), 0);
            }
            used += part.to.len().next_multiple_of(8);
            batch.push(part);
        }
        if batch.is_empty() { Ok(()) } else { self.deliver(staging, &mut batch) }
    }

    fn deliver(&self, staging: &Staging, batch: &mut [&mut Part<'_>]) -> Result<(), Error> {
        let small = staging.small()?;
        let number = small.number.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let mut table = Parts { from: [0; PARTS], bytes: [0; PARTS], at: [0; PARTS] };
        let mut at = 0;
        for (row, part) in batch.iter().enumerate() {
            table.from[row] = part.from;
            table.bytes[row] = part.to.len() as u32;
            table.at[row] = at as u32;
            at += part.to.len().next_multiple_of(8);
        }
        // SAFETY: `Parts` is plain numbers without padding.
        let table_bytes = unsafe {
            std::slice::from_raw_parts((&raw const table).cast::<u8>(), size_of::<Parts>())
        };
        let kernel = self.kernels.family(&DELIVER, "deliver", &[])?;
        let mut args = Args::new()
            .bytes(table_bytes)
            .address(small.memory.address)
            .address(small.memory.address + SMALL as u64)
            .u32(number)
            .address(self.counters());
        self.launch(&kernel, Grid::line(batch.len() as u32, 256), &mut args, at as u64)?;
        self.wait_for_number(small, number)?;
        for (row, part) in batch.iter_mut().enumerate() {
            // SAFETY: the parts lie within the mapped bytes, and the kernel has written them.
            unsafe {
                let from = small.memory.host.0.add(table.at[row] as usize);
                std::ptr::copy_nonoverlapping(from, part.to.as_mut_ptr(), part.to.len());
            }
        }
        Ok(())
    }

    /// Waits for a number that a kernel brings. `launch` starts the kernel, which writes 8 bytes to
    /// the mailbox and then raises its flag.
    pub fn receive(
        &self,
        staging: &Staging,
        launch: impl FnOnce(Mailbox) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        if self.is_rehearsal {
            launch(Mailbox { address: 0, flag: 0, ticket: 0 })?;
            // The number counts elements; what is done with none needs no kernels.
            return Ok(1);
        }
        let _turn = staging.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let small = staging.small()?;
        let ticket = small.number.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let address = small.memory.address;
        launch(Mailbox { address, flag: address + SMALL as u64, ticket })?;
        self.wait_for_number(small, ticket)?;
        // SAFETY: the mapped bytes are aligned, and the kernel has written the first eight.
        Ok(unsafe { small.memory.host.0.cast::<u64>().read_volatile() })
    }

    fn wait_for_number(&self, small: &Small, number: u32) -> Result<(), Error> {
        let flag = small.flag();
        let looks = AtomicU32::new(0);
        self.wait_until(|| {
            if flag.load(Ordering::Acquire) == number {
                return Ok(true);
            }
            // A kernel that failed never raises the number.
            match looks.fetch_add(1, Ordering::Relaxed) % 1024 {
                1023 => self.stream_failed().map(|()| false),
                _ => Ok(false),
            }
        })
    }

    /// An error of the stream's work so far, if there was one.
    fn stream_failed(&self) -> Result<(), Error> {
        // SAFETY: the stream lives as long as the context.
        match unsafe { sys::cuStreamQuery(self.raw_stream()) } {
            sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_NOT_READY => Ok(()),
            error => Err(driver_error("a kernel failed", DriverError(error))),
        }
    }

    fn download_large(&self, staging: &Staging, part: &mut Part<'_>) -> Result<(), Error> {
        let buffers = staging.buffers()?;
        let failed = |error| driver_error("copying from the GPU failed", error);
        let count = part.to.len().div_ceil(CHUNK);
        for number in 0..=count {
            if number < count {
                let start = number * CHUNK;
                let bytes = CHUNK.min(part.to.len() - start);
                let buffer = &buffers[number % 2];
                self.wait_event(buffer.event)?;
                // SAFETY: the buffer holds a chunk, and its last transfer has ended.
                unsafe {
                    let from = part.from + start as u64;
                    let stream = self.raw_stream();
                    let host = buffer.memory.host.0.cast();
                    sys::cuMemcpyDtoHAsync_v2(host, from, bytes, stream)
                        .result()
                        .map_err(failed)?;
                    result::event::record(buffer.event.0, stream).map_err(failed)?;
                }
            }
            if number > 0 {
                let start = (number - 1) * CHUNK;
                let bytes = CHUNK.min(part.to.len() - start);
                let buffer = &buffers[(number - 1) % 2];
                self.wait_event(buffer.event)?;
                // SAFETY: the transfer to the buffer has ended.
                unsafe {
                    let to = part.to[start..].as_mut_ptr();
                    std::ptr::copy_nonoverlapping(buffer.memory.host.0, to, bytes);
                }
            }
        }
        Ok(())
    }

    fn wait_event(&self, event: Handle<sys::CUevent_st>) -> Result<(), Error> {
        self.wait_until(|| {
            // SAFETY: a live event; one that was never recorded counts as complete.
            match unsafe { sys::cuEventQuery(event.0) } {
                sys::CUresult::CUDA_SUCCESS => Ok(true),
                sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                error => Err(driver_error("a kernel failed", DriverError(error))),
            }
        })
    }
}

impl Staging {
    fn small(&self) -> Result<&Small, Error> {
        if self.small.get().is_none() {
            let memory = Mapped::new(SMALL + 8).map_err(pinning)?;
            let _ = self.small.set(Small { memory, number: AtomicU32::new(0) });
        }
        Ok(self.small.get().expect("it was just set"))
    }

    fn buffers(&self) -> Result<&[Buffer; 2], Error> {
        if self.large.get().is_none() {
            let _ = self.large.set([Buffer::new()?, Buffer::new()?]);
        }
        Ok(self.large.get().expect("it was just set"))
    }
}

impl Small {
    fn flag(&self) -> &AtomicU32 {
        // SAFETY: four aligned bytes behind the parts, live as long as the memory.
        unsafe { &*self.memory.host.0.add(SMALL).cast::<AtomicU32>() }
    }
}

impl Buffer {
    fn new() -> Result<Buffer, Error> {
        let memory = Mapped::new(CHUNK).map_err(pinning)?;
        let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
        let event = result::event::create(flags).map_err(pinning)?;
        Ok(Buffer { memory, event: Handle(event) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: an event of `new`, destroyed once; the back end has waited for the transfers.
        let _ = unsafe { result::event::destroy(self.event.0) };
    }
}

#[cold]
fn pinning(error: DriverError) -> Error {
    driver_error("pinning host memory failed", error)
}
