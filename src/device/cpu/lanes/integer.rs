//! Integer and bool lanes. Arithmetic wraps, as NumPy's does.

use super::Mask;
use super::arith::Lane;
use crate::ir::{binary_code as bin, unary_code as un};

macro_rules! integer_lane {
    ($T:ident, $U:ident, $signed:literal) => {
        impl Lane for $T {
            #[inline(always)]
            fn unary<const OP: u8, const FMA: bool>(x: $T) -> $T {
                match OP {
                    un::Neg => x.wrapping_neg(),
                    un::Abs => {
                        if $signed && x.leading_zeros() == 0 {
                            x.wrapping_neg()
                        } else {
                            x
                        }
                    }
                    un::Sign => {
                        if $signed {
                            (x > 0) as $T - ((x.leading_zeros() == 0) as $T)
                        } else {
                            (x > 0) as $T
                        }
                    }
                    un::Not => !x,
                    un::Square => x.wrapping_mul(x),
                    _ => x,
                }
            }

            #[inline(always)]
            fn binary<const OP: u8, const FMA: bool>(a: $T, b: $T) -> $T {
                match OP {
                    bin::Add => a.wrapping_add(b),
                    bin::Sub => a.wrapping_sub(b),
                    bin::Mul => a.wrapping_mul(b),
                    bin::Max | bin::Fmax => a.max(b),
                    bin::Min | bin::Fmin => a.min(b),
                    bin::BitAnd => a & b,
                    bin::BitOr => a | b,
                    bin::BitXor => a ^ b,
                    // A negative shift, like one past the width, leaves nothing of the value.
                    bin::Shl => {
                        if (b as $U) < $T::BITS as $U {
                            a.wrapping_shl(b as u32)
                        } else {
                            0
                        }
                    }
                    bin::Shr => {
                        let past = (b as $U) >= $T::BITS as $U;
                        if $signed {
                            a.wrapping_shr(if past { $T::BITS - 1 } else { b as u32 })
                        } else if past {
                            0
                        } else {
                            a.wrapping_shr(b as u32)
                        }
                    }
                    bin::Gcd => {
                        gcd(magnitude::<$signed>(a as i64), magnitude::<$signed>(b as i64)) as $T
                    }
                    bin::Lcm => {
                        let (a, b) =
                            (magnitude::<$signed>(a as i64), magnitude::<$signed>(b as i64));
                        match gcd(a, b) {
                            0 => 0,
                            divisor => (a / divisor).wrapping_mul(b) as $T,
                        }
                    }
                    bin::Pow => Self::checked::<OP>(a, b).0,
                    _ => a,
                }
            }

            #[inline(always)]
            fn checked<const OP: u8>(a: $T, b: $T) -> ($T, bool) {
                match OP {
                    bin::Pow => {
                        // Only the exponent's low bits are walked when it is negative: the result
                        // is thrown away with the launch.
                        let (mut base, mut exponent, mut result) = (a, b, 1 as $T);
                        let good = !$signed || b.leading_zeros() != 0 || b == 0;
                        if !good {
                            exponent = 0;
                        }
                        while exponent != 0 {
                            if exponent & 1 == 1 {
                                result = result.wrapping_mul(base);
                            }
                            base = base.wrapping_mul(base);
                            exponent >>= 1;
                        }
                        (result, good)
                    }
                    _ if b == 0 => (0, false),
                    bin::FloorDiv => {
                        let quotient = a.wrapping_div(b);
                        let remainder = a.wrapping_rem(b);
                        let below =
                            $signed && remainder != 0 && (remainder ^ b).leading_zeros() == 0;
                        (quotient.wrapping_sub(below as $T), true)
                    }
                    bin::Mod => {
                        let remainder = a.wrapping_rem(b);
                        let other_sign =
                            $signed && remainder != 0 && (remainder ^ b).leading_zeros() == 0;
                        (if other_sign { remainder.wrapping_add(b) } else { remainder }, true)
                    }
                    _ => (a.wrapping_rem(b), true),
                }
            }
        }
    };
}

integer_lane!(u8, u8, false);
integer_lane!(u16, u16, false);
integer_lane!(u32, u32, false);
integer_lane!(u64, u64, false);
integer_lane!(i8, u8, true);
integer_lane!(i16, u16, true);
integer_lane!(i32, u32, true);
integer_lane!(i64, u64, true);

#[inline(always)]
fn magnitude<const SIGNED: bool>(x: i64) -> u64 {
    if SIGNED { x.unsigned_abs() } else { x as u64 }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// NumPy's: addition is or, multiplication is and.
impl Lane for Mask {
    #[inline(always)]
    fn unary<const OP: u8, const FMA: bool>(x: Mask) -> Mask {
        match OP {
            un::Not => Mask::new(!x.get()),
            _ => Mask::new(x.get()),
        }
    }

    #[inline(always)]
    fn binary<const OP: u8, const FMA: bool>(a: Mask, b: Mask) -> Mask {
        match OP {
            bin::Add | bin::Max | bin::Fmax | bin::BitOr => Mask::new(a.get() | b.get()),
            bin::Mul | bin::Min | bin::Fmin | bin::BitAnd => Mask::new(a.get() & b.get()),
            _ => Mask::new(a.get() ^ b.get()),
        }
    }
}
