//! What could stand behind a colon.

use super::{Argument, COMMANDS, find, memory, table};
use crate::session::settings::{SETTINGS, Setting};
use crate::session::{Session, complete::files};

type Items = Vec<(String, String)>;

/// What could follow in a line that begins with a colon: where the word begins, and its
/// completions with a few words about each.
pub fn complete(session: &Session, line: &str, cursor: usize) -> (usize, Items) {
    let line = line.get(..cursor).unwrap_or(line);
    let colon = line.find(':').map_or(0, |at| at + 1);
    let start = line
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    if start < colon {
        let all = COMMANDS.iter().map(|command| (command.name, command.summary));
        return (colon, matching(all, &line[colon..]));
    }
    let typed = &line[start..];
    let mut words = line[colon..start].split_whitespace();
    let Some(command) = words.next().and_then(find) else { return (start, Vec::new()) };
    let before: Vec<&str> = words.collect();
    let items = match command.argument {
        Argument::Nothing => Vec::new(),
        Argument::Statement => {
            let skipped = line.len() - line[colon..].len() + command.name.len();
            let from = line[skipped.min(start)..].find(char::is_whitespace).unwrap_or(0)
                + skipped.min(start);
            let found = session.complete(&line[from..], line.len() - from);
            return (from + found.start, found.items);
        }
        Argument::File => return files_in(line, start),
        Argument::Setting => match before.as_slice() {
            [] => matching(SETTINGS.iter().map(|s| (s.name, s.doc)), typed),
            [name] => Setting::find(name).map_or(Vec::new(), |setting| {
                let choices = setting.choices.iter().copied().chain(["default"]);
                matching(choices.map(|choice| (choice, setting.name)), typed)
            }),
            _ => Vec::new(),
        },
        Argument::Topic => {
            let commands = table::COMMANDS.iter().map(|c| (c.name, c.summary));
            let mut items = matching(commands, typed);
            let names = session.interp.bare_names();
            let names = names.iter().filter(|name| !name.contains('.'));
            items.extend(matching(names.map(|name| (&**name, "")), typed));
            items.sort();
            items
        }
        Argument::Device => match before.as_slice() {
            [] => {
                let mut items = devices(session, typed);
                items.extend(matching([("simulate", "opens a simulated GPU of a size")], typed));
                items
            }
            _ => Vec::new(),
        },
        Argument::Variable => {
            let scope = session.interp.scope.borrow();
            let variables: Vec<_> = scope.iter().collect();
            let names = variables.iter().map(|(name, value)| (&***name, value.type_name()));
            let mut items = matching(names, typed);
            items.sort();
            items
        }
        Argument::Memory => match before.as_slice() {
            [] => {
                let whats = memory::WHATS.iter().map(|what| (what.name(), what.summary));
                let mut items = matching(whats, typed);
                items.extend(devices(session, typed));
                items
            }
            ["top", ..] => {
                let mut items = matching(memory::RANKS, typed);
                items.extend(devices(session, typed));
                items
            }
            ["peak"] => matching([("reset", "begins anew")], typed),
            ["live"] => matching([("off", "ends the panel")], typed),
            ["save" | "export"] => return files_in(line, start),
            ["export", _] => {
                let mut items = matching(memory::export_words(), typed);
                items.extend(devices(session, typed));
                items
            }
            ["save", _] => matching([("--last", "only the last events")], typed),
            ["replay", ..] => {
                let kinds = crate::replay::KINDS.iter().map(|kind| (kind.name, kind.summary));
                let limit = [("--limit", "what the device has, such as `8GiB`")];
                let mut items = matching(kinds.chain(limit), typed);
                items.extend(devices(session, typed));
                items.extend(files_in(line, start).1);
                items
            }
            ["diff"] => {
                let marks = session.desk.marks.keys().filter(|name| !name.is_empty());
                matching(marks.map(|name| (name.as_str(), "mark")), typed)
            }
            _ => devices(session, typed),
        },
        Argument::Kernels => match before.as_slice() {
            [] => {
                let mut items = matching([("clear", "empties the cache on disk")], typed);
                items.extend(kernels(session, typed));
                items.extend(devices(session, typed));
                items
            }
            _ => devices(session, typed),
        },
        Argument::Profile => match before.as_slice() {
            [] => matching(super::profile::WORDS, typed),
            ["stop"] => return files_in(line, start),
            _ => Vec::new(),
        },
    };
    (start, items)
}

/// Names with a few words about each, as far as they begin as the typed word does.
fn matching<'a>(items: impl IntoIterator<Item = (&'a str, &'a str)>, typed: &str) -> Items {
    let items = items.into_iter().filter(|(name, _)| name.starts_with(typed));
    items.map(|(name, doc)| (name.to_string(), doc.to_string())).collect()
}

fn devices(session: &Session, typed: &str) -> Items {
    let devices = session.engine().devices();
    let items = devices.map(|device| (device.id().to_string(), device.name().to_string()));
    items.filter(|(name, _)| name.starts_with(typed)).collect()
}

fn kernels(session: &Session, typed: &str) -> Items {
    let device = session.engine().device();
    let list = device.backend().cuda().map_or(Vec::new(), |gpu| gpu.kernel_list());
    let mut items: Items =
        list.into_iter().map(|kernel| (kernel.name, kernel.macros.to_string())).collect();
    items.retain(|(name, _)| name.starts_with(typed));
    items.sort();
    items.dedup_by(|a, b| a.0 == b.0);
    items
}

fn files_in(line: &str, start: usize) -> (usize, Items) {
    let quote = usize::from(line[start..].starts_with(['"', '\'']));
    let found = files(line, start + quote);
    (found.start, found.items)
}

/// The magics that are the same here, in a line that begins with one; then files or nothing.
pub fn complete_magic(line: &str) -> (usize, Items) {
    let blanks = line.len() - line.trim_start().len();
    if line.trim_start().contains(char::is_whitespace) {
        let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let is_run = line.trim_start().starts_with("%run");
        return if is_run { files_in(line, start) } else { (start, Vec::new()) };
    }
    let percents = if line.trim_start().starts_with("%%") { "%%" } else { "%" };
    let known = super::magic::same(percents.len() == 2);
    let items = known.map(|(name, about)| (format!("{percents}{name}"), about.to_owned()));
    (blanks, items.filter(|(name, _)| name.starts_with(&line[blanks..])).collect())
}
