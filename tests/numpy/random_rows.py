#!/usr/bin/env python3
"""Random programs of rows, here and in NumPy: moments, extremes and sums along axes, and what is made of arrays with these.

    python tests/numpy/random_rows.py --binary target/release/genesis-repl [--count 500] [--seed 1] [--device cpu]

Arrays of one to four axes, contiguous, transposed and with gaps, beside what is broadcast along some of them, in floats and
integers of several widths; along one axis, two that others lie between, or all; by one thread and by two. Results must agree
within the rounding of their type, integers exactly. Needs NumPy 2.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

EXTENTS = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 20, 31, 33, 40, 64, 65, 100, 129, 257, 442, 1025]
MOST = 300_000
WITHIN = {"float16": 4e-2, "float32": 3e-4, "float64": 1e-9}
FLOATS, INTEGERS = list(WITHIN), ["int16", "int32", "int64", "uint8"]
ELEMENTS = ["x - z", "x * z", "x + w", "x", "x * y", "(x - z) * w", "np.where(x > z, x, y)", "np.maximum(x, z)",
            "x * w - z", "x + z * w", "np.minimum(x, w) - z * y", "x * x - z", "np.clip(x, 1, 3) * z", "(x > z) * y"]
OF_ALL = ["({e}).sum(axis={a})", "np.amax({e}, axis={a})", "np.amin({e}, axis={a})", "np.ptp({e}, axis={a})",
          "({e}) - np.amax({e}, axis={a}, keepdims=True)", "({e}) * np.sum({e}, axis={a}, keepdims=True) + z",
          "({e}) + np.amin({e}, axis={a}, keepdims=True) * w", "np.any(({e}) > 1, axis={a})"]
OF_FLOATS = ["np.std({e}, axis={a})", "np.var({e}, axis={a})", "({e}).mean(axis={a})", "np.sum(({e}) * ({e}), axis={a})",
             "({e}) - np.mean({e}, axis={a}, keepdims=True)", "np.exp(({e}) - np.amax({e}, axis={a}, keepdims=True))",
             "(({e}) - np.mean({e}, axis={a}, keepdims=True)) / np.sqrt(np.var({e}, axis={a}, keepdims=True) + 1)"]
OF_INTEGERS = ["({e}) // 3 + z", "({e}) % 5 * w", "({e}) ^ z", "({e}) & w | z"]


class Session:
    def __init__(self, binary, device, threads):
        command = [binary, "--json"] + (["--device", device] if device else [])
        env = dict(os.environ, RAYON_NUM_THREADS=str(threads))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.run("import numpy as np")

    def run(self, code):
        self.process.stdin.write(json.dumps({"code": code}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return None if answer.get("ok") else answer.get("error")


class Case:
    """Arrays `x`, `y`, `z` and `w`, how `x` comes to lie, and an expression of them."""

    def __init__(self, dice, numbers):
        rank = dice.choice([1, 2, 2, 2, 3, 3, 4])
        dims = [dice.choice(EXTENTS) for _ in range(rank)]
        self.dtype = dice.choice(FLOATS * 2 + INTEGERS)
        # Sums of more numbers overflow in NumPy's float16.
        while np.prod(dims) > (5_000 if self.dtype == "float16" else MOST):
            dims = [max(1, extent // 2) for extent in dims]

        def spread():
            kept = [extent if dice.random() < 0.6 else 1 for extent in dims]
            return kept[dice.choice([0, 0, 0, min(1, rank - 1)]):]

        shapes = {"x": dims, "y": dims, "z": spread(), "w": spread()}
        self.arrays = {name: self.made(numbers, shape) for name, shape in shapes.items()}
        order = dice.sample(range(rank), rank)
        back = [order.index(axis) for axis in range(rank)]
        apart = ", ".join([":"] * (rank - 1) + ["::2"])
        self.lying = dice.choice(["", "", f"x = x.transpose({order}).copy().transpose({back})",
                                  f"x = np.repeat(x, 2, axis=-1)[{apart}]"])
        programs = OF_ALL + (OF_FLOATS if self.dtype in WITHIN else OF_INTEGERS)
        axis = dice.choice([*range(rank), None] + ([(0, rank - 1)] if rank > 1 else []))
        code = dice.choice(programs).replace("{e}", dice.choice(ELEMENTS))
        self.code = f"r = {code.replace('{a}', str(axis))}"

    def made(self, numbers, shape):
        if self.dtype in WITHIN:
            return numbers.standard_normal(shape).astype(self.dtype)
        return numbers.integers(0 if self.dtype == "uint8" else -9, 10, shape).astype(self.dtype)

    def expected(self):
        names = {"np": np, **self.arrays}
        exec(self.lying, names)
        with np.errstate(all="ignore"):
            exec(self.code, names)
        return np.asarray(names["r"])

    def difference(self, found, expected):
        if isinstance(found, str):
            return f"{found}:"
        return None if self.agrees(found, expected) else "another result"

    def agrees(self, found, expected):
        if found.shape != expected.shape:
            return False
        if self.dtype not in WITHIN or expected.dtype.kind != "f":
            return bool((found == expected).all())
        found, expected, within = found.astype(float), expected.astype(float), WITHIN[self.dtype]
        scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
        return np.allclose(found, expected, rtol=within, atol=within * scale, equal_nan=True)

    def __str__(self):
        shapes = ", ".join(f"{name} {value.shape}" for name, value in self.arrays.items())
        return f"{self.code} of {self.dtype}: {shapes}; {self.lying or 'contiguous'}"


def compare(make, noun):
    """Makes cases by a seed, runs each here by one thread and by two, and prints where that is not what NumPy gives.

    A case has `arrays`, how `x` comes to lie, and `code` that binds `r`; `expected()` is what NumPy gives, an array or the
    kind of an error, and `difference()` what is wrong with what was found, or nothing. Gives how many differ.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="")
    given = parser.parse_args()
    dice, numbers = random.Random(given.seed), np.random.default_rng(given.seed)
    sessions = [Session(given.binary, given.device, threads) for threads in (1, 2)]
    for session in sessions:
        session.run("np.seterr(all='ignore')")
    differ = refused = 0
    with tempfile.TemporaryDirectory() as place:
        for _ in range(given.count):
            case = make(dice, numbers)
            for name, value in case.arrays.items():
                np.save(f"{place}/{name}.npy", value)
            load = "; ".join([f"{name} = np.load('{place}/{name}.npy')" for name in case.arrays])
            load += f"; {case.lying}" if case.lying else ""
            expected = case.expected()
            refused += isinstance(expected, str)
            for threads, session in enumerate(sessions, 1):
                error = session.run(load) or session.run(f"{case.code}; np.save('{place}/result.npy', np.asarray(r))")
                found = error["kind"] if error else np.load(f"{place}/result.npy")
                difference = case.difference(found, expected)
                if difference:
                    differ += 1
                    print(f"{case}, {threads} threads: {difference} {(error or {}).get('message', '')}")
    print(f"{given.count} {noun} by one thread and two, {refused} of them refused, {differ} differ")
    return differ


if __name__ == "__main__":
    sys.exit(compare(Case, "programs") > 0)
