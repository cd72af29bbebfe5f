//! The variables.

use rustc_hash::FxHashMap;

use super::value::Value;
use crate::syntax::ast::Ident;

/// Names and what they hold.
#[derive(Debug, Default)]
pub struct Scope {
    names: FxHashMap<Ident, Value>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.names.get(name)
    }

    /// Binds a name; gives back what it held.
    pub fn set(&mut self, name: Ident, value: Value) -> Option<Value> {
        self.names.insert(name, value)
    }

    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.names.remove(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Ident, &Value)> {
        self.names.iter()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    pub fn clear(&mut self) {
        self.names.clear();
    }
}
