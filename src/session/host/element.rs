//! Types of Rust that a tensor can hold.

use half::{bf16, f16};

use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::tensor::HostArray;

/// A number, or truth, as tensors hold it.
pub trait Element: Copy + std::fmt::Debug + 'static {
    const DTYPE: DType;

    /// The number as the language has it.
    fn scalar(self) -> Scalar;

    /// From a number that has been checked to be of this kind.
    #[doc(hidden)]
    fn cut(scalar: Scalar) -> Self;

    #[doc(hidden)]
    fn push(self, bytes: &mut Vec<u8>);

    /// From the bytes of one element of this type.
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($of:ty, $dtype:ident, $variant:ident, $wide:ty, $cut:expr;)*) => {$(
        impl Element for $of {
            const DTYPE: DType = DType::$dtype;

            fn scalar(self) -> Scalar {
                Scalar::$variant(<$wide>::from(self))
            }

            fn cut(scalar: Scalar) -> $of {
                let cut: fn(Scalar) -> $of = $cut;
                cut(scalar)
            }

            fn push(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_ne_bytes());
            }

            fn read(bytes: &[u8]) -> $of {
                <$of>::from_ne_bytes(bytes.try_into().expect("an element has its type's size"))
            }
        }
    )*};
}

numbers! {
    u8, U8, Int, i64, |scalar| scalar.as_i64() as u8;
    i8, I8, Int, i64, |scalar| scalar.as_i64() as i8;
    i16, I16, Int, i64, |scalar| scalar.as_i64() as i16;
    i32, I32, Int, i64, |scalar| scalar.as_i64() as i32;
    i64, I64, Int, i64, Scalar::as_i64;
    f16, F16, Float, f64, |scalar| f16::from_f64(scalar.as_f64());
    bf16, BF16, Float, f64, |scalar| bf16::from_f64(scalar.as_f64());
    f32, F32, Float, f64, |scalar| scalar.as_f64() as f32;
    f64, F64, Float, f64, Scalar::as_f64;
}

impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn scalar(self) -> Scalar {
        Scalar::Bool(self)
    }

    fn cut(scalar: Scalar) -> bool {
        scalar.as_bool()
    }

    fn push(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }

    fn read(bytes: &[u8]) -> bool {
        bytes[0] != 0
    }
}

/// One number as `T`. A float takes every number and rounds it; an integer takes integers that fit.
pub fn number<T: Element>(scalar: Scalar) -> Result<T, Fault> {
    let wanted = T::DTYPE;
    let found = match scalar {
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) => "an integer",
        Scalar::Float(_) => "a float",
    };
    let mismatch = || Fault::type_error(format!("expected {wanted}, found {found}"));
    match scalar {
        Scalar::Bool(_) => Ok(T::cut(scalar)),
        _ if wanted == DType::Bool => Err(mismatch()),
        Scalar::Float(_) if !wanted.is_float() => Err(mismatch()),
        Scalar::Int(value) if !wanted.is_float() => {
            let number = T::cut(scalar);
            match number.scalar().as_i64() == value {
                true => Ok(number),
                false => {
                    let message = format!("{value} does not fit {wanted}");
                    Err(Fault::new(ErrorKind::Overflow, message))
                }
            }
        }
        _ => Ok(T::cut(scalar)),
    }
}

/// All elements as `T`, in row-major order.
pub fn numbers_of<T: Element>(array: &HostArray) -> Result<Vec<T>, Fault> {
    if array.dtype == T::DTYPE {
        return Ok(array.bytes.chunks_exact(T::DTYPE.size()).map(T::read).collect());
    }
    let (found, wanted) = (array.dtype, T::DTYPE);
    let is_mixed = wanted == DType::Bool || found.is_float() && !wanted.is_float();
    if is_mixed {
        let fault = Fault::type_error(format!("expected elements of {wanted}, found {found}"));
        return Err(fault.with_hint(format!("`.astype({wanted})` converts them")));
    }
    array.scalars().map(number).collect()
}
