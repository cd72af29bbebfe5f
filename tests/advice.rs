//! Random sessions until memory runs out: what the error says would make room does, and where it says
//! nothing, nothing does.

use dice::Dice;
use genesis_repl::session::{Config, Nobody, Session};

mod dice;

/// Elements: small ones, on both sides of what is large, and what takes a good part of the device.
fn size(dice: &mut Dice) -> usize {
    match dice.below(6) {
        0 => 1 + dice.below(2000),
        1 => (1 << 18) - 1 + dice.below(3),
        2 => 200_000 + dice.below(200_000),
        _ => 300_000 + dice.below(1_500_000),
    }
}

const PRELUDE: &str = "
import functools
class Node:
    pass
def scaled(x, by=2.0):
    y = x * by
    return y + 1
def both(n):
    a = ones(n)
    b = sort(a)
    return a, b
def adder(x):
    def inner(n):
        return x.sum() + n
    return inner
def walk(x):
    yield 1
    yield x
@functools.lru_cache
def cached(n):
    return ones(n)
o = Node(); l = []; d = {}
";

/// How memory comes to be held. `N` is a size, `A` a tensor's name, `V` a new name.
const HOLD: &[&str] = &[
    "V = ones(N)",
    "V = ones(N)",
    "V = ones(N)",
    "V = zeros(N); V[0] = 1",
    "V = A[::2]",
    "V = A[:1]; del A",
    "V = A",
    "l.append(ones(N))",
    "l.append(A)",
    "d['V'] = ones(N)",
    "d['V'] = (A, 1)",
    "o.V = ones(N)",
    "V = (ones(N), [A, 1])",
    "V = adder(A)",
    "V = walk(A); next(V)",
    "V = A.sum",
    "V = functools.partial(scaled, A)",
    "V = lambda y=A: y.sum()",
    "cached(N) is None",
    "ones(N)",
    "A * 2",
    "V = both(N)",
    "V = scaled(A)",
    "del A",
    "del A",
    "A[3:90] = 5",
    "A += 1",
    "if l: del l[0]",
];

/// What memory runs out for.
const WANT: &[&str] = &[
    "r = ones(N)",
    "r = ones(N) + A.sum()",
    "A[:] = A * 2 + ones(N)[0]",
    "A += sort(ones(N))[0]",
    "r = sort(A)",
    "r = argsort(A)",
    "r = concatenate([A, ones(N)])",
    "r = cumsum(A) + 1",
    "r = [ones(N), A * 2, ones(N)]",
    "p, q = A + 1, ones(N)",
    "r = scaled(A)",
    "r = both(N)",
    "for i in range(3):\n    r = ones(N)\n    s = r * 2",
    "if True:\n    r = A.reshape(-1, 1) + ones(3)",
    "r = where(A > 0, A, 2.0).astype(float64)",
    "r = outer(ones(700), A[:900])",
    "l.append(ones(N))",
    "d['r'] = ones(N)",
    "o.r = A + 1",
    "r = A[A > 0]",
    "r = unique(A)",
    "r = ones(N // 100, 100) @ ones(100, 50)",
    "r = stack([A, A])",
    "A.mul_(2).add_(sort(ones(N))[0])",
    "r = A.copy()",
    "r = repeat(A, 2)",
    "r = fft.rfft(A)",
    "r = A.std() + ones(N).std()",
];

/// The sets of names that an error offers, and whether it says for what.
fn offers(hints: &[String]) -> Option<(Vec<String>, bool)> {
    let hint = hints.iter().find(|hint| hint.contains("would make room"))?;
    let commands = hint.split('`').filter(|part| part.starts_with("del "));
    Some((commands.map(str::to_string).collect(), hint.ends_with("room for it")))
}

#[derive(Debug)]
struct Failed {
    name: String,
    hints: Vec<String>,
    line: String,
    log: String,
}

/// A device of 24 MiB: simulated, or that of the GPU that GENESIS_DEVICE names.
fn session() -> Session {
    let Ok(name) = std::env::var("GENESIS_DEVICE") else {
        return Session::new(Config::default().with_simulated("24MiB").unwrap()).unwrap();
    };
    let mut session = Session::new(Config::default().with_device(&name).unwrap()).unwrap();
    let limit = "cuda.set_memory_fraction(24 * 2**20 / cuda.mem_get_info()[1])";
    let error = session.run(limit, &mut Nobody).error;
    assert!(error.is_none(), "{error:?}");
    session
}

fn play(seed: u64, counts: &mut [usize; 3]) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    dice.below(2);
    let mut session = session();
    let mut log = Vec::new();
    // All fail that name what is not there.
    let mut run = |session: &mut Session, text: &str| {
        log.push(text.to_string());
        let outcome = session.run(text, &mut Nobody);
        let error = outcome.error;
        let is_ours = error.as_ref().is_some_and(|error| error.message.contains("internal error"));
        assert!(!is_ours, "{seed}: {log:#?}\n{error:?}");
        // The statement that failed, which may be one in a block.
        let line = error.as_ref().map_or(String::new(), |error| {
            let place = error.calls.last().map_or(error.span, |call| call.span);
            let source = outcome.sources.iter().find(|source| source.id == place.source).unwrap();
            let start = source.text[..place.start as usize].rfind('\n').map_or(0, |at| at + 1);
            source.text[start..].lines().next().unwrap_or_default().trim().to_string()
        });
        error.map(|error| Failed {
            name: error.name().to_string(),
            hints: error.hints,
            line,
            log: log.join("\n"),
        })
    };
    assert!(run(&mut session, PRELUDE).is_none());
    let names = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];
    for round in 0..60 {
        let wants = round > 8 && dice.below(3) == 0;
        let text = dice.one(if wants { WANT } else { HOLD });
        let a = dice.one(&names);
        let text = text
            .replace('N', &size(&mut dice).to_string())
            .replace("V", dice.one(&names))
            .replace('A', a);
        let Some(Failed { name, hints, line, log }) = run(&mut session, &text) else { continue };
        if !name.contains("Memory") {
            continue;
        }
        let text = if text.contains('\n') { line } else { text };
        match offers(&hints) {
            Some((commands, is_certain)) => {
                counts[usize::from(!is_certain)] += 1;
                // Many variables are only counted.
                let Some(last) = commands.len().checked_sub(1) else { return };
                let command = &commands[dice.below(last + 1)];
                let failed = run(&mut session, command);
                assert!(failed.is_none(), "{seed}: `{command}` fails: {failed:?}\n{log}");
                let again = run(&mut session, &text);
                let is_short = again.as_ref().is_some_and(|again| again.name.contains("Memory"));
                assert!(
                    !is_short || !is_certain,
                    "{seed}: `{command}` is not enough for {text}\n{again:?}\n{log}"
                );
            }
            None => {
                counts[2] += 1;
                // All that the statement does not read.
                let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
                let all = ["l", "d", "o", "r", "s", "p", "q", "i", "cached"].iter().chain(&names);
                for name in all.filter(|name| !words.contains(*name)) {
                    run(&mut session, &format!("del {name}"));
                }
                run(&mut session, "for n in list(Out): del Out[n]");
                let again = run(&mut session, &text);
                assert!(again.is_some(), "{seed}: there was advice for {text}\n{hints:?}\n{log}");
            }
        }
        return;
    }
}

#[test]
fn advice_comes_true_in_random_sessions() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let from = number("ADVICE_SEED").unwrap_or(0);
    let count = number("ADVICE_SESSIONS").unwrap_or(60);
    let mut counts = [0; 3];
    (from..from + count).for_each(|seed| play(seed, &mut counts));
    println!("certain {}, for the request {}, none {}", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 0, "{counts:?}");
}
