"""The modes of `pad` that compute what they put at the ends."""

_STATISTICS = {"maximum": "max", "mean": "mean", "median": "median", "minimum": "min"}

_OPTIONS = {
    "constant": {"constant_values"}, "linear_ramp": {"end_values"}, "maximum": {"stat_length"},
    "mean": {"stat_length"}, "median": {"stat_length"}, "minimum": {"stat_length"}, "reflect": {"reflect_type"},
    "symmetric": {"reflect_type"}, "edge": set(), "wrap": set(), "empty": set(),
}


def _pad(x, pad_width, mode, options):
    """Pads axis after axis, each by what stands in the array then."""
    x = asarray(x)
    if not callable(mode):
        if mode not in _OPTIONS:
            raise ValueError(f"mode '{mode}' is not supported: the modes are {', '.join(_OPTIONS)}, or a function")
        unknown = set(options) - _OPTIONS[mode]
        if unknown:
            raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    widths = _pairs(pad_width, x.ndim)
    if any([width < 0 for pair in widths for width in pair]):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        return _pad_by(x, widths, mode, options)
    if mode == "empty" or mode == "constant":
        values = options.get("constant_values", 0)
        return pad(x, widths, "constant", constant_values=values)
    if mode in ("edge", "wrap"):
        return pad(x, widths, mode)
    if mode in ("reflect", "symmetric"):
        return _pad_oddly(x, widths, mode, options.get("reflect_type", "even"))
    ends = _pairs(options.get("end_values", 0), x.ndim)
    lengths = _pairs(options.get("stat_length", None), x.ndim)
    for axis, (before, after) in enumerate(widths):
        if before + after == 0:
            continue
        rows = moveaxis(x, axis, 0)
        n = len(rows)
        if n == 0:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        if mode == "linear_ramp":
            first, last = ends[axis]
            parts = [_ramp(first, rows[0], before, x.dtype), rows, _ramp(last, rows[-1], after, x.dtype)[::-1]]
        else:
            low, high = lengths[axis]
            parts = [
                _repeated(_statistic(rows if low is None else rows[:low], mode, x), before),
                rows,
                _repeated(_statistic(rows if high is None else rows[max(n - high, 0):], mode, x), after),
            ]
        x = moveaxis(concatenate(parts), 0, axis)
    return x


def _pairs(value, ndim):
    """(before, after) for each axis, of one number, a pair, or one of these for each axis."""
    if isinstance(value, dict):
        return [_pairs(value.get(at, value.get(at - ndim, 0)), 1)[0] for at in range(ndim)]
    if value is None:
        return [(None, None)] * ndim
    spread = broadcast_to(arrays_of(value, zeros(0, dtype=float64))[0], (ndim, 2))
    return [tuple(pair) for pair in spread.tolist()]


def _ramp(end, edge, count, dtype):
    """`count` steps from `end` on, the last before the edge."""
    steps = arange(count).reshape((count,) + (1,) * edge.ndim) * 1.0
    made = end + (edge - end) * (steps / max(count, 1))
    return (floor(made) if dtype.kind in "iu" else made).astype(dtype)


def _repeated(row, count):
    return broadcast_to(row, (count,) + row.shape)


def _statistic(rows, mode, x):
    if len(rows) == 0:
        raise ValueError("stat_length of 0 yields no value for padding")
    if mode == "median":
        made = median(rows, axis=0)
    else:
        made = getattr(rows, _STATISTICS[mode])(axis=0)
    if mode in ("mean", "median") and x.dtype.kind in "biu":
        made = rint(made)
    return asarray(made).astype(x.dtype)


def _pad_oddly(x, widths, mode, reflect_type):
    """Reflections at the edges, 'odd' ones turned over: twice the edge less the reflection."""
    if reflect_type == "even":
        return pad(x, widths, mode)
    if reflect_type != "odd":
        raise ValueError(f"reflect_type is 'even' or 'odd', not {reflect_type!r}")
    for axis, (before, after) in enumerate(widths):
        rows = moveaxis(x, axis, 0)
        if len(rows) == 0 and before + after > 0:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        if len(rows) == 1 and mode == "reflect":
            rows = pad(rows, [(before, after)] + [(0, 0)] * (rows.ndim - 1), "edge")
            before = after = 0
        skip = 1 if mode == "reflect" else 0
        while before > 0 or after > 0:
            period = len(rows) - skip
            low, high = min(before, period), min(after, period)
            front = 2 * rows[:1] - rows[skip:skip + low][::-1]
            back = 2 * rows[-1:] - rows[len(rows) - skip - high:len(rows) - skip][::-1]
            rows = concatenate([front, rows, back])
            before, after = before - low, after - high
        x = moveaxis(rows, 0, axis)
    return x


def _pad_by(x, widths, function, options):
    """Zeros at the ends, which the function fills: it gets each padded vector, the widths, the axis, options."""
    made = pad(x, widths, "constant")
    for axis in range(x.ndim):
        rows = moveaxis(made, axis, -1)
        for at in ndindex(rows.shape[:-1]):
            row = rows[at].copy()
            changed = function(row, widths[axis], axis, options)
            rows[at] = row if changed is None else changed
    return made
