"""Random calls, run here and in CPython: what they give must be the same.

Usage: python tests/python/random_methods.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_methods.py --write N > tests/python/methods.txt

Each program calls methods of texts, lists, dictionaries and sets, some short enough for the quick ways and
some not; functions of every kind of parameter from one place in a loop, so that what a place remembers
meets another function; classes with `__init__`, whose fields come in any order; and it raises and
catches. Of an error its class counts. With --write, N programs go to standard output with what CPython
prints; `cargo test --test python` runs them without Python.
"""

import argparse
import contextlib
import io
import random
import subprocess
import sys
import tempfile

TEXTS = ["", " ", "a", "b", "ab", "a b c", "  x\\ty \\n", "A-b_C", "123", "-7", "1 2  3", "aXbXc", "äöü", "ß", "Σας",
         "a\\u3000b", "\\x1cx\\x1d", "İ", "²", "x" * 30, "αβγ,δε", "aaa", "a,b,,c", "\\U0001f600z"]
LONG = ["('ab,' * 600)", "('ä ' * 700)", "('x' * 1023)", "('x' * 1024)"]

# A NaN in a container is every NaN here (grammar/README.md), so there is one.
PRELUDE = '''
nan = float('nan')

def attempt(run):
    try:
        print(short(repr(run())))
    except Exception as error:
        print(type(error).__name__)

def grown(text, more):
    grown = text + ""
    first = len(grown)
    grown += more
    return first, len(grown), grown[:3], grown[-1:], grown[first:first + 2]

def short(value):
    return value if len(value) < 60 else (len(value), value[:20], value[-20:])
'''


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def text(self):
        if self.random.random() < 0.06:
            return self.pick(LONG)
        return "'" + self.pick(TEXTS) + "'"

    def any(self, depth=0):
        roll = self.random.random()
        if roll < 0.4:
            return self.text()
        if roll < 0.6:
            return str(self.random.randint(-3, 5))
        if roll < 0.7:
            return self.pick(["None", "True", "1.0", "2.5", "nan", "[]", "{1}", "(1, 'a')"])
        if depth > 1:
            return "0"
        items = ", ".join(self.any(depth + 1) for _ in range(self.random.randint(0, 4)))
        return f"[{items}]" if roll < 0.85 else f"({items},)" if items else "()"

    def of_text(self):
        receiver = self.text()
        name = self.pick(
            "split split rsplit join startswith endswith strip lstrip rstrip upper lower replace find rfind index "
            "rindex count isdigit isdecimal isnumeric isalpha isalnum partition title".split()
        )
        few = {"join": 1, "startswith": 1, "endswith": 1, "replace": 2, "find": 1, "rfind": 1, "index": 1,
               "rindex": 1, "count": 1, "partition": 1}
        count = few.get(name, self.pick([0, 0, 1]) if "split" in name or "strip" in name else 0)
        if self.random.random() < 0.08:
            count += self.pick([-1, 1])
        arguments = [self.text() if self.random.random() < 0.85 else self.any() for _ in range(max(count, 0))]
        if name == "join" and arguments and self.random.random() < 0.9:
            parts = ", ".join(self.text() for _ in range(self.random.randint(0, 4)))
            arguments = [self.pick([f"[{parts}]", f"({parts},)" if parts else "()", f"iter([{parts}])"])]
        if name in ("find", "index", "count", "startswith") and self.random.random() < 0.2:
            arguments += [str(self.random.randint(-4, 5))]
        return f"{receiver}.{name}({', '.join(arguments)})"

    def of_positions(self):
        """What counts characters."""
        text = self.text()
        at = [self.pick(["", "", str(self.random.randint(-6, 6))]) for _ in range(3)]
        step = at[2] or "1"
        return self.pick([
            f"{text}[{at[0] or 0}]", f"{text}[{at[0]}:{at[1]}]", f"{text}[{at[0]}:{at[1]}:{step}]", f"len({text})",
            f"list({text})[:9]", f"[c + c for c in {text}][-5:]", f"{text}[:{at[0]}] + {text}[{at[0]}:] == {text}",
            f"grown({text}, {self.text()})", f"{text} in {self.text()}", f"{text}[::{step}].find({self.text()}, {at[0] or 1})",
        ])

    def container(self, at):
        """Steps on a list, a dictionary and a set in the function's own variables."""
        steps = [
            f"l.append({self.any()})", "l.pop()", f"l.pop({self.random.randint(-2, 3)})", f"len(l)",
            f"d.get({self.any()})", f"d.get({self.any()}, {self.any()})", f"d.setdefault({self.any()}, {self.any()})",
            f"d.setdefault({self.any()})", f"d.pop({self.text()}, None)", "list(d.items())", "list(d.keys())",
            "list(d.values())", f"{self.any()} in d", f"s.add({self.pick(['1', 'True', '2.0', repr('a'), '()', '[]'])})",
            "len(s)", f"ord({self.text()})", f"str({self.any()})", f"d.update({{{self.text()}: {at}}})",
            f"f'{{{self.random.randint(-10**6, 10**6)}}}|{{l}}|{{len(d)}}'",
            "f'{-9223372036854775807 - 1}{0}{-1}'",
        ]
        return self.pick(steps)

    def function(self, name):
        parameters = self.pick([
            "a", "a, b", "a, b=2", "a, /, b=3", "a=1, *, c", "a, b=2, *, c=3", "*, c=4", "a, *rest", "a, **more",
            "a, *rest, c=5, **more", "", "b, a",
        ])
        names = [part.split("=")[0].strip(" */") for part in parameters.split(",")]
        shown = ", ".join(name for name in names if name)
        return f"def {name}({parameters}):\n    return ('{name}', {shown})\n"

    def call(self, function):
        arguments = self.pick([
            "i", "i, n", "i, c=n", "a=i", "b=i, a=n", "a=i, c=n", "i, b=n, c=1", "c=i", "", "i, *[n]", "i, **{'c': n}",
            "i, a=1", "i, n, 3",
        ])
        return f"{function}({arguments})"

    def program(self):
        lines = [PRELUDE]
        for at in range(self.random.randint(8, 20)):
            lines.append(f"attempt(lambda: {self.of_text() if at % 3 else self.of_positions()})")
        lines.append("def steps():\n    l, d, s = [], {}, set()")
        for at in range(self.random.randint(5, 25)):
            step = self.container(at)
            lines.append(f"    try:\n        print(short(repr({step})))")
            lines.append("    except Exception as error:\n        print(type(error).__name__)")
        lines.append("    print(l, d, sorted(map(repr, s)))\nsteps()\nsteps()")
        functions = [f"f{at}" for at in range(4)]
        lines += [self.function(name) for name in functions]
        calls = "\n".join(
            f"        try:\n            print({self.call('f')})\n"
            "        except TypeError as error:\n            print(error)" for _ in range(3)
        )
        lines.append(f"def calls(n):\n    for i, f in enumerate([{', '.join(functions)}] * 2):\n{calls}\ncalls(7)")
        fields = self.random.sample(["x", "y", "z", "name", "items", "next", "u", "v", "w", "t"], self.random.randint(1, 10))
        parameters = ", ".join(["self"] + [f"{name}={at}" for at, name in enumerate(fields)])
        lines.append(f"class C:\n    def __init__({parameters}):")
        stored = self.random.sample(fields, self.random.randint(0, len(fields)))
        lines += [f"        self.{name} = {name}" for name in stored] or ["        pass"]
        if self.random.random() < 0.2:
            lines.append(f"        return {self.pick(['None', '1', 'self'])}")
        lines.append("    def who(self, by=1, *, more=0):\n        return sorted(vars(self)), by, more")
        lines.append("class D(C):\n    def __init__(self, *args, **more):\n        super().__init__(*args, **more)\n        self.last = 1")
        given = self.pick([", ".join(str(at) for at in range(self.random.randint(0, 3))), f"{fields[0]}='k'", f"1, {fields[-1]}=2"])
        reads = "\n".join(f"            c.{self.pick(fields)} = {self.any()}; print(short(repr(c.{self.pick(fields)})))" for _ in range(3))
        lines.append(f"""
def objects(n):
    for i in range(n):
        for made in (C, D):
            c = None
            try:
                c = made({given})
                print(vars(c), c.who(i), c.who(more=i))
{reads.replace('            c.', '                c.')}
                del c.{self.pick(fields)}
                print(list(vars(c)))
            except Exception as error:
                print(type(error).__name__, c is None)
objects(3)
def count(n):
    total = 0
    while n:
        sent = yield n
        total += sent or 0
        n -= 1
    return total
def raising(n):
    for i in range(n):
        try:
            try:
                raise {self.pick(['ValueError', 'KeyError', 'IndexError', 'StopIteration', 'Exception'])}({self.pick(['', '1', "'a', 2", '*[i, n]'])})
            except {self.pick(['ValueError', 'LookupError', '(KeyError, IndexError)'])} as error:
                print(repr(error), error.args, str(error))
                error.note = i
                print(vars(error))
                raise RuntimeError('again') from error
        except Exception as error:
            print(repr(error), repr(error.__cause__), vars(error), error.args)
    print(sum(x for x in count(n)), [x * y for x in count(n) for y in count(x)])
    print(sorted(count(n), key=lambda x: (-x % 3, x)), max(count(n), key=lambda x: -x), list(map(lambda x, y: x * y, count(n), count(n))))
raising(4)""")
        return "\n".join(lines) + "\n"


def by_python(program):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
        except Exception as error:
            print("UNCAUGHT", type(error).__name__, error)
    return out.getvalue()


def by_ours(binary, program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        run = subprocess.run([binary, file.name], capture_output=True, text=True, timeout=60)
    return run.stdout + ("UNCAUGHT " + run.stderr.strip()[-300:] + "\n" if run.returncode else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default="target/debug/genesis-repl")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=int)
    options = parser.parse_args()
    if options.write:
        for seed in range(options.write):
            program = Maker(f"golden {seed}").program()
            print(f"=== program {seed}\n{program}--- prints\n{by_python(program)}", end="")
        return 0
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        program = Maker(seed).program()
        theirs, ours = by_python(program).splitlines(), by_ours(options.binary, program).splitlines()
        if theirs == ours:
            continue
        wrong += 1
        at = next((at for at, (a, b) in enumerate(zip(theirs, ours)) if a != b), min(len(theirs), len(ours)))
        print(f"seed {seed}, line {at + 1}:\n  CPython: {theirs[at:at + 1]}\n  here:    {ours[at:at + 1]}", flush=True)
    print(f"{wrong} of {options.count} programs differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
