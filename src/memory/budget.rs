//! What a program's own values, its lists, texts and dictionaries, may take of the host's memory.
//!
//! They live in the process's heap, where running out ends the process. Whoever is about to make a
//! large one therefore asks first. One value may not exceed the limit. All of them together are
//! measured by what the process has beyond tensors, and only after some tens of megabytes were asked
//! for: reading it costs tens of microseconds.

use std::cell::Cell;
use std::fmt;

use super::host;
use crate::diag::{ErrorKind, Fault};
use crate::report::human_bytes;

/// The limit where the machine does not say how much memory it has.
const UNKNOWN: usize = 8 << 30;

/// Bytes that may be asked for until somebody looks at how much the process has.
const LOOK_EVERY: usize = 32 << 20;

/// What is left to the rest of the machine.
const RESERVE: usize = 64 << 20;

/// The budget of a session.
pub struct Budget {
    limit: Cell<usize>,
    /// Bytes that were asked for since the last look.
    unseen: Cell<usize>,
    /// Asks how much the process has; none where that can't be known.
    resident: Box<dyn Fn() -> Option<usize>>,
    /// What the process had when the budget was made.
    before: usize,
}

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Budget {
        Budget::measured_by(host::resident, limit)
    }

    fn measured_by(resident: impl Fn() -> Option<usize> + 'static, limit: usize) -> Budget {
        let before = resident().unwrap_or(0);
        let (limit, unseen) = (Cell::new(limit), Cell::new(0));
        Budget { limit, unseen, resident: Box::new(resident), before }
    }

    /// Half of the machine's memory, or of what its control group leaves to the process.
    pub fn usual_limit() -> usize {
        host::total().map_or(UNKNOWN, |total| total / 2)
    }

    /// In bytes.
    pub fn limit(&self) -> usize {
        self.limit.get()
    }

    pub fn set_limit(&self, bytes: usize) {
        self.limit.set(bytes);
    }

    /// To be called before `bytes` more are taken. `what` says what for, in the words of a message;
    /// `tensors` is how many bytes the process holds for tensors.
    ///
    /// # Errors
    /// MemoryError: the value alone, or all together, would exceed the limit or what the machine has.
    #[inline]
    pub fn take(
        &self,
        bytes: usize,
        what: impl Fn() -> String,
        tensors: impl Fn() -> usize,
    ) -> Result<(), Fault> {
        let unseen = self.unseen.get().saturating_add(bytes);
        if unseen < LOOK_EVERY.min(self.limit.get() / 4) {
            self.unseen.set(unseen);
            return Ok(());
        }
        self.look(bytes, tensors()).map_err(|refusal| refusal.fault(&what()))
    }

    #[cold]
    fn look(&self, bytes: usize, tensors: usize) -> Result<(), Refusal> {
        let limit = self.limit.get();
        if bytes > limit {
            return Err(Refusal { bytes, cause: Cause::Alone { limit } });
        }
        if let Some(resident) = (self.resident)() {
            let taken = resident.saturating_sub(self.before).saturating_sub(tensors);
            if taken.saturating_add(bytes) > limit {
                return Err(Refusal { bytes, cause: Cause::Together { taken, limit } });
            }
        }
        if let Some(left) = host::available()
            && bytes > left.saturating_sub(RESERVE)
        {
            return Err(Refusal { bytes, cause: Cause::Machine { left } });
        }
        self.unseen.set(0);
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Budget::usual_limit())
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({})", human_bytes(self.limit.get() as u64))
    }
}

/// Bytes that can't be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Refusal {
    bytes: usize,
    cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// One value is larger than all may be.
    Alone {
        limit: usize,
    },
    Together {
        taken: usize,
        limit: usize,
    },
    Machine {
        left: usize,
    },
}

impl Refusal {
    fn fault(self, what: &str) -> Fault {
        let size = |bytes: usize| human_bytes(bytes as u64);
        let needed = match self.bytes {
            usize::MAX => "more bytes than can be counted".to_string(),
            bytes => size(bytes),
        };
        let setting = "`:set host_memory SIZE` sets the limit for lists, texts and the like";
        let (reason, hint) = match self.cause {
            Cause::Alone { limit } => {
                (format!("the limit of `host_memory` is {}", size(limit)), None)
            }
            Cause::Together { taken, limit } => {
                let (taken, limit) = (size(taken), size(limit));
                let reason = format!("{taken} of the {limit} that `host_memory` allows are taken");
                (reason, Some("`del` what is not needed any more"))
            }
            Cause::Machine { left } => {
                let reason = format!("the machine has {} left", size(left));
                return Fault::new(
                    ErrorKind::Memory,
                    format!("{what} needs {needed}, and {reason}"),
                );
            }
        };
        let message = format!("{what} needs {needed}, and {reason}");
        let mut fault = Fault::new(ErrorKind::Memory, message);
        fault.hints.extend(hint.into_iter().chain([setting]).map(str::to_string));
        fault
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn take(budget: &Budget, bytes: usize) -> Result<(), String> {
        budget.take(bytes, || "a list".to_string(), || 0).map_err(|fault| fault.message)
    }

    #[test]
    fn one_value_above_the_limit_is_refused_and_named() {
        let budget = Budget::new(1 << 20);
        assert_eq!(take(&budget, 1 << 10), Ok(()));
        let message = take(&budget, 2 << 20).unwrap_err();
        assert_eq!(message, "a list needs 2.0 MiB, and the limit of `host_memory` is 1.0 MiB");
        let message = take(&budget, usize::MAX).unwrap_err();
        assert!(message.starts_with("a list needs more bytes than can be counted"), "{message}");
        budget.set_limit(4 << 20);
        assert_eq!(take(&budget, 2 << 20), Ok(()));
    }

    #[test]
    fn what_is_not_there_is_refused_whatever_the_limit() {
        let budget = Budget::new(usize::MAX);
        if host::available().is_some() {
            let message = take(&budget, 1 << 50).unwrap_err();
            assert!(message.contains("the machine has"), "{message}");
        }
    }

    #[test]
    fn many_small_values_count_together() {
        let process = Rc::new(Cell::new(7 << 30));
        let resident = process.clone();
        let budget = Budget::measured_by(move || Some(resident.get()), 64 << 20);
        let taken = (0..256).find_map(|taken| match take(&budget, 1 << 20) {
            Ok(()) => {
                process.set(process.get() + (1 << 20));
                None
            }
            Err(message) => Some((taken, message)),
        });
        let (taken, message) = taken.expect("a quarter of a GiB is more than 64 MiB");
        assert!((64..64 + 16).contains(&taken), "{taken}");
        assert!(message.contains("that `host_memory` allows are taken"), "{message}");
        process.set(7 << 30);
        assert_eq!(take(&budget, 32 << 20), Ok(()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_can_be_measured() {
        assert!(host::resident().is_some_and(|bytes| bytes > 1 << 20));
    }
}
