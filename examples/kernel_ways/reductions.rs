//! Programs with reductions.

use genesis_repl::dtype::{DType, Scalar};
use genesis_repl::ir::{BinaryOp, Builder, CompareOp, Domain, Op, Program, ReduceOp, Reg, UnaryOp};

use super::{Case, case, input};

const F32: DType = DType::F32;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name, program: Program, dims: &[usize], kept: usize, inputs: &[&[isize]]| {
        cases.push(case(name, program, dims, kept, inputs));
    };
    let sum = || reduce(ReduceOp::Sum, F32);
    add("sum_1M", sum(), &[1 << 20], 0, &[]);
    add("sum_64M", sum(), &[1 << 26], 0, &[]);
    add("chain_sum_64M", chain_sum(), &[1 << 26], 0, &[]);
    add("sum_rows_8192", sum(), &[8192, 8192], 1, &[]);
    add("sum_rows_odd", sum(), &[8192, 8191], 1, &[]);
    add("sum_rows_64", sum(), &[1 << 20, 64], 1, &[]);
    add("sum_rows_3", sum(), &[1 << 24, 3], 1, &[]);
    add("sum_columns_8192", sum(), &[8192, 8192], 1, &[&[1, 8192]]);
    add("sum_columns_16", sum(), &[16, 1 << 22], 1, &[&[1, 16]]);
    add("sum_rows_9", sum(), &[1_166_666, 9], 1, &[]);
    add("sum_rows_17", sum(), &[617_647, 17], 1, &[]);
    add("var_rows_9", variance(9), &[1_166_666, 9], 1, &[]);
    add("var_rows_17", variance(17), &[617_647, 17], 1, &[]);
    add("softmax_85", softmax(F32), &[123_529, 85], 1, &[]);
    add("softmax_127", softmax(F32), &[82_677, 127], 1, &[]);
    add("argmax_rows_8192", reduce(ReduceOp::ArgMax, F32), &[8192, 8192], 1, &[]);
    add("argmax_64M", reduce(ReduceOp::ArgMax, F32), &[1 << 26], 0, &[]);
    add("any_256M", reduce(ReduceOp::Max, DType::Bool), &[1 << 28], 0, &[]);
    add("sum_f16_64M", half_sum(), &[1 << 26], 0, &[]);
    add("var_rows_8192", variance(8192), &[8192, 8192], 1, &[]);
    add("var_columns_8192", variance(8192), &[8192, 8192], 1, &[&[1, 8192]]);
    add("softmax_10K", softmax(F32), &[10_000], 0, &[]);
    add("softmax_4096x10K", softmax(F32), &[4096, 10_000], 1, &[]);
    add("softmax_64", softmax(F32), &[1 << 20, 64], 1, &[]);
    add("softmax_30K", softmax(F32), &[1024, 30_000], 1, &[]);
    add("softmax_50K", softmax(F32), &[1024, 50_000], 1, &[]);
    add("softmax_200K", softmax(F32), &[512, 200_000], 1, &[]);
    add("softmax_64M", softmax(F32), &[1 << 26], 0, &[]);
    add("softmax_columns_8192", softmax(F32), &[8192, 8192], 1, &[&[1, 8192]]);
    let channels: &[isize] = &[256 * 3136, 1, 3136];
    add("softmax_channels", softmax(F32), &[64, 3136, 256], 2, &[channels]);
    add("layer_norm_4096", layer_norm(4096), &[8192, 4096], 1, &[&[4096, 1], &[0, 1], &[0, 1]]);
    add("statistics_16M", statistics(), &[1 << 24], 0, &[]);
    add("histogram_16M", histogram(), &[1 << 24], 0, &[]);
    cases
}

fn reduce(op: ReduceOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, dtype);
    let result = b.push(Op::Reduce(op, x), if op.is_arg() { DType::I64 } else { dtype });
    b.output(result, Domain::Row);
    b.finish()
}

fn half_sum() -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, DType::F16);
    let wide = b.cast(x, F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, wide), F32);
    let sum = b.cast(sum, DType::F16);
    b.output(sum, Domain::Row);
    b.finish()
}

fn softmax(dtype: DType) -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, dtype);
    let max = b.push(Op::Reduce(ReduceOp::Max, x), dtype);
    let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), dtype);
    let e = b.push(Op::Unary(UnaryOp::Exp, shifted), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, e), dtype);
    let y = b.push(Op::Binary(BinaryOp::Div, e, sum), dtype);
    b.output(y, Domain::Element);
    b.finish()
}

/// The variance, and each element's distance from the mean.
fn spread(b: &mut Builder, x: Reg, count: usize) -> (Reg, Reg) {
    let count = b.constant(Scalar::Int(count as i64), F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, x), F32);
    let mean = b.push(Op::Binary(BinaryOp::Div, sum, count), F32);
    let distance = b.push(Op::Binary(BinaryOp::Sub, x, mean), F32);
    let square = b.push(Op::Unary(UnaryOp::Square, distance), F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, square), F32);
    (b.push(Op::Binary(BinaryOp::Div, sum, count), F32), distance)
}

fn variance(count: usize) -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, F32);
    let (variance, _) = spread(&mut b, x, count);
    b.output(variance, Domain::Row);
    b.finish()
}

fn layer_norm(count: usize) -> Program {
    let mut b = Builder::new();
    let [x, weight, bias] = [F32; 3].map(|dtype| input(&mut b, dtype));
    let (variance, distance) = spread(&mut b, x, count);
    let small = b.constant(Scalar::Float(1e-5), F32);
    let variance = b.push(Op::Binary(BinaryOp::Add, variance, small), F32);
    let scale = b.push(Op::Unary(UnaryOp::Rsqrt, variance), F32);
    let normal = b.push(Op::Binary(BinaryOp::Mul, distance, scale), F32);
    let scaled = b.push(Op::Binary(BinaryOp::Mul, normal, weight), F32);
    let y = b.push(Op::Binary(BinaryOp::Add, scaled, bias), F32);
    b.output(y, Domain::Element);
    b.finish()
}

/// `sum(exp(x * 2 + 1) * y - x / 3)`
fn chain_sum() -> Program {
    let mut b = Builder::new();
    let [x, y] = [F32; 2].map(|dtype| input(&mut b, dtype));
    let [one, two, three] = [1, 2, 3].map(|value| b.constant(Scalar::Int(value), F32));
    let twice = b.push(Op::Binary(BinaryOp::Mul, x, two), F32);
    let more = b.push(Op::Binary(BinaryOp::Add, twice, one), F32);
    let e = b.push(Op::Unary(UnaryOp::Exp, more), F32);
    let product = b.push(Op::Binary(BinaryOp::Mul, e, y), F32);
    let third = b.push(Op::Binary(BinaryOp::Div, x, three), F32);
    let value = b.push(Op::Binary(BinaryOp::Sub, product, third), F32);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, value), F32);
    b.output(sum, Domain::Row);
    b.finish()
}

/// What the line above a tensor's elements asks for first.
fn statistics() -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, F32);
    let wide = b.cast(x, DType::F64);
    let test = |b: &mut Builder, op| b.push(Op::Unary(op, wide), DType::Bool);
    let finite = test(&mut b, UnaryOp::IsFinite);
    let odd = [UnaryOp::IsNan, UnaryOp::IsInf].map(|op| test(&mut b, op));
    let folds =
        [(ReduceOp::Min, f64::INFINITY), (ReduceOp::Max, f64::NEG_INFINITY), (ReduceOp::Sum, 0.0)];
    let mut results: Vec<Reg> = Vec::new();
    for (op, other) in folds {
        let other = b.constant(Scalar::Float(other), DType::F64);
        let value = b.push(Op::Select(finite, wide, other), DType::F64);
        results.push(b.push(Op::Reduce(op, value), DType::F64));
    }
    for is_odd in odd {
        let one = b.cast(is_odd, DType::I64);
        results.push(b.push(Op::Reduce(ReduceOp::Sum, one), DType::I64));
        results.push(b.push(Op::Reduce(ReduceOp::ArgMax, is_odd), DType::I64));
    }
    results.into_iter().for_each(|result| b.output(result, Domain::Row));
    b.finish()
}

/// What it asks for next.
fn histogram() -> Program {
    let mut b = Builder::new();
    let x = input(&mut b, F32);
    let wide = b.cast(x, DType::F64);
    let finite = b.push(Op::Unary(UnaryOp::IsFinite, wide), DType::Bool);
    let mut results: Vec<Reg> = Vec::new();
    for bin in 1..10 {
        let edge = b.constant(Scalar::Float(f64::from(bin) / 10.0), DType::F64);
        let below = b.push(Op::Compare(CompareOp::Lt, wide, edge), DType::Bool);
        let below = b.push(Op::Binary(BinaryOp::BitAnd, below, finite), DType::Bool);
        let one = b.cast(below, DType::I64);
        results.push(b.push(Op::Reduce(ReduceOp::Sum, one), DType::I64));
    }
    results.into_iter().for_each(|result| b.output(result, Domain::Row));
    b.finish()
}
