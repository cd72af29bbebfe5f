//! `function.__code__` and `function.__closure__`: what a program may read of a function.

use std::rc::Rc;

use super::function::Closure;
use super::opaque::{Opaque, Part};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::compile::Code;
use crate::interp::shared::Slot;
use crate::interp::value::{Type, Value};

struct CodeView(Rc<Code>);

/// `function.__code__`
pub fn code_of(function: &Closure) -> Value {
    Opaque::value(Type::Code, CodeView(function.code.clone()))
}

impl Part for CodeView {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(format!("<code object {}>", self.0.name.0))
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        let code = &self.0;
        let parameters = &code.parameters;
        // CPython has what `*` and `**` take behind all others, as our registers have.
        let locals = || {
            let all = parameters.names.iter().chain(code.locals.iter().map(|local| &local.name));
            let mut names: Vec<&str> = Vec::new();
            for name in all {
                if !names.contains(&&**name) {
                    names.push(name);
                }
            }
            names
        };
        let count = |count: usize| Value::Int(count as i64);
        let texts =
            |names: Vec<&str>| Value::tuple(names.into_iter().map(Value::str).collect::<Vec<_>>());
        Some(match name {
            "co_name" => Value::str(&*code.name.0),
            "co_qualname" => Value::str(&*code.qualified_name.0),
            "co_argcount" => count(parameters.positional),
            "co_posonlyargcount" => count(parameters.positional_only),
            "co_kwonlyargcount" => count(parameters.keyword_only),
            "co_varnames" => texts(locals()),
            "co_nlocals" => count(locals().len()),
            "co_freevars" => texts(code.free.iter().map(|name| &**name).collect()),
            "co_cellvars" => texts(code.cells.iter().map(|cell| &*cell.name).collect()),
            "co_flags" => {
                let has = |bit: i64, is_so: bool| if is_so { bit } else { 0 };
                let flags = has(4, parameters.star.is_some())
                    | has(8, parameters.double_star.is_some())
                    | has(16, code.qualified_name.contains("<locals>"))
                    | has(32, code.is_generator);
                Value::Int(flags | 3)
            }
            "co_filename" => Value::str(&code.source.as_ref()?.name),
            "co_firstlineno" => {
                let source = code.source.as_ref()?;
                Value::Int(source.line_of(code.whole.start as usize).0 as i64 + 1)
            }
            _ => return None,
        })
    }
}

/// A variable around a function, as the program sees it.
struct Cell(Slot);

/// `function.__closure__`, in the order of the code's `co_freevars`.
pub fn cells_of(function: &Closure) -> Value {
    let cells = function.captured.iter();
    let cells = cells.map(|slot| Opaque::value(Type::Cell, Cell(slot.clone())));
    match function.captured.is_empty() {
        true => Value::None,
        false => Value::tuple(cells.collect::<Vec<_>>()),
    }
}

impl Part for Cell {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let held = self.0.borrow().clone();
        Ok(match held {
            Some(value) => format!("<cell: {} object>", evaluator.class_of(&value).name()),
            None => "<cell: empty>".to_owned(),
        })
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        self.0.borrow().clone().filter(|_| name == "cell_contents")
    }

    fn set_attribute(
        &self,
        evaluator: &Evaluator<'_>,
        name: &str,
        value: &Value,
    ) -> Option<Result<(), Fault>> {
        let contents = (name == "cell_contents").then(|| Some(value.clone()))?;
        *self.0.change(&evaluator.interp.journal) = contents;
        Some(Ok(()))
    }
}
