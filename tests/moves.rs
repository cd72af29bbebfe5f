//! Compaction moves what is held and nobody can tell: values, views, aliases and the past are those of a session
//! in which nothing moved, at random moments, over every kind of segments. Where a request fits only then, it
//! happens by itself.

use dice::Dice;
use driver::Driver;
use genesis_repl::session::{Config, Nobody, Session};

mod dice;
#[expect(dead_code, reason = "tests of commands need more of it")]
#[path = "commands/driver.rs"]
mod driver;

/// What holds, shares, changes and lets go of memory. `N` is a size, `V` and `A` names.
const STATEMENTS: &[&str] = &[
    "V = arange(N) % 251",
    "V = arange(N) * 2",
    "V = ones(N)",
    "V = A[::2]",
    "V = A[5:900].reshape(5, -1)",
    "V = A.view('uint8')[:64]",
    "l.append(A)",
    "l.append(arange(N))",
    "d['V'] = (A, A[1:])",
    "o.V = A + 1",
    "V = lambda y=A: y.sum()",
    "A[3:90] = 5",
    "A += 1",
    "A[:] = A[::-1].copy()",
    "if l: del l[0]",
    "del A",
    "del A",
    "A * 2",
    "V = sort(A)",
    "V = A.sum",
    ":undo",
    ":redo",
    ":undo",
];

/// All that is held, as numbers that hang on every element and its place.
const LOOK: &str = "
def look(x, depth=0):
    if hasattr(x, 'shape') and hasattr(x, 'dtype'):
        w = x.ravel().astype('float64')
        return (x.shape, str(x.dtype), (w * (arange(w.size) % 97 + 1)).sum().item())
    if isinstance(x, (list, tuple)):
        return [look(y, depth + 1) for y in x]
    if isinstance(x, dict):
        return [(k, look(y, depth + 1)) for k, y in x.items()]
    if callable(x):
        return look(x()) if depth < 3 else None
    return repr(x) if isinstance(x, (int, float, str)) else None
class Node:
    pass
o = Node(); l = []; d = {}
";

const NAMES: [&str; 6] = ["t1", "t2", "t3", "t4", "t5", "t6"];

fn picture(driver: &mut Driver) -> String {
    let each = NAMES.map(|name| format!("look(globals().get('{name}'))"));
    driver.show(&format!("[{}, look(l), look(d), look(o.__dict__)];", each.join(", ")));
    driver.show(&format!("print([{}, look(l), look(d), look(o.__dict__)])", each.join(", ")))
}

fn driver(size: &str, segments: &str) -> Driver {
    let mut config = match size {
        "cpu" => Config::default().with_device("cpu").unwrap(),
        size => Config::default().with_simulated(size).unwrap(),
    };
    config.set("segments", segments).unwrap();
    let mut driver = Driver::with(config);
    driver.ok(LOOK);
    driver
}

#[test]
fn random_sessions_are_the_same_however_often_memory_moves() {
    let mut moved = 0;
    for seed in 0..24 {
        let mut dice = Dice(seed * 77 + 5);
        let segments = ["plain", "auto", "paged"][seed as usize % 3];
        let size = if seed % 4 == 3 { "cpu" } else { "256MiB" };
        let (mut still, mut moving) = (driver(size, segments), driver(size, segments));
        let mut log = Vec::new();
        for _ in 0..60 {
            let size = match dice.below(3) {
                0 => 1000 + dice.below(4000),
                _ => 100_000 + dice.below(700_000),
            };
            let text = dice
                .one(STATEMENTS)
                .replace('N', &size.to_string())
                .replace('V', dice.one(&NAMES))
                .replace('A', dice.one(&NAMES));
            log.push(text.clone());
            let (one, other) = (still.show(&text), moving.show(&text));
            assert_eq!(one, other, "{seed}: {log:#?}");
            if dice.below(4) == 0 {
                let before = moving.session.memory();
                // Commands are inputs, too.
                still.ok(":mem stats");
                let shown = moving.ok(":mem compact");
                moved += usize::from(!shown.starts_with("0 B"));
                assert_eq!(moving.session.memory().live, before.live, "{seed}: {shown}\n{log:#?}");
            }
            if dice.below(5) == 0 {
                assert_eq!(picture(&mut still), picture(&mut moving), "{seed}: {log:#?}");
            }
        }
        assert_eq!(picture(&mut still), picture(&mut moving), "{seed}: {log:#?}");
        moving.session.reset();
        assert_eq!(moving.session.memory().live, 0, "{seed}");
    }
    assert!(moved > 40, "{moved} compactions moved anything");
}

/// Four of eight pieces of 4 MiB, every other one, in a device of 32 MiB.
fn holes(segments: &str) -> Driver {
    let mut driver = driver("32MiB", segments);
    driver.ok(":set undo_memory 0");
    driver.ok("a = zeros(8, 1 << 20); del a");
    driver.ok("l = [arange(1 << 20, dtype='float32') + i for i in range(8)]; v = l[3][1::2]");
    driver.ok("del l[::2]");
    driver
}

#[test]
fn what_compaction_promises_it_does() {
    for segments in ["plain", "auto", "paged"] {
        let mut driver = holes(segments);
        let said = driver.ok(":mem fragmentation");
        if segments != "paged" {
            assert!(said.contains("make 16.0 MiB the largest free piece"), "{segments}: {said}");
        }
        let shown = driver.ok(":mem compact");
        assert!(shown.contains("largest free piece is 16.0 MiB"), "{segments}: {shown}");
        assert_eq!(
            driver.show("[x[7].item() for x in l], v[3].item()"),
            "([8.0, 10.0, 12.0, 14.0], 10.0)\n"
        );
        assert!(driver.ok(":mem compact").starts_with("0 B moved"), "{segments}");
        assert!(!driver.ok(":mem fragmentation").contains("`:mem compact` would"), "{segments}");
    }
}

#[test]
fn a_request_that_fits_after_compaction_is_served() {
    for segments in ["plain", "auto", "paged"] {
        let mut driver = holes(segments);
        let said = driver.ok("b = full(3 << 20, 3.0); b.sum().item()");
        assert!(segments != "plain" || said.contains("were moved together"), "{segments}: {said}");
        assert_eq!(
            driver.show("[x[7].item() for x in l], v[3].item(), b.sum().item()"),
            "([8.0, 10.0, 12.0, 14.0], 10.0, 9437184.0)\n"
        );
        // More than there is stays an error, with what would help.
        let said = driver.show("c = ones(1 << 21)");
        assert!(said.contains("MemoryError") && said.contains("would make room"), "{said}");
    }
}

#[test]
fn blocks_whose_addresses_programs_have_stay_where_they_are() {
    let mut driver = driver("32MiB", "plain");
    driver.ok(":set undo_memory 0");
    driver.ok("a = zeros(24, 1 << 18); del a; a = ones(1 << 20)");
    driver.ok("p = cuda.allocate_memory(4 << 20); b = ones(1 << 20) * 2; del a");
    let shown = driver.ok(":mem compact");
    assert!(shown.contains("1 block (4.0 MiB) stays in place: the program has"), "{shown}");
    driver.ok("cuda.free_memory(p)");
    assert_eq!(driver.show("b.sum().item()"), "2097152.0\n");
}

#[test]
fn the_past_follows() {
    for segments in ["plain", "auto"] {
        let mut driver = driver("64MiB", segments);
        driver.ok("a = arange(1 << 20, dtype='float32')");
        driver.ok("x = ones(1 << 20); b = arange(1 << 20, dtype='float32') * 2");
        driver.ok("a[:] = 0");
        driver.ok("del x");
        driver.ok(":mem compact");
        driver.ok(":undo");
        driver.ok(":undo");
        driver.ok(":mem compact");
        assert_eq!(
            driver.show("a[5].item(), b[5].item(), x.sum().item()"),
            "(5.0, 10.0, 1048576.0)\n"
        );
        driver.ok(":redo");
        assert_eq!(driver.show("a[5].item(), b[5].item()"), "(0.0, 10.0)\n");
    }
}

/// What fills most of a segment is not moved back and forth between two as long.
#[test]
fn nothing_is_moved_to_a_free_segment_as_long() {
    for segments in ["plain", "auto", "paged"] {
        let mut driver = driver("256MiB", segments);
        driver.ok(":set undo_memory 0");
        driver.ok("a = ones(15_000_000)");
        driver.ok("b = a + 1");
        driver.ok("del a");
        if segments == "paged" {
            // Pages that are free in two places come together once.
            driver.ok(":mem compact");
        }
        for _ in 0..2 {
            let shown = driver.ok(":mem compact");
            assert!(shown.starts_with("0 B moved"), "{segments}: {shown}");
            assert!(
                !driver.ok(":mem fragmentation").contains("`:mem compact` would"),
                "{segments}"
            );
        }
        assert_eq!(driver.show("b.sum().item()"), "30000000.0\n");
    }
}

#[test]
fn nothing_is_moved_where_nothing_is() {
    let mut session = Session::new(Config::default().with_simulated("32MiB").unwrap()).unwrap();
    for text in [":mem compact", ":mem compact cpu", "x = zeros(0); y = zeros(())", ":mem compact"]
    {
        assert!(session.run(text, &mut Nobody).error.is_none(), "{text}");
    }
    assert!(session.run(":mem compact now", &mut Nobody).error.is_some());
}
