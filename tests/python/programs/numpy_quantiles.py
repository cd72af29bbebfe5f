# Quantiles by every method.
qf = np.quantile
a = np.array([[3.0, 1, 4, 1, 5], [9, 2, 6, 5, 3.5]])
c = np.arange(10) * 3 % 7
w = np.array([[1.0, 2, 3, 1, 1], [2, 0, 1, 1, 0.5]])
M = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
for m in M:
    for q in (0.0, 0.1, 0.25, 0.5, 0.73, 1.0, [0.2, 0.4], [[0.1], [0.9]]):
        show(lambda: qf(a, q, method=m))
        show(lambda: qf(a, q, axis=1, method=m))
        show(lambda: qf(c, q, method=m))
        show(lambda: qf(a, q, axis=0, keepdims=True, method=m))
        show(lambda: qf(a[0], q, axis=-1, method=m))
n = a.copy()
n[0, 2] = np.nan
for m in M:
    for q in (0.0, 0.3, 0.5, 1.0, [0.2, 0.8]):
        show(lambda: np.nanquantile(n, q, axis=1, method=m))
        show(lambda: qf(n, q, axis=1, method=m))
        show(lambda: np.nanquantile(n, q, method=m))
        show(lambda: np.nanquantile(n, q, axis=0, method=m))
for q in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0, [0.2, 0.8]):
    show(lambda: qf(a, q, axis=1, weights=w, method="inverted_cdf"))
    show(lambda: qf(a, q, weights=w, method="inverted_cdf"))
    show(lambda: qf(a, q, axis=1, weights=[1, 2, 3, 4, 5], method="inverted_cdf"))
    show(lambda: np.nanquantile(n, q, axis=1, weights=w, method="inverted_cdf"))
    show(lambda: qf(n, q, axis=1, weights=w, method="inverted_cdf"))
show(lambda: qf(a, 1.5))
show(lambda: qf(a, 0.5, axis=2))
show(lambda: qf(a, 0.5, axis=(0, 0)))
show(lambda: qf(a, 0.5, axis=(0, 1)))
show(lambda: qf(a, 0.5, weights=w))
show(lambda: qf(a, 0.5, axis=1, weights=-w, method="inverted_cdf"))
show(lambda: np.nanquantile([], 0.5))
show(lambda: np.nanquantile([np.nan], 0.5))

show(lambda: np.nanpercentile(n, [30, 60], axis=0))
show(lambda: np.nanpercentile(n, 101))
show(lambda: qf(np.array([np.inf, 1, 2, np.inf]), [0.5, 0.9, 1]))
show(lambda: qf(np.array([1, 2, 3.0]), np.zeros((0,))))
show(lambda: qf(np.arange(24.0).reshape(2, 3, 4), [0.3, 0.6], axis=(0, 2)))
