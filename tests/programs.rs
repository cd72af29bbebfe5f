//! Programs as a whole: how much waits, how deep calls go, what stops them.

use genesis_repl::session::{Config, Outcome, Session, Sink};
use genesis_repl::tensor::PlanCounts;

/// Shows nothing.
struct Silent;

impl Sink for Silent {
    fn text(&mut self, _: &str) {}

    fn report(&mut self, _: &genesis_repl::report::Report) {}
}

fn session() -> Session {
    let mut config = Config::default();
    config.set("default_float", "float64").expect("a setting");
    Session::new(config.with_device("cpu").expect("a device")).expect("a session")
}

fn shown(session: &mut Session, text: &str) -> String {
    let outcome: Outcome = session.run(text, &mut Silent);
    match (&outcome.error, outcome.shown()) {
        (Some(error), _) => format!("{}: {}", error.name(), error.message),
        (None, Some(value)) => session.repr(value),
        (None, None) => String::new(),
    }
}

#[test]
fn a_loop_that_grows_a_graph_is_computed_in_pieces() {
    let mut session = session();
    let program = "def f(y):\n    for i in range(100000): y = y + 1\n    return y\n";
    assert_eq!(shown(&mut session, program), "");
    let mut silent = Silent;
    let outcome = session.run("x = f(zeros(3))", &mut silent);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert!(outcome.work.kernels > 100, "{} kernels", outcome.work.kernels);
    assert!(outcome.memory.peak < 1 << 20, "{} bytes at once", outcome.memory.peak);
    assert_eq!(shown(&mut session, "x"), "array([100000., 100000., 100000.])");
    let recursive = "def g(y, n): return y if n == 0 else g(y + 1, n - 1)\n";
    assert_eq!(shown(&mut session, recursive), "");
    assert_eq!(shown(&mut session, "g(zeros(1), 900)"), "array([900.])");
}

/// CPython 3.11 takes some 2,900 links, of calls of methods 1,000.
#[test]
fn long_chains_run() {
    const N: usize = 2900;
    let mut session = session();
    let begin = "class A: pass\n\na = A(); a.b = a; a.c = lambda: a; l = []; l.append(l); f = lambda: f; x = 1; s = 'a'";
    assert_eq!(shown(&mut session, begin), "");
    for (chain, value) in [
        ("1+".repeat(N) + "1", "2901"),
        ("x+".repeat(N) + "x", "2901"),
        ("x*x-x+".repeat(N / 2) + "x", "1"),
        ("0 if x < 0 else ".repeat(N) + "x", "1"),
        ("x and ".repeat(N) + "x", "1"),
        ("0 or ".repeat(N) + "x", "1"),
        ("x==".repeat(N) + "x", "True"),
        ("-".repeat(N) + "x", "1"),
        ("not ".repeat(N) + "x", "True"),
        ("x**".repeat(N) + "x", "1"),
        (format!("len({}s)", "s+".repeat(N)), "2901"),
        (format!("len({}'a')", "'a'+".repeat(N)), "2901"),
        (format!("a{} is a", ".b".repeat(N)), "True"),
        (format!("a{} is a", ".c()".repeat(1900)), "True"),
        (format!("l{} is l", "[0]".repeat(N)), "True"),
        (format!("f{} is f", "()".repeat(N)), "True"),
        (format!("len(({}x))", "x,".repeat(N)), "2901"),
        (format!("({}ones(2)).sum()", "ones(2)+".repeat(N)), "array(5802.)"),
    ] {
        assert_eq!(shown(&mut session, &chain), value, "{}…", &chain[..20]);
        let function =
            format!("def g():\n    if not ({chain}): return 'none'\n    return {chain}\n\ng()");
        assert_eq!(shown(&mut session, &function), value, "{}… in a function", &chain[..20]);
    }
    let arms: String = (2..N).map(|n| format!("elif x == {n}: y = {n}\n")).collect();
    assert_eq!(shown(&mut session, &format!("if x == 0: y = 0\n{arms}else: y = -1\n\ny")), "-1");
    let targets: String = (0..N).map(|n| format!("v{n} = ")).collect();
    assert_eq!(shown(&mut session, &format!("{targets}x; v7 + v{}", N - 1)), "2");
}

#[test]
fn a_function_is_one_program_also_in_a_loop() {
    let mut session = session();
    let program = "def f(x):\n    y = x * 2\n    z = y + 1\n    return exp(z)\n";
    assert_eq!(shown(&mut session, program), "");
    assert_eq!(shown(&mut session, "x = zeros(3000)"), "");
    for (call, turns) in [
        ("r = f(x)", 1),
        ("for i in range(50): r = f(x)\n", 50),
        ("def g(n):\n    for i in range(n): r = float(f(x)[3])\n\ng(50)", 50),
    ] {
        let before = session.engine().plan_counts();
        let outcome = session.run(call, &mut Silent);
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        assert_eq!(outcome.work.kernels, turns, "{call}");
        let after = session.engine().plan_counts();
        assert!(after.misses - before.misses <= 1, "{call}: {before:?} {after:?}");
    }
}

#[test]
fn a_statement_in_a_loop_is_planned_once() {
    let statements = [
        "y = x + 1",
        "y = x * i",
        "y = x * (1 / (i + 1)) - i",
        "y = (x - i).sum()",
        "x[i % 7] = 0",
        "x[i % 7] = i",
        "x[1:3] = i",
        "x[i % 5:] += i",
        "m[i % 4] = m[i % 4 - 1]",
        "m[i % 4] += x",
        "y = m[i % 4, ::2].sum()",
        "x[i % 8] = m[i % 4].max() + i",
        "y = where(x > i, x, i)",
        "y = sqrt(x[i % 8])",
        "x[:] = m[i % 4] * i",
        "x[i % 3:i % 3 + 4] = m[i % 4, ::2][:4]",
    ];
    // The host does short rows without plans, a GPU nothing.
    for (simulated, length) in [(false, 8), (false, 3000), (true, 8)] {
        for statement in statements {
            let mut session = match simulated {
                false => session(),
                true => Session::new(Config::default().with_simulated("8MiB").expect("a device"))
                    .expect("a session"),
            };
            assert_eq!(shown(&mut session, &format!("x = ones({length})")), "");
            assert_eq!(shown(&mut session, &format!("m = ones((4, {length}))")), "");
            for program in [
                format!("for i in range(200):\n    {statement}\n"),
                format!("def work(y):\n    for i in range(200):\n        {statement}\n\nwork(x)"),
            ] {
                let before = session.engine().plan_counts();
                assert_eq!(shown(&mut session, &program), "");
                let after = session.engine().plan_counts();
                let misses = after.misses - before.misses;
                assert!(misses < 24, "{statement} over {length}: {misses} plans");
                let hits = after.hits - before.hits;
                let is_launched = simulated && program.starts_with("for");
                assert!(!is_launched || hits >= 150, "{statement} over {length}: {hits} hits");
            }
        }
    }
}

#[test]
fn a_sum_of_rows_is_computed_in_pieces() {
    let mut session = session();
    let program = "def total(m):\n    s = 0\n    for row in m: s = s + row\n    return s\n";
    assert_eq!(shown(&mut session, program), "");
    assert_eq!(shown(&mut session, "m = ones((5000, 8))"), "");
    let outcome = session.run("s = total(m)", &mut Silent);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    assert!(outcome.memory.peak < outcome.memory.live_before + (64 << 10), "{:?}", outcome.memory);
    let PlanCounts { misses, .. } = session.engine().plan_counts();
    assert!(misses < 12, "{misses} plans");
    assert_eq!(shown(&mut session, "s"), format!("array([{}])", ["5000."; 8].join(", ")));
}

#[test]
fn what_undo_brings_back_is_not_copied() {
    let few = "for i in range(1000): x[i] = i\n";
    let many = "for i in range(1000):\n    x[i] = i\n    x[i::1000] += 0\n";
    // Few pages are copied there and back, many elements exchanged.
    for (program, kept, kernels) in [(few, 1 << 17, 2), (many, 17 << 20, 0)] {
        for (commands, expected) in [(&[":undo"][..], "0.0"), (&[":undo", ":redo"], "999.0")] {
            let mut session = session();
            assert_eq!(shown(&mut session, "x = zeros(1 << 21)"), "");
            let outcome = session.run(program, &mut Silent);
            assert!(outcome.error.is_none(), "{:?}", outcome.error);
            assert!(outcome.work.allocated < kept, "one copy an input: {:?}", outcome.work);
            for command in commands {
                let outcome = session.run(command, &mut Silent);
                let work = (outcome.work.blocks, outcome.work.kernels);
                assert_eq!(work, (0, kernels), "{:?}", outcome.error);
            }
            assert_eq!(shown(&mut session, "x[999].item()"), expected);
        }
    }
}

/// Each statement of a loop in a cell commits by itself. A method that ends it changes a long list or set
/// in place: it takes as long as with a short one.
#[test]
fn a_loop_of_changes_copies_nothing() {
    for (made, change) in [
        ("list(range({n}))", "v.append(i)"),
        ("list(range({n}))", "v.pop()"),
        ("set(range({n}))", "v.add(-i)"),
    ] {
        let mut session = session();
        let mut time = |length: &str| {
            let made = made.replace("{n}", length);
            assert_eq!(shown(&mut session, &format!("v = {made}")), "");
            let begun = std::time::Instant::now();
            let program = format!("for i in range(400): {change}\n");
            assert_eq!(shown(&mut session, &program), "");
            begun.elapsed()
        };
        let (short, long) = (time("500"), time("300_000"));
        let limit = short * 8 + std::time::Duration::from_secs(1);
        assert!(long < limit, "{change}: {short:?}, {long:?}");
    }
}

#[test]
fn calls_inside_each_other_end_with_an_error() {
    let mut session = session();
    let limit = "RecursionError: maximum recursion depth exceeded";
    for program in [
        "def f(n): return f(n + 1)\n",
        "def f(n): return sorted([n], key=f)[0]\n",
        "def f(n): return [f(i) for i in [n]]\n",
        "def f(n): return list(map(f, [n]))\n",
        "def f(n): return sum(f(i) for i in [n])\n",
        "def f(n): yield from f(n)\n\ng = f\ndef f(n): return list(g(n))\n",
    ] {
        shown(&mut session, program);
        assert_eq!(shown(&mut session, "f(0)"), limit, "{program}");
        // Nothing is left of the depth.
        assert_eq!(shown(&mut session, "(lambda x: x)(5)"), "5");
    }
}

#[test]
fn ctrl_c_stops_loops_and_recursions() {
    for program in [
        "while True: pass\n",
        "x = 0\nwhile True: x += 1\n",
        "def f():\n    while 1: pass\nf()\n",
        "def f(n): return 1 if n > 900 else f(n + 1) + f(n + 1)\nf(0)\n",
        "def g():\n    while True: yield 1\nfor x in g(): pass\n",
        "sum(1 for i in iter(int, 1))\n",
        "[0 for i in iter(int, 1) if i]\n",
    ] {
        let mut session = session();
        let interrupt = session.engine().interrupt().clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            interrupt.raise();
        });
        let found = shown(&mut session, program);
        stopper.join().expect("the thread ends");
        assert!(found.starts_with("KeyboardInterrupt"), "{program} {found}");
    }
}

#[test]
fn each_simple_statement_of_a_loop_commits() {
    let mut session = session();
    assert_eq!(
        shown(
            &mut session,
            "l = []\nfor i in range(5):\n    l.append(i)\n    l.append(1 / (2 - i))\n"
        ),
        "ZeroDivisionError: division by zero"
    );
    assert_eq!(shown(&mut session, "l, i"), "([0, 0.5, 1, 1.0, 2], 2)");
    let function = "def f():\n    global n\n    for i in range(5):\n        n += 1\n        l.append(1 / (2 - i))\n";
    assert_eq!(shown(&mut session, "n = 0"), "");
    assert_eq!(shown(&mut session, function), "");
    assert_eq!(shown(&mut session, "f()"), "ZeroDivisionError: division by zero");
    assert_eq!(shown(&mut session, "n, len(l)"), "(0, 5)");
}

#[test]
fn literals_may_be_as_long_as_data() {
    let mut session = session();
    for count in [64, 65, 65_537] {
        let items = |item: fn(usize) -> String| (0..count).map(item).collect::<String>();
        for (display, expected) in [
            (format!("[{}]", items(|i| format!("{i},"))), count),
            (format!("({})", items(|i| format!("{i}.5,"))), count),
            (format!("{{{}}}", items(|i| format!("'{i}',"))), count),
            (format!("{{{}}}", items(|i| format!("'{i}': -{i},"))), count),
            (format!("array([{}])", items(|i| format!("[{i}, {i}.25],"))), count),
        ] {
            assert_eq!(shown(&mut session, &format!("x = {display}\n")), "");
            assert_eq!(shown(&mut session, "len(x)"), expected.to_string());
        }
        let lines = items(|i| format!("    x += {i}\n"));
        assert_eq!(shown(&mut session, &format!("x = 0\nif True:\n{lines}")), "");
        assert_eq!(shown(&mut session, "x"), (count * (count - 1) / 2).to_string());
        assert_eq!(shown(&mut session, &format!("x = 0\nfor j in range(3):\n{lines}")), "");
        assert_eq!(shown(&mut session, "x"), (3 * (count * (count - 1) / 2)).to_string());
        let function = format!("def f(x):\n{}    return x\n", lines.replace("x +=", "x ="));
        assert_eq!(shown(&mut session, &function), "");
        assert_eq!(shown(&mut session, "f(0)"), (count - 1).to_string());
    }
    let kinds = "[0, 0.0, -0.0, False, None, '0', 1, 1.0, True, ..., 1, '0']";
    let expected = kinds.replace("...", "Ellipsis");
    assert_eq!(shown(&mut session, kinds), expected);
}
