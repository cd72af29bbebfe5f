# copy: objects, what says how it is copied, and what holds itself.
import copy
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from enum import Enum


class Plain:
    def __init__(self, x):
        self.x, self.me = x, self


a = Plain([1, [2]])
b, c = copy.copy(a), copy.deepcopy(a)
print(b is a, b.x is a.x, b.me is a, type(b).__name__)
print(c.x is a.x, c.x, c.me is c, c.x[1] is a.x[1])
c.x[1].append(3)
print(a.x, c.x)


class Own:
    def __init__(self, x):
        self.x = x

    def __copy__(self):
        return Own(("copied", self.x))

    def __deepcopy__(self, memo):
        made = Own(copy.deepcopy(self.x, memo))
        memo[id(self)] = made
        return made


shared = [1]
o = Own(shared)
print(copy.copy(o).x, copy.deepcopy(o).x is shared)
pair = copy.deepcopy([o, shared, o])
print(pair[0] is pair[2], pair[0].x is pair[1])


class Rows(list):
    pass


r = Rows([[1], [2]])
r.name = ["n"]
s, t = copy.copy(r), copy.deepcopy(r)
print(type(s).__name__, s == r, s[0] is r[0], s.name is r.name, t == r, t[0] is r[0], t.name is r.name)
s.append(3)
print(len(r), len(s))


@dataclass(frozen=True)
class Point:
    x: int
    tags: list = field(default_factory=list)


p = Point(1, ["a"])
q = copy.deepcopy(p)
print(q, q == p, q is p, q.tags is p.tags)


class Color(Enum):
    RED = 1


print(copy.copy(Color.RED) is Color.RED, copy.deepcopy({"c": Color.RED})["c"] is Color.RED)
N = namedtuple("N", "a b")
n = copy.deepcopy(N([1], 2))
print(n, type(n).__name__)
for value in (deque([[1], [2]], maxlen=5), defaultdict(list, a=[1]), Counter("aab"), OrderedDict(a=[1])):
    made, whole = copy.copy(value), copy.deepcopy(value)
    print(made, whole, made == value == whole, made is value, whole is value)
d = deque([[1]])
e = copy.deepcopy(d)
e[0].append(2)
print(d, e, copy.copy(d)[0] is d[0])
error = ValueError("no", [1])
error.note = [1]
again = copy.copy(error)
print(repr(again), again is error, again.note is error.note)
print(copy.deepcopy({(1, 2): {3}, "f": frozenset([4])}))


def gen():
    yield 1


for value in (gen(),):
    try:
        copy.deepcopy([value])
    except TypeError as wrong:
        print(wrong)
