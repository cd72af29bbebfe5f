//! Blocks of the cell that fail half-way leave what CPython leaves: each statement inside commits by itself,
//! and so do conditions, iterators, managers and handlers. By `tests/python/random_cells.py --write`.

use std::fmt::Write;

use genesis_repl::session::{Config, Nobody, Session};

use super::Printed;

#[test]
fn a_block_that_fails_leaves_what_cpython_leaves() {
    let mut lines = include_str!("cells.jsonl").lines();
    let prelude: String = serde_json::from_str(lines.next().expect("a line")).expect("a text");
    let mut session = Session::new(Config::default()).expect("a session");
    let (mut failures, mut wrong) = (0, String::new());
    for program in lines {
        let inputs: Vec<(String, Option<String>, String)> =
            serde_json::from_str(program).expect("a program");
        session.run(":reset", &mut Nobody);
        assert!(session.run(&prelude, &mut Nobody).error.is_none());
        for (code, error, state) in inputs {
            let found = session.run(&code, &mut Nobody).error.map(|error| error.name().to_string());
            let mut printed = Printed::default();
            session.run("print(state())", &mut printed);
            let found_state = printed.0.trim_end();
            failures += usize::from(error.is_some());
            if found != error || found_state != state {
                let _ = writeln!(wrong, "{code}\n  CPython {error:?} {state}");
                let _ = writeln!(wrong, "  here    {found:?} {found_state}\n");
                break;
            }
        }
    }
    assert!(failures > 100, "only {failures} failures");
    assert!(wrong.is_empty(), "{wrong}");
}
