#!/usr/bin/env python3
"""Random programs of rows, here and in NumPy: moments, extremes and sums of rows, and what is made of rows with these.

    python tests/numpy/random_rows.py --binary target/release/genesis-repl [--count 500] [--seed 1] [--device cpu]

Rows of 1 to 1,025 elements, contiguous, transposed and with gaps, beside columns, rows and whole matrices, in float32 and
float64, by one thread and by two. Results must agree within the rounding of their type. Needs NumPy 2.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

ROWS = [1, 2, 3, 7, 8, 33, 100, 300, 1000]
LENGTHS = [1, 2, 3, 5, 8, 15, 16, 17, 20, 31, 32, 33, 64, 65, 100, 127, 128, 129, 257, 442, 1000, 1025]
MOST = 300_000
ELEMENTS = ["x - z", "x * z", "x + w", "x", "x * y", "(x - z) * w", "x / (z + 4)", "np.where(x > z, x, y)",
            "np.abs(x - z)", "np.maximum(x, z)", "x * w - z"]
PROGRAMS = ["np.std({e}, axis=1)", "np.var({e}, axis=1)", "({e}).sum(axis=1)", "np.amax({e}, axis=1)",
            "np.amin({e}, axis=1)", "({e}) - np.amax({e}, axis=1, keepdims=True)",
            "({e}) - np.mean({e}, axis=1, keepdims=True)", "np.exp(({e}) - np.amax({e}, axis=1, keepdims=True))",
            "(({e}) - np.mean({e}, axis=1, keepdims=True)) / np.sqrt(np.var({e}, axis=1, keepdims=True) + 1e-5)",
            "np.argmax({e}, axis=1)", "({e}) * np.sum({e}, axis=1, keepdims=True) + z", "np.cumsum({e}, axis=1)",
            "({e}).mean(axis=0)", "({e}) + np.amin({e}, axis=1, keepdims=True) * w", "np.ptp({e}, axis=1)",
            "({e}) / np.sum(np.abs({e}), axis=1, keepdims=True)"]
LYING = ["", "", "x = x.T.copy().T", "x = np.repeat(x, 2, axis=1)[:, ::2]"]


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="")
    given = parser.parse_args()
    dice, numbers = random.Random(given.seed), np.random.default_rng(given.seed)
    sessions = [Session(given.binary, given.device, threads) for threads in (1, 2)]
    differ = 0
    with tempfile.TemporaryDirectory() as place:
        for _ in range(given.count):
            rows, length = dice.choice(ROWS), dice.choice(LENGTHS)
            if rows * length > MOST:
                rows = 7
            dtype, lying = dice.choice(["float32", "float64"]), dice.choice(LYING)
            code = dice.choice(PROGRAMS).replace("{e}", dice.choice(ELEMENTS))
            shapes = {"x": (rows, length), "y": (rows, length), "z": (rows, 1), "w": (length,)}
            names = {name: numbers.standard_normal(shape).astype(dtype) for name, shape in shapes.items()}
            for name, value in names.items():
                np.save(f"{place}/{name}.npy", value)
            load = "; ".join([f"{name} = np.load('{place}/{name}.npy')" for name in names] + ([lying] if lying else []))
            names["np"] = np
            exec(lying, names)
            expected = eval(code, names)
            within = 2e-4 if dtype == "float32" else 1e-9
            scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
            for threads, session in enumerate(sessions, 1):
                error = session.run(load) or session.run(f"np.save('{place}/result.npy', np.asarray({code}))")
                found = None if error else np.load(f"{place}/result.npy")
                is_same = found is not None and found.shape == expected.shape
                if not is_same or not np.allclose(found, expected, rtol=within, atol=within * scale):
                    differ += 1
                    print(f"{code} of {rows} x {length} {dtype}, {lying or 'contiguous'}, {threads} threads: {error or ''}")
    print(f"{given.count} programs, {differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
