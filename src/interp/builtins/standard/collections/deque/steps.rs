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

    fn take_back(&mut self, step: EndStep) -> EndStep {
        let nothing = EndStep::Rotated(0);
        match step {
            EndStep::Pushed { is_left } => {
                let gone = if is_left { self.pop_front() } else { self.pop_back() };
                gone.map_or(nothing, |item| EndStep::Popped { is_left, item })
            }
            EndStep::Popped { is_left, item } => {
                if is_left {
                    self.push_front(item);
                } else {
                    self.push_back(item);
                }
                EndStep::Pushed { is_left }
            }
            EndStep::Shoved { is_left, item } => {
                let gone = if is_left {
                    self.push_back(item);
                    self.pop_front()
                } else {
                    self.push_front(item);
                    self.pop_back()
                };
                gone.map_or(nothing, |item| EndStep::Shoved { is_left: !is_left, item })
            }
            EndStep::At(at, item) => match self.get_mut(at) {
                Some(place) => EndStep::At(at, std::mem::replace(place, item)),
                None => nothing,
            },
            EndStep::Gone(at, item) => {
                let at = at.min(self.len());
                self.insert(at, item);
                EndStep::Come(at)
            }
            EndStep::Come(at) => self.remove(at).map_or(nothing, |item| EndStep::Gone(at, item)),
            EndStep::Rotated(by) => {
                let by = by.min(self.len());
                self.rotate_left(by);
                EndStep::Rotated(self.len() - by)
            }
            EndStep::Turned => {
                self.make_contiguous().reverse();
                EndStep::Turned
            }
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
