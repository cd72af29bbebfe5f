//! Iterators over sequences of built-in types, and over what goes through them.

use super::super::iterators::{Enumerate, Map, Zip};
use crate::interp::Evaluator;
use crate::interp::object::iterator::{Items, Iter};
use crate::interp::value::Value;
use crate::interp::vm::register::put;

/// `zip(…)`
pub fn zip(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let parts = arguments.iter().map(|part| items(evaluator, part)).collect::<Option<_>>()?;
    put(to, Iter::value(&evaluator, "zip", Zip { parts, is_strict: false }));
    Some(())
}

/// `enumerate(items)`, and from a number on
pub fn enumerate(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (part, start) = match arguments {
        [part] => (part, 0),
        [part, Value::Int(start)] => (part, *start),
        _ => return None,
    };
    let (items, count) = (items(evaluator, part)?, Value::Int(start));
    put(to, Iter::value(&evaluator, "enumerate", Enumerate { items, count }));
    Some(())
}

/// `map(function, items, …)`
pub fn map(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [function, parts @ ..] = arguments else { return None };
    if parts.is_empty() {
        return None;
    }
    let parts = parts.iter().map(|part| items(evaluator, part)).collect::<Option<_>>()?;
    put(to, Iter::value(&evaluator, "map", Map { function: function.clone(), parts }));
    Some(())
}

/// The items of what the program has no say in.
fn items(evaluator: Evaluator<'_>, part: &Value) -> Option<Items> {
    use Value::{Dict, Generator, Iterator, List, Range, Str, Tuple, View};
    match part {
        Dict(_) | Generator(_) | Iterator(_) | List(_) | Range(_) | Str(_) | Tuple(_) | View(_) => {
            evaluator.items(part).ok()
        }
        _ => None,
    }
}

// As in CPython what comes last is let go of first.
impl Drop for Zip {
    fn drop(&mut self) {
        self.parts.drain(..).rev().for_each(drop);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        self.parts.drain(..).rev().for_each(drop);
    }
}
