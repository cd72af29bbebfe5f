//! Elements as the numbers of Rust that they are.

use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

use super::{DType, F8E4M3, F8E5M2, Scalar};

/// Bytes of the widest type's elements.
pub const WIDEST: usize = 16;

/// Room for an element of any type, which stands at its beginning.
pub type Bits = [u8; WIDEST];

/// A number, or truth, as tensors hold it.
pub trait Element: Copy + std::fmt::Debug + Send + Sync + 'static {
    const DTYPE: DType;

    /// The number as the language has it.
    fn scalar(self) -> Scalar;

    /// The number as this type holds it: rounded, wrapped around, or as a truth.
    fn of(scalar: Scalar) -> Self;

    /// Writes its bytes at the beginning of `bytes`.
    fn write(self, bytes: &mut [u8]);

    /// Puts its bytes behind others.
    fn push(self, bytes: &mut Vec<u8>);

    /// From bytes that begin with those of an element of this type.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($of:ty, $dtype:ident, |$from:ident| $scalar:expr, |$to:ident| $cut:expr;)*) => {$(
        impl Element for $of {
            const DTYPE: DType = DType::$dtype;

            #[inline(always)]
            fn scalar(self) -> Scalar {
                let $from = self;
                $scalar
            }

            #[inline(always)]
            fn of($to: Scalar) -> $of {
                $cut
            }

            #[inline(always)]
            fn write(self, bytes: &mut [u8]) {
                bytes[..size_of::<$of>()].copy_from_slice(&self.to_ne_bytes());
            }

            #[inline(always)]
            fn push(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_ne_bytes());
            }

            #[inline(always)]
            fn read(bytes: &[u8]) -> $of {
                let bytes = bytes.first_chunk().expect("an element has the size of its type");
                <$of>::from_ne_bytes(*bytes)
            }
        }
    )*};
}

elements! {
    u8, U8, |x| Scalar::Int(x.into()), |x| x.as_i64() as u8;
    u16, U16, |x| Scalar::Int(x.into()), |x| x.as_i64() as u16;
    u32, U32, |x| Scalar::Int(x.into()), |x| x.as_i64() as u32;
    u64, U64, |x| Scalar::from_u64(x), |x| match x {
        // A float below zero is cut and wraps, as one of the other types does.
        Scalar::Float(value) if value >= 0.0 => value as u64,
        x => x.as_i64() as u64,
    };
    i8, I8, |x| Scalar::Int(x.into()), |x| x.as_i64() as i8;
    i16, I16, |x| Scalar::Int(x.into()), |x| x.as_i64() as i16;
    i32, I32, |x| Scalar::Int(x.into()), |x| x.as_i64() as i32;
    i64, I64, |x| Scalar::Int(x), |x| x.as_i64();
    F8E4M3, F8E4M3, |x| Scalar::Float(x.to_f64()), |x| F8E4M3::from_f64(x.as_f64());
    F8E5M2, F8E5M2, |x| Scalar::Float(x.to_f64()), |x| F8E5M2::from_f64(x.as_f64());
    f16, F16, |x| Scalar::Float(x.to_f64()), |x| f16::from_f64(x.as_f64());
    bf16, BF16, |x| Scalar::Float(x.to_f64()), |x| bf16::from_f64(x.as_f64());
    f32, F32, |x| Scalar::Float(x.into()), |x| x.as_f32();
    f64, F64, |x| Scalar::Float(x), |x| x.as_f64();
}

impl Element for bool {
    const DTYPE: DType = DType::Bool;

    #[inline(always)]
    fn scalar(self) -> Scalar {
        Scalar::Bool(self)
    }

    #[inline(always)]
    fn of(scalar: Scalar) -> bool {
        scalar.as_bool()
    }

    #[inline(always)]
    fn write(self, bytes: &mut [u8]) {
        bytes[0] = u8::from(self);
    }

    #[inline(always)]
    fn push(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }

    #[inline(always)]
    fn read(bytes: &[u8]) -> bool {
        bytes[0] != 0
    }
}

macro_rules! complex_elements {
    ($($of:ident, $part:ident, $dtype:ident, $real:ident;)*) => {$(
        impl Element for $of {
            const DTYPE: DType = DType::$dtype;

            #[inline(always)]
            fn scalar(self) -> Scalar {
                Scalar::Complex(Complex64::new(self.re.into(), self.im.into()))
            }

            #[inline(always)]
            fn of(scalar: Scalar) -> $of {
                $of::new(scalar.$real(), scalar.as_complex().im as $part)
            }

            #[inline(always)]
            fn write(self, bytes: &mut [u8]) {
                self.re.write(bytes);
                self.im.write(&mut bytes[size_of::<$part>()..]);
            }

            #[inline(always)]
            fn push(self, bytes: &mut Vec<u8>) {
                self.re.push(bytes);
                self.im.push(bytes);
            }

            #[inline(always)]
            fn read(bytes: &[u8]) -> $of {
                $of::new(<$part>::read(bytes), <$part>::read(&bytes[size_of::<$part>()..]))
            }
        }
    )*};
}

complex_elements! {
    Complex32, f32, C64, as_f32;
    Complex64, f64, C128, as_f64;
}

/// Runs `$body` with `$T` as the type of Rust that elements of a dtype are. What a kernel takes for a bool
/// stands in brackets, where that is not `bool`.
macro_rules! by_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::dtype::DType::C64 => {
                type $T = num_complex::Complex32;
                $body
            }
            $crate::dtype::DType::C128 => {
                type $T = num_complex::Complex64;
                $body
            }
            $crate::dtype::DType::F8E4M3 => {
                type $T = $crate::dtype::F8E4M3;
                $body
            }
            $crate::dtype::DType::F8E5M2 => {
                type $T = $crate::dtype::F8E5M2;
                $body
            }
            real => $crate::dtype::by_real!(real, [bool] $T => $body),
        }
    };
}

/// The same for what kernels beside programs compute with: the elements of a complex type are two of these
/// each, and those of eight bits are [carried](DType::carrier) as one of them.
#[macro_export]
macro_rules! by_real {
    ($dtype:expr, [$Bool:ty] $T:ident => $body:expr) => {{
        macro_rules! as_element {
            ($of:ty) => {{
                type $T = $of;
                $body
            }};
        }
        match $dtype {
            $crate::dtype::DType::Bool => as_element!($Bool),
            $crate::dtype::DType::U8 => as_element!(u8),
            $crate::dtype::DType::U16 => as_element!(u16),
            $crate::dtype::DType::U32 => as_element!(u32),
            $crate::dtype::DType::U64 => as_element!(u64),
            $crate::dtype::DType::I8 => as_element!(i8),
            $crate::dtype::DType::I16 => as_element!(i16),
            $crate::dtype::DType::I32 => as_element!(i32),
            $crate::dtype::DType::I64 => as_element!(i64),
            $crate::dtype::DType::F16 => as_element!(half::f16),
            $crate::dtype::DType::BF16 => as_element!(half::bf16),
            $crate::dtype::DType::F32 => as_element!(f32),
            $crate::dtype::DType::F64 => as_element!(f64),
            narrow @ ($crate::dtype::DType::F8E4M3 | $crate::dtype::DType::F8E5M2) => {
                narrow.not_carried()
            }
            complex @ ($crate::dtype::DType::C64 | $crate::dtype::DType::C128) => {
                complex.not_stored()
            }
        }
    }};
}
pub use by_real;

impl Scalar {
    /// The value as an element of `dtype` holds it: rounded, wrapped around, or as a truth.
    #[inline]
    pub fn held_as(self, dtype: DType) -> Scalar {
        by_element!(dtype, T => T::of(self).scalar())
    }

    /// The bytes of an element of `dtype`, and how many it has.
    #[inline]
    pub fn to_bits(self, dtype: DType) -> (Bits, usize) {
        let mut bits = [0; WIDEST];
        by_element!(dtype, T => T::of(self).write(&mut bits));
        (bits, dtype.size())
    }

    /// The element of `dtype` that `bytes` begin with.
    ///
    /// # Panics
    /// Where there are fewer.
    #[inline]
    pub fn from_bits(bytes: &[u8], dtype: DType) -> Scalar {
        by_element!(dtype, T => T::read(bytes).scalar())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_read_as_it_was_written() {
        for dtype in DType::ALL {
            by_element!(dtype, T => {
                assert_eq!((T::DTYPE, size_of::<T>()), (dtype, dtype.size()));
            });
            let ends = dtype
                .integer_range()
                .map_or([0.5, -65504.0], |(low, high)| [low as f64, high as f64]);
            for value in ends.map(Scalar::Float) {
                let held = value.held_as(dtype);
                let (bits, size) = held.to_bits(dtype);
                assert_eq!(Scalar::from_bits(&bits[..size], dtype), held, "{value} as {dtype}");
            }
        }
    }
}
