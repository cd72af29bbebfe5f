//! What NumPy makes an array of: numbers, ranges, and nested lists and tuples of them, with
//! tensors at any depth.

use num_complex::Complex64;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::room;
use super::value::{Range, Value};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar, complex_of, promote};
use crate::layout::{MAX_RANK, Shape};
use crate::tensor::{Engine, Operand, Tensor};

/// A tensor of the value; of type `dtype` if given, else of the type its numbers need. A tensor
/// is itself, cast if it must be.
///
/// # Errors
/// NumPy's ValueError for ragged lists; TypeError for what is no number.
pub fn to_tensor(engine: &Engine, value: &Value, dtype: Option<DType>) -> Result<Tensor, Fault> {
    made(engine, value, dtype, 0)
}

/// The tensor of a value below `depth` brackets.
fn made(
    engine: &Engine,
    value: &Value,
    dtype: Option<DType>,
    depth: usize,
) -> Result<Tensor, Fault> {
    match value.plain() {
        Value::Tensor(tensor) => match dtype {
            Some(dtype) => Ok(engine.cast(tensor, dtype)?),
            None => Ok(tensor.clone()),
        },
        // Its numbers come from where they are computed, not from here.
        Value::Range(range)
            if dtype.map_or(!range.is_empty() || depth > 0, |it| it == DType::I64) =>
        {
            let Range { start, stop, step } = **range;
            let [start, stop, step] = [start, stop, step].map(Scalar::Int);
            Ok(engine.arange(start, stop, step, Some(DType::I64))?)
        }
        _ => {
            let mut numbers = Numbers::new(engine);
            numbers.none = dtype.and_then(none_as);
            if numbers.collect(value, 0)? {
                return stack(engine, value, dtype, depth);
            }
            let dtype = dtype.unwrap_or_else(|| numbers.dtype(engine.default_float()));
            engine.hear_narrowed(&numbers.values, dtype)?;
            Ok(engine.from_values(&numbers.values, &Shape::from(&numbers.shape[..]), dtype)?)
        }
    }
}

/// A tensor of a value that meets a tensor of type `dtype`: floats, alone or in lists, keep double
/// precision where the other side has it.
pub fn beside(engine: &Engine, value: &Value, dtype: DType) -> Result<Tensor, Fault> {
    if dtype.part() != DType::F64 || matches!(value.plain(), Value::Tensor(_)) {
        return to_tensor(engine, value, None);
    }
    let mut numbers = Numbers::new(engine);
    if numbers.collect(value, 0)? {
        return stack(engine, value, None, 0);
    }
    let dtype = numbers.dtype(DType::F64);
    Ok(engine.from_values(&numbers.values, &Shape::from(&numbers.shape[..]), dtype)?)
}

/// The number that None is among numbers of this type, as in NumPy.
pub fn none_as(dtype: DType) -> Option<Scalar> {
    let complex = Scalar::Complex(Complex64::new(f64::NAN, f64::NAN));
    dtype.is_inexact().then_some(if dtype.is_complex() { complex } else { Scalar::Float(f64::NAN) })
}

/// Lists that were looked into. One may stand in many places, also in itself.
type Seen = FxHashSet<*const ()>;

/// Below so many brackets lists are looked into once only.
const ONCE: usize = 2;

/// The type that the value has as a tensor of its own; below `depth` brackets. Deeper than a tensor
/// has axes, a list can hold itself, and what becomes of it is an error later. `None` for a list that
/// was seen before.
fn dtype_of(engine: &Engine, value: &Value, depth: usize, seen: &mut Seen) -> Option<DType> {
    let value = value.plain();
    match value {
        Value::Tensor(tensor) => return Some(tensor.dtype()),
        Value::Range(range) if !range.is_empty() => return Some(DType::I64),
        Value::List(_) | Value::Tuple(_) if depth <= MAX_RANK => {}
        _ => {
            let float = engine.default_float();
            return Some(value.number().map_or(float, |scalar| scalar.dtype(float)));
        }
    }
    if depth >= ONCE && value.identity().is_some_and(|(place, _)| !seen.insert(place)) {
        return None;
    }
    with_items(value, |items| match items {
        [] => Some(engine.default_float()),
        items => common(engine, items, depth + 1, seen),
    })
    .flatten()
}

/// The type in which the values meet as tensors; `None` of none.
fn common<'a>(
    engine: &Engine,
    values: impl IntoIterator<Item = &'a Value>,
    depth: usize,
    seen: &mut Seen,
) -> Option<DType> {
    values.into_iter().filter_map(|value| dtype_of(engine, value, depth, seen)).reduce(promote)
}

/// The type in which the values of one operation meet: what is no tensor among them is then made
/// with [`beside`], or stays a weak number.
pub fn meeting<'a>(engine: &Engine, values: impl IntoIterator<Item = &'a Value>) -> DType {
    common(engine, values, 0, &mut Seen::default()).unwrap_or(engine.default_float())
}

/// A tensor, or a Python number, which stays weak in promotion; beside operands of type `dtype`.
pub fn operand_beside(engine: &Engine, value: &Value, dtype: DType) -> Result<Operand, Fault> {
    match value.plain().number() {
        Some(scalar) => Ok(Operand::Scalar(scalar)),
        None => beside(engine, value, dtype).map(Operand::Tensor),
    }
}

/// A tensor, or a Python number, which stays weak in promotion.
pub fn to_operand(engine: &Engine, value: &Value) -> Result<Operand, Fault> {
    match value.plain() {
        Value::Tensor(tensor) => Ok(Operand::Tensor(tensor.clone())),
        plain => match plain.number() {
            Some(scalar) => Ok(Operand::Scalar(scalar)),
            None => to_tensor(engine, value, None).map(Operand::Tensor),
        },
    }
}

/// The items of a list or tuple as tensors that meet each other, or of type `dtype`; a tensor is
/// cut along its first axis.
pub fn to_tensors(
    engine: &Engine,
    value: &Value,
    dtype: Option<DType>,
) -> Result<Vec<Tensor>, Fault> {
    let made = |items: &[Value]| {
        let met = meeting(engine, items);
        let one = |item| {
            engine.interrupt().heed()?;
            match dtype {
                Some(dtype) => to_tensor(engine, item, Some(dtype)),
                None => beside(engine, item, met),
            }
        };
        items.iter().map(one).collect()
    };
    match value.plain() {
        Value::Tuple(items) => made(items),
        Value::List(items) => made(&items.borrow()),
        Value::Range(range) => {
            let items = room::gather(
                engine,
                size_of::<Value>(),
                range.iter().map(|at| Ok::<Value, Fault>(Value::Int(at))),
            )?;
            made(&items)
        }
        Value::Tensor(tensor) if tensor.rank() > 0 => {
            let parts = 0..tensor.shape()[0] as i64;
            let tensor = engine.cast(tensor, dtype.unwrap_or(tensor.dtype()))?;
            let part = |at| engine.index(&tensor, &[crate::tensor::IndexItem::Int(at)]);
            room::gather(engine, room::TENSOR, parts.map(|at| part(at).map_err(Fault::from)))
        }
        _ => Err(Fault::type_error(format!(
            "expected a list or tuple of tensors, found {}",
            value.type_name()
        ))),
    }
}

/// The items of a list or tuple, which meet each other and `others`, and of which Python numbers stay weak;
/// those of a tensor along its first axis.
pub fn to_operands(
    engine: &Engine,
    value: &Value,
    others: &[&Value],
) -> Result<Vec<Operand>, Fault> {
    let made = |items: &[Value]| {
        let dtype = meeting(engine, items.iter().chain(others.iter().copied()));
        items.iter().map(|item| operand_beside(engine, item, dtype)).collect()
    };
    match value.plain() {
        Value::Tuple(items) => made(items),
        Value::List(items) => made(&items.borrow()),
        _ => Ok(to_tensors(engine, value, None)?.into_iter().map(Operand::Tensor).collect()),
    }
}

/// Runs `f` over the items of a sequence.
fn with_items<T>(value: &Value, f: impl FnOnce(&[Value]) -> T) -> Option<T> {
    match value.plain() {
        Value::Tuple(items) => Some(f(items)),
        Value::List(items) => Some(f(&items.borrow())),
        Value::Range(range) => Some(f(&range.iter().map(Value::Int).collect::<Vec<_>>())),
        _ => None,
    }
}

/// Numbers met on a walk through nested sequences, in row-major order.
struct Numbers<'a> {
    pace: room::Pace<'a>,
    values: Vec<Scalar>,
    shape: SmallVec<[usize; 6]>,
    /// Whether the depth of the numbers is known: the shape is complete.
    is_deep: bool,
    /// What None is, where it is known that floats are meant.
    none: Option<Scalar>,
    has_complex: bool,
    has_float: bool,
    has_int: bool,
    has_wide: bool,
    has_bool: bool,
}

impl<'a> Numbers<'a> {
    fn new(engine: &'a Engine) -> Numbers<'a> {
        let (pace, is_deep, none) = (room::Pace::new(engine), false, None);
        let (has_complex, has_float, has_int, has_wide, has_bool) = Default::default();
        let (values, shape) = Default::default();
        Numbers {
            pace,
            values,
            shape,
            is_deep,
            none,
            has_complex,
            has_float,
            has_int,
            has_wide,
            has_bool,
        }
    }

    /// Takes in `value`, which stands below `depth` brackets. True if a tensor is in it: then
    /// nothing was collected that counts.
    fn collect(&mut self, value: &Value, depth: usize) -> Result<bool, Fault> {
        let (given, value) = (value, value.plain());
        let none = self.none.filter(|_| matches!(value, Value::None));
        if let Some(scalar) = value.number().or(none) {
            if self.is_deep && depth != self.shape.len() {
                return Err(self.ragged(depth));
            }
            self.is_deep = true;
            match scalar {
                Scalar::Bool(_) => self.has_bool = true,
                Scalar::Int(_) => self.has_int = true,
                Scalar::Wide(_) => self.has_wide = true,
                Scalar::Float(_) => self.has_float = true,
                Scalar::Complex(_) => self.has_complex = true,
            }
            self.pace.step(size_of::<Scalar>())?;
            self.values.push(scalar);
            return Ok(false);
        }
        if depth > MAX_RANK {
            return Err(nested_too_deep());
        }
        if let Value::Range(range) = value {
            room::items(self.pace.engine(), range.len())?;
        }
        with_items(value, |items| {
            if depth == self.shape.len() && !self.is_deep {
                self.shape.push(items.len());
                self.is_deep = items.is_empty();
            } else if self.shape.get(depth) != Some(&items.len()) {
                return Err(self.ragged(depth));
            }
            for item in items {
                if self.collect(item, depth + 1)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .unwrap_or_else(|| match value {
            Value::Tensor(_) => Ok(true),
            _ => Err(Fault::type_error(format!(
                "expected numbers, found {} in what should become a tensor",
                given.type_name()
            ))),
        })
    }

    fn dtype(&self, default_float: DType) -> DType {
        if self.has_complex {
            return complex_of(default_float, default_float);
        }
        match (self.has_float, self.has_int, self.has_wide, self.has_bool) {
            (true, _, _, _) => default_float,
            (false, true, true, _) => promote(DType::I64, DType::U64),
            (false, true, false, _) => DType::I64,
            (false, false, true, _) => DType::U64,
            (false, false, false, true) => DType::Bool,
            (false, false, false, false) => default_float,
        }
    }

    #[cold]
    fn ragged(&self, depth: usize) -> Fault {
        ragged(&self.shape[..depth.min(self.shape.len())])
    }
}

#[cold]
fn ragged(known: &[usize]) -> Fault {
    let axes = known.len();
    Fault::value_error(format!(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape \
         after {axes} dimensions. The detected shape was {} + inhomogeneous part.",
        Shape::from(known)
    ))
}

/// A sequence with tensors in it, below `depth` brackets: its items as tensors of one shape, on top of
/// each other.
fn stack(
    engine: &Engine,
    value: &Value,
    dtype: Option<DType>,
    depth: usize,
) -> Result<Tensor, Fault> {
    if depth > MAX_RANK {
        return Err(nested_too_deep());
    }
    if let Value::Range(range) = value {
        room::things(engine, range.len(), room::TENSOR)?;
    }
    let dtype = dtype
        .or_else(|| dtype_of(engine, value, 0, &mut Seen::default()))
        .unwrap_or(engine.default_float());
    let items = with_items(value, |items| {
        let part = |item| {
            engine.interrupt().heed()?;
            made(engine, item, Some(dtype), depth + 1)
        };
        items.iter().map(part).collect::<Result<Vec<_>, _>>()
    });
    let items = items.unwrap_or_else(|| Ok(Vec::new()))?;
    if let Some(first) = items.first()
        && items.iter().any(|item| item.shape() != first.shape())
    {
        return Err(ragged(&[items.len()]));
    }
    Ok(engine.stack(&items, 0)?)
}

#[cold]
pub(super) fn nested_too_deep() -> Fault {
    let message = format!("a list nested more than {MAX_RANK} deep can't become a tensor");
    Fault::value_error(message)
}
