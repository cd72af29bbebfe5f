//! Statements are all or nothing: random ones beside CPython and NumPy, whose states
//! `numpy/statements.py` wrote down; every step at which memory can run out; Ctrl-C in the middle.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use genesis_repl::session::{Config, Nobody, Session};
use serde_json::{Value, json};

/// Runs a line; gives the kind of its error.
fn run(session: &mut Session, code: &str) -> Option<&'static str> {
    session.run(code, &mut Nobody).error.map(|error| error.kind.name())
}

/// What an expression comes to, in the form of the goldens.
fn look(session: &mut Session, code: &str) -> Value {
    let outcome = session.run(code, &mut Nobody);
    let value = match (outcome.value, outcome.error) {
        (Some(value), None) => value,
        (_, error) => return json!(error.map(|error| error.message)),
    };
    simplify(&session.to_json(&value, 1_000_000).expect("a value"))
}

fn simplify(value: &Value) -> Value {
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let simple = |value: &Value| items(value).iter().map(simplify).collect::<Vec<_>>();
    match value["type"].as_str() {
        Some("tensor") => {
            let mut flat = Vec::new();
            flatten(&value["data"], &mut flat);
            json!([value["dtype"], value["shape"], flat])
        }
        Some(kind @ ("tuple" | "list")) => json!([kind, simple(&value["items"])]),
        Some("dict") => {
            let pairs: Vec<Vec<Value>> = items(&value["items"]).iter().map(simple).collect();
            json!(["dict", pairs])
        }
        Some("none") => Value::Null,
        _ if value["value"].is_null() => value["repr"].clone(),
        _ => value["value"].clone(),
    }
}

fn flatten(data: &Value, out: &mut Vec<Value>) {
    match data {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, out)),
        other => out.push(other.clone()),
    }
}

/// Whether both say the same; `1` and `1.0` are equal inside a tensor, whose type is beside them.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

fn wide() -> Config {
    let mut config = Config::default();
    config.set("default_float", "float64").expect("a setting");
    config.set("outputs", "0").expect("a setting");
    config
}

fn allocated(session: &Session) -> u64 {
    session.memory().live
}

#[test]
fn random_statements_leave_the_state_that_python_has() {
    let mut session = Session::new(wide()).expect("a session");
    let (mut statements, mut wrong) = (0, String::new());
    for program in include_str!("numpy/statements.jsonl").lines() {
        let program: Vec<(String, Option<String>, String, Value)> =
            serde_json::from_str(program).expect("a program of the goldens");
        run(&mut session, ":reset");
        run(&mut session, "import numpy as np");
        for (at, (statement, error, expression, state)) in program.iter().enumerate() {
            statements += 1;
            // A statement may be wrong for several reasons; which one is found first is no promise.
            let before = allocated(&session);
            let found = run(&mut session, statement);
            let leaked = found.is_some() && allocated(&session) != before;
            let state_found = look(&mut session, expression);
            if found.is_some() != error.is_some() || leaked || !same(state, &state_found) {
                for (line, ..) in &program[..=at] {
                    let _ = writeln!(wrong, "    {line}");
                }
                let _ = writeln!(wrong, "  {error:?} {state}\n  {found:?} {state_found}");
                break;
            }
        }
    }
    assert!(statements > 1000, "only {statements} statements");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Statements that need memory at several steps, and what they must not touch if it is short.
const HUNGRY: &[&str] = &[
    "b = x[:] = x + 1",
    "x[0] = x[1] = x.sum()",
    "l[0] = x[:] = x * 3",
    "b, c = y[:], x[:] = x + 1, x + 2",
    "x[:], l[0], y[1:] = x + 1, y * 2, x[:3]",
    "x[[3, 0]], d['k'], x[x > 1] = x[:2] + 1, x * 2, 7",
    "l[0:1] = [x + 1, x * 2]",
    "l.extend([x + 1, x.fill_(3), y + x])",
    "d.update(a=x + 1, b=y.sort(), c=sort(x))",
    "x[:], b = y[::-1], x @ y",
    "x += cumsum(y) + l[0]",
    "l[0] += y[y > 1].sum()",
    "x[x > 1] *= y[x > 1]",
    "b = [x.add_(y), np.add(x, y, out=y), x.copy(), l.append(x * 2)]",
    "x[:], b = rand(4), randn(4)",
    "np.random.shuffle(x)",
    "x[:], y[:] = y, x",
    "c = b = x[:] = y[:] = x - y",
];

#[test]
fn memory_that_runs_out_at_any_step_changes_nothing() {
    let config = wide().with_simulated("2MiB").expect("a device");
    let mut session = Session::new(config).expect("a session");
    for statement in HUNGRY {
        let mut failures = 0;
        for room in 0.. {
            let begin = [
                ":reset",
                "import numpy as np",
                "x, y = arange(4.), array([3., 1., 4., 1.])",
                "l, d, b, c = [zeros(4), 1], {'k': ones(4), 2: x}, x, 5",
                "manual_seed(3)",
                "full = []",
                // All but a few dozen blocks of the device are taken for good.
                "taken = [empty(131072), empty(65536), empty(32768), empty(16384), empty(8192)]",
            ];
            for line in begin {
                assert_eq!(run(&mut session, line), None, "{line}");
            }
            while run(&mut session, "full.append(empty(64))").is_none() {}
            if room > 0 {
                assert_eq!(run(&mut session, &format!("del full[-{room}:]")), None);
            }
            let state = "x, y, l, d, b, c";
            let before = (allocated(&session), session.engine().random_position());
            let error = run(&mut session, statement);
            let after = (allocated(&session), session.engine().random_position());
            if error.is_none() {
                break;
            }
            assert_eq!(error, Some("MemoryError"), "{statement}");
            failures += 1;
            assert_eq!(before, after, "{statement} with room for {room} blocks");
            run(&mut session, "full.clear()");
            let found = look(&mut session, state);
            let x = json!(["float64", [4], [0.0, 1.0, 2.0, 3.0]]);
            let expected = json!([
                "tuple",
                [
                    x,
                    ["float64", [4], [3.0, 1.0, 4.0, 1.0]],
                    ["list", [["float64", [4], [0.0, 0.0, 0.0, 0.0]], 1]],
                    ["dict", [["k", ["float64", [4], [1.0, 1.0, 1.0, 1.0]]], [2, x]]],
                    x,
                    5,
                ]
            ]);
            assert!(same(&expected, &found), "{statement}, room for {room}: {found}");
            assert!(room < 200, "{statement} never succeeds");
        }
        assert!(failures > 0, "{statement} found memory on a full device");
    }
}

#[test]
fn memory_that_runs_out_while_pages_are_kept_changes_nothing() {
    let config = wide().with_simulated("2MiB").expect("a device");
    let mut session = Session::new(config).expect("a session");
    // Of one storage, of two, by views, and so many that the whole is kept.
    for statement in [
        "w[3], w[5], b = 1, 2, x + 1",
        "w[5:9], v[-4:], w[20_000] = x, x + 1, x.sum()",
        "u[7], w[8], u[1:5] = 5, 6, x",
        "w[0] = v[10_000] = w[20_000] = v[0] = w[30_000] = x.sum()",
        "w[:4], w[100:104], b = x, x * 2, empty(1 << 15)",
    ] {
        let mut failures = 0;
        for room in 0.. {
            for line in [
                ":reset",
                "w, x, b = zeros(34_000), arange(4.), 5",
                "v, u, full = w[1:], w[16_000:16_100], []",
                "taken = empty(1 << 17)",
                "place = arange(34_000., device='cpu')",
            ] {
                assert_eq!(run(&mut session, line), None, "{line}");
            }
            while run(&mut session, "full.append(empty(2048))").is_none() {}
            while run(&mut session, "full.insert(0, empty(64))").is_none() {}
            if room > 0 {
                assert_eq!(run(&mut session, &format!("del full[-{room}:]")), None);
            }
            let before = allocated(&session);
            let error = run(&mut session, statement);
            if error.is_none() {
                break;
            }
            assert_eq!(error, Some("MemoryError"), "{statement}");
            failures += 1;
            assert_eq!(before, allocated(&session), "{statement} with room for {room} blocks");
            run(&mut session, "full.clear()");
            let found = look(&mut session, "float((w.to('cpu') * place).sum()), b, x");
            let x = json!(["float64", [4], [0.0, 1.0, 2.0, 3.0]]);
            assert!(same(&json!(["tuple", [0.0, 5, x]]), &found), "{statement}: {found}");
            assert!(room < 60, "{statement} never succeeds");
        }
        assert!(failures > 0, "{statement} found memory on a full device");
    }
}

#[test]
fn ctrl_c_in_the_middle_changes_nothing() {
    let mut session = Session::new(wide()).expect("a session");
    let interrupt = session.interrupt();
    session.register("stop", move || interrupt.raise()).expect("a name");
    for line in ["x, l, d = arange(4.), [1], {}", "y, w = x[1:], zeros(100_000)"] {
        assert_eq!(run(&mut session, line), None, "{line}");
    }
    let state = "x, y, l, d, w[:20], w[-20:]";
    let before = (look(&mut session, state), allocated(&session));
    for statement in [
        "x[:], b = [7, stop()][0], 5",
        "b = x[:] = (x + 1, stop())[0]",
        "x[0], l[0], b = 5, 6, stop()",
        "x[0], b = 5, (stop(), x + 1)[1]",
        "b = [x.fill_(3), l.append(4), d.update(a=x), x.sort(), stop(), x + 1]",
        "l.extend([x.add_(1), stop(), x + 1])",
        "x += (x + 1, stop())[0]",
        "x[x > (1, stop())[0]] = 3",
        "w[7], w[-1], b = 5, 6, stop()",
        "w[7:9], b = 5, (stop(), w[:3] + 1)[1]",
        "w[7] = (w[9:19].sum(), stop())[0]",
    ] {
        let error = run(&mut session, statement);
        assert_eq!(error, Some("KeyboardInterrupt"), "{statement}");
        let after = (look(&mut session, state), allocated(&session));
        assert_eq!(before, after, "{statement}");
    }
}

/// Each statement inside a `with` of the cell commits by itself, and so does the way out of it.
#[test]
fn the_way_out_of_a_with_stands_where_its_body_fails() {
    let mut session = Session::new(wide()).expect("a session");
    let managers = "from contextlib import contextmanager\n\
        class Note:\n    def __enter__(self): said.append('in')\n    \
        def __exit__(self, *error): said.append('out')\n\
        @contextmanager\ndef note():\n    said.append('in')\n    \
        try:\n        yield\n    finally:\n        said.append('out')";
    assert_eq!(run(&mut session, managers), None);
    let cases: [(&str, &[&str]); 6] = [
        ("with M: missing", &["in", "out"]),
        ("with M, M: missing", &["in", "in", "out", "out"]),
        ("with M:\n    with M:\n        pass\n    missing", &["in", "in", "out", "out"]),
        (
            "for i in (1, 0):\n    with M:\n        said.append('body')\n        1 // i",
            &["in", "body", "out", "in", "body", "out"],
        ),
        ("try:\n    with M: missing\nfinally:\n    said.append('end')", &["in", "out", "end"]),
        // A call belongs to its statement, which leaves nothing.
        ("def f():\n    with M: missing\nf()", &[]),
    ];
    for manager in ["Note()", "note()"] {
        for (program, expected) in cases {
            run(&mut session, "said = []");
            let program = program.replace('M', manager);
            assert!(run(&mut session, &program).is_some(), "{program}");
            assert_eq!(look(&mut session, "said"), json!(["list", expected]), "{program}");
        }
    }
    let program = "import numpy as np\nwith np.errstate(all='raise'): np.log(zeros(1))";
    assert_eq!(run(&mut session, program), Some("FloatingPointError"));
    assert_eq!(look(&mut session, "np.geterr()['divide']"), json!("ignore"));
    run(&mut session, "with np.printoptions(precision=2): missing");
    assert_eq!(look(&mut session, "np.get_printoptions()['precision']"), json!(8));
}

#[test]
fn the_last_write_copies_nothing() {
    let mut config = wide();
    config.set("undo_memory", "0").expect("a setting");
    let mut session = Session::new(config).expect("a session");
    for line in ["x = arange(1e5)", "y = x[::2]"] {
        assert_eq!(run(&mut session, line), None);
    }
    for statement in [
        "x += 1",
        "x[3] = 5",
        "x[:] = 7",
        "x[::2] *= 2",
        "x[x > 2] = 0",
        "x[x > 2] = x.shape[0]",
        "x -= x * 2 + 1",
        "x[:] = y[0] = 5",
        "x.fill_(3)",
        "x.exp_()",
        "x.add_(x)",
        "add(x, 1, out=x)",
    ] {
        let outcome = session.run(statement, &mut Nobody);
        assert!(outcome.error.is_none(), "{statement}: {:?}", outcome.error);
        // Two targets are two writes, of which the first may have to be taken back.
        let copied = u64::from(statement.contains("= y[0] =")) * 800_000;
        let small = outcome.work.allocated - copied;
        assert!(small <= 4096, "{statement} allocated {}", outcome.work.allocated);
    }
}

#[test]
fn an_input_copies_what_it_writes_to_once() {
    let mut session = Session::new(wide()).expect("a session");
    assert_eq!(run(&mut session, "x = arange(1e5)"), None);
    let many = "x += 1; x[3] = 5; x.exp_(); x[::2] *= 2\n".repeat(50);
    let outcome = session.run(&many, &mut Nobody);
    assert!(outcome.error.is_none());
    assert!(outcome.work.allocated < 2 * 800_000, "{}", outcome.work.allocated);
    let outcome = session.run("y = arange(1e5)\ny += 1\ny[4] = 3", &mut Nobody);
    assert!(outcome.work.allocated < 2 * 800_000, "{}", outcome.work.allocated);
}

#[test]
fn a_function_that_writes_to_a_large_tensor_copies_little() {
    let mut session = Session::new(wide()).expect("a session");
    for line in
        ["x = zeros(4_000_000)", "def f(i):\n    x[i] = i\n    x[i:i + 20] += 1\n    return i"]
    {
        assert_eq!(run(&mut session, line), None, "{line}");
    }
    for text in ["for i in range(0, 2000, 40): f(i)", "y = [f(i) for i in range(200)]", "x[7] = 5"]
    {
        let outcome = session.run(text, &mut Nobody);
        assert!(outcome.error.is_none(), "{text}");
        assert!(outcome.work.allocated < 4 << 20, "{text}: {}", outcome.work.allocated);
    }
    let before = look(&mut session, "x[:300].sum(), x.sum()");
    assert_eq!(run(&mut session, "y = f(100), f(3_000_000), f(nothing)"), Some("NameError"));
    assert_eq!(look(&mut session, "x[:300].sum(), x.sum()"), before);
}

#[test]
fn a_statement_costs_what_it_changes() {
    let mut session = Session::new(wide()).expect("a session");
    let mut fastest = |count: usize| {
        let text = format!("x = [{}]", "[1, 2],".repeat(count));
        assert_eq!(run(&mut session, &text), None);
        let mut time = || {
            let begun = Instant::now();
            assert_eq!(run(&mut session, "x = x"), None);
            assert_eq!(run(&mut session, "y = x[7]"), None);
            begun.elapsed()
        };
        (0..5).map(|_| time()).min().unwrap_or_default()
    };
    let (few, many) = (fastest(100), fastest(20_000));
    assert!(many < 20 * few + Duration::from_millis(5), "{few:?} and {many:?}");
}

/// Changes of one item in containers of sizes on both sides of those from which steps are kept, more and
/// fewer than are kept before the whole is.
#[test]
fn steps_in_containers_are_taken_back() {
    const SETUP: &str = "
from collections import deque
def made(n):
    return list(range(n)), {i: i for i in range(n)}, set(range(n)), deque(range(n))
def step(held, i):
    l, d, s, q = held
    kind = i % 11
    if kind == 0: l.append(i)
    elif kind == 1: d[i] = -i
    elif kind == 2: s.add(1000 + i)
    elif kind == 3: q.append(i)
    elif kind == 4 and l: l[i % len(l)] = -i
    elif kind == 5 and l: l.pop()
    elif kind == 6: d[i % (len(d) + 1)] = [i]
    elif kind == 7: q.appendleft(i)
    elif kind == 8 and q: q.popleft()
    elif kind == 9 and q: q.pop()
    elif kind == 10 and i % 5 == 0: l.insert(0, i); d.pop(0, None); s.discard(i); q.rotate(1)
def run(held, steps):
    for i in steps: step(held, i)
    return held
";
    let mut session = Session::new(Config::default()).expect("a session");
    assert_eq!(run(&mut session, SETUP), None);
    for size in [0, 1, 15, 16, 17, 63, 64, 65, 300] {
        for count in [1, 2, 12, 45, 200] {
            let name = format!("{size} items, {count} steps");
            run(&mut session, &format!("held = made({size})"));
            let state = look(&mut session, "repr(held)");
            // One statement that fails.
            let failing = format!("run(held, range({count})), 1 / 0");
            assert_eq!(run(&mut session, &failing), Some("ZeroDivisionError"), "{name}");
            assert_eq!(look(&mut session, "repr(held)"), state, "{name}");
            // A loop whose turns are statements, one of which fails behind its steps.
            let looped =
                format!("for i in range({count}):\n    step(held, i)\nrun(held, range(7)), 1 / 0");
            assert_eq!(run(&mut session, &looped), Some("ZeroDivisionError"), "{name}");
            let wanted = look(&mut session, &format!("repr(run(made({size}), range({count})))"));
            assert_eq!(look(&mut session, "repr(held)"), wanted, "{name}");
            // All of the input.
            assert_eq!(run(&mut session, ":undo"), None);
            assert_eq!(look(&mut session, "repr(held)"), state, "{name}");
            assert_eq!(run(&mut session, ":redo"), None);
            assert_eq!(look(&mut session, "repr(held)"), wanted, "{name}");
        }
    }
}
