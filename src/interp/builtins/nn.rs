//! Activations, normalisation and losses of neural networks, made of lazy operations so that each is
//! one or two fused programs.

use super::forms::{Made, Outcome, as_float};
use super::linalg::row_norm;
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar, promote};
use crate::tensor::{BinaryOp, CompareOp, Engine, Reduction, Tensor, UnaryOp};

/// Rows that map one tensor.
macro_rules! activations {
    ($($name:literal $aliases:tt $run:expr, $doc:literal $example:literal)*) => {
        &[$(
            Builtin::new(concat!($name, "(x)"), |call| Ok($run(call.engine(), &call.tensor("x")?)?.into()))
                .aliases(&$aliases)
                .homes(HOMES)
                .doc($doc)
                .example($example)
                .method()
                .in_place(),
        )*]
    };
}

const HOMES: Homes = Homes::LIBRARY.and(Homes::FUNCTIONAL);

pub const ACTIVATIONS: &[Builtin] = activations! {
    "sigmoid" ["expit"] |e: &Engine, x: &Tensor| e.unary(UnaryOp::Sigmoid, x), "1 / (1 + exp(-x))." "sigmoid(array([0.0, 2.0]))"
    "relu" [] |e: &Engine, x: &Tensor| e.binary(BinaryOp::Max, x, Scalar::Int(0)), "Each element, or 0 below zero." "relu(array([-1.0, 2.0]))"
    "relu6" [] |e: &Engine, x: &Tensor| bounded(e, x, 0.0, 6.0), "Each element kept between 0 and 6." "relu6(array([-1.0, 3.0, 8.0]))"
    "silu" ["swish"] |e: &Engine, x: &Tensor| e.binary(BinaryOp::Mul, x, &e.unary(UnaryOp::Sigmoid, x)?), "x * sigmoid(x)." "silu(array([0.0, 2.0]))"
    "mish" [] mish, "x * tanh(softplus(x))." "mish(array([0.0, 2.0]))"
    "softsign" [] softsign, "x / (1 + |x|)." "softsign(array([-1.0, 3.0]))"
    "logsigmoid" [] |e: &Engine, x: &Tensor| {
        let minus = e.unary(UnaryOp::Neg, &as_float(e, x)?)?;
        e.unary(UnaryOp::Neg, &e.binary(BinaryOp::LogAddExp, &minus, Scalar::Float(0.0))?)
    }, "log(sigmoid(x)), without overflow." "logsigmoid(array([0.0, 2.0]))"
    "hardtanh" [] |e: &Engine, x: &Tensor| bounded(e, x, -1.0, 1.0), "Each element kept between -1 and 1." "hardtanh(array([-3.0, 0.5]))"
    "hardsigmoid" [] |e: &Engine, x: &Tensor| {
        let shifted = e.binary(BinaryOp::Add, x, Scalar::Float(3.0))?;
        e.binary(BinaryOp::Div, &bounded(e, &shifted, 0.0, 6.0)?, Scalar::Float(6.0))
    }, "clip(x + 3, 0, 6) / 6." "hardsigmoid(array([0.0, 1.0]))"
    "hardswish" [] |e: &Engine, x: &Tensor| {
        let shifted = e.binary(BinaryOp::Add, x, Scalar::Float(3.0))?;
        let gate = e.binary(BinaryOp::Div, &bounded(e, &shifted, 0.0, 6.0)?, Scalar::Float(6.0))?;
        e.binary(BinaryOp::Mul, x, &gate)
    }, "x * clip(x + 3, 0, 6) / 6." "hardswish(array([0.0, 1.0]))"
};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("softmax(x, axis=-1, dtype=None)", |call| {
        let x = typed(call)?;
        Ok(softmax(call.engine(), &x, axis(call, &x)?)?.into())
    })
    .homes(HOMES)
    .doc("exp(x) scaled to sum 1 along an axis; large values do not overflow.")
    .example("softmax(array([1.0, 2.0, 3.0]))")
    .method(),
    Builtin::new("log_softmax(x, axis=-1, dtype=None)", |call| {
        let x = typed(call)?;
        Ok(log_softmax(call.engine(), &x, axis(call, &x)?)?.into())
    })
    .homes(HOMES)
    .doc("The logarithm of `softmax`, exact for small probabilities.")
    .example("log_softmax(array([1.0, 2.0, 3.0]))")
    .method(),
    Builtin::new("softmin(x, axis=-1, dtype=None)", |call| {
        let x = typed(call)?;
        let minus = call.engine().unary(UnaryOp::Neg, &x)?;
        Ok(softmax(call.engine(), &minus, axis(call, &x)?)?.into())
    })
    .homes(HOMES)
    .doc("`softmax` of -x.")
    .example("softmin(array([1.0, 2.0, 3.0]))"),
    Builtin::new("logsumexp(x, axis=None, keepdims=False)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let axes = call.axes("axis")?;
        Ok(log_sum_exp(engine, &x, axes.as_deref(), call.bool("keepdims")?)?.into())
    })
    .doc("log(sum(exp(x))) over `axis`, without overflow.")
    .example("logsumexp(array([1000.0, 1000.0]))")
    .method(),
    Builtin::new("gelu(x, approximate='none')", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        match call.str("approximate")? {
            "none" => Ok(gelu(engine, &x)?.into()),
            "tanh" => Ok(gelu_by_tanh(engine, &x)?.into()),
            found => {
                let words = format!("expected 'none' or 'tanh' for `approximate`, found '{found}'");
                Err(call.fault_at("approximate", Fault::value_error(words)))
            }
        }
    })
    .homes(HOMES)
    .doc("x times the normal distribution's share below x; 'tanh' approximates it.")
    .example("gelu(array([-1.0, 0.0, 1.0]))")
    .method()
    .in_place(),
    Builtin::new("leaky_relu(x, negative_slope=0.01)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let scaled = engine.binary(BinaryOp::Mul, &x, Scalar::Float(call.float("negative_slope")?))?;
        let positive = engine.compare(CompareOp::Gt, &x, Scalar::Int(0))?;
        Ok(engine.select(&positive, &x, &scaled)?.into())
    })
    .homes(HOMES)
    .doc("Each element; below zero times `negative_slope`.")
    .example("leaky_relu(array([-1.0, 2.0]))")
    .method()
    .in_place(),
    Builtin::new("elu(x, alpha=1.0)", |call| {
        let alpha = call.float("alpha")?;
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        Ok(elu(engine, &x, alpha, 1.0)?.into())
    })
    .homes(HOMES)
    .doc("Each element; below zero alpha * (exp(x) - 1).")
    .example("elu(array([-1.0, 2.0]))")
    .method()
    .in_place(),
    Builtin::new("selu(x)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        Ok(elu(engine, &x, 1.673_263_242_354_377_2, 1.050_700_987_355_480_5)?.into())
    })
    .homes(HOMES)
    .doc("`elu` with the constants that keep mean 0 and variance 1.")
    .example("selu(array([-1.0, 2.0]))")
    .method()
    .in_place(),
    Builtin::new("softplus(x, beta=1.0)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let beta = Scalar::Float(call.float("beta")?);
        let scaled = engine.binary(BinaryOp::Mul, &x, beta)?;
        Ok(engine.binary(BinaryOp::Div, &softplus(engine, &scaled)?, beta)?.into())
    })
    .homes(HOMES)
    .doc("log(1 + exp(beta * x)) / beta, without overflow.")
    .example("softplus(array([0.0, 100.0]))")
    .method()
    .in_place(),
    Builtin::new("logit(x, eps=None)", |call| {
        let (engine, mut x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        if let Some(eps) = call.optional_float("eps")? {
            x = bounded(engine, &x, eps, 1.0 - eps)?;
        }
        let rest = engine.binary(BinaryOp::Sub, Scalar::Float(1.0), &x)?;
        Ok(engine.unary(UnaryOp::Log, &engine.binary(BinaryOp::Div, &x, &rest)?)?.into())
    })
    .doc("log(x / (1 - x)), the inverse of sigmoid.")
    .example("logit(array([0.5, 0.9]))")
    .method()
    .in_place(),
    Builtin::new("layer_norm(x, normalized_shape=None, weight=None, bias=None, eps=1e-05)", layer_norm)
        .homes(HOMES)
        .doc("Mean 0 and variance 1 over the last axes, as many as `normalized_shape` names (one by default),\nthen times `weight` and plus `bias`.")
        .example("layer_norm(array([[1.0, 2.0, 3.0]]))"),
    Builtin::new("rms_norm(x, normalized_shape=None, weight=None, eps=1e-06)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let axes = normalized(call, &x)?;
        let wide = engine.cast(&x, x.dtype().compute())?;
        let squares = engine.unary(UnaryOp::Square, &wide)?;
        let mean = engine.reduce(Reduction::Mean, &squares, Some(&axes), true)?;
        let mean = engine.binary(BinaryOp::Add, &mean, Scalar::Float(call.float("eps")?))?;
        let scaled = engine.binary(BinaryOp::Mul, &wide, &engine.unary(UnaryOp::Rsqrt, &mean)?)?;
        let mut result = engine.cast(&scaled, x.dtype())?;
        if !call.is_none("weight") {
            result = engine.binary(BinaryOp::Mul, &result, call.operand_beside("weight", &result)?)?;
        }
        Ok(result.into())
    })
    .homes(HOMES)
    .doc("Root mean square 1 over the last axes, then times `weight`.")
    .example("rms_norm(array([[3.0, 4.0]]))"),
    Builtin::new("normalize(x, p=2.0, axis=1, eps=1e-12)", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let (p, axis) = (call.float("p")?, call.int("axis")?);
        let wide = engine.cast(&x, x.dtype().compute())?;
        let norm = row_norm(engine, &wide, p, Some(&[axis]), true)?;
        let norm = engine.binary(BinaryOp::Max, &norm, Scalar::Float(call.float("eps")?))?;
        Ok(engine.cast(&engine.binary(BinaryOp::Div, &wide, &norm)?, x.dtype())?.into())
    })
    .homes(Homes::FUNCTIONAL)
    .doc("Length 1 along an axis.")
    .example("torch.nn.functional.normalize(array([[3.0, 4.0]]))"),
    Builtin::new("one_hot(x, num_classes=-1)", |call| {
        let (engine, x, classes) = (call.engine(), call.tensor("x")?, call.int("num_classes")?);
        if x.dtype().is_float() {
            return Err(call.fault_at("x", Fault::type_error(format!("expected integers, found {}", x.dtype()))));
        }
        let largest = if x.elem_count() == 0 { -1 } else {
            let (low, high) = engine.range_of(&x)?;
            if low.as_i64() < 0 {
                return Err(call.fault_at("x", Fault::value_error("Class values must be non-negative.")));
            }
            high.as_i64()
        };
        let classes = if classes < 0 { largest + 1 } else { classes };
        if classes <= largest {
            return Err(call.fault_at("num_classes", Fault::value_error("Class values must be smaller than num_classes.")));
        }
        let numbers = engine.iota(&[classes as usize].into(), 0)?;
        let equal = engine.compare(CompareOp::Eq, &engine.expand_dims(&x, &[-1])?, &numbers)?;
        Ok(engine.cast(&equal, DType::I64)?.into())
    })
    .homes(HOMES)
    .doc("For each class number a row of zeros with a one at its place.")
    .example("one_hot(array([0, 2]), 3)"),
    Builtin::new("cross_entropy(x, target, reduction='mean')", |call| {
        let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
        let target = call.tensor_beside("target", &x)?;
        let axis = if x.rank() < 2 { 0 } else { 1 };
        let logs = log_softmax(engine, &x, axis)?;
        let losses = if target.dtype().is_float() {
            let product = engine.binary(BinaryOp::Mul, &logs, &target)?;
            engine.reduce(Reduction::Sum, &product, Some(&[axis]), false)?
        } else {
            let at = engine.expand_dims(&target, &[axis])?;
            let picked = super::pick::along(engine, &logs, &at, axis)?;
            engine.squeeze(&picked, Some(&[axis]))?
        };
        reduced(call, &engine.unary(UnaryOp::Neg, &losses)?)
    })
    .homes(HOMES)
    .doc("The mean of -log_softmax(x) at the target classes (integers), or weighed by target probabilities.")
    .example("cross_entropy(array([[2.0, 1.0]]), array([0]))"),
    Builtin::new("nll_loss(x, target, reduction='mean')", |call| {
        let (engine, x, target) = (call.engine(), call.tensor("x")?, call.tensor("target")?);
        let axis = if x.rank() < 2 { 0 } else { 1 };
        let picked = super::pick::along(engine, &x, &engine.expand_dims(&target, &[axis])?, axis)?;
        let losses = engine.unary(UnaryOp::Neg, &engine.squeeze(&picked, Some(&[axis]))?)?;
        reduced(call, &losses)
    })
    .homes(HOMES)
    .doc("The mean of -x at the target classes; x holds logarithms of probabilities.")
    .example("nll_loss(array([[-0.5, -1.0]]), array([0]))"),
    Builtin::new("mse_loss(x, target, reduction='mean')", |call| {
        let (engine, [x, target]) = (call.engine(), call.operands(["x", "target"])?);
        let difference = engine.binary(BinaryOp::Sub, x, target)?;
        reduced(call, &engine.unary(UnaryOp::Square, &difference)?)
    })
    .homes(HOMES)
    .doc("The mean of squared differences.")
    .example("mse_loss(array([1.0, 2.0]), array([1.0, 4.0]))"),
    Builtin::new("l1_loss(x, target, reduction='mean')", |call| {
        let (engine, [x, target]) = (call.engine(), call.operands(["x", "target"])?);
        let difference = engine.binary(BinaryOp::Sub, x, target)?;
        reduced(call, &engine.unary(UnaryOp::Abs, &difference)?)
    })
    .homes(HOMES)
    .doc("The mean of absolute differences.")
    .example("l1_loss(array([1.0, 2.0]), array([1.0, 4.0]))"),
    Builtin::new("binary_cross_entropy(x, target, reduction='mean')", |call| {
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "target"])?);
        let rest = |x: &Tensor| engine.binary(BinaryOp::Sub, Scalar::Float(1.0), x);
        let log = |x: &Tensor| bounded(engine, &engine.unary(UnaryOp::Log, x)?, -100.0, 0.0);
        let yes = engine.binary(BinaryOp::Mul, &y, &log(&x)?)?;
        let no = engine.binary(BinaryOp::Mul, &rest(&y)?, &log(&rest(&x)?)?)?;
        reduced(call, &engine.unary(UnaryOp::Neg, &engine.binary(BinaryOp::Add, &yes, &no)?)?)
    })
    .homes(HOMES)
    .doc("The mean of -(t log x + (1 - t) log(1 - x)) over probabilities x.")
    .example("binary_cross_entropy(array([0.9, 0.1]), array([1.0, 0.0]))"),
    Builtin::new("linear(x, weight, bias=None)", |call| {
        let (engine, [x, weight]) = (call.engine(), call.meeting(["x", "weight"])?);
        let product = engine.matmul(&x, &engine.transpose(&weight)?)?;
        if call.is_none("bias") {
            return Ok(product.into());
        }
        Ok(engine.binary(BinaryOp::Add, &product, call.operand_beside("bias", &product)?)?.into())
    })
    .homes(Homes::FUNCTIONAL)
    .doc("x @ weight.T + bias.")
    .example("torch.nn.functional.linear(ones((1, 2)), ones((3, 2)))"),
    Builtin::new("cosine_similarity(x, y, axis=1, eps=1e-08)", |call| {
        let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
        let met = promote(x.dtype(), y.dtype());
        let (x, y) = (engine.cast(&x, met.compute())?, engine.cast(&y, met.compute())?);
        let axis = [call.int("axis")?];
        let dot = |a: &Tensor, b: &Tensor| {
            engine.reduce(Reduction::Sum, &engine.binary(BinaryOp::Mul, a, b)?, Some(&axis), false)
        };
        let eps = Scalar::Float(call.float("eps")?);
        let length = |x: &Tensor| {
            engine.binary(BinaryOp::Max, &engine.unary(UnaryOp::Sqrt, &dot(x, x)?)?, eps)
        };
        let both = engine.binary(BinaryOp::Mul, &length(&x)?, &length(&y)?)?;
        let cosine = engine.binary(BinaryOp::Div, &dot(&x, &y)?, &both)?;
        Ok(if met.is_inexact() { engine.cast(&cosine, met)? } else { cosine }.into())
    })
    .homes(HOMES)
    .doc("The cosine of the angle between rows along an axis.")
    .example("cosine_similarity(array([[1.0, 0.0]]), array([[1.0, 1.0]]))"),
];

/// The operand as a float, in the type that the call asks for.
fn typed(call: &Call<'_>) -> Result<Tensor, Fault> {
    Ok(as_float(call.engine(), &call.tensor_in("x", call.dtype("dtype")?)?)?)
}

fn axis(call: &Call<'_>, x: &Tensor) -> Result<i64, Fault> {
    let axis = call.axis("axis")?.unwrap_or(-1);
    x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
    Ok(axis)
}

pub(super) fn softmax(engine: &Engine, x: &Tensor, axis: i64) -> Made {
    let largest = engine.reduce(Reduction::Max, x, Some(&[axis]), true)?;
    let powers = engine.unary(UnaryOp::Exp, &engine.binary(BinaryOp::Sub, x, &largest)?)?;
    let sum = engine.reduce(Reduction::Sum, &powers, Some(&[axis]), true)?;
    engine.binary(BinaryOp::Div, &powers, &sum)
}

fn log_softmax(engine: &Engine, x: &Tensor, axis: i64) -> Made {
    let largest = engine.reduce(Reduction::Max, x, Some(&[axis]), true)?;
    let shifted = engine.binary(BinaryOp::Sub, x, &largest)?;
    let powers = engine.unary(UnaryOp::Exp, &shifted)?;
    let sum = engine.reduce(Reduction::Sum, &powers, Some(&[axis]), true)?;
    engine.binary(BinaryOp::Sub, &shifted, &engine.unary(UnaryOp::Log, &sum)?)
}

fn log_sum_exp(engine: &Engine, x: &Tensor, axes: Option<&[i64]>, keepdims: bool) -> Made {
    let largest = engine.reduce(Reduction::Max, x, axes, true)?;
    // An infinite maximum would make NaN of the difference.
    let finite = engine.unary(UnaryOp::IsFinite, &largest)?;
    let shift = engine.select(&finite, &largest, Scalar::Float(0.0))?;
    let powers = engine.unary(UnaryOp::Exp, &engine.binary(BinaryOp::Sub, x, &shift)?)?;
    let sum = engine.reduce(Reduction::Sum, &powers, axes, true)?;
    let result = engine.binary(BinaryOp::Add, &engine.unary(UnaryOp::Log, &sum)?, &shift)?;
    if keepdims {
        return Ok(result);
    }
    match axes {
        Some(axes) => engine.squeeze(&result, Some(axes)),
        None => engine.reshape(&result, &[]),
    }
}

fn bounded(engine: &Engine, x: &Tensor, low: f64, high: f64) -> Made {
    let x = engine.binary(BinaryOp::Max, x, Scalar::Float(low))?;
    engine.binary(BinaryOp::Min, &x, Scalar::Float(high))
}

fn softplus(engine: &Engine, x: &Tensor) -> Made {
    engine.binary(BinaryOp::LogAddExp, x, Scalar::Float(0.0))
}

fn mish(engine: &Engine, x: &Tensor) -> Made {
    let x = as_float(engine, x)?;
    engine.binary(BinaryOp::Mul, &x, &engine.unary(UnaryOp::Tanh, &softplus(engine, &x)?)?)
}

fn softsign(engine: &Engine, x: &Tensor) -> Made {
    let size = engine.unary(UnaryOp::Abs, x)?;
    engine.binary(BinaryOp::Div, x, &engine.binary(BinaryOp::Add, &size, Scalar::Int(1))?)
}

fn elu(engine: &Engine, x: &Tensor, alpha: f64, scale: f64) -> Made {
    let below = engine.unary(UnaryOp::Expm1, x)?;
    let below = engine.binary(BinaryOp::Mul, &below, Scalar::Float(alpha))?;
    let positive = engine.compare(CompareOp::Gt, x, Scalar::Int(0))?;
    let either = engine.select(&positive, x, &below)?;
    if scale == 1.0 {
        Ok(either)
    } else {
        engine.binary(BinaryOp::Mul, &either, Scalar::Float(scale))
    }
}

fn gelu(engine: &Engine, x: &Tensor) -> Made {
    let root = Scalar::Float(std::f64::consts::FRAC_1_SQRT_2);
    let erf = engine.unary(UnaryOp::Erf, &engine.binary(BinaryOp::Mul, x, root)?)?;
    let share = engine.binary(BinaryOp::Add, &erf, Scalar::Float(1.0))?;
    let half = engine.binary(BinaryOp::Mul, x, Scalar::Float(0.5))?;
    engine.binary(BinaryOp::Mul, &half, &share)
}

/// Hendrycks and Gimpel, "Gaussian error linear units", 2016.
fn gelu_by_tanh(engine: &Engine, x: &Tensor) -> Made {
    let cube = engine.binary(BinaryOp::Mul, &engine.unary(UnaryOp::Square, x)?, x)?;
    let cube = engine.binary(BinaryOp::Mul, &cube, Scalar::Float(0.044_715))?;
    let inner = engine.binary(BinaryOp::Add, x, &cube)?;
    let factor = Scalar::Float((2.0 / std::f64::consts::PI).sqrt());
    let tanh = engine.unary(UnaryOp::Tanh, &engine.binary(BinaryOp::Mul, &inner, factor)?)?;
    let share = engine.binary(BinaryOp::Add, &tanh, Scalar::Float(1.0))?;
    let half = engine.binary(BinaryOp::Mul, x, Scalar::Float(0.5))?;
    engine.binary(BinaryOp::Mul, &half, &share)
}

/// The last axes, as many as `normalized_shape` has lengths, which must agree.
fn normalized(call: &Call<'_>, x: &Tensor) -> Result<Vec<i64>, Fault> {
    let wanted = if call.is_none("normalized_shape") {
        x.shape().last().map(|extent| *extent as i64).into_iter().collect()
    } else {
        call.ints("normalized_shape")?
    };
    let count = wanted.len();
    let fits = count > 0
        && count <= x.rank()
        && x.shape()[x.rank() - count..].iter().zip(&wanted).all(|(a, b)| *a as i64 == *b);
    if !fits {
        let words = format!(
            "expected a tensor whose last axes are {:?}, found shape {}",
            &wanted[..],
            x.shape()
        );
        return Err(call.fault_at("x", Fault::value_error(words)));
    }
    Ok((-(count as i64)..0).collect())
}

fn layer_norm(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), as_float(call.engine(), &call.tensor("x")?)?);
    let axes = normalized(call, &x)?;
    let mean = engine.reduce(Reduction::Mean, &x, Some(&axes), true)?;
    let variance = engine.reduce(Reduction::Var { ddof: 0.0 }, &x, Some(&axes), true)?;
    let variance = engine.binary(BinaryOp::Add, &variance, Scalar::Float(call.float("eps")?))?;
    let away = engine.binary(BinaryOp::Sub, &x, &mean)?;
    let mut result =
        engine.binary(BinaryOp::Mul, &away, &engine.unary(UnaryOp::Rsqrt, &variance)?)?;
    if !call.is_none("weight") {
        result = engine.binary(BinaryOp::Mul, &result, call.operand_beside("weight", &result)?)?;
    }
    if !call.is_none("bias") {
        result = engine.binary(BinaryOp::Add, &result, call.operand_beside("bias", &result)?)?;
    }
    Ok(result.into())
}

fn reduced(call: &Call<'_>, losses: &Tensor) -> Outcome {
    let engine = call.engine();
    match call.str("reduction")? {
        "mean" => Ok(engine.reduce(Reduction::Mean, losses, None, false)?.into()),
        "sum" => Ok(engine.reduce(Reduction::Sum, losses, None, false)?.into()),
        "none" => Ok(losses.clone().into()),
        found => {
            let words =
                format!("expected 'mean', 'sum' or 'none' for `reduction`, found '{found}'");
            Err(call.fault_at("reduction", Fault::value_error(words)))
        }
    }
}
