#!/usr/bin/env python3
"""Writes math_goldens.txt: elementary functions at ordinary and awkward arguments, computed by mpmath.

A line is `type name arguments… high low`: the exact value is `high + low`, to far beyond the type.
Arguments are such that float32's are exact in it. `nan` and `inf` stand for themselves.
"""

import math
import random
from pathlib import Path

import mpmath as mp
import numpy as np

RANDOM = random.Random(20)



def erfc(x):
    """What lies beyond has no digit in any type."""
    return mp.erfc(max(min(x, mp.mpf(40)), mp.mpf(-40)))


def lgamma(x):
    if x > 0:
        return mp.loggamma(x)
    return mp.log(mp.pi / abs(mp.sinpi(x))) - mp.loggamma(1 - x)


UNARY = {
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "exp": mp.exp,
    "exp2": lambda x: mp.power(2, x),
    "expm1": mp.expm1,
    "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "log10": mp.log10,
    "log1p": mp.log1p,
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "erf": mp.erf,
    "erfc": erfc,
    "lgamma": lgamma,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
}
BINARY = {
    "pow": mp.power,
    "atan2": mp.atan2,
    "hypot": mp.hypot,
    "logaddexp": lambda x, y: mp.log(mp.exp(x) + mp.exp(y)),
    "logaddexp2": lambda x, y: mp.log(mp.power(2, x) + mp.power(2, y)) / mp.log(2),
}
# Where a function has no finite real value, or one that NumPy gives by rule.
POLES = {
    "log": lambda x: x <= 0,
    "log2": lambda x: x <= 0,
    "log10": lambda x: x <= 0,
    "rsqrt": lambda x: x <= 0,
    "log1p": lambda x: x <= -1,
    "lgamma": lambda x: x <= 0 and x == math.floor(x),
    "asin": lambda x: abs(x) > 1,
    "acos": lambda x: abs(x) > 1,
    "acosh": lambda x: x < 1,
    "atanh": lambda x: abs(x) >= 1,
}


def arguments(info):
    """Everyday numbers, both ends of the range, and neighbours of 0, 1 and of powers of two."""
    eps, tiny, huge = float(info.eps), float(info.tiny), float(info.max)
    some = [0.0, tiny * eps, tiny, huge, 0.5, 1.0, 2.0, math.pi / 2, math.pi, 1e5, 1e22, 0.1, 20.0]
    for power in range(0, 54, 9):
        step = eps * 2.0**power
        some += [step, 1 - step, 1 + step]
    for _ in range(6):
        some += [RANDOM.random(), 3 * RANDOM.random(), 100 * RANDOM.random()]
        some.append(math.exp(RANDOM.uniform(math.log(tiny), math.log(huge))))
    return [x for one in some for x in (one, -one) if abs(x) <= huge]


def pairs(name, info):
    some = arguments(info)
    both = [(RANDOM.choice(some), RANDOM.choice(some)) for _ in range(40)]
    if name.startswith("log"):
        # Sums that nearly cancel: the second is what the first leaves of one.
        base = 2 if name == "logaddexp2" else math.e
        for _ in range(40):
            x = -RANDOM.random() * 4
            both.append((x, math.log1p(-(base**x)) / math.log(base)))
        both = [pair for pair in both if max(map(abs, pair)) < 1e4]
    if name == "pow":
        both = [(abs(x), y) for x, y in both if abs(x) > 0]
    if name == "atan2":
        both = [pair for pair in both if 0.0 not in pair]
    return both


def line(dtype, name, function, given, info):
    if name in POLES and POLES[name](given[0]):
        return None
    mp.mp.prec = 400 + 4 * max(abs(math.frexp(x)[1]) for x in given)
    exact = function(*map(mp.mpf, given))
    # Beyond half a step above the largest number everything is rounded to infinity.
    if abs(exact) >= mp.mpf(2) ** int(info.maxexp) * (1 - mp.mpf(2) ** -(info.nmant + 2)):
        high, low = math.copysign(math.inf, exact), 0.0
    else:
        high = float(exact)
        low = float(exact - mp.mpf(high))
    if exact == 0:
        # Odd functions keep the sign of a zero.
        high = given[0] if given[0] == 0 and name not in ("acos", "acosh") else 0.0
    words = [dtype, name, *map(repr, given), repr(high), repr(low)]
    return " ".join(words)


# Functions of float64 that are written here, without a library, and the ranges in which they take another way.
WRITTEN = {
    "expm1": [(-40.0, 709.5), (-1.0, 1.0)],
    "log1p": [(-1.0, 3.0), (-0.31, 0.44), (0.0, 1e4)],
    "tanh": [(-23.0, 23.0), (-1.0, 1.0)],
    "sin": [(-8.0, 8.0), (-1e5, 1e5), (-1e9, 1e9), (-3e9, 3e9)],
    "cos": [(-8.0, 8.0), (-1e5, 1e5), (-1e9, 1e9), (-3e9, 3e9)],
    "tan": [(-8.0, 8.0), (-1e5, 1e5), (-1e9, 1e9), (-3e9, 3e9)],
    "exp2": [(-1.0, 1.0), (-1075.0, 1024.0), (-1075.0, -1021.0)],
    "log2": [(0.5, 2.0), (0.999, 1.001), (0.0, 1e-307)],
    "log10": [(0.5, 2.0), (0.999, 1.001), (0.0, 1e-307)],
    "cbrt": [(1.0, 8.0), (-1e-307, 1e-307)],
    "sinh": [(-1.0, 1.0), (-45.0, 45.0), (-710.4, 710.4)],
    "cosh": [(-1.0, 1.0), (-45.0, 45.0), (-710.4, 710.4)],
    "asin": [(-1.0, 1.0), (0.49, 0.51), (0.999, 1.0)],
    "acos": [(-1.0, 1.0), (0.49, 0.51), (0.999, 1.0)],
    "atan": [(-1.0, 1.0), (0.0, 4.0)],
    "asinh": [(-1.0, 1.0), (-1e4, 1e4), (9e8, 1.1e9)],
    "acosh": [(1.0, 2.0), (1.0, 1.001), (1.0, 1e4), (9e8, 1.1e9)],
    "atanh": [(-1.0, 1.0), (-1e-3, 1e-3), (0.999, 1.0)],
}
# Where these begin to go another way, or to be infinite.
EDGES = [0.5, 1.0, 7 / 16, 11 / 16, 19 / 16, 39 / 16, math.sqrt(0.5), math.sqrt(2), 40.0, 1e9, 1e18, 1e-17, 710.4758600739439, 1024.0, 1022.0, 8.0, 1000.0]


def more_arguments(name):
    """Numbers of every size and all over these ranges; next to zeros of sine and cosine, too."""
    drawn = random.Random(name)
    some = [drawn.choice((-1, 1)) * 10 ** drawn.uniform(-308, 308) for _ in range(40)]
    some += [drawn.choice((-1, 1)) * 10 ** drawn.uniform(-20, 3) for _ in range(60)]
    for low, high in WRITTEN[name]:
        some += [drawn.uniform(low, high) for _ in range(60)]
    if name not in ("expm1", "log1p", "tanh", "sin", "cos"):
        some += [y for x in EDGES for e in (x, -x) for y in (e, math.nextafter(e, math.inf), math.nextafter(e, -math.inf))]
    if name in ("sin", "cos", "tan"):
        some += [drawn.randrange(1, 1 << drawn.randrange(1, 30)) * (math.pi / 2) for _ in range(60)]
        some += [1e9, math.nextafter(1e9, math.inf), 6381956970095103.0 * 2.0**-24]
    return some


def more_powers():
    """Bases of every size, also next to one and below zero, with exponents such that all sizes of results come up."""
    drawn = random.Random("pow")
    some = []
    for _ in range(60):
        x = 10 ** drawn.uniform(-308, 308)
        some.append((x, drawn.uniform(-700, 700) / math.log(x)))
        some.append((1 + 10 ** drawn.uniform(-15, -1) * drawn.choice((-1, 1)), drawn.uniform(-1e3, 1e3)))
        some.append((drawn.uniform(0.5, 2), drawn.uniform(-1000, 1000)))
        some.append((-drawn.uniform(0, 5), float(drawn.randrange(-20, 20))))
        some.append((float(drawn.randrange(1, 50)), float(drawn.randrange(-12, 12))))
        some.append((5e-324 * drawn.randrange(1, 1 << 40), drawn.uniform(-0.9, 0.9)))
    return some


def main():
    lines = []
    for dtype, kind in (("float64", np.float64), ("float32", np.float32)):
        info = np.finfo(kind)
        for name, function in UNARY.items():
            for x in arguments(info):
                lines.append(line(dtype, name, function, [float(kind(x))], info))
        for name, function in BINARY.items():
            for x, y in pairs(name, info):
                lines.append(line(dtype, name, function, [float(kind(x)), float(kind(y))], info))
    for name in WRITTEN:
        for x in more_arguments(name):
            lines.append(line("float64", name, UNARY[name], [x], np.finfo(np.float64)))
    for x, y in more_powers():
        lines.append(line("float64", "pow", mp.power, [x, y], np.finfo(np.float64)))
    text = "\n".join(dict.fromkeys(filter(None, lines))) + "\n"
    (Path(__file__).parent / "math_goldens.txt").write_text(text)


if __name__ == "__main__":
    main()
