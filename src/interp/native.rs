//! Functions that the program around a session adds to the language.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::builtins::Arguments;
use super::eval::placed;
use super::{Evaluator, Value};
use crate::diag::{ErrorKind, Fault, SourceResult, Span};
use crate::tensor::Engine;

/// What such a function does with its arguments.
pub type Run = dyn Fn(&Engine, &[Value]) -> Result<Value, Fault>;

/// A function of the host program under its name in the language. Its arguments have no names.
pub struct Native {
    pub name: String,
    pub arity: usize,
    run: Box<Run>,
}

impl Native {
    pub fn new(name: impl Into<String>, arity: usize, run: Box<Run>) -> Native {
        Native { name: name.into(), arity, run }
    }

    /// `scale(x1, x2)`
    pub fn signature(&self) -> String {
        let names: Vec<String> = match self.arity {
            1 => vec!["x".to_string()],
            arity => (1..=arity).map(|at| format!("x{at}")).collect(),
        };
        format!("{}({})", self.name, names.join(", "))
    }

    /// What `help` and `name?` say.
    pub fn help(&self) -> String {
        format!("{}\nA function of the program around this session.\n", self.signature())
    }

    fn count_fault(&self, found: usize) -> Fault {
        let (name, arity) = (&self.name, self.arity);
        let plural = if arity == 1 { "" } else { "s" };
        let were = if found == 1 { "was" } else { "were" };
        Fault::type_error(format!(
            "{name}() takes {arity} positional argument{plural} but {found} {were} given"
        ))
        .with_hint("the function is one of the program around this session")
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function {}>", self.signature())
    }
}

impl Evaluator<'_> {
    /// Calls a function of the host program. A panic in it is an error of the statement.
    pub(super) fn call_native(
        &self,
        native: &Native,
        arguments: &Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        let fail = |fault: Fault, place: Span| placed(fault, place);
        if self.is_explaining() {
            let message = format!("`{}` is no function of the language: it would run", native.name);
            return Err(fail(Fault::new(ErrorKind::Runtime, message), span));
        }
        if let Some(argument) = arguments.iter().find(|argument| argument.name.is_some()) {
            let message = format!("{}() takes no keyword arguments", native.name);
            return Err(fail(Fault::type_error(message), argument.span));
        }
        if arguments.len() != native.arity {
            return Err(fail(native.count_fault(arguments.len()), span));
        }
        let values: Vec<Value> = arguments.iter().map(|argument| argument.value.clone()).collect();
        let engine = &self.interp.engine;
        let result = catch_unwind(AssertUnwindSafe(|| (native.run)(engine, &values)));
        let result = result.unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
            let words = words.map_or(String::new(), |words| format!(": {words}"));
            Err(Fault::new(ErrorKind::Runtime, format!("`{}` panicked{words}", native.name)))
        });
        result.map_err(|fault| fail(fault, span))
    }
}
