//! Memory that has run out: what the error says, and what it offers.

use expect_test::{Expect, expect};

use super::driver::Driver;

#[track_caller]
fn check(setup: &str, cell: &str, expected: Expect) {
    let mut driver = Driver::simulated();
    for line in setup.lines() {
        driver.ok(line);
    }
    let before = driver.session.memory().live;
    expected.assert_eq(&driver.show(cell));
    assert_eq!(driver.session.memory().live, before, "{cell}");
}

#[test]
fn the_largest_variables_are_named() {
    check(
        "x = zeros(1 << 22)\nw = ones(1 << 20)",
        "y = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 20 MiB allocated, 20 MiB reserved (0 B free in it, 0 B in one piece); device has 12 MiB free of 32 MiB
              1 | y = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del x, w` (20.0 MiB) would make room for it
        "#]],
    );
    // Nothing is held: there is nothing to offer.
    check(
        "pass",
        "y = ones(1 << 24)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 64 MiB; 0 B allocated, 0 B reserved (0 B free in it, 0 B in one piece); device has 32 MiB free of 32 MiB
              1 | y = ones(1 << 24)
                | ^^^^^^^^^^^^^^^^^
              hint: no `del` makes room: it takes 64.0 MiB at once, and there are 32.0 MiB
        "#]],
    );
}

#[test]
fn what_would_not_be_enough_is_not_offered() {
    check(
        "x = zeros(1 << 20)",
        "y = ones(1 << 24)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 64 MiB; 4 MiB allocated, 4 MiB reserved (0 B free in it, 0 B in one piece); device has 28 MiB free of 32 MiB
              1 | y = ones(1 << 24)
                | ^^^^^^^^^^^^^^^^^
              hint: no `del` makes room: it takes 64.0 MiB at once, and there are 32.0 MiB
        "#]],
    );
    // The statement's own temporaries count: without `x` there would still be too little. Types of 16 bits
    // are sorted in two buffers of 32 on every processor.
    check(
        "x = zeros(1 << 20)",
        "y = sort(ones(3 << 21, dtype=int16))",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 24 MiB; 28 MiB allocated, 28 MiB reserved (0 B free in it, 0 B in one piece); device has 4 MiB free of 32 MiB
              1 | y = sort(ones(3 << 21, dtype=int16))
                |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              hint: 24.0 MiB of what was live then were the statement's own
              hint: no `del` makes room: it takes 72.0 MiB at once, and there are 32.0 MiB
        "#]],
    );
}

#[test]
fn all_names_of_a_storage_have_to_go() {
    check(
        "x = zeros(1 << 22)\ny = x\nl = [1, x[::2]]\nd = {'w': (x, 2)}",
        "z = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 16 MiB allocated, 16 MiB reserved (0 B free in it, 0 B in one piece); device has 16 MiB free of 32 MiB
              1 | z = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del y, x, l[1], d['w']` (16.0 MiB) would make room for it
        "#]],
    );
    // A view keeps all of it.
    check(
        "x = zeros(1 << 22)\ny = x[:1]\ndel x",
        "z = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 16 MiB allocated, 16 MiB reserved (0 B free in it, 0 B in one piece); device has 16 MiB free of 32 MiB
              1 | z = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del y` (16.0 MiB) would make room for it
        "#]],
    );
}

#[test]
fn results_are_offered_by_their_number() {
    check(
        "zeros(1 << 22)\nx = zeros(16)",
        "z = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 16 MiB allocated, 18 MiB reserved (2 MiB free in it, 2 MiB in one piece); device has 14 MiB free of 32 MiB
              1 | z = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del x, Out[1]` (16.0 MiB) would make room for it
        "#]],
    );
    check(
        "zeros(1 << 22)",
        "z = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 16 MiB allocated, 16 MiB reserved (0 B free in it, 0 B in one piece); device has 16 MiB free of 32 MiB
              1 | z = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del Out[1]` (16.0 MiB) would make room for it
        "#]],
    );
}

#[test]
fn a_sort_says_what_it_needs() {
    // The results and the two buffers of a radix sort of places do not fit; those of a sort do.
    let mut driver = Driver::simulated();
    driver.ok("x = arange(1 << 20, dtype=int64)");
    driver.ok("cuda.reset_peak_memory_stats()");
    driver.ok("y = sort(x)");
    let peak = driver.session.memory().peak;
    assert!(peak == 16 << 20 || peak == 32 << 20, "{peak}: in place, or with two buffers");
    let goes_in_place = peak == 16 << 20;
    driver.ok("del y");
    driver.ok("cuda.reset_peak_memory_stats()");
    let shown = driver.show("y = argsort(x)");
    match goes_in_place {
        true => assert_eq!(driver.session.memory().peak, 16 << 20, "{shown}"),
        false => {
            assert!(shown.contains("out of memory on cuda:0: tried to allocate 16 MiB"), "{shown}");
            assert_eq!(driver.session.memory().live, 8 << 20);
        }
    }
    // Bytes go by radix everywhere, four for each.
    let mut driver = Driver::simulated();
    driver.ok("x = ones(1 << 22, dtype=uint8)");
    let shown = driver.show("y = sort(x)");
    assert!(shown.contains("out of memory on cuda:0: tried to allocate 16 MiB"), "{shown}");
    assert_eq!(driver.session.memory().live, 4 << 20);
}

#[test]
fn a_product_of_half_types_counts_its_float32_copies() {
    let mut driver = Driver::simulated();
    driver.ok("a = ones(1024, 1024, dtype=float16)");
    driver.ok("cuda.reset_peak_memory_stats()");
    driver.ok("b = a @ a");
    // The operand and the result of two bytes an element, and three copies of four.
    assert_eq!(driver.session.memory().peak, (2 * 2 + 3 * 4) << 20);
}

#[test]
fn only_what_makes_one_piece_is_offered() {
    let mut driver = Driver::simulated();
    // One segment: `a`, `p`, `b`, and a little that is free behind `b`.
    driver.ok("w = ones(30 << 18); del w\n:mem trim");
    driver.ok("import torch\nw = ones(30 << 18)\ndel w\n:set undo_memory 0");
    driver.ok("a = ones(12 << 18)\np = ones(2 << 18)\nb = ones(12 << 18)");
    let shown = driver.show("y = ones(15 << 18)");
    assert!(shown.contains("would make room for it"), "{shown}");
    let command = shown.split('`').find(|part| part.starts_with("del ")).unwrap().to_string();
    driver.ok(&command);
    driver.ok("y = ones(15 << 18)");
}

#[test]
fn a_statement_in_a_block_is_rehearsed_alone() {
    let mut driver = Driver::simulated();
    driver.ok("x = ones(4 << 18)\nold = ones(10 << 18)");
    let shown = driver.show("for n in [1, 2, 3]:\n    y = ones(n * 5 << 18)\n    z = y + x.sum()");
    assert!(shown.contains("2 |     y = ones(n * 5 << 18)"), "{shown}");
    assert!(shown.contains("any of `del x` (4.0 MiB), "), "{shown}");
    assert!(shown.contains("`del y` (5.0 MiB)"), "{shown}");
    driver.ok("del y\ny = ones(n * 5 << 18)");
}

#[test]
fn what_a_function_reads_is_not_offered() {
    let mut driver = Driver::simulated();
    driver.ok("w = ones(10 << 18)\nold = ones(10 << 18)");
    driver.ok("def f(n):\n    return ones(n) * w[0]");
    let shown = driver.show("y = f(15 << 18)");
    assert!(shown.contains("`del old` (10.0 MiB) would make room for it"), "{shown}");
    assert!(!shown.contains("del w"), "{shown}");
}

#[test]
fn what_only_running_would_tell_is_said_of_the_request() {
    let mut driver = Driver::simulated();
    driver.ok("x = ones(4 << 18)\nold = ones(20 << 18)");
    driver.ok("def f(n):\n    y = ones(n)\n    return y * 2 if y.sum().item() > 3 else y");
    let shown = driver.show("y = f(15 << 18)");
    assert!(shown.contains("would make room for these 15.0 MiB"), "{shown}");
}

#[test]
fn nothing_acts_while_a_statement_is_rehearsed_or_explained() {
    let mut driver = Driver::simulated();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt").display().to_string();
    driver.ok("import time\nx = ones(4 << 18); y = ones(4 << 18); del y");
    driver.ok(&format!("f = open({path:?}, 'w')\nn = f.write('before')\nf.flush()"));
    for cell in [
        format!("open({path:?}, 'w')"),
        format!("np.save({path:?}, x[:3])"),
        format!("np.savetxt({path:?}, x[:3])"),
        format!("x.tofile({path:?})"),
        "f.write('more')".to_string(),
        "f.truncate(0)".to_string(),
    ] {
        let shown = driver.ok(&format!("import numpy as np\n:explain {cell}"));
        assert!(shown.contains("nothing is written while it is made"), "{cell}: {shown}");
    }
    let begun = std::time::Instant::now();
    let reserved = driver.bytes().1;
    driver.ok(":explain (time.sleep(60), torch.cuda.empty_cache(), cuda.set_memory_fraction(0.1))");
    assert!(begun.elapsed().as_secs() < 30 && driver.bytes().1 == reserved);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
    // A rehearsal after a failure writes nothing, either.
    driver.ok("def g():\n    f.write('once')\n    f.flush()\n    return ones(60 << 18)");
    driver.fails("g()");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "beforeonce");
}

#[test]
fn many_holders_are_named_in_few_words() {
    let mut driver = Driver::simulated();
    driver.ok("l = [ones(100) for i in range(20_000)]\nd = {i: ones(100) for i in range(20_000)}\nx = ones(1 << 20)");
    let shown = driver.show("y = ones(27 << 18)");
    let hint = shown.lines().last().unwrap();
    assert!(hint.contains("would make room for") && hint.len() < 120, "{hint}");
    driver.ok(hint.split('`').find(|part| part.starts_with("del ")).unwrap());
    driver.ok("y = ones(27 << 18)");
    // As many variables as there may be.
    let mut driver = Driver::simulated();
    (0..300).for_each(|i| _ = driver.ok(&format!("v{i} = ones(25_000)")));
    let shown = driver.show("y = ones(7 << 20)");
    assert!(shown.contains("deleting") && shown.len() < 800, "{shown}");
}

#[test]
fn an_item_that_two_names_reach_is_deleted_once() {
    let mut driver = Driver::simulated();
    driver.ok("l = [ones(4 << 18)]; k = l; d = {'a': l, 'b': (l, 1)}\nx = ones(20 << 18)");
    let shown = driver.show("r = ones(10 << 18) + x[0]");
    assert!(shown.contains("`del d['a'][0]` (4.0 MiB) would make room for it"), "{shown}");
    driver.ok("del d['a'][0]");
    assert_eq!(driver.show("k, l, len(d['b'][0])"), "([], [], 0)\n");
}
