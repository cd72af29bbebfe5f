"""Counts in bins, and how quantities vary together."""


def _floats(a):
    a = asarray(a)
    return a if a.dtype.kind in "fc" else a * 1.0


def _cov(x, y, rowvar, bias, ddof, fweights, aweights, dtype):
    if ddof is not None and int(ddof) != ddof:
        raise ValueError("ddof must be integer")
    x, y, aweights = arrays_of(x, y, aweights)
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is not None and y.ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        # At least the default float's digits.
        dtype = result_type(*[_floats(z) for z in (x, y) if z is not None], zeros(0))
    x = x.astype(dtype)
    # A row that is said to be columns is one observation of many variables.
    x = atleast_2d(x).T if not rowvar and x.ndim != 1 else atleast_2d(x)
    if x.shape[0] == 0:
        return zeros((0, 0))
    if y is not None:
        y = atleast_2d(y.astype(dtype))
        if not rowvar and y.shape[0] != 1:
            y = y.T
        x = concatenate([x, y], axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    weights = None
    if fweights is not None:
        weights = _frequencies(fweights, x.shape[1])
    if aweights is not None:
        aweights = _weights_along(aweights, x.shape[1], "aweights")
        weights = aweights if weights is None else weights * aweights
    if weights is None:
        total, mean = x.shape[1], x.mean(axis=1, keepdims=True)
        factor = total - ddof
    else:
        total = float(weights.sum())
        if total == 0:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        mean = (x * weights).sum(axis=1, keepdims=True) / total
        if ddof == 0:
            factor = total
        elif aweights is None:
            factor = total - ddof
        else:
            factor = total - ddof * float((weights * aweights).sum()) / total
    if factor <= 0:
        from warnings import warn

        warn("Degrees of freedom <= 0 for slice", RuntimeWarning)
        factor = 0.0
    away = x - mean
    other = (away if weights is None else away * weights).T
    product = away @ (conj(other) if iscomplexobj(other) else other)
    kind = real(product).dtype
    product *= divide(asarray(1, dtype=kind), asarray(factor, dtype=kind))
    return product.squeeze()


def _frequencies(fweights, n):
    fweights = asarray(fweights)
    if fweights.is_floating_point() and (fweights != rint(fweights)).any():
        raise TypeError("fweights must be integer")
    return _weights_along(fweights, n, "fweights")


def _weights_along(weights, n, name):
    weights = asarray(weights) * 1.0
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != n:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if (weights < 0).any():
        raise ValueError(f"{name} cannot be negative")
    return weights


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation of each two variables: x's rows, and y's, or the columns if not `rowvar`.

    Variables have shape (n, m) or (m,), the result (n, n), with n of both; one variable alone gives 1.

    >>> corrcoef([1.0, 2.0, 3.0], [2.0, 4.0, 7.0]).round(3)
    """
    c = _cov(x, y, rowvar, False, None, None, None, dtype)
    if c.ndim == 0:
        return c / c
    size = sqrt(real(diagonal(c)))
    c = c / size[:, None] / size[None, :]
    return clip(real(c), -1, 1) + 1j * clip(imag(c), -1, 1) if iscomplexobj(c) else clip(c, -1, 1)


def _bin_count(a, method, low, high):
    """How many bins of one width a rule makes of n values between two ends."""
    inner = a[(a >= low) & (a <= high)]
    n = inner.size
    spread = float(inner.max() - inner.min()) if n > 0 else 0.0
    whole = method == "auto"
    rules = {
        "sqrt": lambda: spread / sqrt(n).item(),
        "sturges": lambda: spread / (log2(n).item() + 1.0),
        "rice": lambda: spread / (2.0 * cbrt(n).item()),
        "scott": lambda: cbrt(24.0 * sqrt(pi).item() / n).item() * float(inner.std()),
        "stone": lambda: _stone(inner, spread, (low, high)),
        "doane": lambda: _doane(inner, spread),
        "fd": lambda: _freedman(inner),
        "auto": lambda: None,
    }
    if method not in rules:
        raise ValueError(f"{method!r} is not a valid estimator for `bins`")
    if n == 0:
        return 1
    if whole:
        width, other = _freedman(inner), rules["sturges"]()
        # A width far below what Sturges asks for comes of data that are mostly one value.
        width = min(max(width, rules["sqrt"]() / 2), other) if width else other
    else:
        width = rules[method]()
    if not width:
        return 1
    if not inner.is_floating_point() and width < 1:
        width = 1
    return max(int(ceil((high - low) / width).item()), 1)


def _freedman(a):
    low, high = _quantile(a, [0.25, 0.75], None, "linear", False, None, False)
    return 2.0 * float(high - low) * a.size ** (-1.0 / 3.0)


def _doane(a, spread):
    n = a.size
    deviation = float(a.std())
    if n <= 2 or deviation <= 0:
        return 0.0
    error = sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3))).item()
    skew = float((((a - a.mean()) / deviation) ** 3).mean())
    return spread / (1.0 + log2(n).item() + log2(1.0 + abs(skew) / error).item())


def _stone(a, spread, ends):
    n = a.size
    if n <= 1 or spread == 0:
        return 0.0

    def score(bins):
        width = spread / bins
        parts = _histogram(a, bins, ends, None, False)[0] / n
        return (2 - (n + 1) * float(parts @ parts)) / width

    most = max(100, int(sqrt(n).item()))
    best = min(range(1, most + 1), key=score)
    return spread / best


def _ends(a, range):
    """The lowest and the highest edge."""
    if range is not None:
        low, high = range
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if not (isfinite(low) and isfinite(high)):
            raise ValueError(f"supplied range of [{low}, {high}] is not finite")
    elif a.size == 0:
        low, high = 0.0, 1.0
    else:
        low, high = a.min().item(), a.max().item()
        if not (isfinite(low) and isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins that `histogram` counts in: one more than there are bins.

    `bins` is a number of them, their edges, or the name of a rule: auto, fd, doane, scott, stone, rice,
    sturges, sqrt. ValueError for others, for edges that fall, for a range that is not finite.

    >>> histogram_bin_edges(array([0, 1, 2, 4]), 4)
    """
    a = asarray(a)
    if weights is not None and asarray(weights).shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    a = a.ravel()
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        low, high = _ends(a, range)
        bins = _bin_count(a, bins, low, high)
        return linspace(low, high, bins + 1, dtype=_edge_type(a))
    bins = asarray(bins)
    if bins.ndim == 0:
        if bins.is_floating_point():
            raise TypeError("`bins` must be an integer, a string, or an array")
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        low, high = _ends(a, range)
        edges = linspace(low, high, int(bins) + 1, dtype=_edge_type(a))
        if (edges[:-1] >= edges[1:]).any():
            raise ValueError(f"Too many bins for data range. Cannot create {int(bins)} finite-sized bins.")
        return edges
    if bins.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if (bins[:-1] > bins[1:]).any():
        raise ValueError("`bins` must increase monotonically, when an array")
    return bins


def _edge_type(a):
    return a.dtype if a.is_floating_point() else (a * 1.0).dtype


def _histogram(x, bins, range, weights, density):
    x = asarray(x).ravel()
    if x.dtype == "bool":
        x = x.astype(uint8)
    edges = histogram_bin_edges(x, bins, range, weights)
    if weights is not None:
        weights = asarray(weights)
        if weights.size != x.size or weights.ndim != asarray(x).ndim and weights.shape != x.shape:
            raise ValueError("weights should have the same shape as a.")
        weights = weights.ravel()
    n = len(edges) - 1
    if n < 1:
        return zeros(0, dtype=float64 if density else int64 if weights is None else weights.dtype), edges
    at = searchsorted(edges, x, side="right") - 1
    at = where(x == edges[-1], n - 1, at)
    inside = (at >= 0) & (at < n)
    if weights is None:
        counts = bincount(at[inside], minlength=n)
    else:
        counts = zeros(n, dtype=weights.dtype)
        add.at(counts, at[inside], weights[inside])
    if density:
        counts = counts / diff(edges).astype(float64) / counts.sum()
    return counts, edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """Counts of points in boxes, and the edges along each axis.

    `sample` has shape (points, axes), or is a tuple of the coordinates along each axis. `bins` is a
    number, or one or the edges for each axis. ValueError where these do not fit the axes.

    >>> histogramdd((array([0, 1, 1]), array([0, 0, 1])), bins=2)[0]
    """
    if isinstance(sample, (tuple, list)) and len(sample) > 0:
        sample = stack(sample, axis=-1)
    sample = asarray(sample)
    if sample.ndim < 2:
        sample = sample.reshape((-1, 1))
    points, axes = sample.shape
    bins = list(bins) if isinstance(bins, (tuple, list)) or getattr(bins, "ndim", 0) > 0 else [bins] * axes
    if len(bins) != axes:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is None:
        range = [None] * axes
    elif len(range) != axes:
        raise ValueError("range argument must have one entry per dimension")
    place = zeros(points, dtype=int64)
    inside = ones(points, dtype=bool_)
    edges, shape = [], []
    for at, (one, ends) in enumerate(zip(bins, range)):
        column = sample[:, at]
        made = histogram_bin_edges(column, one, ends)
        n = len(made) - 1
        here = searchsorted(made, column, side="right") - 1
        here = where(column == made[-1], n - 1, here)
        inside = inside & (here >= 0) & (here < n)
        place = place * n + here
        edges.append(made)
        shape.append(n)
    total = 1
    for n in shape:
        total *= n
    if weights is not None:
        weights = asarray(weights) * 1.0
        counts = zeros(total, dtype=weights.dtype)
        add.at(counts, place[inside], weights[inside])
    else:
        counts = bincount(place[inside], minlength=total) * 1.0
    counts = counts.reshape(tuple(shape))
    if density:
        whole = counts.sum()
        for at, made in enumerate(edges):
            width = diff(made)
            counts = counts / width.reshape((1,) * at + (len(width),) + (1,) * (axes - at - 1))
        counts = counts / whole
    return counts, edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Counts of points of the plane in boxes: shape (bins along x, bins along y), and both axes' edges.

    `bins` is a number or edges for both axes, or a pair of these. ValueError where x and y differ in length.

    >>> histogram2d([0, 1, 1], [0, 0, 1], bins=2)[0]
    """
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    is_pair = isinstance(bins, (tuple, list)) and len(bins) == 2
    if not is_pair and not isscalar(bins) and len(bins) != 1:
        bins = [asarray(bins), asarray(bins)]
    elif not is_pair and not isscalar(bins):
        bins = [bins[0], bins[0]]
    counts, edges = histogramdd((x, y), bins, range, density, weights)
    return counts, edges[0], edges[1]
