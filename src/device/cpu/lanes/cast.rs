//! Casts between compute types.

use std::marker::PhantomData;

use half::{bf16, f16};

use super::super::dispatch::{Level, by_level};
use super::narrow::RoundedOnce;
use super::{Mask, UnaryFn};
use crate::dtype::{DType, F8E4M3, F8E5M2};

trait CastTo<T> {
    fn cast_to(self) -> T;
}

macro_rules! integer_casts {
    ($($A:ident)*) => {$(
        integer_casts!(@to $A: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
        impl CastTo<Mask> for $A {
            #[inline(always)]
            fn cast_to(self) -> Mask {
                Mask::new(self != 0)
            }
        }
        impl CastTo<$A> for Mask {
            #[inline(always)]
            fn cast_to(self) -> $A {
                self.get() as u8 as $A
            }
        }
    )*};
    (@to $A:ident: $($B:ident)*) => {$(
        impl CastTo<$B> for $A {
            #[inline(always)]
            fn cast_to(self) -> $B {
                self as $B
            }
        }
    )*};
}
integer_casts!(u8 u16 u32 u64 i8 i16 i32 i64);

impl CastTo<Mask> for Mask {
    #[inline(always)]
    fn cast_to(self) -> Mask {
        Mask::new(self.get())
    }
}

/// A float cut towards zero. Out of range and for NaN it is what x86 gives NumPy: the most negative
/// number of the 32-bit (for int64 and the wide types without a sign, 64-bit) integer, whose low bits a
/// narrower type takes.
macro_rules! float_casts {
    ($($A:ident)*) => {$(
        float_casts!(@cut $A: i32 2147483648.0, i64 9223372036854775808.0);
        impl CastTo<u32> for $A {
            #[inline(always)]
            fn cast_to(self) -> u32 {
                let wide: i64 = self.cast_to();
                wide as u32
            }
        }
        impl CastTo<u64> for $A {
            #[inline(always)]
            fn cast_to(self) -> u64 {
                const HALF: $A = 9223372036854775808.0;
                let is_large = self >= HALF;
                let wide: i64 = if is_large { self - HALF } else { self }.cast_to();
                wide as u64 ^ (is_large as u64) << 63
            }
        }
        float_casts!(@narrow $A: u8 i8 i16);
        impl CastTo<f32> for $A {
            #[inline(always)]
            fn cast_to(self) -> f32 {
                self as f32
            }
        }
        impl CastTo<f64> for $A {
            #[inline(always)]
            fn cast_to(self) -> f64 {
                self as f64
            }
        }
        impl CastTo<Mask> for $A {
            #[inline(always)]
            fn cast_to(self) -> Mask {
                Mask::new(self != 0.0)
            }
        }
        impl CastTo<$A> for Mask {
            #[inline(always)]
            fn cast_to(self) -> $A {
                self.get() as u8 as $A
            }
        }
    )*};
    (@cut $A:ident: $($B:ident $end:literal),*) => {$(
        impl CastTo<$B> for $A {
            #[inline(always)]
            fn cast_to(self) -> $B {
                // The least number of all is what the others become.
                let is_inside = self.abs() < $end;
                let inside = if is_inside { self } else { 0.0 };
                // SAFETY: it is in the integer's range. `as` says what becomes of other numbers, one by one.
                let cut: $B = unsafe { inside.to_int_unchecked() };
                if is_inside { cut } else { $B::MIN }
            }
        }
    )*};
    (@narrow $A:ident: $($B:ident)*) => {$(
        impl CastTo<$B> for $A {
            #[inline(always)]
            fn cast_to(self) -> $B {
                let wide: i32 = self.cast_to();
                wide as $B
            }
        }
    )*};
}
float_casts!(f32 f64);

/// What a cast does to a lane.
pub(super) trait CastKernel {
    type From: Copy;
    type To: Copy;
    fn apply(x: Self::From) -> Self::To;
}

struct Pair<A, B>(PhantomData<(A, B)>);

impl<A: CastTo<B> + Copy, B: Copy> CastKernel for Pair<A, B> {
    type From = A;
    type To = B;
    #[inline(always)]
    fn apply(x: A) -> B {
        x.cast_to()
    }
}

#[inline(always)]
unsafe fn cast_loop<K: CastKernel, const FMA: bool>(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the plan gives `n` lanes of the kernel's types at both addresses, apart from each
    // other.
    let (out, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<K::To>(), n),
            std::slice::from_raw_parts(a.cast::<K::From>(), n),
        )
    };
    let mut i = 0;
    while i < n {
        out[i] = K::apply(a[i]);
        i += 1;
    }
}

by_level! {
    pub(super) fn pick<K: CastKernel>(out: *mut u8, a: *const u8, n: usize) = cast_loop;
}

/// Where the bits of a cast are the same as in another one, the types of that: between integers that do
/// not become longer a sign makes no difference, and a float below 32 bits is cut as if to a signed one.
fn with_same_bits(from: DType, to: DType) -> (DType, DType) {
    let from = if to == DType::Bool || to.is_integer() && to.size() <= from.size() {
        signed(from)
    } else {
        from
    };
    let to = if !from.is_float() || to.size() < 4 { signed(to) } else { to };
    (from, to)
}

/// Of an integer the signed type of its width; else the type itself.
fn signed(dtype: DType) -> DType {
    match dtype {
        DType::U8 => DType::I8,
        DType::U16 => DType::I16,
        DType::U32 => DType::I32,
        DType::U64 => DType::I64,
        DType::Bool
        | DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::F8E4M3
        | DType::F8E5M2
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => dtype,
        DType::C64 | DType::C128 => dtype.not_stored(),
    }
}

/// The kernel of a cast between compute types. From float64 to a narrow type it rounds once; to a
/// narrow type from anything else it gives a float32 that has still to be rounded.
pub fn cast(level: Level, from: DType, to: DType) -> UnaryFn {
    macro_rules! pairs {
        ($($A:ident $a:ty => $($B:ident $b:ty),*;)*) => {
            match with_same_bits(from, to) {
                (DType::F64, DType::F8E4M3) => pick::<RoundedOnce<F8E4M3>>(Level::Baseline),
                (DType::F64, DType::F8E5M2) => pick::<RoundedOnce<F8E5M2>>(Level::Baseline),
                (DType::F64, DType::F16) => pick::<RoundedOnce<f16>>(Level::Baseline),
                (DType::F64, DType::BF16) => pick::<RoundedOnce<bf16>>(Level::Baseline),
                $($((DType::$A, DType::$B) => pick::<Pair<$a, $b>>(level),)*)*
                (from, to) => match to.compute() == to {
                    true => unreachable!("{from} to {to} has the bits of another cast"),
                    false => cast(level, from, to.compute()),
                },
            }
        };
    }
    pairs! {
        Bool Mask => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        U8 u8 => I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        U16 u16 => I32 i32, I64 i64, F32 f32, F64 f64;
        U32 u32 => I64 i64, F32 f32, F64 f64;
        U64 u64 => F32 f32, F64 f64;
        I8 i8 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        I16 i16 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        I32 i32 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        I64 i64 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64;
        F32 f32 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, U32 u32, U64 u64, F32 f32, F64 f64;
        F64 f64 => Bool Mask, I8 i8, I16 i16, I32 i32, I64 i64, U32 u32, U64 u64, F32 f32, F64 f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_kernel_for_every_cast() {
        for from in DType::STORED.map(DType::compute) {
            for to in DType::STORED {
                let _: UnaryFn = cast(Level::Baseline, from, to);
            }
        }
    }
}
