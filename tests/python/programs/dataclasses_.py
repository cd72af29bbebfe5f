from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass


@dataclass
class Point:
    x: int
    y: int = 0


p = Point(1)
print(p, p == Point(1, 0), p != Point(2), Point(y=3, x=2), p.x, Point.y)
print(asdict(p), astuple(p), replace(p, y=9), is_dataclass(p), is_dataclass(Point), is_dataclass(3))
print([f.name for f in fields(p)], [f.name for f in fields(Point)])
try:
    Point()
except TypeError as e:
    print(e)
try:
    Point(1, 2, 3)
except TypeError as e:
    print(e)
try:
    Point(1, z=3)
except TypeError as e:
    print(e)
try:
    {p: 1}
except TypeError as e:
    print(e)


@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    tag: str = field(default="", compare=False)


v, w = Version(1, 2, "a"), Version(1, 3, "b")
print(v < w, sorted([w, v]), v == Version(1, 2), hash(v) == hash(Version(1, 2)), {v: 1}[Version(1, 2)])
try:
    v.major = 3
except Exception as e:
    print(type(e).__name__, e, isinstance(e, AttributeError))
try:
    del v.major
except AttributeError as e:
    print(e)
try:
    v < 3
except TypeError as e:
    print(e)


@dataclass
class Config:
    name: str
    items: list = field(default_factory=list)
    table: dict = field(default_factory=dict, repr=False)
    total: int = field(init=False, default=0)

    def __post_init__(self):
        self.total = len(self.items)

    def double(self):
        return Config(self.name * 2, self.items * 2)


a, b = Config("a"), Config("b", [1, 2])
a.items.append(5)
print(a, b, a.items is b.items, b.double(), b.double().total)
print(asdict(b), replace(b, name="c"))


@dataclass
class Base:
    id: int
    name: str = "base"


@dataclass
class Derived(Base):
    extra: float = 1.5
    name: str = "derived"


print(Derived(1), Derived(2, "n", 3.0), Derived(1) == Base(1, "derived"), isinstance(Derived(1), Base))


@dataclass(kw_only=True)
class Named:
    a: int
    b: int = 2


print(Named(a=1))
try:
    Named(1)
except TypeError as e:
    print(e)


@dataclass
class Nested:
    p: Point
    ps: list


n = Nested(Point(1, 2), [Point(3, 4)])
print(n, asdict(n), astuple(n))


@dataclass(repr=False, eq=False)
class Bare:
    x: int


print(Bare(1) == Bare(1), Bare(1).x)
try:

    @dataclass
    class Wrong:
        x: int = 1
        y: int

except TypeError as e:
    print(e)
try:

    @dataclass
    class Mutable:
        x: list = []

except ValueError as e:
    print(e)


@dataclass
class Custom:
    x: int

    def __repr__(self):
        return "custom"

    def __eq__(self, other):
        return True


print(Custom(1), Custom(1) == 5)


@dataclass(unsafe_hash=True)
class Hashed:
    x: int
    y: int = field(default=0, hash=False)


print(hash(Hashed(1, 2)) == hash(Hashed(1, 3)), Hashed(1) in {Hashed(1)})


@dataclass
class Empty:
    pass


print(Empty(), Empty() == Empty())
