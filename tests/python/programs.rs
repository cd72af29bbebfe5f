//! Random programs with what CPython prints, made by
//! `tests/python/random_programs.py --write`.

use std::fmt::Write;
use std::fs;

use genesis_repl::report::{Markup, Report};
use genesis_repl::session::{Config, Session, Sink};

use super::{Printed, folder};

/// Without what Python writes to standard error: exceptions that nobody can catch.
#[derive(Default)]
pub struct Stdout(pub Printed);

impl Sink for Stdout {
    fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    fn report(&mut self, report: &Report) {
        self.0.report(report);
    }

    fn notice(&mut self, _: &Markup) {}
}

/// What a program prints, and the error that ends it.
fn run(program: &str) -> String {
    let mut config = Config::default();
    config.set("default_float", "float64").expect("a setting");
    let config = config.with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let mut printed = Stdout::default();
    let outcome = session.run(program, &mut printed);
    let mut printed = printed.0;
    if let Some(error) = &outcome.error {
        let message = if error.message.is_empty() { "" } else { ": " };
        let _ = writeln!(printed.0, "{}{message}{}", error.name(), error.message);
    }
    printed.0
}

#[test]
fn programs_print_what_cpython_prints() {
    check("programs.txt", 100);
}

/// Methods of texts and containers, calls, objects and exceptions, by
/// `tests/python/random_methods.py --write`.
#[test]
fn methods_give_what_cpython_gives() {
    check("methods.txt", 40);
}

/// Generators, closures, `try` and `finally`, formats, classes and much else, by
/// `tests/python/random_forms.py --write`.
#[test]
fn forms_do_what_they_do_in_cpython() {
    check("forms.txt", 40);
}

/// Python's library, by `tests/python/random_library.py --write`.
#[test]
fn the_library_gives_what_cpythons_gives() {
    check("library.txt", 60);
}

/// Order and scopes, by `tests/python/random_scopes.py --write`.
#[test]
fn order_and_scopes_are_those_of_cpython() {
    check("scopes.txt", 60);
}

/// What keys are asked, by `tests/python/random_keys.py --write`.
#[test]
fn keys_are_asked_as_in_cpython() {
    check("keys.txt", 60);
}

/// Runs the programs of a file, which has as many at least.
fn check(file: &str, least: usize) {
    let text = fs::read_to_string(folder().join(file)).expect("the programs are there");
    let programs: Vec<&str> = text.split("=== program ").skip(1).collect();
    assert!(programs.len() >= least, "{} programs", programs.len());
    let mut wrong = String::new();
    for program in programs {
        let (number, rest) = program.split_once('\n').expect("a number stands first");
        let (source, expected) = rest.split_once("--- prints\n").expect("what it prints");
        let found = run(source);
        if found != expected {
            let _ =
                writeln!(wrong, "program {number}:\n{source}expected\n{expected}found\n{found}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
