//! The streams of a GPU, and waiting for them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::context::{Handle, driver_error};
use crate::codegen::COUNTERS;
use crate::device::{Error, Interrupt};
use crate::memory::StreamId;

/// How long a wait looks at the stream without pause. The host sleeps a hundred microseconds at the
/// least, which counts beside anything shorter than this.
const SPIN: Duration = Duration::from_millis(2);

/// How long a longer wait sleeps between looks.
const NAP: Duration = Duration::from_micros(50);

#[derive(Debug, Clone, Copy)]
pub struct Stream {
    pub handle: Handle<sys::CUstream_st>,
    /// [`COUNTERS`] zeros for the blocks of a launch to count themselves, and behind these [`WORDS`] and [`REPAIRS`] bytes:
    /// see [`Context::words`](super::context::Context::words).
    pub counters: u64,
}

/// Bytes for the blocks of a launch to tell each other things.
pub const WORDS: usize = 64 << 10;

/// Bytes for them to say what has to be done again.
pub const REPAIRS: usize = 4 << 10;

/// All that blocks share.
const SHARED: usize = 4 * COUNTERS + WORDS + REPAIRS;

impl Stream {
    /// The context must be bound.
    pub fn new() -> Result<Stream, DriverError> {
        let handle = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        // SAFETY: an allocation of this context, freed with it; the fill is the stream's first work.
        let counters = unsafe {
            let counters = result::malloc_sync(SHARED)?;
            result::memset_d8_async(counters, 0, SHARED, handle)?;
            counters
        };
        Ok(Stream { handle: Handle(handle), counters })
    }
}

/// The streams of a session on one GPU, by their numbers. Clones are the same ones.
#[derive(Debug, Clone)]
pub struct Streams(Arc<Mutex<Vec<Stream>>>);

impl Streams {
    /// With the first one.
    pub fn new(first: Stream) -> Streams {
        Streams(Arc::new(Mutex::new(vec![first])))
    }

    /// A stream by its number; it is made when it is first named. The context must be bound.
    pub fn get(&self, id: StreamId) -> Result<Stream, Error> {
        let mut streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while streams.len() <= id.0 as usize {
            let made = Stream::new();
            streams.push(made.map_err(|error| driver_error("making a stream failed", error))?);
        }
        Ok(streams[id.0 as usize])
    }

    /// Waits until all have done their work. Ctrl-C ends the wait, not the work.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; what the driver says went wrong.
    pub fn wait(&self, interrupt: &Interrupt) -> Result<(), Error> {
        let streams = self.all();
        streams.iter().try_for_each(|stream| wait_until(interrupt, || is_idle(stream.handle.0)))
    }

    /// Whether all have done their work within [`SPIN`]. After a failure none has any.
    pub fn rest_soon(&self) -> bool {
        let (streams, begin) = (self.all(), Instant::now());
        let at_work = |stream: &Stream| is_idle(stream.handle.0) == Ok(false);
        while streams.iter().any(at_work) {
            if begin.elapsed() > SPIN {
                return false;
            }
            std::hint::spin_loop();
        }
        true
    }

    /// As [`Streams::wait`], whatever the user wants.
    pub fn finish(&self) -> Result<(), Error> {
        self.all().iter().try_for_each(|stream| finish(stream.handle.0))
    }

    /// Gives them back. Their work is done, and nobody names them any more.
    pub fn close(&self) {
        let mut streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in streams.drain(..) {
            // SAFETY: both were made here, and nothing uses them now or later.
            unsafe {
                let _ = result::free_sync(stream.counters);
                let _ = result::stream::destroy(stream.handle.0);
            }
        }
    }

    fn all(&self) -> Vec<Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Looks until `done` says so, the interrupt comes, or `done` fails.
pub fn wait_until(
    interrupt: &Interrupt,
    done: impl Fn() -> Result<bool, Error>,
) -> Result<(), Error> {
    let begin = Instant::now();
    loop {
        if done()? {
            return Ok(());
        }
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        if begin.elapsed() > SPIN {
            std::thread::sleep(NAP);
        } else {
            std::hint::spin_loop();
        }
    }
}

/// Whether a live stream has done all its work.
pub fn is_idle(stream: sys::CUstream) -> Result<bool, Error> {
    // SAFETY: the caller's stream lives as long as its context.
    match unsafe { sys::cuStreamQuery(stream) } {
        sys::CUresult::CUDA_SUCCESS => Ok(true),
        sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
        error => Err(driver_error("a kernel failed", DriverError(error))),
    }
}

/// Waits until a live stream has done all its work, whatever the user wants.
pub fn finish(stream: sys::CUstream) -> Result<(), Error> {
    // SAFETY: the caller's stream lives as long as its context.
    unsafe { result::stream::synchronize(stream) }
        .map_err(|error| driver_error("a kernel failed", error))
}
