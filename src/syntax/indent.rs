//! The blanks in front of lines: which blocks they open and close.

use super::lexer::line_break_length;
use super::token::LexError;

/// How many blocks may be open at once: CPython's own limit.
pub const MAX_INDENTS: usize = 100;

/// What Python calls blank inside a line.
pub const BLANKS: [char; 3] = [' ', '\t', '\x0c'];

/// How deep a line begins. Tabs reach to the next multiple of eight columns; counted as one column
/// each they must give the same order of lines, else a reader with other tab stops sees another
/// program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Width {
    pub columns: usize,
    pub characters: usize,
}

/// What a line's width means for the blocks around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Same,
    Deeper,
    /// So many blocks end.
    Shallower(usize),
    Wrong(LexError),
}

/// The widths of the blocks that are open, the outermost first; the left margin is not among them.
#[derive(Debug, Clone, Default)]
pub struct Indents {
    open: Vec<Width>,
}

impl Indents {
    /// The width of the innermost block.
    pub fn top(&self) -> Width {
        self.open.last().copied().unwrap_or_default()
    }

    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Moves to a line of this width.
    pub fn go_to(&mut self, width: Width) -> Change {
        let top = self.top();
        if width.columns > top.columns {
            return match () {
                () if width.characters <= top.characters => Change::Wrong(LexError::Tabs),
                () if self.open.len() == MAX_INDENTS => Change::Wrong(LexError::TooManyIndents),
                () => {
                    self.open.push(width);
                    Change::Deeper
                }
            };
        }
        let before = self.open.len();
        while self.top().columns > width.columns {
            self.open.pop();
        }
        match before - self.open.len() {
            _ if self.top().columns != width.columns => Change::Wrong(LexError::Unindent),
            _ if self.top().characters != width.characters => Change::Wrong(LexError::Tabs),
            0 => Change::Same,
            ended => Change::Shallower(ended),
        }
    }
}

/// The width of the blanks that `text` begins with, and their bytes. A backslash at the end of a
/// line goes on below; as in CPython the blanks in front of the first one count, if there are any.
pub fn measure(text: &str) -> (Width, usize) {
    let mut width = Width::default();
    let mut first = None;
    let mut at = 0;
    loop {
        match text.as_bytes().get(at) {
            Some(b' ') => {
                width.columns += 1;
                width.characters += 1;
            }
            Some(b'\t') => {
                width.columns = (width.columns / 8 + 1) * 8;
                width.characters += 1;
            }
            // A form feed begins a page, and the line anew.
            Some(b'\x0c') => width = Width::default(),
            Some(b'\\') => {
                let length = line_break_length(&text[at + 1..]);
                if length == 0 || at + 1 + length == text.len() {
                    break;
                }
                first = first.or((width.columns > 0).then_some(width));
                at += length;
            }
            _ => break,
        }
        at += 1;
    }
    (first.map_or(width, |first| Width { characters: first.columns, ..first }), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(text: &str) -> (usize, usize) {
        let width = measure(text).0;
        (width.columns, width.characters)
    }

    #[test]
    fn tabs_have_stops() {
        assert_eq!(width("   \tx"), (8, 4));
        assert_eq!(width("\t\tx"), (16, 2));
        assert_eq!(width("  \x0c x"), (1, 1));
        assert_eq!(width("\\\n  x"), (2, 2));
        assert_eq!(width("  \\\n    x"), (2, 2));
    }

    #[test]
    fn lines_open_and_close_blocks() {
        let mut indents = Indents::default();
        let mut go = |text: &str| indents.go_to(measure(text).0);
        assert_eq!(go("x"), Change::Same);
        assert_eq!(go("  x"), Change::Deeper);
        assert_eq!(go("    x"), Change::Deeper);
        assert_eq!(go("    y"), Change::Same);
        assert_eq!(go("x"), Change::Shallower(2));
        assert_eq!(go("        x"), Change::Deeper);
        assert_eq!(go("\tx"), Change::Wrong(LexError::Tabs));
        assert_eq!(go("  x"), Change::Wrong(LexError::Unindent));
    }
}
