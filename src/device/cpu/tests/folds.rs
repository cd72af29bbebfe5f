//! Folds along rows and across them, at sizes on both sides of what decides how they are done.

use std::sync::Arc;

use super::super::exec::{FEW_ROWS, LEAST_IN_TURN};
use super::super::reference;
use super::{Random, backends, device, elements, same, storage};
use crate::device::{Backend, Device, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, CompareOp, Domain, Op, Program, ReduceOp, Space};

/// Elements of a type in which few are the same as others, and the ends of its range are met.
fn samples(random: &mut Random, dtype: DType, count: usize) -> Vec<Scalar> {
    let range = dtype.integer_range();
    let number = |random: &mut Random| match (range, random.below(40)) {
        (Some((low, _)), 0) => Scalar::from_i128(low).unwrap(),
        (Some((_, high)), 1) => Scalar::from_i128(high).unwrap(),
        (Some(_), _) => Scalar::Int(random.below(100) as i64),
        (None, 0) => Scalar::Float(-0.0),
        (None, _) if dtype == DType::Bool => Scalar::Int(random.below(2) as i64),
        (None, _) => Scalar::Float(random.below(100) as f64 / 4.0 - 12.0),
    };
    (0..count).map(|_| number(random)).collect()
}

fn fold(op: ReduceOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let folded = b.push(Op::Reduce(op, x), if op.is_arg() { DType::I64 } else { dtype });
    b.output(folded, Domain::Row);
    b.finish()
}

/// The results at every level of vector instructions are those of the reference, sums of floats nearly.
fn check(program: &Program, device: &Device, x: &Arc<Storage>, sides: [usize; 3], case: &str) {
    let [rows, row_len, step] = sides;
    let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
    // Rows one behind the other with a gap, or side by side.
    let strides = if step == 0 { [1, rows as isize] } else { [(row_len * step) as isize, 1] };
    let access = Access { strides: strides.as_slice().into(), ..Access::default() };
    let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
    check_in(program, device, x, (&space, [&access, &of_rows]), case);
}

fn check_in(
    program: &Program,
    device: &Device,
    x: &Arc<Storage>,
    (space, [access, of_rows]): (&Space, [&Access; 2]),
    case: &str,
) {
    let of = program.output_dtype(0);
    let result = || storage(device, of, &vec![Scalar::Int(0); space.rows()]);
    let expected = result();
    let given = [(&**x, access)];
    reference::run(program, space, &given, &[(&*expected, of_rows)]).unwrap();
    for backend in backends() {
        let found = result();
        backend.run(program, space, &given, &[(&*found, of_rows)]).unwrap();
        for (row, (a, b)) in elements(&found).into_iter().zip(elements(&expected)).enumerate() {
            let near = match (a, b) {
                (Scalar::Float(a), Scalar::Float(b)) if a.is_finite() && b.is_finite() => {
                    (a - b).abs() <= 1e-5 * b.abs().max(100.0)
                }
                _ => false,
            };
            assert!(near || same(a, b), "{case}, {:?}, row {row}: {a}, not {b}", space.dims);
        }
    }
}

const ROW_LENS: [usize; 39] = [
    1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 192,
    200, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 2049, 8191, 8192, 8193,
];
const OPS: [ReduceOp; 5] =
    [ReduceOp::Sum, ReduceOp::Max, ReduceOp::Min, ReduceOp::ArgMax, ReduceOp::ArgMin];

#[test]
fn rows_of_every_length_fold_as_the_reference() {
    let device = device();
    let mut random = Random(21);
    for dtype in DType::STORED {
        for row_len in ROW_LENS {
            let rows = if row_len > 2000 { 2 } else { 5 };
            let numbers = samples(&mut random, dtype, rows * row_len);
            let x = storage(&device, dtype, &numbers);
            // Narrow floats overflow where others do not.
            let is_narrow = dtype.is_float() && dtype.compute() != dtype;
            for op in OPS.into_iter().filter(|op| !is_narrow || *op != ReduceOp::Sum) {
                let case = format!("{op:?} of {dtype}");
                check(&fold(op, dtype), &device, &x, [rows, row_len, 1], &case);
            }
        }
    }
}

/// Two extremes of each row are found by kernels that are there; for one, a loop is made at run time.
#[test]
fn two_extremes_of_rows_of_every_length_are_those_of_the_reference() {
    let (device, mut random) = (device(), Random(24));
    for dtype in DType::STORED.into_iter().filter(|dtype| !dtype.is_complex()) {
        let mut b = Builder::new();
        let input = b.input(dtype);
        let x = b.load(input, Domain::Element);
        for op in [ReduceOp::Max, ReduceOp::Min] {
            let folded = b.push(Op::Reduce(op, x), dtype);
            b.output(folded, Domain::Row);
        }
        let program = b.finish();
        for row_len in ROW_LENS.into_iter().filter(|len| *len < 300) {
            let rows = 37;
            let mut numbers = samples(&mut random, dtype, rows * row_len);
            let has_nan = |row: usize| dtype.is_float() && row % 5 == 2;
            for row in (0..rows).filter(|row| has_nan(*row)) {
                numbers[row * row_len + row_len - 1] = Scalar::Float(f64::NAN.copysign(1.0));
                numbers[row * row_len + row_len / 2] = Scalar::Float(f64::NAN.copysign(-1.0));
            }
            let x = storage(&device, dtype, &numbers);
            let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
            let strides = [row_len as isize, 1];
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
            let results =
                || [0; 2].map(|zero| storage(&device, dtype, &vec![Scalar::Int(zero); rows]));
            let given = [(&*x, &access)];
            let expected = results();
            let into = [(&*expected[0], &of_rows), (&*expected[1], &of_rows)];
            reference::run(&program, &space, &given, &into).unwrap();
            for backend in backends() {
                let found = results();
                let into = [(&*found[0], &of_rows), (&*found[1], &of_rows)];
                backend.run(&program, &space, &given, &into).unwrap();
                for (found, expected) in found.iter().zip(&expected) {
                    let pairs = elements(found).into_iter().zip(elements(expected));
                    for (row, (a, b)) in pairs.enumerate() {
                        let case = format!("{dtype}, rows of {row_len}, row {row}: {a}, not {b}");
                        assert!(same(a, b), "{case}");
                        if let (Scalar::Float(a), true) = (a, dtype.size() >= 4 && has_nan(row)) {
                            assert!(a.is_nan() && a.is_sign_negative(), "{case}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn columns_of_every_number_fold_as_the_reference() {
    let device = device();
    let mut random = Random(22);
    for dtype in DType::STORED {
        for rows in [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 39, 40, 41, 63, 65, 300] {
            for row_len in [1, 2, 7, 15, 16, 17, 33, 130] {
                let numbers = samples(&mut random, dtype, rows * row_len);
                let x = storage(&device, dtype, &numbers);
                for op in OPS {
                    let case = format!("{op:?} of {dtype} side by side");
                    check(&fold(op, dtype), &device, &x, [rows, row_len, 0], &case);
                }
            }
        }
    }
}

/// The place in rows of a few vectors is that of the first NaN, or of the first of equals; zeros of both signs are
/// equal, and infinities are numbers.
/// The rows of each stretch lie in turn, as where a middle axis is folded; more of them than lie side by side elsewhere.
#[test]
fn rows_that_lie_in_turn_fold_as_the_reference() {
    let device = device();
    let mut random = Random(24);
    for dtype in DType::STORED {
        let lanes = 64 / dtype.size();
        let least = LEAST_IN_TURN;
        for rows in [least - 1, least, 5, lanes / 2, lanes / 2 + 1] {
            for row_len in [lanes, lanes + 1, 2 * lanes + 3, 200] {
                let stretches = FEW_ROWS / rows + 1;
                let count = stretches * rows * row_len;
                let x = storage(&device, dtype, &samples(&mut random, dtype, count));
                let along = |strides: [usize; 3]| Access {
                    strides: strides.map(|stride| stride as isize).as_slice().into(),
                    ..Access::default()
                };
                let space = Space { dims: [stretches, rows, row_len].as_slice().into(), kept: 2 };
                let ways = [&along([rows * row_len, 1, rows]), &along([rows, 1, 0])];
                for op in OPS {
                    let case = format!("{op:?} of {dtype}");
                    check_in(&fold(op, dtype), &device, &x, (&space, ways), &case);
                }
            }
        }
    }
}

#[test]
fn places_in_short_rows_are_those_of_the_first() {
    let (device, mut random) = (device(), Random(23));
    let kinds = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0];
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        for row_len in (1..=34).chain([63, 64, 65, 79, 80, 81, 127, 128, 129]) {
            for kinds in [&kinds[..], &kinds[1..], &kinds[1..3], &kinds[2..3], &kinds[3..5]] {
                let rows = 67;
                let numbers: Vec<Scalar> = (0..rows * row_len)
                    .map(|_| match kinds.len() == 7 && random.below(row_len) > 0 {
                        true => Scalar::Float(random.below(5) as f64),
                        false => Scalar::Float(random.pick(kinds)),
                    })
                    .collect();
                let x = storage(&device, dtype, &numbers);
                for op in [ReduceOp::ArgMax, ReduceOp::ArgMin, ReduceOp::Max, ReduceOp::Min] {
                    let case = format!("{op:?} of {dtype}");
                    check(&fold(op, dtype), &device, &x, [rows, row_len, 1], &case);
                }
            }
        }
    }
}

/// A NaN is found wherever it stands, and infinities of both signs are none.
/// Of several NaN it is the first, however rows and blocks are cut: their signs tell which.
#[test]
fn an_extreme_of_several_nan_is_the_first() {
    let device = device();
    for dtype in [DType::F32, DType::F64, DType::F8E4M3, DType::F8E5M2] {
        for (rows, row_len) in [(1, 5), (3, 40), (1, 3000), (2, 140_000), (7, 900), (40, 3000)] {
            for negative_first in [false, true] {
                let mut numbers = vec![Scalar::Float(1.0); rows * row_len];
                let nan = |is_negative: bool| match is_negative {
                    true => Scalar::Float(f64::NAN.copysign(-1.0)),
                    false => Scalar::Float(f64::NAN.copysign(1.0)),
                };
                for step in [0, 1] {
                    for row in 0..rows {
                        let at = |place: usize| match step {
                            0 => place * rows + row,
                            _ => row * row_len + place,
                        };
                        numbers[at(row_len / 5)] = nan(negative_first);
                        numbers[at(row_len / 2)] = nan(!negative_first);
                        numbers[at(row_len - 1)] = nan(!negative_first);
                    }
                    let x = storage(&device, dtype, &numbers);
                    let strides =
                        if step == 0 { [1, rows as isize] } else { [row_len as isize, 1] };
                    let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
                    let access = Access { strides: strides.as_slice().into(), ..Access::default() };
                    let of_rows = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
                    for op in [ReduceOp::Max, ReduceOp::Min] {
                        for backend in backends() {
                            let found = storage(&device, dtype, &vec![Scalar::Int(0); rows]);
                            let given = [(&*x, &access)];
                            let program = fold(op, dtype);
                            backend.run(&program, &space, &given, &[(&*found, &of_rows)]).unwrap();
                            for found in elements(&found) {
                                let Scalar::Float(found) = found else {
                                    panic!("{found} is no float")
                                };
                                assert!(found.is_nan());
                                let case = format!("{op:?} {dtype} {rows} × {row_len}, {step}");
                                assert_eq!(found.is_sign_negative(), negative_first, "{case}");
                            }
                        }
                    }
                    numbers.fill(Scalar::Float(1.0));
                }
            }
        }
    }
}

#[test]
fn extremes_keep_nan_and_infinities() {
    let device = device();
    let mut random = Random(23);
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for row_len in ROW_LENS {
            let rows = if row_len > 2000 { 2 } else { 4 };
            for places in [vec![0], vec![row_len - 1], vec![row_len / 2, row_len - 1], vec![]] {
                let mut numbers = samples(&mut random, dtype, rows * row_len);
                for row in 0..rows {
                    numbers[row * row_len + random.below(row_len)] = Scalar::Float(f64::INFINITY);
                    let low = row * row_len + random.below(row_len);
                    numbers[low] = Scalar::Float(f64::NEG_INFINITY);
                }
                // One row has none.
                for place in &places {
                    for row in 1..rows {
                        numbers[row * row_len + place] = Scalar::Float(f64::NAN);
                    }
                }
                let x = storage(&device, dtype, &numbers);
                for op in &OPS[1..] {
                    let case = format!("{op:?} of {dtype}, NaN at {places:?}");
                    check(&fold(*op, dtype), &device, &x, [rows, row_len, 1], &case);
                }
            }
        }
    }
}

/// Floats of 16 bits are compared as they are stored: all of them beside others, NaN of either sign, too.
#[test]
fn halves_of_any_bits_are_compared() {
    let device = device();
    for dtype in [DType::F16, DType::BF16] {
        let bits = |at: usize| (at as u16).wrapping_mul(40_503);
        let raw: Vec<u8> = (0..1 << 16).flat_map(|at| bits(at).to_le_bytes()).collect();
        let x = storage(&device, dtype, &vec![Scalar::Int(0); raw.len() / 2]);
        device.backend().copy_from_host(&raw, &x, 0).unwrap();
        for op in &OPS[1..] {
            for row_len in [1, 2, 8, 16, 32, 64, 4096] {
                for step in [0, 1] {
                    let case = format!("{op:?} of any {dtype}, {step}");
                    let sides = [(1 << 16) / row_len, row_len, step];
                    check(&fold(*op, dtype), &device, &x, sides, &case);
                }
            }
        }
    }
}

/// Any byte but zero is true, whoever wrote it.
#[test]
fn bools_of_any_byte_are_folded_and_counted() {
    let device = device();
    let mut random = Random(24);
    for row_len in ROW_LENS {
        for (rows, step) in [(3, 1), (9, 0), (40, 0)] {
            if rows * row_len > 40_000 {
                continue;
            }
            let raw: Vec<u8> =
                (0..rows * row_len).map(|_| random.pick(&[0, 0, 1, 2, 127, 128, 255])).collect();
            let x = storage(&device, DType::Bool, &vec![Scalar::Int(0); raw.len()]);
            device.backend().copy_from_host(&raw, &x, 0).unwrap();
            for op in OPS.into_iter().chain([ReduceOp::Prod]) {
                let case = format!("{op:?} of any byte");
                check(&fold(op, DType::Bool), &device, &x, [rows, row_len, step], &case);
            }
            let mut b = Builder::new();
            let input = b.input(DType::Bool);
            let mask = b.load(input, Domain::Element);
            let number = b.push(Op::Cast(mask), DType::I64);
            let count = b.push(Op::Reduce(ReduceOp::Sum, number), DType::I64);
            b.output(count, Domain::Row);
            check(&b.finish(), &device, &x, [rows, row_len, step], "a count of any byte");
        }
    }
}

/// As a comparison makes them, along one row that is longer than a block, too.
#[test]
fn masks_are_counted() {
    let device = device();
    let mut random = Random(25);
    for dtype in [DType::F32, DType::I64, DType::U8] {
        let sizes = [(1, 70_001), (3, 2047), (3, 2049), (70, 12), (300, 5)];
        for ((rows, row_len), step) in sizes.into_iter().flat_map(|size| [(size, 0), (size, 1)]) {
            let x = storage(&device, dtype, &samples(&mut random, dtype, rows * row_len));
            let mut b = Builder::new();
            let input = b.input(dtype);
            let value = b.load(input, Domain::Element);
            let bound = b.constant(Scalar::Int(3), dtype);
            let mask = b.push(Op::Compare(CompareOp::Gt, value, bound), DType::Bool);
            let number = b.push(Op::Cast(mask), DType::I64);
            let count = b.push(Op::Reduce(ReduceOp::Sum, number), DType::I64);
            b.output(count, Domain::Row);
            let case = format!("a count of {dtype}");
            check(&b.finish(), &device, &x, [rows, row_len, step], &case);
        }
    }
}

/// Rows of several lines that lie apart: extremes of what is read, and of what is made of two inputs.
#[test]
fn extremes_of_rows_of_several_lines_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(29);
    let made = |op: ReduceOp, dtype: DType| {
        let mut b = Builder::new();
        let inputs = [b.input(dtype), b.input(dtype)];
        let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
        let both = b.push(Op::Binary(BinaryOp::Sub, x, y), dtype);
        let folded = b.push(Op::Reduce(op, both), dtype);
        b.output(folded, Domain::Row);
        b.finish()
    };
    for dtype in [DType::F32, DType::F64, DType::F16, DType::I32] {
        for (number, dims) in [
            [3, 5, 4, 16],
            [2, 7, 3, 8],
            [4, 9, 30, 50],
            [1, 40, 7, 33],
            [5, 3, 2, 127],
            [2, 2, 3, 128],
            [2, 3, 4, 300],
            [7, 1, 9, 17],
            [3, 4, 300, 7],
            [2, 3, 2, 2049],
        ]
        .into_iter()
        .enumerate()
        {
            let [outer, inner, lines, extent] = dims;
            let n: usize = dims.iter().product();
            let gap = number % 3;
            let len = (extent + gap) as isize;
            // In memory lines of different rows follow one another.
            let strides = [len * (lines * inner) as isize, len, len * inner as isize, 1];
            let room = outer * lines * inner * (extent + gap);
            let mut numbers = samples(&mut random, dtype, room);
            let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
            if dtype.is_float() && number % 2 == 1 {
                for _ in 0..3 {
                    let at = random.below(room);
                    numbers[at] = Scalar::Float(special[random.below(3)]);
                }
            }
            let x = storage(&device, dtype, &numbers);
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            // The other input backwards, or one value for each line.
            let (others, offset) = match number % 3 {
                0 => (strides.map(|stride| -stride), room - 1 - gap),
                1 => ([strides[0], strides[1], strides[2], 0], 0),
                _ => (strides, 0),
            };
            let others = Access { strides: others.as_slice().into(), offset, ..Access::default() };
            let rows = [inner as isize, 1, 0, 0];
            let of_rows = Access { strides: rows.as_slice().into(), ..Access::default() };
            let space = Space { dims: dims.as_slice().into(), kept: 2 };
            for op in [ReduceOp::Max, ReduceOp::Min] {
                for program in [fold(op, dtype), made(op, dtype)] {
                    let given = [(&*x, &access), (&*x, &others)];
                    let given = &given[..program.inputs.len()];
                    let result = || storage(&device, dtype, &vec![Scalar::Int(3); outer * inner]);
                    let expected = result();
                    reference::run(&program, &space, given, &[(&*expected, &of_rows)]).unwrap();
                    for backend in backends() {
                        let found = result();
                        backend.run(&program, &space, given, &[(&*found, &of_rows)]).unwrap();
                        let pairs = elements(&found).into_iter().zip(elements(&expected));
                        for (row, (a, b)) in pairs.enumerate() {
                            assert!(
                                same(a, b),
                                "{op:?} of {dtype}, {dims:?}, {n}, row {row}: {a}, not {b}"
                            );
                        }
                    }
                }
            }
        }
    }
}
