//! Rows side by side whose elements are met more than once.

use super::super::reference;
use super::{Random, backends, dense, device, elements, storage};
use crate::device::{Backend, Memo};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Output, Program, ReduceOp, Space, UnaryOp};

fn softmax(dtype: DType) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let max = b.push(Op::Reduce(ReduceOp::Max, x), dtype);
    let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), dtype);
    let e = b.push(Op::Unary(UnaryOp::Exp, shifted), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, e), dtype);
    let y = b.push(Op::Binary(BinaryOp::Div, e, sum), dtype);
    b.output(y, Domain::Element);
    b.output(max, Domain::Row);
    b.finish()
}

/// Of every width and height, behind other rows and beside them, also in place: nearly what the reference says.
#[test]
fn elements_that_are_met_again_are_as_the_reference() {
    let device = device();
    let mut random = Random(31);
    for (outer, side, row_len) in [
        (1, 31, 40),
        (1, 32, 40),
        (2, 33, 1),
        (1, 64, 2),
        (3, 63, 7),
        (1, 65, 8),
        (2, 100, 9),
        (1, 300, 17),
        (1, 2100, 3),
        (1, 600, 33),
        (1, 513, 1100),
        (1, 1500, 1500),
        (1, 20, 52_500),
        (1, 513, 4097),
        (2, 40, 1024),
        (1, 45, 1025),
        (1, 70, 2048),
        (1, 33, 2049),
    ] {
        for dtype in [DType::F16, DType::F32, DType::F64] {
            let count = outer * side * row_len;
            if count > 1 << 20 && dtype != DType::F32 {
                continue;
            }
            let values: Vec<Scalar> =
                (0..count).map(|_| Scalar::Float(random.below(100) as f64 / 16.0 - 3.0)).collect();
            let space = Space { dims: [outer, side, row_len].as_slice().into(), kept: 2 };
            let strides = [(side * row_len) as isize, 1, side as isize];
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            let of_rows = [side as isize, 1, 0];
            let of_rows = Access { strides: of_rows.as_slice().into(), ..Access::default() };
            let program = softmax(dtype);
            let x = storage(&device, dtype, &values);
            let (all, rows) = (vec![Scalar::Int(0); count], vec![Scalar::Int(0); outer * side]);
            let result = || (storage(&device, dtype, &all), storage(&device, dtype, &rows));
            let (y, max) = result();
            let outputs = [(&*y, &access), (&*max, &of_rows)];
            reference::run(&program, &space, &[(&*x, &access)], &outputs).unwrap();
            let unit = match dtype {
                DType::F16 => 4e-3,
                DType::F32 => 2e-6,
                _ => 1e-13,
            };
            for backend in backends() {
                let memo = Memo::default();
                for is_in_place in [false, true] {
                    let (mut found, max_found) = result();
                    let x = storage(&device, dtype, &values);
                    if is_in_place {
                        found = x.clone();
                    }
                    let outputs = [(&*found, &access), (&*max_found, &of_rows)];
                    let inputs = [(&*x, &access)];
                    backend.run_again(&memo, &program, &space, &inputs, &outputs).unwrap();
                    let case = format!("{dtype}, {outer} × {side} rows of {row_len}");
                    for (a, b) in elements(&found).into_iter().zip(elements(&y)) {
                        let (a, b) = (a.as_f64(), b.as_f64());
                        assert!((a - b).abs() <= unit * b, "{case}: {a}, not {b}");
                    }
                    assert_eq!(elements(&max_found), elements(&max), "{case}");
                }
            }
        }
    }
}

/// What knows its place, beside what is folded.
#[test]
fn places_are_those_of_the_reference() {
    let device = device();
    let (side, row_len) = (77, 50);
    let space = Space { dims: [side, row_len].as_slice().into(), kept: 1 };
    let mut b = Builder::new();
    let input = b.input(DType::I64);
    let x = b.load(input, Domain::Element);
    let row = b.iota(0, Domain::Row);
    let column = b.iota(1, Domain::Element);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, x), DType::I64);
    let y = b.push(Op::Binary(BinaryOp::Sub, x, sum), DType::I64);
    let y = b.push(Op::Binary(BinaryOp::Mul, y, column), DType::I64);
    let y = b.push(Op::Binary(BinaryOp::Add, y, row), DType::I64);
    b.output(y, Domain::Element);
    let program = b.finish();
    let values: Vec<Scalar> = (0..side * row_len).map(|at| Scalar::Int(at as i64 % 91)).collect();
    let x = storage(&device, DType::I64, &values);
    let access = Access { strides: [1, side as isize].as_slice().into(), ..Access::default() };
    let result = || storage(&device, DType::I64, &vec![Scalar::Int(0); side * row_len]);
    let expected = result();
    reference::run(&program, &space, &[(&*x, &access)], &[(&*expected, &dense(&space))]).unwrap();
    for backend in backends() {
        let found = result();
        backend.run(&program, &space, &[(&*x, &access)], &[(&*found, &dense(&space))]).unwrap();
        assert_eq!(elements(&found), elements(&expected));
    }
}

/// Numbers that are computed at every element, which knows where it is along each folded axis: what they come to, and what
/// is then made of it at every element again.
fn numbers(dtype: DType, writes: bool) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let places = [2, 3].map(|axis| {
        let place = b.iota(axis, Domain::Element);
        b.cast(place, dtype)
    });
    let square = b.push(Op::Binary(BinaryOp::Mul, x, x), dtype);
    let y = b.push(Op::Binary(BinaryOp::Sub, square, places[0]), dtype);
    let y = b.push(Op::Binary(BinaryOp::Add, y, places[1]), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, square), dtype);
    let max = b.push(Op::Reduce(ReduceOp::Max, y), dtype);
    let first = b.push(Op::Reduce(ReduceOp::ArgMax, y), DType::I64);
    let below = b.push(Op::Binary(BinaryOp::Sub, max, y), dtype);
    let least = b.push(Op::Reduce(ReduceOp::Min, below), dtype);
    let last = b.push(Op::Reduce(ReduceOp::Max, below), dtype);
    for row in [sum, max, first, least, last] {
        b.output(row, Domain::Row);
    }
    if writes {
        b.output(below, Domain::Element);
    }
    b.finish()
}

/// Lines of rows of every width, folded along an axis within them and one around them: a few elements at a time, whole
/// lines or parts of them. All numbers are whole ones, so that sums are exact in every order.
#[test]
fn several_elements_of_rows_in_lines_are_folded_at_a_time() {
    let device = device();
    let mut random = Random(47);
    for (around, outer, within, line) in [
        (3, 4, 51, 5),
        (2, 3, 52, 5),
        (1, 5, 280, 10),
        (5, 1, 9, 31),
        (3, 7, 300, 3),
        (2, 3, 2, 255),
        (2, 3, 2, 256),
        (3, 2, 9, 257),
        (1, 1, 40, 511),
        (2, 1, 7, 513),
        (1, 2, 33, 900),
        (1, 1, 70, 1025),
        (2, 1, 19, 2050),
        (1, 3, 5, 2049),
        (1, 2, 3, 4100),
        (2, 700, 1, 3),
    ] {
        for dtype in [DType::F32, DType::BF16, DType::F16, DType::F64, DType::I16, DType::I64] {
            let count = around * outer * within * line;
            let mut value = || match dtype.is_float() {
                true => Scalar::Float(random.below(7) as f64 - 3.0),
                false => Scalar::Int(random.below(7) as i64 - 3),
            };
            let values: Vec<Scalar> = (0..count).map(|_| value()).collect();
            let space = Space { dims: [outer, line, around, within].as_slice().into(), kept: 2 };
            let strides = [within * line, 1, outer * within * line, line];
            let strides = strides.map(|stride| stride as isize);
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            let of_rows = [line as isize, 1, 0, 0];
            let of_rows = Access { strides: of_rows.as_slice().into(), ..Access::default() };
            let x = storage(&device, dtype, &values);
            for writes in [false, true] {
                let program = numbers(dtype, writes);
                let run = |backend: Option<&dyn Backend>| -> Vec<Vec<Scalar>> {
                    let of = |output: &Output| match output.domain {
                        Domain::Row => (outer * line, &of_rows),
                        Domain::Element => (count, &access),
                    };
                    let result = |output: &Output| {
                        let (len, access) = of(output);
                        let dtype = program.instr(output.value).dtype;
                        (storage(&device, dtype, &vec![Scalar::Int(0); len]), access)
                    };
                    let results: Vec<_> = program.outputs.iter().map(result).collect();
                    let outputs: Vec<_> =
                        results.iter().map(|(result, access)| (&**result, *access)).collect();
                    let inputs = [(&*x, &access)];
                    match backend {
                        Some(backend) => backend.run(&program, &space, &inputs, &outputs).unwrap(),
                        None => reference::run(&program, &space, &inputs, &outputs).unwrap(),
                    }
                    results.iter().map(|(result, _)| elements(result)).collect()
                };
                let expected = run(None);
                for backend in backends() {
                    for (at, (found, expected)) in
                        run(Some(&backend)).iter().zip(&expected).enumerate()
                    {
                        let case =
                            format!("{dtype}, {around} × {within} in {outer} × {line}: {at}");
                        assert!(found == expected, "{case}");
                    }
                }
            }
        }
    }
}
