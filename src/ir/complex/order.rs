//! Order: by the real parts, and where those are equal by the imaginary ones. A number is NaN if a part of
//! it is, and what is NaN compares with nothing.

use super::{Complex, Formulas};
use crate::ir::{CompareOp, Reg, UnaryOp};

impl Formulas<'_> {
    pub(super) fn ordered(&mut self, op: CompareOp, a: Complex, b: Complex) -> Reg {
        let (re, im) = (self.is(op, a.re, b.re), self.is(op, a.im, b.im));
        let strict = match op {
            CompareOp::Eq => return self.and(re, im),
            CompareOp::Ne => return self.or(re, im),
            CompareOp::Lt | CompareOp::Le => CompareOp::Lt,
            CompareOp::Gt | CompareOp::Ge => CompareOp::Gt,
        };
        let re = self.is(strict, a.re, b.re);
        let (a_is_nan, b_is_nan) = (self.is_nan(a.im), self.is_nan(b.im));
        let is_nan = self.or(a_is_nan, b_is_nan);
        let are_numbers = self.not(is_nan);
        let differs = self.and(re, are_numbers);
        let is_same = self.is(CompareOp::Eq, a.re, b.re);
        let decides = self.and(is_same, im);
        self.or(differs, decides)
    }

    /// The first where it compares so with the second, else the second. NaN wins or loses.
    pub(super) fn first_unless(
        &mut self,
        a: Complex,
        b: Complex,
        op: CompareOp,
        nan_wins: bool,
    ) -> Complex {
        let is_first = self.ordered(op, a, b);
        let is_nan = self.either(UnaryOp::IsNan, if nan_wins { a } else { b });
        let is_first = self.or(is_first, is_nan);
        self.pick_both(is_first, a, b)
    }
}
