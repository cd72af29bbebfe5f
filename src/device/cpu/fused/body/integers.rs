//! What a fused loop does to integers.

use super::super::assembler::{Form, X66};
use super::Body;
use crate::ir::{BinaryOp, UnaryOp};

impl Body<'_> {
    pub(super) fn integer(&mut self, op: UnaryOp, operand: u16) -> Option<u8> {
        let a = self.vector(operand)?;
        let (first, wide) = (Form::first(X66, self.is_wide), self.is_wide);
        let with = match op {
            UnaryOp::Neg => self.constant(0)?,
            UnaryOp::Not if wide => self.constant(u64::MAX)?,
            UnaryOp::Not => self.constant(u64::from(u32::MAX))?,
            _ => a,
        };
        if wide && !self.has_masks() {
            match op {
                UnaryOp::Abs => return self.wide_magnitude(a),
                UnaryOp::Square => return self.wide_product(a, a),
                _ => {}
            }
        }
        let out = self.take_vector()?;
        match op {
            UnaryOp::Abs => {
                let opcode = 0x1e | u8::from(wide);
                self.three(Form::second(X66, wide), opcode, (out, 0), a);
            }
            UnaryOp::Neg => self.three(first, 0xfa | u8::from(wide), (out, with), a),
            UnaryOp::Not => self.three(first, 0xef, (out, with), a),
            UnaryOp::Square => self.three(Form::second(X66, wide), 0x40, (out, a), a),
            _ => return None,
        }
        Some(out)
    }

    pub(super) fn integers(&mut self, op: BinaryOp, (left, right): (u16, u16)) -> Option<u8> {
        let (a, b) = (self.vector(left)?, self.vector(right)?);
        let wide = self.is_wide;
        let (first, second) = (Form::first(X66, wide), Form::second(X66, wide));
        if wide && !self.has_masks() {
            match op {
                BinaryOp::Mul => return self.wide_product(a, b),
                BinaryOp::Min => return self.wide_extreme((a, b), (b, a)),
                BinaryOp::Max => return self.wide_extreme((a, b), (a, b)),
                BinaryOp::Shr => return self.wide_shift(a, b),
                _ => {}
            }
        }
        let (form, opcode) = match op {
            BinaryOp::Add if wide => (first, 0xd4),
            BinaryOp::Add => (first, 0xfe),
            BinaryOp::Sub => (first, 0xfa | u8::from(wide)),
            BinaryOp::Mul => (second, 0x40),
            BinaryOp::Min => (second, 0x39),
            BinaryOp::Max => (second, 0x3d),
            BinaryOp::BitAnd => (first, 0xdb),
            BinaryOp::BitOr => (first, 0xeb),
            BinaryOp::BitXor => (first, 0xef),
            // Past the width they leave zeroes, or the sign.
            BinaryOp::Shl => (second, 0x47),
            BinaryOp::Shr => (second, 0x46),
            _ => return None,
        };
        let out = self.take_vector()?;
        self.three(form, opcode, (out, a), b);
        Some(out)
    }

    /// Ones in the lanes of numbers below zero.
    fn signs(&mut self, a: u8) -> Option<u8> {
        let signs = self.take_vector()?;
        self.three(Form::first(X66, false), 0xef, (signs, signs), signs);
        self.greater(signs, (signs, a));
        Some(signs)
    }

    /// `|a|` of eight bytes, where no instruction makes it.
    fn wide_magnitude(&mut self, a: u8) -> Option<u8> {
        let (signs, bits) = (self.signs(a)?, Form::first(X66, false));
        let out = self.take_vector()?;
        self.three(bits, 0xef, (out, a), signs);
        self.three(bits, 0xfb, (out, out), signs);
        self.free_vector(signs);
        Some(out)
    }

    /// A product of eight bytes, of those of their halves: the first one with the sum of the two others above it.
    fn wide_product(&mut self, a: u8, b: u8) -> Option<u8> {
        let bits = Form::first(X66, false);
        let (cross, out) = (self.take_vector()?, self.take_vector()?);
        let upper = |body: &mut Self, to: u8, from: u8| {
            body.three(bits, 0x73, (2, to), from);
            body.code.bytes.push(32);
        };
        upper(self, cross, a);
        self.three(bits, 0xf4, (cross, cross), b);
        upper(self, out, b);
        self.three(bits, 0xf4, (out, out), a);
        self.three(bits, 0xd4, (cross, cross), out);
        self.three(bits, 0x73, (6, cross), cross);
        self.code.bytes.push(32);
        self.three(bits, 0xf4, (out, a), b);
        self.three(bits, 0xd4, (out, out), cross);
        self.free_vector(cross);
        Some(out)
    }

    /// The first of `chosen` where the first of two numbers is the greater, and the second elsewhere.
    fn wide_extreme(&mut self, compared: (u8, u8), chosen: (u8, u8)) -> Option<u8> {
        let (mask, out) = (self.take_vector()?, self.take_vector()?);
        self.greater(mask, compared);
        self.choose(mask, out, chosen);
        self.free_vector(mask);
        Some(out)
    }

    /// `a >> b` that fills with signs: of what is below zero, the complement is moved.
    fn wide_shift(&mut self, a: u8, b: u8) -> Option<u8> {
        let (signs, bits) = (self.signs(a)?, Form::first(X66, false));
        let out = self.take_vector()?;
        self.three(bits, 0xef, (out, a), signs);
        // vpsrlvq
        self.three(Form::second(X66, true), 0x45, (out, out), b);
        self.three(bits, 0xef, (out, out), signs);
        self.free_vector(signs);
        Some(out)
    }
}
