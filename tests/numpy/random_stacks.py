#!/usr/bin/env python3
"""Random products of stacked matrices, here and in NumPy.

    python tests/numpy/random_stacks.py --binary target/release/genesis-repl [--count 500] [--seed 1] [--device cpu]

Stacks of none, one and thousands along one to three axes, some of them broadcast, of matrices on both sides of 16 rows and
columns; contiguous, transposed, reversed and with gaps; NaN, the infinities and signed zeros in some. Floats must agree within the
rounding of their type, integers and bool exactly. Needs NumPy 2.
"""

import argparse
import os
import random
import sys
import tempfile

import numpy as np

from random_rows import Session

SIDES = [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 33]
WITHIN = {"float16": 2e-2, "float32": 2e-5, "float64": 1e-12}
TYPES = [*WITHIN, "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool"]
WAYS = ["{x}", "{x}", "{x}", "{x}[..., ::-1]", "{x}[::-1]", "{x}[..., ::2, :]", "np.swapaxes(np.swapaxes({x}, -1, -2).copy(), -1, -2)"]


class Maker:
    def __init__(self, seed):
        self.dice, self.rng = random.Random(seed), np.random.default_rng(seed)

    def stack(self):
        most, rank = self.dice.choice([5, 40, 3000]), self.dice.choice([1, 1, 2, 3])
        stack = [max(1, int(most ** (self.dice.random() / rank))) for _ in range(rank)]
        if self.dice.random() < 0.15:
            stack[0] = self.dice.choice([0, 1])
        return stack

    def array(self, stack, rows, columns, dtype):
        stack = [1 if self.dice.random() < 0.15 else extent for extent in stack]
        if self.dice.random() < 0.2:
            stack = stack[1:]
        x = self.rng.standard_normal((*stack, rows, columns))
        if dtype == "bool":
            return x > 0
        if dtype not in WITHIN:
            return (x * 40).astype("int64").astype(dtype)
        if self.dice.random() < 0.2:
            some = x.reshape(-1)[::53]
            some[:] = self.rng.choice([np.nan, np.inf, -np.inf, -0.0], some.size)
        return x.astype(dtype)

    def case(self):
        dtype, (rows, depth, columns) = self.dice.choice(TYPES), self.dice.choices(SIDES, k=3)
        stack = self.stack()
        arrays = self.array(stack, rows, depth, dtype), self.array(stack, depth, columns, dtype)
        return dtype, arrays, [self.dice.choice(WAYS) for _ in arrays]


def fault(got, want, dtype):
    """What is wrong with a result, or nothing."""
    if got.shape != want.shape or got.dtype != dtype:
        return f"{got.dtype} {got.shape} for {dtype} {want.shape}"
    within = WITHIN.get(dtype)
    if within is None:
        return None if np.array_equal(got, want) else "other numbers"
    is_near = np.allclose(got.astype("float64"), want, rtol=within, atol=4 * within, equal_nan=True)
    return None if is_near else "numbers that are far off"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--device", default="")
    given = arguments.parse_args()
    session, maker, tried, wrong = Session(given.binary, given.device, os.cpu_count()), Maker(given.seed), 0, 0

    def run(code):
        if error := session.run(code):
            sys.exit(f"{code}\n{error}")

    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given.count):
            dtype, arrays, ways = maker.case()
            views = []
            for name, array, way in zip("xy", arrays, ways):
                np.save(f"{folder}/{name}.npy", array)
                run(f"{name} = np.load('{folder}/{name}.npy'); {name} = {way.format(x=name)}")
                views.append(eval(way.format(x="array")))  # noqa: S307
            x, y = (view.astype("float64") if dtype in WITHIN else view for view in views)
            try:
                with np.errstate(all="ignore"):
                    want = np.matmul(x, y)
            except ValueError:
                continue  # a view with gaps has other extents
            run(f"np.save('{folder}/r.npy', x @ y)")
            tried += 1
            if words := fault(np.load(f"{folder}/r.npy"), want, dtype):
                wrong += 1
                print(f"{words}: {dtype} {arrays[0].shape} as {ways[0]} by {arrays[1].shape} as {ways[1]}")
    print(f"{tried} products, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
