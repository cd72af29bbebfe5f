//! Where computed elements lie. A storage holds real elements only: a complex element is two of them, its
//! parts, so that back ends, which see storages, know nothing of complex numbers, and the parts are views
//! of the same memory.

use std::ops::Range;
use std::sync::Arc;

use crate::device::{Storage, View};
use crate::dtype::DType;
use crate::ir::Access;
use crate::layout::Layout;

/// Computed elements.
#[derive(Clone)]
pub(super) struct Leaf {
    pub storage: Arc<Storage>,
    /// Counts in elements of `dtype`.
    pub layout: Layout,
    /// The storage's own type, or the complex type of which it holds the parts.
    pub dtype: DType,
}

/// What of an element an operand of a program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// All of a real element.
    Whole,
    Real,
    Imag,
    /// Both parts of a complex element, which a last axis of the program counts.
    Both,
}

impl Part {
    /// How many of the storage's elements one of the leaf's takes.
    const fn width(self) -> usize {
        match self {
            Part::Whole => 1,
            Part::Real | Part::Imag | Part::Both => 2,
        }
    }

    /// The way to the part of elements that are reached so, in elements of the storage.
    pub fn access(self, access: &Access) -> Access {
        let width = self.width() as isize;
        let mut access = access.clone();
        access.offset = self.place(access.offset);
        access.strides.iter_mut().for_each(|stride| *stride *= width);
        access.gathered.iter_mut().for_each(|(_, stride)| *stride *= width);
        access
    }

    /// Where the part of an element stands in the storage.
    pub const fn place(self, element: usize) -> usize {
        match self {
            Part::Whole => element,
            Part::Real | Part::Both => 2 * element,
            Part::Imag => 2 * element + 1,
        }
    }
}

/// How many elements of a storage one of `dtype` takes.
pub(super) const fn width(dtype: DType) -> usize {
    if dtype.is_complex() { 2 } else { 1 }
}

impl Leaf {
    /// Elements of a storage in its own type.
    pub fn of(storage: Arc<Storage>, layout: Layout) -> Leaf {
        Leaf { dtype: storage.dtype(), storage, layout }
    }

    /// Whether both are the same elements in the same order.
    pub fn is_same(&self, other: &Leaf) -> bool {
        Arc::ptr_eq(&self.storage, &other.storage)
            && self.layout == other.layout
            && self.dtype == other.dtype
    }

    /// The same elements, or some of them, in another order.
    pub fn with(&self, layout: Layout) -> Leaf {
        Leaf { storage: self.storage.clone(), layout, dtype: self.dtype }
    }

    /// The range of the storage's elements that it touches.
    pub fn extent(&self) -> Range<usize> {
        let extent = self.layout.extent();
        let width = width(self.dtype);
        extent.start * width..extent.end * width
    }

    /// Whether the storage holds nothing but this many elements.
    pub fn has_all_of(&self, count: usize) -> bool {
        self.storage.is_origin() && self.storage.len() == count * width(self.dtype)
    }

    /// One part of complex elements, as real ones that lie in the same memory.
    pub fn part(&self, part: Part) -> Leaf {
        debug_assert!(self.dtype.is_complex() && matches!(part, Part::Real | Part::Imag));
        let layout = Layout {
            shape: self.layout.shape.clone(),
            strides: self.layout.strides.iter().map(|stride| stride * 2).collect(),
            offset: part.place(self.layout.offset),
        };
        Leaf { storage: self.storage.clone(), layout, dtype: self.dtype.part() }
    }

    /// What a back end takes; of real elements only.
    pub fn view(&self) -> View<'_> {
        debug_assert!(!self.dtype.is_complex(), "a back end takes the parts of complex elements");
        View { storage: &self.storage, layout: &self.layout }
    }
}
