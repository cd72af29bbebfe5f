//! `name?`: what a name is.

use super::{Session, Value};
use crate::diag::{At, Fault, SourceResult, Spanned};
use crate::interp::builtins::{Function, help_text};
use crate::report::{Markup, Report};
use crate::syntax::ast::Ident;
use std::rc::Rc;

impl Session {
    /// What a dotted path names, without running any code.
    pub(super) fn resolve(&self, path: &str) -> Option<Value> {
        let evaluator = self.quiet();
        let mut parts = path.split('.');
        let root = parts.next()?;
        let value = self.interp.scope.borrow().get(root).cloned();
        let mut value = value.or_else(|| self.interp.registry.name(root).cloned())?;
        for part in parts {
            value = evaluator.peek(&value, part)?;
        }
        Some(value)
    }

    /// The function behind a value that can be called.
    pub(super) fn function_of(&self, value: &Value) -> Option<Rc<Function>> {
        let registry = &self.interp.registry;
        match value {
            Value::Function(function) => {
                // Python's own `sum` leaves tensors to the library's, which knows more.
                Some(function.for_tensors.clone().unwrap_or_else(|| function.clone()))
            }
            Value::Method(method) => Some(method.function.clone()),
            Value::Type(of) => registry.constructor(*of).cloned(),
            _ => None,
        }
    }

    /// Help on what a name means: a function's words, or a variable's value.
    pub(super) fn help(&self, topic: &Spanned<Ident>) -> SourceResult<Report> {
        if topic.node.is_empty() {
            let text = "`name?` shows what a function does, `:help` the commands";
            return Ok(Report::plain(text));
        }
        let unknown = || {
            let fault = Fault::new(
                crate::diag::ErrorKind::Name,
                format!("name '{}' is not defined", topic.node),
            );
            let names = self.interp.registry.names();
            match crate::diag::did_you_mean(&topic.node, names) {
                Some(near) => fault.with_hint(format!("did you mean `{near}?`")),
                None => fault,
            }
        };
        let value = self.resolve(&topic.node).ok_or_else(unknown).at(topic.span)?;
        Ok(match self.function_of(&value) {
            Some(function) => {
                let text = help_text(&function);
                let (signature, rest) = text.split_once('\n').unwrap_or((&text, ""));
                Report::Text(
                    Markup::new().heading(signature).newline().plain(rest.trim_end().to_owned()),
                )
            }
            None => Report::Stack(vec![
                Report::Text(Markup::new().heading(value.type_name())),
                self.display(&value),
            ]),
        })
    }
}
