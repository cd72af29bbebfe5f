# Corners of the object model that CPython's own tests look into.
import operator
from collections import Counter, deque
from functools import partial


def told(function, *args, **kwargs):
    try:
        print(repr(function(*args, **kwargs)))
    except Exception as error:
        print(type(error).__name__, error)


# A call of an object may ask for a call of an object, without an end.
class Caller:
    pass


Caller.__call__ = Caller()
told(Caller())

# As many keys as before, but others.
def renamed(names):
    for name in names:
        names[name + "x"] = names.pop(name)
        if len(name) > 9:
            return "endless"


told(renamed, {"a": 1, "b": 2})
told(renamed, {"a": 1})


def renamed_items(names):
    for name, value in names.items():
        names[name + "x"] = names.pop(name)
        if len(name) > 9:
            return "endless"


told(renamed_items, {"a": 1, "b": 2})


# A set that shows itself.
class Holder:
    def __init__(self):
        self.held = None

    def __repr__(self):
        return repr(self.held)


holder = Holder()
holder.held = {holder}
print(holder.held)
frozen = Holder()
frozen.held = frozenset([frozen])
print(frozen.held)


# A number is converted by its value, not by what it says that it is as an index.
class Index(int):
    def __index__(self):
        return 42


print(int(Index(7)), float(Index(7)), [*range(50)][Index(7)])


# What iterates a list of a class with an `__iter__` of its own asks that.
class Lying(list):
    def __iter__(self):
        yield 1


for make in (list, tuple, set, deque, sum, sorted, max):
    print(make.__name__, make(Lying([2, 2])))


class Backwards(dict):
    def keys(self):
        return reversed(list(dict.keys(self)))

    __iter__ = keys


print(dict(Backwards([("a", 1), ("b", 2)])), {**Backwards([("a", 1), ("b", 2)])})
told(round, 1.6e308, -308)
told(round, -1.7e308, -308)


# `!=` without a method of its own is the opposite of `==`, of each side.
class Left:
    def __eq__(self, other):
        print("Left.__eq__")
        return NotImplemented


class Right:
    def __eq__(self, other):
        print("Right.__eq__")
        return NotImplemented

    def __ne__(self, other):
        print("Right.__ne__")
        return NotImplemented


print(Left() != Right(), Right() != Left(), Left() != 1, 1 != Left(), Left() != Left())


class Base:
    def __eq__(self, other):
        print("Base.__eq__")
        return NotImplemented


class Derived(Base):
    def __eq__(self, other):
        print("Derived.__eq__")
        return NotImplemented

    def __ne__(self, other):
        print("Derived.__ne__")
        return NotImplemented


print(Base() != Derived(), Base() == Derived(), Derived() != Base())


class Same:
    def __eq__(self, other):
        return 0


print(Same() != Same(), Same() != 1, [Same()] != [Same()])


# Errors of properties say where the class was written.
class Outer:
    class Inner:
        @property
        def y(self):
            return 1

        z = property(None, lambda self, value: None)


told(setattr, Outer.Inner(), "y", 1)
told(getattr, Outer.Inner(), "z")
told(delattr, Outer.Inner(), "y")

# How many items are to come.
walk = iter([1, 2, 3])
next(walk)
print(walk.__length_hint__(), operator.length_hint(iter(range(5))), operator.length_hint(iter({1: 2})))
print(operator.length_hint(iter("abc")), operator.length_hint(iter((1, 2))), operator.length_hint(iter({3})))

# Containers are filled once more by their `__init__`.
counted = Counter("aab")
counted.__init__("b")
print(counted)
numbers = [1]
numbers.__init__([2, 3])
members = {1}
members.__init__([2, 3])
names = {1: 2}
names.__init__({3: 4}, five=6)
print(numbers, members, names)


class Pair(list):
    def __init__(self):
        super().__init__([1])
        super().__init__([2, 3])


print(Pair())


# What makes an object takes no arguments that nobody asked for.
class Plain:
    pass


class Made:
    def __init__(self, *args):
        super().__init__(*args)


class New:
    def __new__(cls, *args):
        return super().__new__(cls, *args)


for call in (
    lambda: Plain(42),
    lambda: Plain().__init__(42),
    lambda: object.__new__(Plain, 42),
    lambda: object.__init__(Plain(), 42),
    lambda: Made(1),
    lambda: New(1),
    lambda: type(New()).__name__,
    lambda: type(object.__new__(Made, 1)).__name__,
):
    told(call)


# A method is made whenever it is asked for, and equals itself.
class Events:
    def heard(self):
        return 1

    def seen(self):
        return 2

    def __eq__(self, other):
        return True

    __hash__ = None


one, two = Events(), Events()
print(one.heard == one.heard, one.heard == two.heard, one.heard == one.seen, one.heard != one.heard)
print(hash(one.heard) == hash(one.heard), {one.heard: 1}.get(one.heard), one.heard in [two.heard, one.heard])
listeners = [one.heard, two.heard, one.seen]
listeners.remove(two.heard)
print([listener() for listener in listeners], listeners.index(one.seen))
items = [1]
print(items.append == items.append, items.append == [1].append, items.append == items.pop, "a".upper == "a".upper)
functions = [lambda n=n: n for n in range(2000)]
table = {function: function() for function in functions}
print(sum(table[function] for function in functions), len(table))

told(sum, [b"a"], b"")
told(ord, b"a")
told(ord, b"ab")
told("{a}".format)
try:
    "{a}".format()
except KeyError as error:
    print(error.args)


# Long chains are let go of without depth.
def chain(link, start, count=100_000):
    held = start
    for _ in range(count):
        held = link(held)


class Node:
    def __init__(self, held=None):
        self.held = held

    def method(self):
        return self.held


chain(lambda held: held.__dir__, object())
chain(lambda held: Node(held).method, None)
chain(lambda held: [held].append, None)
chain(lambda held: partial(print, held), None)
chain(lambda held: (lambda: held), None)
chain(lambda held: map(None, held), iter([]))
chain(lambda held: property(held), None)
chain(lambda held: staticmethod(held), None)
chain(lambda held: deque([held]), None)
chain(lambda held: slice(held, 1), None)
chain(lambda held: {1: held}.items(), None)
print("gone")

# What holds what, and seeds of every kind.
import gc
import random

inner = ["inner"]
outer = {"held": inner}
print(any(one is inner for one in gc.get_objects()), any(one is outer for one in gc.get_referrers(inner)))
print([one for one in gc.get_referents(outer) if isinstance(one, list)], gc.is_tracked(inner), gc.is_tracked(1))
for seed, version in (("abc", 1), ("", 1), ("abc", 2), (b"abc", 2), (7, 1), ("h\u00e9llo \u4e16", 1)):
    random.seed(seed, version)
    print(random.random(), random.randbytes(7), random.randbytes(0), random.getrandbits(8))
told(random.randrange, 1000, step=100)
told(random.randbytes, -1)


class Bad:
    def __eq__(self, other):
        raise ValueError("asked")


bad = slice(Bad(), 1)
print(bad == bad)
told(lambda: slice(Bad()) == slice(Bad()))
