"""What the loop over frequent operations does by itself: calls, generators, classes, loops, slices, texts."""

def gen(n):
    i = 0
    while i < n:
        got = yield i
        if got is not None: print("got", got)
        i += 1
    return "end"
print(list(gen(3)), sum(gen(5)))
for x in gen(3): print(x, end=" ")
print()
g = gen(3)
print(next(g), g.send("hi"), next(g))
try: next(g)
except StopIteration as e: print("stop", e.value)
def outer():
    r = yield from gen(2)
    print("r", r)
    yield from [7, 8]
print([x for x in outer()])
def nested(d):
    if d:
        yield from nested(d - 1)
        yield d
        yield from nested(d - 1)
for x in nested(3): print(x, end="")
print()
class P:
    def __init__(self, x, y=2):
        self.x = x
        self.y = y
    @property
    def s(self): return self.x + self.y
    def m(self, k, *, z=1): return self.x + k + z
    def d(self, k=5): return self.x * k
t = 0
for i in range(100):
    p = P(i)
    t += p.s + p.m(i) + p.m(i, z=3) + p.d() + p.d(2) + P(1, y=i).s + P(y=1, x=i).x
print(t)
def swap(a, b):
    a, b = b, a
    a, b = a + b, a - b
    (a, b), c = (b, a), a
    return a, b, c
print(swap(1, 2))
for a, b in [(1, 2), (3, 4)]:
    print(a, b)
def loop(ps):
    s = []
    for a, b in ps: s.append(a + b)
    for i, (a, b) in enumerate(ps): s.append(i * a - b)
    for k, v in {1: 2, "a": 3}.items(): s.append((k, v))
    for c in "héllo": s.append(c)
    for a, b in zip("ab", range(9)): s.append((a, b))
    for x in {3}: s.append(x)
    return s
print(loop([(1, 2), (3, 4)]))
def sl(l, t, s):
    return l[1:], l[:-1], l[-2:], l[5:2], l[1:3], t[1:], t[:0], s[1:3], s[-3:], s[:], l[::2], l[-100:100]
print(sl([1, 2, 3, 4], (1, 2, 3), "abcdef"), sl([], (), ""))
d = {}
for i in range(30): d[i % 7] = d.get(i % 7, 0) + 1
print(d, 3 in d, "x" in d, 9 not in d, 2 in {1, 2}, "bc" in "abcd", 1 in [1])
def conv():
    out = []
    for v in (0, 1, -5, 10**18, -10**18): out.append(f"{v}:{str(v)}:{v + 1}")
    return out
print(conv())
print("".join(str(i) for i in range(30)), "x" * 40 + "y", ("ab" * 20)[5:30])
s = ""
for i in range(100): s += str(i)
print(s, len(s))
def tr():
    r = []
    for i in range(5):
        try:
            if i == 1: raise ValueError("a", i)
            if i == 2: raise KeyError(i)
            if i == 3: {}[i]
            r.append(i)
        except KeyError as e: r.append(("k", e.args))
        except ValueError as e: r.append(("v", str(e)))
        else: r.append("else")
        finally: r.append("f")
    return r
print(tr())
print([1, 2] * 3, (1,) * 5, [None] * 3, "ab" * 3, [[1]] * 2, [1, 2, 3] * 200 == [1, 2, 3] * 200, len([1, 2, 3] * 1000))
def defaults(a, b=1, *args, c=2, **kw): return a, b, args, c, kw
print(defaults(1), defaults(1, 2, 3, c=4, d=5), defaults(*[1, 2], **{"c": 3}))
def cellp(a, b=10):
    def inner(): return a + b
    return inner
print(cellp(1)(), cellp(1, 2)(), cellp(b=3, a=4)())
print(2 ** 10, 2 ** 62, (-2) ** 3, 2 ** -1, 1 << 5, 1 << 62, -1 << 63, 5 >> 1)
print(min(1, 2), max(1.5, 2.5), abs(-3), len("äö"), int("5"), float(3), isinstance(True, int), ord("a"), "a,b".split(","), " x ".strip(), "Ab".upper(), "abc".find("c"))
if "": print("bad")
if [0]: print("ok")
if 0.0: print("bad")


def changing():
    items = [1, 2, 3]
    for item in items:
        if len(items) < 6:
            items.append(item * 10)
    held = {1: 2, 3: 4}
    try:
        for key in held:
            held[key + 10] = 1
    except RuntimeError as error:
        items.append(str(error))
    pairs = zip(items, "abc")
    for item, letter in pairs:
        if letter == "b":
            break
    items.append(next(pairs))
    counted = enumerate("xyz", 5)
    for at, letter in counted:
        if at == 6:
            break
    return items, list(counted), held


def unpacked(source):
    found = []
    try:
        for a, b in source:
            found.append((a, b))
    except (TypeError, ValueError) as error:
        found.append(str(error))
    return found


class Field:
    def step(self):
        return "method"


def shadowed():
    one, other = Field(), Field()
    other.step = lambda: "field"
    return [it.step() for it in (one, other, one, other)]


class Watched:
    count = 0

    @property
    def twice(self):
        Watched.count += 1
        return self.count * 2

    def __len__(self):
        return 4


def watched():
    it = Watched()
    total = 0
    for _ in range(70):
        total += it.twice + len(it)
    it.__dict__["count"] = 100
    return total, it.twice


def interrupted():
    def numbers():
        try:
            yield 1
            yield 2
        finally:
            ended.append("finally")

    ended = []
    for number in numbers():
        break
    kept = numbers()
    next(kept)
    kept.close()
    try:
        for number in numbers():
            raise KeyError(number)
    except KeyError as error:
        ended.append(error.args)
    return ended


def raised_inside():
    def numbers():
        yield 1
        raise ValueError("inside")

    found = []
    try:
        for number in numbers():
            found.append(number)
    except ValueError as error:
        found.append(str(error))
    it = numbers()
    next(it)
    try:
        next(it)
    except ValueError:
        found.append(list(it))
    return found


def itself():
    def numbers():
        yield from it

    it = numbers()
    try:
        return list(it)
    except ValueError as error:
        return str(error)


def deep(depth):
    if depth:
        yield from deep(depth - 1)
    yield depth


print(changing(), unpacked([(1, 2), (3,)]), unpacked([(1, 2), 5]), unpacked(["ab", [1, 2]]))
print(shadowed(), watched(), interrupted(), raised_inside(), itself(), sum(deep(200)))
