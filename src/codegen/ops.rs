//! The table of operations: what each is in C, for each type.

use super::names;
use crate::dtype::{DType, Kind};
use crate::ir::{BinaryOp, CompareOp, Op, UnaryOp};

/// How a type computes. The half types compute as float32 and are rounded after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Integer { signed: bool },
    Float32,
    Float64,
}

fn class(dtype: DType) -> Class {
    match (dtype.kind(), dtype) {
        (Kind::Bool, _) => Class::Bool,
        (Kind::Unsigned, _) => Class::Integer { signed: false },
        (Kind::Signed, _) => Class::Integer { signed: true },
        (Kind::Float, DType::F64) => Class::Float64,
        (Kind::Float, _) => Class::Float32,
    }
}

/// A call of the C library, whose float32 functions end in `f`.
fn library(name: &str, class: Class, arguments: &str) -> String {
    let suffix = if class == Class::Float32 { "f" } else { "" };
    format!("{name}{suffix}({arguments})")
}

/// The expression rounded to what a half type holds; as it is for the other types.
fn rounded(dtype: DType, expression: String) -> String {
    match dtype {
        DType::F16 => format!("round_f16({expression})"),
        DType::BF16 => format!("round_bf16({expression})"),
        _ => expression,
    }
}

/// Whether a type has an operation at all.
pub fn has_unary(op: UnaryOp, dtype: DType) -> bool {
    use UnaryOp::*;
    match op {
        Not => !dtype.is_float(),
        Neg | Abs | Sign | Square | Reciprocal | Floor | Ceil | Trunc | Round => true,
        _ => op.is_test() || dtype.is_float(),
    }
}

/// Whether a type has an operation at all.
pub fn has_binary(op: BinaryOp, dtype: DType) -> bool {
    use BinaryOp::*;
    match op {
        BitAnd | BitOr | BitXor => !dtype.is_float(),
        Shl | Shr | Gcd | Lcm => dtype.is_integer(),
        Div | Atan2 | Hypot | CopySign | NextAfter | LogAddExp | LogAddExp2 => dtype.is_float(),
        _ => true,
    }
}

/// One operand of type `dtype`.
///
/// # Panics
/// For an operation that the type does not have: such a program breaks the contract of `ir`.
pub fn unary(op: UnaryOp, dtype: DType, x: &str) -> String {
    use UnaryOp::*;
    assert!(has_unary(op, dtype), "`{}` has no meaning for {dtype}", op.name());
    let class = class(dtype);
    let float = matches!(class, Class::Float32 | Class::Float64);
    let one = if class == Class::Float64 { "1.0" } else { "1.0f" };
    let call = |name: &str| rounded(dtype, library(name, class, x));
    match (op, class) {
        (IsNan, _) if float => format!("{x} != {x}"),
        (IsInf, Class::Float32) => format!("fabsf({x}) == F32_INF"),
        (IsInf, Class::Float64) => format!("fabs({x}) == F64_INF"),
        (IsFinite, Class::Float32) => format!("fabsf({x}) < F32_INF"),
        (IsFinite, Class::Float64) => format!("fabs({x}) < F64_INF"),
        (SignBit, _) if float => format!("sign_bit({x})"),
        (SignBit, Class::Integer { signed: true }) => format!("{x} < 0"),
        (IsNan | IsInf | SignBit, _) => "false".to_string(),
        (IsFinite, _) => "true".to_string(),
        (Not, Class::Bool) => format!("!{x}"),
        (Not, _) => format!("({})~{x}", names::value(dtype)),
        (_, Class::Bool) => x.to_string(),
        (Neg, Class::Integer { .. }) => format!("negative({x})"),
        (Neg, _) => format!("-{x}"),
        (Abs, Class::Integer { signed: true }) => format!("magnitude({x})"),
        (Abs, Class::Integer { signed: false }) => x.to_string(),
        (Abs, _) => library("fabs", class, x),
        (Sign, _) => format!("sign({x})"),
        (Square, Class::Integer { .. }) => format!("mul({x}, {x})"),
        (Square, _) => rounded(dtype, format!("{x} * {x}")),
        (Reciprocal, Class::Integer { .. }) => format!("whole_reciprocal({x})"),
        (Reciprocal, _) => rounded(dtype, format!("{one} / {x}")),
        (Floor | Ceil | Trunc | Round, Class::Integer { .. }) => x.to_string(),
        (Floor, _) => library("floor", class, x),
        (Ceil, _) => library("ceil", class, x),
        (Trunc, _) => library("trunc", class, x),
        (Round, _) => library("rint", class, x),
        (Rsqrt, _) => rounded(dtype, format!("{one} / {}", library("sqrt", class, x))),
        (Sigmoid, _) => rounded(dtype, format!("sigmoid({x})")),
        // The C library knows these by their own names.
        (
            Sqrt | Cbrt | Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Asin
            | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Erf,
            _,
        ) => call(op.name()),
    }
}

/// Two operands of type `dtype`. A divisor of zero and a negative exponent give anything: see
/// [`fault`].
///
/// # Panics
/// For an operation that the type does not have: such a program breaks the contract of `ir`.
pub fn binary(op: BinaryOp, dtype: DType, a: &str, b: &str) -> String {
    use BinaryOp::*;
    assert!(has_binary(op, dtype), "`{}` has no meaning for {dtype}", op.name());
    let class = class(dtype);
    let own = |name: &str| format!("{name}({a}, {b})");
    let call = |name: &str| library(name, class, &format!("{a}, {b}"));
    let infix = |sign: &str| format!("{a} {sign} {b}");
    let narrow = |sign: &str| match dtype {
        DType::I32 | DType::I64 => infix(sign),
        _ => format!("({})({a} {sign} {b})", names::value(dtype)),
    };
    match (op, class) {
        // NumPy's: addition is or, multiplication is and.
        (Add | Max | Fmax | BitOr, Class::Bool) => infix("||"),
        (Mul | Min | Fmin | BitAnd, Class::Bool) => infix("&&"),
        (Sub | BitXor, Class::Bool) => infix("!="),
        (Pow, Class::Bool) => format!("{a} || !{b}"),
        (FloorDiv, Class::Bool) => a.to_string(),
        (_, Class::Bool) => "false".to_string(),
        (Add, Class::Integer { .. }) => own("add"),
        (Sub, Class::Integer { .. }) => own("sub"),
        (Mul, Class::Integer { .. }) => own("mul"),
        (Fmod, Class::Integer { .. }) => own("truncmod"),
        (Pow, Class::Integer { .. }) => own("power"),
        (BitAnd, _) => narrow("&"),
        (BitOr, _) => narrow("|"),
        (BitXor, _) => narrow("^"),
        (Shl, _) => own("shl"),
        (Shr, _) => own("shr"),
        (Gcd, _) => own("gcd"),
        (Lcm, _) => own("lcm"),
        (Add, _) => rounded(dtype, infix("+")),
        (Sub, _) => rounded(dtype, infix("-")),
        (Mul, _) => rounded(dtype, infix("*")),
        (Div, _) => rounded(dtype, infix("/")),
        (FloorDiv, _) => rounded(dtype, own("floordiv")),
        (Mod, _) => rounded(dtype, own("modulo")),
        (Fmod, _) => call("fmod"),
        (Pow, _) => rounded(dtype, call("pow")),
        (Max, _) => own("maximum"),
        (Min, _) => own("minimum"),
        (Fmax, _) => own("fmaximum"),
        (Fmin, _) => own("fminimum"),
        (Atan2, _) => rounded(dtype, call("atan2")),
        (Hypot, _) => rounded(dtype, call("hypot")),
        (CopySign, _) => call("copysign"),
        (NextAfter, _) => rounded(dtype, call("nextafter")),
        (LogAddExp, _) => rounded(dtype, own("logaddexp")),
        (LogAddExp2, _) => rounded(dtype, own("logaddexp2")),
    }
}

pub fn compare(op: CompareOp, a: &str, b: &str) -> String {
    let sign = match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    };
    format!("{a} {sign} {b}")
}

pub fn cast(from: DType, to: DType, x: &str) -> String {
    let is_float = |dtype: DType| dtype.is_float();
    let same = names::value(from) == names::value(to);
    match to {
        _ if from == to => x.to_string(),
        DType::Bool => format!("{x} != 0"),
        DType::I64 if is_float(from) => format!("to_i64({x})"),
        DType::I32 if is_float(from) => format!("to_i32({x})"),
        // Through the low bits of a 32-bit number, as on x86.
        _ if is_float(from) && to.is_integer() => format!("({})to_i32({x})", names::value(to)),
        DType::F16 | DType::BF16 if is_float(from) => rounded(to, x.to_string()),
        DType::F16 | DType::BF16 => rounded(to, format!("(f32){x}")),
        _ if same => x.to_string(),
        _ => format!("({}){x}", names::value(to)),
    }
}

/// About how many times the text of a cheap operation the machine code of this one takes: calls
/// that the compiler puts in line.
pub fn weight(op: &Op, dtype: DType) -> usize {
    use {BinaryOp as B, UnaryOp as U};
    let wide = if matches!(dtype, DType::F64 | DType::I64) { 2 } else { 1 };
    let calls = match op {
        Op::Unary(U::Sin | U::Cos | U::Tan, _) => 8,
        Op::Unary(
            U::Cbrt
            | U::Erf
            | U::Expm1
            | U::Log1p
            | U::Asin
            | U::Acos
            | U::Atan
            | U::Sinh
            | U::Cosh
            | U::Tanh
            | U::Asinh
            | U::Acosh
            | U::Atanh,
            _,
        ) => 4,
        Op::Unary(
            U::Exp
            | U::Exp2
            | U::Log
            | U::Log2
            | U::Log10
            | U::Sigmoid
            | U::Sqrt
            | U::Rsqrt
            | U::Reciprocal,
            _,
        ) => 2,
        Op::Binary(B::LogAddExp | B::LogAddExp2, ..) => 16,
        Op::Binary(B::FloorDiv | B::Mod | B::Fmod | B::Pow, ..) if dtype.is_float() => 8,
        Op::Binary(B::Atan2 | B::Hypot | B::Gcd | B::Lcm, ..) => 6,
        Op::Binary(B::FloorDiv | B::Mod | B::Fmod | B::Pow | B::NextAfter, ..) => 3,
        Op::Binary(B::Div, ..) => 2,
        _ => 0,
    };
    calls * wide
}

/// Whether there are operands for which a binary operation has no result.
pub fn can_fail(op: BinaryOp, dtype: DType) -> bool {
    use BinaryOp::{FloorDiv, Fmod, Mod, Pow};
    match op {
        FloorDiv | Mod | Fmod => !dtype.is_float(),
        Pow => dtype.kind() == Kind::Signed,
        _ => false,
    }
}

/// For which operands a binary operation has no result: the condition and the fault's kind.
pub fn fault(op: BinaryOp, dtype: DType, b: &str) -> Option<(String, &'static str)> {
    use BinaryOp::{FloorDiv, Fmod, Mod, Pow};
    match (op, class(dtype)) {
        (FloorDiv | Mod | Fmod, Class::Bool) => Some((format!("!{b}"), "FAULT_DIVISION")),
        (FloorDiv | Mod | Fmod, Class::Integer { .. }) => {
            Some((format!("{b} == 0"), "FAULT_DIVISION"))
        }
        (Pow, Class::Integer { signed: true }) => Some((format!("{b} < 0"), "FAULT_EXPONENT")),
        _ => None,
    }
}
