//! `yield from` an object of the program's: what is sent, thrown and closed reaches its methods.

use super::{Machine, Stop};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::interp::Evaluator;
use crate::interp::compile::Reg;
use crate::interp::object::view::Shown;
use crate::interp::value::Value;

/// What an object answers that is delegated to.
pub(super) enum Answer {
    Item(Value),
    /// It has ended, and this is the value of the `yield from`.
    End(Value),
    Error(Box<Diagnostic>),
}

/// The object of the program's behind what a `yield from` goes through.
pub(super) fn delegate(iter: &Value) -> Option<Value> {
    match iter {
        Value::Iterator(iter) => iter.asked(),
        _ => None,
    }
}

/// The name of the type of what a `yield from` goes through.
pub(super) fn name(iter: &Value) -> &str {
    match iter {
        Value::List(_) => "list_iterator",
        Value::Tuple(_) => "tuple_iterator",
        Value::Int(_) => "range_iterator",
        Value::Str(text) if text.is_all_ascii() => "str_ascii_iterator",
        Value::Str(_) => "str_iterator",
        Value::Dict(_) => Shown::Keys.iterator(false),
        Value::View(view) => view.shown.iterator(false),
        other => other.type_name(),
    }
}

impl Evaluator<'_> {
    /// Asks an object by one of its methods; `None` where it has none of this name.
    pub(super) fn ask_delegate(
        &self,
        object: &Value,
        method: &str,
        argument: Option<Value>,
        span: Span,
    ) -> Option<Answer> {
        let method = match self.attribute(object, method).map_err(Fault::from) {
            Ok(method) => method,
            Err(fault) if fault.kind == ErrorKind::Attribute => return None,
            Err(fault) => return Some(Answer::Error(fault.placed(span))),
        };
        let error = match self.call_value(&method, argument, []) {
            Ok(value) => return Some(Answer::Item(value)),
            Err(fault) => fault.placed(span),
        };
        if error.kind != ErrorKind::StopIteration {
            return Some(Answer::Error(error));
        }
        let stop = Value::Object(self.caught(error));
        Some(Answer::End(self.attribute(&stop, "value").unwrap_or(Value::None)))
    }
}

impl Machine<'_> {
    /// The running generator, whose `yield from` stands at `at`, goes by what an object answered.
    pub(super) fn take_answer(
        &mut self,
        answer: Answer,
        to: Reg,
        at: usize,
    ) -> SourceResult<Option<Stop>> {
        match answer {
            Answer::Item(value) => {
                // It is asked again when the generator goes on.
                self.frames.top_mut().go_to(at);
                Ok(self.give_out(value))
            }
            Answer::End(value) => {
                self.stack[self.frames.top().base + usize::from(to)] = value;
                Ok(None)
            }
            Answer::Error(error) => Err(error),
        }
    }

    /// Brings an error to the object that the running generator delegates to, as `throw` or `close`. What comes
    /// back goes on in the generator.
    pub(super) fn throw_to(
        &mut self,
        object: &Value,
        error: Box<Diagnostic>,
        to: Reg,
    ) -> SourceResult<Option<Stop>> {
        let (at, span) = (self.frames.top().pc(), self.frames.top().span());
        self.frames.top_mut().skip(1);
        let evaluator = self.evaluator;
        if error.kind == ErrorKind::GeneratorExit {
            return match evaluator.ask_delegate(object, "close", None, span) {
                Some(Answer::Error(error)) => Err(error),
                _ => Err(error),
            };
        }
        let thrown = Value::Object(evaluator.caught(error.clone()));
        match evaluator.ask_delegate(object, "throw", Some(thrown), span) {
            Some(answer) => self.take_answer(answer, to, at),
            None => Err(error),
        }
    }
}
