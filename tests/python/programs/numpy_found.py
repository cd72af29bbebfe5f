# What random calls have found: types of results, what is refused, and what is at the ends of ranges.
import warnings

half = np.array([-0.0, 0.0, 1.0, -1.0, -2.5, 65504.0, -np.inf, np.inf, np.nan], dtype=np.float16)
for kind in (np.float16, np.float32, np.float64):
    with np.errstate(all="ignore"):
        print(np.dtype(kind).name, [f"{x:.3e}" for x in np.spacing(half.astype(kind)).tolist()])
single = np.array([[1.0, 2.0, 4.0], [3.0, 1.0, 1.0]], dtype=np.float32)
print(np.cov(single).dtype, np.corrcoef(single).dtype, np.cov(single.astype(np.complex64)).dtype, np.cov(np.float16([1, 2, 4])).dtype)
print(np.cov(single).round(5), np.cov(single, single * 2, ddof=0)[0].round(5), np.corrcoef([1, 2, 4], [4.0, 1, 1]).round(5))
for make in (np.linspace, np.logspace):
    print([make(a, b, 3).dtype.name for a, b in ((0, np.float32([1, 2])), (0.5, np.float16([1, 2])), ([1, 2], 3.0), (np.float32([1]), np.float64([2])))])
print([np.linspace(a, b, 3).dtype.name for a, b in ((np.float32(0), 1), (np.float16(0), np.float32(1)), (0, np.array(2.0)), (0, np.int8(3)))])
print(np.geomspace(np.float16(1), 8, 4).dtype, [f"{x:.9g}" for x in np.geomspace(-1.5e308, np.float16([-1, -6e4]), 3).ravel().tolist()])
print(np.geomspace(np.float16([1, 2]), 8, 3).dtype, np.linspace(-0.0, np.float16([1, 6.2e-5]), 4).tolist())
print(np.linspace([0, 1], [0, 3], 4).tolist(), np.linspace(np.array([1e-320, 0]), 0, 3).tolist())
print(np.trapezoid([1.0, 2.0, 4.0], [[0.0, 1.0], [3.0, 5.0]]), np.i0([0, 14.9, 15.1, 700, 1e5, 1.5e308]))
print(np.polyval([[1, 2], [3, 4]], [1, 2]), np.polyval(np.array([[7], [100]]), np.arange(3)))
print(np.isscalar(np.float64(1)), np.isscalar(np.array(1)), np.isscalar(b""), np.isscalar([]))
show(lambda: np.pad([1, 2], [1.5, 2]))
show(lambda: np.pad([1, 2], 1))
for kth in ([True], 1.5, [], np.array([[0]]), 0, [1, 0], 5):
    show(lambda: np.sort(np.partition([3, 1, 2], kth)))
    show(lambda: np.argpartition([3, 1, 2], kth).shape)
show(lambda: np.ldexp(1.0, 2.5))
show(lambda: np.ldexp([1.0, 2], [3, -1]))
show(lambda: np.histogram([1e16, 1e16 + 2], bins=10))
show(lambda: np.histogram([-1.5e308, 1.5e308], bins=10))
show(lambda: np.histogram_bin_edges([1e16, 1e16 + 2], bins=7))
show(lambda: np.histogram([1e16, 1e16 + 32], bins=8))
show(lambda: np.correlate(3, [1, 2]))
show(lambda: np.searchsorted(3, 1))
show(lambda: np.searchsorted([[3]], 1))
show(lambda: np.digitize(1, 3))
show(lambda: np.digitize(1, [[3]]))
show(lambda: np.cross([1, 2, 3], [1]))
show(lambda: np.full_like([1], 2, np.array([3])))
show(lambda: np.binary_repr(2.5))
show(lambda: np.binary_repr(np.int64(-3), 5))
show(lambda: np.modf([1j]))
show(lambda: np.frexp(1j))


def applied(function, *args):
    it = np.nditer((None,) + args, ["buffered", "external_loop"], [["writeonly", "allocate", "no_broadcast"]] + [["readonly"]] * len(args))
    while not it.finished:
        it[0] = function(*it[1:])
        it.iternext()
    return it.operands[0]


print(applied(lambda x, y: x * x + y / 2, np.arange(5), np.ones(5)), applied(np.negative, np.arange(6.0).reshape(2, 3)))
walk = np.nditer([np.arange(3), np.arange(3) * 2])
print([tuple(int(x) for x in walk[0:2]) for _ in walk])


def told(words, f):
    with warnings.catch_warnings(record=True) as found, np.errstate(divide="warn", over="warn", invalid="warn", under="ignore"):
        warnings.simplefilter("always")
        f()
    print(words, [str(w.message) for w in found])


nan, inf = np.nan, np.inf
odd = np.array([complex(nan, 1), complex(1, inf), complex(1, nan)])
plain = np.array([1 + 2j, 2 + 1j, 1 - 1j])
for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
    told(name, lambda: getattr(np, name)(odd, plain))
    told(name, lambda: getattr(np, name)(plain, plain[::-1]))
told("behind", lambda: np.array([complex(1, nan)]) < np.array([2j]))
told("degrees", lambda: np.degrees([1e308, 1.0]))
told("radians", lambda: np.radians([1e308, nan]))
told("logaddexp", lambda: np.logaddexp([nan, 1.0], 1.0))
told("logaddexp2", lambda: np.logaddexp2([inf, 1.0], [-inf, 1.0]))
told("cumsum", lambda: np.cumsum([inf, 1.0, -inf, nan]))
told("cumsum of NaN", lambda: np.cumsum([nan, inf, -inf]))
told("cumprod", lambda: np.cumprod([1e308, 10.0, inf]))
told("cumprod of infinity", lambda: np.cumprod([inf, 1e308, 10.0]))
told("columns", lambda: np.cumsum([[inf, 1.0], [-inf, 1.0]], axis=0))
told("rows", lambda: np.cumsum([[inf, -1.0], [-inf, 1.0]], axis=0).T)
told("complex prod", lambda: np.prod(np.array([complex(inf, 0), -1 + 0j, 3j])))
told("complex cumprod", lambda: np.cumprod(np.array([complex(inf, 0), -1 + 0j, 3j])))
told("complex var", lambda: np.var(np.array([1.5e308 + 1.5e308j, 0j])))
told("var", lambda: np.var([1, 100], ddof=3))
told("var of one", lambda: np.var(np.array(3), ddof=1))
told("var of rows", lambda: np.var([[1.0, 2.0]], axis=1, ddof=2))
told("var of halves", lambda: np.var(np.float16([1, 2]), ddof=2))
told("var of nothing", lambda: np.var([]))
told("nanvar", lambda: np.nanvar([1e200, 3e200]))
told("cov", lambda: np.cov([2.5]))
told("corrcoef", lambda: np.corrcoef([[1.0], [2.0]]))
told("spacing", lambda: np.spacing([inf, nan, 1.0]))
told("spacing of halves", lambda: np.spacing(np.float16([inf, 1])))
large = np.array([1.5e308 + 1.5e308j, -1.5e308 + 1j, 1e308j, 1e300 - 1e300j, 1e154 + 1e154j, 2 + 1j])
with np.errstate(all="ignore"):
    for name in ("arcsin", "arccos", "arcsinh", "arccosh", "arctanh", "sqrt", "log"):
        made = getattr(np, name)(large)
        print(name, [f"{z.real:.9g} {z.imag:.9g}" for z in made.tolist()])
