# Keys and elements whose class says what they equal; NaN in containers; functions and their code.
import collections
import contextlib
import dataclasses
import functools
import io
import math
import sys
import types
import typing


def t(f):
    try:
        print(f())
    except BaseException as e:
        print(type(e).__name__, e)


class Frac:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return hash(self.n)

    def __eq__(self, other):
        return self.n == (other.n if isinstance(other, Frac) else other)

    def __repr__(self):
        return f"F{self.n}"


@dataclasses.dataclass(frozen=True)
class P:
    x: int


KEYS = [1, 1.0, True, 0.5, -1, -2, "a", "", (1, 2), (1, "a"), 2 ** 61 - 1, -2 ** 61, 2 ** 62 + 5, 1e300, frozenset({1, 2})]
for key in KEYS:
    f = Frac(key)
    t(lambda: ({f: 1}[key], {key: 2}[f], key in {f}, f in {key}, len({f, key}), len({key, f}), {f: 1}.get(key), {f: 1}.pop(key), {f: 1} == {key: 1}, {f} == {key}))
    t(lambda: (len({f} & {key}), len({f} | {key}), {f} - {key}, {f} ^ {key}, {f} <= {key}, {f}.isdisjoint({key}), {f}.issubset([key]), {f}.issuperset([key])))
    many = {n: n for n in range(100, 130)}
    t(lambda: ({**many, f: 1}[key], {**many, key: 2}[f], f in {*many, key}, key in {*many, f}, {**many, f: 1}.setdefault(key, 5), (f, 3) in {(key, 3)}, (key, 3) in {(f, 3): 1}))
    t(lambda: ({**{f: 1}, **{key: 2}}, {f: 1} | {key: 2}, dict([(f, 1), (key, 2)]), dict.fromkeys([f, key, f]), collections.Counter([f, key, f]), len({*[f], *[key]})))
    d = {f: 1}
    d[key] = 2
    d.update({key: 3})
    d |= {key: 4}
    print(d, list(d.values()))
    del d[key]
    s = {f}
    s.add(key)
    s |= {key}
    s.update([key])
    s.discard(key)
    print(d, s)
print({P(1), P(2)} & {P(2), P(3)}, {P(1)} | {P(1)}, {P(1)} == {P(1)}, {P(1): 2} == {P(1): 2}, {P(1)} - {P(1)}, {P(1)} < {P(1), P(2)}, collections.Counter([P(1), P(1)]))
print(collections.Counter([P(1)]) + collections.Counter([P(1), P(2)]), {P(1): 1}.keys() & {P(1): 2}.keys(), P(1) in {P(1): 1}.keys(), (P(1), 1) in {P(1): 1}.items())
U = collections.UserString
t(lambda: ({U("abc"): 1}["abc"], {"abc": 1}[U("abc")], {"abc"} & {U("abc")}, "abc" in {U("abc")}))


class Loud:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise RuntimeError("compared")


t(lambda: {Loud(): 1}[1])
t(lambda: 1 in {Loud()})
t(lambda: {Loud()} & {1})
t(lambda: {Loud(): 1} == {1: 1})
t(lambda: {**{Loud(): 1}, **{1: 2}})
t(lambda: 2 in {Loud()})
for f in [lambda: {}.pop([], None), lambda: {1: 2}.pop([], None), lambda: {}.get([]), lambda: [] in {}, lambda: [] in set(), lambda: set().discard([]), lambda: {}.setdefault([], 1), lambda: {1}.remove([]), lambda: {}.pop([])]:
    t(f)
print({1} & {True}, {True} & {1, 2}, {1, 2} & {1.0}, {1.0, 3} & {1, 2, 3}, {1} | {True}, {1}.intersection([True]))
n = math.nan
print(n in [n], n in (n,), n in {n}, {n: 1}[n], [n] == [n], (n,) == (n,), [n].index(n), [n].count(n), len({n, n}), {n: 1} == {n: 1}, n == n, n != n, [n] != [n])

p = functools.partial(int, base=2)
p.note = "binary"
print(p.note, p("101"), p.func, p.args, p.keywords, p.__dict__)
q = functools.partial(p, "11")
print(q(), q.func is p)


def g(a, b=2, /, c=3, *args, d, e=5, **rest):
    "Text."
    x = y = 1
    return x


code = g.__code__
print(code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_varnames[:4], sorted(code.co_varnames), code.co_nlocals, code.co_flags & 12)
print((lambda u, v: u).__code__.co_varnames, isinstance(code, types.CodeType))


class A:
    pass


a = A()
print((lambda self: self is a).__get__(a, A)(), (lambda self: 5).__get__(a)(), g.__get__(None, A) is g)
d = collections.defaultdict(list)
for key in (P(1), Frac(2), P(1), 2):
    d[key].append(len(d))
print(d)
print(3 in (i * i for i in range(9)), 4 in (i * i for i in range(9)), "b" in iter("abc"), 5 in map(abs, [-5]), 2 in zip([2], [2]), (2, 2) in zip([2], [2]))
squares = (i * i for i in range(9))
print(9 in squares, next(squares))
for part in [slice(None), slice(1, 5, 2), slice(-3, None), slice(None, None, -1), slice(5, -20, -2), slice(99, 3), slice(2)]:
    print([part.indices(n) for n in (0, 1, 4, 10)])
t(lambda: slice(None, None, 0).indices(3))
t(lambda: slice(1).indices(-1))
d = collections.defaultdict(int)
d[1] += 1
d.default_factory = list
d[2].append(3)
d.default_factory = None
t(lambda: d[3])
print(d, d.default_factory)

T = typing
for kind in [T.List[int], list[int], T.Dict[str, int], T.Optional[int], T.Union[int, str], int, T.Tuple[int, ...], T.Literal["a", 1], T.Set[int], T.ClassVar[int], tuple[int, str], dict[str, list[int]], T.List]:
    print(kind, T.get_args(kind))
print(T.get_origin(T.List[int]), T.get_origin(list[int]), T.get_origin(T.Optional[int]) is T.Union, T.get_origin(T.Union[int, str]) is T.Union, T.get_origin(int), T.get_origin(T.Literal[1]) is T.Literal)
print(T.get_args(int | None), T.get_args(T.Callable[[int], str]))

out = io.StringIO()
with contextlib.redirect_stderr(out):
    print("x", 1, file=sys.stderr)
    sys.stderr.write("y\n")
print(repr(out.getvalue()))
