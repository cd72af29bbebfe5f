//! Commands that steer the session: settings, devices, history, reset, timing.

use expect_test::expect;
use genesis_repl::diag::ErrorKind;
use genesis_repl::session::Nobody;

use super::driver::{Driver, check};

#[test]
fn settings() {
    check(
        "pass",
        ":set",
        expect![[r#"
            setting           value    default
            ────────────────  ───────  ───────  ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
            default_float     float32  float32  the type of new float tensors
            precision         8        8        digits after the point when a tensor prints
            threshold         1000     1000     tensors of more elements than this print summarised
            edgeitems         3        3        elements at either end of a summarised axis
            linewidth         75       75       columns of a line when a tensor prints
            suppress          off      off      print small numbers without exponents
            fusion            on       on       join the operations of a statement into one program
            matmul_precision  highest  highest  float32 products on a GPU: plain (highest), or faster in TF32, off by up to 5e-4 (high)
            profiling         off      off      after each statement, the times of its kernels on a GPU
            allocator         caching  caching  keep freed memory (caching), go to the device each time (direct), or use its own pool (async)
            segments          auto     auto     what large tensors lie in: pages that move when memory is short (auto, on GPUs) or at each miss (paged), or not (plain)
            poison            off      off      fill memory with NaN bytes when it is handed out and when it comes back
            memory_fraction   1        1        the share of a device's memory that may be reserved
            host_memory       auto     auto     what lists, texts and dictionaries may take of the host's memory: `8GiB`; auto for half
            undo_memory       auto     auto     what `:undo` may keep on each device: `2GiB`, or 0; auto for an eighth of it
            history           1000     1000     events that each allocator remembers for `:mem history`
            outputs           64       64       results that `Out` and `_1`, `_2` … keep alive
            header            on       on       a line above a tensor with its type, shape and a picture of its values
            memory_line       on       on       a line after a statement that changed memory
            footer            off      off      a line after each input with its time, what it allocated, and the kernels it ran
            color             auto     auto     colours in the terminal (at the start only)
            editing_mode      emacs    emacs    whose keys edit a line in the terminal
            segment_size      0        0        the least that is reserved at once for large requests; 0 for as much as is asked
            cache_size        1000     1000     what is kept of freed memory, as `1GB`; or how many small blocks a stream keeps apart
            warmup            on       on       whether `:mem warmup` reserves memory ahead
            stats             on       on       whether allocators count hits, misses and calls (at the start only)
            device            auto     auto     where new tensors go at the start; later, `:device NAME` (at the start only)
            simulate          32MiB    none     the memory of each simulated GPU: `8GiB`, `2x8GiB` (at the start only)
        "#]],
    );
    check(
        ":set precision 3",
        ":set precision",
        expect![[r#"
        precision = 3, by default 8
        digits after the point when a tensor prints
    "#]],
    );
    check(
        ":set precision=2",
        "array([0.12345])",
        expect![[r#"
        array([0.12])
    "#]],
    );
    check(
        ":set precision 2\n:set precision default",
        ":set precision",
        expect![[r#"
        precision = 8, the default
        digits after the point when a tensor prints
    "#]],
    );
    check(
        "pass",
        ":set precsion 3",
        expect![[r#"
        ValueError: no setting is called `precsion`
          1 | :set precsion 3
            |      ^^^^^^^^
          hint: did you mean `precision`?
    "#]],
    );
    check(
        "pass",
        ":set precision many",
        expect![[r#"
        ValueError: expected a whole number from 0 to 20, found `many`
          1 | :set precision many
            |                ^^^^
          hint: `:set precision default` takes it back to the usual value
    "#]],
    );
    check(
        "pass",
        ":set fusion of",
        expect![[r#"
            ValueError: expected `on` or `off`, found `of`
              1 | :set fusion of
                |             ^^
              hint: did you mean `off`?
        "#]],
    );
    check(
        "pass",
        ":set allocator async",
        expect![[r#"
            ValueError: `cuda:0` has no stream-ordered pool: expected mode `caching` or `direct`, found `async`
              1 | :set allocator async
                |                ^^^^^
              hint: `:set allocator default` takes it back to the usual value
        "#]],
    );
    check(
        "pass",
        ":set simulate 8GiB",
        expect![[r#"
        ValueError: `simulate` can only be chosen at the start
          1 | :set simulate 8GiB
            |               ^^^^
          hint: `:device simulate SIZE` opens a simulated GPU now
    "#]],
    );
    check(
        "pass",
        ":set precision 1 2",
        expect![[r#"
        ValueError: expected one value, found more
          1 | :set precision 1 2
            |                  ^
          hint: usage: `:set [NAME [VALUE]]`
    "#]],
    );
    check(
        ":set default_float float64",
        ":type zeros(2)",
        expect![[r#"
        float64 (2,) on cuda:0 (simulated), 16 B
    "#]],
    );
}

#[test]
fn simulated_devices_open_in_a_running_session() {
    let mut driver = Driver::simulated();
    driver.ok("before = ones(4)");
    driver.ok(":device simulate 2x8MiB");
    expect![[r#"
        (device('cuda:0'), device('cuda:1'))
    "#]]
    .assert_eq(&driver.show("before.device, zeros(2).device"));
    driver.ok(":device cuda:2");
    expect![[r#"
        MemoryError: out of memory on cuda:2: tried to allocate 12 MiB; 0 B allocated, 0 B reserved (0 B free in it, 0 B in one piece); device has 8 MiB free of 8 MiB
          1 | x = zeros(3, 1024, 1024)
            | ^^^^^^^^^^^^^^^^^^^^^^^^
          hint: no `del` makes room: it takes 12.0 MiB at once, and there are 8.0 MiB
    "#]].assert_eq(&driver.show("x = zeros(3, 1024, 1024)"));
}

#[test]
fn simulated_devices_of_no_size() {
    check(
        "pass",
        ":device simulate",
        expect![[r#"
        ValueError: expected one size after `simulate`, such as `8GiB`
          1 | :device simulate
            |         ^^^^^^^^
          hint: usage: `:device [NAME | simulate SIZE]`
    "#]],
    );
    check(
        "pass",
        ":device simulate 8Gib 2",
        expect![[r#"
        ValueError: expected one size after `simulate`, such as `8GiB`
          1 | :device simulate 8Gib 2
            |                       ^
          hint: usage: `:device [NAME | simulate SIZE]`
    "#]],
    );
    check(
        "pass",
        ":device simulate 1MiB",
        expect![[r#"
        ValueError: expected at least 2 MiB of memory for a simulated device, found `1MiB`
          1 | :device simulate 1MiB
            |                  ^^^^
    "#]],
    );
    check(
        "pass",
        ":device simulate 64x8MiB",
        expect![[r#"
        ValueError: expected at most 64 simulated devices, found 65
          1 | :device simulate 64x8MiB
            |                  ^^^^^^^
    "#]],
    );
}

#[test]
fn devices() {
    check(
        "pass",
        ":device cuda:1",
        expect![[r#"
            RuntimeError: there is no device `cuda:1`
              1 | :device cuda:1
                |         ^^^^^^
              hint: the devices here are `cpu`, `cuda:0`
              hint: `:device simulate 8GiB` simulates a GPU, `2x8GiB` two
        "#]],
    );
    check(
        "pass",
        ":device tpu",
        expect![[r#"
        ValueError: expected a device such as `cpu`, `cuda` or `cuda:1`, found `tpu`
          1 | :device tpu
            |         ^^^
    "#]],
    );
    check(
        ":device cpu\nx = zeros(2)",
        ":who x",
        expect![[r#"
        name  type     shape  bytes  device  made by
        ────  ───────  ─────  ─────  ──────  ────────────────
        x     float32  (2,)     8 B  cpu     [1] x = zeros(2)
    "#]],
    );
    let mut driver = Driver::simulated();
    let listed = driver.ok(":device");
    let gpu = listed.lines().find(|line| line.contains("cuda:0")).unwrap();
    assert!(gpu.contains("simulated GPU") && gpu.contains("32.0 MiB"), "{gpu}");
    assert!(gpu.starts_with('→'));
    driver.ok(":device cpu");
    let listed = driver.ok(":device");
    assert!(listed.lines().any(|line| line.starts_with('→') && line.contains("cpu")), "{listed}");
}

#[test]
fn history_and_reset() {
    let setup = "x = 1\ny = [x,\n     2]\n:mem\nz = 3";
    check(
        setup,
        ":history",
        expect![[r#"
            1  x = 1
            1  y = [x,
                    2]
            1  z = 3
        "#]],
    );
    check(
        setup,
        ":history 1",
        expect![[r#"
        1  z = 3
    "#]],
    );
    check(
        setup,
        ":history 0",
        expect![[r#"
        ValueError: expected a whole number from 1 on, found `0`
          1 | :history 0
            |          ^
    "#]],
    );
    check(
        setup,
        ":reset now",
        expect![[r#"
        ValueError: expected nothing or `-f`, found `now`
          1 | :reset now
            |        ^^^
          hint: usage: `:reset [-f]`
    "#]],
    );
    check(
        "x = zeros(1000)",
        ":reset -f",
        expect![[r#"
        1 name forgotten, 4.0 KiB freed
    "#]],
    );
    check(
        "x = 1\n:reset",
        "x",
        expect![[r#"
        NameError: name 'x' is not defined
          1 | x
            | ^
    "#]],
    );
    check(
        "pass",
        ":quit now",
        expect![[r#"
        ValueError: `:quit` takes no argument
          1 | :quit now
            |       ^^^
          hint: usage: `:quit`
    "#]],
    );
}

#[test]
fn timing() {
    let mut driver = Driver::simulated();
    let shown = driver.ok(":time x = zeros(1 << 18) + 1");
    assert!(shown.contains("allocated 1.0 MiB in 1 block · peak +1.0 MiB"), "{shown}");
    assert!(driver.ok(":who x").contains("x = zeros(1 << 18) + 1"));
    let shown = driver.ok(":timeit -n 3 -r2 x = x[:1024] + 1");
    assert!(shown.contains("the best of 2 series of 3"), "{shown}");
    assert!(shown.contains("allocated 4.0 KiB in 1 block"), "{shown}");
    assert!(driver.ok(":type x").contains("(262144,)"), "a name that timing bound stays bound");
    driver.ok(":timeit -n 1 -r 1 fresh = 1");
    assert_eq!(driver.fails("fresh"), "NameError");
    check(
        "pass",
        ":timeit -n",
        expect![[r#"
        ValueError: expected a number after `-n`
          1 | :timeit -n
            |         ^^
          hint: usage: `:timeit [-n N] [-r R] STATEMENT`
    "#]],
    );
    check(
        "pass",
        ":timeit -n 0 1",
        expect![[r#"
        ValueError: expected a whole number from 1 on, found `0`
          1 | :timeit -n 0 1
            |            ^
    "#]],
    );
    check(
        "pass",
        ":timeit -n 5",
        expect![[r#"
        ValueError: expected a statement after `:timeit`
          1 | :timeit -n 5
            |         ^^^^
          hint: usage: `:timeit [-n N] [-r R] STATEMENT`
    "#]],
    );
    check(
        "pass",
        ":timeit nothing + 1",
        expect![[r#"
        NameError: name 'nothing' is not defined
          1 | :timeit nothing + 1
            |         ^^^^^^^
    "#]],
    );
    check(
        "pass",
        ":time",
        expect![[r#"
        ValueError: expected a statement after `:time`
          1 | :time
            | ^^^^^
          hint: usage: `:time STATEMENT`
    "#]],
    );
    let shown = driver.ok(":timeit -n 2 -r 1 -1");
    assert!(shown.ends_with("the best of 1 series of 2 · nothing allocated\n"), "{shown}");
}

#[test]
fn a_result_that_nobody_waits_for_is_an_error() {
    let mut session = Driver::cpu().session;
    let mut outcome = session.run("x = 1\narange(100_000) * 2", &mut Nobody);
    // Its statistics are still to be computed.
    session.interrupt().raise();
    assert!(session.show(&mut outcome).is_none());
    let error = outcome.error.unwrap();
    assert_eq!(error.kind, ErrorKind::KeyboardInterrupt);
    assert_eq!(outcome.sources[0].slice(error.span), "arange(100_000) * 2");
    // The statement itself was done.
    let mut outcome = session.run("_[3]", &mut Nobody);
    assert!(session.show(&mut outcome).unwrap().to_plain().ends_with("array(6)"));
}
