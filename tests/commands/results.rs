//! Results of earlier inputs: who holds them, how they go, and what the memory line says.

use super::driver::Driver;
use genesis_repl::session::{Config, Nobody, Outcome};

fn run(driver: &mut Driver, text: &str) -> Outcome {
    let outcome = driver.session.run(text, &mut Nobody);
    assert!(outcome.error.is_none(), "{text}: {:?}", outcome.error);
    outcome
}

fn line(outcome: &Outcome) -> String {
    outcome.memory_line().map_or(String::new(), |line| line.to_plain())
}

#[test]
fn advice_comes_true() {
    // Whatever `:mem vars` says that `del` would free, it frees.
    for setup in [
        "zeros(1 << 20)",
        "zeros(1 << 20)\ndel _1",
        "zeros(1 << 20)\n1\n2\n3",
        "[zeros(1 << 20), 2]\ndel _",
        "x = zeros(1 << 20)\ny = x[:5]\ndel x",
        "x = zeros(1 << 20)\na, b = x[:5], x[7:]\ndel x",
        "x = zeros(1 << 20)\nt = (x[1:], 1)\ndel x",
        "l = [zeros(1 << 20)]\nl\ndel l",
    ] {
        let mut driver = Driver::simulated();
        setup.lines().for_each(|line| _ = driver.ok(line));
        let before = driver.session.memory().live;
        let shown = driver.ok(":mem vars");
        assert!(shown.contains("4.0 MiB"), "{setup}\n{shown}");
        let Some(advice) = shown.split("`del ").nth(1).and_then(|rest| rest.split('`').next())
        else {
            assert!(shown.contains(".copy()` would let the rest go"), "{setup}\n{shown}");
            continue;
        };
        driver.ok(&format!("del {advice}"));
        let freed = before - driver.session.memory().live;
        assert!(freed >= 4 << 20, "{setup}\ndel {advice} freed {freed}\n{shown}");
    }
}

#[test]
fn a_deleted_result_goes_under_all_its_names() {
    let mut driver = Driver::simulated();
    driver.ok("zeros(1 << 20)");
    driver.ok("ones(3)");
    assert!(driver.ok(":mem vars").contains("`del Out[1]` would free it"));
    driver.ok("del Out[1]");
    assert!(driver.session.memory().live < 1 << 20);
    assert_eq!(driver.fails("_1"), "NameError");
    assert_eq!(driver.fails("__"), "NameError");
    assert_eq!(driver.fails("Out[1]"), "KeyError");
    assert_eq!(driver.show("_2"), "array([1., 1., 1.])\n");
    driver.ok("del Out");
    driver.ok("x = 1");
    assert_eq!(driver.fails("_"), "NameError");
    assert_eq!(driver.show("x + 1"), "2\n");
    assert_eq!(driver.show("len(Out)"), "1\n");
}

#[test]
fn an_old_result_that_goes_is_named() {
    let mut driver = Driver::simulated();
    driver.ok(":set outputs 2");
    let outcome = run(&mut driver, "zeros(1 << 18)");
    assert_eq!(line(&outcome), "live 1.0 MiB (+1.0 MiB) · reserved 2.0 MiB · peak 1.0 MiB");
    ["1", "2", "3", "4"].iter().for_each(|text| _ = run(&mut driver, text));
    let mut driver = Driver::simulated();
    driver.ok(":set outputs 1");
    let number = driver.session.next_number();
    run(&mut driver, "zeros(1 << 18)");
    run(&mut driver, "1");
    run(&mut driver, "2");
    let shown = line(&run(&mut driver, "3"));
    let wanted = "live 0 B (-1.0 MiB)";
    assert!(shown.starts_with(wanted), "{shown}");
    let wanted = format!("Out[{number}] dropped (-1.0 MiB), 1 result is kept");
    assert!(shown.contains(&wanted), "{shown}");
}

#[test]
fn the_memory_line_is_about_the_device_that_changed() {
    let config = Config::default().with_simulated("2x32MiB").unwrap();
    let mut driver = Driver::with(config);
    let outcome = run(&mut driver, "x = zeros(1 << 18, device='cuda:1')");
    assert!(line(&outcome).starts_with("cuda:1 live 1.0 MiB (+1.0 MiB)"), "{}", line(&outcome));
    let outcome = run(&mut driver, "y = x.to('cuda:0')");
    assert!(line(&outcome).starts_with("cuda:0 live 1.0 MiB (+1.0 MiB)"), "{}", line(&outcome));
    assert_eq!(line(&run(&mut driver, "z = 1")), "");
    // Moving to a new device frees nothing on the old one.
    let outcome = run(&mut driver, ":device simulate 16MiB");
    assert_eq!(line(&outcome), "");
    assert_eq!(outcome.memory.live_before, 0);
    let both = run(&mut driver, "del x, y");
    assert_eq!(line(&both).matches("live 0 B (-1.0 MiB)").count(), 2, "{}", line(&both));
}

#[test]
fn simulated_devices_are_named_and_found_again() {
    // They come behind the machine's own GPUs.
    let name = |shown: &str| shown.split(' ').next().unwrap_or_default().to_owned();
    let mut driver = Driver::cpu();
    let shown = driver.ok(":device simulate 16MiB");
    let first = name(&shown);
    assert_eq!(
        shown,
        format!("{first} with 16.0 MiB: a simulated GPU; new tensors go to {first}\n")
    );
    let shown = driver.ok(":device simulate 16MiB");
    assert!(shown.contains("that is there already"), "{shown}");
    assert_eq!(driver.session.engine().devices().count(), 2);
    let shown = driver.ok(":device simulate 32MiB");
    let second = name(&shown);
    assert_ne!(first, second);
    assert_eq!(
        shown,
        format!(
            "{second} with 32.0 MiB: a simulated GPU beside {first}; new tensors go to {second}\n"
        )
    );
    driver.ok("x = ones(3)");
    // A saved session finds its devices where there are none, and where they are open already.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.gx").display().to_string();
    driver.ok(&format!(":save {path}"));
    for mut other in [Driver::cpu(), driver] {
        other.ok(&format!(":load {path}"));
        assert_eq!(other.show("x.device"), format!("device('{second}')\n"));
        assert_eq!(other.session.engine().devices().count(), 3);
    }
    let mut opened = Driver::simulated();
    opened.ok(&format!("y = ones(2)\n:save -f {path}"));
    let mut other = Driver::cpu();
    other.ok(&format!(":load {path}"));
    assert_eq!(other.show("y.device"), format!("device('{first}')\n"));
}

#[test]
fn operands_of_the_failing_statement_are_not_offered() {
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1 << 22)\nw = x\nold = ones(1 << 21)\ny = 1");
    let shown = driver.show("y = x * 2 + ones(1 << 22)");
    assert!(shown.contains("`del old` (8.0 MiB) would make room for it"), "{shown}");
    assert!(!shown.contains("del x"), "{shown}");
    assert!(!shown.contains("del w"), "it holds the same memory\n{shown}");
    // What is only bound anew can go.
    let shown = driver.show("x = ones(1 << 23)");
    assert!(shown.contains("`del x, w, old` (24.0 MiB) would make room for it"), "{shown}");
    let history = driver.ok(":mem history");
    assert!(
        history.lines().any(|line| line.starts_with("oom") && line.contains(" free")),
        "{history}"
    );
}

#[test]
fn tensors_in_containers_are_aligned() {
    let mut driver = Driver::cpu();
    let mut shown = |text: &str| {
        let mut outcome = driver.session.run(text, &mut Nobody);
        driver.session.show(&mut outcome).unwrap().to_plain()
    };
    assert_eq!(
        shown("(eye(2), arange(3))"),
        "(array([[1., 0.],\n        [0., 1.]]),\n array([0, 1, 2]))"
    );
    assert_eq!(
        shown("{'w': eye(2), 'b': [eye(2)]}"),
        "{'w': array([[1., 0.],\n             [0., 1.]]),\n 'b': [array([[1., 0.],\n              [0., 1.]])]}"
    );
    assert_eq!(shown("(arange(2), 1)"), "(array([0, 1]), 1)");
    assert_eq!(shown("l = [ones(2)]\nl.append(l)\nl"), "[array([1., 1.]), [...]]");
    assert_eq!(shown("(eye(2),)"), "(array([[1., 0.],\n        [0., 1.]]),)");
    assert_eq!(shown("repr((eye(2),))").matches("\\n").count(), 1);
}

#[test]
fn charts_of_what_is_no_number() {
    let mut driver = Driver::cpu();
    let shown = driver.ok(":hist array([nan, 1., 2., inf, 3., nan, 2.5])");
    assert!(shown.contains("without 2 nan and 1 inf"), "{shown}");
    let shown = driver.ok(":hist array([nan, inf])");
    assert_eq!(shown, "no finite number to count: 1 nan and 1 inf\n");
    let shown = driver.ok(":plot zeros(5)");
    for label in [" 1.0 ┤", " 0.0 ┤", "-1.0 ┤"] {
        assert!(shown.contains(label), "{shown}");
    }
}

#[test]
fn whatever_holds_memory_is_named() {
    let mut driver = Driver::simulated();
    driver.ok("import functools, collections, itertools");
    driver.ok("def closure():\n    held = zeros(1024)\n    return lambda: held\n");
    driver.ok("def steps():\n    held = zeros(1024)\n    yield 1\n    held.sum()\n");
    driver.ok("class Kind:\n    shared = zeros(1024)\n");
    let statements = [
        ("default", "default = lambda t=zeros(1024): t"),
        ("cell", "cell = closure()"),
        ("generator", "generator = steps(); k = next(generator)"),
        ("partial", "partial = functools.partial(abs, zeros(1024))"),
        ("queue", "queue = collections.deque([zeros(1024)])"),
        ("iterator", "iterator = iter([zeros(1024)])"),
        ("mapped", "mapped = map(abs, [zeros(1024)])"),
        ("bound", "bound = zeros(1024).sum"),
        ("append", "append = [zeros(1024)].append"),
        ("chain", "chain = itertools.chain([zeros(1024)])"),
        ("error", "error = ValueError(zeros(1024))"),
        ("values", "values = {1: zeros(1024)}.values()"),
        ("nested", "nested = [[lambda t=zeros(1024): t]]"),
    ];
    statements.iter().for_each(|(_, statement)| drop(driver.ok(statement)));
    let said = driver.show(":mem vars");
    for (name, _) in statements {
        assert!(said.lines().any(|line| line.starts_with(name)), "{name} in\n{said}");
    }
    assert!(said.lines().any(|line| line.starts_with("Kind")), "{said}");
}
