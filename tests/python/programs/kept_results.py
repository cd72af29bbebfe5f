# Functions that keep their results: what they answer, count, forget, and when they run at all.
import functools
from functools import cache, lru_cache

ran = []


@lru_cache(maxsize=None)
def double(x):
    ran.append(x)
    return x * 2


print([double(x) for x in (1, 2, 1, 1.0, True, 2, "a", "a", 2.5, None if False else 3)])
print(ran, double.cache_info())
double.cache_clear()
print(double.cache_info(), double(1), double.cache_info())


@lru_cache(maxsize=3)
def few(*args):
    ran.append(args)
    return args


ran.clear()
for call in [(1,), (2,), (3,), (1,), (4,), (2,), (1,), (1, 2), (), (), ("x", 1.5, None, True), ("x", 1.5, None, True)]:
    few(*call)
print(ran, few.cache_info())
ran.clear()
for x in [1, 2, 3, 1, 1, 4, 1, 2, 3, 4, 4, 3]:
    few(x)
print(ran, few.cache_info())


@lru_cache(maxsize=0)
def never(x):
    ran.append(x)
    return x


ran.clear()
never(1), never(1)
print(ran, never.cache_info())


@lru_cache(typed=True)
def typed(x):
    ran.append(x)
    return type(x).__name__


ran.clear()
print(typed(1), typed(1.0), typed(True), typed(1), ran, typed.cache_info())


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(80), fib.cache_info())
for n in range(3):
    print(fib(80), fib(n=5), fib(n=5), fib.cache_info())


@cache
def fails(x):
    ran.append(x)
    if x < 0:
        raise ValueError(x)
    return [x]


ran.clear()
for x in (-1, -1, 1, 1):
    try:
        fails(x).append(x)
    except ValueError as error:
        print("failed", error)
print(ran, fails(1), fails.cache_info())


class Grid:
    def __init__(self, size):
        self.size = size

    @lru_cache
    def ways(self, x, y):
        return 1 if x == 0 or y == 0 else self.ways(x - 1, y) + self.ways(x, y - 1)


grid = Grid(5)
print(grid.ways(6, 6), Grid.ways.cache_info())
print(grid.ways(6, 6), Grid.ways.cache_info().hits)


class Same:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Same) and self.x == other.x

    def __hash__(self):
        return hash(self.x)


@cache
def of(x):
    ran.append("of")
    return x


ran.clear()
print(of(Same(1)) is of(Same(1)), of(1), of(Same(2)) is of(1), of(1), of((1, 2)), of((1, 2)), len(ran), of.cache_info())
try:
    of([1])
except TypeError as error:
    print(error)


def outer(k):
    @cache
    def inner(x):
        return x + k
    return inner


one, ten = outer(1), outer(10)
print([f(x) for f in (one, ten) for x in (1, 2, 1)], one.cache_info(), ten.cache_info())
wrapped = functools.wraps(one)(lambda *a: one(*a))
print(wrapped(1), one.__wrapped__(5), list(map(one, [1, 2, 3])), sorted([3, 1, 2], key=ten), one.cache_info())
nan = float("nan")
print(of(nan) is not None, of(0.0), of(-0.0), of(False))


@lru_cache(maxsize=2)
def nested(x):
    return nested(x - 1) + 1 if x else 0


print(nested(10), nested(10), nested(9), nested.cache_info())
total = 0
for i in range(2000):
    total += double(i % 7)
print(total, double.cache_info())
