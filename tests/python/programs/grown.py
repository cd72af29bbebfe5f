"""Sets, counters and lists that grow and shrink in place, by a few and by many."""

import random
from collections import Counter, OrderedDict

random.seed(11)
shown = lambda s: (type(s).__name__, len(s), sorted(s, key=lambda v: (str(type(v)), v)))
for turn in range(120):
    size = random.choice((0, 1, 7, 8, 9, 40, 300))
    a = set(random.sample(range(400), size))
    same = a
    b = random.choice(
        [
            {random.randrange(400)},
            frozenset(random.sample(range(400), 30)),
            [random.randrange(400) for _ in range(random.choice((0, 3, 200)))],
            dict.fromkeys(range(5)),
            range(390, 410),
            (x * x for x in range(20)),
        ]
    )
    if not isinstance(b, (set, frozenset)):
        kind = turn % 4
        if kind == 0: a.update(b)
        elif kind == 1: a.difference_update(b)
        elif kind == 2: a.symmetric_difference_update(b)
        else: a.intersection_update(b)
    else:
        kind = turn % 4
        if kind == 0: a |= b
        elif kind == 1: a -= b
        elif kind == 2: a ^= b
        else: a &= b
    print(kind, shown(a), a is same)
s = {1, 2, 3}
s.update([4], (5, 6), {7: 8}, "ab")
s.difference_update([1], {2}, [])
print(shown(s))
s = {1, True, 1.0, 2}
s |= {True, 2.0, 3}
print(s == {1, 2, 3}, [type(x).__name__ for x in s if x == 1])
s |= s
s -= s
print(s)
s.update()
s ^= {1}
s.symmetric_difference_update(s)
print(s)
for bad in (5, None, [[1]]):
    s = {0}
    for name in ("update", "difference_update", "symmetric_difference_update", "intersection_update"):
        try: getattr(s, name)([9], bad) if name in ("update", "difference_update") else getattr(s, name)(bad)
        except TypeError as e: print(name, e, sorted(s))
try: s |= [1]
except TypeError as e: print(e)
try: s -= 5
except TypeError as e: print(e)
class K:
    def __init__(self, v): self.v = v
    def __hash__(self): return 1
    def __eq__(self, other): return isinstance(other, K) and self.v == other.v
    def __repr__(self): return f"K{self.v}"
s = {K(1), K(2)}
s |= {K(2), K(3)}
s -= {K(1)}
s ^= {K(3), K(4)}
print(sorted(s, key=lambda k: k.v))
def visits(n):
    seen, queue = {0}, {0}
    while queue:
        new = {(x * 2 + k) % n for x in queue for k in (0, 1)}
        new -= seen
        seen |= new
        queue = new
    return len(seen)
print(visits(2000))
c = Counter()
for turn in range(40):
    c.update(random.choices("abcdef", k=3))
    if turn % 5 == 0: c.subtract({"a": 1, "z": 2})
    if turn % 7 == 0: c.update(b=10, y=0)
print(sorted(c.items()))
c = Counter("abca")
c.update(c)
c.subtract(c)
print(c, Counter(a=1) | Counter(a=3, b=1))
c = Counter(x=1.5)
c.update({"x": 2, "y": 0.25}); c.subtract(["x"]); print(sorted(c.items()))
try: c.update({"x": "text"})
except TypeError as e: print(e)
try: c.update([[1]])
except TypeError as e: print(e)
class C2(Counter): pass
c = C2("aab"); c.update("b"); print(c)
k = Counter({K(1): 2}); k.update([K(1), K(2)]); print(sorted(k.items(), key=lambda p: p[0].v))
for turn in range(150):
    l = list(range(random.choice((0, 1, 5, 20, 100))))
    part = slice(*(random.choice((None, random.randrange(-25, 25))) for _ in range(2)), random.choice((None, None, 1, -1, 2, -3)))
    del l[part]
    print(part, l)
l = list(range(50))
for i in range(10):
    del l[-2:]
    del l[:1]
    del l[3:3]
print(l)
d = OrderedDict.fromkeys("abc"); d |= {"d": 1}; print(d)
d = {x: 0 for x in range(100)}
print(d.keys() & {1, 200, 5}, {7, 300} & d.keys(), d.keys() & set(range(90, 120)) == set(range(90, 100)), {}.keys() & {1}, d.keys() & {K(1)}, d.keys() & [1, 2], d.keys() & {}.keys(), d.items() & {(1, 0)})
c = Counter(a=1); c.update({"a": 1}, b=2); c.subtract({"a": 5}, z=1); print(sorted(c.items()))
print(sorted(Counter({"a": 2}, a=3, b=1).items()), sorted(Counter("ab", a=5).items()), Counter({"a": "x"}))
c = Counter(); c.update("aa", a=2, self=4); c.update(None, q=1); c.subtract(); print(sorted(c.items()))
try: c.update({"a": 1}, b=[])
except TypeError as e: print(e)
s, turns = {1, 2, 3}, 0
while s: s.pop(); turns += 1
print(turns, not s, bool({0}), bool(frozenset()), [1 if x else 0 for x in (set(), {0}, "", 0.0, None)])
