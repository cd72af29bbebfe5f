//! What a fused loop does to integers.

use super::super::assembler::{Form, X66};
use super::Body;
use crate::ir::{BinaryOp, CompareOp, UnaryOp};

/// Comparisons as instructions count them; those of floats are false of a NaN, but for "not equal".
pub(super) fn predicate(op: CompareOp, is_integer: bool) -> u8 {
    if is_integer {
        return match op {
            CompareOp::Eq => 0,
            CompareOp::Lt => 1,
            CompareOp::Le => 2,
            CompareOp::Ne => 4,
            CompareOp::Ge => 5,
            CompareOp::Gt => 6,
        };
    }
    match op {
        CompareOp::Eq => 0x00,
        CompareOp::Ne => 0x04,
        CompareOp::Lt => 0x11,
        CompareOp::Le => 0x12,
        CompareOp::Ge => 0x1d,
        CompareOp::Gt => 0x1e,
    }
}

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
}
