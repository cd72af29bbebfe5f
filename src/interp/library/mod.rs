//! Modules of Python's library and of NumPy that are written in the language itself. Each is a file of this
//! folder and a scope of its own; NumPy's main namespace has a folder of files, by topic, that share a
//! scope. A file is run when a program first asks for something in it, and one of the same module may
//! name what stands in another.
//!
//! What it binds goes through the journal as a program's own names do, so that a statement that fails,
//! or `:undo`, takes the loading back as well, and the next one who asks runs it again.

mod texts;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::compile;
use super::eval;
use super::object::instance::{Bound, Instance};
use super::scope::Scope;
use super::shared::Slot;
use super::value::{Module, Type, Value};
use super::{Evaluator, Interp};
use crate::diag::{Fault, Source, SourceResult, Span};
use crate::report::Report;
use crate::syntax::ast::{Ident, Stmt};
use crate::syntax::{self, CellItem};
use texts::{Text, texts};

/// The name of a module in its scope.
const NAME: &str = "__name__";

/// In front of what a module's texts give to tensors, as methods: the first argument is the tensor.
const METHOD: &str = "_method_";

/// In front of what they give to tensors as attributes that are no methods: functions of the tensor.
const PROPERTY: &str = "_property_";

/// In front of functions that take a tensor and what is assigned to its attribute.
const SETTER: &str = "_set_property_";

/// The same for elementwise functions.
const UFUNC_PROPERTY: &str = "_ufunc_property_";

/// In front of what they give to NumPy's elementwise functions, as methods: `add.reduceat`.
const UFUNC_METHOD: &str = "_ufunc_method_";

/// What a module's texts bind, each name with the number of its text.
type Names = Rc<[(Ident, usize)]>;

/// The modules that a session has run, or has looked for names in.
#[derive(Debug, Default)]
pub struct Library {
    scopes: RefCell<FxHashMap<Module, Scope>>,
    names: RefCell<FxHashMap<Module, Names>>,
}

impl Library {
    /// The variable of a module.
    pub fn slot(&self, module: Module, name: &Ident) -> Slot {
        self.scopes.borrow_mut().entry(module).or_default().slot(name)
    }

    fn get(&self, module: Module, name: &str) -> Option<Value> {
        self.scopes.borrow().get(&module)?.get(name)
    }

    /// The names that a module's texts bind, each with its text.
    fn names(&self, module: Module) -> Names {
        if let Some(names) = self.names.borrow().get(&module) {
            return names.clone();
        }
        let names: Names = texts::index(module).into();
        self.names.borrow_mut().insert(module, names.clone());
        names
    }

    /// The text that binds a name of a module.
    fn text(&self, module: Module, name: &str) -> Option<&'static Text> {
        let names = self.names(module);
        let at = names.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        texts().get(names[at].1)
    }

    /// The module whose texts bind a name that code of `module`, or of the session, asks for.
    pub fn home(&self, module: Option<Module>, name: &str) -> Option<Module> {
        let own = module.filter(|module| self.text(*module, name).is_some());
        let is_numpys = || !name.starts_with('_') && self.text(Module::Numpy, name).is_some();
        own.or_else(|| is_numpys().then_some(Module::Numpy))
    }

    /// The names of a module that begin with these letters, without them. Special names are not shown.
    fn behind(&self, module: Module, prefix: &str) -> Vec<String> {
        let names = self.names(module);
        let behind = names.iter().filter_map(|(name, _)| name.strip_prefix(prefix));
        behind.filter(|name| !name.starts_with("__")).map(str::to_owned).collect()
    }
}

/// Where the names of a module are written: NumPy's names are PyTorch's and Genesis's, too.
fn written_in(module: Module) -> impl Iterator<Item = Module> {
    let shared = matches!(module, Module::Torch | Module::Genesis).then_some(Module::Numpy);
    std::iter::once(module).chain(shared)
}

/// What the texts of a module give to programs, by topic: functions, classes and constants without
/// an underscore in front. A module of one text has no topics.
pub fn names_of(module: Module) -> Vec<(&'static str, Vec<Ident>)> {
    let mut topics: Vec<(&str, Vec<Ident>)> = Vec::new();
    for (name, text) in texts::index(module) {
        let topic = texts()[text].topic();
        match topics.iter_mut().find(|(known, _)| *known == topic) {
            _ if name.starts_with('_') => {}
            Some((_, names)) => names.push(name),
            None => topics.push((topic, vec![name])),
        }
    }
    topics
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

impl Interp {
    /// All names of a module.
    pub(super) fn names_in(&self, module: Module) -> Vec<String> {
        let built_in = self.registry.names_of_module(module).map(str::to_owned);
        let written = written_in(module).flat_map(|module| {
            let names = self.library.names(module);
            let names = names.iter().map(|(name, _)| name.to_string());
            names.filter(|name| !name.starts_with('_')).collect::<Vec<_>>()
        });
        built_in.chain(written).collect()
    }

    /// The names that need no import: the registry's, and those of NumPy that are written in the
    /// language.
    pub fn bare_names(&self) -> Vec<String> {
        let written = self.library.names(Module::Numpy);
        let written = written.iter().map(|(name, _)| name).filter(|name| !name.starts_with('_'));
        self.registry.names().map(str::to_owned).chain(written.map(ToString::to_string)).collect()
    }

    /// Whether a bare name is one of NumPy's that are written in the language.
    pub fn is_written(&self, name: &str) -> bool {
        !name.starts_with('_') && self.library.text(Module::Numpy, name).is_some()
    }

    /// How a function of a module is called, where its text says so.
    pub fn written_signature(&self, module: Module, name: &str) -> Option<String> {
        let text = written_in(module).find_map(|module| self.library.text(module, name))?;
        text.signature(name)
    }

    /// The methods of tensors that are written in the language.
    pub fn written_methods(&self) -> Vec<String> {
        self.library.behind(Module::Numpy, METHOD)
    }

    /// The attributes of tensors that are written in the language, the methods among them.
    pub(super) fn written_attributes(&self) -> Vec<String> {
        let mut names = self.library.behind(Module::Numpy, PROPERTY);
        names.extend(self.written_methods());
        names
    }

    /// The same of elementwise functions.
    pub(super) fn written_ufunc_attributes(&self) -> Vec<String> {
        let mut names = self.library.behind(Module::Numpy, UFUNC_PROPERTY);
        names.extend(self.library.behind(Module::Numpy, UFUNC_METHOD));
        names
    }
}

impl Evaluator<'_> {
    /// What a module holds under a name. A text of the module that binds it is run first.
    ///
    /// # Errors
    /// What running it brings up: Ctrl-C, memory that runs out.
    pub(super) fn in_module(&self, module: Module, name: &str) -> Result<Option<Value>, Fault> {
        if let Some(found) = self.interp.registry.attribute_of_module(module, name) {
            return Ok(Some(found.clone()));
        }
        for module in written_in(module) {
            if let Some(found) = self.in_texts(module, name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What a name means that code of `module`, or of the session, finds neither among its variables nor
    /// among the registry's names.
    ///
    /// # Errors
    /// As [`Evaluator::in_module`].
    pub(super) fn found_in_text(
        &self,
        module: Option<Module>,
        name: &str,
    ) -> Result<Option<Value>, Fault> {
        match self.interp.library.home(module, name) {
            Some(home) => self.in_texts(home, name),
            None => Ok(None),
        }
    }

    /// What a bare name means that the registry does not have; nothing where that cannot be told.
    pub fn written_name(&self, name: &str) -> Option<Value> {
        self.found_in_text(None, name).ok().flatten()
    }

    /// An attribute of a tensor or an elementwise function that is written in the language: a method
    /// with its receiver, or what a function of the receiver gives.
    ///
    /// # Errors
    /// As [`Evaluator::in_module`], and what such a function brings up.
    pub(super) fn written_attribute(
        &self,
        receiver: &Value,
        name: &str,
    ) -> Result<Option<Value>, Fault> {
        let (method, property) = match receiver {
            Value::Tensor(_) => (METHOD, PROPERTY),
            // `ndarray.argpartition`: a function that takes its receiver as its first argument.
            Value::Type(Type::Tensor) => {
                return self.in_texts(Module::Numpy, &format!("{METHOD}{name}"));
            }
            Value::Function(function) if function.builtin.is_ufunc() => {
                (UFUNC_METHOD, UFUNC_PROPERTY)
            }
            _ => return Ok(None),
        };
        if let Some(callable) = self.in_texts(Module::Numpy, &format!("{method}{name}"))? {
            let bound = Bound { receiver: receiver.clone(), callable };
            return Ok(Some(Value::Bound(Rc::new(bound))));
        }
        match self.in_texts(Module::Numpy, &format!("{property}{name}"))? {
            Some(function) => self.call_value(&function, [receiver.clone()], []).map(Some),
            None => Ok(None),
        }
    }

    /// Assigns to an attribute of a tensor by a function that is written in the language; false where there is
    /// none.
    ///
    /// # Errors
    /// As [`Evaluator::in_module`], and what such a function brings up.
    pub(super) fn set_written(&self, x: &Value, name: &str, value: Value) -> Result<bool, Fault> {
        match self.in_texts(Module::Numpy, &format!("{SETTER}{name}"))? {
            Some(function) => self.call_value(&function, [x.clone(), value], []).map(|_| true),
            None => Ok(false),
        }
    }

    /// What a function of NumPy's gives that is written in the language and only the registry calls.
    ///
    /// # Errors
    /// As `in_module`, and what the function brings up.
    pub fn call_written(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = Value>,
    ) -> Result<Value, Fault> {
        self.call_text(Module::Numpy, name, arguments)
    }

    /// The same of a function in the texts of any module.
    ///
    /// # Errors
    /// As `call_written`.
    pub fn call_text(
        &self,
        module: Module,
        name: &str,
        arguments: impl IntoIterator<Item = Value>,
    ) -> Result<Value, Fault> {
        let function = self.in_texts(module, name)?;
        self.call_value(&function.unwrap_or(Value::None), arguments, [])
    }

    /// Shows the figures that were begun and not shown, as notebooks do when a cell has ended; but not the
    /// cell's value, which is shown as that.
    ///
    /// # Errors
    /// What drawing them brings up.
    pub fn show_figures(&self, value: Option<&Value>) -> SourceResult<()> {
        let begun = self.interp.library.get(Module::Pyplot, "_open");
        let has_any = matches!(&begun, Some(Value::Dict(open)) if !open.borrow().is_empty());
        if !has_any {
            return Ok(());
        }
        self.all_or_nothing(Span::default(), || {
            let placed = |fault| eval::placed(fault, Span::default());
            let end = self.in_texts(Module::Pyplot, "_end_cell").map_err(placed)?;
            let value = value.cloned().unwrap_or(Value::None);
            self.call_value(&end.unwrap_or(Value::None), [value], []).map_err(placed).map(|_| ())
        })
    }

    /// Shows a value that is a figure; whether it is one.
    ///
    /// # Errors
    /// What drawing it brings up.
    pub fn show_figure(&self, value: &Value) -> Result<bool, Fault> {
        let Value::Object(object) = value else { return Ok(false) };
        let figures = self.interp.library.get(Module::Pyplot, "Figure");
        let figures = figures.and_then(|class| self.as_class(&class));
        match figures {
            Some(class) if object.class.is_a(&class) => {
                self.call_special(value, "_as_value", []).transpose().map(|_| true)
            }
            _ => self.show_differences(value, object),
        }
    }

    /// Shows what differs between two checkpoints with its heat map; whether the value is that, and has one.
    fn show_differences(&self, value: &Value, object: &Instance) -> Result<bool, Fault> {
        let class = self.interp.library.get(Module::Numpy, "Differences");
        let class = class.and_then(|class| self.as_class(&class));
        if !class.is_some_and(|class| object.class.is_a(&class)) {
            return Ok(false);
        }
        match self.call_special(value, "_as_figure", []).transpose()? {
            None | Some(Value::None) => Ok(false),
            Some(figure) => {
                self.world.show(&Report::plain(self.try_repr(value)?));
                self.call_special(&figure, "_as_value", []).transpose().map(|_| true)
            }
        }
    }

    fn in_texts(&self, module: Module, name: &str) -> Result<Option<Value>, Fault> {
        let Some(text) = self.interp.library.text(module, name) else { return Ok(None) };
        self.load(text)?;
        Ok(self.interp.library.get(module, name))
    }

    /// Runs a text that has not been run.
    fn load(&self, text: &Text) -> Result<(), Fault> {
        let (library, module) = (&self.interp.library, text.module);
        if library.get(module, text.mark).is_some() {
            return Ok(());
        }
        let loaded = self.all_or_nothing(Span::default(), || {
            let source = self.interp.sources.borrow_mut().add(text.source_name(), text.text);
            for stmt in statements(&source) {
                let code = compile::compile_in(self.interp, module, &stmt)?;
                self.run_code(code, false)?;
            }
            for name in [NAME, text.mark] {
                let slot = library.slot(module, &name.into());
                slot.replace(&self.interp.journal, Some(Value::str(module.name())));
            }
            Ok(())
        });
        loaded.map_err(Fault::from)
    }
}
