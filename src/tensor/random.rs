//! The session's random stream: which numbers were taken already.

use super::{Engine, Error, RandomKind, Tensor};
use crate::dtype::DType;
use crate::layout::Shape;

/// A position in the counter-based stream of a seed.
#[derive(Debug, Clone, Default)]
pub(super) struct Stream {
    seed: u64,
    counter: u64,
}

impl Stream {
    pub fn position(&self) -> (u64, u64) {
        (self.seed, self.counter)
    }

    /// Takes `blocks` of the generator.
    pub fn advance(&mut self, blocks: u64) {
        self.counter = self.counter.wrapping_add(blocks);
    }
}

impl Engine {
    /// Begins the stream of `seed` anew: the same calls give the same numbers on every device.
    pub fn seed(&self, seed: u64) {
        *self.random.borrow_mut() = Stream { seed, counter: 0 };
    }

    /// Seed and position, for undoing a statement that failed.
    pub fn random_position(&self) -> (u64, u64) {
        self.random.borrow().position()
    }

    pub fn set_random_position(&self, (seed, counter): (u64, u64)) {
        *self.random.borrow_mut() = Stream { seed, counter };
    }

    /// The numbers below `count` in random order: int64.
    ///
    /// # Errors
    /// MemoryError.
    pub fn permutation(&self, count: usize) -> Result<Tensor, Error> {
        // 63 random bits a place: ties are as good as impossible, and the sort is stable.
        let kind = RandomKind::Integer { low: 0, high: i64::MAX };
        let keys = self.random(kind, &Shape::from([count]), DType::I64)?;
        self.argsort(&keys, 0, false)
    }
}
