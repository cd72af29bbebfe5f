#!/usr/bin/env python3
"""Times statements over one count of elements in rows of many lengths, and finds the lengths that are dear.

    cargo build --release && python3 benches/cliffs.py [--elements 1048576] [--types float32] [--only sum] [--gpu]
    python3 benches/cliffs.py --before OTHER_BINARY

A length is dear by what its time an element is beside that of the cheapest shorter and of the cheapest longer
length, whichever is more: a choice that is right on both sides of such a length was missed there, and no peer is
needed to see it. Lengths lie on both sides of powers of two, and between them. Prints each statement's dearest
lengths from `--above` on, the worst first. With another binary it says at which lengths this one takes less, and
at which more, and how many times. Needs `pip install numpy`.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis  # noqa: E402

LENGTHS = sorted(
    {2**power + off for power in range(2, 18) for off in (-1, 0, 1)}
    | {int(2**power * 1.4) for power in range(2, 18)} | {1, 2, 10, 100, 300, 1000, 3000, 10000, 30000}
)
# Over x and y of (rows, n), v of (n,), c of (rows, 1), k of places in a row, r of rows.
STATEMENTS = """
x + y; x * 2 + 1; x + v; x + c; x * c + v; np.where(x > 0, x, 0); x[:, ::2] * 1; x[:, 1:] + x[:, :-1]; x[:, ::-1] + 0
x.T.copy(); x.astype(float64); x > y; x[x > 0]; x[:, k]; x[r]; x[:, 0].copy(); np.concatenate([x, y], axis=1)
np.roll(x, 1, axis=1); np.repeat(x, 2, axis=1); np.stack([x, y], axis=-1); np.tile(v, (len(x), 1)); np.pad(x, 1)
x.sum(axis=1); x.sum(axis=0); x.max(axis=1); x.max(axis=0); x.argmax(axis=1); x.argmax(axis=0); x.mean(axis=1)
x.std(axis=1); x.std(axis=0); x.prod(axis=1); (x * y).sum(axis=1); (x * y).sum(axis=0); (x > 0).sum(axis=1)
np.any(x > 3, axis=1); np.count_nonzero(x > 0, axis=0); abs(x - 1).max(axis=1); (x - c).min(axis=1)
x - x.mean(axis=1, keepdims=True); x / x.sum(axis=1, keepdims=True); x - x.mean(axis=0); softmax(x, axis=1)
softmax(x, axis=0); (x - x.min()) / (x.max() - x.min()); log_softmax(x, axis=1); np.linalg.norm(x, axis=1)
x.max(axis=1) - x.min(axis=1); x.sum(axis=1) / x.max(axis=1); x.sum(axis=1) * y.sum(axis=1)
x.argmax(axis=1) - x.argmin(axis=1); x.mean(axis=1) / x.std(axis=1); x.max(axis=0) - x.min(axis=0)
np.cumsum(x, axis=1); np.cumsum(x, axis=0); np.maximum.accumulate(x, axis=1); np.diff(x, axis=1)
np.sort(x, axis=1); np.argsort(x, axis=1); np.median(x, axis=1); np.partition(x, 0, axis=1)
x @ v; v @ x.T; c[:, 0] @ x; np.clip(x, -1, 1); np.flip(x, 0) + 0; x.astype(float16); np.triu(x)
"""


def prepared(genesis, count, length, dtype):
    rows = max(1, count // length)
    integers = dtype.startswith(("int", "uint"))
    drawn = (lambda shape: f"np.random.randint(0, 100, {shape})") if integers else (lambda shape: f"randn{shape}")
    for name, shape in [("x", (rows, length)), ("y", (rows, length)), ("v", (length,)), ("c", (rows, 1))]:
        genesis.run(f"{name} = {drawn(shape)}.astype({dtype})")
    genesis.run(f"k = np.random.permutation({length}); r = np.random.permutation({rows})")
    return rows * length


def dear(times):
    """Lengths, and how much dearer each is than the cheapest on its cheaper side."""
    found = []
    for at in range(1, len(times) - 1):
        shorter, longer = (min(cost for _, cost in side) for side in (times[:at], times[at + 1:]))
        found.append((times[at][1] / max(shorter, longer), *times[at]))
    return sorted(found, reverse=True)


def measured(binary, options, dtype, chosen):
    """Of each statement the lengths, and nanoseconds an element."""
    genesis = Genesis(binary)
    genesis.run(f":device {'cuda:0' if options.gpu else 'cpu'}")
    times = {text: [] for text in chosen if text}
    for length in [length for length in LENGTHS if length <= options.elements]:
        elements = prepared(genesis, options.elements, length, dtype)
        for text in times:
            took = min(genesis.timeit(f"z = {text}", "-n 5 -r 7") for _ in range(options.rounds))
            times[text].append((length, took * 1000 / elements))
    return times


def changed(before, after):
    """Lengths, how many times as long it took before, and how long it takes."""
    both = zip(before, after)
    return sorted((was / took, length, took) for (length, was), (_, took) in both)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=ROOT / "target" / "release" / "genesis-repl")
    options.add_argument("--elements", type=int, default=1 << 20)
    options.add_argument("--types", default="float32")
    options.add_argument("--only", default="", help="statements with this text")
    options.add_argument("--above", type=float, default=1.4)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--before", help="another binary")
    options.add_argument("--gpu", action="store_true")
    options = options.parse_args()
    chosen = [text.strip() for line in STATEMENTS.split("\n") for text in line.split(";") if options.only in text]
    for dtype in options.types.split(","):
        after = measured(options.binary, options, dtype, chosen)
        if options.before:
            before = measured(options.before, options, dtype, chosen)
            found = [(changed(before[text], of), text) for text, of in after.items()]
            shown = [([one for one in reversed(of[-4:]) if one[0] >= options.above]
                      + [one for one in of[:4] if one[0] <= 1 / options.above], text) for of, text in found]
        else:
            shown = [([one for one in dear(of)[:6] if one[0] >= options.above], text) for text, of in after.items()]
        for lengths, text in sorted(shown, reverse=True):
            over = [f"{length}: {ratio:.2f}× ({cost:.3f} ns)" for ratio, length, cost in lengths]
            if over:
                print(f"{dtype:9} {text:42} {'  '.join(over)}", flush=True)


if __name__ == "__main__":
    main()
