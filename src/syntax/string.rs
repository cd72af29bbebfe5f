//! String literals: prefix, quotes, escapes, and the text that they stand for.

use nom::Err;

use crate::diag::{SourceId, Span};

use super::input::{Problem, refuse, refuse_with_hint};

/// A literal in its parts.
#[derive(Debug, Clone, Copy)]
pub struct Literal<'a> {
    pub is_raw: bool,
    pub is_bytes: bool,
    /// What stands between the quotes, and where that begins in the text.
    pub body: &'a str,
    pub body_start: usize,
}

/// Takes apart a whole string token, which begins at byte `start`.
pub fn literal(token: &str, start: usize) -> Literal<'_> {
    let prefix = prefix_length(token);
    let quote = quote_length(&token[prefix..]);
    Literal {
        is_raw: token[..prefix].contains(['r', 'R']),
        is_bytes: token[..prefix].contains(['b', 'B']),
        body: &token[prefix + quote..token.len() - quote],
        body_start: start + prefix + quote,
    }
}

/// The letters in front of the quote.
pub fn prefix_length(token: &str) -> usize {
    token.find(['"', '\'']).unwrap_or(token.len())
}

fn quote_length(quoted: &str) -> usize {
    match quoted.starts_with("\"\"\"") || quoted.starts_with("'''") {
        true => 3,
        false => 1,
    }
}

/// Appends the text that `body` stands for. `in_fstring` says that doubled braces mean single ones.
pub fn decode(
    body: &str,
    at: (SourceId, usize),
    is_raw: bool,
    in_fstring: bool,
    out: &mut String,
) -> Result<(), Err<Problem>> {
    let mut rest = body;
    while let Some(stop) = rest.find(['\\', '\r', '{', '}']) {
        out.push_str(&rest[..stop]);
        rest = &rest[stop..];
        let here = at.1 + (body.len() - rest.len());
        let length = match rest.as_bytes() {
            [b'\r', b'\n', ..] => {
                out.push('\n');
                2
            }
            [b'\r', ..] => {
                out.push('\n');
                1
            }
            [b'\\', ..] if !is_raw => escape(rest, (at.0, here), out)?,
            [first @ (b'{' | b'}'), second, ..] if in_fstring && first == second => {
                out.push(char::from(*first));
                2
            }
            [first, ..] => {
                out.push(char::from(*first));
                1
            }
            [] => 0,
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    Ok(())
}

/// Appends the bytes that `body` stands for: ASCII and escapes, of which those of Unicode stand for themselves.
pub fn decode_bytes(
    body: &str,
    at: (SourceId, usize),
    is_raw: bool,
    out: &mut Vec<u8>,
) -> Result<(), Err<Problem>> {
    if let Some((place, c)) = body.char_indices().find(|(_, c)| !c.is_ascii()) {
        let start = at.1 + place;
        return Err(refuse_with_hint(
            Span::new(at.0, start, start + c.len_utf8()),
            "bytes can only contain ASCII literal characters",
            format!("`\"{c}\".encode()` has its bytes in UTF-8"),
        ));
    }
    let (mut text, mut rest) = (String::with_capacity(body.len()), body);
    while !rest.is_empty() {
        let here = at.1 + (body.len() - rest.len());
        let length = match rest.as_bytes() {
            [b'\\', b'u' | b'U' | b'N', ..] => {
                text.push('\\');
                1
            }
            [b'\\', ..] if !is_raw => escape(rest, (at.0, here), &mut text)?,
            [b'\r', b'\n', ..] => {
                text.push('\n');
                2
            }
            [first, ..] => {
                text.push(if *first == b'\r' { '\n' } else { char::from(*first) });
                1
            }
            [] => 0,
        };
        rest = &rest[length..];
    }
    // `\777` is beyond a byte, and CPython keeps its last eight bits.
    out.extend(text.chars().map(|c| u32::from(c) as u8));
    Ok(())
}

/// Appends what the escape at the start of `text` stands for, and returns its bytes.
fn escape(text: &str, at: (SourceId, usize), out: &mut String) -> Result<usize, Err<Problem>> {
    let span = |length: usize| Span::new(at.0, at.1, at.1 + length);
    let simple = |c: char, out: &mut String| {
        out.push(c);
        Ok(2)
    };
    match text.as_bytes().get(1) {
        Some(b'\n') => Ok(2),
        Some(b'\r') => Ok(if text.as_bytes().get(2) == Some(&b'\n') { 3 } else { 2 }),
        Some(b'\\') => simple('\\', out),
        Some(b'\'') => simple('\'', out),
        Some(b'"') => simple('"', out),
        Some(b'a') => simple('\x07', out),
        Some(b'b') => simple('\x08', out),
        Some(b'f') => simple('\x0c', out),
        Some(b'n') => simple('\n', out),
        Some(b'r') => simple('\r', out),
        Some(b't') => simple('\t', out),
        Some(b'v') => simple('\x0b', out),
        Some(b'0'..=b'7') => {
            let digits =
                text[1..].bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let code = u32::from_str_radix(&text[1..=digits], 8).unwrap_or(0);
            out.extend(char::from_u32(code));
            Ok(1 + digits)
        }
        Some(b'x') => hexadecimal(text, 2, span, out),
        Some(b'u') => hexadecimal(text, 4, span, out),
        Some(b'U') => hexadecimal(text, 8, span, out),
        Some(b'N') => Err(refuse_with_hint(
            span(text.find('}').map_or(2, |end| end + 1)),
            "characters by name, `\\N{…}`, are not in the language",
            "write the character itself, or its code as `\\u03b1`",
        )),
        // Like Python, an unknown escape stands for itself, backslash included.
        _ => {
            out.push('\\');
            Ok(1)
        }
    }
}

fn hexadecimal(
    text: &str,
    digits: usize,
    span: impl Fn(usize) -> Span,
    out: &mut String,
) -> Result<usize, Err<Problem>> {
    let letter = &text[1..2];
    let found = text[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    if found < digits {
        return Err(refuse(
            span(2 + found),
            format!("expected {digits} hexadecimal digits after `\\{letter}`, found {found}"),
        ));
    }
    let code = u32::from_str_radix(&text[2..2 + digits], 16).unwrap_or(u32::MAX);
    match char::from_u32(code) {
        Some(c) => out.push(c),
        None if code <= 0xffff => {
            return Err(refuse(
                span(2 + digits),
                format!("`\\{letter}{code:04x}` is half of a surrogate pair, no character"),
            ));
        }
        None => {
            return Err(refuse(
                span(2 + digits),
                "expected a code up to `\\U0010ffff`, found one beyond Unicode",
            ));
        }
    }
    Ok(2 + digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &str) -> Option<String> {
        let mut out = String::new();
        decode(body, (SourceId(0), 0), false, false, &mut out).ok().map(|()| out)
    }

    #[test]
    fn escapes_mean_what_python_means() {
        assert_eq!(decoded(r"a\n\x41\u00b5\U0001f600\101\0z").unwrap(), "a\nAµ😀A\0z");
        assert_eq!(decoded("a\\\nb\\\r\nc\r\nd\re").unwrap(), "abc\nd\ne");
        assert_eq!(decoded(r"\d\µ{{").unwrap(), r"\d\µ{{");
        assert_eq!(decoded(r"\x4"), None);
        assert_eq!(decoded(r"\ud800"), None);
        assert_eq!(decoded(r"\U00110000"), None);
    }

    #[test]
    fn bytes_are_ascii_and_escapes_of_one_byte() {
        let decoded = |body: &str, is_raw: bool| {
            let mut out = Vec::new();
            decode_bytes(body, (SourceId(0), 0), is_raw, &mut out).ok().map(|()| out)
        };
        assert_eq!(
            decoded(r"a\n\xff\377\777\u12\N{x}\q\\u", false).unwrap(),
            b"a\n\xff\xff\xff\\u12\\N{x}\\q\\u"
        );
        assert_eq!(decoded("a\r\nb\rc\\\nd", false).unwrap(), b"a\nb\ncd");
        assert_eq!(decoded(r"\xff\u", true).unwrap(), br"\xff\u");
        assert_eq!(decoded("é", false), None);
        assert_eq!(decoded(r"\x1", false), None);
    }
}
