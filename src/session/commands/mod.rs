//! `:commands`: one table with names, signatures, words for help, and the functions that do them.
//! Help, completion and did-you-mean all read the table.

mod arguments;
mod chart;
mod complete;
mod device;
mod explain;
mod files;
mod help;
mod inspect;
mod kernels;
mod magic;
mod memory;
mod past;
mod profile;
mod set;
mod table;
mod time;
mod view;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::memory_view::Mark;
use super::profile::{Profile, Profiled};
use super::shortage::Refused;
use super::{Config, Dropped, Session, Sink};
use crate::diag::{
    At, Diagnostic, ErrorKind, Fault, Source, SourceResult, Span, Spanned, did_you_mean,
};
use crate::report::Report;
use crate::syntax::ast::Ident;

pub use complete::{complete, complete_magic};
pub use help::command_help;
pub use inspect::{is_input, is_result};
pub use table::COMMANDS;

/// A command as the user wrote it.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// Without the colon.
    pub name: &'a Spanned<Ident>,
    /// The rest of the line.
    pub args: &'a Spanned<Rc<str>>,
    pub source: &'a Source,
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Command {
    /// Without the colon.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// `:mem [WHAT] [DEVICE]`
    pub signature: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Everything else there is to say, in lines.
    pub text: &'static str,
    /// What its argument can be, for completion.
    pub argument: Argument,
    run: fn(&mut Call<'_>) -> SourceResult<()>,
}

/// What completion offers behind a command's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    Nothing,
    /// A statement or an expression.
    Statement,
    File,
    /// A setting, then a value of it.
    Setting,
    /// A command or a name of the library.
    Topic,
    Device,
    Variable,
    /// What `:mem` takes.
    Memory,
    /// What `:kernels` takes.
    Kernels,
    /// What `:profile` takes.
    Profile,
}

/// What commands keep between two inputs.
#[derive(Debug, Default)]
pub struct Desk {
    /// The choices as the session was opened, or last reset.
    pub opened: Config,
    /// States of the memory to compare with, by name; the latest `:mem` has the empty name.
    pub marks: BTreeMap<String, Mark>,
    /// The texts that the error of a loaded file points into, until the cell that loaded it ends.
    pub loaded: Vec<Rc<Source>>,
    /// Results that the running cell let go of.
    pub dropped: Option<Dropped>,
    /// The numbers of the results that `_`, `__` and `___` hold, the latest last.
    pub recent: VecDeque<usize>,
    /// The latest statement that ran out of memory.
    pub refused: Option<Refused>,
    /// Where the memory is written to as it was when it ran out.
    pub snapshot_file: Option<memory::SnapshotFile>,
    /// What is being profiled, and what was stopped last.
    pub profile: Option<Profile>,
    pub profiled: Option<Profiled>,
    /// How many files are being loaded, one by the other.
    pub loading: usize,
    /// How often each device, in the engine's order, had run out of memory when somebody looked.
    pub shortages: RefCell<Vec<u64>>,
}

/// A command that is being run.
struct Call<'a> {
    session: &'a mut Session,
    sink: &'a mut dyn Sink,
    source: &'a Source,
    command: &'static Command,
    /// How it is used, for hints; a command with words of its own makes it narrower.
    usage: &'static str,
    /// The command's name, with its colon.
    name: Span,
    /// The rest of the line, without the blanks around it.
    args: Span,
    /// The lines below `%%name`.
    body: Option<Span>,
    /// The exit status of a user who asked to leave.
    quit: Option<u8>,
}

/// Runs a command. Gives the exit status if the user asked to leave.
///
/// # Errors
/// A command that is not there, and whatever a command finds wrong.
pub fn run(
    session: &mut Session,
    invocation: &Invocation<'_>,
    sink: &mut dyn Sink,
) -> SourceResult<Option<u8>> {
    let Invocation { name, args, source } = invocation;
    if let Some(topic) = name.node.strip_suffix('?') {
        return magic::help(name, topic, sink).map(|()| None);
    }
    if name.node.starts_with(['%', '!']) {
        return magic::run(session, invocation, sink);
    }
    let command = find(&name.node).ok_or_else(|| unknown(name))?;
    // A colon stands in front of the name.
    let name = Span { start: name.span.start.saturating_sub(1), ..name.span };
    let usage = command.signature;
    let (args, body, quit) = (args.span, None, None);
    Call { session, sink, source, command, usage, name, args, body, quit }.run()
}

/// The command of that name, or of an alias of it.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name || command.aliases.contains(&name))
}

/// Every name and alias.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS
        .iter()
        .flat_map(|command| std::iter::once(command.name).chain(command.aliases.iter().copied()))
}

#[cold]
fn unknown(name: &Spanned<Ident>) -> Box<Diagnostic> {
    let diagnostic = if name.node.is_empty() {
        Diagnostic::new(ErrorKind::Name, name.span, "expected a command after the colon")
    } else {
        Diagnostic::new(
            ErrorKind::Name,
            name.span,
            format!("no command is called `:{}`", name.node),
        )
    };
    Box::new(match did_you_mean(&name.node, names()) {
        Some(near) => diagnostic.with_hint(format!("did you mean `:{near}`?")),
        None => diagnostic.with_hint("`:help` lists the commands"),
    })
}

impl Call<'_> {
    fn run(mut self) -> SourceResult<Option<u8>> {
        let result = catch_unwind(AssertUnwindSafe(|| (self.command.run)(&mut self)));
        match result {
            Ok(result) => result.map(|()| self.quit),
            Err(_) => {
                self.session.interp.abandon_statement();
                let message = format!("internal error in `:{}`", self.command.name);
                let hint = "this is a bug in genesis-repl; the session is as it was";
                let diagnostic = Diagnostic::new(ErrorKind::Runtime, self.name, message);
                Err(Box::new(diagnostic.with_hint(hint)))
            }
        }
    }

    /// Waits for the device of the session's choice.
    fn settle(&mut self) -> SourceResult<()> {
        self.session.settle_for(self.name, self.sink)
    }

    /// What Ctrl-C cut off while it was put together is not shown.
    fn show(&mut self, report: impl Into<Report>) {
        if !self.session.engine().interrupt().is_raised() {
            self.sink.report(&report.into());
        }
    }

    /// An error about the argument at `span`, with the signature as a hint.
    #[cold]
    fn misuse(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        let hint = format!("usage: `{}`", self.usage);
        Box::new(Diagnostic::new(ErrorKind::Value, span, message).with_hint(hint))
    }

    /// The place for an error about something that is missing: the argument, or else the name.
    fn place(&self) -> Span {
        if self.args.start == self.args.end { self.name } else { self.args }
    }

    /// Refuses arguments.
    fn no_arguments(&self) -> SourceResult<()> {
        if self.args.start == self.args.end {
            return Ok(());
        }
        let message = format!("`:{}` takes no argument", self.command.name);
        Err(self.misuse(self.args, message))
    }
}

/// `result`, an error of the operating system placed at `span`.
fn with_file<T>(result: std::io::Result<T>, path: &str, span: Span) -> SourceResult<T> {
    result
        .map_err(|error| {
            let kind = match error.kind() {
                std::io::ErrorKind::NotFound => ErrorKind::FileNotFound,
                std::io::ErrorKind::Interrupted => ErrorKind::KeyboardInterrupt,
                std::io::ErrorKind::OutOfMemory => ErrorKind::Memory,
                _ => ErrorKind::Os,
            };
            let reason = match error.kind() {
                std::io::ErrorKind::NotFound => "no such file or folder".to_string(),
                std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
                std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
                std::io::ErrorKind::Interrupted => "stopped by the user".to_string(),
                std::io::ErrorKind::OutOfMemory => {
                    "it is longer than `host_memory` allows".to_string()
                }
                std::io::ErrorKind::StorageFull => "no space left on the disk".to_string(),
                _ => error.to_string(),
            };
            Fault::new(kind, format!("`{path}`: {reason}"))
        })
        .at(span)
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.signature)
    }
}
