# Methods of built-in types where their receivers stand, and functions that are called back.
from collections import deque


def names():
    l = [1, 2, 3]
    l = l.copy()
    l.append(l.pop())
    l.append(len(l))
    s = "  a,b  "
    s = s.strip()
    s = s.replace(",", s).upper()
    t = s
    t = t.split(t[1])
    l.append(l.copy())
    l[4].append(l.count(1))
    l.append(l)
    return s, t, l[:5], l[5] is l, len(l.pop())


print(names())


def walrus():
    l = [1]
    kept = l
    l.append(len(l := [7, 8]))
    return kept, l, kept.count(l := 1), l


print(walrus())


def shared():
    l = []

    def other():
        nonlocal l
        l = ["new"]
        return 1

    kept = l
    l.append(other())
    return kept, l


print(shared())


def kinds(values):
    found = []
    for value in values:
        try:
            found.append(value.count(1))
        except (AttributeError, TypeError) as error:
            found.append(str(error))
    return found


print(kinds([[1, 1], (1,), "1", "a", deque([1, 2, 1]), {1}, range(3), None, [], [True, 1.0]]))


def deep(value, rest):
    # The same place meets another type while its arguments are computed.
    return value.count(deep(*rest) if rest else 1)


print(deep([0, 1], ((1, 0), ((0, 0, 1), ()))), deep([0], ([1], ())))


def failing():
    l = []
    said = []
    for ask in (l.pop, lambda: l.append({}["no"]), lambda: l.append(1, 2)):
        try:
            ask()
        except Exception as error:
            said.append(type(error).__name__)
    try:
        l.pop()
    except IndexError as error:
        said.append(str(error))
    try:
        l.append({}["no"])
    except KeyError as error:
        said.append(str(error))
    try:
        l.appendd(said.append("not computed"))
    except AttributeError as error:
        said.append(str(error))
    try:
        l.append()
    except TypeError:
        said.append("TypeError")
    l.append(said.count("IndexError"))
    return said, l


print(failing())


def waiting():
    l = []
    while True:
        l.append((yield l.copy()))
        if len(l) > 3:
            return l


def drive():
    w = waiting()
    seen = [next(w)]
    try:
        for i in range(9):
            seen.append(w.send(i))
    except StopIteration as stop:
        seen.append(stop.value)
    return seen


print(drive())


class Stack(list):
    def append(self, item):
        super().append((item, len(self)))


class Holder:
    def __init__(self):
        self.items = []
        self.known = {}

    def add(self, *items):
        for item in items:
            self.items.append(item)
            self.known[item] = self.known.get(item, 0) + 1
        return self

    def get(self, key, default=None):
        return self.known.get(key, default)


def objects():
    found = []
    for l in ([], Stack(), deque(), []):
        l.append(1)
        l.append(l.copy() if isinstance(l, list) else 2)
        found.append(list(l))
    h = Holder().add(1, 2, 1)
    for d in ({1: "one"}, h, {2: "two"}):
        found.append((d.get(1), d.get(3, "none")))
    return found


print(objects())
print("a b".split(), (2.5).is_integer(), [x.upper() for x in "abc"], {k.strip(): k for k in [" a "]})


def plus(a, b=10, *rest, c=1):
    return a + b + sum(rest) + c


def called():
    n = 3

    def by(x):
        return (x % n, -x)

    def inner(x):
        return sorted(range(x), key=lambda y: sorted(range(y), key=by)[:1])

    found = [sorted(range(7), key=by), inner(5), list(map(plus, [1, 2], [3, 4]))]
    found.append(list(map(lambda x, y=2: x * y, range(3))))
    found.append(list(filter(lambda x: [z for z in range(x) if z == n], range(6))))
    found.append(list(map(by, filter(None, [0, 1, 2]))))
    try:
        sorted([3, 0, 1], key=lambda x: {3: 1, 1: 2}[x])
    except KeyError as error:
        found.append(str(error))
    try:
        list(map(lambda x, y: x, [1]))
    except TypeError as error:
        found.append(str(error))
    found.append(sorted("bca", key=str.upper))

    def counter():
        nonlocal n
        n += 1
        return n

    found.append([next(iter(counter, 6)), n])
    return found


print(*called(), sep="\n")


def gives(n):
    for i in range(n):
        yield i, lambda: i


def taken():
    all_of = list(gives(3))
    return [i for i, _ in all_of], [f() for _, f in all_of], sum(x for x in map(abs, [-1, 2])), max(
        (y for y in range(5)), key=lambda y: -y
    )


print(taken())


def by_name(a, b=2, *, c=3, d=4):
    inner = lambda: (a, b, c, d)
    return inner()


def stars(*args, **more):
    return args, more


def spread():
    t, d = (1, 2), {"c": 5}
    return [
        by_name(1, c=2),
        by_name(c=1, a=2),
        by_name(*t, **d),
        by_name(*t),
        by_name(0, *[1]),
        stars(*t, 3, *t),
        stars(*t),
        stars(*range(2)),
        by_name(d=t, a=d),
    ]


print(*spread(), sep="\n")
print([a % b for a in (7, -7, 2**40, -(2**40), 0, 2**62) for b in (3, 1, 2**33, -3, 2**62)])
