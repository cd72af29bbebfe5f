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
                        bin::LogAddExp | bin::LogAddExp2 => {
                            (result.abs() < $math::CANCELLED) | result.is_nan()
                        }
                        _ => result.is_nan(),
                    }
                }

                fn rare_pair<const OP: u8>(a: $type, b: $type) -> $type {
                    let (wide_a, wide_b) = (a as f64, b as f64);
                    match OP {
                        bin::FloorDiv => floor_div(a, b, a % b),
                        bin::Mod => modulo(a % b, b),
                        bin::Fmod => a % b,
                        bin::Pow => wide_a.powf(wide_b) as $type,
                        bin::Atan2 => wide_a.atan2(wide_b) as $type,
                        bin::Hypot => wide_a.hypot(wide_b) as $type,
                        bin::LogAddExp => math64::log_add_exp::<false>(wide_a, wide_b) as $type,
                        _ => math64::log_add_exp2::<false>(wide_a, wide_b) as $type,
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
                        bin::FloorDiv => floor_div(a, b, remainder::<FMA>(a, b)),
                        bin::Mod => modulo(remainder::<FMA>(a, b), b),
                        bin::Fmod => remainder::<FMA>(a, b),
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

            /// What is left of `a` after whole times `b`, with the sign of `a`; NaN also where they are too many to be
            /// counted exactly, or where `b` is infinite.
            #[inline(always)]
            fn remainder<const FMA: bool>(a: $type, b: $type) -> $type {
                if !FMA {
                    return a % b;
                }
                let times = (a / b).trunc();
                let rest = times.mul_add(-b, a);
                // A quotient may have been rounded up to the next whole number.
                let is_over = (rest != 0.0) & ((rest < 0.0) != (a < 0.0));
                let rest = if is_over { rest + b.abs().copysign(a) } else { rest };
                let rest = if rest == 0.0 { (0.0 as $type).copysign(a) } else { rest };
                if times.abs() < 1.0 / <$type>::EPSILON { rest } else { <$type>::NAN }
            }

            #[inline(always)]
            fn modulo(remainder: $type, b: $type) -> $type {
                let is_across = (b < 0.0) != (remainder < 0.0);
                let value = if is_across { remainder + b } else { remainder };
                if remainder == 0.0 { (0.0 as $type).copysign(b) } else { value }
            }

            /// NumPy's: from the exact remainder, so that `a == b * (a // b) + a % b` as nearly as
            /// can be.
            #[inline(always)]
            fn floor_div(a: $type, b: $type, remainder: $type) -> $type {
                let is_across = (remainder != 0.0) & ((b < 0.0) != (remainder < 0.0));
                let quotient = (a - remainder) / b - if is_across { 1.0 } else { 0.0 };
                let floor = quotient.floor();
                let whole = if quotient - floor > 0.5 { floor + 1.0 } else { floor };
                let ratio = a / b;
                let whole = if quotient == 0.0 { (0.0 as $type).copysign(ratio) } else { whole };
                if b == 0.0 { ratio } else { whole }
            }

            #[inline(always)]
            fn next_after(a: $type, b: $type) -> $type {
                let bits = a.to_bits();
                let is_outward = (a < b) == (a > 0.0);
                let next = if is_outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
                let next = <$type>::from_bits(next);
                let next = if a == 0.0 { <$type>::from_bits(1).copysign(b) } else { next };
                let next = if a == b { b } else { next };
                if a.is_nan() | b.is_nan() { <$type>::NAN } else { next }
            }
        };
    )*};
}

floats! {
    f32, math32;
    f64, math64;
}
