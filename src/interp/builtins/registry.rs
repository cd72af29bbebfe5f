//! Names to functions and constants, for every namespace and every type.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Builtin, Function, Homes};
use crate::diag::ErrorKind;
use crate::dtype::{Class, DType};
use crate::interp::object::class::ClassRef;
use crate::interp::object::instance::{Inner, Instance};
use crate::interp::value::{Module, Type, Value, Walker};

type Names = FxHashMap<Rc<str>, Value>;
type Methods = FxHashMap<Rc<str>, Rc<Function>>;

/// All that is there before the user types anything.
pub struct Registry {
    bare: Names,
    hidden: Names,
    modules: FxHashMap<Module, Names>,
    methods: FxHashMap<Type, Methods>,
    statics: FxHashMap<Type, Methods>,
    constructors: FxHashMap<Type, Rc<Function>>,
}

impl Registry {
    pub fn new() -> Registry {
        let mut registry = Registry {
            bare: Names::default(),
            hidden: Names::default(),
            modules: Module::ALL.iter().map(|module| (*module, Names::default())).collect(),
            methods: FxHashMap::default(),
            statics: FxHashMap::default(),
            constructors: FxHashMap::default(),
        };
        registry.add_constants();
        super::all()
            .filter(|row| row.homes.holds(Homes::LIBRARY))
            .for_each(|row| registry.add(row));
        super::all()
            .filter(|row| !row.homes.holds(Homes::LIBRARY))
            .for_each(|row| registry.add(row));
        let is_python = |value: &Value| match value {
            Value::Type(of) => of.module() == "builtins",
            other => matches!(other, Value::NotImplemented | Value::Ellipsis),
        };
        let classes = registry.bare.iter().filter(|(_, value)| is_python(value));
        let classes: Vec<_> = classes.map(|(name, of)| (name.clone(), of.clone())).collect();
        registry.modules.entry(Module::Builtins).or_default().extend(classes);
        registry
    }

    /// What a bare name means where the user has not bound it.
    pub fn name(&self, name: &str) -> Option<&Value> {
        self.bare.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bare.keys().map(|name| &**name)
    }

    pub fn attribute_of_module(&self, module: Module, name: &str) -> Option<&Value> {
        self.modules.get(&module)?.get(name)
    }

    pub fn names_of_module(&self, module: Module) -> impl Iterator<Item = &str> {
        self.modules.get(&module).into_iter().flat_map(|names| names.keys()).map(|name| &**name)
    }

    pub fn method(&self, receiver: Type, name: &str) -> Option<&Rc<Function>> {
        let receiver = match receiver {
            Type::Iterator(_) => Type::Iterator(Walker::OTHER),
            other => other,
        };
        let own = self.methods.get(&receiver).and_then(|methods| methods.get(name));
        own.or_else(|| self.methods.get(&receiver.base()?)?.get(name))
    }

    pub fn methods_of(&self, receiver: Type) -> impl Iterator<Item = &str> {
        let statics = self.statics.get(&receiver);
        let functions = self.methods.get(&receiver).into_iter().chain(statics);
        let base = receiver.base().and_then(|base| self.methods.get(&base));
        functions.chain(base).flat_map(|names| names.keys()).map(|name| &**name)
    }

    /// A function of a type that gets no receiver: `dict.fromkeys`.
    pub fn static_of(&self, of: Type, name: &str) -> Option<&Rc<Function>> {
        self.statics.get(&of)?.get(name)
    }

    pub fn statics_of(&self, of: Type) -> impl Iterator<Item = &str> {
        let own = self.statics.get(&of).into_iter().flat_map(|names| names.keys());
        own.map(|name| &**name)
    }

    /// What calling a type does.
    pub fn constructor(&self, of: Type) -> Option<&Rc<Function>> {
        self.constructors.get(&of)
    }

    /// A function without a name in the language.
    pub fn hidden(&self, name: &str) -> Option<&Value> {
        self.hidden.get(name)
    }

    fn add(&mut self, row: &'static Builtin) {
        if let (Some(of), true) = (row.method_of, row.homes.holds(Homes::STATIC)) {
            let function = Function::new(row, row.name.to_owned(), false, None);
            let functions = self.statics.entry(of).or_default();
            functions.insert(Rc::from(row.name), Rc::new(function));
            return;
        }
        let bare = row.homes.holds(Homes::PYTHON.and(Homes::LIBRARY));
        for name in std::iter::once(row.name).chain(row.aliases.iter().copied()) {
            let for_tensors = match self.bare.get(name) {
                Some(Value::Function(library)) if row.homes.holds(Homes::PYTHON) => {
                    Some(library.clone())
                }
                _ => None,
            };
            let function = Rc::new(Function::new(row, name.to_owned(), false, for_tensors));
            let key: Rc<str> = Rc::from(name);
            if bare {
                self.bare.insert(key.clone(), Value::Function(function.clone()));
            }
            for module in Module::ALL.iter().copied() {
                if row.homes.holds(Homes::of(module)) {
                    let names = self.modules.entry(module).or_default();
                    names.insert(key.clone(), Value::Function(function.clone()));
                }
            }
            if let Some(receiver) = row.method_of.filter(|_| !row.homes.holds(Homes::CONSTRUCTOR)) {
                let methods = self.methods.entry(receiver).or_default();
                methods.insert(key, function);
                if row.in_place {
                    let name = format!("{name}_");
                    let function = Function::new(row, name.clone(), true, None);
                    methods.entry(Rc::from(name)).or_insert_with(|| Rc::new(function));
                }
            }
        }
        if row.homes.holds(Homes::CLASS)
            && let Some(of) = Type::ALL.into_iter().find(|of| of.name() == row.name)
        {
            let function = Function::new(row, row.name.to_owned(), false, None);
            self.constructors.insert(of, Rc::new(function));
            for module in Module::ALL.iter().filter(|module| row.homes.holds(Homes::of(**module))) {
                let names = self.modules.entry(*module).or_default();
                names.insert(Rc::from(row.name), Value::Type(of));
            }
        }
        if row.homes.holds(Homes::CONSTRUCTOR)
            && let Some(of) =
                row.method_of.or_else(|| Type::ALL.into_iter().find(|of| of.name() == row.name))
        {
            let function = Function::new(row, row.name.to_owned(), false, None);
            self.constructors.insert(of, Rc::new(function));
            if row.method_of.is_none() {
                self.bare.insert(Rc::from(row.name), Value::Type(of));
            }
        }
    }

    /// What programs find in `sys.argv`. Where a file comes first, `__file__` is its path.
    pub fn set_arguments(&mut self, arguments: &[String]) {
        let Some(program) = arguments.first() else { return };
        if !program.starts_with('-') {
            self.bare.insert(Rc::from("__file__"), Value::str(program));
        }
        let argv = arguments.iter().map(Value::str).collect();
        self.modules.entry(Module::Sys).or_default().insert("argv".into(), Value::list(argv));
    }

    fn add_constants(&mut self) {
        let numbers = [
            ("pi", std::f64::consts::PI),
            ("e", std::f64::consts::E),
            ("euler_gamma", 0.577_215_664_901_532_9),
            ("inf", f64::INFINITY),
            ("nan", f64::NAN),
        ];
        let mut shared: Vec<(&str, Value)> =
            numbers.map(|(name, number)| (name, Value::Float(number))).to_vec();
        shared.push(("newaxis", Value::None));
        for dtype in DType::ALL {
            // The bare `bool` is Python's.
            let name = Some(dtype.name()).filter(|_| dtype != DType::Bool);
            let names = name.into_iter().chain(dtype.row().aliases.iter().copied());
            shared.extend(names.map(|name| (name, Value::DType(dtype))));
        }
        for (name, value) in &shared {
            self.bare.insert(Rc::from(*name), value.clone());
        }
        for (name, module) in [
            ("np", Module::Numpy),
            ("numpy", Module::Numpy),
            ("torch", Module::Torch),
            ("genesis", Module::Genesis),
            ("cuda", Module::Cuda),
            ("linalg", Module::Linalg),
            ("fft", Module::Fft),
        ] {
            self.bare.insert(Rc::from(name), Value::Module(module));
        }
        shared.push(("bool", Value::DType(DType::Bool)));
        for class in Class::ALL {
            let names = self.modules.entry(Module::Numpy).or_default();
            names.insert(Rc::from(class.name()), Value::Type(Type::Scalars(class)));
        }
        for module in [Module::Numpy, Module::Torch, Module::Genesis] {
            let names = self.modules.entry(module).or_default();
            names.extend(shared.iter().map(|(name, value)| (Rc::from(*name), value.clone())));
        }
        for module in [Module::Torch, Module::Genesis] {
            let names = self.modules.entry(module).or_default();
            names.insert(Rc::from("float"), Value::DType(DType::F32));
            names.insert(Rc::from("int"), Value::DType(DType::I32));
        }
        for kind in ErrorKind::ALL.iter().filter(|kind| kind.is_builtin()) {
            self.bare.insert(Rc::from(kind.class_name()), Value::Type(Type::Error(*kind)));
        }
        for name in ["IOError", "EnvironmentError"] {
            self.bare.insert(Rc::from(name), Value::Type(Type::Error(ErrorKind::Os)));
        }
        self.bare.insert(Rc::from("NotImplemented"), Value::NotImplemented);
        self.bare.insert(Rc::from("Ellipsis"), Value::Ellipsis);
        self.bare.insert(Rc::from("__name__"), Value::str("__main__"));
        let tools = super::factorise::HIDDEN
            .iter()
            .chain(super::fourier::HIDDEN)
            .chain(super::standard::PATTERNS)
            .chain(super::standard::SORTED_PLACES)
            .chain(super::buffers::HIDDEN)
            .chain(super::float_errors::HIDDEN)
            .chain(super::permission::HIDDEN)
            .chain(super::reform::HIDDEN)
            .chain(super::ufunc::HIDDEN)
            .chain(super::disk::HIDDEN)
            .chain(super::figure::HIDDEN)
            .chain(super::standard::HIDDEN)
            .chain(super::python::SHOWN);
        for row in super::python::HIDDEN.iter().chain(tools) {
            let function = Function::new(row, row.name.to_owned(), false, None);
            self.hidden.insert(Rc::from(row.name), Value::Function(Rc::new(function)));
        }
        let frozen = Value::Type(Type::Error(ErrorKind::FrozenInstance));
        let names = self.modules.entry(Module::Dataclasses).or_default();
        names.insert(Rc::from("FrozenInstanceError"), frozen);
        let missing = Instance::new(ClassRef::Native(Type::Object), Inner::None);
        names.insert(Rc::from("MISSING"), Value::Object(Rc::new(missing)));
        names.insert(Rc::from("KW_ONLY"), Value::str("KW_ONLY"));
        for (modules, kind) in [
            (&[Module::Linalg] as &[Module], ErrorKind::LinAlg),
            (&[Module::Numpy, Module::Exceptions], ErrorKind::Axis),
            (&[Module::Io], ErrorKind::Unsupported),
            (&[Module::Json], ErrorKind::JsonDecode),
            (&[Module::Torch, Module::Cuda, Module::Genesis], ErrorKind::OutOfMemory),
        ] {
            for module in modules {
                let names = self.modules.entry(*module).or_default();
                names.insert(Rc::from(kind.class_name()), Value::Type(Type::Error(kind)));
            }
        }
        for (module, name, value) in [
            (Module::Numpy, "ndarray", Value::Type(Type::Tensor)),
            (Module::Numpy, "dtype", Value::Type(Type::DType)),
            (Module::Torch, "Tensor", Value::Type(Type::Tensor)),
            (Module::Torch, "device", Value::Type(Type::Device)),
            (Module::Genesis, "device", Value::Type(Type::Device)),
            (Module::Genesis, "Tensor", Value::Type(Type::Tensor)),
        ] {
            self.modules.entry(module).or_default().insert(Rc::from(name), value);
        }
        for (home, name, module) in Module::nested().filter(|(_, name, _)| !name.starts_with('_')) {
            let names = self.modules.entry(home).or_default();
            names.insert(Rc::from(name), Value::Module(module));
        }
        for (module, name, value) in super::standard::constants() {
            self.modules.entry(module).or_default().insert(Rc::from(name), value);
        }
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::new()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registry({} bare names)", self.bare.len())
    }
}

impl Function {
    pub(super) fn new(
        builtin: &'static Builtin,
        name: String,
        in_place: bool,
        for_tensors: Option<Rc<Function>>,
    ) -> Function {
        Function { builtin, name, in_place, for_tensors, signature: OnceCell::new() }
    }
}
