//! Maps over windows of matrices, whose lines lie at one distance, and over long lines.

use super::super::exec::STREAMED;
use super::super::reference;
use super::{Random, backends, bytes, device, map_space, storage};
use crate::device::Backend;
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program};

/// `a op b`, and `a` beside it if `copies`.
fn program(dtype: DType, op: BinaryOp, copies: bool) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let z = b.push(Op::Binary(op, x, y), dtype);
    b.output(z, Domain::Element);
    if copies {
        b.output(x, Domain::Element);
    }
    b.finish()
}

/// Every element of outputs is looked at, those between lines, too.
fn check(
    program: &Program,
    dims: &[usize],
    pitch: usize,
    (out_pitch, first): (usize, usize),
    between: i64,
) {
    let device = device();
    let mut random = Random(31);
    let dtype = program.output_dtype(0);
    let (lines, extent) = (dims[..dims.len() - 1].iter().product::<usize>(), dims[dims.len() - 1]);
    let strides = |pitch: usize| -> Vec<isize> {
        let mut strides = vec![1; dims.len()];
        let mut next = pitch as isize;
        for axis in (0..dims.len() - 1).rev() {
            strides[axis] = next;
            next *= dims[axis] as isize;
        }
        strides
    };
    let access = |pitch: usize, offset: usize| Access {
        offset,
        strides: strides(pitch).as_slice().into(),
        ..Access::default()
    };
    let numbers: Vec<Scalar> = (0..lines * pitch + first)
        .map(|at| match (at % pitch.max(1)) < extent {
            true => Scalar::Int(random.below(90) as i64 + 1),
            false => Scalar::Int(between),
        })
        .collect();
    let x = storage(&device, dtype, &numbers);
    let (left, right) = (access(pitch, 0), access(pitch, first));
    let given = [(&*x, &left), (&*x, &right)];
    let target = access(out_pitch, 0);
    let count = program.outputs.len();
    let results = || -> Vec<_> {
        let filler = vec![Scalar::Int(7); lines * out_pitch];
        (0..count).map(|_| storage(&device, dtype, &filler)).collect()
    };
    let space = map_space(dims);
    let expected = results();
    let wanted: Vec<_> = expected.iter().map(|storage| (&**storage, &target)).collect();
    reference::run(program, &space, &given, &wanted).unwrap();
    for backend in backends() {
        let found = results();
        let targets: Vec<_> = found.iter().map(|storage| (&**storage, &target)).collect();
        backend.run(program, &space, &given, &targets).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            let case = format!("{dtype}, {dims:?} of {pitch} into {out_pitch}, from {first}");
            assert_eq!(bytes(found), bytes(expected), "{case}");
        }
    }
}

#[test]
fn windows_are_what_the_reference_makes_of_them() {
    for extent in [1, 2, 3, 7, 15, 16, 17, 63, 100, 129, 511, 512, 513, 1023, 1024, 1025] {
        for gap in [0, 1, 2, extent / 2, extent / 2 + 1, extent, extent + 1] {
            for lines in [1, 2, 9] {
                for dtype in [DType::F32, DType::U8] {
                    let pitch = extent + gap;
                    for copies in [false, true] {
                        let program = program(dtype, BinaryOp::Sub, copies);
                        check(&program, &[lines, extent], pitch, (extent, 0), 0);
                        check(&program, &[lines, extent], pitch, (extent + 3, gap), 0);
                    }
                }
            }
        }
    }
}

#[test]
fn windows_of_every_type_and_rank() {
    for dtype in DType::STORED.into_iter().filter(|dtype| *dtype != DType::Bool) {
        let program = program(dtype, BinaryOp::Sub, true);
        for dims in [&[3, 5, 40][..], &[2, 1, 129], &[70, 33], &[1, 2, 3, 20]] {
            let extent = dims[dims.len() - 1];
            check(&program, dims, extent + 2, (extent, 1), 0);
            check(&program, dims, extent + 2, (extent + 2, 2), 0);
        }
    }
}

/// What lies between lines is no operand: no division by it fails.
#[test]
fn nothing_between_lines_fails() {
    for dtype in [DType::I32, DType::U8, DType::I64] {
        for op in [BinaryOp::FloorDiv, BinaryOp::Mod] {
            check(&program(dtype, op, false), &[20, 33], 35, (33, 0), 0);
        }
    }
}

/// Rows of about as many bytes as a vector has, and of about as few elements as are moved one by one.
#[test]
fn short_rows_whose_elements_lie_apart() {
    let device = device();
    let access =
        |strides: [isize; 2]| Access { strides: strides.as_slice().into(), ..Access::default() };
    for dtype in [DType::U8, DType::I16, DType::F32, DType::F64] {
        let vector = 64 / dtype.size();
        for n in [2, 7, 8, 9, vector - 1, vector, vector + 1, 2 * vector + 1] {
            let (rows, program) = (5, program(dtype, BinaryOp::Add, true));
            let (from, to) = (access([2 * n as isize + 3, 2]), access([3 * n as isize + 1, 3]));
            let numbers = |count: usize| -> Vec<Scalar> {
                (0..count).map(|at| Scalar::Int(at as i64 * 7 % 60)).collect()
            };
            let x = storage(&device, dtype, &numbers(rows * (2 * n + 3)));
            let results = || [0; 2].map(|_| storage(&device, dtype, &numbers(rows * (3 * n + 1))));
            let (expected, space) = (results(), map_space(&[rows, n]));
            let given = [(&*x, &from), (&*x, &from)];
            let wanted = expected.each_ref().map(|storage| (&**storage, &to));
            reference::run(&program, &space, &given, &wanted).unwrap();
            for backend in backends() {
                let found = results();
                let targets = found.each_ref().map(|storage| (&**storage, &to));
                backend.run(&program, &space, &given, &targets).unwrap();
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(bytes(found), bytes(expected), "{dtype}, rows of {n}");
                }
            }
        }
    }
}

#[test]
fn long_lines_with_gaps() {
    for extent in [1023, 1024, 2047, 2049, 16_383, 16_384, 16_385, 20_000] {
        for dtype in [DType::F32, DType::F64] {
            check(&program(dtype, BinaryOp::Sub, true), &[3, extent], extent + 2, (extent, 1), 0);
            check(&program(dtype, BinaryOp::Sub, false), &[3, extent], extent, (extent + 1, 0), 0);
        }
    }
}

/// Short lines are gathered before they go around the caches, long ones go there from where they lie.
#[test]
fn lines_of_large_windows_go_around_the_caches() {
    for extent in [7, 14, 127, 128, 129] {
        let (lines, pitch) = ((STREAMED + (1 << 20)) / 16 / extent, extent + 2);
        assert!(lines * (extent + pitch) * 8 > STREAMED);
        let program = program(DType::F64, BinaryOp::Sub, false);
        check(&program, &[lines, extent], pitch, (extent, 0), 0);
        check(&program, &[lines, extent], pitch, (extent + 1, 1), 0);
    }
}

/// Lanes of several inputs that lie equally far apart, near and far, in few and in many blocks and past the caches.
#[test]
fn single_lanes_are_what_the_reference_makes_of_them() {
    let program = |dtype: DType| {
        let mut b = Builder::new();
        let inputs = [0; 4].map(|_| b.input(dtype));
        let [x, y, z, w] = inputs.map(|input| b.load(input, Domain::Element));
        let sum = b.push(Op::Binary(BinaryOp::Sub, x, y), dtype);
        let sum = b.push(Op::Binary(BinaryOp::Mul, sum, z), dtype);
        let sum = b.push(Op::Binary(BinaryOp::Add, sum, w), dtype);
        b.output(sum, Domain::Element);
        b.finish()
    };
    let check = |dtype: DType, [lines, n]: [usize; 2], apart: usize| {
        let (device, mut random) = (device(), Random(32));
        let line = n * apart + 5;
        let numbers: Vec<Scalar> =
            (0..lines * line).map(|_| Scalar::Int(random.below(9) as i64)).collect();
        let x = storage(&device, dtype, &numbers);
        let strides: &[isize] = &[line as isize, apart as isize];
        let access =
            |offset: usize| Access { offset, strides: strides.into(), ..Access::default() };
        let windows = [0, 1, 3, 4].map(access);
        let given = windows.each_ref().map(|window| (&*x, window));
        let space = map_space(&[lines, n]);
        let target = super::dense(&space);
        let results = || storage(&device, dtype, &vec![Scalar::Int(7); lines * n]);
        let (program, expected) = (program(dtype), results());
        reference::run(&program, &space, &given, &[(&*expected, &target)]).unwrap();
        for backend in backends() {
            let found = results();
            backend.run(&program, &space, &given, &[(&*found, &target)]).unwrap();
            assert_eq!(bytes(&found), bytes(&expected), "{dtype}, {lines} × {n}, {apart} apart");
        }
    };
    for dtype in [DType::U8, DType::I16, DType::F16, DType::F32, DType::F64, DType::I64] {
        for apart in 2..=6 {
            for n in [1, 2, 3, 16, 17, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 9_000] {
                check(dtype, [1, n], apart);
                check(dtype, [3, n], apart);
            }
        }
    }
    check(DType::F64, [1, STREAMED / 32 + 1000], 3);
    check(DType::F32, [2, STREAMED / 24 + 1003], 2);
}

/// Lines that nothing is done with, into lines that lie apart, of all lengths and types, in blocks and past the caches.
#[test]
fn lines_are_copied_to_where_they_lie() {
    let copy = |dtype: DType| {
        let mut b = Builder::new();
        for _ in 0..2 {
            let input = b.input(dtype);
            let lanes = b.load(input, Domain::Element);
            b.output(lanes, Domain::Element);
        }
        b.finish()
    };
    for (at, dtype) in DType::STORED.into_iter().enumerate() {
        let program = copy(dtype);
        for extent in [1, 2, 3, 5, 8, 15, 16, 31, 33, 63, 64, 65, 200, 1025] {
            for lines in [2, 7, 16_500 / extent] {
                let gap = (extent + lines + at) % 4;
                let between = (extent * 7 + lines + at) % (2 * extent + 3);
                check(&program, &[lines, extent], extent + between, (extent + gap + 1, gap), 1);
            }
        }
        for dims in [&[3, 5, 40][..], &[2, 300, 3, 7], &[70, 33], &[1, 2, 3, 20]] {
            let extent = dims[dims.len() - 1];
            check(&program, dims, extent, (extent + 1, 1), 1);
            check(&program, dims, extent + 5, (2 * extent, 2), 1);
        }
    }
    for extent in [3, 61, 127, 128, 300] {
        let lines = (STREAMED + (2 << 20)) / 8 / 4 / extent;
        check(&copy(DType::F64), &[lines, extent], extent + 1, (2 * extent, 1), 1);
    }
}
