//! Unary and binary operations: the loops, and the tables that choose one.

use std::marker::PhantomData;

use super::super::dispatch::{Level, by_level};
use super::{BinaryFn, CheckedFn, Mask, UnaryFn, with_integer_bits, with_integer_type};
use crate::dtype::DType;
use crate::ir::{BinaryOp, UnaryOp, binary_code as bin, unary_code as un};

/// A type of lanes.
pub trait Lane: Copy {
    fn unary<const OP: u8, const FMA: bool>(x: Self) -> Self;
    /// Whether `unary` does not reach this lane, so that `rare` must; for the operations that
    /// have such lanes.
    #[inline(always)]
    fn is_rare(_: Self) -> bool {
        false
    }
    fn rare<const OP: u8>(x: Self) -> Self {
        x
    }
    /// One of the operations whose result is bool.
    fn test<const OP: u8>(_: Self) -> bool {
        false
    }
    fn binary<const OP: u8, const FMA: bool>(a: Self, b: Self) -> Self;
    /// As `is_rare`, of two operands and what `binary` made of them.
    #[inline(always)]
    fn is_rare_pair<const OP: u8>(_: Self) -> bool {
        false
    }
    fn rare_pair<const OP: u8>(a: Self, _: Self) -> Self {
        a
    }
    /// An operation that has no result for some operands: false there.
    fn checked<const OP: u8>(a: Self, _: Self) -> (Self, bool) {
        (a, true)
    }
}

/// Whether an operation may leave lanes to [`Lane::rare`].
const fn has_rare(op: u8) -> bool {
    matches!(op, un::Sin | un::Cos | un::Tan)
}

/// Whether an operation may leave lanes to [`Lane::rare_pair`].
const fn has_rare_pair<T>(op: u8) -> bool {
    matches!(op, bin::LogAddExp | bin::LogAddExp2 | bin::FloorDiv | bin::Mod | bin::Fmod)
        || matches!(op, bin::Pow | bin::Atan2 | bin::Hypot) && size_of::<T>() == 8
}

pub(super) trait UnaryKernel {
    type In: Copy;
    type Out: Copy;
    /// Whether `apply` may leave lanes to `rare`.
    const HAS_RARE: bool = false;
    fn apply<const FMA: bool>(x: Self::In) -> Self::Out;
    #[inline(always)]
    fn is_rare(_: Self::In) -> bool {
        false
    }
    #[inline(always)]
    fn rare(x: Self::In) -> Self::Out {
        Self::apply::<false>(x)
    }
}

struct Un<T, const OP: u8>(PhantomData<T>);
struct Test<T, const OP: u8>(PhantomData<T>);

impl<T: Lane, const OP: u8> UnaryKernel for Un<T, OP> {
    type In = T;
    type Out = T;
    const HAS_RARE: bool = has_rare(OP);
    #[inline(always)]
    fn apply<const FMA: bool>(x: T) -> T {
        T::unary::<OP, FMA>(x)
    }
    #[inline(always)]
    fn is_rare(x: T) -> bool {
        T::is_rare(x)
    }
    #[inline(always)]
    fn rare(x: T) -> T {
        T::rare::<OP>(x)
    }
}

impl<T: Lane, const OP: u8> UnaryKernel for Test<T, OP> {
    type In = T;
    type Out = Mask;
    #[inline(always)]
    fn apply<const FMA: bool>(x: T) -> Mask {
        Mask::new(T::test::<OP>(x))
    }
}

trait BinaryKernel {
    type Lane: Lane;
    /// Whether `apply` may leave lanes to `rare`.
    const HAS_RARE: bool;
    fn is_rare(result: Self::Lane) -> bool;
    fn rare(a: Self::Lane, b: Self::Lane) -> Self::Lane;
    fn apply<const FMA: bool>(a: Self::Lane, b: Self::Lane) -> Self::Lane;
    fn checked(a: Self::Lane, b: Self::Lane) -> (Self::Lane, bool);
}

struct Bin<T, const OP: u8>(PhantomData<T>);

impl<T: Lane, const OP: u8> BinaryKernel for Bin<T, OP> {
    type Lane = T;
    const HAS_RARE: bool = has_rare_pair::<T>(OP);
    #[inline(always)]
    fn is_rare(result: T) -> bool {
        T::is_rare_pair::<OP>(result)
    }
    fn rare(a: T, b: T) -> T {
        T::rare_pair::<OP>(a, b)
    }
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> T {
        T::binary::<OP, FMA>(a, b)
    }
    #[inline(always)]
    fn checked(a: T, b: T) -> (T, bool) {
        T::checked::<OP>(a, b)
    }
}

#[inline(always)]
unsafe fn unary_loop<K: UnaryKernel, const FMA: bool>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the plan gives `n` lanes of the kernel's types at both addresses, apart from each
    // other.
    let (out, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::Out>(), n),
            std::slice::from_raw_parts(a.cast::<K::In>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        out[i] = K::apply::<FMA>(a[i]);
        i += 1;
    }
    if K::HAS_RARE {
        let (mut i, mut any) = (0, false);
        while i < n {
            any |= K::is_rare(a[i]);
            i += 1;
        }
        if any {
            for (out, a) in out.iter_mut().zip(a) {
                if K::is_rare(*a) {
                    *out = K::rare(*a);
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn binary_loop<K: BinaryKernel, const FMA: bool>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) {
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
    if K::HAS_RARE {
        let mut any = false;
        i = 0;
        while i < n {
            any |= K::is_rare(out[i]);
            i += 1;
        }
        if any {
            for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                if K::is_rare(*out) {
                    *out = K::rare(*a, *b);
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn checked_loop<K: BinaryKernel>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) -> bool {
    // SAFETY: as in `binary_loop`.
    let (out, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(a.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(b.cast::<K::Lane>(), n),
        )
    };
    let (mut i, mut good) = (0, true);
    while i < n {
        let has_value;
        (out[i], has_value) = K::checked(a[i], b[i]);
        good &= has_value;
        i += 1;
    }
    good
}

by_level! {
    pub(super) fn pick_unary<K: UnaryKernel>(out: *mut u8, a: *const u8, n: usize) = unary_loop;
    fn pick_binary<K: BinaryKernel>(out: *mut u8, a: *const u8, b: *const u8, n: usize)
        = binary_loop;
}

/// The kernel of a unary operation on lanes of a compute type.
///
/// # Panics
/// For an operation that the type does not have: such a program breaks the contract of `ir`.
pub fn unary(level: Level, op: UnaryOp, dtype: DType) -> UnaryFn {
    macro_rules! table {
        ($T:ty: $($simple:ident)*; $($test:ident)*) => {
            match op {
                $(UnaryOp::$simple => pick_unary::<Un<$T, { un::$simple }>>(level),)*
                $(UnaryOp::$test => pick_unary::<Test<$T, { un::$test }>>(level),)*
                #[allow(unreachable_patterns)]
                _ => panic!("`{}` has no meaning for {dtype}", op.name()),
            }
        };
    }
    macro_rules! floats {
        ($T:ty; $($slow:ident)*; $($fast:ident)*) => {
            match op {
                // Calls into the mathematics library: more vector instructions change nothing.
                $(UnaryOp::$slow => {
                    pick_unary::<Un<$T, { un::$slow }>>(Level::Baseline)
                })*
                _ => table!($T:
                    Neg Abs Square Reciprocal Sqrt Rsqrt Floor Ceil Trunc Round
                    Exp Log Sigmoid $($fast)*; IsNan IsInf IsFinite SignBit),
            }
        };
    }
    if let UnaryOp::Sign = op {
        return with_integer_type!(dtype, T => pick_unary::<Un<T, { un::Sign }>>(level), {
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 => table!(f32: Sign;)
            F64 => table!(f64: Sign;)
            Bool => table!(Mask: ;)
        });
    }
    with_integer_bits!(dtype, T => table!(T: Neg Abs Not Square;), {
        F8E4M3 | F8E5M2 | F16 | BF16 | F32 => floats!(f32; Erfc Lgamma;
            Cbrt Exp2 Expm1 Log2 Log10 Log1p Sin Cos Tan Asin Acos Atan
            Sinh Cosh Tanh Asinh Acosh Atanh Erf)
        F64 => floats!(f64;
            Erf Erfc Lgamma;
            Cbrt Exp2 Expm1 Log2 Log10 Log1p Sin Cos Tan Asin Acos Atan
            Sinh Cosh Tanh Asinh Acosh Atanh)
        Bool => table!(Mask: Not;)
    })
}

/// The operations whose bits are the same with a sign and without.
macro_rules! bits {
    () => {
        BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
    };
}

/// The operation of which a type has a loop: only floats have a NaN that makes a difference.
pub(super) fn of_type(op: BinaryOp, dtype: DType) -> BinaryOp {
    match op {
        BinaryOp::Fmax if !dtype.is_float() => BinaryOp::Max,
        BinaryOp::Fmin if !dtype.is_float() => BinaryOp::Min,
        op => op,
    }
}

/// The kernel of a binary operation on lanes of a type; for integer operations without a
/// result for some operands, see [`checked`].
///
/// # Panics
/// For an operation that the type does not have: such a program breaks the contract of `ir`.
pub fn binary(level: Level, op: BinaryOp, dtype: DType) -> BinaryFn {
    if op == BinaryOp::NextAfter && dtype.compute() != dtype {
        return super::narrow::next_after(dtype);
    }
    let op = of_type(op, dtype);
    macro_rules! table {
        ($T:ty: $($fast:ident)*; $($slow:ident)*) => {
            match op {
                $(BinaryOp::$fast => pick_binary::<Bin<$T, { bin::$fast }>>(level),)*
                $(BinaryOp::$slow => {
                    pick_binary::<Bin<$T, { bin::$slow }>>(Level::Baseline)
                })*
                #[allow(unreachable_patterns)]
                _ => panic!("`{}` has no meaning for {dtype}", op.name()),
            }
        };
    }
    if matches!(op, bits!()) {
        return with_integer_bits!(dtype, T => table!(T: Add Sub Mul BitAnd BitOr BitXor Shl;), {
            F8E4M3 | F8E5M2 | F16 | BF16 | F32 => table!(f32: Add Sub Mul;)
            F64 => table!(f64: Add Sub Mul;)
            Bool => table!(Mask: Add Mul BitAnd BitOr BitXor;)
        });
    }
    with_integer_type!(dtype, T => table!(T: Max Min Shr; Gcd Lcm Pow), {
        F8E4M3 | F8E5M2 | F16 | BF16 | F32 => table!(f32:
            Div FloorDiv Mod Fmod Pow Max Min Fmax Fmin Atan2 Hypot CopySign NextAfter LogAddExp LogAddExp2;)
        F64 => table!(f64:
            Div FloorDiv Mod Fmod Pow Max Min Fmax Fmin Atan2 Hypot CopySign NextAfter LogAddExp; LogAddExp2)
        Bool => table!(Mask: Max Min;)
    })
}

/// The kernel of an integer operation that has no result for some operands.
///
/// # Panics
/// For an operation that always has one.
pub fn checked(level: Level, op: BinaryOp, dtype: DType) -> CheckedFn {
    match op {
        BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Fmod => {
            return super::divide::divide(level, op, dtype);
        }
        BinaryOp::Pow => {}
        _ => panic!("`{}` has a result for all of {dtype}", op.name()),
    }
    with_integer_type!(dtype, T => checked_loop::<Bin<T, { bin::Pow }>>, {
        Bool | F8E4M3 | F8E5M2 | F16 | BF16 | F32 | F64 => panic!("`{}` has a result for all of {dtype}", op.name())
    })
}
