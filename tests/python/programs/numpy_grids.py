# Grids, indices, and functions over slices.
import numpy as np

if hasattr(np, "set_default_dtype"):
    np.set_default_dtype(np.float64)


def shown(r):
    if isinstance(r, np.ndarray) or np.isscalar(r) and not isinstance(r, (str, bool, int)):
        r = np.asarray(r)
        return np.round(r, 8) + 0 if r.dtype.kind == "f" else r
    return r


def show(f):
    try:
        r = f()
    except Exception as e:
        print(type(e).__name__, e)
        return
    if isinstance(r, (tuple, list)):
        for x in r:
            print("  ", shown(x))
    else:
        print(shown(r))


a = np.arange(6).reshape(2, 3)
show(lambda: np.mgrid[0:3, 0:2])
show(lambda: np.mgrid[0:1:0.25])
show(lambda: np.ogrid[0:3, 0:2])
show(lambda: np.mgrid[:3])
show(lambda: np.mgrid[0:2.5, 0:2])
show(lambda: np.ogrid[2:5])
show(lambda: np.r_[1, 2, 3])
show(lambda: np.r_[1:4, 0, 4])
show(lambda: np.r_[np.array([1, 2]), 0.5, [3, 4]])
show(lambda: np.r_["0,2", [1, 2], [3, 4]])
show(lambda: np.r_["1,2,0", [1, 2], [3, 4]])
show(lambda: np.r_["-1", a, a])
show(lambda: np.r_["0", a, a])
show(lambda: np.c_[1:3, 4:6])
show(lambda: np.c_[a, [7, 8]])
show(lambda: np.c_[np.array([1, 2, 3]), np.array([4, 5, 6])])
show(lambda: np.r_[0.0, np.arange(2, dtype=np.int8)].dtype)
show(lambda: np.r_[0, np.arange(2, dtype=np.int8)].dtype)
show(lambda: np.r_[a, a])
show(lambda: np.r_[()])
show(lambda: np.s_[1:2, ::3])
show(lambda: np.index_exp[3])
show(lambda: a[np.s_[:, 1]])
show(lambda: list(np.ndindex(2, 2)))
show(lambda: list(np.ndindex((2, 1))))
show(lambda: list(np.ndindex()))
show(lambda: list(np.ndindex(0, 2)))
show(lambda: [(k, int(v)) for k, v in np.ndenumerate(a)])
show(lambda: np.fromfunction(lambda i, j: i + j, (2, 3)))
show(lambda: np.fromfunction(lambda i, j: i == j, (2, 3), dtype=int))
show(lambda: np.fromiter((x * x for x in range(4)), float))
show(lambda: np.fromiter([1, 2, 3], int, 2))
show(lambda: np.fromiter([1, 2, 3], int, 5))
show(lambda: np.diag_indices_from(np.zeros((2, 2))))
show(lambda: np.diag_indices_from(np.zeros((2, 3))))
show(lambda: np.mask_indices(3, np.triu, 1))
show(lambda: np.tril_indices_from(np.zeros((3, 2)), 1))
show(lambda: np.triu_indices_from(np.zeros((3, 2))))
b = np.arange(24).reshape(2, 3, 4)
show(lambda: np.apply_along_axis(np.sum, 1, b))
show(lambda: np.apply_along_axis(lambda r: r[:2] * 2, 0, b))
show(lambda: np.apply_along_axis(lambda r: np.outer(r, r), -1, a))
show(lambda: np.apply_along_axis(np.sum, 3, b))
show(lambda: np.apply_along_axis(np.diag, -1, a))
show(lambda: np.apply_along_axis(np.sum, 0, np.zeros((2, 0))))
show(lambda: np.apply_along_axis(lambda r, k, m=1: r * k * m, 0, a, 2, m=3))
show(lambda: np.apply_along_axis(sorted, 1, np.array([[3, 1], [2, 0]])))
show(lambda: np.apply_over_axes(np.sum, b, [0, 2]))
show(lambda: np.apply_over_axes(np.sum, b, -1))
show(lambda: np.apply_over_axes(np.sum, b, (0, 1, 2)))
x = np.linspace(-2.5, 2.5, 6)
show(lambda: np.piecewise(x, [x < 0, x >= 0], [-1, 1]))
show(lambda: np.piecewise(x, [x < 0, x >= 0], [lambda x: -x, lambda x: x]))
show(lambda: np.piecewise(x, [x < -1, x > 1], [lambda x: x * 10, 5, lambda x: x - x]))
show(lambda: np.piecewise(x, [x < 0], [1, 2, 3]))
show(lambda: np.piecewise(np.arange(4), [np.arange(4) > 1], [2.7]))
show(lambda: np.piecewise(3.0, [True], [lambda v: v * 2]))
show(lambda: np.piecewise(x, x < 0, [-1, 1]))
vf = np.vectorize(lambda a, b: a if a > b else b)
show(lambda: vf(np.array([1, 5]), np.array([[2], [4]])))
show(lambda: vf([1, 2, 3], 2))
show(lambda: vf([], []))
show(lambda: np.vectorize(lambda a: a + 1, otypes=[float])([1, 2]))
show(lambda: np.vectorize(lambda a: (a, a * 2.0))([1, 2]))
show(lambda: np.vectorize(lambda p, x: sum(p) * x, excluded=[0])([1, 2], np.arange(3)))
show(lambda: np.vectorize(np.dot, signature="(n),(n)->()")(a, a))
show(lambda: np.vectorize(lambda v: v[::-1], signature="(n)->(n)")(a))
show(lambda: np.vectorize(lambda a: a + 1, otypes="d")(np.array([])))
show(lambda: np.vectorize(lambda a: a > 2)(a))
show(lambda: vf(3, 4))
show(lambda: np.vectorize(lambda a, b=2: a * b)([1, 2], b=5))


@np.vectorize
def g(a):
    "doc"
    return a * 2


show(lambda: g(a))
show(lambda: g.__doc__)


@np.vectorize(otypes=[float])
def h(a):
    return a * 2


show(lambda: h(a))
show(lambda: np.frompyfunc(lambda a, b: a * 10 + b, 2, 1)(np.array([1, 2]), 3))
show(lambda: np.frompyfunc(lambda a, b: a + b, 2, 1).reduce([1, 2, 3]))
show(lambda: np.frompyfunc(lambda a, b: a + b, 2, 1).accumulate([1, 2, 3]))
show(lambda: np.frompyfunc(lambda a, b: a + b, 2, 1).outer([1, 2, 3], [1, 2]))
