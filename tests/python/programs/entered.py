"""What `with` calls, in what order, and what becomes of its answers."""

import contextlib
class M:
    def __init__(s, name, swallow=False, fail=None): s.name, s.swallow, s.fail = name, swallow, fail
    def __enter__(s):
        print("enter", s.name)
        if s.fail == "enter": raise ValueError("no way in")
        return s.name.upper()
    def __exit__(s, kind, error, trace):
        print("exit", s.name, kind and kind.__name__, error, trace is not None)
        if s.fail == "exit": raise KeyError("no way out")
        return s.swallow
with M("a") as a, M("b") as b: print(a, b)
with M("c", True): raise IndexError("inside")
print("on")
try:
    with M("d"), M("e", True, "exit"): raise IndexError("inside")
except KeyError as e: print(repr(e), repr(e.__context__))
try:
    with M("f", fail="enter"): print("never")
except ValueError as e: print(e)
def f(n):
    for i in range(n):
        with M(f"g{i}") as g:
            if i == 1: continue
            if i == 3: return g
            with M("h") as h: 
                if i == 2: break
    else: print("else")
    return "end"
print(f(2)); print(f(3)); print(f(5))
class T:
    def __bool__(s): print("asked"); return True
class W:
    def __enter__(s): return s
    def __exit__(s, *a): print(len(a), a[0]); return T()
with W() as w: 1 / 0
with W() as w: pass
class R:
    depth = 0
    def __init__(s, n): s.n = n
    def __enter__(s):
        if s.n: 
            with R(s.n - 1) as r: return r + 1
        return 0
    def __exit__(s, *a): R.depth += 1
with R(800 // 2) as r: print(r)
print(R.depth)
@contextlib.contextmanager
def g(x):
    print("before", x)
    try: yield x * 2
    except KeyError as e: print("took", e)
    finally: print("behind", x)
with g(1) as x: print(x)
with g(2) as x: raise KeyError("k")
try:
    with g(3): raise ValueError("v")
except ValueError as e: print(e)
for bad in (5, M, object()):
    try:
        with bad: pass
    except TypeError as e: print(e)
class NoExit:
    def __enter__(s): pass
try:
    with NoExit(): pass
except TypeError as e: print(e)
class E2:
    def __enter__(s, x): pass
    def __exit__(s): pass
try:
    with E2(): pass
except TypeError as e: print(e)
class E3:
    def __enter__(s): pass
    def __exit__(s): pass
try:
    with E3(): pass
except TypeError as e: print(e)
with contextlib.suppress(ZeroDivisionError): 1 / 0
with contextlib.ExitStack() as st:
    print(st.enter_context(M("i"))); st.callback(print, "called")
def gen():
    with M("j"):
        yield 1
        yield 2
for v in gen(): print(v); break
it = gen(); print(next(it)); it.close()
