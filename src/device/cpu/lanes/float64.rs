//! float64 lanes. What is not a loop of vector instructions calls the mathematics library.

use super::arith::Lane;
use super::arith::code::{bin, un};
use super::math64;

impl Lane for f64 {
    #[inline(always)]
    fn unary<const OP: u8, const FMA: bool>(x: f64) -> f64 {
        match OP {
            un::Neg => -x,
            un::Abs => x.abs(),
            un::Sign => {
                let sign = (x > 0.0) as u8 as f64 - (x < 0.0) as u8 as f64;
                if x.is_nan() { x } else { sign }
            }
            un::Square => x * x,
            un::Reciprocal => 1.0 / x,
            un::Sqrt => x.sqrt(),
            un::Rsqrt => 1.0 / x.sqrt(),
            un::Cbrt => x.cbrt(),
            un::Exp => math64::exp::<FMA>(x),
            un::Exp2 => x.exp2(),
            un::Expm1 => x.exp_m1(),
            un::Log => math64::log::<FMA>(x),
            un::Log2 => x.log2(),
            un::Log10 => x.log10(),
            un::Log1p => x.ln_1p(),
            un::Sin => x.sin(),
            un::Cos => x.cos(),
            un::Tan => x.tan(),
            un::Asin => x.asin(),
            un::Acos => x.acos(),
            un::Atan => x.atan(),
            un::Sinh => x.sinh(),
            un::Cosh => x.cosh(),
            un::Tanh => x.tanh(),
            un::Asinh => x.asinh(),
            un::Acosh => x.acosh(),
            un::Atanh => x.atanh(),
            un::Sigmoid => math64::sigmoid::<FMA>(x),
            un::Erf => erf(x),
            un::Floor => x.floor(),
            un::Ceil => x.ceil(),
            un::Trunc => x.trunc(),
            un::Round => x.round_ties_even(),
            _ => x,
        }
    }

    #[inline(always)]
    fn test<const OP: u8>(x: f64) -> bool {
        match OP {
            un::IsNan => x.is_nan(),
            un::IsInf => x.abs() == f64::INFINITY,
            un::IsFinite => x.abs() < f64::INFINITY,
            _ => x.is_sign_negative(),
        }
    }

    #[inline(always)]
    fn binary<const OP: u8, const FMA: bool>(a: f64, b: f64) -> f64 {
        match OP {
            bin::Add => a + b,
            bin::Sub => a - b,
            bin::Mul => a * b,
            bin::Div => a / b,
            bin::FloorDiv => floor_div(a, b, a % b),
            bin::Mod => modulo(a % b, b),
            bin::Fmod => a % b,
            bin::Pow => a.powf(b),
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
            bin::Atan2 => a.atan2(b),
            bin::Hypot => a.hypot(b),
            bin::CopySign => a.copysign(b),
            bin::NextAfter => next_after(a, b),
            bin::LogAddExp => log_add_exp(a, b),
            bin::LogAddExp2 => log_add_exp2(a, b),
            _ => a,
        }
    }

    #[inline(always)]
    fn checked<const OP: u8>(a: f64, _: f64) -> (f64, bool) {
        (a, true)
    }
}

fn modulo(remainder: f64, b: f64) -> f64 {
    if remainder == 0.0 {
        0f64.copysign(b)
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder + b
    } else {
        remainder
    }
}

/// NumPy's: from the exact remainder, so that `a == b * (a // b) + a % b` as nearly as can be.
fn floor_div(a: f64, b: f64, remainder: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let other_sign = remainder != 0.0 && (b < 0.0) != (remainder < 0.0);
    let quotient = (a - remainder) / b - if other_sign { 1.0 } else { 0.0 };
    if quotient == 0.0 {
        return f64::copysign(0.0, a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn next_after(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        b
    } else if a < b {
        a.next_up()
    } else {
        a.next_down()
    }
}

fn log_add_exp(a: f64, b: f64) -> f64 {
    if a == b {
        return a + std::f64::consts::LN_2;
    }
    let larger = if a > b { a } else { b };
    larger + (-(a - b).abs()).exp().ln_1p()
}

fn log_add_exp2(a: f64, b: f64) -> f64 {
    if a == b {
        return a + 1.0;
    }
    let larger = if a > b { a } else { b };
    larger + (-(a - b).abs()).exp2().ln_1p() * std::f64::consts::LOG2_E
}

fn erf(x: f64) -> f64 {
    mod library {
        unsafe extern "C" {
            pub safe fn erf(x: f64) -> f64;
        }
    }
    library::erf(x)
}
