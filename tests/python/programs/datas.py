# dataclasses: every option.
from dataclasses import MISSING, asdict, astuple, dataclass, field, fields, is_dataclass, make_dataclass, replace, InitVar, KW_ONLY
from typing import ClassVar


@dataclass(order=True)
class P:
    x: int
    y: int = 0
    tags: list = field(default_factory=list, compare=False, repr=False)


print(P(1), P(1) < P(2), P(1, 2) == P(1, 2, ["a"]), sorted([P(3), P(1)]), P(1) >= P(1))


@dataclass(frozen=True)
class F:
    a: int
    b: str = "b"


f = F(1)
for wrong in [lambda: setattr(f, "a", 2), lambda: delattr(f, "a"), lambda: setattr(f, "zz", 2)]:
    try:
        wrong()
    except AttributeError as e:
        print(type(e).__name__, e)
print(hash(f) == hash(F(1)), {f: 1}[F(1)], replace(f, a=5), asdict(f), astuple(f))


@dataclass(kw_only=True)
class K:
    a: int
    b: int = 2


print(K(a=1))
try:
    K(1)
except TypeError as e:
    print(e)


@dataclass(slots=True)
class S:
    a: int
    b: int = 3

    def total(self):
        return self.a + self.b


s = S(1)
print(s, s.total(), S.__slots__)
try:
    s.c = 3
except AttributeError as e:
    print(e)
print(hasattr(s, "__dict__"), replace(s, b=9))


@dataclass(slots=True, frozen=True)
class SF:
    a: int = 1


print(SF(), hash(SF()) == hash(SF(1)))


@dataclass
class Inner:
    v: int


@dataclass
class Outer:
    inner: Inner
    items: list
    table: dict
    shared: ClassVar[int] = 5
    start: InitVar[int] = 10
    computed: int = field(init=False)
    _: KW_ONLY
    last: int = 1

    def __post_init__(self, start):
        self.computed = start * 2


o = Outer(Inner(1), [Inner(2)], {"k": Inner(3)}, 7, last=4)
print(o)
print(asdict(o))
print(astuple(o))
print([(f.name, f.type if isinstance(f.type, str) else f.type.__name__, f.init, f.kw_only) for f in fields(o)][:3], is_dataclass(o), is_dataclass(Outer), is_dataclass(3))
print(fields(P)[1].default, fields(P)[0].default is MISSING, fields(P)[2].default_factory is list, fields(P)[2].compare)
print(asdict(P(1, tags=[1])), asdict(o, dict_factory=lambda pairs: len(pairs)))


@dataclass(eq=False)
class NoEq:
    a: int


print(NoEq(1) == NoEq(1), isinstance(hash(NoEq(1)), int))


@dataclass(unsafe_hash=True)
class H:
    a: int


print(hash(H(1)) == hash(H(1)))


@dataclass
class Child(P):
    z: int = 5


print(Child(1, 2, [], 3), Child(1) == P(1), [f.name for f in fields(Child)])
Made = make_dataclass("Made", [("a", int), ("b", int, 3), "c" if False else ("c", int, field(default=4))])
print(Made(1), Made(1, 2).c)


def wrong_default():
    @dataclass
    class W:
        a: list = []


def wrong_order():
    @dataclass
    class W:
        a: int = 1
        b: int


def wrong_both():
    field(default=1, default_factory=list)


def wrong_replace():
    replace(o, computed=3)


for wrong in [wrong_default, wrong_order, wrong_both, wrong_replace, lambda: P(), lambda: P(1, 2, 3, 4), lambda: P(1, q=2), lambda: asdict(3), lambda: fields(3), lambda: P(1) < 3]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False)


root = Node(1, [Node(2), Node(3)])
print(root)


@dataclass
class Custom:
    a: int

    def __repr__(self):
        return "custom"

    def __eq__(self, other):
        return True


print(Custom(1), Custom(1) == 5)
