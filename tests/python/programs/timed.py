# time, gc, random with any seed, and sys.
import gc
import random
import sys
import time

a = time.perf_counter()
b = time.monotonic()
c = time.perf_counter_ns()
time.sleep(0.01)
print(time.perf_counter() - a >= 0.01, time.monotonic() >= b + 0.01, time.perf_counter_ns() - c >= 10_000_000, time.process_time() > 0)
print(isinstance(time.time(), float), isinstance(time.time_ns(), int), time.time() > 1.6e9)
t = time.gmtime(0)
print(t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_wday, t.tm_yday, t[0], len(t), tuple(t))
print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(1700000000)), time.asctime(time.gmtime(0)))
print(time.strftime("%a %A %b %B %d %j %I %p %y %%", time.gmtime(1700000000)))
try:
    time.sleep(-1)
except ValueError as e:
    print(e)
print(gc.isenabled(), gc.disable(), gc.isenabled(), gc.enable(), gc.isenabled())
print(isinstance(gc.collect(), int))
for seed in (0, 1, -5, 3.5, "text", "ünï", "", 2**40, True):
    random.seed(seed)
    print(repr(seed), random.random(), random.randint(1, 1000))
random.seed("shuffle")
items = list(range(10))
random.shuffle(items)
print(items, random.sample(range(100), 5), random.choices("abc", weights=[5, 1, 1], k=8), random.choice("xyz"))
print(random.gauss(0, 1), random.uniform(1, 2), random.betavariate(1, 2), random.expovariate(1.5), random.triangular(0, 1, 0.5))
r = random.Random("own")
state = r.getstate()
x = r.random()
r.setstate(state)
print(x == r.random(), r.sample(["a", "b", "c"], k=2), r.sample("ab", counts=[2, 3], k=4))
for wrong in [lambda: random.seed([1]), lambda: random.choice([]), lambda: random.sample([1], 2), lambda: random.randint(2, 1), lambda: random.choices([], k=1)]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
print(sys.version_info[:2] >= (3, 11), sys.maxsize, sys.getrecursionlimit())
