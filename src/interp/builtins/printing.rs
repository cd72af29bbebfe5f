//! How tensors print.

use std::rc::Rc;

use super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::formatter::KEYS;
use crate::interp::shared::Contents;
use crate::interp::value::{Entries, Key, Value};
use crate::report::{FloatMode, PrintOptions, Sign};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new(
        "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None, sci_mode=None)",
        set,
    )
    .doc("How tensors print from here on, as `:set` does: digits after the point, the number of elements\nfrom which the middle is left out, elements at its ends, columns of a line, and whether small\nnumbers are printed without an exponent (`sci_mode=False` says the same). `sign` is '-', '+' or ' ',\n`floatmode` 'fixed', 'unique', 'maxprec' or 'maxprec_equal'; `nanstr` and `infstr` stand for NaN and infinity.\n`formatter` has functions by kind ('bool', 'int', 'float', 'complexfloat', 'all'), which write elements until something\nelse is set.")
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
    let text = |name: &'static str, now: &str| match call.is_none(name) {
        true => Ok(now.to_owned()),
        false => call.str(name).map(str::to_owned),
    };
    changed.nan = text("nanstr", &changed.nan)?;
    changed.inf = text("infstr", &changed.inf)?;
    changed.sign = named(call, "sign", &SIGNS, changed.sign)?;
    changed.float_mode = named(call, "floatmode", &FLOAT_MODES, changed.float_mode)?;
    for (name, remedy) in NOT_THERE {
        let is_off = matches!(call.value(name), Value::None | Value::Bool(false));
        if !is_off {
            let words = format!("set_printoptions: `{name}` is not there");
            let fault = Fault::new(crate::diag::ErrorKind::NotImplemented, words);
            return Err(call.fault_at(name, fault.with_hint(remedy)));
        }
    }
    let formatter = formatter(call)?;
    options.replace(&interp.journal, changed);
    // As in NumPy, whose functions hold until something else is set.
    interp.formatter.replace(&interp.journal, formatter);
    Ok(Value::None)
}

/// The functions that are to write elements, by NumPy's names of kinds.
fn formatter(call: &Call<'_>) -> Result<Option<Value>, Fault> {
    let value = call.value("formatter");
    if let Value::None = value {
        return Ok(None);
    }
    let Some(functions) = value.as_dict() else {
        let found = value.type_name();
        let words = format!("formatter must be a dictionary of functions, found {found}");
        return Err(call.fault_at("formatter", Fault::type_error(words)));
    };
    for key in functions.borrow().keys() {
        let is_known = matches!(key.value(), Value::Str(name) if KEYS.contains(&&**name));
        if !is_known {
            let shown = call.evaluator.repr(key.value());
            let words = format!("formatter has no kind {shown}");
            let hint = "the kinds are 'all', 'bool', 'int', 'float' and 'complexfloat', also as 'int_kind', 'float_kind' \
                        and 'complex_kind'";
            return Err(call.fault_at("formatter", Fault::value_error(words).with_hint(hint)));
        }
    }
    Ok(Some(value.clone()))
}

const SIGNS: [(&str, Sign); 3] = [("-", Sign::Minus), ("+", Sign::Plus), (" ", Sign::Space)];

const FLOAT_MODES: [(&str, FloatMode); 4] = [
    ("fixed", FloatMode::Fixed),
    ("unique", FloatMode::Unique),
    ("maxprec", FloatMode::MaxPrec),
    ("maxprec_equal", FloatMode::MaxPrecEqual),
];

/// What can't be set for all arrays, and what does it for one.
const NOT_THERE: [(&str, &str); 2] = [
    ("legacy", "arrays are printed as NumPy 2 prints them"),
    ("override_repr", "print what your own function makes of an array"),
];

/// One of the options that have names; what is set now for None.
fn named<T: Copy>(
    call: &Call<'_>,
    key: &'static str,
    names: &[(&'static str, T)],
    now: T,
) -> Result<T, Fault> {
    if call.is_none(key) {
        return Ok(now);
    }
    let found = call.str(key)?;
    let option = names.iter().find(|(name, _)| *name == found).map(|(_, option)| *option);
    option.ok_or_else(|| {
        let known: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let words = format!("{key} option must be one of {}", known.join(", "));
        call.fault_at(key, Fault::value_error(words))
    })
}

/// The name of an option.
fn name_of<T: PartialEq>(names: &[(&'static str, T)], option: T) -> Value {
    let found = names.iter().find(|(_, known)| *known == option);
    found.map_or(Value::None, |(name, _)| Value::str(*name))
}

fn get(call: &mut Call<'_>) -> Result<Value, Fault> {
    let options = call.evaluator.interp.print_options.borrow();
    let whole = |number: usize| Value::Int(number as i64);
    let entries: Entries = [
        ("edgeitems", whole(options.edgeitems)),
        ("threshold", whole(options.threshold)),
        ("floatmode", name_of(&FLOAT_MODES, options.float_mode)),
        ("precision", whole(options.precision)),
        ("suppress", Value::Bool(options.suppress_small)),
        ("linewidth", whole(options.linewidth)),
        ("nanstr", Value::str(options.nan.as_str())),
        ("infstr", Value::str(options.inf.as_str())),
        ("sign", name_of(&SIGNS, options.sign)),
        ("formatter", call.evaluator.interp.formatter.borrow().clone().unwrap_or(Value::None)),
        ("legacy", Value::Bool(false)),
        ("override_repr", Value::None),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((Key::new(Value::str(name)).ok()?, value)))
    .collect();
    Ok(Value::Dict(Rc::new(entries.into())))
}
