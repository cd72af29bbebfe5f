//! Arithmetic on values: Python's on its own types, NumPy's as soon as a tensor takes part.

use std::rc::Rc;

use super::builtins::union_of;
use super::object::bytes::Bytes;
use super::value::Type;
use super::{Evaluator, Value, array_like, complex, convert, long_text, percent, room, scalar};
use crate::dtype::{DType, Scalar};
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::tensor::{self, Called, Engine, Error, Operand, Operands, Tensor};

impl Evaluator<'_> {
    pub(super) fn binary(&self, op: BinaryOp, lhs: &Value, rhs: &Value) -> Result<Value, Error> {
        if matches!(lhs, Value::Tensor(_)) || matches!(rhs, Value::Tensor(_)) {
            if let (BinaryOp::Mod, Value::Str(format)) = (op, lhs) {
                return Ok(Value::str(percent::format(self, format, rhs)?));
            }
            if let (BinaryOp::Mod, Some(format)) = (op, Bytes::of(lhs)) {
                return percent::format_bytes(self, format.get(), rhs);
            }
            if op == BinaryOp::Mul
                && let Some((sequence, times)) = repetition(lhs, rhs)
            {
                return self.repeat(sequence, times);
            }
            if matches!(lhs, Value::Object(_)) || matches!(rhs, Value::Object(_)) {
                return self.binary_object(op, lhs, rhs);
            }
            if op == BinaryOp::Mul
                && let Some(repeated) = self.repeated_bytes(lhs, rhs)?
            {
                return Ok(repeated);
            }
            let engine = &self.interp.engine;
            let result = match engine.hears_float_errors() {
                true => {
                    engine.called(called(op, lhs, rhs), || tensor_binary(engine, op, lhs, rhs))?
                }
                false => tensor_binary(engine, op, lhs, rhs)?,
            };
            self.tell_float_errors()?;
            return Ok(Value::Tensor(result));
        }
        if let Some(result) = complex::binary(op, lhs, rhs) {
            return Ok(result?);
        }
        if let (Some(left), Some(right)) = (lhs.scalar(), rhs.scalar()) {
            return Ok(scalar::binary(op, left, right)?.into());
        }
        if matches!(lhs, Value::Object(_)) || matches!(rhs, Value::Object(_)) {
            return self.binary_object(op, lhs, rhs);
        }
        self.sequence_binary(op, lhs, rhs)
    }

    /// Bytes as often as a tensor without axes says; None where there are no bytes.
    fn repeated_bytes(&self, lhs: &Value, rhs: &Value) -> Result<Option<Value>, Error> {
        for (one, other, is_reflected) in [(lhs, rhs, false), (rhs, lhs, true)] {
            if let Value::Opaque(opaque) = one
                && opaque.of == Type::Bytes
            {
                return opaque.part().binary(self, BinaryOp::Mul, other, is_reflected);
            }
        }
        Ok(None)
    }

    pub(super) fn unary_value(&self, op: UnaryOp, value: &Value) -> Result<Value, Error> {
        let engine = &self.interp.engine;
        match (value, value.scalar()) {
            (Value::Tensor(tensor), _) => Ok(Value::Tensor(match op {
                UnaryOp::Neg if tensor.is_scalar() && engine.hears_float_errors() => {
                    let called = Some(Called { name: "negative", is_scalar: true });
                    let negative = engine.called(called, || negative(engine, tensor))?;
                    self.tell_float_errors()?;
                    negative
                }
                UnaryOp::Neg => negative(engine, tensor)?,
                UnaryOp::Pos => positive(engine, tensor)?.as_scalar(true),
                UnaryOp::Invert => engine.unary(tensor::UnaryOp::Not, tensor)?,
                UnaryOp::Not => return Ok(Value::Bool(!self.truth(value)?)),
            })),
            (Value::Complex(number), _) => Ok(complex::unary(op, **number)?),
            (_, Some(scalar)) => Ok(scalar::unary(op, scalar)?.into()),
            (Value::Object(_), _) => self.unary_object(op, value),
            (Value::Opaque(opaque), _) if let Some(done) = opaque.part().unary(self, op)? => {
                Ok(done)
            }
            _ => Err(Error::type_error(format!(
                "bad operand type for unary {}: '{}'",
                symbol(op),
                value.type_name()
            ))),
        }
    }

    #[inline(never)]
    pub(super) fn sequence_binary(
        &self,
        op: BinaryOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Value, Error> {
        match (op, lhs, rhs) {
            (BinaryOp::Add, Value::Str(a), Value::Str(b)) => {
                Ok(Value::str(long_text::joined(&self.interp.engine, &[a, b])?))
            }
            (BinaryOp::Add, Value::List(a), Value::List(b)) => {
                Ok(Value::list(self.joined(&a.borrow(), &b.borrow())?))
            }
            (BinaryOp::Add, Value::Tuple(a), Value::Tuple(b)) => {
                Ok(Value::tuple(self.joined(a, b)?))
            }
            (BinaryOp::Add, Value::Str(_) | Value::List(_) | Value::Tuple(_), _) => {
                let (name, found) = (lhs.type_name(), rhs.type_name());
                Err(Error::type_error(format!(
                    "can only concatenate {name} (not \"{found}\") to {name}"
                )))
            }
            (BinaryOp::Mul, Value::Str(_) | Value::List(_) | Value::Tuple(_), _) => {
                self.repeat(lhs, rhs)
            }
            (BinaryOp::Mul, Value::Opaque(opaque), _)
                if let Some(done) = opaque.part().binary(self, op, rhs, false)? =>
            {
                Ok(done)
            }
            (BinaryOp::Mul, _, Value::Str(_) | Value::List(_) | Value::Tuple(_)) => {
                self.repeat(rhs, lhs)
            }
            (BinaryOp::Mod, Value::Str(format), _) => {
                Ok(Value::str(percent::format(self, format, rhs)?))
            }
            (BinaryOp::BitOr, Value::Dict(a), Value::Dict(b)) => {
                let engine = &self.interp.engine;
                let mut entries = room::copied_entries(engine, &a.borrow())?;
                match a.borrow().speaks() || b.borrow().speaks() {
                    true => entries.extend(self.aligned_entries(a, b.borrow().clone())?),
                    false => room::extend(engine, &mut entries, &b.borrow())?,
                }
                Ok(Value::Dict(Rc::new(entries.into())))
            }
            _ => self.library_binary(op, lhs, rhs),
        }
    }

    /// Operators of sets, counters, dictionaries with something added, and types.
    #[inline(never)]
    fn library_binary(&self, op: BinaryOp, lhs: &Value, rhs: &Value) -> Result<Value, Error> {
        if let Some(set) = self.set_binary(op, lhs, rhs)? {
            return Ok(set);
        }
        for (one, other, is_reflected) in [(lhs, rhs, false), (rhs, lhs, true)] {
            if let Value::Opaque(opaque) = one
                && let Some(done) = opaque.part().binary(self, op, other, is_reflected)?
            {
                return Ok(done);
            }
        }
        if op == BinaryOp::BitOr {
            if let Some(union) = union_of(self, lhs, rhs) {
                return Ok(union);
            }
            if let (Some(a), Some(b)) = (lhs.as_dict(), rhs.as_dict()) {
                return self.binary(op, &Value::Dict(a.clone()), &Value::Dict(b.clone()));
            }
        }
        Err(unsupported(op.symbol(), lhs, rhs))
    }

    fn joined(&self, a: &[Value], b: &[Value]) -> Result<Vec<Value>, Error> {
        Ok(room::joined(&self.interp.engine, a, b)?)
    }

    fn repeat(&self, sequence: &Value, times: &Value) -> Result<Value, Error> {
        let times = match times {
            Value::Int(times) => *times,
            Value::Wide(_) => convert::integer(&self.interp.engine, times)?,
            Value::Bool(flag) => i64::from(*flag),
            Value::Tensor(number) if number.dtype().is_integer() && number.rank() == 0 => {
                convert::narrow(self.interp.engine.item(number)?)?
            }
            _ => {
                let name = match times {
                    Value::Tensor(number) if number.is_scalar() => scalar_name(number),
                    _ => times.type_name().to_string(),
                };
                return Err(Error::type_error(format!(
                    "can't multiply sequence by non-int of type '{name}'"
                )));
            }
        };
        let times = times.max(0) as usize;
        let engine = &self.interp.engine;
        match sequence {
            Value::Str(text) => Ok(Value::str(room::repeated(engine, text, times)?)),
            Value::List(items) => {
                Ok(Value::list(room::repeated_items(engine, &items.borrow(), times)?))
            }
            Value::Tuple(items) => Ok(Value::tuple(room::repeated_items(engine, items, times)?)),
            _ => Ok(sequence.clone()),
        }
    }
}

/// What `*` repeats and how often, where one of NumPy's scalars meets one of Python's sequences: an array
/// without axes multiplies its items.
fn repetition<'a>(lhs: &'a Value, rhs: &'a Value) -> Option<(&'a Value, &'a Value)> {
    let is_scalar = |value: &Value| matches!(value, Value::Tensor(it) if it.is_scalar());
    let is_sequence =
        |value: &Value| matches!(value, Value::List(_) | Value::Tuple(_) | Value::Str(_));
    match (is_scalar(lhs) && is_sequence(rhs), is_sequence(lhs) && is_scalar(rhs)) {
        (true, _) => Some((rhs, lhs)),
        (_, true) => Some((lhs, rhs)),
        _ => None,
    }
}

/// NumPy's name for the type of one of its scalars.
pub(super) fn scalar_name(scalar: &Tensor) -> String {
    format!("numpy.{}", scalar.dtype())
}

/// The engine's operation for an operator; `None` for `@`.
pub(super) fn engine_op(op: BinaryOp) -> Option<tensor::BinaryOp> {
    Some(match op {
        BinaryOp::Add => tensor::BinaryOp::Add,
        BinaryOp::Sub => tensor::BinaryOp::Sub,
        BinaryOp::Mul => tensor::BinaryOp::Mul,
        BinaryOp::Div => tensor::BinaryOp::Div,
        BinaryOp::FloorDiv => tensor::BinaryOp::FloorDiv,
        BinaryOp::Mod => tensor::BinaryOp::Mod,
        BinaryOp::Pow => tensor::BinaryOp::Pow,
        BinaryOp::BitAnd => tensor::BinaryOp::BitAnd,
        BinaryOp::BitOr => tensor::BinaryOp::BitOr,
        BinaryOp::BitXor => tensor::BinaryOp::BitXor,
        BinaryOp::Shl => tensor::BinaryOp::Shl,
        BinaryOp::Shr => tensor::BinaryOp::Shr,
        BinaryOp::MatMul => return None,
    })
}

/// A value beside another operand: numbers stay weak, sequences become tensors where a tensor lies,
/// in double precision if it has that.
pub(super) fn operand(engine: &Engine, value: &Value, beside: &Value) -> Result<Operand, Error> {
    if let Some(scalar) = value.number() {
        return Ok(Operand::Scalar(scalar));
    }
    let made = match (value, beside) {
        (Value::Tensor(tensor), _) => tensor.clone(),
        (_, Value::Tensor(beside)) => engine.on_device(beside.device().clone(), || {
            array_like::beside(engine, value, beside.dtype())
        })?,
        _ => array_like::beside(engine, value, DType::Bool)?,
    };
    Ok(Operand::Tensor(made))
}

/// A value to be stored in elements of a tensor: numbers are checked when they are stored, those in
/// sequences at once.
pub(super) fn stored(engine: &Engine, value: &Value, target: &Tensor) -> Result<Operand, Error> {
    let dtype = target.dtype();
    let none = || matches!(value, Value::None).then(|| array_like::none_as(dtype)).flatten();
    match (value, value.number().or_else(none)) {
        (_, Some(scalar)) => Ok(Operand::Scalar(scalar)),
        (Value::Tensor(tensor), _) => Ok(Operand::Tensor(tensor.clone())),
        _ => {
            let made = || array_like::to_tensor(engine, value, Some(dtype));
            Ok(Operand::Tensor(engine.on_device(target.device().clone(), made)?))
        }
    }
}

/// What NumPy calls an operation of scalars in errors; None where an array takes part, or a bool goes ahead.
#[cold]
pub(super) fn called(op: BinaryOp, lhs: &Value, rhs: &Value) -> Option<Called> {
    let is_array = |value: &&Value| match value {
        Value::Tensor(tensor) => !tensor.is_scalar(),
        other => other.number().is_none(),
    };
    let is_bool = |value: &Value| matches!(value, Value::Tensor(x) if x.dtype() == DType::Bool);
    let goes_ahead = if let Value::Tensor(_) = lhs { lhs } else { rhs };
    if [lhs, rhs].iter().any(is_array) || is_bool(goes_ahead) || !meet_as_scalars(lhs, rhs) {
        return None;
    }
    let name = match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "subtract",
        BinaryOp::Mul => "multiply",
        BinaryOp::Div => "divide",
        BinaryOp::FloorDiv => "floor_divide",
        BinaryOp::Mod => "remainder",
        BinaryOp::Pow => "power",
        _ => return None,
    };
    Some(Called { name, is_scalar: true })
}

/// Whether NumPy computes with two scalars as such: one of them is of a type that holds both. What else
/// they are is left to what computes with arrays.
fn meet_as_scalars(lhs: &Value, rhs: &Value) -> bool {
    let holds = |x: &Tensor, number: &Value| match number.number() {
        Some(Scalar::Float(_)) => x.dtype().is_inexact(),
        Some(Scalar::Complex(_)) => x.dtype().is_complex(),
        _ => true,
    };
    match (lhs, rhs) {
        (Value::Tensor(x), Value::Tensor(y)) => {
            x.dtype().is_safe_in(y.dtype()) || y.dtype().is_safe_in(x.dtype())
        }
        (Value::Tensor(x), number) | (number, Value::Tensor(x)) => holds(x, number),
        _ => true,
    }
}

fn tensor_binary(engine: &Engine, op: BinaryOp, lhs: &Value, rhs: &Value) -> Result<Tensor, Error> {
    let is_operand = |value: &Value| {
        matches!(value, Value::Tensor(_)) || value.number().is_some() || value.is_sequence()
    };
    if !is_operand(lhs) || !is_operand(rhs) {
        return Err(unsupported(op.symbol(), lhs, rhs));
    }
    let left = operand(engine, lhs, rhs)?;
    let right = operand(engine, rhs, lhs)?;
    // NumPy squares for `** 2`, and the squares of bools are int8.
    if let (BinaryOp::Pow, Value::Tensor(x), Value::Int(2)) = (op, lhs, rhs)
        && x.dtype() == DType::Bool
        && !x.is_scalar()
    {
        return engine.cast(x, DType::I8);
    }
    match engine_op(op) {
        Some(op) => engine.binary(op, left, right),
        None => match (left, right) {
            (Operand::Tensor(left), Operand::Tensor(right)) => engine.matmul(&left, &right),
            _ => Err(Error::value_error(
                "matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core with \
                 signature (n?,k),(k,m?)->(n?,m?) requires 1)",
            )),
        },
    }
}

fn negative(engine: &Engine, tensor: &Tensor) -> Result<Tensor, Error> {
    if tensor.dtype() == DType::Bool {
        return Err(Error::type_error(
            "The numpy boolean negative, the `-` operator, is not supported, \
             use the `~` operator or the logical_not function instead.",
        ));
    }
    engine.unary(tensor::UnaryOp::Neg, tensor)
}

/// A copy, of anything but bools.
pub(super) fn positive(engine: &Engine, tensor: &Tensor) -> Result<Tensor, Error> {
    if tensor.dtype() == DType::Bool {
        return Err(Error::type_error(
            "ufunc 'positive' did not contain a loop with signature matching types bool -> None",
        )
        .with_hint("`x.copy()` copies, `x.astype(int8)` makes numbers"));
    }
    engine.copy_as_it_lies(tensor)
}

#[cold]
pub(super) fn unsupported(symbol: &str, lhs: &Value, rhs: &Value) -> Error {
    let [lhs, rhs] = [lhs, rhs].map(|value| value.type_name().to_string());
    // As CPython names it, which has one function for both.
    let operator = if symbol == "**" { "** or pow()" } else { symbol }.to_string();
    Operands { operator, lhs, rhs }.into()
}

fn symbol(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "not",
        UnaryOp::Neg => "-",
        UnaryOp::Pos => "+",
        UnaryOp::Invert => "~",
    }
}

/// A number that a tensor of no axes would be, for scalars that meet it in Python's functions.
pub(super) fn as_scalar(engine: &Engine, value: &Value) -> Option<Result<Scalar, Error>> {
    match value {
        Value::Tensor(tensor) if tensor.rank() == 0 => Some(engine.item(tensor)),
        _ => value.number().map(Ok),
    }
}
