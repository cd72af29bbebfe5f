//! `value.name`.

use std::rc::Rc;

use super::object::class::ClassRef;
use super::object::exception::attribute_error;
use super::object::function::Closure;
use super::object::instance::Descriptor;
use super::value::{Entries, Key, Method, Module, Type};
use super::{Evaluator, Value, missing};
use crate::diag::{Fault, did_you_mean};
use crate::tensor::{DeviceId, Error, Tensor};

/// The attributes of a type of elements.
const DTYPE_ATTRIBUTES: [&str; 21] = [
    "alignment",
    "base",
    "byteorder",
    "char",
    "descr",
    "fields",
    "flags",
    "hasobject",
    "isalignedstruct",
    "isbuiltin",
    "isnative",
    "itemsize",
    "kind",
    "metadata",
    "name",
    "names",
    "ndim",
    "num",
    "shape",
    "str",
    "type",
];

/// The attributes of tensors that are no methods.
pub const TENSOR_ATTRIBUTES: &[&str] = &[
    "T",
    "device",
    "dtype",
    "imag",
    "is_cuda",
    "itemsize",
    "mT",
    "nbytes",
    "ndim",
    "real",
    "requires_grad",
    "shape",
    "size",
    "strides",
];

/// What every function of a program has.
const CLOSURE_ATTRIBUTES: &[&str] = &[
    "__annotations__",
    "__closure__",
    "__code__",
    "__defaults__",
    "__dict__",
    "__doc__",
    "__kwdefaults__",
    "__module__",
    "__name__",
    "__qualname__",
];

/// What objects of a type hold beside methods.
fn data_of(of: Type) -> &'static [&'static str] {
    match of {
        Type::Bool | Type::Int => &["denominator", "imag", "numerator", "real"],
        Type::Float | Type::Complex => &["imag", "real"],
        Type::Slice | Type::Range => &["start", "step", "stop"],
        Type::Deque => &["maxlen"],
        Type::DefaultDict => &["default_factory"],
        _ => &[],
    }
}

impl Evaluator<'_> {
    pub(super) fn attribute(&self, value: &Value, name: &str) -> Result<Value, Error> {
        let registry = &self.interp.registry;
        let own = match value {
            Value::Tensor(tensor) => self.tensor_attribute(tensor, name)?,
            Value::Object(object) => return Ok(self.object_attribute(object, name)?),
            Value::Class(class) => return Ok(self.class_attribute(class, name)?),
            Value::Descriptor(descriptor) => {
                if let Descriptor::Super { class, object } = &**descriptor {
                    return Ok(self.super_attribute(class, object, name)?);
                }
                match (descriptor.part(name), descriptor.part("__func__")) {
                    // What wraps a function has its names.
                    (None, Some(function)) => Some(self.attribute(&function, name)?),
                    (found, _) => found,
                }
            }
            Value::Module(module) => {
                let found = self.in_module(*module, name)?;
                return found.ok_or_else(|| self.unknown_in_module(*module, name).into());
            }
            _ => self.plain_attribute(value, name),
        };
        if let Some(own) = own {
            return Ok(own);
        }
        match registry.method(value.type_of(), name) {
            Some(function) => Ok(Value::Method(Rc::new(Method {
                receiver: value.clone(),
                function: function.clone(),
            }))),
            None => match registry.static_of(value.type_of(), name) {
                Some(function) => Ok(Value::Function(function.clone())),
                None => {
                    let found = self.written_attribute(value, name)?;
                    let found = found.or_else(|| self.attribute_of_all(value, name));
                    found.ok_or_else(|| self.unknown_attribute(value, name).into())
                }
            },
        }
    }

    /// What every value has, as an object.
    fn attribute_of_all(&self, value: &Value, name: &str) -> Option<Value> {
        let registry = &self.interp.registry;
        match name {
            "__class__" => Some(ClassRef::Native(value.type_of()).value()),
            "__doc__" => {
                let maker = registry.constructor(value.type_of());
                Some(maker.map_or(Value::None, |function| Value::str(function.builtin.doc)))
            }
            _ if !name.starts_with("__") => None,
            _ => {
                let (receiver, function) =
                    (value.clone(), registry.method(Type::Object, name)?.clone());
                Some(Value::Method(Rc::new(Method { receiver, function })))
            }
        }
    }

    /// What a dotted path names: a variable, something of the library, or what these have.
    pub fn named(&self, path: &str) -> Option<Value> {
        let mut parts = path.split('.');
        let root = parts.next()?;
        let value = self.interp.get(root);
        let value = value.or_else(|| self.interp.registry.name(root).cloned());
        let mut value = value.or_else(|| self.written_name(root))?;
        for part in parts {
            value = self.peek(&value, part)?;
        }
        Some(value)
    }

    /// An attribute, if it costs nothing to look: for completion and help.
    pub fn peek(&self, value: &Value, name: &str) -> Option<Value> {
        match value {
            Value::Tensor(_) if matches!(name, "base" | "flags" | "flat" | "imag" | "strides") => {
                None
            }
            Value::Object(object) => self.peek_in_object(object, name),
            _ => self.attribute(value, name).ok(),
        }
    }

    /// All names that may follow a value's dot.
    pub fn attributes_of(&self, value: &Value) -> Vec<String> {
        let registry = &self.interp.registry;
        let mut names: Vec<String> = match value {
            Value::Module(module) => self.interp.names_in(*module),
            Value::Tensor(_) => {
                let own = TENSOR_ATTRIBUTES.iter().map(|name| (*name).to_owned());
                own.chain(self.interp.written_attributes()).collect()
            }
            Value::DType(_) => DTYPE_ATTRIBUTES.map(str::to_owned).to_vec(),
            Value::Device(_) => ["index", "type"].map(str::to_owned).to_vec(),
            Value::Closure(function) => {
                let own = function.attributes().borrow();
                let own = own.keys().filter_map(|key| match key.value() {
                    Value::Str(name) => Some(name.to_string()),
                    _ => None,
                });
                own.chain(CLOSURE_ATTRIBUTES.iter().map(|name| (*name).to_owned())).collect()
            }
            // What a type has, its objects have.
            Value::Type(of) => {
                let methods = registry.methods_of(*of).filter(|name| !name.starts_with("__"));
                methods.chain(registry.statics_of(*of)).map(str::to_owned).collect()
            }
            Value::Function(function) => {
                let prefix = format!("{}.", function.name);
                let dotted = registry.names_of_module(Module::Numpy);
                let dotted = dotted.filter_map(|name| name.strip_prefix(&prefix));
                let mut names: Vec<String> = dotted.map(str::to_owned).collect();
                if function.builtin.is_ufunc() {
                    names.extend(self.interp.written_ufunc_attributes());
                }
                names
            }
            _ => data_of(value.type_of()).iter().map(|name| (*name).to_owned()).collect(),
        };
        if let Value::Object(_) | Value::Class(_) = value {
            names.extend(self.names_of_object(value));
        } else if !matches!(value, Value::Type(_)) {
            // What only classes derived from it ask for is not shown.
            let shown = registry.methods_of(value.type_of()).filter(|name| !name.starts_with("__"));
            names.extend(shown.map(str::to_owned));
        }
        names.retain(|name| !name.contains('.'));
        names.sort();
        names.dedup();
        names
    }

    /// The same with the names of operators, as `dir` lists them.
    pub fn all_attributes_of(&self, value: &Value) -> Vec<String> {
        let (mut names, registry) = (self.attributes_of(value), &self.interp.registry);
        let own = match value {
            Value::Type(of) => *of,
            _ => value.type_of(),
        };
        // A module lists what it holds, and nothing of what it is.
        if own == Type::Module {
            return names;
        }
        let others = registry.methods_of(own).chain(registry.methods_of(Type::Object));
        names.extend(others.filter(|name| !name.contains('.')).map(str::to_owned));
        names.extend(["__class__", "__doc__"].map(str::to_owned));
        names.sort();
        names.dedup();
        names
    }

    #[inline(never)]
    fn tensor_attribute(&self, tensor: &Tensor, name: &str) -> Result<Option<Value>, Error> {
        let engine = &self.interp.engine;
        let itemsize = tensor.dtype().size();
        Ok(Some(match name {
            "shape" => Value::sizes(tensor.shape().iter().copied()),
            "ndim" => Value::Int(tensor.rank() as i64),
            "size" => Value::Int(tensor.elem_count() as i64),
            "dtype" => Value::DType(tensor.dtype()),
            "device" => Value::Device(tensor.device().id()),
            "is_cuda" => Value::Bool(tensor.device().id() != DeviceId::Cpu),
            "itemsize" => Value::Int(itemsize as i64),
            "nbytes" => Value::Int(tensor.size_bytes() as i64),
            "T" => engine.transpose(tensor)?.into(),
            "mT" if tensor.rank() < 2 => {
                return Err(Error::value_error("matrix transpose with ndim < 2 is undefined"));
            }
            "mT" => engine.swapaxes(tensor, -2, -1)?.into(),
            "real" => engine.real(tensor)?.into(),
            "requires_grad" => Value::Bool(false),
            "imag" => engine.imag(tensor)?.into(),
            "strides" => {
                engine.realize(&[tensor])?;
                let layout = tensor.storage_and_layout().map(|(_, layout)| layout);
                let strides = layout.map(|layout| layout.strides).unwrap_or_default();
                let bytes =
                    strides.iter().map(|stride| Value::Int((*stride * itemsize as isize) as i64));
                Value::Tuple(bytes.collect())
            }
            _ => return Ok(None),
        }))
    }

    #[inline(never)]
    pub(super) fn plain_attribute(&self, value: &Value, name: &str) -> Option<Value> {
        Some(match (value, name) {
            (Value::DType(dtype), "name") => Value::str(dtype.name()),
            (Value::DType(dtype), "itemsize") => Value::Int(dtype.size() as i64),
            (Value::DType(dtype), "kind") => Value::str(dtype.kind().letter()),
            (Value::DType(dtype), "char") => Value::str(dtype.letter()),
            (Value::DType(dtype), "str") => Value::str(dtype.code()),
            (Value::DType(dtype), "alignment") => Value::Int(dtype.size() as i64),
            (Value::DType(dtype), "byteorder") => {
                Value::str(if dtype.size() == 1 { "|" } else { "=" })
            }
            (Value::DType(_), "isnative") => Value::Bool(true),
            (Value::DType(dtype), "num") => Value::Int(dtype.number()?),
            (Value::DType(_), "isbuiltin") => Value::Int(1),
            (Value::DType(dtype), "descr") => {
                let field = Value::tuple([Value::str(""), Value::str(dtype.code())]);
                Value::list(vec![field])
            }
            // What NumPy asks of records and of types of several elements.
            (Value::DType(_), "fields" | "names" | "subdtype" | "metadata") => Value::None,
            (Value::DType(_), "hasobject" | "isalignedstruct") => Value::Bool(false),
            (Value::DType(_), "ndim" | "flags") => Value::Int(0),
            (Value::DType(_), "shape") => Value::Tuple(Vec::new().into()),
            (Value::DType(dtype), "base") => Value::DType(*dtype),
            (Value::DType(dtype), "type") => Value::DType(*dtype),
            (Value::Device(DeviceId::Cpu), "type") => Value::str("cpu"),
            (Value::Device(DeviceId::Cuda(_)), "type") => Value::str("cuda"),
            (Value::Device(DeviceId::Cpu), "index") => Value::None,
            (Value::Device(DeviceId::Cuda(index)), "index") => Value::Int(i64::from(*index)),
            (Value::Slice(slice), "start") => slice.start.clone(),
            (Value::Slice(slice), "stop") => slice.stop.clone(),
            (Value::Slice(slice), "step") => slice.step.clone(),
            (Value::Range(range), "start") => Value::Int(range.start),
            (Value::Range(range), "stop") => Value::Int(range.stop),
            (Value::Range(range), "step") => Value::Int(range.step),
            (Value::Bool(flag), "real") => Value::Int(i64::from(*flag)),
            (Value::Int(_) | Value::Wide(_) | Value::Float(_), "real") => value.clone(),
            (Value::Int(_) | Value::Wide(_), "numerator") => value.clone(),
            (Value::Bool(flag), "numerator") => Value::Int(i64::from(*flag)),
            (Value::Int(_) | Value::Wide(_) | Value::Bool(_), "denominator") => Value::Int(1),
            (Value::Int(_) | Value::Wide(_) | Value::Bool(_), "imag") => Value::Int(0),
            (Value::Float(_), "imag") => Value::Float(0.0),
            (Value::Complex(number), "real") => Value::Float(number.re),
            (Value::Complex(number), "imag") => Value::Float(number.im),
            (Value::Opaque(opaque), _) => opaque.part().attribute(name)?,
            (Value::Native(native), "__name__") => Value::str(&native.name),
            (Value::Closure(function), _) => self.attribute_of_closure(function, name)?,
            (Value::Generator(generator), _) => generator.attribute(name)?,
            (Value::Function(function), "__name__") => Value::str(&function.name),
            (Value::Function(function), "__doc__") => Value::str(function.builtin.doc),
            (Value::Function(function), _) => {
                let dotted = format!("{}.{name}", function.builtin.name);
                let registry = &self.interp.registry;
                let homes = [Module::Numpy, Module::Itertools];
                let found = |home| registry.attribute_of_module(home, &dotted);
                homes.into_iter().find_map(found)?.clone()
            }
            (Value::Type(of), "__module__") => Value::str(of.module()),
            (Value::Type(of), "__name__" | "__qualname__") => Value::str(of.name()),
            (Value::Type(of), "__mro__") => {
                let line = of.line().into_iter().map(Value::Type);
                Value::tuple(line.collect::<Vec<_>>())
            }
            (Value::Type(of), "__bases__" | "__base__") => {
                let bases = match of {
                    Type::Error(kind) if !kind.bases().is_empty() => {
                        kind.bases().iter().copied().map(Type::Error).collect()
                    }
                    Type::Object => Vec::new(),
                    Type::Bool => vec![Type::Int],
                    _ => vec![Type::Object],
                };
                match name {
                    "__base__" => bases.first().copied().map_or(Value::None, Value::Type),
                    _ => Value::tuple(bases.into_iter().map(Value::Type).collect::<Vec<_>>()),
                }
            }
            (Value::Type(of), "__doc__") => {
                let function = self.interp.registry.constructor(*of)?;
                Value::str(function.builtin.doc)
            }
            // `str.upper`: a function that takes its receiver as its first argument.
            (Value::Type(of), _) => {
                let registry = &self.interp.registry;
                let found = registry.static_of(*of, name);
                let mut line = of.line().into_iter();
                let found = found.or_else(|| line.find_map(|of| registry.method(of, name)));
                Value::Function(found?.clone())
            }
            (Value::Bound(bound), "__self__") => bound.receiver.clone(),
            (Value::Bound(bound), "__func__") => bound.callable.clone(),
            // A method has what its function has.
            (Value::Bound(bound), _) => return self.attribute(&bound.callable, name).ok(),
            (Value::Method(method), "__self__") => method.receiver.clone(),
            (Value::Method(method), "__name__") => Value::str(&method.function.name),
            (_, "__class__") => ClassRef::Native(value.type_of()).value(),
            // What a function answers with several named figures is a dictionary: `finfo(x).max`.
            (Value::Dict(entries), _)
                if self.interp.registry.method(Type::Dict, name).is_none() =>
            {
                entries.borrow().get(&Key::new(Value::str(name)).ok()?)?.clone()
            }
            _ => return None,
        })
    }

    fn attribute_of_closure(&self, function: &Closure, name: &str) -> Option<Value> {
        let code = &function.code;
        let defaults = || {
            let named = code.parameters.names.iter().skip(code.parameters.positional);
            let pairs = named.zip(&function.keyword_defaults);
            let there = pairs.filter_map(|(name, value)| Some((name, value.clone()?)));
            let keyed = there.filter_map(|(name, v)| Some((Key::new(Value::str(name)).ok()?, v)));
            keyed.collect::<Entries>()
        };
        if let Some(own) = function.own(name) {
            return Some(own);
        }
        Some(match name {
            "__name__" => Value::str(&*code.name.0),
            "__qualname__" => Value::str(&*code.qualified_name.0),
            "__doc__" => function.doc(),
            "__module__" => Value::str(code.module.map_or("__main__", Module::name)),
            "__dict__" => Value::Dict(function.attributes().clone()),
            "__code__" => super::object::code_of(function),
            "__closure__" => super::object::cells_of(function),
            "__defaults__" if function.defaults.is_empty() => Value::None,
            "__defaults__" => Value::tuple(function.defaults.clone()),
            "__kwdefaults__" if function.keyword_defaults.iter().all(Option::is_none) => {
                Value::None
            }
            "__kwdefaults__" => Value::Dict(Rc::new(defaults().into())),
            "__annotations__" => {
                let pairs = function.annotations.iter();
                let keyed = pairs.filter_map(|(name, value)| {
                    Some((Key::new(Value::str(name)).ok()?, value.clone()))
                });
                Value::Dict(Rc::new(keyed.collect::<Entries>().into()))
            }
            _ => return None,
        })
    }

    #[cold]
    fn unknown_in_module(&self, module: Module, name: &str) -> Fault {
        let message = format!("module '{}' has no attribute '{name}'", module.name());
        let fault = attribute_error(message, &Value::Module(module), name);
        if let Some(remedy) = missing::instead_in_module(name) {
            return fault.with_hint(remedy);
        }
        match did_you_mean(name, self.interp.names_in(module).iter().map(String::as_str)) {
            Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    }

    #[cold]
    fn unknown_attribute(&self, value: &Value, name: &str) -> Fault {
        let message = match value {
            Value::Type(of) => format!("type object '{}' has no attribute '{name}'", of.name()),
            _ => format!("'{}' object has no attribute '{name}'", value.type_name()),
        };
        let fault = attribute_error(message, value, name);
        match value.type_of() {
            Type::Cell if name == "cell_contents" => return Fault::value_error("Cell is empty"),
            Type::Frame => {
                let hint = "a frame tells its `f_code`; `tb_lineno` of the traceback is the line, and variables are not kept";
                return fault.with_hint(hint);
            }
            _ => {}
        }
        let remedy = missing::instead_of_attribute(name);
        if let (Type::Tensor, Some(remedy)) = (value.type_of(), remedy) {
            return fault.with_hint(remedy);
        }
        let names = self.attributes_of(value);
        if let Some(near) = did_you_mean(name, names.iter().map(String::as_str)) {
            return fault.with_hint(format!("did you mean `{near}`?"));
        }
        let registry = &self.interp.registry;
        let is_function = matches!(registry.name(name), Some(Value::Function(_)))
            || self.interp.written_signature(Module::Numpy, name).is_some();
        match is_function && value.type_of() == Type::Tensor {
            true => fault.with_hint(format!("`{name}` is a function: `{name}(…)`")),
            false => fault,
        }
    }
}
