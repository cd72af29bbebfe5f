//! Which of several ways to run a program is the fastest, found out while it is used.
//!
//! The first large launches of a program over a space try the ways in turn, timed by events that
//! are read later, so nothing is run twice and nobody waits. Then the best stays.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use cudarc::driver::{result, sys};
use rustc_hash::{FxHashMap, FxHasher};

use super::context::{Context, Handle};
use crate::codegen::Operand;
use crate::ir::Space;

/// Launches that move fewer bytes than this end before a difference could matter.
const WORTHWHILE: u64 = 8 << 20;

/// How often each way is tried; the best time of each counts. The first launch of a kernel also
/// loads its code, so one try would not do.
const TRIES: usize = 3;

/// What is remembered of more launches than this is forgotten together.
const MAX_STUDIES: usize = 4096;

/// The choices so far.
#[derive(Debug, Default)]
pub struct Tuner {
    studies: Mutex<FxHashMap<u64, Study>>,
}

/// The way for one launch, and whose study it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    study: Option<u64>,
    pub choice: u8,
}

/// A timed launch.
#[derive(Debug)]
pub struct Timing {
    study: u64,
    choice: u8,
    begin: Handle<sys::CUevent_st>,
}

#[derive(Debug, Default)]
struct Study {
    /// The best time of each way in milliseconds, and how often it was tried.
    ways: Vec<(f32, usize)>,
    running: Vec<(u8, Handle<sys::CUevent_st>, Handle<sys::CUevent_st>)>,
    settled: Option<u8>,
}

impl Tuner {
    /// The way to take for this launch.
    pub fn choose(
        &self,
        program: u64,
        space: &Space,
        inputs: &[Operand<'_>],
        outputs: &[Operand<'_>],
        traffic: u64,
    ) -> Trial {
        if traffic < WORTHWHILE {
            return Trial { study: None, choice: 0 };
        }
        let mut hasher = FxHasher::default();
        (program, space).hash(&mut hasher);
        for operand in inputs.iter().chain(outputs) {
            operand.access.strides.hash(&mut hasher);
        }
        let key = hasher.finish();
        let mut studies = self.lock();
        let Some(study) = studies.get_mut(&key) else {
            return Trial { study: Some(key), choice: 0 };
        };
        if let Some(choice) = study.settled {
            return Trial { study: None, choice };
        }
        study.collect();
        Trial { study: Some(key), choice: study.next() }
    }

    /// Marks the stream before the launch, if there is anything to find out.
    pub fn begin(&self, trial: &Trial, choices: u8, context: &Context) -> Option<Timing> {
        let key = trial.study?;
        if choices <= 1 {
            return None;
        }
        let mut studies = self.lock();
        if studies.len() >= MAX_STUDIES {
            studies.clear();
        }
        let study = studies.entry(key).or_default();
        study.ways.resize(choices as usize, (f32::INFINITY, 0));
        if study.settled.is_some() || study.running.len() >= TRIES * choices as usize {
            return None;
        }
        let begin = record(context)?;
        Some(Timing { study: key, choice: trial.choice, begin })
    }

    /// Marks the stream behind it.
    pub fn end(&self, timing: Option<Timing>, context: &Context) {
        let Some(timing) = timing else { return };
        let Some(end) = record(context) else { return };
        if let Some(study) = self.lock().get_mut(&timing.study) {
            study.running.push((timing.choice, timing.begin, end));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<u64, Study>> {
        self.studies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(context: &Context) -> Option<Handle<sys::CUevent_st>> {
    let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).ok()?;
    // SAFETY: a fresh event and the live stream.
    unsafe { result::event::record(event, context.raw_stream()) }.ok()?;
    Some(Handle(event))
}

impl Study {
    /// Takes over the times of launches that have ended.
    fn collect(&mut self) {
        let ways = &mut self.ways;
        self.running.retain(|(choice, begin, end)| {
            // SAFETY: events that were recorded; each pair is destroyed once, after its time was
            // read.
            unsafe {
                if sys::cuEventQuery(end.0) == sys::CUresult::CUDA_ERROR_NOT_READY {
                    return true;
                }
                if let Ok(time) = result::event::elapsed(begin.0, end.0) {
                    let (best, tries) = &mut ways[*choice as usize];
                    (*best, *tries) = (best.min(time), *tries + 1);
                }
                let _ = result::event::destroy(begin.0);
                let _ = result::event::destroy(end.0);
            }
            false
        });
        if self.ways.iter().all(|(_, tries)| *tries >= TRIES) {
            let times = self.ways.iter().map(|(best, _)| *best).enumerate();
            let best = times.min_by(|(_, a), (_, b)| a.total_cmp(b));
            self.settled = best.map(|(choice, _)| choice as u8);
        }
    }

    /// The way that was tried least so far, those under way counted in.
    fn next(&self) -> u8 {
        let under_way = |choice: usize| {
            self.running.iter().filter(|(running, ..)| *running as usize == choice).count()
        };
        let tried =
            self.ways.iter().enumerate().map(|(at, (_, tries))| (tries + under_way(at), at));
        self.settled.unwrap_or(tried.min().map_or(0, |(_, choice)| choice as u8))
    }
}
