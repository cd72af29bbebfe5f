//! Spreads tasks over threads, each with its own registers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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

    /// Does tasks `0..tasks`, in order on this thread or in any order on several. The first error
    /// ends the work.
    pub fn each(
        &self,
        tasks: usize,
        threads: usize,
        prepare: &(dyn Fn(&mut Frame) + Sync),
        task: &(dyn Fn(&mut Frame, usize) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        if threads <= 1 || tasks <= 1 {
            let mut frame = self.take();
            prepare(&mut frame);
            let result = (0..tasks).try_for_each(|number| task(&mut frame, number));
            self.give(frame);
            return result;
        }
        let next = AtomicUsize::new(0);
        let has_failed = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let work = || {
            let mut frame = self.take();
            prepare(&mut frame);
            while !has_failed.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= tasks {
                    break;
                }
                if let Err(error) = task(&mut frame, number) {
                    has_failed.store(true, Ordering::Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            }
            self.give(frame);
        };
        rayon::in_place_scope(|scope| {
            for _ in 1..threads.min(tasks) {
                scope.spawn(|_| work());
            }
            work();
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
