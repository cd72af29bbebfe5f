//! The grammar's promises: its productions are the parser's functions; each program in grammar/ok
//! has the tree that CPython gives it; each one in grammar/err has its message. `UPDATE=1` blesses
//! the messages; the trees come from `tests/syntax/crosscheck.py --bless` alone.

use std::fs;
use std::path::{Path, PathBuf};

use genesis_repl::diag::{Source, SourceId, SourceResult};
use genesis_repl::syntax::{self, ast::Module};

/// The files of the parser in the order of the grammar.
const FILES: [&str; 10] = [
    "stmt",
    "compound",
    "define",
    "comprehension",
    "import",
    "expr",
    "primary",
    "call",
    "index",
    "fstring",
];

#[test]
fn productions_are_functions() {
    let grammar = fs::read_to_string(root("grammar/genesis.ebnf")).unwrap();
    let productions: Vec<&str> = grammar
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        .collect();
    let mut functions = Vec::new();
    for file in FILES {
        let text = fs::read_to_string(root(&format!("src/syntax/{file}.rs"))).unwrap();
        // A production takes the input and returns a parse; what takes more is a combinator.
        functions.extend(text.lines().filter_map(|line| {
            let (name, rest) = line.strip_prefix("pub fn ")?.split_once('(')?;
            let is_parser = rest.starts_with("input: Input<'_>) -> Parse<")
                || rest.starts_with("input: Input<'_>, is_raw: bool) -> Parse<")
                || rest.starts_with("input: Input<'_>, is_lambda: bool) -> Parse<");
            is_parser.then(|| name.to_owned())
        }));
    }
    assert!(productions.len() > 30, "found {} productions", productions.len());
    assert_eq!(productions, functions);
}

#[test]
fn every_word_of_a_production_is_defined() {
    let grammar = fs::read_to_string(root("grammar/genesis.ebnf")).unwrap();
    let mut defined = vec!["augassign".to_owned(), "compare_op".to_owned()];
    let mut used = Vec::new();
    // Comments and quoted words are no words of the grammar.
    let rules =
        grammar.split("(*").map(|part| part.split_once("*)").map_or(part, |(_, rest)| rest));
    for line in rules.flat_map(str::lines) {
        let unquoted: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let words = unquoted.split(|c: char| !c.is_ascii_alphabetic() && c != '_');
        let mut words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
        if line.contains(" = ") {
            defined.extend(words.next().map(str::to_owned));
        }
        used.extend(words.map(str::to_owned));
    }
    for word in used {
        assert!(defined.contains(&word), "`{word}` is used and not defined");
    }
}

#[test]
fn right_programs_have_cpythons_tree() {
    let programs = programs("grammar/ok");
    assert!(programs.len() >= 60, "found {} programs", programs.len());
    for path in programs {
        let (text, parsed) = parse(&path);
        let module = parsed.unwrap_or_else(|error| panic!("{}: {}", path.display(), error.message));
        let golden = fs::read_to_string(path.with_extension("ast")).unwrap();
        assert_eq!(syntax::dump(&module), golden, "{}:\n{text}", path.display());
    }
}

#[test]
fn wrong_programs_have_their_message() {
    let programs = programs("grammar/err");
    assert!(programs.len() >= 60, "found {} programs", programs.len());
    for path in programs {
        let (text, parsed) = parse(&path);
        let Err(error) = parsed else { panic!("{} is accepted", path.display()) };
        let mut shown = format!("{} ", error.kind);
        shown += &format!("{}..{} {}\n", error.span.start, error.span.end, error.message);
        for (span, label) in &error.labels {
            shown += &format!("label: {}..{} {label}\n", span.start, span.end);
        }
        for hint in &error.hints {
            shown += &format!("hint: {hint}\n");
        }
        let golden = path.with_extension("diag");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&golden, &shown).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(shown, expected, "{}:\n{text}", path.display());
    }
}

fn parse(path: &Path) -> (String, SourceResult<Module>) {
    let text = fs::read_to_string(path).unwrap();
    let source = Source::new(SourceId(0), path.display().to_string(), text.clone());
    (text, syntax::parse(&source))
}

/// The programs of a folder in the order of their numbers.
fn programs(folder: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gx"))
        .collect();
    paths.sort();
    paths
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
