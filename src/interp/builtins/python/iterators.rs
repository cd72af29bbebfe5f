//! Iterators: what makes them, and what asks them for items. They are lazy: an item is made when
//! somebody asks for it.

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::{Argument, Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::convert;
use crate::interp::object::exception::stop_iteration;
use crate::interp::object::file::File;
use crate::interp::object::iterator::{Items, Iter, Stream};
use crate::interp::object::view::Shown;
use crate::interp::thin::Items as Row;
use crate::interp::value::Value;
use crate::interp::vm::register::{put, put_int};
use crate::interp::{Evaluator, Resume, Resumed, Seen};
use crate::syntax::ast::BinaryOp;

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

pub const BUILTINS: &[Builtin] = &[
    python("iter(object, sentinel=..., /)", iter)
        .doc("An iterator over what a value holds; with `sentinel`, over what calls of a function\ngive, until one gives that.")
        .example("list(iter([1, 2]))"),
    python("next(iterator, default=..., /)", next)
        .doc("The next item of an iterator; at its end `default`, or StopIteration.")
        .example("next(iter([1, 2]))"),
    python("reversed(sequence, /)", reversed)
        .asks_objects()
        .doc("The items, the last one first.")
        .example("list(reversed([1, 2, 3]))"),
    python("zip(*iterables, strict=False)", zip)
        .quick(super::quick::iterators::zip)
        .doc("Tuples: the first items, the second ones, and so on, up to the end of the shortest.\nWith `strict` all must be of one length.")
        .example("list(zip([1, 2], \"ab\"))"),
    python("enumerate(iterable, start=0)", enumerate)
        .quick(super::quick::iterators::enumerate)
        .doc("Pairs: a count, and an item.")
        .example("list(enumerate(\"ab\"))"),
    python("map(func, *iterables)", map)
        .quick(super::quick::iterators::map)
        .doc("What a function makes of each item; of several iterables it gets an item each.")
        .example("list(map(abs, [-1, 2]))"),
    python("filter(function, iterable, /)", filter)
        .doc("The items of which a function says that they are true; with None, the true ones.")
        .example("list(filter(None, [0, 1, 2]))"),
];

/// The items of an argument.
pub(in crate::interp::builtins) fn items(call: &Call<'_>, position: usize) -> Result<Items, Fault> {
    let items = call.evaluator.items(call.value(position));
    items.map_err(|error| call.fault_at(position, error))
}

/// An iterator over an argument.
fn of(call: &Call<'_>, position: usize) -> Result<Rc<Iter>, Fault> {
    let iter = call.evaluator.iter(call.value(position));
    iter.map_err(|error| call.fault_at(position, error))
}

fn iter(call: &mut Call<'_>) -> Result<Value, Fault> {
    if !call.given(1) {
        if let generator @ Value::Generator(_) = call.value(0) {
            return Ok(generator.clone());
        }
        return of(call, 0).map(Value::Iterator);
    }
    if !convert::is_callable(&call.evaluator, call.value(0)) {
        let fault = Fault::type_error("iter(v, w): v must be callable");
        return Err(call.fault_at(0, fault));
    }
    let (function, sentinel) = (call.value(0).clone(), call.value(1).clone());
    Ok(Iter::value(
        &call.evaluator,
        "callable_iterator",
        Calls { function, sentinel, is_done: false },
    ))
}

fn next(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let Value::Generator(generator) = call.value(0) {
        return match call.evaluator.resume(generator, Resume::Send(None), call.span())? {
            Resumed::Yielded(item) => Ok(item),
            Resumed::Returned(_) if call.given(1) => Ok(call.value(1).clone()),
            Resumed::Returned(value) => Err(stopped(&value)),
        };
    }
    if let Some(file) = call.value(0).inside::<File>() {
        return match file.next_line(call.evaluator)? {
            Some(line) => Ok(line),
            None if call.given(1) => Ok(call.value(1).clone()),
            None => Err(Fault::new(ErrorKind::StopIteration, "")),
        };
    }
    let Value::Iterator(iter) = call.value(0) else {
        let name = call.value(0).type_name();
        let fault = Fault::type_error(format!("'{name}' object is not an iterator"));
        return Err(call.fault_at(0, fault));
    };
    match call.evaluator.next(iter)? {
        Some(item) => Ok(item),
        None if call.given(1) => Ok(call.value(1).clone()),
        None => Err(Fault::new(ErrorKind::StopIteration, "")),
    }
}

/// StopIteration with what a generator returned.
pub fn stopped(returned: &Value) -> Fault {
    stop_iteration(returned.clone())
}

pub(super) fn reversed(call: &mut Call<'_>) -> Result<Value, Fault> {
    let value = call.value(0).clone();
    if let Value::Class(_) = value
        && let Some(answer) = call.evaluator.call_special(&value, "__reversed__", [])
    {
        return answer;
    }
    let own = ["__len__", "__getitem__"].map(|name| call.evaluator.special(&value, name).is_some());
    // Texts and tuples leave it to what their class says of lengths and positions.
    let value = match value.plain() {
        Value::Object(_) => value,
        Value::Str(_) | Value::Tuple(_) if own.contains(&true) => value,
        plain => plain.clone(),
    };
    let name = match &value {
        Value::Range(range) => match range.reversed() {
            Some(backwards) => return Ok(Value::Iterator(Iter::range(&backwards))),
            None => "range_iterator",
        },
        Value::Dict(dict) => return Ok(Value::Iterator(Iter::dict(dict, Shown::Keys, true))),
        Value::Opaque(opaque) if let Some(dict) = opaque.part().dict() => {
            return Ok(Value::Iterator(Iter::dict(dict, Shown::Keys, true)));
        }
        Value::Opaque(opaque) if let Some(iter) = opaque.part().iter(true) => {
            return Ok(Value::Iterator(iter));
        }
        Value::View(view) => {
            return Ok(Value::Iterator(Iter::dict(&view.dict, view.shown, true)));
        }
        Value::List(_) => "list_reverseiterator",
        Value::Object(object) if own == [true; 2] || object.plain().is_some() => "reversed",
        Value::Str(_) | Value::Tuple(_) | Value::Tensor(_) => "reversed",
        _ => {
            let message = format!("'{}' object is not reversible", value.type_name());
            return Err(call.fault_at(0, Fault::type_error(message)));
        }
    };
    let left = match &value {
        Value::Str(text) => text.len(),
        _ => call.evaluator.len(&value).map_err(|error| call.fault_at(0, error))?,
    };
    Ok(Iter::value(&call.evaluator, name, Backwards { sequence: value, left }))
}

fn zip(call: &mut Call<'_>) -> Result<Value, Fault> {
    let parts = parts(call)?;
    let is_strict = call.bool("strict")?;
    Ok(Iter::value(&call.evaluator, "zip", Zip { parts, is_strict }))
}

/// The items of each of the arguments behind the `*`.
fn parts(call: &Call<'_>) -> Result<Vec<Items>, Fault> {
    let part = |argument: &Argument| {
        let part = call.evaluator.items(&argument.value);
        part.map_err(|error| call.fault_of(argument, error.into()))
    };
    call.rest().iter().map(part).collect()
}

fn enumerate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let count = Value::Int(call.int(1)?);
    Ok(Iter::value(&call.evaluator, "enumerate", Enumerate { items: items(call, 0)?, count }))
}

fn map(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.rest().is_empty() {
        return Err(Fault::type_error("map() must have at least two arguments."));
    }
    let parts = parts(call)?;
    Ok(Iter::value(&call.evaluator, "map", Map { function: call.value(0).clone(), parts }))
}

fn filter(call: &mut Call<'_>) -> Result<Value, Fault> {
    let function = Some(call.value(0).clone()).filter(|function| !matches!(function, Value::None));
    Ok(Iter::value(&call.evaluator, "filter", Filter { function, items: items(call, 1)? }))
}

#[derive(Clone)]
struct Calls {
    function: Value,
    sentinel: Value,
    is_done: bool,
}

impl Stream for Calls {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        if self.is_done {
            return Ok(None);
        }
        let item = evaluator.call_value(&self.function, [], [])?;
        self.is_done = evaluator.same_or_equal(&item, &self.sentinel)?;
        Ok((!self.is_done).then_some(item))
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.function);
        look(&self.sentinel);
    }
}

/// The items of a sequence from its end.
#[derive(Clone)]
struct Backwards {
    sequence: Value,
    /// Items, or the bytes of a text, whose characters may have several.
    left: usize,
}

impl Stream for Backwards {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        if let Value::Str(text) = &self.sequence {
            let Some(last) = text[..self.left].chars().next_back() else { return Ok(None) };
            self.left -= last.len_utf8();
            return Ok(Some(evaluator.interp.letter(last)));
        }
        let plain = match &self.sequence {
            Value::List(items) => Some(items.borrow()),
            _ => None,
        };
        let items = match (&plain, &self.sequence) {
            (Some(items), _) => Some(items.as_slice()),
            (None, Value::Tuple(items)) => Some(&**items),
            (None, _) => None,
        };
        if let Some(items) = items {
            // A list may have become shorter.
            let last = self.left.checked_sub(1).and_then(|last| items.get(last));
            self.left = if last.is_some() { self.left - 1 } else { 0 };
            return Ok(last.cloned());
        }
        let is_object = matches!(self.sequence, Value::Object(_));
        if self.left == 0 || !is_object && self.left > evaluator.len(&self.sequence)? {
            self.left = 0;
            return Ok(None);
        }
        self.left -= 1;
        let at = self.left as i64;
        if is_object {
            return match evaluator.object_item(&self.sequence, &Value::Int(at)) {
                Ok(item) => Ok(Some(item)),
                Err(fault) if matches!(fault.kind, ErrorKind::Index | ErrorKind::StopIteration) => {
                    self.left = 0;
                    Ok(None)
                }
                Err(fault) => Err(fault),
            };
        }
        Ok(Some(match &self.sequence {
            Value::Tensor(tensor) => evaluator.element(tensor, at)?.into(),
            sequence => evaluator.sequence_index(sequence, &Value::Int(at))?,
        }))
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.sequence);
    }
}

#[derive(Clone)]
pub(super) struct Zip {
    pub parts: Vec<Items>,
    pub is_strict: bool,
}

impl Stream for Zip {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let mut row = Row::with_capacity(self.parts.len());
        for at in 0..self.parts.len() {
            match evaluator.next_of(&mut self.parts[at])? {
                Some(item) => row.push(item),
                None if self.is_strict && at > 0 => return Err(uneven(at, "shorter")),
                None if self.is_strict => {
                    for (at, part) in self.parts.iter_mut().enumerate().skip(1) {
                        if evaluator.next_of(part)?.is_some() {
                            return Err(uneven(at, "longer"));
                        }
                    }
                    return Ok(None);
                }
                None => return Ok(None),
            }
        }
        Ok((!row.is_empty()).then(|| Value::Tuple(row.into())))
    }

    fn is_plain(&self) -> bool {
        !self.is_strict && self.parts.iter().all(|part| part.is_plain())
    }

    fn next_parts(&mut self, evaluator: &Evaluator<'_>, places: &mut [Value]) -> Option<bool> {
        if places.len() != self.parts.len() || places.is_empty() || !self.is_plain() {
            return None;
        }
        if let ([first, second], [to_first, to_second]) = (&mut *self.parts, &mut *places) {
            if first.put_pair(second, to_first, to_second) {
                return Some(true);
            }
            let Ok(Some(item)) = evaluator.next_of(first) else { return Some(false) };
            let Ok(Some(other)) = evaluator.next_of(second) else { return Some(false) };
            put(to_first, item);
            put(to_second, other);
            return Some(true);
        }
        let mut row: SmallVec<[Value; 4]> = SmallVec::new();
        for part in &mut self.parts {
            match evaluator.next_of(part) {
                Ok(Some(item)) => row.push(item),
                // What is plain brings nothing up.
                Ok(None) | Err(_) => return Some(false),
            }
        }
        places.iter_mut().zip(row).for_each(|(place, item)| put(place, item));
        Some(true)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.parts.iter().for_each(|part| part.visit(look));
    }
}

/// What `zip(…, strict=True)` says of the argument at this position.
fn uneven(at: usize, how: &str) -> Fault {
    let others = if at == 1 { "argument 1".to_owned() } else { format!("arguments 1-{at}") };
    Fault::value_error(format!("zip() argument {} is {how} than {others}", at + 1))
}

#[derive(Clone)]
pub(super) struct Enumerate {
    pub items: Items,
    pub count: Value,
}

impl Stream for Enumerate {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let Some(item) = evaluator.next_of(&mut self.items)? else { return Ok(None) };
        let next = match &self.count {
            Value::Int(count) if *count < i64::MAX => Value::Int(count + 1),
            count => evaluator.binary(BinaryOp::Add, count, &Value::Int(1))?,
        };
        let count = std::mem::replace(&mut self.count, next);
        Ok(Some(Value::tuple([count, item])))
    }

    fn is_plain(&self) -> bool {
        matches!(self.count, Value::Int(count) if count < i64::MAX) && self.items.is_plain()
    }

    fn next_parts(&mut self, evaluator: &Evaluator<'_>, places: &mut [Value]) -> Option<bool> {
        if !self.is_plain() {
            return None;
        }
        let (Value::Int(count), [first, second]) = (&mut self.count, places) else { return None };
        // What is plain brings nothing up.
        let Ok(Some(item)) = evaluator.next_of(&mut self.items) else { return Some(false) };
        put_int(first, *count);
        put(second, item);
        *count += 1;
        Some(true)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.items.visit(look);
    }
}

#[derive(Clone)]
pub(super) struct Map {
    pub function: Value,
    pub parts: Vec<Items>,
}

impl Stream for Map {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let mut arguments: SmallVec<[Value; 4]> = SmallVec::new();
        for part in &mut self.parts {
            let Some(item) = evaluator.next_of(part)? else { return Ok(None) };
            arguments.push(item);
        }
        evaluator.call_value(&self.function, arguments, []).map(Some)
    }

    fn drive(
        &mut self,
        evaluator: &Evaluator<'_>,
        see: &mut dyn FnMut(Value) -> Result<Seen, Fault>,
    ) -> Result<Option<Seen>, Fault> {
        let Map { function, parts } = self;
        let mut arguments: SmallVec<[Value; 4]> = SmallVec::from_elem(Value::None, parts.len());
        evaluator.calling(function, parts.len(), |function| {
            loop {
                for (place, part) in arguments.iter_mut().zip(&mut *parts) {
                    let Some(item) = evaluator.next_of(part)? else { return Ok(None) };
                    *place = item;
                }
                match see(function.call(&mut arguments)?)? {
                    Seen::More => {}
                    seen => return Ok(Some(seen)),
                }
            }
        })
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.function);
        self.parts.iter().for_each(|part| part.visit(look));
    }
}

#[derive(Clone)]
struct Filter {
    /// None keeps what is true itself.
    function: Option<Value>,
    items: Items,
}

impl Stream for Filter {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        while let Some(item) = evaluator.next_of(&mut self.items)? {
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
            let answer = match &self.function {
                Some(function) => evaluator.call_value(function, [item.clone()], [])?,
                None => item.clone(),
            };
            if evaluator.truth(&answer)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn drive(
        &mut self,
        evaluator: &Evaluator<'_>,
        see: &mut dyn FnMut(Value) -> Result<Seen, Fault>,
    ) -> Result<Option<Seen>, Fault> {
        let Filter { function, items } = self;
        evaluator.calling(function.as_ref().unwrap_or(&Value::None), 1, |callback| {
            while let Some(item) = evaluator.next_of(items)? {
                evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
                let is_kept = match function {
                    Some(_) => evaluator.truth(&callback.call(&mut [item.clone()])?)?,
                    None => evaluator.truth(&item)?,
                };
                if !is_kept {
                    continue;
                }
                match see(item)? {
                    Seen::More => {}
                    seen => return Ok(Some(seen)),
                }
            }
            Ok(None)
        })
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(self.clone())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.function.iter().for_each(&mut *look);
        self.items.visit(look);
    }
}
