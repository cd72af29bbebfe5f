//! `:mem export`: files for other tools, read back here; `tests/export/check.py` reads them with tools of others.

use serde_json::Value;

use super::driver::Driver;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

const EVERY: [&str; 6] = ["a.pprof", "a.csv", "a.folded", "a.flame.html", "a.html", "a.json"];

/// Exports to `name`, which must succeed.
fn export(driver: &mut Driver, folder: &Folder, name: &str, more: &str) -> String {
    driver.ok(&format!(":mem export '{}' {more}", folder.path(name)));
    match std::fs::read(folder.path(name)).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        _ => String::new(),
    }
}

#[test]
fn sums_are_the_sessions_own() {
    let (mut driver, folder) = (Driver::simulated(), Folder::new());
    driver.ok(":set history 1000");
    driver.ok("def f(n):\n    a = ones(n)\n    return a * 2");
    driver.ok("x = f(1 << 20)\nfor i in range(3):\n    y = x[:1000] + i");
    driver.ok("del x");
    let folded = export(&mut driver, &folder, "a.folded", "");
    let line = |start: &str| {
        let line = folded.lines().find(|line| line.contains(start));
        line.unwrap_or_else(|| panic!("no {start} in\n{folded}")).to_owned()
    };
    assert_eq!(
        line("f: return"),
        "cuda:0;x = f(1 << 20) (<In 3>:1);f: return a * 2 (<In 2>:3) 4194304"
    );
    assert!(
        line("y = x[:1000]").starts_with("cuda:0;for i in range(3): (<In 3>:2);y = x"),
        "{folded}"
    );
    let csv = export(&mut driver, &folder, "a.csv", "");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("Thread,Time,Action,Pointer,Size,Stream"));
    let mut live = std::collections::HashMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, _, action, pointer, size, _] = cells.as_slice() else { panic!("{line}") };
        match *action {
            "allocate" => assert!(live.insert(*pointer, *size).is_none(), "{csv}"),
            _ => assert_eq!(live.remove(*pointer), Some(*size), "{csv}"),
        }
    }
    assert_eq!(live.into_values().collect::<Vec<_>>(), ["4000"]);
}

#[test]
fn a_trace_is_one_of_events_that_begin_and_end() {
    let (mut driver, folder) = (Driver::simulated(), Folder::new());
    driver.ok(":set history 1000");
    driver.ok("\"</script>\"; x = {'\"`</script>\\n\\u202e': ones(1000), 'ä;b': zeros(5)}");
    driver.ok("y = x['ä;b'] + 1; del x");
    assert_eq!(driver.fails("z = zeros(1 << 26); z += 1"), "MemoryError");
    let trace: Value = serde_json::from_str(&export(&mut driver, &folder, "a.json", "")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |phase: &str| -> Vec<&Value> { events.iter().filter(|e| e["ph"] == phase).collect() };
    let ids = |phase| -> Vec<&str> {
        let mut ids: Vec<&str> = of(phase).iter().map(|e| e["id"].as_str().unwrap()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids("b"), ids("e"));
    assert_eq!(of("b").len(), 3);
    assert!(of("i").iter().any(|e| e["name"].as_str().unwrap().starts_with("out of memory: z")));
    let last = of("C").pop().unwrap()["args"]["live"].as_u64();
    assert_eq!(last, Some(20), "{trace}");
    let page = export(&mut driver, &folder, "a.html", "");
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count());
    assert!(!page.contains('\u{202e}'), "what turns a line around is escaped");
    assert!(!page.contains("http"), "a page asks nobody for anything");
}

#[test]
fn all_devices_are_in_a_file_or_one() {
    let config = genesis_repl::session::Config::default().with_simulated("2x32MiB").unwrap();
    let (mut driver, folder) = (Driver::with(config), Folder::new());
    driver.ok(":set history 1000");
    driver.ok("x = ones(1000)\ny = ones(2000, device='cuda:1')");
    assert_eq!(
        export(&mut driver, &folder, "a.folded", ""),
        "cuda:0;x = ones(1000) (<In 2>:1) 4000\n\
         cuda:1;y = ones(2000, device='cuda:1') (<In 2>:2) 8000\n"
    );
    let one = export(&mut driver, &folder, "b.folded", "cuda:1");
    assert!(one.starts_with("cuda:1;") && one.lines().count() == 1, "{one}");
    // RMM has a log for each device.
    let csv = export(&mut driver, &folder, "a.csv", "");
    assert!(csv.contains(",4000,") && !csv.contains(",8000,"), "{csv}");
    let csv = export(&mut driver, &folder, "a.csv", "cuda:1");
    assert!(!csv.contains(",4000,") && csv.contains(",8000,"), "{csv}");
    // A file may be called as a device is.
    driver.ok(&format!(":mem export '{}' folded cuda:1", folder.path("cuda:0")));
    assert_eq!(folder.text("cuda:0"), one);
}

#[test]
fn an_empty_session_has_empty_files() {
    for history in ["0", "1000"] {
        let (mut driver, folder) = (Driver::simulated(), Folder::new());
        driver.ok(&format!(":set history {history}"));
        for name in EVERY {
            export(&mut driver, &folder, name, "");
        }
        assert_eq!(folder.text("a.csv"), "Thread,Time,Action,Pointer,Size,Stream\n");
        assert_eq!(folder.text("a.folded"), "");
        let _: Value = serde_json::from_str(&folder.text("a.json")).unwrap();
        assert!(folder.text("a.html").contains("Nobody has asked for memory."));
        // What is live is told of without a history, too.
        driver.ok("x = ones(1000)");
        let folded = export(&mut driver, &folder, "b.folded", "");
        assert_eq!(folded, "cuda:0;x = ones(1000) (<In 8>:1) 4000\n", "history {history}");
        let csv = export(&mut driver, &folder, "b.csv", "");
        assert!(csv.lines().count() == 2 && csv.contains(",allocate,0x"), "{csv}");
    }
}

#[test]
fn what_can_not_be_written_is_an_error_and_nothing_is_left() {
    let (mut driver, folder) = (Driver::simulated(), Folder::new());
    driver.ok("x = ones(1000)");
    let shown = driver.show(":mem export a.foo");
    assert!(shown.contains("the name `a.foo` does not say which format"), "{shown}");
    for name in ["pprof", "rmm", "folded", "flame", "html", "trace"] {
        assert!(shown.contains(&format!("{name} (.")), "{shown}");
    }
    let shown = driver.show(":mem export a.html htlm");
    assert!(shown.contains("did you mean `html`?"), "{shown}");
    assert!(
        driver.show(":mem export a.pickle").contains(":mem save"),
        "points to what writes them"
    );
    for wrong in ["", "a.html html more", "a.html cuda:7"] {
        driver.fails(&format!(":mem export {wrong}"));
    }
    std::fs::create_dir(folder.path("a.html")).unwrap();
    let folder_name = folder.path("a.html");
    let shown = driver.show(&format!(":mem export '{folder_name}'"));
    assert!(shown.contains("it is a folder"), "{shown}");
    driver.fails(&format!(":mem export '{}'", folder.path("none/a.html")));
    assert_eq!(folder.names(), ["a.html"]);
    if cfg!(target_os = "linux") {
        let shown = driver.show(":mem export /dev/full html");
        assert!(shown.contains("no space left on the disk"), "{shown}");
    }
}

#[test]
fn words_are_completed() {
    let driver = Driver::simulated();
    let of = |line: &str| -> Vec<String> {
        let found = driver.session.complete(line, line.len());
        found.items.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(of(":mem exp"), ["export"]);
    assert!(of(":mem export a.x ").contains(&"pprof".to_owned()));
    assert!(of(":mem export a.x ").contains(&"cuda:0".to_owned()));
    assert_eq!(of(":profile s"), ["start", "stop", "show"]);
}
