# cmath: every function over a grid of numbers and of what is none, along both sides of every cut.
import cmath
import math
inf, nan = math.inf, math.nan
def part(x):
    return f"{x:.11g}"
def shown(z):
    if isinstance(z, complex): return part(z.real) + "|" + part(z.imag)
    if isinstance(z, tuple): return " ".join(map(shown, z))
    return part(z) if isinstance(z, float) else str(z)
def of(f, *arguments):
    try: return shown(f(*arguments))
    except BaseException as e: return f"{type(e).__name__}: {e}"
grid = [-inf, -1e308, -710.0, -2.0, -1.0, -0.5, -1e-310, -0.0, 0.0, 5e-324, 1e-200, 0.5, 1.0, 1.25, 3.0, 709.5, 1e160, 1.7e308, inf, nan]
for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10", "polar", "sin", "sinh", "sqrt", "tan", "tanh", "isfinite", "isinf", "isnan"):
    f = getattr(cmath, name)
    for x in grid:
        print(name, x, [of(f, complex(x, y)) for y in grid])
for z in (1, -1j, -2 + 0j, complex(-2, -0.0), 3 + 4j, complex(-inf, inf), complex(nan, 1)):
    print("phase", z, of(cmath.phase, z))
for r in grid:
    print("rect", r, [of(cmath.rect, r, phi) for phi in grid])
for z in (2, 1j, -1, 0, 0j, 1 + 1j, True, 0.5, nan, "a", None, [1], 10 + 0j):
    print(z, of(cmath.sqrt, z), of(cmath.log, z, 2), of(cmath.log, 2j, z), of(cmath.phase, z), of(cmath.isnan, z), of(cmath.polar, z), of(cmath.rect, 1, z))
for a, b in ((1, 1 + 1e-10j), (1j, 1), (inf, inf), (inf, nan), (1e300j, 1e300j + 1e290), (0, 1e-12), (complex(inf, 1), complex(inf, 1))):
    print(of(cmath.isclose, a, b), of(lambda a, b: cmath.isclose(a, b, rel_tol=0, abs_tol=1e-9), a, b))
print(of(lambda: cmath.isclose(1, 1, rel_tol=-1)))
print(cmath.pi, cmath.e, cmath.tau, cmath.inf, cmath.nan, cmath.infj, cmath.nanj)
class Z:
    def __complex__(self): return -4 + 0j
class F:
    def __float__(self): return -4.0
class N: pass
print(of(cmath.sqrt, Z()), of(cmath.sqrt, F()), of(cmath.sqrt, N()))
print(cmath.sqrt(-1), cmath.exp(1j * cmath.pi).real, of(math.sqrt, -1), of(math.log, -1))
