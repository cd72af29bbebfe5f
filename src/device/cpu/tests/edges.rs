//! Operations of two floats at their edges: quotients that are nearly whole, angles and lengths of all sizes, sums of
//! powers of which little is left.

use super::super::{Level, lanes};
use super::Random;
use crate::dtype::DType;
use crate::ir::BinaryOp;

fn apply<T: Copy + Default>(level: Level, op: BinaryOp, dtype: DType, pairs: &[(T, T)]) -> Vec<T> {
    let (a, b): (Vec<T>, Vec<T>) = pairs.iter().copied().unzip();
    let mut out = vec![T::default(); pairs.len()];
    let kernel = lanes::binary(level, op, dtype);
    // SAFETY: all have as many lanes of the type.
    unsafe { kernel(out.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast(), pairs.len()) };
    out
}

fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_available())
}

/// What the baseline says with C's remainder, to the bit.
macro_rules! remainders {
    ($T:ident, $dtype:expr, $random:ident) => {{
        let mut pairs = Vec::new();
        for power in 0..$T::MANTISSA_DIGITS as i32 + 3 {
            for _ in 0..40 {
                let b = ($random.below(1 << 20) as $T + 1.0) / 1024.0;
                let times = (2 as $T).powi(power) + $random.below(5) as $T - 2.0;
                let near = times * b;
                for a in [near, near.next_up(), near.next_down(), near + b * 0.5] {
                    pairs.extend([(a, b), (-a, b), (a, -b), (-a, -b)]);
                }
            }
        }
        let odd = [0.0, 1.0, $T::MIN_POSITIVE, 1e-40, $T::MAX, $T::INFINITY, $T::NAN];
        let odd = odd.iter().flat_map(|x| [*x as $T, -*x as $T]);
        pairs.extend(odd.clone().flat_map(|a| odd.clone().map(move |b| (a, b))));
        for op in [BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod, BinaryOp::NextAfter] {
            let wanted = apply::<$T>(Level::Baseline, op, $dtype, &pairs);
            for level in levels() {
                let found = apply::<$T>(level, op, $dtype, &pairs);
                for ((found, wanted), (a, b)) in found.iter().zip(&wanted).zip(&pairs) {
                    let same =
                        found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                    assert!(same, "{level:?} {op:?} {a:e} {b:e}: {found:e}, not {wanted:e}");
                }
            }
        }
    }};
}

#[test]
fn remainders_of_nearly_whole_quotients_are_exact() {
    let mut random = Random(31);
    remainders!(f32, DType::F32, random);
    remainders!(f64, DType::F64, random);
}

/// Steps from one double to another.
fn steps(a: f64, b: f64) -> u64 {
    let place = |x: f64| if x < 0.0 { -(x.abs().to_bits() as i64) } else { x.to_bits() as i64 };
    match a.is_nan() && b.is_nan() {
        true => 0,
        false => place(a).abs_diff(place(b)),
    }
}

/// Doubles of all sizes, and of all ratios to each other.
fn pairs_of_all_sizes(random: &mut Random) -> Vec<(f64, f64)> {
    let one = |random: &mut Random| {
        let digits = 1.0 + random.below(1 << 30) as f64 / (1u64 << 30) as f64;
        let power = random.below(2098) as i32 - 1074;
        let size = digits * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        if random.below(2) == 0 { size } else { -size }
    };
    let mut pairs = Vec::new();
    for _ in 0..20_000 {
        let (a, b) = (one(random), one(random));
        pairs.extend([(a, b), (a, a * 0.9), (a, 1.5 * a), (1.0, a), (a.sqrt(), 0.75), (0.0, b)]);
    }
    pairs
}

#[test]
fn angles_and_lengths_of_all_sizes_keep_their_bound() {
    let pairs = pairs_of_all_sizes(&mut Random(32));
    for (op, exact) in
        [(BinaryOp::Atan2, f64::atan2 as fn(f64, f64) -> f64), (BinaryOp::Hypot, f64::hypot)]
    {
        for level in levels() {
            let found = apply::<f64>(level, op, DType::F64, &pairs);
            for (found, (a, b)) in found.iter().zip(&pairs) {
                let exact = exact(*a, *b);
                assert!(
                    steps(*found, exact) <= 1,
                    "{level:?} {op:?} {a:e} {b:e}: {found:e}, not {exact:e}"
                );
            }
        }
    }
}

/// Both ways err by one unit at the most, so they are two apart at the most.
#[test]
fn sums_of_powers_of_which_little_is_left_keep_their_bound() {
    let mut random = Random(33);
    let mut part = || random.below(1 << 30) as f64 / (1u64 << 30) as f64;
    let mut pairs = Vec::new();
    for _ in 0..2_000 {
        let (a, b) = (-1.4 * part(), -20.0 * part());
        // exp(a) + exp(c) is nearly one.
        let c = (-a.exp_m1()).ln();
        pairs.extend([
            (a, b),
            (a, c),
            (c, a),
            (a, c + 0.01 * part()),
            (0.0, 40.0 * b),
            (30.0 * b, b),
        ]);
    }
    let wanted = apply::<f64>(Level::Baseline, BinaryOp::LogAddExp, DType::F64, &pairs);
    for level in levels() {
        let found = apply::<f64>(level, BinaryOp::LogAddExp, DType::F64, &pairs);
        for ((found, wanted), (a, b)) in found.iter().zip(&wanted).zip(&pairs) {
            assert!(
                steps(*found, *wanted) <= 2,
                "{level:?} {a:e} {b:e}: {found:e}, not {wanted:e}"
            );
        }
    }
}
