//! Elementwise operations of all kinds.

use super::{BinaryOp, CompareOp, UnaryOp};
use crate::dtype::DType;

/// What is done to each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapOp {
    Unary(UnaryOp),
    /// Both operands have the type of the result.
    Binary(BinaryOp),
    /// Both operands have one type; the result is bool.
    Compare(CompareOp),
    /// The second where the first, a bool, is true; else the third.
    Select,
    /// To the type of the result, as NumPy casts.
    Cast,
    /// The imaginary part of a complex number; a cast gives the real one.
    Imag,
    /// The complex number that has these parts.
    Pair,
}

impl MapOp {
    /// What tells operations apart in a plan's key.
    pub fn code(self) -> u64 {
        match self {
            MapOp::Unary(op) => op as u64,
            MapOp::Binary(op) => 1 << 8 | op as u64,
            MapOp::Compare(op) => 2 << 8 | op as u64,
            MapOp::Select => 3 << 8,
            MapOp::Cast => 4 << 8,
            MapOp::Imag => 5 << 8,
            MapOp::Pair => 6 << 8,
        }
    }

    /// Whether it does the same to both parts of complex numbers, where all operands are complex.
    pub fn is_alike_for_parts(self) -> bool {
        matches!(
            self,
            MapOp::Cast | MapOp::Unary(UnaryOp::Neg) | MapOp::Binary(BinaryOp::Add | BinaryOp::Sub)
        )
    }

    /// As [`Op::cost`](crate::ir::Op::cost).
    pub fn cost(self, dtype: DType) -> usize {
        match self {
            MapOp::Unary(op) => op.row().cost.on(dtype),
            MapOp::Binary(op) => op.row().cost.on(dtype),
            MapOp::Compare(_) | MapOp::Select | MapOp::Cast | MapOp::Imag | MapOp::Pair => 0,
        }
    }
}
