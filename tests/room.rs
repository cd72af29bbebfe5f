//! What a program makes of Python's own values stays within a budget, and the user can stop it. The
//! budget measures the process, so these tests have one of their own.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use driver::{Driver, check};
use genesis_repl::session::{Config, Nobody};

#[expect(dead_code, reason = "tests of commands need more of it")]
#[path = "commands/driver.rs"]
mod driver;

/// Held by every test that makes much: another would free it while this one measures.
fn alone() -> MutexGuard<'static, ()> {
    static MEMORY: Mutex<()> = Mutex::new(());
    first_refused();
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn small() -> Driver {
    let mut config = Config::default().with_device("cpu").unwrap();
    config.set("host_memory", "64MiB").unwrap();
    Driver::with(config)
}

/// At which of twenty lists a small session is full. It is asked before anything else is made: memory that other tests
/// had freed would stay with the process, and lists that lie there would not count.
fn first_refused() -> Option<usize> {
    static REFUSED: OnceLock<Option<usize>> = OnceLock::new();
    *REFUSED.get_or_init(|| {
        let mut driver = small();
        (0..20).find(|n| {
            let cell = format!("kept{n} = list(range(10**6))");
            driver.session.run(&cell, &mut Nobody).error.is_some()
        })
    })
}

#[test]
fn what_does_not_fit_is_a_memory_error_and_changes_nothing() {
    let _alone = alone();
    let mut driver = small();
    driver.ok("l = [1, 2]; s = 'ab'; r = range(10**10); d = {}");
    for cell in [
        "list(r)",
        "tuple(r)",
        "set(r)",
        "dict.fromkeys(r)",
        "sorted(r)",
        "l.extend(r)",
        "l += r",
        "l[0:0] = r",
        "l * 10**9",
        "l *= 10**9",
        "(1,) * 10**18",
        "a, *b = r",
        "[*r]",
        "max(*r)",
        "list(zip(r, r))",
        "list(enumerate(r))",
        "s * 10**12",
        "s *= 10**9",
        "s.ljust(10**12)",
        "s.zfill(10**12)",
        "s.center(10**12, 'ä')",
        "(s * 10**6).replace('a', s * 10**6)",
        "','.join([s * 10**6] * 100)",
        "f'{s * 10**7}{s * 10**7}{s * 10**7}{s * 10**7}'",
        "'%s%s%s%s' % ((s * 10**7,) * 4)",
        "'{0}{0}{0}{0}'.format(s * 10**7)",
        "repr([s * 10**6] * 100)",
        "print([s * 10**6] * 100)",
        "zeros((2**33, 0)).tolist()",
        "zeros((2**62, 0)).tolist()",
        "zeros(10**7).tolist()",
        "list(zeros((2**33, 0)))",
        "array([r])",
        "zeros(3)[list(r)]",
        "array_split(arange(10), 10**9)",
        "zeros(r)",
        "diag_indices(3, 2**60)",
        "unstack(zeros((2**60, 0)))",
    ] {
        assert_eq!(driver.fails(cell), "MemoryError", "{cell}");
    }
    assert_eq!(driver.show("l, s, len(d)"), "([1, 2], 'ab', 0)\n");
    driver.ok(":set host_memory 1GiB");
    assert_eq!(driver.show("len(zeros(10**6).tolist())"), "1000000\n");
}

#[test]
fn many_values_count_together() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let refused = first_refused();
    assert!(refused.is_some_and(|n| n > 0), "{refused:?}");
}

#[test]
fn the_message_says_what_to_do() {
    let _alone = alone();
    check(
        ":set host_memory 64MiB",
        "x = list(range(10**10))",
        expect_test::expect![[r#"
            MemoryError: a sequence of 10,000,000,000 items needs 149.0 GiB, and the limit of `host_memory` is 64.0 MiB
              1 | x = list(range(10**10))
                |          ^^^^^^^^^^^^^
              hint: `:set host_memory SIZE` sets the limit for lists, texts and the like
        "#]],
    );
}

#[test]
fn ranges_are_arithmetic() {
    let _alone = alone();
    let mut driver = small();
    for (cell, shown) in [
        (
            "sum(range(10**9)), sum(range(10**9), 5), sum(range(4), 0.5)",
            "(499999999500000000, 499999999500000005, 6.5)",
        ),
        ("max(range(10**18)), min(range(10**18, 0, -7))", "(999999999999999999, 1)"),
        (
            "len(range(10**18)), 77 in range(10**18), 1e30 in range(10**18)",
            "(1000000000000000000, True, False)",
        ),
        ("range(10**18).index(77), range(0, 10**18, 3).count(4)", "(77, 0)"),
        ("range(10**18)[::-1][:2] == range(10**18 - 1, 10**18 - 3, -1)", "True"),
        ("range(0) == range(3, 1), range(0, 5, 2) == range(0, 6, 2)", "(True, True)"),
        ("{range(0, 5, 2): 1}[range(0, 6, 2)]", "1"),
        ("hash(range(0, 5, 2)) == hash(range(0, 6, 2))", "True"),
        ("any(range(10**18)), all(range(10**18))", "(True, False)"),
        ("list(zip(range(10**18), 'ab'))", "[(0, 'a'), (1, 'b')]"),
        (
            "array(range(10**6)).sum().item(), array(range(3), dtype='uint8')",
            "(499999500000, array([0, 1, 2], dtype=uint8))",
        ),
    ] {
        assert_eq!(driver.show(cell).trim_end(), shown, "{cell}");
    }
    assert_eq!(driver.fails("sum(range(10**18))"), "OverflowError");
    assert_eq!(driver.fails("a, b = range(10**18)"), "ValueError");
    assert_eq!(driver.fails("a, b = zeros(10**9)"), "ValueError");
    assert_eq!(driver.fails("len(range(-2**62, 2**62))"), "OverflowError");
}

#[test]
fn shapes_that_do_not_fit_are_errors() {
    let _alone = alone();
    let mut driver = Driver::cpu();
    driver.ok("one = zeros(1); z = zeros((2**62, 0)); row = broadcast_to(one, (1, 2**40)); column = row.T");
    for cell in [
        "concatenate([z] * 4)",
        "vstack([z] * 4)",
        "block([[z], [z], [z]])",
        "append(z, z, 0)",
        "stack([column] * 2**4) + row",
        "column + row",
        "where(column > 0, row, 1)",
        "maximum(column, row)",
        "tile(z, (8, 1))",
        "repeat(z, 8, axis=0)",
        "kron(z, column)",
        "kron(zeros(2**33), zeros(2**33))",
        "outer(zeros(2**40), zeros(2**40))",
        "multiply.outer(zeros(2**40), zeros(2**40))",
        "vander(zeros(2**40), 2**40)",
        "zeros((0, 2**40, 2**40)).sum(0)",
        "meshgrid(zeros(2**40), zeros(2**40))",
        "broadcast_arrays(column, row)",
        "broadcast_to(column, (2**40, 2**40))",
        "broadcast_shapes((2**40, 1), (1, 2**40))",
        "pad(z, 2**62)",
        "z @ z.T",
        "tensordot(z, z.T, 1)",
        "zeros((2**62, 0)).repeat(2, axis=0)",
        "pad(zeros((2**62, 0)), ((2**62, 0), (0, 0)))",
    ] {
        let kind = driver.fails(cell);
        assert!(["MemoryError", "OverflowError"].contains(&kind.as_str()), "{cell}: {kind}");
    }
    assert_eq!(
        driver.show("concatenate([zeros((2**60, 0))] * 4).shape"),
        format!("({}, 0)\n", 1u64 << 62)
    );
}

#[test]
fn an_interrupt_is_heard_soon() {
    let _alone = alone();
    let mut driver = Driver::cpu();
    let mut heard = 0;
    driver.ok(":set host_memory 2GiB");
    driver.ok("r = range(10**9); l = list(range(10**6)); t = ['abc'] * 10**6");
    for cell in [
        "sum(r, 0.5)",
        "r.count(0.5)",
        "max(0, *range(2 * 10**7))",
        "sorted(l * 20)",
        "array_split(arange(10), 3 * 10**6)",
        "repr([t] * 50)",
        "print([t] * 50)",
        "','.join(t * 20)",
        "[l] * 1000 == [list(l)] * 1000",
        "array([l] * 40)",
        "zeros(2 * 10**7).tolist()",
        "list(zeros((3 * 10**6, 2)))",
        "[l] * 1000 < [list(l)] * 1000",
        "[*l] in [list(l)[:-1] + [0]] * 1000",
        "k = list(range(10**7)); k == list(k)",
        "k = list(range(10**7)); k * 5",
        "k = list(range(10**7)); k.copy() < k",
        "k = dict.fromkeys(range(5 * 10**6)); k == {**k}",
        "k = dict.fromkeys(range(5 * 10**6)); k | k",
        "import json; json.dumps(list(range(10**7)))",
        "repr(list(range(10**7)))",
        "ones(2 * 10**8).tolist()",
        "s = set(range(3 * 10**6)); s & s; s ^ {1}; s - {1}; s <= s | {-1}; s.isdisjoint(s - s)",
        "l *= 20; l.reverse()",
        "w = 'ab c' * (2 * 10**7); w.upper(); w.title(); w.replace('b', 'xy'); w[::-1]; w.find('q')",
        "w = 'ab c' * (2 * 10**7); repr(w)",
        "w = 'ä' * (2 * 10**7); ascii(w)",
        "w = 'ab c' * (2 * 10**7); w.rsplit()",
        "w = 'abc' * (2 * 10**7); w.rsplit()",
        "w = 'abc\\n' * (2 * 10**7); w.splitlines()",
        "w = 'a\\t' * (4 * 10**7); w.expandtabs()",
        "w = 'ab' * (3 * 10**7); str.maketrans(w, w)",
        "w = 'äb' * (2 * 10**7); ''.join(reversed(w))",
        "import json; w = 'äb' * (2 * 10**7); json.loads(json.dumps(w))",
        "w = 'ab' * (4 * 10**7); f'{w!r}' + w.center(3 * 10**8) + '%r' % w",
        "try: float('ab' * (4 * 10**7))\nexcept ValueError as error: len(str(error))",
        "import random; random.shuffle(list(range(5 * 10**6)))",
        "import random; random.sample(range(5 * 10**6), 4 * 10**6)",
        "import random; random.choices([1, 2], [1, 2], k=2 * 10**7)",
        "from collections import Counter; c = Counter(range(2 * 10**6)); c + c; c.most_common()",
        "import copy; copy.deepcopy(set(range(3 * 10**6)))",
        "import copy; copy.copy(dict.fromkeys(range(3 * 10**6))).copy()",
    ] {
        let interrupt = driver.session.interrupt();
        let raiser = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            interrupt.raise();
            Instant::now()
        });
        let outcome = driver.session.run(cell, &mut Nobody);
        let ended = Instant::now();
        let raised = raiser.join().unwrap();
        let Some(error) = outcome.error else { continue };
        let late = ended.saturating_duration_since(raised);
        assert!(late < Duration::from_millis(2000), "{cell}: {late:?} late");
        let kind = error.kind.to_string();
        assert!(["KeyboardInterrupt", "MemoryError"].contains(&kind.as_str()), "{cell}: {kind}");
        heard += usize::from(kind == "KeyboardInterrupt");
    }
    assert!(heard >= 6, "only {heard} cells were long enough");
}
