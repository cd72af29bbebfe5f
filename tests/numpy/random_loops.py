#!/usr/bin/env python3
"""Random loops over elements of arrays, here and in NumPy: what they print must be the same.

    python tests/numpy/random_loops.py --binary target/release/genesis-repl [--count 500] [--seed 1]

A program reads, writes and changes elements of arrays of several types in functions and in loops of the cell: by
plain and negative indices, some out of bounds, through views, with scalars that other names hold, beside Python's
numbers, and of arrays that nothing has been asked of yet. Of errors the kind is compared, and the words of those
about an index. Needs NumPy 2.
"""

import argparse
import random
import subprocess
import sys
import tempfile

PRELUDE = """import numpy as np
if hasattr(np, "set_default_dtype"):
    np.set_default_dtype(np.float64)
np.seterr(all="ignore")


def shown(x):
    x = np.asarray(x)
    return (str(x.dtype), [str(v) for v in x.ravel().tolist()])


def tell(e):
    kind = TypeError if isinstance(e, TypeError) else type(e)
    print(kind.__name__, e if isinstance(e, IndexError) else "")


"""
# Integers beside short floats give floats of 64 bits in NumPy, and short ones here.
TYPES = [["float64", "float64", "int64", "int64", "int32", "int8", "uint8", "uint64", "bool"],
         ["float64", "float32", "float32", "float16", "bool"]]
VIEWS = ["{x}", "{x}", "{x}", "{x}[::-1]", "{x}[::2]", "{x}[1:]", "{x}.reshape(-1, 2).T", "{x}.reshape(2, -1)"]
MADE = ["(np.arange({n}) * 3 % 7).astype('{t}')", "np.zeros({n}, dtype='{t}')", "np.ones({n}, dtype='{t}')",
        "(np.arange({n}) % 5 * 2).astype('{t}')", "np.array({values}).astype('{t}')"]


class Writer:
    def __init__(self, dice):
        self.dice = dice
        self.lines = []
        self.arrays = {}
        self.types = dice.choice(TYPES)

    def pick(self, *options):
        return self.dice.choice(options)

    def array(self):
        name = f"a{len(self.arrays)}"
        kind, n = self.dice.choice(self.types), self.dice.choice([4, 6, 8])
        values = [self.dice.choice([0, 1, 2, 3, 5]) for _ in range(n)]
        self.arrays[name] = kind
        view = self.dice.choice(VIEWS)
        made = self.dice.choice(MADE).format(n=n, t=kind, values=values)
        return [f"{name}_ = {made}", f"{name} = {view.format(x=name + '_')}"]

    def index(self, name):
        at = self.pick("i", "i", "-1 - i", "i - 1", "0", "-1", "i // 2", "i % 2", str(self.dice.randint(-9, 9)))
        if self.dice.random() < 0.2:
            return f"{at}, {self.pick('i', '0', '-1', 'i % 2')}"
        return at

    def number(self):
        return self.pick("1", "2", "0", "3", "0.5", "1.5", "True", "-1", "i", "i * 0.25", "100", "1e3")

    def operand(self):
        name = self.dice.choice(list(self.arrays))
        return self.pick(self.number(), f"{name}[{self.index(name)}]", f"{name}[{self.index(name)}]", "s", "t")

    def statement(self, depth=0):
        name = self.dice.choice(list(self.arrays))
        op = self.pick("+", "-", "*", "+", "/")
        kind = self.dice.randrange(9)
        if kind == 0:
            return [f"{name}[{self.index(name)}] = {self.operand()}"]
        if kind == 1:
            # A quotient may be no integer, which NumPy refuses by the type of what it is stored in.
            return [f"{name}[{self.index(name)}] {op.replace('/', '+')}= {self.operand()}"]
        if kind == 2:
            return [f"s {op}= {self.operand()}"]
        if kind == 3:
            return [f"s = {self.operand()} {op} {self.operand()}"]
        if kind == 4:
            return [self.pick("t = s", f"t = {self.operand()}", "kept.append(s)", f"kept.append({self.operand()})")]
        if kind == 5 and depth < 2:
            compare = self.pick("<", "<=", ">", ">=", "==", "!=")
            test = self.pick(f"{self.operand()} {compare} {self.operand()}", self.operand(), f"not {self.operand()}")
            inside = [f"    {line}" for line in self.statement(depth + 1)]
            return [f"if {test}:"] + inside
        if kind == 6:
            return [f"kept.append({self.operand()} {self.pick('<', '==', '!=', '>=')} {self.operand()})"]
        if kind == 7 and depth < 1 and self.dice.random() < 0.4:
            row = self.pick(f"{name}[{self.index(name)}]", "s", "row")
            return [f"for row in {name}:", f"    {self.pick('kept.append(row)', 's = row', 'row += 1', 'pass')}",
                    f"    {self.pick('row *= 2', f's = {row} + row', 'kept.append(row[0])', 'row[0] = 3', f'row[-1] += {self.operand()}')}"]
        if kind == 7 and depth < 1:
            inside = [f"    {line}" for line in self.statement(2)]
            return [f"for s in {name}:"] + inside
        return [f"s = {name}[{self.index(name)}]"]

    def program(self):
        lines = []
        for _ in range(self.dice.randint(1, 3)):
            lines += self.array()
        body = [f"for i in range({self.dice.randint(2, 5)}):"]
        for _ in range(self.dice.randint(1, 4)):
            body += [f"    {line}" for line in self.statement()]
        begin = [f"s = {self.pick('0', '0.0', '1')}", f"t = {self.pick('1', '2.0')}", "row = s", "kept = []"]
        end = ["print(shown(s), shown(t))", "print([shown(k) for k in kept])"]
        end += [f"print(shown({name}_))" for name in self.arrays]
        if self.dice.random() < 0.6:
            inside = lines + begin + ["try:"] + [f"    {line}" for line in body]
            inside += ["except Exception as e:", "    tell(e)"] + end
            return ["def work():"] + [f"    {line}" for line in inside] + ["work()"]
        guarded = ["try:"] + [f"    {line}" for line in body] + ["except Exception as e:", "    tell(e)"]
        return lines + begin + guarded + end


def run(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(command + [file.name], capture_output=True, text=True)
    return done.stdout + done.stderr[-400:] * (done.returncode != 0)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binary", required=True)
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    differ = 0
    for first in range(0, given.count, 50):
        programs = []
        for at in range(first, min(first + 50, given.count)):
            programs.append(Writer(random.Random(given.seed * 1_000_003 + at)).program())
        marked = "".join(f'print("== {at}")\n' + "\n".join(lines) + "\n" for at, lines in enumerate(programs))
        theirs = run([sys.executable, "-W", "ignore"], PRELUDE + marked).split("== ")
        ours = run([given.binary], PRELUDE + marked).split("== ")
        for at, lines in enumerate(programs):
            expected, found = (both[at + 1] if at + 1 < len(both) else "nothing" for both in (theirs, ours))
            if expected != found:
                differ += 1
                print(f"--- program {first + at} of seed {given.seed}", *lines, sep="\n")
                print("--- NumPy", expected, "--- here", found, sep="\n")
    print(f"{given.count} programs, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
