//! Which of several ways to run a program is the fastest, found out while it is used.
//!
//! The first large launches of a program over a space try the ways in turn, timed by events that
//! are read later, so nothing is run twice and nobody waits. Then the best stays.

use cudarc::driver::{result, sys};

use super::context::{Context, Handle};

/// Launches that move fewer bytes than this end before a difference could matter.
const WORTHWHILE: u64 = 8 << 20;

/// How often each way is tried; the best time of each counts. The first launch of a kernel also
/// loads its code, so one try would not do.
const TRIES: usize = 3;

/// The same of a launch that took fewer milliseconds than these: what comes between the host and the GPU is as long.
const SHORT_TRIES: usize = 9;
const SHORT: f32 = 0.1;

/// The ways of one launch, and what is known of them.
#[derive(Debug, Default)]
pub struct Study {
    /// The best time of each way in milliseconds, and how often it was tried.
    ways: Vec<(f32, usize)>,
    running: Vec<Running>,
    settled: Option<u8>,
}

/// A launch that has begun to be timed.
#[derive(Debug)]
pub struct Timing {
    choice: u8,
    begin: Handle<sys::CUevent_st>,
}

#[derive(Debug)]
struct Running {
    choice: u8,
    begin: Handle<sys::CUevent_st>,
    end: Handle<sys::CUevent_st>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: events of a study's own, each pair destroyed once.
        unsafe {
            let _ = result::event::destroy(self.begin.0);
            let _ = result::event::destroy(self.end.0);
        }
    }
}

impl Study {
    /// The way to take for the next launch, which moves so many bytes.
    pub fn choose(&mut self, traffic: u64) -> u8 {
        if traffic < WORTHWHILE {
            return 0;
        }
        if let Some(choice) = self.settled {
            return choice;
        }
        self.collect();
        self.next()
    }

    /// Marks the stream before the launch, if there is anything to find out.
    pub fn begin(
        &mut self,
        choice: u8,
        choices: u8,
        traffic: u64,
        context: &Context,
    ) -> Option<Timing> {
        if traffic < WORTHWHILE || choices <= 1 || self.settled.is_some() {
            return None;
        }
        self.ways.resize(choices as usize, (f32::INFINITY, 0));
        if self.running.len() >= SHORT_TRIES * choices as usize {
            return None;
        }
        Some(Timing { choice, begin: record(context)? })
    }

    /// Marks the stream behind it.
    pub fn end(&mut self, timing: Option<Timing>, context: &Context) {
        let Some(Timing { choice, begin }) = timing else { return };
        if let Some(end) = record(context) {
            self.running.push(Running { choice, begin, end });
        }
    }

    /// Takes over the times of launches that have ended.
    fn collect(&mut self) {
        let ways = &mut self.ways;
        self.running.retain(|Running { choice, begin, end }| {
            // SAFETY: events that were recorded.
            unsafe {
                if sys::cuEventQuery(end.0) == sys::CUresult::CUDA_ERROR_NOT_READY {
                    return true;
                }
                if let Ok(time) = result::event::elapsed(begin.0, end.0) {
                    let (best, tries) = &mut ways[*choice as usize];
                    (*best, *tries) = (best.min(time), *tries + 1);
                }
            }
            false
        });
        let is_known = |(best, tries): &(f32, usize)| {
            *tries >= if *best < SHORT { SHORT_TRIES } else { TRIES }
        };
        if !self.ways.is_empty() && self.ways.iter().all(is_known) {
            let times = self.ways.iter().map(|(best, _)| *best).enumerate();
            let best = times.min_by(|(_, a), (_, b)| a.total_cmp(b));
            self.settled = best.map(|(choice, _)| choice as u8);
        }
    }

    /// The way that was tried least so far, those under way counted in.
    fn next(&self) -> u8 {
        let under_way = |choice: usize| {
            self.running.iter().filter(|running| running.choice as usize == choice).count()
        };
        let tried =
            self.ways.iter().enumerate().map(|(at, (_, tries))| (tries + under_way(at), at));
        self.settled.unwrap_or(tried.min().map_or(0, |(_, choice)| choice as u8))
    }
}

fn record(context: &Context) -> Option<Handle<sys::CUevent_st>> {
    let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).ok()?;
    // SAFETY: a fresh event and the live stream.
    unsafe { result::event::record(event, context.raw_stream()) }.ok()?;
    Some(Handle(event))
}
