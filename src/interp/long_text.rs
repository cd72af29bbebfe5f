//! Searching and changing texts of any length: the user can stop each of these.

use super::range::Range;
use super::room::{self, PIECE, Pace};
use crate::diag::Fault;
use crate::tensor::Engine;

/// A text in pieces of about a megabyte, from either end.
#[derive(Debug, Clone)]
pub struct Pieces<'t>(&'t str);

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.0.is_empty() {
            return None;
        }
        let (piece, rest) = self.0.split_at(boundary(self.0, PIECE));
        self.0 = rest;
        Some(piece)
    }
}

impl DoubleEndedIterator for Pieces<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let (rest, piece) =
            self.0.split_at(boundary_before(self.0, self.0.len().saturating_sub(PIECE)));
        self.0 = rest;
        Some(piece)
    }
}

pub fn pieces(text: &str) -> Pieces<'_> {
    Pieces(text)
}

/// Where the first character begins at or behind a byte.
fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Where the last character begins at or before a byte.
fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn heed(engine: &Engine) -> Result<(), Fault> {
    engine.interrupt().heed().map_err(Fault::from)
}

/// Adds a text to another, for which there is room.
///
/// # Errors
/// Ctrl-C.
pub fn push(engine: &Engine, whole: &mut String, part: &str) -> Result<(), Fault> {
    for piece in pieces(part) {
        heed(engine)?;
        whole.push_str(piece);
    }
    Ok(())
}

/// Texts one behind the other.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn joined(engine: &Engine, parts: &[&str]) -> Result<String, Fault> {
    let bytes = parts.iter().fold(0usize, |bytes, part| bytes.saturating_add(part.len()));
    room::text(engine, bytes)?;
    let mut whole = String::with_capacity(bytes);
    parts.iter().try_for_each(|part| push(engine, &mut whole, part))?;
    Ok(whole)
}

/// What `change` makes of each piece. It must look at characters one by one.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn mapped(
    engine: &Engine,
    text: &str,
    change: impl Fn(&str) -> String,
) -> Result<String, Fault> {
    if text.len() <= PIECE {
        return Ok(change(text));
    }
    room::text(engine, text.len())?;
    let mut whole = String::with_capacity(text.len());
    for piece in pieces(text) {
        heed(engine)?;
        whole.push_str(&change(piece));
    }
    Ok(whole)
}

/// Whether all characters are so.
///
/// # Errors
/// Ctrl-C.
pub fn all(engine: &Engine, text: &str, is_so: impl Fn(char) -> bool) -> Result<bool, Fault> {
    for piece in pieces(text) {
        heed(engine)?;
        if !piece.chars().all(&is_so) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where the first character stands that is so.
///
/// # Errors
/// Ctrl-C.
pub fn find_char(
    engine: &Engine,
    text: &str,
    is_so: impl Fn(char) -> bool,
) -> Result<Option<usize>, Fault> {
    let mut before = 0;
    for piece in pieces(text) {
        heed(engine)?;
        if let Some(at) = piece.find(&is_so) {
            return Ok(Some(before + at));
        }
        before += piece.len();
    }
    Ok(None)
}

/// Where the last character ends that is so.
///
/// # Errors
/// Ctrl-C.
pub fn end_of_last_char(
    engine: &Engine,
    text: &str,
    is_so: impl Fn(char) -> bool,
) -> Result<Option<usize>, Fault> {
    let mut end = text.len();
    for piece in pieces(text).rev() {
        heed(engine)?;
        let kept = piece.trim_end_matches(|c| !is_so(c));
        if !kept.is_empty() {
            return Ok(Some(end - piece.len() + kept.len()));
        }
        end -= piece.len();
    }
    Ok(None)
}

/// A text without the characters at its ends that are so.
///
/// # Errors
/// Ctrl-C.
pub fn trimmed<'t>(
    engine: &Engine,
    mut text: &'t str,
    (left, right): (bool, bool),
    is_gone: impl Fn(char) -> bool,
) -> Result<&'t str, Fault> {
    for piece in pieces(text).take_while(|_| left) {
        heed(engine)?;
        let kept = piece.trim_start_matches(&is_gone);
        text = &text[piece.len() - kept.len()..];
        if !kept.is_empty() {
            break;
        }
    }
    for piece in pieces(text).rev().take_while(|_| right) {
        heed(engine)?;
        let kept = piece.trim_end_matches(&is_gone);
        text = &text[..text.len() - (piece.len() - kept.len())];
        if !kept.is_empty() {
            break;
        }
    }
    Ok(text)
}

/// Calls `found` with the places where `part` stands, from the left and without overlaps, until it
/// says that it has enough. An empty part stands before each character and behind the last.
///
/// # Errors
/// Those of `found`; Ctrl-C.
pub fn each_match(
    engine: &Engine,
    text: &str,
    part: &str,
    mut found: impl FnMut(usize) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    if part.is_empty() {
        let mut at = 0;
        for piece in pieces(text) {
            heed(engine)?;
            for (place, _) in piece.char_indices() {
                if !found(at + place)? {
                    return Ok(());
                }
            }
            at += piece.len();
        }
        found(at)?;
        return Ok(());
    }
    let mut at = 0usize;
    loop {
        heed(engine)?;
        // A part that begins in this piece ends within the window.
        let end = boundary(text, at.saturating_add(PIECE.max(part.len()) + part.len()));
        let mut next = boundary_before(text, (end + 1).saturating_sub(part.len())).max(at);
        for (place, _) in text[at..end].match_indices(part) {
            if !found(at + place)? {
                return Ok(());
            }
            next = next.max(at + place + part.len());
        }
        if end == text.len() {
            return Ok(());
        }
        at = next;
    }
}

/// Where `part` stands first.
///
/// # Errors
/// Ctrl-C.
pub fn find(engine: &Engine, text: &str, part: &str) -> Result<Option<usize>, Fault> {
    let mut first = None;
    each_match(engine, text, part, |at| {
        first = Some(at);
        Ok(false)
    })?;
    Ok(first)
}

/// Where `part` stands last.
///
/// # Errors
/// Ctrl-C.
pub fn rfind(engine: &Engine, text: &str, part: &str) -> Result<Option<usize>, Fault> {
    let mut end = text.len();
    loop {
        heed(engine)?;
        let width = PIECE.max(part.len()) + part.len();
        let start = boundary_before(text, end.saturating_sub(width));
        if let Some(at) = text[start..end].rfind(part) {
            return Ok(Some(start + at));
        }
        if start == 0 {
            return Ok(None);
        }
        end = boundary(text, (start + part.len()).saturating_sub(1));
    }
}

/// `new` wherever `old` stands, at most `most` times.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn replaced(
    engine: &Engine,
    text: &str,
    (old, new): (&str, &str),
    most: usize,
) -> Result<String, Fault> {
    if new.len() > old.len() {
        let mut places = 0usize;
        each_match(engine, text, old, |_| {
            places += 1;
            Ok(places < most)
        })?;
        room::text(engine, text.len() + places.min(most).saturating_mul(new.len()))?;
    }
    let (mut whole, mut done, mut left) = (String::with_capacity(text.len()), 0, most);
    if most > 0 {
        each_match(engine, text, old, |at| {
            push(engine, &mut whole, &text[done..at])?;
            push(engine, &mut whole, new)?;
            done = at + old.len();
            left -= 1;
            Ok(left > 0)
        })?;
    }
    push(engine, &mut whole, &text[done..])?;
    Ok(whole)
}

/// The characters at the positions of a range, which lie in the text.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub fn slice(engine: &Engine, text: &str, positions: &Range) -> Result<String, Fault> {
    let count = positions.len();
    if count == 0 {
        return Ok(String::new());
    }
    let start = positions.start as usize;
    if positions.step == 1 {
        let from = behind(engine, text, start)?;
        let part = from.len() - behind(engine, from, count)?.len();
        return joined(engine, &[&from[..part]]);
    }
    let mut pace = Pace::new(engine);
    let mut part = String::with_capacity(count);
    if text.is_ascii() && positions.step == -1 {
        let stop = start + 1 - count;
        for piece in text.as_bytes()[stop..=start].rchunks(room::PIECE) {
            pace.step(piece.len())?;
            part.extend(piece.iter().rev().map(|byte| char::from(*byte)));
        }
        return Ok(part);
    }
    if text.is_ascii() {
        for at in positions.iter() {
            pace.step(1)?;
            part.push(char::from(text.as_bytes()[at as usize]));
        }
        return Ok(part);
    }
    room::things(engine, text.len(), 4)?;
    let mut chars: Vec<char> = Vec::with_capacity(text.len());
    for piece in pieces(text) {
        heed(engine)?;
        chars.extend(piece.chars());
    }
    for at in positions.iter() {
        pace.step(4)?;
        part.push(chars[at as usize]);
    }
    Ok(part)
}

/// What stands behind the first `count` characters, of which there are as many.
///
/// # Errors
/// Ctrl-C.
fn behind<'a>(engine: &Engine, text: &'a str, count: usize) -> Result<&'a str, Fault> {
    let (mut left, mut at) = (count, 0);
    for piece in pieces(text) {
        heed(engine)?;
        let chars = piece.chars().count();
        if chars > left {
            at += piece.char_indices().nth(left).map_or(piece.len(), |(at, _)| at);
            break;
        }
        (left, at) = (left - chars, at + piece.len());
    }
    Ok(&text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::diag::ErrorKind;
    use crate::interp::quote::{ascii, quote, quoted};
    use crate::memory::AllocatorConfig;
    use crate::tensor::Interrupt;

    fn engine() -> Engine {
        let interrupt = Interrupt::default();
        let cpu = Device::cpu(AllocatorConfig::default(), interrupt.clone()).unwrap();
        Engine::new(vec![cpu], interrupt)
    }

    /// Texts whose pieces end before, in and behind what is looked for.
    fn texts() -> Vec<String> {
        let mut texts = vec![String::new(), "aäa".to_owned()];
        for before in [PIECE - 3, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 5] {
            texts.push(format!("{}äbäb{}", "x".repeat(before), "äy".repeat(7)));
            texts.push(format!("{}{}", "ä".repeat(before / 2), "abab".repeat(3)));
            texts.push("aba".repeat(before / 3));
        }
        texts
    }

    #[test]
    fn pieces_are_the_whole_text_from_either_end() {
        for text in texts() {
            assert_eq!(pieces(&text).collect::<String>(), text);
            let mut parts: Vec<&str> = pieces(&text).rev().collect();
            parts.reverse();
            assert_eq!(parts.concat(), text);
        }
    }

    #[test]
    fn long_texts_are_searched_as_short_ones_are() {
        let engine = engine();
        let long = "x".repeat(PIECE + 9);
        for text in texts() {
            for part in ["", "äb", "bä", "aba", "abaaba", "y", "q", "xä", &long] {
                let case = format!("{} bytes, {:.9}", text.len(), part);
                assert_eq!(find(&engine, &text, part).unwrap(), text.find(part), "{case}");
                assert_eq!(rfind(&engine, &text, part).unwrap(), text.rfind(part), "{case}");
                let mut places = Vec::new();
                each_match(&engine, &text, part, |at| {
                    places.push(at);
                    Ok(true)
                })
                .unwrap();
                let expected: Vec<usize> = text.match_indices(part).map(|(at, _)| at).collect();
                assert!(places == expected, "{case}");
                for most in [0, 1, 3, usize::MAX] {
                    let done = replaced(&engine, &text, (part, "-ä-"), most).unwrap();
                    assert!(done == text.replacen(part, "-ä-", most), "{case}");
                }
            }
            for c in ['x', 'ä', 'q'] {
                assert_eq!(find_char(&engine, &text, |at| at == c).unwrap(), text.find(c));
                let end = text.rfind(c).map(|at| at + c.len_utf8());
                assert_eq!(end_of_last_char(&engine, &text, |at| at == c).unwrap(), end);
            }
            let chars = text.chars().count();
            for count in [0, 1, 5, PIECE / 2 - 1, PIECE - 2, PIECE, PIECE + 1, chars] {
                let rest: String = text.chars().skip(count).collect();
                let found = behind(&engine, &text, count.min(chars)).unwrap();
                assert!(found == rest, "{} bytes behind {count} characters", text.len());
            }
            assert_eq!(joined(&engine, &[&text, "ä", &text]).unwrap(), format!("{text}ä{text}"));
            let is_gone = |c: char| "xäyab".contains(c) && c != 'b';
            let both = trimmed(&engine, &text, (true, true), is_gone).unwrap();
            assert_eq!(both.len(), text.trim_matches(is_gone).len());
        }
    }

    #[test]
    fn long_texts_are_quoted_as_short_ones_are() {
        let engine = engine();
        for part in ["x", "'", "\"", "'\"", "\\\n\t\r\0", "ä\u{ad}\u{1f600}"] {
            for before in [0, PIECE - 1, PIECE + 1] {
                let text = format!("{}{}", "ä".repeat(before / 2), part.repeat(3));
                let (mut short, mut long) = (String::new(), String::new());
                quote(&text, &mut short);
                quoted(&engine, &text, &mut long).unwrap();
                assert!(short == long, "{before}, {part:?}");
                let escaped = ascii(&engine, &long).unwrap();
                assert!(escaped.is_ascii(), "{before}, {part:?}");
                assert_eq!(escaped.matches("\\xe4").count(), long.matches('ä').count());
            }
        }
    }

    #[test]
    fn slices_take_characters() {
        let engine = engine();
        for text in ["abcdefghij", "aäcdöfghüj"] {
            let chars: Vec<char> = text.chars().collect();
            for (start, stop, step) in [(0, 10, 1), (3, 7, 1), (9, -1, -1), (1, 9, 3), (4, 4, 1)] {
                let range = Range { start, stop, step };
                let expected: String = range.iter().map(|at| chars[at as usize]).collect();
                assert_eq!(slice(&engine, text, &range).unwrap(), expected);
            }
        }
    }

    #[test]
    fn all_of_them_hear_the_user() {
        let engine = engine();
        let text = "x".repeat(3 * PIECE);
        let work: [&dyn Fn() -> Result<(), Fault>; 11] = [
            &|| joined(&engine, &[&text, "y"]).map(drop),
            &|| find_char(&engine, &text, |c| c == 'y').map(drop),
            &|| end_of_last_char(&engine, &text, |c| c == 'y').map(drop),
            &|| quoted(&engine, &text, &mut String::new()),
            &|| ascii(&engine, &text).map(drop),
            &|| mapped(&engine, &text, str::to_uppercase).map(drop),
            &|| all(&engine, &text, char::is_alphabetic).map(drop),
            &|| find(&engine, &text, "y").map(drop),
            &|| rfind(&engine, &text, "y").map(drop),
            &|| replaced(&engine, &text, ("x", "yy"), usize::MAX).map(drop),
            &|| trimmed(&engine, &text, (true, true), |c| c == 'x').map(drop),
        ];
        for work in work {
            engine.interrupt().raise();
            assert_eq!(work().unwrap_err().kind, ErrorKind::KeyboardInterrupt);
        }
    }
}
