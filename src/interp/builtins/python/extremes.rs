//! `min` and `max`.

use std::cmp::Ordering;

use super::super::Call;
use crate::diag::Fault;
use crate::interp::room::Pace;
use crate::interp::value::Value;
use crate::syntax::ast::CompareOp;

pub fn min(call: &mut Call<'_>) -> Result<Value, Fault> {
    extreme(call, CompareOp::Lt, Ordering::Less)
}

pub fn max(call: &mut Call<'_>) -> Result<Value, Fault> {
    extreme(call, CompareOp::Gt, Ordering::Greater)
}

/// The first value that stands in this order to all others.
fn extreme(call: &mut Call<'_>, op: CompareOp, wanted: Ordering) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let name = call.name().to_owned();
    if let [only] = call.rest()
        && let Value::Range(range) = &only.value
        && call.is_none("key")
        && let Some((least, largest)) = range.ends()
    {
        return Ok(Value::Int(if wanted == Ordering::Less { least } else { largest }));
    }
    let values: Vec<Value> = match call.rest() {
        [] => {
            let message = format!("{name} expected at least 1 argument, got 0");
            return Err(Fault::type_error(message));
        }
        [only] => evaluator.first_items(&only.value, usize::MAX)?,
        _ if call.given("default") => {
            let message =
                format!("Cannot specify a default for {name}() with multiple positional arguments");
            return Err(Fault::type_error(message));
        }
        many => many.iter().map(|argument| argument.value.clone()).collect(),
    };
    let mut values = values.into_iter();
    let Some(mut best) = values.next() else {
        if call.given("default") {
            return Ok(call.value("default").clone());
        }
        return Err(Fault::value_error(format!("{name}() arg is an empty sequence")));
    };
    let asked = call.value("key");
    evaluator.calling(asked, 1, |callback| {
        let mut key = |value: &Value| match asked {
            Value::None => Ok(value.clone()),
            _ => callback.call(&mut [value.clone()]),
        };
        let mut best_key = key(&best)?;
        let mut pace = Pace::new(call.engine());
        evaluator.comparing(op, &best_key.clone(), |holds| {
            for value in values {
                pace.step(0)?;
                let other = key(&value)?;
                let is_better = match &other {
                    Value::Object(_) => holds(&other, &best_key)?,
                    _ => evaluator.order(op.symbol(), &other, &best_key)? == Some(wanted),
                };
                if is_better {
                    (best, best_key) = (value, other);
                }
            }
            Ok(best)
        })
    })
}
