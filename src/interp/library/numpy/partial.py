"""Statistics of some elements, of what is not NaN among them, or about a mean that is known."""


def _real_places(x, mask):
    """Where what is not NaN counts."""
    real = x == x if x.is_floating_point() or iscomplexobj(x) else ones(x.shape, dtype=bool)
    return real if mask is True else real & asarray(mask).astype(bool)


def _nansum(x, axis, dtype, out, keepdims, initial, mask):
    x = asarray(x)
    return _given(_fold("sum", x, axis, dtype, keepdims, initial, _real_places(x, mask), None, 0), out)


def _nanprod(x, axis, dtype, out, keepdims, initial, mask):
    x = asarray(x)
    return _given(_fold("prod", x, axis, dtype, keepdims, initial, _real_places(x, mask), None, 0), out)


def _nan_extreme(name, x, axis, out, keepdims, initial, mask):
    x = asarray(x)
    if mask is not True and initial is None:
        words = f"reduction operation 'f{name}' does not have an identity"
        raise ValueError(words + ", so to use a where mask one has to specify 'initial'")
    return _given(_fold(name, x, axis, None, keepdims, initial, _real_places(x, mask), None, 0), out)


def _nanmax(x, axis, out, keepdims, initial, mask):
    return _nan_extreme("max", x, axis, out, keepdims, initial, mask)


def _nanmin(x, axis, out, keepdims, initial, mask):
    return _nan_extreme("min", x, axis, out, keepdims, initial, mask)


def _nanmean(x, axis, dtype, out, keepdims, mask):
    x = asarray(x)
    with errstate(divide="ignore", invalid="ignore"):
        made = _fold("mean", x, axis, dtype, keepdims, None, _real_places(x, mask), None, 0)
    return _given(made, out)


def _nan_spread(name, x, axis, dtype, out, ddof, keepdims, mask, mean, correction):
    if correction is not None and ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    x, ddof = asarray(x), ddof if correction is None else correction
    with errstate(divide="ignore", invalid="ignore"):
        made = _fold(name, x, axis, dtype, keepdims, None, _real_places(x, mask), mean, ddof)
    return _given(made, out)


def _nanvar(*arguments):
    return _nan_spread("var", *arguments)


def _nanstd(*arguments):
    return _nan_spread("std", *arguments)


# What begins with nothing: "add" and "multiply" are a sum and a product of which None is said to be the beginning.
_UNBEGUN = {"max": "maximum", "min": "minimum", "add": "add", "multiply": "multiply"}
_REAL_FOLDS = {"sum": 0, "prod": 1, "any": False, "all": True}


def _fold(name, x, axis, dtype, keepdims, initial, where_, mean, ddof):
    """A reduction of the elements where a mask is true, begun with `initial`, or about `mean`."""
    x = asarray(x) if dtype is None else asarray(x).astype(dtype)
    if x.ndim == 0 and axis in (0, -1) and name not in ("mean", "var", "std"):
        axis = None
    _normal_axes(axis, x.ndim)
    mask = None if where_ is True else broadcast_to(asarray(where_).astype(bool), x.shape)
    if name in ("mean", "var", "std"):
        return _moments(name, x, mask, axis, keepdims, mean, ddof)
    if mask is not None and initial is None and name in _UNBEGUN:
        words = f"reduction operation '{_UNBEGUN[name]}' does not have an identity"
        raise ValueError(words + ", so to use a where mask one has to specify 'initial'")
    if name in ("max", "min"):
        initial = _begun(initial, x.dtype)
        if mask is not None:
            x = where(mask, x, initial)
        pick = maximum if name == "max" else minimum
        if any([x.shape[at] == 0 for at in _normal_axes(axis, x.ndim)]):
            made = zeros_like(x).sum(axis=axis, keepdims=keepdims)
            return pick(full_like(made, initial, dtype=x.dtype), initial)
        made = x.max(axis=axis, keepdims=keepdims) if name == "max" else x.min(axis=axis, keepdims=keepdims)
        return pick(made, initial)
    if mask is not None:
        x = where(mask, x, _REAL_FOLDS[name])
    if name == "sum":
        made = x.sum(axis=axis, dtype=dtype, keepdims=keepdims)
        return made if initial is None else made + _begun(initial, made.dtype)
    if name == "prod":
        made = x.prod(axis=axis, dtype=dtype, keepdims=keepdims)
        return made if initial is None else made * _begun(initial, made.dtype)
    if name == "any":
        made = x.any(axis=axis, keepdims=keepdims)
        return made if initial is None else made | bool(initial)
    made = x.all(axis=axis, keepdims=keepdims)
    return made if initial is None else made & bool(initial)


def _begun(initial, dtype):
    """What a fold begins with, in the type of its result."""
    return initial.astype(dtype) if hasattr(initial, "dtype") else full((), initial, dtype=dtype)


def _moments(name, x, mask, axis, keepdims, mean, ddof):
    """Mean, variance and deviation of the elements where the mask is true."""
    x = x if x.is_floating_point() or iscomplexobj(x) else x * 1.0
    if x.itemsize <= 2:
        # Sums of half types are kept in a wider one.
        return _moments(name, x.astype(float32), mask, axis, keepdims, mean, ddof).astype(x.dtype)
    mask = ones(x.shape, dtype=bool) if mask is None else mask
    count = mask.sum(axis=axis, keepdims=True)
    if (count <= (0 if name == "mean" else ddof)).any():
        from warnings import warn

        warn("Mean of empty slice" if name == "mean" else "Degrees of freedom <= 0 for slice", RuntimeWarning)
    if mean is None:
        mean = where(mask, x, 0).sum(axis=axis, keepdims=True) / count.astype(x.dtype)
    if name == "mean":
        made = mean
    else:
        away = where(mask, x - arrays_of(mean, x)[0].astype(x.dtype), 0)
        square_of = real(away * conj(away)) if iscomplexobj(away) else away * away
        made = square_of.sum(axis=axis, keepdims=True) / maximum(count - ddof, 0).astype(square_of.dtype)
        made = sqrt(made) if name == "std" else made
    return made if keepdims else squeeze(made, axis)


def _integer_moments(name, x, axis, dtype, keepdims, initial, where_, mean, ddof):
    """Mean, variance and deviation in a type of integers, in which NumPy keeps what each step gives."""
    x = asarray(x)
    # A number without axes is no row here.
    _normal_axes(axis, x.ndim)
    total = x.sum(axis=axis, dtype=dtype, keepdims=name != "mean" or keepdims)
    count = x.size / total.size if total.size else x.size
    made = (total / count).astype(dtype)
    if name == "mean":
        return made
    away = x - made
    made = (real(away * conj(away)).sum(axis=axis, dtype=dtype, keepdims=keepdims) / max(count - ddof, 0)).astype(dtype)
    if name == "var":
        return made
    return sqrt(made, out=made) if made.ndim else sqrt(made).astype(dtype)


def _average_over_axes(x, axis, weights, returned, keepdims):
    """The mean over several axes, whose shape the weights have."""
    x, weights = arrays_of(x, weights)
    axes = _normal_axes(axis, x.ndim)
    if weights.shape != tuple([x.shape[at] for at in axes]):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    weights = weights.transpose(argsort(asarray(axes)).tolist())
    weights = weights.reshape(tuple([x.shape[at] if at in axes else 1 for at in range(x.ndim)]))
    return average(x, axis, broadcast_to(weights, x.shape), returned, keepdims=keepdims)


def _interp_periodic(x, xp, fp, left, right, period):
    """Between points that repeat: `left` and `right` mean nothing then."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    period = abs(period)
    x, xp, fp = arrays_of(x, xp, fp)
    x, xp = x * 1.0, xp * 1.0
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape != fp.shape:
        raise ValueError("fp and xp are not of the same length")
    x, xp = x % period, xp % period
    order = argsort(xp)
    xp, fp = xp[order], fp[order]
    xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
    fp = concatenate([fp[-1:], fp, fp[:1]])
    return interp(x, xp, fp)
