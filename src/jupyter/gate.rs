//! Interrupts and the cells that they are meant for.
//!
//! A cell counts from the moment its request has been read from the socket: an interrupt from then
//! on ends it, even if it has not begun. While no cell counts, an interrupt means nothing. What a widget
//! asks for counts as a cell.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::Interrupt;

/// Shared by the threads that read requests, and the one that runs cells.
#[derive(Debug, Clone)]
pub struct Gate {
    interrupt: Interrupt,
    /// Cells that were asked for and have not ended.
    cells: Arc<Mutex<usize>>,
}

impl Gate {
    pub fn new(interrupt: Interrupt) -> Gate {
        Gate { interrupt, cells: Arc::default() }
    }

    /// A request for a cell has arrived.
    pub fn admit(&self) {
        let mut cells = self.cells();
        if *cells == 0 {
            self.interrupt.clear();
        }
        *cells += 1;
    }

    /// A cell has ended. An interrupt that it noticed is used up; one that came too late is left for
    /// the cells that wait behind it.
    pub fn leave(&self, was_interrupted: bool) {
        let mut cells = self.cells();
        *cells = cells.saturating_sub(1);
        if was_interrupted {
            self.interrupt.clear();
        }
    }

    /// The user wants what runs to end.
    pub fn interrupt(&self) {
        if *self.cells() > 0 {
            self.interrupt.raise();
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    fn cells(&self) -> MutexGuard<'_, usize> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_meets_the_cell_it_was_meant_for() {
        let gate = Gate::new(Interrupt::default());
        gate.interrupt();
        assert!(!gate.is_interrupted(), "nothing ran");
        gate.admit();
        gate.interrupt();
        gate.admit();
        assert!(gate.is_interrupted(), "a request behind it does not take it away");
        gate.leave(true);
        assert!(!gate.is_interrupted(), "it was used up");
        gate.interrupt();
        gate.leave(false);
        gate.admit();
        assert!(!gate.is_interrupted(), "it came too late for any cell");
    }
}
