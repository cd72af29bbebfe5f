//! What one instruction does to a block of lanes: a table from operation and type to a kernel.
//!
//! A register holds its lanes in the *compute type*: that of the value, but float32 for the half
//! types and one byte of zero or one for bool. All kernels take raw addresses, so that a plan can
//! hold them without types; what lies behind the addresses is the plan's promise.
//!
//! There are some thousand of these loops, so they count with `while`: where nothing is optimised, as in
//! a notebook's build, every adapter of an iterator is a function more for each of them.

mod arith;
mod cast;
mod compare;
mod extremes;
mod float;
mod fold;
mod integer;
mod mask;
mod math32;
mod math64;
mod number;
mod pair;
mod select;

pub use arith::{binary, checked, unary};
pub use cast::{cast, from_half, round_half, to_half};
pub use compare::compare;
pub use fold::{Fold, Partial};
pub use mask::Mask;
pub use select::select;

#[cfg(test)]
pub const FOLD_LANES: usize = fold::LANES;

use crate::dtype::DType;

/// `(out, operand, lanes)`
pub type UnaryFn = unsafe fn(*mut u8, *const u8, usize);
/// `(out, left, right, lanes)`
pub type BinaryFn = unsafe fn(*mut u8, *const u8, *const u8, usize);
/// `(out, left, right, lanes)`; false if some lane has no result.
pub type CheckedFn = unsafe fn(*mut u8, *const u8, *const u8, usize) -> bool;
/// `(out, condition, left, right, lanes)`
pub type SelectFn = unsafe fn(*mut u8, *const u8, *const u8, *const u8, usize);

/// The type in which lanes are held.
pub fn compute_type(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

/// Runs `$body` with `$T` standing for the Rust type of a compute type.
macro_rules! with_lane_type {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::dtype::DType::Bool => {
                type $T = $crate::device::cpu::lanes::Mask;
                $body
            }
            $crate::dtype::DType::U8 => {
                type $T = u8;
                $body
            }
            $crate::dtype::DType::I8 => {
                type $T = i8;
                $body
            }
            $crate::dtype::DType::I16 => {
                type $T = i16;
                $body
            }
            $crate::dtype::DType::I32 => {
                type $T = i32;
                $body
            }
            $crate::dtype::DType::I64 => {
                type $T = i64;
                $body
            }
            $crate::dtype::DType::F64 => {
                type $T = f64;
                $body
            }
            $crate::dtype::DType::F16 | $crate::dtype::DType::BF16 | $crate::dtype::DType::F32 => {
                type $T = f32;
                $body
            }
        }
    };
}
pub(super) use with_lane_type;
