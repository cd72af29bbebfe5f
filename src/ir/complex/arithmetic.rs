//! Products and quotients, to the last bit as NumPy forms them.

use super::{Complex, Formulas};
use crate::ir::{CompareOp, Reg};

impl Formulas<'_> {
    pub(super) fn negative(&mut self, z: Complex) -> Complex {
        z.map(|part| self.neg(part))
    }

    pub(super) fn product(&mut self, a: Complex, b: Complex) -> Complex {
        let (x, y) = (self.mul(a.re, b.re), self.mul(a.im, b.im));
        let (v, w) = (self.mul(a.re, b.im), self.mul(a.im, b.re));
        Complex { re: self.sub(x, y), im: self.add(v, w) }
    }

    pub(super) fn square(&mut self, z: Complex) -> Complex {
        let (x, y) = (self.mul(z.re, z.re), self.mul(z.im, z.im));
        let (v, w) = (self.mul(z.re, z.im), self.mul(z.im, z.re));
        Complex { re: self.sub(x, y), im: self.add(v, w) }
    }

    /// R. L. Smith's division, which neither overflows nor underflows where the quotient does not.
    pub(super) fn quotient(&mut self, a: Complex, b: Complex) -> Complex {
        let (re, im) = (self.abs(b.re), self.abs(b.im));
        let is_re = self.is(CompareOp::Ge, re, im);
        let (large, small) = (self.pick(is_re, b.re, b.im), self.pick(is_re, b.im, b.re));
        let ratio = self.div(small, large);
        let scaled = self.mul(small, ratio);
        let sum = self.add(large, scaled);
        let one = self.number(1.0);
        let scale = self.div(one, sum);
        let (first, second) = (self.pick(is_re, a.re, a.im), self.pick(is_re, a.im, a.re));
        let (down, across) = (self.mul(second, ratio), self.mul(first, ratio));
        let re = self.add(first, down);
        let (im, turned) = (self.sub(second, across), self.sub(across, second));
        let im = self.pick(is_re, im, turned);
        let quotient = Complex { re: self.mul(re, scale), im: self.mul(im, scale) };
        // By zero each part is divided for itself.
        let magnitude = self.abs(b.re);
        let apart = a.map(|part| self.div(part, magnitude));
        let both = self.both_zero(b);
        self.pick_both(both, apart, quotient)
    }

    pub(super) fn both_zero(&mut self, z: Complex) -> Reg {
        let (re, im) = (self.is_zero(z.re), self.is_zero(z.im));
        self.and(re, im)
    }

    pub(super) fn reciprocal(&mut self, z: Complex) -> Complex {
        let (re, im) = (self.abs(z.re), self.abs(z.im));
        let is_re = self.is(CompareOp::Le, im, re);
        let (large, small) = (self.pick(is_re, z.re, z.im), self.pick(is_re, z.im, z.re));
        let ratio = self.div(small, large);
        let scaled = self.mul(small, ratio);
        let divisor = self.add(large, scaled);
        let one = self.number(1.0);
        let (straight, minus_one) = (self.div(one, divisor), self.number(-1.0));
        let across = self.div(ratio, divisor);
        let (minus_across, minus_straight) = (self.neg(across), self.div(minus_one, divisor));
        Complex {
            re: self.pick(is_re, straight, across),
            im: self.pick(is_re, minus_across, minus_straight),
        }
    }

    /// `z / |z|`; of an infinite number the direction where that is an axis.
    pub(super) fn sign(&mut self, z: Complex) -> Complex {
        let magnitude = self.hypot(z);
        let direction = z.map(|part| self.div(part, magnitude));
        // The magnitude of a finite number may be infinite, that of its half is not.
        let half = self.number(0.5);
        let halves = z.map(|part| self.mul(part, half));
        let length = self.hypot(halves);
        let of_halves = halves.map(|part| self.div(part, length));
        let is_infinite = self.is_infinite(magnitude);
        let direction = self.pick_both(is_infinite, of_halves, direction);
        let is_infinite = self.is_infinite(length);
        let (one, zero) = (self.number(1.0), self.number(0.0));
        let both = {
            let (re, im) = (self.is_infinite(z.re), self.is_infinite(z.im));
            self.and(re, im)
        };
        let axis = z.map(|part| {
            let is_long = self.is_infinite(part);
            let unit = self.signed(one, part);
            self.pick(is_long, unit, zero)
        });
        let nan = self.nan();
        let axis = self.pick_both(both, Complex { re: nan, im: nan }, axis);
        let direction = self.pick_both(is_infinite, axis, direction);
        let is_nothing = self.is_zero(magnitude);
        let nothing = Complex { re: zero, im: zero };
        let direction = self.pick_both(is_nothing, nothing, direction);
        // The magnitude of an infinite number is infinite though its other part is NaN.
        let is_nan = self.is_nan(magnitude);
        self.pick_both(is_nan, Complex { re: nan, im: nan }, direction)
    }
}
