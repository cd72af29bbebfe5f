//! What a transaction keeps of a queue, and how a change of one item is taken back.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::interp::collect::{self, Container};
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Contents, Shared, Stepwise};
use crate::interp::value::Value;

impl Contents for VecDeque<Value> {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().for_each(look);
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<Value>()
    }

    fn let_go(&mut self) {
        let_go(std::mem::take(self));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        let part: Rc<dyn collect::Part> = cell.clone();
        Some(Container::Part(Rc::downgrade(&part)))
    }
}

/// What a step changed in a queue.
#[derive(Debug)]
pub enum EndStep {
    Pushed {
        is_left: bool,
    },
    Popped {
        is_left: bool,
        item: Value,
    },
    /// One came, and this one fell out at the other end.
    Shoved {
        is_left: bool,
        item: Value,
    },
    /// The item at a position.
    At(usize, Value),
    /// An item that is no longer at its position.
    Gone(usize, Value),
    /// An item came to a position.
    Come(usize),
    /// So many moved from the right to the left.
    Rotated(usize),
    Turned,
}

impl Stepwise for VecDeque<Value> {
    type Step = EndStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: EndStep) {
        match step {
            EndStep::Pushed { is_left: true } => _ = self.pop_front(),
            EndStep::Pushed { is_left: false } => _ = self.pop_back(),
            EndStep::Popped { is_left: true, item } => self.push_front(item),
            EndStep::Popped { is_left: false, item } => self.push_back(item),
            EndStep::Shoved { is_left: true, item } => {
                self.pop_front();
                self.push_back(item);
            }
            EndStep::Shoved { is_left: false, item } => {
                self.pop_back();
                self.push_front(item);
            }
            EndStep::At(at, item) => {
                if let Some(place) = self.get_mut(at) {
                    *place = item;
                }
            }
            EndStep::Gone(at, item) => self.insert(at.min(self.len()), item),
            EndStep::Come(at) => _ = self.remove(at),
            EndStep::Rotated(by) => self.rotate_left(by.min(self.len())),
            EndStep::Turned => self.make_contiguous().reverse(),
        }
    }

    fn visit_step(step: &EndStep, look: &mut dyn FnMut(&Value)) {
        match step {
            EndStep::Popped { item, .. }
            | EndStep::Shoved { item, .. }
            | EndStep::At(_, item)
            | EndStep::Gone(_, item) => look(item),
            EndStep::Pushed { .. } | EndStep::Come(_) | EndStep::Rotated(_) | EndStep::Turned => {}
        }
    }
}
