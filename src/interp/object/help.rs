//! What help says of classes and of objects. Nothing of the program is run for it.

use super::class::ClassRef;
use crate::diag::{Source, Span};
use crate::interp::Evaluator;
use crate::interp::value::Value;

impl Evaluator<'_> {
    /// What a class of the program is, or the class of an object: how it is called, its docstring and
    /// its names. `None` for other values.
    pub fn help_of(&self, value: &Value) -> Option<String> {
        let class = match value {
            Value::Bound(bound) => return self.help_of_function(&bound.callable),
            Value::Class(class) => ClassRef::Program(class.clone()),
            Value::Object(object) => object.class.clone(),
            _ => return None,
        };
        let name = class.name();
        let init = self.find_in(&class, "__init__");
        let mut text = match &init {
            Some(Value::Closure(init)) => {
                let signature = init.signature(&|value| self.repr_of_default(value));
                let parameters = signature.split_once('(').map_or("", |(_, rest)| rest);
                let rest = parameters.strip_prefix("self").unwrap_or(parameters);
                format!("class {name}({}\n", rest.strip_prefix(", ").unwrap_or(rest))
            }
            _ => format!("class {name}\n"),
        };
        if let Some(Value::Str(doc)) = class.program().and_then(|class| class.own("__doc__")) {
            text += &format!("\n{doc}\n");
        }
        let names = self.names_of_object(value);
        let names: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| !name.starts_with('_')).collect();
        if !names.is_empty() {
            text += &format!("\nattributes: {}\n", names.join(", "));
        }
        Some(text)
    }

    /// The text that defines a function or a class of the program, or of the library where it is written
    /// in the language.
    pub fn source_of(&self, value: &Value) -> Option<String> {
        match value {
            Value::Closure(function) => match function.own("__wrapped__") {
                Some(wrapped) => self.source_of(&wrapped),
                None => text_at(function.code.source.as_deref()?, function.code.whole),
            },
            Value::Class(class) => {
                let (source, span) = class.place()?;
                text_at(source, *span)
            }
            Value::Bound(bound) => self.source_of(&bound.callable),
            Value::Object(object) => match object.field("__wrapped__") {
                Some(wrapped) => self.source_of(&wrapped),
                None => self.source_of(&object.class.value()),
            },
            Value::Descriptor(descriptor) => {
                let part = descriptor.part("fget").or_else(|| descriptor.part("__func__"));
                self.source_of(&part?)
            }
            _ => None,
        }
    }

    fn help_of_function(&self, function: &Value) -> Option<String> {
        match function {
            Value::Closure(function) => Some(function.help(&|value| self.repr_of_default(value))),
            _ => None,
        }
    }

    /// A default as a text; what would run the program's code for it is only named.
    fn repr_of_default(&self, value: &Value) -> String {
        match value {
            Value::Object(object) => format!("<{} object>", object.class.name()),
            _ => self.repr(value),
        }
    }
}

/// A span's text, without the indentation of its first line.
fn text_at(source: &Source, span: Span) -> Option<String> {
    let text = source.text.get(span.range())?;
    let (_, start) = source.line_of(span.start as usize);
    let indent =
        source.text[start..].len() - source.text[start..].trim_start_matches([' ', '\t']).len();
    let cut = |line: &str| {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[blank.min(indent)..].to_owned()
    };
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let lines: Vec<String> = std::iter::once(first).chain(lines.map(cut)).collect();
    Some(lines.join("\n"))
}
