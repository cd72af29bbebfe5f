//! What fused loops can do to lanes.

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, UnaryOp};

/// What is done to lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CompareOp),
    /// `and`, `or` or `xor` of two results of comparisons.
    Masks(BinaryOp),
    Select,
    /// float32 lanes of what memory holds of a 16-bit float.
    Widen(DType),
    /// The other way round.
    Narrow(DType),
    /// float32 lanes rounded to what a 16-bit float can hold.
    Round(DType),
}

/// An operation of a group.
#[derive(Debug, Clone)]
pub struct Node {
    pub out: u16,
    pub deed: Deed,
    pub operands: SmallVec<[u16; 3]>,
}

/// What is done, to lanes of which width, and to which type its result is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deed {
    pub act: Act,
    /// Whether lanes have eight bytes, and not four.
    pub is_wide: bool,
    /// Whether they are integers with a sign, and not floats.
    pub is_integer: bool,
    pub rounded: Option<DType>,
}

impl Deed {
    /// The deed, if there are instructions for it; `dtype` is the compute type of what it is done to.
    pub fn new(act: Act, dtype: DType, rounded: Option<DType>) -> Option<Deed> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Max, Min, Mul, Shl, Shr, Sub};
        use UnaryOp::{Abs, Ceil, Floor, Neg, Not, Reciprocal, Round, Sqrt, Square, Trunc};
        let is_of_bits = matches!(
            act,
            Act::Unary(Neg | Not | Square)
                | Act::Binary(Add | BitAnd | BitOr | BitXor | Mul | Shl | Sub)
                | Act::Compare(CompareOp::Eq | CompareOp::Ne)
        );
        // A sign makes no difference to these.
        let dtype = match dtype {
            DType::U32 if is_of_bits => DType::I32,
            DType::U64 if is_of_bits => DType::I64,
            dtype => dtype,
        };
        let is_float = matches!(dtype, DType::F32 | DType::F64);
        let is_integer = matches!(dtype, DType::I32 | DType::I64);
        let is_known = match act {
            Act::Unary(Abs | Neg | Square) => true,
            Act::Unary(Not) => is_integer,
            Act::Unary(Ceil | Floor | Reciprocal | Round | Sqrt | Trunc) => is_float,
            Act::Binary(Add | Max | Min | Mul | Sub) => true,
            Act::Binary(Div) => is_float,
            Act::Binary(BitAnd | BitOr | BitXor | Shl | Shr) => is_integer,
            Act::Unary(_) | Act::Binary(_) => false,
            Act::Compare(_) | Act::Select => true,
            Act::Masks(op) => matches!(op, BitAnd | BitOr | BitXor),
            Act::Widen(half) | Act::Narrow(half) | Act::Round(half) => is_half(half),
        };
        let has_lanes = match act {
            Act::Select => matches!(dtype.size(), 4 | 8),
            _ => is_float || is_integer,
        };
        let is_good = is_known && has_lanes && rounded.is_none_or(is_half);
        is_good.then_some(Deed { act, is_wide: dtype.size() == 8, is_integer, rounded })
    }

    /// What joins the results of comparisons that are done to lanes of one width.
    pub fn masks(op: BinaryOp, deeds: [Option<Deed>; 2]) -> Option<Deed> {
        let [Some(first), Some(second)] = deeds else { return None };
        let is_mask = |deed: Deed| matches!(deed.act, Act::Compare(_) | Act::Masks(_));
        let is_good = is_mask(first) && is_mask(second) && first.is_wide == second.is_wide;
        let dtype = if first.is_wide { DType::I64 } else { DType::I32 };
        Deed::new(Act::Masks(op), dtype, None).filter(|_| is_good)
    }

    /// Bytes of a lane of what it makes.
    pub(super) fn size(&self) -> usize {
        match self.act {
            Act::Compare(_) | Act::Masks(_) => 1,
            Act::Narrow(_) => 2,
            _ if self.is_wide => 8,
            _ => 4,
        }
    }
}

pub(super) fn is_half(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16)
}
