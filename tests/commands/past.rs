//! `:undo`, `:redo`, `:history states`, and the memory that they keep.

use std::time::{Duration, Instant};

use expect_test::expect;

use super::driver::{Driver, check};

/// Bytes that only the past holds, on every device together.
fn past(driver: &Driver) -> usize {
    driver.session.engine().devices().map(|device| device.allocator().past()).sum()
}

#[test]
fn a_look_keeps_its_result_when_an_earlier_input_is_taken_back() {
    let mut driver = Driver::cpu();
    for cell in ["x = 1", "'first'", "x = 2", "'second'"] {
        driver.ok(cell);
    }
    driver.ok(":undo");
    assert_eq!(driver.show("x, _4, _2, sorted(Out)"), "(1, 'second', 'first', [2, 4])\n");
    driver.ok("'third'");
    driver.ok(":redo");
    assert_eq!(driver.show("x, _, _4, sorted(Out)"), "(2, 'third', 'second', [2, 4, 6, 7])\n");
}

#[test]
fn every_kind_of_change_comes_back() {
    let mut driver = Driver::simulated();
    let begin = "x, l, d, s = arange(6.), [1, [2]], {'a': 1}, zip([1, 2, 3])\nt = x[::2]\nh = ones(3, device='cpu')";
    driver.ok(begin);
    let state = "x, t, l, d, h, rand(2).sum().item()";
    let before = driver.show(state);
    driver.ok(":undo");
    for change in [
        "x = 5",
        "x[1] = 7",
        "x += 1",
        "t.fill_(3)",
        "del x, t",
        "l.append(3)",
        "l[1].append(x)",
        "l[1][0] = l",
        "d['b'] = x; del d['a']",
        "d.clear(); l.clear()",
        "h[:] = 8",
        "list(s)",
        "rand(7)",
        "manual_seed(3)",
        "set_printoptions(precision=2)",
        "x = y = x[:] = x + 1",
        "x += 1\nx += 1\nl = 5\nl = 6",
        "x[0] = 9\ndel x",
        "del l, d, s",
        "Out = 3; _ = 4",
        "p = cuda.allocate_memory(4096)",
    ] {
        driver.ok(change);
        let shown = driver.ok(":undo");
        assert!(shown.starts_with("undone ["), "{change}: {shown}");
        assert_eq!(driver.show(state), before, "{change}");
        driver.ok(":undo");
        // Forwards and back again is the same.
        driver.ok(change);
        let after = driver.show(":who");
        driver.ok(":undo\n:redo");
        assert_eq!(driver.show(":who"), after, "{change}");
        driver.ok(":undo");
        assert_eq!(driver.show(state), before, "{change}");
        driver.ok(":undo");
    }
}

#[test]
fn a_look_is_no_input_to_be_undone() {
    let mut driver = Driver::simulated();
    driver.ok("x, l = zeros(3), [1]\ndef f(): return x.sum()\n");
    driver.ok("x[0] = 5");
    for look in
        ["x", "x + 1", "f()", "_", "Out", "l, len(l)", "[v for v in l]", "x.sum(); 7", "1 + 1"]
    {
        driver.ok(look);
        assert!(driver.ok(":undo").contains("x[0] = 5"), "{look}");
        driver.ok(look);
        assert_eq!(driver.show("x"), "array([0., 0., 0.])\n");
        assert!(driver.ok(":redo").contains("x[0] = 5"), "{look}");
        assert_eq!(driver.show("x"), "array([5., 0., 0.])\n");
    }
    // What it gives back is a look, too; what it does is not.
    for change in ["l.append(2); l", "x.fill_(1)", "l.pop()", "rand(1)", "(l := 3)"] {
        driver.ok(change);
        let shown = driver.ok(":undo");
        assert!(shown.contains(change.split(';').next().unwrap_or_default()), "{change}: {shown}");
    }
    for change in ["x[0] = 1", "x.fill_(1)", "l.append(1)", "y = 1", "rand(1)"] {
        assert_eq!(driver.fails(&format!("{change}\n:undo")), "RuntimeError", "{change}");
        driver.ok(":undo");
    }
}

#[test]
fn what_del_lets_go_of_is_not_live() {
    let mut driver = Driver::simulated();
    driver.ok("x = ones(1 << 18)\nl = [x, ones(1 << 18)]");
    let (live, _) = driver.bytes();
    driver.ok("del l");
    assert_eq!((driver.bytes().0, past(&driver)), (live / 2, live / 2));
    driver.ok("del x");
    assert_eq!((driver.bytes().0, past(&driver)), (0, live));
    assert!(driver.ok(":mem").contains("past            2.0 MiB  for `:undo`"));
    driver.ok(":undo 2");
    assert_eq!((driver.bytes().0, past(&driver)), (live, 0));
    driver.ok(":redo 2");
    assert_eq!((driver.bytes().0, past(&driver)), (0, live));
    driver.ok(":undo 2");
    assert_eq!(driver.show("x.sum() + l[1].sum()"), "array(524288.)\n");
}

#[test]
fn memory_that_is_wanted_ends_the_past() {
    for config in ["caching", "direct"] {
        let mut driver = Driver::simulated();
        driver.ok(&format!(":set allocator {config}\n:set undo_memory 16MiB"));
        driver.ok("x = ones(2, 1024, 1024)");
        driver.ok("del x");
        driver.ok("a = 1");
        driver.ok("y = ones(6, 1024, 1024)");
        assert_eq!(past(&driver), 8 << 20);
        driver.ok("z = ones(1024, 1024)");
        assert_eq!(past(&driver), 0, "{config}");
        driver.ok(":undo 3");
        expect![[r#"
            RuntimeError: nothing to undo
              1 | :undo
                | ^^^^^
              hint: memory was wanted, or given back by `empty_cache()` or `:mem trim`, so older states went; `:set undo_memory` says how much they may take
        "#]]
        .assert_eq(&driver.show(":undo"));
        assert_eq!(driver.fails("y"), "NameError");
    }
}

#[test]
fn what_is_asked_for_goes() {
    for ask in [":mem trim", "cuda.empty_cache()"] {
        let mut driver = Driver::simulated();
        driver.ok("x = ones(1 << 18)");
        driver.ok("x = 0");
        assert_eq!(past(&driver), 1 << 20);
        driver.ok(ask);
        assert_eq!((past(&driver), driver.bytes()), (0, (0, 0)), "{ask}");
        assert_eq!(driver.fails(":undo"), "RuntimeError");
        driver.ok("n = 1");
        driver.ok("n = 2");
        driver.ok(ask);
        driver.ok(":undo");
        assert_eq!(driver.show("n"), "1\n", "nothing there was on the device");
    }
}

#[test]
fn the_limit_holds() {
    let mut driver = Driver::simulated();
    driver.ok(":set undo_memory 4MiB\nx = zeros(1 << 18)");
    for at in 0..20 {
        driver.ok(&format!("x = full(1 << 18, {at}.)"));
        assert!(past(&driver) <= 4 << 20);
    }
    driver.ok(":undo 4");
    assert_eq!(driver.show("x[0]"), "array(15.)\n");
    assert_eq!(driver.fails(":undo 2"), "RuntimeError");
    driver.ok("y = zeros(3 << 19)");
    driver.ok("y[:] = 1");
    expect![[r#"
        RuntimeError: nothing to undo
          1 | :undo
            | ^^^^^
          hint: input 26 wrote over 6.0 MiB in place: it would take more memory than there was, or than `:set undo_memory` allows
    "#]]
    .assert_eq(&driver.show(":undo"));
    driver.ok(":set undo_memory 0");
    driver.ok("x = 1");
    assert_eq!(past(&driver), 0);
    expect![[r#"
        RuntimeError: no state is kept, because `undo_memory` is 0
          1 | :undo
            | ^^^^^
          hint: `:set undo_memory default` keeps them from here on
    "#]]
    .assert_eq(&driver.show(":undo"));
}

#[test]
fn what_can_not_be_undone_is_said() {
    check(
        "pass",
        ":undo",
        expect![[r#"
            RuntimeError: nothing to undo
              1 | :undo
                | ^^^^^
              hint: an input that changed no variable is none to be undone
        "#]],
    );
    check(
        "x = 1",
        "y = 2\n:undo",
        expect![[r#"
            RuntimeError: the input that is running has changed something already
              2 | :undo
                | ^^^^^
              hint: whole inputs are taken back: `:undo` needs one of its own
        "#]],
    );
    check(
        "x = 1",
        ":undo 3",
        expect![[r#"
            RuntimeError: only one input can be undone
              1 | :undo 3
                | ^^^^^
              hint: an input that changed no variable is none to be undone
        "#]],
    );
    check(
        "x = 1",
        ":redo",
        expect![[r#"
            RuntimeError: nothing to be done again
              1 | :redo
                | ^^^^^
              hint: only inputs that `:undo` took back, until another changes something
        "#]],
    );
    let mut driver = Driver::cpu();
    driver.ok("x = 1");
    driver.ok(":reset");
    assert!(driver.show(":undo").contains("`:reset` can't be undone"));
}

#[test]
fn the_states_are_listed() {
    let mut driver = Driver::simulated();
    driver.ok("x = zeros(1 << 18)");
    driver.ok("x += 1");
    driver.fails("x += nothing");
    driver.ok(":mem");
    driver.ok("x = 3");
    driver.ok("y = x");
    driver.ok(":undo");
    let states = driver.ok(":history states");
    let rows: Vec<Vec<&str>> =
        states.lines().skip(2).map(|line| line.split_whitespace().take(6).collect()).collect();
    assert_eq!(rows[0][..4], [":undo", "3", "1", "x"], "{states}");
    assert_eq!(rows[1], [":undo", "2", "2", "x", "+=", "1"], "{states}");
    assert_eq!(rows[2][..5], [":undo", "5", "x", "=", "3"], "{states}");
    assert_eq!(rows[3][..5], [":redo", "6", "y", "=", "x"], "{states}");
    assert!(states.contains("1.0 MiB"), "{states}");
}

#[test]
fn a_failed_input_is_no_state_but_what_ran_before_it_is() {
    let mut driver = Driver::simulated();
    driver.ok("x = arange(3)");
    driver.fails("x[0] = 9; y = nothing");
    driver.fails("x[7] = 1");
    assert_eq!(driver.ok(":undo"), "undone [2] x[0] = 9; y = nothing\n");
    assert_eq!(driver.show("x"), "array([0, 1, 2])\n");
    driver.ok(":undo");
    assert_eq!(driver.fails("x"), "NameError");
}

#[test]
fn going_back_copies_nothing() {
    let mut driver = Driver::simulated();
    driver.ok("x = ones(1024, 1024)");
    driver.ok("x *= 2");
    let allocations = |driver: &Driver| {
        let devices = driver.session.engine().devices();
        devices.map(|device| device.allocator().stats().allocations).sum::<u64>()
    };
    let before = allocations(&driver);
    let begun = Instant::now();
    driver.ok(":undo");
    driver.ok(":redo");
    driver.ok(":undo");
    assert!(begun.elapsed() < Duration::from_millis(30), "{:?}", begun.elapsed());
    assert_eq!(allocations(&driver), before);
    assert_eq!(driver.show("x.sum().item()"), "1048576.0\n");
}

#[test]
fn what_holds_itself_goes_with_the_past_when_memory_is_wanted() {
    let make = "l = []; l.append(l); l.append(zeros(1 << 20)); d = {'l': l}; l.append((d, [d]))";
    for wish in [":mem trim", "z = ones(29 << 18); del z; cuda.empty_cache()"] {
        let mut driver = Driver::simulated();
        driver.ok(make);
        driver.ok("del l, d");
        assert_eq!(driver.bytes().0, 4 << 20);
        driver.ok(wish);
        assert_eq!(driver.bytes(), (0, 0), "{wish}");
        assert_eq!(driver.fails(":undo 2"), "RuntimeError", "{wish}");
    }
    // What somebody holds stays.
    let mut driver = Driver::simulated();
    driver.ok(make);
    driver.ok("m = (l,); del l, d");
    driver.ok(":mem trim");
    assert_eq!(driver.show("m[0][1].shape, m[0][2][0]['l'] is m[0]"), "((1048576,), True)\n");
    driver.ok(":undo");
    assert_eq!(driver.show("l[0] is l, l[2][1][0] is d"), "(True, True)\n");
}
