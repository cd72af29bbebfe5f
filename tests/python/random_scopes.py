"""Random programs about order and scopes, run here and in CPython.

Usage: python tests/python/random_scopes.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_scopes.py --write N > tests/python/scopes.txt

In which order operands, targets, arguments, defaults, decorators and conditions are evaluated, each of which says so; what `global`,
`nonlocal`, `del`, classes, comprehensions and `except … as` bind and unbind; descriptors, `__init_subclass__`, `__set_name__`,
`__getattr__` and `__setattr__`; literals of texts with escapes; pipelines of generators that are left in the middle.
"""

import random
import re

from random_programs import compare

PRELUDE = r'''
def attempt(run):
    try:
        print(repr(run()))
    except Exception as error:
        print(type(error).__name__, error)

def say(value, *rest):
    print("<", value, *rest, ">")
    return value

class Told:
    """Says what is done to it."""
    def __init__(self, name, n=1): self.name, self.n = name, n
    def __repr__(self): return f"Told({self.name})"
    def __getitem__(self, at): return say(self.n, "get", self.name, at)
    def __setitem__(self, at, value): say(value, "set", self.name, at)
    def __delitem__(self, at): say(at, "del", self.name)
    def __add__(self, other): return say(Told(f"{self.name}+{other}"), "add")
    def __radd__(self, other): return say(Told(f"{other}+{self.name}"), "radd")
    def __iadd__(self, other): return say(self, "iadd", other)
    def __lt__(self, other): return say(self.n < getattr(other, "n", 2), "lt", self.name)
    def __eq__(self, other): return say(self.n == getattr(other, "n", 2), "eq", self.name)
    def __hash__(self): return self.n
    def __bool__(self): return bool(say(self.n, "bool", self.name))
    def __call__(self, *a, **k): return say(self.n, "call", self.name, a, k)
    def __contains__(self, item): return say(item == self.n, "in", self.name)
    def __iter__(self): return iter(say([self.n, self.n + 1], "iter", self.name))
    def __len__(self): return say(self.n, "len", self.name)
    def __enter__(self): return say(self, "enter")
    def __exit__(self, *what): return say(self.n > 2, "exit", what[0] and what[0].__name__)

'''


class Maker:
    def __init__(self, seed):
        self.random = random.Random(f"scopes {seed}")
        self.count = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, low=-2, high=5):
        return self.random.randint(low, high)

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def told(self, depth=2):
        """An expression whose parts say when they are evaluated."""
        n = self.number()
        if depth == 0:
            return self.pick(f"say({n})", f"say({n})", f"Told('t', {n})", "say('a')", "say([])", f"say({n}.5)")
        a, b, c = (self.told(depth - 1) for _ in range(3))
        return self.pick(
            f"({a} {self.pick('+', '-', '*', '<', '==', 'and', 'or', 'in', 'is not', '//')} {b})", f"({a} < {b} {self.pick('<', '>=', '==', '!=')} {c})", f"({a} if {b} else {c})", f"[{a}, *{self.pick(b, f'say([{n}])')}, {c}]",
            f"{{{a}: {b}, **{self.pick('say({})', 'say({1: 2})', c)}}}", f"max({a}, {b}, key=lambda x: say(0))", f"(lambda x, y={a}, *z, k={b}: (x, y, z, k))({c}, *say(({n},)), **say({{'k': 1}}))", f"(lambda q, w, e: f'{{q!r:>{{w}}}}{{e}}')({a}, {self.pick('say(9)', 'say(3)')}, {b})",
            f"({a})[{b}]", f"(not {a})", f"[say(x) for x in {self.pick('say([1, 2])', a)} if {b}]", f"(seen := {a}, seen)", f"Told('c', {n})({a}, *say([{n}]), k={b})", f"{{say(x): {b} for x in say('ab')}}", f"(-{a})", f"tuple({a} for _ in say([1]))", f"say([1, 2, 3])[{a}:{b}:{self.pick('None', c)}]")

    def program(self):
        kinds = [self.order, self.targets, self.functions, self.globals, self.classes, self.descriptors, self.deletions, self.literals, self.pipelines, self.handlers, self.comprehensions, self.attributes]
        return PRELUDE + "\n".join(self.random.choice(kinds)() for _ in range(self.random.randint(3, 5))) + "\n"

    def order(self):
        return "\n".join(f"attempt(lambda: {self.told()})" for _ in range(3))

    def targets(self):
        target = self.pick("say(l)[say(0)]", "say(t)[say(1)]", "say(l)[say(0):say(2)]", "say(d)['k']", "a, say(l)[say(1)]", "(a, b), *say(l)[:]", "say(o).x", "a, *b", "say(o).x, say(t)[0]", "[a, (b, c)]", "a = say(t)[say(5)]", "l[0], l[1]")
        value = self.pick("say(5)", "say([1, 2])", "say((1, 2)), say(3)", "say('ab')", "say([7, [8, 9]])", self.told(1))
        augmented = self.pick(f"say(l)[say(0)] += {self.told(1)}", f"say(t)[say(0)] += {self.told(1)}", f"say(o).x += {self.told(1)}", f"t += {self.told(1)}", f"d['n'] {self.pick('+=', '-=', '|=')} say(1)", "l += say('ab')", f"a {self.pick('*=', '//=', '**=', '@=', '<<=')} say(2)", "l[say(9)] += 1", "l *= say(2)")
        return f"""
def {(f := self.name('f'))}():
    class O: x = 1
    a, l, t, d, o = 3, [1, 2, 3], Told('t'), {{'n': 1}}, O()
    try:
        {target} = {value}
    except Exception as error:
        print(type(error).__name__, error)
    try:
        {augmented}
    except Exception as error:
        print(type(error).__name__, error)
    return a, l, d, o.x
attempt({f})"""

    def functions(self):
        f, g = self.name("f"), self.name("g")
        return f"""
def mark(*a):
    say("mark", a)
    def inner(function):
        say("decorate", function.__name__)
        return {self.pick('function', 'lambda *x, **k: (a, function(*x, **k))', 'function')}
    return inner
@mark({self.told(0)})
@{self.pick('mark()', 'say', 'mark(*say((1, 2)))')}
def {f}(a: {self.pick('int', 'say(1)', "'later'")} = say(1), /, b=say({self.number()}), *args, c{self.pick('', '=say(3)')}, **more) -> {self.pick('say(None)', 'str')}:
    {self.pick('"doc"', 'pass', 'global shared; shared = a')}
    b {self.pick('+=', '*=')} {self.pick('1', 'a', "'x'")}
    return a, b, args, c, more
attempt(lambda: {f}({self.pick('', 'say(7)', '*say([1, 2, 3])', 'c=say(1)', 'a=1', '1, c=2, a=3', 'b=1, c=2', '1, 2, 3, c=4, d=5', "**say({'c': 1})", "c=1, **{'c': 2}", '1, 2, c=3, **{1: 2}')}))
attempt(lambda: {f}.__annotations__ if hasattr({f}, '__annotations__') else None)
def {g}(x, acc=[]):
    acc.append(x)
    return {self.pick('acc', f'{g}(x - 1) if x > 0 else acc', 'len(acc), acc[-1]')}
attempt(lambda: ({g}({self.number()}), {g}(1)))"""

    def globals(self):
        n, f = self.name("n"), self.name("f")
        return f"""
{n} = {self.number()}
def {f}():
    {self.pick(f'global {n}', 'pass', f'print({n})')}
    {self.pick(f'{n} = 5', f'{n} += 1', f'del {n}', f'for {n} in [7, 8]: pass', f'import math as {n}', f'def {n}(): pass', f'class {n}: pass', f'[{n} for {n} in [1]]', f'({n} := 9)', f'with Told("w", 3) as {n}: pass')}
    def inner():
        {self.pick(f'nonlocal {n}' if False else 'pass', f'global {n}; {n} = 11', f'return {n}')}
        return {self.pick(n, '0')}
    return inner()
attempt({f})
attempt(lambda: callable({n}) or {n})
attempt(lambda: {self.pick("'" + n + "' in globals()" if False else 'True', n)})"""

    def classes(self):
        a, b = self.name("A"), self.name("B")
        return f"""
n = {self.number()}
class {a}:
    say("body", __name__ == "__main__", __qualname__)
    n = n + 1
    items = [x for x in range({self.number(0, 3)})]
    {self.pick('pairs = [(n, x) for x in items]', 'own = [n for _ in [1]]', 'del n', 'def f(self): return n', 'f = lambda self: self.n', 'n: int', 'm: say(int) = say(3)')}
    def __init_subclass__(cls, **more):
        say(cls.__name__, "derived", more)
        super().__init_subclass__()
    def __class_getitem__(cls, item): return say(item, "item of", cls.__name__)
    {self.pick('', 'def __getattr__(self, name): return say(name, "missing")', 'def __del__(self): pass', 'def __format__(self, spec): return f"<{spec}>"', 'def __index__(self): return 2', 'def __round__(self, n=None): return ("round", n)', 'def __reversed__(self): return iter("ba")', 'def __missing__(self, k): return k')}
class {b}({a}{self.pick('', ', k=say(1)', '')}):
    {self.pick('pass', 'n = 7', '@property' + chr(10) + '    def n(self): return say("property")', 'def __new__(cls, *a): return say(super().__new__(cls), "new") and None', '__call__ = lambda self, *a: a', 'def __iter__(self): yield from [1, 2]')}
attempt(lambda: ({a}.__dict__.keys() >= set() and sorted(k for k in vars({a}) if not k.startswith('_'))))
attempt(lambda: {a}[{self.number()}])
attempt(lambda: {self.pick(f'{a}().n', f'{b}().n', f'{b}.n', f'{b}().q', f'[1, 2, 3][{b}():]', f'round({b}(), 1)', f'list(reversed({a}()))', f"format({b}(), '>3')", f'{b}()(1)', f'list({b}())', f'{b}().f()', f'{a}.own', f'{a}.pairs', f'setattr({b}(), "z", 1)', f'{b}(1)', f'"%s" % {b}.__name__', f'{a}.__qualname__, {b}.__bases__[0] is {a}, {b}.__mro__[1].__name__')})
attempt(lambda: {self.pick(f'{b}.items', f'{a}.m', f'{a}.__annotations__', f'isinstance({b}(), {a}), issubclass({b}, ({a}, int))', f'super({b}, {b}()).n', f'{a}() == {a}()', f'bool({a}())', f'{a}().__class__ is {a}')})"""

    def descriptors(self):
        a = self.name("A")
        return f"""
class Field:
    def __set_name__(self, owner, name): self.name = say(name, "of", owner.__name__)
    def __get__(self, one, owner): return say(self if one is None else one.__dict__.get(self.name, {self.number()}), "get") if one is not None else self
    {self.pick('', 'def __set__(self, one, value): one.__dict__[self.name] = say(value, "set")', 'def __set__(self, one, value): raise AttributeError("fixed " + self.name)')}
    {self.pick('', 'def __delete__(self, one): say(self.name, "delete")')}
class {a}:
    x, y = Field(), Field()
    z = Field()
    def __init__(self): {self.pick('pass', 'self.x = 1', 'self.y = self.x', "self.__dict__['x'] = 5")}
one = None
def make():
    global one
    one = {a}()
    return one.x
attempt(make)
attempt(lambda: (setattr(one, 'x', 3), one.x, vars(one)))
attempt(lambda: delattr(one, 'x'))
attempt(lambda: ({a}.x is {a}.__dict__['x'], type({a}.y).__name__))
attempt(lambda: {self.pick("one.w", "hasattr(one, 'w')", "getattr(one, 'z', 0)", "setattr(one, 'w', 2) or one.w", f"setattr({a}, 'x', 4) or one.x", f"delattr({a}, 'z') or hasattr(one, 'z')")})"""

    def deletions(self):
        f = self.name("f")
        act = self.pick("del a", "del a, b", "del l[0], l[0]", "del l[:]", "del (a, [b])", "del d['k'], d['k']", "del l[5]", "del o.x", "del o.y", "del a; a", "del l[::2]", "del t[say(1)]", "del (a), l[-1]", "del s", "for a in l: del a", "del d")
        after = self.pick("a", "(a, b)", "l", "d", "0", "[a for a in l]", "vars(o)")
        return f"""
def {f}(flag={self.pick(True, False)}):
    class O: pass
    a, b, l, d, o, t, s = 1, 2, [1, 2, 3, 4], {{'k': 1}}, O(), Told('t'), 'text'
    o.x = 1
    try:
        if flag:
            {act}
        {self.pick('pass', 'a = 4', 'del b')}
    finally:
        print(l)
    return {after}
attempt({f})
attempt(lambda: {f}(not {f}.__defaults__[0]))
def {(g := self.name('g'))}():
    try:
        raise {self.pick('ValueError(1)', 'KeyError("k")', 'TypeError')}
    except {self.pick('Exception', '(ValueError, TypeError)', 'KeyError')} as e:
        e2 = e
        {self.pick('pass', 'e = 5', 'del e')}
    return {self.pick('e', 'repr(e2)', 'str(e2), e2.args')}
attempt({g})"""

    def literals(self):
        parts = ["a", "\\n", "\\t", "\\\\", "\\'", '\\"', "\\x41", "\\u00e4", "\\U0001F600", "\\101", "\\0", "\\a", "{", "}", "é", "\\\n", "\\r", "€", "\\x7f", "\\u200b", " ", "%", "'"]
        text = "".join(p for p in self.random.choices(parts, k=self.number(0, 7)) if p != "'")
        raw = self.pick("a\\nb", "\\d+", "\\\\", "x")
        return f"""
attempt(lambda: '{text}')
attempt(lambda: ('{text}' "b" r'{raw}', len('{text}'), '{text}'.encode('utf-8').hex() if False else ascii('{text}')))
attempt(lambda: f'{text.replace('{', '{{').replace('}', '}}').replace(chr(92) + 'N{{BULLET}}', '*')}{{1!r}}')
attempt(lambda: \"\"\"{text.replace('"', '')}
 x\"\"\".splitlines())
attempt(lambda: ({self.pick('0x1F', '0b101', '0o17', '1_000', '1e3', '1.5E-3', '.5', '5.', '0_0', '1_0.0_1', '1e0_1', '1j', '00')}, {self.pick('0xdead_beef', '1e308', '9007199254740993', '1e-320', '0.1 + 0.2', '-0.0', '1e16', '123456789012345678', '1e22', '0.30000000000000004')}))
attempt(lambda: f'{{1 + 1 = }}|{{"x"!s:^5}}|{{[1][0]}}|{{ {{1: 2}}[1] }}|{{3.14159:.{{2}}f}}|{{True:d}}|{{"a" "b"}}|{{(lambda x: x)(1)}}')
attempt(lambda: '{text}'.{self.pick('split()', 'isprintable()', 'isascii()', 'upper()', 'strip()', 'title()', 'splitlines()', 'expandtabs(3)', 'casefold()')})"""

    def pipelines(self):
        end = self.pick("break", "g.close()", "pass", "return 'left'")
        return f"""
def {(s := self.name('source'))}(n):
    try:
        for i in range(n):
            say(i, "source")
            got = yield i
            if got: say(got, "got")
        return {self.number()}
    except {self.pick('KeyError', 'ValueError', 'GeneratorExit')} as e:
        say(type(e).__name__, "caught")
        {self.pick('raise', 'yield -1', 'return 5', 'pass', "raise RuntimeError('again') from e")}
    finally:
        say("source ends")
def {(d := self.name('double'))}(it):
    result = {self.pick('yield from it', 'yield from (x * 2 for x in it)')}
    say(result, "result")
    return result
def {(f := self.name('f'))}():
    g = {d}({s}({self.number(0, 4)}))
    for at, x in enumerate(g):
        print(at, x)
        if at == {self.number(0, 2)}:
            {end}
    {self.pick('return list(g)', 'return next(g, "over")', 'del g', 'return g.send(None)')}
attempt({f})
attempt(lambda: sum(x for x in {s}(2)) + sum(1 for _ in zip({s}(3), {d}({s}(1)))))"""

    def handlers(self):
        raised = lambda: self.pick("raise ValueError('v')", "raise KeyError('k')", "1 / 0", "[][1]", "{}['x']", "raise", "raise TypeError from None", "pass", "return 'r'", "None.x", "int('q')", "raise StopIteration(3)", "assert False, 'a'", "unknown", "'a' + 1", "raise Own(1, 2)")
        caught = lambda: self.pick("ValueError", "KeyError", "Exception", "(TypeError, IndexError)", "ZeroDivisionError", "LookupError", "ArithmeticError", "Own", "()", "say(ValueError)", "AssertionError", "NameError")
        return f"""
class Own(Exception):
    def __init__(self, a, b=0): super().__init__(a); self.b = b
    {self.pick('', 'def __str__(self): return f"own {self.b}"')}
def {(f := self.name('f'))}():
    try:
        try:
            {raised()}
        except {caught()} as e:
            print("one", repr(e), e.args, repr(e.__context__))
            {raised()}
        except {caught()}:
            print("two")
            {raised()}
        else:
            {raised()}
        finally:
            print("finally")
            {self.pick('pass', 'pass', 'pass', raised())}
    except Exception as e:
        print("outer", repr(e), repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
        {self.pick('pass', 'raise', "raise RuntimeError('r') from e", 'raise e', "e.add_note('n'); print(e.__notes__)")}
    return "end"
attempt({f})"""

    def comprehensions(self):
        return f"""
x, y = {self.number()}, [1, 2]
attempt(lambda: ([x for x in y], x))
attempt(lambda: [(x, y) for x in y for y in [x] * {self.number(0, 2)}])
attempt(lambda: [f() for f in [lambda: x for x in y]])
attempt(lambda: {{x: [z for z in range(x)] for x in y if (z := x) > {self.number(0, 2)}}})
attempt(lambda: [[say(a) for a in say([b, b])] for b in y])
attempt(lambda: list(say(a) for a in y if say(a) {self.pick('>', '<', '==')} {self.number()}))
attempt(lambda: next((a for a in y if a > {self.number()}), 'none'))
attempt(lambda: sorted({{(a % 2, b) for a in y for b in 'ab'}}))
attempt(lambda: [a for a, *b in [(1, 2), (3,), {self.pick("'xy'", '()', '[5, 6]')}]])
g = (say(a) for a in say([1, 2, 3]))
attempt(lambda: ({self.number(1, 3)} in g, list(g)))"""

    def attributes(self):
        a = self.name("A")
        return f"""
class {a}:
    fixed = {self.number()}
    def __init__(self, **k): self.__dict__.update(k)
    {self.pick('', 'def __getattr__(self, name): return say(name) if name != "no" else object.__getattribute__(self, name)', 'def __getattribute__(self, name): return object.__getattribute__(self, name if name[:2] == "__" else say(name, "asked"))', 'def __setattr__(self, name, value): object.__setattr__(self, name + "_", value)', 'def __delattr__(self, name): say(name, "gone")', 'def __dir__(self): return ["b", "a"]')}
o = {a}(p=1, q=2)
attempt(lambda: o.{self.pick('p', 'fixed', 'no', 'other', 'p_', '__class__.__name__')})
attempt(lambda: setattr(o, 'r', {self.number()}))
attempt(lambda: vars(o))
attempt(lambda: delattr(o, {self.pick("'p'", "'r'", "'none'")}))
attempt(lambda: (hasattr(o, 'q'), getattr(o, 'x', 'd'), 'q' in dir(o)))
attempt(lambda: sorted(k for k in o.__dict__))
o.method = lambda *a: a
attempt(lambda: o.{self.pick('method(1)', 'method_(1)', 'fixed', 'q.real')})"""


def alike(text):
    text = re.sub(r"SyntaxError: (assignment expression cannot|`:=` cannot) .*", "SyntaxError: `:=`", text)
    text = re.sub(r"(TypeError .* not supported between instances of).*", r"\1", text)
    text = re.sub(r"too many values to unpack \(expected (\d+), got \d+\)", r"too many values to unpack (expected \1)", text)
    text = re.sub(r"(ZeroDivisionError)\b.*", r"\1", text)
    text = re.sub(r" object at 0x\w+", " object", text)
    text = re.sub(r"<__main__\.(\S+) object>", lambda m: f"<{m[1].split('.')[-1]} object>", text)
    text = text.replace("TypeError __main__.", "TypeError ")
    text = re.sub(r"<module '(\w+)' .*?>", r"<module '\1'>", text)
    text = re.sub(r"Value after \* must be an iterable, not (\w+)", r"'\1' object is not iterable", text)
    return re.sub(r"<(function|class) (\S+) at 0x\w+>", r"<\1 \2>", text)


def is_kept(text, expected):
    return len(text) + len(expected) < 6000 and alike(expected) == expected


if __name__ == "__main__":
    compare(lambda seed: Maker(seed).program(), is_kept, alike)
