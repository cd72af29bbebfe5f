//! A single number, without a width: a Python scalar, or an element read back.

use std::fmt;

use num_complex::Complex64;

use super::{DType, promote::complex_of};

/// One value, wide enough for every type.
#[derive(Debug, Clone, Copy)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    /// An integer above [`i64::MAX`]; see [`Scalar::from_u64`].
    Wide(u64),
    Float(f64),
    Complex(Complex64),
}

/// Bit-wise on floats, so that programs with a NaN constant are equal to themselves and can be
/// keys of a cache.
impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        match (self, other) {
            (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
            (Scalar::Int(a), Scalar::Int(b)) => a == b,
            (Scalar::Wide(a), Scalar::Wide(b)) => a == b,
            (Scalar::Float(a), Scalar::Float(b)) => a.to_bits() == b.to_bits(),
            (Scalar::Complex(a), Scalar::Complex(b)) => bits(*a) == bits(*b),
            _ => false,
        }
    }
}

impl Eq for Scalar {}

fn bits(value: Complex64) -> [u64; 2] {
    [value.re.to_bits(), value.im.to_bits()]
}

impl std::hash::Hash for Scalar {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Scalar::Bool(value) => (0u8, *value).hash(state),
            Scalar::Int(value) => (1u8, *value).hash(state),
            Scalar::Float(value) => (2u8, value.to_bits()).hash(state),
            Scalar::Wide(value) => (3u8, *value).hash(state),
            Scalar::Complex(value) => (4u8, bits(*value)).hash(state),
        }
    }
}

impl Scalar {
    #[inline]
    pub fn from_u64(value: u64) -> Scalar {
        i64::try_from(value).map_or(Scalar::Wide(value), Scalar::Int)
    }

    /// An integer that some type holds; `None` beyond them.
    pub fn from_i128(value: i128) -> Option<Scalar> {
        let wide = || u64::try_from(value).map(Scalar::Wide);
        i64::try_from(value).map(Scalar::Int).or_else(|_| wide()).ok()
    }

    /// The type that a tensor made of this Python scalar has.
    pub fn dtype(self, default_float: DType) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) => DType::I64,
            Scalar::Wide(_) => DType::U64,
            Scalar::Float(_) => default_float,
            Scalar::Complex(_) => complex_of(default_float, default_float),
        }
    }

    /// The value; the real part of a complex number.
    #[inline]
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Bool(value) => f64::from(u8::from(value)),
            Scalar::Int(value) => value as f64,
            Scalar::Wide(value) => value as f64,
            Scalar::Float(value) => value,
            Scalar::Complex(value) => value.re,
        }
    }

    /// The value as a complex number, whose imaginary part is zero unless it is one already.
    #[inline]
    pub fn as_complex(self) -> Complex64 {
        match self {
            Scalar::Complex(value) => value,
            _ => Complex64::new(self.as_f64(), 0.0),
        }
    }

    /// Rounded once, where [`as_f64`](Scalar::as_f64) would round a large integer before.
    #[inline]
    pub fn as_f32(self) -> f32 {
        match self {
            Scalar::Bool(value) => f32::from(u8::from(value)),
            Scalar::Int(value) => value as f32,
            Scalar::Wide(value) => value as f32,
            Scalar::Float(value) => value as f32,
            Scalar::Complex(value) => value.re as f32,
        }
    }

    /// As an integer of 64 bits, around which it wraps; a float is cut towards zero, and one out of range
    /// saturates.
    #[inline]
    pub fn as_i64(self) -> i64 {
        match self {
            Scalar::Bool(value) => i64::from(value),
            Scalar::Int(value) => value,
            Scalar::Wide(value) => value as i64,
            Scalar::Float(value) => value as i64,
            Scalar::Complex(value) => value.re as i64,
        }
    }

    /// As an integer; a float is cut towards zero.
    #[inline]
    pub fn as_i128(self) -> i128 {
        match self {
            Scalar::Wide(value) => i128::from(value),
            Scalar::Bool(_) | Scalar::Int(_) => i128::from(self.as_i64()),
            Scalar::Float(value) => value as i128,
            Scalar::Complex(value) => value.re as i128,
        }
    }

    /// Whether it is a whole number by its kind: a bool or an integer.
    pub fn is_whole(self) -> bool {
        !matches!(self, Scalar::Float(_) | Scalar::Complex(_))
    }

    #[inline]
    pub fn as_bool(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(value) => value != 0,
            Scalar::Wide(_) => true,
            Scalar::Float(value) => value != 0.0,
            Scalar::Complex(value) => value.re != 0.0 || value.im != 0.0,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(true) => f.write_str("True"),
            Scalar::Bool(false) => f.write_str("False"),
            Scalar::Int(value) => write!(f, "{value}"),
            Scalar::Wide(value) => write!(f, "{value}"),
            Scalar::Float(value) => write!(f, "{value:?}"),
            Scalar::Complex(value) => write!(f, "({:?}, {:?})", value.re, value.im),
        }
    }
}
