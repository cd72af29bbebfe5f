//! String literals as expressions: neighbours join, and f-strings hold fields.

use nom::Err;

use super::ast::{Conversion, ExprKind, FStringPart};
use super::expr::value;
use super::input::{Input, Node, Parse, Problem, expected, refuse_with_hint};
use super::string::{decode, decode_bytes, literal};
use super::token::{Op, TokenKind};

/// The parts of an f-string so far, neighbouring texts joined.
#[derive(Debug, Default)]
struct Parts {
    done: Vec<FStringPart>,
    text: String,
    below: u32,
}

impl Parts {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(FStringPart::Literal(std::mem::take(&mut self.text).into()));
        }
    }

    fn finish(mut self) -> (Vec<FStringPart>, u32) {
        self.flush();
        (self.done, self.below)
    }
}

/// `"a" 'b' f"{c}"`: one literal, or several side by side, which join.
#[inline(never)]
pub fn strings(input: Input<'_>) -> Parse<'_, Node> {
    if is_bytes(input) {
        return bytes(input);
    }
    let mut parts = Parts::default();
    let mut is_fstring = false;
    let mut rest = input;
    loop {
        rest = match rest.kind() {
            TokenKind::Str => plain_string(rest, &mut parts)?,
            TokenKind::FStringStart => {
                is_fstring = true;
                let (after, (mut inner, below)) = fstring(rest)?;
                if let Some(FStringPart::Literal(text)) = inner.first() {
                    parts.text.push_str(text);
                    inner.remove(0);
                }
                if !inner.is_empty() {
                    parts.flush();
                    if let Some(FStringPart::Literal(_)) = inner.last()
                        && let Some(FStringPart::Literal(text)) = inner.pop()
                    {
                        parts.text.push_str(&text);
                    }
                    parts.done.append(&mut inner);
                }
                parts.below = parts.below.max(below);
                after
            }
            _ => break,
        };
    }
    if is_fstring {
        let (parts, below) = parts.finish();
        return Ok((rest, input.node(rest, ExprKind::FString(parts), below)?));
    }
    Ok((rest, input.node(rest, ExprKind::Str(parts.text.into()), 0)?))
}

/// From `f"` to the closing quote.
#[inline(never)]
pub fn fstring(input: Input<'_>) -> Parse<'_, (Vec<FStringPart>, u32)> {
    let is_raw = input.text().contains(['r', 'R']);
    let (rest, parts) = fstring_parts(input.advance(), is_raw, true)?;
    match rest.kind() {
        TokenKind::FStringEnd => Ok((rest.advance(), parts)),
        _ => expected(rest, "the end of the f-string"),
    }
}

/// `{value=!r:spec}`, with the text to put in front of it if `=` is there.
#[inline(never)]
pub fn field(input: Input<'_>, is_raw: bool) -> Parse<'_, (FStringPart, u32)> {
    let inside = input.advance();
    if inside.kind() == TokenKind::FStringEnd {
        return Err(never_closed(input));
    }
    if let TokenKind::Op(Op::RBrace | Op::Colon | Op::Exclaim | Op::Equal) = inside.kind() {
        return Err(refuse_with_hint(
            input.span().to(inside.span()),
            "expected an expression in a field of an f-string, found nothing",
            "for a brace in the text, write it twice: `{{`",
        ));
    }
    let (mut rest, value) = value(inside)?;
    let mut below = value.height;
    let mut debug = None;
    if rest.is(Op::Equal) {
        rest = rest.advance();
        let end = rest.start();
        debug = Some(input.lexed.text[input.token().end as usize..end].into());
    }
    let mut conversion = None;
    if rest.is(Op::Exclaim) {
        let letter = rest.advance();
        conversion = Some(match (letter.kind(), letter.text()) {
            (TokenKind::Name, "r") => Conversion::Repr,
            (TokenKind::Name, "s") => Conversion::Str,
            (TokenKind::Name, "a") => Conversion::Ascii,
            _ => return expected(letter, "`r`, `s` or `a` after `!`"),
        });
        rest = letter.advance();
    }
    let mut spec = None;
    if rest.is(Op::Colon) {
        let (after, (parts, height)) = fstring_parts(rest.advance(), is_raw, false)?;
        below = below.max(height);
        spec = Some(parts);
        rest = after;
    }
    let has_spec = spec.is_some();
    match rest.is(Op::RBrace) {
        true => {
            let part = FStringPart::Field { value: value.expr, debug, conversion, spec };
            Ok((rest.advance(), (part, below)))
        }
        false if rest.kind() == TokenKind::FStringEnd => Err(never_closed(input)),
        false if has_spec => expected(rest, "`}` at the end of the field"),
        false => expected(rest, "`}`, `!`, `:` or `=` in a field of an f-string"),
    }
}

#[cold]
fn never_closed(brace: Input<'_>) -> Err<Problem> {
    refuse_with_hint(
        brace.span(),
        "a field of an f-string was never closed",
        "expected `}` before the closing quote; for a brace in the text, write it twice: `{{`",
    )
}

/// Texts and fields, up to what ends them.
fn fstring_parts(
    input: Input<'_>,
    is_raw: bool,
    has_doubled_braces: bool,
) -> Parse<'_, (Vec<FStringPart>, u32)> {
    let mut parts = Parts::default();
    let mut rest = input;
    loop {
        match rest.kind() {
            TokenKind::FStringText => {
                let at = (rest.lexed.source, rest.start());
                decode(rest.text(), at, is_raw, has_doubled_braces, &mut parts.text)?;
                rest = rest.advance();
            }
            TokenKind::Op(Op::LBrace) => {
                let (after, (part, height)) = field(rest, is_raw)?;
                parts.flush();
                parts.done.push(part);
                parts.below = parts.below.max(height);
                rest = after;
            }
            _ => return Ok((rest, parts.finish())),
        }
    }
}

fn is_bytes(input: Input<'_>) -> bool {
    input.kind() == TokenKind::Str && literal(input.text(), input.start()).is_bytes
}

/// `b"a" b'c'`: bytes, which join with bytes only.
#[inline(never)]
fn bytes(input: Input<'_>) -> Parse<'_, Node> {
    let (mut joined, mut rest) = (Vec::new(), input);
    while is_bytes(rest) {
        let literal = literal(rest.text(), rest.start());
        let at = (rest.lexed.source, literal.body_start);
        decode_bytes(literal.body, at, literal.is_raw, &mut joined)?;
        rest = rest.advance();
    }
    if let TokenKind::Str | TokenKind::FStringStart = rest.kind() {
        return Err(mixed(rest));
    }
    Ok((rest, input.node(rest, ExprKind::Bytes(joined.into()), 0)?))
}

#[cold]
fn mixed(second: Input<'_>) -> Err<Problem> {
    refuse_with_hint(
        second.span(),
        "cannot mix bytes and nonbytes literals",
        "literals side by side join, so all of them have a `b` in front or none has",
    )
}

fn plain_string<'a>(input: Input<'a>, parts: &mut Parts) -> Result<Input<'a>, Err<Problem>> {
    let literal = literal(input.text(), input.start());
    if literal.is_bytes {
        return Err(mixed(input));
    }
    let at = (input.lexed.source, literal.body_start);
    decode(literal.body, at, literal.is_raw, false, &mut parts.text)?;
    Ok(input.advance())
}
