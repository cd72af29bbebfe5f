//! Bytes between the host and the GPU, through pinned memory.
//!
//! Small results come by a kernel that writes to mapped memory and raises a number there: the host
//! sees it sooner than the driver could say that the stream is done (7 µs instead of 11 to 17 on an
//! H200). Large copies go through pinned buffers, two of each thread's that takes part: a thread moves
//! two to ten GB/s and the link of an H100 fifty, pages that nobody has touched are slower still, and
//! while one buffer is under way the next is filled. Files are read right into them. Between chunks
//! Ctrl-C ends it.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::args::Args;
use super::context::{Context, Grid, Handle, driver_error};
use super::mapped::Mapped;
use super::source::DELIVER;
use crate::device::cpu::at_once;
use crate::device::{Error, ReadAt};

/// Bytes that the small path brings at once.
const SMALL: usize = 64 << 10;

/// Parts that one launch of the small path brings.
const PARTS: usize = 32;

/// Bytes of each buffer of the large path.
const CHUNK: usize = 1 << 20;

/// Threads of the large path at the most.
const MOVERS: usize = 16;

/// Bytes on both sides of which copies go another way.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[SMALL, CHUNK, 2 * CHUNK, 2 * MOVERS * CHUNK];

/// Pinned memory, made when it is first needed.
#[derive(Debug, Default)]
pub struct Staging {
    small: OnceLock<Small>,
    large: [OnceLock<[Buffer; 2]>; MOVERS],
    /// One copy at a time uses the buffers.
    turn: Mutex<()>,
}

/// What is done with a chunk and a buffer for it.
type Step<'a> = dyn Fn(Range<usize>, &Buffer) -> Result<(), Error> + Sync + 'a;

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
        self.bring(staging, to, data.len(), &|start, buffer| {
            buffer.copy_from_slice(&data[start..start + buffer.len()]);
            Ok(())
        })
    }

    /// Brings bytes to the GPU, in order with the present stream. `give` puts those from a place
    /// on into a buffer; it is asked by several threads at once.
    pub fn bring(
        &self,
        staging: &Staging,
        to: u64,
        bytes: usize,
        give: &ReadAt<'_>,
    ) -> Result<(), Error> {
        if self.is_rehearsal {
            return Ok(());
        }
        let _turn = staging.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.in_chunks(staging, bytes, &|range, buffer| {
            self.wait_event(buffer.event)?;
            // SAFETY: the buffer holds a chunk, is this thread's, and no transfer uses it now.
            let memory =
                unsafe { std::slice::from_raw_parts_mut(buffer.memory.host.0, range.len()) };
            give(range.start, memory)?;
            // SAFETY: the transfer reads the buffer until its event, which its next user waits for.
            unsafe {
                let stream = self.raw_stream();
                let to = to + range.start as u64;
                sys::cuMemcpyHtoDAsync_v2(to, memory.as_ptr().cast(), range.len(), stream)
                    .result()
                    .and_then(|()| result::event::record(buffer.event.0, stream))
                    .map_err(|error| driver_error("copying to the GPU failed", error))
            }
        })
    }

    /// Does something with every chunk of so many bytes and a buffer for it, on several threads. The caller has
    /// the turn.
    fn in_chunks(&self, staging: &Staging, bytes: usize, step: &Step<'_>) -> Result<(), Error> {
        let count = bytes.div_ceil(CHUNK);
        let (next, failure) = (AtomicUsize::new(0), OnceLock::new());
        let walk = |pair: &OnceLock<[Buffer; 2]>| -> Result<(), Error> {
            self.bind()?;
            let pair = Buffer::pair(pair)?;
            for buffer in pair.iter().cycle() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                self.interrupt.heed()?;
                let start = number * CHUNK;
                step(start..bytes.min(start + CHUNK), buffer)?;
            }
            Ok(())
        };
        let mover = |number: usize| {
            if let Err(error) = walk(&staging.large[number]) {
                // Nobody begins another chunk.
                next.store(count, Ordering::Relaxed);
                let _ = failure.set(error);
            }
        };
        match count {
            0 | 1 => mover(0),
            _ => at_once(count.min(MOVERS), &mover),
        }
        failure.into_inner().map_or(Ok(()), Err)
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
        // Threads that wait for kernels would only warm the room.
        self.wait()?;
        let (from, bytes) = (part.from, part.to.len());
        let to = Handle(part.to.as_mut_ptr());
        self.in_chunks(staging, bytes, &|range, buffer| {
            self.wait_event(buffer.event)?;
            let host = buffer.memory.host.0;
            // SAFETY: the buffer holds a chunk, is this thread's, and no transfer uses it now.
            unsafe {
                let (from, stream) = (from + range.start as u64, self.raw_stream());
                sys::cuMemcpyDtoHAsync_v2(host.cast(), from, range.len(), stream)
                    .result()
                    .and_then(|()| result::event::record(buffer.event.0, stream))
                    .map_err(|error| driver_error("copying from the GPU failed", error))?;
            }
            self.wait_event(buffer.event)?;
            // SAFETY: the transfer to the buffer has ended; chunks have no byte in common.
            unsafe { std::ptr::copy_nonoverlapping(host, to.at(range.start), range.len()) };
            Ok(())
        })
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
}

impl Small {
    fn flag(&self) -> &AtomicU32 {
        // SAFETY: four aligned bytes behind the parts, live as long as the memory.
        unsafe { &*self.memory.host.0.add(SMALL).cast::<AtomicU32>() }
    }
}

impl Buffer {
    /// A thread's two, made when it first needs them.
    fn pair(kept: &OnceLock<[Buffer; 2]>) -> Result<&[Buffer; 2], Error> {
        if kept.get().is_none() {
            let _ = kept.set([Buffer::new()?, Buffer::new()?]);
        }
        Ok(kept.get().expect("it was just set"))
    }

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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::THRESHOLDS;
    use crate::device::cuda::trials::{Devices, downloaded, pattern};
    use crate::device::{Content, Error, Parts};
    use crate::dtype::DType;
    use crate::memory::Provenance;

    /// In and out again, from places that are no multiple of anything, and behind work on the same memory.
    #[test]
    fn bytes_go_in_and_out_at_every_size() {
        let Some(Devices([_, gpu])) = Devices::find() else { return };
        for bytes in
            [0, 1].into_iter().chain(THRESHOLDS.iter().flat_map(|at| [at - 1, *at, at + 1]))
        {
            let storage = gpu.allocate(DType::U8, bytes + 3, Provenance::VARIABLE).unwrap();
            for seed in 0..3 {
                let data = pattern(seed, bytes);
                gpu.backend().copy_from_host(&data, &storage, seed).unwrap();
                let mut found = vec![0xaa; bytes];
                gpu.backend().copy_to_host(&storage, seed, &mut found).unwrap();
                assert!(found == data, "{bytes} bytes from {seed} on");
            }
            let read = |at: usize, buffer: &mut [u8]| {
                for (place, byte) in buffer.iter_mut().enumerate() {
                    *byte = (at + place) as u8;
                }
                Ok(())
            };
            gpu.backend().fill(&storage, Content { read: &read, file: None }).unwrap();
            let found = downloaded(&storage);
            assert!(found.iter().enumerate().all(|(at, byte)| *byte == at as u8), "{bytes}");
        }
    }

    #[test]
    fn parts_stand_behind_each_other() {
        let Some(Devices([_, gpu])) = Devices::find() else { return };
        let lengths = [5, 0, THRESHOLDS[1] + 1, 1, 7];
        let size = lengths.iter().sum::<usize>();
        let storage = gpu.allocate(DType::U8, size + 3, Provenance::VARIABLE).unwrap();
        gpu.backend().copy_from_host(&vec![0xaa; size + 3], &storage, 0).unwrap();
        let make = |number: usize, bytes: &mut [u8]| bytes.fill(number as u8);
        let made = Parts { start: 3, lengths: &lengths, make: &make };
        gpu.backend().fill_parts(&storage, made).unwrap();
        let parts = lengths.iter().enumerate();
        let parts = parts.flat_map(|(number, length)| std::iter::repeat_n(number as u8, *length));
        assert!(downloaded(&storage) == [0xaa; 3].into_iter().chain(parts).collect::<Vec<_>>());
        assert_eq!(gpu.backend().host_bytes(&storage, 0, 1), None);
    }

    /// Whichever chunk fails, the rest is let be, and what comes next works.
    #[test]
    fn what_fails_at_any_chunk_ends_the_whole() {
        let Some(Devices([_, gpu])) = Devices::find() else { return };
        let bytes = THRESHOLDS[3] + 1;
        let storage = gpu.allocate(DType::U8, bytes, Provenance::VARIABLE).unwrap();
        for wrong in [0, 1, 7, 32] {
            let asked = AtomicUsize::new(0);
            let read = |_: usize, _: &mut [u8]| match asked.fetch_add(1, Ordering::Relaxed) {
                number if number == wrong => Err(Error::Driver(format!("chunk {wrong}"))),
                _ => Ok(()),
            };
            let filled = gpu.backend().fill(&storage, Content { read: &read, file: None });
            assert_eq!(filled, Err(Error::Driver(format!("chunk {wrong}"))));
        }
        let interrupt = &gpu.backend().cuda().unwrap().context.interrupt;
        let read = |at: usize, _: &mut [u8]| {
            if at > bytes / 2 {
                interrupt.raise();
            }
            Ok(())
        };
        let filled = gpu.backend().fill(&storage, Content { read: &read, file: None });
        interrupt.clear();
        assert_eq!(filled, Err(Error::Interrupted));
        gpu.backend().copy_from_host(&pattern(5, bytes), &storage, 0).unwrap();
        assert!(downloaded(&storage) == pattern(5, bytes));
    }
}
