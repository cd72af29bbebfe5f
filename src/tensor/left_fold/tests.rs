//! Left folds against elementwise operations, one step after the other.

use super::*;
use crate::device::cpu::thresholds;
use crate::dtype::Kind;
use crate::tensor::tests::engine;

/// Types that memory holds as kernels see them.
fn types() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| dtype.carrier() == *dtype)
}

/// Numbers in no order, of which every operation makes something: from one on where it would fail.
fn numbers(e: &Engine, op: BinaryOp, shape: &[usize], dtype: DType) -> Tensor {
    let least = if op.failure(dtype).is_some() || dtype.kind() == Kind::Unsigned { 1 } else { -3 };
    let count: usize = shape.iter().product();
    let of = |step: usize| {
        let number = |at: usize| Scalar::Int((at * step % 6) as i64 + least);
        let values: Vec<Scalar> = (0..count).map(number).collect();
        let whole = e.from_values(&values, &shape.into(), DType::I64).unwrap();
        e.cast(&whole, dtype.part()).unwrap()
    };
    let made = of(7_919);
    if dtype.is_complex() {
        return e.pair(&made, &of(7_927)).unwrap();
    }
    match dtype.is_float() {
        true => e.binary(BinaryOp::Mul, &made, Scalar::Float(0.75)).unwrap(),
        false => made,
    }
}

/// All NaN have the same bits.
fn bits(e: &Engine, x: &Tensor) -> Vec<u64> {
    let numbers = e.to_host(x).unwrap().to_scalars();
    let float = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
    let bits = |x: Scalar| match x {
        Scalar::Complex(x) => [float(x.re), float(x.im)],
        Scalar::Float(x) => [float(x), 0],
        x => [x.as_i64() as u64, 0],
    };
    let is_complex = x.dtype().is_complex();
    let parts = |x| bits(x).into_iter().take(if is_complex { 2 } else { 1 });
    numbers.into_iter().flat_map(parts).collect()
}

/// The steps along the last axis, each made by an operation of its own.
fn steps(e: &Engine, op: BinaryOp, x: &Tensor) -> Vec<Tensor> {
    let axis = x.rank() - 1;
    let at = |place| e.narrow(x, axis, place, 1, 1).unwrap();
    let mut steps = vec![at(0)];
    for place in 1..x.shape()[axis] {
        let made = e.binary(op, steps.last().unwrap(), at(place)).unwrap();
        e.realize(&[&made]).unwrap();
        steps.push(made);
    }
    steps
}

fn check(e: &Engine, op: BinaryOp, x: &Tensor) {
    let what = || format!("{op:?} of {} {:?}", x.dtype(), x.shape());
    let expected = steps(e, op, x);
    let last = x.rank() as i64 - 1;
    let found = e.steps_left(op, x, last).unwrap();
    let joined = e.concatenate(&expected, last).unwrap();
    assert_eq!(bits(e, &found), bits(e, &joined), "steps, {}", what());
    let turned = e.transpose(x).unwrap();
    let found = e.transpose(&e.steps_left(op, &turned, 0).unwrap()).unwrap();
    assert_eq!(bits(e, &found), bits(e, &joined), "steps along the first axis, {}", what());
    // Sums and products of halves are rounded once.
    let is_rounded = x.dtype().is_float() && x.dtype().compute() != x.dtype();
    if !is_rounded || !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) {
        let found = e.fold_left(op, x, -1).unwrap();
        assert_eq!(bits(e, &found), bits(e, expected.last().unwrap()), "{}", what());
    }
}

fn check_all(e: &Engine, shape: &[usize]) {
    for dtype in types() {
        for op in BinaryOp::ALL.iter().copied().filter(|op| joins_in_turn(*op, dtype)) {
            let x = numbers(e, op, shape, dtype);
            check(e, op, &x);
            let across = [shape[1], shape[0]];
            check(e, op, &e.transpose(&numbers(e, op, &across, dtype)).unwrap());
        }
    }
}

#[test]
fn every_operation_goes_step_by_step() {
    check_all(&engine(), &[3, 9]);
    check_all(&engine(), &[33, 5]);
}

#[test]
fn rows_of_all_numbers_and_lengths_go_step_by_step() {
    check_sizes(&engine(), usize::MAX);
}

#[test]
fn a_long_row_is_joined_to_its_end() {
    let e = engine();
    let at = thresholds::AT_ONCE;
    for count in [at, at + 1, at + 2, 2 * at + 5] {
        let x = numbers(&e, BinaryOp::Sub, &[count], DType::I64);
        let values = e.to_host(&x).unwrap().to_scalars();
        let values: Vec<i64> = values.into_iter().map(Scalar::as_i64).collect();
        let last = values[0] - values[1..].iter().sum::<i64>();
        let (folded, steps) =
            (e.fold_left(BinaryOp::Sub, &x, 0), e.steps_left(BinaryOp::Sub, &x, 0));
        assert_eq!(bits(&e, &folded.unwrap()), [last as u64]);
        assert_eq!(bits(&e, &steps.unwrap()).last(), Some(&(last as u64)), "{count} elements");
    }
}

#[test]
fn sections_are_folds_of_what_they_hold() {
    check_sections(&engine());
}

#[test]
fn what_stands_first_is_joined_with_every_section() {
    check_first(&engine());
}

fn check_sizes(e: &Engine, largest: usize) {
    for at in thresholds::LEFT_FOLD.iter().filter(|at| **at <= largest) {
        for count in [at - 1, *at, at + 1] {
            for shape in [[count, 3], [2, count]] {
                for (op, dtype) in [
                    (BinaryOp::Sub, DType::F32),
                    (BinaryOp::Div, DType::F64),
                    (BinaryOp::BitXor, DType::U8),
                    (BinaryOp::NextAfter, DType::F16),
                    (BinaryOp::Div, DType::C64),
                ] {
                    check(e, op, &numbers(e, op, &shape, dtype));
                }
            }
        }
    }
}

/// Sections in order and in none, of one element, to the end, and so long that they are folded as rows.
fn check_sections(e: &Engine) {
    let count = 3 * LONG as i64;
    let every = |step: usize| (0..count).step_by(step).collect::<Vec<i64>>();
    let starts = [
        vec![],
        vec![0],
        vec![count - 1],
        vec![5, 2, 2, 900, 7],
        vec![1, LONG as i64 + 1, 2 * LONG as i64 + 2],
        every(40),
        every(33).into_iter().rev().collect(),
    ];
    for dtype in [DType::I64, DType::F64, DType::F32, DType::F16, DType::Bool, DType::C128] {
        for op in
            [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Max, BinaryOp::BitXor, BinaryOp::NextAfter]
        {
            if !joins_in_turn(op, dtype) {
                continue;
            }
            let x = numbers(e, op, &[2, count as usize], dtype);
            for starts in &starts {
                let found = e.fold_sections(op, &x, -1, starts).unwrap();
                assert_eq!(found.shape().to_vec(), [2, starts.len()]);
                let ends = starts.iter().skip(1).chain([&count]);
                for (at, (start, end)) in starts.iter().zip(ends).enumerate() {
                    let len = (*end - start).max(1) as usize;
                    let section = e.narrow(&x, 1, *start as usize, len, 1).unwrap();
                    let expected = e.fold_left(op, &section, -1).unwrap();
                    let found = e.narrow(&found, 1, at, 1, 1).unwrap();
                    let (found, expected) = (bits(e, &found), bits(e, &expected));
                    // All sums of these are exact until they are rounded to their type.
                    assert_eq!(found, expected, "{op:?} of {dtype}, section {at} of {starts:?}");
                }
            }
        }
    }
}

fn check_first(e: &Engine) {
    let whole = |values: &[i64]| {
        let values: Vec<Scalar> = values.iter().map(|x| Scalar::Int(*x)).collect();
        e.from_values(&values, &Shape::from([values.len()]), DType::I64).unwrap()
    };
    let (first, x) = (whole(&[100, 200, 300]), whole(&[1, 2, 3, 4, 5]));
    let bounds = [&whole(&[0, 2, 2]), &whole(&[2, 2, 5])];
    let made = e.fold_onto(BinaryOp::Sub, &first, &x, bounds).unwrap();
    assert_eq!(bits(e, &made), [97, 200, 288]);
}

#[test]
fn what_has_no_result_is_refused() {
    let e = engine();
    let x = e.from_values(&[0, 4, 0].map(Scalar::Int), &Shape::from([3]), DType::I64).unwrap();
    let kind = |made: Result<Tensor, Error>| crate::diag::Fault::from(made.unwrap_err()).kind;
    assert_eq!(kind(e.fold_left(BinaryOp::FloorDiv, &x, 0)), ErrorKind::ZeroDivision);
    assert_eq!(kind(e.steps_left(BinaryOp::Mod, &x, 0)), ErrorKind::ZeroDivision);
    assert_eq!(kind(e.fold_sections(BinaryOp::Mod, &x, 0, &[0])), ErrorKind::ZeroDivision);
    // No element of these sections divides.
    let made = e.fold_sections(BinaryOp::FloorDiv, &x, 0, &[0, 2]).unwrap();
    assert_eq!(bits(&e, &made), [0, 0]);
    assert_eq!(kind(e.fold_sections(BinaryOp::Add, &x, 0, &[3])), ErrorKind::Index);
    assert_eq!(kind(e.fold_sections(BinaryOp::Add, &x, 0, &[-1])), ErrorKind::Index);
    let negative = e.unary(crate::tensor::UnaryOp::Neg, &x).unwrap();
    assert_eq!(kind(e.fold_left(BinaryOp::Pow, &negative, 0)), ErrorKind::Value);
    let none = e.narrow(&x, 0, 0, 0, 1).unwrap();
    assert_eq!(kind(e.fold_left(BinaryOp::Sub, &none, 0)), ErrorKind::Value);
    assert_eq!(e.steps_left(BinaryOp::Sub, &none, 0).unwrap().elem_count(), 0);
}

mod cuda {
    use super::*;
    use crate::tensor::trials::on_gpus;

    #[test]
    fn left_folds_go_step_by_step() {
        let Some(e) = on_gpus() else { return };
        // Each operation in one type, for every kernel has to be compiled.
        for (at, op) in BinaryOp::ALL.iter().copied().enumerate() {
            let types: Vec<DType> = types().filter(|dtype| joins_in_turn(op, *dtype)).collect();
            check(&e, op, &numbers(&e, op, &[5, 11], types[at % types.len()]));
        }
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
            check(&e, op, &numbers(&e, op, &[5, 11], DType::C64));
        }
        check_sizes(&e, 64);
        check_sections(&e);
        check_first(&e);
    }
}
