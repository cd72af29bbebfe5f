//! What a loop, an unpacking or a star would see in a value, and positions in sequences.

use super::room::{self, Pace};
use super::value::{Range, Slice, Str, Type};
use super::{Evaluator, Seen, Value, convert, long_text, scalar};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::tensor::{Error, IndexItem, Tensor};

impl Evaluator<'_> {
    /// The items of an iterable, in order. A tensor gives what its first axis holds.
    ///
    /// # Errors
    /// TypeError for what can't be iterated; MemoryError for more items than the budget has room
    /// for; Ctrl-C.
    pub fn iterate(&self, value: &Value) -> Result<Vec<Value>, Error> {
        let engine = &self.interp.engine;
        if self.special(value, "__len__").is_none() {
            return self.first_items(value, usize::MAX);
        }
        // As CPython, which asks how many items there will be.
        let iter = self.iter(value)?;
        match self.object_len(value) {
            Err(fault) if fault.kind != ErrorKind::Type => return Err(fault.into()),
            _ => {}
        }
        let items = std::iter::from_fn(|| self.next(&iter).transpose());
        room::gather(engine, room::ITEM, items)
    }

    /// As [`Evaluator::iterate`], but no more than `most` items, and nobody is asked how many there are.
    ///
    /// # Errors
    /// As there.
    pub fn first_items(&self, value: &Value, most: usize) -> Result<Vec<Value>, Error> {
        let engine = &self.interp.engine;
        let copied = |items: &[Value]| Ok(room::copied(engine, &items[..items.len().min(most)])?);
        match value {
            Value::Tuple(items) => copied(items),
            Value::List(items) => copied(&items.borrow()),
            Value::Str(text) if text.is_all_ascii() => {
                let letters = self.interp.letters();
                let bytes = text.bytes().take(most);
                let letters = bytes.map(|byte| Ok(letters[usize::from(byte)].clone()));
                room::gather(engine, room::ITEM, letters)
            }
            Value::Str(text) => {
                let letters = text.chars().take(most);
                let letters = letters.map(|c| Ok(self.interp.letter(c)));
                room::gather(engine, room::SHORT_TEXT, letters)
            }
            Value::Dict(entries) => {
                let entries = entries.borrow();
                let keys = entries.keys().take(most).map(|key| Ok(key.value().clone()));
                room::gather(engine, room::ITEM, keys)
            }
            Value::Set(set) => {
                let set = set.borrow();
                let items = set.iter().take(most).map(|key| Ok(key.value().clone()));
                room::gather(engine, room::ITEM, items)
            }
            Value::Generator(generator) if most > 0 => {
                let (mut items, mut pace) = (Vec::new(), Pace::new(engine));
                self.drive(generator, |item, _| {
                    pace.step(room::ITEM)?;
                    items.push(item);
                    Ok(if items.len() < most { Seen::More } else { Seen::Enough })
                })?;
                Ok(items)
            }
            Value::Iterator(iter) if most > 0 => {
                let (mut items, mut pace) = (Vec::new(), Pace::new(engine));
                self.drive_iter(iter, &mut |item, _| {
                    pace.step(room::ITEM)?;
                    items.push(item);
                    Ok(if items.len() < most { Seen::More } else { Seen::Enough })
                })?;
                Ok(items)
            }
            Value::Range(range) => {
                let numbers = range.iter().take(most).map(|number| Ok(Value::Int(number)));
                room::gather(engine, room::ITEM, numbers)
            }
            Value::Tensor(tensor) => {
                // Else each part would be work of its own.
                engine.realize(&[tensor])?;
                let parts = 0..self.len_to_iterate(tensor)?.min(most) as i64;
                let parts = parts.map(|at| self.element(tensor, at).map(Value::Tensor));
                room::gather(engine, room::TENSOR, parts)
            }
            _ => {
                let iter = self.iter(value)?;
                let items = std::iter::from_fn(|| self.next(&iter).transpose()).take(most);
                room::gather(engine, room::ITEM, items)
            }
        }
    }

    /// Shows the items of an iterable one after the other, until `visit` has seen enough and says
    /// false. A range's and a tensor's are not all made first.
    ///
    /// # Errors
    /// As [`Evaluator::iterate`], and what `visit` brings up.
    pub fn each(
        &self,
        value: &Value,
        mut visit: impl FnMut(Value) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let mut pace = Pace::new(&self.interp.engine);
        if let Value::List(items) = value {
            // The visit may change it.
            for at in 0.. {
                let Some(item) = items.borrow().get(at).cloned() else { break };
                pace.step(0)?;
                if !visit(item)? {
                    break;
                }
            }
            return Ok(());
        }
        let iter = self.iter(value)?;
        while let Some(item) = self.next(&iter)? {
            pace.step(0)?;
            if !visit(item)? {
                break;
            }
        }
        Ok(())
    }

    /// As [`Evaluator::each`], where most items are seen without running anything of the program: of others
    /// `see` says so, and is shown them again when they may.
    ///
    /// # Errors
    /// As there.
    pub fn each_seen(
        &self,
        value: &Value,
        mut see: impl FnMut(Value, bool) -> Result<Seen, Fault>,
    ) -> Result<(), Fault> {
        match value {
            Value::Generator(generator) => {
                let mut pace = Pace::new(&self.interp.engine);
                self.drive(generator, |item, waits| {
                    pace.step(0)?;
                    see(item, waits)
                })
            }
            Value::Iterator(iter) => {
                let mut pace = Pace::new(&self.interp.engine);
                self.drive_iter(iter, &mut |item, waits| {
                    pace.step(0)?;
                    see(item, waits)
                })
            }
            _ => self.each(value, |item| Ok(matches!(see(item, true)?, Seen::More))),
        }
    }

    fn len_to_iterate(&self, tensor: &Tensor) -> Result<usize, Error> {
        let first = tensor.shape().first().copied();
        first.ok_or_else(|| Error::type_error("iteration over a 0-d array"))
    }

    /// `tensor[at]`: a view, or a copy where it is one element.
    pub(super) fn element(&self, tensor: &Tensor, at: i64) -> Result<Tensor, Error> {
        let engine = &self.interp.engine;
        if let Some(element) = engine.element(tensor, &[at]) {
            return Ok(element);
        }
        let element = engine.index(tensor, &[IndexItem::Int(at)])?;
        if element.rank() > 0 {
            return Ok(element);
        }
        engine.scalar_of(&element)
    }

    /// The number of items.
    pub(super) fn len(&self, value: &Value) -> Result<usize, Error> {
        match value {
            Value::Str(text) => Ok(text.count()),
            Value::Tuple(items) => Ok(items.len()),
            Value::List(items) => Ok(items.borrow().len()),
            Value::Dict(entries) => Ok(entries.borrow().len()),
            Value::Range(range) => Ok(range.len()),
            Value::Set(set) => Ok(set.borrow().len()),
            Value::FrozenSet(set) => Ok(set.len()),
            Value::View(view) => Ok(view.len()),
            Value::Object(_) => Ok(self.object_len(value)?),
            Value::Class(_) if self.special(value, "__len__").is_some() => {
                Ok(self.object_len(value)?)
            }
            Value::Opaque(opaque) if opaque.part().is_container() => match value.as_dict() {
                Some(dict) => Ok(dict.borrow().len()),
                None => Ok(opaque.part().count().unwrap_or(0)),
            },
            Value::Tensor(tensor) => tensor
                .shape()
                .first()
                .copied()
                .ok_or_else(|| Error::type_error("len() of unsized object")),
            _ => Err(Error::type_error(format!(
                "object of type '{}' has no len()",
                value.type_name()
            ))),
        }
    }

    /// One position or a slice of a string, list, tuple or range.
    pub(super) fn sequence_index(&self, sequence: &Value, index: &Value) -> Result<Value, Error> {
        let (len, engine) = (self.len(sequence)?, &self.interp.engine);
        if let Value::Slice(slice) = index {
            if let Value::Str(text) = sequence {
                return self.part_of_text(text, slice);
            }
            let positions = self.slice_positions(slice, len)?;
            return Ok(match sequence {
                Value::Tuple(items) => {
                    let items = positions.map(|at| Ok::<_, Error>(items[at].clone()));
                    Value::tuple(room::gather(engine, room::ITEM, items)?)
                }
                Value::List(items) => {
                    let items = items.borrow();
                    let items = positions.map(|at| Ok::<_, Error>(items[at].clone()));
                    Value::list(room::gather(engine, room::ITEM, items)?)
                }
                Value::Range(range) => {
                    let (start, stop, step) = self.slice_bounds(slice, len)?;
                    let part = range.slice(start, stop, step);
                    Value::Range(std::rc::Rc::new(part.ok_or_else(|| scalar::too_large("*"))?))
                }
                _ => Value::None,
            });
        }
        let at = self.position(sequence, index, len, "index")?;
        Ok(match sequence {
            Value::Str(text) => text.nth(at).map_or(Value::None, |c| self.interp.letter(c)),
            Value::Tuple(items) => items[at].clone(),
            Value::List(items) => items.borrow()[at].clone(),
            Value::Range(range) => Value::Int(range.get(at)),
            _ => Value::None,
        })
    }

    /// A slice of a text.
    fn part_of_text(&self, text: &Str, slice: &Slice) -> Result<Value, Error> {
        let (start, stop, step) = self.slice_bounds(slice, text.count())?;
        if step == 1 {
            let [start, stop] = [start, stop.max(start)].map(|at| text.byte_of(at as usize));
            return Ok(self.interp.part(&text[start..stop]));
        }
        let positions = Range { start, stop, step };
        let part = long_text::slice(&self.interp.engine, text, &positions)?;
        Ok(self.interp.part(&part))
    }

    /// The position that an index means in a sequence of `len` items.
    pub(super) fn position(
        &self,
        sequence: &Value,
        index: &Value,
        len: usize,
        what: &str,
    ) -> Result<usize, Error> {
        let name = sequence.class_name();
        let is_integer = match index {
            Value::Int(_) | Value::Bool(_) => true,
            Value::Tensor(tensor) => tensor.rank() == 0 && tensor.dtype().is_integer(),
            Value::Wide(_) => {
                return Err(Error::index_error("cannot fit 'int' into an index-sized integer"));
            }
            Value::Object(_)
                if index.plain().scalar().is_some()
                    || self.special(index, "__index__").is_some() =>
            {
                let at = Value::Int(self.as_index(index)?);
                return self.position(sequence, &at, len, what);
            }
            _ => false,
        };
        if !is_integer {
            let found = index.type_name();
            return Err(Error::type_error(match sequence {
                Value::Str(_) => format!("string indices must be integers, not '{found}'"),
                Value::Opaque(opaque) if opaque.of == Type::Bytes => {
                    format!("byte indices must be integers or slices, not {found}")
                }
                _ => format!("{name} indices must be integers or slices, not {found}"),
            }));
        }
        let at = convert::integer(&self.interp.engine, index)?;
        // A range may have more items than the largest integer says.
        let from_start = i128::from(at) + if at < 0 { len as i128 } else { 0 };
        if (0..len as i128).contains(&from_start) {
            return Ok(from_start as usize);
        }
        let name = match sequence {
            Value::Str(_) => "string",
            Value::Range(_) => "range object",
            Value::Opaque(opaque) if opaque.of == Type::Bytes => "",
            _ => name,
        };
        Err(Fault::new(ErrorKind::Index, format!("{name} {what} out of range").trim_start())
            .with_hint(match len {
                0 => "it is empty".to_owned(),
                1 => "its only index is 0".to_owned(),
                _ => format!("its indices are 0 to {}", len - 1),
            })
            .into())
    }

    /// The positions that a slice selects, in its order.
    pub(super) fn slice_positions(
        &self,
        slice: &Slice,
        len: usize,
    ) -> Result<impl ExactSizeIterator<Item = usize> + use<>, Error> {
        let (start, stop, step) = self.slice_bounds(slice, len)?;
        let range = super::value::Range { start, stop, step };
        Ok(range.iter().map(|at| at as usize))
    }

    /// A slice's start, stop and step against a length, as Python's `slice.indices`.
    pub(super) fn slice_bounds(&self, slice: &Slice, len: usize) -> Result<(i64, i64, i64), Error> {
        // In CPython's order, of which a program's `__index__` may tell.
        let step = self.slice_part(&slice.step)?.unwrap_or(1);
        if step == 0 {
            return Err(Error::value_error("slice step cannot be zero"));
        }
        let (start, stop) = (self.slice_part(&slice.start)?, self.slice_part(&slice.stop)?);
        let len = len as i128;
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let bound = |value: i64| {
            let value = i128::from(value) + if value < 0 { len } else { 0 };
            value.clamp(low, high)
        };
        let start = start.map_or(if step > 0 { low } else { high }, bound);
        let stop = stop.map_or(if step > 0 { high } else { low }, bound);
        let fits = |place: i128| i64::try_from(place).map_err(|_| scalar::too_large("*"));
        Ok((fits(start)?, fits(stop)?, step))
    }

    /// One number of a slice.
    pub(super) fn slice_part(&self, value: &Value) -> Result<Option<i64>, Error> {
        match value {
            Value::None => Ok(None),
            Value::Int(number) => Ok(Some(*number)),
            Value::Object(_)
                if value.plain().scalar().is_some()
                    || self.special(value, "__index__").is_some() =>
            {
                Ok(Some(self.as_index(value)?))
            }
            _ => convert::integer(&self.interp.engine, value).map(Some).map_err(|_| {
                Error::type_error(
                    "slice indices must be integers or None or have an __index__ method",
                )
            }),
        }
    }

    /// Splits a value over `count` targets; with a star, its items come as a list at `star`.
    pub(super) fn unpack(
        &self,
        value: &Value,
        count: usize,
        star: Option<usize>,
        span: Span,
    ) -> SourceResult<Vec<Value>> {
        let needed = count - usize::from(star.is_some());
        let fault =
            |message: String| Err(Box::new(Diagnostic::new(ErrorKind::Value, span, message)));
        let words = |found: &str| format!("cannot unpack non-iterable {found} object");
        let iter = self.iter(value).map_err(|error| self.about_items(error, value, words));
        let iter = self.place(iter, span)?;
        // A class of the program's is asked for its items only, and once.
        let is_own = matches!(value, Value::Object(_) | Value::Class(_));
        // Nobody needs the items of what has too many.
        let known = if is_own { None } else { self.len(value).ok() };
        let most = if star.is_some() { usize::MAX } else { count.saturating_add(1) };
        let fits = |found: usize| found == count || star.is_some() && found >= needed;
        let mut items = match known {
            Some(found) if !fits(found) => Vec::new(),
            None if is_own => {
                let items = std::iter::from_fn(|| self.next(&iter).transpose()).take(most);
                self.place(room::gather(&self.interp.engine, room::ITEM, items), span)?
            }
            _ => self.place(self.first_items(value, most), span)?,
        };
        let found = known.unwrap_or(items.len());
        match star {
            None if found > count => {
                let found = known.map_or(String::new(), |found| format!(", got {found}"));
                return fault(format!("too many values to unpack (expected {count}{found})"));
            }
            None if found < count => {
                return fault(format!(
                    "not enough values to unpack (expected {count}, got {found})"
                ));
            }
            Some(_) if found < needed => {
                return fault(format!(
                    "not enough values to unpack (expected at least {needed}, got {found})"
                ));
            }
            _ => {}
        }
        if let Some(at) = star {
            let middle: Vec<Value> = items.drain(at..at + found - needed).collect();
            items.insert(at, Value::list(middle));
        }
        Ok(items)
    }

    /// An error of going through a value. Where it says that the value has no items, and nothing else went wrong, it
    /// says so in the words of the operation that asked for them, which take the type's name.
    pub(super) fn about_items(
        &self,
        error: Error,
        value: &Value,
        words: impl FnOnce(&str) -> String,
    ) -> Error {
        let found = value.type_name();
        let none = format!("'{found}' object is not iterable");
        let is_about_it = error.is_type_error() && error.to_string() == none;
        match is_about_it && self.special(value, "__iter__").is_none() {
            true => Error::type_error(words(found)),
            false => error,
        }
    }
}
