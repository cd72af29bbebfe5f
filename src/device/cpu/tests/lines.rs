//! Loops that go from line to line: what is broadcast along one axis of two, windows, and the values of rows.

use super::super::exec::STREAMED;
use super::super::reference;
use super::{Random, backends, bytes, dense, device, map_space, storage};
use crate::device::{Backend, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{
    Access, BinaryOp, Builder, CompareOp, Domain, Op, Program, ReduceOp, Reg, Space, UnaryOp,
};

fn numbers(random: &mut Random, n: usize) -> Vec<Scalar> {
    (0..n).map(|_| Scalar::Int(random.below(40) as i64 - 20)).collect()
}

/// Runs a program at every level, in pieces of storages that have the strides.
fn check(program: &Program, space: &Space, inputs: &[(&Storage, &Access)], outputs: &[Access]) {
    let device = device();
    let results = || -> Vec<_> {
        let of = |(output, access): (&crate::ir::Output, &Access)| {
            let domain = if output.domain == Domain::Row { space.kept } else { space.dims.len() };
            let axes = space.dims[..domain].iter().zip(&access.strides);
            let most: usize = axes.map(|(dim, stride)| (dim - 1) * stride.unsigned_abs()).sum();
            let dtype = program.instr(output.value).dtype;
            storage(&device, dtype, &vec![Scalar::Int(7); access.offset + most + 1])
        };
        program.outputs.iter().zip(outputs).map(of).collect()
    };
    let expected = results();
    let wanted: Vec<_> = expected.iter().map(|storage| &**storage).zip(outputs).collect();
    reference::run(program, space, inputs, &wanted).unwrap();
    for backend in backends() {
        let found = results();
        let targets: Vec<_> = found.iter().map(|storage| &**storage).zip(outputs).collect();
        backend.run(program, space, inputs, &targets).unwrap();
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(bytes(found) == bytes(expected), "{:?}, output {at}, {inputs:?}", space.dims);
        }
    }
}

/// `where(x > z, x·y, z - y)`, and for integers `(x > z) & (y <= x)` beside it.
fn chain(dtype: DType) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype), b.input(dtype)];
    let [x, y, z] = inputs.map(|input| b.load(input, Domain::Element));
    let binary = |b: &mut Builder, op: BinaryOp, left: Reg, right: Reg| {
        b.push(Op::Binary(op, left, right), dtype)
    };
    let product = binary(&mut b, BinaryOp::Mul, x, y);
    let apart = binary(&mut b, BinaryOp::Sub, z, y);
    let is_more = b.push(Op::Compare(CompareOp::Gt, x, z), DType::Bool);
    let chosen = b.push(Op::Select(is_more, product, apart), dtype);
    b.output(chosen, Domain::Element);
    if !dtype.is_float() {
        let is_most = b.push(Op::Compare(CompareOp::Le, y, x), DType::Bool);
        let both = b.push(Op::Binary(BinaryOp::BitAnd, is_more, is_most), DType::Bool);
        b.output(both, Domain::Element);
    }
    b.finish()
}

#[test]
fn lines_of_maps_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(5);
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I64] {
        let program = chain(dtype);
        for (lines, extent) in [
            (1, 40),
            (700, 1),
            (300, 7),
            (90, 15),
            (90, 16),
            (90, 17),
            (70, 31),
            (70, 32),
            (70, 33),
            (40, 130),
            (9, 1024),
            (5, 5000),
            (3, 8192),
            (3, 8193),
            (2, 16_385),
        ] {
            // A window of a matrix, a row and a column, and the other way round.
            let wide = extent + 3;
            let x = storage(&device, dtype, &numbers(&mut random, lines * wide));
            let y = storage(&device, dtype, &numbers(&mut random, extent));
            let z = storage(&device, dtype, &numbers(&mut random, lines));
            let of = |offset, strides: [isize; 2]| Access {
                offset,
                strides: strides.as_slice().into(),
                ..Access::default()
            };
            let window = of(2, [wide as isize, 1]);
            let (row, column) = (of(0, [0, 1]), of(0, [1, 0]));
            let space = map_space(&[lines, extent]);
            let outputs = vec![dense(&space); program.outputs.len()];
            check(&program, &space, &[(&x, &window), (&y, &row), (&z, &column)], &outputs);
            check(&program, &space, &[(&z, &column), (&x, &window), (&y, &row)], &outputs);
            let reversed = of((lines - 1) * wide, [-(wide as isize), 1]);
            check(&program, &space, &[(&y, &row), (&z, &column), (&x, &reversed)], &outputs);
            let gaps = vec![of(1, [wide as isize, 1]); program.outputs.len()];
            check(&program, &space, &[(&x, &window), (&y, &row), (&z, &column)], &gaps);
        }
    }
}

#[test]
fn short_lines_of_large_maps_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(6);
    for dtype in [DType::F32, DType::F64, DType::I32, DType::BF16] {
        let program = chain(dtype);
        for extent in [3, 9, 15, 16, 17, 33] {
            let lines = STREAMED / (2 * extent * dtype.size()) + 5;
            let x = storage(&device, dtype, &numbers(&mut random, lines * extent));
            let z = storage(&device, dtype, &numbers(&mut random, lines + 1));
            let space = map_space(&[lines, extent]);
            let column =
                Access { offset: 1, strides: [1, 0].as_slice().into(), ..Access::default() };
            let whole = dense(&space);
            let outputs = vec![dense(&space); program.outputs.len()];
            check(&program, &space, &[(&x, &whole), (&x, &whole), (&z, &column)], &outputs);
            let apart = vec![Access { offset: 1, ..dense(&space) }; program.outputs.len()];
            check(&program, &space, &[(&x, &whole), (&x, &whole), (&z, &column)], &apart);
        }
    }
}

/// Runs of up to eight bytes and longer ones, in every order of lines and columns, where wider elements may lie and where
/// they may not.
#[test]
fn copies_of_short_runs_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(7);
    for dtype in [DType::U8, DType::Bool, DType::F16, DType::BF16, DType::F32, DType::I64] {
        let mut b = Builder::new();
        let inputs = [b.input(dtype), b.input(dtype)];
        for input in inputs {
            let value = b.load(input, Domain::Element);
            b.output(value, Domain::Element);
        }
        let program = b.finish();
        for run in [1, 2, 3, 4, 8, 16] {
            for [lines, columns] in [[1, 1], [3, 5], [70, 33], [9, 700]] {
                let count = lines * columns * run;
                let x = storage(&device, dtype, &numbers(&mut random, 2 * count + lines + 40));
                let of = |offset: usize, strides: [usize; 3]| Access {
                    offset,
                    strides: strides.map(|stride| stride as isize).as_slice().into(),
                    ..Access::default()
                };
                let space = map_space(&[lines, columns, run]);
                let outputs = vec![dense(&space), dense(&space)];
                let [line, column] = [columns * run, lines * run];
                for offset in [0, 1, run] {
                    let ways = [
                        of(offset, [line, run, 1]),
                        of(offset, [run, column, 1]),
                        of(offset, [0, run, 1]),
                        of(offset, [run, 0, 1]),
                        of(offset, [2 * line, run, 1]),
                        of(offset, [2 * line + 1, run, 1]),
                    ];
                    for way in &ways {
                        check(&program, &space, &[(&x, way), (&x, &ways[0])], &outputs);
                    }
                    let mut back = of(offset + (columns - 1) * run, [line, 0, 1]);
                    back.strides[1] = -(run as isize);
                    check(&program, &space, &[(&x, &back), (&x, &ways[1])], &outputs);
                    let apart = vec![of(offset, [line + run, run, 1]); 2];
                    check(&program, &space, &[(&x, &ways[1]), (&x, &ways[0])], &apart);
                }
            }
        }
    }
}

/// The largest of each row, from which a column is taken, taken from all of it, and a product with the least of that,
/// rounded down or not.
fn rows(dtype: DType, is_dear: bool) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype)];
    let x = b.load(inputs[0], Domain::Element);
    let column = b.load(inputs[1], Domain::Row);
    let x = b.push(Op::Binary(BinaryOp::Sub, x, column), dtype);
    let most = b.push(Op::Reduce(ReduceOp::Max, x), dtype);
    let mut apart = b.push(Op::Binary(BinaryOp::Sub, x, most), dtype);
    if is_dear {
        apart = b.push(Op::Unary(UnaryOp::Floor, apart), dtype);
    }
    let least = b.push(Op::Reduce(ReduceOp::Min, apart), dtype);
    let scaled = b.push(Op::Binary(BinaryOp::Mul, apart, least), dtype);
    let made = b.push(Op::Binary(BinaryOp::Add, scaled, most), dtype);
    b.output(made, Domain::Element);
    b.output(least, Domain::Row);
    b.finish()
}

#[test]
fn values_of_rows_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(6);
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I64] {
        for row_len in [8, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 442, 1024, 1025, 2048, 2049] {
            let count = 4000 / row_len + 2;
            let x = storage(&device, dtype, &numbers(&mut random, count * row_len));
            let z = storage(&device, dtype, &numbers(&mut random, count));
            let space = Space { dims: [count, row_len].as_slice().into(), kept: 1 };
            let element =
                Access { strides: [row_len as isize, 1].as_slice().into(), ..Access::default() };
            let row = Access { strides: [1, 0].as_slice().into(), ..Access::default() };
            for is_dear in [false, dtype.is_float()] {
                let program = rows(dtype, is_dear);
                let inputs: [(&Storage, &Access); 2] = [(&x, &element), (&z, &row)];
                check(&program, &space, &inputs, &[element.clone(), row.clone()]);
            }
        }
    }
}

/// The lines of a row lie apart: other rows' lie between them. The last row is alone in its block.
#[test]
fn rows_of_several_lines_are_those_of_the_reference() {
    let device = device();
    let mut random = Random(7);
    for dtype in [DType::F32, DType::F64, DType::BF16, DType::I32, DType::I64] {
        for (lines, length) in [(2, 16), (3, 33), (40, 17), (5, 130), (2, 1000)] {
            for count in [1, 2, 3, 7, 8] {
                let elements = count * lines * length;
                let x = storage(&device, dtype, &numbers(&mut random, elements));
                let z = storage(&device, dtype, &numbers(&mut random, count));
                let space = Space { dims: [count, lines, length].as_slice().into(), kept: 1 };
                let apart = [length as isize, (count * length) as isize, 1];
                let element = Access { strides: apart.as_slice().into(), ..Access::default() };
                let row = Access { strides: [1, 0, 0].as_slice().into(), ..Access::default() };
                for is_dear in [false, dtype.is_float()] {
                    let program = rows(dtype, is_dear);
                    let inputs: [(&Storage, &Access); 2] = [(&x, &element), (&z, &row)];
                    check(&program, &space, &inputs, &[element.clone(), row.clone()]);
                }
            }
        }
    }
}
