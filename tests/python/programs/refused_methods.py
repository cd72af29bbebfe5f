"""Methods that are None, and errors of `__iter__` where values are unpacked."""

class N:
    __iter__ = None
    __contains__ = None
    __reversed__ = None
    __len__ = None
    __getitem__ = None
    __call__ = None
    __enter__ = None
    __exit__ = None
    __add__ = None
    __eq__ = None
    __lt__ = None
    __bool__ = None
    __neg__ = None
    __setitem__ = None
    __hash__ = None
    __index__ = None
    __int__ = None
    __float__ = None
    __next__ = None
    __abs__ = None
    __iadd__ = None
    __delitem__ = None
    __round__ = None
    __format__ = None
    __repr__ = None
n = N()
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for f in [lambda: list(n), lambda: 1 in n, lambda: reversed(n), lambda: len(n), lambda: n[0], lambda: n(), lambda: n + 1, lambda: 1 + n, lambda: n == 1, lambda: n < 1, lambda: not n, lambda: -n, lambda: hash(n), lambda: [1][n], lambda: int(n), lambda: float(n), lambda: next(n), lambda: abs(n), lambda: round(n), lambda: iter(n), lambda: n == n, lambda: n != 1, lambda: dict(n), lambda: f"{n}", lambda: repr(n), lambda: sum(n), lambda: bool(n), lambda: range(n), lambda: [*n], lambda: {**n}, lambda: max(n), lambda: enumerate(n), lambda: zip(n), lambda: set([n])]: t(f)
def s(): n[0] = 1
def d(): del n[0]
def i():
    global n
    n += 1
def w():
    with n: pass
def l():
    for x in n: pass
for f in (s, d, i, w, l): t(f)

class OA:
    def __iter__(s): raise LookupError("own")
class OB:
    def __iter__(s): raise TypeError("own type")
class OC:
    def __iter__(s): return 5
for o in (OA(), OB(), OC(), 5, None):
    try: a, b = o
    except Exception as e: print(type(e).__name__, e)
    try: a, *b = o
    except Exception as e: print(type(e).__name__, e)
    try: print([*o])
    except Exception as e: print(type(e).__name__, e)
    try:
        for x, y in o: pass
    except Exception as e: print(type(e).__name__, e)
    try:
        for x, y in [o]: pass
    except Exception as e: print(type(e).__name__, e)
