//! Errors on their way out: to a handler of the program, or to whoever runs the machine.

use std::rc::Rc;

use super::Machine;
use super::frame::Then;
use crate::diag::{CallSite, Diagnostic, ErrorKind, SourceResult, Span};
use crate::interp::blame;
use crate::interp::compile::{Code, Handler};

impl Machine<'_> {
    /// Leaves frames until one handles the error; goes on there.
    ///
    /// # Errors
    /// The error, where none does.
    #[cold]
    pub(super) fn unwind(&mut self, mut error: Box<Diagnostic>) -> SourceResult<()> {
        error = self.note_context(error);
        loop {
            let code = self.frames.top().function().code.clone();
            let at = self.frames.top().pc().saturating_sub(1);
            if let Some(handler) = handler(&code, at) {
                return self.handle(handler, error);
            }
            if let Some(generator) = self.frames.top().generator() {
                generator.end(&self.evaluator.interp.journal);
            }
            if code.stops_inside && error.kind == ErrorKind::StopIteration {
                error = self.evaluator.stopped_inside(error);
            }
            if let Some(source) = &code.source {
                self.evaluator.interp.sources.borrow_mut().keep(source);
            }
            let is_function = code.kind == crate::interp::compile::Kind::Function;
            let then = self.pop();
            let aside = match then {
                Some(Then::Made(_)) => 1,
                Some(Then::Keep(_)) => 2,
                _ => 0,
            };
            self.made.truncate(self.made.len() - aside);
            if let Some(Then::Equality) = then {
                self.candidates.pop();
            }
            if let Some(Then::Answer) = then
                && self.ends_loop(&error)
            {
                return Ok(());
            }
            let span = match then {
                Some(_) => self.frames.top().span(),
                None => Default::default(),
            };
            if let (Some(_), Some(source)) = (code.module, &code.source) {
                // The library is no part of the chain: what it asked for was asked for by its caller.
                match error.calls.last_mut() {
                    // What the program's own function did is about no argument.
                    Some(call) if call.span.source == source.id => call.span = span,
                    None if error.span.source == source.id => {
                        if span == Span::default() {
                            let about = blame::subjects(&code, &error);
                            error.about = about.into_iter().map(Box::from).collect();
                        }
                        error.span = self.argument_about(&code, &error, span).unwrap_or(span);
                    }
                    _ => {}
                }
            } else if is_function {
                let function = Rc::clone(&code.name.0);
                error.calls.push(CallSite { function, span });
            }
            if matches!(then, None | Some(Then::Stop)) {
                return Err(error);
            }
        }
    }

    /// Where the argument stands that an error inside the library's function `code` is about, of the call at `span` by
    /// the frame that waits.
    fn argument_about(&self, code: &Code, error: &Diagnostic, span: Span) -> Option<Span> {
        let text = self.evaluator.interp.sources.borrow().get(span.source)?;
        let frame = self.frames.top();
        let caller = &frame.function().code;
        let named = |name: &str| {
            if let Some(at) = caller.locals.iter().position(|local| *local.name == *name) {
                return self.stack.get(frame.base + at).cloned();
            }
            let global = caller.globals.iter().find(|global| *global.name == *name)?;
            global.slot.borrow().clone().or_else(|| global.built_in.clone())
        };
        blame::argument(code, error, (&text, span), named)
    }
}

/// What handles an error of the operation at `at`: the innermost of those around it, which stands
/// first.
fn handler(code: &Code, at: usize) -> Option<Handler> {
    let at = at as u32;
    code.handlers.iter().find(|handler| (handler.from..handler.to).contains(&at)).copied()
}
