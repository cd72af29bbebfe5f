//! Arithmetic of the element types: integers wrap, the half types round after every step, and the greater
//! and the lesser of two keep a NaN.

use half::{bf16, f16};

/// A type that tensors compute with.
pub trait Number: Copy + PartialEq + Send + Sync + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// No more than any other.
    const LOWEST: Self;
    /// No less than any other.
    const HIGHEST: Self;
    const HAS_NAN: bool = false;
    /// Whether [`add_product`](Number::add_product) rounds once.
    const HAS_FUSED: bool = false;

    fn add(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn exceeds(self, other: Self) -> bool;
    fn is_nan(self) -> bool;

    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        self.add(a.multiply(b))
    }

    /// NaN if either is; `self` if they are equal.
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        if other.exceeds(self) | (other.is_nan() & !self.is_nan()) { other } else { self }
    }

    /// NaN if either is; `self` if they are equal.
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        if self.exceeds(other) | (other.is_nan() & !self.is_nan()) { other } else { self }
    }
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            const ZERO: $type = 0;
            const ONE: $type = 1;
            const LOWEST: $type = <$type>::MIN;
            const HIGHEST: $type = <$type>::MAX;

            #[inline(always)]
            fn add(self, other: $type) -> $type {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn multiply(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn exceeds(self, other: $type) -> bool {
                self > other
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! floats {
    ($($type:ty, $zero:expr, $one:expr $(, $fused:ident)?;)*) => {$(
        impl Number for $type {
            $(
                const HAS_FUSED: bool = true;

                #[inline(always)]
                fn add_product(self, a: $type, b: $type) -> $type {
                    a.$fused(b, self)
                }
            )?
            const ZERO: $type = $zero;
            const ONE: $type = $one;
            const LOWEST: $type = <$type>::NEG_INFINITY;
            const HIGHEST: $type = <$type>::INFINITY;
            const HAS_NAN: bool = true;

            #[inline(always)]
            fn add(self, other: $type) -> $type {
                self + other
            }

            #[inline(always)]
            fn multiply(self, other: $type) -> $type {
                self * other
            }

            #[inline(always)]
            fn exceeds(self, other: $type) -> bool {
                self > other
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                <$type>::is_nan(self)
            }

            #[inline(always)]
            fn greater(self, other: $type) -> $type {
                if self >= other || self.is_nan() { self } else { other }
            }

            #[inline(always)]
            fn lesser(self, other: $type) -> $type {
                if self <= other || self.is_nan() { self } else { other }
            }
        }
    )*};
}

floats! {
    f16, f16::ZERO, f16::ONE;
    bf16, bf16::ZERO, bf16::ONE;
    f32, 0.0, 1.0, mul_add;
    f64, 0.0, 1.0, mul_add;
}

/// Runs `$body` with `$T` as the [`Number`] of a type. A bool counts as `u8` of zero or one, of which the
/// greater is "or" and the lesser "and".
macro_rules! by_number {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::dtype::by_real!($dtype, [u8] $T => $body)
    };
}
pub(super) use by_number;

/// The same for what is done alike with a sign and without: all integers of a width are one type.
macro_rules! by_bits {
    ($dtype:expr, $T:ident => $body:expr) => {{
        macro_rules! as_number {
            ($type:ty) => {{
                type $T = $type;
                $body
            }};
        }
        match $dtype {
            $crate::dtype::DType::Bool | $crate::dtype::DType::U8 | $crate::dtype::DType::I8 => {
                as_number!(u8)
            }
            $crate::dtype::DType::U16 | $crate::dtype::DType::I16 => as_number!(u16),
            $crate::dtype::DType::U32 | $crate::dtype::DType::I32 => as_number!(u32),
            $crate::dtype::DType::U64 | $crate::dtype::DType::I64 => as_number!(u64),
            $crate::dtype::DType::F16 => as_number!(half::f16),
            $crate::dtype::DType::BF16 => as_number!(half::bf16),
            $crate::dtype::DType::F32 => as_number!(f32),
            $crate::dtype::DType::F64 => as_number!(f64),
            narrow @ ($crate::dtype::DType::F8E4M3 | $crate::dtype::DType::F8E5M2) => {
                narrow.not_carried()
            }
            complex @ ($crate::dtype::DType::C64 | $crate::dtype::DType::C128) => {
                complex.not_stored()
            }
        }
    }};
}
pub(super) use by_bits;
