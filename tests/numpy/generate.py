#!/usr/bin/env python3
"""Writes goldens.jsonl: expressions over shared inputs, and what NumPy makes of them.

    pip install numpy==2.4.6
    python tests/numpy/generate.py > tests/numpy/goldens.jsonl

The first line holds the program that makes the inputs. Every further line is one function:
{"f": name, "ulps": tolerance in units of the dtype's epsilon, relative to the larger of the
expected value and the case's scale, "cases": [[expression, value], ...]}. A value is
["float64", shape, flat data], of complex numbers both parts one after the other, {"items": [...]} for tuples and lists, a bare number, bool or string
for Python's own, or {"error": kind}. Cases in which NumPy's promotion differs from ours on purpose
(an integer tensor that meets a narrower float, narrow integers under a transcendental function)
are left out: they have tests of their own in tests/suite.
"""

import json
import sys
import warnings

import numpy as np

PINNED = "2.4.6"
EPS = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}

# name: (dtype code, literal)
INPUTS = {}


def literal(values):
    return repr(values.tolist())


def make_inputs():
    rng = np.random.default_rng(20)
    shapes = {"z": (), "v": (7,), "m": (3, 4), "t": (2, 3, 4), "c": (3, 1), "w": (4,), "e": (0, 3)}
    for code in ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u1", "b1"]:
        for name, shape in shapes.items():
            if code in ("i2", "f2") and name in "tcw":
                continue
            if code[0] == "f":
                data = np.round(rng.uniform(-3, 3, shape), 2)
            elif code == "b1":
                data = rng.integers(0, 2, shape).astype(bool)
            elif code == "u1":
                data = rng.integers(0, 12, shape)
            else:
                data = rng.integers(-6, 7, shape)
            INPUTS[f"{name}_{code}"] = f"np.array({literal(np.asarray(data))}, dtype='{code}').reshape({shape})"
        INPUTS[f"r_{code}"] = f"m_{code}[::-1, ::-2]"
        if code not in ("i2", "f2"):
            INPUTS[f"p_{code}"] = f"t_{code}.transpose(2, 0, 1)"
    for code in ["f8", "f4"]:
        INPUTS[f"pos_{code}"] = f"np.array({literal(np.round(rng.uniform(0.05, 4, (3, 4)), 2))}, dtype='{code}')"
        INPUTS[f"unit_{code}"] = f"np.array({literal(np.round(rng.uniform(-0.95, 0.95, (3, 4)), 2))}, dtype='{code}')"
        INPUTS[f"odd_{code}"] = (
            f"np.array([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, 3.5], dtype='{code}')"
        )
        INPUTS[f"nm_{code}"] = f"np.array([[1.5, nan, -2.0], [nan, nan, 0.5], [3.0, 1.0, -1.0]], dtype='{code}')"
    INPUTS["nz_i8"] = "np.array([3, -2, 5, 7])"
    INPUTS["nz_i4"] = "np.array([3, -2, 5, 7], dtype='i4')"
    INPUTS["nz_u1"] = "np.array([3, 2, 5, 7], dtype='u1')"
    INPUTS["sh_i8"] = "np.array([0, 1, 3, 2])"
    INPUTS["dup"] = "np.array([3, 1, 2, 3, 1, 3, 0])"
    INPUTS["srt"] = "np.array([1, 2, 4, 4, 7, 9])"
    INPUTS["ix"] = "np.array([2, 0, -1])"


def setup_lines():
    lines = ["import numpy as np", "from numpy import nan, inf"]
    lines += [f"{name} = {text}" for name, text in INPUTS.items()]
    return lines


def number(value):
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
    return value


def encode(value):
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        flat = value.reshape(-1)
        if value.dtype.kind == "c":
            flat = flat.view(flat.real.dtype)
        return [value.dtype.name, list(value.shape), [number(v) for v in flat.tolist()]]
    if isinstance(value, (tuple, list)):
        return {"items": [encode(v) for v in value]}
    if isinstance(value, dict):
        return {"items": [encode(v) for v in value.items()]}
    if isinstance(value, np.dtype) or isinstance(value, type):
        return str(np.dtype(value))
    return number(value)


GROUPS = []
SCOPE = {}


def group(name, expressions, ulps=0, scale=0.0):
    cases = []
    for text in expressions:
        scope = dict(SCOPE)
        body, _, last = text.rpartition("; ")
        try:
            if body:
                exec(body, scope)
            value = encode(eval(last, scope))
        except Exception as error:  # the kind is the golden
            value = {"error": kind_of(error)}
        cases.append([text, value])
    GROUPS.append({"f": name, "ulps": ulps, "scale": scale, "cases": cases})


def kind_of(error):
    for kind in (ZeroDivisionError, OverflowError, np.exceptions.AxisError, IndexError, TypeError, ValueError, KeyError, AttributeError, MemoryError):
        if isinstance(error, kind):
            return kind.__name__
    raise error


def each(template, *choices):
    """Every combination: {0} from the first list, {1} from the second …"""
    import itertools

    return [template.format(*combination) for combination in itertools.product(*choices)]


FLOATS = ["f8", "f4"]
INTS = ["i8", "i4", "i2", "i1", "u1"]
WIDE = ["i8", "i4"]


def elementwise():
    shapes = ["v", "m", "z", "e", "r", "p"]
    plain = ["negative", "positive", "absolute", "fabs", "sign", "rint", "floor", "ceil", "trunc", "square", "signbit",
             "isnan", "isinf", "isfinite", "fix", "conj", "real"]
    for name in plain:
        on = [f"{s}_{d}" for d in FLOATS for s in (shapes if d == "f8" else ["m", "r"])] + ["m_f2", "odd_f8", "odd_f4"]
        if name not in ("fabs", "signbit", "rint"):
            on += [f"m_{d}" for d in INTS] + ["z_i8", "r_i4"]
        else:
            on += ["m_i8"]
        if name in ("negative", "sign", "absolute", "isnan", "positive"):
            on += ["m_b1"]
        if name == "positive":
            on.remove("m_b1")
        group(name, each(f"np.{name}({{0}})", on))
    near = {"exp": 2, "exp2": 2, "expm1": 3, "sin": 2, "cos": 2, "tan": 3, "arctan": 2, "sinh": 3, "cosh": 3, "tanh": 3,
            "arcsinh": 3, "cbrt": 2, "degrees": 2, "radians": 2, "rad2deg": 2, "deg2rad": 2, "sinc": 4}
    for name, ulps in near.items():
        group(name, each(f"np.{name}({{0}})", ["v_f8", "m_f8", "z_f8", "e_f8", "r_f8", "m_f4", "r_f4", "odd_f8", "odd_f4", "m_i8", "m_i4", "m_f2"]), ulps)
    positive = {"sqrt": 0, "log": 2, "log2": 3, "log10": 3, "log1p": 3, "reciprocal": 0, "arccosh": 4}
    for name, ulps in positive.items():
        group(name, each(f"np.{name}({{0}})", ["pos_f8", "pos_f4", "odd_f8", "odd_f4", "pos_f8[::-1, ::2]"]), ulps)
    for name in ["arcsin", "arccos", "arctanh"]:
        group(name, each(f"np.{name}({{0}})", ["unit_f8", "unit_f4", "odd_f8"]), 4)

    pairs = [("v_{}", "v_{}"), ("m_{}", "m_{}"), ("m_{}", "c_{}"), ("t_{}", "w_{}"), ("m_{}", "z_{}"), ("r_{}", "c_{}"), ("e_{}", "e_{}"), ("p_{}", "p_{}"), ("c_{}", "w_{}")]
    pairs_of = lambda code: [(a.format(code), b.format(code)) for a, b in pairs]
    scalars = lambda code: [(f"m_{code}", "2"), ("3", f"m_{code}")]
    for name in ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor"]:
        on = pairs_of("f8") + pairs_of("i8")[:5] + scalars("f8") + scalars("i4") + scalars("u1")
        on += [(f"m_{d}", f"c_{d}") for d in ["f4", "i4", "i1", "u1", "b1"]] + [("m_u1", "m_i1"), ("m_i1", "w_i8"), ("m_b1", "m_f4"), ("m_b1", "2.5"), ("m_f4", "2.5"), ("m_i8", "0.5"), ("m_f4", "m_f8"), ("m_i1", "m_f4"), ("odd_f8", "odd_f8[::-1]"), ("m_i1", "300"), ("m_f8", "v_f8"), ("t_f8", "c_f8"), ("m_b1", "True"), ("m_u1", "-1")]
        group(name, [f"np.{name}({a}, {b})" for a, b in on])
    for name, ulps in {"divide": 0, "true_divide": 0, "power": 2, "float_power": 2, "arctan2": 3, "hypot": 2, "copysign": 0, "nextafter": 0, "logaddexp": 4, "logaddexp2": 4, "fmod": 0, "floor_divide": 0, "remainder": 0, "mod": 0, "heaviside": 0}.items():
        on = pairs_of("f8")[:6] + [("m_f4", "c_f4"), ("odd_f8", "odd_f8[::-1]"), ("m_f8", "2.0"), ("2.0", "m_f8"), ("m_f4", "2")]
        if name in ("divide", "arctan2", "hypot", "copysign"):
            on += [("m_i8", "w_i8"), ("m_i4", "3")]
        if name in ("floor_divide", "remainder", "mod", "fmod"):
            on += [("m_i8", "nz_i8"), ("m_i4", "nz_i4"), ("m_i4", "3"), ("m_i8", "-3"), ("m_u1", "nz_u1"), ("7", "nz_i8")]
        if name == "power":
            on = [("pos_f8", "m_f8"), ("pos_f4", "m_f4"), ("m_f8", "2"), ("m_f8", "3"), ("m_f8", "-1"), ("pos_f8", "0.5"), ("2.0", "m_f8"), ("m_i8", "2"), ("m_i8", "3"), ("m_u1", "2"), ("m_i4", "sh_i8"), ("2", "sh_i8"), ("m_i8", "-1"), ("odd_f8", "2"), ("m_b1", "m_b1"), ("m_i8", "0.5")]
        # Where its two terms cancel, NumPy's sum of logarithms is exact in absolute terms only.
        scale = 1.0 if name.startswith("logaddexp") else 0.0
        group(name, [f"np.{name}({a}, {b})" for a, b in on], ulps, scale)
    for name in ["gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor"]:
        on = [("m_i8", "w_i8"), ("m_i4", "m_i4"), ("m_u1", "w_u1"), ("m_i1", "m_u1"), ("m_i8", "6"), ("m_f8", "m_f8"), ("m_i2", "r_i2[:, :1]")]
        if name.startswith("bitwise"):
            on += [("m_b1", "c_b1"), ("m_b1", "m_i4"), ("m_b1", "True")]
        group(name, [f"np.{name}({a}, {b})" for a, b in on])
    group("shifts", [f"np.{name}({a}, {b})" for name in ["left_shift", "right_shift"] for a, b in [("m_i8", "sh_i8"), ("m_i4", "2"), ("m_u1", "1"), ("1", "sh_i8"), ("m_i8", "70"), ("m_i1", "3")]])
    group("invert", each("np.{0}({1})", ["invert", "bitwise_not"], ["m_i8", "m_i4", "m_u1", "m_i1", "m_b1", "m_f8"]) + ["~m_i8", "~m_b1"])
    group("logical_not", each("np.logical_not({0})", ["m_i8", "m_f8", "m_b1", "z_f4", "odd_f8"]))
    group("divmod", ["np.divmod(m_f8, 0.75)", "np.divmod(m_i8, nz_i8)", "divmod(m_i8, 4)", "np.modf(m_f8)", "np.modf(odd_f8)", "np.frexp(m_f8)[0]"])
    group("clip", ["np.clip(m_f8, -1, 1)", "np.clip(m_i8, -2, 3)", "np.clip(m_f4, None, 0.5)", "np.clip(m_f8, 0, None)", "m_f8.clip(-1, 1)", "np.clip(m_f8, c_f8, 2)", "np.clip(m_i4, 0, w_i4)", "np.clip(odd_f8, -1, 1)", "m_u1.clip(2, 5)", "np.clip(m_f8, a_min=0, a_max=1)", "np.clip(m_f8, min=0)", "np.clip(r_i8, 2, -2)"])
    group("where", ["np.where(m_b1, m_f8, 0)", "np.where(m_b1, m_i4, m_i8)", "np.where(c_b1, m_f4, w_f4)", "np.where(m_f8 > 0, 1.5, -1)", "np.where(m_b1)", "np.where(v_i8)", "np.where(m_b1, 1, 2)", "np.where(t_b1, p_f8.transpose(1, 2, 0), 3)", "np.where(m_b1, v_f8, 0)", "np.where(m_i8, m_f8, nan)", "a = m_b1.copy(); np.multiply(a, a, out=a, where=a); a", "a = m_b1.copy(); np.bitwise_or(a, True, out=a, where=~a); a", "np.maximum(m_b1, m_b1, where=m_b1, out=None).dtype", "np.logical_not(m_b1, where=m_b1).dtype", "np.add(m_b1, m_b1, where=m_b1).dtype", "np.greater(m_f8, 1, where=m_b1).dtype"])
    group("round", each("np.{0}({1})", ["round", "around"], ["m_f8", "odd_f8", "m_i8", "v_f4"]) + ["np.round(m_f8, 1)", "m_f8.round(1)", "np.round(m_f8 * 100, -1)", "np.round(m_i8 * 37, -1)", "np.round(v_f8, decimals=1)"], 1)
    group("nan_to_num", ["np.nan_to_num(odd_f8)", "np.nan_to_num(odd_f4)", "np.nan_to_num(odd_f8, nan=1.0, posinf=9.0, neginf=-9.0)", "np.nan_to_num(m_i8)"])
    group("select", ["np.select([m_f8 < -1, m_f8 > 1], [m_f8, m_f8 * 2], 0)", "np.select([m_b1, m_i8 > 0], [1, 2], default=7)"])
    group("ufunc.methods", ["np.add.reduce(m_f8)", "np.add.reduce(m_f8, axis=1)", "np.multiply.reduce(m_i8, axis=None)", "np.maximum.reduce(m_f8, axis=1)", "np.add.accumulate(m_i8, axis=1)", "np.multiply.outer(w_i8, nz_i8)", "np.add.outer(v_f8, w_f8)", "np.subtract.outer(w_f8, w_f8)", "a = m_i8.copy(); np.add.at(a, ([0, 0, 2], [1, 1, 3]), 5); a", "a = np.zeros(4); np.add.at(a, dup, 1.5); a", "a = nz_i8.copy(); np.maximum.at(a, [0, 0, 1], [1, 9, 0]); a", "np.maximum.accumulate(m_f8)", "np.logical_and.reduce(m_b1)", "np.bitwise_or.reduce(m_i8, axis=1)"], 2, 4)


def reductions():
    arrays = ["v", "m", "t", "z", "r", "p"]
    for name, ulps in {"sum": 4, "prod": 4, "mean": 4, "max": 0, "min": 0, "amax": 0, "amin": 0, "any": 0, "all": 0, "std": 8, "var": 8, "ptp": 1, "nansum": 4, "nanmean": 4, "nanmax": 0, "nanmin": 0, "median": 1, "count_nonzero": 0}.items():
        codes = ["f8", "f4", "i8", "i4", "u1", "b1"]
        if name == "ptp":
            codes.remove("b1")
        on = []
        for code in codes:
            few = code != "f8"
            for s in (["m"] if few else arrays):
                on.append(f"np.{name}({s}_{code})")
                rank = {"v": 1, "m": 2, "t": 3, "z": 0, "r": 2, "p": 3}[s]
                for axis in range(rank):
                    on.append(f"np.{name}({s}_{code}, axis={axis - rank if axis else 0}, keepdims={few})")
        if name != "median" or True:
            on += [f"np.{name}(t_f8, axis=(0, 2))", f"np.{name}(t_f8, axis=(-1, 0), keepdims=True)", f"np.{name}(m_f8, axis=2)"]
        if name not in ("median",):
            on += [f"np.{name}(e_f8)", f"np.{name}(e_f8, axis=0)", f"np.{name}(e_f8, axis=1)", f"np.{name}(odd_f8)"]
        if name.startswith("nan"):
            on += [f"np.{name}(nm_f8)", f"np.{name}(nm_f8, axis=0)", f"np.{name}(nm_f4, axis=1)"]
        if name in ("sum", "prod", "mean", "max", "min", "any", "all", "std", "var"):
            on += [f"m_f8.{name}()", f"m_f8.{name}(axis=1)", f"p_i8.{name}(axis=0)", f"m_f8.{name}(1)"]
        if name == "mean" or name == "std" or name == "var":
            on += [f"np.{name}(m_f2)"]
        group(name, on, ulps, 8.0)
    cube = "a = np.arange(27).reshape(3, 3, 3) ** 2"
    group("cube", [f"{cube}; np.ptp(a, axis={axis})" for axis in range(3)] + [f"{cube}; a.max(axis={axis}) - 1" for axis in range(3)] + [f"{cube}; a - a.sum(axis={axis}, keepdims=True)" for axis in range(3)] + [f"{cube}; a.max(axis=0) - a.min(axis=2)", f"{cube}; a.max(axis=(0, 1)) + 1", f"{cube}; a.max(axis=(1, 2)) + 1"])
    group("dtype=", ["np.sum(m_u1, dtype='i4')", "np.sum(m_f4, dtype='f8')", "np.prod(m_i8, dtype='f8')", "np.mean(m_i8, dtype='f4')", "m_b1.sum(dtype='i4')"], 4, 4)
    group("ddof", ["np.var(m_f8, ddof=1)", "np.std(m_f8, axis=1, ddof=1)", "m_f8.var(axis=0, ddof=2)", "np.nanvar(nm_f8, axis=1)", "np.nanstd(nm_f8)"], 8, 2)
    for name in ["argmax", "argmin"]:
        group(name, each(f"np.{name}({{0}})", ["v_f8", "m_f8", "t_i8", "r_f8", "p_f4", "m_b1", "dup", "odd_f8", "z_f8", "e_f8"]) + [f"np.{name}(m_f8, axis=0)", f"np.{name}(m_f8, axis=1, keepdims=True)", f"t_f8.{name}(axis=-1)", f"p_i4.{name}(axis=1)", f"np.{name}(nm_f8, axis=1)", f"np.{name}(e_f8, axis=1)", f"m_f8.{name}(axis=5)"])
    for name, ulps in {"cumsum": 8, "cumprod": 8}.items():
        group(name, [f"np.{name}(v_f8)", f"np.{name}(m_f8)", f"np.{name}(m_f8, axis=0)", f"np.{name}(m_f8, axis=-1)", f"np.{name}(t_i8, axis=1)", f"np.{name}(r_f4, axis=1)", f"np.{name}(m_b1)", f"m_u1.{name}(axis=1)", f"np.{name}(z_f8)", f"np.{name}(e_f8, axis=1)", f"np.{name}(m_f8, axis=3)"], ulps, 8)
    group("diff", ["np.diff(v_f8)", "np.diff(m_i8)", "np.diff(m_i8, axis=0)", "np.diff(m_f8, n=2)", "np.diff(m_b1)", "np.diff(m_u1)", "np.diff(v_i8, n=0)", "np.diff(z_f8)", "np.diff(m_f8, n=9)", "np.diff(v_f8, n=-1)"], 1, 4)
    group("average", ["np.average(m_f8)", "np.average(m_f8, axis=1, weights=w_f8 + 4)", "np.average(v_f8, weights=np.abs(v_f8))", "np.average(m_i8, axis=0)"], 8, 4)
    group("quantile", ["np.quantile(v_f8, 0.5)", "np.quantile(m_f8, 0.3, axis=1)", "np.percentile(m_f8, 90)", "np.percentile(m_f8, [10, 50, 90], axis=0)", "np.quantile(v_f8, [0, 1])", "np.quantile(v_i8, 0.25)", "np.nanmedian(nm_f8, axis=0)", "np.median(m_f8, axis=1, keepdims=True)", "np.median(nm_f8)"], 4, 4)


def shapes():
    group("reshape", ["m_f8.reshape(4, 3)", "m_f8.reshape((2, 6))", "np.reshape(t_i8, (-1, 4))", "t_f8.reshape(-1)", "p_f8.reshape(6, 4)", "r_f8.reshape(-1)", "m_f8.reshape(5, -1)", "m_f8.reshape(7)", "m_f8.reshape(-1, -1)", "e_f8.reshape(3, 0)", "z_f8.reshape(1, 1)", "np.ravel(p_i4)", "m_f8.flatten()", "r_i8.ravel()", "e_f8.reshape(-1)"])
    group("transpose", ["m_f8.T", "t_f8.T", "t_f8.transpose(1, 0, 2)", "np.transpose(t_i8)", "np.transpose(t_i8, (2, 0, 1))", "t_f8.transpose(0, 0, 1)", "np.swapaxes(t_f8, 0, 2)", "t_f8.swapaxes(-1, 1)", "np.moveaxis(t_f8, 0, -1)", "np.moveaxis(t_f8, [0, 1], [-1, -2])", "t_f8.mT", "np.matrix_transpose(m_f8)", "np.rollaxis(t_f8, 2)", "np.moveaxis(t_f8, 0, 5)", "np.permute_dims(t_f8, (1, 2, 0))"])
    group("squeeze", ["np.expand_dims(m_f8, 0)", "np.expand_dims(m_f8, (0, -1))", "np.expand_dims(m_f8, 4)", "np.squeeze(c_f8)", "c_f8.squeeze(1)", "c_f8.squeeze(axis=0)", "np.squeeze(m_f8[None, :, None], axis=(0, 2))", "np.atleast_1d(z_f8)", "np.atleast_2d(v_f8)", "np.atleast_3d(m_f8)", "np.atleast_3d(v_f8)", "np.atleast_2d(z_i8)"])
    group("broadcast_to", ["np.broadcast_to(w_f8, (3, 4))", "np.broadcast_to(c_i8, (2, 3, 4))", "np.broadcast_to(z_f8, (2,))", "np.broadcast_to(v_f8, (3, 4))", "np.broadcast_arrays(c_f8, w_f8)", "np.broadcast_shapes((3, 1), (4,))", "np.broadcast_to(m_f8, (4,))"])
    group("join", ["np.concatenate([m_f8, m_f8])", "np.concatenate((m_f8, m_f4), axis=1)", "np.concatenate([m_i8, m_i4, m_b1], axis=0)", "np.concatenate([m_f8, t_f8])", "np.concatenate([m_f8, r_f8])", "np.concatenate([m_f8, v_f8], axis=None)", "np.concatenate([])", "np.concatenate([z_f8, z_f8])", "np.stack([v_f8, v_f8])", "np.stack([m_i8, m_i8], axis=-1)", "np.stack([m_f8, m_f8], axis=1)", "np.stack([m_f8, v_f8])", "np.stack([])", "np.vstack([v_f8, v_f8])", "np.vstack([m_f8, w_f8])", "np.hstack([v_f8, w_f8])", "np.hstack([m_f8, c_f8])", "np.dstack([m_f8, m_f8])", "np.dstack([v_f8, v_f8])", "np.column_stack([w_f8, w_f8])", "np.column_stack([m_f8, c_f8[:, 0]])", "np.append(v_f8, [1, 2])", "np.append(m_f8, m_f8, axis=0)", "np.concatenate([e_f8, e_f8], axis=1)", "np.concatenate([r_i8, p_i8[0, :, :1]], axis=0)", "np.block([[m_f8, c_f8], [m_f8, c_f8]])"])
    group("split", ["np.split(m_f8, 3)", "np.split(m_f8, 2, axis=1)", "np.split(m_f8, 2)", "np.split(v_f8, [2, 5])", "np.split(v_i8, [3, 9])", "np.array_split(v_f8, 3)", "np.array_split(m_f8, 5, axis=1)", "np.hsplit(m_f8, 2)", "np.vsplit(m_f8, 3)", "np.dsplit(t_f8, 2)", "np.hsplit(v_f8, [2])", "np.vsplit(v_f8, 1)", "np.unstack(m_f8)"])
    group("tile", ["np.tile(v_f8, 2)", "np.tile(m_i8, (2, 1))", "np.tile(m_f8, (2, 1, 2))", "np.tile(z_f8, 3)", "np.tile(m_f8, 0)", "np.repeat(v_f8, 2)", "np.repeat(m_i8, 2, axis=0)", "np.repeat(m_f8, 3, axis=1)", "np.repeat(m_f8, [1, 0, 2], axis=0)", "np.repeat(w_i8, [1, 2, 0, 3])", "np.repeat(m_f8, [1, 2])", "np.repeat(v_f8, -1)", "m_f8.repeat(2)", "np.repeat(m_f8, [2], axis=1)"])
    group("flip", ["np.flip(v_f8)", "np.flip(m_f8)", "np.flip(t_i8, axis=1)", "np.flip(t_i8, axis=(0, 2))", "np.fliplr(m_f8)", "np.flipud(m_f8)", "np.rot90(m_f8)", "np.rot90(m_i8, 2)", "np.rot90(m_f8, 3)", "np.rot90(t_f8, 1, (1, 2))", "np.rot90(m_f8, -1)", "np.flip(m_f8, axis=2)", "np.rot90(v_f8)"])
    group("roll", ["np.roll(v_f8, 2)", "np.roll(v_i8, -3)", "np.roll(m_f8, 1)", "np.roll(m_f8, 1, axis=0)", "np.roll(m_f8, -2, axis=1)", "np.roll(m_f8, (1, 2), axis=(0, 1))", "np.roll(t_i8, 5, axis=2)", "np.roll(v_f8, 100)", "np.roll(e_f8, 1)", "np.roll(m_f8, 1, axis=3)"])
    group("pad", ["np.pad(v_f8, 2)", "np.pad(m_f8, 1)", "np.pad(m_i8, ((1, 0), (0, 2)))", "np.pad(m_f8, (1, 2), constant_values=7)", "np.pad(v_f8, 2, mode='edge')", "np.pad(m_i8, 1, mode='edge')", "np.pad(v_f8, 3, mode='reflect')", "np.pad(m_f8, 2, mode='reflect')", "np.pad(m_f8, ((1, 1), (2, 2)), mode='wrap')", "np.pad(v_i8, (0, 3), mode='wrap')", "np.pad(v_f8, 2, mode='symmetric')", "np.pad(m_f8, -1)", "np.pad(v_f8, 2, mode='nope')", "np.pad(v_f8, (2, 3), 'constant', constant_values=(1, 2))"])
    group("insert", ["np.insert(v_f8, 2, 9)", "np.insert(m_i8, 1, 5, axis=0)", "np.insert(m_f8, 1, c_f8[:, 0], axis=1)", "np.insert(v_i8, [1, 3], [7, 8])", "np.insert(m_i8, 2, 5)", "np.insert(v_f8, -1, 9)", "np.insert(v_f8, 50, 9)", "np.insert(m_i8, 1, [[7], [8], [9]], axis=0)", "np.insert(m_i8, 1, [[7], [8], [9]], axis=1)", "np.insert(m_i8, [1], [[7], [8], [9]], axis=1)", "np.insert(m_f8, 2, 5, axis=1)", "np.insert(m_f8, 1, w_f8, axis=0)", "np.insert(m_f8, 1, m_f8, axis=0)", "np.insert(t_i8, 1, m_i8, axis=0)", "np.insert(t_i8, 1, c_i8, axis=2)", "np.insert(v_f8, 1, [1, 2])", "np.insert(w_f8, 1, [[1], [2]])", "np.delete(v_f8, 2)", "np.delete(v_i8, [0, 3, -1])", "np.delete(m_f8, 1, axis=0)", "np.delete(m_f8, [0, 2], axis=1)", "np.delete(m_i8, 5)", "np.delete(v_f8, 70)", "np.delete(v_f8, slice(1, 5, 2))"])
    group("tri", ["np.tri(3)", "np.tri(3, 4, 1)", "np.tri(2, 3, -1, dtype='i4')", "np.tril(m_f8)", "np.triu(m_i8)", "np.tril(t_f8, -1)", "np.triu(m_f8, 1)", "np.tril(v_i8)", "np.triu(r_f4, -1)", "np.triu(m_b1)"])
    group("diag", ["np.diag(w_f8)", "np.diag(m_f8)", "np.diag(w_i8, 1)", "np.diag(m_i8, -1)", "np.diag(m_f8, 2)", "np.diag(t_f8)", "np.diagflat(c_f8)", "np.diagonal(t_f8)", "np.diagonal(t_i8, 1, 1, 2)", "m_f8.diagonal()", "np.diagonal(m_f8, offset=-1)", "np.diag(m_f8, 9)", "np.diagonal(v_f8)", "np.trace(m_f8)", "np.trace(t_i8)", "np.trace(m_i8, offset=1)", "m_f8.trace()", "np.trace(t_f8, 0, 1, 2)"], 2, 4)


def creation():
    group("zeros", ["np.zeros(3)", "np.zeros((2, 3), dtype='i4')", "np.ones((2, 2))", "np.full((2, 3), 7)", "np.full(3, 2.5)", "np.full((2,), True)", "np.full((2, 2), 3, dtype='f4')", "np.zeros(())", "np.zeros((0, 4))", "np.ones(3, dtype=bool)", "np.zeros_like(m_i4)", "np.ones_like(m_f8, dtype='u1')", "np.full_like(m_i8, 5)", "np.full_like(m_f4, 1.5)", "np.empty((2, 0))", "np.full((2, 3), [1, 2, 3])", "np.zeros(-1)", "np.zeros((2, -3))", "np.empty_like(e_f8)", "np.full(2, nan)", "np.full_like(m_i8, 5, dtype=float)"])
    group("arange", ["np.arange(5)", "np.arange(2, 9)", "np.arange(1, 10, 3)", "np.arange(10, 0, -3)", "np.arange(5.0)", "np.arange(0, 1, 0.25)", "np.arange(3, dtype='f4')", "np.arange(0, 5, dtype='u1')", "np.arange(5, 2)", "np.arange(0)", "np.arange(1, 2, 0)", "np.arange(1.5, 4)", "np.arange(-3, 3, 2, dtype='i2')", "np.arange(0, 3, 0.5)", "np.arange(start=1, stop=4)"], 1, 1)
    group("linspace", ["np.linspace(0, 1, 5)", "np.linspace(0, 10, 4, endpoint=False)", "np.linspace(3, -3, 7)", "np.linspace(0, 1, 1)", "np.linspace(0, 1, 0)", "np.linspace(0, 10, 5, dtype='i4')", "np.linspace(0, 1, num=3, dtype='f4')", "np.linspace(2, 2, 3)", "np.linspace(0, 1, -1)", "np.linspace(0, 1, 5, retstep=True)"], 2, 1)
    group("logspace", ["np.logspace(0, 3, 4)", "np.logspace(0, 4, 5, base=2)", "np.logspace(1, 2, 3, endpoint=False)", "np.geomspace(1, 1000, 4)", "np.geomspace(2, 32, 5)", "np.geomspace(1, 0, 3)", "np.geomspace(1, -2.5, 3)", "np.geomspace(-1, 2, 4)", "np.geomspace(1, nan, 3)", "np.geomspace(1, -3, 4, endpoint=False)", "np.geomspace(1, -1, 1)", "np.geomspace([1, -2], [-2.5, -3], 3)"], 8)
    group("eye", ["np.eye(3)", "np.eye(2, 4)", "np.eye(3, k=1)", "np.eye(4, 3, -1, dtype='i8')", "np.identity(3)", "np.identity(2, dtype='i4')", "np.eye(0)"])
    group("ix_", ["np.ix_([0, 2], [1, 3])", "m_f4[np.ix_([0, 2], [1, 3])]", "m_f4[np.ix_([True, False, True], [3])]", "np.ix_([], [1])",
                  "t_f4[np.ix_([1], [2, 0], [3, 0, 1])]", "np.ix_()", "np.ix_([[1]])"])
    group("meshgrid", ["np.meshgrid(w_i8, nz_i8[:2])", "np.meshgrid(w_i8, nz_i8[:2], indexing='ij')", "np.meshgrid([1, 2], [3], [4, 5])", "np.indices((2, 3))", "np.indices((2,))", "np.meshgrid(v_f8)", "np.vander([1, 2, 3])", "np.vander([1, 2, 3], 2, increasing=True)", "np.meshgrid([1], [2], indexing='no')", "np.unravel_index(5, (2, 3))", "np.unravel_index(np.array([1, 4]), (2, 3))", "np.ravel_multi_index((np.array([0, 1]), np.array([2, 1])), (2, 3))", "np.tril_indices(3)", "np.triu_indices(3, 1)", "np.diag_indices(3)"])
    group("array", ["np.array([1, 2, 3])", "np.array([[1, 2.5], [3, 4]])", "np.array([True, False])", "np.array([True, 2])", "np.array([1, 2], dtype='f4')", "np.array([[1, 2], [3]])", "np.array([])", "np.array([[], []])", "np.array(3)", "np.array(2.5)", "np.array([m_i4[0], m_i4[1]])", "np.array((1, (2)))", "np.asarray([1.5, 2])", "np.array([1.9, -1.9]).astype(int)", "np.array([300, -1]).astype('u1')", "m_f8.astype('i4')", "m_i8.astype(float)", "m_f8.astype(bool)", "m_b1.astype('f4')", "np.array([1, 2]).astype('nope')", "np.array([0.1, 70000.0]).astype('f2')", "np.array([1, 2, 300], dtype='u1')", "np.array(m_f8)", "np.array([[1, 2, 3]], ndmin=3)", "np.copy(m_f8)", "np.array(range(4))", "np.array([[z_f8, 1], [2, 3]])"])


def ordering():
    group("sort", each("np.{0}({1}, kind='stable')", ["sort", "argsort"], ["v_f8", "m_f4", "r_f4", "m_b1[:, 0]", "m_u1", "e_f8", "odd_f8", "p_i4"]) + ["np.sort(m_f8, axis=0)", "np.sort(t_i8, axis=1)", "np.sort(m_f8, axis=None)", "np.argsort(np.array([3, 1, 3, 1, 2]), kind='stable')", "a = m_f8.copy(); a.sort(); a", "a = m_i8.copy(); a.sort(axis=0); a", "np.sort(m_f8, axis=2)", "np.sort(z_f8)", "np.lexsort((v_i8, v_b1))", "np.flip(np.sort(dup))", "np.partition(dup, 3)[3]"])
    group("unique", ["np.unique(dup)", "np.unique(m_i8)", "np.unique(m_f4)", "np.unique(m_b1)", "np.unique(dup, return_index=True)", "np.unique(dup, return_inverse=True)", "np.unique(dup, return_counts=True)", "np.unique(dup, return_index=True, return_inverse=True, return_counts=True)", "np.unique(np.array([2.0, nan, 1.0, nan]))", "np.unique(e_f8)", "np.unique(m_u1, return_inverse=True)"])
    group("nonzero", ["np.nonzero(m_i8)", "np.nonzero(v_b1)", "np.nonzero(t_b1)", "m_f8.nonzero()", "np.argwhere(m_b1)", "np.argwhere(v_i8)", "np.flatnonzero(m_b1)", "np.nonzero(r_i8)", "np.argwhere(np.zeros((2, 2)))", "np.nonzero(e_f8)"])
    group("searchsorted", ["np.searchsorted(srt, 4)", "np.searchsorted(srt, 4, side='right')", "np.searchsorted(srt, [0, 3, 10])", "np.searchsorted(srt, np.array([[1, 4], [7, 8]]), side='right')", "np.searchsorted(np.array([0.5, 1.5]), m_f8)", "srt.searchsorted(5)", "np.searchsorted(srt, 4, side='middle')", "np.digitize(m_f8, np.array([-1.0, 0.0, 1.0]))", "np.digitize(m_i8, srt, right=True)"])
    group("bincount", ["np.bincount(dup)", "np.bincount(dup, minlength=6)", "np.bincount(dup, weights=v_f8)", "np.bincount(np.array([-1]))", "np.bincount(np.array([], dtype='i8'))", "np.bincount(m_i8)", "np.histogram(v_f8, 4)", "np.histogram(m_f8, bins=3, range=(-2, 2))", "np.histogram(v_i8, bins=[-6, 0, 2, 6])"], 2, 1)
    group("fill_diagonal", [f"a = np.zeros({shape}); np.fill_diagonal(a, {values}); a" for shape in [(3, 3), (3, 5), (7, 3), (8, 2), (1, 4), (4, 1), (0, 3), (3, 3, 3), (2, 2, 2, 2), (2, 3, 3), (3,)] for values in ["4", "4, wrap=True", "[1, 2]", "w_f8", "[1, 2], wrap=True"]] + ["a = np.zeros((3, 4)); np.fill_diagonal(a[:, ::-1], 4); a"])
    group("differences of bools", ["np.ediff1d(m_b1)", "np.ediff1d(m_b1[0])", "np.ediff1d(m_b1[:0])", "np.ediff1d(m_i8)", "np.gradient(m_b1)", "np.gradient(m_b1[0], 2)", "np.diff(m_b1)"])
    group("gradient", [f"np.gradient({x}{rest})" for x in ["v_f8", "v_i8", "m_f8", "t_f8", "r_f8", "p_f8"] for rest in ["", ", 0.5", ", axis=0", ", axis=-1", ", 2, axis=0", ", edge_order=2", ", axis=()"]] + ["np.gradient(v_f8, np.array([0, 1, 3, 4.5, 7, 7.5, 20]))", "np.gradient(v_i8, np.array([0, 1, 3, 4, 7, 8, 20]), edge_order=2)", "np.gradient(v_f8, np.arange(7), edge_order=2)", "np.gradient(m_f8, [0, 1, 5], [1, 2, 4, 8])", "np.gradient(m_f8, [0, 1, 5], 2.5)", "np.gradient(m_f8, [1, 2, 4, 8], axis=1, edge_order=2)", "np.gradient(t_f8, [1, 2, 4], 3, axis=(1, 2))", "np.gradient(t_f8, axis=(2, 0))", "np.gradient(v_f4)", "np.gradient(m_f8, 1, 2, 3)", "np.gradient(m_f8, [1, 2])", "np.gradient(v_f8, [1, 2])", "np.gradient(v_f8, [[1, 2]])", "np.gradient(w_f8[:1])", "np.gradient(w_f8[:2])", "np.gradient(w_f8[:2], [1, 3])", "np.gradient(w_f8[:2], edge_order=2)", "np.gradient(v_f8, axis=1)", "np.gradient(m_f8, axis=(0, 0))", "np.gradient(v_f8, edge_order=3)", "np.gradient(e_f8, axis=1)"])
    group("trapezoid", ["np.trapezoid(v_f8)", "np.trapezoid(m_f8, axis=0)", "np.trapezoid(m_f8, [0, 1, 5], axis=0)", "np.trapezoid(m_f8[:, :3], [0, 1, 5], axis=0)", "np.trapezoid(m_f8, [0, 1, 5, 6])", "np.trapezoid(m_f8, m_i8)", "np.trapezoid(m_f8, m_i8, axis=0)", "np.trapezoid(t_f8, [1, 2, 4], axis=1)", "np.trapezoid(v_f8, dx=2)"], 4, 16.0)
    group("nanvar", each("np.{0}({1})", ["nanvar", "nanstd"], ["odd_f8", "odd_f8[3:]", "nm_f8", "nm_f8, axis=0", "nm_f8, axis=1, ddof=1", "odd_f8.reshape(11, 1), axis=1", "odd_f8[1:3]"]))
    group("reciprocal", ["np.reciprocal(nz_i8)", "np.reciprocal(nz_i4)", "np.reciprocal(np.array([1, -1, 2, -2, 9, -9, 9223372036854775807, -9223372036854775808]))", "np.reciprocal(np.array([1, -1, 2, -128], dtype='i1'))", "np.reciprocal(np.array([1, 2, 255], dtype='u1'))", "np.reciprocal(m_f8)"])
    group("permute_dims", ["np.permute_dims(t_f8)", "np.permute_dims(t_f8, (2, 0, 1))", "np.permute_dims(t_f8, axes=(1, 0, 2))", "np.permute_dims(v_f8)"])
    group("take", ["np.take(v_f8, [0, 2, 2])", "np.take(m_i8, [1, 0], axis=0)", "np.take(m_f8, [3, -1], axis=1)", "np.take(m_f8, 5)", "np.take(m_f8, [[0, 1], [2, 3]], axis=1)", "m_f8.take([0, 11])", "np.take(v_f8, 70)", "np.take(v_f8, [8], mode='wrap')", "np.take(v_f8, [-3, 80], mode='clip')", "np.take_along_axis(m_f8, np.argsort(m_f8, axis=1), axis=1)", "np.take_along_axis(m_i8, np.array([[0], [1], [2]]), axis=1)", "np.take_along_axis(m_i8, np.array([[0, 1, 2, 0]]), axis=0)", "a = m_f8.copy(); np.put(a, [0, 5], [9, 8]); a", "a = m_f8.copy(); np.put_along_axis(a, np.array([[0], [1], [2]]), 99, axis=1); a", "np.compress(v_b1, v_f8)", "np.extract(m_b1, m_f8)", "np.choose(np.array([0, 1, 1, 0]), [w_i8, nz_i8])", "a = m_f8.copy(); np.place(a, m_b1, [1, 2]); a", "a = np.array(0.5); a.put([0, -1], [2, 3]); a", "a = np.array(0.5); np.put(a, [], [2]); a", "a = np.array(0.5); np.put(a, [0, 1], [2]); a", "a = np.array(4); np.place(a, True, [1, 2]); a", "a = m_f8.copy(); np.putmask(a, m_b1, 0); a", "a = m_i8.copy(); a.fill(4); a", "np.compress([True, False, True], m_f8, axis=0)", "a = m_f8.copy(); np.fill_diagonal(a, 7); a", "a = m_f8.copy(); np.copyto(a, w_f8); a"])


def linear():
    ulps, scale = 16, 32.0
    group("matmul", ["m_f8 @ w_f8", "m_f8 @ m_f8.T", "t_f8 @ m_f8.T", "np.matmul(m_i8, w_i8)", "np.matmul(m_f4, m_f4.T)", "m_f8 @ v_f8", "w_f8 @ w_f8", "np.matmul(z_f8, m_f8)", "r_f8 @ r_f8.T", "p_f8 @ m_f8[:, :2]", "w_i8 @ m_i8.T", "e_f8.T @ e_f8", "m_u1 @ w_u1", "m_b1 @ w_b1", "m_i4 @ m_i8.T", "t_f8 @ w_f8", "np.matvec(t_f8, w_f8)", "np.vecdot(m_f8, w_f8)"], ulps, scale)
    group("dot", ["np.dot(w_f8, w_f8)", "np.dot(m_f8, w_f8)", "np.dot(m_f8, 2)", "np.dot(t_f8, w_f8)", "np.dot(m_f8, m_f8.T)", "np.dot(t_i8, m_i8.T)", "np.dot(w_f8, v_f8)", "m_f8.dot(w_f8)", "np.dot(3, 4)", "np.vdot(m_f8, m_f8)", "np.inner(w_f8, w_f8)", "np.inner(m_f8, m_f8)", "np.inner(m_i8, w_i8)", "np.outer(v_f8, w_f8)", "np.outer(m_i8, w_i8)", "np.kron(w_i8, [1, 2])", "np.kron(m_i8, np.eye(2, dtype='i8'))", "np.cross([1, 2, 3], [4, 5, 6])", "np.cross(nm_f8[::2], [1.0, 0.0, 2.0])", "np.tensordot(t_f8, m_f8, axes=([1, 2], [0, 1]))", "np.tensordot(m_f8, m_f8.T, axes=1)", "np.tensordot(m_f8, w_f8, axes=0)", "np.tensordot(m_i8, t_i8, axes=[[0], [1]])", "np.tensordot(m_f8, t_f8, axes=2)", "np.linalg.multi_dot([m_f8, m_f8.T, m_f8])", "np.linalg.matrix_power(m_f8[:, :3], 3)"], ulps, scale)
    group("einsum", ["np.einsum('ij,kj->ik', m_f8, m_f8)", "np.einsum('ij->ji', m_f8)", "np.einsum('ii', nm_f4[::2, ::2])", "np.einsum('ij,j', m_f8, w_f8)", "np.einsum('ijk,jk->i', t_f8, m_f8)", "np.einsum('...j,j->...', t_f8, w_f8)", "np.einsum('ij->', m_i8)", "np.einsum('i,j->ij', v_f8, w_f8)", "np.einsum('ijk->kj', t_i8)", "np.einsum('ij,ij->ij', m_f8, m_f8)", "np.einsum('ij,jk,k->i', m_f8, m_f8.T, np.array([1.0, 2.0, 3.0]))", "np.einsum('ij,jk->ik', m_f8, w_f8)", "np.einsum('ii->i', np.eye(3))", "np.einsum('ab,b->a', m_f8, v_f8)", "np.einsum('bij,bjk->bik', t_f8, t_f8.swapaxes(1, 2))", "np.einsum('ij->z', m_f8)"], ulps, scale)
    group("norm", ["np.linalg.norm(v_f8)", "np.linalg.norm(m_f8)", "np.linalg.norm(m_f8, axis=1)", "np.linalg.norm(m_f8, axis=0, keepdims=True)", "np.linalg.norm(v_f8, ord=1)", "np.linalg.norm(v_f8, ord=inf)", "np.linalg.norm(v_f8, -inf)", "np.linalg.norm(v_f8, 0)", "np.linalg.norm(v_f8, 3)", "np.linalg.norm(m_f8, 'fro')", "np.linalg.norm(m_f8, 1)", "np.linalg.norm(m_f8, inf)", "np.linalg.norm(m_i8)", "np.linalg.norm(m_f4, axis=-1)", "np.linalg.norm(t_f8, axis=(1, 2))", "np.linalg.norm(m_f8, ord='no')"], ulps, 1)


def logic():
    group("close", ["np.isclose(m_f8, m_f8 + 1e-9)", "np.isclose(m_f8, m_f8 + 1e-4)", "np.isclose(odd_f8, odd_f8)", "np.isclose(odd_f8, odd_f8, equal_nan=True)", "np.isclose(m_f8, m_f8 + 0.01, atol=0.1)", "np.isclose(m_f8, m_f8 * 1.01, rtol=0.1)", "np.allclose(m_f8, m_f8 + 1e-9)", "np.allclose(m_f8, 1)", "np.allclose(m_i8, m_i8)", "np.isclose(m_i8, w_i8)", "np.array_equal(m_f8, m_f8)", "np.array_equal(m_f8, w_f8)", "np.array_equal(odd_f8, odd_f8)", "np.array_equal(odd_f8, odd_f8, equal_nan=True)", "np.array_equiv(np.zeros((2, 3)), 0)", "np.array_equiv([1, 2], [[1, 2], [1, 3]])", "np.isin(dup, [1, 3])", "np.isin(m_i8, w_i8)", "np.isin(dup, [1, 3], invert=True)", "np.isin(m_f8, [])", "np.isposinf(odd_f8)", "np.isneginf(odd_f8)", "np.intersect1d(dup, [3, 0, 9])", "np.union1d(dup, [9])", "np.setdiff1d(dup, [3])", "np.setxor1d([1, 2, 3], [2, 3, 4])", "np.setxor1d(nm_f8, odd_f8)", "np.setxor1d(odd_f8, odd_f8)", "np.setxor1d(nm_f8, [])", "np.setxor1d([], [])", "np.setxor1d(dup, dup)", "np.setxor1d([3], [])", "np.setxor1d(m_b1, [True])"])
    group("types", ["np.result_type('f4', 'f8')", "np.result_type('i1', 'u1')", "np.promote_types('i4', 'i8')", "np.can_cast('i4', 'i8')", "np.can_cast('i8', 'i4')", "np.can_cast('f8', 'f4', casting='same_kind')", "np.can_cast('f8', 'i4', casting='same_kind')", "np.can_cast('i1', 'u1')", "np.finfo('f4').max > 3e38", "np.iinfo('i2').max", "np.iinfo('u1').min", "np.iinfo('f4')", "np.finfo('f8').eps", "m_f8.dtype", "m_f8.shape", "m_f8.ndim", "m_f8.size", "m_f4.itemsize", "m_i8.nbytes", "m_i8.tolist()", "z_f8.item()", "m_f8.item()", "m_f8.item(3)", "v_i8.item(2)", "np.size(m_f8)", "np.shape(m_f8)", "np.ndim(t_f8)", "np.size(m_f8, 1)", "len(m_f8)", "len(z_f8)", "np.isscalar(3.0)", "np.shares_memory(m_f8, m_f8[1:])", "np.shares_memory(m_f8, m_f8.copy())", "np.may_share_memory(m_f8, r_f8)", "r_f8.strides", "p_f4.strides", "np.iscomplexobj(m_f8)"])


def unsigned():
    """uint16, uint32 and uint64, also where int64 ends."""
    codes = ["u2", "u4", "u8"]
    ends = "np.array([0, 1, 5, np.iinfo('{0}').max // 2, np.iinfo('{0}').max // 2 + 1, np.iinfo('{0}').max], dtype='{0}')"
    for code in codes:
        SCOPE["np"] = np
        a, few = ends.format(code), f"np.array([3, 0, 7, 2, 7, 1], dtype='{code}')"
        some = f"np.array([3, 1, 7, 2, 40, 9], dtype='{code}')"
        signed = f"np.array([-1, 0, 5, np.iinfo('i8').max, np.iinfo('i8').min, 9])"
        group(f"{code} arithmetic", [f"{a} {op} {few}" for op in ["+", "-", "*", "&", "|", "^", "<<", ">>", "**"]]
            + [f"{a} {op} {some}" for op in ["//", "%", "/"]]
            + [f"-({a})", f"~({a})", f"np.abs({a})", f"np.sign({a})", f"np.square({a})", f"np.gcd({a}, {some})",
               f"np.lcm({few}, {some})", f"np.maximum({a}, {few})", f"np.minimum({a}, {few})", f"np.fmod({a}, {some})",
               f"np.divmod({a}, {some})", f"np.floor({a})", f"({a}).clip(3, 9)",
               f"{a} + 1", f"{a} - 1", f"2 * {a}", f"{a} // 3", f"{a} % 7", f"{a} + 0.5", f"{a} + True", f"{a} + (-1)",
               f"{a} + np.iinfo('{code}').max", f"{a} + (np.iinfo('{code}').max + 1)" if code != "u8" else f"{a} * 2"])
        others = ["b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"]
        group(f"{code} promotion", [f"np.promote_types('{code}', '{other}')" for other in others + ["f8"]]
            + [f"({few} + np.ones(6, dtype='{other}')).dtype" for other in others + ["f8"]]
            + [f"np.can_cast('{code}', '{other}', casting='{rule}')" for other in others + ["f2", "f4", "f8"] for rule in ["safe", "same_kind"]]
            + [f"np.can_cast('{other}', '{code}', casting='{rule}')" for other in others + ["f2", "f4", "f8"] for rule in ["safe", "same_kind"]])
        signs = ["<", "<=", "==", "!=", ">=", ">"]
        group(f"{code} comparison", [f"{a} {op} {b}" for op in signs for b in [few, signed, f"({signed}).astype('i4')", "0", "-1", "5", "2**63", "2**63 - 1", "2.5"]]
            + [f"{signed} {op} {a}" for op in signs] + [f"-3 {op} {a}" for op in signs])
        group(f"{code} conversion", [f"({a}).astype('{other}')" for other in others + ["f4", "f8"]]
            + [f"({signed}).astype('{code}')", f"np.array([0.0, 1.9, 300.5, 65535.0]).astype('{code}')",
               f"np.array([True, False]).astype('{code}')", f"np.array([1, 2], dtype='{code}')", f"np.array([-1], dtype='{code}')",
               f"np.array([np.iinfo('{code}').max], dtype='{code}')", f"np.full(2, 7, dtype='{code}')", f"np.full(2, -7, dtype='{code}')",
               f"np.arange(3, dtype='{code}')", f"np.arange(2, 9, 3, dtype='{code}')", f"np.linspace(0, 9, 4, dtype='{code}')",
               f"({a}).tolist()", f"({a})[-1].item()", f"({a}).max().item() - 1", f"np.iinfo('{code}').max", f"np.iinfo('{code}').min"])
        group(f"{code} folds", [f"({a}).{fold}" for fold in ["sum()", "prod()", "max()", "min()", "argmax()", "argmin()", "any()", "all()",
               "cumsum()", "cumprod()", "mean()", "sum(dtype='i8')", "ptp()"] if fold != "ptp()"]
            + [f"np.sum({few}.reshape(2, 3), axis=0)", f"np.prod({some}.reshape(2, 3), axis=1)", f"np.max({a}.reshape(2, 3), axis=0)",
               f"np.argmin({a}.reshape(3, 2), axis=1)", f"np.maximum.accumulate({few})", f"np.minimum.accumulate({a})", f"np.ptp({a})",
               f"np.count_nonzero({a})", f"np.mean({few})", f"np.median({few})", f"np.diff({few})", f"np.bitwise_xor.reduce({a})"], ulps=4)
        group(f"{code} order", [f"np.sort({a}[::-1])", f"np.argsort({few}, kind='stable')", f"np.sort({few})", f"np.unique({few})",
               f"np.unique({few}, return_counts=True)", f"np.unique({few}, return_inverse=True)", f"np.searchsorted(np.sort({few}), {some})",
               f"np.partition({few}, 2)[2]", f"np.lexsort(({few}, {some}))", f"np.bincount({few}.astype('i8'))", f"np.isin({a}, {few})",
               f"np.intersect1d({few}, {some})", f"np.nonzero({few})", f"np.flip({a})", f"np.sort({few}.reshape(2, 3), axis=0)"])
        group(f"{code} places", [f"x = {a}; x[1] = 9; x", f"x = {a}; x[x > 3] = 2; x", f"x = {a}; x[[0, 0, 1]] += 1; x",
               f"x = {a}.copy(); np.add.at(x, [0, 0, 5], 1); x", f"x = {a}; np.put(x, [0, -1], [4, 5]); x", f"np.take({a}, [5, 0])",
               f"np.arange(9)[{few}]", f"np.where({few} > 2, {a}, {some})", f"x = {a}; x[0] = -1; x", f"x = {a}; x //= 3; x", f"x = {a}; x -= 1; x",
               f"x = {a}; x += 1.5; x", f"x = {a}; x[0] = np.iinfo('{code}').max; x", f"np.concatenate([{a}, {few}])", f"np.stack([{a}, {few}])",
               f"np.repeat({few}, 2)", f"np.tile({few}, 2)", f"np.roll({a}, 2)", f"np.pad({few}, 1)", f"np.select([{few} > 2], [{a}], 1)"])
        group(f"{code} products", [f"{few} @ {some}", f"{few}.reshape(2, 3) @ {some}.reshape(3, 2)", f"np.dot({a}, {a})", f"np.outer({few}, {some})",
               f"np.einsum('i,i->', {few}, {some})", f"np.trace({few}.reshape(2, 3))", f"np.tensordot({few}, {some}, 1)", f"np.kron({few}, {some})"])
    group("uint64 scalars", ["2**63", "-(2**63)", "2**63 - 1", "(2**63 + 5) % 10", "(2**63 + 5) // 2", "2**63 > 2.0**63",
        "2**63 == 2.0**63", "np.uint64(2**63)", "np.uint64(2**63) + np.uint64(1)", "np.uint64(5) - np.uint64(7)", "np.uint16(5) + np.uint16(65535)",
        "np.uint8(3) - 1", "np.array(2**63)", "np.array([2**63, 2**63 + 1])", "np.array([1, 2**63])", "np.array([2**63, 1.5])",
        "{2**63: 1}[2.0**63]", "hash(2**63) == hash(2.0**63)", "int('18446744073709551615')", "0xffffffffffffffff", "float(2**63)",
        "abs(-2**63)", "divmod(2**63 + 1, 2)", "f'{2**63:,}'", "f'{2**63:x}'", "'%d' % 18446744073709551615",
        "str(2**63)", "repr(2**63 + 1)", "bool(2**63)", "2**63 & 2**63 + 1", "2**63 >> 60", "3 << 62", "int(2.0**63)", "round(2**63)",
        "max(2**63, 1)", "sorted([2**63, -1, 5])", "2**63 in [2.0**63]", "hex(2**63)", "(2**63).bit_length()", "(2**63 + 1).bit_count()", "np.arange(3)[np.uint64(1)]"])


def complexes():
    """complex64 and complex128: every function on special values, and what is done to arrays of them."""
    special = ["0.0", "-0.0", "1.0", "-2.0", "0.5", "inf", "-inf", "nan"]
    pairs = ", ".join(f"complex({re}, {im})" for re in special for im in special)
    ulps, scale = 8, 4.0
    for code in ["c16", "c8"]:
        grid = f"np.array([{pairs}], dtype='{code}')"
        a = f"np.array([[1+2j, -0.5+0j, 2.5-1j], [0, 1j, -3-0.25j]], dtype='{code}')"
        b = f"np.array([[2-1j, 4, 1j], [1.5, -1j, 0.5+0.5j]], dtype='{code}')"
        few = "np.array([3, 0, 1, 2])"
        unary = ["negative", "absolute", "sign", "square", "reciprocal", "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "sin",
                 "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "rint", "isnan",
                 "isinf", "isfinite", "conjugate", "angle", "real", "imag", "iscomplex", "isreal"]
        group(f"{code} functions", [f"np.{name}({grid})" for name in unary] + [f"np.{name}({a})" for name in unary + ["log1p"]], ulps, scale)
        group(f"{code} arithmetic", [f"{grid}[:, None] {op} {b}.ravel()" for op in ["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="]]
            + [f"{a} ** {n}" for n in ["2", "3", "-1", "0", "0.5", "2.5", "1j", f"np.array([1, 2, -3], dtype='{code}')", b]]
            + [f"{a} {op} {x}" for op in ["+", "*", "/", "-"] for x in ["2j", "0.5", "3", "True", "np.float64(2)"]]
            + [f"np.{f}({grid}, {grid}[::-1])" for f in ["maximum", "minimum", "fmax", "fmin"]]
            + [f"{a} {op} 2" for op in ["//", "%", "&", "<<"]] + [f"np.{f}({a})" for f in ["floor", "cbrt", "signbit", "invert"]]
            + [f"np.{f}({a}, {b})" for f in ["arctan2", "hypot", "logaddexp", "copysign"]], ulps, 32.0)
        group(f"{code} folds", [f"np.{fold}({x}{axis})" for fold in ["sum", "prod", "mean", "var", "std", "max", "min", "cumsum", "cumprod", "any", "all"]
            for x in [a, f"{a}.T"] for axis in ["", ", axis=0", ", axis=-1"]]
            + [f"np.{fold}({a}{axis})" for fold in ["argmax", "argmin", "count_nonzero"] for axis in ["", ", axis=1"]]
            + [f"np.{fold}({grid})" for fold in ["max", "argmin", "nansum"]] + [f"np.ptp({a})", f"np.linalg.norm({a})", f"np.diff({a})"], ulps, 64.0)
        group(f"{code} order", [f"np.sort({grid})", f"np.argsort({grid}, kind='stable')", f"np.sort({a}, axis=0)", f"np.unique({grid}[~np.isnan({grid})])",
            f"np.searchsorted(np.sort({a}.ravel()), {b})", f"np.median({a})", f"np.sort_complex({few})", f"np.isin({a}, {b})"], ulps, scale)
        group(f"{code} products", [f"{a} @ {b}.T", f"np.dot({a}.T, {b})", f"np.vdot({a}, {b})", f"np.vecdot({a}, {b})", f"np.inner({a}, {b})",
            f"np.outer({a}, {b})", f"np.einsum('ij,ij->i', {a}, {b})", f"np.kron({a}, {b})", f"np.convolve({a}[0], {b}[1])",
            f"np.correlate({a}[0], {b}[1], 'full')", f"np.trace({a})", f"np.linalg.det({a}[:, :2])", f"np.linalg.inv({a}[:, :2])",
            f"np.linalg.solve({a}[:, :2], {b})", f"np.linalg.eigvalsh({a} @ {a}.conj().T)", f"np.linalg.svdvals({a})"], 64, 64.0)
        group(f"{code} places", [f"x = {a}; x[1] = 9j; x", f"x = {a}; x[x == 0] = 2; x", f"x = {a}; x.ravel()[{few}] += 1j; x",
            f"x = {a}; np.add.at(x, [0, 0], 1j); x", f"x = {a}; x.real = 5; x", f"x = {a}; x.imag[0] = [1, 2, 3]; x", f"x = {a}; x.real += x.imag; x",
            f"x = {a}; x *= 2j; x", f"x = {a}; x -= x; x", f"{a}[::-1, ::2]", f"np.take({a}, {few})", f"np.where({a}.real > 0, {a}, 1j)",
            f"np.concatenate([{a}, {b}.real])", f"np.pad({a}, 1)", f"np.roll({a}, 1)", f"np.repeat({a}, 2)", f"{a}.T.copy()", f"{a}.tolist()[1][2].imag",
            f"{a}.astype('c8')", f"{a}.astype('c16')", f"{few}.astype('{code}')", f"x = np.zeros(3); x[0] = 1j; x", f"{a}.view('f{8 if code == 'c16' else 4}')",
            f"np.nan_to_num({grid})", f"np.real_if_close({a}.real + 0j)", f"np.isclose({a}, {a} + 1e-9)", f"np.round({a}, 0)"], ulps, scale)


def main():
    if np.__version__ != PINNED:
        sys.exit(f"expected numpy {PINNED}, found {np.__version__}")
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    make_inputs()
    for line in setup_lines():
        exec(line, SCOPE)
    for part in (elementwise, reductions, shapes, creation, ordering, linear, logic, unsigned, complexes):
        part()
    dump = lambda value: json.dumps(value, separators=(",", ":"))
    print(dump({"numpy": PINNED, "setup": "\n".join(setup_lines())}))
    for entry in GROUPS:
        print(dump(entry))
    print(f"{sum(len(g['cases']) for g in GROUPS)} cases in {len(GROUPS)} groups", file=sys.stderr)


if __name__ == "__main__":
    main()
