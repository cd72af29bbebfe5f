//! How tensors print.

use std::rc::Rc;

use super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::shared::Contents;
use crate::interp::value::{Entries, Key, Value};
use crate::report::PrintOptions;

pub const BUILTINS: &[Builtin] = &[
    Builtin::new(
        "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, *, sci_mode=None)",
        set,
    )
    .doc("How tensors print from here on, as `:set` does: digits after the point, the number of elements\nfrom which the middle is left out, elements at its ends, columns of a line, and whether small\nnumbers are printed without an exponent (`sci_mode=False` says the same).")
    .example("set_printoptions(precision=3)\narray([1 / 3])"),
    Builtin::new("get_printoptions()", get)
        .doc("How tensors print at present.")
        .example("get_printoptions()['precision']"),
];

impl Contents for PrintOptions {
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    fn bytes(&self) -> usize {
        size_of::<PrintOptions>()
    }
}

/// The largest numbers that `:set` takes, too.
const MOST_DIGITS: usize = 20;
const MOST_ELEMENTS: usize = 100_000_000;
const MOST_ITEMS: usize = 1000;
const MOST_COLUMNS: usize = 10_000;

fn set(call: &mut Call<'_>) -> Result<Value, Fault> {
    let interp = call.evaluator.interp;
    let options = &interp.print_options;
    let mut changed: PrintOptions = options.borrow().clone();
    let number = |name: &str, least: usize, most: usize, now: usize| match call.value(name) {
        Value::None => Ok(now),
        // `threshold=np.inf` shows everything.
        Value::Float(float) if *float == f64::INFINITY => Ok(most),
        _ => match call.int(name)? {
            n if n < least as i64 => {
                let message = format!("`{name}` must be at least {least}, found {n}");
                Err(call.fault_at(name, Fault::value_error(message)))
            }
            n => Ok((n as usize).min(most)),
        },
    };
    changed.precision = number("precision", 0, MOST_DIGITS, changed.precision)?;
    changed.threshold = number("threshold", 0, MOST_ELEMENTS, changed.threshold)?;
    changed.edgeitems = number("edgeitems", 1, MOST_ITEMS, changed.edgeitems)?;
    changed.linewidth = number("linewidth", 1, MOST_COLUMNS, changed.linewidth)?;
    for (name, is_opposite) in [("suppress", false), ("sci_mode", true)] {
        if !matches!(call.value(name), Value::None) {
            changed.suppress_small = call.bool(name)? != is_opposite;
        }
    }
    options.replace(&interp.journal, changed);
    Ok(Value::None)
}

fn get(call: &mut Call<'_>) -> Result<Value, Fault> {
    let options = call.evaluator.interp.print_options.borrow();
    let numbers = [
        ("precision", options.precision),
        ("threshold", options.threshold),
        ("edgeitems", options.edgeitems),
        ("linewidth", options.linewidth),
    ];
    let numbers = numbers.map(|(name, number)| (name, Value::Int(number as i64)));
    let rest = [("suppress", Value::Bool(options.suppress_small))];
    let entries: Entries = numbers
        .into_iter()
        .chain(rest)
        .filter_map(|(name, value)| Some((Key::new(Value::str(name)).ok()?, value)))
        .collect();
    Ok(Value::Dict(Rc::new(entries.into())))
}
