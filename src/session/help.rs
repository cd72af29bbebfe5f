//! `name?`, and help at the cursor: what a name is.

use super::complete::{is_name, open_call, path_at_end};
use super::{Session, Value, commands};
use crate::diag::{At, SourceResult, Spanned, undefined};
use crate::interp::builtins::{Function, help_text};
use crate::report::{Markup, Report};
use crate::syntax::{self, ast::Ident};
use std::rc::Rc;

impl Session {
    /// What a dotted path names, without running any code.
    pub(super) fn resolve(&self, path: &str) -> Option<Value> {
        let evaluator = self.quiet();
        let path: String = syntax::normalized(path);
        let mut parts = path.split('.');
        let root = parts.next()?;
        let value = self.interp.get(root);
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
            let scope = self.interp.scope.borrow();
            undefined(&topic.node, scope.names().chain(self.interp.registry.names()))
        };
        let value = self.resolve(&topic.node).ok_or_else(unknown).at(topic.span)?;
        Ok(self.describe(&value))
    }

    /// Help on the name at the cursor, or else on the function whose arguments are being typed, or
    /// on the line's command. Runs no code.
    pub fn inspect(&self, text: &str, cursor: usize) -> Option<Report> {
        let before = text.get(..cursor)?;
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let rest: String = text[cursor..].chars().take_while(|c| is_name(*c)).collect();
        if let Some(command) = line.trim_start().strip_prefix(':') {
            let typed = format!("{command}{rest}");
            let name = typed.split_whitespace().next()?;
            return Some(commands::command_help(commands::find(name)?).into());
        }
        let path = path_at_end(&text[..cursor + rest.len()]);
        if let Some(value) = self.resolve(path).filter(|_| !path.is_empty()) {
            return Some(self.describe(&value));
        }
        let callee = open_call(before).or((!path.is_empty()).then_some(path))?;
        let (function, _) = self.callee(callee)?;
        Some(help_report(&help_text(&function)))
    }

    fn describe(&self, value: &Value) -> Report {
        match (self.function_of(value), value) {
            (Some(function), _) => help_report(&help_text(&function)),
            (None, Value::Native(native)) => help_report(&native.help()),
            (None, Value::Closure(closure)) => {
                help_report(&closure.help(&|value| self.repr(value)))
            }
            (None, Value::Class(_) | Value::Object(_) | Value::Bound(_)) => {
                help_report(&self.quiet().help_of(value).unwrap_or_default())
            }
            (None, _) => Report::Stack(vec![
                Report::Text(Markup::new().heading(value.type_name())),
                self.display(value),
            ]),
        }
    }
}

fn help_report(text: &str) -> Report {
    let (signature, rest) = text.split_once('\n').unwrap_or((text, ""));
    Markup::new().heading(signature).newline().plain(rest.trim_end().to_owned()).into()
}
