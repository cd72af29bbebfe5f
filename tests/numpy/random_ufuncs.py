#!/usr/bin/env python3
"""Random calls of the methods of NumPy's functions of two numbers, and `at` of those of one, here and in NumPy.

    python tests/numpy/random_ufuncs.py --binary target/release/genesis-repl [--count 500] [--seed 1] [--device cpu]

`reduce`, `accumulate`, `reduceat`, `outer` and `at` of every function, over arrays of none to four axes in every type,
contiguous, transposed and with gaps, along every axis, with sections in any order and places that come often. Results must
agree within the rounding of their type, integers exactly; what NumPy refuses must be refused with the same kind of error.
Needs NumPy 2.
"""

import sys

import numpy as np
from random_rows import compare

FUNCTIONS = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "power", "maximum", "minimum", "fmax",
             "fmin", "arctan2", "hypot", "copysign", "nextafter", "logaddexp", "logaddexp2", "bitwise_and", "bitwise_or",
             "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm", "logical_and", "logical_or", "logical_xor"]
OF_ONE = ["negative", "square", "sqrt", "absolute", "reciprocal", "sin", "logical_not", "sign", "floor"]
DIVIDING = ["floor_divide", "remainder", "fmod"]
OF_FLOATS = ["divide", "arctan2", "hypot", "copysign", "nextafter", "logaddexp", "logaddexp2"]
# NumPy 2.4's vector loops of these fold several elements at once, as if no step waited for the one before it: what
# `reduce` gives there is not the last of what `accumulate` gives.
MISCOUNTED = ["power", "arctan2"]
TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
         "complex64", "complex128"]
EXTENTS = [0, 1, 2, 3, 5, 8, 31, 32, 33, 64, 65, 127, 255, 256, 257, 1000, 1025, 2047, 4100]
MOST = 20_000
WITHIN = {"float16": 6e-2, "float32": 2e-4, "float64": 1e-9, "complex64": 2e-4, "complex128": 1e-9}


class Case:
    def __init__(self, dice, numbers):
        self.dtype = dice.choice(TYPES)
        rank = dice.choice([0, 1, 1, 1, 2, 2, 3, 4])
        dims = [dice.choice(EXTENTS) for _ in range(rank)]
        while np.prod(dims) > MOST:
            dims = [max(1, extent // 2) for extent in dims]
        order = dice.sample(range(rank), rank)
        back = [order.index(axis) for axis in range(rank)]
        apart = ", ".join([":"] * (rank - 1) + ["::2"])
        lying = [""] + ([f"x = x.transpose({order}).copy().transpose({back})", f"x = np.repeat(x, 2, axis=-1)[{apart}]",
                         "x = x[::-1]"] if rank else [])
        self.arrays = {"x": self.made(numbers, dims, self.dtype)}
        self.lying = dice.choice(lying)
        self.code = getattr(self, dice.choice(["reduce", "accumulate", "reduceat", "reduceat", "outer", "at", "at"]))(dice, numbers)

    def made(self, numbers, shape, dtype):
        kind = np.dtype(dtype).kind
        if kind == "b":
            return np.asarray(numbers.random(shape) < 0.5)
        if kind == "f":
            # Few digits, so that quotients and remainders are near no step.
            return np.asarray(numbers.integers(-12, 13, shape) / 4, dtype=dtype)
        if kind == "c":
            return np.asarray(numbers.integers(-4, 5, shape) / 4 + 0.25j * numbers.integers(1, 5, shape), dtype=dtype)
        return np.asarray(numbers.integers(0 if kind == "u" else -3, 8, shape), dtype=dtype)

    def axis(self, dice):
        rank = self.arrays["x"].ndim
        return dice.choice([*range(-rank, rank), 0, -1, None, rank])

    def typed(self, dice):
        return dice.choice(["", "", "", f", dtype='{dice.choice(TYPES)}'"])

    def reduce(self, dice, numbers):
        more = dice.choice(["", "", "", ", keepdims=True", ", initial=3", ", where=x > 0", ", initial=2, where=x > 0"])
        return f"r = np.{dice.choice(self.functions(MISCOUNTED))}.reduce(x, axis={self.axis(dice)}{self.typed(dice)}{more})"

    def accumulate(self, dice, numbers):
        # What float16 can't hold on the way differs by how wide that is.
        typed, name = self.typed(dice), dice.choice(self.functions())
        typed = "" if "float16" in typed and name in ("multiply", "divide", "power") else typed
        return f"r = np.{name}.accumulate(x, axis={self.axis(dice)}{typed})"

    def reduceat(self, dice, numbers):
        axis, shape = self.axis(dice), self.arrays["x"].shape
        count = shape[axis or 0] if shape and -len(shape) <= (axis or 0) < len(shape) else 3
        starts = numbers.integers(0, max(1, count + dice.choice([0, 0, 0, 0, 1])), dice.choice([0, 1, 2, 3, 10, 70]))
        if dice.random() < 0.6:
            starts.sort()
        return f"r = np.{dice.choice(self.functions(MISCOUNTED))}.reduceat(x, {starts.tolist() or 'np.zeros(0, dtype=int)'}, axis={axis}{self.typed(dice)})"

    def outer(self, dice, numbers):
        self.arrays["y"] = self.made(numbers, [dice.choice([0, 1, 3, 7])], dice.choice([self.dtype, dice.choice(TYPES)]))
        return f"r = np.{dice.choice(self.functions())}.outer(x, y)"

    def at(self, dice, numbers):
        x = self.arrays["x"]
        extent = x.shape[0] if x.ndim else 1
        count = dice.choice([0, 1, 5, 40, 300]) if extent else 0
        places = numbers.integers(-extent, extent, count) if extent else numbers.integers(0, 1, 0)
        self.arrays["k"] = places % dice.choice([1, min(3, extent), extent]) if extent else places
        where = "k" if x.ndim else "..."
        if dice.random() < 0.25:
            return f"np.{dice.choice(OF_ONE if x.dtype.kind == 'f' else ['negative', 'square', 'logical_not'])}.at(x, {where}); r = x"
        shape = dice.choice([[], list(x[self.arrays["k"]].shape) if x.ndim else []])
        kinds = [kind for kind in TYPES if np.can_cast(np.result_type(kind, x.dtype), x.dtype, "same_kind")]
        self.arrays["y"] = self.made(numbers, shape, dice.choice([self.dtype, self.dtype, dice.choice(kinds)]))
        # NumPy casts what it makes to anything, the language refuses another kind.
        names = self.functions({"f": (), "c": ("power",)}.get(x.dtype.kind, OF_FLOATS))
        return f"np.{dice.choice(names)}.at(x, {where}, y); r = x"

    def functions(self, left_out=()):
        """Those for the array, without others.

        Integers that are divided by zero are an error of the language, what it makes of small integers is no narrower
        than float32, and bools have common divisors. Products and quotients soon leave the range of float16.
        """
        kind = np.dtype(self.dtype).kind
        left_out = {*left_out, *(() if kind in "fc" else DIVIDING), *(["gcd", "lcm"] if kind == "b" else [])}
        if self.dtype in ("bool", "int8", "uint8"):
            left_out |= set(OF_FLOATS)
        if self.dtype == "float16":
            left_out |= {"multiply", "divide", "power"}
        return [name for name in FUNCTIONS if name not in left_out]

    def expected(self):
        """NumPy's result, or the kind of its error."""
        names = {"np": np, **{name: value.copy() for name, value in self.arrays.items()}}
        try:
            with np.errstate(all="ignore"):
                exec(self.lying, names)
                exec(self.code, names)
        except Exception as error:
            return type(error).__name__
        return np.asarray(names["r"])

    def difference(self, found, expected):
        if isinstance(found, str) or isinstance(expected, str):
            if isinstance(found, str) and found == "ZeroDivisionError" and any(name in self.code for name in DIVIDING):
                return None
            # Where a type and a place are wrong, either may be told.
            faults = {"UFuncTypeError", "TypeError", "AxisError", "IndexError", "ValueError"}
            is_same = isinstance(found, str) and isinstance(expected, str) and (found == expected or {found, expected} <= faults)
            return None if is_same else f"{found!r:.60}, expected {expected!r:.60}"
        if found.shape != expected.shape:
            return f"{found.shape}, expected {expected.shape}"
        # Of two types the results are those of the language's own promotion.
        if found.dtype != expected.dtype and "y" not in self.arrays and found.dtype.name not in ("float32", "complex64"):
            return f"{found.dtype}, expected {expected.dtype}"
        if expected.dtype.kind in "biu":
            return None if (found == expected).all() else f"{(found != expected).sum()} of {found.size} elements"
        # As wide as what is computed with, or narrower on the way.
        within = max(WITHIN.get(name, 0) for name in (self.dtype, found.dtype.name, expected.dtype.name))
        wide = "complex128" if expected.dtype.kind == "c" else "float64"
        found, expected = found.astype(wide), expected.astype(wide)
        with np.errstate(all="ignore"):
            scale = max(1.0, float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0)))
            return None if np.allclose(found, expected, rtol=within, atol=within * scale, equal_nan=True) else "other numbers"

    def __str__(self):
        shapes = ", ".join(f"{name} {value.dtype}{value.shape}" for name, value in self.arrays.items())
        return f"{self.code[:150]} | {shapes}; {self.lying or 'contiguous'}"


if __name__ == "__main__":
    sys.exit(compare(Case, "calls") > 0)
