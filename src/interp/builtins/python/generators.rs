//! The methods of generators.

use crate::diag::Fault;
use crate::interp::builtins::{Builtin, Call, Homes};
use crate::interp::object::generator::Generator;
use crate::interp::object::instance::Instance;
use crate::interp::value::{Type, Value};
use crate::interp::{Resume, Resumed};
use std::rc::Rc;

const fn method(signature: &'static str, run: super::super::Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Generator)
}

pub const BUILTINS: &[Builtin] = &[
    method("send(self, value, /)", send)
        .doc("Goes on until the next `yield`; the one at which it waits gives `value`.")
        .example("g = (i for i in range(3))\ng.send(None)"),
    method("throw(self, typ, val=None, tb=None, /)", throw)
        .doc("Raises an exception at the `yield` where it waits, and goes on until the next one; of a class\nand a value, the class called with the value.")
        .example("def g():\n    try:\n        yield 1\n    except ValueError:\n        yield 2\nh = g()\nnext(h)\nh.throw(ValueError)"),
    method("close(self, /)", close)
        .doc("Ends the generator: nothing comes any more.")
        .example("g = (i for i in range(3))\ng.close()"),
];

fn generator(call: &Call<'_>) -> Result<Rc<Generator>, Fault> {
    match call.value(0) {
        Value::Generator(generator) => Ok(generator.clone()),
        _ => Err(call.wrong_type("self", "a generator")),
    }
}

fn send(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (generator, value) = (generator(call)?, call.value(1).clone());
    match call.evaluator.resume(&generator, Resume::Send(Some(value)), call.span())? {
        Resumed::Yielded(value) => Ok(value),
        Resumed::Returned(value) => Err(super::iterators::stopped(&value)),
    }
}

fn throw(call: &mut Call<'_>) -> Result<Value, Fault> {
    let generator = generator(call)?;
    let (mut raised, value) = (call.value(1).clone(), call.value(2).clone());
    let class = call.evaluator.as_class(&raised);
    let is_class = class.is_some();
    let is_error = |of: Type| matches!(of, Type::Error(_));
    let is_exception = match (&raised, &class) {
        (_, Some(class)) => is_error(class.native()),
        (Value::Object(object), _) => object.exception().is_some(),
        _ => false,
    };
    if !is_exception {
        let found = if is_class { "type" } else { raised.type_name() };
        return Err(call.fault_at(
            1,
            Fault::type_error(format!(
                "exceptions must be classes or instances deriving from BaseException, not {found}"
            )),
        ));
    }
    if !matches!(call.value(3), Value::None) && call.value(3).type_of() != Type::Traceback {
        let message = "throw() third argument must be a traceback object";
        return Err(call.fault_at(3, Fault::type_error(message)));
    }
    let is_one = |object: &Instance| class.as_ref().is_some_and(|class| object.class.is_a(class));
    raised = match &value {
        Value::None => raised,
        _ if !is_class => {
            let message = "instance exception may not have a separate value";
            return Err(call.fault_at(2, Fault::type_error(message)));
        }
        Value::Object(object) if is_one(object) => value,
        Value::Tuple(parts) => call.evaluator.call_value(&raised, parts.iter().cloned(), [])?,
        _ => call.evaluator.call_value(&raised, [value], [])?,
    };
    let error = call.evaluator.raise(&raised, None, call.span());
    match call.evaluator.resume(&generator, Resume::Throw(error), call.span())? {
        Resumed::Yielded(value) => Ok(value),
        Resumed::Returned(value) => Err(super::iterators::stopped(&value)),
    }
}

fn close(call: &mut Call<'_>) -> Result<Value, Fault> {
    let generator = generator(call)?;
    call.evaluator.close(&generator, call.span())?;
    Ok(Value::None)
}
