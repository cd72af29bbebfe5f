#!/usr/bin/env python3
"""Times products of matrices of many forms beside NumPy, in one run, and compares the results.

    cargo build --release && python3 benches/products.py [--most 30000000] [--sides 1,17,64,200,512,1000]

Rows, depth and columns are each of the sides, of float32 and float64, where that makes no more multiplications than
`--most`. A ratio is NumPy's time by ours: above 1 we are faster.
"""
import argparse
import itertools
import math
import statistics
import sys
import tempfile

import numpy as np

from compare import ROOT, Genesis, best_time


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target" / "release" / "genesis-repl")
    parser.add_argument("--most", type=int, default=30_000_000)
    parser.add_argument("--sides", default="1,17,64,200,512,1000")
    options = parser.parse_args()
    sides = [int(side) for side in options.sides.split(",")]
    genesis, rng, rows, wrong = Genesis(options.binary), np.random.default_rng(1), [], 0
    genesis.run("import numpy as np")
    with tempfile.TemporaryDirectory() as folder:
        for dtype, (m, k, n) in itertools.product(("float32", "float64"), itertools.product(sides, repeat=3)):
            if m * k * n > options.most:
                continue
            given = {"x": rng.standard_normal((m, k)).astype(dtype), "y": rng.standard_normal((k, n)).astype(dtype)}
            for name, array in given.items():
                np.save(f"{folder}/{name}.npy", array)
                genesis.run(f"{name} = np.load({folder + '/' + name + '.npy'!r})")
            genesis.run(f"np.save({folder + '/r.npy'!r}, x @ y)")
            exact = given["x"].astype(np.float64) @ given["y"].astype(np.float64)
            unit = np.finfo(dtype).eps * max(1, k)
            wrong += not np.allclose(np.load(f"{folder}/r.npy"), exact, rtol=unit, atol=4 * unit)
            ours = min(genesis.timeit("r = x @ y") for _ in range(2))
            theirs = best_time(lambda given=given: given["x"] @ given["y"])
            rows.append((theirs / ours, f"({m}, {k}) @ ({k}, {n}) {dtype}: {ours:,.1f} µs, NumPy {theirs:,.1f}"))
    rows.sort()
    for ratio, text in rows[:20]:
        print(f"{ratio:6.2f} {text}")
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio, _ in rows))
    below = sum(ratio < 0.9 for ratio, _ in rows)
    print(f"geometric mean {mean:.2f}, least {rows[0][0]:.2f}, below 0.9: {below}, of {len(rows)}; wrong: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
