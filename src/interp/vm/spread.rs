//! What stands behind stars in a call: items, and entries by name.

use std::rc::Rc;

use super::op::Context;
use crate::diag::{Fault, SourceResult};
use crate::interp::compile::Reg;
use crate::interp::eval;
use crate::interp::value::{Entries, Key, Value};
use crate::tensor::Error;

impl Context<'_, '_> {
    /// The items of what stands behind a star.
    pub fn spread(&mut self, value: Reg, callee: Reg) -> SourceResult<()> {
        if let Value::Tuple(_) = self.get(value) {
            return Ok(());
        }
        self.begin();
        let items = self.take(value);
        let words = |found: &str| {
            let name = name_of(self.get(callee));
            format!("{name}() argument after * must be an iterable, not {found}")
        };
        let spread = self.evaluator.iterate(&items);
        let spread = spread.map_err(|error| self.evaluator.about_items(error, &items, words));
        self.set(value, Value::tuple(self.evaluator.place(spread, self.span())?));
        Ok(())
    }

    /// The entries of what stands behind two stars, which must have names for keys.
    pub fn spread_mapping(&mut self, value: Reg, callee: Reg) -> SourceResult<()> {
        if let Value::Dict(entries) = self.get(value)
            && entries.borrow().is_empty()
        {
            return Ok(());
        }
        let mapping = self.take(value);
        let fault = |message: String| eval::placed(Fault::type_error(message), self.span());
        let entries = match self.evaluator.plain_entries(&mapping) {
            Some(entries) => Some(entries.borrow().clone()),
            None => self.entries_of_object(&mapping)?,
        };
        let Some(mut entries) = entries else {
            return Err(fault(format!(
                "{}() argument after ** must be a mapping, not {}",
                name_of(self.get(callee)),
                mapping.type_name()
            )));
        };
        if entries.keys().any(|key| !matches!(key.value(), Value::Str(_))) {
            // A name may be of a class derived from `str`.
            let name = |key: &Key| match key.value().plain() {
                Value::Str(name) => Some(Key::of_text(name.clone())),
                _ => None,
            };
            let named = entries.iter().map(|(key, value)| Some((name(key)?, value.clone())));
            let Some(named) = named.collect::<Option<Entries>>() else {
                return Err(fault("keywords must be strings".to_owned()));
            };
            entries = named;
        }
        self.set(value, Value::Dict(Rc::new(entries.into())));
        Ok(())
    }

    /// The entries of an object that is a mapping: it has keys. Nothing of another value.
    pub(super) fn entries_of_object(&self, mapping: &Value) -> SourceResult<Option<Entries>> {
        let is_mapping = matches!(mapping, Value::Object(_))
            && self.evaluator.attribute(mapping, "keys").is_ok();
        if !is_mapping {
            return Ok(None);
        }
        let entries = crate::interp::builtins::entries_of(&self.evaluator, mapping);
        self.evaluator.place(entries.map_err(Error::from), self.span()).map(Some)
    }
}

/// What messages call a function.
pub(super) fn name_of(target: &Value) -> String {
    match target {
        Value::Function(function) => function.name.clone(),
        Value::Closure(function) => function.code.qualified_name.to_string(),
        Value::Native(native) => native.name.clone(),
        Value::Method(method) => method.function.name.clone(),
        Value::Type(of) => of.name().to_owned(),
        other => other.type_name().to_owned(),
    }
}
