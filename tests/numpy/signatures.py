#!/usr/bin/env python3
"""Writes down the parameters of NumPy's functions and methods, a line each: a call, a tab, and its parameters that
have names. `tests/numpy_names.rs` sees that ours take them.

    tests/numpy/signatures.py > tests/numpy/signatures.txt
"""

import inspect

import numpy as np

OWNERS = {
    "np": np,
    "np.linalg": np.linalg,
    "np.random": np.random,
    "np.testing": np.testing,
    "np.lib.stride_tricks": np.lib.stride_tricks,
    "np.polynomial.polynomial": np.polynomial.polynomial,
    "np.polynomial.chebyshev": np.polynomial.chebyshev,
    "np.polynomial.legendre": np.polynomial.legendre,
    "np.polynomial.hermite": np.polynomial.hermite,
    "np.polynomial.hermite_e": np.polynomial.hermite_e,
    "np.polynomial.laguerre": np.polynomial.laguerre,
    "x": np.ndarray,
    "polynomial": np.polynomial.Polynomial,
    "generator": np.random.Generator,
}


def is_function(value):
    is_kind = isinstance(value, type) and issubclass(value, (np.generic, BaseException))
    return callable(value) and not is_kind


def named(function):
    """The parameters that a call may name; None where NumPy does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [parameter.name for parameter in parameters if parameter.kind in kinds and parameter.name != "self"]


for owner, module in OWNERS.items():
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if name.startswith("_") or name == "test" or not is_function(value):
            continue
        parameters = named(value)
        if parameters:
            print(f"{owner}.{name}\t{' '.join(parameters)}")
for method in ("reduce", "accumulate", "reduceat", "outer", "at"):
    parameters = named(getattr(np.add, method))
    if parameters:
        print(f"np.add.{method}\t{' '.join(parameters)}")
