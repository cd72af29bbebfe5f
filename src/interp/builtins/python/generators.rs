//! The methods of generators.

use crate::diag::Fault;
use crate::interp::builtins::{Builtin, Call, Homes};
use crate::interp::object::generator::Generator;
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
    method("throw(self, value, /)", throw)
        .doc("Raises an exception at the `yield` where it waits, and goes on until the next one.")
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
    let error = call.evaluator.raise(call.value(1), None, call.span());
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
