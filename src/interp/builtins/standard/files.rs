//! `open`, and what files of text do.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::file::{Codec, Errors, File, Newline};
use crate::interp::object::opaque::Opaque;
use crate::interp::value::{Module, Type, Value};

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::File).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    Builtin::new(
        "open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)",
        open,
    )
    .homes(Homes::PYTHON.and(Homes::of(Module::Io)))
    .doc("A file of text: \"r\" reads, \"w\" writes anew, \"a\" goes on at the end, \"x\" makes a new one; with \"+\" both.\nIts lines are what a loop goes through; `with` closes it.")
    .example("with open(\"/dev/null\") as f:\n    text = f.read()\ntext"),
    method("read(self, size=-1, /)", read, "So many characters; without a number all that is left."),
    method("readline(self, size=-1, /)", line, "The next line with its break; empty at the end."),
    method("readlines(self, hint=-1, /)", lines, "The lines that are left, as a list."),
    method("write(self, text, /)", write, "Writes a text; how many characters it has."),
    method("writelines(self, lines, /)", write_lines, "Writes texts one behind the other."),
    method(
        "flush(self, /)",
        |call| {
            let file = file(call)?;
            file.check_open()?;
            file.flush().map(|()| Value::None)
        },
        "Writes to the disk what waits.",
    ),
    method(
        "close(self, /)",
        |call| file(call)?.close(call.evaluator).map(|()| Value::None),
        "Writes what waits and ends the use of the file.",
    ),
    method("seek(self, offset, whence=0, /)", seek, "Goes to a byte, with `whence=2` to the end."),
    method("tell(self, /)", |call| number(file(call)?.tell()?), "The byte where the file stands."),
    method(
        "truncate(self, pos=None, /)",
        |call| {
            call.evaluator.reach_out()?;
            number(file(call)?.truncate(call.optional_int(1)?)?)
        },
        "Cuts the file off, where it stands or at a byte.",
    ),
    method("readable(self, /)", |call| flag(call, |file| file.can_read), "Whether it can be read."),
    method(
        "writable(self, /)",
        |call| flag(call, |file| file.can_write),
        "Whether it can be written.",
    ),
    method("seekable(self, /)", |call| flag(call, |_| true), "Whether it can go to a place: yes."),
    method("isatty(self, /)", |call| flag(call, |_| false), "Whether it is a terminal: no."),
    method(
        "__enter__(self, /)",
        |call| {
            file(call)?.check_open()?;
            Ok(call.value(0).clone())
        },
        "The file itself.",
    ),
    method(
        "__exit__(self, /, *details)",
        |call| file(call)?.close(call.evaluator).map(|()| Value::None),
        "Closes the file.",
    ),
    method(
        "__next__(self, /)",
        |call| {
            let line = file(call)?.next_line(call.evaluator)?;
            line.ok_or_else(|| Fault::new(ErrorKind::StopIteration, ""))
        },
        "The next line.",
    ),
];

fn file<'a>(call: &'a Call<'_>) -> Result<&'a File, Fault> {
    call.value(0).inside::<File>().ok_or_else(|| call.wrong_type(0, "a file"))
}

fn number(number: u64) -> Result<Value, Fault> {
    Ok(Value::Int(number as i64))
}

fn flag(call: &Call<'_>, of: impl FnOnce(&File) -> bool) -> Result<Value, Fault> {
    let file = file(call)?;
    file.check_open()?;
    Ok(Value::Bool(of(file)))
}

fn open(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let Value::Int(_) | Value::Bool(_) = call.value("file") {
        let fault = Fault::type_error("files have names here, and no numbers");
        return Err(call.fault_at("file", fault));
    }
    let path = call.path("file")?;
    let text = |name: &str| match call.is_none(name) {
        true => Ok(None),
        false => call.str(name).map(Some),
    };
    let mode = call.str("mode")?;
    let (encoding, errors, newline) = (text("encoding")?, text("errors")?, text("newline")?);
    let by_line = match call.int("buffering")? {
        0 => {
            let fault = Fault::value_error("can't have unbuffered text I/O");
            return Err(call.fault_at("buffering", fault));
        }
        buffering => buffering == 1,
    };
    File::check_mode(mode).map_err(|fault| call.fault_at("mode", fault))?;
    let codec = Codec::of(encoding).map_err(|fault| call.fault_at("encoding", fault))?;
    let errors = Errors::of(errors).map_err(|fault| call.fault_at("errors", fault))?;
    let newline = Newline::of(newline).map_err(|fault| call.fault_at("newline", fault))?;
    if mode.contains(['w', 'a', 'x', '+']) {
        call.evaluator.reach_out()?;
    }
    let files = &call.evaluator.interp.files;
    let opened = File::open(files, &path, mode, (codec, errors), (newline, by_line));
    Ok(Opaque::value(Type::File, opened.map_err(|fault| call.fault_at("file", fault))?))
}

/// A number of characters; `None` for all.
fn count(call: &Call<'_>, position: usize) -> Result<Option<usize>, Fault> {
    Ok(call.optional_int(position)?.and_then(|count| usize::try_from(count).ok()))
}

fn read(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::str(file(call)?.read(call.evaluator, count(call, 1)?)?))
}

fn line(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::str(file(call)?.line(call.evaluator, count(call, 1)?)?))
}

fn lines(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (file, hint) = (file(call)?, count(call, 1)?.filter(|hint| *hint > 0));
    let (mut lines, mut total) = (Vec::new(), 0);
    let mut pace = crate::interp::room::Pace::new(call.engine());
    loop {
        let line = file.line(call.evaluator, None)?;
        if line.is_empty() {
            break;
        }
        pace.step(crate::interp::room::SHORT_TEXT + line.len())?;
        total += line.chars().count();
        lines.push(Value::str(line));
        if hint.is_some_and(|hint| total >= hint) {
            break;
        }
    }
    Ok(Value::list(lines))
}

fn write(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Str(text) = call.value(1).plain() else {
        let found = call.value(1).type_name();
        let fault = Fault::type_error(format!("write() argument must be str, not {found}"));
        return Err(call.fault_at(1, fault));
    };
    number(file(call)?.write(call.evaluator, text)? as u64)
}

fn write_lines(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let file = file(call)?;
    file.check_open()?;
    evaluator.each(call.value(1), |line| match line.plain() {
        Value::Str(text) => file.write(evaluator, text).map(|_| true),
        other => {
            let found = other.type_name();
            Err(Fault::type_error(format!("write() argument must be str, not {found}")))
        }
    })?;
    Ok(Value::None)
}

fn seek(call: &mut Call<'_>) -> Result<Value, Fault> {
    number(file(call)?.seek(call.evaluator, call.int(1)?, call.int(2)?)?)
}
