//! `functools`: functions made of functions.

use std::rc::Rc;

use super::super::{Argument, Arguments, Builtin, Call, Run};
use crate::diag::{Fault, Span};
use crate::interp::Evaluator;
use crate::interp::convert;
use crate::interp::object::instance::Name;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::value::{Dict, Entries, Key, Module, Type, Value};
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
        "cmp_to_key(mycmp)",
        cmp_to_key,
        "A key for sorting, of a function that compares two values.",
    ),
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
    evaluator.calling(call.value(0), 2, |function| {
        while let Some(item) = evaluator.next(&items)? {
            evaluator.interp.engine.interrupt().heed().map_err(Fault::from)?;
            total = function.call(&mut [total, item])?;
        }
        Ok(total)
    })
}

struct Partial {
    function: Value,
    positional: Vec<Value>,
    keywords: Vec<(Ident, Value)>,
    /// What the program adds.
    attributes: Dict,
}

fn callable(call: &Call<'_>, position: usize) -> Result<Value, Fault> {
    match convert::is_callable(&call.evaluator, call.value(position)) {
        true => Ok(call.value(position).clone()),
        false => {
            let fault = Fault::type_error("the first argument must be callable");
            Err(call.fault_at(position, fault))
        }
    }
}

fn partial(call: &mut Call<'_>) -> Result<Value, Fault> {
    let function = callable(call, 0)?;
    let inside = function.inside::<Partial>();
    // What has attributes of its own stays one function.
    let inside = inside.filter(|inner| inner.attributes.borrow().is_empty());
    let (inner, positional, keywords) = match inside {
        Some(inner) => (&inner.function, inner.positional.clone(), inner.keywords.clone()),
        None => (&function, Vec::new(), Vec::new()),
    };
    let attributes = Rc::new(Entries::default().into());
    let mut made = Partial { function: inner.clone(), positional, keywords, attributes };
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
        look(&Value::Dict(self.attributes.clone()));
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn first_arguments(&self) -> Option<(&Value, &[Value])> {
        self.keywords.is_empty().then_some((&self.function, &self.positional))
    }

    fn set_attribute(
        &self,
        evaluator: &Evaluator<'_>,
        name: &str,
        value: &Value,
    ) -> Option<Result<(), Fault>> {
        let is_own = matches!(name, "func" | "args" | "keywords" | "__dict__");
        (!is_own).then(|| {
            let mut attributes = self.attributes.change(&evaluator.interp.journal);
            attributes.insert(Key::of_name(name), value.clone());
            Ok(())
        })
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
            "__dict__" => Value::Dict(self.attributes.clone()),
            _ => self.attributes.borrow().get(&Name(name))?.clone(),
        })
    }
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
