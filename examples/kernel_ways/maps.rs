//! Programs without reductions.

use genesis_repl::dtype::{DType, Scalar};
use genesis_repl::ir::{Access, BinaryOp, Builder, CompareOp, Domain, Op, Program, Space, UnaryOp};

use super::{Case, access, case, dense, input};

const F32: DType = DType::F32;

pub fn cases() -> Vec<Case> {
    let n = 1 << 26;
    let square = [8192, 8192];
    let mut cases = vec![
        case("copy_64M", copy(F32), &[n], 1, &[]),
        case("copy_f16_64M", copy(DType::F16), &[n], 1, &[]),
        case("copy_u8_256M", copy(DType::U8), &[1 << 28], 1, &[]),
        case("add_1M", add(F32), &[1 << 20], 1, &[]),
        case("add_64M", add(F32), &[n], 1, &[]),
        case("add_f16_64M", add(DType::F16), &[n], 1, &[]),
        case("add_i64_32M", add(DType::I64), &[1 << 25], 1, &[]),
        case("chain_64M", chain(), &[n], 1, &[]),
        case("mask_fill_64M", mask_fill(), &[n], 1, &[]),
        case("to_f16_64M", cast(F32, DType::F16), &[n], 1, &[]),
        case("to_f64_64M", cast(F32, DType::F64), &[n], 1, &[]),
        case("greater_64M", greater(), &[n], 1, &[]),
        case("sin_64M", unary(UnaryOp::Sin, F32), &[n], 1, &[]),
        case("tanh_f16_64M", unary(UnaryOp::Tanh, DType::F16), &[n], 1, &[]),
        case("pow_f64_16M", power(), &[1 << 24], 1, &[]),
        case("add_row_8192", add(F32), &square, 2, &[&[8192, 1], &[0, 1]]),
        case("add_column_8192", add(F32), &square, 2, &[&[8192, 1], &[1, 0]]),
        case("add_row_8191", add(F32), &[8192, 8191], 2, &[&[8191, 1], &[0, 1]]),
        case("add_channels_3", add(F32), &[1 << 24, 3], 2, &[&[3, 1], &[0, 1]]),
        case("inner_8190", inner(), &[8190, 8190], 2, &[&[8192, 1]]),
        case("arange_64M", arange(), &[n], 1, &[]),
    ];
    let mut across = |name, program: Program, dims: &[usize], inputs: &[&[isize]]| {
        let mut case = case(name, program, dims, dims.len(), inputs);
        case.accesses.truncate(case.program.inputs.len());
        case.accesses.push(access(dense(dims, 0..dims.len())));
        cases.push(case);
    };
    across("strided_copy", copy(F32), &[4096, 2731], &[&[16384, 3]]);
    across("every_other_64M", copy(F32), &[n], &[&[2]]);
    across("transpose_8192", copy(F32), &square, &[&[1, 8192]]);
    across("transpose_8191", copy(F32), &[8191, 8190], &[&[1, 8191]]);
    across("transpose_u8_16K", copy(DType::U8), &[16384, 16384], &[&[1, 16384]]);
    across("transpose_f16_8192", copy(DType::F16), &square, &[&[1, 8192]]);
    across("transpose_f64_8192", copy(DType::F64), &square, &[&[1, 8192]]);
    across("transpose_1Mx32", copy(F32), &[32, 1 << 20], &[&[1, 32]]);
    across("transpose_1Mx3", copy(F32), &[3, 1 << 22], &[&[1, 3]]);
    across("add_transposed_8192", add(F32), &square, &[&[8192, 1], &[1, 8192]]);
    let permuted: &[isize] = &[256 * 3136, 1, 256];
    across("channels_first", copy(F32), &[64, 256, 3136], &[permuted]);
    cases.push(gather_rows());
    cases.push(gather());
    cases
}

fn copy(dtype: DType) -> Program {
    cast(dtype, dtype)
}

fn cast(from: DType, to: DType) -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, from);
    let x = b.cast(x, to);
    b.output(x, Domain::Element);
    b.finish()
}

fn unary(op: UnaryOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, dtype);
    let y = b.push(Op::Unary(op, x), dtype);
    b.output(y, Domain::Element);
    b.finish()
}

fn add(dtype: DType) -> Program {
    binary(BinaryOp::Add, dtype)
}

fn power() -> Program {
    binary(BinaryOp::Pow, DType::F64)
}

fn binary(op: BinaryOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let [x, y] = [dtype; 2].map(|dtype| input(&mut b, dtype));
    let value = b.push(Op::Binary(op, x, y), dtype);
    b.output(value, Domain::Element);
    b.finish()
}

/// `exp(x * 2 + 1) * y - x / 3`
fn chain() -> Program {
    let mut b = Builder::new();
    let [x, y] = [F32; 2].map(|dtype| input(&mut b, dtype));
    let [one, two, three] = [1, 2, 3].map(|value| b.constant(Scalar::Int(value), F32));
    let twice = b.push(Op::Binary(BinaryOp::Mul, x, two), F32);
    let more = b.push(Op::Binary(BinaryOp::Add, twice, one), F32);
    let e = b.push(Op::Unary(UnaryOp::Exp, more), F32);
    let product = b.push(Op::Binary(BinaryOp::Mul, e, y), F32);
    let third = b.push(Op::Binary(BinaryOp::Div, x, three), F32);
    let value = b.push(Op::Binary(BinaryOp::Sub, product, third), F32);
    b.output(value, Domain::Element);
    b.finish()
}

/// `where(x > 0.5, 0, x)`
fn mask_fill() -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, F32);
    let [zero, half] = [0.0, 0.5].map(|value| b.constant(Scalar::Float(value), F32));
    let is_large = b.push(Op::Compare(CompareOp::Gt, x, half), DType::Bool);
    let value = b.push(Op::Select(is_large, zero, x), F32);
    b.output(value, Domain::Element);
    b.finish()
}

fn greater() -> Program {
    let mut b = Builder::new();
    let [x, y] = [F32; 2].map(|dtype| input(&mut b, dtype));
    let is_greater = b.push(Op::Compare(CompareOp::Gt, x, y), DType::Bool);
    b.output(is_greater, Domain::Element);
    b.finish()
}

/// Adds one to all but the edges of a matrix.
fn inner() -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, F32);
    let one = b.constant(Scalar::Int(1), F32);
    let more = b.push(Op::Binary(BinaryOp::Add, x, one), F32);
    b.output(more, Domain::Element);
    b.finish()
}

fn arange() -> Program {
    let mut b = Builder::new();
    let position = b.iota(0, Domain::Element);
    let value = b.cast(position, F32);
    b.output(value, Domain::Element);
    b.finish()
}

fn pick() -> Program {
    let mut b = Builder::new();
    let (table, indices) = (b.input(F32), b.input(DType::I64));
    let index = b.load(indices, Domain::Element);
    let value = b.gather(table, &[index], Domain::Element);
    b.output(value, Domain::Element);
    b.finish()
}

/// A million rows of 64, from as many.
fn gather_rows() -> Case {
    let (rows, width) = (1_000_000, 64);
    let gathered = [(rows, width as isize)].as_slice().into();
    let table = Access { gathered, ..access(vec![0, 1]) };
    let accesses = vec![table, access(vec![1, 0]), access(vec![width as isize, 1])];
    let space = Space { dims: [rows, width].as_slice().into(), kept: 2 };
    Case { name: "gather_rows_1Mx64", program: pick(), space, accesses }
}

/// 16 M elements of 64 M.
fn gather() -> Case {
    let table = Access { gathered: [(1 << 26, 1)].as_slice().into(), ..access(vec![0]) };
    let accesses = vec![table, access(vec![1]), access(vec![1])];
    let space = Space { dims: [1 << 24].as_slice().into(), kept: 1 };
    Case { name: "gather_16M", program: pick(), space, accesses }
}
