//! `:command` lines and `name?` lines, which stand between statements.

use std::rc::Rc;

use crate::diag::{Span, Spanned};

use super::ast::{Ident, Stmt};
use super::indent::BLANKS;
use super::input::Input;
use super::token::TokenKind;

/// What the session runs as one: statements and commands, in the order of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub items: Vec<CellItem>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum CellItem {
    Stmt(Stmt),
    /// `:name args`. The name is without the colon and may be empty; `args` is the rest of the
    /// line without the blanks around it. IPython's `%name args` and `!args` are commands, too, whose
    /// name is with its sign; the args of `%%name` are all lines below as well.
    Command {
        name: Spanned<Ident>,
        args: Spanned<Rc<str>>,
    },
    /// `topic?` or `?topic`; `is_long` if there are two question marks. The topic may be empty.
    Help {
        topic: Spanned<Ident>,
        is_long: bool,
    },
}

/// The item of a token that is a whole line.
pub fn item(input: Input<'_>) -> CellItem {
    let line = input.text();
    let part = |text: &str| {
        // `text` is a part of `line`, so its place is the distance of their first bytes.
        let start = input.start() + (text.as_ptr() as usize - line.as_ptr() as usize);
        Span::new(input.lexed.source, start, start + text.len())
    };
    if input.kind() == TokenKind::Help {
        let topic = line.trim_matches('?').trim();
        let is_long = line.starts_with("??") || line.ends_with("??");
        return CellItem::Help {
            topic: Spanned { node: topic.into(), span: part(topic) },
            is_long,
        };
    }
    let line = line.strip_prefix(':').unwrap_or(line);
    let end = match line.strip_prefix('!') {
        Some(_) => 1,
        None => line.find(char::is_whitespace).unwrap_or(line.len()),
    };
    let (name, args) = line.split_at(end);
    // Where the lines below begin is for the command to see.
    let is_cell = name.starts_with("%%");
    let args = if is_cell { args.trim_start_matches(BLANKS).trim_end() } else { args.trim() };
    CellItem::Command {
        name: Spanned { node: name.into(), span: part(name) },
        args: Spanned { node: args.into(), span: part(args) },
    }
}
