//! How deep calls and values are inside each other, and room on the native stack for that.
//!
//! Calls of the program's functions are frames on the heap. What a built-in function calls back, and
//! what walks through values that hold each other, takes the stack of the process, which is therefore
//! made longer where it comes to its end.

use std::cell::Cell;
use std::rc::Rc;

use super::shared::{Contents, Shared};
use super::undo::Journal;
use super::{Evaluator, Value};
use crate::diag::{ErrorKind, Fault};
pub use crate::syntax::with_room;

/// As many calls of the program's functions may be inside each other, and as many values where
/// something walks through them, unless the program says otherwise; CPython's limit.
const LIMIT: usize = 1000;
/// The most that may be on the native stack, whatever the program says.
const MOST_NATIVE: usize = 100_000;

/// Levels of values that take less than the reserve together.
const LEVELS: usize = 8;

/// How deep it is at present.
#[derive(Debug)]
pub struct Depth {
    /// Calls of the program's functions.
    pub(super) frames: Cell<usize>,
    /// Values, and machines inside built-in functions.
    values: Cell<usize>,
    pub(super) machines: Cell<usize>,
    /// What `sys.setrecursionlimit` said, and what holds while a statement runs.
    chosen: Rc<Shared<Limit>>,
    limit: Cell<usize>,
}

/// How deep it may become.
#[derive(Debug, Clone)]
struct Limit(usize);

impl Contents for Limit {
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    fn bytes(&self) -> usize {
        size_of::<Limit>()
    }
}

impl Default for Depth {
    fn default() -> Depth {
        let chosen = Rc::new(Shared::from(Limit(LIMIT)));
        let (frames, values, machines) = Default::default();
        Depth { frames, values, machines, chosen, limit: Cell::new(LIMIT) }
    }
}

impl Depth {
    /// Nothing runs any more.
    pub fn clear(&self) {
        self.frames.set(0);
        self.values.set(0);
        self.machines.set(0);
    }

    /// How deep it may become.
    #[inline(always)]
    pub fn limit(&self) -> usize {
        self.limit.get()
    }

    /// The same for what takes the native stack.
    pub fn native_limit(&self) -> usize {
        self.limit().min(MOST_NATIVE)
    }

    /// `sys.setrecursionlimit`
    pub fn choose(&self, journal: &Journal, limit: usize) {
        self.chosen.change(journal).0 = limit;
        self.begin();
    }

    /// A statement begins: what was chosen may have been taken back.
    pub fn begin(&self) {
        self.limit.set(self.chosen.borrow().0);
    }
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
    /// RecursionError beyond the limit, and those of `look`.
    pub fn deeper<T, E: From<Fault>>(
        &self,
        doing: &str,
        look: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let values = &self.interp.depth.values;
        let before = values.get();
        if before >= self.interp.depth.native_limit() {
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
