//! Places where only a few words make sense: behind `dtype=`, behind `device=`, in `d["`, in a string.

use super::{Completions, Items, OpenCall, files, is_name, open_call, path_at_end};
use crate::dtype::DType;
use crate::interp::Value;
use crate::interp::builtins::ParameterKind;
use crate::session::Session;

/// What an argument is for, where its values can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    DType,
    Device,
    /// What `x.to(…)` takes.
    Either,
}

impl Session {
    /// What fits where the word at `start` stands, if that is known.
    pub(super) fn at_place(&self, before: &str, start: usize) -> Option<Items> {
        let typed = &before[start..];
        if let Some(owner) = before[..start].strip_suffix('[').filter(|_| typed.is_empty()) {
            let keys = self.keys(owner).into_iter();
            let items: Items = keys.map(|(key, about)| (self.repr(&key), about)).collect();
            return (!items.is_empty()).then_some(items);
        }
        let call = open_call(&before[..start])?;
        let topic = self.topic(&call)?;
        // A call or an index of an argument's own is no name of a type.
        if !call.argument.trim_end().is_empty() && !call.argument.trim_end().ends_with('=') {
            return None;
        }
        let is_keyword = call.argument.contains('=');
        let mut items = Items::new();
        if topic != Topic::Device {
            items.extend(dtypes());
        }
        if topic != Topic::DType {
            items.extend(self.devices().map(|(name, about)| (format!("'{name}'"), about)));
        }
        items.retain(|(name, _)| name.trim_start_matches('\'').starts_with(typed));
        items.extend(self.values_for(topic, typed));
        // By position anything else may follow, but for a name that is none of the library's.
        (is_keyword || (typed.is_empty() && !items.is_empty())).then_some(items)
    }

    /// The types among what a module has, where a type is to stand.
    pub(super) fn types_in(&self, before: &str, owner: &str) -> Option<Items> {
        let path = path_at_end(owner);
        let call = open_call(&owner[..owner.len() - path.len()])?;
        if path.is_empty() || self.topic(&call)? != Topic::DType {
            return None;
        }
        let module = self.resolve(path).filter(|value| matches!(value, Value::Module(_)))?;
        let typed = &before[owner.len() + 1..];
        let evaluator = self.quiet();
        let is_type = |name: &String| {
            let found = evaluator.peek(&module, name);
            matches!(found, Some(Value::DType(_)))
        };
        let names = evaluator.attributes_of(&module).into_iter();
        let names = names.filter(|name| name.starts_with(typed)).filter(is_type);
        let items: Items = names.map(|name| (name, "dtype".to_owned())).collect();
        (!items.is_empty()).then_some(items)
    }

    /// What fits in a string that begins at `start`: a key, a type, a device, or a file.
    pub(super) fn in_string(&self, before: &str, start: usize) -> Completions {
        let typed = &before[start..];
        let quote = before[..start].chars().next_back().unwrap_or('"');
        let outside = before[..start].trim_end_matches(quote);
        if let Some(owner) = outside.strip_suffix('[') {
            let mut items = Items::new();
            for (key, about) in self.keys(owner) {
                let Value::Str(text) = &key else { continue };
                // What would need a backslash can't be put in as it is.
                if text.starts_with(typed)
                    && !text.contains(|c: char| c == quote || c == '\\' || c.is_control())
                {
                    items.push((text.to_string(), about));
                }
            }
            return Completions { start, items };
        }
        let topic = open_call(outside).and_then(|call| self.topic(&call));
        let mut items = Items::new();
        match topic {
            None => return files(before, start),
            Some(Topic::DType) => items.extend(dtypes()),
            Some(Topic::Device) => items.extend(self.devices()),
            Some(Topic::Either) => items.extend(self.devices().chain(dtypes())),
        }
        items.retain(|(name, _)| name.starts_with(typed));
        Completions { start, items }
    }

    /// The keys of the dictionary that a path at the end of a text names, with words about each.
    fn keys(&self, owner: &str) -> Vec<(Value, String)> {
        let path = path_at_end(owner);
        match self.resolve(path).filter(|_| !path.is_empty()) {
            Some(Value::Dict(entries)) => {
                let entries = entries.borrow();
                let keys =
                    entries.iter().map(|(key, value)| (key.value().clone(), self.detail(value)));
                keys.collect()
            }
            // What a class says of itself, as IPython asks for it.
            Some(object @ Value::Object(_)) => {
                let evaluator = self.quiet();
                let told = evaluator.peek(&object, "_ipython_key_completions_");
                let told = told.and_then(|tell| evaluator.call_value(&tell, [], []).ok());
                let keys = told.and_then(|keys| evaluator.iterate(&keys).ok()).unwrap_or_default();
                keys.into_iter().map(|key| (key, String::new())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the argument at the cursor is for.
    fn topic(&self, call: &OpenCall<'_>) -> Option<Topic> {
        let of = |name: &str| match name {
            "dtype" => Some(Topic::DType),
            "device" | "map_location" => Some(Topic::Device),
            _ => None,
        };
        if let Some((keyword, _)) = call.argument.split_once('=') {
            let keyword = keyword.trim();
            return of(keyword).filter(|_| keyword.chars().all(is_name));
        }
        let (function, is_method) = self.callee(call.callee)?;
        let row = function.builtin;
        if row.name == "to" {
            return Some(Topic::Either);
        }
        let parameter =
            function.signature().parameters.get(call.position + usize::from(is_method))?;
        let is_keyword = parameter.kind == ParameterKind::KeywordOnly;
        of(parameter.name).filter(|_| !is_keyword)
    }

    fn devices(&self) -> impl Iterator<Item = (String, String)> {
        let devices = self.engine().devices();
        devices.map(|device| (device.id().to_string(), device.name().to_string()))
    }

    /// The variables that hold such a thing, and the modules that have more.
    fn values_for(&self, topic: Topic, typed: &str) -> Items {
        let fits = |value: &Value| match value {
            Value::DType(_) => topic != Topic::Device,
            Value::Module(_) => true,
            value => topic != Topic::DType && value.type_name() == "device",
        };
        let known = self.interp.scope.borrow();
        let found = known.iter().filter(|(name, value)| name.starts_with(typed) && fits(value));
        let mut items: Items =
            found.map(|(name, value)| (name.to_string(), self.detail(&value))).collect();
        items.sort();
        items
    }
}

/// The types of elements, as a program names them.
fn dtypes() -> impl Iterator<Item = (String, String)> {
    DType::ALL.into_iter().map(|dtype| (dtype.name().to_owned(), "dtype".to_owned()))
}
