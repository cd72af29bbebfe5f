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
              hint: `del x` would free 16.0 MiB, `del w` 4.0 MiB
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
        "#]],
    );
    // The statement's own temporaries count: without `x` there would still be too little.
    check(
        "x = zeros(1 << 20)",
        "y = sort(ones(3 << 21))",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 24 MiB; 28 MiB allocated, 28 MiB reserved (0 B free in it, 0 B in one piece); device has 4 MiB free of 32 MiB
              1 | y = sort(ones(3 << 21))
                |     ^^^^^^^^^^^^^^^^^^^
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
              hint: `del y, l[1], d['w'], x` would free 16.0 MiB
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
              hint: `del y` would free 16.0 MiB
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
              hint: `del Out[1]` would free 16.0 MiB
        "#]],
    );
    check(
        "zeros(1 << 22)",
        "z = ones(1 << 23)",
        expect![[r#"
            MemoryError: out of memory on cuda:0: tried to allocate 32 MiB; 16 MiB allocated, 16 MiB reserved (0 B free in it, 0 B in one piece); device has 16 MiB free of 32 MiB
              1 | z = ones(1 << 23)
                | ^^^^^^^^^^^^^^^^^
              hint: `del Out[1]` would free 16.0 MiB
        "#]],
    );
}

#[test]
fn a_sort_says_what_it_needs() {
    // Both results and the two buffers of a radix sort do not fit; one without the other does.
    let mut driver = Driver::simulated();
    driver.ok("x = arange(1 << 20, dtype=int64)");
    driver.ok("cuda.reset_peak_memory_stats()");
    driver.ok("y = sort(x)");
    let peak = driver.session.memory().peak;
    assert!(peak == 16 << 20 || peak == 32 << 20, "{peak}: in place, or with two buffers");
    driver.ok("del y");
    let shown = driver.show("y = argsort(x)");
    assert!(shown.contains("out of memory on cuda:0: tried to allocate 16 MiB"), "{shown}");
    assert_eq!(driver.session.memory().live, 8 << 20);
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
