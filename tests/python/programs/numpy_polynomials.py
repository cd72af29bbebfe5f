# Polynomials and windows.
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


show(lambda: np.poly([1, 2, 3]))
show(lambda: np.poly([]))
show(lambda: np.poly([[2.0, 0], [0, 3.0]]))
show(lambda: np.poly(np.zeros((2, 3))))
show(lambda: np.roots([1, -3, 2]))
show(lambda: np.roots([0, 0, 2, -4, 0, 0]))
show(lambda: np.roots([5]))
show(lambda: np.roots([0, 0]))
show(lambda: np.roots([[1, 2]]))
show(lambda: np.polyval([3, 0, 1], 5))
show(lambda: np.polyval([3, 0, 1], np.arange(4)))
show(lambda: np.polyval([3.0, 0, 1], np.arange(4)))
show(lambda: np.polyval([], 3))
show(lambda: np.polyval(np.poly1d([3, 0, 1]), np.poly1d(5)))
show(lambda: np.polyadd([1, 2], [9, 5, 4]))
show(lambda: np.polysub([2, 10, -2], [3, 10, -4]))
show(lambda: np.polymul([1, 2, 3], [9, 5, 1]))
show(lambda: np.polydiv([3.0, 5.0, 2.0], [2.0, 1.0]))
show(lambda: np.polydiv([3, 5, 2], [2, 1]))
show(lambda: np.polydiv([1], [2, 1]))
show(lambda: np.polyder([1, 1, 1, 1]))
show(lambda: np.polyder([1, 1, 1, 1], 3))
show(lambda: np.polyder([1, 1, 1, 1], 4))
show(lambda: np.polyder([1, 1, 1, 1], -1))
show(lambda: np.polyint([3, 2, 1]))
show(lambda: np.polyint([3, 2, 1], 2, [4, 5]))
show(lambda: np.polyint([3, 2, 1], 3, 6))
show(lambda: np.polyint([3, 2, 1], 3, [6, 7]))
x = np.linspace(0, 3, 8)
y = np.sin(x)
show(lambda: np.polyfit(x, y, 3))
show(lambda: np.polyfit(x, y, 3, full=True))
show(lambda: np.polyfit(x, y, 2, cov=True))
show(lambda: np.polyfit(x, y, 2, w=np.arange(8) + 1, cov="unscaled"))
show(lambda: np.polyfit(x, np.stack([y, y * 2], 1), 2))
show(lambda: np.polyfit(x, np.stack([y, y * 2], 1), 2, cov=True))
show(lambda: np.polyfit(x, y, -1))
show(lambda: np.polyfit(x, y[:3], 1))
show(lambda: np.polyfit(x, y[:, None, None], 1))
p = np.poly1d([1, 2, 3])
show(lambda: p(0.5))
show(lambda: p)
show(lambda: repr(p))
show(lambda: p.r if False else p.order)
show(lambda: p * p)
show(lambda: p + 1)
show(lambda: 1 + p)
show(lambda: 3 - p)
show(lambda: p**3)
show(lambda: p / 2)
show(lambda: p / np.poly1d([1, 1]))
show(lambda: p.deriv())
show(lambda: p.integ(k=2))
show(lambda: p[1])
show(lambda: p[7])
show(lambda: len(p))
show(lambda: p == np.poly1d([1, 2, 3]))
show(lambda: p != np.poly1d([1, 2, 3]))
show(lambda: np.poly1d([1, -2.5, 0, 1e-7, -1]))
show(lambda: np.poly1d([0, 0, 0]))
show(lambda: np.poly1d([2, -3], r=True))
show(lambda: np.poly1d([1, 2], variable="z"))
show(lambda: np.poly1d([-1, 0, 1, 0, 0, -7.25, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
show(lambda: np.poly1d([[1]]))
show(lambda: p**-1)
show(lambda: p.coeffs)
for c in ([5], [1, 0], [-1, 0, 0], [0.5, 1], [-0.5]):
    show(lambda: np.poly1d(c))
for w in ("bartlett", "blackman", "hamming", "hanning"):
    for m in (0, 1, 2, 5, 8, -2, 5.5):
        show(
            lambda: (
                getattr(np, w)(m)
                if False
                else (
                    np.bartlett
                    if w == "bartlett"
                    else np.blackman if w == "blackman" else np.hamming if w == "hamming" else np.hanning
                )(m)
            )
        )
show(lambda: np.kaiser(0, 1))
show(lambda: np.kaiser(1, 1))
show(lambda: np.kaiser(7, 14))
show(lambda: np.kaiser(6, 0.0))
show(lambda: np.i0(np.array([0, 1, 2.5, 7.9, 8, 10, 14.9, 15.1, 20, 40, 100, 700])))
show(lambda: np.i0(-3))
