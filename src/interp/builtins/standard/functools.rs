//! `functools`: functions made of functions.

use std::rc::Rc;

use super::super::{Argument, Arguments, Builtin, Call, Run};
use crate::diag::{Fault, Span};
use crate::interp::Evaluator;
use crate::interp::convert;
use crate::interp::index;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::shared::{Contents, Shared};
use crate::interp::value::{Entries, Key, Module, Type, Value};
use crate::syntax::ast::Ident;

const fn tool(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Functools, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    tool(
        "reduce(function, iterable, initial=..., /)",
        reduce,
        "What a function of two makes of the items, from the left.",
    )
    .example("import functools\nfunctools.reduce(pow, [2, 3, 2])"),
    super::class(
        Module::Functools,
        "partial(func, /, *args, **keywords)",
        partial,
        "A function that already has some of its arguments.",
    )
    .example("import functools\nfunctools.partial(int, base=2)(\"101\")"),
    tool(
        "lru_cache(maxsize=128, typed=False)",
        lru_cache,
        "A decorator: the function keeps the results of its last calls.",
    ),
    tool(
        "cache(user_function, /)",
        |call| cached(call, None, false),
        "A decorator: the function keeps the results of all calls.",
    ),
    tool(
        "cmp_to_key(mycmp)",
        cmp_to_key,
        "A key for sorting, of a function that compares two values.",
    ),
    Builtin::new("cache_info(self, /)", info)
        .homes(super::super::Homes::NONE)
        .method_of(Type::Cached)
        .doc("Hits, misses, the limit and the number of results kept."),
    Builtin::new("cache_clear(self, /)", clear)
        .homes(super::super::Homes::NONE)
        .method_of(Type::Cached)
        .doc("Forgets all results."),
];

fn reduce(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let items = evaluator.iter(call.value(1)).map_err(|error| call.fault_at(1, error))?;
    let mut total = match call.given(2) {
        true => call.value(2).clone(),
        false => evaluator.next(&items)?.ok_or_else(|| {
            let message = "reduce() of empty iterable with no initial value";
            call.fault_at(1, Fault::type_error(message))
        })?,
    };
    while let Some(item) = evaluator.next(&items)? {
        evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
        total = evaluator.call_value(call.value(0), [total, item], [])?;
    }
    Ok(total)
}

#[derive(Clone)]
struct Partial {
    function: Value,
    positional: Vec<Value>,
    keywords: Vec<(Ident, Value)>,
}

fn callable(call: &Call<'_>, position: usize) -> Result<Value, Fault> {
    match convert::is_callable(call.value(position)) {
        true => Ok(call.value(position).clone()),
        false => {
            let fault = Fault::type_error("the first argument must be callable");
            Err(call.fault_at(position, fault))
        }
    }
}

fn partial(call: &mut Call<'_>) -> Result<Value, Fault> {
    let function = callable(call, 0)?;
    let mut made = match function.inside::<Partial>() {
        Some(inner) => inner.clone(),
        None => Partial { function, positional: Vec::new(), keywords: Vec::new() },
    };
    made.positional.extend(call.rest().iter().map(|argument| argument.value.clone()));
    for argument in call.extra() {
        let Some(name) = &argument.name else { continue };
        made.keywords.retain(|(known, _)| known != name);
        made.keywords.push((name.clone(), argument.value.clone()));
    }
    Ok(Opaque::value(Type::Partial, made))
}

impl Part for Partial {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let mut parts = vec![evaluator.try_repr(&self.function)?];
        for value in &self.positional {
            parts.push(evaluator.try_repr(value)?);
        }
        for (name, value) in &self.keywords {
            parts.push(format!("{name}={}", evaluator.try_repr(value)?));
        }
        Ok(format!("functools.partial({})", parts.join(", ")))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.function);
        self.positional.iter().for_each(&mut *look);
        self.keywords.iter().for_each(|(_, value)| look(value));
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let mut positional = self.positional.clone();
        let mut keywords = self.keywords.clone();
        for Argument { name, value, .. } in arguments {
            match name {
                None => positional.push(value),
                Some(name) => {
                    keywords.retain(|(known, _)| *known != name);
                    keywords.push((name, value));
                }
            }
        }
        evaluator.call_value(&self.function, positional, keywords)
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        Some(match name {
            "func" => self.function.clone(),
            "args" => Value::tuple(self.positional.clone()),
            "keywords" => {
                let entry = |(name, value): &(Ident, Value)| {
                    Some((Key::new(Value::str(name)).ok()?, value.clone()))
                };
                let entries: Entries = self.keywords.iter().filter_map(entry).collect();
                Value::Dict(Rc::new(entries.into()))
            }
            _ => return None,
        })
    }
}

/// A function and the results of its calls, the oldest first.
struct Cached {
    function: Value,
    limit: Option<usize>,
    is_typed: bool,
    kept: Rc<Shared<Kept>>,
}

#[derive(Clone, Default)]
struct Kept {
    results: Entries,
    hits: i64,
    misses: i64,
}

impl Contents for Kept {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        Contents::visit(&self.results, look);
    }

    fn bytes(&self) -> usize {
        self.results.bytes()
    }
}

/// `lru_cache` without its function: what it is called with decorates.
struct Decorator {
    limit: Option<usize>,
    is_typed: bool,
}

fn lru_cache(call: &mut Call<'_>) -> Result<Value, Fault> {
    let is_typed = call.bool(1)?;
    let limit = match call.value(0) {
        Value::None => None,
        Value::Int(limit) => Some((*limit).max(0) as usize),
        function if convert::is_callable(function) => return cached(call, Some(128), is_typed),
        _ => {
            let message = "Expected first argument to be an integer, a callable, or None";
            return Err(call.fault_at(0, Fault::type_error(message)));
        }
    };
    Ok(Opaque::value(Type::Decorator, Decorator { limit, is_typed }))
}

fn cached(call: &Call<'_>, limit: Option<usize>, is_typed: bool) -> Result<Value, Fault> {
    let function = callable(call, 0)?;
    Ok(Opaque::value(Type::Cached, Cached { function, limit, is_typed, kept: Rc::default() }))
}

impl Part for Decorator {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<function lru_cache.<locals>.decorating_function>".to_owned())
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, _: &Evaluator<'_>, mut arguments: Arguments) -> Result<Value, Fault> {
        let function = match (arguments.pop(), arguments.is_empty()) {
            (Some(argument), true) => argument.value,
            _ => return Err(Fault::type_error("a decorator takes one function")),
        };
        let (limit, is_typed) = (self.limit, self.is_typed);
        Ok(Opaque::value(Type::Cached, Cached { function, limit, is_typed, kept: Rc::default() }))
    }
}

impl Cached {
    /// The arguments of a call as one key.
    fn key(&self, arguments: &Arguments) -> Result<Key, Fault> {
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match &argument.name {
                Some(name) => parts.push(Value::tuple([Value::str(name), argument.value.clone()])),
                None => parts.push(argument.value.clone()),
            }
            if argument.name.is_some() {
                // No tuple that is given by position looks like this.
                parts.push(Value::Ellipsis);
            }
            if self.is_typed {
                parts.push(Value::Type(argument.value.type_of()));
            }
        }
        Ok(index::hashable(&Value::tuple(parts))?)
    }
}

impl Part for Cached {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let function = evaluator.try_repr(&self.function)?;
        Ok(format!("<functools._lru_cache_wrapper of {function}>"))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.function);
        let Some(kept) = self.kept.try_borrow() else { return };
        Contents::visit(&*kept, look);
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let journal = &evaluator.interp.journal;
        let key = self.key(&arguments)?;
        let found = self.kept.borrow().results.get(&key).cloned();
        if let Some(found) = found {
            let mut kept = self.kept.change(journal);
            kept.hits += 1;
            if self.limit.is_some()
                && let Some(gone) = kept.results.shift_remove(&key)
            {
                kept.results.insert(key, gone);
            }
            return Ok(found);
        }
        let mut positional = Vec::new();
        let mut keywords = Vec::new();
        for Argument { name, value, .. } in arguments {
            match name {
                None => positional.push(value),
                Some(name) => keywords.push((name, value)),
            }
        }
        let result = evaluator.call_value(&self.function, positional, keywords)?;
        let mut kept = self.kept.change(journal);
        kept.misses += 1;
        if self.limit != Some(0) {
            if self.limit.is_some_and(|limit| kept.results.len() >= limit) {
                kept.results.shift_remove_index(0);
            }
            kept.results.insert(key, result.clone());
        }
        Ok(result)
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        (name == "__wrapped__").then(|| self.function.clone())
    }
}

fn cached_of<'a>(call: &'a Call<'_>) -> Result<&'a Cached, Fault> {
    call.value(0).inside::<Cached>().ok_or_else(|| call.wrong_type(0, "a cached function"))
}

fn info(call: &mut Call<'_>) -> Result<Value, Fault> {
    let cached = cached_of(call)?;
    let kept = cached.kept.borrow();
    let limit = cached.limit.map_or(Value::None, |limit| Value::Int(limit as i64));
    Ok(Value::dict([
        ("hits", Value::Int(kept.hits)),
        ("misses", Value::Int(kept.misses)),
        ("maxsize", limit),
        ("currsize", Value::Int(kept.results.len() as i64)),
    ]))
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    let cached = cached_of(call)?;
    *cached.kept.change(&call.evaluator.interp.journal) = Kept::default();
    Ok(Value::None)
}

/// Makes keys that a function of two compares.
struct KeyMaker(Value);

/// A value that is compared by a function of two.
pub(in crate::interp) struct Compared {
    pub function: Value,
    pub value: Value,
}

fn cmp_to_key(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Opaque::value(Type::Decorator, KeyMaker(callable(call, 0)?)))
}

impl Part for KeyMaker {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<functools.KeyWrapper>".to_owned())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.0);
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, _: &Evaluator<'_>, mut arguments: Arguments) -> Result<Value, Fault> {
        let last = arguments.pop().unwrap_or_else(|| Argument {
            name: None,
            value: Value::None,
            span: Span::default(),
        });
        Ok(Opaque::value(Type::Compared, Compared { function: self.0.clone(), value: last.value }))
    }
}

impl Part for Compared {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<functools.KeyWrapper object>".to_owned())
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.function);
        look(&self.value);
    }
}

impl Evaluator<'_> {
    /// The order that the function of two keys of `cmp_to_key` gives; `None` for other values.
    pub(in crate::interp) fn order_of_keys(
        &self,
        a: &Value,
        b: &Value,
    ) -> Option<Result<std::cmp::Ordering, Fault>> {
        let (a, b) = (a.inside::<Compared>()?, b.inside::<Compared>()?);
        let answer = self.call_value(&a.function, [a.value.clone(), b.value.clone()], []);
        Some(answer.and_then(|answer| {
            let order = self.order("<", &answer, &Value::Int(0))?;
            Ok(order.unwrap_or(std::cmp::Ordering::Equal))
        }))
    }
}
