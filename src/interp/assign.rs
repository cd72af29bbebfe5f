//! Assignment through indexes and to attributes.

use super::compile::Places;
use super::index::TensorIndex;
use super::shared::ItemStep;
use super::value::{Entries, List, Slice};
use super::{Evaluator, Value, builtins, eval, index, missing, ops};
use crate::diag::{ErrorKind, Fault, SourceResult, Span};
use crate::dtype::{DType, Scalar};
use crate::tensor::{Error, Operand, Tensor};

impl Evaluator<'_> {
    /// `container[at] = value`, whose parts stand at `places`, and which stands at `span` itself.
    /// `is_last_action` says that nothing in the statement can fail afterwards.
    pub(super) fn set_subscript(
        &self,
        container: &Value,
        at: Value,
        value: Value,
        places: &Places,
        span: Span,
        is_last_action: bool,
    ) -> SourceResult<()> {
        match container {
            Value::Tensor(tensor) => {
                self.place(changeable(tensor, "assignment"), places.whole)?;
                let index = self.tensor_index(&at, places)?;
                // What only this statement holds becomes a part of the write.
                drop(at);
                self.set_place(span);
                self.assign_elements(tensor, &index, value, places.from, is_last_action)
            }
            _ => {
                let stored = self.assign_item(container, &at, value, is_last_action);
                self.place(stored, places.whole)
            }
        }
    }

    /// `tensor[index] = value`
    fn assign_elements(
        &self,
        tensor: &Tensor,
        index: &TensorIndex,
        value: Value,
        from: Span,
        is_last_action: bool,
    ) -> SourceResult<()> {
        let engine = &self.interp.engine;
        // As in NumPy no number is NaN, where there is one.
        let is_none = matches!(value, Value::None) && !tensor.dtype().is_inexact();
        let operand = match &value {
            Value::Str(text) => number_in(text, tensor.dtype()).map(Operand::Scalar),
            _ if is_none || matches!(value, Value::Dict(_)) => Err(no_number(&value)),
            _ => ops::stored(engine, &value, tensor).map_err(Fault::from),
        };
        // Of an index and a value that are both wrong, the index is told.
        let of_value = |fault: Fault| match engine.index(tensor, &index.items) {
            Err(error) => self.blame(index, error),
            Ok(_) => eval::placed(fault, from),
        };
        let operand = operand.map_err(of_value)?;
        self.note_store(tensor, index, &operand);
        if value.is_sequence() {
            self.place(fits_in(&operand, index, tensor.rank()), from)?;
        }
        // What only this statement holds becomes a part of the write.
        drop(value);
        let write = || engine.assign(tensor, &index.items, operand);
        let stored = engine.last_write(is_last_action, write);
        stored.map_err(|error| match Fault::from(error.clone()).kind {
            ErrorKind::Index => self.blame(index, error),
            // What doesn't fit is the value.
            _ if error.origin.is_none() => of_value(error.into()),
            _ => self.blame(index, error),
        })
    }

    /// `container[index] = value` where the container is no tensor.
    pub(super) fn assign_item(
        &self,
        container: &Value,
        at: &Value,
        value: Value,
        is_last_action: bool,
    ) -> Result<(), Error> {
        match (container, at) {
            (Value::List(list), Value::Slice(slice)) => {
                self.assign_slice(list, slice, &value, is_last_action)
            }
            (Value::List(list), _) => {
                let len = list.borrow().len();
                let position = self.position(container, at, len, "assignment index")?;
                let before = |items: &Vec<Value>| ItemStep::At(position, items[position].clone());
                self.step(list, is_last_action, before)?[position] = value;
                Ok(())
            }
            (Value::Object(_), _) => match self.set_object_item(container, at, &value) {
                Some(done) => Ok(done?),
                None => self.assign_item(container.plain(), at, value, is_last_action),
            },
            (Value::Dict(entries), _) => {
                let key = self.key_in(entries, at)?;
                let before = |entries: &Entries| entries.step(&key);
                self.step(entries, is_last_action, before)?.insert(key, value);
                Ok(())
            }
            (Value::Opaque(opaque), _) if opaque.part().is_container() => {
                if let Some(dict) = container.as_dict() {
                    let dict = Value::Dict(dict.clone());
                    return self.assign_item(&dict, at, value, is_last_action);
                }
                let len = self.len(container)?;
                let position = self.position(container, at, len, "index")?;
                Ok(opaque.part().assign(self, position, value)?)
            }
            _ => Err(Error::type_error(format!(
                "'{}' object does not support item assignment",
                container.type_name()
            ))),
        }
    }

    fn assign_slice(
        &self,
        list: &List,
        slice: &Slice,
        value: &Value,
        is_last_action: bool,
    ) -> Result<(), Error> {
        // A step of zero is told before anything else.
        self.slice_bounds(slice, 0)?;
        let items = self.first_items(value, usize::MAX);
        let items = items.map_err(|error| match error.is_type_error() {
            true if matches!(slice.step, Value::None | Value::Int(1)) => {
                Error::type_error("can only assign an iterable")
            }
            true => Error::type_error("must assign iterable to extended slice"),
            false => error,
        })?;
        let len = list.borrow().len();
        let (start, stop, step) = self.slice_bounds(slice, len)?;
        if step == 1 {
            let (start, stop) = (start as usize, stop.max(start) as usize);
            self.change(list, is_last_action)?.splice(start..stop, items);
            return Ok(());
        }
        let positions: Vec<usize> = self.slice_positions(slice, len)?.collect();
        if positions.len() != items.len() {
            return Err(Error::value_error(format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                items.len(),
                positions.len()
            )));
        }
        let mut list = self.change(list, is_last_action)?;
        for (position, item) in positions.into_iter().zip(items) {
            list[position] = item;
        }
        Ok(())
    }

    /// `tensor.real = value`, `tensor.imag = value`
    fn assign_part(&self, tensor: &Tensor, name: &str, value: &Value) -> Result<(), Fault> {
        let engine = &self.interp.engine;
        if name == "imag" && !tensor.dtype().is_complex() {
            let words = "array does not have imaginary part to set";
            return Err(Fault::type_error(words).with_hint("`x.astype(complex64)` has room for it"));
        }
        let part = if name == "real" { engine.real(tensor)? } else { engine.imag(tensor)? };
        let value = ops::operand(engine, value, &Value::Tensor(part.clone()))?;
        Ok(engine.assign_all(&part, value)?)
    }

    /// `base.name = value`
    pub(super) fn assign_attribute(
        &self,
        base: &Value,
        name: &str,
        value: Value,
    ) -> Result<(), Fault> {
        if let Value::Closure(function) = base {
            let key = index::hashable(&Value::str(name))?;
            function.attributes().change(&self.interp.journal).insert(key, value);
            return Ok(());
        }
        match base {
            Value::Object(_) | Value::Class(_) => self.set_attribute(base, name, value),
            Value::Opaque(opaque) => match opaque.part().set_attribute(self, name, &value) {
                Some(done) => done,
                None => Err(self.not_writable(base, name)),
            },
            Value::Tensor(tensor) if matches!(name, "real" | "imag") && !tensor.is_scalar() => {
                self.assign_part(tensor, name, &value)
            }
            Value::Tensor(_) if self.set_written(base, name, value)? => Ok(()),
            _ => Err(self.not_writable(base, name)),
        }
    }

    #[cold]
    fn not_writable(&self, base: &Value, name: &str) -> Fault {
        let type_name = base.type_name();
        let known = self.attributes_of(base).iter().any(|known| known == name);
        let message = if known {
            format!("attribute '{name}' of '{type_name}' objects is not writable")
        } else {
            format!("'{type_name}' object has no attribute '{name}'")
        };
        let fault = Fault::new(ErrorKind::Attribute, message);
        if name == "requires_grad" {
            return fault.with_hint(missing::GRADIENTS);
        }
        match (base, name) {
            (Value::Tensor(_), "dtype") => {
                fault.with_hint("`x = x.astype(…)` converts, `x.view(…)` reads the same bytes anew")
            }
            (Value::Tensor(_), "strides") => {
                fault.with_hint("`np.lib.stride_tricks.as_strided` makes such a view")
            }
            _ => fault,
        }
    }
}

/// The number that a text stands for, where one is stored in a tensor.
///
/// # Errors
/// ValueError where it stands for none; TypeError where the tensor's elements are true or false.
fn number_in(text: &str, dtype: DType) -> Result<Scalar, Fault> {
    if dtype == DType::Bool {
        return Err(no_number(&Value::str(text)));
    }
    let number = match dtype.is_inexact() {
        true => Value::Float(builtins::float_of(text)?),
        false => builtins::parse_int(text, 10)?,
    };
    number.scalar().ok_or_else(|| no_number(&number))
}

#[cold]
fn no_number(value: &Value) -> Fault {
    let found = value.type_name();
    Fault::type_error(format!("expected numbers to store in a tensor, found {found}"))
}

/// NumPy's scalars never change, and nobody writes through a broadcast.
///
/// # Errors
/// TypeError for a scalar; `change` is what was meant to be done to its items. ValueError for what is
/// read-only.
pub(super) fn changeable(tensor: &Tensor, change: &str) -> Result<(), Error> {
    if !tensor.is_scalar() {
        return tensor.check_writable();
    }
    let name = ops::scalar_name(tensor);
    Err(Error::type_error(format!("'{name}' object does not support item {change}"))
        .with_hint("a scalar does not change: `array(x)` makes an array of it"))
}

/// A sequence has no more brackets than the part that it is stored in has axes; an array may have axes
/// of length one before them.
fn fits_in(operand: &Operand, index: &TensorIndex, rank: usize) -> Result<(), Error> {
    let (Operand::Tensor(given), Some(rank)) = (operand, index.part_rank(rank)) else {
        return Ok(());
    };
    // What a single element makes of a sequence, its own error says.
    let is_element = !index.items.is_empty() && index.is_element(index.items.len());
    if given.rank() <= rank || rank == 0 && is_element {
        return Ok(());
    }
    Err(Error::shape_error(format!(
        "setting an array element with a sequence. The requested array would exceed the maximum \
         number of dimension of {rank}."
    )))
}
