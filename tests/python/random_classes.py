"""Random programs of classes, exceptions and context managers, run by CPython and by genesis-repl.

Usage: python tests/python/random_classes.py [--count N] [--seed S] [--binary PATH] [--keep DIR]
       python tests/python/random_classes.py --golden FILE --count N --seed S

Prints the first programs whose output differs. With --golden it writes programs and what CPython
prints of them to a file, which `cargo test --test python classes` runs without Python.
"""

import argparse
import contextlib
import io
import pathlib
import random
import subprocess
import sys
import tempfile

KINDS = ["ValueError", "KeyError", "TypeError", "IndexError", "ZeroDivisionError", "RuntimeError",
         "LookupError", "ArithmeticError", "Exception", "Own", "Derived"]
RAISED = KINDS[:6] + ["Own", "Derived"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 0
        self.count = 0
        self.classes = []

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    @contextlib.contextmanager
    def block(self, head):
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def pick(self, *choices):
        return self.random.choice(choices)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def number(self):
        return str(self.random.randint(-3, 9))

    # Expressions of integers over the names that hold some.
    def expression(self, names, depth=2):
        if depth == 0 or self.random.random() < 0.3:
            return self.pick(self.number(), *names) if names else self.number()
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        kind = self.random.randrange(9)
        if kind < 4:
            return f"({a} {self.pick('+', '-', '*')} {b})"
        if kind == 4:
            return f"({a} // {b})"
        if kind == 5:
            return f"({a} % {b})"
        if kind == 6:
            return f"({a} if {a} {self.pick('<', '>', '==')} {b} else {b})"
        if kind == 7:
            return f"[{a}, {b}][{self.pick('0', '1', '0', '-1', '2')}]"
        return "{1: %s, 2: %s}[%s]" % (a, b, self.pick("1", "2", "1", "2", a))

    def exception(self):
        kind = self.pick(*RAISED)
        return self.pick(kind, f"{kind}()", f"{kind}({self.number()})", f"{kind}('w', {self.number()})")

    def simple(self, names, in_function, in_loop):
        kind = self.random.randrange(12)
        if kind < 4:
            name = self.pick("a", "b", "c")
            self.line(f"{name} = {self.expression(names)}")
            if name not in names:
                names.append(name)
        elif kind < 7:
            self.line(f"print({self.number()}, {self.expression(names)})")
        elif kind == 7:
            self.line(f"raise {self.exception()}" + self.pick("", "", " from None", f" from {self.exception()}"))
        elif kind == 8 and in_loop:
            self.line(self.pick("break", "continue"))
        elif kind == 9 and in_function:
            self.line(f"return {self.expression(names)}")
        elif kind == 10 and self.functions:
            self.line(f"print({self.pick(*self.functions)}({self.expression(names, 1)}))")
        else:
            self.line(f"log.append({self.expression(names, 1)})")

    def statements(self, names, depth, in_function, in_loop, in_handler=False):
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.randrange(10)
            if depth == 0 or kind < 5:
                self.simple(names, in_function, in_loop)
                if self.lines[-1].strip().split()[0] in ("raise", "break", "continue", "return"):
                    return
            elif kind < 8:
                self.try_statement(names, depth, in_function, in_loop)
            elif kind == 8:
                with self.block(f"for i in range({self.random.randint(0, 3)}):"):
                    self.statements(names + ["i"], depth - 1, in_function, True)
            else:
                with self.block(self.manager()):
                    self.statements(list(names), depth - 1, in_function, in_loop)
        if in_handler and self.random.random() < 0.15:
            self.line("raise")

    def manager(self):
        one = f"Manager('{self.fresh('m')}', {self.pick('None', 'ValueError', 'Exception')})"
        return self.pick(f"with {one}:", f"with {one} as m:", f"with {one}, {one}:")

    def try_statement(self, names, depth, in_function, in_loop):
        with self.block("try:"):
            self.statements(list(names), depth - 1, in_function, in_loop)
        handlers = self.random.randint(0, 2)
        for _ in range(handlers):
            kinds = self.random.sample(KINDS, self.random.randint(1, 2))
            kind = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
            bound = self.random.random() < 0.6
            with self.block(f"except {kind} as e:" if bound else f"except {kind}:"):
                if bound:
                    self.line("show(e)")
                self.statements(list(names), depth - 1, in_function, in_loop, True)
        if handlers and self.random.random() < 0.2:
            with self.block("except:"):
                self.statements(list(names), depth - 1, in_function, in_loop, True)
        if handlers and self.random.random() < 0.4:
            with self.block("else:"):
                self.statements(list(names), depth - 1, in_function, in_loop)
        if not handlers or self.random.random() < 0.5:
            with self.block("finally:"):
                self.statements(list(names), depth - 1, in_function and self.random.random() < 0.3, False)

    functions = ()

    def function(self):
        name = self.fresh("f")
        with self.block(f"def {name}(x):"):
            self.statements(["x"], 3, True, False)
            self.line("return x")
        self.functions = (*self.functions, name)

    def a_class(self):
        name = self.fresh("C")
        bases = self.random.sample(self.classes, min(len(self.classes), self.pick(0, 1, 1, 2)))
        head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
        if len(bases) == 2:
            # Some orders do not go together.
            self.line("try:")
            self.depth += 1
        with self.block(head):
            if self.random.random() < 0.5:
                self.line(f"level = {self.number()}")
            if self.random.random() < 0.6:
                with self.block("def __init__(self, v, *more):"):
                    if bases:
                        self.line("super().__init__(v, *more)")
                    self.line("self.v = v")
                    self.line(f"self.{self.pick('w', 'level', 'u')} = {self.expression(['v'], 1)}")
            for method in self.random.sample(["get", "step", "who", "chain"], 2):
                with self.block(f"def {method}(self, n=1):"):
                    if bases and self.random.random() < 0.5:
                        self.line(f"base = getattr(super(), '{method}', None)")
                        self.line(f"return ('{name}', n, base(n) if base else None)")
                    else:
                        self.line(self.pick(f"return ('{name}', n)", "return self.level + n",
                                            "return self.v * n", "return type(self).__name__"))
            if self.random.random() < 0.4:
                self.line("@property")
                with self.block("def prop(self):"):
                    self.line(self.pick("return self.v", "return self.missing", f"return {self.number()}"))
                if self.random.random() < 0.5:
                    self.line("@prop.setter")
                    with self.block("def prop(self, value):"):
                        self.line("self.v = value")
            if self.random.random() < 0.3:
                self.line(self.pick("@staticmethod", "@classmethod"))
                argument = "cls" if "class" in self.lines[-1] else "s"
                with self.block(f"def made({argument}):"):
                    self.line(f"return ('made', getattr({argument}, '__name__', {argument}))")
            for operator in self.random.sample(
                    ["add", "radd", "sub", "mul", "eq", "lt", "len", "bool", "getitem", "contains",
                     "call", "repr", "str", "hash", "iter", "neg", "iadd", "format", "getattr"], 4):
                self.operator(operator, name)
        if len(bases) == 2:
            self.depth -= 1
            with self.block("except TypeError as e:"):
                self.line(f"print('no {name}')")
                self.line(f"{name} = {bases[0]}")
        self.classes.append(name)

    def operator(self, operator, name):
        body = {
            "add": f"return ('{name}+', other if isinstance(other, int) else type(other).__name__)",
            "radd": f"return ('+{name}', other)",
            "sub": "return NotImplemented",
            "mul": "return self.v * other",
            "eq": "return isinstance(other, type(self)) and self.v == other.v",
            "lt": "return self.v < other.v",
            "len": f"return {self.pick('0', '3', 'self.v')}",
            "bool": f"return {self.pick('True', 'False', 'self.v > 2', '1')}",
            "getitem": "return [self.v, 7, 8][other]",
            "contains": "return other == self.v",
            "call": "return ('called', other)",
            "repr": f"return f'{name}({{self.v}})'",
            "str": f"return 'str {name}'",
            "hash": "return hash(self.v)",
            "iter": "return iter([self.v, 1])",
            "neg": "return -self.v",
            "iadd": "self.v += 1\n%sreturn self" % ("    " * (self.depth + 1)),
            "format": "return '<' + other + '>'",
            "getattr": f"if other == 'missing':\n{'    ' * (self.depth + 2)}return 99\n"
                       f"{'    ' * (self.depth + 1)}raise AttributeError(other)",
        }[operator]
        other = ", other" if operator in ("add", "radd", "sub", "mul", "eq", "lt", "getitem", "contains",
                                          "call", "iadd", "format", "getattr") else ""
        with self.block(f"def __{operator}__(self{other}):"):
            self.line(body)

    def use(self):
        name = self.pick(*self.classes)
        other = self.pick(*self.classes)
        with self.block(f"def make{self.count}():"):
            self.line(f"return {name}({self.number()})")
        make = f"make{self.count}"
        self.count += 1
        uses = ["x", "x.get()", "x.step(3)", "x.who()", "x.chain(2)", "x.prop", "x.level", "x.v", "x.nope",
                "x.made()", "x + 1", "1 + x", "x - 1", "x * 2", "x == make()", "x != make()", "x < make()",
                "x > make()", "len(x)", "bool(x)", "x[0]", "x[5]", "3 in x", "x(4)", "repr(x)", "str(x)",
                "f'{x}'", "f'{x:>9}'", "hash(x) == hash(make())", "list(x)", "-x", "sorted(vars(x))",
                f"isinstance(x, {other})", f"issubclass({name}, {other})", "type(x).__name__",
                f"[c.__name__ for c in {name}.__mro__]", "x.get.__name__", "{x: 1}[x]", "[x] == [x]",
                f"{name}.get(x)", "sum([x], 5)", "max(x, x) is x", "callable(x)", "hasattr(x, 'prop')",
                "getattr(x, 'zz', 5)", f"{name}.level", "(x, 1) == (make(), 1)", "abs(x)", "x @ x"]
        for use in self.random.sample(uses, 10):
            self.line(f"attempt(lambda x, make: {use}, {make})")
        with self.block("try:"):
            self.line(f"x = {make}()")
            self.line(self.pick("x += 1", "x.prop = 4", "x.fresh = 3", "del x.v", f"{name}.level = 50", "x.level = 8"))
            self.line("print(plain(x), sorted(vars(x)) if hasattr(x, '__dict__') else None)")
        with self.block("except Exception as e:"):
            self.line("show(e)")

    def a_dataclass(self):
        name = self.fresh("D")
        options = self.pick("", "(order=True)", "(frozen=True)", "(eq=False)", "(kw_only=True)", "(repr=False)",
                            "(order=True, frozen=True)", "(unsafe_hash=True)")
        self.line(f"@dataclass{options}")
        with self.block(f"class {name}:"):
            self.line("a: int")
            self.line(self.pick("b: int = 2", "b: list = field(default_factory=list)", "b: int = field(default=3, repr=False)",
                                "b: int = field(default=1, compare=False)", "b: int = field(init=False, default=7)"))
            if self.random.random() < 0.3:
                with self.block("def __post_init__(self):"):
                    self.line("print('post', self.a)")
        argument = "a=" if "kw_only" in options else ""
        for use in ["x", "x == make()", "x < make()", "hash(x) == hash(make())", "asdict(x)", "astuple(x)",
                    "replace(x, a=5)", "setattr(x, 'a', 9)", "x.b", f"{name}()", f"{name}(1, 2, 3)", "[f.name for f in fields(x)]"]:
            self.line(f"attempt(lambda x, make: plain({use}), lambda: {name}({argument}{self.number()}))")

    def program(self):
        for line in HEAD.splitlines():
            self.line(line)
        for _ in range(self.random.randint(1, 3)):
            self.function()
        for _ in range(self.random.randint(1, 3)):
            self.a_class()
            self.use()
        if self.random.random() < 0.5:
            self.a_dataclass()
        for function in self.functions:
            self.line(f"attempt(lambda x, make: {function}(x), lambda: {self.number()})")
        with self.block("try:"):
            self.statements([], 3, False, False)
        with self.block("except Exception as e:"):
            self.line("show(e)")
        self.line("print(log)")
        return "\n".join(self.lines) + "\n"


HEAD = '''\
from dataclasses import dataclass, field, asdict, astuple, replace, fields
log = []
class Own(Exception):
    pass
class Derived(Own, ValueError):
    def __init__(self, *args):
        super().__init__("derived", *args)
class Manager:
    def __init__(self, name, swallowed):
        self.name, self.swallowed = name, swallowed
    def __enter__(self):
        print("enter", self.name)
        return 5
    def __exit__(self, kind, value, traceback):
        print("exit", self.name, kind and kind.__name__, value)
        return kind is not None and self.swallowed is not None and issubclass(kind, self.swallowed)
def plain(x):
    text = str(x)
    return type(x).__name__ if " object" in text else text
def show(e):
    print(type(e).__name__, e.args, plain(e), type(e.__cause__).__name__, type(e.__context__).__name__)
def attempt(f, make):
    try:
        print("=", plain(f(make(), make)))
    except Exception as e:
        show(e)
'''


def plainly(text):
    """Python has three sets of words for a division by zero, where one will do."""
    for words in ("integer division or modulo by zero", "integer modulo by zero"):
        text = text.replace(words, "division by zero")
    return text


def by_python(program):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
        except Exception as error:
            print("UNCAUGHT", type(error).__name__)
    return plainly(out.getvalue())


def by_ours(binary, program, folder):
    path = pathlib.Path(folder) / "program.py"
    path.write_text(program)
    run = subprocess.run([binary, str(path)], capture_output=True, text=True, timeout=60)
    text = run.stdout
    if run.returncode:
        text += "UNCAUGHT " + run.stderr.strip().replace("\n", " | ")[:400] + "\n"
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--binary", default="target/debug/genesis-repl")
    parser.add_argument("--golden")
    parser.add_argument("--shown", type=int, default=3)
    parser.add_argument("--keep")
    options = parser.parse_args()
    if options.golden:
        with open(options.golden, "w") as out:
            for seed in range(options.seed, options.seed + options.count):
                program = Maker(seed).program()
                out.write(f"=== {seed}\n{program}=> prints\n{by_python(program)}")
        return 0
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            program = Maker(seed).program()
            theirs, ours = by_python(program), by_ours(options.binary, program, folder)
            if theirs == ours:
                continue
            differing += 1
            if options.keep:
                (pathlib.Path(options.keep) / f"{seed}.py").write_text(program)
            if differing <= options.shown:
                pairs = list(zip(theirs.splitlines() + [""] * 3, ours.splitlines() + [""] * 3))
                at = next((i for i, (a, b) in enumerate(pairs) if a != b), 0)
                print(f"seed {seed}, line {at + 1}:")
                for before, _ in pairs[max(0, at - 2):at]:
                    print("      ", before)
                print("  CPython:", pairs[at][0])
                print("  ours:   ", pairs[at][1])
    print(f"{options.count} programs, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
