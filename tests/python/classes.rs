//! Whole programs and what CPython 3.11 prints of them. `tests/python/programs` has one for each part
//! of the language, with CPython's answer beside it (of those for NumPy, what `numpy_prelude.py` and the
//! program print as one); `tests/python/classes.golden` has random ones that
//! `tests/python/random_classes.py --golden` made.

use std::fs;
use std::path::PathBuf;

use genesis_repl::session::{Config, Session};

use super::folder;
use super::programs::Stdout;

/// What a program prints that runs behind a `prelude`; an error that nobody took ends it.
fn printed(prelude: &str, name: &str, program: &str) -> String {
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let mut out = Stdout::default();
    let failed = session.run_named("prelude", prelude, &mut out).error;
    assert!(failed.is_none(), "{failed:?}");
    let outcome = session.run_named(name, program, &mut out);
    let mut out = out.0;
    if let Some(error) = outcome.error {
        out.0 += &format!("UNCAUGHT {}: {}\n", error.name(), error.message);
    }
    out.0
}

/// The first line that differs.
fn difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((at, (a, b))) => format!("line {}:\n  CPython {a}\n  here    {b}", at + 1),
        None => {
            format!("{} lines, CPython has {}", found.lines().count(), expected.lines().count())
        }
    }
}

#[test]
fn programs_print_what_cpython_prints() {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder().join("programs"))
        .expect("the programs are there")
        .map(|entry| entry.expect("they can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    let numpy = include_str!("numpy_prelude.py");
    for path in paths {
        let program = fs::read_to_string(&path).expect("a program is text");
        let expected = fs::read_to_string(path.with_extension("out")).expect("its answer is there");
        let name = path.display().to_string();
        let prelude = if name.contains("/numpy_") { numpy } else { "" };
        let found = printed(prelude, &name, &program);
        assert!(expected == found, "{name}: {}", difference(&expected, &found));
    }
}

#[test]
fn random_programs_print_what_cpython_prints() {
    let golden =
        fs::read_to_string(folder().join("classes.golden")).expect("the programs are there");
    let mut failures = Vec::new();
    let mut count = 0;
    for part in golden.split("\n=== ").map(|part| part.trim_start_matches("=== ")) {
        let (seed, rest) = part.split_once('\n').expect("a seed");
        let (program, expected) = rest.split_once("\n=> prints\n").expect("an answer");
        let found = printed("", seed, &format!("{program}\n"));
        if expected.trim_end() != found.trim_end() {
            failures.push(format!("seed {seed}: {}", difference(expected, &found)));
        }
        count += 1;
    }
    assert!(count > 20, "{count} programs");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
