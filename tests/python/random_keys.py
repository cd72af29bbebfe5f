"""Random dictionaries, sets and lists of objects that log what they are asked, here and in CPython.

Usage: python tests/python/random_keys.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_keys.py --write N > tests/python/keys.txt

Which `__hash__`, `__eq__`, `__getitem__` and `__missing__` run, in which order, what they leave behind when they fail, and what the container
holds then; in functions and in statements of a cell. Keys that differ have hashes that differ: else CPython may ask others before it finds
the key itself.
"""

import random
import re

from random_programs import compare

PRELUDE = """
from collections import Counter, defaultdict

log = []

class P:
    def __init__(self, k, t): self.k, self.t = k, t
    def __hash__(self):
        log.append(f"hash {self}")
        if self.t == "bad": raise KeyError("hash")
        return self.k
    def __eq__(self, other):
        log.append(f"{self} == {other}")
        if not isinstance(other, P): return NotImplemented
        if "err" in (self.t, other.t): raise ValueError("eq")
        return self.k == other.k
    def __repr__(self): return f"{self.t}{self.k}"

class Q(P):
    def __eq__(self, other):
        log.append(f"Q {self}")
        return super().__eq__(other)
    __hash__ = P.__hash__

class N:
    def __init__(self, k): self.k = k
    def __repr__(self): return f"N{self.k}"

class D(dict):
    def __getitem__(self, key):
        log.append(f"item {key}")
        return dict.__getitem__(self, key)
    def __contains__(self, key):
        log.append(f"in {key}")
        return dict.__contains__(self, key)
    def __setitem__(self, key, value):
        log.append(f"set {key}")
        dict.__setitem__(self, key, value)
    def __missing__(self, key):
        log.append(f"missing {key}")
        return len(log)

class M(dict):
    def __missing__(self, key):
        log.append(f"missing {key}")
        return 0
"""

STATEMENTS = """d[{}] = {n}
d[{}] += 1
print(d[{}])
print({} in d)
print({} not in d)
print(d.get({}))
print(d.get({}, {}))
print(d.setdefault({}, {n}))
print(d and d.pop({}, {n}))
s.add({})
print({} in s)
s.discard({})
s.remove({})
if {} in d: print("there")
del d[{}]
print({{{}: 1, {}: 2}})
print(len({{{}, {}}}))
print([{}, {}].index({}))
print(({}, {}) == ({}, {}))
print(len({{x for x in [{}, {}]}}))
print(len({{x: 1 for x in [{}, {}]}}))
print({} in [{}, {}])
print([{}, {}].count({}))
d.update({{{}: 3}})
print(dict.fromkeys([{}, {}]))
print({} == {}, {} != {})
print(len(set([{}, {}])))
print(d == {{{}: 1}})
print(len({{**d, {}: 4}}))
print(max([{n}, {n}], key=lambda x: d.get({}, x)))
print(sorted(len(str(x)) for x in (s if {} in s else d)))
print(any(x == {} for x in [{}, {}]))
for x in [{}, {}]: s.add(x)
x = [{}]; x.remove({}); print(x)
print(len(s | {{{}}}), len(s), s >= {{{}}})"""


class Maker(random.Random):
    def key(self):
        return self.choice([f"k{at}" for at in range(5)] * 3 + ["17", "'a'", "(k0, 1)", "(k1,)", "None", "9.5"])

    def object(self):
        kind = self.choice("PPPQN")
        if kind == "N":
            return f"N({self.randrange(3)})"
        names = ["err", "bad"] if self.random() < 0.1 else "abcdef"
        return f"{kind}({self.randrange(5)}, {self.choice(names)!r})"

    def statement(self):
        text = self.choice(STATEMENTS.splitlines())
        text = re.sub(r"(?<!{){}(?!})|(?<={{){}|{}(?=}})", lambda _: self.key(), text)
        text = re.sub(r"{n}", lambda _: str(self.randrange(9)), text)
        return text.replace("{{", "{").replace("}}", "}")

    def program(self):
        lines = PRELUDE.splitlines()
        lines += [f"k{at} = {self.object()}" for at in range(5)]
        lines.append(f"d, s = {self.choice(['{}', '{}', 'defaultdict(int)', 'D()', 'M()', 'Counter()'])}, set()")
        is_function = self.random() < 0.5
        indent = "    " * is_function
        if is_function:
            lines.append("def run():")
            if self.random() < 0.3:
                lines.append("    global d, s")
        for _ in range(self.randrange(3, 14)):
            lines += [f"{indent}try:", f"{indent}    {self.statement()}", f"{indent}except (KeyError, ValueError, TypeError) as error:"]
            lines += [f"{indent}    print(type(error).__name__)", f"{indent}print(log); log.clear()"]
        if is_function:
            lines.append("run()")
        lines += ["print(list(d.items()), len(s), log)"]
        return "\n".join(lines) + "\n"


def alike(text):
    # `setdefault` and the default of a `defaultdict` hash a key once or twice.
    before = None
    while before != text:
        before, text = text, re.sub(r"('hash \w+'), \1", r"\1", text)
    return text


def is_kept(text, expected):
    return alike(expected) == expected


if __name__ == "__main__":
    compare(lambda seed: Maker(seed).program(), is_kept, alike)
