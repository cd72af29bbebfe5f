//! Values as text, printing, and asking.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::{Fault, Span};
use crate::interp::Evaluator;
use crate::interp::object::exception::system_exit;
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
    Builtin::new("warn(message, category=None, stacklevel=1, source=None)", warn)
        .homes(Homes::WARNINGS)
        .doc("Says something beside a program's output, once a line: on standard error. Filters may\nhide it or make an error of it; `stacklevel` and `source` change nothing.")
        .example("import warnings\nwarnings.warn(\"x is large\")"),
    python("repr(obj, /)", repr).doc("A value as it would be typed.").example("repr(\"it's\")"),
    python("ascii(obj, /)", ascii).doc("As `repr`, everything beyond ASCII escaped."),
    python("format(value, spec='', /)", format)
        .doc("A value under a format specification.")
        .example("format(1234.5, \",.2f\")"),
    Builtin::new("str(object='', encoding=..., errors=...)", str)
        .homes(Homes::CONSTRUCTOR)
        .quick(super::quick::str)
        .doc("A value as it prints; with an encoding the text that bytes are.")
        .example("str(1.50)"),
];

fn print(call: &mut Call<'_>) -> Result<Value, Fault> {
    let part = |name: &str, or: &str| match call.value(name).plain() {
        Value::Str(text) => Ok(text.to_string()),
        Value::None => Ok(or.to_owned()),
        _ => {
            let found = call.value(name).type_name();
            let message = format!("{name} must be None or a string, not {found}");
            Err(call.fault_at(name, Fault::type_error(message)))
        }
    };
    let (sep, end) = (part("sep", " ")?, part("end", "\n")?);
    let values: Vec<&Value> = call.rest().iter().map(|argument| &argument.value).collect();
    let parts = call.evaluator.try_strs(&values)?;
    match call.value("file") {
        Value::None | Value::Module(Module::Stdout) => {
            call.evaluator.say(&(parts.join(&sep) + &end))?;
        }
        Value::Module(Module::Stderr) => {
            call.evaluator.say_aside(&(parts.join(&sep) + &end))?;
        }
        file => {
            // As CPython does: a part at a time.
            let between = parts.iter().enumerate().flat_map(|(at, part)| {
                (at > 0).then_some(&sep).into_iter().chain(std::iter::once(part))
            });
            for part in between.chain(std::iter::once(&end)) {
                let written = call.evaluator.write_into(file, part);
                written.map_err(|fault| call.fault_at("file", fault))?;
            }
        }
    }
    // Whoever stopped a long text does not want what comes behind it, either.
    call.engine().interrupt().heed().map_err(Fault::from)?;
    Ok(Value::None)
}

impl Evaluator<'_> {
    /// Prints a text for the user, or into what `redirect_stdout` has put in their place.
    ///
    /// # Errors
    /// What writing there brings up.
    pub(in crate::interp) fn say(&self, text: &str) -> Result<(), Fault> {
        let instead = self.interp.stdout.borrow().clone();
        match instead {
            None => self.world.write(text),
            Some(file) => self.write_into(&file, text)?,
        }
        Ok(())
    }

    /// Says a text beside a program's output, or into what `redirect_stderr` has put in its place.
    ///
    /// # Errors
    /// What writing there brings up.
    pub(in crate::interp) fn say_aside(&self, text: &str) -> Result<(), Fault> {
        let instead = self.interp.stderr.borrow().clone();
        match instead {
            None => self.world.warn(text.strip_suffix('\n').unwrap_or(text)),
            Some(file) => self.write_into(&file, text)?,
        }
        Ok(())
    }

    /// The name of a place's source and the number of its line, as a warning has them.
    pub(in crate::interp) fn file_and_line(&self, span: Span) -> (Value, Value) {
        let source = self.interp.sources.borrow().get(span.source);
        let (name, line) = match &source {
            Some(source) => (source.name.as_str(), source.line_of(span.start as usize).0 + 1),
            None => ("sys", 1),
        };
        (Value::str(name), Value::Int(line as i64))
    }

    /// `file.write(text)`
    pub(in crate::interp) fn write_into(&self, file: &Value, text: &str) -> Result<(), Fault> {
        let write = self.attribute(file, "write")?;
        self.call_value(&write, [Value::str(text)], []).map(drop)
    }
}

fn input(call: &mut Call<'_>) -> Result<Value, Fault> {
    let prompt = call.evaluator.try_str(call.value(0))?;
    let line = call.evaluator.world.ask(&prompt)?;
    Ok(Value::str(line.strip_suffix('\n').unwrap_or(&line)))
}

pub fn exit(call: &mut Call<'_>) -> Result<Value, Fault> {
    Err(system_exit(call.value(0).clone()))
}

fn warn(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let (file, line) = evaluator.file_and_line(call.span());
    let said = [call.value("message").clone(), call.value("category").clone()];
    let warn = evaluator.in_module(Module::Warnings, "_warn")?.unwrap_or(Value::None);
    evaluator.call_value(&warn, said.into_iter().chain([file, line]), [])
}

fn repr(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::str(call.evaluator.try_repr(call.value(0))?))
}

fn ascii(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.evaluator.try_repr(call.value(0))?;
    Ok(Value::str(crate::interp::ascii(call.engine(), &text)?))
}

fn format(call: &mut Call<'_>) -> Result<Value, Fault> {
    let spec = call.str(1)?.to_owned();
    Ok(Value::str(call.evaluator.format(call.value(0), &spec)?))
}

fn str(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.given(1) || call.given(2) {
        if let Value::Str(_) = call.value(0).plain() {
            let fault = Fault::type_error("decoding str is not supported");
            return Err(call.fault_at(0, fault));
        }
        return super::bytes::decoded(call, (1, 2));
    }
    Ok(Value::str(call.evaluator.try_str(call.value(0))?))
}
