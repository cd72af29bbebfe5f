//! Reductions and row programs through the CPU back end.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use genesis_repl::dtype::{DType, Scalar};
use genesis_repl::ir::{BinaryOp, Builder, Domain, Op, Program, ReduceOp, Reg, Space, UnaryOp};
use setup::{device, noise, room, strided};

const SIDE: usize = 4096;

/// A program on one element input; `body` gives the value written once a row.
fn of_rows(body: impl Fn(&mut Builder, Reg) -> Reg) -> Program {
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let x = b.load(input, Domain::Element);
    let value = body(&mut b, x);
    b.output(value, b.domain(value));
    b.finish()
}

fn reduce(b: &mut Builder, op: ReduceOp, value: Reg) -> Reg {
    let dtype = if op.is_arg() { DType::I64 } else { DType::F32 };
    b.push(Op::Reduce(op, value), dtype)
}

fn mean(b: &mut Builder, value: Reg) -> Reg {
    let sum = reduce(b, ReduceOp::Sum, value);
    let n = b.constant(Scalar::Float(SIDE as f64), DType::F32);
    b.push(Op::Binary(BinaryOp::Div, sum, n), DType::F32)
}

fn reductions(c: &mut Criterion) {
    let device = device();
    let (x, out) = (noise(&device, SIDE * SIDE), noise(&device, SIDE * SIDE));
    let positions = room(&device, DType::I64, SIDE);
    let sum = || of_rows(|b, x| reduce(b, ReduceOp::Sum, x));
    let argmax = of_rows(|b, x| reduce(b, ReduceOp::ArgMax, x));
    let variance = of_rows(|b, x| {
        let mean_of_x = mean(b, x);
        let apart = b.push(Op::Binary(BinaryOp::Sub, x, mean_of_x), DType::F32);
        let square = b.push(Op::Unary(UnaryOp::Square, apart), DType::F32);
        mean(b, square)
    });
    let softmax = of_rows(|b, x| {
        let max = reduce(b, ReduceOp::Max, x);
        let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), DType::F32);
        let e = b.push(Op::Unary(UnaryOp::Exp, shifted), DType::F32);
        let sum = reduce(b, ReduceOp::Sum, e);
        b.push(Op::Binary(BinaryOp::Div, e, sum), DType::F32)
    });
    let (side, n) = (SIDE as isize, SIDE * SIDE);
    let by_row = (strided(&[side, 1]), strided(&[1, 0]));
    let by_column = (strided(&[1, side]), strided(&[1, 0]));
    for (name, program, dims, (input, output)) in [
        ("sum_1M", sum(), [1, 1_000_000], by_row.clone()),
        ("sum_16M", sum(), [1, n], by_row.clone()),
        ("sum_rows", sum(), [SIDE, SIDE], by_row.clone()),
        ("sum_cols", sum(), [SIDE, SIDE], by_column),
        ("argmax_rows", argmax, [SIDE, SIDE], by_row.clone()),
        ("var_rows", variance, [SIDE, SIDE], by_row.clone()),
        ("softmax_4096x4096", softmax, [SIDE, SIDE], (strided(&[side, 1]), strided(&[side, 1]))),
    ] {
        let space = Space { dims: dims.as_slice().into(), kept: 1 };
        let target = if name == "argmax_rows" { &positions } else { &out };
        c.bench_function(name, |b| {
            b.iter(|| {
                let run =
                    device.backend().run(&program, &space, &[(&*x, &input)], &[(target, &output)]);
                run.expect("a reduction can't fail");
            });
        });
    }
}

criterion_group!(benches, reductions);
criterion_main!(benches);
