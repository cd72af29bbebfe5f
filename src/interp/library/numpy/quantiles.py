"""Order statistics: quantiles by NumPy's methods, with weights, and those that pass over NaN."""

# The virtual position of quantile q among n sorted values, counted from 1, is q * (n + 1 - a - b) + a
# (Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996).
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}

_METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", *_CONTINUOUS, "lower", "higher",
            "midpoint", "nearest"]


# What these give is an element as it is.
_PICKING = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}


def _places(method, q, n):
    """Between which two of n sorted values a quantile lies, and how far behind the first."""
    if method in _CONTINUOUS:
        a, b = _CONTINUOUS[method]
        at = q * (n + 1 - a - b) + a - 1 if method != "linear" else q * (n - 1)
        low = floor(at)
        return low, low + 1, at - low
    if method == "inverted_cdf":
        low = ceil(n * q) - 1
        return low, low, zeros_like(q)
    if method == "averaged_inverted_cdf":
        at = n * q - 1
        low = floor(at)
        return low, low + 1, where(at > low, 1.0, 0.5)
    if method == "closest_observation":
        at = n * q - 1.5
        low = floor(at)
        # Of two that are as close, the one whose number, from 1 on, is even.
        stays = (at == low) & (low % 2 == 1)
        return low, low + 1, where(stays, 0.0, 1.0)
    at = q * (n - 1)
    if method == "lower":
        return floor(at), floor(at), zeros_like(q)
    if method == "higher":
        return ceil(at), ceil(at), zeros_like(q)
    if method == "nearest":
        return rint(at), rint(at), zeros_like(q)
    return floor(at), ceil(at), full_like(q, 0.5)


def _joined_axes(x, axis):
    """The axes that are taken together as the last one, and the shapes without and with them."""
    axes = _normal_axes(axis, x.ndim)
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    kept = [at for at in range(x.ndim) if at not in axes]
    shape = tuple([x.shape[at] for at in kept])
    whole = tuple([1 if at in axes else x.shape[at] for at in range(x.ndim)])
    count = 1
    for at in axes:
        count *= x.shape[at]
    return x.transpose(kept + axes).reshape(shape + (count,)), shape, whole


def _quantile(x, q, axis, method, keepdims, weights, skips_nan):
    """The quantiles of the rows; q's axes come first."""
    x, q = asarray(x), _asked(q)
    # The least and the greatest, where whole numbers ask for them, are elements as they are.
    is_end = method == "linear" and weights is None and q.dtype.kind in "biu"
    given, q = x, q.astype(float64)
    if iscomplexobj(x):
        raise TypeError("a must be an array of real numbers")
    if method not in _METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(_METHODS)}")
    if weights is not None:
        weights = _weights_of(x, weights, axis, method)
    if x.dtype == "bool":
        if x.size and weights is None and not is_end and method not in _PICKING:
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
                            "operator, or the logical_xor function instead.")
        x = x.astype(uint8)
    if q.ndim and x.is_floating_point() and x.itemsize <= 2 and not is_end and method not in _PICKING:
        # What a list holds is float32, which a half type meets.
        x = x.astype(float32)
    rows, shape, whole = _joined_axes(x, axis)
    n = rows.shape[-1]
    if weights is not None:
        made = _weighed(rows, _joined_axes(weights, axis)[0], q.ravel(), skips_nan)
    elif n == 0 or skips_nan and x.size == 0:
        if not skips_nan:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        return nanmean(x, axis=axis, keepdims=keepdims)
    else:
        made = _unweighed(rows, q.ravel(), "lower" if is_end else method, skips_nan)
        if is_end or method in _PICKING and given.dtype == "bool":
            made = made.astype(given.dtype)
    return made.reshape(q.shape + (whole if keepdims else shape))


def _warn_of_rows(words):
    from warnings import warn

    warn(words, RuntimeWarning)


def _unweighed(rows, q, method, skips_nan):
    ordered = sort(rows, axis=-1)
    n = rows.shape[-1]
    ends = ordered[..., -1]
    counts = (rows == rows).sum(axis=-1) if skips_nan else n
    if skips_nan and rows.is_floating_point() and (counts == 0).any():
        _warn_of_rows("All-NaN slice encountered")
    made = []
    for part in q:
        low, high, weight = _places(method, part, maximum(counts, 1) * 1.0)
        last = maximum(counts, 1) - 1
        low, high = [minimum(maximum(at.astype(int64), 0), last) for at in (low, high)]
        a, b = [_picked(ordered, at) for at in (low, high)]
        if method in _PICKING or not (a * 1.0).is_floating_point():
            value = where(weight == 0, a, b)
        else:
            a, b = a * 1.0, b * 1.0
            weight = weight.astype(a.dtype)
            value = where(weight < 0.5, a + (b - a) * weight, b - (b - a) * (1 - weight))
        if rows.is_floating_point():
            wrong = isnan(ends) if not skips_nan else counts == 0
            value = where(wrong, nan, value)
        made.append(value)
    kind = ordered if method in _PICKING else ordered * 1.0
    return stack(made) if made else zeros((0,) + rows.shape[:-1], dtype=kind.dtype)


def _picked(ordered, at):
    if at.ndim == 0:
        return ordered[..., at]
    return take_along_axis(ordered, at[..., None], -1)[..., 0]


def _weights_of(x, weights, axis, method):
    """The weights in x's shape."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    weights = arrays_of(weights, x)[0] * 1.0
    if weights.shape != x.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axes = _normal_axes(axis, x.ndim)
        if weights.shape != tuple([x.shape[at] for at in axes]):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = argsort(asarray(axes))
        weights = weights.transpose(order.tolist())
        weights = weights.reshape(tuple([x.shape[at] if at in axes else 1 for at in range(x.ndim)]))
        weights = broadcast_to(weights, x.shape)
    if (weights < 0).any():
        raise ValueError("Weights must be non-negative.")
    return weights


def _weighed(rows, weights, q, skips_nan):
    """The first sorted value of each row up to which the weights reach the part q of their sum."""
    order = argsort(rows, axis=-1)
    ordered = take_along_axis(rows, order, -1)
    weights = take_along_axis(weights, order, -1)
    missing = isnan(ordered) if rows.is_floating_point() else zeros_like(ordered, dtype=bool_)
    if skips_nan:
        weights = where(missing, 0.0, weights)
        if missing.all(axis=-1).any():
            _warn_of_rows("All-NaN slice encountered")
    sums = weights.cumsum(axis=-1)
    parts = sums / sums[..., -1:]
    made = []
    for part in q:
        # A zero quantile is the first value that weighs something.
        reached = parts >= part if part > 0 else parts > 0
        at = argmax(reached, axis=-1)
        value = _picked(ordered, at)
        if rows.is_floating_point() and not skips_nan:
            value = where(missing.any(axis=-1), nan, value)
        made.append(value)
    return stack(made) if made else zeros((0,) + rows.shape[:-1])


def _asked(q):
    """What is asked for, in float64 whatever the default is; integers stay what they are."""
    plain = asarray(q)
    return plain if plain.dtype.kind in "biu" else asarray(q, dtype=float64)


def _checked(q, whole, words):
    if iscomplexobj(q):
        raise TypeError("q must be an array of real numbers")
    q = _asked(q) if whole == 1 else asarray(q, dtype=float64) / whole
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError(words)
    return q


def _given(made, out):
    """The result, or `out`, which holds it then."""
    if out is None:
        return made
    out[...] = made
    return out


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
                weights=None):
    """As `quantile`, of what is not NaN; NaN where nothing is left.

    >>> nanquantile(array([1.0, nan, 3.0]), 0.5)
    """
    q = _checked(q, 1, "Quantiles must be in the range [0, 1]")
    return _given(_quantile(a, q, axis, method, keepdims, weights, True), out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
                  weights=None):
    """As `percentile`, of what is not NaN; NaN where nothing is left.

    >>> nanpercentile(array([1.0, nan, 3.0]), 50)
    """
    q = _checked(q, 100, "Percentiles must be in the range [0, 100]")
    return _given(_quantile(a, q, axis, method, keepdims, weights, True), out)


def _any_quantile(x, q, axis, out, overwrite_input, method, keepdims, weights):
    q = _checked(q, 1, "Quantiles must be in the range [0, 1]")
    return _given(_quantile(x, q, axis, method, keepdims, weights, False), out)


def _any_percentile(x, q, axis, out, overwrite_input, method, keepdims, weights):
    q = _checked(q, 100, "Percentiles must be in the range [0, 100]")
    return _given(_quantile(x, q, axis, method, keepdims, weights, False), out)
