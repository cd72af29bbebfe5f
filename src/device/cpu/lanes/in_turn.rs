//! Cheap operations along one row: what has become of it so far stays in a register.

use super::arith::{Lane, of_type};
use super::{with_integer_bits, with_integer_type};
use crate::dtype::DType;
use crate::ir::{BinaryOp, binary_code as bin};

/// Elements of a row, `step` bytes from one to the next.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub start: *mut u8,
    pub step: isize,
}

/// `(made, elements, count, steps)`: joins what has become of a row with its next elements, one after the other; the last
/// is for loops that keep steps.
pub type InTurnFn = unsafe fn(*mut u8, Row, usize, Row);

unsafe fn run<T: Lane, const OP: u8, const KEEPS: bool>(
    made: *mut u8,
    elements: Row,
    count: usize,
    steps: Row,
) {
    let made = made.cast::<T>();
    // SAFETY: the caller's promise: a lane at `made`, and `count` of them in both rows, none of which lies in the
    // other before it was read.
    unsafe {
        let mut value = *made;
        let mut i = 0;
        while i < count {
            let at = i as isize;
            let element = *elements.start.wrapping_offset(at * elements.step).cast::<T>();
            value = T::binary::<OP, false>(value, element);
            if KEEPS {
                *steps.start.wrapping_offset(at * steps.step).cast::<T>() = value;
            }
            i += 1;
        }
        *made = value;
    }
}

/// The loop of an operation on lanes of a type, if joining two costs less than bringing elements of several rows
/// together. With `keeps_steps` it writes what each makes.
pub fn in_turn(op: BinaryOp, dtype: DType, keeps_steps: bool) -> Option<InTurnFn> {
    macro_rules! table {
        ($T:ty: $($op:ident)*) => {
            match (op, keeps_steps) {
                $(
                    (BinaryOp::$op, false) => run::<$T, { bin::$op }, false>,
                    (BinaryOp::$op, true) => run::<$T, { bin::$op }, true>,
                )*
                _ => return None,
            }
        };
    }
    if dtype.compute() != dtype {
        return None;
    }
    let op = of_type(op, dtype);
    Some(if matches!(op, BinaryOp::Max | BinaryOp::Min) && !dtype.is_float() {
        with_integer_type!(dtype, T => table!(T: Max Min), {
            Bool => table!(super::Mask: Max Min)
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 | F64 => return None
        })
    } else {
        with_integer_bits!(dtype, T => table!(T: Add Sub Mul BitAnd BitOr BitXor), {
            Bool => table!(super::Mask: BitAnd BitOr BitXor)
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 => table!(f32: Add Sub Mul Div Max Min Fmax Fmin)
            F64 => table!(f64: Add Sub Mul Div Max Min Fmax Fmin)
        })
    })
}
