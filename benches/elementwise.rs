//! Maps, gathers and copies through the CPU back end, beside what memory allows.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use genesis_repl::dtype::{DType, Scalar};
use genesis_repl::ir::{Access, BinaryOp, Builder, Domain, Op, Program, Space, UnaryOp};
use setup::{device, noise, room, strided};

const LARGE: usize = 16 << 20;

fn add() -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(DType::F32), b.input(DType::F32)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let sum = b.push(Op::Binary(BinaryOp::Add, x, y), DType::F32);
    b.output(sum, Domain::Element);
    b.finish()
}

/// exp(x * 2 + 1) * y - x / 3
fn chain() -> Program {
    let mut b = Builder::new();
    let inputs = [b.input(DType::F32), b.input(DType::F32)];
    let [x, y] = inputs.map(|input| b.load(input, Domain::Element));
    let [one, two, three] =
        [1.0, 2.0, 3.0].map(|value| b.constant(Scalar::Float(value), DType::F32));
    let mut binary = |op, a, c| b.push(Op::Binary(op, a, c), DType::F32);
    let twice = binary(BinaryOp::Mul, x, two);
    let inner = binary(BinaryOp::Add, twice, one);
    let third = binary(BinaryOp::Div, x, three);
    let e = b.push(Op::Unary(UnaryOp::Exp, inner), DType::F32);
    let scaled = b.push(Op::Binary(BinaryOp::Mul, e, y), DType::F32);
    let value = b.push(Op::Binary(BinaryOp::Sub, scaled, third), DType::F32);
    b.output(value, Domain::Element);
    b.finish()
}

fn copy() -> Program {
    let mut b = Builder::new();
    let input = b.input(DType::F32);
    let x = b.load(input, Domain::Element);
    b.output(x, Domain::Element);
    b.finish()
}

fn maps(c: &mut Criterion) {
    let device = device();
    let (x, y, out) = (noise(&device, LARGE), noise(&device, LARGE), noise(&device, LARGE));
    let flat = strided(&[1]);
    for (name, program, inputs, n) in [
        ("add_tiny", add(), 2, 16),
        ("add_1M", add(), 2, 1_000_000),
        ("add_16M", add(), 2, LARGE),
        ("copy_16M", copy(), 1, LARGE),
        ("chain_1M", chain(), 2, 1_000_000),
        ("chain_16M", chain(), 2, LARGE),
    ] {
        let space = Space { dims: [n].as_slice().into(), kept: 1 };
        let operands = [(&*x, &flat), (&*y, &flat)];
        c.bench_function(name, |b| {
            b.iter(|| {
                let run =
                    device.backend().run(&program, &space, &operands[..inputs], &[(&*out, &flat)]);
                run.expect("a map can't fail");
            });
        });
    }
    let space = Space { dims: [4096, 4096].as_slice().into(), kept: 2 };
    let (turned, rows) = (strided(&[1, 4096]), strided(&[4096, 1]));
    c.bench_function("transpose_copy", |b| {
        b.iter(|| {
            let run = device.backend().run(&copy(), &space, &[(&*x, &turned)], &[(&*out, &rows)]);
            run.expect("a copy can't fail");
        });
    });
    let space = Space { dims: [2048, 1366].as_slice().into(), kept: 2 };
    let (thinned, rows) = (strided(&[8192, 3]), strided(&[1366, 1]));
    c.bench_function("strided_copy", |b| {
        b.iter(|| {
            let run = device.backend().run(&copy(), &space, &[(&*x, &thinned)], &[(&*out, &rows)]);
            run.expect("a copy can't fail");
        });
    });
}

fn gathers(c: &mut Criterion) {
    let device = device();
    let (x, out) = (noise(&device, LARGE), noise(&device, LARGE));
    let n = 4_000_000;
    let index = room(&device, DType::I64, n);
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) as usize % below) as i64
    };
    let fill = |next: &mut dyn FnMut(usize) -> i64, below: usize| {
        let bytes: Vec<u8> = (0..n).flat_map(|_| next(below).to_le_bytes()).collect();
        device.backend().copy_from_host(&bytes, &index, 0).expect("a copy");
    };
    let mut b = Builder::new();
    let (table, at) = (b.input(DType::F32), b.input(DType::I64));
    let at = b.load(at, Domain::Element);
    let value = b.gather(table, &[at], Domain::Element);
    b.output(value, Domain::Element);
    let program = b.finish();
    let flat = strided(&[1]);

    fill(&mut next, LARGE);
    let whole = Access { gathered: [(LARGE, 1)].as_slice().into(), ..strided(&[0]) };
    let space = Space { dims: [n].as_slice().into(), kept: 1 };
    c.bench_function("gather_4M", |b| {
        b.iter(|| {
            let inputs = [(&*x, &whole), (&*index, &flat)];
            device.backend().run(&program, &space, &inputs, &[(&*out, &flat)]).expect("in bounds");
        });
    });
    let rows = LARGE / 64;
    fill(&mut next, rows);
    let of_rows = Access { gathered: [(rows, 64)].as_slice().into(), ..strided(&[0, 1]) };
    let space = Space { dims: [rows, 64].as_slice().into(), kept: 2 };
    let (by_row, dense) = (strided(&[1, 0]), strided(&[64, 1]));
    c.bench_function("gather_rows_64", |b| {
        b.iter(|| {
            let inputs = [(&*x, &of_rows), (&*index, &by_row)];
            device.backend().run(&program, &space, &inputs, &[(&*out, &dense)]).expect("in bounds");
        });
    });
}

criterion_group!(benches, maps, gathers);
criterion_main!(benches);
