//! A call in progress: bound arguments, and what turns them into what a function needs. A getter
//! that fails remembers its argument's place, so that the caret stands under it.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Argument, Bound, Function};
use crate::diag::{ErrorKind, Fault, Span};
use crate::dtype::DType;
use crate::interp::Evaluator;
use crate::interp::array_like;
use crate::interp::convert;
use crate::interp::missing;
use crate::interp::shared::{Contents, Shared, Stepwise};
use crate::interp::value::{Str, Type, Value};
use crate::layout::Shape;
use crate::tensor::{Device, Engine, Error, Operand, Tensor};

/// What a builtin sees of its call. Parameters are named by their name in the signature
/// (`call.tensor("x")`) or, a little faster, by their position in it (`call.tensor(0)`).
#[derive(Debug)]
pub struct Call<'a> {
    pub evaluator: Evaluator<'a>,
    pub function: &'a Function,
    pub(super) bound: Bound,
    span: Span,
    place: Cell<Option<Span>>,
    /// Whether nothing in the statement can fail after this call.
    is_last_action: bool,
}

/// A parameter's name, or its position.
pub trait Parameter: Copy {
    fn position(self, call: &Call<'_>) -> usize;
}

impl Parameter for usize {
    fn position(self, _: &Call<'_>) -> usize {
        self
    }
}

impl Parameter for &str {
    fn position(self, call: &Call<'_>) -> usize {
        let position = call.function.signature().position(self);
        debug_assert!(position.is_some(), "no `{self}` in {}", call.function.signature().text);
        position.unwrap_or(usize::MAX)
    }
}

const NONE: &Value = &Value::None;

impl<'a> Call<'a> {
    pub fn new(
        evaluator: Evaluator<'a>,
        function: &'a Function,
        bound: Bound,
        span: Span,
        is_last_action: bool,
    ) -> Call<'a> {
        Call { evaluator, function, bound, span, place: Cell::new(None), is_last_action }
    }

    pub fn engine(&self) -> &'a Engine {
        &self.evaluator.interp.engine
    }

    /// The name by which the function was called.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    pub fn span(&self) -> Span {
        self.span
    }

    /// Where an argument stands, or the whole call if it was left out.
    pub fn span_of(&self, key: impl Parameter) -> Span {
        self.argument(key).map_or(self.span, |argument| argument.span)
    }

    /// `fault`, with its caret under an argument, if that was given.
    #[cold]
    pub fn fault_at(&self, key: impl Parameter, fault: impl Into<Fault>) -> Fault {
        self.place.set(self.argument(key).map(|argument| argument.span).or(self.place.get()));
        fault.into()
    }

    /// A fault about an argument that no parameter names.
    pub fn fault_of(&self, argument: &Argument, fault: Fault) -> Fault {
        self.place.set(Some(argument.span));
        fault
    }

    /// The parameters that something was given for, and where it stands.
    pub fn places(&self) -> impl Iterator<Item = (&str, Span)> {
        self.bound.given(self.function.signature()).map(|(name, given)| (name, given.span))
    }

    /// Where the caret was put.
    pub fn marked(&self) -> Option<Span> {
        self.place.get()
    }

    /// Whether the argument was given.
    pub fn given(&self, key: impl Parameter) -> bool {
        self.argument(key).is_some()
    }

    /// How many parameters, from the first on, something may have been given for.
    pub(super) fn arguments(&self) -> usize {
        self.bound.slots.len()
    }

    /// # Errors
    /// RuntimeError where gradients are asked for.
    pub(super) fn refuse_gradients(&self, asked: usize) -> Result<(), Fault> {
        match convert::truth(self.engine(), self.value(asked))? {
            false => Ok(()),
            true => {
                let fault = Fault::new(ErrorKind::Runtime, missing::GRADIENTS);
                Err(self.fault_at(asked, fault.with_hint("leave `requires_grad=True` out")))
            }
        }
    }

    /// Whether the argument was given under this name: `dim` rather than `axis`.
    pub fn spelled(&self, key: impl Parameter, name: &str) -> bool {
        self.argument(key).and_then(|argument| argument.name.as_deref()) == Some(name)
    }

    /// The value given, or the signature's default.
    pub fn value(&self, key: impl Parameter) -> &Value {
        let position = key.position(self);
        match self.bound.slots.get(position) {
            Some(Some(argument)) => &argument.value,
            _ => {
                let parameter = self.function.signature().parameters.get(position);
                parameter.and_then(|parameter| parameter.default.as_ref()).unwrap_or(NONE)
            }
        }
    }

    /// Whether the value is None, given or not.
    pub fn is_none(&self, key: impl Parameter) -> bool {
        matches!(self.value(key), Value::None)
    }

    /// All that was given, but for what `**` took.
    pub fn given_values(&self) -> impl Iterator<Item = &Value> {
        self.bound.slots.iter().flatten().chain(&self.bound.rest).map(|given| &given.value)
    }

    /// What the signature's `*` parameter took.
    pub fn rest(&self) -> &[Argument] {
        &self.bound.rest
    }

    /// What the signature's `**` parameter took.
    pub fn extra(&self) -> &[Argument] {
        &self.bound.extra
    }

    /// A tensor, or anything that NumPy would make an array of.
    pub fn tensor(&self, key: impl Parameter) -> Result<Tensor, Fault> {
        if let Value::Tensor(tensor) = self.value(key) {
            return Ok(tensor.clone());
        }
        let own = self.array_of(key)?;
        let value = own.as_ref().unwrap_or(self.value(key));
        let tensor = array_like::to_tensor(self.engine(), value, None);
        tensor.map_err(|fault| self.fault_at(key, fault))
    }

    /// What an object of a class is as an array, where its class has `__array__`.
    pub fn array_of(&self, key: impl Parameter) -> Result<Option<Value>, Fault> {
        self.evaluator.array_of(self.value(key))
    }

    /// As [`Call::tensor`], or [`Call::tensor_of`] where a type is given.
    pub fn tensor_in(&self, key: impl Parameter, dtype: Option<DType>) -> Result<Tensor, Fault> {
        dtype.map_or_else(|| self.tensor(key), |dtype| self.tensor_of(key, dtype))
    }

    /// Tensors that meet in one operation: Python floats, alone or in lists, keep double precision
    /// where another of them has it.
    pub fn meeting<const N: usize>(&self, keys: [impl Parameter; N]) -> Result<[Tensor; N], Fault> {
        self.made_beside(keys, self.meeting_type(keys))
    }

    /// As [`Call::meeting`], but Python numbers stay weak in promotion.
    pub fn operands<const N: usize>(
        &self,
        keys: [impl Parameter; N],
    ) -> Result<[Operand; N], Fault> {
        let dtype = self.meeting_type(keys);
        let mut made: SmallVec<[Operand; N]> = SmallVec::new();
        for key in keys {
            let operand = array_like::operand_beside(self.engine(), self.value(key), dtype);
            made.push(operand.map_err(|fault| self.fault_at(key, fault))?);
        }
        Ok(made.into_inner().expect("one operand for each key"))
    }

    /// A tensor that meets one which is there already.
    pub fn tensor_beside(&self, key: impl Parameter, x: &Tensor) -> Result<Tensor, Fault> {
        let tensor = array_like::beside(self.engine(), self.value(key), x.dtype());
        tensor.map_err(|fault| self.fault_at(key, fault))
    }

    /// An operand that meets a tensor which is there already.
    pub fn operand_beside(&self, key: impl Parameter, x: &Tensor) -> Result<Operand, Fault> {
        let operand = array_like::operand_beside(self.engine(), self.value(key), x.dtype());
        operand.map_err(|fault| self.fault_at(key, fault))
    }

    /// What is to be stored in elements of a tensor: a number, checked when it is stored, or a tensor,
    /// made with this one's type where it is none yet.
    pub fn stored_in(&self, key: impl Parameter, x: &Tensor) -> Result<Operand, Fault> {
        let stored = crate::interp::ops::stored(self.engine(), self.value(key), x);
        stored.map_err(|error| self.fault_at(key, error))
    }

    /// As [`Call::meeting`], but for tensors that are compared: beside integers, too, floats keep double
    /// precision.
    pub fn compared<const N: usize>(
        &self,
        keys: [impl Parameter; N],
    ) -> Result<[Tensor; N], Fault> {
        let is_wide = |key: &_| {
            let dtype = array_like::meeting(self.engine(), [self.value(*key)]);
            !dtype.is_inexact() || dtype.part() == DType::F64
        };
        let dtype = if keys.iter().any(is_wide) { DType::F64 } else { self.meeting_type(keys) };
        self.made_beside(keys, dtype)
    }

    fn made_beside<const N: usize>(
        &self,
        keys: [impl Parameter; N],
        dtype: DType,
    ) -> Result<[Tensor; N], Fault> {
        let mut made: SmallVec<[Tensor; N]> = SmallVec::new();
        for key in keys {
            let tensor = array_like::beside(self.engine(), self.value(key), dtype);
            made.push(tensor.map_err(|fault| self.fault_at(key, fault))?);
        }
        Ok(made.into_inner().expect("one tensor for each key"))
    }

    fn meeting_type<const N: usize>(&self, keys: [impl Parameter; N]) -> DType {
        array_like::meeting(self.engine(), keys.iter().map(|key| self.value(*key)))
    }

    /// As [`Call::tensor`]; `None` for None.
    pub fn optional_tensor(&self, key: impl Parameter) -> Result<Option<Tensor>, Fault> {
        if self.is_none(key) { Ok(None) } else { self.tensor(key).map(Some) }
    }

    /// As [`Call::tensor`], made with this type where it is no tensor yet.
    pub fn tensor_of(&self, key: impl Parameter, dtype: DType) -> Result<Tensor, Fault> {
        let tensor = array_like::to_tensor(self.engine(), self.value(key), Some(dtype));
        tensor.map_err(|fault| self.fault_at(key, fault))
    }

    /// As [`Call::tensor`], in this type: a list's integers wrap as a tensor's do.
    pub fn tensor_cast(&self, key: impl Parameter, dtype: DType) -> Result<Tensor, Fault> {
        match dtype.is_inexact() {
            true => self.tensor_of(key, dtype),
            false => Ok(self.engine().cast(&self.tensor(key)?, dtype)?),
        }
    }

    /// A tensor, or a Python number, which stays weak in promotion.
    pub fn operand(&self, key: impl Parameter) -> Result<Operand, Fault> {
        let operand = array_like::to_operand(self.engine(), self.value(key));
        operand.map_err(|fault| self.fault_at(key, fault))
    }

    /// A list or tuple of tensors (or a tensor, cut along its first axis).
    pub fn tensors(&self, key: impl Parameter) -> Result<Vec<Tensor>, Fault> {
        self.tensors_in(key, None)
    }

    /// As [`Call::tensors`], made with this type where one is given.
    pub fn tensors_in(
        &self,
        key: impl Parameter,
        dtype: Option<DType>,
    ) -> Result<Vec<Tensor>, Fault> {
        let tensors = array_like::to_tensors(self.engine(), self.value(key), dtype);
        tensors.map_err(|fault| self.fault_at(key, fault))
    }

    /// The items of a list or tuple, of which Python numbers stay weak in promotion; they meet `others`, too.
    pub fn operands_in(
        &self,
        key: impl Parameter,
        others: &[&Value],
    ) -> Result<Vec<Operand>, Fault> {
        let operands = array_like::to_operands(self.engine(), self.value(key), others);
        operands.map_err(|fault| self.fault_at(key, fault))
    }

    /// The `*` arguments as tensors; a single list or tuple among them stands for its items.
    pub fn rest_tensors(&self) -> Result<Vec<Tensor>, Fault> {
        let dtype = array_like::meeting(self.engine(), self.rest().iter().map(|a| &a.value));
        let convert = |argument: &Argument| {
            let tensor = array_like::beside(self.engine(), &argument.value, dtype);
            tensor.map_err(|fault| self.fault_of(argument, fault))
        };
        match self.rest() {
            [only] if matches!(only.value, Value::List(_) | Value::Tuple(_)) => {
                let tensors = array_like::to_tensors(self.engine(), &only.value, None);
                tensors.map_err(|fault| self.fault_of(only, fault))
            }
            rest => rest.iter().map(convert).collect(),
        }
    }

    /// One axis; `None` for None.
    pub fn axis(&self, key: impl Parameter) -> Result<Option<i64>, Fault> {
        match self.value(key) {
            Value::None => Ok(None),
            _ => self.int(key).map(Some),
        }
    }

    /// One axis, a tuple or list of them, or None for all.
    pub fn axes(&self, key: impl Parameter) -> Result<Option<SmallVec<[i64; 4]>>, Fault> {
        match self.value(key) {
            Value::None => Ok(None),
            Value::Int(axis) => Ok(Some(SmallVec::from_elem(*axis, 1))),
            value => {
                let axes = convert::integers(self.engine(), value);
                axes.map(Some).map_err(|fault| self.fault_at(key, fault))
            }
        }
    }

    /// One integer or a sequence of them.
    pub fn ints(&self, key: impl Parameter) -> Result<SmallVec<[i64; 4]>, Fault> {
        let integers = convert::integers(self.engine(), self.value(key));
        integers.map_err(|fault| self.fault_at(key, fault))
    }

    /// The integers of `*shape` and its kin: several arguments, or one sequence. Empty when none
    /// was given; see [`Call::rest`].
    pub fn sizes(&self) -> Result<SmallVec<[i64; 4]>, Fault> {
        if let [only] = self.rest() {
            let sizes = convert::integers(self.engine(), &only.value);
            return sizes.map_err(|fault| self.fault_of(only, fault));
        }
        let size = |given: &Argument| self.evaluator.as_index(&given.value);
        let placed = |given| size(given).map_err(|fault| self.fault_of(given, fault));
        self.rest().iter().map(placed).collect()
    }

    /// The shape that `*shape`, or a parameter of that name, asks for.
    ///
    /// # Errors
    /// NumPy's ValueError for negative lengths.
    pub fn shape(&self, key: impl Parameter) -> Result<Shape, Fault> {
        let sizes =
            if self.rest().is_empty() && self.given(key) { self.ints(key)? } else { self.sizes()? };
        if sizes.iter().any(|size| *size < 0) {
            let span = self.rest().first().map_or(self.span_of(key), |first| first.span);
            self.place.set(Some(span));
            return Err(Fault::value_error("negative dimensions are not allowed"));
        }
        let shape: Shape = sizes.into_iter().map(|size| size as usize).collect();
        shape.checked_elem_count().map_err(|error| self.fault_at(key, error))?;
        Ok(shape)
    }

    /// A type: a dtype, its name, or one of Python's types. `None` for None.
    pub fn dtype(&self, key: impl Parameter) -> Result<Option<DType>, Fault> {
        let value = self.value(key);
        if matches!(value, Value::None) {
            return Ok(None);
        }
        let dtype = convert::dtype(self.engine(), value);
        dtype.map(Some).map_err(|fault| self.fault_at(key, fault))
    }

    /// A device, by value or by name. `None` for None.
    pub fn device(&self, key: impl Parameter) -> Result<Option<Device>, Fault> {
        let value = self.value(key);
        if matches!(value, Value::None) {
            return Ok(None);
        }
        let device = convert::device(self.engine(), value);
        device.map(Some).map_err(|fault| self.fault_at(key, fault))
    }

    pub fn int(&self, key: impl Parameter) -> Result<i64, Fault> {
        if let Value::Int(value) = self.value(key) {
            return Ok(*value);
        }
        let integer = self.evaluator.as_index(self.value(key));
        integer.map_err(|fault| self.fault_at(key, fault))
    }

    /// `None` for None.
    pub fn optional_int(&self, key: impl Parameter) -> Result<Option<i64>, Fault> {
        if self.is_none(key) { Ok(None) } else { self.int(key).map(Some) }
    }

    pub fn float(&self, key: impl Parameter) -> Result<f64, Fault> {
        let float = self.evaluator.as_float(self.value(key));
        float.map_err(|fault| self.fault_at(key, fault))
    }

    /// `None` for None.
    pub fn optional_float(&self, key: impl Parameter) -> Result<Option<f64>, Fault> {
        if self.is_none(key) { Ok(None) } else { self.float(key).map(Some) }
    }

    /// Python's truth of the value.
    pub fn bool(&self, key: impl Parameter) -> Result<bool, Fault> {
        let truth = self.evaluator.truth(self.value(key));
        truth.map_err(|error| self.fault_at(key, error))
    }

    /// A path: a text, or an object that gives one by `__fspath__`.
    pub fn path(&self, key: impl Parameter) -> Result<Str, Fault> {
        let found = self.evaluator.path_of(self.value(key));
        found.map_err(|fault| self.fault_at(key, fault))?.ok_or_else(|| {
            let found = self.value(key).type_name();
            let message = format!("expected str, bytes or os.PathLike object, not {found}");
            self.fault_at(key, Fault::type_error(message))
        })
    }

    pub fn str(&self, key: impl Parameter) -> Result<&str, Fault> {
        self.text(key).map(|text| &**text)
    }

    /// Runs the write to one tensor that ends the call. Nothing in the call may fail after it. Other
    /// writes need no such care: what they replace is kept until the statement has ended.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn last_write(&self, write: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        self.engine().last_write(self.is_last_action, write)
    }

    /// Whether nothing in the statement can fail after this call.
    pub fn is_last_action(&self) -> bool {
        self.is_last_action
    }

    /// The contents of a list or a dictionary, to be changed by what ends the call.
    ///
    /// # Errors
    /// What computing a lazy argument brings up.
    pub fn change<'c, T: Contents>(&self, cell: &'c Rc<Shared<T>>) -> Result<RefMut<'c, T>, Fault> {
        self.evaluator.change(cell, self.is_last_action).map_err(Fault::from)
    }

    /// As [`Call::change`], for a change of one item.
    ///
    /// # Errors
    /// As there.
    pub fn step<'c, T: Stepwise>(
        &self,
        cell: &'c Rc<Shared<T>>,
        step: impl FnOnce(&T) -> T::Step,
    ) -> Result<RefMut<'c, T>, Fault> {
        self.evaluator.step(cell, self.is_last_action, step).map_err(Fault::from)
    }

    /// Other contents for a list, a dictionary or a set.
    ///
    /// # Errors
    /// As [`Call::change`].
    pub fn put<T: Contents>(&self, cell: &Rc<Shared<T>>, contents: T) -> Result<(), Fault> {
        self.evaluator.put(cell, contents, self.is_last_action).map_err(Fault::from)
    }

    /// A TypeError about an argument of a wrong type.
    #[cold]
    pub fn wrong_type(&self, key: impl Parameter, expected: &str) -> Fault {
        let found = self.value(key).type_name();
        let name = self.name();
        let message = format!("{name}() expected {expected}, found {found}");
        self.fault_at(key, Fault::type_error(message))
    }

    /// The type of the receiver or first argument.
    pub fn type_of(&self, key: impl Parameter) -> Type {
        self.value(key).type_of()
    }

    fn argument(&self, key: impl Parameter) -> Option<&Argument> {
        self.bound.slots.get(key.position(self))?.as_ref()
    }
}
