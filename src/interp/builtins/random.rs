//! Random numbers, from one stream per session: a seed gives the same numbers on every device and
//! for any number of threads. Generators, with streams of their own, and NumPy's distributions are written in
//! the language (`library/random/`), over the draws in `streams.rs`.

use super::forms::{Made, Outcome, on_device};
use super::streams::drawing;
use super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::value::{Module, Value};
use crate::layout::{Shape, broadcast_shapes};
use crate::tensor::{
    BinaryOp, CompareOp, Engine, Operand, RandomKind, Reduction, ScanOp, Tensor, UnaryOp,
};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("rand(*size, dtype=None, device=None, requires_grad=False, generator=None)", |call| {
        drawing(call, |call| drawn(call, RandomKind::Uniform))
    })
        .doc("Numbers spread evenly over [0, 1). The shape is one tuple or several integers.")
        .example("rand(2, 3).shape"),
    Builtin::new("randn(*size, dtype=None, device=None, requires_grad=False, generator=None)", |call| {
        drawing(call, |call| drawn(call, RandomKind::Normal))
    })
        .doc("Normally distributed numbers of mean 0 and deviation 1.")
        .example("randn(2, 3).shape"),
    Builtin::new("rand_like(x, dtype=None, *, device=None)", |call| like(call, RandomKind::Uniform))
        .doc("Numbers spread evenly over [0, 1) in x's shape and type.")
        .example("rand_like(zeros(3)).shape"),
    Builtin::new("randn_like(x, dtype=None, *, device=None)", |call| like(call, RandomKind::Normal))
        .doc("Normally distributed numbers in x's shape and type.")
        .example("randn_like(zeros(3)).shape"),
    Builtin::new("randint(low, high=None, size=None, dtype=int64, *, device=None, generator=None)", |call| {
        drawing(call, randint)
    })
    .doc("Whole numbers from low up to, but not including, high; from 0 if only one is given.")
    .example("randint(0, 10, (2, 3)).shape"),
    Builtin::new("uniform(low=0.0, high=1.0, size=None, *, dtype=None, device=None)", |call| {
        let (low, high, shape) = (call.float("low")?, call.float("high")?, size(call)?);
        let x = draw(call, RandomKind::Uniform, &shape)?;
        Ok(spread(call.engine(), &x, low, high, x.dtype())?.into())
    })
    .doc("Numbers spread evenly over [low, high).")
    .example("uniform(-1, 1, (2, 3)).shape"),
    Builtin::new("normal(loc=0.0, scale=1.0, size=None, *, dtype=None, device=None, generator=None)", |call| {
        drawing(call, normal)
    })
    .doc("Normally distributed numbers of mean `loc` and deviation `scale`.")
    .example("normal(0, 1, (2, 3)).shape"),
    Builtin::new("bernoulli(x, *, generator=None)", |call| drawing(call, bernoulli))
    .doc("1 with the probability that stands in x, else 0.")
    .example("bernoulli(ones(3))")
    .method(),
    Builtin::new("dropout(x, p=0.5, training=True)", |call| {
        let (engine, x, p) = (call.engine(), call.tensor("x")?, call.float("p")?);
        if !(0.0..=1.0).contains(&p) {
            let words = format!("dropout probability has to be between 0 and 1, but got {p}");
            return Err(call.fault_at("p", Fault::value_error(words)));
        }
        if !call.bool("training")? || p == 0.0 {
            return Ok(x.into());
        }
        let chance = engine.random(RandomKind::Uniform, x.shape(), DType::F32)?;
        let kept = engine.compare(CompareOp::Ge, &engine.to_device(&chance, x.device())?, Scalar::Float(p))?;
        let scaled = engine.binary(BinaryOp::Div, &x, Scalar::Float((1.0 - p).max(f64::MIN_POSITIVE)))?;
        Ok(engine.select(&kept, &scaled, Scalar::Int(0))?.into())
    })
    .homes(Homes::LIBRARY.and(Homes::FUNCTIONAL))
    .doc("Each element 0 with probability p, else scaled so that the mean stays.")
    .example("dropout(ones(3), 0.0)"),
    Builtin::new("permutation(x)", |call| {
        let engine = call.engine();
        if let Value::Int(count) = call.value("x") {
            return Ok(engine.permutation(checked_count(call, *count)?)?.into());
        }
        let x = call.tensor("x")?;
        if x.rank() == 0 {
            let fault = Fault::value_error("x must be an integer or at least 1-dimensional");
            return Err(call.fault_at("x", fault));
        }
        let order = engine.permutation(x.shape()[0])?;
        Ok(super::pick::select(engine, &x, &engine.to_device(&order, x.device())?, 0)?.into())
    })
    .doc("The numbers below x in random order, or the slices of x along its first axis.")
    .example("permutation(5).sum()"),
    Builtin::new("randperm(n, *, dtype=int64, device=None, generator=None)", |call| {
        drawing(call, |call| {
            let count = checked_count(call, call.int("n")?)?;
            let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
            let made = on_device(call, |engine| engine.cast(&engine.permutation(count)?, dtype));
            Ok(made?.into())
        })
    })
    .doc("The numbers below n in random order.")
    .example("randperm(5).sum()"),
    Builtin::new("multinomial(x, num_samples, replacement=False, *, generator=None)", |call| {
        drawing(call, multinomial)
    })
    .doc("Places drawn with chances in proportion to a row of weights, or to each of several rows.")
    .example("multinomial(array([0.0, 1.0]), 1)")
    .method(),
    Builtin::new("manual_seed(seed)", |call| {
        let seed = call.int("seed")? as u64;
        call.engine().seed(seed);
        let generator = call.evaluator.in_module(Module::Torch, "default_generator")?;
        Ok(generator.unwrap_or(Value::None))
    })
    .homes(Homes::LIBRARY.and(Homes::RANDOM).and(Homes::CUDA))
    .doc("Begins the random stream anew, as `seed` does; gives the generator of that stream.")
    .example("manual_seed(1).initial_seed()"),
    Builtin::new("seed(seed=None)", seed)
        .homes(Homes::LIBRARY.and(Homes::RANDOM).and(Homes::CUDA))
        .doc("Begins the random stream anew: the same calls then give the same numbers on every device.")
        .example("seed(1)\nx = rand(3)\nseed(1)\narray_equal(x, rand(3))"),
];

fn randint(call: &mut Call<'_>) -> Outcome {
    let high = call.value("high").clone();
    // PyTorch leaves the low end out: `randint(10, (2, 3))`.
    if high.is_sequence() && call.is_none("size") {
        let shape = super::create::asked_shape(call, "high")?;
        return integers(call, 0, call.int("low")?, shape);
    }
    let (low, high) = match high {
        Value::None => (0, call.int("low")?),
        _ => (call.int("low")?, call.int("high")?),
    };
    let shape = size(call)?;
    integers(call, low, high, shape)
}

fn normal(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    if let Some(Scalar::Float(scale)) = call.value("scale").scalar()
        && scale < 0.0
    {
        return Err(call.fault_at("scale", Fault::value_error("scale < 0")));
    }
    let (loc, scale) = (call.operand("loc")?, call.operand("scale")?);
    let shape = if call.is_none("size") {
        // Each element of means and deviations has a number of its own.
        let shapes = [&loc, &scale].map(|operand| match operand {
            Operand::Tensor(tensor) => tensor.shape().clone(),
            Operand::Scalar(_) => Shape::scalar(),
        });
        broadcast_shapes(&[&shapes[0], &shapes[1]])?
    } else {
        size(call)?
    };
    let x = draw(call, RandomKind::Normal, &shape)?;
    let spread = engine.binary(BinaryOp::Mul, &x, scale)?;
    Ok(engine.binary(BinaryOp::Add, &spread, loc)?.into())
}

fn bernoulli(call: &mut Call<'_>) -> Outcome {
    let (engine, p) = (call.engine(), call.tensor("x")?);
    let x = engine.random(RandomKind::Uniform, p.shape(), engine.default_float())?;
    let hit = engine.compare(CompareOp::Lt, &engine.to_device(&x, p.device())?, &p)?;
    Ok(engine.cast(&hit, p.dtype())?.into())
}

/// PyTorch's words for weights that nothing can be drawn by.
fn multinomial(call: &mut Call<'_>) -> Outcome {
    let (engine, p, count) = (call.engine(), call.tensor("x")?, call.int("num_samples")?);
    let replace = call.bool("replacement")?;
    let refuse =
        |key: &'static str, words: &str| call.fault_at(key, Fault::new(ErrorKind::Runtime, words));
    if !matches!(p.rank(), 1 | 2) {
        return Err(refuse("x", "prob_dist must be 1 or 2 dim"));
    }
    let places = p.shape()[p.rank() - 1];
    if count <= 0 {
        return Err(refuse("num_samples", "cannot sample n_sample <= 0 samples"));
    }
    if !replace && count as u64 > places as u64 {
        let words = "cannot sample n_sample > prob_dist.size(-1) samples without replacement";
        return Err(refuse("num_samples", words));
    }
    let p = engine.cast(&p, DType::F64)?;
    let least = engine.reduce(Reduction::Min, &p, None, false)?;
    let sums = engine.reduce(Reduction::Sum, &p, Some(&[-1]), false)?;
    let poorest = engine.reduce(Reduction::Min, &sums, None, false)?;
    let (least, poorest) = (engine.item(&least)?.as_f64(), engine.item(&poorest)?.as_f64());
    let is_weight = least >= 0.0 && poorest.is_finite();
    if !is_weight {
        let words = "probability tensor contains either `inf`, `nan` or element < 0";
        return Err(refuse("x", words));
    }
    if poorest <= 0.0 {
        return Err(refuse("x", "invalid multinomial distribution (sum of probabilities <= 0)"));
    }
    Ok(weighted(engine, &p, count as usize, replace)?.into())
}

fn drawn(call: &mut Call<'_>, kind: RandomKind) -> Outcome {
    let shape = call.shape(0usize)?;
    Ok(draw(call, kind, &shape)?.into())
}

fn draw(call: &Call<'_>, kind: RandomKind, shape: &Shape) -> Result<Tensor, Fault> {
    let dtype = call.dtype("dtype")?.unwrap_or_else(|| call.engine().default_float());
    if !dtype.is_float() {
        let fault = Fault::type_error(format!("random numbers of dtype {dtype} are not defined"));
        return Err(call.fault_at("dtype", fault.with_hint("`randint` gives integers")));
    }
    let made = |engine: &Engine| -> Made { engine.random(kind, shape, dtype) };
    if call.function.signature().position("device").is_none() {
        return Ok(made(call.engine())?);
    }
    Ok(on_device(call, made)?)
}

fn like(call: &mut Call<'_>, kind: RandomKind) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let dtype = call.dtype("dtype")?.unwrap_or(x.dtype());
    if !dtype.is_float() {
        let fault = Fault::type_error(format!("random numbers of dtype {dtype} are not defined"));
        return Err(call.fault_at("x", fault));
    }
    let device = call.device("device")?.unwrap_or_else(|| x.device().clone());
    Ok(engine.to_device(&engine.random(kind, x.shape(), dtype)?, &device)?.into())
}

/// NumPy's `size`: None is a single number.
fn size(call: &Call<'_>) -> Result<Shape, Fault> {
    if call.is_none("size") {
        Ok(Shape::scalar())
    } else {
        super::create::asked_shape(call, "size")
    }
}

fn integers(call: &Call<'_>, low: i64, high: i64, shape: Shape) -> Outcome {
    if low >= high {
        return Err(call.fault_at("low", Fault::value_error("low >= high")));
    }
    let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
    if let Some((least, most)) = dtype.integer_range() {
        if i128::from(low) < least {
            let fault = Fault::value_error(format!("low is out of bounds for {dtype}"));
            return Err(call.fault_at("low", fault));
        }
        if i128::from(high) - 1 > most {
            let fault = Fault::value_error(format!("high is out of bounds for {dtype}"));
            return Err(call.fault_at("high", fault));
        }
    }
    let made = on_device(call, |engine| {
        let x = engine.random(RandomKind::Integer { low, high }, &shape, DType::I64)?;
        engine.cast(&x, dtype)
    });
    Ok(made?.into())
}

fn checked_count(call: &Call<'_>, count: i64) -> Result<usize, Fault> {
    usize::try_from(count).map_err(|_| {
        call.fault_at(0usize, Fault::value_error("negative dimensions are not allowed"))
    })
}

/// Places along the last axis drawn by weight: with replacement by the cumulated weights, without by the largest of
/// log(u) / w (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
fn weighted(engine: &Engine, p: &Tensor, count: usize, replace: bool) -> Result<Tensor, Fault> {
    let last = p.rank() - 1;
    let mut shape = p.shape().clone();
    let places = shape[last];
    if replace {
        shape[last] = count;
        let sums = engine.scan(ScanOp::Sum, p, Some(-1), None)?;
        let total = engine.narrow(&sums, last, places - 1, 1, 1)?;
        let u = engine.random(RandomKind::Uniform, &shape, DType::F64)?;
        let u = engine.binary(BinaryOp::Mul, &engine.to_device(&u, p.device())?, &total)?;
        let at = if last == 0 {
            engine.searchsorted(&sums, &u, true)?
        } else {
            // How many of a row's sums are not above.
            let (sums, u) = (engine.expand_dims(&sums, &[1])?, engine.expand_dims(&u, &[2])?);
            let is_below = engine.compare(CompareOp::Le, &sums, &u)?;
            engine.reduce(Reduction::Sum, &is_below, Some(&[-1]), false)?
        };
        return Ok(engine.binary(BinaryOp::Min, &at, Scalar::Int(places as i64 - 1))?);
    }
    let u = engine.random(RandomKind::Uniform, &shape, DType::F64)?;
    let rest =
        engine.binary(BinaryOp::Sub, Scalar::Float(1.0), &engine.to_device(&u, p.device())?)?;
    let keys = engine.binary(BinaryOp::Div, &engine.unary(UnaryOp::Log, &rest)?, p)?;
    Ok(engine.topk(&keys, count, -1, true)?.1)
}

fn seed(call: &mut Call<'_>) -> Outcome {
    let seed = match call.value("seed") {
        Value::None => std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |elapsed| elapsed.as_nanos() as u64),
        _ => {
            let seed = call.int("seed")?;
            u64::try_from(seed).map_err(|_| {
                call.fault_at("seed", Fault::value_error("Seed must be between 0 and 2**63 - 1"))
            })?
        }
    };
    call.engine().seed(seed);
    Ok(Value::None)
}

/// Numbers that lie evenly over [0, 1), over [low, high): rounded to `dtype`, none reaches `high`.
pub fn spread(engine: &Engine, x: &Tensor, low: f64, high: f64, dtype: DType) -> Made {
    let (_, largest) = super::math::float_range(x.dtype());
    let scaled = if (high - low).abs() <= largest {
        let scaled = engine.binary(BinaryOp::Mul, x, Scalar::Float(high - low))?;
        engine.binary(BinaryOp::Add, &scaled, Scalar::Float(low))?
    } else {
        // The width is no number of the type, but either end is.
        let rest = engine.binary(BinaryOp::Sub, Scalar::Float(1.0), x)?;
        let below = engine.binary(BinaryOp::Mul, &rest, Scalar::Float(low))?;
        let above = engine.binary(BinaryOp::Mul, x, Scalar::Float(high))?;
        engine.binary(BinaryOp::Add, &below, &above)?
    };
    let scaled = engine.cast(&scaled, dtype)?;
    if !dtype.is_float() || low >= high {
        return Ok(scaled);
    }
    let last = largest_below(high, dtype).max(low);
    engine.binary(BinaryOp::Min, &scaled, Scalar::Float(last))
}

/// The largest number of a float type that is smaller.
fn largest_below(bound: f64, dtype: DType) -> f64 {
    let held = |value: f64| Scalar::Float(value).held_as(dtype).as_f64();
    let near = held(bound);
    match dtype.format() {
        _ if near < bound => near,
        Some(format) if dtype.size() <= 2 => {
            if bound > format.max {
                return format.max;
            }
            let power = (near.abs().log2().floor() as i32).max(format.least());
            let step = 2f64.powi(power - format.fraction);
            // Below a power of two the numbers stand twice as close.
            let nearer = near - step / 2.0;
            if held(nearer) == nearer { nearer } else { near - step }
        }
        _ if dtype == DType::F32 => f64::from((near as f32).next_down()),
        _ => bound.next_down(),
    }
}
