//! The user's Ctrl-C, as every long loop sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Error;

/// A flag that any thread may raise; back ends look at it between blocks of work, and the
/// interpreter between operations. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// # Errors
    /// [`Error::Interrupted`] while it is raised.
    #[inline]
    pub fn heed(&self) -> Result<(), Error> {
        if self.is_raised() { Err(Error::Interrupted) } else { Ok(()) }
    }

    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler to set.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
