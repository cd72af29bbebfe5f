//! `os.path`: paths as texts, with CPython's rules for POSIX.

use std::fs;
use std::path::Path;

use super::super::{Builtin, Call, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::file::failed;
use crate::interp::value::{Module, Str, Value};

const fn path(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Path, signature, run, doc).asks_objects()
}

pub const BUILTINS: &[Builtin] = &[
    path("join(path, /, *paths)", join, "Parts of a path joined; an absolute one begins anew."),
    path(
        "exists(path)",
        |call| look(call, Path::exists),
        "Whether there is such a file or folder.",
    ),
    path("isfile(path)", |call| look(call, Path::is_file), "Whether it is a file."),
    path("isdir(path)", |call| look(call, Path::is_dir), "Whether it is a folder."),
    path("islink(path)", |call| look(call, Path::is_symlink), "Whether it is a symbolic link."),
    path(
        "isabs(path)",
        |call| Ok(Value::Bool(call.path(0)?.starts_with('/'))),
        "Whether it begins at the root.",
    ),
    path(
        "basename(path)",
        |call| Ok(Value::str(split(&call.path(0)?).1)),
        "What stands behind the last slash.",
    ),
    path(
        "dirname(path)",
        |call| Ok(Value::str(split(&call.path(0)?).0)),
        "What stands before the last slash.",
    ),
    path(
        "split(path)",
        |call| {
            let path = call.path(0)?;
            let (a, b) = split(&path);
            Ok(pair(a, b))
        },
        "(dirname, basename)",
    ),
    path(
        "splitext(path)",
        splitext,
        "The path without its extension, and the extension with its dot.",
    ),
    path(
        "normpath(path)",
        |call| Ok(Value::str(normal(&call.path(0)?))),
        "Without `.`, `..` and slashes too many.",
    ),
    path("abspath(path)", |call| Ok(Value::str(absolute(&call.path(0)?)?)), "From the root on."),
    path("realpath(path)", realpath, "From the root on, links followed."),
    path("relpath(path, start='.')", relpath, "How to come to it from a folder."),
    path("expanduser(path)", expanduser, "With the home folder for a `~` at the beginning."),
    path("getsize(path)", getsize, "The bytes of a file."),
    path("getmtime(path)", getmtime, "When it was changed, in seconds since 1970."),
];

fn pair(a: &str, b: &str) -> Value {
    Value::tuple([Value::str(a), Value::str(b)])
}

fn look(call: &Call<'_>, test: fn(&Path) -> bool) -> Result<Value, Fault> {
    Ok(Value::Bool(test(Path::new(&*call.path(0)?))))
}

fn join(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut joined = call.path(0)?.to_string();
    for argument in call.rest() {
        let Some(part) = call.evaluator.path_of(&argument.value)? else {
            let found = argument.value.type_name();
            let message =
                format!("join() argument must be str, bytes, or os.PathLike object, not '{found}'");
            return Err(call.fault_of(argument, Fault::type_error(message)));
        };
        if part.starts_with('/') {
            joined.clear();
        } else if !joined.is_empty() && !joined.ends_with('/') {
            joined.push('/');
        }
        joined.push_str(&part);
    }
    Ok(Value::str(joined))
}

impl Evaluator<'_> {
    /// The text of a path; `None` for what is none.
    ///
    /// # Errors
    /// Those of an object's `__fspath__`.
    pub(in crate::interp) fn path_of(&self, value: &Value) -> Result<Option<Str>, Fault> {
        let given = match value {
            Value::Object(_) if !matches!(value.plain(), Value::Str(_)) => {
                self.call_special(value, "__fspath__", [])
            }
            _ => None,
        };
        match given.transpose()?.as_ref().unwrap_or(value).plain() {
            Value::Str(path) => Ok(Some(path.clone())),
            _ => Ok(None),
        }
    }
}

/// What stands before and behind the last slash.
fn split(path: &str) -> (&str, &str) {
    let (head, tail) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let trimmed = head.trim_end_matches('/');
    (if trimmed.is_empty() { head } else { trimmed }, tail)
}

fn splitext(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?;
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let first = path[name..].find(|c| c != '.').map_or(path.len(), |at| name + at);
    let dot = path[first..].rfind('.').map_or(path.len(), |at| first + at);
    let (root, extension) = path.split_at(dot);
    Ok(pair(root, extension))
}

fn normal(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    let slashes = path.len() - path.trim_start_matches('/').len();
    let root = match slashes {
        0 => "",
        2 => "//",
        _ => "/",
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match (part, parts.last()) {
            ("..", None) if !root.is_empty() => {}
            ("..", Some(last)) if *last != ".." => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    let whole = format!("{root}{}", parts.join("/"));
    if whole.is_empty() { ".".to_owned() } else { whole }
}

fn absolute(path: &str) -> Result<String, Fault> {
    if path.starts_with('/') {
        return Ok(normal(path));
    }
    let folder = std::env::current_dir().map_err(|error| failed(&error, "."))?;
    Ok(normal(&format!("{}/{path}", folder.to_string_lossy())))
}

fn realpath(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?;
    Ok(match fs::canonicalize(&*path) {
        Ok(real) => Value::str(real.to_string_lossy().into_owned()),
        Err(_) => Value::str(absolute(&path)?),
    })
}

fn relpath(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.path(0)?.is_empty() {
        return Err(call.fault_at(0, Fault::value_error("no path specified")));
    }
    let (path, start) = (absolute(&call.path(0)?)?, absolute(&call.path(1)?)?);
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (path, start) = (parts(&path), parts(&start));
    let common = path.iter().zip(&start).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), start.len() - common);
    let way: Vec<String> = up.chain(path[common..].iter().cloned()).collect();
    Ok(Value::str(if way.is_empty() { ".".to_owned() } else { way.join("/") }))
}

fn expanduser(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?;
    let home = std::env::var("HOME").ok();
    Ok(match (path.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            Value::str(format!("{}{rest}", home.trim_end_matches('/')))
        }
        _ => Value::Str(path),
    })
}

fn metadata(call: &Call<'_>) -> Result<fs::Metadata, Fault> {
    let path = call.path(0)?;
    fs::metadata(&*path).map_err(|error| call.fault_at(0, failed(&error, &path)))
}

fn getsize(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Int(metadata(call)?.len() as i64))
}

fn getmtime(call: &mut Call<'_>) -> Result<Value, Fault> {
    let path = call.path(0)?;
    let changed = metadata(call)?.modified();
    let changed = changed.map_err(|error| call.fault_at(0, failed(&error, &path)))?;
    let since = changed.duration_since(std::time::UNIX_EPOCH);
    Ok(Value::Float(since.map_or(0.0, |since| since.as_secs_f64())))
}
