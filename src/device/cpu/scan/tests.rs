use std::fmt::Debug;

use half::{bf16, f16};

use super::*;
use crate::device::cpu::number::Number;
use crate::device::cpu::trials::{Array, Dice, Sample, with_threads};
use crate::layout::{Layout, Shape};

fn run<T: Sample>(op: ScanOp, input: &Array<T>, axis: usize, out_layout: &Layout) -> Vec<u64> {
    with_threads(|| {
        let mut input = input.clone();
        let mut out = Array::<T>::new(&mut Dice(5), out_layout.clone());
        scan_elements(op, input.elements(), axis, out.elements(), &Interrupt::default())
            .expect("nobody interrupts");
        out.bits()
    })
}

/// Folds every line from its start with `step`.
fn naive<T: Sample, A: Copy>(
    input: &Array<T>,
    axis: usize,
    step: impl Fn(Option<A>, T) -> A,
    value: impl Fn(A) -> T,
) -> Vec<u64> {
    let values = input.values();
    let shape = &input.layout.shape;
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = vec![0; values.len()];
    let mut accs = vec![None; values.len()];
    for at in 0..values.len() {
        let first = (at / inner).is_multiple_of(shape[axis]);
        let before = if first { None } else { accs[at - inner] };
        let acc = step(before, values[at]);
        accs[at] = Some(acc);
        out[at] = value(acc).bits();
    }
    out
}

/// A layout in which no two elements meet, to write to.
fn writable(dice: &mut Dice, shape: &Shape) -> Layout {
    loop {
        let layout = dice.layout(shape);
        if !layout.has_overlap() {
            return layout;
        }
    }
}

fn check_plain<T: Sample + Number + Debug>(dice: &mut Dice, shape: &Shape, integer: bool) {
    let (input_layout, out_layout) = (dice.layout(shape), writable(dice, shape));
    let input = Array::<T>::new(dice, input_layout);
    for axis in 0..shape.rank() {
        let check = |op, step: fn(T, T) -> T| {
            let expected =
                naive(&input, axis, |acc, x| acc.map_or(x, |acc| step(acc, x)), |acc: T| acc);
            assert_eq!(run(op, &input, axis, &out_layout), expected, "{op:?} {input:?} {axis}");
        };
        check(ScanOp::Max, T::greater);
        check(ScanOp::Min, T::lesser);
        if integer {
            check(ScanOp::Sum, T::add);
            check(ScanOp::Prod, T::multiply);
        }
    }
}

#[test]
fn folds_along_any_axis_of_any_layout() {
    let mut dice = Dice(3);
    for _ in 0..40 {
        let shape = dice.shape(1);
        check_plain::<i8>(&mut dice, &shape, true);
        check_plain::<u8>(&mut dice, &shape, true);
        check_plain::<u16>(&mut dice, &shape, true);
        check_plain::<u32>(&mut dice, &shape, true);
        check_plain::<u64>(&mut dice, &shape, true);
        check_plain::<i16>(&mut dice, &shape, true);
        check_plain::<i32>(&mut dice, &shape, true);
        check_plain::<i64>(&mut dice, &shape, true);
        check_plain::<f16>(&mut dice, &shape, false);
        check_plain::<bf16>(&mut dice, &shape, false);
        check_plain::<f32>(&mut dice, &shape, false);
        check_plain::<f64>(&mut dice, &shape, false);
    }
}

#[test]
fn folds_long_lines_and_columns() {
    let mut dice = Dice(4);
    for shape in [
        [1, 200_003],
        [2, 70_000],
        [70_001, 3],
        [40_000, 40],
        [9, 9_000],
        [20_001, 7],
        [7, 33],
        // Lines that begin at one place of the cache, or at nearly one.
        [17, 1024],
        [20, 2049],
        [9, 4096],
        [8, 16_384],
        [33_000, 4],
        [33_000, 31],
    ] {
        check_plain::<i64>(&mut dice, &shape.into(), true);
        check_plain::<f32>(&mut dice, &shape.into(), false);
    }
}

#[test]
fn sums_of_floats_are_rounded_from_wider_ones() {
    let mut dice = Dice(5);
    for shape in [[300_001, 1], [70_000, 2], [100, 300], [1, 77]] {
        let shape: Shape = shape.into();
        let values = (0..shape.elem_count()).map(|_| dice.below(1 << 20) as f32 - 1e5).collect();
        let input = Array::of(values, shape.clone());
        // Whole numbers: the sums are exact in float64.
        let add = |acc: Option<f64>, x: f32| acc.unwrap_or(0.0) + f64::from(x);
        let expected = naive(&input, 0, add, |acc| acc as f32);
        assert_eq!(run(ScanOp::Sum, &input, 0, &input.layout), expected);
    }
}

#[test]
fn sums_of_doubles_carry_their_errors() {
    let count = 150_000;
    let mut input = Array::of(vec![0.1f64; count], [count]);
    let sums = run(ScanOp::Sum, &input, 0, &input.layout);
    for (at, bits) in sums.iter().enumerate() {
        // 0.1 is 3602879701896397 / 2^55: the exact sum, rounded once.
        let exact = 3_602_879_701_896_397i128 * (at as i128 + 1);
        assert_eq!(f64::from_bits(*bits), exact as f64 * 0.5f64.powi(55));
    }
    input.data[70_000] = f64::INFINITY;
    input.data[100_000] = f64::NEG_INFINITY;
    let sums = run(ScanOp::Sum, &input, 0, &input.layout);
    assert_eq!(f64::from_bits(sums[99_999]), f64::INFINITY);
    assert_eq!((sums[100_000], sums[count - 1]), (u64::MAX, u64::MAX));
}

#[test]
fn products_overflow_where_the_line_does() {
    let mut values = vec![1.0f32; 100_000];
    values[10] = 0.0;
    values[50_000..50_004].fill(1e38);
    let input = Array::of(values, [100_000]);
    let products = run(ScanOp::Prod, &input, 0, &input.layout);
    assert!(products[10..].iter().all(|bits| *bits == 0));
}

#[test]
fn bool_is_any_and_all_so_far() {
    let input = Array::of(vec![true, false, true], [3]);
    assert_eq!(run(ScanOp::Sum, &input, 0, &input.layout), [1, 1, 1]);
    assert_eq!(run(ScanOp::Prod, &input, 0, &input.layout), [1, 0, 0]);
}
