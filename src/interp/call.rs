//! Calls of functions that are not the program's, and in-place methods.

use std::rc::Rc;

use smallvec::SmallVec;

use super::builtins::{Argument, Arguments, Call, Function, Homes};
use super::compile::CallSite;
use super::value::Type;
use super::{Evaluator, Value, blame, eval};
use crate::diag::{ErrorKind, Fault, SourceResult, Span};
use crate::syntax::ast::Ident;
use crate::tensor::{Device, Error, Tensor};

impl Evaluator<'_> {
    /// Calls what is no function of the program.
    pub(super) fn call_native_value(
        &self,
        target: &Value,
        mut arguments: Arguments,
        site: &CallSite,
        span: Span,
    ) -> SourceResult<Value> {
        let registry = &self.interp.registry;
        let receiver = |value: Value| Argument { name: None, value, span: site.callee };
        let function = match target {
            Value::Native(native) => return self.call_native(native, &arguments, span),
            Value::Object(_) | Value::Class(_) | Value::Bound(_) | Value::Type(Type::Error(_)) => {
                return self.call_object(target, arguments, span);
            }
            Value::Opaque(opaque) if opaque.part().is_callable() => {
                let result = opaque.part().call(self, arguments);
                return result.map_err(|fault| eval::placed(fault, span));
            }
            Value::Function(function) => {
                if let Some(fault) = function.wrong_receiver(&arguments) {
                    return Err(eval::placed(fault, span));
                }
                Some(function)
            }
            Value::Method(method) => {
                arguments.insert(0, receiver(method.receiver.clone()));
                Some(&method.function)
            }
            Value::Descriptor(descriptor) if let Some(function) = descriptor.callable() => {
                return self.deeper_call(span, || self.call_ready(function, arguments, span));
            }
            Value::Type(of) => registry.constructor(*of),
            Value::DType(_) => {
                arguments.insert(0, receiver(target.clone()));
                registry.constructor(Type::DType)
            }
            _ => None,
        };
        match function {
            Some(function) => self.invoke(function, arguments, span, site.is_last),
            None => Err(eval::placed(not_callable(target), site.callee)),
        }
    }

    /// Calls any value that can be called, from within a function of the language: `map`'s and
    /// `sorted`'s callbacks.
    ///
    /// # Errors
    /// TypeError for what can't be called, and whatever the call brings up.
    pub fn call_value(
        &self,
        callee: &Value,
        positional: impl IntoIterator<Item = Value>,
        keywords: impl IntoIterator<Item = (Ident, Value)>,
    ) -> Result<Value, Fault> {
        let span = Span::default();
        let mut keywords = keywords.into_iter().peekable();
        let mut positional: SmallVec<[Value; 4]> = positional.into_iter().collect();
        if let (Value::Closure(function), None) = (callee, keywords.peek())
            && function.takes_plainly(positional.len())
        {
            return self.call_plainly(function, &mut positional, span).map_err(Fault::from);
        }
        if keywords.peek().is_none()
            && let Some(answer) = self.call_at_once(callee, &positional)
        {
            return Ok(answer);
        }
        let positional = positional.into_iter().map(|value| Argument { name: None, value, span });
        let keywords = keywords.map(|(name, value)| Argument { name: Some(name), value, span });
        let arguments = positional.chain(keywords).collect();
        self.call_ready(callee, arguments, span).map_err(Fault::from)
    }

    /// What a built-in function says that needs no binding of arguments.
    fn call_at_once(&self, callee: &Value, arguments: &[Value]) -> Option<Value> {
        let function = match callee {
            Value::Function(function) => function,
            Value::Type(of) => self.interp.registry.constructor(*of)?,
            _ => return None,
        };
        let run = function.builtin.quick?;
        let mut answer = Value::None;
        run(*self, arguments, &mut answer)?;
        Some(answer)
    }

    pub(super) fn call_ready(
        &self,
        callee: &Value,
        mut arguments: Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        let registry = &self.interp.registry;
        let receiver = |value: Value| Argument { name: None, value, span };
        let function = match callee {
            Value::Native(native) => return self.call_native(native, &arguments, span),
            Value::Closure(function) => return self.call_closure(function, arguments, span),
            Value::Object(_) | Value::Class(_) | Value::Bound(_) | Value::Type(Type::Error(_)) => {
                return self.deeper_call(span, || self.call_object(callee, arguments, span));
            }
            Value::Opaque(opaque) if opaque.part().is_callable() => {
                return self.deeper_call(span, || {
                    let result = opaque.part().call(self, arguments);
                    result.map_err(|fault| eval::placed(fault, span))
                });
            }
            Value::Function(function) => {
                if let Some(fault) = function.wrong_receiver(&arguments) {
                    return Err(eval::placed(fault, span));
                }
                Some(function.clone())
            }
            Value::Method(method) => {
                arguments.insert(0, receiver(method.receiver.clone()));
                Some(method.function.clone())
            }
            Value::Descriptor(descriptor) if let Some(function) = descriptor.callable() => {
                return self.deeper_call(span, || self.call_ready(function, arguments, span));
            }
            Value::Type(of) => registry.constructor(*of).cloned(),
            Value::DType(_) => {
                arguments.insert(0, receiver(callee.clone()));
                registry.constructor(Type::DType).cloned()
            }
            _ => None,
        };
        match function {
            Some(function) => self.invoke(&function, arguments, span, false),
            None => Err(eval::placed(not_callable(callee), span)),
        }
    }

    /// A call out of a call that is no frame: an object's `__call__` may be such an object again.
    fn deeper_call(
        &self,
        span: Span,
        call: impl FnOnce() -> SourceResult<Value>,
    ) -> SourceResult<Value> {
        let called = self.deeper("while calling a Python object", || Ok::<_, Fault>(call()));
        called.map_err(|fault| eval::placed(fault, span))?
    }

    /// Runs a function with arguments that are there already.
    pub fn invoke(
        &self,
        function: &Rc<Function>,
        mut arguments: Arguments,
        span: Span,
        is_last_action: bool,
    ) -> SourceResult<Value> {
        let is_object = |argument: &Argument| matches!(argument.value, Value::Object(_));
        if arguments.first().is_some_and(is_object)
            && let Some(answer) = self.builtin_of_object(function, &mut arguments)
        {
            return answer.map_err(|fault| fault.placed(span));
        }
        if function.builtin.is_of_arrays() {
            for argument in &mut arguments {
                let seen = self.seen_by_arrays(&argument.value);
                let Some(seen) = seen.map_err(|fault| fault.placed(argument.span))? else {
                    continue;
                };
                argument.value = seen;
            }
        }
        let function = match &function.for_tensors {
            Some(library) if belongs_to_library(function, &arguments) => library,
            _ => function,
        };
        // What a function makes on its way lies beside its operands.
        let beside = self.device_of(arguments.iter().map(|argument| &argument.value));
        let receiver = match function.in_place {
            true => arguments.first().map(|first| first.value.clone()),
            false => None,
        };
        let bound = function.signature().bind(function, arguments).map_err(|failure| {
            let (fault, place) = *failure;
            eval::placed(fault, place.unwrap_or(span))
        })?;
        self.set_place(span);
        let is_last = is_last_action && !function.in_place;
        let mut call = Call::new(*self, function, bound, span, is_last);
        placed(&call, call.check_options())?;
        let is_idle = function.builtin.acts && self.is_explaining();
        let run = |call: &mut Call<'_>| match is_idle {
            true => Ok(Value::None),
            false => (function.builtin.run)(call),
        };
        let mut result = match &beside {
            Some(device) => self.interp.engine.on_device(device.clone(), || run(&mut call)),
            None => run(&mut call),
        };
        // What the library does not take as it is, it may take as an array.
        if let Err(fault) = &result
            && fault.kind == ErrorKind::Type
            && function.builtin.homes == Homes::LIBRARY
            && !function.builtin.acts
            && call.take_arrays().map_err(|fault| eval::placed(fault, span))?
        {
            result = run(&mut call);
        }
        let result = result.and_then(|result| {
            self.tell_float_errors()?;
            call.laid_out(result)
        });
        let result = result.map(|result| call.owned(result));
        let result = placed(&call, result)?;
        drop(call);
        match receiver {
            Some(Value::Tensor(target)) => {
                let store = || self.store(&target, result);
                self.place(self.interp.engine.last_write(is_last_action, store), span)?;
                Ok(Value::Tensor(target))
            }
            _ => {
                result.claim(&self.interp.journal);
                Ok(result)
            }
        }
    }

    /// The device of the first tensor among operands, those in lists, tuples and fields of objects included,
    /// where it is not the session's.
    pub fn device_of<'v>(&self, mut operands: impl Iterator<Item = &'v Value>) -> Option<Device> {
        let engine = &self.interp.engine;
        if !engine.has_several_devices() {
            return None;
        }
        let of_tensor = |value: &Value| match value {
            Value::Tensor(tensor) => Some(tensor.device().clone()),
            _ => None,
        };
        let device = operands.find_map(|value| match value {
            Value::List(items) => items.borrow().iter().find_map(of_tensor),
            Value::Tuple(items) => items.iter().find_map(of_tensor),
            Value::Object(object) => object.fields().borrow().values().find_map(of_tensor),
            value => of_tensor(value),
        })?;
        (device.id() != engine.device().id()).then_some(device)
    }

    /// `x.exp_()`: the result goes where `x` lies.
    fn store(&self, target: &Tensor, result: Value) -> Result<(), Error> {
        let engine = &self.interp.engine;
        let operand = super::array_like::to_operand(engine, &result)?;
        drop(result);
        if let crate::tensor::Operand::Tensor(tensor) = &operand {
            if tensor.dtype().kind() > target.dtype().kind() {
                return Err(Error::type_error(format!(
                    "result type {} can't be cast to the desired output type {}",
                    tensor.dtype(),
                    target.dtype()
                )));
            }
            if tensor.rank() > target.rank() {
                return Err(Error::shape_error(format!(
                    "output with shape {} doesn't match the broadcast shape {}",
                    target.shape(),
                    tensor.shape()
                )));
            }
        }
        engine.assign_all(target, operand)
    }
}

#[cold]
fn not_callable(target: &Value) -> Fault {
    Fault::type_error(match target {
        Value::Type(of) => format!("cannot create '{}' instances", of.name()),
        _ => format!("'{}' object is not callable", target.type_name()),
    })
}

/// What a call gives, or its fault at the place that it is about.
fn placed<T>(call: &Call<'_>, made: Result<T, Fault>) -> SourceResult<T> {
    made.map_err(|fault| {
        let place = blame::place(call, &fault);
        eval::placed(fault, place)
    })
}

/// Whether a call of a Python builtin such as `sum` is meant for the library's function: its first
/// argument is a tensor, or a keyword is one that only the library knows.
fn belongs_to_library(function: &Function, arguments: &[Argument]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let positional = arguments.iter().filter(|argument| argument.name.is_none()).count();
    match &first.value {
        // `max(a, 3)` of numbers that happen to be tensors without axes.
        // Of a scalar it is an integer of Python.
        Value::Tensor(tensor) if &*function.name == "round" && arguments.len() == 1 => {
            let is_number = tensor.dtype().is_float() || tensor.dtype().is_integer();
            !tensor.is_scalar() || !is_number
        }
        Value::Tensor(tensor) => {
            tensor.rank() > 0 || positional == 1 || !matches!(&*function.name, "min" | "max")
        }
        Value::List(_) | Value::Tuple(_) => arguments.iter().any(|argument| {
            let name = argument.name.as_deref();
            name.is_some_and(|name| {
                matches!(name, "axis" | "dim" | "keepdims" | "keepdim" | "dtype")
            })
        }),
        _ => false,
    }
}
