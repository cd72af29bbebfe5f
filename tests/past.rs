//! `:undo` and `:redo` between random inputs, some of which fail, are interrupted or run out of
//! memory: variables and bytes are compared with what they were.

use genesis_repl::interp::Value;
use genesis_repl::session::{Cell, Config, Nobody, Session};

/// Xorshift: the same inputs each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const INPUTS: &[&str] = &[
    "x = arange(300.)",
    "x = x * 2 + 1",
    "x += 1",
    "x[::2] -= 3",
    "x[3] = x[4]; x[5] = 0",
    "x.fill_(2); x[1:] = x[:-1].copy()",
    "for i in range(5): x[i % len(x)] = i + 0.5",
    "for i in range(9): x[i - 4] = 1 / (4 - i)",
    "for i in range(5): z[i * 7001 % len(z)] = i",
    "for i in range(3): x.view(int32)[i] = i * 1000",
    "x = zeros(6)\nfor i in range(4): x[i] = i\ny = x[2:]\nfor i in range(2): y[i] = i; x[5 - i] = x[i]",
    "y = x[10:20]",
    "y[:] = 5",
    "y *= 3\nx = y.copy()\ny += 1",
    "y, x = x, y",
    "z = zeros(40000)",
    "z[7] = 1",
    "z = z + ones(40000)",
    "z = 0",
    "del y; y = ones(3)",
    "l = [x, [y], 3]",
    "l.append(l[0] + 1)",
    "l[0] += 1",
    "l[1].append(rand(4))",
    "l[1:] = [7]",
    "l = l + [z]",
    "del l[0]",
    "l.clear()",
    "d['x'] = x",
    "d['l'] = l",
    "d.update(a=x, b=y + 1)",
    "d.pop('x', None)",
    "d = {k: 1 for k in []} if False else {'n': 1}",
    "s.add(len(l)); s |= {1, 2}",
    "s.discard(1)",
    "x = rand(7)",
    "manual_seed(5)",
    "set_printoptions(precision=3)",
    // Looks are no inputs to be undone; what these show holds no memory.
    "x.sum().item()",
    "_ + 1 if False else repr(x[:2])",
    // Large ones are kept in pages.
    "w = arange(36_000, dtype=float64)",
    "w[77] = 5",
    "w[100:200] += 2",
    "w[::9000] = w[1]",
    "w[12_000:30_000] *= 2",
    "touch(w, 3); touch(w, 35_000)",
    "touch(w, 17_000); nothing",
    "for i in range(20): touch(w, i * 1500)",
    "v = w[3:9]\nv += 1; w = v if False else w",
    "w[5] = w[35_999] = 7; w[-9:] = nothing",
    "t = (x, y, l)",
    "t[0][0] = 9",
    "p = h = full(2000, 1.5, device='cpu')",
    "p[5:] = 2; h = 1",
    // Of large containers the steps are kept.
    "q.append(x)",
    "q[3] = [y]; q[3].append(z)",
    "q.pop(); q.pop(2); q.insert(1, y)",
    "q.insert(5, 1.5); q.reverse()",
    "for i in range(30): q[i % len(q)] = i",
    "for i in range(6): q.append([i])\nq.pop(0); q[1] = 2",
    "del q[4]; q += [1, 2]",
    "q = [[i, zeros(9)] for i in range(40)]",
    "q[2:4] = []; q[0] = 1; q.sort(key=id)",
    "k = q[:]; del q; q = k",
    "e[3] = x",
    "e['new'] = y; del e[5]",
    "e.popitem(); e.pop(7, 0); e[7] = 1",
    "for i in range(20): e[i] = [e.get(i)]",
    "e |= {'k': rand(3)}; e.setdefault('m', []).append(3)",
    "u.add(x.size); u.discard(2)",
    "u.pop(); u.add(-1); u |= {x.size + 7}",
    "c.append(3); c.rotate(2); c[4] = y",
    "c.popleft(); c.appendleft([y]); c.reverse()",
    "c.insert(3, 4); del c[9]; c.extend([1, 2])",
    // These fail, some after something has changed.
    "q[2] = 9; q.append(x); nothing",
    "q.pop(); q.insert(3, 7); u.add(77); e[1] = 1; c.pop(); nothing",
    "e[4] = 1; del e[99]",
    "x[0] = 1; nothing",
    "x += zeros(299, 2)",
    "l.append(1); l[99]",
    "x[:] = x + nothing",
    "w = zeros(1 << 40)",
    "l[0], x[99999] = 1, 2",
];

/// Too many to be shown.
#[derive(PartialEq)]
struct Bytes(Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

type Picture = (Vec<(String, String)>, (u64, u64), usize, Bytes);

/// What can be seen of the state, but for results, which looks change.
fn picture(session: &Session) -> Picture {
    let scope = session.interp().scope.borrow();
    let mut names: Vec<(String, String)> = scope
        .iter()
        .filter(|(name, _)| !name.starts_with('_') && &***name != "Out")
        .map(|(name, value)| (name.to_string(), session.repr(&value)))
        .collect();
    names.sort();
    let devices = session.engine().devices();
    // Of a long one, only the ends are in its text.
    let w = match scope.get("w") {
        Some(Value::Tensor(w)) => session.engine().to_host(&w).expect("memory").bytes,
        _ => Vec::new(),
    };
    let live = devices.map(|device| device.allocator().stats().now.allocated).sum();
    (names, session.engine().random_position(), live, Bytes(w))
}

fn run(session: &mut Session, text: &str) -> bool {
    session.run(text, &mut Nobody).error.is_none()
}

/// How many inputs went back and forth.
fn play(config: Config, seed: u64, rounds: usize) -> usize {
    let mut session = Session::new(config).expect("a session");
    let mut random = Random(seed * 0x9E37_79B9 + 1);
    let begin = "def touch(a, at):\n    a[at] = at\n    a[at:at + 9] -= 1\n    return 0\n\n\
        x, y, z, l, d, s, t, p, h = zeros(300), ones(3), 0, [1, 2], {}, {3}, (), 1, 2\n\
        w = arange(36_000, dtype=float64)\n\
        q, e, u = list(range(40)), {i: [i] for i in range(40)}, set(range(40))\n\
        from collections import deque\nc, k = deque(range(40), 44), 0";
    assert!(run(&mut session, begin));
    // The state after each input that can be taken back, and where we are among them.
    let mut states = vec![picture(&session)];
    let (mut now, mut moved, mut log) = (0, 0, vec![begin.to_string()]);
    for _ in 0..rounds {
        let back = session.past().done().len();
        let forth = session.past().undone().len();
        match random.below(10) {
            0..=2 if back > 0 => {
                // The first input of all is not among the pictures.
                let count = 1 + random.below(back.min(3));
                let count = count.min(now).max(1);
                if now < count {
                    continue;
                }
                log.push(format!(":undo {count}"));
                assert!(run(&mut session, &format!(":undo {count}")), "{seed}: {log:#?}");
                now -= count;
                moved += count;
            }
            3 if forth > 0 => {
                let count = 1 + random.below(forth);
                log.push(format!(":redo {count}"));
                assert!(run(&mut session, &format!(":redo {count}")), "{seed}: {log:#?}");
                now += count;
                moved += count;
            }
            4 => {
                // Ctrl-C before anything happens: nothing does.
                let text = INPUTS[random.below(INPUTS.len())];
                let before = session.past().done().last().map(|step| step.number);
                session.interrupt().raise();
                let cell = Cell { name: "<cell>", text, is_kept: true };
                let stopped = session.run_cell(&cell, &mut Nobody).error.is_some();
                session.interrupt().clear();
                log.push(format!("{text}  # interrupted: {stopped}"));
                // What was taken back may be gone all the same: memory was wanted for a copy.
                let after = session.past().done().last().map(|step| step.number);
                let found = picture(&session);
                if after.is_some() && after != before {
                    states.truncate(now + 1);
                    states.push(found);
                    now += 1;
                } else if found != states[now] {
                    assert!(session.past().done().is_empty(), "{seed}: {log:#?}");
                    states = vec![found];
                    now = 0;
                }
            }
            5 if random.below(8) == 0 => {
                log.push("cuda.empty_cache()".to_string());
                run(&mut session, "cuda.empty_cache()");
            }
            _ => {
                let text = INPUTS[random.below(INPUTS.len())];
                let number = session.next_number();
                run(&mut session, text);
                log.push(text.to_string());
                let is_state = session.past().done().last().is_some_and(|s| s.number == number);
                let found = picture(&session);
                if is_state {
                    states.truncate(now + 1);
                    states.push(found);
                    now += 1;
                } else if found != states[now] {
                    // It changed something and can't be taken back: all before it is lost.
                    assert!(session.past().done().is_empty(), "{seed}: {log:#?}");
                    states = vec![found];
                    now = 0;
                }
            }
        }
        assert_eq!(picture(&session), states[now], "{seed}: {log:#?}");
        let lost = now.saturating_sub(session.past().done().len());
        if session.past().done().len() < now {
            states.drain(..lost);
            now -= lost;
        }
    }
    run(&mut session, ":reset");
    run(&mut session, ":mem trim\n:mem trim cpu");
    let devices = session.engine().devices();
    assert_eq!(devices.map(|d| d.allocator().stats().now.reserved).sum::<usize>(), 0);
    moved
}

#[test]
fn random_inputs_go_back_and_forth() {
    let mut moved = 0;
    for seed in 0..8 {
        for mode in ["caching", "direct"] {
            let mut config = Config::default();
            config.set("allocator", mode).expect("a setting");
            if seed % 4 == 0 {
                config.set("undo_memory", "500KiB").expect("a setting");
            }
            moved += play(config.clone(), seed, 120);
            let small = config.with_simulated("4MiB").expect("a device");
            moved += play(small, seed, 120);
        }
    }
    assert!(moved > 1000, "only {moved} moves");
}

#[test]
fn choices_go_back_and_forth() {
    let mut session = Session::new(Config::default()).expect("a session");
    let mut seen = Vec::new();
    for text in ["x = array([1 / 3])", "set_printoptions(precision=3)", ":undo", ":redo", ":undo"] {
        assert!(run(&mut session, text), "{text}");
        seen.push(picture(&session).0);
    }
    assert_ne!(seen[0], seen[1]);
    assert!(seen[2] == seen[0] && seen[3] == seen[1] && seen[4] == seen[0], "{seen:?}");
}

/// What a statement lets go of, of whatever form, is of the past, and comes back.
#[test]
fn tensors_in_long_lists_are_of_the_past() {
    let held = "l = [[zeros(100)] for i in range(300)]\nclass A: pass\n\n\
        a = [A() for i in range(300)]\nfor i in range(300): a[i].x = {'x': (zeros(100),)}";
    for (both, gone) in [("0", "del l, a"), ("k = l[:]; j = list(a)", "del l, a, k, j")] {
        let mut session = Session::new(Config::default()).expect("a session");
        let live = |session: &Session| picture(session).2;
        assert!(run(&mut session, held) && run(&mut session, both));
        let all = live(&session);
        assert!(all >= 600 * 400, "{all}");
        assert!(run(&mut session, gone));
        assert_eq!(live(&session), 0, "{gone}");
        assert!(run(&mut session, ":undo"));
        assert_eq!(live(&session), all);
        assert!(run(&mut session, ":redo"));
        assert_eq!(live(&session), 0);
        assert!(run(&mut session, ":undo\n") && run(&mut session, "l[7][0][3] = 5"));
        assert!(run(&mut session, "l[7].append(zeros(1000)); a[3].x['y'] = zeros(1000); a.pop()"));
        assert!(run(&mut session, ":undo"));
        assert_eq!(live(&session), all);
        // Containers that hold each other go with the past, below such lists, too.
        let cycle = "c = [[[zeros(100)]]]; c[0][0].append(c[0][0]); c = 0";
        assert!(run(&mut session, cycle) && run(&mut session, "import gc; gc.collect()"));
        assert_eq!(live(&session), all);
    }
}

#[test]
fn what_changed_while_only_the_past_held_it_goes_with_the_past() {
    let begin =
        "x = arange(6.)\ndef f(): pass\n\nl = []\nm = [l, l]\nclass E(Exception): pass\n\ne = E()";
    let changes = [
        "f.v = x\nf = 1",
        "l.append(x)\nl = 1\nm = 1",
        "m[0].append(x)\nl = m = 1",
        "e.v = x\ne = 1",
        "f.v = x\nm.append(f)\nf = l = m = 1",
        "l.append(x)\nl.append(l)\nl = m = 1",
    ];
    for change in changes {
        for moves in [":undo", ":undo\n:redo", ":undo\n:redo\n:undo", ":undo\nx = 2"] {
            let config = Config::default().with_simulated("4MiB").expect("a device");
            let mut session = Session::new(config).expect("a session");
            let inputs = [begin, change].into_iter().chain(moves.lines()).chain([":reset"]);
            for input in inputs {
                assert!(run(&mut session, input), "{change}: {input}");
            }
            let live = session.engine().device().allocator().stats().now.allocated;
            assert_eq!(live, 0, "{change}: {moves}");
        }
    }
}
