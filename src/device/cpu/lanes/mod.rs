//! What one instruction does to a block of lanes: a table from operation and type to a kernel.
//!
//! A register holds its lanes in the *compute type* ([`compute`](crate::dtype::DType::compute)): that of
//! the value, but float32 for narrower floats. A bool is one byte of zero or one. All kernels take raw addresses, so that a plan can
//! hold them without types; what lies behind the addresses is the plan's promise.
//!
//! There are some thousand of these loops, so they count with `while`: where nothing is optimised, as in
//! a notebook's build, every adapter of an iterator is a function more for each of them.

mod arith;
mod bools;
mod cast;
mod chained;
mod compare;
mod divide;
mod extremes;
mod float;
mod float16;
mod fold;
mod hyperbolic32;
mod in_turn;
mod integer;
mod inverse32;
mod inverse64;
mod joined;
mod mask;
mod math32;
mod math64;
mod narrow;
mod number;
mod pair;
mod places;
mod points;
mod power32;
mod power64;
mod products;
mod rounded;
mod select;
mod short;
mod small_power;
mod total;
mod trig32;
mod trig64;
mod wide32;

pub use arith::{binary, checked, unary};
pub use cast::cast;
pub use chained::{Choice, chosen, finished, of_size, then};
pub use compare::compare;
pub use fold::{Fold, Partial};
pub use in_turn::{InTurnFn, Row, in_turn, pairs_in_turn};
pub use mask::Mask;
pub use narrow::{from_narrow, round_narrow, to_narrow};
#[cfg(test)]
pub use points::NARROW_STRIP;
pub use points::{Points, STRIP};
pub use products::{Factors, ProductsFn, products};
#[cfg(test)]
pub use products::{ROWS_TOGETHER, WIDE_STRIP};
pub use rounded::rounded;
pub use select::select;
pub use small_power::small_power;
#[cfg(test)]
pub use total::NEAR;
pub use total::RUN;

/// Lanes that fold side by side along a row.
pub const LANES: usize = 64;

/// `(out, operand, lanes)`
pub type UnaryFn = unsafe fn(*mut u8, *const u8, usize);
/// `(out, left, right, lanes)`
pub type BinaryFn = unsafe fn(*mut u8, *const u8, *const u8, usize);
/// `(out, left, right, lanes)`; false if some lane has no result.
pub type CheckedFn = unsafe fn(*mut u8, *const u8, *const u8, usize) -> bool;
/// `(out, condition, left, right, lanes)`
pub type SelectFn = unsafe fn(*mut u8, *const u8, *const u8, *const u8, usize);

/// Runs `$body` with `$T` standing for the type of Rust in which lanes of a type are held.
macro_rules! with_lane_type {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::device::cpu::lanes::or_no_integer!(with_integer_type, $dtype, $T => $body)
    };
}
pub(super) use with_lane_type;

/// The same where a sign makes no difference to the bits: integers without one share the loops of those
/// of their width that have one.
macro_rules! with_lane_bits {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::device::cpu::lanes::or_no_integer!(with_integer_bits, $dtype, $T => $body)
    };
}
pub(super) use with_lane_bits;

macro_rules! or_no_integer {
    ($with_integers:ident, $dtype:expr, $T:ident => $body:expr) => {
        $crate::device::cpu::lanes::$with_integers!($dtype, $T => $body, {
            Bool => {
                type $T = $crate::device::cpu::lanes::Mask;
                $body
            }
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 => {
                type $T = f32;
                $body
            }
            F64 => {
                type $T = f64;
                $body
            }
        })
    };
}
pub(super) use or_no_integer;

/// Runs `$body` with `$T` standing for the type of Rust of an integer type; for all other types, what the
/// braces say.
macro_rules! with_integer_type {
    ($dtype:expr, $T:ident => $body:expr, { $($($other:ident)|+ => $otherwise:expr)* }) => {
        $crate::device::cpu::lanes::by_groups!(
            $dtype, $T => $body,
            {
                U8 => u8, U16 => u16, U32 => u32, U64 => u64,
                I8 => i8, I16 => i16, I32 => i32, I64 => i64
            },
            { $($($other)|+ => $otherwise)* }
        )
    };
}
pub(super) use with_integer_type;

/// The same where a sign makes no difference.
macro_rules! with_integer_bits {
    ($dtype:expr, $T:ident => $body:expr, { $($($other:ident)|+ => $otherwise:expr)* }) => {
        $crate::device::cpu::lanes::by_groups!(
            $dtype, $T => $body,
            { U8 | I8 => i8, U16 | I16 => i16, U32 | I32 => i32, U64 | I64 => i64 },
            { $($($other)|+ => $otherwise)* }
        )
    };
}
pub(super) use with_integer_bits;

macro_rules! by_groups {
    (
        $dtype:expr, $T:ident => $body:expr,
        { $($($integer:ident)|+ => $of:ty),* },
        { $($($other:ident)|+ => $otherwise:expr)* }
    ) => {{
        macro_rules! as_type {
            ($type:ty) => {{
                type $T = $type;
                $body
            }};
        }
        match $dtype {
            $($($crate::dtype::DType::$integer)|+ => as_type!($of),)*
            $($($crate::dtype::DType::$other)|+ => $otherwise,)*
            complex @ ($crate::dtype::DType::C64 | $crate::dtype::DType::C128) => {
                complex.not_stored()
            }
        }
    }};
}
pub(super) use by_groups;
