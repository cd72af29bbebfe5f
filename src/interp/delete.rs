//! `del`.

use super::shared::ItemStep;
use super::value::{Range, Type};
use super::{Evaluator, Value, assign, index};
use crate::diag::{ErrorKind, Fault};
use crate::tensor::Error;

impl Evaluator<'_> {
    /// `del container[at]`. `is_last` says that nothing in the statement can fail afterwards.
    pub(super) fn delete_item(
        &self,
        container: &Value,
        at: &Value,
        is_last: bool,
    ) -> Result<(), Error> {
        if let (Value::Opaque(_), Some(dict)) = (container, container.as_dict()) {
            // A counter lacks nothing.
            let is_free = container.type_of() == Type::Counter;
            if is_free && !dict.borrow().contains_key(&self.key_in(dict, at)?) {
                return Ok(());
            }
            return self.delete_item(&Value::Dict(dict.clone()), at, is_last);
        }
        match (container, at) {
            (Value::List(list), Value::Slice(slice)) => {
                let len = list.borrow().len();
                let (start, stop, step) = self.slice_bounds(slice, len)?;
                let range = Range { start, stop, step };
                let range = if step < 0 { range.reversed().unwrap_or(range) } else { range };
                if range.step == 1 || range.len() < 2 {
                    let first = range.start as usize;
                    let gone = first..first + range.len();
                    if gone.end == len {
                        let before =
                            |items: &Vec<Value>| ItemStep::Behind(items[gone.clone()].to_vec());
                        self.step(list, is_last, before)?.truncate(gone.start);
                    } else {
                        self.change(list, is_last)?.drain(gone);
                    }
                    return Ok(());
                }
                let mut gone = range.iter().map(|at| at as usize).peekable();
                let mut position = 0;
                self.change(list, is_last)?.retain(|_| {
                    position += 1;
                    gone.next_if_eq(&(position - 1)).is_none()
                });
                Ok(())
            }
            (Value::List(list), _) => {
                let len = list.borrow().len();
                let position = self.position(container, at, len, "assignment index")?;
                let before = |items: &Vec<Value>| ItemStep::Gone(position, items[position].clone());
                self.step(list, is_last, before)?.remove(position);
                Ok(())
            }
            (Value::Object(_), _) => match self.delete_object_item(container, at) {
                Some(done) => Ok(done?),
                None => self.delete_item(container.plain(), at, is_last),
            },
            (Value::Dict(entries), _) => {
                let key = self.key_in(entries, at)?;
                if !entries.borrow().contains_key(&key) {
                    return Err(self.missing_key(container, at).into());
                }
                self.step(entries, is_last, |entries| entries.step_out(&key))?.shift_remove(&key);
                Ok(())
            }
            (Value::Opaque(opaque), _) if let Some(count) = opaque.part().count() => {
                let position = self.position(container, at, count, "index")?;
                Ok(opaque.part().delete(self, position)?)
            }
            (Value::Tensor(tensor), _) => {
                assign::changeable(tensor, "deletion")?;
                Err(Error::value_error("cannot delete array elements"))
            }
            _ => {
                // CPython's two ways to say it: of what has positions, and of all else.
                let has_positions = matches!(
                    container,
                    Value::Str(_)
                        | Value::Tuple(_)
                        | Value::Range(_)
                        | Value::Set(_)
                        | Value::FrozenSet(_)
                );
                let does_not = if has_positions { "doesn't" } else { "does not" };
                Err(Error::type_error(format!(
                    "'{}' object {does_not} support item deletion",
                    container.type_name()
                )))
            }
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
        self.attribute(object, name)?;
        let message = format!("attribute '{name}' can't be deleted");
        Err(Fault::new(ErrorKind::Attribute, message))
    }
}
