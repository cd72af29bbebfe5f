//! What is asked of a class itself: where the library has given it something in the place of a
//! metaclass, that answers.

use std::rc::Rc;

use super::class::{Class, ClassRef};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::value::Value;

impl Evaluator<'_> {
    /// `Class[index]`
    pub(crate) fn class_item(&self, class: &Rc<Class>, index: &Value) -> Result<Value, Fault> {
        let value = Value::Class(class.clone());
        if let Some(item) = self.call_special(&value, "__getitem__", [index]) {
            return item;
        }
        let own = ClassRef::Program(class.clone());
        match self.find_in(&own, "__class_getitem__") {
            Some(method) => {
                let method = self.bind(method, None, &own)?;
                self.call_value(&method, [index.clone()], [])
            }
            None => {
                let message = format!("type '{}' is not subscriptable", class.name);
                Err(Fault::type_error(message))
            }
        }
    }

    /// `repr(Class)`
    pub(crate) fn class_repr(&self, class: &Rc<Class>) -> Result<String, Fault> {
        match self.call_special(&Value::Class(class.clone()), "__repr__", []) {
            Some(text) => Ok(self.try_str(&text?)?),
            None => Ok(format!("<class '{}'>", class.qualified())),
        }
    }
}
