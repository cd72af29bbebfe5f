//! f-strings: fields, and the text that they are joined to.

use super::op::Context;
use crate::diag::SourceResult;
use crate::interp::compile::Reg;
use crate::interp::scalar::push_int;
use crate::interp::value::Value;
use crate::interp::{fstring, long_text, room};
use crate::report::python_float;

/// About as long as a number gets.
const NUMBER: usize = 20;

impl Context<'_, '_> {
    /// A field without a specification, which is no text and no number: those stay what they are
    /// until all are joined.
    pub fn text(&mut self, value: Reg) -> SourceResult<()> {
        self.formatted(value, value, 0, &Value::None)
    }

    /// A field, whose specification stands behind its value.
    pub fn format(&mut self, to: Reg, first: Reg, conversion: u8) -> SourceResult<()> {
        let specification = self.take(first + 1);
        self.formatted(to, first, conversion, &specification)
    }

    fn formatted(
        &mut self,
        to: Reg,
        value: Reg,
        conversion: u8,
        specification: &Value,
    ) -> SourceResult<()> {
        let value = self.take(value);
        self.begin();
        let text = fstring::converted(&self.evaluator, &value, conversion, specification);
        let text = self.evaluator.place(text, self.span())?;
        self.set(to, Value::Str(text.into()));
        Ok(())
    }

    /// One text of what stands in `count` registers.
    pub fn join(&mut self, to: Reg, first: Reg, count: u16) -> SourceResult<()> {
        let parts = usize::from(first)..usize::from(first) + usize::from(count);
        let bytes = self.registers[parts.clone()].iter().map(|part| match part {
            Value::Str(text) => text.len(),
            _ => NUMBER,
        });
        let bytes = bytes.sum();
        let (engine, span) = (&self.evaluator.interp.engine, self.span());
        room::text(engine, bytes).map_err(|fault| fault.placed(span))?;
        let mut whole = String::with_capacity(bytes);
        for part in &mut self.registers[parts] {
            match part {
                Value::Str(text) => {
                    let pushed = long_text::push(engine, &mut whole, text);
                    pushed.map_err(|fault| fault.placed(span))?;
                }
                Value::Int(number) => push_int(&mut whole, *number),
                Value::Float(number) => whole.push_str(&python_float(*number)),
                _ => {}
            }
            *part = Value::None;
        }
        self.set(to, Value::Str(whole.into()));
        Ok(())
    }
}
