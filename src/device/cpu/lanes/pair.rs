//! Numbers as the unevaluated sum of two doubles, for the few lanes whose result is what is left of
//! two terms that cancel.
//!
//! Method: the error of a sum by Knuth ("The Art of Computer Programming", volume 2), that of a
//! product by a fused multiplication; Dekker, "A floating-point technique for extending the available
//! precision", 1971.

/// A number: its double, and what that leaves out.
pub type Pair = [f64; 2];

/// ln 2 to 2^-107.
pub const LN_2: Pair =
    [f64::from_bits(0x3fe6_2e42_fefa_39ef), f64::from_bits(0x3c7a_bc9e_3b39_803f)];

/// 1 / ln 2 to 2^-107.
pub const LOG2_E: Pair =
    [f64::from_bits(0x3ff7_1547_652b_82fe), f64::from_bits(0x3c77_77d0_ffda_0d24)];

/// A logarithm below this is as exact as its argument.
const TINY: f64 = 1e-6;

/// The sum of any two doubles.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let from_b = sum - a;
    [sum, (a - (sum - from_b)) + (b - from_b)]
}

/// A sum of which the first term is the larger one.
fn quick_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    [sum, b - (sum - a)]
}

fn sum(a: Pair, b: Pair) -> Pair {
    let [high, low] = two_sum(a[0], b[0]);
    let [low, rest] = two_sum(low, a[1] + b[1]);
    let [high, low] = quick_sum(high, low);
    quick_sum(high, low + rest)
}

pub fn product(a: Pair, b: f64) -> Pair {
    let high = a[0] * b;
    quick_sum(high, a[0].mul_add(b, -high) + a[1] * b)
}

pub fn times(a: Pair, b: Pair) -> Pair {
    let high = a[0] * b[0];
    quick_sum(high, a[0].mul_add(b[0], -high) + (a[0] * b[1] + a[1] * b[0]))
}

fn square(a: Pair) -> Pair {
    let high = a[0] * a[0];
    quick_sum(high, a[0].mul_add(a[0], -high) + 2.0 * a[0] * a[1])
}

/// exp(x) for x between -700 and 1: relative error 2^-95.
pub fn exp(x: Pair) -> Pair {
    let k = (x[0] * std::f64::consts::LOG2_E).round();
    let rest = sum(x, product(LN_2, -k));
    // The series of a 2^-9th of it, then as many squarings of what it exceeds one by.
    let small = rest.map(|part| part * (1.0 / 512.0));
    let mut more = [0.0; 2];
    for n in (1..=9).rev() {
        // more = small / n · (1 + more)
        let factor = sum(more, [1.0, 0.0]);
        let high = factor[0] * small[0];
        let low = factor[0].mul_add(small[0], -high) + factor[0] * small[1] + factor[1] * small[0];
        more = divided(quick_sum(high, low), f64::from(n));
    }
    for _ in 0..9 {
        more = sum(more.map(|part| 2.0 * part), square(more));
    }
    let power = sum(more, [1.0, 0.0]);
    power.map(|part| part * k.exp2())
}

fn divided(a: Pair, b: f64) -> Pair {
    let high = a[0] / b;
    quick_sum(high, ((-high).mul_add(b, a[0]) + a[1]) / b)
}

/// log(a + b) of a sum near one.
pub fn log_of_sum(a: Pair, b: Pair) -> Pair {
    let whole = sum(a, b);
    let more = sum(whole, [-1.0, 0.0]);
    let log = more[0].ln_1p();
    if log.abs() < TINY {
        // log(1 + high + low): the low part's share is its first derivative.
        return quick_sum(log, more[1] / (1.0 + more[0]));
    }
    // A step of Newton's: what the logarithm leaves of the sum.
    let rest = sum(times(whole, exp([-log, 0.0])), [-1.0, 0.0]);
    quick_sum(log, rest[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_times_its_inverse_is_one_to_thirty_digits() {
        for x in [-0.7, -1e-9, -3.25, -40.0, 0.5, 1e-300] {
            let (a, b) = (exp([x, 0.0]), exp([-x, 0.0]));
            let high = a[0] * b[0];
            let low = a[0].mul_add(b[0], -high) + a[0] * b[1] + a[1] * b[0];
            let off = (high - 1.0) + low;
            assert!(off.abs() < 1e-28, "exp({x}) · exp({}) - 1 = {off:e}", -x);
        }
        assert_eq!(exp([1.0, 0.0])[0], std::f64::consts::E);
        let [high, low] = times(LN_2, LOG2_E);
        assert!((high - 1.0 + low).abs() < 1e-31, "{high} {low}");
    }
}
