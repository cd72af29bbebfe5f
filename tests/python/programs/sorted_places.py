"""Heaps, bisection and sorting of numbers, texts and tuples, and of what has no order; results that are remembered."""

import bisect, functools, heapq, itertools, random

@functools.lru_cache(maxsize=None)
def c(n, k=2, *, z=1): return n + k + z
print(c(1), c(1), c(1, 2), c(1, k=2), c(n=1), c(1, z=3), c.cache_info())
@functools.lru_cache(3, typed=True)
def d(x): return x
for v in (1, 1.0, True, 2, 3, 1): d(v)
print(d.cache_info())
class M:
    @functools.lru_cache
    def m(self, x): return x * 2
m = M(); print(m.m(3), m.m(3), M.m.cache_info())
random.seed(4)
for trial in range(200):
    kind = trial % 4
    mk = [lambda: random.randrange(20), lambda: random.random(), lambda: str(random.randrange(50)), lambda: (random.randrange(4), random.randrange(4))][kind]
    h1 = []
    log = []
    for _ in range(40):
        if random.random() < .6 or not h1: heapq.heappush(h1, mk())
        elif random.random() < .5: log.append(heapq.heappop(h1))
        elif random.random() < .5: log.append(heapq.heapreplace(h1, mk()))
        else: log.append(heapq.heappushpop(h1, mk()))
    x = [mk() for _ in range(random.randrange(20))]
    heapq.heapify(x)
    s = sorted(x + h1)
    v = mk()
    t = s[:]; bisect.insort(t, v); bisect.insort_left(t, v, 1)
    print(h1, log, x, bisect.bisect(s, v), bisect.bisect_left(s, v), bisect.bisect(s, v, 2, len(s) // 2 + 2), t)
mixed = [1, 2.5, True, 0.5]
heapq.heapify(mixed); heapq.heappush(mixed, 1.5); print(mixed, bisect.bisect([1, 2.5, 3], 2))
try: heapq.heappush([1], 'a')
except TypeError as e: print(e)
try: heapq.heappop([])
except IndexError as e: print(e)
nan = float('nan')
hn = [nan, 1.0, 2.0]; heapq.heapify(hn); heapq.heappush(hn, 0.5); heapq.heappush(hn, nan); print(hn)
try: bisect.bisect([1, 2], 1, 0, 5)
except IndexError as e: print(e)
try: bisect.bisect([1, 2], 1, -1)
except ValueError as e: print(e)
print(bisect.bisect((1, 2, 3), 2), bisect.bisect("abc", "b"), bisect.bisect_left([1, 2, 3], 2, key=lambda v: -v))
for r in (list(itertools.combinations("abcd", 2)), [p for p in itertools.permutations(range(3))], list(itertools.product("ab", repeat=2)), list(itertools.combinations_with_replacement((1, 2), 2))): print(r)
print([a + b for a, b in itertools.combinations(range(4), 2)], [a for a, in itertools.combinations(range(3), 1)], list(itertools.permutations([], 0)))
p = [5, 1, 4, 2]
for a in sorted([(1, 'b'), (1, 'a'), (0, 'z')]), sorted([(1, 2.0), (1, 1)]), sorted([("a", (1, 2)), ("a", (1, 1))]), min([(2, 1), (1, 5)]), max((1, 'x'), (1, 'y')): print(a)
try: sorted([(1, 'a'), (1, 2)])
except TypeError as e: print(e)
p[: 3] = p[2::-1]; print(p)
