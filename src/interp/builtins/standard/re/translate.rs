//! Patterns as Python writes them, read and written as those of the crate `fancy_regex`.
//!
//! The words of errors and their places are CPython's.

use std::fmt::Write;

use super::flags::Flags;

/// What `$` is written as, until it is known whether the text ends with a line break.
pub const END: char = '\u{1}';

/// What does not count in a verbose pattern.
pub(super) const BLANKS: &str = " \t\n\r\u{b}\u{c}";
/// How often a repeat without an upper bound may come.
const ALWAYS: u32 = u32::MAX;
/// As many groups are in each other at most.
const DEEPEST: usize = 180;

/// What is wrong with a pattern, and the character at which.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    pub message: String,
    pub at: usize,
}

/// A pattern that can be compiled.
#[derive(Debug)]
pub struct Translated {
    pub text: String,
    pub flags: Flags,
    pub groups: usize,
    /// The groups' names, in the order in which they came.
    pub names: Vec<(String, usize)>,
    /// The groups in the order in which they close.
    pub closed: Vec<usize>,
}

/// # Errors
/// What CPython finds wrong with it.
pub fn translate(pattern: &str, flags: Flags) -> Result<Translated, Wrong> {
    let mut reader = Reader {
        chars: pattern.chars().collect(),
        at: 0,
        out: String::new(),
        flags,
        groups: 0,
        names: Vec::new(),
        closed: Vec::new(),
        asked: Vec::new(),
        depth: 0,
    };
    reader.global_flags()?;
    let flags = reader.flags;
    if flags.has(Flags::IGNORE_CASE) {
        reader.out += "(?i)";
    }
    reader.alternatives()?;
    if reader.peek().is_some() {
        return Err(reader.wrong("unbalanced parenthesis", reader.at));
    }
    if let Some((group, at)) = reader.asked.iter().find(|(group, _)| *group > reader.groups) {
        return Err(reader.wrong(format!("invalid group reference {group}"), *at));
    }
    let unicode = if flags.has(Flags::ASCII) { 0 } else { Flags::UNICODE };
    Ok(Translated {
        text: reader.out,
        flags: Flags(flags.0 | unicode),
        groups: reader.groups,
        names: reader.names,
        closed: reader.closed,
    })
}

/// A pattern that is being read.
pub(super) struct Reader {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) out: String,
    pub(super) flags: Flags,
    pub(super) groups: usize,
    names: Vec<(String, usize)>,
    closed: Vec<usize>,
    /// Groups that conditions ask for, which may come later.
    asked: Vec<(usize, usize)>,
    depth: usize,
}

/// What stands before a quantifier.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Last {
    Nothing,
    Place,
    Item(usize),
    Repeat,
}

/// A member of a class, or what an escape means.
pub(super) enum Meant {
    Char(char),
    Kind(char),
}

impl Reader {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(super) fn takes(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn wrong(&self, message: impl Into<String>, at: usize) -> Wrong {
        Wrong { message: message.into(), at }
    }

    /// As many alternatives as there are; where the third begins.
    pub(super) fn alternatives(&mut self) -> Result<Option<usize>, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("groups are too deep in each other", self.at));
        }
        let mut bars = Vec::new();
        self.sequence()?;
        while self.takes('|') {
            bars.push(self.at - 1);
            self.out.push('|');
            self.sequence()?;
        }
        self.depth -= 1;
        Ok(bars.get(1).copied())
    }

    fn sequence(&mut self) -> Result<(), Wrong> {
        let mut last = Last::Nothing;
        while let Some(c) = self.peek() {
            let start = self.out.len();
            match c {
                '|' | ')' => break,
                _ if self.flags.has(Flags::VERBOSE) && BLANKS.contains(c) => {
                    self.at += 1;
                    continue;
                }
                '#' if self.flags.has(Flags::VERBOSE) => {
                    while self.next().is_some_and(|c| c != '\n') {}
                    continue;
                }
                '*' | '+' | '?' | '{' => {
                    last = self.quantifier(last)?;
                    continue;
                }
                '[' => self.class()?,
                '(' => {
                    if let Some(is) = self.group()? {
                        last = is;
                    }
                    if last == Last::Nothing && self.out.len() == start {
                        continue;
                    }
                }
                '\\' => {
                    last = self.escape()?;
                    continue;
                }
                '.' => {
                    self.at += 1;
                    let any = if self.flags.has(Flags::DOT_ALL) { "(?s:.)" } else { "[^\\n]" };
                    self.out += any;
                }
                '^' | '$' => {
                    self.at += 1;
                    match (c, self.flags.has(Flags::MULTI_LINE)) {
                        ('^', true) => self.out += "(?m:^)",
                        ('^', false) => self.out += "\\A",
                        (_, true) => self.out += "(?m:$)",
                        (_, false) => self.out.push(END),
                    }
                    last = Last::Place;
                    continue;
                }
                c => {
                    self.at += 1;
                    self.literal(c);
                }
            }
            if self.out.len() > start {
                last = Last::Item(start);
            }
        }
        Ok(())
    }

    pub(super) fn literal(&mut self, c: char) {
        match c {
            c if c.is_ascii_alphanumeric() || !c.is_ascii() => self.out.push(c),
            c => _ = write!(self.out, "\\x{{{:x}}}", u32::from(c)),
        }
    }

    fn number(&mut self) -> Result<Option<u32>, Wrong> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at {
            return Ok(None);
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        match digits.parse() {
            Ok(number) if number < ALWAYS => Ok(Some(number)),
            _ => Err(self.wrong("the repetition number is too large", start)),
        }
    }

    fn quantifier(&mut self, last: Last) -> Result<Last, Wrong> {
        let start = self.at;
        let sign = self.next();
        let (least, most) = match sign {
            Some('*') => (0, ALWAYS),
            Some('+') => (1, ALWAYS),
            Some('?') => (0, 1),
            _ => {
                let literal = |reader: &mut Reader| {
                    reader.at = start + 1;
                    let item = Last::Item(reader.out.len());
                    reader.literal('{');
                    Ok(item)
                };
                if self.peek() == Some('}') {
                    return literal(self);
                }
                let least = self.number()?;
                let most = if self.takes(',') { self.number()?.or(Some(ALWAYS)) } else { least };
                if !self.takes('}') {
                    return literal(self);
                }
                let least = least.unwrap_or(0);
                let most = most.unwrap_or(ALWAYS);
                if most < least {
                    let message = "min repeat greater than max repeat";
                    return Err(self.wrong(message, start + 1));
                }
                (least, most)
            }
        };
        let item = match last {
            Last::Nothing | Last::Place => return Err(self.wrong("nothing to repeat", start)),
            Last::Repeat => return Err(self.wrong("multiple repeat", start)),
            Last::Item(item) => item,
        };
        let looks = ["(?=", "(?!", "(?<=", "(?<!"];
        if looks.iter().any(|look| self.out[item..].starts_with(look)) {
            self.repeat_look(item, least, most);
            return Ok(Last::Repeat);
        }
        match (least, most) {
            (0, ALWAYS) => self.out.push('*'),
            (1, ALWAYS) => self.out.push('+'),
            (0, 1) => self.out.push('?'),
            (least, ALWAYS) => _ = write!(self.out, "{{{least},}}"),
            (least, most) => _ = write!(self.out, "{{{least},{most}}}"),
        }
        if self.takes('?') {
            self.out.push('?');
        } else if self.takes('+') {
            self.out.insert_str(item, "(?>");
            self.out.push(')');
        }
        Ok(Last::Repeat)
    }

    /// A look around takes no letters, so that its repetitions are one of it or none; the crate refuses to
    /// repeat it.
    fn repeat_look(&mut self, item: usize, least: u32, most: u32) {
        let is_lazy = self.takes('?');
        if !is_lazy {
            self.takes('+');
        }
        let look = self.out.split_off(item);
        match (least, is_lazy) {
            _ if most == 0 => self.out.push_str("(?:)"),
            (0, true) => _ = write!(self.out, "(?:|{look})"),
            (0, false) => _ = write!(self.out, "(?:{look}|)"),
            _ => self.out.push_str(&look),
        }
    }

    /// A group in parentheses; what can be said of it where it is no item to repeat.
    fn group(&mut self) -> Result<Option<Last>, Wrong> {
        let start = self.at;
        self.at += 1;
        let mut name = None;
        if self.takes('?') {
            let Some(c) = self.next() else {
                return Err(self.wrong("unexpected end of pattern", self.at));
            };
            match c {
                'P' => match self.next() {
                    Some('<') => name = Some(self.group_name('>', "group name")?),
                    Some('=') => {
                        let at = self.at;
                        let name = self.group_name(')', "group name")?;
                        let group = self.named(&name, at)?;
                        self.reference(group, at)?;
                        return Ok(None);
                    }
                    Some(c) => {
                        return Err(self.wrong(format!("unknown extension ?P{c}"), start + 1));
                    }
                    None => return Err(self.wrong("unexpected end of pattern", self.at)),
                },
                ':' => return self.inside("(?:", start).map(|()| None),
                '>' => return self.inside("(?>", start).map(|()| None),
                '=' => return self.inside("(?=", start).map(|()| None),
                '!' => return self.inside("(?!", start).map(|()| None),
                '<' => match self.next() {
                    Some('=') => return self.inside("(?<=", start).map(|()| None),
                    Some('!') => return self.inside("(?<!", start).map(|()| None),
                    Some(c) => {
                        return Err(self.wrong(format!("unknown extension ?<{c}"), start + 1));
                    }
                    None => return Err(self.wrong("unexpected end of pattern", self.at)),
                },
                '#' => {
                    while !self.takes(')') {
                        if self.next().is_none() {
                            return Err(self.wrong("missing ), unterminated comment", start));
                        }
                    }
                    return Ok(None);
                }
                '(' => return self.conditional(start).map(|()| None),
                c if c == '-' || c.is_ascii_alphabetic() && "aiLmsux".contains(c) => {
                    self.at -= 1;
                    return self.scoped_flags(start).map(|()| None);
                }
                c => return Err(self.wrong(format!("unknown extension ?{c}"), start + 1)),
            }
        }
        self.groups += 1;
        let group = self.groups;
        if let Some((name, at)) = name.map(|name| (name, start + 4)) {
            if let Some((_, before)) = self.names.iter().find(|(known, _)| *known == name) {
                let message = format!(
                    "redefinition of group name '{name}' as group {group}; was group {before}"
                );
                return Err(self.wrong(message, at));
            }
            self.names.push((name, group));
        }
        self.inside("(", start)?;
        self.closed.push(group);
        Ok(None)
    }

    /// What stands in a group, up to its end.
    fn inside(&mut self, opening: &str, start: usize) -> Result<(), Wrong> {
        self.out += opening;
        let flags = self.flags;
        self.alternatives()?;
        self.flags = flags;
        self.close(start)
    }

    pub(super) fn close(&mut self, start: usize) -> Result<(), Wrong> {
        if !self.takes(')') {
            return Err(self.wrong("missing ), unterminated subpattern", start));
        }
        self.out.push(')');
        Ok(())
    }

    /// Up to the character that ends it.
    fn group_name(&mut self, end: char, what: &str) -> Result<String, Wrong> {
        let start = self.at;
        let mut name = String::new();
        loop {
            match self.next() {
                Some(c) if c == end => break,
                Some(c) => name.push(c),
                None if name.is_empty() => return Err(self.wrong(format!("missing {what}"), start)),
                None => {
                    let message = format!("missing {end}, unterminated name");
                    return Err(self.wrong(message, start));
                }
            }
        }
        if name.is_empty() {
            return Err(self.wrong(format!("missing {what}"), start));
        }
        if end == '>' && !is_identifier(&name) {
            return Err(self.wrong(format!("bad character in group name '{name}'"), start));
        }
        Ok(name)
    }

    fn named(&self, name: &str, at: usize) -> Result<usize, Wrong> {
        if !is_identifier(name) {
            return Err(self.wrong(format!("bad character in group name '{name}'"), at));
        }
        let found = self.names.iter().find(|(known, _)| known == name);
        let unknown = || self.wrong(format!("unknown group name '{name}'"), at);
        found.map(|(_, group)| *group).ok_or_else(unknown)
    }

    /// What a group has matched, once more.
    pub(super) fn reference(&mut self, group: usize, at: usize) -> Result<(), Wrong> {
        if !self.closed.contains(&group) {
            return Err(self.wrong("cannot refer to an open group", at));
        }
        let _ = write!(self.out, "(?:\\{group})");
        Ok(())
    }

    /// `(?(1)yes|no)`
    fn conditional(&mut self, start: usize) -> Result<(), Wrong> {
        let at = self.at;
        let name = self.group_name(')', "group name")?;
        let group = match name.parse::<usize>() {
            Ok(0) => return Err(self.wrong("bad group number", at)),
            Ok(group) if group > self.chars.len() => {
                return Err(self.wrong(format!("invalid group reference {group}"), at));
            }
            Ok(group) => group,
            Err(_) => self.named(&name, at)?,
        };
        let _ = write!(self.out, "(?({group})");
        self.asked.push((group, at));
        if let Some(third) = self.alternatives()? {
            let message = "conditional backref with more than two branches";
            return Err(self.wrong(message, third));
        }
        self.close(start)
    }
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c == '_' || c.is_alphabetic());
    begins && chars.all(|c| c == '_' || c.is_alphanumeric())
}
