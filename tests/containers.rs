//! Steps on containers: changes of one item, of which only that item is kept. What fails leaves no trace of
//! them, `:undo` takes them back, and `:redo` does them again.

use std::fmt::Write as _;
use std::time::Instant;

use dice::Dice;
use genesis_repl::session::{Config, Nobody, Session};

mod dice;

const BEGIN: &str = "from collections import Counter, OrderedDict, defaultdict, deque
class Object: pass

l = list(range(40)); d = {i: i for i in range(40)}; s = set(range(40)); q = deque(range(40), maxlen=40); o = Object()
e = OrderedDict((i, i) for i in range(40)); c = Counter(range(40)); f = defaultdict(int, {i: i for i in range(40)})
for i in range(40): setattr(o, f'f{i}', i)
it = iter(l); walk = (x for x in range(100)); pairs = zip((x for x in range(100)), range(100))
z = ones(4) * 2j
";
const LOOK: &str = "repr((l, d, s, q, vars(o), e, c, f, list(reversed(d)), list(reversed(q)), z))";

/// A step as an expression.
fn step(dice: &mut Dice) -> String {
    let (a, b) = (dice.below(45), dice.below(30));
    let form = dice.one(&[
        "l.append(A)",
        "l.insert(B, A)",
        "l.insert(0, A)",
        "l.pop(0)",
        "l.pop(B)",
        "l.pop()",
        "l.reverse()",
        "l.__delitem__(B)",
        "l.__setitem__(B, A)",
        "l.sort()",
        "l.remove(l[B])",
        "d.pop(A, None)",
        "d.popitem()",
        "d.__setitem__(A, B)",
        "d.pop(next(iter(d)))",
        "d.__delitem__(list(d)[B])",
        "d.setdefault(A, B)",
        "s.discard(A)",
        "s.add(A)",
        "s.pop()",
        "s.remove(list(s)[B])",
        "q.append(A)",
        "q.appendleft(A)",
        "q.pop()",
        "q.popleft()",
        "q.rotate(B)",
        "q.reverse()",
        "q.__setitem__(B, A)",
        "q.__delitem__(B)",
        "q.extend([A, B])",
        "setattr(o, 'fA', B)",
        "setattr(o, 'new', B)",
        "o.__dict__.pop('fA', 0)",
        "e.popitem(last=False)",
        "e.move_to_end(list(e)[B], last=False)",
        "e.move_to_end(list(e)[B])",
        "e.__setitem__(A, B)",
        "c.update([A])",
        "c.__delitem__(A)",
        "c.__iadd__(Counter([A]))",
        "f[A]",
        "f.pop(A, 0)",
        "z.__setitem__(1, 3)",
        "next(it)",
        "next(walk)",
        "next(pairs)",
    ]);
    form.replace('A', &a.to_string()).replace('B', &b.to_string())
}

fn run(session: &mut Session, code: &str) -> bool {
    session.run(code, &mut Nobody).error.is_none()
}

fn look(session: &mut Session, code: &str) -> String {
    let outcome = session.run(code, &mut Nobody);
    match (outcome.value, outcome.error) {
        (Some(value), _) => session.repr(&value),
        (_, error) => error.map(|error| error.message).unwrap_or_default(),
    }
}

#[test]
fn steps_are_taken_back_where_they_fail_and_where_they_are_undone() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let mut session = Session::new(Config::default()).expect("a session");
        assert!(run(&mut session, BEGIN));
        for round in 0..6 {
            let before = look(&mut session, LOOK);
            // An input that changes nothing is no step.
            let mut statements = format!("mark = {round}\n");
            for _ in 0..=dice.below(3) {
                let steps: Vec<String> = (0..=dice.below(4)).map(|_| step(&mut dice)).collect();
                // What one of them does stands or falls with the others.
                writeln!(statements, "[{}]", steps.join(", ")).expect("a text");
            }
            let count = session.executed().len();
            let is_done = run(&mut session, &statements);
            let stands = session.executed().len() - count;
            let after = look(&mut session, LOOK);
            let taken = format!("seed {seed}, round {round}: {statements}");
            // A statement that does all of it and fails changes nothing more.
            let done: Vec<&str> = statements.lines().take(stands).collect();
            if stands > 0 {
                assert!(run(&mut session, ":undo"), "{taken}");
                assert_eq!(look(&mut session, LOOK), before, "{taken}");
                let more: Vec<String> = (0..6).map(|_| step(&mut dice)).collect();
                let failing = format!("{}\n[{}, 1 // 0]", done.join("\n"), more.join(", "));
                assert!(!run(&mut session, &failing), "{taken}");
                assert_eq!(look(&mut session, LOOK), after, "{taken}{failing}");
                assert!(run(&mut session, ":undo"), "{taken}");
                assert_eq!(look(&mut session, LOOK), before, "{taken}{failing}");
                assert!(run(&mut session, ":redo"), "{taken}");
            } else {
                assert!(!is_done, "{taken}");
            }
            assert_eq!(look(&mut session, LOOK), after, "{taken}");
        }
    }
}

/// A loop of the cell whose turns take a container apart takes about as long for each item, however many there are.
#[test]
fn a_turn_of_a_loop_costs_its_item() {
    let loops = [
        "for i in range(N): setattr(o, f'f{i}', i)",
        "for i in range(N): o.f1 = i",
        "for i in range(N): delattr(o, f'f{i}')",
        "for i in range(N): d.pop(i)",
        "for i in range(N): del f[i]",
        "while e: e.popitem(last=False)",
        // Near the end, so that hardly any item moves.
        "for i in range(N - 2): l.pop(-2)",
        "for i in range(N): l.insert(-2, i)",
        "for i in range(N - 2): del l[-2]",
        "for i in range(N): s.discard(i)",
        "for i in range(N): q.append(i)",
        "for i in range(N): q[i] = 0",
        "while q: q.popleft()",
    ];
    let mut session = Session::new(Config::default()).expect("a session");
    let mut seconds = |count: usize| {
        let count = count.to_string();
        let begin = BEGIN
            .replace("40", &count)
            .replace(&format!("in range({count}): setattr"), "in (): setattr");
        assert!(run(&mut session, &begin));
        loops.map(|text| {
            let begun = Instant::now();
            assert!(run(&mut session, &text.replace('N', &count)), "{text}");
            begun.elapsed().as_secs_f64()
        })
    };
    // Others may be at work on this machine, too: what counts is the quietest of several rounds, in each of which
    // both lengths have their turn. A loop is asked again until it has shown what it costs.
    let mut waiting: Vec<usize> = (0..loops.len()).collect();
    let mut ratios = Vec::new();
    for _ in 0..10 {
        let (few, many) = (seconds(1_000), seconds(16_000));
        ratios = few.iter().zip(many).map(|(few, many)| many / few).collect();
        // Sixteen times the items; a copy of all of them each turn takes more than a hundred times as long.
        waiting.retain(|at| ratios[*at] >= 48.0);
        if waiting.is_empty() {
            return;
        }
    }
    let said: Vec<(&str, f64)> = waiting.iter().map(|at| (loops[*at], ratios[*at])).collect();
    panic!("so many times as long for sixteen times the items: {said:?}");
}
