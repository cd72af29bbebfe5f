//! How types and constants are written in C.
//!
//! A value of a narrow float type is computed as float32, and a bool is stored in a byte; so each type has
//! two names, the one that memory holds and the one that a variable has.

use crate::dtype::{DType, Kind, Scalar};

/// The C type of an element in memory.
pub fn stored(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 => "u8",
        DType::U16 => "u16",
        DType::U32 => "u32",
        DType::U64 => "u64",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::F8E4M3 => "f8e4m3",
        DType::F8E5M2 => "f8e5m2",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::C64 | DType::C128 => dtype.not_stored(),
    }
}

/// The C type of an element in memory that a kernel only reads.
pub fn read_only(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 => "const u8",
        DType::U16 => "const u16",
        DType::U32 => "const u32",
        DType::U64 => "const u64",
        DType::I8 => "const i8",
        DType::I16 => "const i16",
        DType::I32 => "const i32",
        DType::I64 => "const i64",
        DType::F8E4M3 => "const f8e4m3",
        DType::F8E5M2 => "const f8e5m2",
        DType::F16 => "const f16",
        DType::BF16 => "const bf16",
        DType::F32 => "const f32",
        DType::F64 => "const f64",
        DType::C64 | DType::C128 => dtype.not_stored(),
    }
}

/// The C type of a variable.
pub fn value(dtype: DType) -> &'static str {
    match dtype.kind() {
        Kind::Bool => "bool",
        Kind::Unsigned | Kind::Signed | Kind::Float => stored(dtype.compute()),
        Kind::Complex => dtype.not_stored(),
    }
}

/// A variable's value from an element of memory.
pub fn from_stored(dtype: DType, element: &str) -> String {
    match dtype.kind() {
        Kind::Bool => format!("{element} != 0"),
        Kind::Float if dtype.compute() != dtype => format!("to_f32({element})"),
        Kind::Unsigned | Kind::Signed | Kind::Float => element.to_string(),
        Kind::Complex => dtype.not_stored(),
    }
}

/// An element of memory from a variable's value, which a narrow type has already rounded.
pub fn to_stored(dtype: DType, value: &str) -> String {
    match dtype {
        _ if dtype.compute() == dtype => value.to_string(),
        DType::BF16 => format!("bf16_exact({value})"),
        _ => format!("{}_from({value})", stored(dtype)),
    }
}

/// A value rounded to what a narrow type holds; as it is for the other types.
pub fn rounded(dtype: DType, value: String) -> String {
    match dtype.compute() == dtype {
        true => value,
        false => format!("round_{}({value})", stored(dtype)),
    }
}

/// A constant, as a variable of `dtype` holds it.
pub fn constant(value: Scalar, dtype: DType) -> String {
    let int = value.as_i64();
    match dtype {
        DType::Bool => value.as_bool().to_string(),
        // Without the cast it would be an int, which is another type to a template.
        DType::U8 => format!("(u8){}", int as u8),
        DType::U16 => format!("(u16){}", int as u16),
        DType::U32 => format!("{}u", int as u32),
        DType::U64 => format!("{}ull", int as u64),
        DType::I8 => format!("(i8){}", int as i8),
        DType::I16 => format!("(i16){}", int as i16),
        DType::I32 => signed(i64::from(int as i32), ""),
        DType::I64 => signed(int, "ll"),
        DType::F8E4M3 | DType::F8E5M2 | DType::F16 | DType::BF16 => {
            float32(value.held_as(dtype).as_f32())
        }
        DType::F32 => float32(value.as_f32()),
        DType::F64 => float64(value.as_f64()),
        DType::C64 | DType::C128 => dtype.not_stored(),
    }
}

/// C has no negative literals: the lowest number of a type is written as a difference.
fn signed(value: i64, suffix: &str) -> String {
    match value {
        i64::MIN => "(-9223372036854775807ll - 1)".to_string(),
        _ if value == i64::from(i32::MIN) && suffix.is_empty() => "(-2147483647 - 1)".to_string(),
        _ if value < 0 => format!("({value}{suffix})"),
        _ => format!("{value}{suffix}"),
    }
}

fn float32(value: f32) -> String {
    let size = value.abs();
    let text = match () {
        () if value.is_nan() => return "F32_NAN".to_string(),
        () if size.is_infinite() => "F32_INF".to_string(),
        () => format!("{size:?}f"),
    };
    if value.is_sign_negative() { format!("(-{text})") } else { text }
}

fn float64(value: f64) -> String {
    let size = value.abs();
    let text = match () {
        () if value.is_nan() => return "F64_NAN".to_string(),
        () if size.is_infinite() => "F64_INF".to_string(),
        () => format!("{size:?}"),
    };
    if value.is_sign_negative() { format!("(-{text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_what_the_type_holds() {
        let text = |value, dtype| constant(value, dtype);
        assert_eq!(text(Scalar::Float(0.1), DType::F32), "0.1f");
        assert_eq!(text(Scalar::Float(1e-45), DType::F32), "1e-45f");
        assert_eq!(text(Scalar::Int(2), DType::F64), "2.0");
        assert_eq!(text(Scalar::Float(-0.0), DType::F64), "(-0.0)");
        assert_eq!(text(Scalar::Float(0.1), DType::F16), "0.099975586f");
        assert_eq!(text(Scalar::Float(f64::NEG_INFINITY), DType::F32), "(-F32_INF)");
        assert_eq!(text(Scalar::Float(2.9), DType::I32), "2");
        assert_eq!(text(Scalar::Int(-1), DType::U8), "(u8)255");
        assert_eq!(text(Scalar::Int(i64::MIN), DType::I64), "(-9223372036854775807ll - 1)");
        assert_eq!(text(Scalar::Int(-1), DType::U32), "4294967295u");
        assert_eq!(text(Scalar::Wide(u64::MAX), DType::U64), "18446744073709551615ull");
        assert_eq!(text(Scalar::Int(3), DType::Bool), "true");
    }
}
