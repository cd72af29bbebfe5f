use std::cmp::Ordering;

use half::{bf16, f16};

use super::*;
use crate::device::cpu::trials::{Array, Dice, Sample, device, with_threads};
use crate::layout::Shape;

/// The order of one row by the standard library's stable sort.
fn expected<T: Sample + PartialOrd>(row: &[T], descending: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..row.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (row[*a], row[*b]);
        match a.partial_cmp(&b) {
            Some(order) if descending => order.reverse(),
            Some(order) => order,
            // NaN is not equal to itself.
            None if a.partial_cmp(&a).is_some() => Ordering::Less,
            None if b.partial_cmp(&b).is_some() => Ordering::Greater,
            None => Ordering::Equal,
        }
    });
    order
}

fn check<T: Sample + PartialOrd>(dice: &mut Dice, shape: &Shape) {
    let layout = dice.layout(shape);
    check_array(&Array::<T>::new(dice, layout), shape);
}

fn check_array<T: Sample + PartialOrd>(input: &Array<T>, shape: &Shape) {
    let device = device();
    let len = shape.last().copied().unwrap_or(1).max(1);
    for (descending, wide) in [(false, false), (true, false), (false, true), (true, true)] {
        if wide && !Level::Avx512.is_available() {
            continue;
        }
        let run = |values: bool, indices: bool| {
            with_threads(|| {
                let mut input = input.clone();
                let mut sorted = Array::<T>::contiguous(&mut Dice(3), shape);
                let mut order = Array::<i64>::contiguous(&mut Dice(3), shape);
                let rows = Rows {
                    input: input.elements(),
                    descending,
                    values: values.then(|| sorted.elements()),
                    indices: indices.then(|| order.elements()),
                    places: None,
                };
                let scratch = Scratch::new(&device, "sort");
                sort_elements(rows, wide, scratch, &Interrupt::default())
                    .expect("nobody interrupts");
                (sorted.bits(), order.values())
            })
        };
        let (mut values, mut order) = (Vec::new(), Vec::new());
        for row in input.values().chunks(len) {
            for at in expected(row, descending) {
                order.push(at as i64);
                values.push(row[at].bits());
            }
        }
        let what = format!("descending: {descending}, wide: {wide}, {input:?}");
        assert!(run(true, true) == (values.clone(), order.clone()), "both, {what}");
        assert!(run(true, false).0 == values, "values, {what}");
        assert!(run(false, true).1 == order, "indices, {what}");
        if !descending {
            let mut several = vec![len / 3, 2 * len / 3, len - 1];
            several.dedup();
            for places in [vec![0], vec![len / 2], several] {
                check_places(input, shape, &places, wide);
            }
        }
    }
}

/// Elements that are the same where their bits are.
#[derive(Debug)]
struct ByBits<T>(Vec<T>);

impl<T: Sample> PartialEq for ByBits<T> {
    fn eq(&self, other: &ByBits<T>) -> bool {
        let bits = |x: &ByBits<T>| x.0.iter().map(|x| x.bits()).collect::<Vec<u64>>();
        bits(self) == bits(other)
    }
}

/// That each part between places holds what it holds in a sorted row, in some order.
fn check_places<T: Sample + PartialOrd>(
    input: &Array<T>,
    shape: &Shape,
    places: &[usize],
    wide: bool,
) {
    let device = device();
    let len = shape.last().copied().unwrap_or(1).max(1);
    let parted = with_threads(|| {
        let mut input = input.clone();
        let mut parted = Array::<T>::contiguous(&mut Dice(3), shape);
        let (input, values) = (input.elements(), Some(parted.elements()));
        let rows = Rows { input, descending: false, values, indices: None, places: Some(places) };
        sort_elements(rows, wide, Scratch::new(&device, "partition"), &Interrupt::default())
            .expect("nobody interrupts");
        ByBits(parted.values())
    });
    let in_order = |part: &[T]| -> Vec<u64> {
        // Zeros of either sign are one number, whose sign is the leading bit.
        let sign = 1 << (8 * size_of::<T>() - 1);
        let is_zero = |bits: u64| T::DTYPE.is_float() && bits & !sign == 0;
        let bits = |at: usize| Some(part[at].bits()).filter(|bits| !is_zero(*bits)).unwrap_or(0);
        expected(part, false).into_iter().map(bits).collect()
    };
    for (row, parted) in input.values().chunks(len).zip(parted.0.chunks(len)) {
        let sorted: Vec<T> = expected(row, false).into_iter().map(|at| row[at]).collect();
        let mut ends: Vec<usize> = places.iter().flat_map(|at| [*at, at + 1]).collect();
        ends.extend([0, len]);
        ends.sort_unstable();
        for part in ends.windows(2) {
            let (found, right) = (&parted[part[0]..part[1]], &sorted[part[0]..part[1]]);
            assert!(in_order(found) == in_order(right), "{places:?}, wide: {wide}, {input:?}");
        }
    }
}

fn check_all(dice: &mut Dice, shape: &Shape) {
    check::<bool>(dice, shape);
    check::<u8>(dice, shape);
    check::<u16>(dice, shape);
    check::<u32>(dice, shape);
    check::<u64>(dice, shape);
    check::<i8>(dice, shape);
    check::<i16>(dice, shape);
    check::<i32>(dice, shape);
    check::<i64>(dice, shape);
    check::<f16>(dice, shape);
    check::<bf16>(dice, shape);
    check::<f32>(dice, shape);
    check::<f64>(dice, shape);
}

#[test]
fn sorts_rows_of_any_layout() {
    let mut dice = Dice(10);
    for _ in 0..40 {
        let shape = dice.shape(0);
        check_all(&mut dice, &shape);
    }
    check_all(&mut dice, &[3, 1_000].into());
}

#[test]
fn sorts_long_rows_on_all_threads() {
    let mut dice = Dice(11);
    check_all(&mut dice, &[40_000].into());
    check::<f32>(&mut dice, &[2, 300_000].into());
    check::<i64>(&mut dice, &[300_000].into());
}

#[test]
fn one_far_value_does_not_spoil_the_buckets() {
    let mut values: Vec<i64> = (0..200_000).map(|at| (at * 7_919) % 200_000).collect();
    values[77] = i64::MIN;
    let mut expected = values.clone();
    expected.sort();
    let sorted = with_threads(|| {
        let mut input = Array::of(values.clone(), [200_000]);
        let mut out = input.clone();
        let flag = Interrupt::default();
        let (device, values) = (device(), Some(out.elements()));
        let scratch = Scratch::new(&device, "sort");
        let input = input.elements();
        let rows = Rows { input, descending: false, values, indices: None, places: None };
        sort_elements(rows, false, scratch, &flag).expect("nobody interrupts");
        out.data
    });
    assert_eq!(sorted, expected);
}

/// Rows whose lengths are where the ways of sorting change.
#[test]
fn sorts_rows_of_all_lengths() {
    let mut dice = Dice(12);
    for len in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129, 255, 256, 257, 400] {
        check_all(&mut dice, &[3, len].into());
    }
}

/// Short rows, of which many are sorted at once: of all lengths, in numbers that fill registers and that do not.
#[test]
fn sorts_short_rows_of_any_number() {
    let mut dice = Dice(14);
    for len in (1..=18).chain([SHORT - 1, SHORT, SHORT + 1]) {
        for rows in [1, 7, 8, 9, 15, 16, 17, 33, 512 / len, 512 / len + 1, 1100 / len] {
            let shape: Shape = [rows.max(1), len].into();
            let (narrow, wide) = (dice.below(2), dice.below(2));
            let mut layout = || match dice.below(2) {
                0 => dice.layout(&shape),
                _ => crate::layout::Layout::contiguous(shape.clone()),
            };
            let [first, second, third, fourth] = std::array::from_fn(|_| layout());
            match narrow {
                0 => check_array(&Array::<i16>::new(&mut dice, first), &shape),
                _ => check_array(&Array::<f16>::new(&mut dice, first), &shape),
            }
            match wide {
                0 => check_array(&Array::<i64>::new(&mut dice, second), &shape),
                _ => check_array(&Array::<f64>::new(&mut dice, second), &shape),
            }
            check_array(&Array::<f32>::new(&mut dice, third), &shape);
            check_array(&Array::<u8>::new(&mut dice, fourth), &shape);
        }
    }
}

/// Keys of 64 bits that differ in their first bits and in their last ones, of which a position leaves no room for all.
#[test]
fn keys_that_differ_at_both_ends_are_told_apart() {
    let mut dice = Dice(15);
    for (rows, len) in
        [(9, 7), (9, 16), (5, 100), (4, SHORT), (2, SHORT + 1), (1, 4_095), (1, 4_097), (1, 70_000)]
    {
        for kinds in [1, 2, 5, 1_000] {
            let few = |dice: &mut Dice| (dice.below(3) as i64 - 1) << 62 | dice.below(kinds) as i64;
            let whole: Vec<i64> = (0..rows * len).map(|_| few(&mut dice)).collect();
            let floats =
                whole.iter().map(|x| (*x >> 62) as f64 + 1.0 + (*x & 0xffff) as f64 * f64::EPSILON);
            let floats: Vec<f64> = floats.collect();
            let shape: Shape = [rows, len].into();
            check_array(&Array::of(whole.clone(), [rows, len]), &shape);
            check_array(&Array::of(whole.iter().map(|x| *x as u64).collect(), [rows, len]), &shape);
            check_array(&Array::of(floats, [rows, len]), &shape);
        }
    }
}

#[test]
fn zeros_keep_their_signs_and_their_order() {
    let mut dice = Dice(13);
    for len in [5, 16, 17, 100, 1_000, 40_000] {
        for some in [[0.0, -0.0], [0.0, 0.0], [-0.0, -0.0]] {
            let values: Vec<f32> = (0..len).map(|_| some[dice.below(2)]).collect();
            check_array(&Array::of(values.clone(), [len]), &[len].into());
            let mixed =
                |at: usize| if at.is_multiple_of(3) { at as f64 - 50.0 } else { values[at].into() };
            check_array(&Array::of((0..len).map(mixed).collect(), [len]), &[len].into());
            let rows: Shape = [len / 5, 5].into();
            let most = &values[..len / 5 * 5];
            check_array(&Array::of(most.to_vec(), [len / 5, 5]), &rows);
            let narrow = most.iter().map(|value| f16::from_f32(*value)).collect();
            check_array(&Array::<f16>::of(narrow, [len / 5, 5]), &rows);
            let wide = most.iter().map(|value| f64::from(*value)).collect();
            check_array(&Array::<f64>::of(wide, [len / 5, 5]), &rows);
        }
    }
}

#[test]
fn nan_of_any_kind_comes_last() {
    let few = [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::INFINITY, -1.0, 2.0];
    for len in [6, 60, 600] {
        let values: Vec<f32> = (0..len).map(|at| few[at * 7 % 6]).collect();
        check_array(&Array::of(values, [len]), &[len].into());
    }
}
