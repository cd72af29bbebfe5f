//! Powers, as NumPy has them: small whole exponents by multiplication, else `exp(b log a)`.

use super::{Complex, Formulas};
use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, CompareOp, Op};

/// Exponents of a larger magnitude go through the logarithm.
const WHOLE: f64 = 100.0;

/// Bits of the exponents below that.
const BITS: u32 = 7;

impl Formulas<'_> {
    pub(super) fn power(&mut self, a: Complex, b: Complex) -> Complex {
        let general = {
            let own = self.part;
            let builder = &mut *self.builder;
            let mut wide = Formulas { builder, part: DType::F64 };
            let wide_a = a.map(|part| wide.builder.cast(part, DType::F64));
            let wide_b = b.map(|part| wide.builder.cast(part, DType::F64));
            let log = wide.log(wide_a);
            let exponent = wide.product(wide_b, log);
            wide.exp(exponent).map(|part| self.builder.cast(part, own))
        };
        let whole = self.whole_power(a, b);
        let is_real = self.is_zero(b.im);
        let magnitude = self.abs(b.re);
        let is_small = self.is_than(CompareOp::Lt, magnitude, WHOLE);
        let cut = self.of(crate::ir::UnaryOp::Trunc, b.re);
        let is_whole = self.is(CompareOp::Eq, cut, b.re);
        let is_whole = self.and(is_whole, is_small);
        let is_whole = self.and(is_whole, is_real);
        let value = self.pick_both(is_whole, whole, general);
        // Of zero: zero, if the exponent's real part is positive.
        let (zero, nan) = (self.number(0.0), self.nan());
        let is_positive = self.is_than(CompareOp::Gt, b.re, 0.0);
        let re = self.pick(is_positive, zero, nan);
        let of_zero = self.both_zero(a);
        let value = self.pick_both(of_zero, Complex { re, im: re }, value);
        let no_exponent = self.both_zero(b);
        let one = Complex { re: self.number(1.0), im: zero };
        self.pick_both(no_exponent, one, value)
    }

    /// By squares, for the bits of an exponent below [`WHOLE`].
    fn whole_power(&mut self, a: Complex, b: Complex) -> Complex {
        let magnitude = self.abs(b.re);
        let (zero, most) = (self.number(0.0), self.number(WHOLE));
        // A float that no integer is would be cast to anything.
        let limited = self.join(BinaryOp::Fmin, magnitude, most);
        let exponent = self.builder.cast(limited, DType::I64);
        let mut result = Complex { re: self.number(1.0), im: zero };
        let mut square = a;
        for bit in 0..BITS {
            if bit > 0 {
                square = self.product(square, square);
            }
            let mask = self.builder.constant(Scalar::Int(1 << bit), DType::I64);
            let set = self.builder.push(Op::Binary(BinaryOp::BitAnd, exponent, mask), DType::I64);
            let is_set = self.is(CompareOp::Eq, set, mask);
            // The first factor is taken as it is: one times infinity would be NaN.
            let product = self.product(result, square);
            let lower = self.builder.constant(Scalar::Int((1 << bit) - 1), DType::I64);
            let before =
                self.builder.push(Op::Binary(BinaryOp::BitAnd, exponent, lower), DType::I64);
            let nothing = self.builder.constant(Scalar::Int(0), DType::I64);
            let is_first = self.is(CompareOp::Eq, before, nothing);
            let product = self.pick_both(is_first, square, product);
            result = self.pick_both(is_set, product, result);
        }
        let one = Complex { re: self.number(1.0), im: zero };
        let inverse = self.quotient(one, result);
        let is_negative = self.is_than(CompareOp::Lt, b.re, 0.0);
        self.pick_both(is_negative, inverse, result)
    }
}
