#!/usr/bin/env python3
"""Writes scalars.jsonl: what Python numbers become beside arrays of each type, by NumPy.

    python tests/numpy/scalars.py > tests/numpy/scalars.jsonl

A line is {"setup": program, "cases": [[program, value, both], …]}: the value of each program's last
statement after the setup, encoded as in generate.py. `both` says that it does not hang on the type of
new floats, so that it holds in either mode of `default_float`.
"""

import json
import sys
import warnings

import numpy as np

from generate import encode, kind_of

TYPES = ["f8", "f4", "f2", "i8", "i4", "i1", "u1"]
NUMBERS = ["0.1", "-2.5", "2147483647.0", "2**53 + 1", "float(2**53 + 1)", "1e300", "300", "-1", "3.0", "nan", "inf", "True"]
# {x}: an array; {s}: the number; {m}: a mask.
RESULTS = [
    "np.full_like(x, {s})", "np.pad(x, 1, constant_values={s})", "np.insert(x, 1, {s})", "np.append(x, {s})",
    "np.where(m, x, {s})", "np.where(m, {s}, x)", "np.clip(x, {s}, None)", "np.clip(x, None, {s})",
    "np.array_equal(x, [{s}, {s}, {s}])", "np.array_equal(np.full(3, 1, x.dtype) * x[2], x[2])",
    "np.isclose(x, {s}, rtol=0, atol=0)", "np.allclose(x[2:], {s}, rtol=0, atol=0)",
    "np.isin(x, {s})", "np.isin(x, [{s}, 7])", "np.isin({s}, x)", "np.searchsorted(np.sort(x), {s})",
    "np.searchsorted(np.sort(x), [{s}, 0.5], side='right')", "np.digitize(x, [{s}])", "np.digitize({s}, np.sort(x))",
    "np.select([m], [x], {s})", "np.select([m], [{s}], x)", "np.choose(i, [x, {s}])", "np.maximum(x, {s})", "np.minimum({s}, x)",
    "x + {s}", "{s} - x", "x * {s}", "x == {s}", "x < {s}", "{s} >= x", "x != [{s}, 1, 2]", "np.greater(x, {s})", "np.add(x, [{s}, 1, 2])",
    "np.nan_to_num(x, nan={s})", "np.union1d(x, [{s}])", "np.setdiff1d(x, [{s}])", "np.intersect1d(x, [{s}])",
    "np.concatenate([x, [{s}]])", "np.hstack([x, {s}])", "np.stack([x[0], {s}])", "np.array([x[0], {s}])", "np.diff(x, prepend={s})",
    "np.dot(x, {s})", "np.dot(x, [{s}, 1, 1])", "np.outer(x, [{s}])", "np.heaviside(x, {s})", "np.copysign(x, {s})",
    "np.float_power(np.abs(x[:2]), 0.1)", "np.array([{s}], dtype=x.dtype)", "np.asarray({s}, dtype=x.dtype)",
    "np.trapezoid(x[:2], dx={s})", "np.average(x[:2], weights=[0.1, {s}])", "np.interp({s}, [0.1, 0.2], [0.3, 0.7])",
    "np.add(x, {s}, dtype='f8')", "np.sum([{s}, 0.1], dtype='f8')", "np.cumsum([{s}, 0.7], dtype='f8')", "np.exp(0.1, dtype='f8')",
    "np.block([x, {s}])", "np.vdot(x, [{s}, 0, 0])", "np.where(m, x, [{s}, 1, 2])", "np.full(2, {s}, dtype=x.dtype)", "{s} in x",
]
STORES = [
    "a[0] = {s}", "a[:] = {s}", "a[m] = {s}", "a[[0, 2]] = {s}", "a[:] = [{s}, 1, 1]", "a[m] = [{s}, 1]", "a.fill({s})", "np.put(a, [0], {s})",
    "np.put(a, [0, 1], [{s}, 1])", "np.putmask(a, m, {s})", "np.place(a, m, {s})", "np.place(a, m, [{s}])", "np.copyto(a, {s})",
    "np.put_along_axis(a, np.array([1]), {s}, 0)", "b = a.reshape(1, 3); np.fill_diagonal(b, {s})", "np.add.at(a, [0, 0], {s})",
]


def setups():
    for code in TYPES:
        for number in NUMBERS:
            setup = f"x = np.array([1, 0, 5], dtype='{code}'); m = np.array([True, False, True]); i = np.array([0, 1, 1])"
            # The third element is the number itself where the type has it.
            held = hold(number, code)
            if held is not None:
                setup += f"; x[2] = {held}"
            lasts = [template.format(s=number) for template in RESULTS]
            stores = [f"a = x.copy(); {template.format(s=number)}; a" for template in STORES]
            yield code, number, setup, dict.fromkeys(lasts + stores)


def hold(number, code):
    try:
        np.array([eval(number, {"nan": np.nan, "inf": np.inf})], dtype=code)
    except (ValueError, OverflowError):
        return None
    return number


def answer(setup, program):
    scope = {"np": np, "nan": np.nan, "inf": np.inf}
    body, _, last = f"{setup}; {program}".rpartition("; ")
    try:
        exec(body, scope)
        return encode(eval(last, scope))
    except RuntimeWarning:
        return None
    except Exception as error:
        return {"error": kind_of(error)}


def is_float(value):
    return isinstance(value, list) and value[0].startswith("float") or isinstance(value, float)


def main():
    # Where NumPy warns, the value is nobody's.
    warnings.simplefilter("error", RuntimeWarning)
    warnings.filterwarnings("ignore", "overflow encountered in cast|invalid value encountered in cast")
    for code, number, setup, programs in setups():
        cases = []
        for program in programs:
            if is_left_out(code, number, program):
                continue
            with np.errstate(all="ignore"):
                value = answer(setup, program)
            if value is not None:
                both = code == "f8" and "interp" not in program or code[0] in "iu" and not is_float(value)
                cases.append([program, value, both])
        json.dump({"setup": setup, "cases": cases}, sys.stdout, separators=(",", ":"))
        print()


def is_left_out(code, number, program):
    """What differs on purpose."""
    whole = number in ("2**53 + 1", "300", "-1", "True")
    if code[0] in "iu":
        # NumPy's `full`, `where` and their kin wrap numbers that are too large.
        wraps = ("np.pad(", "np.full(", "np.full_like(", "np.where(", "np.select(", "np.choose(")
        # Narrow integers become float16 there, and `add.at` adds in float64.
        narrow = code[1] == "1" and program.startswith(("np.heaviside(", "np.copysign("))
        return program.startswith(wraps) or narrow or "add.at" in program
    # An integer array that meets a narrower float takes its type.
    strong = ("[", "np.append", "np.diff", "np.hstack", "np.dot", "np.union1d", "np.intersect1d")
    return whole and code != "f8" and any(word in program for word in strong)


if __name__ == "__main__":
    main()
