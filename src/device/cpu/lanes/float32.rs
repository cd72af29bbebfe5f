//! float32 lanes, which stand for the half types too.

use super::arith::Lane;
use super::arith::code::{bin, un};
use super::math32;

impl Lane for f32 {
    #[inline(always)]
    fn unary<const OP: u8, const FMA: bool>(x: f32) -> f32 {
        match OP {
            un::Neg => -x,
            un::Abs => x.abs(),
            un::Sign => {
                let sign = (x > 0.0) as u8 as f32 - (x < 0.0) as u8 as f32;
                if x.is_nan() { x } else { sign }
            }
            un::Square => x * x,
            un::Reciprocal => 1.0 / x,
            un::Sqrt => x.sqrt(),
            un::Rsqrt => (1.0 / (x as f64).sqrt()) as f32,
            un::Cbrt => math32::cbrt::<FMA>(x),
            un::Exp => math32::exp::<FMA>(x),
            un::Exp2 => math32::exp2::<FMA>(x),
            un::Expm1 => math32::expm1::<FMA>(x),
            un::Log => math32::log::<FMA>(x),
            un::Log2 => math32::log2::<FMA>(x),
            un::Log10 => math32::log10::<FMA>(x),
            un::Log1p => math32::log1p::<FMA>(x),
            un::Sin => math32::sin::<FMA>(x),
            un::Cos => math32::cos::<FMA>(x),
            un::Tan => math32::tan::<FMA>(x),
            un::Asin => math32::asin::<FMA>(x),
            un::Acos => math32::acos::<FMA>(x),
            un::Atan => math32::atan::<FMA>(x),
            un::Sinh => math32::sinh::<FMA>(x),
            un::Cosh => math32::cosh::<FMA>(x),
            un::Tanh => math32::tanh::<FMA>(x),
            un::Asinh => math32::asinh::<FMA>(x),
            un::Acosh => math32::acosh::<FMA>(x),
            un::Atanh => math32::atanh::<FMA>(x),
            un::Sigmoid => math32::sigmoid::<FMA>(x),
            un::Erf => math32::erf::<FMA>(x),
            un::Floor => x.floor(),
            un::Ceil => x.ceil(),
            un::Trunc => x.trunc(),
            un::Round => x.round_ties_even(),
            _ => x,
        }
    }

    #[inline(always)]
    fn is_rare<const OP: u8>(x: f32) -> bool {
        matches!(OP, un::Sin | un::Cos | un::Tan) && x.abs() > math32::TRIG_LIMIT
    }

    fn rare<const OP: u8>(x: f32) -> f32 {
        match OP {
            un::Sin => (x as f64).sin() as f32,
            un::Cos => (x as f64).cos() as f32,
            un::Tan => (x as f64).tan() as f32,
            _ => x,
        }
    }

    #[inline(always)]
    fn test<const OP: u8>(x: f32) -> bool {
        match OP {
            un::IsNan => x.is_nan(),
            un::IsInf => x.abs() == f32::INFINITY,
            un::IsFinite => x.abs() < f32::INFINITY,
            _ => x.is_sign_negative(),
        }
    }

    #[inline(always)]
    fn binary<const OP: u8, const FMA: bool>(a: f32, b: f32) -> f32 {
        match OP {
            bin::Add => a + b,
            bin::Sub => a - b,
            bin::Mul => a * b,
            bin::Div => a / b,
            bin::FloorDiv => floor_div(a, b, a % b),
            bin::Mod => modulo(a % b, b),
            bin::Fmod => a % b,
            bin::Pow => math32::pow::<FMA>(a, b),
            bin::Max => {
                if (a >= b) | a.is_nan() {
                    a
                } else {
                    b
                }
            }
            bin::Min => {
                if (a <= b) | a.is_nan() {
                    a
                } else {
                    b
                }
            }
            bin::Fmax => {
                if (a >= b) | b.is_nan() {
                    a
                } else {
                    b
                }
            }
            bin::Fmin => {
                if (a <= b) | b.is_nan() {
                    a
                } else {
                    b
                }
            }
            bin::Atan2 => math32::atan2::<FMA>(a, b),
            bin::Hypot => math32::hypot(a, b),
            bin::CopySign => a.copysign(b),
            bin::NextAfter => next_after(a, b),
            bin::LogAddExp => math32::log_add_exp::<FMA>(a, b),
            bin::LogAddExp2 => math32::log_add_exp2::<FMA>(a, b),
            _ => a,
        }
    }

    #[inline(always)]
    fn checked<const OP: u8>(a: f32, _: f32) -> (f32, bool) {
        (a, true)
    }
}

fn modulo(remainder: f32, b: f32) -> f32 {
    if remainder == 0.0 {
        0f32.copysign(b)
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder + b
    } else {
        remainder
    }
}

/// NumPy's: from the exact remainder, so that `a == b * (a // b) + a % b` as nearly as can be.
fn floor_div(a: f32, b: f32, remainder: f32) -> f32 {
    if b == 0.0 {
        return a / b;
    }
    let other_sign = remainder != 0.0 && (b < 0.0) != (remainder < 0.0);
    let quotient = (a - remainder) / b - if other_sign { 1.0 } else { 0.0 };
    if quotient == 0.0 {
        return f32::copysign(0.0, a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn next_after(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a == b {
        b
    } else if a < b {
        a.next_up()
    } else {
        a.next_down()
    }
}
