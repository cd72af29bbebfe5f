//! `:profile`.

use serde_json::Value;

use super::driver::Driver;

/// The events of a trace by their groups' and tracks' names.
fn tracks(trace: &Value) -> Vec<(String, String, Vec<&Value>)> {
    let events = trace["traceEvents"].as_array().unwrap();
    let name_of = |what: &str, event: &Value, is_track: bool| {
        let named = events.iter().find(|other| {
            other["name"] == what
                && other["pid"] == event["pid"]
                && (!is_track || other["tid"] == event["tid"])
        });
        named.map_or("", |named| named["args"]["name"].as_str().unwrap()).to_owned()
    };
    let mut tracks: Vec<(String, String, Vec<&Value>)> = Vec::new();
    for event in events.iter().filter(|event| event["ph"] != "M") {
        let (group, track) =
            (name_of("process_name", event, false), name_of("thread_name", event, true));
        assert_ne!(group, "", "{event}");
        match tracks.iter_mut().find(|it| it.0 == group && it.1 == track) {
            Some(it) => it.2.push(event),
            None => tracks.push((group, track, vec![event])),
        }
    }
    tracks
}

#[test]
fn a_timeline_has_statements_lines_work_and_memory() {
    let mut driver = Driver::simulated();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.json").display().to_string();
    driver.ok("x = ones(5)");
    driver.ok(":profile start");
    driver.ok("def f(n):\n    a = ones(n)\n    b = sort(a)\n    return b @ b");
    driver.ok("for i in range(3):\n    y = f(1000)\n    z = y * i\nw = ones(7); w += 1\nw");
    let shown = driver.ok(":profile show");
    for words in
        ["for i in range(3)", "b = sort(a)", "in f", "kernel: sort float32 (1000,)", "<In 4>:1"]
    {
        assert!(shown.contains(words), "no {words} in\n{shown}");
    }
    let shown = driver.ok(&format!(":profile stop {path}"));
    assert!(shown.contains("ui.perfetto.dev"), "{shown}");
    assert!(driver.ok(":profile show").contains("b = sort(a)"), "what was stopped is still there");
    let trace: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let tracks = tracks(&trace);
    let names: Vec<(&str, &str)> = tracks.iter().map(|it| (&*it.0, &*it.1)).collect();
    for expected in [
        ("program", "statements"),
        ("program", "lines"),
        ("cuda:0", "plans, kernels, copies"),
        ("memory of cuda:0", "blocks"),
    ] {
        assert!(names.contains(&expected), "{names:?}");
    }
    let span = |event: &Value| {
        let begin = event["ts"].as_f64().unwrap();
        (begin, begin + event["dur"].as_f64().unwrap_or(0.0))
    };
    for (group, track, events) in &tracks {
        let mut open: Vec<f64> = Vec::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let (begin, end) = span(event);
            // A nanosecond is what times are written to.
            while open.last().is_some_and(|open| *open <= begin + 0.0021) {
                open.pop();
            }
            assert!(
                open.last().is_none_or(|open| end <= *open + 0.0021),
                "{group} {track} {event}"
            );
            open.push(end);
        }
    }
    let of = |group: &str, track: &str| {
        &tracks.iter().find(|it| it.0 == group && it.1 == track).unwrap().2
    };
    let statements = of("program", "statements");
    let texts: Vec<&str> = statements.iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 5, "{texts:?}");
    let looped = span(statements[1]);
    let inside = |event: &Value| span(event).0 >= looped.0 && span(event).1 <= looped.1 + 0.0021;
    let lines = of("program", "lines").iter().filter(|event| inside(event));
    assert_eq!(lines.filter(|event| event["name"] == "b = sort(a)").count(), 3);
    let kernels = of("cuda:0", "plans, kernels, copies").iter().filter(|event| inside(event));
    let sorts = kernels.filter(|e| e["name"].as_str().unwrap().starts_with("kernel: sort"));
    assert_eq!(sorts.count(), 3);
    assert!(of("cuda:0", "plans, kernels, copies").iter().any(|e| e["name"] == "plan: a program"));
    // Memory has times of its own while it is profiled: not all of a statement's events are at one.
    let blocks = of("memory of cuda:0", "blocks").iter().filter(|event| inside(event));
    let mut times: Vec<String> = blocks.map(|event| event["ts"].to_string()).collect();
    times.dedup();
    assert!(times.len() > 3, "{times:?}");
}

#[test]
fn it_begins_and_ends_once() {
    let mut driver = Driver::simulated();
    assert_eq!(driver.fails(":profile stop"), "ValueError");
    assert_eq!(driver.fails(":profile show"), "ValueError");
    assert!(driver.show(":profile strat").contains("did you mean `start`?"));
    assert_eq!(driver.fails(":profile"), "ValueError");
    driver.ok(":profile start");
    assert!(driver.show(":profile start").contains("already"));
    assert!(driver.ok(":profile show").contains("no statement has run"));
    driver.ok("x = ones(100) + 1");
    // What can't be written does not end it.
    assert_eq!(driver.fails(":profile stop a.txt"), "ValueError");
    assert_eq!(driver.fails(":profile stop /nowhere/at/all.json"), "FileNotFoundError");
    assert!(driver.ok(":profile stop").contains("x = ones(100) + 1"));
    assert_eq!(driver.fails(":profile stop"), "ValueError");
    let device = driver.session.engine().device();
    assert!(!device.is_profiled());
    assert_eq!(device.allocator().config().history_len, 1000);
}

#[test]
fn results_and_peaks_are_the_same() {
    let text =
        "a = rand(50, 50) @ rand(50, 50); b = sort(a.ravel()); c = a[a > 12]; c.sum() + b[7]";
    let run = |is_profiled: bool| {
        let mut driver = Driver::simulated();
        if is_profiled {
            driver.ok(":profile start");
        }
        let shown = driver.show(text);
        (
            shown,
            driver
                .show("cuda.max_memory_allocated(), memory_stats()['live_blocks'] if False else 0"),
        )
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn the_time_goes_to_the_line_that_took_it() {
    let mut driver = Driver::simulated();
    driver.ok(":set history 1000");
    driver.ok("import time\ndef f():\n    a = ones(10)\n    time.sleep(0.05)\n    return a + 1");
    driver.ok("x = f()\ny = ones(3)");
    let shown = driver.ok(":mem top");
    let time = |name: &str| {
        let line = shown.lines().find(|line| line.contains(name));
        let line = line.unwrap_or_else(|| panic!("{shown}"));
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
        cells[cells.len() - 1].trim_end_matches(" %").parse::<f64>().unwrap()
    };
    assert!(shown.contains("share"), "{shown}");
    assert!(time("x = f()").max(time("return a + 1")) > 80.0, "{shown}");
    assert!(time("y = ones(3)") < 20.0, "{shown}");
}
