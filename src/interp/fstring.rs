//! f-strings, and `format` of any value.

use super::{Evaluator, Value, format, room};
use crate::diag::SourceResult;
use crate::syntax::ast::{Conversion, FStringPart};
use crate::tensor::Error;

impl Evaluator<'_> {
    pub(super) fn fstring(&self, parts: &[FStringPart]) -> SourceResult<Value> {
        Ok(Value::Str(self.fstring_text(parts)?.into()))
    }

    fn fstring_text(&self, parts: &[FStringPart]) -> SourceResult<String> {
        let mut text = String::new();
        let mut pace = room::Pace::new(&self.interp.engine);
        for part in parts {
            match part {
                FStringPart::Literal(literal) => text.push_str(literal),
                FStringPart::Field { value, debug, conversion, spec } => {
                    let result = self.expr(value)?;
                    if let Some(debug) = debug {
                        text.push_str(debug);
                    }
                    let spec_text = match spec {
                        Some(parts) => self.fstring_text(parts)?,
                        None => String::new(),
                    };
                    // `{x=}` without more shows the repr.
                    let conversion = match (conversion, debug, spec) {
                        (None, Some(_), None) => Some(Conversion::Repr),
                        _ => *conversion,
                    };
                    let formatted = self.converted(&result, conversion, &spec_text);
                    let formatted = self.place(formatted, value.span)?;
                    let room = pace.step(formatted.len());
                    room.map_err(|fault| super::eval::placed(fault, value.span))?;
                    text.push_str(&formatted);
                }
            }
        }
        Ok(text)
    }

    fn converted(
        &self,
        value: &Value,
        conversion: Option<Conversion>,
        spec: &str,
    ) -> Result<String, Error> {
        match conversion {
            None => self.format(value, spec),
            Some(Conversion::Str) => Ok(format::text(&self.try_str(value)?, spec)?),
            Some(Conversion::Repr) => Ok(format::text(&self.try_repr(value)?, spec)?),
            Some(Conversion::Ascii) => Ok(format::text(&ascii(&self.try_repr(value)?), spec)?),
        }
    }

    /// `format(value, spec)`. A tensor of no axes formats as its number.
    ///
    /// # Errors
    /// Python's ValueErrors about the specification.
    pub fn format(&self, value: &Value, spec: &str) -> Result<String, Error> {
        if spec.is_empty() {
            return self.try_str(value);
        }
        let scalar = match value {
            Value::Tensor(tensor) if tensor.rank() == 0 => Some(self.interp.engine.item(tensor)?),
            _ => value.scalar(),
        };
        match (scalar, value) {
            (Some(scalar), _) => Ok(format::number(scalar, spec)?),
            (None, Value::Str(text)) => Ok(format::text(text, spec)?),
            _ => Err(Error::type_error(format!(
                "unsupported format string passed to {}.__format__",
                value.type_name()
            ))),
        }
    }
}

/// Everything beyond ASCII escaped.
pub(super) fn ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c as u32 {
            0..=127 => c.to_string(),
            code @ 128..=255 => format!("\\x{code:02x}"),
            code @ 256..=0xffff => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        })
        .collect()
}
