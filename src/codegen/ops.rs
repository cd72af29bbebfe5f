//! What each operation is in C, for each type that has it.

use super::names::{self, rounded};
use crate::dtype::{DType, Kind, Scalar};
use crate::ir::{BinaryOp, CompareOp, Failure, Op, UnaryOp};

/// How a type computes. The half types compute as float32 and are rounded after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Integer,
    Float32,
    Float64,
}

fn class(dtype: DType) -> Class {
    match dtype.kind() {
        Kind::Bool => Class::Bool,
        Kind::Unsigned | Kind::Signed => Class::Integer,
        Kind::Float if dtype.compute() == DType::F64 => Class::Float64,
        Kind::Float => Class::Float32,
        Kind::Complex => dtype.not_stored(),
    }
}

/// A call of the C library, whose float32 functions end in `f`.
fn library(name: &str, class: Class, arguments: &str) -> String {
    let suffix = if class == Class::Float32 { "f" } else { "" };
    format!("{name}{suffix}({arguments})")
}

/// One operand of type `dtype`.
///
/// # Panics
/// For an operation that the type does not have: such a program breaks the contract of `ir`.
pub fn unary(op: UnaryOp, dtype: DType, x: &str) -> String {
    use UnaryOp::*;
    assert!(op.row().loops.has(dtype), "`{}` has no meaning for {dtype}", op.name());
    let class = class(dtype);
    let infinity = if class == Class::Float64 { "F64_INF" } else { "F32_INF" };
    let one = if class == Class::Float64 { "1.0" } else { "1.0f" };
    let call = |name: &str| rounded(dtype, library(name, class, x));
    match (op, class) {
        (IsNan, _) => format!("{x} != {x}"),
        (IsInf, _) => format!("{} == {infinity}", library("fabs", class, x)),
        (IsFinite, _) => format!("{} < {infinity}", library("fabs", class, x)),
        (SignBit, _) => format!("sign_bit({x})"),
        (Not, Class::Bool) => format!("!{x}"),
        (Not, _) => format!("({})~{x}", names::value(dtype)),
        (Neg, Class::Integer) => format!("negative({x})"),
        (Neg, _) => format!("-{x}"),
        (Abs, Class::Integer) => format!("magnitude({x})"),
        (Abs, _) => library("fabs", class, x),
        (Sign, _) => format!("sign({x})"),
        (Square, Class::Integer) => format!("mul({x}, {x})"),
        (Square, _) => rounded(dtype, format!("{x} * {x}")),
        (Reciprocal, _) => rounded(dtype, format!("{one} / {x}")),
        (Floor, _) => library("floor", class, x),
        (Ceil, _) => library("ceil", class, x),
        (Trunc, _) => library("trunc", class, x),
        (Round, _) => library("rint", class, x),
        (Rsqrt, _) => rounded(dtype, format!("{one} / {}", library("sqrt", class, x))),
        (Sigmoid, _) => rounded(dtype, format!("sigmoid({x})")),
        // Beside its zeros the library's own for float32 has few digits right.
        (Lgamma, Class::Float32) => rounded(dtype, format!("(f32)lgamma((f64){x})")),
        // The C library knows these by their own names.
        (
            Sqrt | Cbrt | Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Asin
            | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Erf | Erfc | Lgamma,
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
    assert!(op.row().loops.has(dtype), "`{}` has no meaning for {dtype}", op.name());
    let class = class(dtype);
    let own = |name: &str| format!("{name}({a}, {b})");
    let call = |name: &str| library(name, class, &format!("{a}, {b}"));
    let infix = |sign: &str| format!("{a} {sign} {b}");
    // C computes what is shorter as an int.
    let narrow = |sign: &str| match dtype.size() >= 4 {
        true => infix(sign),
        false => format!("({})({a} {sign} {b})", names::value(dtype)),
    };
    match (op, class) {
        // NumPy's: addition is or, multiplication is and.
        (Add | Max | Fmax | BitOr, Class::Bool) => infix("||"),
        (Mul | Min | Fmin | BitAnd, Class::Bool) => infix("&&"),
        (BitXor, Class::Bool) => infix("!="),
        (Add, Class::Integer) => own("add"),
        (Sub, Class::Integer) => own("sub"),
        (Mul, Class::Integer) => own("mul"),
        (Fmod, Class::Integer) => own("truncmod"),
        (Pow, Class::Integer) => own("power"),
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
        (NextAfter, _) if dtype.compute() != dtype => {
            own(&format!("next_{}", names::stored(dtype)))
        }
        (NextAfter, _) => call("nextafter"),
        (LogAddExp, _) => rounded(dtype, own("logaddexp")),
        (LogAddExp2, _) => rounded(dtype, own("logaddexp2")),
    }
}

/// A quotient of a narrow float type by a number that the program has, as a product with its reciprocal, where that
/// rounds to the same: never on a GPU a division of float32, which takes ten instructions.
///
/// `p` digits divided by `p` digits are a point halfway between two numbers of `p` digits, or at least
/// 2^-(2p + 1) of it away. A reciprocal and a product that float32 rounds are less than 2^-23 away
/// from the quotient, and `p` is at most 11. Below float32's normal numbers, where only bfloat16 comes, a product
/// is less than two units away, and such a point sixty-four at least.
pub fn quotient_by(divisor: Scalar, dtype: DType, a: &str) -> Option<String> {
    if !dtype.is_float() || dtype.compute() == dtype {
        return None;
    }
    let divisor = divisor.held_as(dtype).as_f32();
    let inverse = 1.0 / divisor;
    let is_precise = inverse.is_normal() || divisor == 0.0 || !divisor.is_finite();
    let inverse = names::constant(Scalar::Float(f64::from(inverse)), DType::F32);
    is_precise.then(|| rounded(dtype, format!("{a} * {inverse}")))
}

/// How a kernel that is not generated joins two elements.
#[derive(Debug)]
pub struct Joined {
    /// The type of a variable.
    pub value: &'static str,
    /// Of the variables `a` and `b`.
    pub join: String,
    /// A variable's value from the element `x` of memory, and back.
    pub load: String,
    pub store: String,
}

/// An operation between elements of type `dtype`.
///
/// # Panics
/// For an operation that the type does not have.
pub fn joined(op: BinaryOp, dtype: DType) -> Joined {
    Joined {
        value: names::value(dtype),
        join: binary(op, dtype, "(a)", "(b)"),
        load: names::from_stored(dtype, "(x)"),
        store: names::to_stored(dtype, "(x)"),
    }
}

pub fn compare(op: CompareOp, a: &str, b: &str) -> String {
    format!("{a} {} {b}", op.row().sign)
}

pub fn cast(from: DType, to: DType, x: &str) -> String {
    if from == to {
        return x.to_string();
    }
    let (held, wanted) = (names::value(from), names::value(to));
    match to.kind() {
        Kind::Bool => format!("{x} != 0"),
        Kind::Unsigned | Kind::Signed if from.is_float() => match to.size() {
            // Through the low bits of a 32-bit number, as on x86.
            1 | 2 => format!("({wanted})to_i32({x})"),
            _ => format!("to_{wanted}({x})"),
        },
        Kind::Float if to.compute() != to => match from.is_float() {
            true => rounded(to, x.to_string()),
            false => rounded(to, format!("(f32){x}")),
        },
        Kind::Unsigned | Kind::Signed | Kind::Float if held == wanted => x.to_string(),
        Kind::Unsigned | Kind::Signed | Kind::Float => format!("({wanted}){x}"),
        Kind::Complex => to.not_stored(),
    }
}

/// About how many times the text of a cheap operation the machine code of this one takes: calls
/// that the compiler puts in line.
pub fn weight(op: &Op, dtype: DType) -> usize {
    let wide = if dtype.size() > 4 { 2 } else { 1 };
    wide * op.cost(dtype)
}

/// For which operands a binary operation has no result: the condition and the fault's kind.
pub fn fault(op: BinaryOp, dtype: DType, b: &str) -> Option<(String, &'static str)> {
    match op.failure(dtype)? {
        Failure::DivisionByZero => Some((format!("{b} == 0"), "FAULT_DIVISION")),
        Failure::NegativeExponent => Some((format!("{b} < 0"), "FAULT_EXPONENT")),
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    /// The product that stands for a division by `divisor`, if one does.
    fn inverse(divisor: f32, dtype: DType) -> Option<f32> {
        let text = quotient_by(Scalar::Float(f64::from(divisor)), dtype, "x")?;
        let number = text.split_once("x * ").unwrap().1.trim_matches(['(', ')']);
        match number.trim_start_matches('-').trim_end_matches('f') {
            "F32_INF" => Some(f32::INFINITY.copysign(divisor)),
            "F32_NAN" => Some(f32::NAN),
            finite => Some(finite.parse::<f32>().unwrap().copysign(divisor)),
        }
    }

    fn check(numbers: &[f32], divisors: &[f32], dtype: DType, held: impl Fn(f32) -> f32) {
        for divisor in divisors {
            let Some(inverse) = inverse(*divisor, dtype) else { continue };
            for x in numbers {
                let (quotient, product) = (held(x / divisor), held(x * inverse));
                let is_same = quotient.to_bits() == product.to_bits();
                assert!(
                    is_same || quotient.is_nan() && product.is_nan(),
                    "{dtype} {x} / {divisor}"
                );
            }
        }
    }

    #[test]
    fn products_with_reciprocals_round_as_quotients_do() {
        let all = |held: fn(u16) -> f32| (0..=u16::MAX).map(held).collect::<Vec<f32>>();
        let halves = all(|bits| f16::from_bits(bits).to_f32());
        // Every fraction, near one; numbers with few digits and with none; the largest.
        let near: Vec<f32> = halves.iter().copied().filter(|x| (1.0..2.0).contains(x)).collect();
        let few = [0.0, -0.0, 6e-8, 1.2e-7, 6.1e-5, 3.0, -7.0, 65504.0, f32::INFINITY, f32::NAN];
        let held = |x: f32| f16::from_f32(x).to_f32();
        check(&near, &near, DType::F16, held);
        check(&halves, &few.map(held), DType::F16, held);
        let brains = all(|bits| bf16::from_bits(bits).to_f32());
        let scales = [1e-38, 1.2e-38, 1e-20, 0.5, 3.0, 1e20, 8e37, 3e38];
        let divisors: Vec<f32> = scales
            .iter()
            .flat_map(|scale| {
                brains
                    .iter()
                    .filter(|x| (1.0..2.0).contains(*x))
                    .map(move |x| bf16::from_f32(x * scale).to_f32())
            })
            .collect();
        let held = |x: f32| bf16::from_f32(x).to_f32();
        check(&brains, &divisors, DType::BF16, held);
        check(&brains, &few.map(held), DType::BF16, held);
    }

    #[test]
    fn types_that_compute_as_themselves_divide() {
        assert_eq!(quotient_by(Scalar::Int(3), DType::F32, "x"), None);
        assert_eq!(quotient_by(Scalar::Int(3), DType::I32, "x"), None);
        assert_eq!(inverse(1e-40, DType::BF16), None);
        assert_eq!(inverse(4.0, DType::BF16), Some(0.25));
    }
}
