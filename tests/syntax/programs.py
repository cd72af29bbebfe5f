"""Random programs of the language, and mutations of them."""


class Generator:
    """Random programs of the language's subset, with random blanks."""

    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)

    def blank(self):
        return self.pick("", "", "", " ", " ", "  ", "\t")

    def name(self):
        return self.pick("x", "y", "z", "np", "tensor", "_", "_1", "μ", "α", "x1", "é",
                         "match", "type", "case", "print", "ones", "reshape", "变量", "notx", "inf")

    def number(self):
        return self.pick("0", "1", "7", "42", "1_000", "0x_fF", "0b1_01", "0o17", "00", "1.5", ".5",
                         "5.", "1e-3", "1E+5", "1_0.0_1e1_0", "9223372036854775807", "0xffffffff",
                         "9223372036854775808", "340282366920938463463374607431768211456", "1e999",
                         "0.1", "123456789.123456789", "2.2250738585072014e-308", "007.5", "5e-324",
                         "2j", "1_0.5e-3J", ".5j", "010j", "1e999j")

    def string(self):
        body = "".join(self.pick("a", "µ", "😀", " ", "\\n", "\\t", "\\x41", "\\u03b1", "\\101", "\\0",
                                 "{", "}", "#", "\\\\", "\\d", "\\U0001f600", "[", "\\'", '\\"')
                       for _ in range(self.rng.randrange(6)))
        quote = self.pick("'", '"', "'''", '"""')
        if len(quote) == 3:
            body += self.pick("", "\nnext\n", "\\\n", "\r\n", " 'q' \" ")
        return self.pick("", "", "", "r", "R", "u") + quote + body + self.pick(" ", "x") + quote

    def bytes(self):
        quote = self.pick("'", '"')
        return self.pick("b", "B", "rb", "bR") + quote + self.pick("", "a", "\\n", "\\x41\\xff", "\\0", "\\\\", "\\u00e9", "{x}") + quote

    def fstring(self, depth):
        parts = []
        for _ in range(self.rng.randrange(4)):
            parts.append(self.pick("a", "{{", "}}", " µ ", "\\n", "é{{x}}"))
            value = self.expr(min(depth, 1), plain=True)
            if value.startswith("{"):
                value = " " + value
            parts.append("{" + self.blank() + value + self.pick("", "", " ") + self.pick("", "", "=", " = ")
                         + self.pick("", "", "!r", "!s", "!a") + self.pick("", "", ":.2f", ":>{x}", ":{x}.{y}f", ":")
                         + "}")
        return self.pick("f", "F", "rf", "fR") + '"""' + "".join(parts) + self.pick("", "z") + '"""'

    def expr(self, depth, plain=False):
        """`plain`: what CPython 3.11 takes inside a field: no quotes, backslashes, comments."""
        pick, blank = self.pick, self.blank
        sub = lambda: self.expr(depth - 1, plain)
        many = lambda make, low=0: [make() for _ in range(self.rng.randrange(low, 4))]
        comma = lambda: blank() + "," + ("" if plain else pick("", "", "\n", " # note\n")) + blank()
        if depth <= 0:
            kinds = [self.name, self.name, self.number, lambda: pick("None", "True", "False", "...")]
            if not plain:
                kinds += [self.string, self.bytes]
            return pick(*kinds)()
        match self.rng.randrange(24):
            case 20:
                return self.lambda_(sub)
            case 21:
                return self.comprehension(sub, plain)
            case 22 if not plain:
                items = many(lambda: pick("", "", "*") + "(" + sub() + ")", 1)
                return "{" + comma().join(items) + pick("", ",") + "}"
            case 23:
                walrus = self.name() + blank() + ":=" + blank() + sub()
                return pick("(" + walrus + ")", "[" + walrus + "]", "x[(" + walrus + "):]", "f(" + walrus + ")")
            case 0:
                return "(" + blank() + sub() + blank() + ")"
            case 1:
                items = many(lambda: pick("", "", "", "*" if not plain else "") + "(" + sub() + ")")
                return "(" + comma().join(items) + ("," if len(items) == 1 else pick("", ",") if items else "") + ")"
            case 2:
                items = many(lambda: pick("", "", "*") + "(" + sub() + ")")
                return "[" + comma().join(items) + (pick("", ",") if items else "") + "]"
            case 3 if not plain:
                items = many(lambda: pick("**(" + sub() + ")", *[sub() + blank() + ":" + blank() + sub()] * 3))
                return "{" + comma().join(items) + (pick("", ",") if items else "") + "}"
            case 4 | 5 | 6 | 7:
                op = pick("+", "-", "*", "/", "//", "%", "@", "**", "**", "&", "|", "^", "<<", ">>")
                return sub() + " " + blank() + op + blank() + " " + sub()
            case 8:
                return pick("-", "+", "~", "- -", "-+~") + blank() + sub()
            case 9:
                return "(not " + sub() + ")" if pick(True, False) else "not " + sub()
            case 10:
                return sub() + pick(" and ", " or ", " and not ", " or not ") + sub()
            case 11:
                op = pick("==", "!=", "<", "<=", ">", ">=") if not plain else pick("<", ">")
                op = pick(op, "in", "not in", "is", "is not", "not  in")
                return sub() + f" {op} " + sub() + pick("", f" {op} " + sub())
            case 12:
                return sub() + " if " + sub() + " else " + sub()
            case 13 | 14:
                return "(" + sub() + ")" + pick("", ".T", " . real", ".sum") + self.call(sub, many, comma)
            case 15 | 16 | 17:
                return pick(self.name(), "(" + sub() + ")") + self.index(sub, many, comma)
            case 18 if not plain:
                return self.fstring(depth - 1)
            case 19 if not plain:
                return self.string() + blank() + self.string() + pick("", " " + self.fstring(0))
        return sub()

    def lambda_(self, sub):
        shown = "(lambda " + self.parameters(sub, False) + ": " + sub() + ")"
        return shown if self.pick(True, False, False) else shown[1:-1] if self.pick(True, False) else shown

    def parameters(self, sub, is_def):
        """Now and then in a wrong order."""
        names = self.rng.sample(["a", "b", "c", "d", "e", "self", "x"], self.rng.randrange(5))
        if self.rng.randrange(20) == 0 and names:
            names.append(names[0])
        annotation = lambda: ": " + sub() if is_def and self.pick(True, False, False) else ""
        default_from = self.rng.randrange(len(names) + 1)
        shown = []
        for at, name in enumerate(names):
            has_default = at >= default_from if self.rng.randrange(12) else self.pick(True, False)
            shown.append(name + annotation() + ("=" + sub() if has_default else ""))
        if len(shown) > 1 and self.pick(True, False, False):
            shown.insert(self.rng.randrange(0 if self.rng.randrange(9) == 0 else 1, len(shown)), "/")
        if self.pick(True, False, False):
            star = self.pick("*", "*args", "*args" + annotation())
            at = self.rng.randrange(len(shown) + 1)
            if "/" in shown and self.rng.randrange(9):
                at = max(at, shown.index("/") + 1)
            shown.insert(at, star)
        if self.pick(True, False, False):
            shown.append("**kwargs" + annotation())
        return (self.blank() + "," + self.blank()).join(shown) + (self.pick("", ",") if shown else "")

    def comprehension(self, sub, plain):
        loops = []
        for _ in range(self.rng.randrange(1, 3)):
            loop = f" for {self.loop_target()} in ({sub()})"
            loop += "".join(f" if ({sub()})" for _ in range(self.pick(0, 0, 1, 2)))
            loops.append(loop)
        loops = "".join(loops)
        element = self.pick(self.name(), "(" + sub() + ")", sub())
        kinds = ["[" + element + loops + "]", "(" + element + loops + ")", "f(" + element + loops + ")"]
        if not plain:
            kinds += ["{" + element + loops + "}", "{" + element + ": (" + sub() + ")" + loops + "}"]
        return self.pick(*kinds)

    def loop_target(self):
        return self.pick("i", "j", "x", "i, j", "(i, j)", "[i, *j]", "i, (j, k)", "*i, j", "i,", "x[0]", "x.data", "α")

    def call(self, sub, many, comma):
        args = many(sub)
        args += ["*(" + sub() + ")"] * self.pick(0, 0, 1)
        names = self.rng.sample(["axis", "dim", "dtype", "keepdims", "out"], self.rng.randrange(3))
        args += [f"{name}{self.blank()}={self.blank()}{sub()}" for name in names]
        args += ["**" + self.name()] * self.pick(0, 0, 0, 1)
        return self.blank() + "(" + comma().join(args) + (self.pick("", ",") if args else "") + ")"

    def index(self, sub, many, comma):
        bound = lambda: self.pick("", "", self.number(), "-1", "(" + sub() + ")")
        slice_ = lambda: bound() + ":" + bound() + self.pick("", ":" + bound())
        item = lambda: self.pick(slice_, slice_, sub, lambda: "...", lambda: "None",
                                 lambda: "*(" + sub() + ")")()
        items = many(item, 1)
        return self.blank() + "[" + comma().join(items) + self.pick("", "", ",") + "]"

    def target(self, depth=1):
        match self.rng.randrange(7 if depth else 3):
            case 0 | 3:
                return self.name()
            case 1:
                return self.name() + ".data"
            case 2 | 4:
                return self.name() + self.index(lambda: self.expr(1), lambda make, low=0: [make()], lambda: ",")
            case 5:
                items = [self.target(depth - 1) for _ in range(self.rng.randrange(1, 4))]
                if self.pick(True, False):
                    items[0] = "*" + items[0]
                return "(" + ", ".join(items) + ",)"
            case _:
                items = [self.target(depth - 1) for _ in range(self.rng.randrange(1, 4))]
                return self.pick("[{}]", "{},").format(", ".join(items))

    def statement(self):
        value = lambda: self.expr(self.rng.randrange(5))
        values = lambda: self.pick(value(), value(), value() + ", " + value(), f"*({value()}),")
        place = lambda: self.pick(self.name(), self.name() + "[1:, 0]", self.name() + ".data")
        match self.rng.randrange(18):
            case 0 | 1 | 2 | 3:
                return values()
            case 4 | 5 | 6 | 7:
                right = self.pick(values(), values(), values(), "yield", "yield " + values(), "yield from " + value())
                return " = ".join([self.target() for _ in range(self.rng.randrange(1, 3))] + [right])
            case 8 | 9:
                op = self.pick(*"+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split())
                return place() + self.blank() + op + " " + values()
            case 10:
                return self.pick("pass", "del " + place(), "del x, y[0]", "del (x, y)", "del (x)", "del [x], y,",
                                 "del (x), y", "del (x,), (y)", "del ()", "del (x)[0]", "del (x).T, y")
            case 11 | 12:
                return self.pick("return", "return " + values(), "break", "continue", "yield", "yield " + values(),
                                 "x = yield from " + value())
            case 13:
                return self.pick("raise", "raise " + value(), "raise " + value() + " from " + value(),
                                 "assert " + value(), "assert " + value() + ", " + value())
            case 14:
                names = ", ".join(self.rng.sample(["x", "y", "z", "i", "f"], self.rng.randrange(1, 3)))
                return self.pick("global ", "nonlocal ") + names
            case 15:
                return self.pick(place(), "(x)") + ": " + value() + self.pick("", " = " + values(), " = yield")
            case _:
                return self.pick("import numpy as np", "import a.b.c, d as e", "from numpy import *", "import numpy",
                                 "from a . b import (c as d, e,)", "from torch import nn, ones as o", "from a import (b)")

    def line(self):
        line = self.statement()
        while self.pick(False, False, False, True):
            line += self.blank() + ";" + self.blank() + self.statement()
        return line + self.pick("", "", "", " ;", "; ") + self.pick("", "", " # note", " ")

    def block(self, indent, depth, in_function, in_loop):
        """What follows a colon."""
        if self.pick(False, False, False, True):
            return self.blank() + self.line()
        inner = indent + self.pick("    ", "    ", "  ", " ", "\t", "        ")
        lines = [self.pick("", "", " # note")]
        for _ in range(self.rng.randrange(1, 3)):
            lines.append(self.pick("", "", "", "", "\n", "   # note\n", "\t\n")
                         + self.lines(inner, depth - 1, in_function, in_loop))
        return "\n".join(lines)

    def lines(self, indent, depth, in_function=False, in_loop=False):
        """A statement, with its indentation."""
        if depth <= 0 or self.pick(True, False, False):
            line = self.line()
            # What needs a function or a loop mostly stands in one.
            for _ in range(4):
                is_inner = "return" in line or "yield" in line or "nonlocal" in line
                is_loop = line.startswith(("break", "continue"))
                if (is_inner and not in_function or is_loop and not in_loop) and self.rng.randrange(20):
                    line = self.line()
            return indent + line
        value = lambda: self.expr(self.rng.randrange(4))
        block = lambda function=in_function, loop=in_loop: self.block(indent, depth, function, loop)
        maybe_else = lambda: self.pick("", "", "\n" + indent + "else:" + block())
        test = lambda: self.pick(value(), value(), "x := " + value())
        match self.rng.randrange(11):
            case 0 | 1:
                shown = "if " + test() + ":" + block()
                for _ in range(self.pick(0, 0, 1, 2)):
                    shown += "\n" + indent + "elif " + test() + ":" + block()
                return indent + shown + maybe_else()
            case 2:
                return indent + "while " + test() + ":" + block(loop=True) + maybe_else()
            case 3 | 4:
                iter = self.pick(value(), value(), value() + ", " + value())
                head = f"for {self.loop_target()} in {iter}:"
                return indent + head + block(loop=True) + maybe_else()
            case 5:
                item = lambda: value() + self.pick("", " as x", " as (x, *y)", " as x[0]", " as x.y", " as [x]")
                items = ", ".join(item() for _ in range(self.rng.randrange(1, 3)))
                items = self.pick(items, items, "(" + items + ")", "(" + items + ",)", "(x, y)[0] as z, " + items)
                return indent + "with " + items + ":" + block()
            case 6 | 7:
                shown = "try:" + block()
                handlers = self.rng.randrange(3)
                for _ in range(handlers):
                    kind = self.pick(" ValueError", " (A, B)", " " + value())
                    shown += "\n" + indent + "except" + kind + self.pick("", " as e") + ":" + block()
                if handlers and self.pick(False, True):
                    shown += "\n" + indent + "except:" + block()
                if handlers:
                    shown += maybe_else()
                if not handlers or self.pick(False, True):
                    shown += "\n" + indent + "finally:" + block()
                return indent + shown
            case 8 | 9:
                head = self.pick("", "", indent + "@" + value() + "\n") + indent
                sub = lambda: self.expr(self.rng.randrange(3))
                head += f"def {self.name()}({self.parameters(sub, True)})" + self.pick("", "", " -> " + sub()) + ":"
                return head + block(True, False)
            case _:
                bases = self.pick("", "()", "(A)", "(A, B,)", "(A, k=1)", "(*x)", "(f(x))")
                return self.pick("", "", indent + "@f\n") + indent + "class A" + bases + ":" + block(False, False)

    def program(self):
        depth = self.pick(0, 0, 1, 2, 3, 4)
        lines = [self.lines("", depth) + self.pick("", "", "", "\n", "\n  # note") for _ in range(self.rng.randrange(1, 4))]
        shown = self.pick("\n", "\n", "\n", "\r\n").join(lines) + self.pick("", "\n")
        return shown


WORDS = ["(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "==", "+", "-", "*", "**", "not ", " in ", " is ",
         " if ", " else ", " and ", "lambda ", "1", "x", "'", '"', "\n", "\\\n", ".", "...", "0", "_", "e", "j",
         "!", "!=", "f'", "@", "for ", " as ", "import ", "del ", "None", "\\", "#", " ", "\t", "0x", "~", "&", "?",
         ":=", "await ", "yield ", "class A: pass", "{1}", " for x in y", "x: int", "b'", "1j", "assert ", "\x0c",
         "    ", "\n  ", "\n    ", ":\n", "return ", "break", "else:", "elif x:", "except:", "finally:", "try:", "global x",
         "nonlocal x", "def f(", "->", "/", "**a", "*", "@f\n", " as x", "with ", "while x:", "if x:", "async ", "raise ",
         "match x:\n", "case 1: pass", "type X = int", "except*", "metaclass=M", ",", "=", "\n\t"]




def mutate(rng, program):
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(program) + 1)
        end = min(len(program), at + rng.randrange(3))
        program = program[:at] + rng.choice(WORDS + [""] * 12) + program[end:]
    return program
