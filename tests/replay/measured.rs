//! The model of PyTorch's allocator against PyTorch's allocator: what it held on an H200 for the five traces
//! by which allocators are compared, each played three times.

use genesis_repl::replay::{Choice, Op, Origin, Run, Site, Trace, play};

use crate::python::Random;

const MIB: u64 = 1 << 20;

/// A trace under way.
struct Made {
    trace: Trace,
    live: Vec<(u32, u64)>,
}

impl Made {
    fn new() -> Made {
        Made { trace: Trace::new(Origin::Text, ""), live: Vec::new() }
    }

    fn allocate(&mut self, bytes: u64) {
        let id = self.trace.allocate(bytes, 0, Site::UNKNOWN);
        self.live.push((id, bytes));
    }

    fn free(&mut self, at: usize) -> u64 {
        let (id, bytes) = self.live.remove(at);
        self.trace.ops.push(Op::Free { id });
        bytes
    }

    fn free_all(&mut self) {
        while !self.live.is_empty() {
            self.free(0);
        }
    }
}

fn random_live(made: &mut Made, seed: u32, n: usize, live: usize, size: fn(&mut Random) -> u64) {
    let mut random = Random::new(seed);
    for _ in 0..n {
        let bytes = size(&mut random);
        made.allocate(bytes);
        if made.live.len() > live {
            made.free(random.below(made.live.len() as u64) as usize);
        }
    }
    made.free_all();
}

fn same_size(made: &mut Made) {
    for _ in 0..20_000 {
        made.allocate(4 * MIB);
        made.free(0);
    }
}

fn large(made: &mut Made) {
    random_live(made, 1, 4_000, 24, |random| random.between(MIB, 256 * MIB));
}

fn variable(made: &mut Made) {
    random_live(made, 2, 40_000, 200, |random| random.uniform(8.0, 27.0).exp2() as u64);
}

fn transformer(made: &mut Made) {
    let (batch, sequence, hidden) = (8, 1024, 2048);
    for step in 0..20 {
        let s = if step % 4 != 0 { sequence } else { sequence / 2 + 64 * (step % 7) };
        let (states, scores) = (2 * batch * s * hidden, 2 * batch * 16 * s * s);
        for _ in 0..24 {
            let kept = [(states, true), (3 * states, true), (scores, true), (scores, false)];
            let rest = [(states, true), (4 * states, true), (4 * states, false), (states, true)];
            for (bytes, is_kept) in kept.into_iter().chain(rest) {
                made.allocate(bytes);
                if !is_kept {
                    made.free(made.live.len() - 1);
                }
            }
        }
        while !made.live.is_empty() {
            for bytes in [states, 2 * 4 * hidden * hidden] {
                made.allocate(bytes);
                made.free(made.live.len() - 1);
            }
            made.free(made.live.len() - 1);
        }
    }
}

fn pressure(made: &mut Made) {
    let (mut random, mut used) = (Random::new(3), 0);
    for _ in 0..3_000 {
        let bytes = random.between(64 * MIB, 3 << 30);
        while used + bytes > 100 << 30 {
            used -= made.free(random.below(made.live.len() as u64) as usize);
        }
        made.allocate(bytes);
        used += bytes;
    }
    made.free_all();
}

type Make = fn(&mut Made);

/// Three passes through the model on a device of that size.
fn replayed(make: Make, limit: u64) -> Run {
    let mut made = Made::new();
    (0..3).for_each(|_| make(&mut made));
    play(&made.trace, Choice::named("pytorch"), Some(limit), &|| false).unwrap()
}

#[test]
fn the_model_holds_what_pytorch_held() {
    // What an H200 gave to programs.
    let limit = 139 << 30;
    let gib = |bytes: u64| (bytes as f64 / (1u64 << 30) as f64 * 100.0).round() / 100.0;
    let cases: [(&str, Make, f64, f64); 4] = [
        ("same_size", same_size, 0.0, 0.02),
        ("large", large, 4.23, 7.44),
        ("variable", variable, 3.23, 4.45),
        ("transformer", transformer, 13.59, 17.41),
    ];
    for (name, make, live, reserved) in cases {
        let run = replayed(make, limit);
        assert_eq!((gib(run.peak_live), gib(run.peak_reserved)), (live, reserved), "{name}");
        assert_eq!((run.retries, run.ran_out.is_some()), (0, false), "{name}");
    }
    let run = replayed(pressure, limit);
    let peak = gib(run.peak_reserved);
    assert!((peak - 138.7).abs() < 0.3 && gib(run.peak_live) == 100.0, "{peak}");
    assert_eq!((run.retries, run.ran_out.is_some()), (4, false));
}
