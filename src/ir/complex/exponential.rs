//! Exponentials, logarithms, square roots.

use std::f64::consts::LN_2;

use super::{Complex, Formulas};
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, Reg, UnaryOp};

impl Formulas<'_> {
    /// `e^re (cos im + i sin im)`. Where the exponential alone would overflow, half of the exponent is
    /// multiplied in later, so that a small cosine brings the product back.
    pub(super) fn exp(&mut self, z: Complex) -> Complex {
        let limit = if self.part == DType::F64 { 709.0 } else { 88.0 };
        let magnitude = self.abs(z.re);
        let is_finite = self.is_finite(z.re);
        let is_long = self.is_than(CompareOp::Gt, z.re, limit);
        let is_large = self.and(is_finite, is_long);
        let half = self.times(z.re, 0.5);
        let exponent = self.pick(is_large, half, z.re);
        let (e, one) = (self.of(UnaryOp::Exp, exponent), self.number(1.0));
        let rest = self.pick(is_large, e, one);
        let (cos, sin) = (self.of(UnaryOp::Cos, z.im), self.of(UnaryOp::Sin, z.im));
        let point = Complex { re: self.mul(e, cos), im: self.mul(e, sin) };
        let point = point.map(|part| self.mul(part, rest));
        // On the real axis the result stays there, also at infinity and for NaN.
        let is_real = self.is_zero(z.im);
        let whole = self.mul(e, rest);
        let on_axis = Complex { re: whole, im: z.im };
        let point = self.pick_both(is_real, on_axis, point);
        // Infinite exponents, where the angle is none.
        let has_angle = self.is_finite(z.im);
        let no_angle = self.not(has_angle);
        let is_infinite = self.is_than(CompareOp::Eq, magnitude, f64::INFINITY);
        let is_lost = self.and(is_infinite, no_angle);
        let (is_up, zero) = (self.is_than(CompareOp::Gt, z.re, 0.0), self.number(0.0));
        let (infinity, nan) = (self.number(f64::INFINITY), self.nan());
        let small = self.signed(zero, z.im);
        let lost =
            Complex { re: self.pick(is_up, infinity, zero), im: self.pick(is_up, nan, small) };
        self.pick_both(is_lost, lost, point)
    }

    pub(super) fn exp2(&mut self, z: Complex) -> Complex {
        let scaled = z.map(|part| self.times(part, LN_2));
        self.exp(scaled)
    }

    pub(super) fn expm1(&mut self, z: Complex) -> Complex {
        let half = self.times(z.im, 0.5);
        let sine = self.of(UnaryOp::Sin, half);
        let (grown, cos) = (self.of(UnaryOp::Expm1, z.re), self.of(UnaryOp::Cos, z.im));
        let (along, square) = (self.mul(grown, cos), self.mul(sine, sine));
        let back = self.times(square, 2.0);
        let (e, sin) = (self.of(UnaryOp::Exp, z.re), self.of(UnaryOp::Sin, z.im));
        Complex { re: self.sub(along, back), im: self.mul(e, sin) }
    }

    /// The angle of a number with the positive half of the real axis.
    fn angle(&mut self, z: Complex) -> Reg {
        self.join(BinaryOp::Atan2, z.im, z.re)
    }

    pub(super) fn log(&mut self, z: Complex) -> Complex {
        Complex { re: self.log_of_magnitude(z), im: self.angle(z) }
    }

    /// Without overflow or underflow on the way, and without cancellation near the unit circle.
    fn log_of_magnitude(&mut self, z: Complex) -> Reg {
        let (x, y) = (self.abs(z.re), self.abs(z.im));
        let (large, small) = (self.join(BinaryOp::Max, x, y), self.join(BinaryOp::Min, x, y));
        // A power of two that brings both far from the ends of the range.
        let (is_huge, is_tiny) = (
            self.is_than(CompareOp::Gt, large, 2f64.powi(1000)),
            self.is_than(CompareOp::Lt, large, 2f64.powi(-900)),
        );
        let scale = |f: &mut Self, if_huge: f64, if_tiny: f64, usual: f64| {
            let (huge, tiny, usual) = (f.number(if_huge), f.number(if_tiny), f.number(usual));
            let small = f.pick(is_tiny, tiny, usual);
            f.pick(is_huge, huge, small)
        };
        let factor = scale(self, 2f64.powi(-100), 2f64.powi(150), 1.0);
        let taken = scale(self, 100.0 * LN_2, -150.0 * LN_2, 0.0);
        let scaled = z.map(|part| self.mul(part, factor));
        let magnitude = self.hypot(scaled);
        let log = self.of(UnaryOp::Log, magnitude);
        let far = self.add(log, taken);
        // |z|² - 1 = (x - 1)(x + 1) + y²
        let (below, above) = (self.plus(large, -1.0), self.plus(large, 1.0));
        let (product, square) = (self.mul(below, above), self.mul(small, small));
        let beyond = self.add(product, square);
        let near = self.of(UnaryOp::Log1p, beyond);
        let near = self.times(near, 0.5);
        let (from, to) = (
            self.is_than(CompareOp::Gt, magnitude, 0.7),
            self.is_than(CompareOp::Lt, magnitude, 1.4),
        );
        let is_near = self.and(from, to);
        self.pick(is_near, near, far)
    }

    /// The natural logarithm times a constant.
    pub(super) fn log_over(&mut self, z: Complex, factor: f64) -> Complex {
        self.log(z).map(|part| self.times(part, factor))
    }

    pub(super) fn log1p(&mut self, z: Complex) -> Complex {
        let moved = Complex { re: self.plus(z.re, 1.0), im: z.im };
        let magnitude = self.hypot(moved);
        // |1 + z|² - 1 = re (re + 2) + im², where that is not far from nothing.
        let twice = self.plus(z.re, 2.0);
        let (product, square) = (self.mul(z.re, twice), self.mul(z.im, z.im));
        let beyond = self.add(product, square);
        let near = self.of(UnaryOp::Log1p, beyond);
        let near = self.times(near, 0.5);
        let far = self.of(UnaryOp::Log, magnitude);
        let (from, to) = (
            self.is_than(CompareOp::Gt, magnitude, 0.7),
            self.is_than(CompareOp::Lt, magnitude, 1.4),
        );
        let is_near = self.and(from, to);
        Complex { re: self.pick(is_near, near, far), im: self.angle(moved) }
    }

    /// By the square root of half of the real part's magnitude and the whole's, whose sum does not cancel.
    pub(super) fn sqrt(&mut self, z: Complex) -> Complex {
        let (x, y) = (self.abs(z.re), self.abs(z.im));
        let large = self.join(BinaryOp::Max, x, y);
        // An even power of two that brings both far from the ends of the range.
        let (is_huge, is_tiny) = (
            self.is_than(CompareOp::Gt, large, 2f64.powi(1000)),
            self.is_than(CompareOp::Lt, large, 2f64.powi(-900)),
        );
        let scale = |f: &mut Self, if_huge: f64, if_tiny: f64| {
            let (huge, tiny, usual) = (f.number(if_huge), f.number(if_tiny), f.number(1.0));
            let small = f.pick(is_tiny, tiny, usual);
            f.pick(is_huge, huge, small)
        };
        let factor = scale(self, 2f64.powi(-100), 2f64.powi(150));
        let back = scale(self, 2f64.powi(50), 2f64.powi(-75));
        let scaled = Complex { re: self.mul(z.re, factor), im: self.mul(z.im, factor) };
        let (magnitude, x) = (self.hypot(scaled), self.abs(scaled.re));
        let sum = self.add(x, magnitude);
        let half = self.times(sum, 0.5);
        let root = self.of(UnaryOp::Sqrt, half);
        let twice = self.add(root, root);
        let other = self.div(scaled.im, twice);
        let (length, turned) = (self.abs(other), self.signed(root, z.im));
        let is_right = self.is_than(CompareOp::Ge, z.re, 0.0);
        let value = Complex {
            re: self.pick(is_right, root, length),
            im: self.pick(is_right, other, turned),
        };
        let value = value.map(|part| self.mul(part, back));
        // Zero, whose other part would be zero by zero.
        let is_nothing = self.both_zero(z);
        let zero = self.number(0.0);
        let value = self.pick_both(is_nothing, Complex { re: zero, im: z.im }, value);
        // An infinite real part leaves the other at zero, or at the infinity of its sign.
        let is_long = self.is_infinite(z.re);
        let infinity = self.number(f64::INFINITY);
        let (rest, is_finite) = (self.sub(z.im, z.im), self.is_finite(z.im));
        let (nothing, turned) = (self.signed(zero, z.im), self.signed(infinity, z.im));
        let nothing = self.pick(is_finite, nothing, rest);
        let across = self.abs(nothing);
        let long = Complex {
            re: self.pick(is_right, infinity, across),
            im: self.pick(is_right, nothing, turned),
        };
        let value = self.pick_both(is_long, long, value);
        let is_high = self.is_infinite(z.im);
        self.pick_both(is_high, Complex { re: infinity, im: z.im }, value)
    }
}
