//! `:save` writes a program that runs in a new session and gives the same variables.

use super::driver::Driver;

/// A generator of its own: the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// The variables of a session but for results, which a program has under names of its own.
fn variables(driver: &Driver) -> Vec<(String, String)> {
    let scope = driver.session.interp().scope.borrow();
    let is_own = |name: &str| !name.starts_with('_') && name != "Out";
    let names: Vec<String> =
        scope.names().filter(|name| is_own(name)).map(str::to_string).collect();
    let mut found: Vec<(String, String)> = names
        .into_iter()
        .map(|name| {
            let value = driver.session.repr(&scope.get(&name).unwrap());
            (name, value)
        })
        .collect();
    found.sort();
    found
}

#[track_caller]
fn check_round_trip(cells: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.py");
    let mut first = Driver::cpu();
    for cell in cells {
        first.show(cell);
    }
    first.ok(&format!(":save {}", path.display()));
    let program = std::fs::read_to_string(&path).unwrap();
    let mut second = Driver::cpu();
    let shown = second.show(&format!(":load {}", path.display()));
    assert!(!shown.contains("Error"), "{cells:?}\n{program}\n{shown}");
    assert_eq!(variables(&second), variables(&first), "{cells:?}\n{program}");
    // As a program of its own, too, and saved again.
    let mut third = Driver::cpu();
    third.ok(&program);
    assert_eq!(variables(&third), variables(&first), "{program}");
}

#[test]
fn results_by_every_name() {
    check_round_trip(&["1 + 1", "x = _ + 1"]);
    check_round_trip(&["7", "8", "9", "x = [_, __, ___]", "10", "y = (_, __, ___)"]);
    check_round_trip(&["7", "arange(3)", "x = _2 * _1", "_2[0] = 5", "y = _2", "z = x.sum()"]);
    check_round_trip(&["'a'", "x = Out[1] + 'b'", "x", "y = Out[3] + Out[1]", "z = len(Out)"]);
    check_round_trip(&["2", "f'{_} {_1}'", "x = _", "y = f'{Out[1]:>5}'"]);
    check_round_trip(&["3; 4", "x = _1", "None", "y = _", "_ = 12", "5", "z = __"]);
    check_round_trip(&["(1,\n 2)", "x = _", "1, 2", "y = _", "x == y", "z = _"]);
}

#[test]
fn what_changes_the_meaning_of_later_statements() {
    check_round_trip(&["seed(5)", "x = rand(3)", "y = rand(2)"]);
    check_round_trip(&["x = rand(3)", "rand(10)[9][[99]]", "y = rand(2)", "z = _"]);
    check_round_trip(&[":set default_float float64", "x = ones(2) / 3", ":set precision 3"]);
    check_round_trip(&["x = 1\nx = nothing\nx = 3", "y = x", "del y", "w = 1 / 0"]);
    check_round_trip(&[">>> x = 1\n>>> x + 1\n2\n", "y = _"]);
    check_round_trip(&["s = '''\n>>> not a prompt\n:set precision 1\nIn [1]: x\n'''", "t = s * 2"]);
    check_round_trip(&["from numpy import *", "import numpy as np; np.pi", "x = round(_, 2)"]);
    check_round_trip(&[
        "x = 'λ\\u202e\\n\"'",
        "y = _ if 0 else x",
        "# a comment",
        "z = 1  # behind",
    ]);
}

#[test]
fn random_sessions_round_trip() {
    let mut chance = Chance(11);
    for _ in 0..60 {
        let mut cells: Vec<String> = vec!["a = [1, 2]; b = 3; c = arange(4)".into()];
        for number in 2..2 + chance.below(14) {
            let name = ["a", "b", "c", "d"][chance.below(4)];
            let earlier = 1 + chance.below(number);
            cells.push(match chance.below(16) {
                0 => format!("{name} = _"),
                1 => format!("{name} = [_, __]"),
                2 => format!("{name} = _{earlier}"),
                3 => format!("{name} = Out[{earlier}]"),
                4 => name.to_string(),
                5 => "rand(2)".into(),
                6 => format!("{name} = rand(3); {name}"),
                7 => format!("{name} = list(Out)"),
                8 => "seed(3)".into(),
                9 => format!("{name} * 2"),
                10 => format!("{name}, b = b, {name}"),
                11 => format!("del {name}"),
                12 => "___".into(),
                13 => "b = 1 / 0".into(),
                14 => format!("{name} = '''\n>>> x\n'''"),
                _ => format!("f'{{_}} {{{name}}}'"),
            });
        }
        check_round_trip(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
