//! What classes of the program say of the entries of their dictionaries, and of mappings that are none.

use crate::diag::Fault;
use crate::interp::value::{Dict, Entries, Module, Value};
use crate::interp::{Evaluator, room};

impl Evaluator<'_> {
    /// The entries of a dictionary whose class leaves it to them what its keys are.
    pub(in crate::interp) fn plain_entries<'v>(&self, value: &'v Value) -> Option<&'v Dict> {
        let has_own =
            matches!(value, Value::Object(_)) && self.special(value, "__iter__").is_some();
        value.as_dict().filter(|_| !has_own)
    }

    /// What an object with `keys` gives for each of them; `None` of what has none.
    ///
    /// # Errors
    /// Those of its methods.
    pub(in crate::interp) fn asked_entries(&self, value: &Value) -> Result<Option<Entries>, Fault> {
        if !matches!(value, Value::Object(_)) {
            return Ok(None);
        }
        let Ok(keys) = self.attribute(value, "keys") else { return Ok(None) };
        let keys = self.call_value(&keys, [], [])?;
        let mut entries = Entries::default();
        self.each(&keys, |name| {
            let key = self.known_key(self.key(&name)?, || &entries)?;
            entries.insert(key, self.object_item(value, &name)?);
            Ok(true)
        })?;
        Ok(Some(entries))
    }

    /// The keys and values of a mapping, as its class's `items` gives them where it has one.
    ///
    /// # Errors
    /// Those of that method; ValueError where it gives anything but pairs.
    pub(in crate::interp) fn pairs_of(&self, value: &Value) -> Result<Vec<(Value, Value)>, Fault> {
        let has_own = match value {
            Value::Object(object) => self.find_in(&object.class, "items").is_some(),
            _ => false,
        };
        match value.as_dict().filter(|_| !has_own) {
            Some(dict) => {
                let entries = room::copied_entries(&self.interp.engine, &dict.borrow())?;
                Ok(entries.into_iter().map(|(key, value)| (key.into_value(), value)).collect())
            }
            None => {
                let items = self.call_value(&self.attribute(value, "items")?, [], [])?;
                let pair = |item: Value| match &item {
                    Value::Tuple(pair) if let [key, value] = &**pair => {
                        Ok((key.clone(), value.clone()))
                    }
                    _ => Err(Fault::value_error("items must return 2-tuples")),
                };
                self.first_items(&items, usize::MAX)?.into_iter().map(pair).collect()
            }
        }
    }

    /// Whether `isinstance(value, collections.abc.Mapping)`.
    ///
    /// # Errors
    /// Those of what its class says of that.
    pub(in crate::interp) fn is_mapping(&self, value: &Value) -> Result<bool, Fault> {
        match value {
            Value::Object(_) if value.as_dict().is_none() => {
                let answer = self.call_text(Module::Collections, "_is_mapping", [value.clone()])?;
                Ok(self.truth(&answer)?)
            }
            _ => Ok(value.as_dict().is_some()),
        }
    }

    /// A dictionary as operators take it: what its class's own `__iter__` and `keys` say is in it, where they do.
    ///
    /// # Errors
    /// Theirs.
    pub(in crate::interp) fn asked_dict(&self, value: &Value) -> Result<Value, Fault> {
        match value.plain() {
            Value::Dict(_) if self.plain_entries(value).is_none() => {
                let entries = self.asked_entries(value)?.unwrap_or_default();
                Ok(Value::Dict(std::rc::Rc::new(entries.into())))
            }
            plain => Ok(plain.clone()),
        }
    }
}
