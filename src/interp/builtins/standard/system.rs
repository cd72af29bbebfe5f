//! `sys` and `string`.

use super::super::python::exit;
use super::super::{Builtin, Call, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::{Module, Value};

const fn of(module: Module, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(module, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    of(
        Module::Stdout,
        "write(text, /)",
        write,
        "Prints a text as it is; how many characters it has.",
    ),
    of(Module::Stdout, "flush()", |_| Ok(Value::None), "What was printed is shown at once here."),
    of(
        Module::Stdout,
        "isatty()",
        |_| Ok(Value::Bool(false)),
        "False: output goes to the session.",
    ),
    of(Module::Stderr, "write(text, /)", warn, "Says a text beside a program's output."),
    of(Module::Stderr, "flush()", |_| Ok(Value::None), "What was said is shown at once here."),
    of(
        Module::Sys,
        "exit(status=None, /)",
        exit,
        "Leaves by SystemExit, with an exit status for whoever started the program; a text is told, and a failure.",
    ),
    of(
        Module::Sys,
        "getrecursionlimit()",
        |call| Ok(Value::Int(call.evaluator.interp.depth.limit() as i64)),
        "How deep calls may nest.",
    ),
    of(
        Module::Sys,
        "setrecursionlimit(limit, /)",
        set_recursion_limit,
        "Says how deep calls may nest, and values that something walks through.",
    ),
];

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    let int = |number: i64| Value::Int(number);
    let float_info = Value::dict([
        ("max", Value::Float(f64::MAX)),
        ("max_exp", int(1024)),
        ("max_10_exp", int(308)),
        ("min", Value::Float(f64::MIN_POSITIVE)),
        ("min_exp", int(-1021)),
        ("min_10_exp", int(-307)),
        ("dig", int(15)),
        ("mant_dig", int(53)),
        ("epsilon", Value::Float(f64::EPSILON)),
        ("radix", int(2)),
        ("rounds", int(1)),
    ]);
    let version = env!("CARGO_PKG_VERSION");
    let lower = "abcdefghijklmnopqrstuvwxyz";
    let upper = lower.to_uppercase();
    let digits = "0123456789";
    let punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    let blanks = " \t\n\r\u{b}\u{c}";
    vec![
        (Module::Sys, "version", Value::str(format!("3.11 (genesis-repl {version})"))),
        (Module::Sys, "argv", Value::list(vec![Value::str("")])),
        (Module::Sys, "maxsize", int(i64::MAX)),
        (Module::Sys, "float_info", float_info),
        (Module::Sys, "platform", Value::str(std::env::consts::OS)),
        (
            Module::Sys,
            "byteorder",
            Value::str(if cfg!(target_endian = "big") { "big" } else { "little" }),
        ),
        (Module::Strings, "ascii_lowercase", Value::str(lower)),
        (Module::Strings, "ascii_uppercase", Value::str(&upper)),
        (Module::Strings, "ascii_letters", Value::str(format!("{lower}{upper}"))),
        (Module::Strings, "digits", Value::str(digits)),
        (Module::Strings, "hexdigits", Value::str("0123456789abcdefABCDEF")),
        (Module::Strings, "octdigits", Value::str("01234567")),
        (Module::Strings, "punctuation", Value::str(punctuation)),
        (Module::Strings, "whitespace", Value::str(blanks)),
        (
            Module::Strings,
            "printable",
            Value::str(format!("{digits}{lower}{upper}{punctuation}{blanks}")),
        ),
    ]
}

fn set_recursion_limit(call: &mut Call<'_>) -> Result<Value, Fault> {
    let limit = call.int(0)?;
    let interp = call.evaluator.interp;
    let depth = interp.depth.frames.get();
    if limit < 1 {
        return Err(Fault::value_error("recursion limit must be greater or equal than 1"));
    }
    if limit as usize <= depth {
        let message = format!(
            "cannot set the recursion limit to {limit} at the recursion depth {depth}: the limit is too low"
        );
        return Err(Fault::new(ErrorKind::Recursion, message));
    }
    interp.depth.choose(&interp.journal, limit as usize);
    Ok(Value::None)
}

fn write(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    call.evaluator.say(text)?;
    Ok(Value::Int(text.chars().count() as i64))
}

fn warn(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    call.evaluator.say_aside(text)?;
    Ok(Value::Int(text.chars().count() as i64))
}
