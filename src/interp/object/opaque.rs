//! Objects of Python's library that are written in Rust: `partial`, `deque`, `Counter`, `Random`.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::builtins::Arguments;
use crate::interp::collect;
use crate::interp::letting_go::let_go;
use crate::interp::object::iterator::Iter;
use crate::interp::value::{Dict, Key, Slice, Type, Value};
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::tensor::Error;

/// An object whose inside only Rust knows. Its methods are in the registry, by its type.
pub struct Opaque {
    pub of: Type,
    part: Box<dyn Part>,
}

/// What stands where an object's inside was.
struct Gone;

impl Part for Gone {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(String::new())
    }
}

impl Drop for Opaque {
    fn drop(&mut self) {
        let_go(std::mem::replace(&mut self.part, Box::new(Gone)));
    }
}

/// What such an object does. All that changes in it goes through [`Shared`](crate::interp::shared).
pub trait Part: Any {
    /// `repr(object)`
    ///
    /// # Errors
    /// Those of what it holds.
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault>;

    /// Shows the values that it holds.
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    /// What changes in it, where that alone holds what `visit` shows.
    fn shared(&self) -> Option<Rc<dyn collect::Part>> {
        None
    }

    fn is_callable(&self) -> bool {
        false
    }

    /// Where a call of it is one of a function with these arguments before those of the call: that function, and they.
    fn first_arguments(&self) -> Option<(&Value, &[Value])> {
        None
    }

    /// `object(arguments)`, where it can be called.
    ///
    /// # Errors
    /// Those of what it calls.
    fn call(&self, _: &Evaluator<'_>, _: Arguments) -> Result<Value, Fault> {
        Err(Fault::type_error("object is not callable"))
    }

    fn attribute(&self, _: &str) -> Option<Value> {
        None
    }

    /// `object.name = value`; `None` where the name can't be set.
    fn set_attribute(&self, _: &Evaluator<'_>, _: &str, _: &Value) -> Option<Result<(), Fault>> {
        None
    }

    /// The dictionary that it is, with something added.
    fn dict(&self) -> Option<&Dict> {
        None
    }

    /// Takes over what another one holds: what `__init__` does in classes that extend its type.
    fn fill(&self, evaluator: &Evaluator<'_>, from: &Value) {
        if let (Some(own), Some(from)) = (self.dict(), from.as_dict()) {
            let entries = from.borrow().clone();
            own.change(&evaluator.interp.journal).extend(entries);
        }
    }

    /// What such a dictionary gives for a key that it lacks, if that is no error.
    ///
    /// # Errors
    /// Those of what makes it.
    fn missing(&self, _: &Evaluator<'_>, _: &Key) -> Result<Option<Value>, Fault> {
        Ok(None)
    }

    /// Whether it can change, so that it is no key.
    fn is_container(&self) -> bool {
        self.dict().is_some() || self.count().is_some()
    }

    /// Whether it can be a key, though it holds items.
    fn is_hashable(&self) -> bool {
        !self.is_container()
    }

    /// How many items it holds, where it is a sequence.
    fn count(&self) -> Option<usize> {
        None
    }

    /// The item at a position, of a sequence.
    fn item(&self, _: usize) -> Option<Value> {
        None
    }

    /// `object[start:stop:step]`, where that is a sequence of the same kind.
    fn slice(&self, _: &Evaluator<'_>, _: &Slice) -> Option<Result<Value, Error>> {
        None
    }

    /// `value in object`, where that is more than a look for an equal item.
    fn contains(&self, _: &Evaluator<'_>, _: &Value) -> Option<Result<bool, Error>> {
        None
    }

    /// Goes through its items, of a sequence.
    fn iter(&self, _is_backwards: bool) -> Option<Rc<Iter>> {
        None
    }

    /// The items that it holds at present, where it is a sequence.
    fn items(&self) -> Option<Vec<Value>> {
        None
    }

    /// `object[index] = value`, of a sequence.
    ///
    /// # Errors
    /// TypeError where it can't be assigned to.
    fn assign(&self, _: &Evaluator<'_>, _: usize, _: Value) -> Result<(), Fault> {
        Err(Fault::type_error("object does not support item assignment"))
    }

    /// `del object[index]`, of a sequence.
    ///
    /// # Errors
    /// TypeError where items can't be deleted.
    fn delete(&self, _: &Evaluator<'_>, _: usize) -> Result<(), Fault> {
        Err(Fault::type_error("object does not support item deletion"))
    }

    /// `object op other`, or `other op object`; `None` where it has nothing to say.
    ///
    /// # Errors
    /// Those of what it holds.
    fn binary(
        &self,
        _: &Evaluator<'_>,
        _: BinaryOp,
        _: &Value,
        _is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    /// `object op= other`, where that changes the object; whether it did.
    ///
    /// # Errors
    /// Those of what it holds.
    fn update(&self, _: &Evaluator<'_>, _: BinaryOp, _: &Value) -> Result<bool, Error> {
        Ok(false)
    }

    /// `-object` and its kin.
    ///
    /// # Errors
    /// Those of what it holds.
    fn unary(&self, _: &Evaluator<'_>, _: UnaryOp) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    /// Whether it equals another value; `None` where what it holds decides.
    ///
    /// # Errors
    /// Those of what it holds.
    fn equals(&self, _: &Evaluator<'_>, _: &Value) -> Result<Option<bool>, Error> {
        Ok(None)
    }

    /// The order of it and another value, if the two have one; `None` where they are not compared.
    ///
    /// # Errors
    /// Those of what it holds.
    fn order(
        &self,
        _: &Evaluator<'_>,
        _: &str,
        _: &Value,
    ) -> Result<Option<Option<Ordering>>, Error> {
        Ok(None)
    }

    /// `object[index]`, of what is no sequence.
    fn subscript(&self, _: &Evaluator<'_>, _: &Value) -> Option<Result<Value, Fault>> {
        None
    }
}

impl Opaque {
    pub fn value(of: Type, part: impl Part) -> Value {
        Value::Opaque(std::rc::Rc::new(Opaque { of, part: Box::new(part) }))
    }

    pub fn part(&self) -> &dyn Part {
        &*self.part
    }

    /// What it is inside.
    pub fn inside<T: Part>(&self) -> Option<&T> {
        (&*self.part as &dyn Any).downcast_ref()
    }
}

impl Value {
    /// The dictionary that a value is, or has in it.
    pub fn as_dict(&self) -> Option<&Dict> {
        match self.plain() {
            Value::Dict(dict) => Some(dict),
            Value::Opaque(opaque) => opaque.part().dict(),
            _ => None,
        }
    }

    /// What an object of Python's library is inside.
    pub fn inside<T: Part>(&self) -> Option<&T> {
        match self {
            Value::Opaque(opaque) => opaque.inside(),
            _ => None,
        }
    }
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} object>", self.of.name())
    }
}
