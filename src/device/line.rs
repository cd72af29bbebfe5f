//! Short rows in memory that the host reaches: what is done with them at once, where a program would
//! take longer to begin than to run. The results are those of programs, to the last bit.

use super::Storage;
use crate::dtype::{Bits, DType};
use crate::ir::{MapOp, ReduceOp};
use crate::layout::Layout;

/// Elements of a storage that stand at equal distances.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub storage: &'a Storage,
    /// The first one, and where the next stands from each.
    pub start: usize,
    pub step: isize,
    pub len: usize,
}

/// What takes part in an operation: elements, one number for all, as its type holds it, or the whole numbers from one
/// on, which are int64.
#[derive(Debug, Clone, Copy)]
pub enum Term<'a> {
    Line(Line<'a>),
    Number(Bits, DType),
    Count(usize),
}

impl<'a> Term<'a> {
    pub fn dtype(&self) -> DType {
        match self {
            Term::Line(line) => line.dtype(),
            Term::Number(_, dtype) => *dtype,
            Term::Count(_) => DType::I64,
        }
    }

    /// As [`Line::part`]; a number is one for all.
    #[inline]
    pub fn part(&self, first: usize, most: usize) -> Term<'a> {
        match self {
            Term::Line(line) => Term::Line(line.part(first, most)),
            Term::Count(from) => Term::Count(from + first),
            number => *number,
        }
    }
}

impl<'a> Line<'a> {
    /// The elements of a layout in row-major order. `None` where they are none, more than `most`, or
    /// no line.
    #[inline]
    pub fn of(storage: &'a Storage, layout: &Layout, most: usize) -> Option<Line<'a>> {
        let (mut len, mut step, mut is_line) = (1usize, 1, true);
        for (extent, stride) in layout.shape.iter().zip(&layout.strides) {
            if *extent != 1 {
                is_line &= len == 1;
                (len, step) = (len.saturating_mul(*extent), *stride);
            }
        }
        if !(1..=most).contains(&len) {
            return None;
        }
        if !is_line {
            if !layout.is_contiguous() {
                return None;
            }
            step = 1;
        }
        Some(Line { storage, start: layout.offset, step, len })
    }

    pub fn dtype(&self) -> DType {
        self.storage.dtype()
    }

    /// The first element and the one behind the last, in the order of memory.
    pub fn extent(&self) -> (usize, usize) {
        let reach = (self.len as isize - 1) * self.step;
        let other = (self.start as isize + reach) as usize;
        (self.start.min(other), self.start.max(other) + 1)
    }

    /// At most `most` elements, from the one numbered `first` on.
    #[inline]
    pub fn part(&self, first: usize, most: usize) -> Line<'a> {
        let start = self.start.wrapping_add_signed(first as isize * self.step);
        Line { start, len: (self.len - first).min(most), ..*self }
    }

    /// Whether an element of the one is another element of the other.
    pub fn meets(&self, other: &Line<'_>) -> bool {
        let is_same = (self.start, self.step, self.len) == (other.start, other.step, other.len);
        let ((low, high), (from, to)) = (self.extent(), other.extent());
        std::ptr::eq(self.storage, other.storage) && !is_same && low < to && from < high
    }
}

/// A back end that works on lines at once. Lines that are written have no element twice, and meet
/// none that is read but at the same place.
pub trait Lines {
    /// How many elements a line may have.
    fn most(&self) -> usize;

    /// How many elements of a type a line that is folded or mapped may have, if they lie side by side.
    fn most_dense(&self, dtype: DType) -> usize;

    /// `to[i] = element`
    fn fill(&self, to: Line<'_>, element: Bits);

    /// `to[i] = from[i]`, of one type.
    fn copy(&self, from: Line<'_>, to: Line<'_>);

    /// `to[i] = op(terms[0][i], …)`, of as many terms as the operation takes and types that it has; none is complex.
    ///
    /// # Panics
    /// For an operation that has no result for some operands.
    fn map(&self, op: MapOp, terms: &[Term<'_>], to: Line<'_>);

    /// What `op` makes of the elements: as their type holds it, or int64 for a position. `None` for
    /// types that are left to programs.
    fn fold(&self, op: ReduceOp, from: Line<'_>) -> Option<[u8; 8]>;

    /// The same of as many lines as `to` has elements, each `apart` elements behind the one before. False, and nothing
    /// done, for types that are left to programs.
    fn fold_each(&self, op: ReduceOp, first: Line<'_>, apart: isize, to: Line<'_>) -> bool;
}
