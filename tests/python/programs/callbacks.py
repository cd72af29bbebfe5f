# Functions that built-in ones call for each of many items, and iterators that they take whole.
from collections import Counter, OrderedDict, defaultdict
from functools import reduce


def attempt(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, error)


# A callback that fails leaves what came before it, and the next call starts anew.
def fragile(x):
    if x == 3:
        raise ValueError(f"no {x}")
    return -x


attempt(lambda: sorted([1, 2, 3, 4], key=fragile))
attempt(lambda: sorted([1, 2, 4], key=fragile))
attempt(lambda: list(map(fragile, [1, 2, 3, 4])))
attempt(lambda: reduce(lambda a, b: a + fragile(b), [1, 2, 3]))
it = map(fragile, [1, 3, 2])
print(next(it))
attempt(lambda: list(it))
print(list(it), list(it))


# Callbacks inside callbacks, with defaults, variables around and cells of their own.
def around(n):
    seen = []

    def key(x, by=2):
        seen.append(x)
        inner = [lambda: x + n]
        return sorted(map(lambda y: y % by, range(x)), key=lambda z: -z)[:1] + [inner[0]()]

    return sorted(range(4), key=key, reverse=True), seen


print(around(3), around(5))
print(list(map(lambda x: list(filter(lambda y: y % x, range(5))), range(1, 4))))
print(max([3, 1, 2], key=lambda x: -x), min("bca", key=lambda c: -ord(c)), max([[1], [2, 3]], key=len))
print(sorted("b a C".split(), key=str.lower), sorted([3, -2, 1], key=abs), list(map(str, [1, 2.5, None])))
print(reduce(max, [3, 1, 4]), list(map(divmod, [7, 8], [2, 3])), list(map(pow, [2, 3], [3, 2], [5, 7])))
print(list(map(lambda a, b=1, *c: (a, b, c), "ab", "cd", "ef")), list(map(lambda *a: a, [1], [2])))
print(sum(map(lambda x: x / 2, range(4))), any(map(lambda x: x > 2, range(9))), all(filter(None, [1, 0, 2])))


# What has been seen is gone, and no more is taken than is wanted.
taken = map(lambda x: print("asked for", x) or x, range(6))
print(any(map(lambda x: x > 1, taken)), next(taken))
a, b, *rest = filter(lambda x: x % 2, range(9))
print(a, b, rest)
attempt(lambda: (lambda a, b: a)(*map(abs, [-1, -2, -3])))


# An iterator that is asked for items while it gives one.
class Sum:
    def __init__(self, of):
        self.of = of

    def __radd__(self, other):
        return other + self.of + next(numbers, 0)


numbers = map(lambda x: Sum(x) if x % 2 else x, range(1, 6))
attempt(lambda: sum(numbers))


# Generators, classes and methods as callbacks; one that changes what it goes through.
def doubled(items):
    for item in items:
        yield from (item, item)


class Key:
    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return other.x < self.x

    def keyed(self, x):
        return self.x * x


print(sorted([1, 3, 2], key=Key), sorted([1, -3, 2], key=Key(-1).keyed), list(map(doubled, [[1]]))[0].send(None))
print(list(map(sum, doubled([[1], [2]]))), list(zip(doubled([1]), map(lambda x: x, doubled([2])))))
growing = [1]
print(list(map(lambda x: growing.append(x + 1) or x if x < 4 else x, growing)), growing)
shrinking = {1: 1, 2: 2}
attempt(lambda: list(map(lambda x: shrinking.pop(x), shrinking)))


def deep(n):
    return n and sorted([n], key=lambda x: deep(x - 1)) and list(map(deep, [n - 1]))[0]


print(deep(8))


def endless(n):
    return max([n], key=endless)


try:
    endless(1)
except RecursionError as error:
    print("RecursionError")


# Loops over pairs: what the loop's variables hold when it ends.
x, y = "before", "it"
for x, y in zip([1, 2, 3], [4]):
    pass
print(x, y)
for x, y in zip(doubled([1]), "ab"):
    print(x, y, end=" ")
for i, (k, v) in enumerate({"a": 1, "b": 2}.items()):
    print(i, k, v, end=" ")
for a, b, c in zip([1], (2,), {3}):
    print(a, b, c)
for k, v in {1: (2, 3)}.values():
    print(k, v)


# Counts, and the dictionaries of the library.
class Odd:
    def __eq__(self, other):
        return other == 1

    def __hash__(self):
        return 1


count = Counter([1, Odd(), True, 1.0, "a", "a", (1, 2), (1, 2)])
print(sorted(count.values()), count[1], count["a"], count["b"], len(count))
count.subtract(["a", 1, "new"])
count.update(x for x in (1, 1, "b"))
print(count[1], count["a"], count["new"], count["b"])
count["a"] += 5
count[2] -= 1
print(count["a"], count[2], 3 in count)
lists, ordered = defaultdict(list), OrderedDict()
lists["x"] += [1]
lists["x"] += [2]
ordered["b"] = 1
ordered["a"] = 2
ordered["b"] += 5
print(dict(lists), ordered["b"], list(ordered))
