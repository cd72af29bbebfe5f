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
            (DType::F32, _) | (_, DType::F32) => DType::F32,
            // float16 holds the numbers of eight bits, bfloat16 those too.
            _ if low.size().min(high.size()) == 1 => match low.size().max(high.size()) {
                1 => DType::F16,
                _ if low.size() > 1 => low,
                _ => high,
            },
            // Different halves of precision and range: only float32 holds both.
            _ => DType::F32,
        },
        (Kind::Unsigned | Kind::Signed, Kind::Float | Kind::Complex) => high,
        (Kind::Float, Kind::Complex) if low == DType::F64 => DType::C128,
        (Kind::Float, Kind::Complex) => high,
        (Kind::Unsigned, Kind::Signed) => {
            let holds_both = |it: &DType| it.size() > low.size() && it.size() >= high.size();
            let signed = [high, DType::I16, DType::I32, DType::I64];
            signed.into_iter().find(holds_both).unwrap_or(DType::F64)
        }
        (Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Complex, _) => {
            if low.size() > high.size() { low } else { high }
        }
    }
}

/// The type in which a tensor of type `tensor` computes with a Python scalar, which is weak: it
/// raises the kind, never the width.
pub fn common_type(tensor: DType, scalar: Scalar, default_float: DType) -> DType {
    match (scalar, tensor.kind()) {
        (Scalar::Bool(_), _) => tensor,
        (Scalar::Int(_) | Scalar::Wide(_), Kind::Bool) => DType::I64,
        (Scalar::Int(_) | Scalar::Wide(_), _) => tensor,
        (Scalar::Float(_), Kind::Float | Kind::Complex) => tensor,
        (Scalar::Float(_), _) => default_float,
        (Scalar::Complex(_), _) => complex_of(tensor, default_float),
    }
}

/// The type in which elements of two types are compared. Nothing of it is seen but the answer, so
/// it holds every integer as exactly as NumPy's, where [`promote`] would take a narrower float.
pub fn comparable(a: DType, b: DType) -> DType {
    if a.is_complex() || b.is_complex() {
        return complex_of(comparable(a.part(), b.part()), DType::F32);
    }
    let (whole, float) = match (a.is_integer(), b.is_integer()) {
        (true, false) if b.is_float() => (a, b),
        (false, true) if a.is_float() => (b, a),
        _ => return promote(a, b),
    };
    match (whole.size(), float.size()) {
        (1, 1) => DType::F16,
        (1, _) | (2, 4) => float,
        (2, 1 | 2) => DType::F32,
        _ => DType::F64,
    }
}

/// As [`comparable`], for a tensor's elements and a Python scalar.
pub fn comparable_with(tensor: DType, scalar: Scalar, default_float: DType) -> DType {
    match scalar {
        Scalar::Float(value) if !tensor.is_inexact() => {
            let is_narrow = tensor.size() <= 2 && f64::from(value as f32) == value;
            if is_narrow { DType::F32 } else { DType::F64 }
        }
        Scalar::Complex(value) if !tensor.is_inexact() => {
            let part = |part: f64| comparable_with(tensor, Scalar::Float(part), default_float);
            complex_of(promote(part(value.re), part(value.im)), default_float)
        }
        _ => common_type(tensor, scalar, default_float),
    }
}

/// The type of a true division or a transcendental function over `dtype`.
pub fn default_for_integers(dtype: DType, default_float: DType) -> DType {
    if dtype.is_inexact() { dtype } else { default_float }
}

/// The complex type that a number of `dtype` becomes one of.
pub fn complex_of(dtype: DType, default_float: DType) -> DType {
    dtype.to_complex().or(default_float.to_complex()).expect("the default float is a float")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_table() {
        use DType::*;
        let order = DType::ALL;
        // What NumPy answers, but for integers with floats.
        #[rustfmt::skip]
        let rows = [
            [Bool, U8, U16, U32, U64, I8, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [U8, U8, U16, U32, U64, I16, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [U16, U16, U16, U32, U64, I32, I32, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [U32, U32, U32, U32, U64, I64, I64, I64, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [U64, U64, U64, U64, U64, F64, F64, F64, F64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [I8, I16, I32, I64, F64, I8, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [I16, I16, I32, I64, F64, I16, I16, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [I32, I32, I32, I64, F64, I32, I32, I32, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [I64, I64, I64, I64, F64, I64, I64, I64, I64, F8E4M3, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F8E4M3, F16, F16, BF16, F32, F64, C64, C128],
            [F8E5M2, F8E5M2, F8E5M2, F8E5M2, F8E5M2, F8E5M2, F8E5M2, F8E5M2, F8E5M2, F16, F8E5M2, F16, BF16, F32, F64, C64, C128],
            [F16, F16, F16, F16, F16, F16, F16, F16, F16, F16, F16, F16, F32, F32, F64, C64, C128],
            [BF16, BF16, BF16, BF16, BF16, BF16, BF16, BF16, BF16, BF16, BF16, F32, BF16, F32, F64, C64, C128],
            [F32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F32, F64, C64, C128],
            [F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, F64, C128, C128],
            [C64, C64, C64, C64, C64, C64, C64, C64, C64, C64, C64, C64, C64, C64, C128, C64, C128],
            [C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128],
        ];
        for (a, row) in order.iter().zip(rows) {
            for (b, expected) in order.iter().zip(row) {
                assert_eq!(promote(*a, *b), expected, "{a} with {b}");
            }
        }
    }

    #[test]
    fn comparisons_round_no_integer_that_numpy_keeps() {
        use DType::*;
        assert_eq!(comparable(I64, F32), F64);
        assert_eq!(comparable(F16, I16), F32);
        assert_eq!(comparable(U8, BF16), BF16);
        assert_eq!(comparable(Bool, F16), F16);
        assert_eq!(comparable(F32, F16), F32);
        assert_eq!(comparable(U8, F8E4M3), F16);
        assert_eq!(comparable(I16, F8E5M2), F32);
        assert_eq!(comparable(I32, F8E5M2), F64);
        assert_eq!(comparable_with(I8, Scalar::Float(0.5), F32), F32);
        assert_eq!(comparable_with(I8, Scalar::Float(0.1), F32), F64);
        assert_eq!(comparable_with(I64, Scalar::Float(0.5), F32), F64);
        assert_eq!(comparable_with(F32, Scalar::Float(0.1), F64), F32);
        assert_eq!(comparable(I64, C64), C128);
        assert_eq!(comparable(I16, C64), C64);
        assert_eq!(comparable(F16, C64), C64);
        let half = Scalar::Complex(num_complex::Complex64::new(0.5, 0.0));
        assert_eq!(comparable_with(I8, half, F32), C64);
        assert_eq!(comparable_with(I64, half, F32), C128);
    }

    #[test]
    fn scalars_are_weak() {
        assert_eq!(common_type(DType::U8, Scalar::Int(3), DType::F32), DType::U8);
        assert_eq!(common_type(DType::Bool, Scalar::Int(3), DType::F32), DType::I64);
        assert_eq!(common_type(DType::I64, Scalar::Float(0.5), DType::F32), DType::F32);
        assert_eq!(common_type(DType::F16, Scalar::Float(0.5), DType::F32), DType::F16);
        let i = Scalar::Complex(num_complex::Complex64::I);
        assert_eq!(common_type(DType::F64, i, DType::F32), DType::C128);
        assert_eq!(common_type(DType::BF16, i, DType::F64), DType::C64);
        assert_eq!(common_type(DType::I8, i, DType::F64), DType::C128);
        assert_eq!(common_type(DType::C64, Scalar::Float(0.1), DType::F64), DType::C64);
    }
}
