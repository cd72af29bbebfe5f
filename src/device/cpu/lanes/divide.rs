//! Quotients and remainders of integers by floating-point division, which vectors have and integer
//! division they have not.
//!
//! For whole numbers `a` and `b` that the float holds exactly, `a / b` is at least `1 / b` away from the next
//! whole number if it is none, which is more than the quotient's rounding: cutting it off is exact. Where all
//! lanes have one divisor, `(|a| + ½) · (1 / b)` takes the place of the division: it is at least `½ / b` away
//! from every whole number, again more than the errors of the reciprocal and the product add up to. Of up to 32 bits
//! floors are found by the upper half of a product of integers instead (Granlund and Montgomery, "Division by invariant
//! integers using multiplication", 1994), and where the divisor is a power of two, bits are shifted.

use std::marker::PhantomData;

use super::super::dispatch::{Level, by_level};
use super::CheckedFn;
use super::arith::Lane;
use crate::dtype::DType;
use crate::ir::{BinaryOp, binary_code as bin};

trait Divided: Lane + PartialEq {
    type Float: Copy;
    const ZERO: Self;
    /// Whether the float holds the lane and what the quotient needs besides.
    fn fits(self) -> bool;
    fn to_float(self) -> Self::Float;
    fn reciprocal(self) -> Self::Float;
    fn divided(a: Self::Float, b: Self::Float) -> Self;
    fn multiplied(a: Self, reciprocal: Self::Float) -> Self;
    /// One for true, in the width of the lanes: what is gathered from many lanes stays in vectors then.
    fn flag(is: bool) -> Self;
    fn or(self, other: Self) -> Self;
    /// The bits in which two differ.
    fn apart(self, other: Self) -> Self;
    /// The shift that divides by this number, if it is a power of two.
    fn shift(self) -> Option<u32>;
    /// The floor of the quotient by such a power, or what is left.
    fn shifted<const OP: u8>(a: Self, shift: u32) -> Self;
    /// What `OP` asks for, from the quotient that is cut off.
    fn finished<const OP: u8>(a: Self, b: Self, quotient: Self) -> Self;
    /// Whether vectors have the products of which [`Divided::floored`] takes the upper halves.
    const HAS_HALVES: bool;
    fn is_positive(self) -> bool;
    /// The factor and the shift that take the place of a divisor above one.
    fn factor(self) -> (Self, u32);
    /// The floor of the quotient by a divisor with this factor and shift.
    fn floored(a: Self, factor: Self, shift: u32) -> Self;
    /// What `OP` asks for, from the floor of the quotient.
    fn of_floor<const OP: u8>(a: Self, b: Self, floor: Self) -> Self;
}

macro_rules! divided {
    ($($T:ident, $F:ident as $Cut:ident, $U:ident in $Wide:ident, $signed:literal, $fits:expr;)*) => {$(
        impl Divided for $T {
            type Float = $F;
            const ZERO: $T = 0;

            #[inline(always)]
            fn fits(self) -> bool {
                $fits(self)
            }

            #[inline(always)]
            fn to_float(self) -> $F {
                self as $F
            }

            #[inline(always)]
            fn reciprocal(self) -> $F {
                1.0 / self as $F
            }

            #[inline(always)]
            fn divided(a: $F, b: $F) -> $T {
                // SAFETY: no operand is larger than its type's numbers, nor the divisor nearer to zero than one, so
                // that the quotient is a number that `Cut` has, or, of the least one by −1, is not used.
                unsafe { cut::<$F, $Cut>(a / b) as $T }
            }

            #[inline(always)]
            fn multiplied(a: $T, reciprocal: $F) -> $T {
                let half = if $signed { $F::copysign(0.5, a as $F) } else { 0.5 };
                // SAFETY: as above.
                unsafe { cut::<$F, $Cut>((a as $F + half) * reciprocal) as $T }
            }

            #[inline(always)]
            fn flag(is: bool) -> $T {
                is as $T
            }

            #[inline(always)]
            fn or(self, other: $T) -> $T {
                self | other
            }

            #[inline(always)]
            fn apart(self, other: $T) -> $T {
                self ^ other
            }

            #[inline(always)]
            fn shift(self) -> Option<u32> {
                (self > 0 && self & (self - 1) == 0).then(|| self.trailing_zeros())
            }

            #[inline(always)]
            fn shifted<const OP: u8>(a: $T, shift: u32) -> $T {
                match OP {
                    bin::FloorDiv => a >> shift,
                    _ => a & ((1 as $T) << shift).wrapping_sub(1),
                }
            }

            #[inline(always)]
            fn finished<const OP: u8>(a: $T, b: $T, quotient: $T) -> $T {
                // The least number by −1 wraps, and is no quotient that the cast knows.
                let is_minus_one = $signed && b == (0 as $T).wrapping_sub(1);
                let quotient = if is_minus_one { a.wrapping_neg() } else { quotient };
                let remainder = a.wrapping_sub(quotient.wrapping_mul(b));
                let below =
                    $signed && (remainder != 0) & ((remainder ^ b).leading_zeros() == 0);
                match OP {
                    bin::FloorDiv => quotient.wrapping_sub(below as $T),
                    bin::Mod => remainder.wrapping_add(if below { b } else { 0 }),
                    _ => remainder,
                }
            }

            const HAS_HALVES: bool = $T::BITS <= 32;

            #[inline(always)]
            fn is_positive(self) -> bool {
                self > 0
            }

            #[inline(always)]
            fn factor(self) -> ($T, u32) {
                let divisor = self as $U as u64;
                let bits = u64::BITS - (divisor - 1).leading_zeros();
                // Of 64 bits there are no such products.
                let factor = ((1u64.wrapping_shl(bits).wrapping_sub(divisor))
                    .wrapping_shl($T::BITS))
                    / divisor
                    + 1;
                (factor as $T, bits.wrapping_sub(1))
            }

            #[inline(always)]
            fn floored(a: $T, factor: $T, shift: u32) -> $T {
                // Below zero the floor of a quotient is what is left of −1 by that of −1 − a.
                let sign = if $signed { a >> ($T::BITS - 1) } else { 0 };
                let size = (a ^ sign) as $U;
                let half = ((size as $Wide * factor as $U as $Wide) >> $T::BITS) as $U;
                // No sum of the two, which may not fit.
                let quotient = (half + ((size - half) >> 1)) >> shift;
                quotient as $T ^ sign
            }

            #[inline(always)]
            fn of_floor<const OP: u8>(a: $T, b: $T, floor: $T) -> $T {
                match OP {
                    bin::FloorDiv => floor,
                    _ => a.wrapping_sub(floor.wrapping_mul(b)),
                }
            }
        }
    )*};
}

/// Whole numbers up to here, a half added to them, and their quotients are exact or apart in float64.
const EXACT: u64 = 1 << 50;

/// A float that is cut off to a whole number.
trait Cut<I> {
    /// # Safety
    /// The float is a number, and what is left of it is one of the type's.
    unsafe fn cut(self) -> I;
}

macro_rules! cut {
    ($($F:ident to $I:ident)*) => {$(
        impl Cut<$I> for $F {
            #[inline(always)]
            unsafe fn cut(self) -> $I {
                // SAFETY: the caller's.
                unsafe { self.to_int_unchecked() }
            }
        }
    )*};
}
cut!(f32 to i32 f64 to i64);

/// # Safety
/// As for [`Cut::cut`].
#[inline(always)]
unsafe fn cut<F: Cut<I>, I>(x: F) -> I {
    // SAFETY: the caller's.
    unsafe { x.cut() }
}

divided! {
    u8, f32 as i32, u8 in u16, false, |_| true;
    i8, f32 as i32, u8 in u16, true, |_| true;
    u16, f32 as i32, u16 in u32, false, |_| true;
    i16, f32 as i32, u16 in u32, true, |_| true;
    u32, f64 as i64, u32 in u64, false, |_| true;
    i32, f64 as i64, u32 in u64, true, |_| true;
    u64, f64 as i64, u64 in u128, false, |x: u64| x < EXACT;
    i64, f64 as i64, u64 in u128, true, |x: i64| (x.wrapping_add(EXACT as i64) as u64) < 2 * EXACT;
}

trait DivideKernel {
    type Lane: Divided;
    /// Whether a shift does the same where the divisor is a power of two.
    const IS_FLOORED: bool;
    fn shifted(a: Self::Lane, shift: u32) -> Self::Lane;
    fn finished(a: Self::Lane, b: Self::Lane, quotient: Self::Lane) -> Self::Lane;
    fn single(a: Self::Lane, b: Self::Lane) -> Self::Lane;
    fn of_floor(a: Self::Lane, b: Self::Lane, floor: Self::Lane) -> Self::Lane;
}

struct Div<T, const OP: u8>(PhantomData<T>);

impl<T: Divided, const OP: u8> DivideKernel for Div<T, OP> {
    type Lane = T;
    const IS_FLOORED: bool = OP != bin::Fmod;

    #[inline(always)]
    fn shifted(a: T, shift: u32) -> T {
        T::shifted::<OP>(a, shift)
    }

    #[inline(always)]
    fn finished(a: T, b: T, quotient: T) -> T {
        T::finished::<OP>(a, b, quotient)
    }

    #[inline(always)]
    fn single(a: T, b: T) -> T {
        T::checked::<OP>(a, b).0
    }

    #[inline(always)]
    fn of_floor(a: T, b: T, floor: T) -> T {
        T::of_floor::<OP>(a, b, floor)
    }
}

#[inline(always)]
unsafe fn divide_loop<K: DivideKernel, const FMA: bool>(
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
) -> bool {
    // SAFETY: the plan gives `n` lanes of the kernel's type at all addresses, and the output apart
    // from the operands.
    let (out, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(a.cast::<K::Lane>(), n),
            std::slice::from_raw_parts(b.cast::<K::Lane>(), n),
        )
    };
    let Some(first) = b.first().copied() else { return true };
    let (mut i, no) = (0, K::Lane::ZERO);
    let mut differs = no;
    while i < n {
        differs = differs.or(b[i].apart(first));
        i += 1;
    }
    let is_one = differs == no;
    if is_one && K::IS_FLOORED && first.is_positive() {
        i = 0;
        if let Some(shift) = first.shift() {
            while i < n {
                out[i] = K::shifted(a[i], shift);
                i += 1;
            }
            return true;
        }
        if K::Lane::HAS_HALVES {
            let (factor, shift) = first.factor();
            while i < n {
                out[i] = K::of_floor(a[i], first, K::Lane::floored(a[i], factor, shift));
                i += 1;
            }
            return true;
        }
    }
    let (mut is_zero, mut is_long) = (no, no);
    i = 0;
    while i < n {
        is_zero = is_zero.or(K::Lane::flag(b[i] == K::Lane::ZERO));
        is_long = is_long.or(K::Lane::flag(!a[i].fits() | !b[i].fits()));
        i += 1;
    }
    if is_zero != no {
        return false;
    }
    let fits = is_long == no;
    i = 0;
    if !fits {
        while i < n {
            out[i] = K::single(a[i], b[i]);
            i += 1;
        }
    } else if is_one {
        let reciprocal = first.reciprocal();
        while i < n {
            out[i] = K::finished(a[i], first, K::Lane::multiplied(a[i], reciprocal));
            i += 1;
        }
    } else {
        while i < n {
            let quotient = K::Lane::divided(a[i].to_float(), b[i].to_float());
            out[i] = K::finished(a[i], b[i], quotient);
            i += 1;
        }
    }
    true
}

by_level! {
    fn pick_divide<K: DivideKernel>(out: *mut u8, a: *const u8, b: *const u8, n: usize) -> bool
        = divide_loop;
}

/// The kernel of a quotient or a remainder of integers.
///
/// # Panics
/// For another operation or type.
pub(super) fn divide(level: Level, op: BinaryOp, dtype: DType) -> CheckedFn {
    macro_rules! table {
        ($T:ty: $($op:ident)*) => {
            match op {
                $(BinaryOp::$op => pick_divide::<Div<$T, { bin::$op }>>(level),)*
                _ => panic!("`{}` is no division", op.name()),
            }
        };
    }
    super::with_integer_type!(dtype, T => table!(T: FloorDiv Mod Fmod), {
        Bool | F8E4M3 | F8E5M2 | F16 | BF16 | F32 | F64 => panic!("{dtype} is no type of integers")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every quotient and remainder at both ends of a type, at powers of two and between, is that of the
    /// processor's own division.
    #[test]
    fn divisions_are_those_of_integers() {
        macro_rules! check {
            ($($T:ident, $dtype:ident;)*) => {$(
                let mut values: Vec<$T> = Vec::new();
                for shift in 0..$T::BITS {
                    for near in -2i8..=2 {
                        let power = (1 as $T) << shift;
                        values.push(power.wrapping_add(near as $T));
                        values.push((power.wrapping_add(near as $T)).wrapping_neg());
                        values.push((power / 3 * 2).wrapping_add(near as $T));
                    }
                }
                values.extend([$T::MIN, $T::MAX, 0, 1, 3, 7, 10, 100]);
                let divisors: Vec<$T> = values.iter().copied().filter(|b| *b != 0).collect();
                for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                    for op in [BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod] {
                        let kernel = divide(level, op, DType::$dtype);
                        for (shift, one) in divisors.iter().enumerate() {
                            let mixed: Vec<$T> = (0..values.len()).map(|at| divisors[(at + shift) % divisors.len()]).collect();
                            for b in [vec![*one; values.len()], mixed] {
                                let mut out = vec![0 as $T; values.len()];
                                // SAFETY: all three have as many lanes.
                                let good = unsafe {
                                    kernel(out.as_mut_ptr().cast(), values.as_ptr().cast(), b.as_ptr().cast(), values.len())
                                };
                                assert!(good);
                                for ((a, b), out) in values.iter().zip(&b).zip(out) {
                                    let wanted = match op {
                                        BinaryOp::FloorDiv => <$T as Lane>::checked::<{ bin::FloorDiv }>(*a, *b),
                                        BinaryOp::Mod => <$T as Lane>::checked::<{ bin::Mod }>(*a, *b),
                                        _ => <$T as Lane>::checked::<{ bin::Fmod }>(*a, *b),
                                    };
                                    assert_eq!(out, wanted.0, "{} of {a} and {b}, {level:?}", op.name());
                                }
                            }
                        }
                    }
                }
            )*};
        }
        check! {
            u8, U8; i8, I8; u16, U16; i16, I16; u32, U32; i32, I32; u64, U64; i64, I64;
        }
        let kernel = divide(Level::detect(), BinaryOp::Mod, DType::I32);
        let (a, b, mut out) = ([5i32; 9], [1, 2, 3, 4, 5, 6, 7, 8, 0], [0i32; 9]);
        // SAFETY: nine lanes each.
        assert!(!unsafe {
            kernel(out.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast(), 9)
        });
    }
}
