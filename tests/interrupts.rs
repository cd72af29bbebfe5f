//! Ctrl-C at random moments in work of every kind: it is heard soon, and the statement that it ends has changed
//! nothing and keeps no memory.

use std::thread;
use std::time::{Duration, Instant};

use genesis_repl::session::{Config, Nobody, Session};

const BEGIN: &str = "import copy, heapq, itertools, json
x = arange(400_000) % 1013 * 1.5; y = x.reshape(400, 1000); m = sin(arange(90_000.0)).reshape(300, 300) + eye(300) * 20
i = arange(400_000)[::-1] % 1000; z = zeros((500, 500)); w = ones(3)
l = list(range(60_000)); t = [str(n) for n in range(60_000)]; d = {n: [n] for n in range(20_000)}; a = [ones(3)] * 8_000
def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
";
/// What a statement below could have changed.
const LOOK: &str = "(x.sum(), y[3, 3], m.sum(), i.max(), z.sum(), w.sum(), len(l), l[:3], l[-1], len(t), t[:2], t[-1], len(d), d[3], len(a), \
     'left' in dir())";

const WORK: &[&str] = &[
    "left = exp(sin(x)) * log(x + 2) + sqrt(x)",
    "x[:] = exp(sin(x)) * log(x + 2)",
    "x += cos(x) ** 2.5",
    "left = x.cumsum() + sort(x)",
    "x.sort()",
    "left = argsort(x), unique(x), topk(x, 50)",
    "left = x[i] + x[x > 50].sum()",
    "x[i] = 3",
    "add.at(x, i, 1.0)",
    "left = m @ m @ m",
    "left = y.T.copy().std(axis=1), median(y, axis=0)",
    "left = np.fft.fft(x), np.fft.rfft2(y)",
    "left = np.linalg.svd(m)",
    "left = np.linalg.eigvals(m)",
    "left = np.linalg.inv(m), np.linalg.qr(m)",
    "left = np.linalg.solve(m, m) @ m",
    "left = randn(300_000) + rand(300_000)",
    "left = np.random.default_rng(3).gamma(2.5, size=30_000)",
    "left = convolve(x[:3_000], x[:3_000])",
    "left = stack(a), concatenate(a), np.array(a)",
    "left = array_split(x, 8_000)",
    "left = x.tolist(), list(x[:20_000])",
    "left = np.array(l * 3)",
    "left = str(a), repr(d)",
    "left = np.array2string(x[:20_000], threshold=10**9)",
    "left = print(a, l, t)",
    "left = [n * n for n in l if n % 3], l.clear()",
    "left = {n: str(n) for n in l}, d.clear()",
    "l.sort(key=lambda n: -n)",
    "l[:] = t.reverse() or sorted(t)",
    "l.append(heapq.heapify(l[::-1]) or heapq.nsmallest(50, l))",
    "t.append(','.join(t * 5).replace('1', 'one').upper())",
    "d[3].append(d.update(copy.deepcopy(d)) or json.loads(json.dumps(t)))",
    "left = list(itertools.permutations(range(7)))",
    "left = ''.join(itertools.chain.from_iterable(t)).split('9')",
    "left = f(18)",
    "w[0] = sum(n * n for n in range(60_000))",
    "left = np.vectorize(lambda n: n * 2)(x[:3_000])",
];

/// A generator of moments.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}

fn session() -> Session {
    let mut config = Config::default().with_device("cpu").expect("a device");
    config.set("outputs", "0").expect("a setting");
    Session::new(config).expect("a session")
}

fn state(session: &mut Session) -> (String, u64) {
    let outcome = session.run(LOOK, &mut Nobody);
    let value = outcome.value.unwrap_or_else(|| panic!("no state: {:?}", outcome.error));
    let text = session.repr(&value);
    drop(value);
    (text, session.memory().live)
}

/// The state, once the threads of what has ended have let go of their memory.
fn quiet(session: &mut Session) -> (String, u64) {
    let mut last = state(session);
    for _ in 0..500 {
        thread::sleep(Duration::from_millis(20));
        let found = state(session);
        if found == last {
            break;
        }
        last = found;
    }
    last
}

/// The state, once a factorisation that Ctrl-C has left behind is through and has let go of its memory.
fn settled(session: &mut Session, bytes: u64) -> (String, u64) {
    let begun = Instant::now();
    loop {
        let found = state(session);
        if found.1 == bytes || begun.elapsed() > Duration::from_secs(60) {
            return found;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// How long after Ctrl-C a statement may end, on a machine that has other work. Left alone it takes a release build
/// less than a tenth of a second.
const LATEST: Duration = Duration::from_secs(4);

#[test]
fn ctrl_c_is_heard_at_any_moment_and_leaves_nothing() {
    let mut dice = Dice(11);
    let mut stopped = 0;
    for work in WORK {
        println!("{work}");
        let mut session = session();
        assert!(session.run(BEGIN, &mut Nobody).error.is_none());
        let before = state(&mut session);
        // How long it takes: half of these are stopped again and say nothing else.
        let begun = Instant::now();
        let whole = session.run(work, &mut Nobody);
        assert!(whole.error.is_none(), "{work}: {:?}", whole.error);
        let length = begun.elapsed();
        drop(whole);
        assert!(session.run(":undo", &mut Nobody).error.is_none(), "{work}");
        assert_eq!(state(&mut session).0, before.0, "{work}: undone");
        let before = quiet(&mut session);
        for _ in 0..3 {
            let interrupt = session.interrupt();
            let wait = length.mul_f64(dice.part() * 0.9);
            let raiser = thread::spawn(move || {
                thread::sleep(wait);
                interrupt.raise();
                Instant::now()
            });
            let outcome = session.run(work, &mut Nobody);
            let ended = Instant::now();
            let raised = raiser.join().expect("a moment");
            session.interrupt().clear();
            let Some(error) = outcome.error else {
                // It was done before the moment came.
                assert!(session.run(":undo", &mut Nobody).error.is_none(), "{work}");
                continue;
            };
            assert_eq!(error.kind.to_string(), "KeyboardInterrupt", "{work}: {}", error.message);
            let late = ended.saturating_duration_since(raised);
            assert!(late < LATEST, "{work}: {late:?} late");
            let after = settled(&mut session, before.1);
            assert_eq!(after, before, "{work}: stopped after {wait:?} of {length:?}");
            stopped += 1;
        }
    }
    assert!(stopped > WORK.len(), "only {stopped} were stopped");
}
