# What built-in functions, f-strings and the dot ask of objects, at the first level and far down.
from functools import lru_cache


class Shown:
    def __init__(self, value, inner=None):
        self.value, self.inner = value, inner

    def __str__(self):
        return f"s{self.value}" + (f" {self.inner}" if self.inner is not None else "")

    def __repr__(self):
        return f"r{self.value}" + (f" {self.inner!r}" if self.inner is not None else "")

    def __hash__(self):
        return hash((self.value, self.inner))

    def __eq__(self, other):
        return self.value == other.value and self.inner == other.inner


class Formatted(Shown):
    def __format__(self, specification):
        return f"<{self.value}:{specification}>"


class OnlyRepr:
    def __repr__(self):
        return "only repr"


class Derived(ValueError):
    def __repr__(self):
        return "derived"


class Letters(str):
    def __repr__(self):
        return "letters"


class Numbers(list):
    def __str__(self):
        return "numbers"


def chain(length):
    inner = None
    for value in range(length):
        inner = Shown(value, inner)
    return inner


s, f = Shown(1), Formatted(2)
print(str(s), repr(s), f"{s}", f"{s!s}", f"{s!r}", f"{s!s:>4}|{s!r:<4}|", "%s %r" % (s, s), [s], {s: s})
print(str(f), f"{f}", f"{f:>8}", f"{f!s:>8}", f"{f!r}", format(f, "x"), f"{f=}", f"{s = !s}")
print(str(OnlyRepr()), f"{OnlyRepr()}", f"{OnlyRepr()!s}", f"{OnlyRepr()!r}")
print(str(Derived("why")), repr(Derived("why")), f"{Derived('why')}", f"{Derived('why')!r}")
print(str(Letters("abc")), repr(Letters("abc")), f"{Letters('abc')}", f"{Letters('abc')!r}")
print(str(Numbers([1])), repr(Numbers([1])), f"{Numbers([1])} {Numbers([1])!r}")
print(len(str(chain(200))), len(repr(chain(200))), hash(chain(200)) == hash(chain(200)), chain(200) == chain(200))
print({chain(3): "found"}[chain(3)], chain(3) in {chain(3)}, Shown(2) in [Shown(1), Shown(2)])


class Wrong:
    def __init__(self, answer):
        self.answer = answer

    def say(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    __str__ = __repr__ = __hash__ = __int__ = __float__ = __bool__ = __len__ = __abs__ = say

    def __format__(self, specification):
        return self.say()


def tried(function, *arguments):
    try:
        answer = function(*arguments)
        return type(answer).__name__, answer
    except Exception as error:
        return type(error).__name__, str(error)


for answer in (5, "five", 5.5, True, None, NotImplemented, Letters("sub"), KeyError("gone"), StopIteration("end")):
    w = Wrong(answer)
    told = [tried(lambda: function(w)) for function in (str, repr, hash, int, float, bool, len, abs)]
    for kind, text in told:
        print(kind, text if isinstance(text, (str, int, float)) else type(text).__name__, end="; ")
    told = [tried(lambda: f"{w}"), tried(lambda: f"{w!r}"), tried(lambda: f"{w!s}"), tried(lambda: f"{w:x}")]
    print(*(text for _, text in told), sep="; ")


class Fallback:
    def __init__(self):
        self.there = 1

    def __getattr__(self, name):
        if name.startswith("n"):
            return getattr(self, name[1:])
        if name == "bad":
            return 1 / 0
        raise AttributeError(f"no {name} here")


o = Fallback()
print(o.there, o.nthere, o.nnnthere, hasattr(o, "x"), getattr(o, "x", "otherwise"), hasattr(o, "nnthere"))
print(tried(lambda: o.x), tried(lambda: o.nx), tried(lambda: o.bad))
o.x = 4
print(o.x, o.nnx, tried(lambda: getattr(o, "n" * 150 + "there")))


class Watched:
    def __init__(self):
        self.log = []
        self.first = 1

    def __setattr__(self, name, value):
        if name != "log":
            self.log.append(name)
        if name == "locked":
            raise AttributeError("locked is locked")
        object.__setattr__(self, name, value)


class Twice(Watched):
    def __setattr__(self, name, value):
        super().__setattr__(name, value if name == "log" else value * 2)


for o in (Watched(), Twice()):
    for turn in range(3):
        o.second = turn
        o.first += turn
    print(o.first, o.second, o.log, tried(lambda: setattr(o, "locked", 1)))
    try:
        o.locked = 3
    except AttributeError as error:
        print(error, o.log[-1], hasattr(o, "locked"))


class Missing(dict):
    def __missing__(self, key):
        if key == "deep":
            return self["deeper"]
        if key == "never":
            raise KeyError("never ever")
        return f"no {key}"


m = Missing(a=1)
print(m["a"], m["b"], m["deep"], m[3.5], m[(1, 2)], m.get("b"), "b" in m, len(m), tried(lambda: m["never"]))
m["c"] = m["c"] + "!"
m["d"] += "?"
print(m, tried(lambda: m[[1]]))

calls = []


@lru_cache(maxsize=3)
def last(n, scale=1):
    calls.append(n)
    if n < 0:
        raise ValueError(f"{n} is below zero")
    return n * scale


for n in (1, 2, 3, 1, 4, 2, 1, 1.0, True, 1):
    last(n)
print(calls, last.cache_info(), tried(last, -1), tried(last, -1), last.cache_info())
print(last(1, 2), last(1, scale=2), last(scale=2, n=1), last.cache_info(), last.__wrapped__(7))


@lru_cache(None)
def ways(n, k):
    return 1 if k in (0, n) else ways(n - 1, k - 1) + ways(n - 1, k)


@lru_cache
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


@lru_cache(maxsize=None)
def forgetful(n):
    if n == 3:
        forgetful.cache_clear()
    return n if n < 2 else forgetful(n - 1) + forgetful(n - 2)


@lru_cache
def turns(n):
    yield from range(n)


@lru_cache(0)
def never(n):
    return n


print(ways(30, 15), ways.cache_info(), depth(300), depth.cache_info(), forgetful(8), forgetful.cache_info())
print(list(turns(3)), list(turns(3)), never(1), never(1), never.cache_info(), tried(last, [1]))


class Keeper:
    made = 0

    @lru_cache
    def of(self, n):
        Keeper.made += 1
        return n * 2


k = Keeper()
print(k.of(1), k.of(1), k.of(2), Keeper.made, Keeper().of(1), Keeper.made)


def caught(n):
    total = 0
    for turn in range(n):
        try:
            total += last(turn - n)
        except ValueError as error:
            total += len(str(error))
    return total


print(caught(5), last.cache_info())


def averages():
    total, count, mean = 0, 0, None
    while True:
        value = yield mean
        if value is None:
            return "done", count
        total, count = total + value, count + 1
        mean = total / count


g = averages()
print(next(g), g.send(10), g.send(20), tried(g.send, None), tried(g.send, 1), tried(next, g), next(g, "gone"))
print(tried(averages().send, 3), tried(next, [1]), tried(lambda: next(averages(), 1, 2)))


def itself():
    yield from (1, 2)
    next(h)


h = itself()
print(next(h), next(h), tried(next, h), tried(next, h))


def failing():
    try:
        yield 1
    finally:
        print("left")
    raise KeyError("inside")


f = failing()
print(next(f), tried(lambda: next(f)), tried(lambda: next(f)))


def nested(n):
    if n:
        yield next(nested(n - 1)) + 1
    else:
        yield 0


print(next(nested(150)))


class Temperature:
    made = 0
    units = ["C"]

    def __init__(self, celsius):
        Temperature.made += 1
        self.celsius = celsius

    @property
    def fahrenheit(self):
        return self.celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        if value < -459.67:
            raise ValueError("below absolute zero")
        self.celsius = (value - 32) * 5 / 9


class Offset(Temperature):
    units = Temperature.units + ["K"]

    @Temperature.fahrenheit.setter
    def fahrenheit(self, value):
        self.celsius = value


for kind in (Temperature, Offset):
    t = kind(100)
    t.fahrenheit = 50
    t.fahrenheit += 9
    print(t.celsius, t.fahrenheit, kind.made, kind.units, tried(setattr, t, "fahrenheit", -500))
    try:
        t.fahrenheit = -1000
    except ValueError as error:
        print(error, t.celsius)
Temperature.units, Offset.made = "F", 50
print(Temperature.units, Offset.units, Temperature.made, Offset.made, Offset(1).made, Temperature.made)
Temperature.units = Temperature.__init__
print(Temperature(1).units.__name__, Offset.units)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class MoreSlots(Slots):
    __slots__ = "c"


class Free(Slots):
    pass


for kind in (Slots, MoreSlots, Free):
    o = kind(1)
    for name in ("a", "b", "c", "d"):
        print(name, tried(setattr, o, name, 2)[0], hasattr(o, name), getattr(o, name, None), end="; ")
    print(tried(lambda: o.e), tried(object.__setattr__, o, "f", 1)[0])


class Same:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.__class__ is other.__class__ and self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    def __call__(self, step=1):
        self.n += step
        return self.n


class Heir(Same):
    pass


a, b, c = Same(1), Same(1), Heir(1)
take = a.__call__
print(a == b, a == c, a != c, a.__class__.__name__, c.__class__.__name__, [a, b].index(b), a(), a(3), take(), take(step=2), b.n)
print(sorted([Same(3), Same(1), Same(2)], key=lambda s: s.n)[0].n, max(Same(3), Same(5)).n, [s.n for s in sorted([Same(3), Same(1)])])
a = Heir(2)
print(a.__class__.__name__, isinstance(a, (int, Heir)), isinstance(a, (int, str)), isinstance(3, (str, (float, int))), tried(isinstance, 3, (str, 5)))
print(type(a) is Heir, type(3) is int, type("x").__name__, hash((1, "a")) == hash((1, "a")), hash(1.0) == hash(1), tried(hash, [1]))
l = [3, 1, 2]
l.sort()
l.insert(1, "x")
l.insert(-100, 0)
l.insert(100, 9)
l.reverse()
print(l, l.index("x"), tried(l.index, "y"), tried(lambda: l.sort()), l)
for items in ([], [1], ["b", "a"], [2.5, -1.0, 0.0, -0.0], [1, 2.5, 0], [True, False], [float("nan"), 1.0], list(range(20, 0, -1))):
    items.sort()
    print(items, end=" ")
print()
z = 1 + 2j
print(z * z + 1, 2 - z, z / 2, z ** 2, z == 1 + 2j, tried(lambda: z / 0), tried(lambda: z < 1), 1.5 * z, True + z, z - z)
for error in (ValueError("bad"), KeyError("k"), ValueError(), ValueError(1, "two"), OSError(2, "gone"), StopIteration("end")):
    print(str(error), f"{error}", f"{error!r}", end="; ")
print()


class Gone(OSError):
    pass


print([type(OSError(number, "words")).__name__ for number in (1, 2, 3, 4, 10, 11, 13, 17, 20, 21, 32, 103, 104, 108, 110, 111, 114, 115, 5, 999)])
print(type(OSError(2)).__name__, type(OSError("x", 2)).__name__, type(Gone(2, "a")).__name__, type(IOError(13, "b", "file")).__name__)
try:
    raise OSError(17, "is there")
except FileExistsError as error:
    print(error, error.errno, error.strerror)

from functools import partial


def three(a, b=2, c=3):
    return a, b, c


p = partial(three, 1)
print(p(), p(5), p(5, 6), p(b=7), partial(three)(1), partial(p, 8)(9), partial(three, c=0)(1), tried(p, 1, 2, 3), tried(partial(three)))


class Bare:
    pass


class Called:
    def __call__(self, *args, **kwargs):
        return args, kwargs


class Two:
    def __call__(self, a, b=5):
        return a + b


x, y = Bare(), Bare()
x.a = 1
two = Two()
print(x == y, x != y, x == x, hasattr(x, "a"), hasattr(y, "a"), tried(Bare, 1), type(Bare()).__name__)
print(Called()(1, 2, k=3), two(1), two(1, 2), two(1, b=3), tried(two), [two(i) for i in range(3)])
add = two.__call__
print([add(i, i) for i in range(3)], add(2), list(map(add, [1, 2])), tried(add))


class Counted:
    alive = 0

    def __new__(cls):
        cls.alive += 1
        return super().__new__(cls)


class Sub(Counted):
    def __init__(self):
        self.name = "sub"


print(Counted().alive, Sub().alive, Counted.alive, Sub.alive, Sub().name)


from dataclasses import dataclass, field


@dataclass
class Node:
    name: str
    children: list = field(default_factory=list)


@dataclass
class Told(Node):
    def __str__(self):
        return f"told {self.name} {self.children!r}"


for kind in (Node, Told):
    n = kind("root")
    n.children.append(n)
    print(n, str(n), repr(n), f"{n}", f"{n!r}", f"{n!s}", [n])


class Asked:
    asked = 0

    def __str__(self):
        Asked.asked += 1
        return f"asked {Asked.asked}"


class Parts:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)


into = Parts()
print(Asked(), 2, Asked(), sep="-", file=into)
print(file=into, end="!")
print(into.parts, Asked.asked)
for template in ("{} {}", "{1}{0}{1}", "{{{}}} {:>4}|", "{:5.1f}{:<3}", "{0:05d}{0:x}{1}", "{:,} {:e}", "{} {0}", "{", "}", "{:{}}", "{0", "{:d}", "{2}", "{:10s}{:^7}"):
    print([tried(template.format, *values) for values in ((1, 2), (1.5, "ab"), ("é", True), (12345678, 0.1), (None, [1]), ("x" * 300, 3))])


from collections import OrderedDict

d = OrderedDict((c, i) for i, c in enumerate("abcde"))
d.move_to_end("b")
d.move_to_end("d", last=False)
d.move_to_end("b")
d.move_to_end("d", False)
print(list(d.items()), tried(d.move_to_end, "z"))
for key in list(d):
    d.move_to_end(key)
print("".join(d), d.popitem(), d.popitem(last=False), list(reversed(d)))


class Ranked:
    asked = 0

    def __init__(self, n, name):
        self.n, self.name = n, name

    def __lt__(self, other):
        Ranked.asked += 1
        if other.n < 0:
            raise ValueError("no rank")
        return NotImplemented if self.n == 50 else [1] if self.n < other.n else ""

    def __gt__(self, other):
        return self.n > other.n


for count in (3, 10, 63, 64, 65, 200):
    ranked = [Ranked(i * 37 % 101 % 7 + 45, f"{i}") for i in range(count)]
    for reverse in (False, True):
        Ranked.asked = 0
        print(count, reverse, "".join(f"{r.n}{r.name}" for r in sorted(ranked, reverse=reverse))[:60], Ranked.asked if count < 64 else "", len(sorted(ranked, key=lambda r: r.n)))
    ranked.append(Ranked(-1, "bad"))
    print(tried(lambda: ranked.sort()), len(ranked), sum(r.n for r in ranked))
print(tried(type, 3, 4))
