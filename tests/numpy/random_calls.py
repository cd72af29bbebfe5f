#!/usr/bin/env python3
"""Writes random_calls.jsonl: what random calls of a generator give in NumPy, as type and shape or as an error.

    python tests/numpy/random_calls.py --count 2500 > tests/numpy/random_calls.jsonl

The numbers themselves are not compared. Left out is where an error lies in the words that NumPy's compiler puts
together, and where NumPy wants what we do not need: an `out` of one type that lies in one piece.
"""

import argparse
import json
import random
import warnings

import numpy as np

KINDS = {
    "positive": [1, 2.5, 0.3, 10, 100.0, 0, -1],
    "real": [0, 1, -2.5, 3.0],
    "chance": [0.2, 0.5, 0.9, 1, 0, 1.5, -0.1],
    "count": [0, 1, 5, 100, -1],
    "whole": [0, 3, -5, 100, 2**40],
    "exponent": [2, 1.5, 4.0, 1, 0.5],
}
SHAPES = [(2,), (3,), (1,), (2, 1), (1, 3), (2, 3), (0,), (3, 1), ()]
SIZES = ["3", "(2, 3)", "()", "0", "(3,)", "(2, 1)", "[2, 3]", "(0, 2)", "(2, 2, 3)", "1", "-1", "2.0", "(1,)"]
ARRAYS = ["5", "0", "np.arange(6).reshape(2, 3)", "np.arange(4)", "[1, 2, 3]", "[[1, 2], [3, 4]]", "np.zeros((2, 0))",
          "3", "[1.5, 2]", "(1, 2, 3)", "[]", "np.array(3)"]
TEXTS = {
    "array": ARRAYS,
    "chances": ["[.2, .3, .5]", "[1.]", "[[.5, .5], [.1, .9]]", "[.5, .8, .1]", "[-.1, 1.1]", "[]", ".5",
                "np.array([.25] * 4)"],
    "weights": ["[1, 2, 3]", "[.1, .2]", "[1.]", "[-1, 2]", "[]", "np.ones(4)"],
    "colors": ["[3, 4, 5]", "[1]", "[0, 0]", "[-1, 2]", "[10, 0, 2]"],
}
METHODS = {
    "normal": ["real", "positive"], "lognormal": ["real", "positive"], "uniform": ["real", "positive"],
    "exponential": ["positive"], "laplace": ["real", "positive"], "logistic": ["real", "positive"],
    "gumbel": ["real", "positive"], "rayleigh": ["positive"], "weibull": ["positive"], "pareto": ["positive"],
    "power": ["positive"], "standard_cauchy": [], "triangular": ["real", "positive", "positive"],
    "wald": ["positive", "positive"], "standard_gamma": ["positive"], "gamma": ["positive", "positive"],
    "beta": ["positive", "positive"], "chisquare": ["positive"], "f": ["positive", "positive"],
    "standard_t": ["positive"], "noncentral_chisquare": ["positive", "positive"],
    "noncentral_f": ["positive"] * 3, "vonmises": ["real", "positive"], "poisson": ["positive"],
    "binomial": ["count", "chance"], "negative_binomial": ["positive", "chance"], "geometric": ["chance"],
    "hypergeometric": ["count"] * 3, "logseries": ["chance"], "zipf": ["exponent"], "integers": ["whole", "whole"],
    "random": [], "standard_normal": [], "standard_exponential": [], "permutation": ["array"],
    "permuted": ["array"], "choice": ["array"], "multinomial": ["count", "chances"], "dirichlet": ["weights"],
    "multivariate_hypergeometric": ["colors", "count"], "shuffle": ["array"],
}
TYPED = ("random", "standard_normal", "standard_exponential", "standard_gamma")
UNSIZED = ("permutation", "permuted", "shuffle")


def parameter(dice, kind):
    if kind in TEXTS:
        return dice.choice(TEXTS[kind])
    values = KINDS[kind]

    def one(shape):
        if shape:
            return [one(shape[1:]) for _ in range(shape[0])]
        return dice.choice(values[:4] if dice.random() < 0.85 else values)

    if dice.random() < 0.6:
        return repr(one(()))
    shape = dice.choice(SHAPES)
    text = repr(one(shape))
    return text if dice.random() < 0.5 and shape != (0,) else f"np.array({text})"


def call(dice):
    method = dice.choice(list(METHODS))
    arguments = [parameter(dice, kind) for kind in METHODS[method]]
    named = {}
    if method == "choice":
        if dice.random() < 0.4:
            named["replace"] = "False"
        if dice.random() < 0.3:
            named["axis"] = dice.choice(["0", "1", "-1"])
        if dice.random() < 0.2:
            named["p"] = dice.choice(["[.5, .5]", "[.2, .3, .5]", "[.25] * 4", "[.5, .6]", "[1, 0]", "[-1, 2]", "[.2] * 5"])
    if method in UNSIZED and dice.random() < 0.5:
        named["axis"] = dice.choice(["0", "1", "-1", "2"])
    if method == "integers":
        if dice.random() < 0.3:
            arguments.pop()
        if dice.random() < 0.3:
            named["endpoint"] = "True"
        if dice.random() < 0.4:
            named["dtype"] = dice.choice(["'int8'", "'uint8'", "'int32'", "'int64'", "bool", "float", "'int16'"])
    if method in TYPED and dice.random() < 0.3:
        named["dtype"] = dice.choice(["'float32'", "'float64'", "int", "'float16'"])
    if method in TYPED and dice.random() < 0.2:
        named["out"] = dice.choice(["np.zeros(3)", "np.zeros((2, 3))"])
    if dice.random() < 0.65 and method not in UNSIZED:
        named["size"] = dice.choice(SIZES)
    if method == "integers" and "[" in "".join(arguments):
        named.pop("size", None)
    if method in ("integers", "choice") or "out" in named:
        # NumPy asks nothing more of numbers that nobody wants, and looks at a wrong length last.
        if named.get("size") in ("0", "(0, 2)", "-1"):
            del named["size"]
    return f"{method}({', '.join(arguments + [f'{name}={value}' for name, value in named.items()])})"


def answer(text):
    try:
        found = eval("g." + text, {"g": np.random.default_rng(1), "np": np})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, (np.ndarray, np.generic)):
        return f"{found.dtype} {tuple(int(length) for length in found.shape)}"
    return "None" if found is None else type(found).__name__


# Which operands numbers in an error count, NumPy decides by the way it takes inside.
UNLIKE = ("Mismatch is between", "operands could not be broadcast", "positional argument", "object is not iterable",
          "cannot be interpreted", "tuple index out of range", "dtype('float16')", "maximum number of dimension",
          "is not compatible with broadcast")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=2500)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    dice = random.Random(given.seed)
    for text in sorted({call(dice) for _ in range(given.count)}):
        found = answer(text)
        if not any(words in found for words in UNLIKE):
            print(json.dumps([text, found]))


if __name__ == "__main__":
    main()
