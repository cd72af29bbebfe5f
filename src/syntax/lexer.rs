//! Text to tokens: total, linear, without recursion.
//!
//! Whatever the text, every byte that is no blank ends up in a token or a comment; what is wrong
//! becomes an error token and the work goes on, because the highlighter needs the rest. A stack of
//! frames knows the open brackets and f-strings, so that a line break inside brackets is a blank.

use std::ops::Range;

use crate::diag::{Source, SourceId};

use super::indent::{BLANKS, Change, Indents, Width, measure};
use super::name::{continues_name, is_identifier, starts_name};
use super::number;
use super::token::{Keyword, LexError, Op, Token, TokenKind};

/// How deep brackets and f-strings may nest: CPython's own limit.
pub const MAX_NESTING: usize = 200;

/// What the lines of commands begin with: ours, and IPython's.
pub const COMMANDS: [char; 3] = [':', '%', '!'];

/// The tokens of a text, and in which state the text ended.
#[derive(Debug)]
pub struct Lexed<'a> {
    pub source: SourceId,
    pub text: &'a str,
    pub tokens: Vec<Token>,
    pub comments: Vec<Range<usize>>,
    /// The brackets that nobody closed, the outermost first: where they stand, and which they are.
    pub unclosed: Vec<(usize, Op)>,
    pub ending: Ending,
    /// How many columns the block is indented that the text ended in.
    pub indent: usize,
    /// Whether it is indented by tabs.
    pub indent_has_tabs: bool,
}

/// What was still open when the text ended, brackets aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Clean,
    TripleQuote,
    Backslash,
}

/// What the lexer is inside of.
#[derive(Debug, Clone, Copy)]
enum Frame {
    Bracket {
        open: Op,
        at: usize,
    },
    FString(Quote),
    /// `{` of a field.
    Field {
        at: usize,
    },
    /// After the colon of a field.
    Spec,
}

#[derive(Debug, Clone, Copy)]
struct Quote {
    byte: u8,
    is_triple: bool,
    is_raw: bool,
}

struct Lexer<'a> {
    /// The text up to the end of the range.
    text: &'a str,
    at: usize,
    is_line_start: bool,
    frames: Vec<Frame>,
    indents: Indents,
    tokens: Vec<Token>,
    comments: Vec<Range<usize>>,
    ending: Ending,
}

pub fn lex(source: &Source, range: Range<usize>) -> Lexed<'_> {
    lex_text(&source.text[..range.end], range.start, source.id)
}

/// The tokens of `text` from byte `start` on.
pub fn lex_text(text: &str, start: usize, source: SourceId) -> Lexed<'_> {
    let mut lexer = Lexer {
        text,
        at: start,
        is_line_start: true,
        frames: Vec::new(),
        indents: Indents::default(),
        tokens: Vec::with_capacity((text.len() - start) / 4),
        comments: Vec::new(),
        ending: Ending::Clean,
    };
    if lexer.rest().starts_with('\u{feff}') {
        lexer.at += '\u{feff}'.len_utf8();
    }
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.finish(source)
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    /// Makes a token of everything from `start` to here.
    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
    }

    fn push_length(&mut self, kind: TokenKind, length: usize) {
        let start = self.at;
        self.at += length;
        self.push(kind, start);
    }

    fn error(&mut self, error: LexError, length: usize) {
        self.push_length(TokenKind::Error(error), length);
    }

    fn step(&mut self) {
        if let Some(Frame::FString(_) | Frame::Spec) = self.frames.last() {
            return self.fstring_text();
        }
        if self.is_line_start {
            self.is_line_start = false;
            return self.line_start();
        }
        match self.text.as_bytes()[self.at] {
            b' ' | b'\t' | b'\x0c' => self.at += 1,
            b'\n' | b'\r' => self.line_break(),
            b'#' => self.comment(),
            b'\\' => self.backslash(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(),
            b'"' | b'\'' => self.string(0),
            _ => match self.rest().chars().next() {
                Some(c) if starts_name(c) => self.word(),
                Some(c) => self.operator(c),
                None => {}
            },
        }
    }

    /// Blanks in front of a logical line, and the lines that are no program text.
    fn line_start(&mut self) {
        let rest = self.rest();
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let content = line.trim_start_matches(BLANKS);
        let blanks = line.len() - content.len();
        let content = content.trim_end();
        let is_command = content.starts_with(COMMANDS);
        if is_command || is_help(content) {
            self.at += blanks;
            if blanks == 0 {
                self.indent((Width::default(), 0));
            }
            let kind = if is_command { TokenKind::Command } else { TokenKind::Help };
            // `%%name` takes the lines below as well.
            let content = if content.starts_with("%%") { self.rest().trim_end() } else { content };
            self.push_length(kind, content.len());
        } else if is_blank_line(&rest[blanks..]) {
            self.at += blanks;
        } else {
            self.indent(measure(rest));
        }
    }

    /// The tokens of the blanks in front of a line: their width and their bytes.
    fn indent(&mut self, (width, length): (Width, usize)) {
        let start = self.at;
        self.at += length;
        match self.indents.go_to(width) {
            Change::Same => {}
            Change::Deeper => self.push(TokenKind::Indent, start),
            Change::Shallower(ended) => self.dedent(ended),
            Change::Wrong(error) => self.push(TokenKind::Error(error), start),
        }
    }

    fn dedent(&mut self, blocks: usize) {
        for _ in 0..blocks {
            self.push_length(TokenKind::Dedent, 0);
        }
    }

    fn line_break(&mut self) {
        let length = line_break_length(self.rest());
        let is_blank =
            matches!(self.tokens.last(), None | Some(Token { kind: TokenKind::Newline, .. }));
        if !self.frames.is_empty() {
            self.at += length;
        } else if is_blank {
            self.at += length;
            self.is_line_start = true;
        } else {
            self.push_length(TokenKind::Newline, length);
            self.is_line_start = true;
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.comments.push(start..self.at);
    }

    fn backslash(&mut self) {
        let length = line_break_length(&self.rest()[1..]);
        if length > 0 && self.at + 1 + length < self.text.len() {
            self.at += 1 + length;
        } else if self.at + 1 + length == self.text.len() {
            self.ending = Ending::Backslash;
            self.error(LexError::BackslashAtEnd, 1);
            self.at = self.text.len();
        } else {
            self.error(LexError::StrayBackslash, 1);
        }
    }

    fn number(&mut self) {
        let (length, error) = number::scan(self.rest());
        match error {
            Some(error) => self.error(LexError::Number(error), length),
            None => self.push_length(TokenKind::Number, length),
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let is_prefix = length <= 2
            && matches!(self.byte(length), Some(b'"' | b'\''))
            && matches!(
                word.to_ascii_lowercase().as_str(),
                "r" | "u" | "b" | "f" | "br" | "rb" | "fr" | "rf"
            );
        if is_prefix {
            return self.string(length);
        }
        let kind = Keyword::from_text(word).map_or(TokenKind::Name, TokenKind::Keyword);
        self.push_length(kind, length);
    }

    /// A string literal whose quote stands `prefix` bytes ahead.
    fn string(&mut self, prefix: usize) {
        let start = self.at;
        let letters = &self.text[start..start + prefix];
        let byte = self.text.as_bytes()[start + prefix];
        let is_triple = self.byte(prefix + 1) == Some(byte) && self.byte(prefix + 2) == Some(byte);
        let is_raw = letters.contains(['r', 'R']);
        self.at += prefix + if is_triple { 3 } else { 1 };
        if letters.contains(['f', 'F']) {
            self.push(TokenKind::FStringStart, start);
            self.open(Frame::FString(Quote { byte, is_triple, is_raw }));
            return;
        }
        let error = loop {
            match self.byte(0) {
                None if is_triple => {
                    self.ending = Ending::TripleQuote;
                    break LexError::UnterminatedTriple;
                }
                None | Some(b'\n' | b'\r') if !is_triple => {
                    if prefix == 0 && self.ends_fstring(start, byte) {
                        return;
                    }
                    break LexError::UnterminatedString;
                }
                Some(b'\\') => self.escape(),
                Some(here) if here == byte && self.closes(byte, is_triple) => {
                    self.at += if is_triple { 3 } else { 1 };
                    return self.push(TokenKind::Str, start);
                }
                _ => self.at += 1,
            }
        };
        self.push(TokenKind::Error(error), start);
    }

    /// Whether the quote at `start`, which opens no string, closes the f-string around it: a field
    /// in that was not closed before, as the parser will say.
    fn ends_fstring(&mut self, start: usize, byte: u8) -> bool {
        let Some((depth, quote)) = self.innermost_fstring() else { return false };
        if quote.is_triple || quote.byte != byte {
            return false;
        }
        self.at = start;
        self.frames.truncate(depth);
        self.push_length(TokenKind::FStringEnd, 1);
        true
    }

    /// A backslash in a string and what it protects.
    fn escape(&mut self) {
        let rest = &self.rest()[1..];
        let length = match line_break_length(rest) {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            length => length,
        };
        self.at += 1 + length;
        if self.at == self.text.len() && rest[..length].trim().is_empty() {
            self.ending = Ending::Backslash;
        }
    }

    fn closes(&self, byte: u8, is_triple: bool) -> bool {
        !is_triple || self.byte(1) == Some(byte) && self.byte(2) == Some(byte)
    }

    /// The text of an f-string, or of a format specification, up to the next field or the end.
    fn fstring_text(&mut self) {
        let start = self.at;
        let in_spec = matches!(self.frames.last(), Some(Frame::Spec));
        let Some((depth, quote)) = self.innermost_fstring() else { return };
        loop {
            let byte = self.byte(0);
            match byte {
                Some(b'\\') if matches!(self.byte(1), Some(b'{' | b'}')) => self.at += 1,
                Some(b'\\') if !quote.is_raw && self.rest().starts_with("\\N{") => {
                    self.at += self.rest().find(['}', '\n', '"', '\'']).unwrap_or(3);
                    self.at += usize::from(self.byte(0) == Some(b'}'));
                }
                Some(b'\\') => self.escape(),
                Some(b'{') if !in_spec && self.byte(1) == Some(b'{') => self.at += 2,
                Some(b'}') if !in_spec && self.byte(1) == Some(b'}') => self.at += 2,
                Some(b'{') => {
                    self.push_text(start);
                    self.push_length(TokenKind::Op(Op::LBrace), 1);
                    return self.open(Frame::Field { at: self.at - 1 });
                }
                Some(b'}') if in_spec => {
                    self.push_text(start);
                    self.frames.truncate(self.frames.len() - 2);
                    return self.push_length(TokenKind::Op(Op::RBrace), 1);
                }
                Some(b'}') => {
                    self.push_text(start);
                    return self.error(LexError::SingleBrace, 1);
                }
                Some(here) if here == quote.byte && self.closes(here, quote.is_triple) => {
                    self.push_text(start);
                    self.frames.truncate(depth);
                    let length = if quote.is_triple { 3 } else { 1 };
                    return self.push_length(TokenKind::FStringEnd, length);
                }
                None | Some(b'\n' | b'\r') if byte.is_none() || !quote.is_triple => {
                    if byte.is_none() && quote.is_triple {
                        self.ending = Ending::TripleQuote;
                    }
                    self.frames.truncate(depth);
                    return self.push(TokenKind::Error(LexError::UnterminatedFString), start);
                }
                _ => self.at += 1,
            }
        }
    }

    fn push_text(&mut self, start: usize) {
        if self.at > start {
            self.push(TokenKind::FStringText, start);
        }
    }

    fn innermost_fstring(&self) -> Option<(usize, Quote)> {
        self.frames.iter().enumerate().rev().find_map(|(depth, frame)| match frame {
            Frame::FString(quote) => Some((depth, *quote)),
            _ => None,
        })
    }

    fn open(&mut self, frame: Frame) {
        self.frames.push(frame);
        if self.frames.len() > MAX_NESTING
            && let Some(token) = self.tokens.last_mut()
        {
            token.kind = TokenKind::Error(LexError::TooDeep);
            // Beyond the limit nothing is matched any more; the parser stops here anyway.
            self.frames.pop();
        }
    }

    fn operator(&mut self, c: char) {
        let Some(op) = Op::at_start(self.rest()) else {
            return self.error(strange_character(c), c.len_utf8());
        };
        let in_field = matches!(self.frames.last(), Some(Frame::Field { .. }));
        match op {
            Op::LParen | Op::LBracket | Op::LBrace => {
                self.push_length(TokenKind::Op(op), 1);
                self.open(Frame::Bracket { open: op, at: self.at - 1 });
            }
            Op::RParen | Op::RBracket | Op::RBrace => self.close(op),
            Op::Colon | Op::ColonEqual if in_field => {
                self.push_length(TokenKind::Op(Op::Colon), 1);
                self.frames.push(Frame::Spec);
            }
            _ => self.push_length(TokenKind::Op(op), op.text().len()),
        }
    }

    fn close(&mut self, op: Op) {
        let matches = match self.frames.last() {
            Some(Frame::Bracket { open, .. }) => open.closing() == Some(op),
            Some(Frame::Field { .. }) => op == Op::RBrace,
            _ => return self.error(LexError::Unmatched, 1),
        };
        if !matches {
            return self.error(LexError::Mismatched, 1);
        }
        self.frames.pop();
        self.push_length(TokenKind::Op(op), 1);
    }

    fn finish(mut self, source: SourceId) -> Lexed<'a> {
        if let Some(Frame::FString(_) | Frame::Spec) = self.frames.last() {
            // The text ended with the opening quote, or with the colon of a field.
            self.fstring_text();
        }
        if !matches!(self.tokens.last(), None | Some(Token { kind: TokenKind::Newline, .. })) {
            self.push_length(TokenKind::Newline, 0);
        }
        self.dedent(self.indents.depth());
        self.push_length(TokenKind::Eof, 0);
        let unclosed = self.frames.iter().filter_map(|frame| match *frame {
            Frame::Bracket { open, at } => Some((at, open)),
            Frame::Field { at } => Some((at, Op::LBrace)),
            Frame::FString(_) | Frame::Spec => None,
        });
        Lexed {
            source,
            text: self.text,
            unclosed: unclosed.collect(),
            tokens: self.tokens,
            comments: self.comments,
            ending: self.ending,
            indent: self.indents.top().columns,
            indent_has_tabs: self.indents.top().characters < self.indents.top().columns,
        }
    }
}

/// Zero if `text` does not begin with a line break.
pub fn line_break_length(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

/// Whether nothing but a comment stands before the end of the line, which continuations may put
/// further down.
fn is_blank_line(mut rest: &str) -> bool {
    while let Some(after) = rest.strip_prefix('\\') {
        match line_break_length(after) {
            0 => return false,
            length => rest = after[length..].trim_start_matches(BLANKS),
        }
    }
    rest.is_empty() || rest.starts_with(['#', '\n', '\r'])
}

/// `name?`, `?name`, `x.mean??`, `np.*sum*?`, or a lone `?`.
fn is_help(line: &str) -> bool {
    let topic = line.trim_matches('?').trim();
    // A star stands for any letters, so that a name may begin with one.
    let is_name = |part: &str| is_identifier(&part.replace('*', "_"));
    let is_path = topic.split('.').all(is_name);
    (line.starts_with('?') || line.ends_with('?')) && (topic.is_empty() || is_path)
}

fn strange_character(c: char) -> LexError {
    match c {
        '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '‛' | '«' | '»' | '´' => {
            LexError::SmartQuote
        }
        '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}' => LexError::Blank,
        c if c.is_whitespace() => LexError::Blank,
        c if c.is_control() => LexError::Control,
        _ => LexError::Character,
    }
}
