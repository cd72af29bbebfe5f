//! Left folds: the elements of a row joined one after the other, from the first on, by an operation of any kind.

use super::View;
use crate::ir::BinaryOp;

/// Rows along the last axis, and what becomes of them.
#[derive(Debug, Clone, Copy)]
pub struct LeftFold<'a> {
    /// Where it has no result for some operands, any number stands.
    pub op: BinaryOp,
    /// (…, n), of a type that is its own carrier and that the operation has a loop for.
    pub input: View<'a>,
    /// Whether these, what stands before and the results are the real parts of complex numbers, whose imaginary parts lie
    /// behind them: float32 or float64, for sums, differences, products and quotients.
    pub are_pairs: bool,
    pub sections: Option<Sections<'a>>,
    /// What stands before the first element of each section, or of each row: of the shape of `out`, which then keeps no
    /// steps. Without it the first element begins, and there is one.
    pub first: Option<View<'a>>,
    /// Whether every step is kept, and `out` has the input's shape; otherwise the last one is, and its last axis is that
    /// of the sections, or of length one. Sections keep no steps.
    pub keeps_steps: bool,
    pub out: View<'a>,
}

/// Which part of a row is folded for each result: from `starts` on, up to before `ends`. Both are int64, contiguous, of
/// one axis, and say so of every row; all places lie in it.
#[derive(Debug, Clone, Copy)]
pub struct Sections<'a> {
    pub starts: View<'a>,
    pub ends: View<'a>,
}

impl LeftFold<'_> {
    /// Elements of a row.
    pub fn row(&self) -> usize {
        self.input.layout.shape.last().copied().unwrap_or(1)
    }

    /// Results of a row, without the steps.
    pub fn results(&self) -> usize {
        self.sections.map_or(1, |sections| sections.starts.layout.elem_count())
    }

    /// All that it reads.
    pub fn reads(&self) -> impl Iterator<Item = View<'_>> {
        let sections =
            self.sections.into_iter().flat_map(|sections| [sections.starts, sections.ends]);
        [self.input].into_iter().chain(sections).chain(self.first)
    }

    pub fn read_bytes(&self) -> usize {
        self.reads().map(|view| self.bytes(view)).sum()
    }

    pub fn written_bytes(&self) -> usize {
        self.bytes(self.out)
    }

    fn bytes(&self, view: View<'_>) -> usize {
        let is_pair = self.are_pairs && view.dtype() == self.input.dtype();
        view.layout.elem_count() * view.dtype().size() * if is_pair { 2 } else { 1 }
    }
}
