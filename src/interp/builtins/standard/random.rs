//! `random`: the Mersenne Twister, whose streams are CPython's for the same seed.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::DType;
use crate::interp::Evaluator;
use crate::interp::convert;
use crate::interp::hash;
use crate::interp::object::bytes::Bytes;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room;
use crate::interp::shared::Shared;
use crate::interp::value::{Module, Type, Value};
use crate::tensor::{HostArray, IndexItem, Tensor};

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
    ("seed", "a=None, version=2", seed, "Starts the stream anew; the same number or text gives the same numbers.")
    ("random", "", |call| draw::float(call), "A float from 0 up to 1, which is left out.")
    ("getrandbits", "k", bits, "An integer of so many random bits, at most 63.")
    ("randbytes", "n", random_bytes, "So many random bytes.")
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
        Value::Str(text) => Twister::of_bytes(text.as_bytes()),
        Value::Opaque(opaque) if let Some(bytes) = opaque.inside::<Bytes>() => {
            Twister::of_bytes(bytes.get())
        }
        _ => {
            let message =
                "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.";
            return Err(call.fault_at(position, Fault::type_error(message)));
        }
    })
}

fn seed(call: &mut Call<'_>) -> Result<Value, Fault> {
    let position = call.function.signature().position("a").unwrap_or_default();
    let twister = match call.value(position).plain() {
        Value::Str(text) if call.int("version")? == 1 => Twister::new(first_hash(text)),
        _ => seeded(call, position)?,
    };
    with(call, |stream| *stream = twister);
    Ok(Value::None)
}

/// The number that Python's first versions made of a text.
fn first_hash(text: &str) -> u64 {
    let first = text.chars().next().map_or(0, |c| u64::from(u32::from(c)) << 7);
    let mixed = |x: u64, c: char| x.wrapping_mul(1_000_003) ^ u64::from(u32::from(c));
    match text.chars().fold(first, mixed) ^ text.chars().count() as u64 {
        u64::MAX => 2,
        x => x,
    }
}

fn random_bytes(call: &mut Call<'_>) -> Result<Value, Fault> {
    let count = call.int("n")?;
    let Ok(count) = usize::try_from(count) else {
        let fault = Fault::value_error("number of bits must be non-negative");
        return Err(call.fault_at("n", fault));
    };
    room::text(call.engine(), count)?;
    let mut bytes = Vec::with_capacity(count);
    with(call, |stream| {
        while bytes.len() < count {
            let some = (count - bytes.len()).min(4);
            bytes.extend_from_slice(&stream.bits(8 * some as u32).to_le_bytes()[..some]);
        }
    });
    Ok(Bytes::value(bytes))
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
        None if call.int("step")? != 1 => {
            let fault = Fault::type_error("Missing a non-None stop argument");
            return Err(call.fault_at("step", fault));
        }
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
    let population = call.value("population").clone();
    let len =
        call.evaluator.len(&population).map_err(|error| call.fault_at("population", error))?;
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
    let Some(ends) = ends else {
        let drawn = places(call, count, |stream, _| Some((stream.float() * len as f64) as usize))?;
        return items_at(call, &population, &drawn);
    };
    if ends.len() != len {
        return Err(Fault::value_error("The number of weights does not match the population"));
    }
    let Some(total) = ends.last().copied() else {
        return Err(Fault::new(ErrorKind::Index, "list index out of range"));
    };
    if total <= 0.0 {
        return Err(Fault::value_error("Total of weights must be greater than zero"));
    }
    if !total.is_finite() {
        return Err(Fault::value_error("Total of weights must be finite"));
    }
    let drawn = places(call, count, |stream, _| {
        let wanted = stream.float() * total;
        Some(ends.partition_point(|end| *end <= wanted).min(ends.len() - 1))
    })?;
    items_at(call, &population, &drawn)
}

/// So many places in a sequence, drawn one after the other; no place stands for another try.
fn places(
    call: &Call<'_>,
    count: usize,
    mut draw: impl FnMut(&mut Twister, usize) -> Option<usize>,
) -> Result<Vec<usize>, Fault> {
    with(call, |stream| {
        let one = |at: usize| loop {
            if let Some(place) = draw(stream, at) {
                break Ok::<_, Fault>(place);
            }
        };
        room::gather(call.engine(), room::ITEM, (0..count).map(one))
    })
}

/// What stands at these places. A program may be asked for it, which may draw from the stream, too.
fn items_at(call: &Call<'_>, sequence: &Value, places: &[usize]) -> Result<Value, Fault> {
    let items = places.iter().map(|at| item(call, sequence, *at));
    Ok(Value::list(room::gather(call.engine(), room::ITEM, items)?))
}

fn shuffle(call: &mut Call<'_>) -> Result<Value, Fault> {
    let sequence = call.value("x").clone();
    let len = call.evaluator.len(&sequence).map_err(|error| call.fault_at("x", error))?;
    if let Value::List(list) = &sequence {
        let mut items = room::copied(call.engine(), &list.borrow())?;
        swaps(call, len, |a, b| {
            items.swap(a, b);
            Ok(())
        })?;
        call.put(list, items)?;
        return Ok(Value::None);
    }
    if let Value::Tensor(tensor) = &sequence {
        return shuffle_tensor(call, tensor, len);
    }
    let mut order = Vec::new();
    swaps(call, len, |a, b| {
        order.push((a, b));
        Ok(())
    })?;
    for (a, b) in order {
        let (first, second) = (item(call, &sequence, a)?, item(call, &sequence, b)?);
        let stored = [(a, second), (b, first)].into_iter().try_for_each(|(at, item)| {
            call.evaluator.assign_item(&sequence, &Value::Int(at as i64), item, false)
        });
        stored.map_err(|error| call.fault_at("x", error))?;
    }
    Ok(Value::None)
}

/// The pairs of places whose items change places, in their order.
fn swaps(
    call: &Call<'_>,
    len: usize,
    mut swap: impl FnMut(usize, usize) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut pace = room::Pace::new(call.engine());
    with(call, |stream| {
        (1..len).rev().try_for_each(|last| {
            swap(last, stream.below(last as u64 + 1) as usize)?;
            pace.step(0)
        })
    })
}

fn shuffle_tensor(call: &Call<'_>, tensor: &Tensor, len: usize) -> Result<Value, Fault> {
    if tensor.rank() != 1 {
        // Python exchanges views, so that rows come twice and others are lost.
        let fault = Fault::type_error("shuffle() takes a tensor of one axis");
        let hint = "`np.random.shuffle(x)` puts rows in a random order";
        return Err(call.fault_at("x", fault.with_hint(hint)));
    }
    let engine = call.engine();
    let mut order: Vec<i64> = (0..len as i64).collect();
    swaps(call, len, |a, b| {
        order.swap(a, b);
        Ok(())
    })?;
    let bytes = order.into_iter().flat_map(i64::to_ne_bytes).collect();
    let order = engine.from_host(&HostArray { dtype: DType::I64, shape: [len].into(), bytes })?;
    let shuffled = engine.index(tensor, &[IndexItem::Tensor(order)])?;
    engine.assign(tensor, &[IndexItem::Ellipsis], &shuffled)?;
    Ok(Value::None)
}

fn sample(call: &mut Call<'_>) -> Result<Value, Fault> {
    let population = call.value("population").clone();
    let is_unordered = population.as_dict().is_some()
        || matches!(population, Value::Set(_) | Value::FrozenSet(_) | Value::View(_));
    let len = call.evaluator.len(&population);
    let (false, Ok(mut len)) = (is_unordered, len) else {
        let message = "Population must be a sequence.  For dicts or sets, use sorted(d).";
        return Err(call.fault_at("population", Fault::type_error(message)));
    };
    let mut ends = Vec::new();
    if !call.is_none("counts") {
        let mut total = 0i64;
        for count in call.evaluator.iterate(call.value("counts"))? {
            let count = convert::integer(call.engine(), &count)?;
            let Some(end) = total.checked_add(count) else {
                return Err(crate::interp::scalar::too_large("the sum of `counts`"));
            };
            total = end;
            ends.push(end);
        }
        if ends.len() != len {
            let message = "The number of counts does not match the population";
            return Err(Fault::value_error(message));
        }
        if total <= 0 {
            return Err(Fault::value_error("Total of counts must be greater than zero"));
        }
        len = total as usize;
    }
    let wanted = call.int("k")?;
    let Some(count) = usize::try_from(wanted).ok().filter(|count| *count <= len) else {
        let message = "Sample larger than population or is negative";
        return Err(call.fault_at("k", Fault::value_error(message)));
    };
    let mut limit = 21;
    if count > 5 {
        limit += 4usize.saturating_pow(((count as f64) * 3.0).log(4.0).ceil() as u32);
    }
    let mut drawn = if len <= limit {
        let mut left: Vec<usize> = room::gather(call.engine(), 8, (0..len).map(Ok::<_, Fault>))?;
        places(call, count, |stream, _| {
            let at = stream.below(left.len() as u64) as usize;
            Some(left.swap_remove(at))
        })?
    } else {
        let mut taken = rustc_hash::FxHashSet::default();
        places(call, count, |stream, _| {
            let at = stream.below(len as u64) as usize;
            taken.insert(at).then_some(at)
        })?
    };
    if !ends.is_empty() {
        let item = |at: &usize| ends.partition_point(|end| *end <= *at as i64);
        drawn = drawn.iter().map(item).collect();
    }
    items_at(call, &population, &drawn)
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
