//! Types of Rust that a tensor can hold.

use crate::diag::{ErrorKind, Fault};
pub use crate::dtype::Element;
use crate::dtype::{DType, Scalar};
use crate::tensor::HostArray;

/// One number as `T`. A float takes every real number and rounds it, a complex number takes
/// every number; an integer takes integers that fit.
pub fn number<T: Element>(scalar: Scalar) -> Result<T, Fault> {
    let wanted = T::DTYPE;
    let found = match scalar {
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) | Scalar::Wide(_) => "an integer",
        Scalar::Float(_) => "a float",
        Scalar::Complex(_) => "a complex number",
    };
    let mismatch = || Fault::type_error(format!("expected {wanted}, found {found}"));
    match scalar {
        Scalar::Bool(_) => Ok(T::of(scalar)),
        _ if wanted == DType::Bool => Err(mismatch()),
        Scalar::Complex(_) if !wanted.is_complex() => Err(mismatch()),
        Scalar::Float(_) if !wanted.is_inexact() => Err(mismatch()),
        Scalar::Int(_) | Scalar::Wide(_) if !wanted.is_inexact() => {
            let number = T::of(scalar);
            match number.scalar() == scalar {
                true => Ok(number),
                false => {
                    let message = format!("{scalar} does not fit {wanted}");
                    Err(Fault::new(ErrorKind::Overflow, message))
                }
            }
        }
        _ => Ok(T::of(scalar)),
    }
}

/// All elements as `T`, in row-major order.
pub fn numbers_of<T: Element>(array: &HostArray) -> Result<Vec<T>, Fault> {
    if array.dtype == T::DTYPE {
        return Ok(array.bytes.chunks_exact(T::DTYPE.size()).map(T::read).collect());
    }
    let (found, wanted) = (array.dtype, T::DTYPE);
    let is_mixed = wanted == DType::Bool
        || found.is_inexact() && !wanted.is_inexact()
        || found.is_complex() && !wanted.is_complex();
    if is_mixed {
        let fault = Fault::type_error(format!("expected elements of {wanted}, found {found}"));
        return Err(fault.with_hint(format!("`.astype({wanted})` converts them")));
    }
    array.scalars().map(number).collect()
}
