//! Masks, and what they select, counted.

use std::sync::Arc;

use super::{Storage, View};
use crate::layout::Shape;

/// Which elements are selected.
#[derive(Debug, Clone, Copy)]
pub enum Mask<'a> {
    /// Those that a bool view says.
    Elements(View<'a>),
    /// One bit an element of `shape`, in row-major order: the first is the lowest of the first byte. Those of the last
    /// byte that belong to no element are zero.
    Bits { bits: &'a Arc<Storage>, shape: &'a Shape },
}

impl<'a> Mask<'a> {
    pub fn shape(&self) -> &'a Shape {
        match self {
            Mask::Elements(view) => &view.layout.shape,
            Mask::Bits { shape, .. } => shape,
        }
    }

    pub fn storage(&self) -> &'a Storage {
        match self {
            Mask::Elements(view) => view.storage,
            Mask::Bits { bits, .. } => bits,
        }
    }

    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let count = self.shape().elem_count();
        match self {
            Mask::Elements(_) => count,
            Mask::Bits { .. } => count.div_ceil(8),
        }
    }
}

impl<'a> From<View<'a>> for Mask<'a> {
    fn from(view: View<'a>) -> Mask<'a> {
        Mask::Elements(view)
    }
}

/// How many elements of a mask are true, and what who writes what it selects need not find again.
#[derive(Debug, Default)]
pub struct Selection {
    pub count: usize,
    pub(super) kept: Kept,
}

/// As the device keeps it that has counted.
#[derive(Debug, Default)]
pub(super) enum Kept {
    /// Where nothing is selected, or nobody computes.
    #[default]
    Nothing,
    /// Where the output of each piece begins, and behind them the number of all.
    Begins(Vec<usize>),
    /// The mask's bits, and where the output of tiles begins, in memory of the device; each block has counted so many
    /// tiles.
    #[cfg(feature = "cuda")]
    Device { bits: Arc<Storage>, begins: Arc<Storage>, each: usize },
}

impl Selection {
    /// Where the output of each piece begins, and at the end the number of all.
    pub(super) fn begins(&self) -> &[usize] {
        match &self.kept {
            Kept::Begins(begins) => begins,
            _ => &[],
        }
    }

    /// What of it lies in memory of the device.
    #[cfg(feature = "cuda")]
    pub(super) fn memory(&self) -> impl Iterator<Item = &Storage> {
        let kept = match &self.kept {
            Kept::Device { bits, begins, .. } => Some([&**bits, &**begins]),
            _ => None,
        };
        kept.into_iter().flatten()
    }

    /// Of which no more is known.
    pub(super) fn of(count: usize) -> Selection {
        Selection { count, kept: Kept::Nothing }
    }
}
