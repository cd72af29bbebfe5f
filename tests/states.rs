//! Random inputs over all that can change – containers and classes derived from them, objects, the cells of closures,
//! generators, iterators, caches, defaults, tensors – that stop at each of their steps, by an exception, by Ctrl-C, or
//! because memory runs out. What is left is compared with a second session, in which each simple statement was an
//! input of its own; then `:undo` and `:redo`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dice::Dice;
use genesis_repl::session::{Config, Nobody, Session};

mod dice;

const WORLD: &str = include_str!("states/world.py");
const STEPS: &str = include_str!("states/steps.txt");

/// All that can be seen of the world. Iterators show what they have still to give; the statement fails
/// afterwards, so they are where they were.
const LOOK: &str = "revealed(repr((l, d, list(d), s, q, h, c, e, f, p, o, vars(o), box, getattr(slots, 'a', 0), \
    getattr(slots, 'b', 0), bag, vars(bag), ring, vars(ring), table, names, bumped(), \
    Node.made, getattr(Node, 'extra', 0), ended, kept, boxes, memoed, memo.cache_info(), depth, gather.__defaults__, \
    getattr(gather, 'calls', 0), t, n)) + repr(((x.tolist(), v.tolist(), m.tolist(), float(w.sum()), \
    float((w * arange(40_000)).sum()))) + ([next(gen), next(gen)], list(islice(pipe, 4)), list(it), list(pairs), \
    next(turns), next(numbers)))), 1 / 0";

/// The names that functions say they change.
const GLOBAL: &str = "global l, d, s, q, c, e, p, o, box, names, it, gen, boxes, t, n, x, v, w, m";

/// How an input is stopped at a step.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Raised,
    Interrupted,
}

struct World {
    session: Session,
    /// How often a step was taken, the step that is the last, and how.
    ticks: Rc<Cell<usize>>,
    last: Rc<Cell<Option<(usize, End)>>>,
    seen: Rc<RefCell<String>>,
}

impl World {
    fn new(config: Config) -> World {
        let mut session = Session::new(config).expect("a session");
        let (ticks, last) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(None)));
        let seen = Rc::new(RefCell::new(String::new()));
        let (counted, end, interrupt) = (ticks.clone(), last.clone(), session.interrupt());
        let ticked = move || {
            counted.set(counted.get() + 1);
            match end.get() {
                Some((at, End::Raised)) => at == counted.get(),
                Some((at, End::Interrupted)) if at == counted.get() => {
                    interrupt.raise();
                    false
                }
                _ => false,
            }
        };
        session.register("ticked", ticked).expect("a name");
        let shown = seen.clone();
        let reveal = move |text: String| {
            shown.replace(text);
            true
        };
        session.register("revealed", reveal).expect("a name");
        let mut world = World { session, ticks, last, seen };
        assert_eq!(world.run(WORLD), None);
        world
    }

    fn run(&mut self, text: &str) -> Option<String> {
        self.ticks.set(0);
        let error = self.session.run(text, &mut Nobody).error;
        self.session.interrupt().clear();
        error.map(|error| format!("{}: {}", error.name(), error.message))
    }

    fn run_until(&mut self, text: &str, end: Option<(usize, End)>) -> Option<String> {
        self.last.set(end);
        let error = self.run(text);
        self.last.set(None);
        error
    }

    /// What can be seen, and nothing is changed by looking.
    fn look(&mut self) -> String {
        self.seen.borrow_mut().clear();
        let error = self.run(LOOK).unwrap_or_default();
        assert!(error.starts_with("ZeroDivisionError"), "{error}");
        self.seen.borrow().clone()
    }

    fn live(&self) -> usize {
        let devices = self.session.engine().devices();
        devices.map(|device| device.allocator().stats().now.allocated).sum::<usize>()
    }
}

/// An input, and the simple statements that it comes to.
struct Input {
    text: String,
    simple: Vec<String>,
}

fn input(dice: &mut Dice, steps: &[&str]) -> Input {
    let mut some =
        |most: usize| -> Vec<&str> { (0..=dice.below(most)).map(|_| dice.one(steps)).collect() };
    let parts = |lines: &[&str]| -> Vec<String> {
        lines.iter().flat_map(|line| line.split("; ")).map(str::to_owned).collect()
    };
    let lines = some(3);
    let indented =
        |lines: &[&str]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    match dice.below(5) {
        0 => {
            let mut simple = vec!["i = 1".to_owned()];
            simple.extend(parts(&lines));
            Input { text: format!("i = 1\n{}\npass", lines.join("\n")), simple }
        }
        1 | 2 => {
            let define = format!("def act(i):\n    {GLOBAL}\n{}", indented(&lines));
            let times = 1 + dice.below(2);
            let simple = [vec![define.clone()], (0..times).map(|i| format!("act({i})")).collect()];
            let call = format!("for i in range({times}): act(i)");
            Input { text: format!("{define}\n{call}"), simple: simple.concat() }
        }
        kind => {
            let times = 2 + dice.below(2);
            let turn = |i| [vec![format!("i = {i}")], parts(&lines)].concat();
            let simple = (0..times).flat_map(turn).collect();
            let body = indented(&lines);
            let text = match kind {
                3 => format!("for i in range({times}):\n{body}"),
                _ => format!(
                    "for i in range({times}):\n    if i < 99:\n        try:\n            pass\n        finally:\n{}",
                    body.replace("    ", "            ")
                ),
            };
            Input { text, simple }
        }
    }
}

/// One input that is stopped wherever it can be; how often it was.
fn play(main: &mut World, model: &mut World, input: &Input, name: &str) -> usize {
    // The states between the simple statements, and after how many steps each is reached.
    let (mut states, mut reached) = (vec![model.look()], vec![0]);
    for statement in &input.simple {
        // What an expression gives belongs to nobody, as in a loop.
        assert_eq!(model.run(&format!("{statement}\npass")), None, "{name}: {statement}");
        reached.push(reached[reached.len() - 1] + model.ticks.get());
        states.push(model.look());
    }
    assert_eq!(main.look(), states[0], "{name}: before {}", input.text);
    let (whole, mut stopped) = (reached[reached.len() - 1], 0);
    for end in [End::Raised, End::Interrupted] {
        for at in 1..=whole {
            let (before, live) = (main.session.past().done().len(), main.live());
            let error = main.run_until(&input.text, Some((at, end)));
            let told = format!("{name}, step {at} of {whole} of {:?}:\n{}", error, input.text);
            let wanted = reached.iter().position(|count| *count >= at).unwrap_or(0);
            let found = main.look();
            match end {
                End::Raised => {
                    assert_eq!(error.as_deref().map(|error| &error[..4]), Some("Stop"), "{told}");
                    assert_eq!(found, states[wanted - 1], "{told}");
                }
                // It is looked at a little later, perhaps behind some short statements.
                End::Interrupted => {
                    assert!(states[wanted - 1..].contains(&found), "{told}\n{found}");
                }
            }
            stopped += 1;
            while main.session.past().done().len() > before {
                assert_eq!(main.run(":undo"), None, "{told}");
            }
            assert_eq!(main.look(), states[0], "taken back: {told}");
            assert!(main.live() <= live, "{} bytes are left: {told}", main.live() - live);
        }
    }
    let last = &states[states.len() - 1];
    assert_eq!(main.run(&input.text), None, "{name}: {}", input.text);
    assert_eq!(&main.look(), last, "{name}: {}", input.text);
    assert_eq!(main.run(":undo"), None);
    assert_eq!(main.look(), states[0], "{name}: taken back {}", input.text);
    assert_eq!(main.run(":redo"), None);
    assert_eq!(&main.look(), last, "{name}: done again {}", input.text);
    stopped
}

#[test]
fn what_is_stopped_at_any_step_leaves_whole_statements() {
    let steps: Vec<&str> = STEPS.lines().collect();
    let count = std::env::var("GENESIS_WORLDS").ok().and_then(|text| text.parse().ok());
    let (mut stopped, from) = (0, if count.is_some() { 100 } else { 0 });
    for seed in from..from + count.unwrap_or(4) {
        let mut dice = Dice(seed);
        let mut config = Config::default();
        config.set("outputs", "0").expect("a setting");
        let (mut main, mut model) = (World::new(config.clone()), World::new(config));
        for round in 0..8 {
            let input = input(&mut dice, &steps);
            stopped += play(&mut main, &mut model, &input, &format!("seed {seed}, round {round}"));
        }
    }
    assert!(stopped > 200, "only {stopped} times");
}

/// What is taken of a device that is full but for so many blocks.
const HUNGRY: &[&str] = &[
    "l[:], x = [ones(64), ones(64) + 1], x + 1",
    "box = Box([ones(64) for _ in range(4)])",
    "o.links.extend(ones(64) + k for k in range(3))",
    "gather(zeros(64)); gather(ones(64))",
    "f['z'].append(zeros(64) + 1); q.append(f['z'][-1] * 2)",
    "kept.append(memo(3) + [zeros(64) for k in range(3)])",
    "x = x * 2; v[:] = ones(3) + zeros(3)",
    "d[Node('m')] = list(map(lambda k: zeros(64) + k, range(3)))",
    "bump(3); kept.append([zeros(64), bump(4)]); ring.append(ones(64))",
];

#[test]
fn memory_that_runs_out_at_any_allocation_leaves_whole_statements() {
    let mut config = Config::default().with_simulated("2MiB").expect("a device");
    config.set("outputs", "0").expect("a setting");
    let mut failures = 0;
    for (number, lines) in HUNGRY.iter().enumerate() {
        let parts: Vec<&str> = lines.split("; ").collect();
        let body: String = parts.iter().map(|line| format!("    {line}\n")).collect();
        let define = format!("def act():\n    {GLOBAL}\n{body}");
        let forms = [
            (format!("{lines}\npass"), parts.iter().map(ToString::to_string).collect()),
            (format!("{define}\nact()\npass"), vec![define.clone(), "act()".to_owned()]),
            (
                format!("for i in range(2):\n{body}"),
                [parts.clone(), parts.clone()]
                    .concat()
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>(),
            ),
        ];
        // Each of them in one form.
        for (text, simple) in forms.into_iter().skip(number % 3).take(1) {
            let mut model = World::new(config.clone());
            let mut states = vec![model.look()];
            for statement in &simple {
                assert_eq!(model.run(&format!("{statement}\npass")), None, "{statement}");
                states.push(model.look());
            }
            let mut main = World::new(config.clone());
            for room in 0.. {
                assert_eq!(
                    main.run(
                        "full = []; taken = [empty(n) for n in (131072, 131072, 65536, 32768)]"
                    ),
                    None
                );
                assert!(main.run("while True: full.append(empty(64))").is_some());
                if room > 0 {
                    assert_eq!(main.run(&format!("del full[-{room}:]")), None);
                }
                let (before, live) = (main.session.past().done().len(), main.live());
                let error = main.run(&text);
                let told = format!("{number}, room for {room}: {error:?}\n{text}");
                // Looking takes memory, too.
                let left = main.live();
                let done =
                    main.session.past().done().len() - before.min(main.session.past().done().len());
                assert_eq!(main.run("full.clear(); del taken"), None, "{told}");
                let found = main.look();
                let Some(error) = error else {
                    assert_eq!(&found, &states[states.len() - 1], "{told}");
                    break;
                };
                assert!(
                    error.starts_with("OutOfMemory") || error.starts_with("MemoryError"),
                    "{told}"
                );
                failures += 1;
                assert!(states.contains(&found), "{told}");
                if found == states[0] && done == 0 {
                    assert!(left <= live, "{} bytes are left: {told}", left - live);
                }
                assert!(room < 60, "{told}");
                main = World::new(config.clone());
            }
        }
    }
    assert!(failures > 20, "only {failures} times");
}
