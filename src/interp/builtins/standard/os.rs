//! `os`: the environment and the folders. Nothing in it starts a process or changes a file.

use std::fs;
use std::rc::Rc;

use super::super::{Builtin, Call, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::index;
use crate::interp::value::{Entries, Key, Module, Value};

const fn os(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Os, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    os("getenv(key, default=None)", getenv, "What the environment has under a name."),
    os("getcwd()", getcwd, "The folder in which the session runs."),
    os("listdir(path='.')", listdir, "The names in a folder, in no order."),
    os(
        "getpid()",
        |_| Ok(Value::Int(i64::from(std::process::id()))),
        "The number of this process.",
    ),
    os("cpu_count()", cpu_count, "How many processors there are."),
    os("fspath(path, /)", |call| Ok(Value::str(call.str(0)?)), "A path as a string."),
];

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    let entry = |(name, value): (String, String)| {
        Some((Key::new(Value::str(name)).ok()?, Value::str(value)))
    };
    // What is no text can't be a value of the language.
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let entries: Entries = texts.filter_map(entry).collect();
    let separator = std::path::MAIN_SEPARATOR.to_string();
    let names = if cfg!(windows) { ("nt", "\r\n", ";") } else { ("posix", "\n", ":") };
    vec![
        (Module::Os, "environ", Value::Dict(Rc::new(entries.into()))),
        (Module::Os, "path", Value::Module(Module::Path)),
        (Module::Os, "sep", Value::str(&separator)),
        (Module::Path, "sep", Value::str(separator)),
        (Module::Os, "name", Value::str(names.0)),
        (Module::Os, "linesep", Value::str(names.1)),
        (Module::Os, "pathsep", Value::str(names.2)),
        (Module::Os, "curdir", Value::str(".")),
        (Module::Os, "pardir", Value::str("..")),
    ]
}

fn getenv(call: &mut Call<'_>) -> Result<Value, Fault> {
    let environ = call.evaluator.interp.registry.attribute_of_module(Module::Os, "environ");
    let key = index::hashable(&Value::str(call.str(0)?))?;
    let found = environ.and_then(Value::as_dict).and_then(|dict| dict.borrow().get(&key).cloned());
    Ok(found.unwrap_or_else(|| call.value(1).clone()))
}

fn getcwd(_: &mut Call<'_>) -> Result<Value, Fault> {
    let folder = std::env::current_dir().map_err(|error| failed(&error, "."))?;
    Ok(Value::str(folder.to_string_lossy()))
}

fn listdir(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = if call.is_none(0) { "." } else { call.str(0)? };
    let entries = fs::read_dir(path).map_err(|error| call.fault_at(0, failed(&error, path)))?;
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    Ok(Value::list(names.map(|name| Value::str(name.to_string_lossy())).collect()))
}

fn cpu_count(_: &mut Call<'_>) -> Result<Value, Fault> {
    let count = std::thread::available_parallelism();
    Ok(count.map_or(Value::None, |count| Value::Int(count.get() as i64)))
}

/// What the system said, as CPython writes it.
pub(super) fn failed(error: &std::io::Error, path: &str) -> Fault {
    let kind = match error.kind() {
        std::io::ErrorKind::NotFound => ErrorKind::FileNotFound,
        _ => ErrorKind::Os,
    };
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    let number = error.raw_os_error().map_or(String::new(), |number| format!("[Errno {number}] "));
    let mut shown = String::new();
    crate::interp::quote(path, &mut shown);
    Fault::new(kind, format!("{number}{words}: {shown}"))
}
