"""Random calls of NumPy's functions for benches/functions.py: text over `x`, `y`, `v`, `k` and `m`.

`x` has a type, a shape and a way to lie in memory that are drawn; `y` is such another array of its shape, `v` one of
its last axis, `k` are places along its first axis, `m` is a mask of its shape. In texts `AXIS` and `AXES` are axes of
`x`, `SMALL` a small number.
"""
import random
import re
from pathlib import Path

import numpy as np

FLOATS = ("float32", "float32", "float64", "float64", "float16")
COMPLEX = ("complex64", "complex128")
INTEGERS = ("int64", "int64", "int32", "uint8", "int16", "uint16", "int8", "uint32", "uint64")
KINDS = {
    "f": FLOATS, "c": COMPLEX, "i": INTEGERS, "b": ("bool",), "r": FLOATS + INTEGERS, "n": FLOATS + COMPLEX + INTEGERS,
    "a": FLOATS + COMPLEX + INTEGERS + ("bool", "bool"), "d": ("float32", "float64"),
    "l": ("float32", "float64") + COMPLEX,
}


def calls():
    """Kind of types, least and most rank and text of each call. Those that write begin with `!`."""
    text = (Path(__file__).resolve().parent / "functions_calls.txt").read_text()
    for group in text.strip().split("\n\n"):
        head, *lines = group.split("\n")
        kind, ranks = head.split()
        least, most = map(int, ranks.split("-"))
        for line in lines:
            for text in line.split(";;"):
                yield kind, least, most, text.strip()


class Maker:
    """Draws cases, the same ones for the same seed. `most` is the number of elements of the largest inputs."""

    def __init__(self, seed, most, only):
        self.dice, self.rng, self.most = random.Random(seed), np.random.default_rng(seed), most
        self.calls = [call for call in calls() if any(part in call[3] for part in only)]

    def shape(self, rank):
        total = max(1, int(self.most / 2 ** self.dice.uniform(0, 16)))
        shape = []
        for left in range(rank - 1, 0, -1):
            side = max(1, int(total ** (self.dice.uniform(0.1, 1.6) / (left + 1))))
            shape.append(min(side, total))
            total = max(1, total // shape[-1])
        shape.append(max(1, total))
        self.dice.shuffle(shape)
        return tuple(shape)

    def numbers(self, shape, dtype):
        if dtype.startswith("complex"):
            return (self.rng.standard_normal(shape) + 1j * self.rng.standard_normal(shape)).astype(dtype)
        if dtype.startswith("float"):
            return (4 * self.rng.standard_normal(shape)).astype(dtype)
        return self.rng.integers(0, 2 if dtype == "bool" else 100, shape).astype(dtype)

    def lying(self, array):
        """Text that makes an array lie as it may, of one that is dense, and how the dense one must be."""
        way = self.dice.choices(("dense", "turned", "strided", "backwards"), (9, 2, 1, 1))[0]
        if way == "turned" and array.ndim > 1:
            return "{}.T", np.ascontiguousarray(array.T)
        if way == "strided":
            return "{}[..., ::2]", np.repeat(array, 2, axis=-1)
        if way == "backwards":
            return "{}[::-1]", array[::-1].copy()
        return "{}", array

    def case(self):
        """The text of a call, and for each array the view that it is and the dense array of which."""
        kind, least, most, text = self.dice.choice(self.calls)
        dtype = self.dice.choice(KINDS[kind])
        shape = self.shape(self.dice.randint(least, most))
        rank = len(shape)
        axes = tuple(sorted(self.dice.sample(range(rank), min(rank, 2))))
        text = text.replace("AXIS", str(self.dice.randrange(rank))).replace("AXES", str(axes))
        text = text.replace("SMALL", str(self.dice.randint(1, 4)))
        view, dense = self.lying(self.numbers(shape, dtype))
        alike = self.lying(self.numbers(shape, dtype)), (view, self.numbers(dense.shape, dtype))
        arrays = {
            "x": (view, dense),
            "y": alike[self.dice.random() < 0.7],
            "v": ("{}", self.numbers(shape[-1:], dtype)),
            "k": ("{}", self.rng.integers(0, shape[0], shape[0])),
            "m": ("{}", self.rng.random(shape) < self.dice.choice((0.02, 0.5, 0.9))),
        }
        used = {name: it for name, it in arrays.items() if name in words(text)}
        return text, used


def words(text):
    return set(re.findall(r"\w+", text))
