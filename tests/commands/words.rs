//! What commands say.

use expect_test::{Expect, expect};

use super::driver::Driver;

/// What a cell shows after `setup`.
#[track_caller]
fn check(setup: &str, cell: &str, expected: Expect) {
    let mut driver = Driver::simulated();
    driver.ok(setup);
    expected.assert_eq(&driver.show(cell));
}

#[test]
fn help_lists_every_command() {
    let shown = Driver::cpu().ok(":help");
    for command in genesis_repl::session::commands::COMMANDS {
        assert!(shown.contains(command.signature), "{}", command.signature);
        assert!(shown.contains(command.summary), "{}", command.summary);
    }
}

#[test]
fn every_command_explains_itself() {
    let mut driver = Driver::cpu();
    for command in genesis_repl::session::commands::COMMANDS {
        let shown = driver.ok(&format!(":help :{}", command.name));
        assert!(shown.starts_with(command.signature), "{shown}");
        assert!(!command.summary.ends_with('.'), "{}", command.summary);
        for alias in command.aliases {
            assert_eq!(driver.ok(&format!(":help :{alias}")), shown);
        }
    }
}

#[test]
fn help_on_names() {
    check(
        "pass",
        ":help device",
        expect![[r#"
            device(name, index=None, /)

            A device by its name, `cpu` or `cuda:0`.

            example:
            torch.device("cpu")
            :help :device explains the command
        "#]],
    );
    check(
        "pass",
        ":help fusion",
        expect![[r#"
        :set fusion
        join the operations of a statement into one program
        one of on, off
    "#]],
    );
    let mut driver = Driver::cpu();
    assert_eq!(driver.ok(":help softmax"), driver.ok("softmax?"));
    assert!(driver.ok(":help softmax").contains("softmax("));
    check(
        "pass",
        ":help sofmax",
        expect![[r#"
        NameError: nothing is called `sofmax`
          1 | :help sofmax
            |       ^^^^^^
          hint: did you mean `softmax`?
    "#]],
    );
    check(
        "pass",
        ":help a b",
        expect![[r#"
        ValueError: expected one name, found more
          1 | :help a b
            |         ^
          hint: usage: `:help [NAME]`
    "#]],
    );
}

#[test]
fn commands_that_are_not_there() {
    check(
        "pass",
        ":tiem x = 1",
        expect![[r#"
        NameError: no command is called `:tiem`
          1 | :tiem x = 1
            |  ^^^^
          hint: did you mean `:time`?
    "#]],
    );
    check(
        "pass",
        ":",
        expect![[r#"
        NameError: expected a command after the colon
          1 | :
            |  ^
          hint: `:help` lists the commands
    "#]],
    );
    check(
        "pass",
        "x = 1\n:frobnicate",
        expect![[r#"
        NameError: no command is called `:frobnicate`
          2 | :frobnicate
            |  ^^^^^^^^^^
          hint: `:help` lists the commands
    "#]],
    );
}

#[test]
fn who() {
    let setup = "x = arange(6, dtype=float32).reshape(2, 3)\ny = x[:, ::2]\nn = 3\nt = (1, x)\n\
                 s = 'a word'\nd = {'w': x}\nx.sum()";
    check(
        setup,
        ":who",
        expect![[r#"
        name  type     shape     bytes  device              made by
        ────  ───────  ────────  ─────  ──────────────────  ────────────────────────────────────────────
        d     dict     1 item                               [1] d = {'w': x}
        n     int      3                                    [1] n = 3
        s     str      'a word'                             [1] s = 'a word'
        t     tuple    2 items                              [1] t = (1, x)
        x     float32  (2, 3)     24 B  cuda:0 (simulated)  [1] x = arange(6, dtype=float32).reshape(2,…
        y     float32  (2, 2)     16 B  cuda:0 (simulated)  [1] y = x[:, ::2]
        and 3 names of results, such as `_`: `:mem vars` shows what they hold
    "#]],
    );
    check(
        setup,
        ":who y n",
        expect![[r#"
        name  type     shape   bytes  device              made by
        ────  ───────  ──────  ─────  ──────────────────  ─────────────────
        n     int      3                                  [1] n = 3
        y     float32  (2, 2)   16 B  cuda:0 (simulated)  [1] y = x[:, ::2]
    "#]],
    );
    check(
        setup,
        ":who z",
        expect![[r#"
        NameError: no variable is called `z`
          1 | :who z
            |      ^
          hint: `:who` alone lists the variables
    "#]],
    );
    check(
        "pass",
        ":who",
        expect![[r#"
        no variables
    "#]],
    );
}

#[test]
fn types() {
    let setup = "x = zeros(3, 4)\ni = arange(3)";
    check(
        setup,
        ":type x + i[:, None]",
        expect![[r#"
        float32 (3, 4) on cuda:0 (simulated), 48 B
    "#]],
    );
    check(
        setup,
        ":type i / 2",
        expect![[r#"
        float32 (3,) on cuda:0 (simulated), 12 B
    "#]],
    );
    check(
        setup,
        ":type [1, 2]",
        expect![[r#"
        list 2 items
    "#]],
    );
    check(
        setup,
        ":type x = 1",
        expect![[r#"
        TypeError: expected an expression, found a statement
          1 | :type x = 1
            |       ^^^^^
          hint: `:explain STATEMENT` shows what a statement would do
    "#]],
    );
    check(
        setup,
        ":type x[5]",
        expect![[r#"
        IndexError: index 5 is out of bounds for axis 0 with size 3
          1 | :type x[5]
            |         ^
    "#]],
    );
    check(
        setup,
        ":type",
        expect![[r#"
        ValueError: expected a statement after `:type`
          1 | :type
            | ^^^^^
          hint: usage: `:type EXPRESSION`
    "#]],
    );
    check(
        setup,
        ":type 1 +",
        expect![[r#"
        SyntaxError: expected an expression, found the end of the text
          1 | :type 1 +
            |          ^
    "#]],
    );
}

#[test]
fn explain() {
    let setup = "x = arange(24, dtype=float32).reshape(2, 3, 4)\nj = array([0, 1])";
    check(
        setup,
        ":explain y = x[::-1, 1:, 2]",
        expect![[r#"
            tree      (assign (name y) (subscript (name x) (tuple (slice _ _ (unary USub (int 1))) (slice (int 1) _ _) (int 2))))
            index     [::-1, 1:, 2] VIEW shape (2, 2), strides [-12, 4] elements, offset 18
                      the result looks into the same memory: nothing moves
            programs  none: nothing is left to compute
            memory    result 0 B, live at the peak 1.0 KiB (1.0 KiB now): fits, 32.0 MiB can be had
        "#]],
    );
    check(
        setup,
        ":explain y = x[j, :, j] * 2 + 1",
        expect![[r#"
            tree      (assign (name y) (binary Add (binary Mult (subscript (name x) (tuple (name j) (slice _ _ _) (name j))) (int 2)) (int 1)))
            index     [j, :, j] GATHER shape (2, 3), strides [0, 4] elements, offset 0
                      elements are read at computed places into new memory
                      an index array of shape (2,) reaches into axis 0 of size 2
                      an index array of shape (2,) reaches into axis 2 of size 4
                      the indexed axes come first: a slice, `...` or `None` stands between the index arrays, so there is no one place for them
            program   over 2 × 3: reads 56 B, writes 24 B
                      %0 = load in1 : int64
                      %1 = load in2 : int64
                      %2 = gather in0 at %0 %1 : float32
                      %3 = const 2 : float32
                      %4 = mul %2 %3 : float32
                      %5 = const 1 : float32
                      %6 = add %4 %5 : float32
                      out0 = %6
            memory    result 24 B, live at the peak 1.0 KiB (1.0 KiB now): fits, 32.0 MiB can be had
        "#]],
    );
    check(
        setup,
        ":explain x[0] = 0",
        expect![[r#"
            tree      (assign (subscript (name x) (int 0)) (int 0))
            index     [0] FILL shape (3, 4), strides [4, 1] elements, offset 0
                      one value is written through a view
            programs  none: nothing is left to compute
            memory    result 0 B, live at the peak 1.0 KiB (1.0 KiB now): fits, 32.0 MiB can be had
        "#]],
    );
    check(
        setup,
        ":explain (x * x).sum(axis=1)",
        expect![[r#"
            tree      (expr (call (attribute (binary Mult (name x) (name x)) sum) (keyword axis (int 1))))
            program   over 2 × 4, folding 3: reads 96 B, writes 32 B
                      %0 = load in0 : float32
                      %1 = mul %0 %0 : float32
                      %2 = reduce sum %1 : float32 per row
                      out0 = %2
            memory    result 32 B, live at the peak 1.0 KiB (1.0 KiB now): fits, 32.0 MiB can be had
        "#]],
    );
    check(
        setup,
        ":explain z = zeros(4096, 4096)",
        expect![[r#"
            tree      (assign (name z) (call (name zeros) (int 4096) (int 4096)))
            program   over 16777216: reads 0 B, writes 64.0 MiB
                      %0 = const 0.0 : float32
                      out0 = %0
            memory    result 64.0 MiB, live at the peak 64.0 MiB (1.0 KiB now): does not fit, 32.0 MiB more would be needed
        "#]],
    );
    check(
        setup,
        ":explain del x",
        expect![[r#"
        tree      (del (name x))
        programs  none: no tensor is computed
    "#]],
    );
    check(
        setup,
        ":explain x[9]",
        expect![[r#"
        IndexError: index 9 is out of bounds for axis 0 with size 2
          1 | :explain x[9]
            |            ^
    "#]],
    );
    check(
        setup,
        ":explain",
        expect![[r#"
        ValueError: expected a statement after `:explain`
          1 | :explain
            | ^^^^^^^^
          hint: usage: `:explain STATEMENT`
    "#]],
    );
}

#[test]
fn settings() {
    check(
        "pass",
        ":set",
        expect![[r#"
            setting          value    default
            ───────────────  ───────  ───────  ────────────────────────────────────────────────────────────────────────────────────────────────────
            default_float    float32  float32  the type of new float tensors
            precision        8        8        digits after the point when a tensor prints
            threshold        1000     1000     tensors of more elements than this print summarised
            edgeitems        3        3        elements at either end of a summarised axis
            linewidth        75       75       columns of a line when a tensor prints
            suppress         off      off      print small numbers without exponents
            fusion           on       on       join the operations of a statement into one program
            allocator        caching  caching  keep freed memory (caching), go to the device each time (direct), or use its own pool (async)
            poison           off      off      fill memory with NaN bytes when it is handed out and when it comes back
            memory_fraction  1        1        the share of a device's memory that may be reserved
            history          1000     1000     events that each allocator remembers for `:mem history`
            outputs          64       64       results that `Out` and `_1`, `_2` … keep alive
            header           on       on       a line above a tensor with its type, shape and a picture of its values
            memory_line      on       on       a line after a statement that changed memory
            color            auto     auto     colours in the terminal (at the start only)
            segment_size     0        0        the least that is reserved at once for large requests; 0 for as much as is asked (at the start only)
            cache_size       1000     1000     small blocks that a stream's cache of exact sizes holds (at the start only)
            warmup           on       on       whether `:mem warmup` reserves memory ahead (at the start only)
            stats            on       on       whether allocators count hits, misses and calls (at the start only)
            device           auto     auto     where new tensors go at the start; later, `:device NAME` (at the start only)
            simulate         32MiB    none     the memory of each simulated GPU: `8GiB`, `2x8GiB` (at the start only)
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
          hint: did you mean `on`?
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
          hint: put `simulate` into the configuration file, and start anew
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
fn devices() {
    check(
        "pass",
        ":device cuda:1",
        expect![[r#"
        ValueError: expected one of the devices `cpu`, `cuda:0`, found `cuda:1`
          1 | :device cuda:1
            |         ^^^^^^
          hint: start with `--simulate 8GiB` for a simulated GPU, `2x8GiB` for two
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
