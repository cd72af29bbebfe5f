//! `e.__traceback__`: where an exception came from.

use std::fmt;
use std::rc::Rc;

use crate::diag::{Fault, Source, Span};
use crate::interp::Evaluator;
use crate::interp::object::exception::Exception;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::value::{Type, Value};
use crate::syntax::ast::Ident;

/// The place of an error and the calls that led to it, from one of them on.
pub struct Traceback {
    frames: Rc<[Frame]>,
    at: usize,
}

/// A call as it was left: what was called, and where it stood then.
#[derive(Clone)]
struct Frame {
    source: Rc<Source>,
    span: Span,
    function: Ident,
}

/// What is known of a frame's code.
struct FrameCode(Frame);

impl Frame {
    fn line(&self) -> usize {
        self.source.line_of(self.span.start as usize).0
    }

    fn line_number(&self) -> Value {
        Value::Int(self.line() as i64 + 1)
    }
}

impl Traceback {
    /// Of an exception that was raised; None of another.
    pub fn of(evaluator: &Evaluator<'_>, state: &Exception) -> Value {
        let Some(error) = &state.error else { return Value::None };
        let outermost = state.caught_in.clone().unwrap_or_else(|| Ident::from("<module>"));
        let called = error.calls.iter().rev();
        let functions =
            std::iter::once(outermost).chain(called.clone().map(|c| c.function.clone()));
        let spans = called.map(|call| call.span).chain([error.span]);
        let sources = evaluator.interp.sources.borrow();
        let frame = |(span, function): (Span, Ident)| {
            Some(Frame { source: sources.get(span.source)?, span, function })
        };
        let frames = spans.zip(functions).filter_map(frame).collect();
        Opaque::value(Type::Traceback, Traceback { frames, at: 0 })
    }

    /// The calls from the outermost on, each with the name of the text, the line, the function and
    /// what stands in the line.
    pub fn frames(&self) -> Vec<Value> {
        let shown = |frame: &Frame| {
            let text = Value::str(frame.source.line(frame.line()).trim());
            let (file, name) = (Value::str(&frame.source.name), Value::str(&*frame.function));
            Value::tuple([file, frame.line_number(), name, text])
        };
        self.frames[self.at..].iter().map(shown).collect()
    }
}

impl Part for Traceback {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<traceback object>".to_owned())
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        let frame = self.frames.get(self.at)?;
        Some(match name {
            "tb_lineno" => frame.line_number(),
            "tb_frame" => Opaque::value(Type::Frame, frame.clone()),
            "tb_next" if self.at + 1 < self.frames.len() => {
                let next = Traceback { frames: self.frames.clone(), at: self.at + 1 };
                Opaque::value(Type::Traceback, next)
            }
            "tb_next" => Value::None,
            _ => return None,
        })
    }
}

impl Part for Frame {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        let (file, line) = (&self.source.name, self.line() + 1);
        Ok(format!("<frame, file '{file}', line {line}, code {}>", self.function))
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        Some(match name {
            "f_code" => Opaque::value(Type::Code, FrameCode(self.clone())),
            _ => return None,
        })
    }
}

impl Part for FrameCode {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(format!("<code object {}>", self.0.function))
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        Some(match name {
            "co_name" => Value::str(&*self.0.function),
            "co_filename" => Value::str(&self.0.source.name),
            _ => return None,
        })
    }
}

impl fmt::Debug for Traceback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<traceback object>")
    }
}
