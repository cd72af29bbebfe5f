//! What was typed: `In`, `_i`, `_ii`, `_iii` and `_i3`, as in IPython.
//!
//! The names are bound when an input speaks of them, so that others cost nothing and no list of names
//! is full of them.

use std::rc::Rc;

use super::commands::is_input;
use super::{Session, Value};
use crate::syntax::continues_name;

/// The texts of the inputs.
#[derive(Debug, Default)]
pub struct Inputs {
    /// As `In` has them: what has no text is empty, as the one in front of the first.
    texts: Vec<Rc<str>>,
}

impl Inputs {
    fn put(&mut self, number: usize, text: &str) {
        self.texts.resize(number, Rc::from(""));
        self.texts.push(Rc::from(text.trim_end()));
    }

    /// Forgets the texts, and that there were any.
    pub fn clear(&mut self) {
        self.texts.fill(Rc::from(""));
    }

    /// What a name means in the latest input.
    fn value(&self, name: &str) -> Option<Value> {
        self.value_at(name, self.texts.len().checked_sub(1)?)
    }

    /// What a name means in the input of that number.
    fn value_at(&self, name: &str, latest: usize) -> Option<Value> {
        let number = match name {
            "In" => {
                let texts = self.texts.iter().take(latest + 1).map(|text| Value::str(&**text));
                return Some(Value::list(texts.collect()));
            }
            "_i" | "_ii" | "_iii" => latest.checked_sub(name.len() - 1),
            _ => name.strip_prefix("_i").and_then(|number| number.parse().ok()),
        };
        Some(Value::str(number.and_then(|number| self.texts.get(number)).map_or("", |t| &**t)))
    }

    /// Lines of a program that give the names their values that a statement of that input speaks of: a
    /// program that is loaded has other inputs.
    pub fn assignments(&self, number: usize, statement: &str) -> String {
        let assign = |name: &str| {
            let value = self.value_at(name, number)?;
            Some(format!("{name} = {}\n", literal(&value)))
        };
        names_in(statement).into_iter().filter_map(assign).collect()
    }
}

/// A text, or a list of texts, as a program writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::List(items) => {
            let items: Vec<String> = items.borrow().iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Str(text) => {
            let text = text.replace('\\', "\\\\").replace('\'', "\\'");
            format!("'{}'", text.replace('\n', "\\n").replace('\r', "\\r"))
        }
        _ => "None".to_owned(),
    }
}

/// The names of inputs that a text speaks of, each once.
pub fn names_in(text: &str) -> Vec<&str> {
    let words = text.split(|c| !continues_name(c)).filter(|word| is_input(word));
    let mut names: Vec<&str> = words.collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl Session {
    /// Keeps an input, and binds the names of inputs that it speaks of. A program that gave `In` a
    /// value of its own keeps it.
    pub(super) fn note_input(&mut self, number: usize, text: &str) {
        self.inputs.put(number, text);
        for name in names_in(text) {
            let is_taken =
                name == "In" && self.interp.get(name).is_some_and(|value| !is_texts(&value));
            if let Some(value) = self.inputs.value(name).filter(|_| !is_taken) {
                self.interp.set(Rc::from(name), value);
            }
        }
    }
}

/// Whether a value could be an earlier `In`.
fn is_texts(value: &Value) -> bool {
    match value {
        Value::List(items) => items.borrow().iter().all(|item| matches!(item, Value::Str(_))),
        _ => false,
    }
}
