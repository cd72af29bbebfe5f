//! Functions where a `def` makes them, and imports.

use super::op::{Context, ensure};
use crate::diag::SourceResult;
use crate::interp::compile::{Capture, Import, Reg};
use crate::interp::object::function::Closure;
use crate::interp::shared::Slot;
use crate::interp::value::Value;

impl Context<'_, '_> {
    pub fn function(&mut self, to: Reg, first: Reg, index: u16, cells: &[Slot], captured: &[Slot]) {
        let code = self.code;
        let prototype = &code.functions[usize::from(index)];
        let mut closure = Closure::new(prototype.code.clone());
        let mut next = first;
        let mut value = |context: &mut Self| {
            next += 1;
            context.take(next - 1)
        };
        if prototype.defaults > 0 {
            closure.defaults = (0..prototype.defaults).map(|_| value(self)).collect();
        }
        if !prototype.keyword_defaults.is_empty() {
            let keyword_defaults = prototype.keyword_defaults.iter();
            closure.keyword_defaults =
                keyword_defaults.map(|is_there| is_there.then(|| value(self))).collect();
        }
        if !prototype.annotations.is_empty() {
            let annotations = prototype.annotations.iter();
            closure.annotations = annotations.map(|name| (name.clone(), value(self))).collect();
        }
        let captures = prototype.captures.iter();
        closure.captured = captures
            .map(|capture| match capture {
                Capture::Cell(index) => cells[usize::from(*index)].clone(),
                Capture::Free(index) => captured[usize::from(*index)].clone(),
            })
            .collect();
        closure.is_made();
        self.set(to, Value::Closure(closure.into()));
    }

    pub fn import(&mut self, to: Reg, index: u16) -> SourceResult<()> {
        let value = match &self.code.imports[usize::from(index)] {
            Import::Module(name) => self.evaluator.imported(name)?,
            Import::From { module, name } => self.evaluator.imported_from(module, name)?,
            Import::All { .. } => Value::None,
        };
        self.set(to, value);
        Ok(())
    }

    pub fn import_all(&mut self, index: u16) -> SourceResult<()> {
        ensure(self.evaluator);
        match &self.code.imports[usize::from(index)] {
            Import::All { module } => self.evaluator.import_all(module),
            _ => Ok(()),
        }
    }
}
