//! Calls of Python's own functions, methods and modules, with CPython's answers
//! (`tests/python/calls.py` writes them down).

use std::fmt::Write;

use genesis_repl::session::{Config, Session};

use super::Printed;

/// What the script imports before it asks.
const SETUP: &[&str] = &[
    "import math, random, operator, os, json, itertools, functools, collections, copy, string, sys",
    "from collections import Counter, defaultdict, deque, OrderedDict",
    "from functools import partial, reduce",
    "from operator import itemgetter, attrgetter, methodcaller",
];

#[test]
fn calls_answer_as_in_cpython() {
    let mut session = Session::new(Config::default()).expect("a session opens");
    for line in SETUP {
        let outcome = session.run(line, &mut Printed::default());
        assert!(outcome.error.is_none(), "{line}: {:?}", outcome.error);
    }
    let (mut asked, mut failures) = (0, String::new());
    for line in include_str!("calls.txt").lines() {
        let (expression, expected) = line.split_once('\t').expect("a line has an answer");
        let found = answer(&mut session, expression);
        let is_same = match expected.strip_prefix('!') {
            Some(error) if !error.contains(':') => {
                found.strip_prefix('!').and_then(|found| found.split(':').next()) == Some(error)
            }
            _ => found == expected.trim_end_matches(": "),
        };
        asked += 1;
        if !is_same {
            let _ = write!(failures, "\n{expression}\n  expected {expected}\n  found    {found}");
        }
    }
    assert!(asked > 3000, "{asked} calls");
    assert!(
        failures.is_empty(),
        "{} of {asked} differ:{failures}",
        failures.matches("expected ").count()
    );
}

/// The repr of an expression, or `!` and its error.
fn answer(session: &mut Session, expression: &str) -> String {
    let mut printed = Printed::default();
    let outcome = session.run(&format!("print(repr(({expression})))"), &mut printed);
    match outcome.error {
        None => printed.0.trim_end_matches('\n').to_owned(),
        Some(error) => {
            let text = format!("!{}: {}", error.kind.name(), error.message);
            text.trim_end_matches(": ").to_owned()
        }
    }
}
