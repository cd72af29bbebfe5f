#!/usr/bin/env python3
"""Random programs in NumPy and in genesis-repl, compared statement by statement.

    pip install numpy==2.4.6
    python tests/numpy/random_programs.py --binary target/release/genesis-repl --count 20000
    python tests/numpy/random_programs.py --write 400 > tests/numpy/programs.jsonl

A program creates a few arrays and then slices, masks, indexes, assigns, computes in place, reduces
and rearranges them. Floats are small multiples of 1/64, on which sums are exact in any order, so
that everything that is stored can be compared bit for bit; functions that round are only looked
at, never stored. Deliberate differences (an integer array that meets a narrower float; narrow
integers under a transcendental function; integer division by zero, which is an error here; a value
without elements that has more axes than the place it goes to, which NumPy lets pass at an index array
alone) are not generated. Errors are compared by their kind.
"""

import argparse
import json
import random
import subprocess
import sys
import warnings

import numpy as np

INTEGERS = ["int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["float64", "float32", *INTEGERS, "bool"]
FLOATS = ("float64", "float32")


class Reject(Exception):
    pass


def number(value):
    if isinstance(value, float):
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
    return value


def encode(value):
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        if value.dtype.name not in DTYPES:
            raise Reject("dtype")
        return [value.dtype.name, list(value.shape), [number(v) for v in value.reshape(-1).tolist()]]
    if isinstance(value, (tuple, list)):
        return {"items": [encode(v) for v in value]}
    return number(value)


def kind_of(error):
    for kind in (ZeroDivisionError, OverflowError, np.exceptions.AxisError, IndexError, TypeError, ValueError, KeyError, AttributeError):
        if isinstance(error, kind):
            return kind.__name__
    raise Reject(f"{type(error).__name__}: {error}")


def ours(a, b):
    """The dtype in which genesis-repl computes with two arrays."""
    a, b = np.dtype(a), np.dtype(b)
    if a.kind == "f" and b.kind != "f":
        return a
    if b.kind == "f" and a.kind != "f":
        return b
    return np.promote_types(a, b)


def agrees(a, b):
    return ours(a, b) == np.promote_types(a, b)


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.statements = []
        self.expected = []
        self.scope = {"np": np}
        self.count = 0

    # Choices

    def names(self, test=lambda array: True):
        return [n for n, v in self.scope.items() if isinstance(v, np.ndarray) and test(v)]

    def pick(self, test=lambda array: True):
        names = self.names(test)
        if not names:
            raise Reject("no such array")
        return self.rng.choice(names)

    def of(self, name):
        return self.scope[name]

    def fresh(self):
        self.count += 1
        return "abcdefghijklmnopqrstuvwxyz"[self.count - 1] if self.count <= 26 else f"v{self.count}"

    def shape(self, most=3):
        rank = self.rng.choices(range(most + 1), [1, 4, 5, 3][: most + 1])[0]
        return tuple(self.rng.choices([0, 1, 2, 3, 4, 5], [1, 3, 4, 5, 4, 2])[0] for _ in range(rank))

    def scalar(self, dtype):
        if dtype in FLOATS:
            return self.rng.choice([repr(self.rng.randint(-12, 12) / 2), str(self.rng.randint(-5, 5))])
        if dtype == "bool":
            return self.rng.choice(["True", "False"])
        if dtype.startswith("uint"):
            return str(self.rng.randint(0, 9))
        return str(self.rng.randint(-9, 9))

    def literal(self, shape, dtype):
        count = int(np.prod(shape))
        text = "[" + ", ".join(self.scalar(dtype) for _ in range(count)) + "]"
        return f"np.array({text}, dtype='{dtype}').reshape({shape})"

    # Indexes

    def part(self, extent):
        rng = self.rng
        kind = rng.random()
        if kind < 0.25:
            reach = extent + (1 if rng.random() < 0.04 else 0)
            return str(rng.randint(-reach, max(reach - 1, -reach)))
        if kind < 0.55:
            bound = lambda: rng.choice(["", "", str(rng.randint(-extent - 2, extent + 2))])
            step = rng.choice(["", "", "", ":1", ":2", ":-1", ":-2", ":3"])
            return f"{bound()}:{bound()}{step}"
        if kind < 0.75 and extent > 0:
            count = rng.randint(1, 4)
            return "[" + ", ".join(str(rng.randint(-extent, extent - 1)) for _ in range(count)) + "]"
        if kind < 0.82:
            return "[" + ", ".join(rng.choice(["True", "False"]) for _ in range(extent)) + "]" if extent else ":"
        if kind < 0.90 and extent > 0:
            shape = rng.choice([(2, 1), (1, 3), (2, 2), (3,)])
            values = [rng.randint(-extent, extent - 1) for _ in range(int(np.prod(shape)))]
            return f"np.array({values}).reshape({shape})"
        return ":"

    def basic_part(self, extent):
        text = self.part(extent)
        return text if "[" not in text else ":"

    def index(self, name, basic=False):
        rng = self.rng
        array = self.of(name)
        if not basic and rng.random() < 0.18:
            masks = self.names(lambda m: m.dtype == bool and m.shape == array.shape)
            if masks:
                return rng.choice(masks)
            if array.dtype != bool:
                return f"{name} {rng.choice(['>', '<', '==', '!='])} {self.scalar(array.dtype.name)}"
        part = self.basic_part if basic else self.part
        count = rng.randint(0, array.ndim)
        parts = [part(array.shape[axis]) for axis in range(count)]
        if rng.random() < 0.15:
            parts.insert(rng.randint(0, len(parts)), "None")
        if rng.random() < 0.2 and count < array.ndim:
            # An ellipsis, with the parts behind it made for the last axes.
            behind = rng.randint(0, array.ndim - count)
            parts.append("...")
            parts += [part(array.shape[array.ndim - behind + i]) for i in range(behind)]
        if not parts:
            parts = [rng.choice(["...", ":"])] if array.ndim else ["..."]
        return ", ".join(parts)

    # Statements; each returns its text. A leading `=` asks to store the value under a fresh name.

    def create(self):
        rng = self.rng
        dtype = rng.choice(DTYPES)
        shape = self.shape()
        kind = rng.random()
        if kind < 0.35:
            count = int(np.prod(shape))
            step = rng.choice(["", " * 3 % 7", " % 4 - 2", " * 5 % 11 - 5"])
            return f"= (np.arange({count}){step}).astype('{dtype}').reshape({shape})"
        if kind < 0.8:
            return "= " + self.literal(shape, dtype)
        if kind < 0.9:
            return f"= np.{rng.choice(['zeros', 'ones'])}({shape}, dtype='{dtype}')"
        return f"= np.full({shape}, {self.scalar(dtype)}, dtype='{dtype}')"

    def view(self):
        name = self.pick()
        return f"= {name}[{self.index(name, basic=True)}]"

    def rearrange(self):
        rng = self.rng
        name = self.pick()
        array = self.of(name)
        axes = list(range(array.ndim))
        rng.shuffle(axes)
        choice = rng.randrange(9)
        if choice == 0:
            return f"= {name}.T"
        if choice == 1:
            return f"= {name}.transpose({tuple(axes)})"
        if choice == 2:
            return f"= {name}.reshape({rng.choice([-1, (-1, 1), (1, -1), (array.size,), (2, -1)])})"
        if choice == 3 and array.ndim >= 2:
            return f"= np.swapaxes({name}, {rng.randint(-array.ndim, array.ndim)}, 0)"
        if choice == 4:
            return f"= np.flip({name}, axis={rng.choice([None] + list(range(array.ndim)))})"
        if choice == 5:
            return f"= np.expand_dims({name}, {rng.randint(-array.ndim - 1, array.ndim)})"
        if choice == 6:
            return f"= np.squeeze({name})"
        if choice == 7:
            return f"= np.broadcast_to({name}, {(2,) + array.shape})"
        return f"= {name}.copy()"

    def advanced(self):
        name = self.pick()
        return f"= {name}[{self.index(name)}]"

    def operand(self, dtype):
        rng = self.rng
        if rng.random() < 0.3:
            return self.scalar(dtype)
        return self.pick(lambda array: agrees(array.dtype, dtype))

    def arithmetic(self):
        rng = self.rng
        name = self.pick()
        dtype = self.of(name).dtype.name
        op = rng.choice(["+", "-", "*", "//", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="])
        if rng.random() < 0.15:
            op = rng.choice(["maximum", "minimum", "logical_and", "logical_xor", "fmax"])
            return f"= np.{op}({name}, {self.operand(dtype)})"
        pair = [name, self.operand(dtype)]
        rng.shuffle(pair)
        return f"= {pair[0]} {op} {pair[1]}"

    def unary(self):
        name = self.pick()
        forms = ["-{}", "abs({})", "~{}", "np.sign({})", "np.square({})", "np.floor({})", "np.logical_not({})", "np.isnan({})"]
        if self.of(name).dtype in (np.float64, np.float32, np.int64, np.int32):
            # Narrow integers become narrow floats in NumPy, the default float here.
            forms.append("np.rint({})")
        return "= " + self.rng.choice(forms).format(name)

    def cast(self):
        name = self.pick()
        return f"= {name}.astype('{self.rng.choice(DTYPES)}')"

    def axis(self, array):
        axes = list(range(-array.ndim, array.ndim)) or [None]
        if self.rng.random() < 0.03:
            return array.ndim
        return self.rng.choice([None] + axes)

    def reduce(self):
        rng = self.rng
        name = self.pick()
        array = self.of(name)
        op = rng.choice(["sum", "max", "min", "any", "all", "argmax", "argmin", "ptp", "cumsum", "count_nonzero"])
        if op == "ptp" and array.dtype == bool:
            op = "sum"
        axis = self.axis(array)
        if op not in ("argmax", "argmin", "cumsum") and array.ndim >= 2 and rng.random() < 0.2:
            axis = (0, -1)
        keep = ", keepdims=True" if op != "cumsum" and rng.random() < 0.3 else ""
        return f"= np.{op}({name}, axis={axis}{keep})"

    def order(self):
        rng = self.rng
        name = self.pick()
        array = self.of(name)
        axis = self.axis(array)
        return "= " + rng.choice([
            f"np.sort({name}, axis={axis})",
            f"np.argsort({name}, axis={axis}, kind='stable')",
            f"np.unique({name})",
            f"np.argwhere({name})",
            f"np.flatnonzero({name})",
            f"np.roll({name}, {rng.randint(-3, 3)}, axis={axis})",
            f"np.repeat({name}, {rng.randint(0, 2)}, axis={axis})",
            f"np.tile({name}, {rng.choice([2, (2, 1), (1, 2)])})",
            f"np.diff({name}, axis={axis if axis is not None else -1})",
            f"np.take({name}, {[rng.randint(-2, 2) for _ in range(3)]}, axis={axis})",
            f"np.tril({name})",
            f"np.pad({name}, 1)",
        ])

    def number_for(self, dtype):
        """A Python number that asks for care; where NumPy would wrap it in silence, a small one."""
        if dtype == "bool":
            return self.rng.choice(["0.5", "3", "True"])
        floats = ["0.1", "-2.75", "0.5", "2147483647.0", "1e10", "16777217.0"]
        return self.rng.choice(floats + ["300", "-1", "9007199254740993", "3"])

    def beside(self):
        """A function of an array and a Python number."""
        rng = self.rng
        name = self.pick()
        array = self.of(name)
        dtype = array.dtype.name
        number = self.number_for(dtype)
        is_float = "." in number or "e" in number
        # A list of integers is an integer array, which takes a narrower float's type here.
        alike = is_float or dtype not in FLOATS or dtype == "float64"
        forms = [
            f"np.isin({name}, {number})", f"np.searchsorted(np.sort({name}, axis=None), {number})",
            f"np.digitize({name}, [0.1, 2.5])", f"np.digitize({name}, [2.5, 0.1], right=True)",
            f"np.clip({name}, {number}, None)", f"np.clip({name}, None, {number})", f"np.maximum({name}, {number})",
            f"np.insert({name}, 0, {number})", f"np.isclose({name}, {number}, rtol=0, atol=0)",
            f"np.array_equal({name}, {number})", f"{name} == {number}", f"{name} < {number}", f"{number} >= {name}",
            f"np.nansum({name}, dtype='float64')", f"np.sum({name}, axis=None, dtype='{rng.choice(INTEGERS)}')",
            f"np.cumsum({name}, dtype='{rng.choice(INTEGERS)}')", f"np.select([{name} > 0], [{name}], 1)",
            f"np.cumulative_sum(np.ravel({name}), include_initial={rng.choice([True, False])})",
        ]
        if alike:
            forms += [
                f"np.append({name}, {number})", f"np.isin({name}, [{number}, 1.0])", f"np.union1d({name}, [{number}])",
                f"np.setdiff1d({name}, [{number}])", f"np.searchsorted(np.sort({name}, axis=None), [{number}, 1.5], side='right')",
                f"np.diff({name}, prepend={number})",
            ]
        if dtype in FLOATS or is_float and dtype != "bool":
            forms += [f"np.where({name} > 0, {name}, {number})"]
        if dtype in FLOATS or dtype == "int64":
            forms += [f"np.full_like({name}, {number})"]
        if dtype not in ("float32", "bool"):
            forms += [f"np.interp({name}, [-1, 0.5, 2], [3, {number}, 5])"]
        if array.ndim and (dtype in FLOATS or dtype == "int64"):
            forms += [f"np.pad({name}, 1, constant_values={number})", f"np.einsum('...i->...', {name})"]
        return "= " + rng.choice(forms)

    def store(self):
        """A Python number, put into an array."""
        rng = self.rng
        name = self.pick(lambda a: a.ndim > 0 and a.size > 0)
        number = self.number_for(self.of(name).dtype.name)
        return rng.choice([
            f"{name}[0] = {number}", f"{name}[...] = {number}", f"{name}[{name} > 0] = {number}", f"{name}.fill({number})",
            f"np.put({name}, [0], {number})", f"np.putmask({name}, {name} > 0, {number})", f"np.copyto({name}, {number})",
            f"np.place({name}, {name} > 0, [{number}])",
        ])

    def join(self):
        rng = self.rng
        name = self.pick(lambda a: a.ndim > 0)
        array = self.of(name)
        other = self.pick(lambda a: agrees(a.dtype, array.dtype) and (a.ndim == array.ndim or rng.random() < 0.1))
        op = rng.choice(["concatenate", "stack", "vstack", "hstack"])
        axis = f", axis={rng.randint(-array.ndim, array.ndim - 1)}" if op in ("concatenate", "stack") else ""
        return f"= np.{op}([{name}, {other}]{axis})"

    def where(self):
        name = self.pick()
        dtype = self.of(name).dtype.name
        mask = self.pick(lambda a: a.dtype == bool or self.rng.random() < 0.3)
        return f"= np.where({mask}, {name}, {self.operand(dtype)})"

    def value_for(self, target):
        rng = self.rng
        dtype = self.of(target).dtype
        if rng.random() < 0.5:
            return self.scalar(dtype.name)
        return self.pick()

    def assign(self):
        name = self.pick(lambda array: array.ndim > 0)
        index, value = self.index(name), self.value_for(name)
        is_advanced = any(mark in index for mark in ("[", "<", ">", "=", "!")) or index in self.scope
        if is_advanced and value in self.scope and np.shares_memory(self.of(name), self.of(value)):
            # NumPy reads what it has just written; here all is read before anything is written.
            raise Reject("overlap")
        if is_advanced and value in self.scope and self.of(value).size == 0:
            try:
                place = eval(f"{name}[{index}]", self.scope)
            except IndexError:
                return f"{name}[{index}] = {value}"
            if self.of(value).ndim > place.ndim:
                raise Reject("axes of nothing")
        return f"{name}[{index}] = {value}"

    def augment(self):
        rng = self.rng
        # What has no axes is as immutable here as NumPy's scalars are: it is bound anew.
        name = self.pick(lambda array: array.ndim > 0)
        array = self.of(name)
        op = rng.choice(["+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", "/="])
        where = f"[{self.index(name)}]" if rng.random() < 0.5 else ""
        return f"{name}{where} {op} {self.operand(array.dtype.name)}"

    def alias(self):
        return f"= {self.pick()}"

    def look(self):
        """Something that rounds, or that is no array: only looked at."""
        rng = self.rng
        floats = self.names(lambda a: a.dtype.kind == "f" or a.dtype in (np.int64, np.int32))
        if floats and rng.random() < 0.6:
            name = rng.choice(floats)
            axis = self.axis(self.of(name))
            return rng.choice([f"np.exp({name} / 16)", f"np.sin({name})", f"np.tanh({name})", f"{name} / 3", f"np.mean({name}, axis={axis})", f"np.var({name}, axis={axis})", f"np.std({name}, axis={axis})", f"np.sqrt(np.abs({name}))", f"np.cumprod({name} / 4)", f"np.median({name}, axis={axis})", f"np.log1p(np.abs({name}))", f"np.arctan2({name}, 2.0)", f"{name} ** 2", f"np.linalg.norm({name})"])
        name, other = self.pick(), self.pick()
        if rng.random() < 0.3:
            name = self.pick(lambda a: a.ndim >= 1)
            other = self.pick(lambda a: a.ndim >= 1 and agrees(a.dtype, self.of(name).dtype))
            return f"{name} @ {other}"
        return rng.choice([f"np.shares_memory({name}, {other})", f"{name}.shape", f"{name}.ndim", f"np.array_equal({name}, {other})", f"{name}.tolist()", f"np.nonzero({name})", f"np.unique({name}, return_inverse=True, return_counts=True)", f"len({name})", f"{name}.size", f"np.isin({name}, {other})"])

    WEIGHTS = {"create": 2, "view": 8, "rearrange": 5, "advanced": 6, "arithmetic": 8, "unary": 2, "cast": 2, "reduce": 4, "order": 4, "join": 2, "where": 2, "assign": 9, "augment": 6, "alias": 1, "look": 4, "beside": 6, "store": 4}

    # Running

    def replay(self):
        self.scope = {"np": np}
        for text, expected in zip(self.statements, self.expected):
            if not (isinstance(expected, dict) and "error" in expected):
                exec(text, self.scope)

    def check(self):
        """Rejects what cannot be compared bit for bit."""
        for name in self.names():
            array = self.of(name)
            if array.dtype.name not in DTYPES:
                raise Reject("dtype")
            if array.size > 4000 or array.ndim > 6:
                raise Reject("too large")
            if array.dtype.kind == "f" and array.size:
                if not np.all(np.isfinite(array)) or np.abs(array).max() > 2**16 or np.any(array * 64 % 1):
                    raise Reject("inexact")

    def step(self, method):
        name = None
        try:
            text = getattr(self, method)()
        except Reject:
            return False
        if text.startswith("= "):
            name, text = self.fresh(), text[2:]
        statement = f"{name} = {text}" if name else text
        guard = {"divide": "raise", "invalid": "raise", "over": "ignore", "under": "ignore"}
        try:
            if method == "look":
                with np.errstate(all="ignore"):
                    try:
                        expected = encode(eval(text, self.scope))
                    except Exception as error:
                        expected = {"error": kind_of(error)}
                if isinstance(expected, dict) and "error" in expected and "@" not in text and "len" not in text and "axis" not in text:
                    raise Reject("look")
            else:
                with np.errstate(**guard):
                    try:
                        exec(statement, self.scope)
                        expected = None
                    except FloatingPointError as error:
                        raise Reject("floating point") from error
                    except Exception as error:
                        expected = {"error": kind_of(error)}
                if name and expected is None and not isinstance(self.scope[name], np.ndarray):
                    # NumPy's scalars are values; ours are tensors of no axes. Only look at it.
                    expected = encode(self.scope.pop(name))
                    statement = text
                if name and expected is None and not self.scope[name].flags.writeable:
                    self.scope[name] = self.scope[name].copy()
                    statement = f"{name} = {text}.copy()"
                target = statement.split("[")[0].split(" ")[0]
                if method in ("assign", "augment") and isinstance(expected, dict) is False:
                    self.check()
                    if method == "assign" and not self.assignable(statement, target):
                        raise Reject("cast")
                self.check()
        except Reject:
            self.replay()
            return False
        self.statements.append(statement)
        self.expected.append(expected)
        return True

    def assignable(self, statement, target):
        """A float that no integer type holds has no defined cast; bounded floats always fit here,
        but for the narrow types."""
        source = statement.split(" = ")[-1]
        value = self.scope.get(source)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and self.of(target).dtype.kind in "iu":
            info = np.iinfo(self.of(target).dtype)
            return value.size == 0 or (value.min() >= info.min and value.max() <= info.max)
        return True

    def generate(self, length):
        for _ in range(2):
            while not self.step("create"):
                pass
        methods, weights = zip(*self.WEIGHTS.items())
        tries = 0
        while len(self.statements) < length and tries < length * 6:
            tries += 1
            self.step(self.rng.choices(methods, weights)[0])
        names = self.names()
        text = "(" + ", ".join(names) + ",)"
        self.statements.append(text)
        self.expected.append(encode(tuple(self.of(n) for n in names)))
        return self


# Comparing

TOLERANCE = {"float64": 1e-13, "float32": 1e-5}


def flatten(data, out):
    if isinstance(data, list):
        for item in data:
            flatten(item, out)
    else:
        out.append(data)
    return out


def decode(value):
    """Our JSON value in the form of `encode`."""
    kind = value["type"]
    if kind == "tensor":
        return [value["dtype"], value["shape"], flatten(value["data"], [])]
    if kind in ("tuple", "list"):
        return {"items": [decode(item) for item in value["items"]]}
    if kind == "dtype":
        return value["repr"].removeprefix("dtype('").removesuffix("')")
    return value.get("value", value.get("repr"))


def plain(value):
    return isinstance(value, (bool, int, float, str))


def same(expected, found, exact):
    if isinstance(expected, list) and isinstance(found, list):
        if expected[:2] != found[:2] or len(expected[2]) != len(found[2]):
            return False
        tolerance = 0 if exact else TOLERANCE.get(expected[0], 0)
        largest = max((abs(float(v)) for v in expected[2] if not isinstance(v, str) and np.isfinite(v)), default=0.0) if tolerance else 0
        for a, b in zip(expected[2], found[2]):
            if a != b:
                if isinstance(a, str) or isinstance(b, str) or not tolerance or abs(a - b) > tolerance * max(abs(a), largest, 1):
                    return False
        return True
    if isinstance(expected, dict) and isinstance(found, dict):
        a, b = expected.get("items", expected), found.get("items", found)
        return len(a) == len(b) and all(same(x, y, exact) for x, y in zip(a, b)) if isinstance(a, list) and isinstance(b, list) else a == b
    if plain(expected) and isinstance(found, list):
        return found[1] == [] and found[2] == [expected]
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def run(programs, binary):
    requests, index = [], []
    setup = ["set_default_dtype('float64')"]
    for number_, program in enumerate(programs):
        for i, code in enumerate([":reset"] + (setup if number_ == 0 else []) + ["import numpy as np"] + program.statements):
            requests.append(json.dumps({"id": len(requests), "code": code}))
            index.append(None)
        for i in range(len(program.statements)):
            index[len(index) - len(program.statements) + i] = (number_, i)
    answer = subprocess.run([binary, "--json", "--no-history"], input="\n".join(requests) + "\n", capture_output=True, text=True)
    lines = answer.stdout.splitlines()
    if len(lines) != len(requests):
        at = index[len(lines)] if len(lines) < len(index) else None
        yield (programs[at[0]] if at else programs[0], at[1] if at else 0, f"{len(lines)} answers to {len(requests)} requests; exit status {answer.returncode}; {answer.stderr[-500:]}")
    broken = set()
    for where, line in zip(index, lines):
        if where is None:
            if not json.loads(line)["ok"]:
                yield (programs[0], 0, line)
                return
            continue
        program, i = programs[where[0]], where[1]
        if where[0] in broken:
            continue
        reply = json.loads(line)
        expected = program.expected[i]
        if reply["ok"]:
            found = decode(reply["value"]) if expected is not None and reply["value"] else None
        else:
            found = {"error": reply["error"]["kind"], "message": reply["error"]["message"]}
        if isinstance(expected, dict) and "error" in expected:
            right = isinstance(found, dict) and found.get("error") == expected["error"]
        elif isinstance(found, dict) and "error" in found:
            right = False
        else:
            exact = i == len(program.statements) - 1
            right = same(expected, found, exact)
        if not right:
            broken.add(where[0])
            yield (program, i, f"expected {json.dumps(expected)}\n    found    {json.dumps(found)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="target/release/genesis-repl")
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--length", type=int, default=10)
    arguments.add_argument("--show", type=int, default=10, help="mismatches to print in full")
    arguments.add_argument("--write", type=int, default=0, help="write this many programs as goldens instead")
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    rng = random.Random(options.seed)
    if options.write:
        for _ in range(options.write):
            program = Program(rng).generate(options.length)
            print(json.dumps(list(zip(program.statements, program.expected)), separators=(",", ":")))
        return
    done = wrong = statements = 0
    while done < options.count:
        batch = [Program(rng).generate(rng.randint(3, options.length * 2)) for _ in range(min(250, options.count - done))]
        done += len(batch)
        statements += sum(len(p.statements) for p in batch)
        for program, at, text in run(batch, options.binary):
            wrong += 1
            if wrong <= options.show:
                print(f"--- program {done - len(batch)}+, statement {at}")
                for line in program.statements[: at + 1]:
                    print("   ", line)
                print("   ", text)
    print(f"{done} programs, {statements} statements, {wrong} programs with a mismatch")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
