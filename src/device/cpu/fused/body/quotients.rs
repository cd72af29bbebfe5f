//! Quotients of many numbers by one.
//!
//! A division takes as long as ten products, and numbers that all have one divisor need none. With `1 / b` as the sum of
//! two numbers, `high + low`, the fused `a * high + a * low` is `a / b` to a little more than half a unit of its last
//! digit (N. Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating correctly rounded floating-point division when the
//! divisor is known in advance", IEEE Transactions on Computers 53, 2004), and one correction by what that leaves of
//! `a`, which a fused multiply-add has exactly, rounds as the division does (P. Markstein, "Computation of elementary
//! functions on the IBM RISC System/6000 processor", 1990), as long as nothing between leaves the range of the type:
//! vectors with numbers so large or small, with zeros or without a number are divided.
//!
//! Quotients of 16-bit floats lie further from where a rounding to float32 turns than the first step is off, so they need
//! no correction; and those of float16 leave the range of float32 nowhere. There `high` is a little too small, so that
//! `low` has its sign: the sum keeps the signs of zeros, and infinities stay what they are.
//!
//! Quotients of bfloat16 that are rounded to bfloat16 are the product with `high` alone: with eight digits in `a` and `b`,
//! `a / b` is nowhere half way between two numbers of eight digits, and comes no nearer to it than 2⁻¹⁷ of itself, which
//! is far more than the product is off. Vectors with products below the normal numbers, or that are none, are divided.

use super::super::assembler::{Code, Form, NONE, Place, Under, X66};
use super::{BETWEEN, Body, DENORMAL, Known, NAN, NOT_NORMAL, Node};
use crate::dtype::DType;

/// The least number that is not divided, as its bits, and how far the bits of the greatest are from them:
/// 2^±400 and 2^±50.
const fn bounds(is_wide: bool) -> [u64; 2] {
    match is_wide {
        true => [(1023 - 400) << 52, 800 << 52],
        false => [(127 - 50) << 23, 100 << 23],
    }
}

/// All bits but the sign.
const fn magnitude(is_wide: bool) -> u64 {
    if is_wide { u64::MAX >> 1 } else { (u32::MAX >> 1) as u64 }
}

/// What a line's divisor is known by: registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Divisor {
    divisor: u8,
    one: u8,
    range: Range,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Numbers are compared with `[magnitude, low, limit]`.
    Part([u8; 3]),
    /// `high` is so much too small, and `low` positive of such numbers at least.
    Whole { less: u8, least: u8 },
    /// A `high` that is no normal number is none at all, and so is each product with it.
    Rounded,
}

fn floats(is_wide: bool) -> Form {
    Form::first(if is_wide { X66 } else { NONE }, is_wide)
}

fn three(code: &mut Code, form: Form, opcode: u8, registers: (u8, u8), last: u8) {
    code.vector(form, opcode, registers, Place::Register(last), Under::default());
}

/// Puts into a mask which lanes of `x` have a magnitude outside of `[low, low + limit)`; `between` is overwritten.
fn outside(code: &mut Code, is_wide: bool, x: u8, between: u8, [magnitude, low, limit]: [u8; 3]) {
    let bits = Form::first(X66, is_wide);
    three(code, bits, 0xdb, (between, x), magnitude);
    let minus = if is_wide { 0xfb } else { 0xfa };
    three(code, bits, minus, (between, between), low);
    three(code, Form::third(X66, is_wide), 0x1e, (BETWEEN, between), limit);
    // not below, without signs
    code.bytes.push(5);
}

impl Divisor {
    /// Fills a register with the inverse.
    pub(in super::super) fn high(&self, code: &mut Code, is_wide: bool, register: u8) {
        let floats = floats(is_wide);
        three(code, floats, 0x5e, (register, self.one), self.divisor);
        match self.range {
            Range::Part(_) => {}
            Range::Whole { less, .. } => three(code, floats, 0x59, (register, register), less),
            Range::Rounded => {
                code.class(is_wide, BETWEEN, register, NOT_NORMAL);
                // vpternlogd: all ones
                let (bits, under) =
                    (Form::third(X66, false), Under { mask: BETWEEN, zeroes: false });
                code.vector(bits, 0x25, (register, register), Place::Register(register), under);
                code.bytes.push(0xff);
            }
        }
    }

    /// Fills a register with what the inverse leaves: `(1 - b * high) * high`.
    pub(in super::super) fn low(&self, code: &mut Code, is_wide: bool, (register, high): (u8, u8)) {
        let floats = floats(is_wide);
        three(code, floats, 0x28, (register, 0), self.one);
        three(code, Form::second(X66, is_wide), 0xbc, (register, high), self.divisor);
        if let Range::Whole { least, .. } = self.range {
            // The second, if the first is no number: of a zero, of an infinity.
            three(code, floats, 0x5f, (register, register), least);
        }
        three(code, floats, 0x59, (register, register), high);
    }

    /// Fills a register with the limit that numbers keep below which the inverse may divide: none, where the divisor is
    /// out of range itself.
    pub(in super::super) fn limit(&self, code: &mut Code, is_wide: bool, register: u8) {
        let Range::Part(range) = self.range else { return };
        outside(code, is_wide, self.divisor, register, range);
        // knotw k7, k7
        code.bytes.extend([0xc5, 0xf8, 0x44, 0xff]);
        let within = Under { mask: BETWEEN, zeroes: true };
        let bits = Form::first(X66, is_wide);
        code.vector(bits, 0x6f, (register, 0), Place::Register(range[2]), within);
    }
}

impl Body<'_> {
    /// What a node makes: `a / b` of a `b` that is the same in all lanes of a line. None if there are too few registers.
    pub(super) fn quotient(&mut self, node: &Node) -> Option<u8> {
        let (dividend, divisor, wide) = (node.operands[0], node.operands[1], self.is_wide);
        let (a, b) = (self.vector(dividend)?, self.vector(divisor)?);
        let are = |half| !wide && self.is_of(half, dividend) && self.is_of(half, divisor);
        let (are_float16, are_bfloat16) = (are(DType::F16), are(DType::BF16));
        let one = self.constant(self.float(1.0))?;
        if are_bfloat16 && self.is_rounded(node) {
            let divisor = Divisor { divisor: b, one, range: Range::Rounded };
            return self.product_with_inverse(a, divisor);
        }
        let range = match are_float16 {
            true => Range::Whole {
                less: self.constant(self.float(1.0 - f32::EPSILON * 2.0))?,
                least: self.constant(self.float(f32::EPSILON.powi(2)))?,
            },
            false => {
                let [low, limit] = bounds(wide);
                let limits = [magnitude(wide), low, limit];
                let [Some(magnitude), Some(low), Some(limit)] = limits.map(|x| self.constant(x))
                else {
                    return None;
                };
                Range::Part([magnitude, low, limit])
            }
        };
        let divisor = Divisor { divisor: b, one, range };
        let high = self.known(Known::High(divisor))?;
        let low = self.known(Known::Low(divisor, high))?;
        let Range::Part(limits) = range else {
            let out = self.take_vector()?;
            self.first_quotient(out, a, [high, low]);
            return Some(out);
        };
        let limit = self.known(Known::Limit(divisor))?;
        let (out, left) = (self.take_vector()?, self.take_vector()?);
        outside(&mut self.code, wide, a, left, [limits[0], limits[1], limit]);
        // kortestw k7, k7; jnz
        self.code.bytes.extend([0xc5, 0xf8, 0x98, 0xff]);
        let wild = self.code.jump(0x85, None);
        self.first_quotient(out, a, [high, low]);
        if !are_bfloat16 {
            // left = a - out * b; out += left * high
            self.three(self.floats(), 0x28, (left, 0), a);
            self.three(Form::second(X66, wide), 0xbc, (left, out), b);
            self.three(Form::second(X66, wide), 0xb8, (out, left), high);
        }
        let done = self.code.leap();
        self.code.land(wild, done);
        self.three(self.floats(), 0x5e, (out, a), b);
        self.code.land(done, self.code.bytes.len());
        self.free_vector(left);
        Some(out)
    }

    /// What `a / b` is once it has been rounded to bfloat16.
    fn product_with_inverse(&mut self, a: u8, divisor: Divisor) -> Option<u8> {
        let high = self.known(Known::High(divisor))?;
        let out = self.take_vector()?;
        self.three(self.floats(), 0x59, (out, a), high);
        let done = self.unless_any(out, DENORMAL | NAN);
        self.three(self.floats(), 0x5e, (out, a), divisor.divisor);
        self.code.land(done, self.code.bytes.len());
        Some(out)
    }

    fn first_quotient(&mut self, out: u8, a: u8, [high, low]: [u8; 2]) {
        self.three(self.floats(), 0x59, (out, a), low);
        self.three(Form::second(X66, self.is_wide), 0xb8, (out, a), high);
    }
}
