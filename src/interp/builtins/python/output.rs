//! Values as text, printing, and asking.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::{Module, Value};

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

pub const BUILTINS: &[Builtin] = &[
    python("print(*values, sep=' ', end='\\n', file=None, flush=False)", print)
        .doc("Prints values, with `sep` between them and `end` behind the last.")
        .example("print(1, 2, sep=\"-\")"),
    python("input(prompt='', /)", input)
        .doc("A line that the user types, without its line break; `prompt` is shown before it."),
    python("exit(status=None, /)", exit)
        .aliases(&["quit"])
        .doc("Leaves, with an exit status for whoever started the program; a text is told, and a failure."),
    Builtin::new("warn(message, category=None, stacklevel=1)", warn)
        .homes(Homes::WARNINGS)
        .doc("Says something beside a program's output: on standard error.")
        .example("import warnings\nwarnings.warn(\"x is large\")"),
    python("repr(obj, /)", repr).doc("A value as it would be typed.").example("repr(\"it's\")"),
    python("ascii(obj, /)", ascii).doc("As `repr`, everything beyond ASCII escaped."),
    python("format(value, spec='', /)", format)
        .doc("A value under a format specification.")
        .example("format(1234.5, \",.2f\")"),
    Builtin::new("str(obj='', /)", str)
        .homes(Homes::CONSTRUCTOR)
        .doc("A value as it prints.")
        .example("str(1.50)"),
];

fn print(call: &mut Call<'_>) -> Result<Value, Fault> {
    let part = |name: &str, or: &str| match call.value(name) {
        Value::Str(text) => Ok(text.to_string()),
        Value::None => Ok(or.to_owned()),
        other => {
            let found = other.type_name();
            let message = format!("{name} must be None or a string, not {found}");
            Err(call.fault_at(name, Fault::type_error(message)))
        }
    };
    let (sep, end) = (part("sep", " ")?, part("end", "\n")?);
    let values: Vec<&Value> = call.rest().iter().map(|argument| &argument.value).collect();
    let text = call.evaluator.try_strs(&values)?.join(&sep) + &end;
    match call.value("file") {
        Value::None | Value::Module(Module::Stdout) => call.evaluator.world.write(&text),
        Value::Module(Module::Stderr) => {
            call.evaluator.world.warn(text.strip_suffix('\n').unwrap_or(&text));
        }
        other => {
            let found = other.type_name();
            let message = format!("expected sys.stdout or sys.stderr as file, found {found}");
            return Err(call.fault_at("file", Fault::type_error(message)));
        }
    }
    // Whoever stopped a long text does not want what comes behind it, either.
    call.engine().interrupt().heed().map_err(Fault::from)?;
    Ok(Value::None)
}

fn input(call: &mut Call<'_>) -> Result<Value, Fault> {
    let prompt = call.evaluator.try_str(call.value(0))?;
    Ok(Value::str(call.evaluator.world.ask(&prompt)?))
}

pub fn exit(call: &mut Call<'_>) -> Result<Value, Fault> {
    let status = match call.value(0) {
        Value::None => String::new(),
        Value::Bool(status) => u8::from(*status).to_string(),
        other => call.evaluator.try_str(other)?,
    };
    Err(Fault::new(ErrorKind::SystemExit, status))
}

fn warn(call: &mut Call<'_>) -> Result<Value, Fault> {
    let message = call.evaluator.try_str(call.value("message"))?;
    call.evaluator.world.warn(&message);
    Ok(Value::None)
}

fn repr(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::str(call.evaluator.try_repr(call.value(0))?))
}

fn ascii(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.evaluator.try_repr(call.value(0))?;
    Ok(Value::str(crate::interp::fstring::ascii(&text)))
}

fn format(call: &mut Call<'_>) -> Result<Value, Fault> {
    let spec = call.str(1)?.to_owned();
    Ok(Value::str(call.evaluator.format(call.value(0), &spec)?))
}

fn str(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::str(call.evaluator.try_str(call.value(0))?))
}
