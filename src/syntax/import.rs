//! The import forms. Which modules exist is the interpreter's business.

use std::rc::Rc;

use crate::diag::{Span, Spanned};

use super::ast::{Ident, ImportName, ImportNames, StmtKind};
use super::input::{Input, Parse, expected, keyword, op, refuse};
use super::primary::name;
use super::token::{Keyword, Op, TokenKind};

/// `import a.b as c, d`
pub fn import_name(input: Input<'_>) -> Parse<'_, StmtKind> {
    let mut names = Vec::new();
    let mut rest = input.advance();
    loop {
        let (after, path) = dotted_name(rest)?;
        let (after, alias) = alias(after)?;
        names.push(ImportName { path, alias });
        match after.is(Op::Comma) {
            true => rest = after.advance(),
            false => return Ok((after, StmtKind::Import(names))),
        }
    }
}

/// `from a.b import *`, `from a import b as c, d`, `from a import (b, c,)`
pub fn import_from(input: Input<'_>) -> Parse<'_, StmtKind> {
    let from = input.advance();
    if let TokenKind::Op(Op::Dot | Op::Ellipsis) = from.kind() {
        return Err(refuse(from.span(), "relative imports are not in the language"));
    }
    let (rest, module) = dotted_name(from)?;
    let (rest, _) = keyword(Keyword::Import, "`import`")(rest)?;
    if rest.is(Op::Star) {
        let rest = rest.advance();
        return Ok((rest, StmtKind::ImportFrom { module, names: ImportNames::Star }));
    }
    let (rest, names) = import_names(rest)?;
    Ok((rest, StmtKind::ImportFrom { module, names: ImportNames::Names(names) }))
}

pub fn import_names(input: Input<'_>) -> Parse<'_, Vec<ImportName>> {
    let in_parentheses = input.is(Op::LParen);
    let mut rest = if in_parentheses { input.advance() } else { input };
    let mut names = Vec::new();
    loop {
        let (after, path) = name(rest)?;
        let (after, alias) = alias(after)?;
        names.push(ImportName { path, alias });
        rest = after;
        if !rest.is(Op::Comma) {
            break;
        }
        let comma = rest;
        rest = rest.advance();
        if in_parentheses && rest.is(Op::RParen) {
            break;
        }
        if !in_parentheses && rest.kind() == TokenKind::Newline {
            return Err(refuse(
                comma.span(),
                "a trailing comma needs parentheses around the names",
            ));
        }
    }
    if in_parentheses {
        (rest, _) = op(Op::RParen, "`,` or `)`")(rest)?;
    }
    Ok((rest, names))
}

/// `numpy.linalg`: one name, dots included.
pub fn dotted_name(input: Input<'_>) -> Parse<'_, Spanned<Ident>> {
    if !matches!(input.kind(), TokenKind::Name | TokenKind::Keyword(_)) {
        return expected(input, "the name of a module");
    }
    let (mut rest, first) = name(input)?;
    let mut path = first.node.to_string();
    while rest.is(Op::Dot) {
        let (after, part) = name(rest.advance())?;
        path.push('.');
        path.push_str(&part.node);
        rest = after;
    }
    let span: Span = input.span_to(rest);
    Ok((rest, Spanned { node: Rc::from(path), span }))
}

/// `as name`, which may be missing.
pub fn alias(input: Input<'_>) -> Parse<'_, Option<Spanned<Ident>>> {
    match input.is_keyword(Keyword::As) {
        true => name(input.advance()).map(|(rest, name)| (rest, Some(name))),
        false => Ok((input, None)),
    }
}
