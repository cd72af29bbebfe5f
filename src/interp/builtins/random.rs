//! Random numbers, from one stream per session: a seed gives the same numbers on every device and
//! for any number of threads.

use half::{bf16, f16};

use super::forms::{Made, Outcome, on_device};
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{
    BinaryOp, CompareOp, Engine, IndexItem, RandomKind, Reduction, ScanOp, Tensor, UnaryOp,
};

const EVERYWHERE: Homes = Homes::LIBRARY.and(Homes::RANDOM);

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("rand(*size, dtype=None, device=None, requires_grad=False)", |call| drawn(call, RandomKind::Uniform))
        .homes(EVERYWHERE)
        .doc("Numbers spread evenly over [0, 1). The shape is one tuple or several integers.")
        .example("rand(2, 3).shape"),
    Builtin::new("random(*size, dtype=None)", |call| drawn(call, RandomKind::Uniform))
        .aliases(&["random_sample", "ranf", "sample"])
        .homes(Homes::RANDOM)
        .doc("Numbers spread evenly over [0, 1).")
        .example("np.random.random((2, 3)).shape"),
    Builtin::new("randn(*size, dtype=None, device=None, requires_grad=False)", |call| drawn(call, RandomKind::Normal))
        .homes(EVERYWHERE)
        .doc("Normally distributed numbers of mean 0 and deviation 1.")
        .example("randn(2, 3).shape"),
    Builtin::new("standard_normal(*size, dtype=None)", |call| drawn(call, RandomKind::Normal))
        .homes(Homes::RANDOM)
        .doc("Normally distributed numbers of mean 0 and deviation 1.")
        .example("np.random.standard_normal(4).shape"),
    Builtin::new("rand_like(x, dtype=None, *, device=None)", |call| like(call, RandomKind::Uniform))
        .doc("Numbers spread evenly over [0, 1) in x's shape and type.")
        .example("rand_like(zeros(3)).shape"),
    Builtin::new("randn_like(x, dtype=None, *, device=None)", |call| like(call, RandomKind::Normal))
        .doc("Normally distributed numbers in x's shape and type.")
        .example("randn_like(zeros(3)).shape"),
    Builtin::new("randint(low, high=None, size=None, dtype=int64, *, device=None)", |call| {
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
    })
    .aliases(&["integers"])
    .homes(EVERYWHERE)
    .doc("Whole numbers from low up to, but not including, high; from 0 if only one is given.")
    .example("randint(0, 10, (2, 3)).shape"),
    Builtin::new("uniform(low=0.0, high=1.0, size=None, *, dtype=None, device=None)", |call| {
        let (low, high, shape) = (call.float("low")?, call.float("high")?, size(call)?);
        let x = draw(call, RandomKind::Uniform, &shape)?;
        Ok(spread(call.engine(), &x, low, high, x.dtype())?.into())
    })
    .homes(EVERYWHERE)
    .doc("Numbers spread evenly over [low, high).")
    .example("uniform(-1, 1, (2, 3)).shape"),
    Builtin::new("normal(loc=0.0, scale=1.0, size=None, *, dtype=None, device=None)", |call| {
        let (engine, shape) = (call.engine(), size(call)?);
        let (loc, scale) = (call.operand("loc")?, call.operand("scale")?);
        if let Some(Scalar::Float(scale)) = call.value("scale").scalar()
            && scale < 0.0
        {
            return Err(call.fault_at("scale", Fault::value_error("scale < 0")));
        }
        let x = draw(call, RandomKind::Normal, &shape)?;
        let spread = engine.binary(BinaryOp::Mul, &x, scale)?;
        Ok(engine.binary(BinaryOp::Add, &spread, loc)?.into())
    })
    .homes(EVERYWHERE)
    .doc("Normally distributed numbers of mean `loc` and deviation `scale`.")
    .example("normal(0, 1, (2, 3)).shape"),
    Builtin::new("exponential(scale=1.0, size=None, *, dtype=None, device=None)", |call| {
        let (engine, shape) = (call.engine(), size(call)?);
        let x = draw(call, RandomKind::Uniform, &shape)?;
        let rest = engine.binary(BinaryOp::Sub, Scalar::Float(1.0), &x)?;
        let log = engine.unary(UnaryOp::Log, &rest)?;
        let scaled = engine.binary(BinaryOp::Mul, &log, Scalar::Float(-call.float("scale")?))?;
        Ok(scaled.into())
    })
    .homes(Homes::RANDOM)
    .doc("Exponentially distributed numbers of mean `scale`.")
    .example("np.random.exponential(1.0, 4).shape"),
    Builtin::new("bernoulli(x)", |call| {
        let (engine, p) = (call.engine(), call.tensor("x")?);
        let x = engine.random(RandomKind::Uniform, p.shape(), engine.default_float())?;
        let hit = engine.compare(CompareOp::Lt, &engine.to_device(&x, p.device())?, &p)?;
        Ok(engine.cast(&hit, p.dtype())?.into())
    })
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
    .homes(EVERYWHERE)
    .doc("The numbers below x in random order, or the slices of x along its first axis.")
    .example("permutation(5).sum()"),
    Builtin::new("randperm(n, *, dtype=int64, device=None)", |call| {
        let count = checked_count(call, call.int("n")?)?;
        let dtype = call.dtype("dtype")?.unwrap_or(DType::I64);
        let made = on_device(call, |engine| engine.cast(&engine.permutation(count)?, dtype));
        Ok(made?.into())
    })
    .doc("The numbers below n in random order.")
    .example("randperm(5).sum()"),
    Builtin::new("shuffle(x)", |call| {
        let (engine, x) = (call.engine(), super::pick::target(call)?);
        if x.rank() == 0 {
            let fault = Fault::type_error("object of type 'tensor' of no axes has no order");
            return Err(call.fault_at("x", fault));
        }
        let order = engine.to_device(&engine.permutation(x.shape()[0])?, x.device())?;
        let mixed = super::pick::select(engine, &x, &order, 0)?;
        call.last_write(|| engine.assign_all(&x, mixed))?;
        Ok(Value::None)
    })
    .homes(Homes::RANDOM)
    .doc("Brings the slices along the first axis into random order. Changes x.")
    .example("x = arange(5)\nnp.random.shuffle(x)\nx.sum()"),
    Builtin::new("choice(x, size=None, replace=True, p=None)", choice)
        .homes(Homes::RANDOM)
        .doc("Elements of x (or of the numbers below it) drawn at random, each with the chance in `p`.")
        .example("np.random.choice(5, 3, replace=False).shape"),
    Builtin::new("multinomial(x, num_samples, replacement=False)", |call| {
        let (engine, p, count) = (call.engine(), call.tensor("x")?, call.int("num_samples")?);
        let count = checked_count(call, count)?;
        Ok(weighted(engine, &p, count, call.bool("replacement")?)?.into())
    })
    .doc("Places drawn with chances in proportion to a row of weights.")
    .example("multinomial(array([0.0, 1.0]), 1)"),
    Builtin::new("seed(seed=None)", seed)
        .aliases(&["manual_seed"])
        .homes(EVERYWHERE.and(Homes::CUDA))
        .doc("Begins the random stream anew: the same calls then give the same numbers on every device.")
        .example("seed(1)\nx = rand(3)\nseed(1)\narray_equal(x, rand(3))"),
    Builtin::new("normal_(x, mean=0.0, std=1.0)", |call| {
        let (mean, std) = (call.float("mean")?, call.float("std")?);
        refill(call, RandomKind::Normal, |engine, x, dtype| {
            let x = engine.binary(BinaryOp::Mul, x, Scalar::Float(std))?;
            engine.cast(&engine.binary(BinaryOp::Add, &x, Scalar::Float(mean))?, dtype)
        })
    })
    .doc("Fills the tensor itself with normally distributed numbers.")
    .example("zeros(3).normal_().shape")
    .only_method(),
    Builtin::new("uniform_(x, low=0.0, high=1.0)", |call| {
        let (low, high) = (call.float("low")?, call.float("high")?);
        refill(call, RandomKind::Uniform, |engine, x, dtype| spread(engine, x, low, high, dtype))
    })
    .doc("Fills the tensor itself with numbers spread evenly over [low, high).")
    .example("zeros(3).uniform_().shape")
    .only_method(),
];

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

fn choice(call: &mut Call<'_>) -> Outcome {
    let (engine, shape) = (call.engine(), size(call)?);
    let from = match call.value("x") {
        Value::Int(_) => None,
        _ => Some(call.tensor("x")?),
    };
    let count = match &from {
        None => call.int("x")?,
        Some(x) if x.rank() == 1 => x.elem_count() as i64,
        Some(_) => return Err(call.fault_at("x", Fault::value_error("a must be 1-dimensional"))),
    };
    let wanted = shape.elem_count();
    if count < 1 && wanted > 0 {
        let fault = Fault::value_error("a must be greater than 0 unless no samples are taken");
        return Err(call.fault_at("x", fault));
    }
    let replace = call.bool("replace")?;
    if !replace && wanted as i64 > count {
        let words = "Cannot take a larger sample than population when 'replace=False'";
        return Err(call.fault_at("size", Fault::value_error(words)));
    }
    let places = match call.optional_tensor("p")? {
        Some(p) => {
            if p.rank() != 1 || p.elem_count() as i64 != count {
                return Err(
                    call.fault_at("p", Fault::value_error("'a' and 'p' must have same size"))
                );
            }
            let sum = engine.item(&engine.reduce(Reduction::Sum, &p, None, false)?)?.as_f64();
            if (sum - 1.0).abs() > 1e-5 {
                return Err(call.fault_at("p", Fault::value_error("probabilities do not sum to 1")));
            }
            weighted(engine, &p, wanted, replace)?
        }
        None if replace => {
            let kind = RandomKind::Integer { low: 0, high: count.max(1) };
            engine.random(kind, &Shape::from([wanted]), DType::I64)?
        }
        None => engine.narrow(&engine.permutation(count as usize)?, 0, 0, wanted, 1)?,
    };
    let places = engine.reshape(&places, &super::forms::lengths(&shape))?;
    match from {
        Some(x) => {
            let places = engine.to_device(&places, x.device())?;
            Ok(engine.index(&x, &[IndexItem::Tensor(places)])?.into())
        }
        None => Ok(engine.copy(&places)?.into()),
    }
}

/// Places drawn by weight: with replacement by the cumulated weights, without by the largest of
/// log(u) / w (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
fn weighted(engine: &Engine, p: &Tensor, count: usize, replace: bool) -> Result<Tensor, Fault> {
    let p = engine.cast(p, DType::F64)?;
    if replace {
        let sums = engine.scan(ScanOp::Sum, &p, Some(0), None)?;
        let total = engine.reduce(Reduction::Sum, &p, None, false)?;
        let u = engine.random(RandomKind::Uniform, &Shape::from([count]), DType::F64)?;
        let u = engine.binary(BinaryOp::Mul, &engine.to_device(&u, p.device())?, &total)?;
        let places = engine.searchsorted(&sums, &u, true)?;
        let last = Scalar::Int(p.elem_count() as i64 - 1);
        return Ok(engine.binary(BinaryOp::Min, &places, last)?);
    }
    let u = engine.random(RandomKind::Uniform, p.shape(), DType::F64)?;
    let rest =
        engine.binary(BinaryOp::Sub, Scalar::Float(1.0), &engine.to_device(&u, p.device())?)?;
    let keys = engine.binary(BinaryOp::Div, &engine.unary(UnaryOp::Log, &rest)?, &p)?;
    if count > p.elem_count() {
        return Err(Fault::value_error("expected at most as many samples as there are weights"));
    }
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
fn spread(engine: &Engine, x: &Tensor, low: f64, high: f64, dtype: DType) -> Made {
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
    let down = |bits: u16| match bits {
        0 | 0x8000 => 0x8001,
        _ if bits & 0x8000 == 0 => bits - 1,
        _ => bits + 1,
    };
    let (near, below) = match dtype {
        DType::F16 => {
            let near = f16::from_f64(bound);
            (near.to_f64(), f16::from_bits(down(near.to_bits())).to_f64())
        }
        DType::BF16 => {
            let near = bf16::from_f64(bound);
            (near.to_f64(), bf16::from_bits(down(near.to_bits())).to_f64())
        }
        DType::F32 => (f64::from(bound as f32), f64::from((bound as f32).next_down())),
        _ => (bound, bound.next_down()),
    };
    if near < bound { near } else { below }
}

fn refill(
    call: &mut Call<'_>,
    kind: RandomKind,
    shaped: impl FnOnce(&Engine, &Tensor, DType) -> Made,
) -> Outcome {
    let (engine, x) = (call.engine(), super::pick::target(call)?);
    let drawn = if x.dtype() == DType::F64 { DType::F64 } else { engine.default_float() };
    let numbers = engine.random(kind, x.shape(), drawn)?;
    let numbers = engine.to_device(&numbers, x.device())?;
    let numbers = shaped(engine, &numbers, x.dtype())?;
    call.last_write(|| engine.assign_all(&x, numbers))?;
    Ok(x.into())
}
