#!/usr/bin/env python3
"""Writes down NumPy's names: of its main namespace, of `np.fft`, and of what its arrays have. `tests/numpy_names.rs` holds
ours against them, and makes `grammar/numpy-names.md`.

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
