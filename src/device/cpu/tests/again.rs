//! Launches that come again, elsewhere in memory, in place, and on other threads.

use super::super::{CpuBackend, exec};
use super::{Random, bytes, decode, device, map_space, on_threads, storage};
use crate::device::{Backend, Interrupt, Memo, Storage};
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, BinaryOp, Builder, Domain, Op, Program, ReduceOp, Space};

fn along(offset: usize) -> Access {
    Access { offset, strides: [1].as_slice().into(), ..Access::default() }
}

/// What the first launch decided holds for the next ones only where it must not be decided anew: these lie elsewhere,
/// write over what they read, and reach more or less memory, because inputs may be windows of one tensor.
#[test]
fn what_is_remembered_holds_where_operands_lie_elsewhere() {
    let device = device();
    let mut b = Builder::new();
    let inputs = [b.input(DType::F32), b.input(DType::F32)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let product = b.push(Op::Binary(BinaryOp::Mul, x, y), DType::F32);
    let sum = b.push(Op::Binary(BinaryOp::Add, product, y), DType::F32);
    b.output(sum, Domain::Element);
    let program = b.finish();
    // Three times as many bytes go around the caches, but not twice as many.
    let large = exec::STREAMED / 4 * 2 / 5;
    for count in [1, 1000, 5000, large] {
        let values: Vec<Scalar> =
            (0..count + 7).map(|at| Scalar::Int((at * 7 % 13) as i64)).collect();
        let value = |at: usize| (at * 7 % 13) as f64;
        let space = map_space(&[count]);
        let memo = Memo::default();
        let backend = CpuBackend::new(Interrupt::default());
        for turn in 0..8 {
            let (x, y) =
                (storage(&device, DType::F32, &values), storage(&device, DType::F32, &values));
            let result = storage(&device, DType::F32, &values);
            let (first, second, shift) = match turn {
                0 | 4 => (&x, &y, 0),
                // Windows of one tensor.
                1 | 5 => (&x, &x, 1),
                2 | 6 => (&y, &x, 7),
                _ => (&x, &x, 0),
            };
            let is_in_place = turn % 4 == 3;
            let target: &Storage = if is_in_place { &x } else { &result };
            let (from, to) = (along(0), along(shift));
            let (at, second_at) = (if is_in_place { &from } else { &to }, &to);
            let inputs: [(&Storage, &Access); 2] = [(first, &from), (second, second_at)];
            backend.run_again(&memo, &program, &space, &inputs, &[(target, at)]).unwrap();
            let found = decode(target);
            for place in [0, count / 3, count / 2, count - 1] {
                let (x, y) = (value(place), value(place + shift));
                let at = place + at.offset;
                assert_eq!(found[at], x * y + y, "{count}, turn {turn}, element {place}");
            }
        }
    }
}

/// Sums of squares over two axes of rows that lie side by side in lines, and the squares beside them if `writes`.
fn squares(dtype: DType, writes: bool) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let square = b.push(Op::Binary(BinaryOp::Mul, x, x), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, square), dtype);
    b.output(sum, Domain::Row);
    if writes {
        b.output(square, Domain::Element);
    }
    b.finish()
}

/// Whether several elements of a row are folded at a time, on how many threads, or one after the other because they are
/// overwritten: sums of wide lines have the same bits, and those of narrow ones do not depend on threads.
#[test]
fn sums_of_rows_in_lines_have_the_same_bits() {
    let device = device();
    let mut random = Random(83);
    for (outer, within, line) in [
        (3, 51, 5),
        (2, 900, 31),
        (1, 700, 100),
        (1, 40, 255),
        (1, 400, 256),
        (2, 330, 257),
        (1, 129, 900),
        (1, 70, 2049),
        (1, 33, 5000),
    ] {
        for dtype in [DType::F32, DType::F64] {
            let count = 2 * outer * within * line;
            let number = |_| Scalar::Float(random.below(1000) as f64 / 77.0 - 6.0);
            let values: Vec<Scalar> = (0..count).map(number).collect();
            let space = Space { dims: [outer, line, 2, within].as_slice().into(), kept: 2 };
            let strides = [within * line, 1, outer * within * line, line];
            let strides = strides.map(|stride| stride as isize);
            let access = Access { strides: strides.as_slice().into(), ..Access::default() };
            let of_rows = [line as isize, 1, 0, 0];
            let of_rows = Access { strides: of_rows.as_slice().into(), ..Access::default() };
            let run = |threads: usize, writes: bool| {
                let backend = CpuBackend::new(Interrupt::default());
                let x = storage(&device, dtype, &values);
                let sums = storage(&device, dtype, &vec![Scalar::Int(0); outer * line]);
                let outputs = [(&*sums, &of_rows), (&*x, &access)];
                let outputs = &outputs[..1 + usize::from(writes)];
                let program = squares(dtype, writes);
                let run = || backend.run(&program, &space, &[(&*x, &access)], outputs);
                on_threads(threads, run).unwrap();
                bytes(&sums)
            };
            let case = format!("{dtype}, {outer} × {within} × {line}");
            let alone = run(1, false);
            for threads in [2, 3, 5] {
                assert!(run(threads, false) == alone, "{case}, {threads} threads");
            }
            if line >= exec::LEAST_LANES {
                assert!(run(1, true) == alone, "{case}, one element after the other");
            }
        }
    }
}
