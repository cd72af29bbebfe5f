//! `:mem`, on a simulated device where every byte is known.

use expect_test::expect;

use super::driver::{Driver, check};

#[test]
fn overview() {
    check(
        "pass",
        ":mem",
        expect![[r#"
            cuda:0  simulated GPU
            live                0 B  0 blocks: 0 B asked for, 0 B padding
            reserved            0 B  0 segments
            free                0 B  in reserve, of which 0.0 % is unused; the largest piece 0 B
            peak                0 B  live; 0 B reserved
            fragmentation     0.0 %  of what is free lies outside the largest piece
            device         32.0 MiB  32.0 MiB free

            served by    requests  share
            ───────────  ────────  ─────  ────────────────────────────────────
            exact sizes         0      -  a stream's cache of small blocks
            pools               0      -  a free block, cut to size
            slow path           0      -  merging caches, or asking the device
            plans               0      -  a statement like one before
        "#]],
    );
    check(
        "x = zeros(1024, 1024)\ny = x[::2]\nz = ones(100)",
        ":mem",
        expect![[r#"
            cuda:0  simulated GPU
            live            4.0 MiB  2 blocks: 4.0 MiB asked for, 112 B padding
            reserved        6.0 MiB  2 segments
            free            2.0 MiB  in reserve, of which 33.3 % is unused; the largest piece 2.0 MiB
            peak            4.0 MiB  live; 6.0 MiB reserved
            fragmentation     0.0 %  of what is free lies outside the largest piece
            device         32.0 MiB  26.0 MiB free

            segment 0 large  4.0 MiB  ▕████████████████████████████████████████████████████████████▏
            segment 1 small  2.0 MiB  ▕█·····························▏
            █ live   · free   

            variable  type     shape           shows    holds
            ────────  ───────  ────────────  ───────  ───────  ───────────
            x         float32  (1024, 1024)  4.0 MiB  4.0 MiB
            y         float32  (512, 1024)   2.0 MiB  4.0 MiB  a view of x
            z         float32  (100,)          400 B    400 B
            `del x` would free nothing: `y` keeps 4.0 MiB of `x`'s storage alive

            served by    requests    share
            ───────────  ────────  ───────  ────────────────────────────────────
            exact sizes         0    0.0 %  a stream's cache of small blocks
            pools               0    0.0 %  a free block, cut to size
            slow path           2  100.0 %  merging caches, or asking the device
            plans               0    0.0 %  a statement like one before
        "#]],
    );
}

#[test]
fn what_variables_pin() {
    check(
        "x = zeros(1024, 1024)\ny = x[::2]\ndel x",
        ":mem vars",
        expect![[r#"
            variable  type     shape          shows    holds
            ────────  ───────  ───────────  ───────  ───────  ─────────────────────
            y         float32  (512, 1024)  2.0 MiB  4.0 MiB  keeps all of it alive
            total 4.0 MiB in 1 storage, each counted once
            `y` keeps 4.0 MiB that `x = zeros(1024, 1024)` made alive, and shows 2.0 MiB of it; `y = y.copy()` would let the rest go
        "#]],
    );
    check(
        "x = zeros(1024, 1024)\ny = x\nl = [x[0], y.T]\ne = zeros(0)",
        ":mem vars",
        expect![[r#"
            variable  type     shape           shows    holds
            ────────  ───────  ────────────  ───────  ───────  ────────────────────
            x         float32  (1024, 1024)  4.0 MiB  4.0 MiB
            l[0]      float32  (1024,)       4.0 KiB  4.0 MiB  a view of x
            l[1]      float32  (1024, 1024)  4.0 MiB  4.0 MiB  the same memory as x
            y         float32  (1024, 1024)  4.0 MiB  4.0 MiB  the same memory as x
            e         float32  (0,)              0 B      0 B
            total 4.0 MiB in 1 storage, each counted once
            l 4.0 MiB in 1 storage
            `del x` would free nothing: `l[0]` keeps 4.0 MiB of `x`'s storage alive
        "#]],
    );
    let mut driver = Driver::simulated();
    driver.ok("zeros(256, 256)");
    driver.ok("1");
    expect![[r#"
        variable  type     shape           shows      holds
        ────────  ───────  ──────────  ─────────  ─────────  ───────
        _1        float32  (256, 256)  256.0 KiB  256.0 KiB  also __
        total 256.0 KiB in 1 storage, each counted once
        an old result alone keeps 256.0 KiB alive: `del Out[1]` would free it
    "#]]
    .assert_eq(&driver.show(":mem vars"));
    check(
        "pass",
        ":mem vars",
        expect![[r#"
        no variable holds memory of cuda:0 (simulated)
    "#]],
    );
}

#[test]
fn segments_and_stats() {
    check(
        "x = zeros(1 << 20)\ny = zeros(1 << 19)\ndel x",
        ":mem segments",
        expect![[r#"
            segment             size     live     free  blocks  held by
            ───────────────  ───────  ───────  ───────  ──────  ───────
            segment 0 large  4.0 MiB      0 B  4.0 MiB       1
            segment 1 large  2.0 MiB  2.0 MiB      0 B       1  y
            segment 0 large  4.0 MiB  ▕····························································▏
            segment 1 large  2.0 MiB  ▕██████████████████████████████▏
            █ live   · free   
        "#]],
    );
    check(
        "x = zeros(1 << 20)\ny = zeros(10)",
        ":mem stats",
        expect![[r#"
            cuda:0 (simulated)
            bytes          now     peak
            ─────────  ───────  ───────
            requested  4.0 MiB  4.0 MiB
            allocated  4.0 MiB  4.0 MiB
            active     4.0 MiB  4.0 MiB
            reserved   6.0 MiB  6.0 MiB
            count
            ───────────────────  ─
            live blocks          2
            segments             2
            allocations          2
            frees                0
            served by the cache  0
            served by the pools  0
            slow path            2
            splits               0
            merges               0
            adoptions            0
            segments allocated   2
            segments released    0
            device calls         7
            retries              0
            deferred frees       0
            out of memory        0
            hit rate 0.0 % · unused 33.3 % (33.3 % at the peaks) · fragmentation 0.0 %
        "#]],
    );
    check(
        "pass",
        ":mem segments",
        expect![[r#"
        cuda:0 (simulated) has no segments
    "#]],
    );
}

#[test]
fn history_names_the_statement() {
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1 << 18)");
    driver.ok("del x");
    let shown = driver.ok(":mem history");
    let lines: Vec<&str> = shown.lines().skip(2).collect();
    assert!(lines[0].starts_with("segment_alloc"), "{shown}");
    assert!(
        lines[1].starts_with("alloc") && lines[1].ends_with("[1] x = zeros(1 << 18)"),
        "{shown}"
    );
    assert!(lines.last().unwrap().starts_with("free_completed"), "{shown}");
    assert_eq!(driver.ok(":mem history 1").lines().count(), 3);
    driver.ok(":set history 0");
    assert!(driver.ok(":mem history").contains(":set history 1000"));
}

#[test]
fn trimming_warming_and_peaks() {
    check(
        "x = zeros(1 << 20)\ndel x",
        ":mem trim",
        expect![[r#"
        4.0 MiB given back, 0 B still reserved
    "#]],
    );
    check(
        "x = zeros(1 << 20)\ndel x",
        ":mem trim 1KiB",
        expect![[r#"
        4.0 MiB given back, 0 B still reserved
    "#]],
    );
    check(
        "x = zeros(1 << 20)\ndel x",
        ":mem peak",
        expect![[r#"
            live 4.0 MiB, reserved 4.0 MiB at the most
            reached by [1] x = zeros(1 << 20), with 4.0 MiB asked for
            made by                   bytes  blocks  held now by
            ──────────────────────  ───────  ──────  ───────────
            [1] x = zeros(1 << 20)  4.0 MiB       1
        "#]],
    );
    check(
        "x = zeros(1 << 20)\ndel x\n:mem peak reset",
        ":mem peak",
        expect![[r#"
        live 0 B, reserved 4.0 MiB at the most
    "#]],
    );
    check(
        "pass",
        ":mem warmup 4MiB 2 1KiB 3",
        expect![[r#"
        10.0 MiB newly reserved
    "#]],
    );
    check(
        ":set allocator direct",
        ":mem warmup 4MiB 2",
        expect![[r#"
        0 B newly reserved: warming up is off, or nothing is cached in this mode
    "#]],
    );
    check(
        "pass",
        ":mem warmup 64MiB 2",
        expect![[r#"
            ValueError: expected no more than the device has
              1 | :mem warmup 64MiB 2
                |             ^^^^^^^
              hint: usage: `:mem warmup SIZE COUNT… [DEVICE]`
        "#]],
    );
    check(
        "x = zeros(1 << 22)",
        ":mem warmup 20MiB",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 20 MiB; 16 MiB allocated, 16 MiB reserved (0 B free in it, 0 B in one piece); device has 16 MiB free of 32 MiB
              1 | :mem warmup 20MiB
                |      ^^^^^^^^^^^^
              hint: `del x` (16.0 MiB) would make room for these 20.0 MiB
        "#]],
    );
    check(
        "pass",
        ":mem warmup",
        expect![[r#"
            ValueError: expected a size and a count
              1 | :mem warmup
                |      ^^^^^^
              hint: usage: `:mem warmup SIZE COUNT… [DEVICE]`
              hint: `:mem warmup 4MiB 8` makes eight blocks of 4 MiB ready
        "#]],
    );
    check(
        "pass",
        ":mem warmup 4XB",
        expect![[r#"
        ValueError: expected a size such as `8GiB`, `512MB`, `1e9` or `4096`, found `4XB`
          1 | :mem warmup 4XB
            |             ^^^
    "#]],
    );
    check(
        "pass",
        ":mem peak rest",
        expect![[r#"
            ValueError: expected `reset`, found `rest`
              1 | :mem peak rest
                |           ^^^^
              hint: usage: `:mem peak [reset] [DEVICE]`
        "#]],
    );
}

#[test]
fn differences() {
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1024)\ny = zeros(10)");
    expect![[r#"
        ValueError: there is nothing to compare with yet
          1 | :mem diff
            |      ^^^^
          hint: usage: `:mem diff [NAME]`
          hint: `:mem mark` remembers the present state
    "#]]
    .assert_eq(&driver.show(":mem diff"));
    driver.ok(":mem mark before");
    driver.ok("z = ones(1 << 20)\ndel y\nx = x[:512] + 1");
    expect![[r#"
        device                  live  reserved      peak  allocations  frees
        ──────────────────  ────────  ────────  ────────  ───────────  ─────
        cpu                      0 B       0 B       0 B            0      0
        cuda:0 (simulated)  +4.0 MiB  +4.0 MiB  +4.0 MiB            2      2
           variable              bytes
        ─  ────────  ─────────────────
        ~  x         4.0 KiB → 2.0 KiB
        +  z                   4.0 MiB
        −  y                      40 B
    "#]]
    .assert_eq(&driver.show(":mem diff before"));
    expect![[r#"
        NameError: no mark is called `befor`
          1 | :mem diff befor
            |           ^^^^^
          hint: did you mean `before`?
    "#]]
    .assert_eq(&driver.show(":mem diff befor"));
    driver.ok(":mem");
    expect![[r#"
        device              live  reserved  peak  allocations  frees
        ──────────────────  ────  ────────  ────  ───────────  ─────
        cpu                  0 B       0 B   0 B            0      0
        cuda:0 (simulated)   0 B       0 B   0 B            0      0
    "#]]
    .assert_eq(&driver.show(":mem diff"));
}

#[test]
fn snapshots_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1 << 18)\ny = x[::2]");
    driver.ok(&format!(":mem save {}", path("all.json")));
    let json = std::fs::read_to_string(path("all.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let blocks = json["segments"][0]["blocks"].as_array().unwrap();
    assert_eq!(blocks[0]["holders"], serde_json::json!(["x", "y"]));
    assert_eq!(blocks[0]["text"], "x = zeros(1 << 18)");
    let last = json["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["text"], "x = zeros(1 << 18)");
    let places = [&blocks[0], &json["segments"][0], &last].map(|it| it["place"].as_str().unwrap());
    assert_eq!(places, ["<In 1>:1"; 3]);
    // Another device that has seen memory is in the same file, behind the GPUs, or the only one by name.
    driver.ok("z = ones(4, device='cpu') * 2");
    for (device, expected) in [("", ["cuda:0", "host"].as_slice()), ("cpu", &["host"])] {
        driver.ok(&format!(":mem save {} {device}", path("devices.json")));
        let json = std::fs::read_to_string(path("devices.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let all = json["devices"].as_array().cloned().unwrap_or_else(|| vec![json.clone()]);
        let names: Vec<&str> = all.iter().map(|it| it["device"].as_str().unwrap()).collect();
        assert_eq!(names, expected);
    }
    driver.ok("del z");
    driver.ok(&format!(":mem save {} --last 1", path("last.json")));
    let json = std::fs::read_to_string(path("last.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["devices"][0]["history"].as_array().unwrap().len(), 1);
    driver.ok(&format!(":mem save '{}'", path("a b.pickle")));
    assert!(std::fs::read(path("a b.pickle")).unwrap().starts_with(&[0x80, 2]));
    assert_eq!(driver.fails(&format!(":mem save {}", path("none/x.json"))), "FileNotFoundError");
    std::fs::create_dir(path("folder.json")).unwrap();
    assert_eq!(driver.fails(&format!(":mem save {}", path("folder.json"))), "OSError");
    #[cfg(target_os = "linux")]
    {
        std::os::unix::fs::symlink("/dev/full", path("full.json")).unwrap();
        let shown = driver.show(&format!(":mem save {}", path("full.json")));
        assert!(shown.contains("no space left on the disk"), "{shown}");
    }
    check(
        "pass",
        ":mem save x.txt",
        expect![[r#"
            ValueError: expected a file ending in `.pickle` or `.json`, found `x.txt`
              1 | :mem save x.txt
                |           ^^^^^
              hint: usage: `:mem save FILE [--last N] [DEVICE]`
              hint: a `.pickle` opens in pytorch.org/memory_viz
        "#]],
    );
    check(
        "pass",
        ":mem save",
        expect![[r#"
            ValueError: expected a file behind `save`
              1 | :mem save
                |      ^^^^
              hint: usage: `:mem save FILE [--last N] [DEVICE]`
        "#]],
    );
    check(
        "pass",
        ":mem save x.json --last",
        expect![[r#"
            ValueError: expected a number after `--last`
              1 | :mem save x.json --last
                |                  ^^^^^^
              hint: usage: `:mem save FILE [--last N] [DEVICE]`
        "#]],
    );
    check(
        "pass",
        ":mem save x.json --lost 3",
        expect![[r#"
            ValueError: expected nothing more than `--last N`
              1 | :mem save x.json --lost 3
                |                  ^^^^^^
              hint: usage: `:mem save FILE [--last N] [DEVICE]`
        "#]],
    );
}

#[test]
fn other_devices_and_bad_words() {
    let mut driver = Driver::simulated();
    assert!(driver.ok(":mem cpu").starts_with("cpu  host memory"));
    assert!(driver.ok(":mem stats cuda").starts_with("cuda:0 (simulated)"));
    check(
        "pass",
        ":mem cuda:3",
        expect![[r#"
            RuntimeError: there is no device `cuda:3`
              1 | :mem cuda:3
                |      ^^^^^^
              hint: the devices here are `cpu`, `cuda:0`
              hint: `:device simulate 8GiB` simulates a GPU, `2x8GiB` two
        "#]],
    );
    check(
        "pass",
        ":mem segmens",
        expect![[r#"
        ValueError: `:mem` knows no `segmens`
          1 | :mem segmens
            |      ^^^^^^^
          hint: did you mean `segments`?
    "#]],
    );
    check(
        "pass",
        ":mem vars all",
        expect![[r#"
            ValueError: expected nothing more
              1 | :mem vars all
                |           ^^^
              hint: usage: `:mem vars [DEVICE]`
        "#]],
    );
    check(
        "pass",
        ":mem history -1",
        expect![[r#"
        ValueError: expected a whole number from 1 on, found `-1`
          1 | :mem history -1
            |              ^^
    "#]],
    );
}

#[test]
fn explaining_knows_the_holes_and_what_does_not_fuse() {
    let last = |setup: &str, cell: &str| {
        let mut driver = Driver::simulated();
        driver.ok(setup);
        driver.ok(cell).lines().last().map(str::to_string)
    };
    // One segment of 24 MiB with a hole of 8 MiB at either end.
    let holes = "all = zeros(6, 1024, 1024)\ndel all\na = zeros(2, 1024, 1024)\n\
                 b = zeros(2, 1024, 1024)\nc = zeros(2, 1024, 1024)\ndel a, c";
    let said = last(holes, ":explain zeros(3, 1024, 1024)");
    expect!["memory    result 12.0 MiB, live at the peak 20.0 MiB (8.0 MiB now): fits, 24.0 MiB can be had"].assert_eq(&said.unwrap_or_default());
    let mut driver = Driver::simulated();
    driver.ok(holes);
    driver.ok("zeros(3, 1024, 1024)");
    let said = last("x = zeros(1024, 1024)", ":explain x @ x + 1");
    expect!["memory    result 4.0 MiB, live at the peak 8.0 MiB (4.0 MiB now): fits, 28.0 MiB can be had"].assert_eq(&said.unwrap_or_default());
}

#[test]
fn a_live_panel_is_for_notebooks() {
    check(
        "pass",
        ":mem live",
        expect![[r#"
        a notebook keeps a panel up to date; in a terminal, :mem watch draws the memory until a key is pressed
    "#]],
    );
    check(
        "pass",
        ":mem live of",
        expect![[r#"
        ValueError: expected `off` or nothing, found `of`
          1 | :mem live of
            |           ^^
          hint: usage: `:mem live [off]`
    "#]],
    );
}
