//! Modules that are written in the language: what stays true of a session that loads them.

use genesis_repl::diag::{ErrorKind, Fault, Span};
use genesis_repl::report::Report;
use genesis_repl::session::{Config, Nobody, Session, Sink};

use super::Printed;

/// What inputs print, one after the other, and the message of an error.
fn printed(inputs: &[&str]) -> String {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let mut out = Printed::default();
    for input in inputs {
        let outcome = session.run(input, &mut out);
        if let Some(error) = outcome.error {
            out.0 += &format!("{}: {}\n", error.name(), error.message);
        }
    }
    out.0
}

#[test]
fn loading_is_taken_back_and_done_again() {
    let make = "from collections import namedtuple\nP = namedtuple('P', 'x y')\nprint(P(1, 2))";
    let found = printed(&[make, ":undo", make]);
    assert_eq!(found.matches("P(x=1, y=2)").count(), 2, "{found}");
}

#[test]
fn a_statement_that_fails_leaves_no_half_of_a_module() {
    let found = printed(&[
        "def f():\n    from heapq import heappush\n    return 1 / 0",
        "f()",
        "from heapq import heappush, heappop\nh = []\nheappush(h, 2)\nheappush(h, 1)\nprint(heappop(h))",
    ]);
    assert!(found.ends_with("1\n"), "{found}");
}

#[test]
fn names_of_the_session_hide_nothing_from_it() {
    let found = printed(&[
        "sorted = len = max = range = 0",
        "from heapq import nlargest, heapify\nh = [3, 1, 2]\nheapify(h)\nprint(nlargest(2, h))",
    ]);
    assert_eq!(found, "[3, 2]\n");
}

#[test]
fn an_error_in_it_stands_where_the_program_called_it() {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let program = "import heapq\ndef f(h):\n    return heapq.heappop(h)\nf([])";
    let outcome = session.run_named("program.py", program, &mut Printed::default());
    let error = outcome.error.expect("nothing to pop");
    assert_eq!(error.span.range(), program.rfind("h)").map(|at| at..at + 1).expect("an argument"));
    let calls: Vec<&str> = error.calls.iter().map(|call| &*call.function).collect();
    assert_eq!(calls, ["f"]);
}

#[test]
fn what_it_calls_back_has_its_place() {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let program = "from functools import cache\n@cache\ndef g(x):\n    return 1 / x\ng(0)";
    let outcome = session.run_named("program.py", program, &mut Printed::default());
    let error = outcome.error.expect("a division by zero");
    assert_eq!(&program[error.span.range()], "1 / x");
    let calls: Vec<&str> = error.calls.iter().map(|call| &program[call.span.range()]).collect();
    assert_eq!(calls, ["g(0)"]);
}

/// What goes wrong in it is about no argument of the call that led to it, though only one stands where it is called.
#[test]
fn what_it_calls_back_is_about_no_argument() {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let call = "np.apply_over_axes(f, np.ones(2), [0])";
    let program = format!("import numpy as np\ndef f(v, axis):\n    return [][1]\n{call}");
    let outcome = session.run_named("program.py", &program, &mut Printed::default());
    let error = outcome.error.expect("an empty list");
    let calls: Vec<&str> = error.calls.iter().map(|call| &program[call.span.range()]).collect();
    assert_eq!(calls, [call]);
}

#[test]
fn dir_and_help_know_it() {
    let found = printed(&[
        "import contextlib\nprint([n for n in dir(contextlib) if n[0] == 's'])",
        "help(contextlib.suppress)",
        "from contextlib import supress",
    ]);
    let expected = "['suppress']\nclass suppress(*exceptions)\n\nGoes on behind the block where one of \
                    these exceptions comes up in it.\n";
    assert!(found.starts_with(expected), "{found}");
    assert!(
        found.ends_with("ImportError: cannot import name 'supress' from 'contextlib'\n"),
        "{found}"
    );
}

#[test]
fn a_filter_of_warnings_is_taken_back_with_its_statement() {
    let found = printed(&[
        "import warnings",
        "def f():\n    warnings.simplefilter('error')\n    1 / 0",
        "f()",
        "warnings.warn('only said')\nprint('went on')",
        "warnings.simplefilter('error')",
        "warnings.warn('raised')",
    ]);
    assert!(found.contains("went on\n") && found.ends_with("UserWarning: raised\n"), "{found}");
}

#[test]
fn what_is_written_is_on_the_disk_when_an_input_ends() {
    let path = std::env::temp_dir().join(format!("genesis-{}-end.txt", std::process::id()));
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let open = format!("f = open({:?}, 'w')\nf.write('text')", path.display().to_string());
    assert!(session.run(&open, &mut Printed::default()).error.is_none());
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "text");
    std::fs::remove_file(path).expect("it can go");
}

#[test]
fn a_statement_that_fails_puts_a_file_back() {
    let path = std::env::temp_dir().join(format!("genesis-{}-back.txt", std::process::id()));
    let path = path.display().to_string();
    let found = printed(&[
        &format!("p = {path:?}\nf = open(p, 'w')"),
        "def g():\n    f.write('lost')\n    1 / 0",
        "g()",
        "f.write('one\\ntwo\\n')\nf.close()",
        "r = open(p)",
        "def h():\n    r.readline()\n    1 / 0",
        "h()",
        "print(r.read())",
        "a = open(p, 'a')",
        "def k():\n    a.write('x' * 9000)\n    1 / 0",
        "a.write('end')\na.close()\nprint(open(p).read().endswith('end'))",
        "def lines():\n    return [n for n in open(p)]",
        "print(len(lines()))",
    ]);
    std::fs::remove_file(path).expect("it can go");
    let expected = "ZeroDivisionError: division by zero\nZeroDivisionError: division by zero\none\ntwo\n\n\
                    True\n3\n";
    assert_eq!(found.replace("float ", ""), expected);
}

#[test]
fn a_variable_of_the_environment_that_comes_too_late_says_so() {
    let found = printed(&[
        "import os, warnings",
        "os.environ['MY_OWN'] = 'a'\nprint(os.environ['MY_OWN'], os.getenv('MY_OWN'))",
        "warnings.simplefilter('error')",
        "os.environ['CUDA_LAUNCH_BLOCKING'] = '1'",
        "os.environ['MY_OWN'] = 1",
    ]);
    assert!(
        found.starts_with("a a\nRuntimeWarning: CUDA_LAUNCH_BLOCKING comes too late"),
        "{found}"
    );
    assert!(found.ends_with("TypeError: str expected, not int\n"), "{found}");
    let found = printed(&[
        "import os\nos.environ['MY_OWN'] = 'a'",
        ":undo",
        "import os\nprint('MY_OWN' in os.environ)",
    ]);
    assert!(found.ends_with("False\n"), "{found}");
}

#[test]
fn a_file_is_read_within_the_budget_and_no_pipe_is_waited_for() {
    let found = printed(&[
        "try:\n    open('/dev/zero')\nexcept OSError as e:\n    print(e)",
        "print(repr(open('/dev/null').read()))",
        "print(open('/dev/null', 'w').write('gone'))",
    ]);
    assert_eq!(found, "[Errno 22] not a file on a disk: '/dev/zero'\n''\n4\n");
}

/// A name of the library without its import says which one; a typing error for one's own does not.
#[test]
fn a_forgotten_import_is_offered() {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let mut hint = |program: &str| {
        let outcome = session.run(program, &mut Printed::default());
        outcome.error.expect("no such name").hints.first().cloned().unwrap_or_default()
    };
    assert_eq!(hint("time.time()"), "`import time` comes first");
    assert_eq!(
        hint("@dataclass\nclass A:\n    x: int"),
        "`from dataclasses import dataclass` comes first"
    );
    assert_eq!(hint("class A(Enum): pass"), "`from enum import Enum` comes first");
    assert_eq!(hint("Path('a')"), "`from pathlib import Path` comes first");
    assert_eq!(hint("List[int]"), "`from typing import List` comes first");
    assert_eq!(hint("zeors(3)"), "did you mean `zeros`?");
    assert_eq!(hint("my_times = 3\nmy_time"), "did you mean `my_times`?");
}

/// A text that was written for one call is shown as long as an error points into it.
#[test]
fn an_error_in_an_annotation_shows_it() {
    for (annotation, name, wanted) in [
        ("list~[int]", "SyntaxError", "~"),
        ("nothing_of_that_name", "NameError", "nothing_of_that_name"),
        ("[1, 2][3]", "IndexError", "3"),
    ] {
        let mut session = Session::new(Config::default()).expect("a session");
        let text =
            format!("import typing\ndef f(a: '{annotation}'): pass\n\ntyping.get_type_hints(f)");
        let outcome = session.run(&text, &mut Nobody);
        let error = outcome.error.expect("no annotation");
        let part = |span: Span| {
            let source = outcome.sources.iter().find(|source| source.id == span.source)?;
            source.text.get(span.range())
        };
        assert_eq!((error.name(), part(error.span)), (name, Some(wanted)));
        assert!(error.calls.iter().all(|call| part(call.span).is_some()), "{:?}", error.calls);
    }
}

/// Answers with lines, the last of which may have no end.
struct Typed(Printed, Vec<&'static str>);

impl Sink for Typed {
    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    fn report(&mut self, report: &Report) {
        self.0.report(report);
    }

    fn input(&mut self, _: &str) -> Result<String, Fault> {
        match self.1.is_empty() {
            true => Err(Fault::new(ErrorKind::Eof, "nothing is left")),
            false => Ok(self.1.remove(0).to_owned()),
        }
    }
}

#[test]
fn standard_input_is_read_by_lines() {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let mut typed = Typed(Printed::default(), vec!["a b\n", "1\n", "\n", "2\n", "last"]);
    let program = "import sys\nprint([input()], [sys.stdin.readline()])\nfor line in sys.stdin:\n    print([line])\n    if line == '2\\n':\n        break\nprint([sys.stdin.read()], [sys.stdin.read()], sys.stdin.readlines(), [sys.stdin.readline()])\ninput()";
    let outcome = session.run(program, &mut typed);
    let printed = typed.0.0;
    assert_eq!(printed, "['a b'] ['1\\n']\n['\\n']\n['2\\n']\n['last'] [''] [] ['']\n");
    assert_eq!(outcome.error.expect("the input has ended").kind, ErrorKind::Eof);
}
