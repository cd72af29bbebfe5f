//! Hyperbolic functions, from which the circular ones follow by a turn of a right angle.

use super::{Complex, Formulas};
use crate::dtype::DType;
use crate::ir::{CompareOp, Reg, UnaryOp};

impl Formulas<'_> {
    /// `cosh re` and `sinh re` in two factors each, which overflow only where the function itself does.
    fn halves(&mut self, x: Reg) -> (Reg, Reg, Reg) {
        let limit = if self.part == DType::F64 { 709.0 } else { 88.0 };
        let magnitude = self.abs(x);
        let is_finite = self.is_finite(x);
        let is_long = self.is_than(CompareOp::Gt, magnitude, limit);
        let is_large = self.and(is_finite, is_long);
        let half = self.times(magnitude, 0.5);
        let e = self.of(UnaryOp::Exp, half);
        let (usual, one) = (self.of(UnaryOp::Cosh, x), self.number(1.0));
        let half_e = self.times(e, 0.5);
        let cosh = self.pick(is_large, half_e, usual);
        let usual = self.of(UnaryOp::Sinh, x);
        let signed = self.signed(half_e, x);
        let sinh = self.pick(is_large, signed, usual);
        (cosh, sinh, self.pick(is_large, e, one))
    }

    pub(super) fn sinh(&mut self, z: Complex) -> Complex {
        let (cosh, sinh, rest) = self.halves(z.re);
        let (cos, sin) = (self.of(UnaryOp::Cos, z.im), self.of(UnaryOp::Sin, z.im));
        let value = Complex { re: self.mul(sinh, cos), im: self.mul(cosh, sin) };
        let value = value.map(|part| self.mul(part, rest));
        let no_angle = self.no_angle(z);
        let (is_up, is_real) = (self.is_zero(z.re), self.is_zero(z.im));
        let stays = self.and(is_up, no_angle);
        let value = Complex {
            re: self.pick(stays, z.re, value.re),
            im: self.pick(is_real, z.im, value.im),
        };
        self.far_out(z, no_angle, value)
    }

    pub(super) fn cosh(&mut self, z: Complex) -> Complex {
        let (cosh, sinh, rest) = self.halves(z.re);
        let (cos, sin) = (self.of(UnaryOp::Cos, z.im), self.of(UnaryOp::Sin, z.im));
        let value = Complex { re: self.mul(cosh, cos), im: self.mul(sinh, sin) };
        let value = value.map(|part| self.mul(part, rest));
        // On the axes the imaginary part is zero: with the sign of the parts' product on the real one.
        let (one, zero) = (self.number(1.0), self.number(0.0));
        let (is_nan, sign) = (self.is_nan(z.re), self.signed(one, z.re));
        let sign = self.pick(is_nan, one, sign);
        let other = self.signed(one, z.im);
        let sign = self.mul(sign, other);
        let on_axis = self.signed(zero, sign);
        let no_angle = self.no_angle(z);
        let (is_up, is_real) = (self.is_zero(z.re), self.is_zero(z.im));
        let im = self.pick(is_real, on_axis, value.im);
        let is_lost = self.and(is_up, no_angle);
        let value = Complex { re: value.re, im: self.pick(is_lost, zero, im) };
        self.far_out(z, no_angle, value)
    }

    /// The sine, whose imaginary part is taken for positive where nothing tells its sign.
    pub(super) fn sin(&mut self, z: Complex) -> Complex {
        let value = self.turned(z, |f, z| f.sinh(z));
        let (is_high, has_angle) = (self.is_infinite(z.im), self.is_finite(z.re));
        let no_angle = self.not(has_angle);
        let (is_lost, length) = (self.and(is_high, no_angle), self.abs(z.im));
        Complex { re: value.re, im: self.pick(is_lost, length, value.im) }
    }

    /// Whether the imaginary part is no angle.
    fn no_angle(&mut self, z: Complex) -> Reg {
        let has_angle = self.is_finite(z.im);
        self.not(has_angle)
    }

    /// An infinite real part without an angle: the sign of the infinity is taken for positive.
    fn far_out(&mut self, z: Complex, no_angle: Reg, value: Complex) -> Complex {
        let (is_infinite, nan) = (self.is_infinite(z.re), self.nan());
        let (is_far, length) = (self.and(is_infinite, no_angle), self.abs(z.re));
        self.pick_both(is_far, Complex { re: length, im: nan }, value)
    }

    /// W. Kahan's formula, in terms of the tangent of the angle and of the hyperbolic sine.
    pub(super) fn tanh(&mut self, z: Complex) -> Complex {
        let length = self.abs(z.re);
        let limit = if self.part == DType::F64 { 22.0 } else { 11.0 };
        let (t, s) = (self.of(UnaryOp::Tan, z.im), self.of(UnaryOp::Sinh, z.re));
        let (t2, s2) = (self.mul(t, t), self.mul(s, s));
        let (beta, one_s2) = (self.plus(t2, 1.0), self.plus(s2, 1.0));
        let rho = self.of(UnaryOp::Sqrt, one_s2);
        let scaled = self.mul(beta, s2);
        let divisor = self.plus(scaled, 1.0);
        let top = self.mul(beta, rho);
        let top = self.mul(top, s);
        let near = Complex { re: self.div(top, divisor), im: self.div(t, divisor) };
        // Far out: ±1, and 4 sin y cos y e^(-2|x|).
        let one = self.number(1.0);
        let edge = self.signed(one, z.re);
        let (cos, sin) = (self.of(UnaryOp::Cos, z.im), self.of(UnaryOp::Sin, z.im));
        let wave = self.mul(sin, cos);
        let wave = self.times(wave, 4.0);
        let minus = self.times(length, -1.0);
        let decay = self.of(UnaryOp::Exp, minus);
        let once = self.mul(wave, decay);
        let far = Complex { re: edge, im: self.mul(once, decay) };
        let is_far = self.is_than(CompareOp::Gt, length, limit);
        let value = self.pick_both(is_far, far, near);
        // Infinite: the sign of what the wave would be; without an angle, of the angle itself.
        let has_angle = self.is_finite(z.im);
        let sign = self.pick(has_angle, wave, z.im);
        let zero = self.number(0.0);
        let infinite = Complex { re: edge, im: self.signed(zero, sign) };
        let is_infinite = self.is_infinite(z.re);
        let value = self.pick_both(is_infinite, infinite, value);
        // On the axes.
        let is_real = self.is_zero(z.im);
        let value = Complex { re: value.re, im: self.pick(is_real, z.im, value.im) };
        let (is_up, no_angle) = (self.is_zero(z.re), self.not(has_angle));
        let (is_finite, nan) = (self.is_finite(z.re), self.nan());
        let (is_lost, stays) = (self.and(is_finite, no_angle), self.and(is_up, no_angle));
        let re = self.pick(is_lost, nan, value.re);
        Complex { re: self.pick(stays, z.re, re), im: value.im }
    }
}
