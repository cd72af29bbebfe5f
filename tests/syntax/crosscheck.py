#!/usr/bin/env python3
"""Compares this project's parser with CPython's, tree by tree.

    crosscheck.py DUMP_AST [--count 20000] [--seed 1]   random programs, and mutations of them
    crosscheck.py --bless                               write grammar/ok/*.ast from CPython's trees

DUMP_AST is the built example `dump_ast`. A random program is of the language's subset (now and then
with a `not` where none may stand): both give one tree for it, or both refuse it. So with a mutated
program, but there one of them may refuse alone, for a reason on the lists below.
"""
import argparse
import ast
import pathlib
import random
import re
import struct
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Messages of ours for programs that CPython accepts: the constructs that are not in the language,
# and the documented limits.
DIFFERENCES = [
    r"not in the language",
    r"levels deep$",
    r"half of a surrogate pair",
]
# Programs that we accept and CPython 3.11 does not.
NEWER_PYTHON = [
    # Since 3.12 a field may hold what its f-string's quotes, backslashes and comments forbade.
    r"f-string",
]


class Unsupported(Exception):
    pass


def text(value):
    plain = lambda c: " " <= c <= "~" and c not in '"\\'
    return '(str "%s")' % "".join(c if plain(c) else "\\u{%x}" % ord(c) for c in value)


def fstring(node):
    parts = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append(text(value.value))
        else:
            conversion = "_" if value.conversion == -1 else chr(value.conversion)
            spec = "_" if value.format_spec is None else fstring(value.format_spec)
            parts.append(f"(field {expr(value.value)} {conversion} {spec})")
    return " ".join(["(fstring", *parts]) + ")"


def several(head, nodes):
    return " ".join(["(" + head, *map(expr, nodes)]) + ")"


def expr(node):
    name = type(node).__name__
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None:
            return "(none)"
        if value is ...:
            return "(ellipsis)"
        if isinstance(value, bool):
            return f"(bool {str(value).lower()})"
        if isinstance(value, int):
            return f"(int {value})"
        if isinstance(value, float):
            return "(float %s)" % struct.pack(">d", value).hex()
        if isinstance(value, str):
            return text(value)
    elif isinstance(node, ast.JoinedStr):
        return fstring(node)
    elif isinstance(node, ast.Name):
        return f"(name {node.id})"
    elif isinstance(node, (ast.Tuple, ast.List)):
        return several(name.lower(), node.elts)
    elif isinstance(node, ast.Dict) and None not in node.keys:
        return several("dict", [x for pair in zip(node.keys, node.values) for x in pair])
    elif isinstance(node, ast.Starred):
        return f"(starred {expr(node.value)})"
    elif isinstance(node, ast.UnaryOp):
        return f"(unary {type(node.op).__name__} {expr(node.operand)})"
    elif isinstance(node, ast.BinOp):
        return f"(binary {type(node.op).__name__} {expr(node.left)} {expr(node.right)})"
    elif isinstance(node, ast.BoolOp):
        return several(f"logical {type(node.op).__name__}", node.values)
    elif isinstance(node, ast.Compare):
        links = [f" {type(op).__name__} {expr(x)}" for op, x in zip(node.ops, node.comparators)]
        return f"(compare {expr(node.left)}{''.join(links)})"
    elif isinstance(node, ast.IfExp):
        return several("conditional", [node.test, node.body, node.orelse])
    elif isinstance(node, ast.Attribute):
        return f"(attribute {expr(node.value)} {node.attr})"
    elif isinstance(node, ast.Call):
        # CPython keeps positional and keyword arguments apart; their places give the order back.
        args = [(x.lineno, x.col_offset, expr(x)) for x in node.args]
        for x in node.keywords:
            shown = f"(keyword {x.arg} {expr(x.value)})" if x.arg else f"(double_starred {expr(x.value)})"
            args.append((x.lineno, x.col_offset, shown))
        return " ".join(["(call", expr(node.func), *(shown for _, _, shown in sorted(args))]) + ")"
    elif isinstance(node, ast.Subscript):
        return f"(subscript {expr(node.value)} {expr(node.slice)})"
    elif isinstance(node, ast.Slice):
        bounds = [expr(x) if x else "_" for x in (node.lower, node.upper, node.step)]
        return "(slice %s)" % " ".join(bounds)
    raise Unsupported(name)


def aliases(names):
    return "".join(f" {x.name} {x.asname or '_'}" if x.name != "*" else " *" for x in names)


def stmt(node):
    if isinstance(node, ast.Expr):
        return f"(expr {expr(node.value)})"
    if isinstance(node, ast.Assign):
        return several("assign", [*node.targets, node.value])
    if isinstance(node, ast.AugAssign):
        op = type(node.op).__name__
        return f"(augassign {op} {expr(node.target)} {expr(node.value)})"
    if isinstance(node, ast.Delete):
        return several("del", node.targets)
    if isinstance(node, ast.Pass):
        return "(pass)"
    if isinstance(node, ast.Import):
        return f"(import{aliases(node.names)})"
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return f"(import_from {node.module}{aliases(node.names)})"
    raise Unsupported(type(node).__name__)


def cpython(program):
    """The tree in the common form, None if CPython refuses, and its message."""
    try:
        tree = ast.parse(program)
        # Some rules (two stars in one target, a repeated keyword) are the compiler's.
        compile(program, "<program>", "exec")
        return "".join(stmt(node) + "\n" for node in tree.body), None
    except Unsupported as error:
        return None, f"unsupported {error}"
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, str(error)


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
                         "0.1", "123456789.123456789", "2.2250738585072014e-308", "007.5", "5e-324")

    def string(self):
        body = "".join(self.pick("a", "µ", "😀", " ", "\\n", "\\t", "\\x41", "\\u03b1", "\\101", "\\0",
                                 "{", "}", "#", "\\\\", "\\d", "\\U0001f600", "[", "\\'", '\\"')
                       for _ in range(self.rng.randrange(6)))
        quote = self.pick("'", '"', "'''", '"""')
        if len(quote) == 3:
            body += self.pick("", "\nnext\n", "\\\n", "\r\n", " 'q' \" ")
        return self.pick("", "", "", "r", "R", "u") + quote + body + self.pick(" ", "x") + quote

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
                kinds += [self.string]
            return pick(*kinds)()
        match self.rng.randrange(20):
            case 0:
                return "(" + blank() + sub() + blank() + ")"
            case 1:
                items = many(lambda: pick("", "", "", "*" if not plain else "") + "(" + sub() + ")")
                return "(" + comma().join(items) + ("," if len(items) == 1 else pick("", ",") if items else "") + ")"
            case 2:
                items = many(lambda: pick("", "", "*") + "(" + sub() + ")")
                return "[" + comma().join(items) + (pick("", ",") if items else "") + "]"
            case 3 if not plain:
                items = many(lambda: sub() + blank() + ":" + blank() + sub())
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
        match self.rng.randrange(12):
            case 0 | 1 | 2 | 3:
                return values()
            case 4 | 5 | 6 | 7:
                return " = ".join([self.target() for _ in range(self.rng.randrange(1, 3))] + [values()])
            case 8 | 9:
                op = self.pick(*"+= -= *= /= //= %= **= @= &= |= ^= <<= >>=".split())
                return place() + self.blank() + op + " " + values()
            case 10:
                return self.pick("pass", "del " + place(), "del x, y[0]", "del (x, y)", "del (x)", "del [x], y,",
                                 "del (x), y", "del (x,), (y)", "del ()", "del (x)[0]", "del (x).T, y")
            case _:
                return self.pick("import numpy as np", "import a.b.c, d as e", "from numpy import *", "import numpy",
                                 "from a . b import (c as d, e,)", "from torch import nn, ones as o", "from a import (b)")

    def program(self):
        lines = []
        for _ in range(self.rng.randrange(1, 4)):
            line = self.statement()
            if self.pick(False, False, True):
                line += self.blank() + ";" + self.blank() + self.pick("", self.statement())
            lines.append(line + self.pick("", "", " # note", " ", "\n", "\n  # note"))
        return self.pick("\n", "\n", "\n", "\r\n").join(lines) + self.pick("", "\n")


WORDS = ["(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "==", "+", "-", "*", "**", "not ", " in ", " is ",
         " if ", " else ", " and ", "lambda ", "1", "x", "'", '"', "\n", "\\\n", ".", "...", "0", "_", "e", "j",
         "!", "!=", "f'", "@", "for ", " as ", "import ", "del ", "None", "\\", "#", " ", "\t", "0x", "~", "&", "?",
         ":=", "await ", "yield ", "class A: pass", "{1}", " for x in y", "x: int", "b'", "1j", "assert ", "\x0c"]


def mutate(rng, program):
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(program) + 1)
        end = min(len(program), at + rng.randrange(3))
        program = program[:at] + rng.choice(WORDS + [""] * 12) + program[end:]
    return program


def is_command(program):
    """Lines that are no Python but commands of the REPL."""
    return re.search(r"(?m)^[ \t]*(:|[\w.]*\?+[ \t]*$|\?)", program) is not None


def compare(dump_ast, programs, is_mutated):
    fed = "".join(program + "\0" for program in programs).encode()
    answers = subprocess.run([dump_ast], input=fed, stdout=subprocess.PIPE, check=True).stdout
    answers = answers.decode().split("\0")[:-1]
    assert len(answers) == len(programs), "lost programs"
    accepted = refused = excused = 0
    failures = []
    for program, ours in zip(programs, answers):
        theirs, message = cpython(program)
        error = ours.removeprefix("error: ") if ours.startswith("error: ") else None
        if theirs is not None and ours == theirs:
            accepted += 1
        elif theirs is None and error is not None:
            refused += 1
        elif error is not None and any(re.search(reason, error) for reason in DIFFERENCES) and is_mutated:
            excused += 1
        elif theirs is None and any(re.search(reason, message) for reason in NEWER_PYTHON) and is_mutated:
            excused += 1
        elif is_mutated and is_command(program):
            excused += 1
        else:
            failures.append((program, ours, theirs, message))
    return accepted, refused, excused, failures


def bless():
    for path in sorted((ROOT / "grammar/ok").glob("*.gx")):
        tree, message = cpython(path.read_bytes().decode("utf-8-sig"))
        assert tree is not None, f"{path.name}: {message}"
        path.with_suffix(".ast").write_text(tree, newline="\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump_ast", nargs="?")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bless", action="store_true")
    args = parser.parse_args()
    if args.bless:
        return bless()
    rng = random.Random(args.seed)
    generator = Generator(rng)
    programs = [generator.program() for _ in range(args.count)]
    mutated = [mutate(rng, program).replace("\0", "") for program in programs]
    status = 0
    for what, batch, is_mutated in [("generated", programs, False), ("mutated", mutated, True)]:
        accepted, refused, excused, failures = compare(args.dump_ast, batch, is_mutated)
        print(f"{what}: {len(batch)} programs, {accepted} with one tree, {refused} refused by both, "
              f"{excused} on the list of differences, {len(failures)} failures")
        for program, ours, theirs, message in sorted(failures, key=lambda f: len(f[0]))[:8]:
            print(f"--- {program!r}\n  ours    {ours!r}\n  cpython {theirs!r} {message or ''}")
        status |= bool(failures)
    sys.exit(status)


if __name__ == "__main__":
    main()
