//! What the module `re` is made of: patterns, and where they match.
//!
//! Patterns are read with Python's rules (`translate`) and found by the crate `fancy_regex`: in time that
//! grows with the text alone, where they look around nowhere and refer to no group; else by so many
//! steps at most.

mod escape;
mod flags;
mod translate;

use std::cell::RefCell;
use std::rc::Rc;

use fancy_regex::{Error, Regex, RegexBuilder, RegexInput, RuntimeError};

use super::super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room::{ITEM, Pace};
use crate::interp::value::{Entries, Key, Type, Value};
use flags::Flags;
use translate::{END, Translated, translate};

/// As many steps back a match may take.
const STEPS: usize = 5_000_000;

pub const COMPILED: Builtin = Builtin::new("compiled_pattern(pattern, flags, /)", compiled)
    .homes(Homes::NONE)
    .doc("(searcher, flags, groups, names, closing order), or (message, position) of a wrong pattern.");

pub const MATCHES: Builtin = Builtin::new(
    "matches_of(searcher, text, start, end, how, limit, must_advance, /)",
    matches,
)
.homes(Homes::NONE)
.doc("Of each match the ends of all groups: anywhere, at the start (how=1), of the whole (how=2).");

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

fn matches(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(searcher) = call.value(0).inside::<Searcher>() else {
        return Err(call.wrong_type(0, "a searcher"));
    };
    let Value::Str(whole) = call.value(1).plain() else {
        return Err(call.wrong_type(1, "a text"));
    };
    let byte_of = |at: i64| whole.byte_of(usize::try_from(at).unwrap_or_default());
    let text = &whole[..byte_of(call.int(3)?)];
    let mut start = byte_of(call.int(2)?);
    let how = call.int(4)?;
    let limit = usize::try_from(call.int(5)?).unwrap_or(usize::MAX);
    let mut must_advance = call.bool(6)?;
    let form = Form {
        is_whole: how == 2,
        is_not_empty: false,
        ends_line: text.ends_with('\n') && searcher.translated.text.contains(END),
    };
    let failed = |error: Error| match error {
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded) => {
            let message = "the pattern takes too many steps on this text";
            Fault::new(ErrorKind::Runtime, message)
                .with_hint("repeats in each other, `(a+)+`, beside `(?=…)` or `\\1` have too many ways to match")
        }
        error => Fault::new(ErrorKind::Runtime, error.to_string()),
    };
    let position = |byte: usize| Value::Int(whole.position_of(byte) as i64);
    let mut pace = Pace::new(call.engine());
    let each = ITEM * (2 * searcher.translated.groups + 4);
    let mut found = Vec::new();
    while found.len() < limit && start <= text.len() {
        pace.step(each)?;
        let look = |form: Form, start: usize, is_here: bool| {
            let Some(regex) = searcher.form(form)? else { return Ok(None) };
            let input = RegexInput::new(text).from_pos(start).anchored(is_here);
            regex.captures_input(input)
        };
        let mut next = None;
        if must_advance {
            // What begins where an empty match was must not be empty.
            next = look(Form { is_not_empty: true, ..form }, start, true).map_err(failed)?;
            if next.is_none() {
                let Some(c) = text[start..].chars().next() else { break };
                if how != 0 {
                    break;
                }
                start += c.len_utf8();
            }
        }
        if next.is_none() {
            next = look(form, start, how != 0).map_err(failed)?;
        }
        let Some(captures) = next else { break };
        let mut ends = Vec::with_capacity(2 * captures.len());
        for group in 0..=searcher.translated.groups {
            match captures.get(group) {
                Some(part) => {
                    ends.extend([position(part.start()), position(part.end())]);
                }
                None => ends.extend([Value::Int(-1), Value::Int(-1)]),
            }
        }
        found.push(Value::tuple(ends));
        let Some(all) = captures.get(0) else { break };
        must_advance = all.start() == all.end();
        start = all.end();
    }
    Ok(Value::list(found))
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
