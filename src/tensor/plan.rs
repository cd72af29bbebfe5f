//! Plans: what a piece of the graph becomes, kept by the shape of that piece.

use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::leaf::Part;
use crate::device::Memo;
use crate::dtype::Scalar;
use crate::ir::{Access, Program, Reg, Space};

/// How to compute one node: a program, where it runs, and how it reaches the leaves below the node.
/// Storages and offsets are no part of it, so a statement in a loop finds its plan again.
#[derive(Debug)]
pub(super) struct Plan {
    pub program: Arc<Program>,
    pub space: Space,
    /// What each input is: a leaf, in the order of the walk.
    pub inputs: SmallVec<[Bound; 4]>,
    /// What each output is: a target, in the order of the roots.
    pub outputs: SmallVec<[Bound; 2]>,
    /// How each input and then each output is reached. The offsets are those of the latest launch.
    pub accesses: RefCell<Vec<Access>>,
    /// What the back end remembers of the launch.
    pub memo: Memo,
    /// The number, in the order of the walk, of the node behind each instruction that can fail.
    pub fallible: Vec<(Reg, u32)>,
}

/// Elements, or a part of complex ones, that are an operand of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub leaf: u16,
    pub part: Part,
}

impl Plan {
    /// How the inputs and then the outputs are reached that lie at these offsets.
    pub fn reach(&self, offsets: impl Iterator<Item = usize>) -> Ref<'_, [Access]> {
        for (access, offset) in self.accesses.borrow_mut().iter_mut().zip(offsets) {
            access.offset = offset;
        }
        Ref::map(self.accesses.borrow(), Vec::as_slice)
    }
}

/// Describes a piece of graph so exactly that equal keys have equal plans.
pub(super) type Key = Vec<u64>;

/// A constant in a key: its kind and its bits.
pub(super) fn words(value: Scalar) -> [u64; 3] {
    match value {
        Scalar::Bool(value) => [0, u64::from(value), 0],
        Scalar::Int(value) => [1, value as u64, 0],
        Scalar::Float(value) => [2, value.to_bits(), 0],
        Scalar::Wide(value) => [3, value, 0],
        Scalar::Complex(value) => [4, value.re.to_bits(), value.im.to_bits()],
    }
}

/// More plans than this are forgotten together: a loop over ever new shapes must not keep them all.
const MAX_PLANS: usize = 4096;

/// How often plans were found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanCounts {
    pub kept: usize,
    pub hits: u64,
    pub misses: u64,
}

#[derive(Debug, Default)]
pub(super) struct PlanCache {
    plans: FxHashMap<Key, Rc<Plan>>,
    /// What plans with constants were made for, whatever the values of those were.
    numbers: FxHashSet<Key>,
    pub hits: u64,
    pub misses: u64,
}

impl PlanCache {
    pub fn counts(&self) -> PlanCounts {
        PlanCounts { kept: self.plans.len(), hits: self.hits, misses: self.misses }
    }

    pub fn find(&mut self, key: &[u64]) -> Option<Rc<Plan>> {
        let found = self.plans.get(key).cloned();
        match found {
            Some(_) => self.hits += 1,
            None => self.misses += 1,
        }
        found
    }

    /// As [`PlanCache::find`], after a search that found nothing.
    pub fn find_again(&mut self, key: &[u64]) -> Option<Rc<Plan>> {
        self.misses -= 1;
        self.find(key)
    }

    /// Whether this was asked for before.
    pub fn has_other_numbers(&mut self, key: Key) -> bool {
        !self.numbers.insert(key)
    }

    pub fn insert(&mut self, key: Key, plan: Rc<Plan>) {
        if self.plans.len() >= MAX_PLANS {
            self.plans.clear();
            self.numbers.clear();
        }
        self.plans.insert(key, plan);
    }
}
