//! `os`: the environment and the folders. Nothing in it starts a process, or changes a file that is there.

use std::fs;
use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::object::file::failed;
use crate::interp::value::{Entries, Key, Module, Str, Value};

const fn os(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Os, signature, run, doc).asks_objects()
}

pub const BUILTINS: &[Builtin] = &[
    os("getcwd()", getcwd, "The folder in which the session runs."),
    os("listdir(path='.')", listdir, "The names in a folder, in no order."),
    os("mkdir(path, mode=511)", mkdir, "Makes a folder in one that is there.").acts(),
    os(
        "getpid()",
        |_| Ok(Value::Int(i64::from(std::process::id()))),
        "The number of this process.",
    ),
    os("cpu_count()", cpu_count, "How many processors there are."),
    os("fspath(path, /)", |call| Ok(Value::Str(call.path(0)?)), "A path as a string."),
];

/// What the process has been given.
pub const ENVIRONMENT: Builtin = Builtin::new("first_environment()", |_| {
    let entry = |(name, value): (String, String)| {
        Some((Key::new(Value::str(name)).ok()?, Value::str(value)))
    };
    // What is no text can't be a value of the language.
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let entries: Entries = texts.filter_map(entry).collect();
    Ok(Value::Dict(Rc::new(entries.into())))
})
.homes(Homes::NONE)
.doc("The environment as a dictionary.");

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    let separator = std::path::MAIN_SEPARATOR.to_string();
    let names = if cfg!(windows) { ("nt", "\r\n", ";") } else { ("posix", "\n", ":") };
    vec![
        (Module::Os, "sep", Value::str(&separator)),
        (Module::Path, "sep", Value::str(separator)),
        (Module::Os, "name", Value::str(names.0)),
        (Module::Os, "linesep", Value::str(names.1)),
        (Module::Os, "pathsep", Value::str(names.2)),
        (Module::Os, "curdir", Value::str(".")),
        (Module::Os, "pardir", Value::str("..")),
    ]
}

fn getcwd(_: &mut Call<'_>) -> Result<Value, Fault> {
    let folder = std::env::current_dir().map_err(|error| failed(&error, "."))?;
    Ok(Value::str(folder.to_string_lossy().into_owned()))
}

fn listdir(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = if call.is_none(0) { Str::from(".".to_owned()) } else { call.path(0)? };
    let entries = fs::read_dir(&*path).map_err(|error| call.fault_at(0, failed(&error, &path)))?;
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    Ok(Value::list(names.map(|name| Value::str(name.to_string_lossy().into_owned())).collect()))
}

fn mkdir(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (path, mode) = (call.path(0)?, call.int(1)?);
    let mut folder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, mode as u32);
    #[cfg(not(unix))]
    let _ = mode;
    folder.create(&*path).map_err(|error| call.fault_at(0, failed(&error, &path)))?;
    Ok(Value::None)
}

fn cpu_count(_: &mut Call<'_>) -> Result<Value, Fault> {
    let count = std::thread::available_parallelism();
    Ok(count.map_or(Value::None, |count| Value::Int(count.get() as i64)))
}
