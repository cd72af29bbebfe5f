use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample, with_threads};

const SEED: u64 = 0x0123_4567_89ab_cdef;

fn draw<T: Sample>(kind: RandomKind, counter: u64, len: usize) -> Vec<T> {
    let mut out = Array::<T>::contiguous(&mut Dice(1), &[len].into());
    let stream = Stream { seed: SEED, counter };
    let blocks = random_elements(kind, stream, out.elements(), &Interrupt::default());
    let group = if T::DTYPE.size() == 8 || T::DTYPE.is_integer() { 32 } else { 64 };
    assert_eq!(blocks, Ok(len.div_ceil(group) as u64 * 16));
    out.data
}

fn check_mapping<T: Sample>(kind: RandomKind) {
    let len = 100_003;
    let bits =
        with_threads(|| draw::<T>(kind, 5, len).into_iter().map(T::bits).collect::<Vec<_>>());
    // A stretch from a later block on is the same stretch: nothing depends on the length.
    let later: Vec<T> = draw(kind, 5 + 16 * 10, 1_000);
    let group = if T::DTYPE.size() == 8 || T::DTYPE.is_integer() { 32 } else { 64 };
    let later: Vec<u64> = later.into_iter().map(T::bits).collect();
    assert_eq!(bits[10 * group..10 * group + 1_000], later);
}

#[test]
fn an_element_depends_on_seed_counter_and_position() {
    check_mapping::<f32>(RandomKind::Uniform);
    check_mapping::<f64>(RandomKind::Uniform);
    check_mapping::<half::f16>(RandomKind::Normal);
    check_mapping::<f32>(RandomKind::Normal);
    check_mapping::<f64>(RandomKind::Normal);
    check_mapping::<i16>(RandomKind::Integer { low: -3, high: 1_000 });
}

#[test]
fn words_go_where_the_documentation_says() {
    let (uniform, double) =
        (draw::<f32>(RandomKind::Uniform, 7, 200), draw::<f64>(RandomKind::Uniform, 7, 200));
    let whole = draw::<i64>(RandomKind::Integer { low: -5, high: 1_000_000 }, 7, 200);
    let bits = draw::<i64>(RandomKind::Integer { low: 3, high: 3 }, 7, 200);
    for at in 0..200 {
        let block = |group: usize| philox::blocks(SEED, 7 + (at / group * 16 + at % 16) as u64);
        let word = block(64)[at % 64 / 16][0];
        assert_eq!(uniform[at], (word >> 8) as f32 / 16_777_216.0);
        let (words, half) = (block(32), at % 32 / 16);
        let word = u64::from(words[2 * half][0]) | u64::from(words[2 * half + 1][0]) << 32;
        assert_eq!(double[at], (word >> 11) as f64 / 9_007_199_254_740_992.0);
        let product = u128::from(word) * 1_000_005;
        assert_eq!(whole[at], -5 + (product >> 64) as i64);
        assert_eq!(bits[at], (word as i64).wrapping_add(3));
    }
}

/// The largest distance between the distribution of `values` and `cumulative` (Kolmogorov and
/// Smirnov), times the root of their number: above 1.95 once in a thousand seeds.
fn distance(mut values: Vec<f64>, cumulative: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    let far = values.iter().enumerate().map(|(at, value)| {
        let exact = cumulative(*value);
        (exact - at as f64 / count).abs().max((exact - (at + 1) as f64 / count).abs())
    });
    far.fold(0.0, f64::max) * count.sqrt()
}

/// The normal distribution, by the midpoint rule over its density.
fn normal_below(x: f64) -> f64 {
    let steps = 400;
    let width = x.abs() / f64::from(steps);
    let density = |t: f64| (-t * t / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let area: f64 = (0..steps).map(|i| density((f64::from(i) + 0.5) * width) * width).sum();
    0.5 + area.copysign(x)
}

#[test]
fn distributions_are_what_they_claim() {
    let len = 20_000;
    let uniform: Vec<f64> =
        draw::<f32>(RandomKind::Uniform, 0, len).into_iter().map(f64::from).collect();
    assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)));
    assert!(distance(uniform, |x| x) < 1.95);
    assert!(distance(draw::<f64>(RandomKind::Uniform, 0, len), |x| x) < 1.95);
    let normal: Vec<f64> =
        draw::<f32>(RandomKind::Normal, 0, len).into_iter().map(f64::from).collect();
    assert!(distance(normal, normal_below) < 1.95);
    assert!(distance(draw::<f64>(RandomKind::Normal, 0, len), normal_below) < 1.95);
}

#[test]
fn moments_of_a_million_normals() {
    let values: Vec<f64> =
        draw::<f32>(RandomKind::Normal, 3, 1 << 20).into_iter().map(f64::from).collect();
    let mean = |power: i32| values.iter().map(|x| x.powi(power)).sum::<f64>() / values.len() as f64;
    // Four standard errors each: those of the moments of 2^20 normals.
    let error = 4.0 / 1024.0;
    assert!(mean(1).abs() < error);
    assert!((mean(2) - 1.0).abs() < error * 2f64.sqrt());
    assert!(mean(3).abs() < error * 15f64.sqrt());
    assert!((mean(4) - 3.0).abs() < error * 96f64.sqrt());
    // Neighbours in the output and the two halves of a pair are independent.
    for apart in [1, 16, 32, 64] {
        let products = values.windows(apart + 1).map(|pair| pair[0] * pair[apart]).sum::<f64>();
        assert!((products / values.len() as f64).abs() < error);
    }
}

#[test]
fn integers_cover_their_range_evenly() {
    let mut counts = [0i64; 6];
    for x in draw::<i8>(RandomKind::Integer { low: -2, high: 4 }, 0, 60_000) {
        counts[(x + 2) as usize] += 1;
    }
    // Chi-squared with five degrees of freedom: above 20.5 once in a thousand seeds.
    let chi: f64 = counts.iter().map(|c| ((c - 10_000).pow(2) as f64) / 10_000.0).sum();
    assert!(chi < 20.5, "{counts:?}");
    let wide = draw::<i64>(RandomKind::Integer { low: i64::MIN, high: i64::MAX }, 0, 1_000);
    assert!(wide.iter().any(|x| *x < i64::MIN / 2) && wide.iter().any(|x| *x > i64::MAX / 2));
}

#[test]
fn uniform_halves_stay_below_one() {
    let values = draw::<half::f16>(RandomKind::Uniform, 0, 100_000);
    assert!(values.iter().all(|x| (0.0..1.0).contains(&x.to_f32())));
    let values = draw::<half::bf16>(RandomKind::Uniform, 0, 100_000);
    assert!(values.iter().all(|x| (0.0..1.0).contains(&x.to_f32())));
}
