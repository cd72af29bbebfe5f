# Classes that stand for others, and what functions say about themselves.
import inspect
import textwrap
import types
from abc import ABC, ABCMeta, abstractmethod
from collections import UserDict, UserList, UserString
from functools import singledispatchmethod, wraps
from string import Template, capwords
from typing import Protocol, TypedDict, get_type_hints, runtime_checkable


class Shape(ABC):
    @abstractmethod
    def area(self):
        """How large it is."""


class Square:
    def area(self):
        return 4


class Solid(Shape):
    pass


@Solid.register
class Cube:
    pass


print(issubclass(Square, Shape), Shape.register(Square) is Square, issubclass(Square, Shape), isinstance(Square(), Shape))
print(issubclass(Cube, Shape), issubclass(Cube, Solid), issubclass(Square, Solid), isinstance(3, (Shape, int)))
try:
    Shape()
except TypeError as e:
    print(e)


class Quacks(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "quack")


class Duck:
    def quack(self):
        pass


print(isinstance(Duck(), Quacks), issubclass(int, Quacks))


@runtime_checkable
class Closes(Protocol):
    def close(self):
        ...


class Door:
    def close(self):
        pass


print(isinstance(Door(), Closes), isinstance(3, Closes), issubclass(Door, Closes))


class Movie(TypedDict):
    name: str
    year: int


print(Movie(name="a", year=1), get_type_hints(Movie))


def f(a, /, b: int = 2, *args, c, d="x", **rest) -> float:
    """Says
    something.
    """
    return a


print(inspect.signature(f), get_type_hints(f))
for parameter in inspect.signature(f).parameters.values():
    print(parameter.name, parameter.kind, parameter.default is inspect.Parameter.empty, parameter)


def traced(function):
    @wraps(function)
    def inner(*args):
        return function(*args)
    return inner


class A:
    """A class."""

    def __init__(self, x, y=1):
        pass

    @traced
    def m(self, z):
        return z

    @singledispatchmethod
    def neg(self, arg):
        raise NotImplementedError("no")

    @neg.register
    def _(self, arg: int):
        return -arg

    @neg.register(str)
    def _(self, arg):
        return arg[::-1]


print(inspect.signature(A), inspect.signature(A(1).m), inspect.getdoc(f), inspect.getdoc(A))
print(A(1).neg(5), A(1).neg("ab"))
print(inspect.isfunction(f), inspect.isclass(A), inspect.ismethod(A(1).m), inspect.isbuiltin(len), inspect.ismodule(inspect))
print(inspect.isgeneratorfunction(f), inspect.isgenerator(x for x in ()), inspect.isabstract(Shape), inspect.isroutine(len))
n = types.SimpleNamespace(a=1, b=[2])
n.c = 3
print(n, n == types.SimpleNamespace(a=1, b=[2], c=3), vars(n))
print(isinstance(f, types.FunctionType), isinstance(len, types.BuiltinFunctionType), isinstance(A(1).m, types.MethodType))
m = types.MappingProxyType({"a": 1})
print(m, m["a"], "a" in m, len(m), list(m.items()))
try:
    m["b"] = 2
except TypeError as e:
    print(e)


class Doubled(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(str(key), value * 2)


d = Doubled({"a": 1}, b=2)
d[3] = 4
d.update(z=5)
print(d, len(d), "a" in d, d.get("q", 0), sorted(d.items()), d.pop("z"), d == {"a": 2, "b": 4, "3": 8})
try:
    d["none"]
except KeyError as e:
    print("KeyError", e)
print(d | {"n": 1}, d.setdefault("s", 1), type(d.copy()).__name__, list(d))


class Counted(UserList):
    def append(self, item):
        super().append(item + 1)


u = Counted([3, 1])
u.append(1)
u.sort()
print(u, u[0], u[1:], type(u[1:]).__name__, u + [9], u * 2, 3 in u, len(u), u == [1, 2, 3], u < [2], sum(u))
print(UserString("abc").upper(), UserString("abc") + "d", UserString("a,b").split(","), len(UserString("abc")), UserString("a") == "a")
t = "The quick brown fox jumped over the lazy dog -- and then it went off to find some more well-known adventures."
for width in (10, 17, 30, 44):
    print(textwrap.wrap(t, width))
print(textwrap.fill(t, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(t, 40), textwrap.shorten(t, 40, placeholder="..."), textwrap.shorten("hello  world", 20))
print(textwrap.wrap("averyveryverylongwordthatexceeds the width", 10))
print(textwrap.wrap("averyveryverylongword x", 10, break_long_words=False), textwrap.wrap("", 10))
print(textwrap.wrap("a-b-c-d-e-f hello-world x--y", 6), textwrap.wrap("self-made so-called", 8, break_on_hyphens=False))
print(textwrap.TextWrapper(width=20, max_lines=2).wrap(t))
print(capwords("hello wORLD  x"), Template("$a and ${b} $$").substitute(a=1, b=2), Template("$a $z").safe_substitute(a=1))
for text in ("$a $z", "x\n$ y"):
    try:
        print(Template(text).substitute(a=1))
    except (KeyError, ValueError) as e:
        print(type(e).__name__, e)
