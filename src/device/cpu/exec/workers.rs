//! The registers of threads.

use std::sync::{Mutex, PoisonError};

use super::super::team;
use super::frame::Frame;
use crate::device::Error;

/// The registers of threads that are not at work.
#[derive(Debug, Default)]
pub struct Frames(Mutex<Vec<Frame>>);

impl Frames {
    pub fn take(&self) -> Frame {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.pop().unwrap_or_default()
    }

    pub fn give(&self, frame: Frame) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
    }

    /// Does tasks `0..tasks`, in order on this thread or in any order on several, each with registers of its own. The
    /// first error ends the work.
    pub fn each(
        &self,
        tasks: usize,
        threads: usize,
        prepare: &(dyn Fn(&mut Frame) + Sync),
        task: &(dyn Fn(&mut Frame, usize) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let begin = || {
            let mut frame = self.take();
            prepare(&mut frame);
            frame
        };
        team::each(tasks, threads, &begin, task, &|frame| self.give(frame))
    }
}
