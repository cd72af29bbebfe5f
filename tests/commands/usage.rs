//! `:mem top`, `:mem peak`, `:mem leak`, `:mem fragmentation`: what they say against what was asked for.

use super::driver::Driver;

/// The row of a table that names something, without the blanks.
fn row(shown: &str, name: &str) -> Vec<String> {
    let line = shown.lines().find(|line| line.contains(name));
    let line = line.unwrap_or_else(|| panic!("no row of {name} in\n{shown}"));
    let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
    cells.map(str::to_owned).collect()
}

fn run(driver: &mut Driver, lines: &[&str]) {
    lines.iter().for_each(|line| drop(driver.ok(line)));
}

const PROGRAM: [&str; 4] = [
    "def work(n):\n    big = ones(n)\n    print(big.sum())\n    return zeros(100)",
    "kept = [work(1 << 18) for i in range(4)]",
    "x = zeros(1 << 20)",
    "y = exp(x)",
];

#[test]
fn statements_are_ranked_by_what_they_ask_for() {
    let mut driver = Driver::simulated();
    run(&mut driver, &[":set history 1000"]);
    assert_eq!(driver.ok(":mem top").trim(), "nothing has happened yet");
    run(&mut driver, &PROGRAM);
    let shown = driver.ok(":mem top");
    assert_eq!(row(&shown, "x = zeros")[1..5], ["1", "4.0 MiB", "4.0 MiB", "4.0 MiB"], "{shown}");
    assert_eq!(row(&shown, "return zeros(100)")[1..5], ["4", "1.6 KiB", "1.6 KiB", "1.6 KiB"]);
    assert!(row(&shown, "x = zeros")[0].starts_with("[3]") || shown.contains("] x = zeros"));
    driver.ok("del x, y");
    let shown = driver.ok(":mem top");
    assert_eq!(row(&shown, "x = zeros")[1..5], ["1", "4.0 MiB", "4.0 MiB", "0 B"], "{shown}");
    let first = driver.ok(":mem top 1");
    assert!(first.contains("more statements") && !first.contains("return zeros"), "{first}");
    for rank in ["bytes", "peak", "time", "1 time"] {
        assert!(driver.ok(&format!(":mem top {rank}")).contains("share"), "{rank}");
    }
    assert_eq!(driver.fails(":mem top tim"), "ValueError");
    driver.ok(":set history 0");
    assert!(driver.ok(":mem top").contains(":set history 1000"));
}

#[test]
fn the_peak_is_made_of_what_was_live_then() {
    let mut driver = Driver::simulated();
    run(&mut driver, &[":set history 1000", "a = zeros(1 << 20)", "b = zeros(1 << 19)", "del a"]);
    run(&mut driver, &["c = zeros(1 << 18)"]);
    let shown = driver.ok(":mem peak");
    assert!(shown.contains("live 6.0 MiB, "), "{shown}");
    assert!(shown.contains("b = zeros(1 << 19), with 6.0 MiB asked for"), "{shown}");
    assert_eq!(row(&shown, "a = zeros")[1..], ["4.0 MiB", "1"]);
    // The second line that names it: the first says who reached the peak.
    let held: Vec<&str> = shown.lines().filter(|line| line.contains("b = zeros")).collect();
    assert!(held[1].ends_with('b') && held[1].contains("2.0 MiB"), "{shown}");
    assert!(!shown.contains("c = zeros"), "{shown}");
    run(&mut driver, &[":set history 2", "c = zeros(10)", "c = zeros(20)", "c = zeros(30)"]);
    let shown = driver.ok(":mem peak");
    assert!(shown.contains("the peak itself is older than the history"), "{shown}");
}

#[test]
fn what_grows_is_told_by_the_line_that_made_it() {
    let mut driver = Driver::simulated();
    run(&mut driver, &["old = zeros(1 << 20)", "l = []"]);
    (0..3).for_each(|_| drop(driver.ok("l.append(zeros(1 << 18))")));
    let shown = driver.ok(":mem leak 3");
    assert_eq!(row(&shown, "l.append")[1..], ["3", "3", "3.0 MiB", "l[0], l[1], l[2]"], "{shown}");
    assert!(!shown.contains("old") && shown.contains("3.0 MiB in the last 3 inputs"), "{shown}");
    assert!(driver.ok(":mem leak").contains("old = zeros"));
    run(&mut driver, &["l = []", "del old", "import gc\ngc.collect()"]);
    assert!(driver.ok(":mem leak 30").contains("nothing is live"));
    run(&mut driver, &["c = []; c.append(c); c.append(zeros(1 << 18)); del c"]);
    let shown = driver.ok(":mem leak 2");
    assert!(shown.contains("1 by no variable") && shown.contains("gc.collect()"), "{shown}");
    let shown = driver.ok(":mem vars");
    assert!(shown.contains("held by no variable: 1.0 MiB, made by c.append"), "{shown}");
    run(&mut driver, &["gc.collect()"]);
    assert!(!driver.ok(":mem vars").contains("no variable: "));
}

#[test]
fn variables_are_summed_up_with_shared_storage_once() {
    let mut driver = Driver::simulated();
    run(&mut driver, &["x = zeros(1 << 18)", "y = x[::2]", "d = {'a': x, 'b': zeros(1 << 17)}"]);
    let shown = driver.ok(":mem vars");
    assert!(shown.contains("total 1.5 MiB in 2 storages, each counted once"), "{shown}");
    assert!(shown.contains("d 1.5 MiB in 2 storages"), "{shown}");
}

#[test]
fn free_pieces_have_somebody_between_them() {
    let mut driver = Driver::simulated();
    assert!(driver.ok(":mem fragmentation").contains("no free pieces"));
    run(&mut driver, &["l = [zeros(1 << 16) for i in range(8)]", "del l[1::2]"]);
    let shown = driver.ok(":mem fragmentation");
    // Four pieces of a quarter of a MiB lie free between four others.
    assert!(
        shown.contains("the largest free piece is 256.0 KiB of 1.0 MiB free: 75.0 %"),
        "{shown}"
    );
    let found = row(&shown, "segment 0");
    assert_eq!(
        found[1..],
        ["2.0 MiB", "1.0 MiB", "256.0 KiB", "1.0 MiB", "l[0], l[1], l[2], l[3]"]
    );
    assert!(shown.contains("is one piece of 2.0 MiB"), "{shown}");
    run(&mut driver, &["del l"]);
    let shown = driver.ok(":mem fragmentation");
    assert!(
        shown.contains("2.0 MiB of 2.0 MiB free: 0.0 %") && !shown.contains("pinned"),
        "{shown}"
    );
}

#[test]
fn devices_stand_beside_each_other() {
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1 << 20)\ny = ones(10, device='cpu')\n:device simulate 8MiB");
    let shown = driver.ok(":mem devices");
    let row = |name: &str| {
        let line = shown.lines().find(|line| line.starts_with(name)).expect(name);
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(
        row("cuda:0"),
        ["cuda:0", "simulated GPU", "32.0 MiB", "28.0 MiB", "4.0 MiB", "4.0 MiB", "0 B", "4.0 MiB"]
    );
    assert_eq!(row("cuda:1")[2..5], ["8.0 MiB", "8.0 MiB", "0 B"]);
    assert_eq!(row("cpu")[4], "512 B");
    assert_eq!(driver.fails(":mem devices now"), "ValueError");
}

#[test]
fn a_snapshot_is_written_where_memory_runs_out() {
    let mut driver = Driver::simulated();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oom.json");
    let text = path.display().to_string();
    driver.ok(&format!(":mem snapshot on oom {text}\nx = zeros(1 << 22)"));
    driver.fails("y = undefined");
    assert!(!path.exists());
    // What a program catches is its own affair.
    driver.ok("try:\n    y = zeros(1 << 23)\nexcept MemoryError:\n    y = 1");
    assert!(!path.exists());
    // 16 bits are sorted in buffers of their own on every processor.
    let shown = driver.show("y = sort(ones(1 << 22, dtype=int16)) + zeros(1 << 22).sum()");
    assert!(shown.contains(&format!("{text} shows the memory as it was then")), "{shown}");
    let snapshot: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let text = snapshot.to_string();
    assert!(text.contains("\"x\"") && text.contains("y = sort"), "{text}");
    // Temporaries of the statement were live then.
    let blocks = snapshot["segments"].as_array().unwrap().iter();
    let live: u64 = blocks
        .flat_map(|segment| segment["blocks"].as_array().unwrap())
        .filter(|block| block["state"] == "live" || block["state"] == "active_allocated")
        .map(|block| block["bytes"].as_u64().or(block["size"].as_u64()).unwrap())
        .sum();
    assert!(live > 16 << 20, "{live}");
    driver.ok(":mem snapshot off");
    std::fs::remove_file(&path).unwrap();
    driver.fails("y = zeros(1 << 23)");
    assert!(!path.exists());
    for wrong in
        ["snapshot", "snapshot on", "snapshot on oom", "snapshot on oom x.txt", "snapshot of"]
    {
        assert_eq!(driver.fails(&format!(":mem {wrong}")), "ValueError", "{wrong}");
    }
    // A folder that is not there is said, and the error stays what it is.
    driver.ok(&format!(":mem snapshot on oom {}/none/x.json", folder.path().display()));
    assert!(driver.show("y = zeros(1 << 23)").contains("no snapshot was written to"));
}
