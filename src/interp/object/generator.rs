//! Generators: a call that waits between two of its items.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::ends::{Ending, Watch};
use super::function::{Closure, visit_own};
use crate::interp::collect::{Container, Part};
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Contents, Shared, Slot};
use crate::interp::value::Value;

/// What a function with `yield` gives when it is called.
pub struct Generator {
    pub function: Rc<Closure>,
    pub state: Rc<Shared<State>>,
    /// Where something may stand around its `yield`.
    pub(in crate::interp) watch: Cell<Option<Watch>>,
}

impl Drop for Generator {
    fn drop(&mut self) {
        if let Some(watch) = self.watched()
            && self.has_end()
        {
            let (function, state) = (self.function.clone(), self.state.clone());
            let again = Generator { function, state, watch: Cell::default() };
            watch.note(|| Ending::Generator(Rc::new(again)));
        }
    }
}

impl Generator {
    /// What stands behind the dot, but for its methods.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let code = &self.function.code;
        let state = self.state.try_borrow();
        let is_running = state.as_deref().is_none_or(|state| matches!(state, State::Running));
        let is_suspended = matches!(state.as_deref(), Some(State::Waiting(w)) if w.has_begun);
        Some(match name {
            "__name__" => Value::str(&**code.name),
            "__qualname__" => Value::str(&**code.qualified_name),
            "gi_code" => super::code_of(&self.function),
            "gi_running" => Value::Bool(is_running),
            "gi_suspended" => Value::Bool(is_suspended),
            "gi_yieldfrom" => self.source().unwrap_or(Value::None),
            _ => return None,
        })
    }
}

/// How far it is.
#[derive(Debug, Clone)]
pub enum State {
    Waiting(Box<Extra>),
    Running,
    Done,
}

/// What few frames have, and of a generator all that is kept while it waits.
#[derive(Debug, Clone, Default)]
pub struct Extra {
    /// The variables that functions inside share.
    pub cells: SmallVec<[Slot; 4]>,
    /// The generator whose frame it is, while it runs.
    pub generator: Option<Rc<Generator>>,
    /// A generator's registers while it waits; while it runs, places for them that hold nothing.
    pub kept: Vec<Value>,
    /// The next operation of a generator that waits.
    pub pc: usize,
    /// Whether a generator has begun: only then can something be sent in.
    pub has_begun: bool,
}

impl Contents for State {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        if let State::Waiting(waiting) = self {
            waiting.kept.iter().for_each(&mut *look);
            visit_own(&waiting.cells, look);
        }
    }

    fn bytes(&self) -> usize {
        match self {
            State::Waiting(waiting) => size_of_val(waiting.kept.as_slice()),
            State::Running | State::Done => 0,
        }
    }

    fn let_go(&mut self) {
        let_go(std::mem::replace(self, State::Done));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        let part: Rc<dyn Part> = cell.clone();
        Some(Container::Part(Rc::downgrade(&part)))
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<generator object {}>", &**self.function.code.qualified_name)
    }
}
