#!/usr/bin/env python3
"""Writes down NumPy's names: of its main namespace, of `np.fft`, and of what its arrays, types, functions and other
objects have. `tests/numpy_names.rs` holds ours against them, and makes `grammar/numpy-names.md`.

    tests/numpy/names.py > tests/numpy/names.txt
"""

import types

import numpy as np


def kind(value):
    if isinstance(value, np.ufunc):
        return "ufunc"
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "type" if issubclass(value, np.generic) else "class"
    return "function" if callable(value) else "constant"


for name in sorted(dir(np)):
    if not name.startswith("_"):
        print(f"np.{name}\t{kind(getattr(np, name))}")
for name in sorted(np.fft.__all__):
    print(f"np.fft.{name}\t{kind(getattr(np.fft, name))}")
for name in sorted(dir(np.ndarray)):
    if not name.startswith("_"):
        value = getattr(np.ndarray, name)
        print(f"x.{name}\t{'method' if callable(value) else 'attribute'}")
objects = {"dtype": np.dtype("float64"), "ufunc": np.add, "gufunc": np.matmul, "finfo": np.finfo("float64"),
           "iinfo": np.iinfo("int64"), "poly1d": np.poly1d([1, 2]), "polynomial": np.polynomial.Polynomial([1, 2]),
           "generator": np.random.default_rng(1), "nditer": np.nditer(np.zeros(3)), "broadcast": np.broadcast(np.zeros(3), 1),
           "flat": np.zeros(3).flat, "flags": np.zeros(3).flags, "version": np.version}
for owner, one in objects.items():
    for name in sorted(dir(one)):
        if not name.startswith("_"):
            # An iterator's own attribute may not be there to be asked for.
            value = getattr(type(one), name) if hasattr(type(one), name) else getattr(one, name)
            print(f"{owner}.{name}\t{'method' if callable(value) else 'attribute'}")
