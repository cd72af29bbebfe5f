//! `name?`, and help at the cursor: what a name is.

use super::complete::{is_name, open_call, path_at_end};
use super::{Session, Value, commands};
use crate::diag::{At, ErrorKind, Fault, SourceResult, Spanned, undefined};
use crate::interp::builtins::{Function, help_text};
use crate::report::{Column, Markup, Report, Table};
use crate::syntax::{self, ast::Ident};
use std::rc::Rc;

impl Session {
    /// What a dotted path names, without running any code.
    pub(super) fn resolve(&self, path: &str) -> Option<Value> {
        let path: String = syntax::normalized(path);
        self.quiet().named(&path)
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

    /// Help on what a name means: a function's words, or a variable's value. If it is long, the text
    /// that defines it stands below.
    pub(super) fn help(&self, topic: &Spanned<Ident>, is_long: bool) -> SourceResult<Report> {
        if topic.node.is_empty() {
            let text = "`name?` shows what a function does, `:help` the commands";
            return Ok(Report::plain(text));
        }
        if topic.node.contains('*') {
            return self.names_like(topic);
        }
        let unknown = || {
            let (scope, known) = (self.interp.scope.borrow(), self.interp.bare_names());
            undefined(&topic.node, scope.names().chain(known.iter().map(String::as_str)))
        };
        let value = self.resolve(&topic.node).ok_or_else(unknown).at(topic.span)?;
        let about = self.describe(&value);
        if !is_long {
            return Ok(about);
        }
        let source = match self.quiet().source_of(&value) {
            Some(source) => Markup::new().newline().plain(source),
            None if self.function_of(&value).is_some() => {
                Markup::new().newline().dim("it is built in, and not written in the language")
            }
            None => return Ok(about),
        };
        Ok(Report::Stack(vec![about, source.into()]))
    }

    /// The names that a pattern such as `np.*sum*` stands for, with a few words about each.
    fn names_like(&self, topic: &Spanned<Ident>) -> SourceResult<Report> {
        let (owner, pattern) = topic.node.rsplit_once('.').unwrap_or(("", &topic.node));
        let all = match owner {
            "" => self.known_names(),
            owner => {
                self.resolve(owner).map(|value| self.attributes_of(&value)).unwrap_or_default()
            }
        };
        let is_asked = |name: &str| {
            matches_pattern(pattern, name) && (pattern.starts_with('_') || !name.starts_with('_'))
        };
        let mut found: Vec<_> = all.into_iter().filter(|(name, _)| is_asked(name)).collect();
        found.sort();
        found.dedup_by(|a, b| a.0 == b.0);
        if found.is_empty() {
            let message = format!("no name matches `{}`", topic.node);
            let fault = Fault::new(ErrorKind::Name, message);
            let hint = "a star stands for any letters, as in `np.*sum*?`";
            return Err(fault.with_hint(hint)).at(topic.span);
        }
        let dot = if owner.is_empty() { String::new() } else { format!("{owner}.") };
        let mut table = Table::new([Column::left(""), Column::left("")]);
        for (name, about) in &found {
            table.row([Markup::new().name(format!("{dot}{name}")), Markup::new().dim(&**about)]);
        }
        Ok(table.into())
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
        let callee = open_call(before).map(|call| call.callee);
        let callee = callee.or((!path.is_empty()).then_some(path))?;
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

/// Whether a pattern whose stars stand for any letters, or none, is this name's. Capitals do not
/// matter.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn help_report(text: &str) -> Report {
    let (signature, rest) = text.split_once('\n').unwrap_or((text, ""));
    Markup::new().heading(signature).newline().plain(rest.trim_end().to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn stars_stand_for_letters() {
        for (pattern, name) in [
            ("*sum*", "cumsum"),
            ("sum*", "sum"),
            ("*", ""),
            ("a*b*c", "abbc"),
            ("n*SUM", "nansum"),
        ] {
            assert!(matches_pattern(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*sum", "summer"), ("a*a", "a"), ("sum", "sums"), ("*ab*b", "ab")]
        {
            assert!(!matches_pattern(pattern, name), "{pattern} {name}");
        }
    }
}
