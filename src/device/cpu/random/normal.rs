//! Normal numbers by the method of Box and Muller: from two uniform ones, a radius and an angle.
//!
//! The formulas use additions, multiplications, fused multiply-adds, divisions and square roots
//! only, each of which every device rounds the same way, in the order in which they stand here; so
//! a device that follows them gives the same bits.
//!
//! - u = (w + ½) · 2⁻³² (2⁻⁶⁴ for float64) of the first word w, in (0, 1].
//! - ln u, for u = 2^e · m with m in [√½, √2): e · ln 2 + 2 · atanh(s), where s = (m − 1)/(m + 1)
//!   and atanh is its Taylor polynomial s + s³/3 + s⁵/5 + ….
//! - radius = √(−2 · ln u).
//! - The second word is a fraction of a turn. The nearest quarter turn is taken off exactly, in
//!   integers; what is left, at most π/4, goes into the Taylor polynomials of sine and cosine.

use super::philox::LANES;

/// Makes the transform for one type of floats: `digits` bits after a mantissa's leading one, the
/// weight of the words' last bit, and the series of atanh, sine and cosine after their first terms.
macro_rules! transform {
    ($name:ident, $float:ident, $bits:ty, $signed:ty, $digits:literal, $last_bit:expr,
     $atanh:expr, $sine:expr, $cosine:expr) => {
        /// Normal numbers from two words a lane: those of the cosine, then those of the sine.
        #[inline(always)]
        pub(super) fn $name(
            radius_words: &[$bits; LANES],
            angle_words: &[$bits; LANES],
        ) -> [[$float; LANES]; 2] {
            use std::$float::consts::{FRAC_1_SQRT_2, LN_2, TAU};

            /// From the constant coefficient on, by Horner's rule.
            #[inline(always)]
            fn polynomial<const N: usize>(x: $float, coefficients: [$float; N]) -> $float {
                let mut sum = coefficients[N - 1];
                for at in (0..N - 1).rev() {
                    sum = sum.mul_add(x, coefficients[at]);
                }
                sum
            }

            let one = (1.0 as $float).to_bits();
            let least = FRAC_1_SQRT_2.to_bits();
            let mut out = [[0.0; LANES]; 2];
            for lane in 0..LANES {
                let u = (radius_words[lane] as $float).mul_add($last_bit, $last_bit / 2.0);
                // Adding what √½ lacks to one carries every mantissa above √2 to the next exponent.
                let lifted = u.to_bits() + (one - least);
                let exponent = (lifted >> $digits) as $signed - (one >> $digits) as $signed;
                let m = <$float>::from_bits((lifted & ((1 << $digits) - 1)) + least);
                let s = (m - 1.0) / (m + 1.0);
                let square = s * s;
                let half_log = (s * square).mul_add(polynomial(square, $atanh), s);
                let log = (exponent as $float).mul_add(LN_2, 2.0 * half_log);
                let radius = (-2.0 * log).sqrt();

                let word = angle_words[lane];
                let quarters = word.wrapping_add(1 << (<$bits>::BITS - 3)) >> (<$bits>::BITS - 2);
                let left = word.wrapping_sub(quarters << (<$bits>::BITS - 2)) as $signed;
                let x = left as $float * ($last_bit * TAU);
                let square = x * x;
                let sine = (x * square).mul_add(polynomial(square, $sine), x);
                let cosine = square.mul_add(polynomial(square, $cosine), 1.0);
                // A quarter turn takes (x, y) to (−y, x).
                let odd = quarters & 1 == 1;
                let (x, y) = if odd { (sine, cosine) } else { (cosine, sine) };
                let x = if (quarters + 1) & 2 == 2 { -x } else { x };
                let y = if quarters & 2 == 2 { -y } else { y };
                out[0][lane] = radius * x;
                out[1][lane] = radius * y;
            }
            out
        }
    };
}

transform!(
    transform_f32,
    f32,
    u32,
    i32,
    23,
    1.0 / 4_294_967_296.0,
    [1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0],
    [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0],
    [-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0]
);

transform!(
    transform_f64,
    f64,
    u64,
    i64,
    52,
    1.0 / 18_446_744_073_709_551_616.0,
    [
        1.0 / 3.0,
        1.0 / 5.0,
        1.0 / 7.0,
        1.0 / 9.0,
        1.0 / 11.0,
        1.0 / 13.0,
        1.0 / 15.0,
        1.0 / 17.0,
        1.0 / 19.0,
        1.0 / 21.0
    ],
    [
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
        1.0 / 355_687_428_096_000.0
    ],
    [
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 20_922_789_888_000.0
    ]
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The same formula with the standard library's functions, of a uniform number and an angle in
    /// turns.
    fn exact(u: f64, turns: f64) -> [f64; 2] {
        let length = (-2.0 * u.ln()).sqrt();
        let (sine, cosine) = (turns * std::f64::consts::TAU).sin_cos();
        [length * cosine, length * sine]
    }

    #[test]
    fn polynomials_are_as_exact_as_their_type() {
        let mut state = 1u64;
        for _ in 0..2_000 {
            let words: [[u64; LANES]; 2] = std::array::from_fn(|_| {
                std::array::from_fn(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    state ^ state >> 33
                })
            });
            let wide = transform_f64(&words[0], &words[1]);
            let narrow_words = words.map(|words| words.map(|word| (word >> 32) as u32));
            let narrow = transform_f32(&narrow_words[0], &narrow_words[1]);
            for lane in 0..LANES {
                let [first, second] = words.map(|words| words[lane] as f64 * 0.5f64.powi(64));
                let expected = exact(first, second);
                let [first, second] = narrow_words.map(|words| f64::from(words[lane]));
                let unit = 0.5f64.powi(32);
                // The uniform number is rounded to float32, which a small radius feels.
                let rounded = f64::from(((first + 0.5) * unit) as f32);
                let rough = exact(rounded, second * unit);
                for part in 0..2 {
                    let (wide, narrow) = (wide[part][lane], f64::from(narrow[part][lane]));
                    assert!((wide - expected[part]).abs() <= 4e-15, "{wide} for {expected:?}");
                    assert!((narrow - rough[part]).abs() <= 2e-6, "{narrow} for {rough:?}");
                }
            }
        }
    }

    #[test]
    fn extreme_words_give_finite_numbers() {
        for radius in [0, 1, u32::MAX / 2, u32::MAX - 1, u32::MAX] {
            for angle in [0, 1 << 29, 1 << 30, 3 << 30, u32::MAX] {
                let out = transform_f32(&[radius; LANES], &[angle; LANES]);
                let length = out[0][0].hypot(out[1][0]);
                assert!(length < 6.8, "{out:?}");
            }
        }
        let far = transform_f64(&[0; LANES], &[0; LANES]);
        assert!((far[0][0] - (130.0 * std::f64::consts::LN_2).sqrt()).abs() < 1e-14);
        assert_eq!(far[1][0], 0.0);
    }
}
