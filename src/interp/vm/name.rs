//! Variables: of the session, of functions, and what is said where one holds nothing.

use std::rc::Rc;

use super::op::{Context, ensure};
use crate::diag::{Diagnostic, ErrorKind, SourceResult};
use crate::interp::compile::{CLASS, Kind, Local, Reg};
use crate::interp::eval;
use crate::interp::shared::Slot;
use crate::interp::value::{Entries, Key, Value};
use crate::syntax::ast::Ident;

impl Context<'_, '_> {
    pub fn delete_global(&mut self, index: u16) -> SourceResult<()> {
        ensure(self.evaluator);
        let global = &self.code.globals[usize::from(index)];
        let before = global.slot.replace(&self.evaluator.interp.journal, None);
        let is_built_in =
            global.built_in.is_some() || self.evaluator.interp.is_written(&global.name);
        match (before, is_built_in) {
            (Some(_), _) => Ok(()),
            (None, true) => {
                let message = format!("name '{}' is built in", global.name);
                Err(Box::new(Diagnostic::new(ErrorKind::Name, self.span(), message)))
            }
            (None, false) => self.unknown_global(index),
        }
    }

    /// What NumPy has under a name in texts of the language, which are run when they are asked for.
    #[cold]
    pub fn written_global(&mut self, to: Reg, index: u16) -> SourceResult<()> {
        let global = &self.code.globals[usize::from(index)];
        if let Some(value) = global.written.get().and_then(|slot| slot.borrow().clone()) {
            self.set(to, value);
            return Ok(());
        }
        let found = self.evaluator.found_in_text(self.code.module, &global.name);
        match found.map_err(|fault| eval::placed(fault, self.span()))? {
            Some(value) => {
                let library = &self.evaluator.interp.library;
                if let Some(home) = library.home(self.code.module, &global.name) {
                    _ = global.written.set(library.slot(home, &global.name));
                }
                self.set(to, value);
                Ok(())
            }
            None => self.unknown_global(index),
        }
    }

    /// `locals()`, a dictionary of its own.
    pub fn locals(
        &mut self,
        to: Reg,
        count: Reg,
        cells: &[Slot],
        free: &[Slot],
    ) -> SourceResult<()> {
        let code = self.code;
        // A class's body has its bases and keywords in front.
        let first = if code.kind == Kind::Class { 2 } else { 0 };
        let mut found: Vec<(&Ident, Value)> = Vec::new();
        for (at, local) in code.locals.iter().enumerate().take(usize::from(count)).skip(first) {
            let shared =
                code.cell_parameters.iter().find(|(register, _)| usize::from(*register) == at);
            let value = match shared {
                Some((_, cell)) => cells[usize::from(*cell)].borrow().clone(),
                None => self.registers.get(at).cloned(),
            };
            found.extend(value.map(|value| (&local.name, value)));
        }
        let shared = code.cells.iter().map(|cell| &cell.name).zip(cells);
        for (name, slot) in shared.chain(code.free.iter().zip(free)) {
            if !found.iter().any(|(known, _)| *known == name) {
                found.extend(slot.borrow().clone().map(|value| (name, value)));
            }
        }
        found.retain(|(name, value)| {
            let is_name = name.starts_with(|c: char| c == '_' || c.is_alphabetic());
            is_name && ***name != *CLASS && !matches!(value, Value::Unbound)
        });
        let key = |name: &Ident| Key::new(Value::str(&**name)).ok();
        let entries: Entries =
            found.into_iter().filter_map(|(name, value)| Some((key(name)?, value))).collect();
        self.set(to, Value::Dict(Rc::new(entries.into())));
        Ok(())
    }

    #[cold]
    fn unknown_global(&self, index: u16) -> SourceResult<()> {
        let name = &self.code.globals[usize::from(index)].name;
        Err(self.evaluator.unknown_name(name, self.span()))
    }

    #[cold]
    pub fn unbound(&self, local: Reg) -> SourceResult<()> {
        self.unassigned(self.code.locals.get(usize::from(local)))
    }

    #[cold]
    pub fn unbound_cell(&self, index: u16) -> SourceResult<()> {
        self.unassigned(self.code.cells.get(usize::from(index)))
    }

    #[cold]
    pub fn unbound_free(&self, index: u16) -> SourceResult<()> {
        let name = self.code.free.get(usize::from(index)).map_or("", |name| &**name);
        let message = format!(
            "cannot access free variable '{name}' where it is not associated with a value in \
             enclosing scope"
        );
        Err(Box::new(Diagnostic::new(ErrorKind::Name, self.span(), message)))
    }

    /// A variable of the function holds nothing yet.
    fn unassigned(&self, known: Option<&Local>) -> SourceResult<()> {
        let name = known.map_or("", |local| &*local.name);
        let message = format!(
            "cannot access local variable '{name}' where it is not associated with a value"
        );
        let mut error = Diagnostic::new(ErrorKind::UnboundLocal, self.span(), message);
        if let Some(local) = known.filter(|local| local.first.start != local.first.end) {
            let words = "assigned here, so it is a variable of the function";
            error = error.with_label(local.first, words);
            if self.evaluator.interp.get(name).is_some() {
                error = error.with_hint(format!("`global {name}` makes it the session's variable"));
            }
        }
        Err(Box::new(error))
    }
}
