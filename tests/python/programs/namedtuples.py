# collections.namedtuple, typing.NamedTuple and ChainMap.
import collections
from collections import ChainMap, namedtuple
from typing import NamedTuple

Point = namedtuple("Point", ["x", "y"])
p = Point(1, y=2)
print(p, repr(p), str(p), p.x, p[1], p[-1], len(p), list(p), p == (1, 2), (1, 2) == p, p < (1, 3))
x, y = p
print(x + y, p + (3,), p * 2, p[0:1], 2 in p, p.index(2), p.count(1), hash(p) == hash((1, 2)), {p: "key"}[(1, 2)])
print(Point._fields, p._asdict(), p._replace(y=5), Point._make([7, 8]), Point._field_defaults, Point.__doc__)
print(isinstance(p, tuple), issubclass(Point, tuple), type(p).__name__, Point, Point.__mro__)
print("%d and %d" % p, "{0.x} {0.y} {1}".format(p, p), f"{p.x:>4}", max(p), sum(p), sorted([Point(2, 1), Point(1, 5)]))
Node = namedtuple("Node", "name, left right", defaults=[None, None])
print(Node("a"), Node("a", right=1), Node._field_defaults)
print(namedtuple("R", "a class a _b 1c d", rename=True)._fields)
print(namedtuple("Empty", "")())


class Vector(namedtuple("Base", "x y")):
    """With a method."""
    __slots__ = ()

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5


print(Vector(1, 2) + Vector(2, 2), Vector(3, 4).norm, Vector(3, 4)._replace(x=0), Vector.__doc__)

for wrong in [
    lambda: Point(1),
    lambda: Point(),
    lambda: Point(1, 2, 3),
    lambda: Point(1, z=3),
    lambda: Point(1, 2, x=3),
    lambda: setattr(p, "x", 3),
    lambda: setattr(p, "z", 3),
    lambda: p.z,
    lambda: p[2],
    lambda: p._replace(z=1),
    lambda: Point._make([1]),
    lambda: namedtuple("a b", "x"),
    lambda: namedtuple("P", "x x"),
    lambda: namedtuple("P", "_x"),
    lambda: namedtuple("P", "class"),
    lambda: namedtuple("P", "a", defaults=[1, 2]),
    lambda: delattr(p, "x"),
]:
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)


class Employee(NamedTuple):
    """A person."""
    name: str
    id: int = 3

    def greet(self):
        return f"I am {self.name}"


e = Employee("Ann")
print(e, e.id, e.greet(), Employee._fields, Employee._field_defaults, Employee.__annotations__, e._replace(id=4), e == ("Ann", 3))
print(Employee.__doc__, tuple(e), isinstance(e, tuple), [n for n, i in [e]])
Old = NamedTuple("Old", [("a", int), ("b", str)])
print(Old(1, "x"), Old.__annotations__)
try:
    class Wrong(NamedTuple):
        a: int = 1
        b: int
except TypeError as e:
    print(e)
try:
    Employee()
except TypeError as e:
    print(e)

c = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(c["a"], c["b"], "b" in c, len(c), sorted(c), dict(c), c.get("z", 9), c)
c["b"] = 10
print(c.maps, c.parents, c.new_child({"q": 0}), list(c.items()), bool(ChainMap()))
for wrong in [lambda: c["zz"], lambda: c.pop("zz"), lambda: c.__delitem__("zz")]:
    try:
        wrong()
    except KeyError as e:
        print("KeyError", e)
