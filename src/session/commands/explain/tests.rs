//! What is predicted of random statements, beside what then happens.

use crate::session::{Config, Nobody, Session};
use crate::syntax::parse;

/// Numbers without order.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

const SETUP: &str = "
a = arange(30_000.) % 97; b = ones(30_000); m = ones(150, 200); w = ones(200, 90)
h = ones(150, 200, dtype=float16); k = arange(30_000) % 1000; c = ones(9_000, dtype=complex64)
t = ones(20, 30, 40); s = array(2.0); e = zeros(0); d = {'x': ones(7_000)}; l = [ones(5_000), ones(70_000)]
def scaled(x, by=2.0):
    y = x * by
    return y + 1
def normed(x):
    x = x - x.mean()
    for i in range(3):
        x = sort(x) / (x.std() + 1)
    return x
def added(x, n):
    x += n
    return x.sum()
class Model:
    def __init__(self): self.w = ones(200, 90)
    def step(self, x):
        g = x.T @ (x @ self.w)
        self.w -= 0.1 * g
        return g.sum()
net = Model()
";

/// Expressions; `V` is a vector, `M` a matrix.
const VALUES: &[&str] = &[
    "V * 2 + 1",
    "exp(-V) / (V + 2) - sqrt(V)",
    "V.sum()",
    "M.sum(axis=0)",
    "M.mean(axis=1, keepdims=True)",
    "M - M.mean(axis=1, keepdims=True)",
    "M.std(axis=0)",
    "sort(V)",
    "argsort(V)",
    "cumsum(V) * 2",
    "concatenate([V, V + 1])",
    "stack([V, V])",
    "V[::-1] + V",
    "V[k % 100]",
    "V[3:900].copy()",
    "M[:, 7] * 3",
    "M[[1, 5, 7]] + 1",
    "M.T @ M",
    "m @ w",
    "m @ ones(200)",
    "h @ h.T",
    "softmax(M, axis=-1)",
    "where(V > 3, V, -V)",
    "outer(V[:50], V[:60])",
    "V.astype(float64) + 1",
    "M.reshape(-1) + 1",
    "t.transpose(2, 0, 1).reshape(40, -1) * 2",
    "einsum('ij,jk->ik', m, w)",
    "argmax(M, axis=1)",
    "clip(V, 1, 5) ** 2",
    "repeat(V, 3)",
    "tile(M, (2, 1))",
    "roll(V, 5) - V",
    "c * 2 + c.conj()",
    "abs(c)",
    "scaled(V)",
    "normed(V)",
    "(V * 2, V + 1, V.sum())",
    "[V * i for i in range(4)]",
    "zeros(12_345) + V[0]",
    "rand(4_000)",
    "linspace(0, 1, 5_001)",
    "topk(V, 10)",
    "meshgrid(V[:40], V[:30])",
    "t.sum(axis=(0, 2))",
    "t.max(axis=1)",
    "broadcast_to(s, (300, 40)) + 1",
    "pad(M, 3)",
    "diff(V)",
    "var(M)",
    "e + 1",
    "d['x'] * l[0][:1]",
    "net.step(m)",
];

/// Statements; `R` stands for a value.
const FORMS: &[&str] = &[
    "r = R",
    "r = R",
    "r = R",
    "R",
    "r, q = R, V + 1",
    "d['y'] = R",
    "l.append(R)",
    "V += 1",
    "M *= M",
    "V[5:90] = 7",
    "V[:] = V * 2 + V[::-1]",
    "M[:, 3] = M[:, 4] + 1",
    "V[k[:50]] = 3",
    "V.mul_(2)",
    "M.add_(M.mean())",
    "r = added(V, 1)",
    "q = r = R",
];

/// The predicted and the true peak on top of what was live, where the statement could be followed.
fn predicted(session: &mut Session, text: &str) -> Option<(usize, usize)> {
    let source = session.interp.sources.borrow_mut().add("<test>", text);
    let module = parse(&source).unwrap();
    let explained = session.quiet().explain(&module.body[0]);
    let explained = explained.unwrap_or_else(|error| panic!("{text}: {}", error.message));
    let work = &explained.work;
    if explained.stopped.is_some() || work.is_bound() || work.is_rough() {
        return None;
    }
    let allocator = session.engine().device().allocator().clone();
    let plan = work.devices.iter().find(|(device, _)| device.allocator().is_same(&allocator));
    let expected = plan.map_or(0, |(_, plan)| plan.peak_bytes);
    allocator.reset_peaks();
    let before = allocator.stats().now.allocated;
    let outcome = session.run(text, &mut Nobody);
    assert!(outcome.error.is_none(), "{text}: {:?}", outcome.error);
    Some((expected, allocator.stats().peak.allocated - before))
}

#[test]
fn peaks_are_as_predicted() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let count: usize = number("PREDICTIONS").unwrap_or(1000);
    let mut dice = Dice(number("PREDICTION_SEED").unwrap_or(1) as u64);
    let mut wrong = Vec::new();
    let (mut known, mut tried) = (0, 0);
    while tried < count {
        let config = match tried % 80 {
            0 => Config::default().with_simulated("512MiB"),
            _ => Config::default().with_device("cpu"),
        };
        let mut session = Session::new(config.unwrap()).unwrap();
        assert!(session.run(SETUP, &mut Nobody).error.is_none());
        for _ in 0..40 {
            let mut pick = |of: &[&'static str]| of[dice.below(of.len())];
            let text = pick(FORMS).replace('R', pick(VALUES));
            let text = text.replace('V', pick(&["a", "b", "l[1]", "a[::2]", "b[:9_000]"]));
            let text = text.replace('M', pick(&["m", "m", "w", "t[0]"]));
            tried += 1;
            let Some((expected, truth)) = predicted(&mut session, &text) else { continue };
            known += 1;
            if expected.abs_diff(truth) * 100 > truth {
                wrong.push(format!("{text}: {expected} and not {truth}"));
            }
        }
    }
    assert!(known * 100 >= tried * 90, "{known} of {tried} could be followed");
    assert!(wrong.len() * 100 <= known, "{} of {known}: {wrong:#?}", wrong.len());
}
