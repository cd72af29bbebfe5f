//! How deep calls and values are inside each other, and room on the native stack for that.
//!
//! Calls of the program's functions are frames on the heap. What a built-in function calls back, and
//! what walks through values that hold each other, takes the stack of the process, which is therefore
//! made longer where it comes to its end.

use std::cell::Cell;

use super::Evaluator;
use crate::diag::{ErrorKind, Fault};

/// As many calls of the program's functions may be inside each other, and as many values where
/// something walks through them; CPython's limit.
pub const LIMIT: usize = 1000;

/// Bytes of the native stack that must be left for whatever runs until somebody looks again.
const RESERVE: usize = 512 << 10;
/// Bytes that are added at a time.
const PIECE: usize = 8 << 20;
/// Levels of values that take less than the reserve together.
const LEVELS: usize = 8;

/// How deep it is at present.
#[derive(Debug, Default)]
pub struct Depth {
    /// Calls of the program's functions.
    pub(super) frames: Cell<usize>,
    /// Values.
    values: Cell<usize>,
}

impl Depth {
    /// Nothing runs any more.
    pub fn clear(&self) {
        self.frames.set(0);
        self.values.set(0);
    }
}

/// Runs something with room on the native stack.
pub fn with_room<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RESERVE, PIECE, run)
}

/// The error beyond the limit; `doing` ends its sentence.
#[cold]
pub fn too_deep(doing: &str) -> Fault {
    let space = if doing.is_empty() { "" } else { " " };
    let message = format!("maximum recursion depth exceeded{space}{doing}");
    Fault::new(ErrorKind::Recursion, message)
}

impl Evaluator<'_> {
    /// Looks into a value that another one holds. `doing` ends the sentence of the error.
    ///
    /// # Errors
    /// RecursionError beyond [`LIMIT`], and those of `look`.
    pub fn deeper<T, E: From<Fault>>(
        &self,
        doing: &str,
        look: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let values = &self.interp.depth.values;
        let before = values.get();
        if before >= LIMIT {
            return Err(too_deep(doing).into());
        }
        values.set(before + 1);
        let result = match before % LEVELS {
            0 => with_room(look),
            _ => look(),
        };
        values.set(before);
        result
    }
}
