//! Pasted sessions: prompts go, and so does the output between them.

use std::borrow::Cow;

use super::complete::{Completeness, completeness};

/// A text without the prompts `>>> `, `... `, `In [3]: ` and `   ...: `.
///
/// A text is a pasted session only if its first line that is not blank begins with a prompt; any
/// other text comes back as it is, whatever its strings contain. In a session, a line without a
/// prompt is output and goes too, unless what stands above it is incomplete.
pub fn strip_prompts(text: &str) -> Cow<'_, str> {
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.and_then(opening).is_none() {
        return Cow::Borrowed(text);
    }
    let mut stripped = String::with_capacity(text.len());
    let mut chunk_start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(rest) = opening(content) {
            chunk_start = stripped.len();
            stripped.push_str(rest);
        } else if let Some(rest) = continuation(content) {
            stripped.push_str(rest);
        } else if is_open(&stripped[chunk_start..]) {
            stripped.push_str(content);
        } else {
            continue;
        }
        stripped.push_str(&line[content.len()..]);
    }
    Cow::Owned(stripped)
}

fn is_open(text: &str) -> bool {
    matches!(completeness(text), Completeness::Incomplete { .. })
}

/// What follows `>>> ` or `In [3]: `.
fn opening(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t']);
    if let Some(rest) = line.strip_prefix(">>>") {
        return after_blank(rest);
    }
    let number = line.strip_prefix("In [")?;
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    after_blank(rest.strip_prefix("]:")?)
}

/// What follows `... ` or `   ...: `.
fn continuation(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches([' ', '\t']).strip_prefix("...")?;
    after_blank(rest.strip_prefix(':').unwrap_or(rest))
}

/// The rest behind one blank; a prompt at the end of a line has none.
fn after_blank(rest: &str) -> Option<&str> {
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_and_output_go() {
        let pasted = ">>> x = [1,\n...      2]\n>>> x\n[1, 2]\n>>>\n";
        assert_eq!(strip_prompts(pasted), "x = [1,\n     2]\nx\n\n");
        let pasted = "In [3]: y = (1 +\n   ...:      2)\n\nIn [12]: y\nOut[12]: 3\n";
        assert_eq!(strip_prompts(pasted), "y = (1 +\n     2)\ny\n");
        assert_eq!(strip_prompts("  >>> x\n  3"), "x\n");
        assert_eq!(strip_prompts(">>> s = '''\nkept\n... '''"), "s = '''\nkept\n'''");
        assert_eq!(strip_prompts(">>> x\r\n>>> y\r\n"), "x\r\ny\r\n");
    }

    #[test]
    fn other_text_stays() {
        for text in ["x = 1", "", "s = '''\n>>> x\n... y\n'''\n", "x >>> y", "...", ">>>x"] {
            assert!(matches!(strip_prompts(text), Cow::Borrowed(kept) if kept == text), "{text}");
        }
    }
}
