//! IPython's `%magics` and `!commands`: what we have under another name is run, what we do not need
//! says so and goes on, and anything else is an error that names ours.

use std::rc::Rc;

use super::{Call, Command, Invocation, command_help, find, names};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span, Spanned, did_you_mean};
use crate::report::Markup;
use crate::session::{Session, Sink};
use crate::syntax::ast::Ident;

enum Meaning {
    /// Our command of that name does the same.
    Same(&'static str),
    /// Nothing is to be done, for this reason.
    Needless(&'static str),
    /// What there is instead.
    Instead(&'static str),
}

use Meaning::{Instead, Needless, Same};

const MAGICS: &[(&[&str], Meaning)] = &[
    (&["time"], Same("time")),
    (&["timeit"], Same("timeit")),
    (&["run"], Same("load")),
    (&["who", "whos", "who_ls"], Same("who")),
    (&["history", "hist"], Same("history")),
    (&["reset"], Same("reset")),
    (&["clear", "cls"], Same("clear")),
    (&["pinfo", "pinfo2", "pdoc", "pdef", "lsmagic", "magic", "quickref"], Same("help")),
    (&["exit", "quit"], Same("quit")),
    (&["matplotlib", "pylab"], Needless("`:plot`, `:hist` and `:heat` draw in place")),
    (&["load_ext", "reload_ext", "unload_ext"], Needless("there are no extensions")),
    (
        &["autoreload", "aimport"],
        Needless("programs are read anew whenever `:load FILE` runs them"),
    ),
    (&["load", "loadpy"], Instead("`:load FILE` runs a program in this session")),
    (&["save", "logstart", "notebook"], Instead("`:save FILE` writes the session as a program")),
    (
        &["recall", "rep", "rerun", "macro"],
        Instead("the arrow up recalls what was typed; `In[3]` is its text"),
    ),
    (&["edit", "ed"], Instead("a program in a file is run by `:load FILE`")),
    (
        &["paste", "cpaste"],
        Instead("paste as it is: prompts and a common indentation are taken away"),
    ),
    (&["precision"], Instead("`:set precision DIGITS` sets the digits after the point")),
    (&["config", "alias", "colors", "env", "set_env"], Instead("`:set` lists the settings")),
    (&["reset_selective", "xdel"], Instead("`del NAME` lets go of a variable, `:reset` of all")),
    (&["psearch"], Instead("`np.*sum*?` lists names")),
    (&["psource", "pfile", "pycat"], Instead("`name?` shows what a function does")),
    (
        &["prun", "lprun", "memit", "mprun"],
        Instead("`:time STATEMENT` tells time and memory, `:explain STATEMENT` the work"),
    ),
    (
        &["debug", "pdb", "xmode", "tb"],
        Instead("an error shows its place, and what led there; there is no debugger"),
    ),
    (
        &["pip", "conda", "mamba", "uv"],
        Instead("nothing can be installed: NumPy's and PyTorch's functions are built in"),
    ),
    (&["capture"], Instead("a `;` behind an expression keeps its value from being shown")),
    (
        &[
            "cd",
            "pwd",
            "ls",
            "ll",
            "dir",
            "cat",
            "less",
            "mkdir",
            "rm",
            "cp",
            "mv",
            "system",
            "sx",
            "sc",
            "bash",
            "sh",
            "script",
            "writefile",
            "python",
            "python3",
        ],
        Instead(NO_PROCESSES),
    ),
    (
        &["html", "HTML", "svg", "SVG", "javascript", "js", "latex", "markdown"],
        Instead("cells show values, charts and text"),
    ),
];

/// Commands that also take the lines below them.
const TIMERS: [&str; 2] = ["time", "timeit"];

const NO_PROCESSES: &str =
    "no other programs are started from here; Tab completes files in `:load ` and in strings";

/// Runs `%name args`, `%%name args` with the lines below, or `!args`.
///
/// # Errors
/// Those of our command; that there is no such thing here.
pub fn run(
    session: &mut Session,
    invocation: &Invocation<'_>,
    sink: &mut dyn Sink,
) -> SourceResult<Option<u8>> {
    let Invocation { name, args, source } = invocation;
    let plain = name.node.trim_start_matches('%');
    let Some(meaning) = meaning(plain) else { return Err(unknown(name)) };
    match meaning {
        Same(ours) => {
            let Some(command) = find(ours) else { return Err(unknown(name)) };
            let is_cell = name.node.starts_with("%%");
            let (line, body) = if is_cell { split(args) } else { (args.span, None) };
            if is_cell && !TIMERS.contains(ours) {
                let message = format!("`{}` takes a line, and no lines below it", name.node);
                return Err(refuse(name, message, &format!("write `%{plain}`, or `:{ours}`")));
            }
            let (usage, name, quit) = (command.signature, name.span, None);
            Call { session, sink, source, command, usage, name, args: line, body, quit }.run()
        }
        Needless(why) => {
            let text = format!(" has nothing to do here: {why}");
            sink.notice(&Markup::new().command(&*name.node).dim(text));
            Ok(None)
        }
        Instead(what) => {
            let message = format!("`{}` is IPython's", name.node);
            Err(refuse(name, message, what))
        }
    }
}

/// The magics that our commands do, for a line or for the lines below one, with words about each.
pub fn same(is_cell: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = MAGICS.iter().filter_map(move |(names, meaning)| match meaning {
        Same(ours) if !is_cell || TIMERS.contains(ours) => {
            Some(names.iter().map(|name| (*name, find(ours).map_or("", |c| c.summary))))
        }
        _ => None,
    });
    rows.flatten()
}

/// What `%name?` and `:name?` show.
///
/// # Errors
/// That there is no such command.
pub fn help(name: &Spanned<Ident>, topic: &str, sink: &mut dyn Sink) -> SourceResult<()> {
    let topic = topic.trim_end_matches('?');
    let plain = topic.trim_start_matches('%');
    let ours = match meaning(plain).filter(|_| topic.starts_with('%')) {
        Some(Same(ours)) => find(ours),
        Some(Needless(what) | Instead(what)) => {
            sink.help(&Markup::new().command(topic).dim(" is IPython's: ").plain(*what).into());
            return Ok(());
        }
        None => find(plain),
    };
    let topic: Spanned<Ident> = Spanned { node: Rc::from(topic), span: name.span };
    let command: &Command = match ours {
        Some(command) => command,
        None if topic.node.starts_with('%') => return Err(unknown(&topic)),
        None => return Err(super::unknown(&topic)),
    };
    sink.help(&command_help(command).into());
    Ok(())
}

fn meaning(plain: &str) -> Option<&'static Meaning> {
    const SHELL: Meaning = Instead(NO_PROCESSES);
    if plain.starts_with('!') {
        return Some(&SHELL);
    }
    MAGICS.iter().find(|(names, _)| names.contains(&plain)).map(|(_, meaning)| meaning)
}

/// The rest of the first line, and the lines below it.
fn split(args: &Spanned<Rc<str>>) -> (Span, Option<Span>) {
    // The name may be the first line's all.
    let first = args.node.split('\n').next().unwrap_or_default();
    let end = args.span.start as usize + first.trim_end().len();
    let line = Span { end: end as u32, ..args.span };
    (line, Some(Span { start: args.span.start + first.len() as u32, ..args.span }))
}

#[cold]
fn refuse(name: &Spanned<Ident>, message: String, hint: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(ErrorKind::Name, name.span, message).with_hint(hint))
}

#[cold]
fn unknown(name: &Spanned<Ident>) -> Box<Diagnostic> {
    let plain = name.node.trim_start_matches('%');
    let message = format!("nothing is called `{}`", name.node);
    if find(plain).is_some() {
        return refuse(name, message, &format!("did you mean `:{plain}`?"));
    }
    let known = MAGICS.iter().flat_map(|(names, _)| names.iter().copied());
    match did_you_mean(plain, known.chain(names())) {
        Some(near) if find(near).is_some() => {
            refuse(name, message, &format!("did you mean `:{near}`?"))
        }
        Some(near) => refuse(name, message, &format!("did you mean `%{near}`?")),
        None => refuse(name, message, "`:help` lists the commands"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magics_name_commands_that_are_there() {
        let mut all: Vec<&str> = Vec::new();
        for (names, meaning) in MAGICS {
            all.extend(*names);
            if let Same(ours) = meaning {
                assert!(find(ours).is_some(), "{ours}");
            }
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "a name stands twice");
    }
}
