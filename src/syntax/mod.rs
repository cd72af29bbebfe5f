//! Text to tree: pure functions that know nothing of tensors.
//!
//! `lexer` makes tokens of any text, `stmt::cell` and the productions below it make a
//! tree of the tokens, with nom's parsers over `input::Input`. `grammar/genesis.ebnf` is the
//! normative grammar; each production is the function of the same name here. `check` then asks what
//! a grammar cannot say: a `return` needs a function, a `nonlocal` a binding. The highlighter and
//! the question "is this input complete?" read the same tokens.

pub mod ast;
mod bound;
mod call;
mod check;
mod command;
mod complete;
mod compound;
mod comprehension;
mod define;
mod dump;
mod error;
mod expr;
mod fstring;
mod highlight;
mod import;
mod indent;
mod index;
mod input;
mod lexer;
mod misindent;
mod name;
mod number;
mod primary;
mod prompt;
mod room;
mod shell;
mod stmt;
mod string;
mod target;
mod token;
mod unsupported;

use std::ops::Range;

use crate::diag::{Diagnostic, ErrorKind, Source, SourceResult, Span};

pub use bound::{Binding, BoundName, attributes_seen, bound_names, class_names};
pub use command::{Cell, CellItem};
pub use complete::{Completeness, completeness, ends_in_string, indentation};
pub use dump::dump;
pub use highlight::{TokenClass, highlight, matching_bracket};
pub use indent::MAX_INDENTS;
pub use input::MAX_TREE_DEPTH;
pub use lexer::MAX_NESTING;
pub use name::{continues_name, is_identifier, normalized, starts_name};
pub use prompt::as_typed;
pub use room::with_room;
pub use shell::shell_word;
pub use token::{Keyword, Op};
pub use unsupported::foreign_name;

/// The tree of a text without commands.
///
/// # Errors
/// The first thing that is no program: kind `Syntax`, placed under the token that does not fit.
pub fn parse(source: &Source) -> SourceResult<ast::Module> {
    parse_range(source, 0..source.text.len())
}

/// The tree of a part of a text, such as the argument of `:explain`; spans count from the start of
/// the whole text. The range must begin and end between characters.
pub fn parse_range(source: &Source, range: Range<usize>) -> SourceResult<ast::Module> {
    let cell = cell_in(source, range)?;
    let mut body = Vec::with_capacity(cell.items.len());
    for item in cell.items {
        let span = match item {
            CellItem::Stmt(stmt) => {
                body.push(stmt);
                continue;
            }
            CellItem::Command { name, args } => name.span.to(args.span),
            CellItem::Help { topic, .. } => topic.span,
        };
        let message = "expected a statement, found a command";
        return Err(Box::new(Diagnostic::new(ErrorKind::Syntax, span, message)));
    }
    Ok(ast::Module { body })
}

/// The statements and commands of a cell.
///
/// # Errors
/// As [`parse`].
pub fn parse_cell(source: &Source) -> SourceResult<Cell> {
    cell_in(source, 0..source.text.len())
}

fn cell_in(source: &Source, range: Range<usize>) -> SourceResult<Cell> {
    if source.text.len() >= u32::MAX as usize {
        let span = Span::new(source.id, 0, 0);
        let message = "expected a text of less than 4 GiB, found a longer one";
        return Err(Box::new(Diagnostic::new(ErrorKind::Syntax, span, message)));
    }
    let lexed = lexer::lex(source, range);
    match stmt::cell(input::Input::new(&lexed)) {
        Ok((_, cell)) => check::check(&cell).map(|()| cell),
        Err(nom::Err::Error(problem) | nom::Err::Failure(problem)) => {
            Err(shell::instead(&lexed, problem.into_diagnostic(&lexed)))
        }
        // The parsers are all of the complete kind; an honest answer costs nothing.
        Err(nom::Err::Incomplete(_)) => {
            let span = Span::new(source.id, source.text.len(), source.text.len());
            let message = "expected more text, found the end";
            Err(Box::new(Diagnostic::new(ErrorKind::Syntax, span, message)))
        }
    }
}
