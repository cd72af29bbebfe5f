//! What maps read from afar, copy as it is and write around the caches.

use super::super::exec::STREAMED;
use super::super::reference;
use super::{Random, backends, bytes, dense, device, map_space, storage};
use crate::device::{Backend, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Space};

fn apart(stride: isize, offset: usize) -> Access {
    Access { offset, strides: [stride].as_slice().into(), ..Access::default() }
}

/// `x - y · 3`, the same once more, and `y` as it is.
fn program(dtype: DType) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let three = b.push(Op::Const(Scalar::Int(3)), dtype);
    let product = b.push(Op::Binary(BinaryOp::Mul, y, three), dtype);
    let z = b.push(Op::Binary(BinaryOp::Sub, x, product), dtype);
    b.output(z, Domain::Element);
    b.output(z, Domain::Element);
    b.output(y, Domain::Element);
    b.finish()
}

fn check(dtype: DType, n: usize, steps: [isize; 2], outputs: usize) {
    let device = device();
    let mut random = Random(n as u64);
    let mut program = program(dtype);
    program.outputs.truncate(outputs);
    let lanes = |step: isize| step.unsigned_abs() * (n - 1) + 1;
    let mut given = |step: isize| {
        let values = (0..lanes(step)).map(|_| Scalar::Int(random.below(30) as i64));
        let access = apart(step, if step < 0 { lanes(step) - 1 } else { 0 });
        (storage(&device, dtype, &values.collect::<Vec<_>>()), access)
    };
    let inputs = steps.map(&mut given);
    let inputs: Vec<(&Storage, &Access)> = inputs.iter().map(|(x, lies)| (&**x, lies)).collect();
    let results = || -> Vec<_> {
        (0..outputs).map(|_| storage(&device, dtype, &vec![Scalar::Int(7); n])).collect()
    };
    let (space, target) = (map_space(&[n]), apart(1, 0));
    let expected = results();
    let wanted: Vec<_> = expected.iter().map(|storage| (&**storage, &target)).collect();
    reference::run(&program, &space, &inputs, &wanted).unwrap();
    for backend in backends() {
        let found = results();
        let targets: Vec<_> = found.iter().map(|storage| (&**storage, &target)).collect();
        backend.run(&program, &space, &inputs, &targets).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            assert!(bytes(found) == bytes(expected), "{n} of {dtype}, {steps:?} apart");
        }
    }
}

#[test]
fn lanes_that_lie_apart_are_those_of_the_reference() {
    for dtype in DType::STORED.into_iter().filter(|dtype| *dtype != DType::Bool) {
        for n in [2, 9, 511, 513, 1023, 1024, 1025, 2047, 4097] {
            for steps in [[2, 1], [1, -1], [-2, 3], [2, 2], [40, 2]] {
                check(dtype, n, steps, 3);
            }
        }
    }
}

#[test]
fn large_results_are_those_of_the_reference() {
    for (dtype, outputs, n) in [
        (DType::F32, 1, STREAMED / 12 - 1),
        (DType::F32, 1, STREAMED / 12 + 1),
        (DType::F64, 3, STREAMED / 40 + 77),
        (DType::U8, 1, STREAMED / 3 + 1),
        (DType::F16, 2, STREAMED / 8 + 3),
    ] {
        check(dtype, n, [1, 1], outputs);
        check(dtype, n / 2, [2, 1], outputs);
    }
}

/// A copy keeps every bit, those of signalling NaN, too.
#[test]
fn copies_of_narrow_floats_are_copies_of_bits() {
    let device = device();
    for dtype in [DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2] {
        let count = 1usize << (8 * dtype.size());
        let patterns: Vec<u8> = match dtype.size() {
            1 => (0..=255).collect(),
            _ => (0..=65_535u16).flat_map(u16::to_le_bytes).collect(),
        };
        let [x, reversed] = [(); 2].map(|()| storage(&device, dtype, &vec![Scalar::Int(0); count]));
        device.backend().copy_from_host(&patterns, &x, 0).unwrap();
        let mut b = Builder::new();
        let input = b.input(dtype);
        let value = b.load(input, Domain::Element);
        let same = b.push(Op::Cast(value), dtype);
        b.output(same, Domain::Element);
        let program = b.finish();
        let space = map_space(&[count]);
        for backend in backends() {
            let backward = apart(-1, count - 1);
            backend
                .run(&program, &space, &[(&*x, &backward)], &[(&*reversed, &dense(&space))])
                .unwrap();
            let found = bytes(&reversed);
            let found: Vec<&[u8]> = found.chunks(dtype.size()).rev().collect();
            assert_eq!(found.concat(), patterns, "{dtype}");
        }
    }
}

/// Elements of each row at the same places: of few that are read several rows at once, and of many.
#[test]
fn columns_of_a_table_are_gathered() {
    let device = device();
    let sizes = [(1, 3, 2), (700, 2, 2), (129, 5, 1), (333, 9, 4), (90, 3, 255), (40, 7, 256)];
    // Blocks of several rows, and of a part of one, have indices that were looked at before.
    let more = [(9, 5, 257), (70, 300, 1000), (3, 900, 16_384), (5, 900, 16_385), (4, 99, 40_000)];
    for (rows, width, picks) in sizes.into_iter().chain(more) {
        for dtype in [DType::U8, DType::F16, DType::F32, DType::I64] {
            let numbers = (0..rows * width).map(|at| Scalar::Int((at % 100) as i64));
            let table = storage(&device, dtype, &numbers.collect::<Vec<_>>());
            let indices = storage(&device, DType::I64, &vec![Scalar::Int(0); picks]);
            let out = storage(&device, dtype, &vec![Scalar::Int(0); rows * picks]);
            let mut b = Builder::new();
            let (source, input) = (b.input(dtype), b.input(DType::I64));
            let place = b.load(input, Domain::Element);
            let value = b.gather(source, &[place], Domain::Element);
            b.output(value, Domain::Element);
            let space = map_space(&[rows, picks]);
            let of_rows = Access {
                strides: [width as isize, 0].as_slice().into(),
                gathered: [(width, 1)].as_slice().into(),
                ..Access::default()
            };
            let along = Access { strides: [0, 1].as_slice().into(), ..Access::default() };
            let inputs = [(&*table, &of_rows), (&*indices, &along)];
            let (program, table_bytes, size) = (b.finish(), bytes(&table), dtype.size());
            // The same memory has other indices the next time.
            for step in [7, 5] {
                let places: Vec<usize> = (0..picks).map(|at| (at * step + 1) % width).collect();
                // Every other one counts from the end.
                let signed = places.iter().enumerate();
                let signed = signed.map(|(at, place)| *place as i64 - (at % 2 * width) as i64);
                let signed: Vec<u8> = signed.flat_map(i64::to_ne_bytes).collect();
                device.backend().copy_from_host(&signed, &indices, 0).unwrap();
                device
                    .backend()
                    .run(&program, &space, &inputs, &[(&*out, &dense(&space))])
                    .unwrap();
                let at =
                    |row: usize, place: usize| &table_bytes[(row * width + place) * size..][..size];
                let expected: Vec<&[u8]> = (0..rows * picks)
                    .map(|number| at(number / picks, places[number % picks]))
                    .collect();
                let case = format!("{rows} × {width}, {picks} of {dtype}, {step}");
                assert!(bytes(&out) == expected.concat(), "{case}");
            }
        }
    }
}

/// What is written of rows that lie side by side is the reference's, also where more of them are done at once than a
/// block has lanes.
#[test]
fn rows_that_are_written_side_by_side() {
    let device = device();
    let mut random = Random(11);
    for dtype in [DType::F32, DType::F64, DType::F16, DType::U8] {
        let mut b = Builder::new();
        let input = b.input(dtype);
        let x = b.load(input, Domain::Element);
        let most = b.push(Op::Reduce(ReduceOp::Max, x), dtype);
        let below = b.push(Op::Binary(BinaryOp::Sub, most, x), dtype);
        let depth = b.push(Op::Reduce(ReduceOp::Max, below), dtype);
        let above = b.push(Op::Binary(BinaryOp::Sub, depth, below), dtype);
        b.output(above, Domain::Element);
        let program = b.finish();
        for rows in [9, 255, 511, 513, 1023, 1024, 1025, 1408, 2047, 2048, 2049] {
            let row_len = 70;
            let number = |_| Scalar::Int(random.below(100) as i64);
            let values: Vec<Scalar> = (0..rows * row_len).map(number).collect();
            let x = storage(&device, dtype, &values);
            let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
            let across =
                Access { strides: [1, rows as isize].as_slice().into(), ..Access::default() };
            let [expected, found] = [(); 2].map(|()| storage(&device, dtype, &values));
            reference::run(&program, &space, &[(&*x, &across)], &[(&*expected, &across)]).unwrap();
            for backend in backends() {
                let outputs = [(&*found, &across)];
                backend.run(&program, &space, &[(&*x, &across)], &outputs).unwrap();
                assert!(bytes(&found) == bytes(&expected), "{rows} rows of {dtype}");
            }
        }
    }
}
