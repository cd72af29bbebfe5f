//! `del`.

use rustc_hash::FxHashSet;

use super::{Evaluator, Value, assign, index};
use crate::diag::{ErrorKind, Fault};
use crate::tensor::Error;

impl Evaluator<'_> {
    pub(super) fn delete_item(&self, container: &Value, at: &Value) -> Result<(), Error> {
        if let (Value::Opaque(_), Some(dict)) = (container, container.as_dict()) {
            return self.delete_item(&Value::Dict(dict.clone()), at);
        }
        match (container, at) {
            (Value::List(list), Value::Slice(slice)) => {
                let len = list.borrow().len();
                let gone: FxHashSet<usize> = self.slice_positions(slice, len)?.collect();
                let mut position = 0;
                list.change(&self.interp.journal).retain(|_| {
                    position += 1;
                    !gone.contains(&(position - 1))
                });
                Ok(())
            }
            (Value::List(list), _) => {
                let len = list.borrow().len();
                let position = self.position(container, at, len, "assignment index")?;
                list.change(&self.interp.journal).remove(position);
                Ok(())
            }
            (Value::Object(_), _) => match self.delete_object_item(container, at) {
                Some(done) => Ok(done?),
                None => self.delete_item(container.plain(), at),
            },
            (Value::Dict(entries), _) => {
                let key = self.key_in(entries, at)?;
                if !entries.borrow().contains_key(&key) {
                    return Err(self.missing_key(container, at).into());
                }
                entries.change(&self.interp.journal).shift_remove(&key);
                Ok(())
            }
            (Value::Tensor(tensor), _) => {
                assign::changeable(tensor, "deletion")?;
                Err(Error::value_error("cannot delete array elements"))
            }
            _ => Err(Error::type_error(format!(
                "'{}' object doesn't support item deletion",
                container.type_name()
            ))),
        }
    }

    /// `del object.name`
    pub(super) fn delete_attribute(&self, object: &Value, name: &str) -> Result<(), Fault> {
        if let Value::Closure(function) = object
            && let Ok(key) = index::hashable(&Value::str(name))
            && function.own(name).is_some()
        {
            function.attributes().change(&self.interp.journal).shift_remove(&key);
            return Ok(());
        }
        if let Value::Object(_) | Value::Class(_) = object {
            return self.delete_object_attribute(object, name);
        }
        let message = format!("attribute '{name}' can't be deleted");
        Err(Fault::new(ErrorKind::Attribute, message))
    }
}
