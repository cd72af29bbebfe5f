//! Imports: they bind names to the built-in namespaces, and nothing else can be imported.

use std::rc::Rc;

use super::value::Module;
use super::{Evaluator, Interp, Value, eval, missing};
use crate::diag::{ErrorKind, Fault, SourceResult, Spanned, did_you_mean};
use crate::syntax::ast::{Ident, ImportName};

impl Evaluator<'_> {
    /// What `import numpy as np` binds.
    pub(super) fn imported(&self, import: &ImportName) -> SourceResult<Value> {
        let path = &import.path;
        let found = module(&path.node).map_err(|fault| eval::placed(fault, path.span))?;
        if import.alias.is_some() {
            return Ok(Value::Module(found));
        }
        // `import numpy.linalg` binds `numpy`.
        let root = path.node.split('.').next().unwrap_or_default();
        let found = module(root).map_err(|fault| eval::placed(fault, path.span))?;
        Ok(Value::Module(found))
    }

    /// What `from numpy import name` binds.
    pub(super) fn imported_from(
        &self,
        from: &Spanned<Ident>,
        name: &ImportName,
    ) -> SourceResult<Value> {
        let found = module(&from.node).map_err(|fault| eval::placed(fault, from.span))?;
        let wanted = &name.path;
        let held = self.in_module(found, &wanted.node);
        if let Some(value) = held.map_err(|fault| eval::placed(fault, wanted.span))? {
            return Ok(value);
        }
        let message = format!("cannot import name '{}' from '{}'", wanted.node, found.name());
        let fault = Fault::new(ErrorKind::Import, message);
        let known = self.interp.names_in(found);
        let near = did_you_mean(&wanted.node, known.iter().map(String::as_str));
        let fault = match near {
            Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
            None => fault,
        };
        Err(eval::placed(fault, wanted.span))
    }

    /// `from numpy import *`
    pub(super) fn import_all(&self, from: &Spanned<Ident>) -> SourceResult<()> {
        let found = module(&from.node).map_err(|fault| eval::placed(fault, from.span))?;
        let registry = &self.interp.registry;
        // What numpy, torch and genesis hold has its bare names already, but for functions that
        // Python has too: `sum`, `max`, `round`.
        let is_library = matches!(found, Module::Numpy | Module::Torch | Module::Genesis);
        let mut all = self.interp.names_in(found);
        all.sort_unstable();
        let is_bare = |name: &String| is_library && self.interp.is_written(name);
        for name in all.into_iter().filter(|name| !name.contains('.') && !is_bare(name)) {
            let held = self.in_module(found, &name);
            let held = held.map_err(|fault| eval::placed(fault, from.span))?;
            let Some(value) = held else { continue };
            let is_bare = match (&value, registry.name(&name)) {
                (Value::Function(own), Some(Value::Function(bare))) => Rc::ptr_eq(own, bare),
                _ => true,
            };
            if !is_library || !is_bare {
                self.interp.set(Rc::from(name), value);
            }
        }
        Ok(())
    }
}

/// Modules whose names are known for themselves: who uses one without its import has forgotten that.
const FAMILIAR: [Module; 13] = [
    Module::Typing,
    Module::Dataclasses,
    Module::Enum,
    Module::Collections,
    Module::Functools,
    Module::Contextlib,
    Module::Abc,
    Module::Datetime,
    Module::Pathlib,
    Module::Fractions,
    Module::Argparse,
    Module::Copy,
    Module::Itertools,
];

impl Interp {
    /// The import that would bind a name, where that is likely what was forgotten.
    pub(super) fn import_of(&self, name: &str) -> Option<String> {
        if Module::find(name).is_some() {
            return Some(format!("import {name}"));
        }
        // Short words are rather names that the program has not given.
        let is_known = name.len() > 5 || name.starts_with(char::is_uppercase) && name.len() > 2;
        let holds = |module: &Module| self.names_in(*module).iter().any(|known| known == name);
        let found = FAMILIAR.into_iter().filter(|_| is_known).find(holds)?;
        Some(format!("from {} import {name}", found.name()))
    }
}

fn module(path: &str) -> Result<Module, Fault> {
    Module::find(path).ok_or_else(|| {
        let fault = Fault::new(ErrorKind::ModuleNotFound, format!("No module named '{path}'"));
        let roots = Module::ALL.iter().map(|module| module.name());
        match missing::instead_of_module(path) {
            Some(remedy) => fault.with_hint(remedy),
            None => match did_you_mean(path, roots) {
                Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
                None => fault.with_hint("numpy, torch, genesis and much of Python's library are built in; nothing else is"),
            },
        }
    })
}
