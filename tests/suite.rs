//! The language by examples: annotated micro-programs in `tests/suite/*.gx`.
//!
//! A case begins with `--- name ---`, or `--- name [cpu float64] ---` with the devices it runs on
//! (`cpu`, `cuda` for a simulated GPU; both if none is named) and the default float. Below each
//! statement stands what it shows: `# => repr`, `# out: printed text`; above a statement that must
//! fail stands `# Error: from-to Kind: message` with the columns of the caret, and its hints as
//! `# Hint: text`, and the functions that it arose in, the innermost first, as
//! `# in name`. UPDATE=1 writes what the session really answers into the files.
//!
//! With GENESIS_DEVICE=cuda the cases run on a real GPU instead of the simulated one. It must give
//! the same text; only the digits of floats may differ, by [`answers::TOLERANCE`]. In every mode of
//! its allocator a device gives the same text to the last digit.

#[path = "suite/answers.rs"]
mod answers;
#[path = "suite/printed.rs"]
mod printed;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use genesis_repl::dtype::DType;
use genesis_repl::session::{Completeness, Config, Outcome, Session};
use printed::Printed;

struct Case<'a> {
    header: &'a str,
    devices: Vec<&'a str>,
    default_float: DType,
    body: Vec<&'a str>,
}

#[test]
fn every_case_shows_what_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("tests/suite is there")
        .map(|entry| entry.expect("tests/suite can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gx"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no case in {}", folder.display());
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a suite file is text");
        let mut answered = String::new();
        for case in cases(&text) {
            let results: Vec<String> =
                case.devices.iter().map(|device| answer(&case, device, &[])).collect();
            let place = format!("{}: {}", path.display(), case.header);
            for (device, result) in case.devices.iter().zip(&results).skip(1) {
                if *result != results[0]
                    && !(answers::is_on_gpu() && answers::is_close(&results[0], result))
                {
                    let first = difference(&results[0], result);
                    failures.push(format!("{place}\n  differs on {device}: {first}"));
                }
                for mode in answers::modes() {
                    let other = answer(&case, device, mode);
                    if other != *result {
                        let first = difference(result, &other);
                        failures.push(format!("{place}\n  differs with {mode:?}: {first}"));
                    }
                }
            }
            let expected = case.body.join("\n");
            if !update && expected.trim_end() != results[0].trim_end() {
                let first = difference(&expected, &results[0]);
                failures.push(format!("{place}\n  {first}"));
            }
            let _ = write!(answered, "{}\n{}\n\n", case.header, results[0].trim_end());
        }
        if update {
            fs::write(&path, format!("{}\n", answered.trim_end()))
                .expect("the suite can be written");
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The cases of a file; lines before the first header must be blank.
fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("--- ").and_then(|rest| rest.strip_suffix(" ---")) {
            let options = title.split_once('[').map_or("", |(_, options)| options);
            let words: Vec<&str> = options.trim_end_matches(']').split_whitespace().collect();
            let mut devices: Vec<&str> =
                words.iter().copied().filter(|word| matches!(*word, "cpu" | "cuda")).collect();
            if devices.is_empty() {
                devices = vec!["cpu", "cuda"];
            }
            let default_float = if words.contains(&"float64") { DType::F64 } else { DType::F32 };
            cases.push(Case { header: line, devices, default_float, body: Vec::new() });
        } else if let Some(case) = cases.last_mut() {
            case.body.push(line);
        } else {
            assert!(line.trim().is_empty(), "expected a header, found {line:?}");
        }
    }
    cases
}

/// The case's program with what a session of these settings answers to it.
fn answer(case: &Case<'_>, device: &str, settings: &[(&str, &str)]) -> String {
    let config = Config { default_float: case.default_float, ..Config::default() };
    let mut config = match device {
        "cuda" if answers::is_on_gpu() => config.with_device("cuda").expect("a device"),
        "cuda" => config.with_simulated("256MiB").expect("a size"),
        _ => config.with_device("cpu").expect("a device"),
    };
    for (name, value) in settings {
        config.set(name, value).expect("a setting");
    }
    let mut session = Session::new(config).expect("a session");
    let mut text = String::new();
    let mut chunk = String::new();
    // A blank line ends a block, and so does the end of the case.
    for line in case.body.iter().filter(|line| !is_annotation(line)).chain([&""]) {
        if chunk.is_empty() && line.trim().is_empty() {
            continue;
        }
        chunk.push_str(line);
        if let Completeness::Incomplete { .. } = session.completeness(&chunk) {
            chunk.push('\n');
            continue;
        }
        let mut printed = Printed::default();
        let outcome = session.run(&chunk, &mut printed);
        write_answer(&mut text, &session, &chunk, &outcome, &printed.0);
        chunk.clear();
    }
    assert!(chunk.is_empty(), "{}: the program ends inside a statement", case.header);
    text
}

fn write_answer(text: &mut String, session: &Session, chunk: &str, outcome: &Outcome, out: &str) {
    if let Some(error) = &outcome.error {
        // What was defined earlier has a text of its own.
        let own = outcome.sources.first();
        let source = outcome.sources.iter().find(|source| source.id == error.span.source).or(own);
        let source = source.map_or(chunk, |source| &source.text);
        let column = |byte: u32| source[..byte as usize].chars().count();
        let (from, to) = (column(error.span.start), column(error.span.end));
        let _ = writeln!(text, "# Error: {from}-{to} {}: {}", error.name(), error.message);
        for call in error.calls.iter().take(4) {
            let _ = writeln!(text, "# in {}", call.function);
        }
        if error.calls.len() > 4 {
            let _ = writeln!(text, "# in {} more", error.calls.len() - 4);
        }
        for hint in &error.hints {
            let _ = writeln!(text, "# Hint: {hint}");
        }
    }
    let _ = writeln!(text, "{chunk}");
    for line in out.lines() {
        let _ = writeln!(text, "# out: {line}");
    }
    if let Some(value) = outcome.shown() {
        for line in session.repr(value).lines() {
            let _ = writeln!(text, "# => {line}");
        }
    }
}

fn is_annotation(line: &str) -> bool {
    ["# Error:", "# Hint:", "# in ", "# =>", "# out:"].iter().any(|mark| line.starts_with(mark))
}

/// The first line that differs.
fn difference(expected: &str, found: &str) -> String {
    let pairs = expected.lines().map(Some).chain(std::iter::repeat(None));
    let others = found.lines().map(Some).chain(std::iter::repeat(None));
    let end = expected.lines().count().max(found.lines().count());
    let first = pairs.zip(others).take(end).enumerate().find(|(_, (a, b))| a != b);
    first.map_or_else(String::new, |(line, (expected, found))| {
        let (expected, found) = (expected.unwrap_or(""), found.unwrap_or(""));
        format!("line {}:\n    expected {expected}\n    found    {found}", line + 1)
    })
}
