# What a class shows of the fields that its `__slots__` name.
from dataclasses import dataclass


@dataclass(slots=True)
class Point:
    x: int
    y: int = 3


class Pair:
    __slots__ = ("a", "b")


class Triple(Pair):
    __slots__ = ["c"]


print(Point.x, type(Point.y).__name__, Point.y.__name__, Point(1))
print(Pair.a, Triple.a, Triple.c, hasattr(Pair, "c"), Triple.a.__objclass__ is Pair)
pair = Triple()
Pair.a.__set__(pair, 4)
print(pair.a, Pair.a.__get__(pair), [getattr(pair, name, None) for name in ("a", "b", "c")])
for read in (lambda: pair.b, lambda: Pair.b.__get__(pair), lambda: Pair.d, lambda: setattr(pair, "d", 1), lambda: Point.z):
    try:
        print(read())
    except AttributeError as e:
        print(e)


@dataclass
class Wider(Point):
    z: int = 5


print(Wider(1), Wider(1, 2, 3), Wider.z)
