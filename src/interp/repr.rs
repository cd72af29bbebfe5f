//! Values as text, as Python writes them.

use std::rc::Rc;

use super::complex;
use super::long_text;
use super::quote::quoted;
use super::reach::Walk;
use super::room::{self, Pace};
use super::value::{Dict, Key, List, Members, Type};
use super::{Evaluator, Value};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::report::{
    Elements, PrintOptions, Stop, Window, format_repr, format_str, python_float, repr_of_words,
    str_of_words,
};
use crate::tensor::{Error, Glance, HostArray, Sight, Tensor};

/// Columns of a line that holds several items, as IPython has it.
const LINE: usize = 79;

/// Bytes of a text that is copied without asking for room.
const SHORT: usize = 256;

impl Evaluator<'_> {
    /// `repr(value)`.
    ///
    /// # Errors
    /// Whatever comes up when a lazy tensor is computed.
    pub fn try_repr(&self, value: &Value) -> Result<String, Error> {
        if let Some(text) = number(value) {
            return Ok(text);
        }
        if let Value::Str(text) = value {
            let mut whole = String::new();
            quoted(&self.interp.engine, text, &mut whole)?;
            return Ok(whole);
        }
        let seen = Seen::of(self, &[value])?;
        self.written(&seen, value)
    }

    /// `repr(value)` as IPython lays it out: what does not fit a line, or holds a tensor of several
    /// lines, has an item a line, and the lines of each begin in one column.
    ///
    /// # Errors
    /// As [`Evaluator::try_repr`].
    pub fn try_pretty(&self, value: &Value) -> Result<String, Error> {
        let seen = Seen::of(self, &[value])?;
        if seen.tensors.is_empty() {
            return self.written(&seen, value);
        }
        self.writer(&seen).pretty(value, 0)
    }

    /// `str(value)`.
    ///
    /// # Errors
    /// As [`Evaluator::try_repr`].
    pub fn try_str(&self, value: &Value) -> Result<String, Error> {
        if let Some(text) = number(value) {
            return Ok(text);
        }
        match value {
            Value::Str(text) if text.len() < SHORT => Ok(text.to_string()),
            Value::Object(object) => Ok(self.object_str(object)?),
            _ => self.try_strs(&[value]).map(|texts| texts.concat()),
        }
    }

    /// `str(value)` of each; the tensors in them are read back together.
    ///
    /// # Errors
    /// As [`Evaluator::try_repr`].
    pub fn try_strs(&self, values: &[&Value]) -> Result<Vec<String>, Error> {
        let seen = Seen::of(self, values)?;
        let text = |value: &&Value| match value {
            Value::Str(text) => Ok(long_text::joined(&self.interp.engine, &[text])?),
            Value::Tensor(tensor) => {
                let (shape, (elements, words)) = (tensor.shape(), seen.elements(tensor));
                let text = match words.as_ref().filter(|_| shape.rank() > 0) {
                    Some(words) => str_of_words(shape, words, &seen.options),
                    None => format_str(shape, elements, &seen.options),
                };
                self.interp.engine.interrupt().heed()?;
                Ok(text)
            }
            Value::Device(id) => Ok(id.to_string()),
            Value::DType(dtype) => Ok(dtype.to_string()),
            Value::Object(object) => Ok(self.object_str(object)?),
            _ => self.written(&seen, value),
        };
        values.iter().map(text).collect()
    }

    fn written(&self, seen: &Seen, value: &Value) -> Result<String, Error> {
        let mut writer = self.writer(seen);
        writer.value(value)?;
        Ok(std::mem::take(&mut writer.text))
    }

    fn writer<'a>(&'a self, seen: &'a Seen) -> Writer<'a> {
        let pace = Pace::new(&self.interp.engine);
        let before = self.interp.written.borrow().len();
        Writer { evaluator: *self, seen, text: String::new(), before, pace, asked: 0 }
    }

    /// `repr(value)` for messages, which must not fail.
    pub fn repr(&self, value: &Value) -> String {
        self.try_repr(value).unwrap_or_else(|error| format!("<{error}>"))
    }

    /// How tensors print at present.
    pub fn print_options(&self) -> PrintOptions {
        let default_float = self.interp.engine.default_float();
        let stop = Stop::by(self.interp.engine.interrupt().flag());
        PrintOptions { default_float, stop, ..self.interp.print_options.borrow().clone() }
    }
}

/// A number's text, which is the same however it is asked for.
pub(super) fn number(value: &Value) -> Option<String> {
    match value {
        Value::Int(value) => Some(value.to_string()),
        Value::Wide(value) => Some(value.to_string()),
        Value::Float(value) => Some(python_float(*value)),
        Value::Complex(value) => Some(complex::repr(**value)),
        _ => None,
    }
}

/// What was read back, as printing takes it.
pub fn elements(array: &HostArray) -> Elements {
    let scalars = array.scalars();
    match array.dtype {
        DType::Bool => Elements::Bool(scalars.map(Scalar::as_bool).collect()),
        dtype if dtype.is_complex() => {
            Elements::Complex(scalars.map(Scalar::as_complex).collect(), dtype)
        }
        dtype if dtype.is_float() => Elements::Float(scalars.map(Scalar::as_f64).collect(), dtype),
        dtype => Elements::Int(scalars.map(Scalar::as_i128).collect(), dtype),
    }
}

/// Elements, and the words that stand for them where a function of the program's writes them.
type Written = (Elements, Option<Vec<String>>);

/// The elements that printing some values shows, read back together.
struct Seen {
    options: PrintOptions,
    /// With what a function of the program's has made of each element, if it has set one.
    tensors: Vec<(Tensor, Written)>,
}

impl Seen {
    fn of(evaluator: &Evaluator<'_>, values: &[&Value]) -> Result<Seen, Error> {
        let options = evaluator.print_options();
        let mut tensors: Vec<Tensor> = Vec::new();
        let mut walk = Walk::new(&evaluator.interp.engine);
        for value in values {
            walk.visit(value, &mut |tensor| tensors.push(tensor.clone()))?;
        }
        // The same tensor may be met again; in this order it is found by halving.
        tensors.sort_by_key(Tensor::id);
        tensors.dedup_by_key(|tensor| tensor.id());
        let sight = |tensor| Sight {
            window: Window::of(Tensor::shape(tensor), &options),
            tensor,
            is_pictured: false,
            is_drawn: false,
        };
        let sights: Vec<Sight<'_>> = tensors.iter().map(sight).collect();
        let seen = evaluator.interp.engine.glance(&sights)?;
        let written = |(tensor, glance): (Tensor, &Glance)| {
            let elements = elements(&glance.elements);
            // What an index gives prints as a number does.
            let words = if tensor.is_scalar() { None } else { evaluator.words_of(&elements)? };
            Ok((tensor, (elements, words)))
        };
        let tensors = tensors.iter().cloned().zip(&seen).map(written);
        Ok(Seen { tensors: tensors.collect::<Result<_, Error>>()?, options })
    }

    fn elements(&self, tensor: &Tensor) -> &Written {
        let at = self.tensors.binary_search_by_key(&tensor.id(), |(tensor, _)| tensor.id());
        &self.tensors[at.expect("every tensor in the values was read")].1
    }
}

struct Writer<'a> {
    evaluator: Evaluator<'a>,
    seen: &'a Seen,
    text: String,
    /// How many containers were being written before.
    before: usize,
    pace: Pace<'a>,
    /// The bytes of the text that room was made for.
    asked: usize,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> Result<(), Error> {
        self.pace.step(self.text.len() - self.asked)?;
        self.asked = self.text.len();
        let evaluator = self.evaluator;
        match value.identity() {
            None => self.write(value),
            Some(_) => {
                evaluator.deeper("while getting the repr of an object", || self.write(value))
            }
        }
    }

    fn write(&mut self, value: &Value) -> Result<(), Error> {
        match value {
            Value::None => self.text.push_str("None"),
            Value::Bool(true) => self.text.push_str("True"),
            Value::Bool(false) => self.text.push_str("False"),
            Value::Int(value) => self.text.push_str(&value.to_string()),
            Value::Wide(value) => self.text.push_str(&value.to_string()),
            Value::Float(value) => self.text.push_str(&python_float(*value)),
            Value::Complex(value) => self.text.push_str(&complex::repr(**value)),
            Value::Str(text) => {
                quoted(self.pace.engine(), text, &mut self.text)?;
                if text.len() > room::PIECE {
                    // Room for it was made.
                    self.asked = self.text.len();
                }
            }
            Value::Ellipsis => self.text.push_str("Ellipsis"),
            Value::Tuple(items) => {
                self.sequence('(', items, if items.len() == 1 { ",)" } else { ")" })?;
            }
            Value::List(items) => {
                let id = List::as_ptr(items).cast();
                if self.is_open(id) {
                    self.text.push_str("[...]");
                    return Ok(());
                }
                let items = room::copied(self.pace.engine(), &items.borrow())?;
                self.sequence('[', &items, "]")?;
                self.close();
            }
            Value::Dict(entries) => {
                let id = Dict::as_ptr(entries).cast();
                if self.is_open(id) {
                    self.text.push_str("{...}");
                    return Ok(());
                }
                self.text.push('{');
                // An object's own text may change what holds it.
                let mut place = 0;
                let entry = || {
                    let entries = entries.borrow();
                    let (at, key, value) = entries.first_from(place)?;
                    place = at + 1;
                    Some((key.clone(), value.clone()))
                };
                for (at, (key, value)) in std::iter::from_fn(entry).enumerate() {
                    self.text.push_str(if at > 0 { ", " } else { "" });
                    self.value(key.value())?;
                    self.text.push_str(": ");
                    self.value(&value)?;
                }
                self.text.push('}');
                self.close();
            }
            Value::Set(set) if self.is_open(Rc::as_ptr(set).cast()) => {
                self.text.push_str("set(...)");
            }
            Value::FrozenSet(elements) if self.is_open(Rc::as_ptr(elements).cast()) => {
                self.text.push_str("frozenset(...)");
            }
            Value::Set(set) => {
                let elements = room::copied_members(self.pace.engine(), &set.borrow())?;
                self.set("", &elements)?;
                self.close();
            }
            Value::FrozenSet(elements) => {
                self.set("frozenset", elements)?;
                self.close();
            }
            Value::View(view) => {
                let id = Rc::as_ptr(view).cast();
                if self.is_open(id) {
                    self.text.push_str("...");
                    return Ok(());
                }
                self.text.push_str(view.shown.name());
                self.text.push('(');
                self.sequence('[', &view.items(), "])")?;
                self.close();
            }
            Value::Slice(slice) => {
                self.text.push_str("slice");
                let parts = [slice.start.clone(), slice.stop.clone(), slice.step.clone()];
                self.sequence('(', &parts, ")")?;
            }
            Value::Range(range) => {
                let step =
                    if range.step == 1 { String::new() } else { format!(", {}", range.step) };
                self.text.push_str(&format!("range({}, {}{step})", range.start, range.stop));
            }
            Value::Iterator(iter) => match iter.shown() {
                Some((name, parts)) => {
                    self.text.push_str(name);
                    self.sequence('(', &parts, ")")?;
                }
                None => self.text.push_str(&format!("<{} object>", iter.name)),
            },
            Value::DType(dtype) => self.text.push_str(&format!("dtype('{dtype}')")),
            Value::Device(id) => self.text.push_str(&format!("device('{id}')")),
            Value::Function(function) => {
                self.text.push_str(&function.shown());
            }
            Value::Method(method) => {
                let name = method.receiver.type_name();
                self.text.push_str(&format!(
                    "<built-in method {} of {name} object>",
                    method.function.name
                ));
            }
            Value::Closure(function) => self.text.push_str(&format!("{function:?}")),
            Value::Generator(generator) => self.text.push_str(&format!("{generator:?}")),
            Value::Unbound => self.text.push_str("<nothing>"),
            Value::Object(object) => self.text.push_str(&self.evaluator.object_repr(object)?),
            Value::Class(class) => self.text.push_str(&self.evaluator.class_repr(class)?),
            Value::Bound(bound) => {
                let name = self.evaluator.name_of(&bound.callable);
                self.text.push_str(&format!("<bound method {name} of "));
                self.value(&bound.receiver)?;
                self.text.push('>');
            }
            Value::Descriptor(descriptor) if let Some(function) = descriptor.part("__func__") => {
                self.text.push_str(&format!("<{}(", descriptor.type_of().name()));
                self.value(&function)?;
                self.text.push_str(")>");
            }
            Value::Descriptor(descriptor) => {
                self.text.push_str(&format!("<{} object>", descriptor.type_of().name()));
            }
            Value::NotImplemented => self.text.push_str("NotImplemented"),
            Value::Native(native) => self.text.push_str(&format!("{native:?}")),
            Value::Opaque(opaque) => {
                let id = Rc::as_ptr(opaque).cast();
                if self.is_open(id) {
                    let is_queue = opaque.of == Type::Deque;
                    self.text.push_str(if is_queue { "[...]" } else { "..." });
                    return Ok(());
                }
                let text = opaque.part().repr(&self.evaluator)?;
                self.text.push_str(&text);
                self.close();
            }
            Value::Module(module) => self.text.push_str(&format!("<module '{}'>", module.name())),
            Value::Type(Type::Tensor) => self.text.push_str("<class 'tensor'>"),
            Value::Type(of) => self.text.push_str(&format!("<class '{}'>", of.full_name())),
            Value::Tensor(tensor) => {
                let (shape, options) = (tensor.shape(), &self.seen.options);
                let (elements, words) = self.seen.elements(tensor);
                self.text.push_str(&match words {
                    Some(words) => repr_of_words(shape, elements.dtype(), words, options),
                    None => format_repr(shape, elements, options),
                });
                self.evaluator.interp.engine.interrupt().heed()?;
            }
        }
        Ok(())
    }

    /// The value from `column` on, where its lines after the first begin no further left.
    fn pretty(&mut self, value: &Value, column: usize) -> Result<String, Error> {
        let items = |items: &[Value]| items.iter().map(|item| (None, item.clone())).collect();
        let (open, parts, close): (_, Vec<(Option<Value>, Value)>, _) = match value {
            Value::Tuple(parts) => ("(", items(parts), if parts.len() == 1 { ",)" } else { ")" }),
            Value::List(parts) => ("[", items(&parts.borrow()), "]"),
            Value::Dict(entries) => {
                let entries = entries.borrow();
                let entry =
                    |(key, value): (&Key, &Value)| (Some(key.value().clone()), value.clone());
                ("{", entries.iter().map(entry).collect(), "}")
            }
            _ => (Default::default(), Vec::new(), ""),
        };
        let id = match value {
            Value::List(items) => Some(List::as_ptr(items).cast()),
            Value::Dict(entries) => Some(Dict::as_ptr(entries).cast()),
            _ => None,
        };
        let is_inside_itself = id.is_some_and(|id| self.evaluator.is_written(id));
        let plain = self.plain(value)?;
        let fits = column + plain.chars().count() <= LINE && !plain.contains('\n');
        if parts.is_empty() || fits || is_inside_itself {
            return Ok(plain.replace('\n', &format!("\n{:column$}", "")));
        }
        id.into_iter().for_each(|id| _ = self.is_open(id));
        let mut text = String::from(open);
        for (at, (key, item)) in parts.iter().enumerate() {
            if at > 0 {
                text += &format!(",\n{:1$}", "", column + 1);
            }
            let key = match key {
                Some(key) => self.plain(key)? + ": ",
                None => String::new(),
            };
            let begin = column + 1 + key.chars().count();
            text += &key;
            text += &self.pretty(item, begin)?;
        }
        if id.is_some() {
            self.close();
        }
        Ok(text + close)
    }

    /// The value as `repr` writes it.
    fn plain(&mut self, value: &Value) -> Result<String, Error> {
        let (before, asked) = (std::mem::take(&mut self.text), std::mem::take(&mut self.asked));
        self.value(value)?;
        self.asked = asked;
        Ok(std::mem::replace(&mut self.text, before))
    }

    fn sequence(&mut self, open: char, items: &[Value], close: &str) -> Result<(), Error> {
        self.text.push(open);
        for (at, item) in items.iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            self.value(item)?;
        }
        self.text.push_str(close);
        Ok(())
    }

    /// `{1, 2}`, `set()`, `frozenset({1, 2})`
    fn set(&mut self, name: &str, elements: &Members) -> Result<(), Error> {
        if elements.is_empty() {
            self.text.push_str(if name.is_empty() { "set()" } else { "frozenset()" });
            return Ok(());
        }
        let items: Vec<Value> = elements.iter().map(|key| key.value().clone()).collect();
        self.text.push_str(name);
        if name.is_empty() {
            return self.sequence('{', &items, "}");
        }
        self.text.push('(');
        self.sequence('{', &items, "})")
    }

    /// Whether a container is being written already; notes that it is now.
    fn is_open(&mut self, id: *const ()) -> bool {
        let is_open = self.evaluator.is_written(id);
        if !is_open {
            self.evaluator.interp.written.borrow_mut().push(id);
        }
        is_open
    }

    fn close(&mut self) {
        self.evaluator.interp.written.borrow_mut().pop();
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.evaluator.interp.written.borrow_mut().truncate(self.before);
    }
}

impl Evaluator<'_> {
    /// Whether a container's text is being made: it may hold itself, also by way of an object's `__repr__`.
    fn is_written(&self, id: *const ()) -> bool {
        self.interp.written.borrow().contains(&id)
    }

    /// The text that `make` makes of an object, which is not made again while that is done.
    pub(super) fn written_once(
        &self,
        id: *const (),
        make: impl FnOnce() -> Result<String, Fault>,
    ) -> Result<String, Fault> {
        if self.is_written(id) {
            return Ok("...".to_owned());
        }
        self.interp.written.borrow_mut().push(id);
        let text = make();
        self.interp.written.borrow_mut().pop();
        text
    }
}
