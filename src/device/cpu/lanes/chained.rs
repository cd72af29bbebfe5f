//! Two operations of floats in one loop: what the first makes stays in a register, and costs no store and no load.

use std::marker::PhantomData;

use super::super::dispatch::{Level, by_level};
use super::arith::{Lane, UnaryKernel, pick_unary};
use super::{BinaryFn, SelectFn, UnaryFn};
use crate::dtype::DType;
use crate::ir::{BinaryOp, CompareOp, UnaryOp, binary_code as bin, unary_code as un};

pub(super) trait OfTwo {
    type Lane: Copy;
    fn apply<const FMA: bool>(a: Self::Lane, b: Self::Lane) -> Self::Lane;
}

trait OfThree {
    type Lane: Copy;
    fn apply<const FMA: bool>(a: Self::Lane, b: Self::Lane, c: Self::Lane) -> Self::Lane;
}

/// `LAST(|a|)`
struct OfSize<T, const LAST: u8>(PhantomData<T>);
/// `LAST(a FIRST b)`
struct Finished<T, const FIRST: u8, const LAST: u8>(PhantomData<T>);
/// `(a FIRST b) LAST c`
struct Then<T, const FIRST: u8, const LAST: u8>(PhantomData<T>);
/// `c LAST (a FIRST b)`
struct After<T, const FIRST: u8, const LAST: u8>(PhantomData<T>);
/// One of `a`, `b` and `c`, as `a < b` or, with `ORDER` of [`LE`], `a <= b` says; `WAY` is a [`Choice`].
struct Chosen<T, const ORDER: u8, const WAY: u8>(PhantomData<T>);

impl<T: Lane, const LAST: u8> UnaryKernel for OfSize<T, LAST> {
    type In = T;
    type Out = T;
    #[inline(always)]
    fn apply<const FMA: bool>(x: T) -> T {
        T::unary::<LAST, FMA>(T::unary::<{ un::Abs }, FMA>(x))
    }
}

impl<T: Lane, const FIRST: u8, const LAST: u8> OfTwo for Finished<T, FIRST, LAST> {
    type Lane = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> T {
        T::unary::<LAST, FMA>(T::binary::<FIRST, FMA>(a, b))
    }
}

impl<T: Lane, const FIRST: u8, const LAST: u8> OfThree for Then<T, FIRST, LAST> {
    type Lane = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T, c: T) -> T {
        T::binary::<LAST, FMA>(T::binary::<FIRST, FMA>(a, b), c)
    }
}

impl<T: Lane, const FIRST: u8, const LAST: u8> OfThree for After<T, FIRST, LAST> {
    type Lane = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T, c: T) -> T {
        T::binary::<LAST, FMA>(c, T::binary::<FIRST, FMA>(a, b))
    }
}

const LT: u8 = CompareOp::Lt as u8;
const LE: u8 = CompareOp::Le as u8;

/// What a choice between three lanes is if the comparison of the first two is true, and if it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Choice {
    FirstOrThird,
    SecondOrThird,
    ThirdOrFirst,
    ThirdOrSecond,
}

const FIRST_OR_THIRD: u8 = Choice::FirstOrThird as u8;
const SECOND_OR_THIRD: u8 = Choice::SecondOrThird as u8;
const THIRD_OR_FIRST: u8 = Choice::ThirdOrFirst as u8;
const THIRD_OR_SECOND: u8 = Choice::ThirdOrSecond as u8;

impl<T: Lane + PartialOrd, const ORDER: u8, const WAY: u8> OfThree for Chosen<T, ORDER, WAY> {
    type Lane = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T, c: T) -> T {
        let is_so = if ORDER == LT { a < b } else { a <= b };
        let (so, else_so) = match WAY {
            FIRST_OR_THIRD => (a, c),
            SECOND_OR_THIRD => (b, c),
            THIRD_OR_FIRST => (c, a),
            _ => (c, b),
        };
        if is_so { so } else { else_so }
    }
}

#[inline(always)]
unsafe fn two_loop<K: OfTwo, const FMA: bool>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: the plan gives `n` lanes of the kernel's type at all addresses, and the output apart
    // from the operands.
    let (out, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(a.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(b.cast::<K::Lane>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        out[i] = K::apply::<FMA>(a[i], b[i]);
        i += 1;
    }
}

#[inline(always)]
unsafe fn three_loop<K: OfThree, const FMA: bool>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    c: *const u8,
    n: usize,
) {
    // SAFETY: as above.
    let (out, a, b, c) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(a.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(b.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(c.cast::<K::Lane>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        out[i] = K::apply::<FMA>(a[i], b[i], c[i]);
        i += 1;
    }
}

by_level! {
    pub(super) fn pick_two<K: OfTwo>(out: *mut u8, a: *const u8, b: *const u8, n: usize) = two_loop;
    fn pick_three<K: OfThree>(
        out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize,
    ) = three_loop;
}

/// Runs `$table` for the floats that lanes hold; there are no such loops of other types.
macro_rules! of_floats {
    ($dtype:expr, $table:ident) => {
        match $dtype {
            DType::F32 => $table!(f32),
            DType::F64 => $table!(f64),
            _ => None,
        }
    };
}

/// The kernel of `(a first b) last c`, or of `c last (a first b)` if what is first made `is_right`, if there is one.
pub fn then(
    level: Level,
    first: BinaryOp,
    last: BinaryOp,
    is_right: bool,
    dtype: DType,
) -> Option<SelectFn> {
    // With longer vectors there are loops of more operations.
    let level = level.min(Level::Avx2);
    // The sum and the product of two are the same either way round.
    let is_right = is_right && !matches!(last, BinaryOp::Add | BinaryOp::Mul);
    macro_rules! table {
        ($T:ty) => { table!(@ $T: Add Sub Mul Div) };
        (@ $T:ty: $($first:ident)*) => {
            match first {
                $(BinaryOp::$first => match (last, is_right) {
                    (BinaryOp::Add, _) => Some(pick_three::<Then<$T, { bin::$first }, { bin::Add }>>(level)),
                    (BinaryOp::Mul, _) => Some(pick_three::<Then<$T, { bin::$first }, { bin::Mul }>>(level)),
                    (BinaryOp::Sub, false) => Some(pick_three::<Then<$T, { bin::$first }, { bin::Sub }>>(level)),
                    (BinaryOp::Sub, true) => Some(pick_three::<After<$T, { bin::$first }, { bin::Sub }>>(level)),
                    (BinaryOp::Max, false) => Some(pick_three::<Then<$T, { bin::$first }, { bin::Max }>>(level)),
                    (BinaryOp::Max, true) => Some(pick_three::<After<$T, { bin::$first }, { bin::Max }>>(level)),
                    (BinaryOp::Min, false) => Some(pick_three::<Then<$T, { bin::$first }, { bin::Min }>>(level)),
                    (BinaryOp::Min, true) => Some(pick_three::<After<$T, { bin::$first }, { bin::Min }>>(level)),
                    _ => None,
                },)*
                _ => None,
            }
        };
    }
    of_floats!(dtype, table)
}

/// The kernel of `last(a first b)`, if there is one.
pub fn finished(level: Level, first: BinaryOp, last: UnaryOp, dtype: DType) -> Option<BinaryFn> {
    macro_rules! table {
        ($T:ty) => { table!(@ $T: Add Sub Mul) };
        (@ $T:ty: $($first:ident)*) => {
            match first {
                $(BinaryOp::$first => match last {
                    UnaryOp::Abs => Some(pick_two::<Finished<$T, { bin::$first }, { un::Abs }>>(level)),
                    UnaryOp::Square => Some(pick_two::<Finished<$T, { bin::$first }, { un::Square }>>(level)),
                    UnaryOp::Exp => exp_of!($T, $first),
                    _ => None,
                },)*
                _ => None,
            }
        };
    }
    macro_rules! exp_of {
        ($T:ty, Add) => {
            None
        };
        ($T:ty, $first:ident) => {
            Some(pick_two::<Finished<$T, { bin::$first }, { un::Exp }>>(level))
        };
    }
    of_floats!(dtype, table)
}

/// The kernel of `last(|a|)`, if there is one.
pub fn of_size(level: Level, last: UnaryOp, dtype: DType) -> Option<UnaryFn> {
    macro_rules! table {
        ($T:ty) => {
            match last {
                UnaryOp::Sqrt => Some(pick_unary::<OfSize<$T, { un::Sqrt }>>(level)),
                UnaryOp::Log1p => Some(pick_unary::<OfSize<$T, { un::Log1p }>>(level)),
                _ => None,
            }
        };
    }
    of_floats!(dtype, table)
}

/// The kernel of a choice by a comparison that is true for few of equals, `<`, or for all, `<=`.
pub fn chosen(level: Level, has_equals: bool, choice: Choice, dtype: DType) -> Option<SelectFn> {
    let level = level.min(Level::Avx2);
    macro_rules! ways {
        ($T:ty, $ORDER:ident) => {
            match choice {
                Choice::FirstOrThird => pick_three::<Chosen<$T, $ORDER, FIRST_OR_THIRD>>(level),
                Choice::SecondOrThird => pick_three::<Chosen<$T, $ORDER, SECOND_OR_THIRD>>(level),
                Choice::ThirdOrFirst => pick_three::<Chosen<$T, $ORDER, THIRD_OR_FIRST>>(level),
                Choice::ThirdOrSecond => pick_three::<Chosen<$T, $ORDER, THIRD_OR_SECOND>>(level),
            }
        };
    }
    macro_rules! table {
        ($T:ty) => {
            Some(if has_equals { ways!($T, LE) } else { ways!($T, LT) })
        };
    }
    of_floats!(dtype, table)
}
