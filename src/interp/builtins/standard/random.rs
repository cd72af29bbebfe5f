//! `random`: the Mersenne Twister, whose streams are CPython's for the same seed.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::convert;
use crate::interp::hash;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room;
use crate::interp::shared::Shared;
use crate::interp::value::{Module, Type, Value};

mod draw;
mod sha512;
mod twister;

pub use twister::Twister;

/// Each function twice: of the module, whose stream the session keeps, and of a `Random`.
macro_rules! both {
    ($(($name:literal, $parameters:literal, $run:expr, $doc:literal))*) => {
        pub const BUILTINS: &[Builtin] = &[
            super::class(
                Module::StandardRandom,
                "Random(seed=None, /)",
                random_object,
                "A stream of random numbers of its own.",
            ),
            $(super::of(
                Module::StandardRandom,
                concat!($name, "(", $parameters, ")"),
                $run,
                $doc,
            ),)*
        ];

        pub const METHODS: &[Builtin] = &[$(
            Builtin::new(concat!($name, "(self, ", $parameters, ")"), $run)
                .homes(Homes::NONE)
                .method_of(Type::Random)
                .doc($doc),
        )*];
    };
}

both! {
    ("seed", "a=None", seed, "Starts the stream anew; the same number or text gives the same numbers.")
    ("random", "", |call| draw::float(call), "A float from 0 up to 1, which is left out.")
    ("getrandbits", "k", bits, "An integer of so many random bits, at most 63.")
    ("uniform", "a, b", draw::uniform, "A float between two numbers.")
    ("triangular", "low=0.0, high=1.0, mode=None", draw::triangular, "A float, likeliest near `mode`.")
    ("randint", "a, b", randint, "An integer from `a` to `b`, both included.")
    ("randrange", "start, stop=None, step=1", randrange, "One of the numbers of a range.")
    ("choice", "seq", choice, "One of a sequence's items.")
    ("choices", "population, weights=None, *, cum_weights=None, k=1", choices, "A list of items, each drawn from all, by weights if there are any.")
    ("shuffle", "x", shuffle, "Puts a list's items in a random order, in place.")
    ("sample", "population, k, *, counts=None", sample, "A list of items at different places of a sequence.")
    ("gauss", "mu=0.0, sigma=1.0", draw::gauss, "A float of a normal distribution.")
    ("normalvariate", "mu=0.0, sigma=1.0", draw::normal, "A float of a normal distribution.")
    ("lognormvariate", "mu, sigma", draw::lognormal, "A float whose logarithm is normal.")
    ("expovariate", "lambd", draw::exponential, "A float of an exponential distribution.")
    ("vonmisesvariate", "mu, kappa", draw::von_mises, "An angle around `mu`.")
    ("gammavariate", "alpha, beta", draw::gamma, "A float of a gamma distribution.")
    ("betavariate", "alpha, beta", draw::beta, "A float of a beta distribution.")
    ("paretovariate", "alpha", draw::pareto, "A float of a Pareto distribution.")
    ("weibullvariate", "alpha, beta", draw::weibull, "A float of a Weibull distribution.")
    ("getstate", "", state, "Where the stream stands, for `setstate`.")
    ("setstate", "state", set_state, "Puts the stream where it stood.")
}

/// A stream of its own.
struct Stream {
    twister: Rc<Shared<Twister>>,
}

impl Part for Stream {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<random.Random object>".to_owned())
    }

    fn fill(&self, evaluator: &Evaluator<'_>, from: &Value) {
        let Some(from) = from.inside::<Stream>() else { return };
        let twister = from.twister.borrow().clone();
        *self.twister.change(&evaluator.interp.journal) = twister;
    }
}

/// The stream that a call draws from.
fn stream(call: &Call<'_>) -> Rc<Shared<Twister>> {
    let signature = call.function.signature();
    let receiver = signature.position("self").and_then(|at| call.value(at).inside::<Stream>());
    match receiver {
        Some(stream) => stream.twister.clone(),
        None => call.evaluator.interp.twister.clone(),
    }
}

/// Draws from the stream of a call.
fn with<T>(call: &Call<'_>, draw: impl FnOnce(&mut Twister) -> T) -> T {
    let stream = stream(call);
    let mut twister = stream.change(&call.evaluator.interp.journal);
    draw(&mut twister)
}

fn random_object(call: &mut Call<'_>) -> Result<Value, Fault> {
    let twister = seeded(call, 0)?;
    Ok(Opaque::value(Type::Random, Stream { twister: Rc::new(twister.into()) }))
}

/// The stream that a seed starts.
fn seeded(call: &Call<'_>, position: usize) -> Result<Twister, Fault> {
    Ok(match call.value(position) {
        Value::None => Twister::from_entropy(),
        Value::Int(seed) => Twister::new(seed.unsigned_abs()),
        Value::Bool(seed) => Twister::new(u64::from(*seed)),
        Value::Float(seed) => Twister::new(hash::of_float(*seed).unsigned_abs()),
        Value::Tensor(_) => Twister::new(call.int(position)?.unsigned_abs()),
        Value::Str(text) => Twister::of_text(text),
        _ => {
            let message =
                "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.";
            return Err(call.fault_at(position, Fault::type_error(message)));
        }
    })
}

fn seed(call: &mut Call<'_>) -> Result<Value, Fault> {
    let position = call.function.signature().position("a").unwrap_or_default();
    let twister = seeded(call, position)?;
    with(call, |stream| *stream = twister);
    Ok(Value::None)
}

fn bits(call: &mut Call<'_>) -> Result<Value, Fault> {
    let count = call.int("k")?;
    if count < 0 {
        let fault = Fault::value_error("number of bits must be non-negative");
        return Err(call.fault_at("k", fault));
    }
    if count > 63 {
        return Err(call.fault_at("k", crate::interp::scalar::too_large("bits")));
    }
    Ok(Value::Int(with(call, |stream| stream.bits(count as u32)) as i64))
}

fn randint(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (call.int("a")?, call.int("b")?);
    let Some(count) = (i128::from(b) - i128::from(a) + 1).try_into().ok().filter(|n| *n > 0) else {
        let message = format!(
            "empty range for randrange() ({a}, {}, {})",
            i128::from(b) + 1,
            i128::from(b) + 1 - i128::from(a)
        );
        return Err(Fault::value_error(message));
    };
    Ok(Value::Int(a.wrapping_add(with(call, |stream| stream.below(count)) as i64)))
}

fn randrange(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (start, stop, step) = match call.optional_int("stop")? {
        None => (0, call.int("start")?, 1),
        Some(stop) => (call.int("start")?, stop, call.int("step")?),
    };
    if step == 0 {
        return Err(call.fault_at("step", Fault::value_error("zero step for randrange()")));
    }
    let range = crate::interp::value::Range { start, stop, step };
    if range.is_empty() {
        let message = match call.is_none("stop") {
            true => "empty range for randrange()".to_owned(),
            false if step == 1 => {
                let width = i128::from(stop) - i128::from(start);
                format!("empty range for randrange() ({start}, {stop}, {width})")
            }
            false => "empty range for randrange()".to_owned(),
        };
        return Err(Fault::value_error(message));
    }
    Ok(Value::Int(range.get(with(call, |stream| stream.below(range.len() as u64)) as usize)))
}

fn choice(call: &mut Call<'_>) -> Result<Value, Fault> {
    let sequence = call.value("seq").clone();
    let len = call.evaluator.len(&sequence).map_err(|error| call.fault_at("seq", error))?;
    if len == 0 {
        let fault = Fault::new(ErrorKind::Index, "Cannot choose from an empty sequence");
        return Err(call.fault_at("seq", fault));
    }
    let at = with(call, |stream| stream.below(len as u64));
    item(call, &sequence, at as usize)
}

/// `sequence[at]`
fn item(call: &Call<'_>, sequence: &Value, at: usize) -> Result<Value, Fault> {
    Ok(match sequence {
        Value::Tensor(tensor) => call.evaluator.element(tensor, at as i64)?.into(),
        _ => call.evaluator.container_index(sequence, &Value::Int(at as i64))?,
    })
}

fn choices(call: &mut Call<'_>) -> Result<Value, Fault> {
    let population = call.evaluator.iterate(call.value("population"))?;
    let count = call.int("k")?.max(0) as usize;
    room::items(call.engine(), count)?;
    let float = |value: &Value| convert::float(call.engine(), value);
    let (weights, ends) = (call.value("weights"), call.value("cum_weights"));
    let ends: Option<Vec<f64>> = match (weights, ends) {
        (Value::None, Value::None) => None,
        (Value::None, ends) => {
            Some(call.evaluator.iterate(ends)?.iter().map(float).collect::<Result<_, _>>()?)
        }
        (weights, Value::None) => {
            let mut total = 0.0;
            let weights = call.evaluator.iterate(weights)?;
            let end = |weight: &Value| {
                total += float(weight)?;
                Ok::<f64, Fault>(total)
            };
            Some(weights.iter().map(end).collect::<Result<_, _>>()?)
        }
        _ => {
            let message = "Cannot specify both weights and cumulative weights";
            return Err(Fault::type_error(message));
        }
    };
    if population.is_empty() {
        let message = "list index out of range";
        return if count == 0 {
            Ok(Value::list(Vec::new()))
        } else {
            Err(Fault::new(ErrorKind::Index, message))
        };
    }
    let Some(ends) = ends else {
        let len = population.len() as f64;
        let drawn = with(call, |stream| {
            let one = |_| Ok::<_, Fault>(population[(stream.float() * len) as usize].clone());
            room::gather(call.engine(), room::ITEM, (0..count).map(one))
        })?;
        return Ok(Value::list(drawn));
    };
    if ends.len() != population.len() {
        return Err(Fault::value_error("The number of weights does not match the population"));
    }
    let total = ends[ends.len() - 1];
    if total <= 0.0 {
        return Err(Fault::value_error("Total of weights must be greater than zero"));
    }
    if !total.is_finite() {
        return Err(Fault::value_error("Total of weights must be finite"));
    }
    let drawn = with(call, |stream| {
        let one = |_| {
            let wanted = stream.float() * total;
            let at = ends.partition_point(|end| *end <= wanted).min(ends.len() - 1);
            Ok::<_, Fault>(population[at].clone())
        };
        room::gather(call.engine(), room::ITEM, (0..count).map(one))
    })?;
    Ok(Value::list(drawn))
}

fn shuffle(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::List(list) = call.value("x").clone() else {
        let found = call.value("x").type_name();
        let message = format!("'{found}' object does not support item assignment");
        return Err(call.fault_at("x", Fault::type_error(message)));
    };
    let mut items = room::copied(call.engine(), &list.borrow())?;
    let mut pace = room::Pace::new(call.engine());
    with(call, |stream| {
        (1..items.len()).rev().try_for_each(|last| {
            items.swap(last, stream.below(last as u64 + 1) as usize);
            pace.step(0)
        })
    })?;
    call.put(&list, items)?;
    Ok(Value::None)
}

/// Ranges of more items are not written out to draw from them.
const LONG: usize = 1 << 12;

fn sample(call: &mut Call<'_>) -> Result<Value, Fault> {
    let population = call.value("population");
    if population.as_dict().is_some() || matches!(population, Value::Set(_) | Value::FrozenSet(_)) {
        let message = "Population must be a sequence.  For dicts or sets, use sorted(d).";
        return Err(call.fault_at("population", Fault::type_error(message)));
    }
    // Of a range that is longer than what is kept of it, items are computed.
    let range = match population {
        Value::Range(range) if range.len() > LONG && call.is_none("counts") => Some(range.clone()),
        _ => None,
    };
    let mut population = match range {
        Some(_) => Vec::new(),
        None => call.evaluator.iterate(population)?,
    };
    if !call.is_none("counts") {
        let counts = call.evaluator.iterate(call.value("counts"))?;
        if counts.len() != population.len() {
            let message = "The number of counts does not match the population";
            return Err(Fault::value_error(message));
        }
        let mut repeated = Vec::new();
        for (item, count) in population.iter().zip(&counts) {
            let count = convert::integer(call.engine(), count)?;
            let Ok(count) = usize::try_from(count) else {
                return Err(Fault::value_error("Counts must be non-negative"));
            };
            room::items(call.engine(), count)?;
            repeated.extend(std::iter::repeat_n(item.clone(), count));
        }
        population = repeated;
    }
    let len = range.as_ref().map_or(population.len(), |range| range.len());
    let wanted = call.int("k")?;
    let Some(count) = usize::try_from(wanted).ok().filter(|count| *count <= len) else {
        let message = "Sample larger than population or is negative";
        return Err(call.fault_at("k", Fault::value_error(message)));
    };
    let mut limit = 21;
    if count > 5 {
        limit += 4usize.pow(((count * 3) as f64).log(4.0).ceil() as u32);
    }
    let engine = call.engine();
    if let Some(range) = range.as_ref().filter(|_| len <= limit) {
        population = call.evaluator.iterate(&Value::Range(range.clone()))?;
    }
    let drawn = with(call, |stream| {
        if len <= limit {
            let one = |left: usize| {
                let at = stream.below(left as u64) as usize;
                let item = population[at].clone();
                population[at] = population[left - 1].clone();
                Ok::<_, Fault>(item)
            };
            return room::gather(engine, room::ITEM, (len - count + 1..=len).rev().map(one));
        }
        let mut taken = rustc_hash::FxHashSet::default();
        let one = |_| {
            let mut at = stream.below(len as u64);
            while !taken.insert(at) {
                at = stream.below(len as u64);
            }
            Ok(match &range {
                Some(range) => Value::Int(range.get(at as usize)),
                None => population[at as usize].clone(),
            })
        };
        room::gather(engine, room::ITEM, (0..count).map(one))
    })?;
    Ok(Value::list(drawn))
}

fn state(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (words, next) = with(call, |stream| stream.state());
    let words = words.into_iter().map(|word| Value::Int(i64::from(word)));
    let next = next.map_or(Value::None, Value::Float);
    Ok(Value::tuple([Value::Int(3), Value::tuple(words.collect::<Vec<_>>()), next]))
}

fn set_state(call: &mut Call<'_>) -> Result<Value, Fault> {
    let wrong = || {
        let message = "state must be what getstate() gave";
        call.fault_at("state", Fault::value_error(message))
    };
    let Value::Tuple(parts) = call.value("state") else { return Err(wrong()) };
    let [Value::Int(3), Value::Tuple(words), next] = &parts[..] else { return Err(wrong()) };
    let next = match next {
        Value::None => None,
        Value::Float(next) => Some(*next),
        _ => return Err(wrong()),
    };
    let word = |value: &Value| match value {
        Value::Int(word) => u32::try_from(*word).ok(),
        _ => None,
    };
    let words: Option<Vec<u32>> = words.iter().map(word).collect();
    let twister = words.and_then(|words| Twister::from_state(&words, next)).ok_or_else(wrong)?;
    with(call, |stream| *stream = twister);
    Ok(Value::None)
}
