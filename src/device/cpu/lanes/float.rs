//! float32 lanes, which stand for the half types too, and float64 lanes.

use super::arith::Lane;
use super::{math32, math64};
use crate::device::libm;
use crate::ir::{binary_code as bin, unary_code as un};

/// The operations of a type, with the transcendental functions of `$math`.
macro_rules! floats {
    ($($type:ty, $math:ident;)*) => {$(
        // A scope for the functions, which have one name for all types.
        const _: () = {
            impl Lane for $type {
                #[inline(always)]
                fn unary<const OP: u8, const FMA: bool>(x: $type) -> $type {
                    match OP {
                        un::Neg => -x,
                        un::Abs => x.abs(),
                        un::Sign => {
                            let sign = (x > 0.0) as u8 as $type - (x < 0.0) as u8 as $type;
                            if x.is_nan() { x } else { sign }
                        }
                        un::Square => x * x,
                        un::Reciprocal => 1.0 / x,
                        un::Sqrt => x.sqrt(),
                        un::Rsqrt => (1.0 / (x as f64).sqrt()) as $type,
                        un::Cbrt => $math::cbrt::<FMA>(x),
                        un::Exp => $math::exp::<FMA>(x),
                        un::Exp2 => $math::exp2::<FMA>(x),
                        un::Expm1 => $math::expm1::<FMA>(x),
                        un::Log => $math::log::<FMA>(x),
                        un::Log2 => $math::log2::<FMA>(x),
                        un::Log10 => $math::log10::<FMA>(x),
                        un::Log1p => $math::log1p::<FMA>(x),
                        un::Sin => $math::sin::<FMA>(x),
                        un::Cos => $math::cos::<FMA>(x),
                        un::Tan => $math::tan::<FMA>(x),
                        un::Asin => $math::asin::<FMA>(x),
                        un::Acos => $math::acos::<FMA>(x),
                        un::Atan => $math::atan::<FMA>(x),
                        un::Sinh => $math::sinh::<FMA>(x),
                        un::Cosh => $math::cosh::<FMA>(x),
                        un::Tanh => $math::tanh::<FMA>(x),
                        un::Asinh => $math::asinh::<FMA>(x),
                        un::Acosh => $math::acosh::<FMA>(x),
                        un::Atanh => $math::atanh::<FMA>(x),
                        un::Sigmoid => $math::sigmoid::<FMA>(x),
                        un::Erf => $math::erf::<FMA>(x),
                        un::Erfc => libm::erfc(x as f64) as $type,
                        un::Lgamma => libm::lgamma(x as f64) as $type,
                        un::Floor => x.floor(),
                        un::Ceil => x.ceil(),
                        un::Trunc => x.trunc(),
                        un::Round => x.round_ties_even(),
                        _ => x,
                    }
                }

                #[inline(always)]
                fn is_rare(x: $type) -> bool {
                    x.abs() > $math::TRIG_LIMIT
                }

                fn rare<const OP: u8>(x: $type) -> $type {
                    match OP {
                        un::Sin => (x as f64).sin() as $type,
                        un::Cos => (x as f64).cos() as $type,
                        un::Tan => (x as f64).tan() as $type,
                        _ => x,
                    }
                }

                #[inline(always)]
                fn is_rare_pair<const OP: u8>(result: $type) -> bool {
                    match OP {
                        bin::Pow => result.is_nan(),
                        _ => result.abs() < $math::CANCELLED,
                    }
                }

                fn rare_pair<const OP: u8>(a: $type, b: $type) -> $type {
                    let (a, b) = (a as f64, b as f64);
                    match OP {
                        bin::Pow => a.powf(b) as $type,
                        bin::LogAddExp => math64::log_add_exp::<false>(a, b) as $type,
                        _ => math64::log_add_exp2::<false>(a, b) as $type,
                    }
                }

                #[inline(always)]
                fn test<const OP: u8>(x: $type) -> bool {
                    match OP {
                        un::IsNan => x.is_nan(),
                        un::IsInf => x.abs() == <$type>::INFINITY,
                        un::IsFinite => x.abs() < <$type>::INFINITY,
                        _ => x.is_sign_negative(),
                    }
                }

                #[inline(always)]
                fn binary<const OP: u8, const FMA: bool>(a: $type, b: $type) -> $type {
                    match OP {
                        bin::Add => a + b,
                        bin::Sub => a - b,
                        bin::Mul => a * b,
                        bin::Div => a / b,
                        bin::FloorDiv => floor_div(a, b, a % b),
                        bin::Mod => modulo(a % b, b),
                        bin::Fmod => a % b,
                        bin::Pow => $math::pow::<FMA>(a, b),
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
                        bin::Atan2 => $math::atan2::<FMA>(a, b),
                        bin::Hypot => $math::hypot::<FMA>(a, b),
                        bin::CopySign => a.copysign(b),
                        bin::NextAfter => next_after(a, b),
                        bin::LogAddExp => $math::log_add_exp::<FMA>(a, b),
                        bin::LogAddExp2 => $math::log_add_exp2::<FMA>(a, b),
                        _ => a,
                    }
                }
            }

            fn modulo(remainder: $type, b: $type) -> $type {
                if remainder == 0.0 {
                    <$type>::copysign(0.0, b)
                } else if (b < 0.0) != (remainder < 0.0) {
                    remainder + b
                } else {
                    remainder
                }
            }

            /// NumPy's: from the exact remainder, so that `a == b * (a // b) + a % b` as nearly as
            /// can be.
            fn floor_div(a: $type, b: $type, remainder: $type) -> $type {
                if b == 0.0 {
                    return a / b;
                }
                let other_sign = remainder != 0.0 && (b < 0.0) != (remainder < 0.0);
                let quotient = (a - remainder) / b - if other_sign { 1.0 } else { 0.0 };
                if quotient == 0.0 {
                    return <$type>::copysign(0.0, a / b);
                }
                let floor = quotient.floor();
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }

            fn next_after(a: $type, b: $type) -> $type {
                if a.is_nan() || b.is_nan() {
                    <$type>::NAN
                } else if a == b {
                    b
                } else if a < b {
                    a.next_up()
                } else {
                    a.next_down()
                }
            }
        };
    )*};
}

floats! {
    f32, math32;
    f64, math64;
}
