//! What values hold: the one place that knows where a value keeps others.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Value;
use super::room::Pace;
use super::shared::Contents;
use super::thin::Thin;
use crate::diag::Fault;
use crate::tensor::{Engine, Tensor};

impl Value {
    /// Where what several may share lies, and how many share it; none for what holds no others and
    /// no memory of tensors.
    pub fn identity(&self) -> Option<(*const (), usize)> {
        match self {
            Value::Tensor(tensor) => Some(tensor.identity()),
            Value::Tuple(items) => Some((items.as_ptr(), Thin::holders(items))),
            Value::List(list) => Some(identity(list)),
            Value::Dict(dict) => Some(identity(dict)),
            Value::Set(set) => Some(identity(set)),
            Value::FrozenSet(set) => Some(identity(set)),
            Value::View(view) => Some(identity(view)),
            Value::Slice(slice) => Some(identity(slice)),
            Value::Iterator(iter) => Some(identity(iter)),
            Value::Method(method) => Some(identity(method)),
            Value::Closure(closure) => Some(identity(closure)),
            Value::Generator(generator) => Some(identity(generator)),
            Value::Class(class) => Some(identity(class)),
            Value::Object(object) => Some(identity(object)),
            Value::Bound(bound) => Some(identity(bound)),
            Value::Descriptor(descriptor) => Some(identity(descriptor)),
            Value::Opaque(opaque) => Some(identity(opaque)),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Wide(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Ellipsis
            | Value::Range(_)
            | Value::DType(_)
            | Value::Device(_)
            | Value::Function(_)
            | Value::Native(_)
            | Value::Module(_)
            | Value::Type(_)
            | Value::NotImplemented
            | Value::Unbound => None,
        }
    }

    /// Whether it is one of those that a program has most and that hold no others.
    #[inline(always)]
    pub fn holds_nothing(&self) -> bool {
        matches!(
            self,
            Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Wide(_)
                | Value::Float(_)
                | Value::Complex(_)
                | Value::Str(_)
        )
    }

    /// Shows the values that it holds itself, each as often as it holds it, and never what only one
    /// of them holds: what the past holds alone is found by this count. Numbers and texts may be left out. What lies in a cell that
    /// several functions share is not shown, and so counts as alive. A container that somebody
    /// changes meanwhile shows nothing.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            Value::Tuple(items) => items.iter().filter(|v| !v.holds_nothing()).for_each(look),
            Value::List(list) => list.try_borrow().iter().for_each(|items| items.visit(look)),
            Value::Dict(dict) => dict.try_borrow().iter().for_each(|entries| entries.visit(look)),
            Value::Set(set) => {
                set.try_borrow().iter().for_each(|set| set.iter().for_each(|k| look(k.value())));
            }
            Value::FrozenSet(set) => set.iter().for_each(|key| look(key.value())),
            Value::View(view) => look(&Value::Dict(view.dict.clone())),
            Value::Slice(slice) => {
                [&slice.start, &slice.stop, &slice.step].into_iter().for_each(look);
            }
            Value::Iterator(iter) => iter.visit(look),
            Value::Method(method) => look(&method.receiver),
            Value::Closure(closure) => closure.visit(look),
            Value::Class(class) => class.visit(look),
            Value::Object(object) => object.visit(look),
            Value::Bound(bound) => {
                look(&bound.receiver);
                look(&bound.callable);
            }
            Value::Descriptor(descriptor) => descriptor.visit(look),
            Value::Generator(generator) => {
                look(&Value::Closure(generator.function.clone()));
                generator.state.try_borrow().iter().for_each(|state| state.visit(look));
            }
            Value::Opaque(opaque) => opaque.part().visit(look),
            _ => {}
        }
    }
}

fn identity<T>(shared: &Rc<T>) -> (*const (), usize) {
    (Rc::as_ptr(shared).cast(), Rc::strong_count(shared))
}

/// A walk over the tensors in values; containers may hold themselves.
pub(super) struct Walk<'a> {
    pace: Pace<'a>,
    seen: FxHashSet<*const ()>,
    open: Vec<Value>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(engine: &'a Engine) -> Walk<'a> {
        Walk { pace: Pace::new(engine), seen: FxHashSet::default(), open: Vec::new() }
    }

    /// Shows every tensor to `take`. A container that was visited before is left out.
    ///
    /// # Errors
    /// Ctrl-C.
    pub(super) fn visit(
        &mut self,
        value: &Value,
        take: &mut dyn FnMut(&Tensor),
    ) -> Result<(), Fault> {
        self.open.push(value.clone());
        while let Some(value) = self.open.pop() {
            self.pace.step(0)?;
            if let Value::Tensor(tensor) = &value {
                take(tensor);
            } else if value.identity().is_some_and(|(at, _)| self.seen.insert(at)) {
                let start = self.open.len();
                value.visit(&mut |part| {
                    if part.identity().is_some() {
                        self.open.push(part.clone());
                    }
                });
                // The first part comes first.
                self.open[start..].reverse();
            }
        }
        Ok(())
    }
}
