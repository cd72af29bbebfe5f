# Complex numbers: literals, arithmetic, texts, formats, errors, as keys, in classes and in copies.
import copy
import json
import math
import numbers
import operator
inf, nan = float("inf"), float("nan")
def t(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
print(2j, 1_0.5e-3J, 010j, .5j, 1e999j, -2j, 1 - 2j, -0j, 0 - 0j, +1j, 2jif 1 else 3)
print([1j, (2j,), {3j: 4j}], str(1 + 0j), repr(-0.0 + 1j), f"{1j}", f"{1 + 2j!r:>10}")
values = [0, 1, -2, True, 0.5, -0.0, inf, nan, 1j, -1j, 1 + 2j, -0.0 - 0.0j, 3 - 4j, complex(inf, -1), complex(nan, 2), 1e200 + 1e200j, complex(-0.0, inf)]
for a in values:
    for b in values:
        if isinstance(a, complex) or isinstance(b, complex):
            for op in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.eq, operator.ne):
                t(lambda: op(a, b))
for z in values:
    t(lambda: (-z, +z, abs(z), bool(z), complex(z), z.conjugate(), z.real, z.imag))
for op in (operator.lt, operator.ge, operator.floordiv, operator.mod, divmod, operator.and_, operator.lshift, operator.matmul):
    for a, b in ((1j, 2), (2, 1j), (1j, 2j), (1j, "a"), ([1], 1j)):
        t(lambda: op(a, b))
t(lambda: ~1j)
t(lambda: (-8) ** (1 / 3))
t(lambda: (-8.0) ** -1.5)
t(lambda: pow(-8, 0.5))
t(lambda: (-1) ** 0.5 == 1j)
t(lambda: (-inf) ** 0.5)
t(lambda: pow(1j, 2, 3))
t(lambda: pow(1j, 2))
t(lambda: 0j ** 0)
t(lambda: 0j ** -1)
t(lambda: 0j ** 1j)
t(lambda: (1 + 1j) ** 100)
t(lambda: (1 + 1j) ** 101)
t(lambda: (1 + 1j) ** -3)
t(lambda: (1 + 1j) ** 2.5)
t(lambda: 2 ** (1 + 1j))
t(lambda: 1j ** 1j)
t(lambda: 1e200j ** 2)
t(lambda: abs(1e308 + 1e308j))
t(lambda: abs(1.5e308 + 1.5e308j))
z = 1 + 2j
z += 1
z *= 2j
z -= 0.5
z /= 2
z **= 2
print(z)
for text in ("1+2j", " ( 1.5e3-j ) ", "j", "-J", "+inf-nanj", "1_0j", "1_000.5+2_0e1_0j", "١+٢j", "nan", "1e5", ".5j", "5.", "1 + 2j", "1+2", "j1", "", " ", "()", "(1+2j", "1+2j)", "1__0j", "_1j", "1e", "1+-2j", "1+2jj", "--1j", "infj", "Infinity-Infinityj", "(  j  )", "((1j))", "1j+2"):
    t(lambda: complex(text))
class A:
    def __complex__(self): return 3
class B:
    def __float__(self): return 3
class C:
    def __index__(self): return 3
class D: pass
class F:
    def __float__(self): return 2.5
class Z:
    def __complex__(self): return 1 - 1j
class S(complex):
    def __complex__(self): return 5j
class I(complex):
    """A complex number with a name."""
    def __new__(cls, value, name):
        made = super().__new__(cls, value)
        made.name = name
        return made
    def __repr__(self): return f"{self.name}={complex(self)}"
    def __add__(self, other): return I(complex(self) + other, self.name + "+")
    def __eq__(self, other): return False
for arguments in ((), (1,), (1.5, -0.0), (-0.0, 2), (1j, 2j), (1, 2j), (1j, 2), (True,), (A(),), (B(),), (C(),), (D(),), (F(),), (Z(),), (Z(), 1), (1, Z()), (1, C()), (1, F()), (1, D()), (1, "2"), ("1", 2), ("x",), ([],), (1, []), (S(3),), (S(3), 1), (1, S(2)), (None,)):
    t(lambda: complex(*arguments))
t(lambda: complex(real=1, imag=2))
t(lambda: complex(imag=2))
t(lambda: (I(1j, "i"), I(1j, "i") + 1, 1 + I(1j, "i"), I(2, "i") * 2, abs(I(3 + 4j, "i")), I(1j, "i").real, I(1j, "i").conjugate(), I(1j, "i") == 1j, isinstance(I(1j, "i"), complex)))
t(lambda: type(I(1j, "x") * 2))
for f in (int, float, round, math.sqrt, math.floor, hex, range, str, bool, len, iter, hash, repr, list, sum, chr, json.dumps):
    t(lambda: f(1 + 2j))
for z in (1j, 1 + 2j, -0.0 + 1j, 12345.678 - 2e10j, complex(nan, -inf), 1e16 + 1e-5j, 0j, -0j, complex(-0.0, -0.0)):
    for spec in ("", ".2f", "+", " ", "#", ",", "_", ".3", "g", "e", "E", "10", ">30.2f", "*^40", "<35", "n", ",.2f", "z.1f", "+.0f", "#.3g", "G", ".0f", "#g", "F"):
        t(lambda: format(z, spec))
for spec in ("05", "=5", "d", "%", "s", "x", "<010", "0<10", "c", ".", "5.j", "q"):
    t(lambda: format(1j, spec))
for text in ("%s", "%r", "%10s", "%a"):
    t(lambda: text % (1 + 2j))
for text in ("%d", "%f", "%x", "%c", "%g"):
    t(lambda: text % 1j)
t(lambda: "{0.real} {0.imag} {0:.1f} {0!s}".format(1 + 2j))
print(hash(1 + 0j) == hash(1), hash(0.5 + 0j) == hash(0.5), hash(1 + 2j), hash(-1j), hash(2j), hash(-1 - 1j))
print({1: "one", 2j: "two j"}[1 + 0j], 2j in {2j}, {1, 1.0, 1 + 0j, True}, 1 + 0j in [1], (1j, 2).index(1j), [1j, 1j].count(1j), (1j,) == (1j,), 1j is None)
print(1 + 0j == 1, 1 + 0j == 1.0, 1j == 1, 2 ** 53 + 1 == complex(2 ** 53), 1j != "a", 1j == None, nan + 0j == nan + 0j)
print(isinstance(1j, complex), isinstance(1, complex), issubclass(complex, object), type(1j), type(1j).__name__, complex.__name__, [isinstance(1j, k) for k in (numbers.Number, numbers.Complex, numbers.Real)], callable(complex))
print(sum([1j, 2, 0.5]), sum([1j, 2j], 3), math.prod([1j, 1j]), [1j, 2][0], max([1j], default=0))
for f in (lambda: sorted([2j, 1j]), lambda: max(1j, 2), lambda: [1][1j:], lambda: [0] * 1j, lambda: "a" * 1j, lambda: "a" + 1j, lambda: 1j + "a", lambda: 1j + None, lambda: (2j).foo, lambda: range(1j), lambda: "abc"[int(1j.real)]):
    t(f)
z = 1 + 2j
try: z.real = 3
except AttributeError as e: print("AttributeError")
print(copy.copy(z), copy.deepcopy([z, {z: z}]), z is z, z.conjugate() * z, (z * z.conjugate()).real)
if 0j: print("true")
print(bool(0j), bool(complex(0, nan)), not 1j, 1j and 2, 0j or 3)
t(lambda: json.dumps([1j]))
t(lambda: json.dumps([1j], default=lambda z: [z.real, z.imag]))
t(lambda: json.dumps({1j: 2}))
def roots(a, b, c):
    d = (b * b - 4 * a * c) ** 0.5
    return (-b + d) / (2 * a), (-b - d) / (2 * a)
print(roots(1, 2, 5), roots(1, -3, 2))
def escapes(c, limit=50):
    z = 0
    for n in range(limit):
        z = z * z + c
        if abs(z) > 2: return n
    return limit
for y in range(-4, 5): print("".join(" .:-=+*#%@"[min(9, escapes(complex(x / 8, y / 3)) // 4)] for x in range(-17, 6)))
total = 0j
for n in range(1000): total += (-1) ** n / (2 * n + 1) * 1j
print(total)
def f(z: complex = 1j, *, w=2j): return z * w
print(f(), f(2), f(w=1), f.__defaults__, f.__kwdefaults__)
print([complex(x, y) for x in range(2) for y in range(2)], {z: abs(z) for z in (3 + 4j, 5j)})
