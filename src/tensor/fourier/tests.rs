//! Transforms beside their definition, on both sides of the length at which lines are cut; their bits, with
//! one, two and five threads.

use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use num_complex::Complex64;

use super::super::tests::engine;
use super::*;
use crate::device::RandomKind;
use crate::device::cpu::thresholds::FOURIER;
use crate::device::cpu::trials::with_threads;

const FORWARD: Fourier = Fourier::Complex { inverse: false };
const INVERSE: Fourier = Fourier::Complex { inverse: true };

fn random(e: &Engine, shape: &[usize], dtype: DType) -> Tensor {
    e.seed(shape.iter().sum::<usize>() as u64);
    let part = || e.random(RandomKind::Normal, &shape.into(), dtype.part()).unwrap();
    let x = if dtype.is_complex() { e.pair(&part(), &part()).unwrap() } else { part() };
    e.realize(&[&x]).unwrap();
    x
}

fn numbers(e: &Engine, x: &Tensor) -> Vec<Complex64> {
    e.to_host(x).unwrap().scalars().map(Scalar::as_complex).collect()
}

/// By its definition.
fn defined(line: &[Complex64], sign: f64) -> Vec<Complex64> {
    let n = line.len();
    let term = |at: usize, k: usize| {
        Complex64::from_polar(1.0, sign * TAU * ((at * k) % n) as f64 / n as f64) * line[at]
    };
    (0..n).map(|k| (0..n).map(|at| term(at, k)).sum()).collect()
}

/// By halves: one after the other, terms of a long line lose more digits than a transform.
fn sum(terms: &[Complex64]) -> Complex64 {
    match terms.len() {
        0..8 => terms.iter().sum(),
        n => sum(&terms[..n / 2]) + sum(&terms[n / 2..]),
    }
}

#[track_caller]
fn check(found: &[Complex64], wanted: &[Complex64], dtype: DType, what: &dyn std::fmt::Debug) {
    let size = wanted.iter().map(|number| number.norm()).fold(1e-30, f64::max);
    let off = found.iter().zip(wanted).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    let eps = if dtype.part() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let limit = 4.0 * eps * (wanted.len() as f64).log2().max(1.0);
    assert_eq!(found.len(), wanted.len(), "{what:?}");
    assert!(off / size <= limit, "{what:?}: off by {:.1e}, at most {limit:.1e}", off / size);
}

#[test]
fn lines_become_what_the_definition_says() {
    let e = engine();
    for dtype in [DType::C64, DType::C128] {
        for n in (1..=40).chain([64, 97, 101, 120, 128, 251]) {
            let x = random(&e, &[n], dtype);
            let line = numbers(&e, &x);
            let y = e.transform(FORWARD, &x, 0, n, 1.0).unwrap();
            assert_eq!(y.dtype(), dtype);
            check(&numbers(&e, &y), &defined(&line, -1.0), dtype, &n);
            let back = e.transform(INVERSE, &y, 0, n, 1.0 / n as f64).unwrap();
            check(&numbers(&e, &back), &line, dtype, &n);
            let real = random(&e, &[n], dtype.part());
            let half = e.transform(Fourier::Real, &real, 0, n, 1.0).unwrap();
            let whole = defined(&numbers(&e, &real), -1.0);
            check(&numbers(&e, &half), &whole[..n / 2 + 1], dtype, &n);
            let back = e.transform(Fourier::Conjugate, &half, 0, n, 1.0 / n as f64).unwrap();
            assert_eq!(back.dtype(), dtype.part());
            check(&numbers(&e, &back), &numbers(&e, &real), dtype, &n);
        }
    }
}

#[test]
fn every_axis_is_as_good_as_the_last() {
    let e = engine();
    // Lines are gathered in stretches of 8 numbers, as many at once as fit a cache: from 64 down to 8.
    let many =
        [&[7, 63][..], &[8, 64], &[9, 65], &[2, 9, 130], &[513, 65], &[1025, 33], &[4097, 9]];
    for shape in
        many.into_iter().chain([&[5, 12][..], &[3, 4, 9], &[2, 7, 1, 10], &[33, 3], &[1, 40]])
    {
        for (axis, n) in shape.iter().copied().enumerate() {
            let x = random(&e, shape, DType::C128);
            let real = random(&e, shape, DType::F32);
            let last = shape.len() as i64 - 1;
            let halves = random(&e, shape, DType::C64);
            let whole = (2 * (n - 1)).max(1);
            let kinds =
                [(FORWARD, x, n), (Fourier::Real, real, n), (Fourier::Conjugate, halves, whole)];
            for (what, x, n) in kinds {
                let found = e.transform(what, &x, axis, n, 0.5).unwrap();
                let moved = e.swapaxes(&x, axis as i64, last).unwrap();
                let wanted = e.transform(what, &moved, shape.len() - 1, n, 0.5).unwrap();
                let wanted = e.swapaxes(&wanted, axis as i64, last).unwrap();
                assert_eq!(numbers(&e, &found), numbers(&e, &wanted), "{what:?} {shape:?} {axis}");
            }
        }
    }
}

#[test]
fn long_lines_are_as_exact_and_do_not_depend_on_threads() {
    for n in FOURIER.iter().flat_map(|at| [at - 1, *at, at + 1, at * 3 / 2, 2 * at + 6]) {
        for dtype in [DType::C64, DType::C128] {
            let [found, line] = with_threads(|| {
                let e = engine();
                let x = random(&e, &[n], dtype);
                [e.transform(FORWARD, &x, 0, n, 1.0).unwrap(), x].map(|x| numbers(&e, &x))
            });
            for k in [0, 1, n / 3, n - 1] {
                let turn = |at: usize| -TAU * ((at * k) % n) as f64 / n as f64;
                let term = |at: usize| Complex64::from_polar(1.0, turn(at)) * line[at];
                let wanted = sum(&(0..n).map(term).collect::<Vec<_>>());
                let eps = if dtype == DType::C64 { 1e-7 } else { 1e-15 };
                let limit = eps * (n as f64).sqrt() * 40.0;
                assert!((found[k] - wanted).norm() <= limit, "{dtype} {n} {k}");
            }
        }
    }
}

#[test]
fn long_lines_of_every_kind_are_cut() {
    let long = FOURIER[0];
    // Even and odd, with and without a matrix of moderate sides.
    for n in [2 * long, long + 29, 2 * (long + 29)] {
        for dtype in [DType::F32, DType::F64] {
            let [half, back, x] = with_threads(|| {
                let e = engine();
                let x = random(&e, &[n], dtype);
                let half = e.transform(Fourier::Real, &x, 0, n, 1.0).unwrap();
                let back = e.transform(Fourier::Conjugate, &half, 0, n, 1.0 / n as f64).unwrap();
                [half, back, x].map(|x| numbers(&e, &x))
            });
            assert_eq!((half.len(), half[0].im), (n / 2 + 1, 0.0));
            assert!(n % 2 == 1 || half[n / 2].im == 0.0);
            check(&back, &x, dtype, &n);
            for k in [0, 1, n / 3, n / 2] {
                let turn = |at: usize| -TAU * ((at * k) % n) as f64 / n as f64;
                let term = |at: usize| Complex64::from_polar(1.0, turn(at)) * x[at];
                let wanted = sum(&(0..n).map(term).collect::<Vec<_>>());
                let eps = if dtype == DType::F32 { 1e-7 } else { 1e-15 };
                let limit = eps * (n as f64).sqrt() * 40.0;
                assert!((half[k] - wanted).norm() <= limit, "{dtype} {n} {k}");
            }
        }
    }
}

#[test]
fn long_lines_side_by_side_are_those_behind_each_other() {
    let e = engine();
    // Half of it is beyond the length up to which such lines are read together.
    let n = 2 * FOURIER[2] + 2;
    let x = random(&e, &[n, 2], DType::F64);
    let half = e.transform(Fourier::Real, &x, 0, n, 1.0).unwrap();
    let pairs = [(Fourier::Real, x.clone()), (Fourier::Conjugate, half.clone()), (FORWARD, half)];
    for (what, x) in pairs {
        let n = if what == FORWARD { x.shape()[0] } else { n };
        let found = e.transform(what, &x, 0, n, 0.5).unwrap();
        let wanted = e.transform(what, &e.transpose(&x).unwrap(), 1, n, 0.5).unwrap();
        let wanted = numbers(&e, &e.transpose(&wanted).unwrap());
        assert!(numbers(&e, &found) == wanted, "{what:?}");
    }
}

#[test]
fn one_long_line_hears_the_user() {
    for (what, n) in [(Fourier::Real, 1 << 22), (FORWARD, 2_097_169), (Fourier::Conjugate, 1 << 22)]
    {
        let e = engine();
        let dtype = if what == Fourier::Real { DType::F32 } else { DType::C64 };
        let x = random(&e, &[if what == Fourier::Conjugate { n / 2 + 1 } else { n }], dtype);
        let interrupt = e.interrupt().clone();
        let raiser = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            interrupt.raise();
            Instant::now()
        });
        let done = e.transform(what, &x, 0, n, 1.0).and_then(|y| e.realize(&[&y]));
        let ended = Instant::now();
        let late = ended.saturating_duration_since(raiser.join().unwrap());
        assert!(done.is_err(), "{what:?} was not heard");
        assert!(late < Duration::from_millis(1000), "{what:?}: {late:?} late");
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let e = engine();
    let x = random(&e, &[4], DType::C128);
    assert!(e.transform(FORWARD, &x, 0, 5, 1.0).is_err());
    assert!(e.transform(FORWARD, &x, 1, 4, 1.0).is_err());
    assert!(e.transform(Fourier::Real, &x, 0, 4, 1.0).is_err());
    assert!(e.transform(FORWARD, &random(&e, &[4], DType::F64), 0, 4, 1.0).is_err());
    let none = e.transform(FORWARD, &random(&e, &[0, 4], DType::C64), 1, 4, 1.0).unwrap();
    assert_eq!(none.shape()[..], [0, 4]);
}
