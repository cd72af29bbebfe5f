//! How long kernels take, measured on the GPU.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use cudarc::driver::{result, sys};

use super::context::Handle;
use super::kernel::Kernel;
use crate::device::KernelTime;

/// Launches whose times nobody has asked for yet; more than this are not timed.
const MAX_WAITING: usize = 4096;

/// Times launches while it is on. The events of earlier launches are used again.
#[derive(Debug, Default)]
pub struct Profile {
    is_on: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spare: Vec<Handle<sys::CUevent_st>>,
    /// What beginnings count from.
    mark: Option<Handle<sys::CUevent_st>>,
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    kernel: Kernel,
    traffic: u64,
    timing: Timing,
    end: Handle<sys::CUevent_st>,
}

/// A launch that has begun to be timed.
#[derive(Debug)]
pub struct Timing {
    begin: Handle<sys::CUevent_st>,
    stream: Handle<sys::CUstream_st>,
}

impl Drop for State {
    fn drop(&mut self) {
        let waiting = self.waiting.drain(..).flat_map(|it| [it.timing.begin, it.end]);
        for event in waiting.chain(self.spare.drain(..)).chain(self.mark.take()) {
            // SAFETY: an event of this profile's, destroyed once.
            let _ = unsafe { result::event::destroy(event.0) };
        }
    }
}

impl Profile {
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    pub fn set(&self, on: bool) {
        self.is_on.store(on, Ordering::Relaxed);
    }

    /// Marks the stream before a launch.
    pub(super) fn begin(&self, stream: sys::CUstream) -> Option<Timing> {
        if !self.is_on() {
            return None;
        }
        let mut state = self.state();
        if state.waiting.len() >= MAX_WAITING {
            return None;
        }
        let begin = state.event()?;
        // SAFETY: both are live handles of the bound context.
        unsafe { result::event::record(begin.0, stream) }.ok()?;
        Some(Timing { begin, stream: Handle(stream) })
    }

    /// Marks the stream behind the launch.
    pub(super) fn end(&self, timing: Timing, kernel: &Kernel, traffic: u64) {
        let mut state = self.state();
        let Some(end) = state.event() else { return };
        // SAFETY: as in `begin`.
        if unsafe { result::event::record(end.0, timing.stream.0) }.is_ok() {
            state.waiting.push(Waiting { kernel: kernel.clone(), traffic, timing, end });
        }
    }

    /// The beginnings of launches count from here on, once what the stream was given is done.
    pub(super) fn mark(&self, stream: sys::CUstream) -> bool {
        let mut state = self.state();
        let Some(mark) = state.mark.take().or_else(|| state.event()) else { return false };
        // SAFETY: both are live handles of the bound context.
        let marked = unsafe {
            result::event::record(mark.0, stream)
                .and_then(|()| result::event::synchronize(mark.0))
                .is_ok()
        };
        match marked {
            true => state.mark = Some(mark),
            false => state.spare.push(mark),
        }
        marked
    }

    /// The times of the launches since the last call, in their order. Waits for the last of them.
    pub fn take(&self) -> Vec<KernelTime> {
        let mut state = self.state();
        let waiting = std::mem::take(&mut state.waiting);
        let mut times = Vec::with_capacity(waiting.len());
        for Waiting { kernel, traffic, timing, end } in waiting {
            // SAFETY: events that were recorded.
            let elapsed = unsafe {
                result::event::synchronize(end.0)
                    .and_then(|()| result::event::elapsed(timing.begin.0, end.0))
            };
            if let Ok(milliseconds) = elapsed {
                let microseconds = f64::from(milliseconds) * 1e3;
                kernel.count_time((microseconds * 1e3) as u64, traffic);
                // SAFETY: as above; the mark was waited for.
                let since = |mark: &Handle<sys::CUevent_st>| unsafe {
                    result::event::elapsed(mark.0, timing.begin.0).ok()
                };
                let begin = state.mark.as_ref().and_then(since).map(|ms| f64::from(ms) * 1e3);
                times.push(KernelTime {
                    name: kernel.name().to_string(),
                    microseconds,
                    traffic,
                    begin,
                });
            }
            state.spare.extend([timing.begin, end]);
        }
        times
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn event(&mut self) -> Option<Handle<sys::CUevent_st>> {
        if let Some(event) = self.spare.pop() {
            return Some(event);
        }
        let made = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT);
        made.ok().map(Handle)
    }
}
