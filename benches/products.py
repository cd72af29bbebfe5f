#!/usr/bin/env python3
"""Times products of matrices of many forms beside NumPy, in one run, and compares the results.

    cargo build --release && python3 benches/products.py [--most 30000000] [--sides 1,17,64,200,512,1000]
    python3 benches/products.py --drawn 200 [--seed 1] [--dtypes float32,complex64] [--before OTHER_BINARY]

Rows, depth and columns are each of the sides, of float32 and float64, where that makes no more multiplications than
`--most`. With `--drawn` so many products are drawn by a seed: of any sides, stacks too, of floats, complex numbers and
integers, of matrices as they lie and turned (`a.T @ b`). A ratio is NumPy's time by ours: above 1 we are faster.
"""
import argparse
import itertools
import math
import random
import sys
import tempfile

import numpy as np

from compare import ROOT, Genesis, best_time, distribution

SIDES = [1, 2, 3, 5, 8, 10, 16, 31, 50, 64, 100, 128, 200, 256, 300, 512, 700, 1000, 2000, 3072, 5000, 20000]
STACKS = [(), (), (), (), (4,), (10,), (64,), (500,)]
TURNED = "{}.swapaxes(-1, -2)"


def grid(sides, most, rng):
    """Statement and operands of products of all sides."""
    for dtype, (m, k, n) in itertools.product(("float32", "float64"), itertools.product(sides, repeat=3)):
        if m * k * n <= most:
            yield "a @ b", [rng.standard_normal(shape).astype(dtype) for shape in ((m, k), (k, n))]


def drawn(count, seed, dtypes, rng):
    """The same of products as they come."""
    dice = random.Random(seed)
    while count > 0:
        m, k, n = (dice.choice(SIDES) for _ in range(3))
        stack, dtype = dice.choice(STACKS), dice.choice(dtypes)
        each = math.prod(stack)
        most = 2e8 if dtype.startswith(("float", "complex")) else 2e7
        if not 2e4 <= m * k * n * each <= most or max(m * k, k * n, m * n) * each > 4e6:
            continue
        count -= 1
        names, operands = [], []
        for name, shape in (("a", (m, k)), ("b", (k, n))):
            is_turned = dice.random() < 0.35
            x = rng.standard_normal(stack + (shape[::-1] if is_turned else shape))
            x = x + 1j * rng.standard_normal(x.shape) if dtype.startswith("complex") else 8 * x
            operands.append(x.astype(dtype))
            names.append(TURNED.format(name) if is_turned else name)
        yield " @ ".join(names), operands


def is_right(ours, statement, operands):
    exact = [x.astype({"f": "f8", "c": "c16"}.get(x.dtype.kind, x.dtype)) for x in operands]
    expected = eval(statement, dict(zip("ab", exact)))
    if ours.dtype.kind in "iu":
        return np.array_equal(ours, expected)
    unit = np.finfo(ours.dtype).eps * max(1, operands[0].shape[-1], operands[0].shape[-2])
    return np.allclose(ours, expected, rtol=unit, atol=4 * unit * float(np.max(np.abs(expected), initial=1.0)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target" / "release" / "genesis-repl")
    parser.add_argument("--before", help="another binary that is timed, too")
    parser.add_argument("--most", type=int, default=30_000_000)
    parser.add_argument("--sides", default="1,17,64,200,512,1000")
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dtypes", default="float32,float32,float64,float64,complex64,complex128,int64")
    options = parser.parse_args()
    rng, rows, wrong = np.random.default_rng(options.seed), [], 0
    sessions = [Genesis(binary) for binary in [options.binary, options.before] if binary]
    cases = grid([int(side) for side in options.sides.split(",")], options.most, rng)
    if options.drawn:
        cases = drawn(options.drawn, options.seed, options.dtypes.split(","), rng)
    with tempfile.TemporaryDirectory() as folder:
        for genesis in sessions:
            genesis.run("import numpy as np")
        for statement, operands in cases:
            for name, array in zip("ab", operands):
                np.save(f"{folder}/{name}.npy", array)
                for genesis in sessions:
                    genesis.run(f"{name} = np.load({folder + '/' + name + '.npy'!r})")
            sessions[0].run(f"np.save({folder + '/r.npy'!r}, {statement})")
            wrong += not is_right(np.load(f"{folder}/r.npy"), statement, operands)
            ours, *before = [min(g.timeit(f"r = {statement}") for _ in range(2)) for g in sessions]
            code, given = compile(statement, "statement", "eval"), dict(zip("ab", operands))
            theirs = best_time(lambda: eval(code, given))
            a, b = operands
            earlier = f", before {before[0]:,.1f}" if before else ""
            text = f"{statement}, {a.shape} and {b.shape} {a.dtype}: {ours:,.1f} µs{earlier}, NumPy {theirs:,.1f}"
            rows.append((theirs / ours, text, before[0] / ours if before else 1.0))
    rows.sort()
    for ratio, text, _ in rows[:20]:
        print(f"{ratio:6.2f} {text}")
    print(f"{distribution([ratio for ratio, *_ in rows])}; wrong: {wrong}")
    if options.before:
        print(f"time before by now: {distribution([gain for *_, gain in rows])}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
