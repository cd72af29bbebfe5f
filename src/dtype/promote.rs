//! How types combine: NumPy 2's table (NEP 50), but an integer tensor that meets a float tensor
//! takes the float's type, as in PyTorch.

use super::{DType, Kind, Scalar};

/// The common type of two tensors.
pub fn promote(a: DType, b: DType) -> DType {
    if a == b {
        return a;
    }
    let (low, high) = if a.kind() <= b.kind() { (a, b) } else { (b, a) };
    match (low.kind(), high.kind()) {
        (Kind::Bool, _) => high,
        (Kind::Float, Kind::Float) => match (low, high) {
            (DType::F64, _) | (_, DType::F64) => DType::F64,
            // Different halves of precision and range: only float32 holds both. And float32
            // with either half is float32.
            _ => DType::F32,
        },
        (_, Kind::Float) => high,
        (Kind::Signed, Kind::Signed) => {
            if low.size() > high.size() {
                low
            } else {
                high
            }
        }
        // uint8 with int8 fits neither.
        _ if high == DType::I8 => DType::I16,
        _ => high,
    }
}

/// The type in which a tensor of type `tensor` computes with a Python scalar, which is weak: it
/// raises the kind, never the width.
pub fn common_type(tensor: DType, scalar: Scalar, default_float: DType) -> DType {
    match (scalar, tensor.kind()) {
        (Scalar::Bool(_), _) => tensor,
        (Scalar::Int(_), Kind::Bool) => DType::I64,
        (Scalar::Int(_), _) => tensor,
        (Scalar::Float(_), Kind::Float) => tensor,
        (Scalar::Float(_), _) => default_float,
    }
}

/// The type of a true division or a transcendental function over `dtype`.
pub fn default_for_integers(dtype: DType, default_float: DType) -> DType {
    if dtype.is_float() { dtype } else { default_float }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_table() {
        use DType::*;
        let order = [Bool, U8, I8, I16, I32, I64, F16, BF16, F32, F64];
        let rows = [
            [Bool, U8, I8, I16, I32, I64, F16, BF16, F32, F64],
            [U8, U8, I16, I16, I32, I64, F16, BF16, F32, F64],
            [I8, I16, I8, I16, I32, I64, F16, BF16, F32, F64],
            [I16, I16, I16, I16, I32, I64, F16, BF16, F32, F64],
            [I32, I32, I32, I32, I32, I64, F16, BF16, F32, F64],
            [I64, I64, I64, I64, I64, I64, F16, BF16, F32, F64],
            [F16, F16, F16, F16, F16, F16, F16, F32, F32, F64],
            [BF16, BF16, BF16, BF16, BF16, BF16, F32, BF16, F32, F64],
            [F32, F32, F32, F32, F32, F32, F32, F32, F32, F64],
            [F64, F64, F64, F64, F64, F64, F64, F64, F64, F64],
        ];
        for (a, row) in order.iter().zip(rows) {
            for (b, expected) in order.iter().zip(row) {
                assert_eq!(promote(*a, *b), expected, "{a} with {b}");
            }
        }
    }

    #[test]
    fn scalars_are_weak() {
        assert_eq!(common_type(DType::U8, Scalar::Int(3), DType::F32), DType::U8);
        assert_eq!(common_type(DType::Bool, Scalar::Int(3), DType::F32), DType::I64);
        assert_eq!(common_type(DType::I64, Scalar::Float(0.5), DType::F32), DType::F32);
        assert_eq!(common_type(DType::F16, Scalar::Float(0.5), DType::F32), DType::F16);
    }
}
