//! NumPy's names: which are there, and why the others are not. `tests/numpy/names.py` wrote them down,
//! `tests/numpy/absent.txt` has the reasons, and `UPDATE=1` makes `grammar/numpy-names.md` of both.

#[path = "suite/printed.rs"]
mod printed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use genesis_repl::interp::builtins;
use genesis_repl::session::{Config, Session};
use printed::Printed;

fn session() -> Session {
    let config = Config::default().with_device("cpu").expect("a device");
    Session::new(config).expect("a session")
}

fn run(session: &mut Session, program: &str) -> Result<String, String> {
    let mut out = Printed::default();
    match session.run(program, &mut out).error {
        Some(error) => Err(format!("{}: {}", error.name(), error.message)),
        None => Ok(out.0),
    }
}

/// What the names are those of.
const OBJECTS: &str = "import numpy as np\nx = np.zeros((2, 2))\ndtype, ufunc, gufunc = np.dtype('float64'), np.add, np.matmul\n\
    finfo, iinfo = np.finfo('float64'), np.iinfo('int64')\npoly1d, polynomial = np.poly1d([1, 2]), np.polynomial.Polynomial([1, 2])\n\
    generator, version = np.random.default_rng(1), np.version\nnditer, broadcast = np.nditer(np.zeros(3)), np.broadcast(np.zeros(3), 1)\n\
    flat, flags = np.zeros(3).flat, np.zeros(3).flags";

/// The names, each with its kind and whether it is there.
fn names() -> Vec<(&'static str, &'static str, bool)> {
    let mut session = session();
    run(&mut session, OBJECTS).expect("a session's first input");
    let lines = include_str!("numpy/names.txt").lines();
    let pairs = lines.map(|line| line.split_once('\t').expect("a name and its kind"));
    let held = pairs.map(|(name, kind)| {
        let (owner, attribute) = name.rsplit_once('.').expect("an owner");
        let asked = format!("print(hasattr({owner}, '{attribute}'))");
        let answer = run(&mut session, &asked).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, kind, answer.trim() == "True")
    });
    held.collect()
}

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Why names are not there, by name: each line has names, and the reason behind a tab.
fn reasons(text: &str) -> BTreeMap<&str, &str> {
    let mut reasons = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (names, reason) = line.split_once('\t').expect("names and a reason");
        reasons.extend(names.split(' ').map(|name| (name, reason)));
    }
    reasons
}

/// The reasons without those of names that are there.
fn pruned(text: &str, is_absent: impl Fn(&str) -> bool) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let Some((names, reason)) = line.split_once('\t') else {
            let _ = writeln!(kept, "{line}");
            continue;
        };
        let names: Vec<&str> = names.split(' ').filter(|name| is_absent(name)).collect();
        if !names.is_empty() {
            let _ = writeln!(kept, "{}\t{reason}", names.join(" "));
        }
    }
    kept
}

fn table(names: &[(&str, &str, bool)], reasons: &BTreeMap<&str, &str>) -> String {
    let mut text = String::from(
        "# NumPy's names\n\nWhich of NumPy 2's names are there, made by `UPDATE=1 cargo test --test numpy_names`.\n",
    );
    let owners = [
        ("np", "The main namespace"),
        ("np.fft", "Fourier transforms"),
        ("x", "Arrays"),
        ("dtype", "Types of elements"),
        ("ufunc", "Elementwise functions"),
        ("gufunc", "Functions of whole rows and matrices"),
        ("finfo", "What is known of floats"),
        ("iinfo", "What is known of integers"),
        ("poly1d", "Polynomials, the highest power first"),
        ("polynomial", "Polynomials, the lowest power first"),
        ("generator", "Random generators"),
        ("nditer", "Iterators over several arrays"),
        ("broadcast", "Shapes that meet"),
        ("flat", "Iterators over elements"),
        ("flags", "How elements lie"),
        ("version", "The version"),
    ];
    for (owner, title) in owners {
        let is_own = |name: &str| name.rsplit_once('.').is_some_and(|(found, _)| found == owner);
        let own: Vec<_> = names.iter().filter(|(name, ..)| is_own(name)).collect();
        let there = own.iter().filter(|(.., is_there)| *is_there).count();
        let _ = writeln!(text, "\n## {title}\n\n{there} of {} are there.\n", own.len());
        let _ = writeln!(text, "| name | NumPy has a | here |\n| --- | --- | --- |");
        for (name, kind, is_there) in own {
            let here = if *is_there { "yes" } else { reasons.get(name).copied().unwrap_or("no") };
            let _ = writeln!(text, "| `{name}` | {kind} | {here} |");
        }
    }
    text
}

#[test]
fn the_table_is_up_to_date_and_what_is_absent_has_a_reason() {
    let names = names();
    let is_absent =
        |name: &str| names.iter().any(|(known, _, is_there)| *known == name && !*is_there);
    let (of_table, of_reasons) = (file("grammar/numpy-names.md"), file("tests/numpy/absent.txt"));
    let mut absent = fs::read_to_string(&of_reasons).expect("the reasons are there");
    let updates = std::env::var_os("UPDATE").is_some();
    if updates {
        absent = pruned(&absent, is_absent);
        fs::write(&of_reasons, &absent).expect("the reasons are written");
    }
    let reasons = reasons(&absent);
    let text = table(&names, &reasons);
    if updates {
        fs::write(&of_table, &text).expect("the table is written");
    }
    for (name, _, is_there) in &names {
        assert!(*is_there || reasons.contains_key(name), "{name} is absent: say why in absent.txt");
    }
    for name in reasons.keys() {
        assert!(is_absent(name), "absent.txt says that {name} is not there");
    }
    let stored = fs::read_to_string(&of_table).unwrap_or_default();
    assert!(stored == text, "grammar/numpy-names.md: UPDATE=1 cargo test --test numpy_names");
}

/// A parameter that NumPy's function has and ours does not is one of `tests/numpy/untaken.txt`, with a reason.
#[test]
fn parameters_are_taken() {
    let reasons = reasons(include_str!("numpy/untaken.txt"));
    let mut session = session();
    let prepared = "import numpy as np\nx = np.zeros((2, 2))\ngenerator = np.random.default_rng(1)\n\
        polynomial = np.polynomial.Polynomial([1, 2])";
    run(&mut session, prepared).expect("a session's first input");
    let mut untaken = Vec::new();
    for line in include_str!("numpy/signatures.txt").lines() {
        let (function, parameters) = line.split_once('\t').expect("a function and its parameters");
        let (owner, name) = function.rsplit_once('.').expect("an owner");
        let asked = format!("print(hasattr({owner}, '{name}'))");
        if run(&mut session, &asked).is_ok_and(|answer| answer.trim() != "True") {
            continue;
        }
        for parameter in parameters.split(' ') {
            let called = run(&mut session, &format!("{function}({parameter}='/?/?')"));
            if called.is_err_and(|error| error.contains("keyword argument")) {
                untaken.push(format!("{function}({parameter})"));
            }
        }
    }
    let is_told = |call: &String| reasons.contains_key(call.as_str());
    let silent: Vec<&String> = untaken.iter().filter(|call| !is_told(call)).collect();
    assert!(silent.is_empty(), "not taken, and without a reason in untaken.txt: {silent:?}");
    for call in reasons.keys() {
        assert!(
            untaken.iter().any(|untaken| untaken == call),
            "untaken.txt says that {call} is not taken"
        );
    }
}

/// Every function that is written in the language says how it is called, by an example that runs.
#[test]
fn examples_run() {
    let mut asking = session();
    let listed = run(&mut asking, "import numpy as np\nprint('\\n'.join(dir(np)))").expect("names");
    let mut count = 0;
    for owner in ["np", "np.testing", "np.lib.stride_tricks"] {
        let names = match owner {
            "np" => listed.clone(),
            _ => run(&mut asking, &format!("print('\\n'.join(dir({owner})))")).expect("names"),
        };
        for name in names.lines() {
            let asked = format!("print(getattr({owner}.{name}, '__doc__', None))");
            let Ok(doc) = run(&mut asking, &asked) else { continue };
            let examples: Vec<&str> =
                doc.lines().filter_map(|line| line.trim_start().strip_prefix(">>> ")).collect();
            let is_written = run(&mut asking, &format!("print(type({owner}.{name}).__name__)"));
            if is_written.is_ok_and(|kind| kind.trim() == "function") {
                assert!(!examples.is_empty(), "{owner}.{name} has no example");
            }
            if examples.is_empty() {
                continue;
            }
            count += 1;
            let mut own = session();
            run(&mut own, "from numpy import lib, testing").expect("modules of NumPy's");
            for example in examples {
                if let Err(error) = run(&mut own, example) {
                    panic!("{owner}.{name}: {example}: {error}");
                }
            }
        }
    }
    assert!(count > 88, "{count} examples");
}

/// Every function of the library is held against somebody else's answers, NumPy's, SciPy's or mpmath's, or against its
/// definition, in `machine.rs` for what the machine and its allocator tell.
#[test]
fn every_function_has_a_truth() {
    const GOLDENS: [&str; 8] = [
        "goldens.jsonl",
        "definitions.jsonl",
        "scalars.jsonl",
        "programs.jsonl",
        "random_calls.jsonl",
        "distributions.jsonl",
        "print_goldens.jsonl",
        "math_goldens.txt",
    ];
    let mut paths: Vec<PathBuf> = GOLDENS.map(|name| file("tests/numpy").join(name)).into();
    let programs = fs::read_dir(file("tests/python/programs")).expect("programs");
    paths.extend(programs.map(|entry| entry.expect("a file").path()).filter(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        name.starts_with("numpy_") && name.ends_with(".py")
    }));
    paths.push(file("tests/machine.rs"));
    let texts: String =
        paths.iter().map(|path| fs::read_to_string(path).expect("a text")).collect();
    let words: BTreeSet<&str> = texts.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_told = |name: &&str| match name.contains('.') {
        true => texts.contains(name),
        false => words.contains(name),
    };
    let rows = builtins::library_tables().iter().flat_map(|table| table.iter());
    let untold: BTreeSet<&str> = rows
        .filter(|row| !std::iter::once(&row.name).chain(row.aliases).any(is_told))
        .map(|row| row.name)
        .collect();
    assert!(untold.is_empty(), "no truth for {untold:?}");
}
