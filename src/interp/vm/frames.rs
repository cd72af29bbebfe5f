//! The frames of a machine.

use std::rc::Rc;

use super::frame::{Frame, Then};
use crate::interp::object::function::Closure;
use crate::interp::shared::Slot;

/// The frame that runs, and below it those that wait.
///
/// A frame stays where it was made: what is written in one piece and read in another soon after makes a
/// processor wait. So those that have been left stay as places for the next ones.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) places: Vec<Frame>,
    /// How many of them run or wait.
    pub(super) count: usize,
}

impl Frames {
    /// With this frame alone.
    pub fn beginning(mut self, first: Frame) -> Frames {
        self.places.clear();
        self.places.push(first);
        self.count = 1;
        self
    }

    /// With one for this function alone, at its first operation.
    #[inline(always)]
    pub fn begin(&mut self, function: &Rc<Closure>) {
        self.count = 1;
        match self.places.first_mut() {
            Some(place) if place.is_first_of(function) => place.go_to(0),
            Some(place) => *place = Frame::new(function.clone(), 0, Then::Stop),
            None => self.places.push(Frame::new(function.clone(), 0, Then::Stop)),
        }
    }

    /// The first one, if there is one, keeps no value.
    #[inline(always)]
    pub fn let_go_of_first(&mut self) {
        self.count = 0;
        if let Some(first) = self.places.first_mut()
            && (first.extra.is_some() || first.function.as_ref().is_some_and(|f| f.holds_values()))
        {
            first.let_go();
        }
    }

    pub fn clear(&mut self) {
        self.places.clear();
        self.count = 0;
    }

    /// A variable of the one that runs, which functions inside share.
    #[inline(always)]
    pub fn cell(&self, index: u16) -> &Slot {
        &self.top().cells()[usize::from(index)]
    }

    /// The one that runs.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        &self.places[self.count.wrapping_sub(1)]
    }

    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        &mut self.places[self.count.wrapping_sub(1)]
    }

    pub fn push_frame(&mut self, frame: Frame) {
        let Some(place) = self.places.get_mut(self.count) else {
            return self.push_growing(frame);
        };
        *place = frame;
        self.count += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_growing(&mut self, frame: Frame) {
        self.places.push(frame);
        self.count += 1;
    }

    /// Leaves the one that runs, if another one waits.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Then> {
        if self.count < 2 {
            return None;
        }
        let own = self.top_mut();
        let then = own.then;
        if own.extra.is_some() || own.function().holds_values() {
            own.let_go();
        }
        self.count -= 1;
        Some(then)
    }

    /// The one that runs, and the one that waits for it.
    #[inline(always)]
    pub fn top_two(&self) -> Option<(&Frame, &Frame)> {
        match self.places.get(..self.count)? {
            [.., around, own] => Some((own, around)),
            _ => None,
        }
    }

    /// Whether there is but one.
    pub fn is_last(&self) -> bool {
        self.count == 1
    }

    /// All of them, the one that runs first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.places[..self.count].iter().rev()
    }
}
