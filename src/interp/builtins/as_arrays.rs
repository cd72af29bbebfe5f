//! Objects that can become arrays, as arguments: tensors of checkpoints, arrays that stay on the disk, what a program's
//! class with `__array__` is. A function that takes none of them as it is runs again over the arrays.

use super::Call;
use crate::diag::Fault;
use crate::interp::{Evaluator, Value};

impl Evaluator<'_> {
    /// What an object of a class is as an array, where its class has `__array__`.
    pub fn array_of(&self, value: &Value) -> Result<Option<Value>, Fault> {
        let Value::Object(_) = value else { return Ok(None) };
        let Ok(method) = self.attribute(value, "__array__") else { return Ok(None) };
        self.call_value(&method, [], []).map(Some)
    }
}

impl Call<'_> {
    /// Puts arrays in the place of such objects, those in lists and tuples too; whether there were any.
    pub(in crate::interp) fn take_arrays(&mut self) -> Result<bool, Fault> {
        let evaluator = self.evaluator;
        let arrays = |items: &[Value]| -> Result<Option<Vec<Value>>, Fault> {
            if !items.iter().any(|item| matches!(item, Value::Object(_))) {
                return Ok(None);
            }
            let mut is_any = false;
            let mut made = Vec::with_capacity(items.len());
            for item in items {
                let found = evaluator.array_of(item)?;
                is_any |= found.is_some();
                made.push(found.unwrap_or_else(|| item.clone()));
            }
            Ok(is_any.then_some(made))
        };
        let mut has_any = false;
        let given = self.bound.slots.iter_mut().flatten().chain(self.bound.rest.iter_mut());
        for argument in given {
            let made = match &argument.value {
                Value::List(items) => {
                    let items: Vec<Value> = items.borrow().iter().cloned().collect();
                    arrays(&items)?.map(Value::list)
                }
                Value::Tuple(items) => arrays(items)?.map(Value::tuple),
                value => evaluator.array_of(value)?,
            };
            if let Some(made) = made {
                (argument.value, has_any) = (made, true);
            }
        }
        Ok(has_any)
    }
}
