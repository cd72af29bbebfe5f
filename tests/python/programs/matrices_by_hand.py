# matrix class with operators, format, class_getitem, slots
from __future__ import annotations
from fractions import Fraction
import operator
from functools import singledispatch, singledispatchmethod, partialmethod, wraps, cached_property
from numbers import Number

class Matrix:
    __slots__ = ("rows", "_t")
    def __init__(self, rows):
        self.rows = tuple(tuple(r) for r in rows)
        if len({len(r) for r in self.rows}) > 1: raise ValueError("ragged")
    def __class_getitem__(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0]) if self.rows else 0
    @property
    def T(self):
        try: return self._t
        except AttributeError:
            self._t = type(self)(zip(*self.rows))
            return self._t
    def __getitem__(self, key):
        match_ = isinstance(key, tuple)
        if match_:
            i, j = key
            if isinstance(i, slice) or isinstance(j, slice):
                i = i if isinstance(i, slice) else slice(i, i + 1)
                j = j if isinstance(j, slice) else slice(j, j + 1)
                return Matrix([r[j] for r in self.rows[i]])
            return self.rows[i][j]
        return self.rows[key]
    def __matmul__(self, o):
        if not isinstance(o, Matrix): return NotImplemented
        return Matrix([[sum(map(operator.mul, r, c)) for c in o.T.rows] for r in self.rows])
    def __mul__(self, k):
        if isinstance(k, Number): return Matrix([[x * k for x in r] for r in self.rows])
        return NotImplemented
    __rmul__ = __mul__
    def __add__(self, o):
        if not isinstance(o, Matrix): return NotImplemented
        return Matrix([map(operator.add, a, b) for a, b in zip(self.rows, o.rows, strict=True)])
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + -o
    def __pow__(self, n, mod=None):
        out, base = Matrix[len(self.rows)], self
        while n:
            n, bit = divmod(n, 2)
            if bit: out = out @ base
            base = base @ base
            if mod: out, base = out % mod, base % mod
        return out
    def __mod__(self, m): return Matrix([[x % m for x in r] for r in self.rows])
    def __eq__(self, o): return isinstance(o, Matrix) and self.rows == o.rows
    def __hash__(self): return hash(self.rows)
    def __bool__(self): return any(any(r) for r in self.rows)
    def __round__(self, n=None): return Matrix([[round(x, n) for x in r] for r in self.rows])
    def __abs__(self): return max(abs(x) for r in self.rows for x in r)
    def __repr__(self): return f"{type(self).__name__}({[list(r) for r in self.rows]!r})"
    def __format__(self, spec):
        sep, _, num = spec.rpartition("|")
        sep = sep or " "
        cells = [[format(x, num) for x in r] for r in self.rows]
        w = [max(map(len, c)) for c in zip(*cells)]
        return "\n".join(sep.join(c.rjust(n) for c, n in zip(r, w)) for r in cells)
    def det(self):
        m, sign = [[Fraction(x) for x in r] for r in self.rows], 1
        for k in range(len(m)):
            p = next((i for i in range(k, len(m)) if m[i][k]), None)
            if p is None: return Fraction(0)
            if p != k: m[k], m[p], sign = m[p], m[k], -sign
            for i in range(k + 1, len(m)):
                f = m[i][k] / m[k][k]
                m[i] = [a - f * b for a, b in zip(m[i], m[k])]
        out = Fraction(sign)
        for k in range(len(m)): out *= m[k][k]
        return out

a = Matrix([[1, 2], [3, 4]])
print(a @ a, 2 * a, a * 0.5, a - a, bool(a - a), a ** 10, pow(a, 10, 7), a.T, a.T is a.T)
print(f"{a * 1.5:,|.2f}"); print(f"{Matrix([[100, 2], [3, 40]]):d}"); print(f"{a}")
print(a[0, 1], a[1], a[:, 1], a[0, :], Matrix[3], hash(a) == hash(Matrix(a.rows)), a in {a}, abs(-a))
print(Matrix([[2, 1, 3], [0, 5, 2], [7, 1, 1]]).det(), round(Matrix([[1.256]]), 1))
for bad in (lambda: a @ 3, lambda: a + 1, lambda: "x" * a, lambda: Matrix([[1], [2, 3]]), lambda: a + Matrix([[1, 2]]), lambda: setattr(a, "q", 1), lambda: a.q, lambda: a < a, lambda: a.__dict__):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)

@singledispatch
def describe(x, depth=0): return "?" + repr(x)
@describe.register
def _(x: int, depth=0): return f"int {x}"
@describe.register(list)
@describe.register(tuple)
def _(x, depth=0): return "[" + ", ".join(describe(i, depth + 1) for i in x) + f"]@{depth}"
@describe.register
def _(x: dict, depth=0): return {k: describe(v, depth + 1) for k, v in x.items()}
@describe.register(Matrix)
def _(x, depth=0): return "matrix %dx%d" % x.shape
print(describe([1, (2, "x"), {"a": True, "b": None}["b"], a]), describe.dispatch(bool) is describe.dispatch(int), sorted(c.__name__ for c in describe.registry))

class Cell:
    def __init__(self): self.log = []
    @singledispatchmethod
    def put(self, x): raise NotImplementedError(f"no {type(x).__name__}")
    @put.register
    def _(self, x: int): self.log.append(("int", x)); return self
    @put.register
    def _(self, x: str): self.log.append(("str", x)); return self
    def set_state(self, state): self.state = state; return self
    on = partialmethod(set_state, True)
    off = partialmethod(set_state, state=False)
    @cached_property
    def heavy(self): self.log.append("heavy"); return len(self.log)
c = Cell()
print(c.put(1).put("a").log, c.on().state, c.off().state, c.heavy, c.heavy, c.log)
try: c.put(2.0)
except NotImplementedError as e: print(e)
