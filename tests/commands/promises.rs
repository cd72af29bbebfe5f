//! What commands and statements promise: looking changes nothing, a wrong line costs nothing, a
//! saved session runs again, and the allocator's mode never shows in a value.

use std::fs;
use std::path::Path;

use expect_test::expect;
use genesis_repl::diag::{Source, SourceId};
use genesis_repl::memory::{AllocatorStats, Mode, SegmentKind};
use genesis_repl::session::Config;
use genesis_repl::syntax;

use super::driver::Driver;

/// All figures of the memory, but how the free part of it is cut.
fn figures(driver: &Driver) -> Vec<AllocatorStats> {
    let devices = driver.session.engine().devices();
    let stats = devices.map(|device| device.allocator().stats());
    stats.map(|stats| AllocatorStats { cached: 0, largest_free: 0, ..stats }).collect()
}

#[test]
fn explaining_changes_nothing() {
    let mut driver = Driver::simulated();
    driver.ok("seed(7)\nx = rand(64, 64)\nm = x > 0.5\nl = [1]");
    let (before, position) = (figures(&driver), driver.session.engine().random_position());
    let names = driver.ok(":who");
    for statement in [
        "y = x + 1",
        "x = x * 2",
        "y = sort(x)",
        "y = x @ x",
        "y = x[m]",
        "y = rand(1000) + x.sum()",
        "x[m] = 0",
        "x += 1",
        "y = zeros(1 << 30)",
        "x.fill_(3)",
        "l.append(2)",
        "y = nothing",
        "y = x[100]",
        "print(x)",
        "a, *b = l",
        "del x",
    ] {
        driver.show(&format!(":explain {statement}"));
        driver.show(&format!(":type {statement}"));
        assert_eq!(figures(&driver), before, "{statement}");
        assert_eq!(driver.session.engine().random_position(), position, "{statement}");
    }
    assert_eq!(driver.ok(":who"), names);
    assert_eq!(driver.show("l"), "[1]\n");
}

#[test]
fn a_thousand_errors_leak_nothing() {
    let mut driver = Driver::simulated();
    driver.ok("x = rand(64, 64)\ni = arange(10)\nl = [1, 2]\nd = {'a': x}\ns = 'text'");
    let mut lines: Vec<String> = [
        "y = x + nothing",
        "y = x.frobnicate()",
        "y = (x + 1).sum(axis=2)",
        "y = x + zeros(3)",
        "y = x[64]",
        "y = x[0, 0, 0]",
        "y = x[i * 8]",
        "y = x[1.5]",
        "x[i] = zeros(3)",
        "x[i * 8] = 1",
        "y = x.reshape(7, 7)",
        "y = zeros(1 << 40)",
        "y = ones(1 << 23) + ones(1 << 23)",
        "y = 1 // 0",
        "y = i // (i - i)",
        "y = 2 ** 64 + 1",
        "y = 18446744073709551615 + 1",
        "a, b = x[:3]",
        "y = x @ zeros(3, 3)",
        "y = concatenate([x, zeros(2, 2)])",
        "y = x if x else 1",
        "y = d['b']",
        "y = l[5]",
        "l[0], l[1], l[2] = 7, 8, 9",
        "x += zeros(5)",
        "i += 1.5",
        "del nothing",
        "y = zeros(3, dtype=s)",
        "y = sin()",
        "y = x.sum(axs=0)",
        "y = array([[1, 2], [3]])",
        "import pandas",
        "y = int('x')",
        "x[0], y = 1, x[99]",
        "y = x +",
        "y = 'open",
        ":mem segmens",
        ":set precision x",
        ":explain y = x[99]",
        ":time y = x[99]",
        ":timeit -n 1 -r 1 y = x[99]",
        ":load nothing.gx",
        ":device cuda:9",
        ":frobnicate",
    ]
    .map(str::to_string)
    .to_vec();
    // Deep brackets and long names, as somebody's cat types them.
    lines.push("y = ".to_string() + &"(".repeat(10_000));
    lines.push("y = x[".to_string() + &"0, ".repeat(70) + "0]");
    let (live, _) = driver.bytes();
    let before = driver.ok(":who");
    for round in 0..1000usize.div_ceil(lines.len()) {
        for line in &lines {
            driver.fails(line);
            assert_eq!(driver.bytes().0, live, "round {round}: {line}");
        }
    }
    assert_eq!(driver.ok(":who"), before);
    driver.ok(":reset");
    driver.ok(":mem trim\n:mem trim cpu");
    assert_eq!(driver.bytes(), (0, 0));
}

#[test]
fn a_saved_session_runs_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.gx").display().to_string();
    let mut driver = Driver::cpu();
    for cell in [
        "import numpy as np",
        ":set default_float float64",
        "x = np.random.rand(5); y = x[::2]",
        "text = '''two\nlines'''",
        ":mem",
        "z = x +\\\n    1",
        "w = nothing",
        ":time v = rand(3)",
        ":set precision 3",
        "y += 1",
        "x",
        ":timeit -n 2 -r 1 rand(2)",
        "u = rand(2)",
        ":who",
    ] {
        driver.show(cell);
    }
    driver.ok(&format!(":save {path}"));
    let text = fs::read_to_string(&path).unwrap();
    expect![[r#"
        # saved by genesis-repl 0.1.0
        # opened with :set device cpu
        seed(0)
        import numpy as np
        :set default_float float64
        x = np.random.rand(5)
        y = x[::2]
        text = '''two
        lines'''
        z = x +\
            1
        v = rand(3)
        :set precision 3
        y += 1
        x
        u = rand(2)
    "#]]
    .assert_eq(&text);
    let mut again = Driver::cpu();
    again.ok(&format!(":load {path}"));
    for name in ["x", "y", "z", "text", "u", "v"] {
        assert_eq!(again.show(name), driver.show(name), "{name}");
    }
    assert_eq!(driver.fails(&format!(":save {path}")), "OSError");
    driver.ok(&format!(":save -f {path}"));
    assert_eq!(driver.fails(":save"), "ValueError");
    assert_eq!(driver.fails(&format!(":save {path}/below")), "OSError");
}

#[test]
fn a_saved_session_has_what_was_done_before_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.gx").display().to_string();
    let mut driver = Driver::cpu();
    for cell in ["l = []", "n = 0"] {
        driver.ok(cell);
    }
    for cell in [
        "for i in range(5):\n    n += 1\n    if i == 2:\n        t = '''a\nb'''\n        l.append(1 / (i - 2))",
        "if True:\n    m = n + 1\n    nothing",
        "x = 1 / 0",
    ] {
        driver.show(cell);
    }
    driver.ok("n += 10");
    driver.ok(&format!(":save {path}"));
    let mut again = Driver::cpu();
    again.ok(&format!(":load {path}"));
    for name in ["l", "n", "i", "t", "m"] {
        assert_eq!(again.show(name), driver.show(name), "{name}");
    }
    assert_eq!(driver.show("n, m, t"), "(13, 4, 'a\\nb')\n");
    assert_eq!(fs::read_to_string(&path).unwrap().matches("it failed here").count(), 2);
}

#[test]
fn loading_reports_the_place_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let mut driver = Driver::cpu();
    let path = file("bad.gx", b"a = 1\nb = a + nothing\nc = 1\n");
    let shown = driver.show(&format!(":load {path}"));
    let shown = shown.replace(&folder.path().display().to_string(), "FOLDER");
    expect![[r#"
        NameError: name 'nothing' is not defined
          --> FOLDER/bad.gx:2:9
          2 | b = a + nothing
            |         ^^^^^^^
    "#]]
    .assert_eq(&shown);
    assert_eq!(driver.show("a"), "1\n");
    let outer = file("outer.gx", format!(":load '{path}'\n").as_bytes());
    assert!(driver.show(&format!(":load {outer}")).contains("b = a + nothing"));
    let path = folder.path().join("self.gx").display().to_string();
    fs::write(&path, format!(":load {path}\n")).unwrap();
    assert_eq!(driver.fails(&format!(":load {path}")), "RuntimeError");
    let path = file("bytes.gx", b"a = 1\nb = '\xff'\n");
    assert!(driver.show(&format!(":load {path}")).contains("in line 2"));
    assert_eq!(driver.fails(":load none.gx"), "FileNotFoundError");
    assert_eq!(driver.fails(":load"), "ValueError");
    assert_eq!(driver.fails(":load a b"), "ValueError");
}

#[test]
fn completion() {
    let mut driver = Driver::simulated();
    driver.ok("xenon = zeros(2)\n:mem mark begin");
    let names = |line: &str| -> Vec<String> {
        let found = driver.session.complete(line, line.len());
        let typed = |name: &String| name.starts_with(&line[found.start..]);
        let names: Vec<String> = found.items.into_iter().map(|(name, _)| name).collect();
        assert!(names.iter().all(typed), "{line}: {names:?}");
        names
    };
    assert_eq!(names(":ti"), ["time", "timeit"]);
    assert_eq!(names(":mem se"), ["segments"]);
    assert_eq!(names(":mem c"), ["compact", "cpu", "cuda:0"]);
    assert_eq!(names(":mem peak "), ["reset"]);
    assert_eq!(names(":mem diff "), ["begin"]);
    assert_eq!(names(":set pre"), ["precision"]);
    assert_eq!(names(":set allocator d"), ["direct", "default"]);
    assert_eq!(names(":device cu"), ["cuda:0"]);
    assert_eq!(names(":explain y = xen"), ["xenon"]);
    assert_eq!(names(":timeit -n 5 xen"), ["xenon"]);
    assert!(names(":type xenon.resh").contains(&"reshape".to_string()));
    assert_eq!(names(":help softma"), ["softmax"]);
    assert_eq!(names(":who xe"), ["xenon"]);
    assert!(names(":load Car").contains(&"Cargo.toml".to_string()));
    assert!(names(":quit ").is_empty() && names(":frob ").is_empty());
}

#[test]
fn a_statement_in_a_loop_is_fast_and_keeps_nothing() {
    let mut driver = Driver::cpu();
    driver.ok("x = arange(16, dtype=float32)");
    let before = driver.bytes().0;
    driver.ok(":timeit -n 1000 -r 2 y = x + 1");
    assert_eq!(driver.bytes().0, before);
    assert_eq!(driver.fails("y"), "NameError");
}

/// Programs over every kind of work, for when there is nothing else to run.
const PROGRAMS: &[&str] = &[
    "seed(3)\nx = randn(300, 7)\ny = softmax(x, axis=1)\nz = y.sum(axis=0)\nw = x[x > 0]\nv = sort(w)",
    "x = arange(1000).reshape(10, 100)\nx[::2, 3] = -1\ny = x[[1, 5, 1], :][:, ::-7]\nx += y.sum()",
    "a = rand(33, 17)\nb = a.T @ a\nc = b[:, None] - b[None]\nd = c.var(axis=2)\ne = cumsum(d, axis=0)",
    "x = zeros(5)\nx[[0, 0, 4]] = array([1., 2., 3.])\ny = x / 0\nz = where(isnan(y), 7, y)\nu = unique(x)",
    "x = ones(70000)\ny = x + x * 2\ndel x\nx = empty(70000)\nx[:] = 4\nz = concatenate([x, y]).mean()",
];

/// The programs of the language suite, where they are.
fn suite() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gx"));
    paths.sort();
    let mut programs = Vec::new();
    for path in paths {
        let mut program = String::new();
        for line in fs::read_to_string(path).unwrap().lines() {
            if line.starts_with("--- ") && line.ends_with("---") {
                programs.push(std::mem::take(&mut program));
            } else {
                program += line;
                program.push('\n');
            }
        }
        programs.push(program);
    }
    programs.retain(|program| !program.trim().is_empty());
    programs
}

/// Runs a program statement by statement, and writes down every value to its last bit.
fn transcript(program: &str, config: Config) -> Vec<String> {
    let mut driver = Driver::with(config);
    let source = Source::new(SourceId(0), "", program);
    let Ok(module) = syntax::parse(&source) else { return Vec::new() };
    let mut lines = Vec::new();
    for statement in &module.body {
        lines.push(driver.show(source.slice(statement.span)));
    }
    let scope = driver.session.interp().scope.borrow();
    let mut names: Vec<_> = scope.iter().collect();
    names.sort_by(|a, b| a.0.cmp(b.0));
    for (name, value) in names {
        lines.push(format!("{name} = {}", driver.session.to_json(&value, 1 << 20).unwrap()));
    }
    lines
}

#[test]
fn the_allocator_never_shows_in_a_value() {
    let mut programs = suite();
    programs.extend(PROGRAMS.iter().map(|program| (*program).to_string()));
    let mut statements = 0;
    for program in &programs {
        let mut poisoned = Driver::choices();
        poisoned.allocator = poisoned.allocator.with_poison(true);
        let mut direct = Driver::choices();
        direct.allocator = direct.allocator.with_mode(Mode::Direct);
        let mut paged = Driver::choices();
        paged.allocator = paged.allocator.with_segments(SegmentKind::Paged);
        let caching = transcript(program, Driver::choices());
        // What `empty` shows is whatever was there, and what is counted are the allocator's ways.
        let is_about_memory = program.contains("empty") || program.contains("performance_context");
        if is_about_memory && !PROGRAMS.contains(&program.as_str()) {
            continue;
        }
        statements += caching.len();
        assert_eq!(caching, transcript(program, direct), "direct:\n{program}");
        assert_eq!(caching, transcript(program, paged), "paged:\n{program}");
        assert_eq!(caching, transcript(program, poisoned), "poisoned:\n{program}");
    }
    assert!(statements > PROGRAMS.len() * 4);
}

#[test]
fn explaining_runs_nothing() {
    let mut driver = Driver::simulated();
    driver.ok("x = rand(64, 64)\nm = x > 0.5\nv = arange(1000)");
    let kernels = |driver: &Driver| -> u64 {
        driver.session.engine().devices().map(|device| device.backend().kernels()).sum()
    };
    let (before, history) = (kernels(&driver), driver.ok(":mem history"));
    for (statement, said) in [
        ("x @ x", "product float32 (64, 64) @ (64, 64)"),
        ("sort(x)", "sort float32 (64, 64) along its last axis"),
        ("topk(v, 5)", "sort int64 (1000,)"),
        ("cumsum(v)", "scan"),
        ("x[m]", "at most"),
        ("nonzero(m)", "places where a mask"),
        ("unique(v)", "at most"),
        ("rand(10)", "random uniform numbers float32 (10,)"),
        ("x[m] = 0", "program"),
        ("x[m] = v[:m.sum()]", "known only when it is run"),
        ("v[v] += 1", "scatter"),
        ("x.fill_(3)", "written in place"),
        ("y = x + 1", "over 4096"),
        ("float((x * 2).sum()) + 1", "known only when it is run"),
        // The device has 32 MiB.
        ("zeros(4096, 4096) @ zeros(4096, 4096)", "does not fit"),
        ("zeros(1 << 60)", "does not fit"),
    ] {
        let page = driver.ok(&format!(":explain {statement}"));
        assert!(page.contains(said), "{statement}\n{page}");
        assert_eq!(kernels(&driver), before, "{statement}");
    }
    assert_eq!(driver.ok(":mem history"), history);
    assert!(driver.ok(":type x[m]").starts_with("float32 (4096,) at most,"));
    // What it said comes true.
    let mut driver = Driver::simulated();
    driver.ok("x = rand(1 << 18)\nq = rand(256, 256)\ni = arange(1 << 17)");
    driver.ok("d = x.to(float64)\nb = (x * 100).to(int8).reshape(64, -1)");
    for statement in [
        "x * 2 + 1",
        "q @ q + 1",
        "x[i] * x[i]",
        "(x - x.mean()).sum()",
        "cumsum(x)",
        // Sorts have buffers.
        "sort(d)",
        "argsort(d)",
        "argsort(b, axis=1)",
        "sort(b, axis=None)",
        "lexsort((x, d))",
        "permutation(1 << 18)",
    ] {
        let page = driver.ok(&format!(":explain {statement}"));
        let said = page.lines().last().unwrap().split("live at the peak ").nth(1).unwrap();
        let said = said.split(" (").next().unwrap().to_string();
        driver.ok(":mem peak reset");
        driver.ok(&format!("_ = {statement}"));
        let peak = driver.ok(":mem peak");
        assert!(peak.starts_with(&format!("live {said},")), "{statement}: {said}, {peak}");
        driver.ok("del _");
    }
}
