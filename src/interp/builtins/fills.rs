//! Methods that fill a tensor with random numbers, under PyTorch's names.

use super::forms::{Made, Outcome};
use super::random::spread;
use super::streams::drawing;
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::tensor::{BinaryOp, CompareOp, Engine, RandomKind, Tensor, UnaryOp};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("normal_(x, mean=0.0, std=1.0, *, generator=None)", |call| {
        let (mean, std) = (call.float("mean")?, call.float("std")?);
        refill(call, RandomKind::Normal, |engine, x, dtype| {
            engine.cast(&scaled(engine, x, mean, std)?, dtype)
        })
    })
    .doc("Fills the tensor itself with normally distributed numbers.")
    .example("zeros(3).normal_().shape")
    .only_method(),
    Builtin::new("log_normal_(x, mean=1.0, std=2.0, *, generator=None)", |call| {
        let (mean, std) = (call.float("mean")?, call.float("std")?);
        refill(call, RandomKind::Normal, |engine, x, dtype| {
            engine.cast(&engine.unary(UnaryOp::Exp, &scaled(engine, x, mean, std)?)?, dtype)
        })
    })
    .doc("Fills the tensor itself with numbers whose logarithms are normally distributed.")
    .example("zeros(3).log_normal_().shape")
    .only_method(),
    Builtin::new("uniform_(x, low=0.0, high=1.0, *, generator=None)", |call| {
        let (low, high) = (call.float("low")?, call.float("high")?);
        refill(call, RandomKind::Uniform, |engine, x, dtype| spread(engine, x, low, high, dtype))
    })
    .doc("Fills the tensor itself with numbers spread evenly over [low, high).")
    .example("zeros(3).uniform_().shape")
    .only_method(),
    Builtin::new("exponential_(x, lambd=1.0, *, generator=None)", |call| {
        let rate = call.float("lambd")?;
        if rate.is_nan() || rate <= 0.0 {
            let words = format!("exponential_ expects lambda > 0.0, but found lambda={rate}");
            return Err(call.fault_at("lambd", Fault::new(ErrorKind::Runtime, words)));
        }
        refill(call, RandomKind::Uniform, |engine, u, dtype| {
            let x = engine.binary(BinaryOp::Div, &log_of_rest(engine, u)?, Scalar::Float(-rate))?;
            engine.cast(&x, dtype)
        })
    })
    .doc("Fills the tensor itself with exponentially distributed numbers of that rate.")
    .example("zeros(3).exponential_().shape")
    .only_method(),
    Builtin::new("geometric_(x, p, *, generator=None)", |call| {
        let p = call.float("p")?;
        if p.is_nan() || p <= 0.0 || p >= 1.0 {
            let words = format!("geometric_ expects p to be in (0, 1), but got p={p}");
            return Err(call.fault_at("p", Fault::new(ErrorKind::Runtime, words)));
        }
        refill(call, RandomKind::Uniform, |engine, u, dtype| {
            let trials = engine.binary(
                BinaryOp::Div,
                &log_of_rest(engine, u)?,
                Scalar::Float((-p).ln_1p()),
            )?;
            let trials = engine.unary(UnaryOp::Ceil, &trials)?;
            engine.cast(&engine.binary(BinaryOp::Max, &trials, Scalar::Float(1.0))?, dtype)
        })
    })
    .doc("Fills the tensor itself with how many trials of chance p it takes until one succeeds.")
    .example("zeros(3).geometric_(0.5).shape")
    .only_method(),
    Builtin::new("cauchy_(x, median=0.0, sigma=1.0, *, generator=None)", |call| {
        let (median, sigma) = (call.float("median")?, call.float("sigma")?);
        refill(call, RandomKind::Uniform, |engine, u, dtype| {
            let turn = engine.binary(BinaryOp::Sub, u, Scalar::Float(0.5))?;
            let turn = engine.binary(BinaryOp::Mul, &turn, Scalar::Float(std::f64::consts::PI))?;
            let x = engine.unary(UnaryOp::Tan, &turn)?;
            engine.cast(&scaled(engine, &x, median, sigma)?, dtype)
        })
    })
    .doc("Fills the tensor itself with numbers of the Cauchy distribution.")
    .example("zeros(3).cauchy_().shape")
    .only_method(),
    Builtin::new("bernoulli_(x, p=0.5, *, generator=None)", |call| {
        let p = call.float("p")?;
        if !(0.0..=1.0).contains(&p) {
            let words = format!("bernoulli_ expects p to be in [0, 1], but got p={p}");
            return Err(call.fault_at("p", Fault::new(ErrorKind::Runtime, words)));
        }
        refill(call, RandomKind::Uniform, |engine, u, dtype| {
            engine.cast(&engine.compare(CompareOp::Lt, u, Scalar::Float(p))?, dtype)
        })
    })
    .doc("Fills the tensor itself with ones of chance p, and zeros.")
    .example("zeros(3).bernoulli_(1.0)")
    .only_method(),
];

fn scaled(engine: &Engine, x: &Tensor, loc: f64, scale: f64) -> Made {
    let x = engine.binary(BinaryOp::Mul, x, Scalar::Float(scale))?;
    engine.binary(BinaryOp::Add, &x, Scalar::Float(loc))
}

/// log(1 − u), which is finite for all u of [0, 1).
fn log_of_rest(engine: &Engine, u: &Tensor) -> Made {
    engine.unary(UnaryOp::Log, &engine.binary(BinaryOp::Sub, Scalar::Float(1.0), u)?)
}

fn refill(
    call: &mut Call<'_>,
    kind: RandomKind,
    shaped: impl FnOnce(&Engine, &Tensor, DType) -> Made,
) -> Outcome {
    drawing(call, |call| {
        let (engine, x) = (call.engine(), super::pick::target(call)?);
        let drawn = if x.dtype() == DType::F64 { DType::F64 } else { engine.default_float() };
        let numbers = engine.random(kind, x.shape(), drawn)?;
        let numbers = engine.to_device(&numbers, x.device())?;
        let numbers = shaped(engine, &numbers, x.dtype())?;
        call.last_write(|| engine.assign_all(&x, numbers))?;
        Ok(x.into())
    })
}
