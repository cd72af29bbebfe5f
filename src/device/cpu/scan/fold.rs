//! The folds of a scan, for each type of elements.

use std::marker::PhantomData;

use half::{bf16, f16};

use crate::device::cpu::number::Number;

/// An operation that is folded over a line.
pub(super) trait Fold: 'static {
    type Item: Copy + Send + Sync + 'static;
    /// What is carried from one element to the next.
    type Acc: Copy + Send + Sync + 'static;
    const IDENTITY: Self::Acc;
    /// Whether a line may be cut: its parts folded on their own and joined.
    const SPLITS: bool = true;
    /// Whether the next element waits for an addition longer than it takes to read and write one.
    const WAITS: bool = true;

    fn push(acc: Self::Acc, item: Self::Item) -> Self::Acc;
    fn value(acc: Self::Acc) -> Self::Item;
    /// As if `right`'s elements had been pushed after `left`'s.
    fn join(left: Self::Acc, right: Self::Acc) -> Self::Acc;

    /// Whether a part with this total may be joined.
    fn can_join(_total: Self::Acc) -> bool {
        true
    }
}

/// A floating type whose running sums are kept in float64.
pub(super) trait Float: Number {
    fn widen(self) -> f64;
    fn narrow(wide: f64) -> Self;
}

macro_rules! floats {
    ($($type:ty, $widen:expr, $narrow:expr;)*) => {$(
        impl Float for $type {
            #[inline(always)]
            fn widen(self) -> f64 {
                $widen(self)
            }

            #[inline(always)]
            fn narrow(wide: f64) -> $type {
                $narrow(wide)
            }
        }
    )*};
}

floats! {
    f16, |x: f16| f64::from(x.to_f32()), |x: f64| f16::from_f32(x as f32);
    bf16, |x: bf16| f64::from(x.to_f32()), |x: f64| bf16::from_f32(x as f32);
    f32, f64::from, |x: f64| x as f32;
    f64, |x: f64| x, |x: f64| x;
}

/// Sums of the types below float64.
pub(super) struct SumFloat<T>(PhantomData<T>);

impl<T: Float> Fold for SumFloat<T> {
    type Item = T;
    type Acc = f64;
    // The sum of nothing but -0.0 is -0.0.
    const IDENTITY: f64 = -0.0;

    #[inline(always)]
    fn push(acc: f64, item: T) -> f64 {
        acc + item.widen()
    }

    #[inline(always)]
    fn value(acc: f64) -> T {
        T::narrow(acc)
    }

    fn join(left: f64, right: f64) -> f64 {
        left + right
    }
}

/// Sums of float64: each addition's rounding error is added up beside the sum (Knuth's two-sum),
/// so that parts join without a visible seam.
pub(super) struct SumDouble;

impl Fold for SumDouble {
    type Item = f64;
    type Acc = (f64, f64);
    const IDENTITY: (f64, f64) = (-0.0, -0.0);

    #[inline(always)]
    fn push((sum, error): (f64, f64), item: f64) -> (f64, f64) {
        let next = sum + item;
        let added = next - sum;
        (next, error + ((sum - (next - added)) + (item - added)))
    }

    #[inline(always)]
    fn value((sum, error): (f64, f64)) -> f64 {
        // Beyond the finite range the error is NaN and says nothing; where it is zero, adding it
        // could only change the sign of a zero.
        if error != 0.0 && sum.is_finite() { sum + error } else { sum }
    }

    fn join(left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
        let (sum, error) = Self::push(left, right.0);
        (sum, error + right.1)
    }

    /// A part that left the finite range may lie in a line that never does.
    fn can_join((total, _): (f64, f64)) -> bool {
        total.is_finite()
    }
}

/// Products of floats are folded in order: joined parts would overflow where a line does not.
pub(super) struct ProdFloat<T>(PhantomData<T>);

impl<T: Float> Fold for ProdFloat<T> {
    type Item = T;
    type Acc = f64;
    const IDENTITY: f64 = 1.0;
    const SPLITS: bool = false;

    #[inline(always)]
    fn push(acc: f64, item: T) -> f64 {
        acc * item.widen()
    }

    #[inline(always)]
    fn value(acc: f64) -> T {
        T::narrow(acc)
    }

    fn join(left: f64, right: f64) -> f64 {
        left * right
    }
}

macro_rules! plain_fold {
    ($($(#[$doc:meta])* $name:ident, $identity:ident, $push:ident, $waits:literal;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name<T>(PhantomData<T>);

        impl<T: Number> Fold for $name<T> {
            type Item = T;
            type Acc = T;
            const IDENTITY: T = T::$identity;
            const WAITS: bool = $waits;

            #[inline(always)]
            fn push(acc: T, item: T) -> T {
                acc.$push(item)
            }

            #[inline(always)]
            fn value(acc: T) -> T {
                acc
            }

            fn join(left: T, right: T) -> T {
                left.$push(right)
            }
        }
    )*};
}

plain_fold! {
    /// Of integers.
    SumInteger, ZERO, add, false;
    /// Of integers.
    ProdInteger, ONE, multiply, true;
    MaxOf, LOWEST, greater, true;
    MinOf, HIGHEST, lesser, true;
}

/// Runs `$body` with `$F` as the fold of `$op` over `$dtype`. Over bool a sum is "any so far" and a
/// product "all so far".
macro_rules! by_fold {
    ($op:expr, $dtype:expr, $F:ident => $body:expr) => {{
        use half::{bf16, f16};
        use $crate::device::cpu::scan::fold::*;
        use $crate::dtype::DType;
        use $crate::ir::ScanOp;
        macro_rules! as_fold {
            ($fold:ty) => {{
                type $F = $fold;
                $body
            }};
        }
        match ($op, $dtype) {
            (ScanOp::Sum | ScanOp::Max, DType::Bool) | (ScanOp::Max, DType::U8) => {
                as_fold!(MaxOf<u8>)
            }
            (ScanOp::Prod | ScanOp::Min, DType::Bool) | (ScanOp::Min, DType::U8) => {
                as_fold!(MinOf<u8>)
            }
            // Wrapping sums and products have the same bits with and without a sign.
            (ScanOp::Sum, DType::U8 | DType::I8) => as_fold!(SumInteger<u8>),
            (ScanOp::Sum, DType::U16 | DType::I16) => as_fold!(SumInteger<i16>),
            (ScanOp::Sum, DType::U32 | DType::I32) => as_fold!(SumInteger<i32>),
            (ScanOp::Sum, DType::U64 | DType::I64) => as_fold!(SumInteger<i64>),
            (ScanOp::Sum, DType::F16) => as_fold!(SumFloat<f16>),
            (ScanOp::Sum, DType::BF16) => as_fold!(SumFloat<bf16>),
            (ScanOp::Sum, DType::F32) => as_fold!(SumFloat<f32>),
            (ScanOp::Sum, DType::F64) => as_fold!(SumDouble),
            (ScanOp::Prod, DType::U8 | DType::I8) => as_fold!(ProdInteger<u8>),
            (ScanOp::Prod, DType::U16 | DType::I16) => as_fold!(ProdInteger<i16>),
            (ScanOp::Prod, DType::U32 | DType::I32) => as_fold!(ProdInteger<i32>),
            (ScanOp::Prod, DType::U64 | DType::I64) => as_fold!(ProdInteger<i64>),
            (ScanOp::Prod, DType::F16) => as_fold!(ProdFloat<f16>),
            (ScanOp::Prod, DType::BF16) => as_fold!(ProdFloat<bf16>),
            (ScanOp::Prod, DType::F32) => as_fold!(ProdFloat<f32>),
            (ScanOp::Prod, DType::F64) => as_fold!(ProdFloat<f64>),
            (ScanOp::Max, DType::U16) => as_fold!(MaxOf<u16>),
            (ScanOp::Max, DType::U32) => as_fold!(MaxOf<u32>),
            (ScanOp::Max, DType::U64) => as_fold!(MaxOf<u64>),
            (ScanOp::Max, DType::I8) => as_fold!(MaxOf<i8>),
            (ScanOp::Max, DType::I16) => as_fold!(MaxOf<i16>),
            (ScanOp::Max, DType::I32) => as_fold!(MaxOf<i32>),
            (ScanOp::Max, DType::I64) => as_fold!(MaxOf<i64>),
            (ScanOp::Max, DType::F16) => as_fold!(MaxOf<f16>),
            (ScanOp::Max, DType::BF16) => as_fold!(MaxOf<bf16>),
            (ScanOp::Max, DType::F32) => as_fold!(MaxOf<f32>),
            (ScanOp::Max, DType::F64) => as_fold!(MaxOf<f64>),
            (ScanOp::Min, DType::U16) => as_fold!(MinOf<u16>),
            (ScanOp::Min, DType::U32) => as_fold!(MinOf<u32>),
            (ScanOp::Min, DType::U64) => as_fold!(MinOf<u64>),
            (ScanOp::Min, DType::I8) => as_fold!(MinOf<i8>),
            (ScanOp::Min, DType::I16) => as_fold!(MinOf<i16>),
            (ScanOp::Min, DType::I32) => as_fold!(MinOf<i32>),
            (ScanOp::Min, DType::I64) => as_fold!(MinOf<i64>),
            (ScanOp::Min, DType::F16) => as_fold!(MinOf<f16>),
            (ScanOp::Min, DType::BF16) => as_fold!(MinOf<bf16>),
            (ScanOp::Min, DType::F32) => as_fold!(MinOf<f32>),
            (ScanOp::Min, DType::F64) => as_fold!(MinOf<f64>),
            (_, narrow @ (DType::F8E4M3 | DType::F8E5M2)) => narrow.not_carried(),
            (_, complex @ (DType::C64 | DType::C128)) => complex.not_stored(),
        }
    }};
}
pub(super) use by_fold;
