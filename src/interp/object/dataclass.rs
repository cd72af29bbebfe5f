//! `@dataclass`: the methods that a class's annotated names ask for, written in the language itself
//! and compiled once for the class.

use std::fmt::Write;
use std::rc::Rc;

use super::class::{Class, ClassRef};
use super::instance::{Inner, Instance};
use crate::diag::Fault;
use crate::interp::value::{Entries, Key, Module, Value};
use crate::interp::{Evaluator, Interp};

/// Under which name a class keeps its fields.
pub const FIELDS: &str = "__dataclass_fields__";

/// What `@dataclass(…)` was told.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub init: bool,
    pub repr: bool,
    pub eq: bool,
    pub order: bool,
    pub unsafe_hash: bool,
    pub frozen: bool,
    pub match_args: bool,
    pub kw_only: bool,
    pub slots: bool,
}

/// One field of a data class.
struct Field {
    name: String,
    default: Option<Value>,
    factory: Option<Value>,
    init: bool,
    repr: bool,
    compare: bool,
    /// As `compare` where nothing else is said.
    hash: bool,
    kw_only: bool,
    /// A pseudo-field, `InitVar`, is only an argument.
    is_argument: bool,
}

impl Evaluator<'_> {
    /// Gives a class the methods of a data class.
    ///
    /// # Errors
    /// Python's TypeErrors and ValueErrors about fields that do not go together.
    pub fn make_dataclass(&self, class: &Rc<Class>, options: Options) -> Result<(), Fault> {
        let entries = self.collect_fields(class, options)?;
        let fields = self.described(&entries)?;
        let is_set = |name: &str| class.own(name).is_some();
        let own = ClassRef::Program(class.clone());
        self.refuse_mixture(class, options)?;
        let has_post = self.find_in(&own, "__post_init__").is_some();
        let mut text = Text::default();
        if options.init {
            text.init(&fields, options, has_post)?;
        }
        let shown = || fields.iter().filter(|field| field.repr && !field.is_argument);
        if options.repr && !is_set("__repr__") {
            text.repr(shown().map(|field| field.name.as_str()));
        }
        let compared: Vec<&str> = fields
            .iter()
            .filter(|field| field.compare && !field.is_argument)
            .map(|field| field.name.as_str())
            .collect();
        // A class that defines `__eq__` itself has `__hash__` set to None already.
        let has_hash = class
            .own("__hash__")
            .is_some_and(|hash| !matches!(hash, Value::None) || !is_set("__eq__"));
        let had_eq = is_set("__eq__");
        if options.eq && !had_eq {
            text.comparison("__eq__", "==", &compared);
        }
        if options.order {
            if !options.eq {
                return Err(Fault::value_error("eq must be true if order is true"));
            }
            for (method, symbol) in
                [("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")]
            {
                if is_set(method) {
                    let message = format!(
                        "Cannot overwrite attribute {method} in class {}. Consider using functools.total_ordering",
                        class.name
                    );
                    return Err(Fault::type_error(message));
                }
                text.comparison(method, symbol, &compared);
            }
        }
        let hashed: Vec<&str> = fields
            .iter()
            .filter(|field| field.hash && !field.is_argument)
            .map(|field| field.name.as_str())
            .collect();
        let mut hides_hash = false;
        if options.unsafe_hash || options.eq && options.frozen && !has_hash {
            if options.unsafe_hash && has_hash {
                let message =
                    format!("Cannot overwrite attribute __hash__ in class {}", class.name);
                return Err(Fault::type_error(message));
            }
            text.hash(&hashed);
        } else if options.eq && !options.frozen && !has_hash {
            hides_hash = true;
        }
        if options.frozen {
            for method in ["__setattr__", "__delattr__"] {
                if is_set(method) {
                    let message =
                        format!("Cannot overwrite attribute {method} in class {}", class.name);
                    return Err(Fault::type_error(message));
                }
            }
            text.frozen();
        }
        let methods = self.compiled(&class.name, &text, &fields, class)?;
        self.note_class_change();
        let journal = &self.interp.journal;
        for (name, method) in methods {
            class.set(journal, name.as_str().into(), method);
        }
        if hides_hash {
            class.set(journal, "__hash__".into(), Value::None);
        }
        if options.match_args && !is_set("__match_args__") {
            let names = fields.iter().filter(|field| field.init && !field.kw_only);
            let names: Vec<Value> = names.map(|field| Value::str(&field.name)).collect();
            class.set(journal, "__match_args__".into(), Value::tuple(names));
        }
        // The defaults stand in the class; what makes a value anew does not.
        for (key, entry) in &entries {
            let Value::Str(name) = key.value() else { continue };
            let Some(Value::Object(_)) = class.own(name) else { continue };
            if class.own(name).is_some_and(|held| held.is_same(entry)) {
                match self.part(entry, "default") {
                    Some(default) => class.set(journal, (&**name).into(), default),
                    None => _ = class.remove(journal, name),
                }
            }
        }
        if options.slots {
            self.make_slots(class, &entries)?;
        }
        let is_frozen = Value::Bool(options.frozen);
        class.set(journal, "__dataclass_params__".into(), Value::dict([("frozen", is_frozen)]));
        class.set(journal, FIELDS.into(), Value::Dict(Rc::new(entries.into())));
        Ok(())
    }

    /// `slots=True`: objects have the class's own fields and no others.
    fn make_slots(&self, class: &Rc<Class>, entries: &Entries) -> Result<(), Fault> {
        if class.own("__slots__").is_some() {
            return Err(Fault::type_error(format!("{} already specifies __slots__", class.name)));
        }
        let journal = &self.interp.journal;
        let inherited = |name: &str| {
            class.line.iter().filter_map(ClassRef::program).any(|base| match base.own(FIELDS) {
                Some(Value::Dict(fields)) => {
                    fields.borrow().contains_key(&super::instance::Name(name))
                }
                _ => false,
            })
        };
        let mut slots = Vec::new();
        for (key, entry) in entries {
            let Value::Str(name) = key.value() else { continue };
            if self.part(entry, "_is_argument").is_none() && !inherited(name) {
                class.remove(journal, name);
                slots.push(key.value().clone());
            }
        }
        class.set(journal, "__slots__".into(), Value::tuple(slots));
        Ok(())
    }

    /// The fields that a class has from those that it is derived from, and its own.
    fn collect_fields(&self, class: &Rc<Class>, options: Options) -> Result<Entries, Fault> {
        let mut entries = Entries::default();
        for base in class.line.iter().rev().filter_map(ClassRef::program) {
            if let Some(Value::Dict(fields)) = base.own(FIELDS) {
                entries.extend(fields.borrow().iter().map(|(k, v)| (k.clone(), v.clone())));
            }
        }
        let annotations = match class.own("__annotations__") {
            Some(Value::Dict(annotations)) => annotations.borrow().clone(),
            _ => Entries::default(),
        };
        let mut kw_only = options.kw_only;
        for (key, annotation) in annotations {
            let Value::Str(name) = key.value() else { continue };
            // `ClassVar[int]`, `InitVar[int]`, `KW_ONLY`.
            let annotated = match &annotation {
                Value::Str(text) => text.to_string(),
                Value::Opaque(_) => self.repr(&annotation),
                _ => String::new(),
            };
            if annotated.contains("KW_ONLY") {
                kw_only = true;
                continue;
            }
            if annotated.contains("ClassVar") {
                continue;
            }
            let held = class.own(name);
            let field = match &held {
                Some(field @ Value::Object(object)) if object.class.name() == "Field" => {
                    field.clone()
                }
                Some(default) => {
                    if let Value::List(_) | Value::Dict(_) = default.plain() {
                        let of = default.type_name();
                        let message = format!(
                            "mutable default <class '{of}'> for field {name} is not allowed: use default_factory"
                        );
                        return Err(Fault::value_error(message));
                    }
                    new_field(self.interp, vec![("default", default.clone())])
                }
                None => new_field(self.interp, Vec::new()),
            };
            let Value::Object(object) = &field else { continue };
            let journal = &self.interp.journal;
            let mut parts = object.fields().change(journal);
            let mut put = |name: &str, value: Value| {
                if let Ok(key) = Key::new(Value::str(name)) {
                    parts.insert(key, value);
                }
            };
            put("name", Value::Str(name.clone()));
            put("type", annotation.clone());
            if annotated.contains("InitVar") {
                put("_is_argument", Value::Bool(true));
            }
            drop(parts);
            if kw_only && self.part(&field, "kw_only").is_none() {
                self.store_attribute(object, "kw_only", Value::Bool(true))?;
            }
            entries.insert(key, field);
        }
        let own = class.namespace();
        for (name, value) in &own {
            let is_field = matches!(value, Value::Object(object) if object.class.name() == "Field");
            let is_known = entries.contains_key(&super::instance::Name(name));
            if is_field && !is_known {
                let message = format!("'{name}' is a field but has no type annotation");
                return Err(Fault::type_error(message));
            }
        }
        Ok(entries)
    }

    /// A part of a field that was given.
    fn part(&self, field: &Value, name: &str) -> Option<Value> {
        match field {
            Value::Object(object) => object.field(name),
            _ => None,
        }
    }

    fn described(&self, entries: &Entries) -> Result<Vec<Field>, Fault> {
        let mut fields = Vec::new();
        for (key, entry) in entries {
            let Value::Str(name) = key.value() else { continue };
            let flag = |part: &str, otherwise: bool| match self.part(entry, part) {
                None | Some(Value::None) => Ok(otherwise),
                Some(value) => self.truth(&value).map_err(Fault::from),
            };
            let compare = flag("compare", true)?;
            fields.push(Field {
                name: name.to_string(),
                default: self.part(entry, "default"),
                factory: self.part(entry, "default_factory"),
                init: flag("init", true)?,
                repr: flag("repr", true)?,
                compare,
                hash: flag("hash", compare)?,
                kw_only: flag("kw_only", false)?,
                is_argument: flag("_is_argument", false)?,
            });
        }
        Ok(fields)
    }

    fn refuse_mixture(&self, class: &Class, options: Options) -> Result<(), Fault> {
        for base in class.line.iter().filter_map(ClassRef::program) {
            let Some(Value::Dict(params)) = base.own("__dataclass_params__") else { continue };
            let frozen = params.borrow().get(&super::instance::Name("frozen")).cloned();
            let is_frozen = matches!(frozen, Some(Value::Bool(true)));
            if is_frozen && !options.frozen {
                return Err(Fault::type_error(
                    "cannot inherit non-frozen dataclass from a frozen one",
                ));
            }
            if !is_frozen && options.frozen {
                return Err(Fault::type_error(
                    "cannot inherit frozen dataclass from a non-frozen one",
                ));
            }
        }
        Ok(())
    }

    /// Compiles the methods; gives them with their names.
    fn compiled(
        &self,
        class_name: &str,
        text: &Text,
        fields: &[Field],
        class: &Rc<Class>,
    ) -> Result<Vec<(String, Value)>, Fault> {
        if text.names.is_empty() {
            return Ok(Vec::new());
        }
        let mut parameters =
            String::from("_missing, _object, _frozen, _hash, _not, _cls, _repr, _super, _type");
        let missing = Value::Object(Rc::new(Instance::new(
            ClassRef::Native(crate::interp::value::Type::Object),
            Inner::None,
        )));
        let built_in = |name: &str| self.interp.registry.name(name).cloned().unwrap_or(Value::None);
        let frozen = crate::interp::value::Type::Error(crate::diag::ErrorKind::FrozenInstance);
        let mut arguments = vec![
            missing,
            Value::Type(crate::interp::value::Type::Object),
            Value::Type(frozen),
            built_in("hash"),
            Value::NotImplemented,
            Value::Class(class.clone()),
            built_in("repr"),
            built_in("super"),
            built_in("type"),
        ];
        for (at, field) in fields.iter().enumerate() {
            if let Some(default) = &field.default {
                _ = write!(parameters, ", _d{at}");
                arguments.push(default.clone());
            }
            if let Some(factory) = &field.factory {
                _ = write!(parameters, ", _f{at}");
                arguments.push(factory.clone());
            }
        }
        let body = &text.body;
        let whole = format!(
            "def _({parameters}):\n    class {class_name}:\n{body}    return {class_name}\n"
        );
        let make = self.generated(&format!("<dataclass {class_name}>"), &whole)?;
        let Value::Class(made) = self.call_value(&make, arguments, [])? else {
            return Ok(Vec::new());
        };
        let methods = made.namespace();
        let method = |name: &String| Some((name.clone(), methods.get(&**name)?.clone()));
        Ok(text.names.iter().filter_map(method).collect())
    }
}

/// A field's description with what was given for it.
pub fn new_field(interp: &Interp, parts: Vec<(&'static str, Value)>) -> Value {
    let missing = interp.registry.attribute_of_module(Module::Dataclasses, "MISSING");
    let missing = missing.cloned().unwrap_or(Value::None);
    let otherwise = [
        ("default", missing.clone()),
        ("default_factory", missing),
        ("init", Value::Bool(true)),
        ("repr", Value::Bool(true)),
        ("compare", Value::Bool(true)),
        ("hash", Value::None),
        ("metadata", Value::dict([])),
        ("kw_only", Value::Bool(false)),
    ];
    let names = otherwise.map(|(name, value)| (name.into(), value));
    let names = names.into_iter().collect();
    let class = Class::new("Field".into(), "Field".into(), Vec::new(), names, None);
    let Ok(class) = class else { return Value::None };
    let mut object = Instance::new(ClassRef::Program(class), Inner::None);
    let entries = parts
        .into_iter()
        .filter_map(|(name, value)| Some((Key::new(Value::str(name)).ok()?, value)));
    let fields: Rc<crate::interp::shared::Shared<Entries>> =
        Rc::new(entries.collect::<Entries>().into());
    object.set_fields(fields);
    Value::Object(Rc::new(object))
}

/// Methods as text.
#[derive(Default)]
struct Text {
    body: String,
    names: Vec<String>,
}

impl Text {
    fn def(&mut self, name: &str, parameters: &str) {
        _ = writeln!(self.body, "        def {name}({parameters}):");
        self.names.push(name.to_owned());
    }

    fn line(&mut self, line: &str) {
        _ = writeln!(self.body, "            {line}");
    }

    fn init(&mut self, fields: &[Field], options: Options, has_post: bool) -> Result<(), Fault> {
        let mut positional = vec!["self".to_owned()];
        let mut named = Vec::new();
        let mut has_default: Option<&str> = None;
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| field.init) {
            let name = &field.name;
            let parameter = match (&field.default, &field.factory) {
                (Some(_), _) => format!("{name}=_d{at}"),
                (_, Some(_)) => format!("{name}=_missing"),
                _ => name.clone(),
            };
            let is_default = field.default.is_some() || field.factory.is_some();
            if field.kw_only {
                named.push(parameter);
                continue;
            }
            match has_default {
                Some(before) if !is_default => {
                    _ = before;
                    let message = format!("non-default argument '{name}' follows default argument");
                    return Err(Fault::type_error(message));
                }
                None if is_default => has_default = Some(name),
                _ => {}
            }
            positional.push(parameter);
        }
        if !named.is_empty() {
            positional.push("*".to_owned());
            positional.extend(named);
        }
        self.def("__init__", &positional.join(", "));
        let before = self.body.len();
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_argument) {
            let name = &field.name;
            let value = match (field.init, &field.factory, &field.default) {
                (true, Some(_), _) => format!("_f{at}() if {name} is _missing else {name}"),
                (true, None, _) => name.clone(),
                (false, Some(_), _) => format!("_f{at}()"),
                // The class has it already, unless it has slots.
                (false, None, Some(_)) if options.slots => format!("_d{at}"),
                (false, None, _) => continue,
            };
            match options.frozen {
                true => self.line(&format!("_object.__setattr__(self, '{name}', {value})")),
                false => self.line(&format!("self.{name} = {value}")),
            }
        }
        if has_post {
            let arguments: Vec<&str> =
                fields.iter().filter(|f| f.is_argument).map(|f| f.name.as_str()).collect();
            self.line(&format!("self.__post_init__({})", arguments.join(", ")));
        }
        if self.body.len() == before {
            self.line("pass");
        }
        Ok(())
    }

    fn repr<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let parts: Vec<String> = names.map(|name| format!("{name}={{self.{name}!r}}")).collect();
        self.def("__repr__", "self");
        self.line(&format!("return self.__class__.__qualname__ + f'({})'", parts.join(", ")));
    }

    fn comparison(&mut self, method: &str, symbol: &str, names: &[&str]) {
        let tuple = |of: &str| {
            let parts: Vec<String> = names.iter().map(|name| format!("{of}.{name},")).collect();
            format!("({})", parts.join(" "))
        };
        self.def(method, "self, other");
        self.line("if other.__class__ is self.__class__:");
        self.line(&format!("    return {} {symbol} {}", tuple("self"), tuple("other")));
        self.line("return _not");
    }

    fn hash(&mut self, names: &[&str]) {
        let parts: Vec<String> = names.iter().map(|name| format!("self.{name},")).collect();
        self.def("__hash__", "self");
        self.line(&format!("return _hash(({}))", parts.join(" ")));
    }

    fn frozen(&mut self) {
        self.def("__setattr__", "self, name, value");
        self.line("raise _frozen(f'cannot assign to field {name!r}')");
        self.def("__delattr__", "self, name");
        self.line("raise _frozen(f'cannot delete field {name!r}')");
    }
}
