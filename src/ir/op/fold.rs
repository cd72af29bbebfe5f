//! Operations on all elements of a row.

use super::{BinaryOp, operations};
use crate::dtype::{DType, Scalar};

/// Folds the elements of a row to one value.
#[derive(Debug)]
pub struct Reduce {
    pub name: &'static str,
    way: Way,
}

/// How elements are joined, and in what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Added or multiplied, in a wider type until the end.
    Total(BinaryOp),
    /// The largest or the least stays.
    Extreme(BinaryOp),
    /// The position of that, int64; the first of equals.
    Position(BinaryOp),
    /// Any operation whose order does not matter and that has an identity, by its own formula in
    /// the elements' type: a fold of this kind is its row, and no back end has heard of it.
    Joined(BinaryOp),
}

const fn row(name: &'static str, way: Way) -> Reduce {
    Reduce { name, way }
}

/// Called as the operation is.
const fn joined(op: BinaryOp) -> Reduce {
    Reduce { name: op.row().name, way: Way::Joined(op) }
}

operations! {
    ReduceOp: Reduce {
        /// Integers wrap.
        Sum = row("sum", Way::Total(BinaryOp::Add)),
        /// Integers wrap.
        Prod = row("prod", Way::Total(BinaryOp::Mul)),
        /// NaN if any is. Over bool: any.
        Max = row("max", Way::Extreme(BinaryOp::Max)),
        /// NaN if any is. Over bool: all.
        Min = row("min", Way::Extreme(BinaryOp::Min)),
        /// The first position of the largest, or of the first NaN.
        ArgMax = row("argmax", Way::Position(BinaryOp::Max)),
        /// The first position of the smallest, or of the first NaN.
        ArgMin = row("argmin", Way::Position(BinaryOp::Min)),
        BitAnd = joined(BinaryOp::BitAnd),
        BitOr = joined(BinaryOp::BitOr),
        BitXor = joined(BinaryOp::BitXor),
        Gcd = joined(BinaryOp::Gcd),
        Hypot = joined(BinaryOp::Hypot),
        LogAddExp = joined(BinaryOp::LogAddExp),
    }
}

impl ReduceOp {
    pub fn way(self) -> Way {
        self.row().way
    }

    /// What joins two elements, or what is known of two parts of a row.
    pub fn join(self) -> BinaryOp {
        match self.way() {
            Way::Total(op) | Way::Extreme(op) | Way::Position(op) | Way::Joined(op) => op,
        }
    }

    /// The fold by an operation's own formula, if there is one.
    pub fn joined_by(op: BinaryOp) -> Option<ReduceOp> {
        ReduceOp::ALL.iter().copied().find(|fold| fold.way() == Way::Joined(op))
    }

    /// Whether the result is the position of the element that is left, and not the element.
    pub fn is_arg(self) -> bool {
        matches!(self.way(), Way::Position(_))
    }

    /// Whether elements of this type can be folded.
    pub fn takes(self, dtype: DType) -> bool {
        self.join().row().loops.has(dtype)
    }

    /// The value of no elements; where the result is a position, what every element beats or equals.
    #[inline]
    pub fn identity(self, dtype: DType) -> Scalar {
        self.join().identity(dtype).expect("what joins a row has an identity")
    }

    /// Whether the order in which elements are joined shows in the last bits.
    pub fn depends_on_order(self, dtype: DType) -> bool {
        dtype.is_float() && !matches!(self.way(), Way::Extreme(_) | Way::Position(_))
    }
}

/// Folds that keep every step.
#[derive(Debug)]
pub struct Scan {
    pub name: &'static str,
}

operations! {
    ScanOp: Scan {
        Sum = Scan { name: "cumsum" },
        Prod = Scan { name: "cumprod" },
        Max = Scan { name: "cummax" },
        Min = Scan { name: "cummin" },
    }
}
