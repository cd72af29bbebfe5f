//! Modules of Python's library and of NumPy that are written in the language itself. Each is a file of this
//! folder and a scope of its own, and is run when a program first asks for something in it.
//!
//! What it binds goes through the journal as a program's own names do, so that a statement that fails,
//! or `:undo`, takes the loading back as well, and the next one who asks runs it again.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::compile;
use super::scope::Scope;
use super::shared::Slot;
use super::value::{Module, Value};
use super::{Evaluator, Interp};
use crate::diag::{Fault, Source, SourceId, Span};
use crate::syntax::ast::{Expr, ExprKind, Ident, Stmt, StmtKind};
use crate::syntax::{self, CellItem};

/// The texts, each beside what the registry holds of the same module.
fn text(module: Module) -> Option<&'static str> {
    Some(match module {
        Module::Abc => include_str!("abc.py"),
        Module::Argparse => {
            concat!(include_str!("argparse.py"), "\n\n", include_str!("argparse_parser.py"))
        }
        Module::Bisect => include_str!("bisect.py"),
        Module::Collections => include_str!("collections.py"),
        Module::Contextlib => include_str!("contextlib.py"),
        Module::Csv => include_str!("csv.py"),
        Module::Dataclasses => include_str!("dataclasses.py"),
        Module::Datetime => {
            concat!(include_str!("datetime.py"), "\n\n", include_str!("datetime_times.py"))
        }
        Module::Enum => include_str!("enum.py"),
        Module::Fnmatch => include_str!("fnmatch.py"),
        Module::Fractions => include_str!("fractions.py"),
        Module::Functools => include_str!("functools.py"),
        Module::Gc => include_str!("gc.py"),
        Module::Glob => include_str!("glob.py"),
        Module::Heapq => include_str!("heapq.py"),
        Module::Inspect => include_str!("inspect.py"),
        Module::Io => include_str!("io.py"),
        Module::Json => include_str!("json.py"),
        Module::Linalg => include_str!("linalg.py"),
        Module::Logging => {
            concat!(include_str!("logging.py"), "\n\n", include_str!("logging_loggers.py"))
        }
        Module::Numbers => include_str!("numbers.py"),
        Module::Os => include_str!("os.py"),
        Module::Path => include_str!("path.py"),
        Module::Pathlib => include_str!("pathlib.py"),
        Module::Pprint => include_str!("pprint.py"),
        Module::Re => include_str!("re.py"),
        Module::Statistics => include_str!("statistics.py"),
        Module::Strings => include_str!("string.py"),
        Module::Sys => include_str!("sys.py"),
        Module::Textwrap => include_str!("textwrap.py"),
        Module::Time => include_str!("time.py"),
        Module::Traceback => include_str!("traceback.py"),
        Module::Types => include_str!("types.py"),
        Module::Typing => include_str!("typing.py"),
        Module::Warnings => include_str!("warnings.py"),
        _ => return None,
    })
}

/// The name that a module has once all of it has run.
const LOADED: &str = "__name__";

/// The modules that a session has run, or has looked for names in.
#[derive(Debug, Default)]
pub struct Library {
    scopes: RefCell<FxHashMap<Module, Scope>>,
    names: RefCell<FxHashMap<Module, Rc<[Ident]>>>,
}

impl Library {
    /// The variable of a module.
    pub fn slot(&self, module: Module, name: &Ident) -> Slot {
        self.scopes.borrow_mut().entry(module).or_default().slot(name)
    }

    fn get(&self, module: Module, name: &str) -> Option<Value> {
        self.scopes.borrow().get(&module)?.get(name)
    }

    /// The names that a module's text binds.
    fn names(&self, module: Module) -> Rc<[Ident]> {
        if let Some(names) = self.names.borrow().get(&module) {
            return names.clone();
        }
        let names: Rc<[Ident]> = bound_in(module).into();
        self.names.borrow_mut().insert(module, names.clone());
        names
    }
}

/// What the text of a module gives to programs: its functions, classes and constants without an
/// underscore in front.
pub fn names_of(module: Module) -> Vec<Ident> {
    let mut names = bound_in(module);
    names.retain(|name| !name.starts_with('_'));
    names
}

fn bound_in(module: Module) -> Vec<Ident> {
    let Some(text) = text(module) else { return Vec::new() };
    let statements = statements(&Source::new(SourceId::default(), module.name(), text));
    let mut names: Vec<Ident> = statements.iter().flat_map(bound_by).collect();
    names.sort();
    names.dedup();
    names
}

/// A module's text as statements. A test sees that all texts can be read.
fn statements(source: &Source) -> Vec<Stmt> {
    let items = syntax::parse_cell(source).map_or_else(|_| Vec::new(), |cell| cell.items);
    let statement = |item| match item {
        CellItem::Stmt(stmt) => Some(stmt),
        _ => None,
    };
    items.into_iter().filter_map(statement).collect()
}

fn bound_by(stmt: &Stmt) -> Vec<Ident> {
    match &stmt.node {
        StmtKind::Def(function) => vec![function.name.node.clone()],
        StmtKind::Class(class) => vec![class.name.node.clone()],
        StmtKind::Assign { targets, .. } => {
            fn names(target: &Expr) -> Vec<Ident> {
                match &target.node {
                    ExprKind::Name(name) => vec![name.clone()],
                    ExprKind::Tuple(parts) => parts.iter().flat_map(names).collect(),
                    _ => Vec::new(),
                }
            }
            targets.iter().flat_map(names).collect()
        }
        _ => Vec::new(),
    }
}

impl Interp {
    /// All names of a module.
    pub(super) fn names_in(&self, module: Module) -> Vec<String> {
        let written = self.library.names(module);
        let written = written.iter().filter(|name| !name.starts_with('_'));
        let built_in = self.registry.names_of_module(module).map(str::to_owned);
        built_in.chain(written.map(ToString::to_string)).collect()
    }
}

impl Evaluator<'_> {
    /// What a module holds under a name. A module that is written in the language is run first.
    ///
    /// # Errors
    /// What running it brings up: Ctrl-C, memory that runs out.
    pub(super) fn in_module(&self, module: Module, name: &str) -> Result<Option<Value>, Fault> {
        if let Some(found) = self.interp.registry.attribute_of_module(module, name) {
            return Ok(Some(found.clone()));
        }
        if !self.interp.library.names(module).iter().any(|known| **known == *name) {
            return Ok(None);
        }
        self.load(module)?;
        Ok(self.interp.library.get(module, name))
    }

    /// Runs a module's text, if it has one and has not been run.
    fn load(&self, module: Module) -> Result<(), Fault> {
        let library = &self.interp.library;
        let Some(text) = text(module).filter(|_| library.get(module, LOADED).is_none()) else {
            return Ok(());
        };
        let loaded = self.all_or_nothing(Span::default(), || {
            let name = format!("<{}>", module.name());
            let source = self.interp.sources.borrow_mut().add(name, text);
            for stmt in statements(&source) {
                let code = compile::compile_in(self.interp, module, &stmt)?;
                self.run_code(code, false)?;
            }
            let slot = library.slot(module, &LOADED.into());
            slot.replace(&self.interp.journal, Some(Value::str(module.name())));
            Ok(())
        });
        loaded.map_err(Fault::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read() {
        for module in Module::ALL.iter().copied() {
            let Some(text) = text(module) else { continue };
            let source = Source::new(SourceId::default(), module.name(), text);
            if let Err(error) = syntax::parse_cell(&source) {
                panic!("{}: {} at {:?}", module.name(), error.message, error.span);
            }
            assert!(!names_of(module).is_empty(), "{} gives nothing", module.name());
        }
    }
}
