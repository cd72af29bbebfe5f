#!/usr/bin/env python3
"""Random statements in CPython with NumPy and in genesis-repl, with the whole state compared after each.

    pip install numpy==2.4.6
    python tests/numpy/statements.py --count 20000                # a new seed; prints it
    python tests/numpy/statements.py --count 20000 --seed 7 --memory
    python tests/numpy/statements.py --write 60 --seed 1 > tests/numpy/statements.jsonl

Names, views, lists and dictionaries hold each other; statements have several targets, change in
place, and fail in the middle: an index out of bounds, shapes that don't fit, a missing key, a
division by zero. After a failure everything must be as before the statement, which CPython does not
promise: here its state is put back. With --memory the device is filled up at random, so that
statements run out of it; then the state and the allocated bytes must be as before. Arrays are float64,
complex128, bool and integers of several widths, whose values here are exact, of either order in memory; some
are read-only. Blocks catch errors in their middle, loops write as they go.
Statements also write files of arrays and read them back, each side in a folder of its own: after each
both folders must hold the same.
"""

import argparse
import ast
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

LIMIT = 1 << 40
NAMES = "abcxyz"
# An iterator has this name and no other: what it has given comes back with a failed statement.
ITERATOR = "it"


# Files that statements write, by relative names.
FILES = ["f.npy", "g.npy", "f.npz", "f.txt", "f.bin"]


class Reject(Exception):
    pass


# Files.


def folder(path="."):
    """The files of a folder, as bytes."""
    found = {}
    for name in FILES:
        if os.path.exists(os.path.join(path, name)):
            with open(os.path.join(path, name), "rb") as file:
                found[name] = file.read()
    return found


def put_files(files):
    for name in FILES:
        if name in files:
            with open(name, "wb") as file:
                file.write(files[name])
        elif os.path.exists(name):
            os.remove(name)


def forget_cut_files(theirs, before):
    """Puts back what NumPy has emptied or written in part before it failed: here a file is written whole or
    not at all."""
    found = folder(theirs)
    put_files({name: found[name] if found.get(name) == before.get(name) else bytes for name, bytes in folder().items() if name in found})


def file_difference(theirs):
    """How the files here differ from those in another folder: texts by their bytes, arrays by what they hold,
    since results lie by rows here whatever their operands do."""
    ours, found = folder(), folder(theirs)
    for name in FILES:
        a, b = ours.get(name), found.get(name)
        if a == b:
            continue
        if a is None or b is None:
            return f"{name} is there on one side only"
        if name.endswith(("txt", "bin")):
            return f"{name}: expected {a[:200]}, found {b[:200]}"
        pair = [np.load(os.path.join(path, name)) for path in (".", theirs)]
        parts = [dict(it) if name.endswith("npz") else {"": it} for it in pair]
        if list(parts[0]) != list(parts[1]):
            return f"{name}: expected {list(parts[0])}, found {list(parts[1])}"
        for key, expected in parts[0].items():
            other = parts[1][key]
            if expected.dtype != other.dtype or not np.array_equal(expected, other, equal_nan=expected.dtype.kind in "fc"):
                return f"{name} {key}: expected {expected!r}, found {other!r}"
    return None


# The state and its copies.


def contents(scope):
    """What is needed to put the state back: containers' items and arrays' elements, by identity."""
    seen, saved = set(), []

    def walk(value):
        if isinstance(value, np.ndarray):
            saved.append((Flags(value), value.flags.writeable))
            while isinstance(base_of(value), np.ndarray):
                value = base_of(value)
        if id(value) in seen or not isinstance(value, (list, dict, set, tuple, np.ndarray)):
            return
        seen.add(id(value))
        if isinstance(value, np.ndarray):
            saved.append((value, value.copy()))
        elif isinstance(value, set):
            saved.append((value, set(value)))
        elif isinstance(value, dict):
            saved.append((value, dict(value)))
            for item in value.values():
                walk(item)
        else:
            if isinstance(value, list):
                saved.append((value, list(value)))
            for item in value:
                walk(item)

    for value in scope.values():
        walk(value)
    names = dict(scope)
    if ITERATOR in names:
        names[ITERATOR] = copy.copy(names[ITERATOR])
    return names, saved


def base_of(array):
    """What it is a view of, also where NumPy has made it out of an address."""
    base = array.base
    return base if isinstance(base, np.ndarray) else getattr(base, "base", None)


def bases(saved):
    """The arrays of a state, and those that they are views of, by identity."""
    found = {}
    for value, _ in saved:
        value = value.array if isinstance(value, Flags) else value
        while isinstance(value, np.ndarray):
            found[id(value)] = value
            value = base_of(value)
    return found


def check_order(statement, kept, scope):
    """NumPy's results lie as their operands do, ours by rows unless an order is given. After that the
    states differ in what shares memory with what."""
    before, after = bases(kept[1]), bases(contents(scope)[1])
    is_asked = statement.count("order='F'") + statement.count("asfortranarray")
    made = [value for at, value in after.items() if at not in before and base_of(value) is None]
    strange = sum(not value.flags.c_contiguous for value in made)
    computes = any(sign in statement for sign in (" + ", " - ", " * ", "astype", "np.abs", "-np"))
    if strange > 0 and (strange > is_asked or computes):
        raise Reject("NumPy's order of a result")


def is_computed_alone(scope):
    """Whether some array is a part with holes of what nobody else holds: here only the part is computed, and
    has no holes, so that `ravel` and `reshape` show it and copy nothing."""
    owners, parts = [], []
    for value, _ in contents(scope)[1]:
        if isinstance(value, Flags):
            owner = value.array
            while isinstance(base_of(owner), np.ndarray):
                owner = base_of(owner)
            owners.append(id(owner))
            if not value.array.flags.c_contiguous and value.array.size < owner.size:
                parts.append(id(owner))
    return any(owners.count(part) == 1 for part in parts)


class Flags:
    """Whether an array may be written to."""

    def __init__(self, array):
        self.array = array


def put_back(scope, kept):
    names, saved = kept
    scope.clear()
    scope.update(names)
    if ITERATOR in names:
        # Kept once more: the state may be put back again.
        scope[ITERATOR] = copy.copy(names[ITERATOR])
    for value, before in saved:
        if isinstance(value, Flags):
            continue
        if isinstance(value, np.ndarray):
            may_write = value.flags.writeable
            value.flags.writeable = True
            value[...] = before
            value.flags.writeable = may_write
        elif isinstance(value, (dict, set)):
            value.clear()
            value.update(before)
        else:
            value[:] = before
    for value, before in saved:
        if isinstance(value, Flags) and value.array.flags.writeable != before:
            value.array.flags.writeable = before


def number(value):
    if isinstance(value, float):
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
    return value


def elements(values):
    numbers = [complex(value) for value in values]
    return ["set", sorted([it.real + 0.0, it.imag + 0.0] for it in numbers)]


def encode(value, open_=()):
    if id(value) in open_ or len(open_) > 6:
        raise Reject("a cycle")
    inside = open_ + (id(value),)
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        if value.dtype.name not in ("int64", "float64", "bool", "complex128", "uint64", "int32", "int16", "uint8"):
            raise Reject("dtype " + value.dtype.name)
        if value.dtype.name == "complex128":
            parts = np.stack([value.real, value.imag], axis=-1)
            return ["complex128", list(value.shape), encode(parts)[2]]
        if value.size and value.dtype != bool:
            if not np.isfinite(value).all() or np.abs(value).max() > LIMIT:
                raise Reject("large")
            if not (value * 64 == np.floor(value * 64)).all():
                raise Reject("not exact")
        return [value.dtype.name, list(value.shape), value.reshape(-1).tolist()]
    if isinstance(value, (tuple, list)):
        if len(value) > 24:
            raise Reject("long")
        return [type(value).__name__, [encode(v, inside) for v in value]]
    if isinstance(value, (set, frozenset)):
        return elements(value)
    if type(value) is type(iter([])):
        return "an iterator"
    if isinstance(value, dict):
        return ["dict", [[encode(k), encode(v, inside)] for k, v in value.items()]]
    if isinstance(value, (int, float)) and abs(value) > LIMIT:
        raise Reject("large")
    if value is None or isinstance(value, (bool, int, float, str)):
        return number(value)
    raise Reject(type(value).__name__)


def decode(value):
    """The same form from genesis-repl's JSON."""
    kind = value["type"]
    if kind == "tensor":
        flat = []

        def flatten(data):
            if isinstance(data, list):
                for item in data:
                    flatten(item)
            else:
                flat.append(data)

        flatten(value["data"])
        if value["dtype"] in ("float64", "complex128"):
            flat = [float(v) for v in flat]
        return [value["dtype"], value["shape"], flat]
    if kind in ("tuple", "list"):
        return [kind, [decode(v) for v in value["items"]]]
    if kind == "dict":
        return ["dict", [[decode(k), decode(v)] for k, v in value["items"]]]
    if kind in ("set", "frozenset"):
        text = value["repr"]
        items = [] if text in ("set()", "frozenset()") else ast.literal_eval(text.removeprefix("frozenset(").rstrip(")"))
        return elements(items)
    if kind.endswith("iterator"):
        return "an iterator"
    if kind == "none":
        return None
    if kind == "float":
        return number(float(value["value"]))
    return value.get("value", value.get("repr"))


def kind_of(error):
    for kind in (FileNotFoundError, EOFError, ZeroDivisionError, OverflowError, np.exceptions.AxisError, IndexError, TypeError, ValueError, KeyError, AttributeError, NameError):
        if isinstance(error, kind):
            return kind.__name__
    raise Reject(f"{type(error).__name__}: {error}")


# Statements.


def own(target, index):
    """An index that a write does not change while it goes on. Through a mask NumPy reads the mask and
    the values while it writes, also where they are views of the target; through places it does not."""
    if isinstance(index, tuple):
        return tuple(own(None, part) for part in index)
    if not isinstance(index, np.ndarray):
        return index
    if isinstance(target, np.ndarray) and index.dtype == bool and index.ndim and index.shape == target.shape:
        return np.nonzero(index)
    return index.copy()


class OwnIndexes(ast.NodeTransformer):
    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store) and not isinstance(node.slice, ast.Slice):
            target = ast.parse(ast.unparse(node.value), mode="eval").body
            node.slice = ast.Call(ast.Name("own", ast.Load()), [target, node.slice], [])
        return node


def compiled(statement):
    tree = OwnIndexes().visit(ast.parse(statement))
    return compile(ast.fix_missing_locations(tree), "<s>", "exec")


class Program:
    def __init__(self, rng, files=True):
        self.rng = rng
        self.files = files
        self.scope = {}
        self.globals = {"np": np, "own": own}

    def values(self, *kinds):
        return [name for name, value in self.scope.items() if isinstance(value, kinds)]

    def pick(self, items, otherwise):
        return self.rng.choice(items) if items else otherwise

    def paths(self, want):
        """Expressions that lead to a value of a kind: names and items of containers."""
        found = []

        def walk(path, value, depth):
            if isinstance(value, want):
                found.append(path)
            if depth < 3 and isinstance(value, (list, tuple)):
                for at, item in enumerate(value[:4]):
                    walk(f"{path}[{at}]", item, depth + 1)
            if depth < 3 and isinstance(value, dict):
                for key, item in list(value.items())[:4]:
                    walk(f"{path}[{key!r}]", item, depth + 1)

        for name, value in self.scope.items():
            walk(name, value, 0)
        return found

    def look(self, path):
        return eval(path, self.globals, self.scope)

    def int(self):
        return str(self.rng.choice([0, 1, 2, 3, 5, -1, -2, 7]))

    def num(self):
        return self.rng.choice([self.int(), self.int(), "0.5", "1.5", "-2.25"])

    def key(self):
        return self.rng.choice(["'k'", "'w'", "1", "(1, 2)"])

    def new_array(self):
        rng = self.rng
        n = rng.randint(1, 6)
        return rng.choice([
            f"np.arange({n})", f"np.arange({float(n)})", f"np.zeros({n})", f"np.ones(({rng.randint(1, 3)}, {rng.randint(1, 4)}))",
            f"np.arange({n * 2}).reshape(2, {n})", f"np.arange({float(n)}) * {self.num()} + {self.int()}",
            f"np.array({[rng.randint(-4, 9) for _ in range(n)]})", f"np.array({self.num()})", f"np.array([{self.num()}, {self.num()}])",
            f"np.full({n}, {self.num()})",
            f"np.arange({n}) + {rng.choice(['1j', '2j', '0.5j'])}", f"np.zeros({n}, complex)", f"np.array([{self.num()}, {self.num()} + 1j])",
            f"np.asfortranarray(np.arange({n * 2}).reshape(2, {n}))", f"np.zeros(({rng.randint(1, 3)}, {rng.randint(1, 3)}), order='F')",
            f"np.broadcast_to(np.arange({n}), (2, {n}))",
            f"np.arange({n}, dtype={rng.choice(['np.int32', 'np.uint8', 'np.int16'])!s})", f"np.arange({n}, dtype=np.uint8)[::-1]",
            f"np.full((2, {n}), {rng.randint(0, 9)}, dtype=np.int32)", f"np.arange({n}) > {rng.randint(0, 3)}", f"np.zeros({n}, bool)",
            f"np.arange({n * 2}, dtype=np.int32).reshape(2, {n}).T",
            f"np.arange({n}, dtype='uint64')", f"np.full({n}, {rng.randint(0, 9)}, dtype=np.uint64)",
            "np.zeros((0, 3))", "np.ones((2, 0), dtype=int)", f"np.array({self.num()})[()] + np.zeros(())", f"np.arange({n})[:0]",
            f"np.arange({n}).astype('<i8').view('uint64')", f"(np.arange({n}) * 2.0).view('uint8').view('float64')",
        ])

    def array(self):
        return self.pick(self.paths(np.ndarray), self.new_array())

    def slice_(self, extent):
        rng = self.rng
        part = lambda: rng.choice(["", "", str(rng.randint(-extent - 1, extent + 1))])
        return rng.choice([":", ":", f"{part()}:{part()}", f"::{rng.choice([2, -1, -2, 3])}", f"{part()}:"])

    def index(self, path, fails=True):
        """An index for the array at `path`."""
        rng = self.rng
        try:
            x = self.look(path)
        except Exception:
            return ":"
        if not isinstance(x, np.ndarray) or x.ndim == 0:
            return "..."
        n = x.shape[0]
        far = str(n + rng.randint(0, 3))
        wrong = fails and rng.random() < 0.07
        whole = rng.random()
        if wrong:
            return rng.choice([far, f"[0, {far}]", f"[{far}]", "'q'", "0, 0, 0, 0", f"np.array([{far}])", f"-{int(far) + 1}"])
        if whole < 0.3:
            return self.slice_(n)
        if whole < 0.4:
            return "..."
        if whole < 0.55 and n:
            return str(rng.randrange(-n, n))
        if whole < 0.7:
            return f"{path} {rng.choice(['>', '<', '>=', '!='])} {self.num()}"
        if whole < 0.85 and n:
            return str([rng.randrange(-n, n) for _ in range(rng.randint(1, 4))])
        if x.ndim > 1 and n and x.shape[1]:
            m = x.shape[1]
            return rng.choice([
                f":, {rng.randrange(-m, m)}", f"{rng.randrange(-n, n)}, {rng.randrange(-m, m)}", f"{self.slice_(n)}, {self.slice_(m)}",
                f"{[rng.randrange(n) for _ in range(2)]}, {[rng.randrange(m) for _ in range(2)]}", f"..., {rng.randrange(m)}", f"{rng.randrange(n)}, ...",
            ])
        return self.slice_(n)

    def part(self, fails=True):
        path = self.array()
        if path.startswith("np."):
            return path
        first = f"{path}[{self.index(path, fails)}]"
        if self.rng.random() < 0.2:
            # A view of a view.
            return f"{path}[{self.slice_(4)}][{self.rng.choice(['::-1', '...', '1:', 'None', '..., ::2', ':, None', '-1:'])}]"
        return first

    def array_expr(self, depth=0):
        rng = self.rng
        choice = rng.random()
        if choice < 0.2 or depth > 2:
            return self.array()
        if choice < 0.45:
            return f"{self.array()} {rng.choice('+-*')} {self.num()}"
        if choice < 0.6:
            return f"{self.array_expr(depth + 1)} {rng.choice('+-*')} {self.array()}"
        if choice < 0.75:
            return self.part()
        if choice < 0.82:
            return self.function()
        if choice < 0.85 and self.files:
            return self.loaded()
        return rng.choice([
            self.new_array(), f"np.where({self.array()} > 1, {self.array()}, {self.num()})", f"np.sort({self.array()})", f"-{self.array()}",
            f"{self.array()}.copy()", f"np.maximum({self.array()}, {self.num()})", f"{self.array()}.T", f"{self.array()}.reshape(-1)",
            f"np.concatenate([{self.array()}, {self.array()}])", f"{self.array()}.astype({rng.choice(['float', 'int'])})",
            f"np.cumsum({self.array()})", f"np.abs({self.array_expr(depth + 1)})",
            f"{self.array()}.real", f"{self.array()}.imag", f"np.conj({self.array()})", f"{self.array()} * 1j", f"{self.array()}.astype(complex)",
            f"np.array({self.array()}, order='F')", f"{self.array()}.copy(order='F')", f"np.ravel({self.array()}, order='F')",
            f"np.fft.fft({self.pair_or_four()})", f"np.fft.ifft({self.pair_or_four()})", f"np.fft.fftshift({self.array()}.reshape(-1))",
            f"np.linalg.matrix_power(np.array([[1, {self.int()}], [0, 1]]), {rng.randint(0, 3)})", f"np.linalg.matrix_transpose({self.array()})",
            f"np.linalg.solve(np.eye(2) * 2, np.array([{self.num()}, {self.num()}]))", f"np.linalg.inv(np.diag([0.5, 2.0]))",
            f"np.bitwise_{rng.choice(['and', 'or', 'xor'])}.reduce({self.whole()})", f"np.gcd.reduce({self.whole()})", f"np.maximum.accumulate({self.array()})",
            f"np.add.reduce({self.array()}, initial={self.num()})", f"np.sum({self.array()}, where={self.array()} > 1)",
            f"np.add({self.array()}, {self.num()}, where=np.array([True]))", f"{self.whole()}.view('uint64')", f"{self.whole()}.astype('uint64')",
            f"np.roll({self.array()}, 1)", f"{self.array()} {rng.choice(['>', '<=', '==', '!='])} {self.array()}", f"{self.array()} {rng.choice('&|^')} {self.array()}",
            f"{self.array()} // {self.num()}", f"{self.array()} % {self.int()}", f"~{self.array()}", f"{self.array()} << 1", f"np.logical_not({self.array()})",
f"np.array([{self.array()}, {self.array()}])", f"np.minimum({self.array()}, {self.array()})",
            f"np.multiply.outer({self.array()}, np.arange(2))", f"{self.array()}[..., None] * np.ones(2)", f"np.einsum('i,i->i', {self.array()}, {self.array()})",
            f"{self.array()}.sum(axis=0, keepdims=True)", f"{self.array()}.reshape(-1, 1)", f"{self.array()}.transpose()", f"np.nonzero({self.array()})[0]",
            f"np.take({self.array()}, [0, {rng.choice([0, 1, 9])}], axis=0)", f"np.squeeze({self.array()})", f"np.atleast_2d({self.array()})",
            f"np.linalg.outer(np.arange(2), np.arange({rng.randint(1, 3)}))", f"np.diagonal(np.arange(4).reshape(2, 2))",
        ])

    def function(self):
        """Functions of NumPy whose results are views or copies, or have another form."""
        rng, a = self.rng, self.array()
        small = lambda: rng.choice(["0", "1", "-1", "2"])
        axis = lambda: rng.choice(["0", "-1", "None"])
        return rng.choice([
            f"np.expand_dims({a}, {small()})", f"np.swapaxes({a}, 0, -1)", f"np.moveaxis({a}, 0, -1)", f"np.flip({a})", f"np.flip({a}, {small()})", f"np.rot90({a}, {small()})",
            f"np.split({a}, {rng.choice(['1', '2', '[1]', '[1, 3]'])})[{rng.choice(['0', '-1'])}]", f"np.array_split({a}, 3)[{rng.choice(['0', '1', '2'])}]", f"np.unstack({a})[0]",
            f"np.atleast_1d({a})", f"np.atleast_3d({a})", f"np.broadcast_to({a}, (2,) + {a}.shape)", f"np.broadcast_arrays({a}, np.zeros((2, 1)))[{rng.choice(['0', '1'])}].copy()",
            f"np.lib.stride_tricks.sliding_window_view({a}.reshape(-1), {rng.choice(['1', '2', '3'])})", f"np.diagonal({a})", f"np.trace({a})", f"np.tril({a})", f"np.triu({a}, 1)",
            f"np.tile({a}, 2)", f"np.repeat({a}, {rng.choice(['2', '0', '[1, 2]'])})", f"np.repeat({a}, 2, axis={small()})", f"np.pad({a}, 1)", f"np.pad({a}, 1, mode={rng.choice(['edge', 'wrap', 'reflect', 'symmetric'])!r})",
            f"np.insert({a}, {small()}, {self.num()})", f"np.delete({a}, {small()})", f"np.append({a}, {self.num()})", f"np.resize({a}, {rng.choice(['3', '(2, 2)', '0'])})", f"np.trim_zeros({a})",
            f"np.diff({a})", f"np.ediff1d({a})", f"np.unique({a})", f"np.unique({a}, return_counts=True)[1]", f"np.clip({a}, {self.int()}, 3)", f"np.digitize({a}, [0, 2, 4])",
            f"np.searchsorted([0, 1, 3], {a})", f"np.count_nonzero({a}, axis={axis()})", f"np.argsort({a}, stable=True)", f"np.argmax({a}, axis={axis()})", f"np.any({a}, axis={axis()})",
            f"np.max({a}, axis={small()}, keepdims=True)", f"np.cumsum({a}, axis={small()})", f"np.nonzero({a})[0]", f"np.argwhere({a} > 1)", f"np.flatnonzero({a})", f"np.extract({a} > 1, {a})",
            f"np.compress([True, False], {a})", f"np.choose([0, 1, 0], [{a}, {self.num()}])", f"np.select([{a} > 2, {a} > 0], [{a}, {self.int()}], default={self.int()})", f"np.where({a} > 1)[0]",
            f"np.take_along_axis({a}, np.argsort({a}, axis=0), axis=0)", f"np.stack([{a}, {a}])", f"np.vstack([{a}, {self.array()}])", f"np.hstack([{a}, {self.array()}])", f"np.column_stack([{a}, {a}])",
            f"np.block([[{a}], [{a}]])", f"np.kron({a}, [1, 2])", f"np.outer({a}, [1, 2])", f"np.convolve({a}, [1, 2])", f"np.einsum('...i->...', {a})", f"np.tensordot({a}, {a}, 1)", f"np.vecdot({a}, {a})",
            f"np.meshgrid({a}, [1, 2])[{rng.choice(['0', '1'])}]", f"np.isin({a}, [1, 2])", f"np.union1d({a}, [9])", f"np.setdiff1d({a}, [1])", f"np.intersect1d({a}, [0, 1, 2])", f"np.sign({a})", f"np.floor_divide({a}, 2)",
            f"np.divmod({a}, 2)[1]", f"np.modf({a})[0]", f"np.heaviside({a}, 1)", f"np.nan_to_num({a})", f"np.apply_along_axis(np.cumsum, 0, {a})", f"np.cumulative_sum({a}.reshape(-1), include_initial=True)",
            f"np.bincount({self.whole()})", f"np.histogram({a}, bins=[0, 2, 4])[0]", f"np.median(np.arange(3) + {self.num()})", f"np.polyval([1, 2], {a})", f"np.array({a}.tolist())", f"np.asarray({a})",
            f"np.array({a}, copy=False)" if rng.random() < 0.2 else f"np.array({a}, ndmin=2)", f"np.fromiter({a}.reshape(-1), float)", f"{a}.flat[{small()}]", f"{a}.flat[:]", f"{a}.item(0) + np.zeros(2)",
        ])

    def loaded(self):
        """What is read from a file, which may not be there."""
        return self.rng.choice([
            "np.load('f.npy')", "np.load('f.npy')", "np.load('g.npy')", "np.load('f.npz')['k']", "np.load('f.npz')['arr_0']", "np.load('f.npz')['no']", "np.loadtxt('f.txt')",
            "np.loadtxt('f.txt', ndmin=2)", "np.loadtxt('f.txt', delimiter=',')", "np.loadtxt('f.txt', usecols=0)", "np.loadtxt('f.txt', skiprows=1)", "np.loadtxt('f.txt', max_rows=1)",
            "np.loadtxt('f.txt', unpack=True)", "np.genfromtxt('f.txt')", "np.fromfile('f.bin')", "np.fromfile('f.bin', dtype=int)", "np.fromfile('f.bin', count=1)", "np.fromfile('f.bin', offset=8)",
            "np.load('no.npy')", "np.load('f.txt')", "len(np.load('f.npz').files) + np.zeros(2)",
        ])

    def saving(self):
        """A call that writes a file."""
        rng, a = self.rng, self.array_expr()
        bad = self.failing() if rng.random() < 0.1 else self.array()
        return rng.choice([
            f"np.save('f.npy', {a})", f"np.save('f.npy', {bad})", f"np.save('g', {a})", f"np.savez('f.npz', {a}, k={bad})", f"np.savez_compressed('f.npz', k={a})", f"np.savez('f', {bad})",
            f"np.savetxt('f.txt', {a})", f"np.savetxt('f.txt', {a}, fmt='%{rng.choice(['d', '.2f', '5.1f', 's', 'g'])}')", f"np.savetxt('f.txt', {bad}, delimiter=',', header='h')",
            f"{a}.tofile('f.bin')" if a.replace("_", "a").isalnum() else f"{self.array()}.tofile('f.bin')", f"np.save('f.npy', np.load('g.npy'))", f"np.save('f.npy', {self.num()})",
            f"np.save('f.npy', [{self.array()}, {self.num()}])" if rng.random() < 0.2 else f"np.save('f.npy', {self.array()}.T)",
        ])

    def whole(self):
        """An array of integers."""
        return f"np.arange({self.rng.randint(1, 9)})[{self.slice_(4)}]"

    def pair_or_four(self):
        rng = self.rng
        return rng.choice([f"np.arange({rng.choice([2.0, 4.0])})", f"np.array([{self.num()}, {self.num()}])", f"np.array([{self.num()}, 1j, {self.num()}, 0])"])

    def number_expr(self):
        rng = self.rng
        numbers = self.paths((int, float, np.generic))
        return rng.choice([self.num(), self.num(), f"{self.array()}.sum()", f"{self.array()}.max()", self.pick(numbers, "4"),
                           f"len([{self.part()}])", f"len({self.part()}.shape)", f"{self.part()}.size", f"{self.pick(numbers, '2')} + {self.num()}",
                           f"len({self.pick(self.paths((list, dict)), '[]')})"])

    def list_expr(self):
        rng = self.rng
        lists = self.paths(list)
        return rng.choice([
            "[]", f"[{self.expr()}]", f"[{self.expr()}, {self.expr()}]", f"[{self.num()}, {self.num()}, {self.num()}]", self.pick(lists, "[1, 2]"),
            f"{self.pick(lists, '[3]')}[{self.slice_(3)}]", f"{self.pick(lists, '[3]')} + [{self.expr()}]", f"{self.pick(lists, '[3]')} * 2", f"list({self.pick(lists, '(1, 2)')})",
        ])

    def dict_expr(self):
        dicts = self.paths(dict)
        return self.rng.choice(["{}", f"{{{self.key()}: {self.expr()}}}", f"{{{self.key()}: {self.expr()}, {self.key()}: {self.num()}}}", self.pick(dicts, "{1: 2}"),
                                f"{self.pick(dicts, '{}')} | {{{self.key()}: {self.num()}}}", f"dict({self.pick(dicts, '{}')})"])

    def expr(self):
        rng = self.rng
        choice = rng.random()
        if choice < 0.55:
            return self.array_expr()
        if choice < 0.75:
            return self.number_expr()
        if choice < 0.87:
            return self.list_expr()
        if choice < 0.94:
            return self.dict_expr()
        return rng.choice([f"({self.array_expr()}, {self.number_expr()})", "'text'", "None", f"({self.expr()},)", self.set_expr(), self.given()])

    def set_expr(self):
        sets = self.paths(set)
        return self.rng.choice(["set()", f"{{{self.num()}, {self.int()}}}", self.pick(sets, "{1}"), f"{self.pick(sets, '{1}')} | {{{self.num()}}}", f"set({self.pick(sets, '[1, 2]')})",
                                f"set({self.array()}.reshape(-1).tolist())"])

    def given(self):
        """What the iterator gives."""
        return self.rng.choice([f"next({ITERATOR})", f"next({ITERATOR})", f"next({ITERATOR}, 7)", f"list({ITERATOR})", f"[*{ITERATOR}]"])

    def iterator(self):
        return f"{ITERATOR} = iter([{self.expr()}, {self.array()}, {self.part()}, {self.num()}])"

    def sets(self):
        path = self.pick(self.paths(set), None)
        if path is None:
            return f"{self.rng.choice(NAMES)} = {self.set_expr()}"
        rng = self.rng
        value = self.failing() if rng.random() < 0.15 else self.number_expr()
        return rng.choice([f"{path}.add({value})", f"{path}.discard({value})", f"{path}.remove({value})", f"{path}.update([{value}, {self.int()}])", f"{path} |= {{{value}}}",
                           f"{path} -= {{{value}}}", f"{path} &= {{{value}, 1}}", f"{path} ^= {{{value}}}", f"{path}.clear()", f"{path}.add({self.array()})",
                           f"{rng.choice(NAMES)}, {rng.choice(NAMES)} = {path}.add({self.int()}), {value}", f"{path}.update({self.array()}.reshape(-1))"])

    def flags(self):
        path = self.array()
        if path.startswith("np."):
            return f"{self.rng.choice(NAMES)} = {path}"
        owns = base_of(self.look(path)) is None
        if owns and self.rng.random() < 0.5:
            return self.rng.choice([f"{path}.flags.writeable = True", f"{path}.setflags(write=True)"])
        return self.rng.choice([f"{path}.flags.writeable = False", f"{path}.setflags(write=False)", f"{path}.flags.writeable, {self.rng.choice(NAMES)} = False, {self.failing()}"])

    def failing(self):
        rng = self.rng
        return rng.choice([f"{self.array()}[[99]]", "[][0]", "{}['no']", "1 / 0", "1 // 0", "nowhere", "np.ones(3) + np.ones(4)", "'a' + 1", "np.arange(3)[[9]]", "np.arange(2)[5]",
                           "np.array([1, 2]) // np.array([1, 0])", "np.arange(3) % np.array([1, 0, 2])", "int('x')"])

    def target(self, deep=True):
        rng = self.rng
        choice = rng.random()
        lists, dicts, arrays = self.paths(list), self.paths(dict), self.paths(np.ndarray)
        if choice < 0.35:
            return rng.choice(NAMES)
        if choice < 0.65 and arrays:
            path = rng.choice(arrays)
            if rng.random() < 0.08:
                return f"{path}.{rng.choice(['real', 'imag'])}" + rng.choice(["", "[...]", f"[{self.index(path)}]"])
            return f"{path}[{self.index(path)}]"
        if choice < 0.8 and lists:
            path = rng.choice(lists)
            n = len(self.look(path))
            wrong = rng.random() < 0.06 or n == 0
            at = str(n + 1) if wrong else str(rng.randrange(-n, n))
            return f"{path}[{at}]" if rng.random() < 0.8 else f"{path}[{self.slice_(n)}]"
        if choice < 0.92 and dicts:
            return f"{rng.choice(dicts)}[{self.key()}]"
        if deep:
            pair = f"{self.target(False)}, {self.target(False)}"
            return rng.choice([pair, f"[{pair}]", f"*{rng.choice(NAMES)}, {self.target(False)}"])
        return rng.choice(NAMES)

    def tuple_value(self):
        """A value for a target of two parts."""
        return f"{self.expr()}, {self.expr()}"

    def assignment(self):
        rng = self.rng
        targets = [self.target() for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        pairs = any("," in target.split("[")[0] or target.startswith("[") for target in targets)
        value = self.tuple_value() if pairs and rng.random() < 0.9 else self.expr()
        if rng.random() < 0.08:
            value = f"{value}, {self.failing()}"
        return " = ".join(targets + [value])

    def several(self):
        """Several targets of one tuple, of which a later one may fail."""
        rng = self.rng
        count = rng.randint(2, 3)
        targets = [self.target(False) for _ in range(count)]
        values = [self.expr() for _ in range(count)]
        if rng.random() < 0.3:
            values[rng.randrange(count)] = self.failing()
        return ", ".join(targets) + " = " + ", ".join(values)

    def augmented(self):
        rng = self.rng
        choice = rng.random()
        arrays, lists, dicts = self.paths(np.ndarray), self.paths(list), self.paths(dict)
        if choice < 0.6 and arrays:
            path = rng.choice(arrays)
            target = rng.choice([path, f"{path}[{self.index(path)}]", f"{path}[{self.index(path)}]"])
            value = rng.choice([self.num(), self.num(), self.array_expr(), self.number_expr(), self.failing() if rng.random() < 0.3 else self.int()])
            return f"{target} {rng.choice(['+', '-', '*', '+', '//', '/', '%', '**', '@', '&'])}= {value}"
        if choice < 0.8 and lists:
            path = rng.choice(lists)
            target = rng.choice([path, path, f"{path}[{self.slice_(len(self.look(path)))}]", f"{path}[0]"])
            value = rng.choice([f"[{self.expr()}]", self.pick(lists, "[1]"), "'ab'", "range(2)", self.int(), "(1, 2)", "{1: 2}", self.num(), self.pick(arrays, "5")])
            return f"{target} {rng.choice(['+', '+', '+', '*', '-'])}= {value}"
        if choice < 0.9 and dicts:
            path = rng.choice(dicts)
            target = rng.choice([path, path, f"{path}[{self.key()}]"])
            value = rng.choice([f"{{{self.key()}: {self.expr()}}}", self.pick(dicts, "{}"), "[(1, 2)]", "[1]", self.int()])
            return f"{target} {rng.choice(['|', '|', '+'])}= {value}"
        name = self.pick(list(self.scope), "a")
        value = rng.choice([self.num(), "'t'", "(1,)", self.expr()])
        return f"{name} {rng.choice(['+', '*', '-'])}= {value}"

    def call(self):
        rng = self.rng
        arrays, lists, dicts = self.paths(np.ndarray), self.paths(list), self.paths(dict)
        choice = rng.random()
        value = self.failing() if rng.random() < 0.12 else self.expr()
        if choice < 0.35 and lists:
            path = rng.choice(lists)
            # The order of a set's members is nobody's promise.
            listed = "[]" if value.startswith("{") else value
            return rng.choice([f"{path}.append({value})", f"{path}.extend({rng.choice([self.list_expr(), listed, '(1, 2)'])})", f"{path}.insert({self.int()}, {value})", f"{path}.pop()",
                               f"{path}.pop({self.int()})", f"{path}.reverse()", f"{path}.clear()", f"{rng.choice(NAMES)} = {path}.pop()", f"{rng.choice(NAMES)} = {path}.copy()"])
        if choice < 0.5 and dicts:
            path = rng.choice(dicts)
            return rng.choice([f"{path}.update({{{self.key()}: {value}}})", f"{path}.pop({self.key()})", f"{path}.setdefault({self.key()}, {value})", f"{path}.update(q={value})",
                               f"{path}.clear()", f"{path}.popitem()", f"{rng.choice(NAMES)} = {path}.setdefault({self.key()}, {value})"])
        if choice < 0.6 and self.files:
            return self.saving()
        path = self.pick(arrays, None)
        if path is None:
            return f"{rng.choice(NAMES)} = {self.new_array()}"
        part = rng.choice([path, f"{path}[{self.slice_(3)}]"])
        return rng.choice([
            f"{part}.fill({self.num()})", f"{part}.sort()", f"np.put({path}, [0, 1], {self.num()})", f"np.putmask({path}, {path} > 1, {self.num()})",
            f"np.add.at({path}, [0, 0, 1], {self.int()})", f"np.copyto({part}, {self.array_expr()})", f"np.add({self.array_expr()}, {self.num()}, out={part})",
            f"np.multiply({path}, {self.array()}, out={path})", f"np.fill_diagonal({path}, {self.int()})", f"np.place({path}, {path} > 1, [{self.num()}, {self.num()}])",
            f"np.negative({path}, out={part})", f"np.copyto({part}, {self.num()}, where={path} > 0)", f"np.sum({self.array()}, out={part})",
            f"np.put_along_axis({path}, np.array([0]), {self.num()}, 0)", f"{path}.flat[{rng.choice(['0', ':', '[0, 1]'])}] = {self.num()}", f"{path}.partition(0)", f"np.random.shuffle({path}[:1])",
            f"np.clip({path}, 0, 2, out={part})", f"np.cumsum({path}, 0, out={path})", f"np.take({path}, [0, 1], out={part}, mode='clip')", f"np.maximum.accumulate({path}, out={path})", f"np.concatenate([{path}, {path}], out={part})",
            f"{rng.choice(NAMES)} = np.add({path}, {self.num()}, out={part})", f"np.add({path}, {self.num()}, out={path}, where={path} > 1)",
            f"np.multiply({part}, {self.array()}, out={part}, where={self.array()} > 0)", f"np.copyto({part}, {part}[::-1])", f"{path}.put([0, -1], [{self.num()}, {self.num()}])",
            f"{path}[...], {rng.choice(NAMES)} = {self.array_expr()}, {path}.copy()", f"{path}.itemset(0, 1)" if rng.random() < 0.1 else f"{path}[:1] = {self.array()}[:1]",
            f"np.minimum({path}, {self.num()}, out={part})", f"np.logical_and({path}, {self.array()}, out={path})", f"{path}.resize({rng.choice(['2', '(1, 3)'])}, refcheck=False)" if rng.random() < 0.1 else f"{path}.sort(axis=0)",
            f"np.subtract.at({path}, [0], {self.failing()})",
        ])

    def inside(self):
        """Changes inside an expression, before the rest of it fails or not."""
        rng = self.rng
        lists, dicts = self.paths(list), self.paths(dict)
        change = rng.choice([
            f"{self.pick(lists, '[1]')}.append({self.expr()})", f"{self.pick(lists, '[1]')}.pop()", f"{self.pick(dicts, '{}')}.setdefault({self.key()}, {self.expr()})",
            f"{self.array()}.fill({self.num()})", f"np.add({self.array()}, 1, out={self.array()})", self.saving() if self.files else "None", f"{self.pick(dicts, '{}')}.update(r={self.expr()})",
        ])
        rest = self.failing() if rng.random() < 0.5 else self.expr()
        return rng.choice([f"{self.target(False)}, {self.target(False)} = {change}, {rest}", f"{rng.choice(NAMES)} = [{change}, {rest}]", f"{self.target(False)} = [{change}, {self.expr()}][1]",
                           f"{self.pick(lists, '[1]')}.extend([{change}, {rest}])"])

    def block(self):
        """A statement of several lines: what fails in it is caught, or ends it in the middle."""
        rng = self.rng
        lists, arrays, dicts = self.paths(list), self.paths(np.ndarray), self.paths(dict)
        plain = lambda: rng.choice([self.assignment, self.several, self.augmented, self.call, self.delete])()
        path = self.pick(arrays, None)
        choice = rng.random()
        if choice < 0.35:
            error = rng.choice(["IndexError", "(ValueError, TypeError)", "(KeyError, ZeroDivisionError, NameError)", "(IndexError, ValueError, TypeError, KeyError, NameError)"])
            return f"try:\n    {plain()}\nexcept {error}:\n    {plain()}"
        if choice < 0.5:
            return f"if {self.number_expr()}:\n    {plain()}\nelse:\n    {plain()}"
        if choice < 0.7 and path:
            return rng.choice([
                f"for i in range(3): {path}[i] = {path}[i] + i", f"for i in range(2): {path} += i", f"for i in range(3): {path}[-i] *= {self.num()}",
                f"for v in {path}: {rng.choice(NAMES)} = v", f"for i, v in enumerate({path}): {path}[i] = v + 1", f"for {path}[0] in [1, 2, 3]: {rng.choice(NAMES)} = {path}.sum()",
                f"for a, b in zip({path}, {path}): c = a + b",
            ])
        if choice < 0.85 and lists:
            path = rng.choice(lists)
            return rng.choice([
                f"for i in range(4): {path}.append(i)", f"for i in range(3): {path}[0] = i", f"for v in {path}[:]: {path}.append(v)", f"for i in range(2): {path}.insert(0, {self.num()})",
                f"for i in range(3): del {path}[0]", f"{path}[::2] = {self.list_expr()}", f"{rng.choice(NAMES)} = [v for v in {path} if v is not None]", f"{path}.remove({self.num()})",
                f"{rng.choice(NAMES)} = {path}.index({self.num()})", f"{rng.choice(NAMES)} = sum({path}, 0)", f"{path}.sort()",
                f"{rng.choice(NAMES)} = [(w := v) for v in {path}]",
            ])
        if dicts:
            path = rng.choice(dicts)
            return rng.choice([
                f"for k in list({path}): {path}[k] = {self.num()}", f"for k, v in {path}.items(): {rng.choice(NAMES)} = v", f"for i in range(3): {path}[i] = {self.array()}",
                f"{rng.choice(NAMES)} = {{k: v for k, v in {path}.items()}}", f"for k in {path}: del {path}[k]" if rng.random() < 0.2 else f"{path}.update({{i: i for i in range(3)}})",
            ])
        return f"({rng.choice(NAMES)}, ({rng.choice(NAMES)}, {self.target(False)})) = {self.expr()}, ({self.expr()}, {self.expr()})"

    def delete(self):
        rng = self.rng
        lists, dicts = self.paths(list), self.paths(dict)
        names = list(self.scope)
        return "del " + rng.choice([self.pick(names, "a"), f"{self.pick(names, 'a')}, {rng.choice(NAMES)}", f"{self.pick(lists, 'a')}[{self.int()}]", f"{self.pick(lists, 'a')}[{self.slice_(3)}]",
                                    f"{self.pick(dicts, 'a')}[{self.key()}]"])

    def statement(self):
        choice = self.rng.random()
        if len(self.scope) < 3 or choice < 0.12:
            return f"{self.rng.choice(NAMES)} = {self.rng.choice([self.new_array, self.list_expr, self.expr, self.dict_expr])()}"
        ways = ((0.37, self.assignment), (0.49, self.several), (0.67, self.augmented), (0.79, self.call), (0.87, self.inside), (0.91, self.sets),
                (0.93, self.flags), (0.945, self.iterator), (0.975, self.block))
        for share, make in ways:
            if choice < share:
                return make()
        return self.delete()

    def state(self):
        """An expression for the whole state, and what it is."""
        names = sorted(self.scope)
        arrays = [name for name in names if isinstance(self.scope[name], np.ndarray) and self.scope[name].size]
        containers = [name for name in names if isinstance(self.scope[name], (list, dict, set))]
        shared = [(a, b) for i, a in enumerate(arrays) for b in arrays[i + 1:]]
        same = [(a, b) for i, a in enumerate(containers) for b in containers[i + 1:]]
        flags = [f"{name}.flags.writeable" for name in names if isinstance(self.scope[name], np.ndarray)]
        parts = names + flags + [f"np.shares_memory({a}, {b})" for a, b in shared] + [f"{a} is {b}" for a, b in same]
        return "(" + "".join(part + ", " for part in parts) + ")"

    def run(self, statement):
        """Runs it here; gives the kind of its error, with everything put back then."""
        if ".at(" in statement and any(not self.look(path).flags.writeable for path in self.paths(np.ndarray)):
            raise Reject("NumPy's `at` writes to what is read-only")
        if ("ravel" in statement or "reshape" in statement) and is_computed_alone(self.scope):
            raise Reject("a part that is computed alone")
        kept, files = contents(self.scope), folder() if self.files else {}
        try:
            encode(tuple(self.scope.values()))
            with np.errstate(divide="raise", invalid="raise", over="ignore"):
                exec(compiled(statement), self.globals, self.scope)
            encode(tuple(self.scope.values()))
            check_order(statement, kept, self.scope)
            return None
        except Reject:
            put_back(self.scope, kept)
            put_files(files)
            raise
        except FloatingPointError:
            put_back(self.scope, kept)
            # An error in NumPy only if asked for; here integers only.
            if "np.array([1, 0" in statement and not statement.startswith("try:"):
                return "ZeroDivisionError"
            put_files(files)
            raise Reject("division")
        except SyntaxError as error:
            put_back(self.scope, kept)
            raise Reject(str(error))
        except Exception as error:
            put_back(self.scope, kept)
            if statement.startswith("for "):
                # What its turns did before stands, as in Python, but for the bytes before.
                put_files(files)
                raise Reject("a loop that fails")
            if statement.startswith("try:") and error.__context__ is not None:
                # What its first part did stands, because a handler took the error.
                put_files(files)
                raise Reject("a handler that fails")
            try:
                return kind_of(error)
            except Reject:
                put_files(files)
                raise

    def answer(self):
        expression = self.state()
        return expression, ["tuple", [encode(part) for part in self.look(expression)]]


# The other side.


class Repl:
    def __init__(self, binary, memory):
        command = [os.path.abspath(binary), "--json", "--no-history"] + (["--simulate", "2MiB"] if memory else [])
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self.folder)
        self.ask("set_default_dtype('float64')")

    def ask(self, code):
        self.process.stdin.write(json.dumps({"id": 0, "code": code}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"genesis-repl ended after {code!r} with {self.process.wait()}")
        return json.loads(line)


def is_quirk(statement, error, reply):
    """What NumPy does by an oversight: `where` stores a negative number in an unsigned array, `select` refuses
    one that fits, a read-only array is written with itself, any value is True or False in an array of bool, and
    complex numbers have histograms between edges that are given, and no others."""
    message = reply.get("error", {}).get("message", "")
    if error is None and "np.where(" in statement and "out of bounds for uint" in message:
        return True
    if error is None and "np.copyto(" in statement and "read-only" in message:
        return True
    if error is None and any(words in message for words in ("expected numbers", "setting an array element with a sequence")):
        return True
    if error is None and "np.histogram(" in statement and "Cannot cast array data from dtype('complex128')" in message:
        return True
    if "np.load('f.txt')" in statement:
        # NumPy's `load` reads no text.
        return True
    if error is None and any(words in statement for words in ("out=", "shuffle(", ".real = ")) and "read-only" in message:
        # Where nothing is written, or what is there already, nobody asks.
        return True
    if error is None and "np.insert(" in statement and "out of bounds for" in message:
        # An index that is out of bounds, too, is met first there.
        return True
    if error is None and ".at(" in statement and ("out of bounds for" in message or "Cannot cast ufunc 'at'" in message):
        # NumPy casts any values there.
        return True
    if "refcheck=False" in statement:
        # Views of what is resized show memory that may be anybody's.
        return True
    if statement.startswith(("for ", "while ")) and message.startswith("out of memory"):
        # The turns before the one that failed are done.
        return True
    return error == "TypeError" and "np.select(" in statement and reply["ok"]


def compare(rng, repl, length, memory):
    """One program; gives how many statements ran, how many failed, and the first difference."""
    program, text = Program(rng), []
    for where in (".", repl.folder):
        for name in folder(where):
            os.remove(os.path.join(where, name))
    for code in (":reset", "import numpy as np", ":set outputs 0"):
        repl.ask(code)
    if memory:
        # All but a few dozen blocks of the device are taken for good.
        sizes = ["16384"] * 15 + ["8192", "4096"]
        repl.ask("taken, full = [" + ", ".join(f"np.empty({size})" for size in sizes) + "], []")
    failed = 0
    for _ in range(length):
        kept, files = contents(program.scope), folder()
        for _ in range(40):
            try:
                statement = program.statement()
                error = program.run(statement)
                break
            except Reject:
                continue
        else:
            return len(text), failed, text, None
        after = contents(program.scope)
        text.append(statement)
        is_full = memory and rng.random() < 0.4
        if is_full:
            room = rng.randint(0, 6)
            before = -1
            while repl.ask("full.append(np.empty(64))")["ok"]:
                pass
            text.append(f"# with room for {room} blocks")
            if room:
                repl.ask(f"del full[-{room}:]")
            before = repl.ask("None")["memory"]["allocated"]
        else:
            before = repl.ask("None")["memory"]["allocated"]
        reply = repl.ask(statement)
        now = repl.ask("None")["memory"]["allocated"] if not reply["ok"] else 0
        if is_full:
            repl.ask("full.clear()")
        found = None if reply["ok"] else reply["error"]["kind"]
        difference = None
        if found in ("MemoryError", "OutOfMemoryError") and is_full and is_quirk(statement, error, reply):
            return len(text) - 1, failed, text, None
        if found in ("MemoryError", "OutOfMemoryError") and is_full:
            # It did not happen at all, but for files that were written before memory ran out.
            put_back(program.scope, kept)
            put_files(folder(repl.folder))
            error = found
        elif error is None and found and reply["error"]["message"].startswith("NumPy boolean array indexing assignment"):
            # NumPy refuses it, too, where the mask itself is the index: see `own`.
            return len(text) - 1, failed, text, None
        elif error is None and found and "discards the imaginary part" in reply["error"]["message"]:
            # NumPy warns of it.
            return len(text) - 1, failed, text, None
        elif is_quirk(statement, error, reply):
            return len(text) - 1, failed, text, None
        elif (found is None) != (error is None):
            # Where a statement is wrong for several reasons, which one is found first is no promise.
            difference = f"expected {error or 'no error'}, found {found}: {reply.get('error', {}).get('message', '')}"
        if found is not None:
            failed += 1
            if now != before:
                difference = f"{now - before} bytes stay allocated after {found}"
        if error is not None:
            forget_cut_files(repl.folder, files)
        if ".partition(" in statement and error is None:
            # In which order the other elements come is NumPy's own affair.
            return len(text), failed, text, difference
        if difference is None:
            difference = file_difference(repl.folder)
        if difference is None:
            expression, expected = program.answer()
            reply = repl.ask(expression)
            if not reply["ok"]:
                difference = f"{expression}: {reply['error']['kind']}: {reply['error']['message']}"
            else:
                state = decode(reply["value"])
                # Which zero the largest of both is hangs on NumPy's vector width, that of complex products and
                # transforms on the order of their sums.
                is_loose = any(word in line for line in text for word in ("max", "min", "fft", "linalg", "j"))
                plain = lambda it: json.dumps(it).replace("-0.0", "0.0") if is_loose else json.dumps(it)
                if plain(state) != plain(json.loads(json.dumps(expected))):
                    difference = f"{expression}\n    expected {json.dumps(expected)}\n    found    {json.dumps(state)}"
        if difference is not None:
            return len(text), failed, text, difference
    return len(text), failed, text, None


def write(options, seed):
    """Programs with the states that they lead to. Which values an array takes at all is compared
    elsewhere (`random_programs.py`): a program ends where the two don't agree on it."""
    repl = Repl(options.binary, False)
    for at in range(options.write):
        program, lines = Program(random.Random(seed * 1000003 + at), files=False), []
        for code in (":reset", "import numpy as np"):
            repl.ask(code)
        while len(lines) < options.length:
            try:
                statement = program.statement()
                kept = contents(program.scope)
                error = program.run(statement)
                if repl.ask(statement)["ok"] != (error is None):
                    put_back(program.scope, kept)
                    break
                lines.append([statement, error, *program.answer()])
            except Reject:
                continue
        print(json.dumps(lines, separators=(",", ":")))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="target/release/genesis-repl")
    arguments.add_argument("--count", type=int, default=2000, help="statements")
    arguments.add_argument("--seed", type=int, default=None)
    arguments.add_argument("--length", type=int, default=30, help="statements of a program")
    arguments.add_argument("--memory", action="store_true", help="run out of memory at random")
    arguments.add_argument("--show", type=int, default=5, help="differences to print in full")
    arguments.add_argument("--write", type=int, default=0, help="write this many programs as goldens instead")
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    seed = options.seed if options.seed is not None else int(time.time())
    if options.write:
        write(options, seed)
        return
    print(f"seed {seed}", flush=True)
    repl = Repl(options.binary, options.memory)
    os.chdir(tempfile.mkdtemp())
    statements = failures = differences = at = 0
    while statements < options.count:
        rng = random.Random(seed * 1000003 + at)
        ran, failed, text, difference = compare(rng, repl, options.length, options.memory)
        statements, failures, at = statements + ran, failures + failed, at + 1
        if difference:
            differences += 1
            if differences <= options.show:
                print(f"--- program {at - 1}")
                for line in text:
                    print("   ", line)
                print("   ", difference, flush=True)
    print(f"{statements} statements, {failures} of them failed, {differences} programs with a difference")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
