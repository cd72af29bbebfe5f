//! Operations on all elements of a row.

use super::{BinaryOp, operations};
use crate::dtype::{DType, Scalar};

/// Folds the elements of a row to one value.
#[derive(Debug)]
pub struct Reduce {
    pub name: &'static str,
    /// What joins two elements.
    join: BinaryOp,
    /// Whether the result is the position of the element that is left, int64, and not the element.
    is_arg: bool,
}

operations! {
    ReduceOp: Reduce {
        /// Integers wrap.
        Sum = Reduce { name: "sum", join: BinaryOp::Add, is_arg: false },
        /// Integers wrap.
        Prod = Reduce { name: "prod", join: BinaryOp::Mul, is_arg: false },
        /// NaN if any is. Over bool: any.
        Max = Reduce { name: "max", join: BinaryOp::Max, is_arg: false },
        /// NaN if any is. Over bool: all.
        Min = Reduce { name: "min", join: BinaryOp::Min, is_arg: false },
        /// The first position of the largest, or of the first NaN.
        ArgMax = Reduce { name: "argmax", join: BinaryOp::Max, is_arg: true },
        /// The first position of the smallest, or of the first NaN.
        ArgMin = Reduce { name: "argmin", join: BinaryOp::Min, is_arg: true },
    }
}

impl ReduceOp {
    pub fn is_arg(self) -> bool {
        self.row().is_arg
    }

    /// The value of no elements; where the result is a position, what every element beats or equals.
    pub fn identity(self, dtype: DType) -> Scalar {
        self.row().join.identity(dtype).expect("what joins a row has an identity")
    }

    /// Whether the order in which elements are joined shows in the last bits.
    pub fn depends_on_order(self, dtype: DType) -> bool {
        dtype.is_float() && matches!(self.row().join, BinaryOp::Add | BinaryOp::Mul)
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
