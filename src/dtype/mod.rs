//! Element types, how they combine, and single typed constants.

mod promote;
mod scalar;

pub use promote::{common_type, comparable, comparable_with, default_for_integers, promote};
pub use scalar::Scalar;

use std::fmt;

/// The type of a tensor's elements. Complex types will join here: nothing outside this folder
/// matches without a wildcard on anything but what it computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    Bool,
    U8,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

/// The families of types, in the order in which a mixture of them climbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
}

impl DType {
    pub const ALL: [DType; 10] = [
        DType::Bool,
        DType::U8,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
    ];

    /// Bytes of one element.
    #[inline]
    pub fn size(self) -> usize {
        match self {
            DType::Bool | DType::U8 | DType::I8 => 1,
            DType::I16 | DType::F16 | DType::BF16 => 2,
            DType::I32 | DType::F32 => 4,
            DType::I64 | DType::F64 => 8,
        }
    }

    /// NumPy's name (PyTorch's for bfloat16).
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::U8 => "uint8",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::F32 => "float32",
            DType::F64 => "float64",
        }
    }

    /// The type that a name means: NumPy's and PyTorch's names (`float` is float64 to NumPy and is
    /// left to the caller), and the codes of one letter and a width (`f4`, `i8`, `?`).
    pub fn from_name(name: &str) -> Option<DType> {
        Some(match name {
            "bool" | "bool_" | "?" | "b1" => DType::Bool,
            "uint8" | "u1" | "ubyte" | "B" => DType::U8,
            "int8" | "i1" | "byte" | "b" => DType::I8,
            "int16" | "i2" | "short" | "h" => DType::I16,
            "int32" | "i4" | "intc" => DType::I32,
            "int64" | "i8" | "long" | "intp" | "int_" | "longlong" | "q" | "l" => DType::I64,
            "float16" | "f2" | "half" | "e" => DType::F16,
            "bfloat16" | "bf16" => DType::BF16,
            "float32" | "f4" | "single" | "f" => DType::F32,
            "float64" | "f8" | "double" | "d" => DType::F64,
            _ => return None,
        })
    }

    #[inline]
    pub fn kind(self) -> Kind {
        match self {
            DType::Bool => Kind::Bool,
            DType::U8 => Kind::Unsigned,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Kind::Float,
        }
    }

    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Integers proper: not bool.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Unsigned | Kind::Signed)
    }

    /// The smallest and the largest integer it holds; `None` for floats.
    #[inline]
    pub fn integer_range(self) -> Option<(i64, i64)> {
        Some(match self {
            DType::Bool => (0, 1),
            DType::U8 => (0, u8::MAX as i64),
            DType::I8 => (i8::MIN as i64, i8::MAX as i64),
            DType::I16 => (i16::MIN as i64, i16::MAX as i64),
            DType::I32 => (i32::MIN as i64, i32::MAX as i64),
            DType::I64 => (i64::MIN, i64::MAX),
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 => return None,
        })
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
