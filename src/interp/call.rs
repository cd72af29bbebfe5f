//! Calls: what is called, its arguments, and in-place methods.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::builtins::{Argument, Arguments, Call, Function};
use super::value::Type;
use super::{Evaluator, Value, eval};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::syntax::ast::{Arg, Expr, ExprKind, Ident};
use crate::tensor::{Error, Tensor};

impl Evaluator<'_> {
    /// `callee(args)`. `is_last_action` says that nothing in the statement can fail afterwards, so
    /// that what the call overwrites needs no copy.
    pub(super) fn call(
        &self,
        span: Span,
        callee: &Expr,
        args: &[Arg],
        is_last_action: bool,
    ) -> SourceResult<Value> {
        // A method is called without making a bound method first.
        if let ExprKind::Attribute { value, name } = &callee.node {
            let receiver = self.expr(value)?;
            if let Some(function) = self.interp.registry.method(receiver.type_of(), &name.node) {
                let function = function.clone();
                let first = Argument { name: None, value: receiver, span: value.span };
                let arguments = self.arguments(Some(first), args, &function.name)?;
                return self.invoke(&function, arguments, span, is_last_action);
            }
            let target = self.place(self.attribute(&receiver, &name.node), name.span)?;
            return self.call_with(&target, callee, args, span, is_last_action);
        }
        let target = self.expr(callee)?;
        self.call_with(&target, callee, args, span, is_last_action)
    }

    fn call_with(
        &self,
        target: &Value,
        callee: &Expr,
        args: &[Arg],
        span: Span,
        is_last_action: bool,
    ) -> SourceResult<Value> {
        if let Value::Native(native) = target {
            let arguments = self.arguments(None, args, &native.name)?;
            return self.call_native(native, &arguments, span);
        }
        let registry = &self.interp.registry;
        let (function, first) = match target {
            Value::Function(function) => (Some(function.clone()), None),
            Value::Method(method) => {
                let value = method.receiver.clone();
                let first = Argument { name: None, value, span: callee.span };
                (Some(method.function.clone()), Some(first))
            }
            Value::Type(of) => (registry.constructor(*of).cloned(), None),
            Value::DType(_) => {
                let first = Argument { name: None, value: target.clone(), span: callee.span };
                (registry.constructor(Type::DType).cloned(), Some(first))
            }
            _ => (None, None),
        };
        let Some(function) = function else {
            let message = match target {
                Value::Type(of) => format!("cannot create '{}' instances", of.name()),
                _ => format!("'{}' object is not callable", target.type_name()),
            };
            return Err(Box::new(Diagnostic::new(ErrorKind::Type, callee.span, message)));
        };
        let arguments = self.arguments(first, args, &function.name)?;
        self.invoke(&function, arguments, span, is_last_action)
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
        let positional = positional.into_iter().map(|value| Argument { name: None, value, span });
        let keywords = keywords.into_iter();
        let keywords = keywords.map(|(name, value)| Argument { name: Some(name), value, span });
        let arguments = positional.chain(keywords).collect();
        self.call_ready(callee, arguments, span).map_err(Fault::from)
    }

    fn call_ready(
        &self,
        callee: &Value,
        mut arguments: Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        let registry = &self.interp.registry;
        let receiver = |value: Value| Argument { name: None, value, span };
        let function = match callee {
            Value::Native(native) => return self.call_native(native, &arguments, span),
            Value::Function(function) => Some(function.clone()),
            Value::Method(method) => {
                arguments.insert(0, receiver(method.receiver.clone()));
                Some(method.function.clone())
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
            None => {
                let message = format!("'{}' object is not callable", callee.type_name());
                Err(eval::placed(Fault::type_error(message), span))
            }
        }
    }

    /// Runs a function with arguments that are there already.
    pub fn invoke(
        &self,
        function: &Rc<Function>,
        arguments: Arguments,
        span: Span,
        is_last_action: bool,
    ) -> SourceResult<Value> {
        let function = match &function.for_tensors {
            Some(library) if belongs_to_library(function, &arguments) => library,
            _ => function,
        };
        let receiver = arguments.first().map(|first| first.value.clone());
        let bound = function.signature().bind(&function.name, arguments).map_err(|failure| {
            let (fault, place) = *failure;
            eval::placed(fault, place.unwrap_or(span))
        })?;
        self.set_place(span);
        let is_last = is_last_action && !function.in_place;
        let mut call = Call::new(*self, function, bound, span, is_last);
        call.refuse_gradients().map_err(|fault| eval::placed(fault, call.fault_place()))?;
        let result = (function.builtin.run)(&mut call);
        let result = result.map_err(|fault| eval::placed(fault, call.fault_place()))?;
        drop(call);
        match (function.in_place, receiver) {
            (true, Some(Value::Tensor(target))) => {
                let store = || self.store(&target, result);
                self.place(self.interp.engine.last_write(is_last_action, store), span)?;
                Ok(Value::Tensor(target))
            }
            _ => Ok(result),
        }
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

    fn arguments(
        &self,
        first: Option<Argument>,
        args: &[Arg],
        function: &str,
    ) -> SourceResult<Arguments> {
        let mut arguments: Arguments = first.into_iter().collect();
        let mut names = FxHashSet::default();
        for arg in args {
            match arg {
                Arg::Positional(expr) => {
                    let value = self.expr(expr)?;
                    arguments.push(Argument { name: None, value, span: expr.span });
                }
                Arg::Keyword { name, value: expr } => {
                    let value = self.expr(expr)?;
                    if !names.insert(name.node.clone()) {
                        let message = format!("keyword argument repeated: {}", name.node);
                        let kind = ErrorKind::Syntax;
                        return Err(Box::new(Diagnostic::new(kind, name.span, message)));
                    }
                    let span = name.span.to(expr.span);
                    arguments.push(Argument { name: Some(name.node.clone()), value, span });
                }
                Arg::Star(expr) => self.star(expr, function, &mut arguments)?,
                Arg::DoubleStar(expr) => {
                    self.double_star(expr, function, &mut arguments, &mut names)?;
                }
            }
        }
        Ok(arguments)
    }

    fn star(&self, expr: &Expr, function: &str, arguments: &mut Arguments) -> SourceResult<()> {
        let value = self.expr(expr)?;
        let items = self.iterate(&value).map_err(|error| match error.is_type_error() {
            true => Error::type_error(format!(
                "{function}() argument after * must be an iterable, not {}",
                value.type_name()
            )),
            false => error,
        });
        for value in self.place(items, expr.span)? {
            arguments.push(Argument { name: None, value, span: expr.span });
        }
        Ok(())
    }

    fn double_star(
        &self,
        expr: &Expr,
        function: &str,
        arguments: &mut Arguments,
        names: &mut FxHashSet<Ident>,
    ) -> SourceResult<()> {
        let value = self.expr(expr)?;
        let fault = |message: String| eval::placed(Fault::type_error(message), expr.span);
        let Value::Dict(entries) = &value else {
            return Err(fault(format!(
                "{function}() argument after ** must be a mapping, not {}",
                value.type_name()
            )));
        };
        for (key, value) in entries.borrow().iter() {
            let Value::Str(name) = key.value() else {
                return Err(fault("keywords must be strings".to_owned()));
            };
            let name = Ident::from(name);
            if !names.insert(name.clone()) {
                let message = format!("{function}() got multiple values for argument '{name}'");
                return Err(fault(message));
            }
            arguments.push(Argument { name: Some(name), value: value.clone(), span: expr.span });
        }
        Ok(())
    }
}

/// Whether a call of a Python builtin such as `sum` is meant for the library's function: its first
/// argument is a tensor, or a keyword is one that only the library knows.
fn belongs_to_library(function: &Function, arguments: &[Argument]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let positional = arguments.iter().filter(|argument| argument.name.is_none()).count();
    match &first.value {
        // `max(a, 3)` of numbers that happen to be tensors without axes.
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
