//! `"{} of {name:>8}".format(…)`.

use super::super::Call;
use crate::diag::{ErrorKind, Fault};
use crate::interp::long_text;
use crate::interp::object::exception::key_error;
use crate::interp::room::Pace;
use crate::interp::value::Value;

/// The values of one call, and how its fields are numbered.
struct Values<'a, 'b> {
    call: &'a Call<'b>,
    /// What `format_map` takes names from.
    mapping: Option<&'a Value>,
    next: usize,
    /// Whether the fields have numbers of their own; not known before the first of them.
    is_numbered: Option<bool>,
    pace: Pace<'b>,
}

pub(super) fn format(call: &mut Call<'_>) -> Result<Value, Fault> {
    filled(call, None)
}

pub(super) fn format_map(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mapping = call.value(1).clone();
    filled(call, Some(&mapping))
}

fn filled(call: &Call<'_>, mapping: Option<&Value>) -> Result<Value, Fault> {
    let template = call.str(0)?.to_owned();
    let pace = Pace::new(call.engine());
    let mut values = Values { call, mapping, next: 0, is_numbered: None, pace };
    Ok(Value::str(values.fill(&template, 0)?))
}

impl Values<'_, '_> {
    /// The template with values in place of its fields. Specifications are templates themselves,
    /// one level deep.
    fn fill(&mut self, template: &str, depth: usize) -> Result<String, Fault> {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            long_text::push(self.call.engine(), &mut text, &rest[..at])?;
            let (brace, after) = rest[at..].split_at(1);
            if depth == 0 && after.starts_with(brace) {
                text.push_str(brace);
                rest = &after[1..];
                continue;
            }
            if brace == "{" && after.is_empty() {
                return Err(Fault::value_error("Single '{' encountered in format string"));
            }
            if brace == "}" {
                return Err(Fault::value_error("Single '}' encountered in format string"));
            }
            let end = closing(after)
                .ok_or_else(|| Fault::value_error("expected '}' before end of string"))?;
            let field = self.field(&after[..end], depth)?;
            self.pace.step(field.len())?;
            long_text::push(self.call.engine(), &mut text, &field)?;
            rest = &after[end + 1..];
        }
        long_text::push(self.call.engine(), &mut text, rest)?;
        Ok(text)
    }

    fn field(&mut self, field: &str, depth: usize) -> Result<String, Fault> {
        if depth > 1 {
            return Err(Fault::value_error("Max string recursion exceeded"));
        }
        // A bracket's content is a key, whatever it holds.
        let mut is_key = false;
        let end = field.find(|c| {
            is_key = c == '[' || is_key && c != ']';
            !is_key && matches!(c, '!' | ':')
        });
        let (name, rest) = field.split_at(end.unwrap_or(field.len()));
        let (conversion, spec) = match rest.strip_prefix('!') {
            None => (None, rest.strip_prefix(':').unwrap_or("")),
            Some(rest) => {
                let conversion = rest
                    .chars()
                    .next()
                    .ok_or_else(|| Fault::value_error("unmatched '{' in format spec"))?;
                let rest = &rest[conversion.len_utf8()..];
                let spec = match rest.strip_prefix(':') {
                    Some(spec) => spec,
                    None if rest.is_empty() => "",
                    None => {
                        let message = "expected ':' after conversion specifier";
                        return Err(Fault::value_error(message));
                    }
                };
                (Some(conversion), spec)
            }
        };
        let value = self.value(name)?;
        let spec = self.fill(spec, depth + 1)?;
        let evaluator = self.call.evaluator;
        Ok(match conversion {
            None => evaluator.format(&value, &spec)?,
            Some('r') => evaluator.format(&Value::str(evaluator.try_repr(&value)?), &spec)?,
            Some('s') => evaluator.format(&Value::str(evaluator.try_str(&value)?), &spec)?,
            Some('a') => {
                let text = crate::interp::ascii(self.call.engine(), &evaluator.try_repr(&value)?)?;
                evaluator.format(&Value::str(text), &spec)?
            }
            Some(other) => {
                let message = format!("Unknown conversion specifier {other}");
                return Err(Fault::value_error(message));
            }
        })
    }

    /// What `0`, `name`, `name.attribute` or `0[key]` means.
    fn value(&mut self, name: &str) -> Result<Value, Fault> {
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (root, mut path) = name.split_at(end);
        let mut value = self.root(root)?;
        let evaluator = self.call.evaluator;
        while !path.is_empty() {
            if let Some(inner) = path.strip_prefix('[') {
                let (key, after) = inner
                    .split_once(']')
                    .ok_or_else(|| Fault::value_error("Missing ']' in format string"))?;
                let key = key.parse().map_or_else(|_| Value::str(key), Value::Int);
                value = match &value {
                    Value::Tensor(tensor) => {
                        let item = evaluator.index_item(&key)?;
                        self.call.engine().index(tensor, &[item])?.into()
                    }
                    other => evaluator.container_index(other, &key)?,
                };
                path = after;
            } else {
                let inner = &path[1..];
                let end = inner.find(['.', '[']).unwrap_or(inner.len());
                value = evaluator.attribute(&value, &inner[..end])?;
                path = &inner[end..];
            }
        }
        Ok(value)
    }

    fn root(&mut self, name: &str) -> Result<Value, Fault> {
        let number = name.parse::<usize>().ok().filter(|_| !name.starts_with('+'));
        let position = if name.is_empty() {
            self.next += 1;
            Some(self.next - 1)
        } else {
            number
        };
        if position.is_some() {
            if self.mapping.is_some() {
                let message = "Format string contains positional fields";
                return Err(Fault::value_error(message));
            }
            let is_numbered = !name.is_empty();
            if self.is_numbered.is_some_and(|before| before != is_numbered) {
                let (from, to) = match is_numbered {
                    true => ("automatic field numbering", "manual field specification"),
                    false => ("manual field specification", "automatic field numbering"),
                };
                return Err(Fault::value_error(format!("cannot switch from {from} to {to}")));
            }
            self.is_numbered = Some(is_numbered);
        }
        if let Some(mapping) = self.mapping {
            return Ok(self.call.evaluator.container_index(mapping, &Value::str(name))?);
        }
        let found = match position {
            Some(position) => self.call.rest().get(position),
            None => self.call.extra().iter().find(|a| a.name.as_deref() == Some(name)),
        };
        found.map(|argument| argument.value.clone()).ok_or_else(|| match position {
            Some(position) => {
                let message =
                    format!("Replacement index {position} out of range for positional args tuple");
                Fault::new(ErrorKind::Index, message)
            }
            None => key_error(&Value::str(name), format!("'{name}'")),
        })
    }
}

/// The brace that closes a field, with fields inside it.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}
