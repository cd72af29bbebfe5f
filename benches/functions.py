#!/usr/bin/env python3
"""Times NumPy's functions on arguments as they come, here and in NumPy, in one run, and compares the results.

    cargo build --release && python3 benches/functions.py [--count 400] [--seed 1] [--below 0.9] [--before OTHER_BINARY]
    python3 benches/functions.py --check --count 5000 --most 100000

`namespace.py` has each function on inputs of one size; here calls, types, shapes (of one element up to `--most`) and
how arrays lie are drawn by a seed (`functions_drawn.py`). What NumPy refuses must be refused here with the same kind of
error. A ratio is NumPy's time by ours: above 1 we are faster.
"""
import argparse
import math
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis, best_time, distribution  # noqa: E402
from functions_drawn import Maker  # noqa: E402

# What Python's floats and means of integers become here.
DEFAULTS = ("float32", "complex64")
# Functions each of whose results is folded from all elements before it.
RUNNING = ("cum", "accumulate", "unwrap", "trapezoid")
# Last places of the largest number by which results may differ, where no more is folded than an element.
PLACES = 64


def parts(result):
    return [np.asarray(part) for part in (result if isinstance(result, (tuple, list)) else [result])]


def difference(ours, theirs, size, is_running):
    """What is wrong with our results beside NumPy's, or nothing.

    They are of arguments of so many elements, of which each result folds its share, or all where it `is_running`.
    """
    shapes = [[part.shape for part in side] for side in (ours, theirs)]
    if shapes[0] != shapes[1]:
        return f"shapes {shapes[0]}, expected {shapes[1]}"
    for mine, right in zip(ours, theirs):
        if mine.dtype != right.dtype and mine.dtype.name not in DEFAULTS:
            return f"{mine.dtype}, expected {right.dtype}"
        if right.dtype.kind in "bui" and mine.dtype.kind in "bui":
            if not np.array_equal(mine, right):
                return f"{np.sum(mine != right)} of {mine.size} elements"
            continue
        unit = PLACES * max(np.finfo(part.dtype).eps for part in (mine, right) if part.dtype.kind in "fc")
        if right.dtype == np.float16 and mine.dtype == np.float16:
            # NumPy keeps sums of float16 in float16, where they go beyond it.
            mine = np.where(np.isinf(right), right, mine)
        wide = np.complex128 if mine.dtype.kind == "c" else np.float64
        mine, right = mine.astype(wide), right.astype(wide)
        scale = max(1.0, float(np.max(np.abs(right[np.isfinite(right)]), initial=0.0)))
        # Roundings of a sum grow with the root of how many they are.
        folded = size if is_running else max(1, size / max(1, mine.size))
        near = np.isclose(mine, right, unit, unit * math.sqrt(folded) * scale, equal_nan=True)
        if not near.all():
            at = np.unravel_index(np.argmin(near), near.shape)
            return f"{near.size - near.sum()} of {near.size} elements, {mine[at]} for {right[at]}"
    return None


class Bench:
    """Sessions of our binaries, the first of which is compared with NumPy."""

    def __init__(self, binaries, folder):
        self.sessions, self.folder = [Genesis(binary) for binary in binaries], folder
        for genesis in self.sessions:
            genesis.run("import numpy as np; np.seterr(all='ignore')")

    def load(self, arrays):
        """Makes the arrays here; gives NumPy's."""
        own, made = {"np": np}, []
        for name, (view, dense) in arrays.items():
            np.save(f"{self.folder}/{name}.npy", dense)
            own[name] = eval(view.format("dense"), {"dense": dense})
            made.append(f"{name} = " + view.format(f"np.load('{self.folder}/{name}.npy')"))
        for genesis in self.sessions:
            genesis.run("; ".join(made))
        return own

    def refusal(self, statement):
        """The kind of our error, or nothing."""
        attempt = f"said = None\ntry:\n    {statement}\nexcept Exception as e:\n    said = type(e).__name__"
        said = self.sessions[0].run(attempt + "\nprint(said)")["stdout"].strip()
        return None if said == "None" else said

    def result(self, statement, writes):
        ours = self.sessions[0]
        ours.run(f"{statement}; r = x" if writes else f"r = {statement}")
        ours.run(f"np.savez('{self.folder}/r.npz', *(r if isinstance(r, (tuple, list)) else [r]))")
        saved = np.load(f"{self.folder}/r.npz")
        return [saved[f"arr_{at}"] for at in range(len(saved.files))]

    def times(self, statement, writes):
        timed = statement if writes else f"r = {statement}"
        return [min(genesis.timeit(timed) for _ in range(2)) for genesis in self.sessions]


def fault(bench, statement, writes, own, run):
    """What is wrong with our result or our error beside NumPy's, and whether NumPy has a result."""
    try:
        result = run()
    except Exception as error:
        # NumPy's own kinds of errors stand for those that they are made from.
        kind = "TypeError" if isinstance(error, TypeError) else type(error).__name__
        said = bench.refusal(statement)
        return (None if said == kind else f"{said}, expected {kind}"), False
    size = max(array.size for array in own.values() if isinstance(array, np.ndarray))
    is_running = any(word in statement for word in RUNNING)
    theirs = parts(own["x"] if writes else result)
    return difference(bench.result(statement, writes), theirs, size, is_running), True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "target/release/genesis-repl")
    parser.add_argument("--before", help="another binary that is timed, too")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1_000_000, help="elements of the largest inputs")
    parser.add_argument("--only", nargs="*", default=[""], help="parts of the calls")
    parser.add_argument("--below", type=float, default=math.inf, help="print calls whose ratio is less")
    parser.add_argument("--check", action="store_true", help="compare results and time nothing")
    options = parser.parse_args()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    maker = Maker(options.seed, options.most, options.only)
    ratios, gains, wrong, refused = [], [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench([options.binary] + ([options.before] if options.before else []), folder)
        for _ in range(options.count):
            statement, arrays = maker.case()
            writes, statement = statement.startswith("!"), statement.lstrip("! ")
            own = bench.load(arrays)
            code = compile(statement, "call", "exec" if writes else "eval")
            shown = ", ".join(f"{name} {own[name].dtype}{own[name].shape}" + view.replace("{}", "")
                              for name, (view, _) in arrays.items())
            what, has_result = fault(bench, statement, writes, own, lambda: eval(code, own))
            refused += not has_result
            if what:
                wrong += 1
                print(f" WRONG {what}: {statement}  | {shown}", flush=True)
            if options.check or not has_result:
                continue
            ours, *before = bench.times(statement, writes)
            theirs = best_time(lambda: eval(code, own), 3, 0.04)
            ratios.append(theirs / ours)
            gains += [taken / ours for taken in before]
            if ratios[-1] < options.below:
                times = " ".join(f"{each:9.1f}" for each in [ours, theirs, *before])
                print(f"{ratios[-1]:6.2f} {times}  {statement}  | {shown}", flush=True)
    if ratios:
        print(distribution(ratios))
    if gains:
        print(f"time before by now: {distribution(gains)}")
    print(f"calls without a result: {refused}; results that differ: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
