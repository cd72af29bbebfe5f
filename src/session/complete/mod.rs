//! What could stand at the cursor.

mod place;

use std::collections::HashSet;

use super::{Session, TokenClass, Value, commands};
use crate::interp::builtins::{Parameter, ParameterKind};
use crate::interp::value::{Module, Type};
use crate::syntax::{self, Binding, Keyword};

/// Words, each with a few words about it.
pub(super) type Items = Vec<(String, String)>;

/// Words that could replace what stands between `start` and the cursor, each with a few words
/// about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completions {
    pub start: usize,
    pub items: Items,
}

/// Words that nothing of the language needs.
const UNUSED: &[Keyword] = &[Keyword::Async, Keyword::Await];

impl Session {
    /// Names, attributes, keyword arguments, commands and files that could stand at the cursor.
    pub fn complete(&self, text: &str, cursor: usize) -> Completions {
        let Some(before) = text.get(..cursor) else { return Completions::default() };
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = &before[line_start..];
        if line.trim_start().starts_with(':') {
            let (start, items) = commands::complete(self, line, line.len());
            return Completions { start: line_start + start, items };
        }
        if line.trim_start().starts_with(['%', '!']) {
            let (start, items) = commands::complete_magic(line);
            return Completions { start: line_start + start, items };
        }
        if let Some(start) = open_string(before) {
            return self.in_string(before, start);
        }
        let start = before
            .rfind(|c: char| !is_name(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let typed = &before[start..];
        let mut items = match before[..start].strip_suffix('.') {
            Some(owner) if let Some(items) = self.types_in(before, owner) => items,
            Some(owner) => self.attributes(before, owner),
            None if is_module(&before[..start]) => modules(),
            None => match self.at_place(before, start) {
                Some(items) => return Completions { start, items },
                None => self.names(before, start),
            },
        };
        items.retain(|(name, _)| name.starts_with(typed));
        let path = path_at_end(&before[..start]);
        if path.contains('.') && is_module(&before[..start - path.len()]) {
            items.retain(|(_, about)| about == "module");
        }
        // What begins with an underscore is shown to those who ask for it.
        if !typed.starts_with('_') {
            items.retain(|(name, _)| !name.starts_with('_'));
        }
        // Stable: what the text binds is told of rather than what has the name already.
        items.sort_by(|a, b| a.0.cmp(&b.0));
        items.dedup_by(|a, b| a.0 == b.0);
        by_likelihood(&mut items);
        Completions { start, items }
    }

    /// The signature of the function whose arguments are being typed.
    pub fn signature_hint(&self, text: &str, cursor: usize) -> Option<String> {
        let call = open_call(text.get(..cursor)?)?;
        let (function, _) = self.callee(call.callee)?;
        Some(function.builtin.signature.to_owned())
    }

    fn attributes(&self, before: &str, owner: &str) -> Items {
        let path = path_at_end(owner);
        if let Some(value) = self.resolve(path).filter(|_| !path.is_empty()) {
            return self.attributes_of(&value);
        }
        let local = syntax::bound_names(before, before.len() - 1);
        let local = local.iter().find(|bound| bound.name == path);
        // What a call or an index gives, and what a function is given, is a tensor most of the time.
        let is_tensor = match local {
            Some(bound) => !matches!(path, "self" | "cls") && bound.binding < Binding::Function,
            None => owner.ends_with([')', ']']),
        };
        let registry = &self.interp.registry;
        let methods = registry.methods_of(Type::Tensor).map(str::to_owned);
        let methods = methods.chain(self.interp.written_methods()).filter(|_| is_tensor);
        // The one that is being typed may be none yet.
        let seen = local.map(|_| syntax::attributes_seen(before, path, owner.len()));
        let mut seen = seen.unwrap_or_default();
        if matches!(path, "self" | "cls") {
            seen.extend(syntax::class_names(before, owner.len()));
        }
        seen.into_iter().chain(methods).map(|name| (name, String::new())).collect()
    }

    /// The attributes of a value, with a few words about each.
    pub(super) fn attributes_of(&self, value: &Value) -> Items {
        let evaluator = self.quiet();
        let detail = |name: &str| {
            // What is not there yet is not run to be told of.
            if let Value::Module(module) = value
                && let Some(signature) = self.interp.written_signature(*module, name)
            {
                return signature;
            }
            let found = evaluator.peek(value, name);
            found.map(|found| self.detail(&found)).unwrap_or_default()
        };
        let names = evaluator.attributes_of(value);
        names.into_iter().map(|name| (name.clone(), detail(&name))).collect()
    }

    fn names(&self, before: &str, start: usize) -> Items {
        let mut items = Vec::new();
        if let Some((function, is_method)) =
            open_call(&before[..start]).and_then(|call| self.callee(call.callee))
        {
            let parameters = &function.signature().parameters;
            let by_keyword = |parameter: &&Parameter| {
                !matches!(
                    parameter.kind,
                    ParameterKind::PositionalOnly | ParameterKind::Star | ParameterKind::DoubleStar
                )
            };
            for parameter in parameters.iter().skip(usize::from(is_method)).filter(by_keyword) {
                items.push((format!("{}=", parameter.name), "keyword".to_owned()));
            }
        }
        let locals = syntax::bound_names(before, start);
        items.extend(locals.into_iter().map(|bound| {
            let about = match bound.binding {
                Binding::Variable => "",
                Binding::Parameter => "parameter",
                Binding::Function => "function",
                Binding::Class => "class",
            };
            (bound.name, about.to_owned())
        }));
        let known = self.known_names();
        items.extend(known.into_iter().filter(|(name, _)| !name.contains('.')));
        let words = Keyword::ALL.iter().filter(|word| !UNUSED.contains(word));
        items.extend(words.map(|word| (word.text().to_owned(), "keyword".to_owned())));
        items
    }

    /// The variables and the names of the library, with a few words about each.
    pub(super) fn known_names(&self) -> Items {
        let mut items = Vec::new();
        let scope = self.interp.scope.borrow();
        for (name, value) in scope.iter() {
            items.push((name.to_string(), self.detail(&value)));
        }
        let registry = &self.interp.registry;
        for name in registry.names() {
            if scope.get(name).is_none() {
                let detail = registry.name(name).map(|value| self.detail(value));
                items.push((name.to_owned(), detail.unwrap_or_default()));
            }
        }
        for name in self.interp.bare_names() {
            if registry.name(&name).is_none() && scope.get(&name).is_none() {
                let signature = self.interp.written_signature(Module::Numpy, &name);
                items.push((name, signature.unwrap_or_default()));
            }
        }
        items
    }

    /// The function that a path calls, and whether its receiver stands before the dot.
    pub(super) fn callee(
        &self,
        path: &str,
    ) -> Option<(std::rc::Rc<crate::interp::builtins::Function>, bool)> {
        if let Some(value) = self.resolve(path) {
            let is_method = matches!(value, Value::Method(_));
            return Some((self.function_of(&value)?, is_method));
        }
        // The method of something that has no name: `f(x).sum(`.
        let (_, name) = path.rsplit_once('.')?;
        let function = self.interp.registry.method(Type::Tensor, name)?;
        Some((function.clone(), true))
    }

    /// A few words about a value.
    pub(super) fn detail(&self, value: &Value) -> String {
        match value {
            Value::Function(_) | Value::Method(_) => {
                self.function_of(value).map(|f| f.builtin.signature.to_owned()).unwrap_or_default()
            }
            Value::Native(native) => native.signature(),
            Value::Closure(closure) => closure.signature(&|value| self.repr(value)),
            Value::Tensor(tensor) => format!("{} {}", tensor.dtype(), tensor.shape()),
            _ => value.type_name().to_owned(),
        }
    }
}

/// Whether a module's name is to follow.
fn is_module(before: &str) -> bool {
    let line = before.rsplit(['\n', ';']).next().unwrap_or_default().trim_start();
    match line.strip_prefix("import ") {
        Some(names) => !names.ends_with('.') && !names.trim_end().ends_with(" as"),
        None => line.trim_end() == "from",
    }
}

fn modules() -> Items {
    let names = Module::ALL.iter().map(|module| module.name()).filter(|name| !name.contains('.'));
    names.map(|name| (name.to_owned(), "module".to_owned())).collect()
}

pub(super) fn is_name(c: char) -> bool {
    syntax::continues_name(c)
}

/// The dotted path at the end of a text: `np.linalg` of `y = np.linalg`.
pub(super) fn path_at_end(text: &str) -> &str {
    let start = text.char_indices().rev().find(|(_, c)| !is_name(*c) && *c != '.');
    let path = start.map_or(text, |(at, c)| &text[at + c.len_utf8()..]);
    if path.starts_with(|c: char| c.is_numeric()) { "" } else { path }
}

/// A call whose arguments are being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenCall<'a> {
    /// The path in front of its bracket.
    pub callee: &'a str,
    /// How many commas stand before the cursor.
    pub position: usize,
    /// The argument as far as it is there.
    pub argument: &'a str,
}

/// The call around the end of a text, if the innermost bracket that is open there is one.
pub(super) fn open_call(text: &str) -> Option<OpenCall<'_>> {
    // Where each bracket is, how many commas are in it, and where its last argument begins.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (range, class) in syntax::highlight(text) {
        if matches!(class, TokenClass::String | TokenClass::Comment) {
            continue;
        }
        match text.get(range.clone()) {
            Some("(" | "[" | "{") => open.push((range.start, 0, range.end)),
            Some(")" | "]" | "}") => {
                open.pop();
            }
            Some(",") => {
                if let Some((_, commas, begin)) = open.last_mut() {
                    (*commas, *begin) = (*commas + 1, range.end);
                }
            }
            _ => {}
        }
    }
    let (at, position, begin) = open.pop().filter(|(at, ..)| text[*at..].starts_with('('))?;
    let callee = path_at_end(&text[..at]);
    let call = OpenCall { callee, position, argument: &text[begin..] };
    (!callee.is_empty()).then_some(call)
}

/// In a call its keywords come first; what works in place (`exp_`) comes after everything else, because
/// what stands before it is wanted more often.
fn by_likelihood(items: &mut [(String, String)]) {
    let names: HashSet<String> = items.iter().map(|(name, _)| name.clone()).collect();
    let rank = |name: &str| match name.strip_suffix('_') {
        Some(plain) if names.contains(plain) => 2,
        _ => u8::from(!name.ends_with('=')),
    };
    // Stable: among themselves they stay in the order of the alphabet.
    items.sort_by_key(|(name, _)| rank(name));
}

/// Where the content of a string begins that is still open at the end of a text.
fn open_string(text: &str) -> Option<usize> {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, c) in text[line..].char_indices() {
        match (open, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some((quote, _)), c) if c == quote => open = None,
            (None, '"' | '\'') => open = Some((c, line + at + 1)),
            (None, '#') => return None,
            _ => {}
        }
    }
    open.map(|(_, start)| start)
}

/// Names of files that continue a path.
pub(super) fn files(text: &str, start: usize) -> Completions {
    let typed = &text[start..];
    let split = typed.rfind('/').map_or(0, |at| at + 1);
    let (folder, prefix) = typed.split_at(split);
    let listed = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    let mut items: Vec<(String, String)> = listed
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.file_type().ok()?.is_dir();
            let hidden = name.starts_with('.') && !prefix.starts_with('.');
            let suffix = if is_folder { "/" } else { "" };
            let detail = if is_folder { "folder" } else { "file" };
            (name.starts_with(prefix) && !hidden)
                .then(|| (format!("{folder}{name}{suffix}"), detail.to_owned()))
        })
        .collect();
    items.sort();
    Completions { start, items }
}
