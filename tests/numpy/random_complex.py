#!/usr/bin/env python3
"""Complex tensors beside NumPy: every function on a grid of special values, and random expressions.

    pip install numpy==2.4.6
    python tests/numpy/random_complex.py --binary target/release/genesis-repl --count 2000

On the grid the parts are compared one by one, with the signs of zeros and which of them are NaN; in random
expressions numbers may differ by a few units of their largest part, because sums go in another order.
"""

import argparse
import itertools
import json
import random
import subprocess
import sys
import warnings

import numpy as np

SPECIAL = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.0", "inf", "-inf", "nan", "3.75"]
UNARY = """negative absolute sign square reciprocal sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin
arccos arctan sinh cosh tanh arcsinh arccosh arctanh rint isnan isinf isfinite conjugate angle positive real imag
logical_not""".split()
BINARY = """add subtract multiply divide power maximum minimum fmax fmin less less_equal greater greater_equal equal
not_equal logical_and logical_or logical_xor float_power""".split()
# Of infinite operands and results these say what the formulas in between make of them: NumPy's go through the C
# library's, ours do not. They are compared on finite numbers, without the signs of zeros.
LOOSE = {"power", "float_power"}
# How far parts may be apart, in units of the type's epsilon times the larger part.
ULPS = {"power": 600, "float_power": 600, "expm1": 16, "log1p": 8}


def parts(value):
    value = np.asarray(value)
    if value.dtype.kind == "c":
        flat = value.reshape(-1)
        return [x for z in flat for x in (float(z.real), float(z.imag))]
    return [float(x) for x in value.reshape(-1)]


def word(x):
    return float({"inf": "inf", "-inf": "-inf", "nan": "nan"}[x]) if isinstance(x, str) else float(x)


def flat(data, into):
    if isinstance(data, list):
        for item in data:
            flat(item, into)
    else:
        into.append(word(data))
    return into


class Repl:
    """Statements for one process, and its answers."""

    def __init__(self, binary):
        self.binary, self.requests = binary, []

    def ask(self, code):
        self.requests.append(code)
        return len(self.requests) - 1

    def answers(self):
        lines = "\n".join(json.dumps({"id": i, "code": code}) for i, code in enumerate(self.requests))
        done = subprocess.run([self.binary, "--json", "--no-history"], input=lines + "\n", capture_output=True, text=True)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        if len(found) != len(self.requests):
            sys.exit(f"the session ended at: {self.requests[len(found)]}\n{done.stderr[-2000:]}")
        return found


def decode(reply):
    """The type, the shape and the parts of an answer; or its kind of error."""
    if not reply["ok"]:
        return reply["error"]["kind"], None, reply["error"]["message"]
    value = reply["value"] or {}
    if value.get("type") == "tensor":
        return value["dtype"], value["shape"], flat(value["data"], [])
    if value.get("type") in ("bool", "int", "float"):
        return value["type"], [], [word(value["value"])]
    return value.get("type"), None, value.get("value", value.get("repr"))


def differ(expected, found, ulps, signs):
    """Where two lists of parts differ; None where they do not."""
    eps = 2.0**-23 if expected.dtype in (np.complex64, np.float32) else 2.0**-52
    wanted = parts(expected)
    if len(wanted) != len(found):
        return f"{len(wanted)} parts, found {len(found)}"
    step = 2 if expected.dtype.kind == "c" else 1
    for at, (a, b) in enumerate(zip(wanted, found)):
        near = [abs(x) for x in wanted[at - at % step : at - at % step + step] if np.isfinite(x)]
        scale = max(near, default=0.0)
        if a != a or b != b:
            same = a != a and b != b
        elif a == 0.0 and b == 0.0:
            same = not signs or np.signbit(a) == np.signbit(b)
        elif np.isinf(a) or np.isinf(b):
            same = a == b
        else:
            same = abs(a - b) <= ulps * eps * scale
        if not same:
            return f"part {at}: expected {a!r}, found {b!r}"
    return None


def grid(binary):
    """Every function on every pair of special values; how many differ somewhere."""
    repl, cases, scope = Repl(binary), [], {"np": np, "nan": np.nan, "inf": np.inf}
    for line in ("import numpy as np", "from numpy import nan, inf", "set_default_dtype('float64')"):
        repl.ask(line)
    values = list(itertools.product(SPECIAL, SPECIAL))
    re, im = (", ".join(pair[at] for pair in values) for at in (0, 1))
    few = [0, 3, 11, 27, 22, 47, 60, 66, 78, 88, 99, 19, 54, 45, 34]
    for code in ("c16", "c8"):
        zeros = f"np.zeros({len(values)}, dtype='{code}')"
        for line in (f"z = {zeros}", f"z.real = np.array([{re}])", f"z.imag = np.array([{im}])", f"w = z[{few}]"):
            repl.ask(line)
            exec(line, scope)
        for name in UNARY:
            text = f"np.{name}(z)"
            cases.append((repl.ask(text), text, name, code, np.asarray(eval(text, scope)), list(scope["z"])))
        pairs = [(a, b) for a in scope["z"] for b in scope["w"]]
        for name in BINARY:
            text = f"np.{name}(z[:, None], w)"
            cases.append((repl.ask(text), text, name, code, np.asarray(eval(text, scope)), pairs))
    answers, wrong = repl.answers(), 0
    for at, text, name, code, expected, operands in cases:
        dtype, _, found = decode(answers[at])
        if not isinstance(found, list) or dtype != expected.dtype.name:
            wrong += 1
            print(f"{text} of {code}: {dtype} {str(found)[:200]}")
            continue
        flat, width, bad = expected.reshape(-1), 2 if expected.dtype.kind == "c" else 1, []
        for place in range(flat.size):
            parts_of = found[place * width : (place + 1) * width]
            if name in LOOSE and not (np.isfinite(flat[place]) and np.isfinite(operands[place]).all()):
                continue
            if differ(flat[place : place + 1], parts_of, ULPS.get(name, 6), name not in LOOSE):
                bad.append(f"   {operands[place]}: {flat[place]} found {parts_of}")
        if bad:
            wrong += 1
            print(f"{text} of {code}: {len(bad)} differ", *bad[:12], sep="\n")
    print(f"{len(cases)} functions on {len(values)} numbers, {wrong} with a difference")
    return wrong


class Program:
    """A few complex arrays, and expressions over them."""

    def __init__(self, rng):
        self.rng = rng
        self.shape = tuple(rng.choice([0, 1, 2, 3, 4, 5]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3])))
        self.lines = []
        for name in "abc":
            kind = rng.choice(["c16", "c16", "c8", "f8", "c16"]) if name != "a" else rng.choice(["c16", "c8"])
            self.lines.append(f"{name} = {self.literal(kind)}")

    def literal(self, kind):
        count = int(np.prod(self.shape))
        number = lambda: str(self.rng.choice([0, 1, -1, 2, 0.5, -2.5, 3, 1.25, -0.75]))
        items = [f"complex({number()}, {number()})" if kind[0] == "c" else number() for _ in range(count)]
        return f"np.array([{', '.join(items)}], dtype='{kind}').reshape({self.shape})"

    def axis(self):
        rank = len(self.shape)
        return self.rng.choice([None, *range(-rank, rank)]) if rank else None

    def statement(self):
        rng = self.rng
        x, y = rng.choice("abc"), rng.choice("abc")
        number = rng.choice(["2j", "(1-2j)", "0.5", "3", "-1", "True", "1j"])
        axis = self.axis()
        index = ", ".join(rng.choice([":", "::-1", "1:", "-1:", "::2"]) for _ in self.shape) or "..."
        forms = [
            f"{x} + {y}", f"{x} * {y}", f"{x} - {number}", f"{number} * {x}", f"{x} * {number} + {y}", f"{x} == {y}",
            f"{x} ** 2", f"{x} ** 3", f"-{x}", f"abs({x})", f"{x}.real", f"{x}.imag", f"{x}.conj()", f"np.angle({x})",
            f"np.sum({x}, axis={axis})", f"np.mean({x}, axis={axis})", f"np.prod({x}, axis={axis})", f"np.cumsum({x}, axis={axis})",
            f"np.cumprod({x}, axis={axis})", f"np.var({x}, axis={axis})", f"np.std({x}, axis={axis})", f"np.max({x}, axis={axis})",
            f"np.min({x}, axis={axis})", f"np.argmax({x}, axis={axis})", f"np.argmin({x}, axis={axis})", f"np.any({x}, axis={axis})",
            f"np.sort({x}, axis={axis})", f"np.argsort({x}, axis={axis if axis is not None else -1}, kind='stable')", f"np.unique({x})",
            f"np.count_nonzero({x})", f"np.nonzero({x} != 0)[0]" if self.shape else f"{x} != 0", f"{x}[{index}]", f"{x}[{index}] * 2j",
            f"{x}[{x} != 0]" if self.shape else f"{x} + 1", f"np.where({x} == {y}, {x}, {number})", f"{x}.T @ {y}" if len(self.shape) == 2 else f"{x} - {y}",
            f"np.vdot({x}, {y})", f"np.concatenate([np.ravel({x}), np.ravel({y})])", f"{x}.astype('c8')", f"{x}.astype('c16')",
            f"np.exp({x} * 1j)", f"np.sqrt({x})", f"{x}.flatten()", f"np.outer({x}, {y})", f"np.stack([{x}, {y}])", f"np.flip({x})",
            f"np.linalg.norm({x})", f"np.isreal({x})", f"np.iscomplexobj({x})", f"np.real_if_close({x})", f"np.ptp({x}, axis={axis})" if self.shape else f"{x}",
            f"np.diff(np.ravel({x}))", f"np.roll({x}, 1)", f"np.repeat({x}, 2)", f"np.tile({x}, 2)", f"np.isclose({x}, {y})", f"np.allclose({x}, {y})",
            f"np.round({x}, 1)", f"np.nan_to_num({x})", f"np.cov(np.ravel({x}), np.ravel({y}), dtype='c16')" if np.prod(self.shape) > 1 else f"{x}",
            f"np.kron(np.ravel({x}), np.ravel({y}))", f"np.convolve(np.ravel({x}), np.ravel({y}))" if np.prod(self.shape) else f"{x}",
            f"np.trace(np.outer({x}, {y}))", f"np.einsum('i,i->i', np.ravel({x}), np.ravel({y}))", f"np.nansum({x})", f"np.median({x})" if self.shape and np.prod(self.shape) else f"{x}",
            f"np.interp(0.5, [0, 1], [1j, 2])", f"np.take(np.ravel({x}), [0, -1])" if np.prod(self.shape) else f"{x}", f"np.tril(np.outer({x}, {y}))",
            f"{x} // {y}", f"{x} % 2", f"np.floor({x})", f"np.arctan2({x}, {y})", f"{x} < {y}", f"np.maximum({x}, {y})", f"np.clip({x}, 0, 1)",
            f"str({x})", f"repr(np.asarray({x}))", f"{x}.tolist()", f"np.searchsorted(np.sort(np.ravel({x})), {number})", f"{x}.view('{'f8' if True else ''}').shape" if False else f"{x}.dtype",
        ]
        writes = [
            f"{x}[...] = {number}", f"{x}[{index}] = {y}[{index}]", f"{x} += {y}", f"{x} *= {number}", f"{x} -= {x}", f"{x}.real = 2", f"{x}.imag = {y}.real",
            f"{x}[{x} == 0] = {number}" if self.shape else f"{x} += 1", f"{x} *= {x}", f"{x} = {x}[{index}].copy()" if False else f"{x} /= 2",
            f"{x} = {x} * {y} - {number}", f"{x}.real[...] += 1",
        ]
        if self.shape and self.shape[0]:
            at = [rng.randint(-self.shape[0], self.shape[0] - 1) for _ in range(2)]
            forms += [f"{x}[{at}]", f"{x}[{at[0]}]", f"{x}.real[{at}]"]
            writes += [f"{x}[{at}] = {number}", f"np.add.at({x}, {at}, {number})", f"{x}[{at[0]}] = {y}[{at[1]}]"]
        return rng.choice(writes) if rng.random() < 0.25 else rng.choice(forms)


def kind_of(error):
    for kind in (ZeroDivisionError, OverflowError, np.exceptions.AxisError, IndexError, TypeError, ValueError, AttributeError):
        if isinstance(error, kind):
            return kind.__name__
    return type(error).__name__


def randomly(binary, count, seed, length, show):
    rng, wrong, statements = random.Random(seed), 0, 0
    repl, expected = Repl(binary), {}
    repl.ask("import numpy as np")
    repl.ask("set_default_dtype('float64')")
    for number in range(count):
        program, scope = Program(rng), {"np": np}
        lines = []
        for line in program.lines:
            exec(line, scope)
            repl.ask(line)
            lines.append(line)
        for _ in range(length):
            line = program.statement()
            lines.append(line)
            is_write = any(sign in line for sign in (" = ", " += ", " *= ", " -= ", " /= ")) or line.startswith("np.add.at")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", np.exceptions.ComplexWarning)
                    if is_write:
                        exec(line, scope)
                        value = None
                    else:
                        value = eval(line, scope)
                        value = np.array(value) if isinstance(value, (np.ndarray, np.generic)) else value
            except np.exceptions.ComplexWarning:
                # What NumPy only warns of is refused, or the parts are dropped as asked: no truth here.
                break
            except Exception as error:
                value = error
            expected[repl.ask(line)] = (lines[:], value, is_write)
            if is_write:
                for name in "abc":
                    expected[repl.ask(name)] = (lines[:] + [name], np.array(scope[name]), False)
    for at, reply in enumerate(repl.answers()):
        if at not in expected:
            continue
        lines, value, is_write = expected[at]
        statements += 1
        dtype, shape, found = decode(reply)
        text = None
        if isinstance(value, Exception):
            if dtype != kind_of(value):
                text = f"expected {kind_of(value)}: {value}"
        elif is_write:
            text = None if reply["ok"] else "expected no error"
        elif isinstance(value, np.ndarray):
            if not isinstance(found, list) or dtype not in (value.dtype.name, "bool", "int", "float") or shape != list(value.shape):
                text = f"expected {value.dtype} {value.shape}"
            else:
                text = differ(value, found, 64 * max(value.size, 1), False)
        elif isinstance(value, str) and dtype == "str":
            text = None if found == value else f"expected {value!r}"
        if text:
            wrong += 1
            if wrong <= show:
                print("---", *lines[:3], *lines[3:], sep="\n   ")
                print(f"  {text}\n  found {dtype} {shape} {found}")
    print(f"{count} programs, {statements} statements, {wrong} with a difference")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="target/release/genesis-repl")
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--length", type=int, default=6)
    arguments.add_argument("--show", type=int, default=15)
    arguments.add_argument("--no-grid", action="store_true")
    options = arguments.parse_args()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    wrong = 0 if options.no_grid else grid(options.binary)
    wrong += randomly(options.binary, options.count, options.seed, options.length, options.show)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
