//! Rows of which a loop makes something and adds it up, and what is made of the sums: short rows and long ones, in one
//! block and in many, read as they lie, in steps, backwards, and the same for all rows or all of a row.

use super::super::reference;
use super::{Random, backends, bytes, device, storage};
use crate::device::Backend;
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Reg, Space, UnaryOp};

/// How the second operand is reached.
#[derive(Debug, Clone, Copy)]
enum Lies {
    Dense,
    Apart,
    Backward,
    SameRow,
    SameInRow,
}

/// Sums of what is made of two inputs of whole numbers, and the first input with these; `seed` picks what.
fn program(dtype: DType, row_input: bool, seed: usize) -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(dtype), b.input(dtype)];
    let x = b.load(inputs[0], Domain::Element);
    let y = b.load(inputs[1], if row_input { Domain::Row } else { Domain::Element });
    let push = |b: &mut Builder, op: BinaryOp, left: Reg, right: Reg| {
        b.push(Op::Binary(op, left, right), dtype)
    };
    let made = match seed % 5 {
        0 => push(&mut b, BinaryOp::Mul, x, y),
        1 => {
            let below = push(&mut b, BinaryOp::Sub, x, y);
            b.push(Op::Unary(UnaryOp::Square, below), dtype)
        }
        2 => push(&mut b, BinaryOp::Max, x, y),
        3 => x,
        _ => b.push(Op::Unary(UnaryOp::Abs, x), dtype),
    };
    let sum = b.push(Op::Reduce(ReduceOp::Sum, made), dtype);
    let moved = push(&mut b, BinaryOp::Sub, x, sum);
    let least = b.constant(Scalar::Int(-2), dtype);
    let clipped = push(&mut b, BinaryOp::Max, moved, least);
    let again = b.push(Op::Reduce(ReduceOp::Sum, clipped), dtype);
    b.output(sum, Domain::Row);
    b.output(again, Domain::Row);
    if seed.is_multiple_of(2) {
        let written = push(&mut b, BinaryOp::Add, clipped, y);
        b.output(written, Domain::Element);
    }
    b.finish()
}

fn check(dtype: DType, rows: usize, row_len: usize, lies: Lies, seed: usize) {
    let (device, mut random) = (device(), Random((rows * 4096 + row_len * 7 + seed) as u64));
    let program = program(dtype, matches!(lies, Lies::SameInRow), seed);
    let n = rows * row_len;
    let numbers = |random: &mut Random, n: usize| -> Vec<Scalar> {
        (0..n).map(|_| Scalar::Int(random.below(4) as i64 - 1)).collect()
    };
    let x = storage(&device, dtype, &numbers(&mut random, n));
    let y = storage(&device, dtype, &numbers(&mut random, 2 * n + 1));
    let len = row_len as isize;
    let (strides, offset) = match lies {
        Lies::Dense => ([len, 1], 0),
        Lies::Apart => ([2 * len, 2], 1),
        Lies::Backward => ([-len, -1], n - 1),
        Lies::SameRow => ([0, 1], 3),
        Lies::SameInRow => ([1, 0], 0),
    };
    let access = |strides: [isize; 2], offset: usize| Access {
        strides: strides.as_slice().into(),
        offset,
        ..Access::default()
    };
    let (of_elements, of_rows) = (access([len, 1], 0), access([1, 0], 0));
    let others = access(strides, offset);
    let inputs = [(&*x, &of_elements), (&*y, &others)];
    let space = Space { dims: [rows, row_len].as_slice().into(), kept: 1 };
    let results = || -> Vec<_> {
        let sizes = program.outputs.iter().map(|output| match output.domain {
            Domain::Row => rows,
            Domain::Element => n,
        });
        sizes.map(|size| storage(&device, dtype, &vec![Scalar::Int(7); size])).collect()
    };
    let accesses: Vec<&Access> = (program.outputs.iter())
        .map(|output| if output.domain == Domain::Row { &of_rows } else { &of_elements })
        .collect();
    let expected = results();
    let targets: Vec<_> =
        expected.iter().zip(&accesses).map(|(storage, access)| (&**storage, *access)).collect();
    reference::run(&program, &space, &inputs, &targets).unwrap();
    for backend in backends() {
        let found = results();
        let targets: Vec<_> =
            found.iter().zip(&accesses).map(|(storage, access)| (&**storage, *access)).collect();
        backend.run(&program, &space, &inputs, &targets).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            let case = format!("{dtype}, {rows} × {row_len}, {lies:?}, {seed}");
            assert!(bytes(found) == bytes(expected), "{case}");
        }
    }
}

/// One row or few of them, which threads share in stretches.
#[test]
fn sums_of_long_rows_are_those_of_the_reference() {
    let ways = [Lies::Dense, Lies::Apart, Lies::Backward, Lies::SameRow, Lies::SameInRow];
    let mut seed = 0;
    for dtype in [DType::F32, DType::F64, DType::BF16] {
        for row_len in [2049, 4095, 4096, 4097, 8193, 16_384, 18_433, 32_768, 33_000, 140_000] {
            for lies in ways {
                for rows in [1, 2] {
                    seed += 1;
                    check(dtype, rows, row_len, lies, seed);
                }
            }
        }
    }
}

#[test]
fn sums_of_rows_are_those_of_the_reference() {
    let ways = [Lies::Dense, Lies::Apart, Lies::Backward, Lies::SameRow, Lies::SameInRow];
    let mut seed = 0;
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for row_len in
            [8, 9, 15, 16, 17, 31, 32, 33, 64, 127, 128, 130, 442, 1024, 1025, 2047, 2048]
        {
            for lies in ways {
                for rows in [2, 3, 17] {
                    seed += 1;
                    check(dtype, rows, row_len, lies, seed);
                }
            }
            // Blocks of more rows, and more of them.
            for rows in [1 + 40_000 / row_len, 70_000 / row_len] {
                seed += 1;
                check(dtype, rows, row_len, ways[seed % ways.len()], seed);
            }
        }
    }
}
