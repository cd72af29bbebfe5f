//! `:mem replay`: the session's own history under other allocators.

use super::driver::Driver;

/// The cells of the row that begins with a name.
fn row(shown: &str, name: &str) -> Vec<String> {
    let line = shown.lines().find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("no row of {name} in\n{shown}"));
    let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
    cells.map(str::to_owned).collect()
}

#[test]
fn the_history_is_replayed_under_every_policy() {
    let mut driver = Driver::simulated();
    driver.ok(":set history 1000");
    assert_eq!(driver.ok(":mem replay").trim(), "nothing has happened yet");
    for line in ["a = zeros(1 << 20)", "b = zeros(1 << 19)", "del a", "c = zeros(1 << 18)"] {
        driver.ok(line);
    }
    let before = driver.ok(":mem stats");
    let shown = driver.ok(":mem replay");
    for name in ["auto", "best-fit", "pytorch", "paged", "async", "direct"] {
        let cells = row(&shown, name);
        assert_eq!((cells[1].as_str(), cells[5].as_str()), ("6.0 MiB", "no"), "{shown}");
    }
    // What is replayed is what the session did.
    assert_eq!(row(&shown, "as recorded")[2], row(&shown, "best-fit")[2], "{shown}");
    assert_eq!(row(&shown, "pytorch")[2], "22.0 MiB", "{shown}");
    assert!(shown.contains("b = zeros(1 << 19)") || shown.contains("c = zeros"), "{shown}");
    assert_eq!(driver.ok(":mem stats"), before, "nothing of the session's memory has changed");
    let shown = driver.ok(":mem replay paged pytorch --limit 5MiB");
    assert!(row(&shown, "paged")[5].starts_with("at step 2 of"), "{shown}");
    assert!(!shown.contains("best-fit"), "{shown}");
    assert!(shown.contains("no allocator can serve this: 1.0 MiB more"), "{shown}");
    assert!(shown.contains("a = zeros(1 << 20)"), "the table names who holds it\n{shown}");
    driver.ok(":set history 0");
    assert!(driver.ok(":mem replay").contains(":set history 1000"));
}

#[test]
fn a_file_is_replayed_as_well() {
    let mut driver = Driver::simulated();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    driver.ok(":set history 1000");
    driver.ok("x = zeros(1 << 20)\ny = x + 1");
    driver.ok(&format!(":mem save {}", path("a.pickle")));
    let shown = driver.ok(&format!(":mem replay {} best-fit", path("a.pickle")));
    assert_eq!(row(&shown, "best-fit")[1], "8.0 MiB", "{shown}");
    std::fs::write(path("cut.pickle"), b"\x80\x02}").unwrap();
    assert_eq!(driver.fails(&format!(":mem replay {}", path("cut.pickle"))), "ValueError");
    assert_eq!(driver.fails(&format!(":mem replay {}", path("none.json"))), "FileNotFoundError");
    for wrong in ["pagd", "--limit", "--limit 3XiB", "pytorch=split:1", "best-fit=1"] {
        assert_eq!(driver.fails(&format!(":mem replay {wrong}")), "ValueError", "{wrong}");
    }
}
