# Covariances and histograms.
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


cov = np.cov
hist = np.histogram
x = np.array([[1.0, 2, 4, 7], [3, 1, 0, 2], [5, 5, 1, 2]])
y = np.array([1.0, 0, 2, 2])
show(lambda: cov(x))
show(lambda: cov(x, y))
show(lambda: cov(x, rowvar=False))
show(lambda: cov(x, bias=True))
show(lambda: cov(x, ddof=0))
show(lambda: cov(y))
show(lambda: cov(y, y * 2))
show(lambda: cov(x, fweights=[1, 2, 1, 3]))
show(lambda: cov(x, aweights=[0.1, 0.2, 0.3, 0.4]))
show(lambda: cov(x, aweights=[0.1, 0.2, 0.3, 0.4], fweights=[1, 2, 1, 3], ddof=2))
show(lambda: cov(x, fweights=[1.5, 1, 1, 1]))
show(lambda: cov(x, fweights=[1, 2]))
show(lambda: cov(x, fweights=[-1, 1, 1, 1]))
show(lambda: cov(x, ddof=0.5))
show(lambda: cov(np.arange(4)))
show(lambda: cov([[1, 2], [3, 4]]))
show(lambda: cov(np.zeros((2, 2, 2))))
show(lambda: np.corrcoef(x))
show(lambda: np.corrcoef(x, y))
show(lambda: np.corrcoef(y))
show(lambda: np.corrcoef(x, rowvar=False))
show(lambda: np.corrcoef([1, 2, 3], [2, 4, 7]))
d = np.array([0.1, 0.5, 0.7, 2.2, 3.3, 3.4, 3.45, 9.1, 4.4, 4.6, 5.1, 2.0, 2.1])
i = np.array([1, 2, 2, 3, 7, 7, 7, 9, 12])
for m in ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"):
    show(lambda: np.histogram_bin_edges(d, m))
    show(lambda: np.histogram_bin_edges(i, m))
    show(lambda: np.histogram_bin_edges(d, m, range=(1, 5)))
    show(lambda: hist(d, m))
show(lambda: np.histogram_bin_edges(d, "foo"))
show(lambda: np.histogram_bin_edges(d, 0))
show(lambda: np.histogram_bin_edges(d, [3, 1]))
show(lambda: np.histogram_bin_edges([], 3))
show(lambda: np.histogram_bin_edges([2, 2], 3))
show(lambda: np.histogram_bin_edges(d, 2.5))
show(lambda: hist(d, 4))
show(lambda: hist(d, 4, density=True))
show(lambda: hist(d, [0, 1, 5, 9.1]))
show(lambda: hist(i, 3, range=(0, 9)))
show(lambda: hist(i, 3, weights=np.arange(9.0)))
show(lambda: hist(i, 3, weights=np.arange(9), density=True))
show(lambda: hist(d, 3, (5, 1)))
show(lambda: hist([1, np.nan]))
show(lambda: hist([[1, 2], [3, 4]], 2))
show(lambda: hist([True, False, True], 2))
show(lambda: np.histogram2d([0, 1, 1, 2.5], [0, 0, 1, 3], bins=2))
show(lambda: np.histogram2d([0, 1, 1, 2.5], [0, 0, 1, 3], bins=(2, 3), range=[[0, 3], [0, 3]]))
show(lambda: np.histogram2d([0, 1, 1, 2.5], [0, 0, 1, 3], bins=[0, 1, 3]))
show(lambda: np.histogram2d([0, 1, 1, 2.5], [0, 0, 1, 3], bins=[[0, 1, 3], [0, 2, 4]], density=True))
show(lambda: np.histogram2d([0, 1, 1, 2.5], [0, 0, 1, 3], bins=[2, [0, 2, 4]], weights=[1, 2, 3, 4]))
show(lambda: np.histogram2d([1, 2], [1]))
show(lambda: np.histogram2d([1, 2], [1, 2], bins=[2, 2, 2]))
show(lambda: np.histogramdd(np.arange(12.0).reshape(4, 3), bins=2))
show(lambda: np.histogramdd(np.arange(12.0).reshape(4, 3), bins=(1, 2, 3), density=True))
show(lambda: np.histogramdd(np.arange(12.0).reshape(4, 3), bins=(1, 2)))
