"""Random programs of plain Python, run here and in CPython: what they print must be the same.

Usage: python tests/python/random_programs.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_programs.py --write N > tests/python/programs.txt

Programs use loops, functions of every kind of parameter, closures, generators, comprehensions, and
numbers, texts, lists and dictionaries. They are made so that values keep small; a program may end in
an error, whose class and message must agree as well. With --write, N programs go to standard output
with what CPython prints; `cargo test --test python` runs them without Python.
"""

import argparse
import contextlib
import gc
import io
import random
import signal
import subprocess
import sys
import tempfile
import warnings

INT, FLOAT, STR, LIST, DICT, BOOL = "int", "float", "str", "list", "dict", "bool"


class Scope:
    """The variables that a place can read, by type; those of functions around come along."""

    def __init__(self, parent=None, is_function=False):
        self.parent, self.is_function = parent, is_function
        self.names = {kind: [] for kind in (INT, FLOAT, STR, LIST, DICT)}
        self.fixed = set()
        self.functions = []
        self.generators = []

    def own(self, kind):
        return [name for name in self.names[kind] if name not in self.fixed]

    def all(self, kind):
        names = list(self.names[kind])
        if self.parent:
            names += self.parent.all(kind)
        return names

    def callables(self):
        return self.functions + (self.parent.callables() if self.parent else [])

    def iterables(self):
        return self.generators + (self.parent.iterables() if self.parent else [])


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.lines = []
        self.indent = 0
        self.loops = 0
        self.depth = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, line):
        self.lines.append("    " * self.indent + line)

    # Expressions.

    def int(self, scope, depth=2):
        names = scope.all(INT)
        if depth <= 0 or self.chance(0.25):
            if names and self.chance(0.7):
                return self.pick(*names)
            return str(self.random.randint(-9, 20))
        a, b = (lambda: self.int(scope, depth - 1)), (lambda: self.int(scope, depth - 1))
        kind = self.random.randrange(17)
        if kind < 5:
            return f"({a()} {self.pick('+', '-', '*')} {b()}) % 1009"
        if kind == 5:
            return f"({a()} {self.pick('//', '%')} ({b()} % 7 + 1))"
        if kind == 6:
            return f"({a()} {self.pick('&', '|', '^')} {b()})"
        if kind == 7:
            return f"({a()} if {self.bool(scope, depth - 1)} else {b()})"
        if kind == 8:
            return f"len({self.list(scope, depth - 1)})"
        if kind == 9:
            return f"sum({self.list(scope, depth - 1)}) % 997"
        if kind == 10:
            return f"{self.pick('max', 'min')}({a()}, {b()})"
        if kind == 11:
            return f"-({a()})"
        if kind == 12:
            return f"abs({a()})"
        if kind == 13 and scope.all(DICT):
            return f"{self.pick(*scope.all(DICT))}.get({self.str(scope, 0)}, {a()})"
        if kind == 14 and scope.callables():
            return self.call(scope, depth)
        if kind == 15:
            x = self.name("x")
            return f"sum({x} * {x} for {x} in {self.list(scope, depth - 1)}) % 991"
        if kind == 16:
            x = self.name("x")
            inner = Scope(scope)
            inner.names[INT] = [x]
            inner.fixed.add(x)
            return f"(lambda {x}, *r: {self.int(inner, depth - 1)} + len(r))({a()}, {b()})"
        return a()

    def float(self, scope, depth=2):
        names = scope.all(FLOAT)
        if depth <= 0 or self.chance(0.3):
            if names and self.chance(0.7):
                return self.pick(*names)
            return repr(self.random.randint(-40, 40) / self.pick(2, 4, 8))
        kind = self.random.randrange(6)
        if kind == 0:
            return f"({self.int(scope, depth - 1)} / ({self.int(scope, depth - 1)} % 5 + 2))"
        if kind == 1:
            return f"({self.float(scope, depth - 1)} % 3.5)"
        if kind == 2:
            return f"float({self.int(scope, depth - 1)})"
        if kind == 3:
            return f"({self.float(scope, depth - 1)} // 0.75) % 100.0"
        left, right = self.float(scope, depth - 1), self.pick(
            self.float(scope, depth - 1), self.int(scope, depth - 1))
        return f"({left} {self.pick('+', '-', '*')} {right}) % 1000.0"

    def str(self, scope, depth=2):
        names = scope.all(STR)
        if depth <= 0 or self.chance(0.3):
            if names and self.chance(0.7):
                return self.pick(*names)
            return repr("".join(self.random.choices("abcxyz ", k=self.random.randint(0, 4))))
        kind = self.random.randrange(8)
        if kind == 0:
            return f"({self.str(scope, depth - 1)} + {self.str(scope, depth - 1)})[:20]"
        if kind == 1:
            return f"({self.str(scope, depth - 1)} * 2)[:12]"
        if kind == 2:
            spec = self.pick("", ":3", ":>4", ":05", "!r")
            return f'f"<{{{self.int(scope, depth - 1)}{spec}}}>"'.replace("\\", "")
        if kind == 3:
            return f"str({self.pick(self.int, self.float)(scope, depth - 1)})"
        if kind == 4:
            return f"{self.str(scope, depth - 1)}.{self.pick('upper', 'title', 'strip')}()"
        if kind == 5:
            x = self.name("c")
            return f'"-".join({x} for {x} in {self.str(scope, depth - 1)})[:15]'
        if kind == 6:
            return f"{self.str(scope, depth - 1)}[::-1]"
        return f"({self.str(scope, depth - 1)} or {self.str(scope, depth - 1)})"

    def bool(self, scope, depth=2):
        kind = self.random.randrange(9 if depth > 0 else 3)
        if kind < 3:
            inner = max(depth - 1, 0)
            return f"{self.int(scope, inner)} {self.comparison()} {self.int(scope, inner)}"
        a, b = self.bool(scope, depth - 1), self.bool(scope, depth - 1)
        if kind == 3:
            return f"({a} {self.pick('and', 'or')} {b})"
        if kind == 4:
            return f"not ({a})"
        if kind == 5:
            x, y, z = (self.int(scope, depth - 1) for _ in range(3))
            return f"{x} {self.comparison()} {y} {self.comparison()} {z}"
        if kind == 6:
            return f"{self.str(scope, depth - 1)} {self.pick('<', '==', 'in')} {self.str(scope, depth - 1)}"
        if kind == 7:
            return f"{self.int(scope, depth - 1)} {self.pick('in', 'not in')} {self.list(scope, depth - 1)}"
        return f"{self.float(scope, depth - 1)} {self.comparison()} {self.int(scope, depth - 1)}"

    def comparison(self):
        return self.pick("<", "<=", ">", ">=", "==", "!=")

    def list(self, scope, depth=2):
        names = scope.all(LIST)
        if depth <= 0 or self.chance(0.3):
            if names and self.chance(0.7):
                return self.pick(*names)
            items = [self.int(scope, 0) for _ in range(self.random.randint(0, 4))]
            return "[" + ", ".join(items) + "]"
        kind = self.random.randrange(9)
        x = self.name("v")
        inner = Scope(scope)
        inner.names[INT] = [x]
        inner.fixed.add(x)
        if kind < 2:
            tail = f" if {self.bool(inner, depth - 1)}" if self.chance(0.5) else ""
            source = self.pick(f"range({self.int(scope, 0)} % 6)", self.list(scope, depth - 1))
            return f"[{self.int(inner, depth - 1)} for {x} in {source}{tail}]"
        if kind == 2:
            y = self.name("w")
            inner.names[INT].append(y)
            inner.fixed.add(y)
            return (f"[{self.int(inner, 1)} for {x} in {self.list(scope, 0)}"
                    f" for {y} in range({x} % 3)][:12]")
        if kind == 3:
            return f"({self.list(scope, depth - 1)} + {self.list(scope, depth - 1)})[:10]"
        if kind == 4:
            return f"sorted({self.list(scope, depth - 1)})"
        if kind == 5:
            return f"{self.list(scope, depth - 1)}[{self.pick('::-1', '1:', ':3', '::2', '-2:')}]"
        if kind == 6 and scope.iterables():
            return f"list({self.pick(*scope.iterables())}({self.int(scope, 0)} % 6))"
        if kind == 7:
            return f"[{self.int(scope, 0)}, *{self.list(scope, depth - 1)}][:9]"
        return f"list(range({self.int(scope, 0)} % 7, {self.int(scope, 0)} % 7, {self.pick(-2, -1, 1, 2)}))"

    def dict(self, scope, depth=2):
        x = self.name("k")
        inner = Scope(scope)
        inner.names[INT] = [x]
        inner.fixed.add(x)
        if self.chance(0.5):
            return f"{{str({x}): {self.int(inner, depth - 1)} for {x} in range({self.int(scope, 0)} % 4)}}"
        pairs = [f"{self.str(scope, 0)}: {self.int(scope, 1)}" for _ in range(self.random.randint(0, 3))]
        return "{" + ", ".join(pairs) + "}"

    def value(self, kind, scope, depth=2):
        return getattr(self, kind)(scope, depth)

    def call(self, scope, depth):
        name, positional, defaults, star, named, rest = self.pick(*scope.callables())
        most = positional + defaults
        given = self.random.randint(positional, most)
        if star and self.chance(0.5):
            given = most + self.random.randint(0, 2)
        args = [self.int(scope, depth - 2) for _ in range(given)]
        if star and self.chance(0.2):
            args = args[:most] + [f"*[{', '.join(args[most:])}]"] if given >= most else args
        for key, needed in named:
            if needed or self.chance(0.5):
                args.append(f"{key}={self.int(scope, depth - 2)}")
        if rest and self.chance(0.4):
            args.append(f"{self.name('extra')}={self.int(scope, 0)}")
        return f"{name}({', '.join(args)})"

    # Statements.

    def block(self, scope, budget, in_loop=False, can_return=False):
        self.indent += 1
        start = len(self.lines)
        for _ in range(self.random.randint(1, 4)):
            self.statement(scope, budget - 1, in_loop, can_return)
        if len(self.lines) == start:
            self.emit("pass")
        self.indent -= 1

    def statement(self, scope, budget, in_loop=False, can_return=False):
        kind = self.random.randrange(22)
        if kind < 5:
            return self.assign(scope)
        if kind == 5:
            return self.show(scope)
        if kind == 6:
            return self.augment(scope)
        if kind == 7 and scope.own(LIST):
            name = self.pick(*scope.own(LIST))
            return self.emit(self.pick(
                f"{name}.append({self.int(scope)})",
                f"{name}[len({name}) // 2:] = {self.list(scope, 1)}",
                f"if {name}: {name}[{self.int(scope, 0)} % len({name})] {self.pick('', '+', '-')}= {self.int(scope, 1)}",
                f"if {name}: {name}.pop()",
                f"if len({name}) > 8: del {name}[3:]",
            ))
        if kind == 8 and scope.own(DICT):
            name = self.pick(*scope.own(DICT))
            return self.emit(self.pick(
                f"{name}[{self.str(scope, 1)}] = {self.int(scope)}",
                f"{name}['n'] = {name}.get('n', 0) + 1",
            ))
        if kind == 9:
            return self.unpack(scope)
        if in_loop and kind == 10:
            return self.emit(f"if {self.bool(scope)}: {self.pick('break', 'continue')}")
        if can_return and kind == 11:
            return self.emit(f"if {self.bool(scope)}: return {self.int(scope)}")
        if budget <= 0:
            return self.assign(scope)
        if kind in (12, 13):
            return self.branch(scope, budget, in_loop, can_return)
        if kind in (14, 15, 16):
            return self.for_loop(scope, budget, can_return)
        if kind == 17:
            return self.while_loop(scope, budget, can_return)
        if kind in (18, 19) and self.depth < 2:
            return self.function(scope, budget)
        if kind == 20 and self.depth < 2:
            return self.generator(scope, budget)
        if kind == 21:
            return self.emit(f"assert {self.int(scope)} < 10 ** 9, {self.str(scope, 1)}")
        return self.show(scope)

    def assign(self, scope):
        kind = self.pick(INT, INT, INT, FLOAT, STR, LIST, DICT)
        own = scope.own(kind)
        text = self.value(kind, scope)
        if own and self.chance(0.5):
            name = self.pick(*own)
        else:
            name = self.name({INT: "n", FLOAT: "f", STR: "s", LIST: "l", DICT: "d"}[kind])
        self.emit(f"{name} = {text}")
        # In a block that may not run a new name would be unknown afterwards.
        if name not in scope.names[kind]:
            if self.certain:
                scope.names[kind].append(name)

    @property
    def certain(self):
        return self.loops == 0

    def augment(self, scope):
        kind = self.pick(INT, FLOAT, STR, LIST)
        if not scope.own(kind):
            return self.show(scope)
        name = self.pick(*scope.own(kind))
        if kind == INT:
            self.emit(f"{name} {self.pick('+', '-', '*', '^', '%')}= {self.int(scope, 1)} % 50 + 1")
            return self.emit(f"{name} %= 2003")
        if kind == FLOAT:
            return self.emit(f"{name} = ({name} {self.pick('+', '-', '*')} {self.float(scope, 1)}) % 500.0")
        if kind == STR:
            self.emit(f"{name} += {self.str(scope, 1)}")
            return self.emit(f"{name} = {name}[-12:]")
        self.emit(f"{name} += {self.list(scope, 1)}")
        return self.emit(f"del {name}[9:]")

    def unpack(self, scope):
        a, b = self.name("n"), self.name("n")
        if self.chance(0.5):
            self.emit(f"{a}, {b} = {self.int(scope)}, {self.int(scope)}")
        else:
            c = self.name("l")
            self.emit(f"{a}, *{c}, {b} = [{self.int(scope)}, *{self.list(scope)}, {self.int(scope)}]")
            if self.certain:
                scope.names[LIST].append(c)
        if self.certain:
            scope.names[INT] += [a, b]

    def show(self, scope):
        kinds = [self.pick(INT, FLOAT, STR, LIST, DICT, BOOL) for _ in range(self.random.randint(1, 3))]
        self.emit(f"print({', '.join(self.value(kind, scope) for kind in kinds)})")

    def nested(self, make):
        self.loops += 1
        make()
        self.loops -= 1

    def branch(self, scope, budget, in_loop, can_return):
        self.emit(f"if {self.bool(scope)}:")
        self.nested(lambda: self.block(scope, budget, in_loop, can_return))
        if self.chance(0.4):
            self.emit(f"elif {self.bool(scope)}:")
            self.nested(lambda: self.block(scope, budget, in_loop, can_return))
        if self.chance(0.5):
            self.emit("else:")
            self.nested(lambda: self.block(scope, budget, in_loop, can_return))

    def for_loop(self, scope, budget, can_return):
        inner = Scope(scope.parent, scope.is_function)
        inner.__dict__.update({key: value for key, value in scope.__dict__.items()})
        inner.names = {kind: list(names) for kind, names in scope.names.items()}
        inner.fixed = set(scope.fixed)
        i = self.name("i")
        kind = self.random.randrange(6)
        if kind < 2:
            self.emit(f"for {i} in range({self.int(scope, 0)} % {self.pick(3, 5, 8)}):")
        elif kind == 2:
            self.emit(f"for {i} in list({self.list(scope)}):")
        elif kind == 3:
            c = self.name("s")
            self.emit(f"for {i}, {c} in enumerate({self.str(scope)}):")
            inner.names[STR].append(c)
        elif kind == 4 and scope.iterables():
            self.emit(f"for {i} in {self.pick(*scope.iterables())}({self.int(scope, 0)} % 6):")
        else:
            j = self.name("j")
            self.emit(f"for {i}, {j} in zip({self.list(scope)}, {self.list(scope, 1)}):")
            inner.names[INT].append(j)
            inner.fixed.add(j)
        inner.names[INT].append(i)
        inner.fixed.add(i)
        self.nested(lambda: self.block(inner, budget, True, can_return))
        if self.chance(0.25):
            self.emit("else:")
            self.nested(lambda: self.block(scope, 0, False, can_return))

    def while_loop(self, scope, budget, can_return):
        n = self.name("w")
        self.emit(f"{n} = {self.random.randint(1, 6)}")
        self.emit(f"while {n} > 0 and {self.bool(scope)}:" if self.chance(0.4) else f"while {n}:")
        self.indent += 1
        self.emit(f"{n} -= 1")
        self.indent -= 1
        self.nested(lambda: self.block(scope, budget, True, can_return))
        if self.chance(0.25):
            self.emit("else:")
            self.nested(lambda: self.block(scope, 0, False, can_return))

    def function(self, scope, budget):
        name = self.name("fn")
        inner = Scope(scope, True)
        positional, defaults = self.random.randint(0, 2), self.random.randint(0, 2)
        star, rest = self.chance(0.3), self.chance(0.2)
        named = [(self.name("q"), self.chance(0.5)) for _ in range(self.random.choice([0, 0, 1]))]
        parts = []
        for at in range(positional + defaults):
            parameter = self.name("p")
            inner.names[INT].append(parameter)
            parts.append(parameter if at < positional else f"{parameter}={self.int(scope, 0)}")
        if star:
            parts.append("*args")
        elif named:
            parts.append("*")
        for key, needed in named:
            parts.append(key if needed else f"{key}={self.int(scope, 0)}")
            inner.names[INT].append(key)
        if rest:
            parts.append("**rest")
        loops, self.loops = self.loops, 0
        self.depth += 1
        self.emit(f"def {name}({', '.join(parts)}):")
        self.indent += 1
        if star:
            local = self.name("l")
            self.emit(f"{local} = list(args)")
            inner.names[LIST].append(local)
        if rest:
            local = self.name("n")
            self.emit(f"{local} = len(rest)")
            inner.names[INT].append(local)
        shared = [n for n in scope.own(INT)] if scope.is_function else []
        if shared and self.chance(0.6):
            target = self.pick(*shared)
            self.emit(f"nonlocal {target}")
            self.emit(f"{target} = ({target} + {self.int(inner, 0)}) % 101")
        self.indent -= 1
        self.block(inner, budget - 1, False, True)
        self.indent += 1
        self.emit(f"return {self.int(inner)}")
        self.indent -= 1
        self.depth -= 1
        self.loops = loops
        if self.certain:
            scope.functions.append((name, positional, defaults, star, named, rest))

    def generator(self, scope, budget):
        name, n = self.name("gen"), self.name("n")
        inner = Scope(scope, True)
        inner.names[INT].append(n)
        loops, self.loops = self.loops, 0
        self.depth += 1
        self.emit(f"def {name}({n}):")
        i = self.name("i")
        self.indent += 1
        self.emit(f"for {i} in range({n}):")
        body = Scope(inner)
        body.names[INT] = [i]
        body.fixed.add(i)
        self.indent += 1
        self.loops += 1
        self.statement(body, 0)
        self.emit(f"yield {self.int(body)}")
        self.loops -= 1
        self.indent -= 1
        if self.chance(0.4) and scope.iterables():
            self.emit(f"yield from {self.pick(*scope.iterables())}({n} % 3)")
        elif self.chance(0.3):
            self.emit(f"yield from {self.list(inner, 1)}")
        self.indent -= 1
        self.depth -= 1
        self.loops = loops
        if self.certain:
            scope.generators.append(name)

    def program(self):
        scope = Scope()
        if self.chance(0.5):
            for _ in range(self.random.randint(5, 12)):
                self.statement(scope, 3)
            kinds = (INT, FLOAT, STR, LIST, DICT)
            names = [name for kind in kinds for name in scope.names[kind]]
            self.emit(f"print({', '.join(names) or 0})")
        else:
            self.emit("def main():")
            inner = Scope(scope, True)
            self.depth = 0
            self.indent += 1
            for _ in range(self.random.randint(5, 12)):
                self.statement(inner, 3, False, True)
            self.emit(f"return {self.int(inner)}")
            self.indent -= 1
            self.emit("print(main())")
        if self.chance(0.3):
            self.emit(self.pick(
                "print(1 // 0)", "print([1][5])", "print({'a': 1}['b'])", "print('a' + 1)",
                "print(unknown)", "assert False, 'no'", "(lambda x: x)()", "print(int('x'))",
                "len(5)", "a, b = [1, 2, 3]", "a, b = [1]", "for x in 5: pass", "'a'.nothing",
                "[1] < 'a'", "{[]: 1}", "(lambda x: x)(1, 2)", "(lambda *, x: x)(1)",
                "(lambda x, /: x)(x=1)", "(lambda x: x)(y=1)", "print([x / 0 for x in [1]])",
                "print(list(1 / x for x in [0]))", "None()", "del unknown",
            ))
        return "\n".join(self.lines) + "\n"


WORDS = {
    "integer division or modulo by zero": "division by zero",
    "too many values to unpack (expected 2)": "too many values to unpack (expected 2, got 3)",
}


class TooLong(BaseException):
    """A program goes through more loops than a test should."""


def stop(*_):
    raise TooLong


def here(text):
    """What CPython prints, with the error that ended the program; nothing if it takes long."""
    try:
        try:
            signal.signal(signal.SIGALRM, stop)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            return printed(text)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
    except TooLong:
        # The alarm comes anywhere: in a handler, between two lines here, while an error is put in words.
        signal.setitimer(signal.ITIMER_REAL, 0)
        return None


def printed(text):
    out, names = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, "program", "exec"), names)
        except (Exception, GeneratorExit) as error:
            # Where this language says more, or the same in other words.
            words = str(error)
            for there, here in WORDS.items():
                words = words.replace(there, here)
            out.write(f"{type(error).__name__}: {words}".rstrip(": ") + "\n")
    # What generators do at their end comes too late for the program.
    with contextlib.redirect_stdout(io.StringIO()):
        names.clear()
        gc.collect()
    return out.getvalue()


def there(binary, text):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([binary, file.name], capture_output=True, text=True, timeout=60)
    error = [line for line in done.stderr.splitlines() if line[:1].isupper()]
    error = [line for line in error if not line.startswith("Traceback")]
    return done.stdout + "".join(line + "\n" for line in error)


def compare(made, is_kept, alike=lambda text: text):
    """Runs the programs `made(seed)` in both and says where they differ, or writes some of those that `is_kept` with their answers."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binary", default="target/debug/genesis-repl")
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--write", type=int)
    arguments = arguments.parse_args()
    signal.signal(signal.SIGALRM, stop)
    if arguments.write:
        seed = written = 0
        while written < arguments.write:
            seed += 1
            text = made(f"golden {seed}")
            expected = here(text)
            if expected is not None and is_kept(text, expected):
                written += 1
                print(f"=== program {seed}\n{text}--- prints\n{expected}", end="")
        return
    wrong = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        text = made(seed)
        expected = here(text)
        if expected is None:
            continue
        expected, found = alike(expected), alike(there(arguments.binary, text))
        if expected != found:
            wrong += 1
            theirs, ours = expected.splitlines(), found.splitlines()
            at = next((at for at, (a, b) in enumerate(zip(theirs, ours)) if a != b), min(len(theirs), len(ours)))
            print(f"seed {seed}:\n{text}  CPython:", *theirs[at:at + 2], "\n  here:   ", *ours[at:at + 2], flush=True)
    print(f"{wrong} of {arguments.count} programs differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    compare(lambda seed: Maker(seed).program(), lambda text, expected: len(text) + len(expected) < 2500)
