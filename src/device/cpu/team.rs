//! Threads that share a piece of work with the one that has it.
//!
//! Whoever has the work begins at once and never waits for a thread that has not come yet: a thread which finds
//! the work done leaves. So work that is done before another thread is awake takes no longer than alone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};

use smallvec::SmallVec;

use crate::device::Error;

/// Says in the count of a gate that nobody may enter any more.
const CLOSED: usize = 1;
/// One thread in the count of a gate.
const ONE: usize = 2;

/// How often the owner of the work looks whether the others are done before it sleeps: some ten microseconds, which
/// is what waking it would take.
const LOOKS: usize = 512;

/// Where threads come to the work and leave it.
struct Gate {
    /// [`ONE`] for each thread inside, and [`CLOSED`].
    inside: AtomicUsize,
    work: *const (dyn Fn() + Sync),
    owner: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: the work may be called from any thread; when it may be reached is said in `enter`.
unsafe impl Send for Gate {}
// SAFETY: as above.
unsafe impl Sync for Gate {}

impl Gate {
    /// Does the work, unless the gate is closed.
    fn enter(&self) {
        if self.inside.fetch_add(ONE, Ordering::AcqRel) & CLOSED == 0 {
            // SAFETY: the owner leaves the frame that has the work only after it has closed the gate and has seen
            // nobody inside; this thread is inside, and entered before.
            let work = unsafe { &*self.work };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
            }
        }
        if self.inside.fetch_sub(ONE, Ordering::AcqRel) == CLOSED + ONE {
            self.owner.unpark();
        }
    }

    /// Lets nobody in any more, and waits until nobody is inside.
    fn close(&self) {
        self.inside.fetch_or(CLOSED, Ordering::AcqRel);
        let mut looks = 0;
        while self.inside.load(Ordering::Acquire) != CLOSED {
            looks += 1;
            match looks < LOOKS {
                true => std::hint::spin_loop(),
                false => thread::park(),
            }
        }
    }
}

/// Closes the gate also where the owner's part of the work panics.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Calls `work` on this thread, and on up to `others` more of the current pool while this one is at it. All of
/// them have returned when this does.
pub(super) fn together(others: usize, work: &(dyn Fn() + Sync)) {
    if others == 0 {
        return work();
    }
    // SAFETY: only the lifetime changes; `enter` says why the work is there as long as it is reached.
    let lasting = unsafe {
        std::mem::transmute::<*const (dyn Fn() + Sync + '_), *const (dyn Fn() + Sync + 'static)>(
            work,
        )
    };
    let (inside, panic) = (AtomicUsize::new(0), Mutex::new(None));
    let gate = Arc::new(Gate { inside, work: lasting, owner: thread::current(), panic });
    for _ in 0..others {
        let gate = gate.clone();
        rayon::spawn(move || gate.enter());
    }
    let closing = Closing(&gate);
    work();
    drop(closing);
    let panic = gate.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// A part of all tasks for each thread, because neighbours often share pages and lines of the cache: it goes through its own
/// from the front, and then takes what others have left from behind.
struct Parts(SmallVec<[AtomicU64; 8]>);

impl Parts {
    /// # Panics
    /// With more than 2³² tasks.
    fn of(tasks: usize, threads: usize) -> Parts {
        let tasks = u32::try_from(tasks).expect("tasks are large pieces of work");
        let border = |part: usize| u64::from(tasks) * part as u64 / threads as u64;
        let part = |part: usize| AtomicU64::new(border(part) << 32 | border(part + 1));
        Parts((0..threads).map(part).collect())
    }

    /// A task that nobody has done, for the thread of a part.
    fn next(&self, own: usize) -> Option<usize> {
        let take = |other: usize| {
            let part = &self.0[(own + other) % self.0.len()];
            // The first of a part in the upper half, and the end of it in the lower one.
            let step = if other == 0 { |part| part + (1 << 32) } else { |part| part - 1 };
            let is_left = |part: u64| part >> 32 < part & u64::from(u32::MAX);
            let taken = part.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |part| {
                is_left(part).then(|| step(part))
            });
            let before = taken.ok()?;
            let from_behind = (before & u64::from(u32::MAX)).wrapping_sub(1);
            Some(if other == 0 { before >> 32 } else { from_behind } as usize)
        };
        (0..self.0.len()).find_map(take)
    }
}

/// Does tasks `0..tasks`, in order on this thread or in any order on up to `threads`, each of which has what `begin`
/// gives and hands it to `end`. The first error ends the work.
pub(super) fn each<S>(
    tasks: usize,
    threads: usize,
    begin: &(dyn Fn() -> S + Sync),
    task: &(dyn Fn(&mut S, usize) -> Result<(), Error> + Sync),
    end: &(dyn Fn(S) + Sync),
) -> Result<(), Error> {
    if threads <= 1 || tasks <= 1 {
        let mut state = begin();
        let result = (0..tasks).try_for_each(|number| task(&mut state, number));
        end(state);
        return result;
    }
    let threads = threads.min(tasks);
    let parts = Parts::of(tasks, threads);
    let come = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let failure = Mutex::new(None);
    together(threads - 1, &|| {
        let own = come.fetch_add(1, Ordering::Relaxed);
        let mut state = None;
        while !has_failed.load(Ordering::Relaxed) {
            let Some(number) = parts.next(own) else { break };
            if let Err(error) = task(state.get_or_insert_with(begin), number) {
                has_failed.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
        if let Some(state) = state {
            end(state);
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_task_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for tasks in [0, 1, 2, 3, 1000] {
                let done: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let run = || {
                    let task = |_: &mut (), at: usize| {
                        done[at].fetch_add(1, Ordering::Relaxed);
                        Ok(())
                    };
                    let begin = || _ = begun.fetch_add(1, Ordering::Relaxed);
                    let end = |()| _ = ended.fetch_add(1, Ordering::Relaxed);
                    each(tasks, threads, &begin, &task, &end)
                };
                // From outside of the pool, and on one of its threads.
                assert_eq!(pool.install(run), Ok(()));
                assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
                assert_eq!(run(), Ok(()));
                assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 2));
                assert_eq!(begun.into_inner(), ended.into_inner());
            }
        }
    }

    #[test]
    fn work_is_shared_and_has_ended_when_the_call_returns() {
        for _ in 0..200 {
            let seen = Mutex::new(HashSet::new());
            let (entered, left) = (AtomicUsize::new(0), AtomicUsize::new(0));
            together(3, &|| {
                entered.fetch_add(1, Ordering::SeqCst);
                seen.lock().unwrap().insert(thread::current().id());
                thread::yield_now();
                left.fetch_add(1, Ordering::SeqCst);
            });
            let threads = seen.into_inner().unwrap();
            assert!(threads.contains(&thread::current().id()) && threads.len() <= 4);
            assert_eq!(entered.into_inner(), left.into_inner());
        }
    }

    #[test]
    fn the_first_error_and_a_panic_reach_the_caller() {
        let task = |_: &mut (), at: usize| match at {
            7 => Err(Error::Interrupted),
            _ => Ok(()),
        };
        assert_eq!(each(100, 3, &|| (), &task, &|()| ()), Err(Error::Interrupted));
        let others = |owner: thread::ThreadId| {
            let has_come = AtomicBool::new(false);
            together(1, &|| {
                if thread::current().id() != owner {
                    has_come.store(true, Ordering::SeqCst);
                    panic!("of another thread");
                }
                while !has_come.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            });
        };
        let result = catch_unwind(|| others(thread::current().id()));
        assert!(result.is_err());
    }
}
