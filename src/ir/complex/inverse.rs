//! Inverse hyperbolic functions, and the arc cosine. W. Kahan, "Branch cuts for complex elementary
//! functions, or much ado about nothing's sign bit" (1987): by square roots whose cuts are where the
//! function's are, so that nothing cancels and every sign of zero is the right one.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

use super::{Complex, Formulas};
use crate::ir::{BinaryOp, CompareOp, Reg, UnaryOp};

impl Formulas<'_> {
    /// `z + 1` and `1 - z`, each under the square root.
    fn roots(&mut self, z: Complex) -> (Complex, Complex) {
        let one = self.number(1.0);
        let above = Complex { re: self.add(z.re, one), im: z.im };
        let below = Complex { re: self.sub(one, z.re), im: self.neg(z.im) };
        (self.sqrt(above), self.sqrt(below))
    }

    /// The imaginary part of the one's conjugate by the other.
    fn across(&mut self, a: Complex, b: Complex) -> Reg {
        let (x, y) = (self.mul(a.re, b.im), self.mul(a.im, b.re));
        self.sub(x, y)
    }

    /// The inverse hyperbolic sine of that, which may be beyond the range where its logarithm is not.
    fn length(&mut self, a: Complex, b: Complex) -> Reg {
        let quarter = a.map(|part| self.times(part, 0.25));
        let (whole, small) = (self.across(a, b), self.across(quarter, b));
        let size = self.abs(small);
        let is_far = self.is_than(CompareOp::Gt, size, 2f64.powi(1000));
        let across = self.pick(is_far, small, whole);
        let value = self.of(UnaryOp::Asinh, across);
        let log = self.number(2.0 * LN_2);
        let log = self.signed(log, small);
        let far = self.add(value, log);
        self.pick(is_far, far, value)
    }

    /// `asinh z = -i asin(i z)`
    pub(super) fn asinh(&mut self, z: Complex) -> Complex {
        let w = self.times_i(z);
        let (plus, minus) = self.roots(w);
        let (x, y) = (self.mul(plus.re, minus.re), self.mul(plus.im, minus.im));
        let along = self.sub(x, y);
        let angle = self.join(BinaryOp::Atan2, w.re, along);
        let value = Complex { re: self.length(minus, plus), im: self.neg(angle) };
        // Infinite parts; and an angle of zero, which NaN leaves alone.
        let (right, diagonal) = (self.number(FRAC_PI_2), self.number(FRAC_PI_4));
        let (nan, infinity, zero) = (self.nan(), self.number(f64::INFINITY), self.number(0.0));
        let (x_is_long, y_is_long) = (self.is_infinite(z.re), self.is_infinite(z.im));
        let (x_is_nan, y_is_nan) = (self.is_nan(z.re), self.is_nan(z.im));
        let along = self.pick(y_is_nan, nan, zero);
        let along = self.pick(y_is_long, diagonal, along);
        let up = self.pick(x_is_nan, nan, right);
        let angle = self.pick(x_is_long, along, up);
        let far = Complex { re: self.signed(infinity, z.re), im: self.signed(angle, z.im) };
        let is_far = self.or(x_is_long, y_is_long);
        let value = self.pick_both(is_far, far, value);
        let is_real = self.is_zero(z.im);
        let stays = self.and(x_is_nan, is_real);
        Complex { re: value.re, im: self.pick(stays, z.im, value.im) }
    }

    pub(super) fn acos(&mut self, z: Complex) -> Complex {
        let (plus, minus) = self.roots(z);
        let angle = self.join(BinaryOp::Atan2, minus.re, plus.re);
        let value = Complex { re: self.times(angle, 2.0), im: self.length(plus, minus) };
        // Infinite parts, whose angle is an eighth of a turn or a multiple of it.
        let angles = [0.0, FRAC_PI_4, FRAC_PI_2, 3.0 * FRAC_PI_4, PI];
        let [zero, near, right, wide, half] = angles.map(|angle| self.number(angle));
        let (nan, infinity) = (self.nan(), self.number(f64::INFINITY));
        let (x_is_long, y_is_long) = (self.is_infinite(z.re), self.is_infinite(z.im));
        let (x_is_nan, y_is_nan) = (self.is_nan(z.re), self.is_nan(z.im));
        let is_right = self.is_than(CompareOp::Gt, z.re, 0.0);
        let (both, along) = (self.pick(is_right, near, wide), self.pick(is_right, zero, half));
        let along = self.pick(y_is_nan, nan, along);
        let along = self.pick(y_is_long, both, along);
        let up = self.pick(x_is_nan, nan, right);
        let length = self.signed(infinity, z.im);
        let far = Complex { re: self.pick(x_is_long, along, up), im: self.neg(length) };
        let is_far = self.or(x_is_long, y_is_long);
        let value = self.pick_both(is_far, far, value);
        let is_up = self.is_zero(z.re);
        let stays = self.and(is_up, y_is_nan);
        Complex { re: self.pick(stays, right, value.re), im: value.im }
    }

    /// The arc cosine, turned so that the real part is not negative.
    pub(super) fn acosh(&mut self, z: Complex) -> Complex {
        let acos = self.acos(z);
        let (re, im) = (self.abs(acos.im), self.signed(acos.re, z.im));
        Complex { re, im }
    }

    pub(super) fn atanh(&mut self, z: Complex) -> Complex {
        let (x, y) = (self.abs(z.re), self.abs(z.im));
        // log1p(4x / ((1 - x)² + y²)) / 4
        let one = self.number(1.0);
        let (short, long) = (self.sub(one, x), self.plus(x, 1.0));
        let (short2, y2) = (self.mul(short, short), self.mul(y, y));
        let around = self.add(short2, y2);
        let four = self.times(x, 4.0);
        let ratio = self.div(four, around);
        let log = self.of(UnaryOp::Log1p, ratio);
        let re = self.times(log, 0.25);
        // atan2(2y, (1 - x)(1 + x) - y²) / 2
        let product = self.mul(short, long);
        let (along, twice) = (self.sub(product, y2), self.times(y, 2.0));
        let angle = self.join(BinaryOp::Atan2, twice, along);
        let usual = Complex { re, im: self.times(angle, 0.5) };
        // Far out, where squares overflow: re(1 / z), and a right angle.
        let large = self.join(BinaryOp::Max, x, y);
        let is_far = self.is_than(CompareOp::Gt, large, 2f64.powi(500));
        let (small_x, small_y) = (self.div(x, large), self.div(y, large));
        let (sx, sy) = (self.mul(small_x, small_x), self.mul(small_y, small_y));
        let around = self.add(sx, sy);
        let inverse = self.div(small_x, around);
        let inverse = self.div(inverse, large);
        let right = self.number(FRAC_PI_2);
        let value = self.pick_both(is_far, Complex { re: inverse, im: right }, usual);
        // At one, where the ratio is of a very small number.
        let is_one = self.is_than(CompareOp::Eq, x, 1.0);
        let is_low = self.is_than(CompareOp::Lt, y, 2f64.powi(-500));
        let is_tip = self.and(is_one, is_low);
        let log_y = self.of(UnaryOp::Log, y);
        let half_log = self.times(log_y, -0.5);
        let (tip_re, tip_im) = (self.plus(half_log, 0.5 * LN_2), self.number(FRAC_PI_4));
        let (is_point, infinity) = (self.is_zero(y), self.number(f64::INFINITY));
        let tip_re = self.pick(is_point, infinity, tip_re);
        let tip_im = self.pick(is_point, y, tip_im);
        let value = self.pick_both(is_tip, Complex { re: tip_re, im: tip_im }, value);
        // Infinite parts.
        let (x_is_long, y_is_long) = (self.is_infinite(x), self.is_infinite(y));
        let is_long = self.or(x_is_long, y_is_long);
        let (zero, nan, y_is_nan) = (self.number(0.0), self.nan(), self.is_nan(y));
        let angle = self.pick(y_is_nan, nan, right);
        let value = self.pick_both(is_long, Complex { re: zero, im: angle }, value);
        // On the imaginary axis nothing is added to zero.
        let is_up = self.is_zero(x);
        let re = self.pick(is_up, x, value.re);
        Complex { re: self.signed(re, z.re), im: self.signed(value.im, z.im) }
    }
}
