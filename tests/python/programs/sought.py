"""`all` and `any` of generator expressions, whatever the names mean."""

def gen_err():
    yield 1
    raise ValueError("x")
print(all(x for x in [1,2,3]), any(x for x in []), all(x for x in []), any(not x for x in (1,0)))
try: print(any(x > 5 for x in gen_err()))
except ValueError as e: print("VE", e)
def stop(): raise StopIteration(3)
try: print(all(stop() for x in [1]))
except RuntimeError as e: print("RE", e, repr(e.__cause__))
def f(n, xs):
    k = 3
    return any(x == n and k for x in xs if all(y < x for y in range(k)))
print(f(5, range(10)), f(1, range(10)))
def shadow():
    all = list
    return all(x for x in range(3))
print(shadow())
all_ = all
def g(): return all(x for x in range(3))
print(g())
all = sum
print(g())
del all
print(g(), all(x for x in [True]))
class B:
    def __init__(s, v): s.v = v
    def __bool__(s): print("bool", s.v); return s.v
print(any(B(v) for v in (False, True, True)))
print(any([x for x in (0, 1)]), any((y := x) for x in (0, 4)), y)
def deep(n): return n == 0 or any(deep(n - 1) for _ in range(1))
print(deep(300))
def h(*a, **k): return [any(v is w for w in k.values()) for v in a]
print(h(1, 2, z=2))
try: all(x for x in 5)
except TypeError as e: print(e)
try: any(x.foo for x in [1])
except AttributeError as e: print(e)
print(next((i for i in range(5) if any(j == i for j in (3, 4))), None))
lst = []
print(all(lst.append(x) or x < 3 for x in range(10)), lst)
