//! What the module `re` is made of: patterns, and where they match.
//!
//! Patterns are read with Python's rules (`translate`) and found by the crate `fancy_regex`: in time that
//! grows with the text alone, where they look around nowhere and refer to no group; else by so many
//! steps at most.

mod escape;
mod flags;
mod groups;
mod translate;

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use fancy_regex::{Error, Regex, RegexBuilder, RegexInput, RuntimeError};
use smallvec::{SmallVec, smallvec};

use super::super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room::{ITEM, Pace};
use crate::interp::value::{Entries, Key, Str, Type, Value};
use crate::interp::vm::register::put;
use crate::interp::{Evaluator, long_text};
use flags::Flags;
use translate::{END, Translated, translate};

/// As many steps back a match may take.
const STEPS: usize = 5_000_000;

pub const HIDDEN: &[Builtin] = &[
    Builtin::hidden(
        "compiled_pattern(pattern, flags, /)",
        compiled,
        "(searcher, flags, groups, names, closing order), or (message, position) of a wrong pattern.",
    ),
    Builtin::hidden(
        "matches_of(searcher, text, start, end, how, limit, must_advance, /)",
        matches,
        "Of each match the ends of all groups: anywhere, at the start (how=1), of the whole (how=2).",
    ),
    Builtin::hidden(
        "texts_of_groups(text, ends, groups, default, /)",
        |call| {
            let arguments = [0, 1, 2, 3].map(|at| call.value(at).clone());
            Ok(groups::texts(&call.evaluator, &arguments).unwrap_or(Value::NotImplemented))
        },
        "The texts between the ends of groups by number, of a single one by itself; NotImplemented of others.",
    )
    .quick(|evaluator, arguments, to| {
        put(to, groups::texts(&evaluator, arguments)?);
        Some(())
    }),
    Builtin::hidden(
        "texts_of_matches(searcher, text, start, end, /)",
        texts,
        "What `Pattern.findall` gives.",
    ),
    Builtin::hidden(
        "parts_between_matches(searcher, text, limit, /)",
        parts,
        "What `Pattern.split` gives.",
    ),
    Builtin::hidden(
        "replaced_matches(searcher, text, replacement, limit, /)",
        replaced,
        "A text with another one in the place of each match, and how many there were.",
    ),
];

/// A pattern that can be looked for.
struct Searcher {
    translated: Translated,
    forms: RefCell<Vec<(Form, Rc<Regex>)>>,
}

/// What a match must be like; each is compiled when it is first needed.
#[derive(Clone, Copy, PartialEq)]
struct Form {
    is_whole: bool,
    is_not_empty: bool,
    /// Whether the text ends with a line break, before which `$` matches as well.
    ends_line: bool,
}

impl Part for Searcher {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok("<searcher>".to_owned())
    }
}

impl Searcher {
    /// `None` for what can't match at all.
    fn form(&self, form: Form) -> Result<Option<Rc<Regex>>, Error> {
        if let Some((_, regex)) = self.forms.borrow().iter().find(|(known, _)| *known == form) {
            return Ok(Some(regex.clone()));
        }
        let end = if form.ends_line { "(?=\\n?\\z)" } else { "\\z" };
        let mut text = self.translated.text.replace(END, end);
        if form.is_whole {
            text = format!("(?:{text})\\z");
        }
        let built = RegexBuilder::new(&text)
            .backtrack_limit(STEPS)
            .find_not_empty(form.is_not_empty)
            .build();
        let regex = match built {
            Ok(regex) => Rc::new(regex),
            Err(Error::CompileError(error))
                if matches!(*error, fancy_regex::CompileError::PatternCanNeverMatch) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        self.forms.borrow_mut().push((form, regex.clone()));
        Ok(Some(regex))
    }
}

fn compiled(call: &mut Call<'_>) -> Result<Value, Fault> {
    let translated = match translate(call.str(0)?, Flags(call.int(1)?)) {
        Ok(translated) => translated,
        Err(wrong) => {
            return Ok(Value::tuple([Value::str(wrong.message), Value::Int(wrong.at as i64)]));
        }
    };
    let flags = translated.flags.0;
    let name = |(name, group): &(String, usize)| (Key::of_name(name), Value::Int(*group as i64));
    let names: Entries = translated.names.iter().map(name).collect();
    let names = Value::Dict(Rc::new(names.into()));
    let closed = Value::sizes(translated.closed.iter().copied());
    let groups = translated.groups as i64;
    let searcher = Searcher { translated, forms: RefCell::default() };
    let plain = Form { is_whole: false, is_not_empty: false, ends_line: false };
    if let Err(error) = searcher.form(plain) {
        let message = format!("this pattern can't be compiled here: {error}");
        return Ok(Value::tuple([Value::str(message), Value::None]));
    }
    let searcher = Opaque::value(Type::Searcher, searcher);
    Ok(Value::tuple([searcher, Value::Int(flags), Value::Int(groups), names, closed]))
}

/// Where groups of a match begin and end, bytes; that of all of it first.
type Groups = SmallVec<[Option<Range<usize>>; 4]>;

/// A text, and what is looked for in it.
struct Search<'c, 'a> {
    call: &'c Call<'a>,
    searcher: &'c Searcher,
    whole: &'c Str,
}

/// How matches follow each other.
struct Order {
    start: usize,
    end: usize,
    /// Anywhere, at the start (1), of the whole (2).
    how: i64,
    limit: usize,
    /// What begins where an empty match was must not be empty.
    must_advance: bool,
    /// Whether only all of each match is asked for.
    is_whole_only: bool,
}

impl<'c, 'a> Search<'c, 'a> {
    /// That of a call whose first arguments are a searcher and a text.
    fn of(call: &'c Call<'a>) -> Result<Search<'c, 'a>, Fault> {
        let Some(searcher) = call.value(0).inside::<Searcher>() else {
            return Err(call.wrong_type(0, "a searcher"));
        };
        let Value::Str(whole) = call.value(1).plain() else {
            return Err(call.wrong_type(1, "a text"));
        };
        Ok(Search { call, searcher, whole })
    }

    /// The byte that an argument means as the position of a character.
    fn byte(&self, position: usize) -> Result<usize, Fault> {
        Ok(self.whole.byte_of(usize::try_from(self.call.int(position)?).unwrap_or_default()))
    }

    /// What an argument says of how many matches are wanted.
    fn limit(&self, position: usize) -> Result<usize, Fault> {
        Ok(usize::try_from(self.call.int(position)?).unwrap_or(usize::MAX))
    }

    /// All matches from the beginning of the text to its end.
    fn all(&self, limit: usize, is_whole_only: bool) -> Order {
        let end = self.whole.len();
        Order { start: 0, end, how: 0, limit, must_advance: false, is_whole_only }
    }

    /// A part of the text.
    fn part(&self, part: Range<usize>) -> Value {
        self.call.evaluator.interp.part(&self.whole[part])
    }

    /// The text of a group, if it has a part in a match.
    fn group(&self, groups: &Groups, group: usize) -> Option<Value> {
        Some(self.part(groups.get(group)?.clone()?))
    }

    /// Shows the matches, one after the other.
    ///
    /// # Errors
    /// RuntimeError for too many steps; MemoryError; Ctrl-C.
    fn each(&self, order: Order, mut see: impl FnMut(&Groups)) -> Result<(), Fault> {
        let Order { mut start, end, how, limit, mut must_advance, is_whole_only } = order;
        let text = &self.whole[..end];
        let form = Form {
            is_whole: how == 2,
            is_not_empty: false,
            ends_line: text.ends_with('\n') && self.searcher.translated.text.contains(END),
        };
        let mut pace = Pace::new(self.call.engine());
        let count = self.searcher.translated.groups;
        let each = ITEM * (2 * count + 4);
        let look = |form: Form, start: usize, is_here: bool| -> Result<Option<Groups>, Fault> {
            let Some(regex) = self.searcher.form(form).map_err(failed)? else { return Ok(None) };
            let input = RegexInput::new(text).from_pos(start).anchored(is_here);
            if is_whole_only || count == 0 {
                let found = regex.find_input(input).map_err(failed)?;
                return Ok(found.map(|found| smallvec![Some(found.start()..found.end())]));
            }
            let Some(captures) = regex.captures_input(input).map_err(failed)? else {
                return Ok(None);
            };
            let group = |group| captures.get(group).map(|part| part.start()..part.end());
            Ok(Some((0..=count).map(group).collect()))
        };
        let mut found = 0;
        while found < limit && start <= text.len() {
            pace.step(each)?;
            let mut next = None;
            if must_advance {
                next = look(Form { is_not_empty: true, ..form }, start, true)?;
                if next.is_none() {
                    let Some(c) = text[start..].chars().next() else { break };
                    if how != 0 {
                        break;
                    }
                    start += c.len_utf8();
                }
            }
            if next.is_none() {
                next = look(form, start, how != 0)?;
            }
            let Some(groups) = next else { break };
            see(&groups);
            found += 1;
            let Some(all) = &groups[0] else { break };
            must_advance = all.is_empty();
            start = all.end;
        }
        Ok(())
    }
}

fn failed(error: Error) -> Fault {
    match error {
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded) => {
            let message = "the pattern takes too many steps on this text";
            Fault::new(ErrorKind::Runtime, message)
                .with_hint("repeats in each other, `(a+)+`, beside `(?=…)` or `\\1` have too many ways to match")
        }
        error => Fault::new(ErrorKind::Runtime, error.to_string()),
    }
}

fn matches(call: &mut Call<'_>) -> Result<Value, Fault> {
    let search = Search::of(call)?;
    let order = Order {
        start: search.byte(2)?,
        end: search.byte(3)?,
        how: call.int(4)?,
        limit: search.limit(5)?,
        must_advance: call.bool(6)?,
        is_whole_only: false,
    };
    let position = |byte: usize| Value::Int(search.whole.position_of(byte) as i64);
    let mut found = Vec::new();
    search.each(order, |groups| {
        let ends = groups.iter().flat_map(|group| match group {
            Some(part) => [position(part.start), position(part.end)],
            None => [Value::Int(-1), Value::Int(-1)],
        });
        found.push(Value::Tuple(ends.collect()));
    })?;
    Ok(Value::list(found))
}

fn texts(call: &mut Call<'_>) -> Result<Value, Fault> {
    let search = Search::of(call)?;
    let order =
        Order { start: search.byte(2)?, end: search.byte(3)?, ..search.all(usize::MAX, false) };
    let text =
        |groups: &Groups, group| search.group(groups, group).unwrap_or_else(|| Value::str(""));
    let mut found = Vec::new();
    search.each(order, |groups| {
        found.push(match groups.len() {
            1 => text(groups, 0),
            2 => text(groups, 1),
            count => Value::Tuple((1..count).map(|group| text(groups, group)).collect()),
        });
    })?;
    Ok(Value::list(found))
}

fn parts(call: &mut Call<'_>) -> Result<Value, Fault> {
    let search = Search::of(call)?;
    let (mut found, mut at) = (Vec::new(), 0);
    search.each(search.all(search.limit(2)?, false), |groups| {
        let Some(all) = &groups[0] else { return };
        found.push(search.part(at..all.start));
        let group = |group| search.group(groups, group).unwrap_or(Value::None);
        found.extend((1..groups.len()).map(group));
        at = all.end;
    })?;
    found.push(search.part(at..search.whole.len()));
    Ok(Value::list(found))
}

fn replaced(call: &mut Call<'_>) -> Result<Value, Fault> {
    let search = Search::of(call)?;
    let (text, mut whole, mut count, mut at) = (call.str(2)?, String::new(), 0, 0);
    let mut pushed = Ok(());
    search.each(search.all(search.limit(3)?, true), |groups| {
        let Some(all) = groups[0].clone().filter(|_| pushed.is_ok()) else { return };
        let engine = call.engine();
        pushed = long_text::push(engine, &mut whole, &search.whole[at..all.start])
            .and_then(|()| long_text::push(engine, &mut whole, text));
        (count, at) = (count + 1, all.end);
    })?;
    pushed?;
    long_text::push(call.engine(), &mut whole, &search.whole[at..])?;
    Ok(Value::tuple([Value::str(whole), Value::Int(count)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind of item is written so that the crate takes it.
    #[test]
    fn what_is_written_can_be_compiled() {
        for pattern in [
            "",
            "a|b|",
            "a*b+c?d{2}e{2,}f{,3}g{1,2}?h*+",
            r"\d\D\s\S\w\W\b\B\A\Z",
            "^a$",
            "(?m)^a$",
            "(?s).",
            ".",
            "(?i)ä",
            "[]a]",
            "[^]a-z\\d-]",
            r"[\]\[&&~~|-]",
            "(a)(?P<n>b)\\1(?P=n)(?:c)",
            "(?=a)(?!a)(?<=a)(?<!a)(?>a)",
            "(?=a)*",
            "(?!a)+?b",
            "(?<=a)??(?<!b){2}(?=c){0}",
            "(a)?(?(1)b|c)",
            "(?x) a # b\n c",
            "(?i:a)(?-i:b)",
            "(?a)\\w\\b\\B\\s",
            r"\x41\u0041\U00000041\0\101",
            "{",
            "a{",
            "a{1",
            "a{}",
            "a{,}",
            "-#&~ ",
        ] {
            let translated =
                translate(pattern, Flags(0)).unwrap_or_else(|wrong| panic!("{pattern}: {wrong:?}"));
            let searcher = Searcher { translated, forms: RefCell::default() };
            for bits in 0..8 {
                let [is_whole, is_not_empty, ends_line] = [1, 2, 4].map(|bit| bits & bit != 0);
                let built = searcher.form(Form { is_whole, is_not_empty, ends_line });
                assert!(built.is_ok(), "{pattern}: {built:?} {}", searcher.translated.text);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_as_cpython_does() {
        for (pattern, message, at) in [
            ("(", "missing ), unterminated subpattern", 0),
            ("a)", "unbalanced parenthesis", 1),
            ("*", "nothing to repeat", 0),
            ("a**", "multiple repeat", 2),
            ("[a", "unterminated character set", 0),
            ("[z-a]", "bad character range z-a", 1),
            ("\\", "bad escape (end of pattern)", 0),
            ("\\q", "bad escape \\q", 0),
            ("\\1", "invalid group reference 1", 1),
            ("(\\1)", "cannot refer to an open group", 1),
            ("(?P<a>x)(?P<a>y)", "redefinition of group name 'a' as group 2; was group 1", 12),
            ("(?P<1>x)", "bad character in group name '1'", 4),
            ("(?P=x)", "unknown group name 'x'", 4),
            ("(?k)", "unknown extension ?k", 1),
            ("a{2,1}", "min repeat greater than max repeat", 2),
            ("a(?i)", "global flags not at the start of the expression", 1),
            ("\\x4", "incomplete escape \\x4", 0),
        ] {
            let wrong = translate(pattern, Flags(0)).map(|found| found.text).unwrap_err();
            assert_eq!((&*wrong.message, wrong.at), (message, at), "{pattern}");
        }
    }
}
