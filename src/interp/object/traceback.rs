//! `e.__traceback__`: where an exception came from.

use std::fmt;

use crate::diag::{Diagnostic, Fault, Span};
use crate::interp::Evaluator;
use crate::interp::object::exception::Exception;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::value::{Type, Value};
use crate::syntax::ast::Ident;

/// The place of an error and the calls that led to it.
pub struct Traceback {
    error: Box<Diagnostic>,
    /// The function that caught it; the session's own statements without.
    caught_in: Option<Ident>,
}

impl Traceback {
    /// Of an exception that was raised; None of another.
    pub fn of(state: &Exception) -> Value {
        match &state.error {
            Some(error) => {
                let caught_in = state.caught_in.clone();
                Opaque::value(Type::Traceback, Traceback { error: error.clone(), caught_in })
            }
            None => Value::None,
        }
    }

    /// The calls from the outermost on, each with the name of the text, the line, the function and
    /// what stands in the line.
    pub fn frames(&self, evaluator: Evaluator<'_>) -> Vec<Value> {
        let outermost = self.caught_in.as_deref().unwrap_or("<module>");
        let mut names = vec![outermost];
        names.extend(self.error.calls.iter().rev().map(|call| &*call.function));
        let mut spans: Vec<Span> = self.error.calls.iter().rev().map(|call| call.span).collect();
        spans.push(self.error.span);
        let frame = |(span, name): (Span, &str)| {
            let source = evaluator.interp.sources.borrow().get(span.source)?;
            let (line, _) = source.line_of(span.start as usize);
            let text = source.line(line).trim();
            let line = Value::Int(line as i64 + 1);
            Some(Value::tuple([Value::str(&source.name), line, Value::str(name), Value::str(text)]))
        };
        spans.into_iter().zip(names).filter_map(frame).collect()
    }
}

impl Part for Traceback {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<traceback object>".to_owned())
    }
}

impl fmt::Debug for Traceback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<traceback object>")
    }
}
