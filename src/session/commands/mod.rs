//! `:commands`.

use super::{Session, Sink};
use crate::diag::{Diagnostic, ErrorKind, Source, SourceResult, Spanned, did_you_mean};
use crate::syntax::ast::Ident;
use std::rc::Rc;

/// A command as the user wrote it.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// Without the colon.
    pub name: &'a Spanned<Ident>,
    /// The rest of the line.
    pub args: &'a Spanned<Rc<str>>,
    pub source: &'a Source,
}

/// Runs a command. True if the user asked to leave.
///
/// # Errors
/// A command that is not there, and whatever a command finds wrong.
pub fn run(
    session: &mut Session,
    call: &Invocation<'_>,
    _sink: &mut dyn Sink,
) -> SourceResult<bool> {
    match &*call.name.node {
        "quit" | "q" | "exit" => Ok(true),
        "reset" => {
            session.reset();
            Ok(false)
        }
        name => {
            let message = format!("there is no command `:{name}`");
            let diagnostic = Diagnostic::new(ErrorKind::Name, call.name.span, message);
            Err(Box::new(match did_you_mean(name, ["quit", "reset"]) {
                Some(near) => diagnostic.with_hint(format!("did you mean `:{near}`?")),
                None => diagnostic,
            }))
        }
    }
}

/// What could follow in a line that begins with a colon: where the word begins, and its
/// completions with a few words about each.
pub fn complete(_session: &Session, line: &str, cursor: usize) -> (usize, Vec<(String, String)>) {
    let start = line[..cursor].rfind([' ', ':']).map_or(0, |at| at + 1);
    let typed = &line[start..cursor];
    let names = [("quit", "leaves"), ("reset", "forgets all variables")];
    let known = names.iter().filter(|(name, _)| name.starts_with(typed));
    (start, known.map(|(name, doc)| ((*name).to_owned(), (*doc).to_owned())).collect())
}
