//! What commands say.

use expect_test::expect;

use super::driver::{Driver, check};

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
          hint: usage: `:help [NAME | functions | keys]`
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
            program   over 2 × 3: reads 40 B, writes 24 B
                      %0 = load in0 : int64
                      %1 = gather in1 at %0 %0 : float32
                      %2 = const 2 : float32
                      %3 = mul %1 %2 : float32
                      %4 = const 1 : float32
                      %5 = add %3 %4 : float32
                      out0 = %5
            memory    result 24 B, live at the peak 1.5 KiB (1.0 KiB now): fits, 32.0 MiB can be had
        "#]],
    );
    check(
        setup,
        ":explain x[0] = 0",
        expect![[r#"
            tree      (assign (subscript (name x) (int 0)) (int 0))
            index     [0] FILL shape (3, 4), strides [4, 1] elements, offset 0
                      one value is written through a view
            program   over 12: reads 0 B, writes 48 B
                      %0 = const 0 : float32
                      out0 = %0
            memory    48 B written in place, live at the peak 1.0 KiB (1.0 KiB now): fits, 32.0 MiB can be had
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
            memory    result 32 B, live at the peak 1.5 KiB (1.0 KiB now): fits, 32.0 MiB can be had
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
        "x = ones(100)\ndef f(x):\n    y = x * 2\n    z = y + 1\n    return exp(z)\n",
        ":explain r = f(x)",
        expect![[r#"
            tree      (assign (name r) (call (name f) (name x)))
            program   over 100: reads 400 B, writes 400 B
                      %0 = load in0 : float32
                      %1 = const 2 : float32
                      %2 = mul %0 %1 : float32
                      %3 = const 1 : float32
                      %4 = add %2 %3 : float32
                      %5 = exp %4 : float32
                      out0 = %5
            memory    result 400 B, live at the peak 1.0 KiB (512 B now): fits, 32.0 MiB can be had
        "#]],
    );
    // An index in a function is no part of the statement's text.
    let long = "#".repeat(200);
    check(
        &format!("x = ones(100)\n{long}\ndef head(x):\n    return x[:3]\n"),
        ":explain head(x)",
        expect![[r#"
            tree      (expr (call (name head) (name x)))
            programs  none: nothing is left to compute
            memory    result 0 B, live at the peak 512 B (512 B now): fits, 32.0 MiB can be had
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

/// A mask of the tensor's own shape is no index array: what the index says is what the steps do.
#[test]
fn explain_tells_what_a_mask_does() {
    let mut driver = Driver::cpu();
    driver.ok("x = arange(24, dtype=float32).reshape(4, 6)\nm = x > 2\nrow = m[:, 0]");
    let said = driver.ok(":explain y = x[m]");
    assert!(said.contains("[m] COMPACT at most 24 elements\n"), "{said}");
    assert!(said.contains("the mask is counted") && !said.contains("index array"), "{said}");
    assert!(said.contains("count what is true in a mask (4, 6)"), "{said}");
    for value in ["0", "[5]", "array([5.])", "array(5.)"] {
        let said = driver.ok(&format!(":explain x[m] = {value}"));
        assert!(said.contains("[m] FILL at most 24 elements\n"), "{said}");
        assert!(said.contains("one value is written where the mask is true"), "{said}");
    }
    let said = driver.ok(":explain x[m] = x[m]");
    assert!(said.contains("[m] SCATTER shape"), "{said}");
    assert!(said.contains("the mask is turned into places first"), "{said}");
    let said = driver.ok(":explain x[row]");
    assert!(said.contains("[row] GATHER shape"), "{said}");
}

#[test]
fn two_question_marks_show_the_text() {
    let setup = "def twice(f):\n    def g(x):\n        \"\"\"Two times.\"\"\"\n        return f(f(x))\n    return g\nh = twice(abs)\nclass A:\n    n = 1\n    @property\n    def p(self):\n        return 2";
    check(
        setup,
        "h??",
        expect![[r#"
            g(x)

            Two times.

            def g(x):
                """Two times."""
                return f(f(x))
        "#]],
    );
    check(
        setup,
        "A??",
        expect![[r#"
            class A

            attributes: n, p

            class A:
                n = 1
                @property
                def p(self):
                    return 2
        "#]],
    );
    check(
        "import heapq",
        "??heapq.heappush",
        expect![[r#"
        heappush(heap, item)

        Puts an item into a heap.

        def heappush(heap, item):
            """Puts an item into a heap."""
            if not risen(heap, item):
                heap.append(item)
                if not moved(heap, len(heap) - 1, False):
                    _sift_up(heap, 0, len(heap) - 1)
    "#]],
    );
    check(
        "",
        "hypot??",
        expect![[r#"
        hypot(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)

        The length of the hypotenuse over each pair.

        example:
        hypot(array([3.0, 5.0]), array([4.0, 12.0]))

        it is built in, and not written in the language
    "#]],
    );
}
