//! Sets of registers.

use super::Reg;

/// A set of registers, a bit for each.
#[derive(Debug, Clone, Default)]
pub struct Registers(Vec<u64>);

impl Registers {
    pub fn insert(&mut self, register: Reg) {
        let (word, bit) = place(register);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    pub fn remove(&mut self, register: Reg) {
        let (word, bit) = place(register);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    pub fn contains(&self, register: Reg) -> bool {
        let (word, bit) = place(register);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    pub fn unite(&mut self, other: &Registers) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Keeps those that the other set has, too.
    pub fn intersect(&mut self, other: &Registers) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }
}

fn place(register: Reg) -> (usize, u64) {
    (usize::from(register / 64), 1 << (register % 64))
}
