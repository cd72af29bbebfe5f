"""Numbers of places and what stands there: `ravel_multi_index`, `choose`, `ediff1d` and their kin."""


def _ravel_multi_index(multi_index, dims, mode, order):
    dims = tuple(atleast_1d(dims).tolist())
    parts = [asarray(part) for part in multi_index]
    if len(parts) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    modes = (mode,) * len(dims) if isinstance(mode, (str, int)) else tuple(mode)
    # NumPy's numbers of the modes are taken, too.
    modes = [("clip", "wrap", "raise")[one] if one in (0, 1, 2) else one for one in modes]
    for one in modes:
        if one not in ("raise", "wrap", "clip"):
            raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {one!r})")
    _check_layout(order)
    place, whole = array(0), 1
    rows = list(zip(parts, dims, modes))
    for part, length, one in rows if order == "F" else reversed(rows):
        if part.dtype.kind in "fc":
            raise TypeError("only int indices permitted")
        part = part.astype(int64)
        if one == "wrap":
            part = part % length
        elif one == "clip":
            part = clip(part, 0, length - 1)
        elif ((part < 0) | (part >= length)).any():
            raise ValueError("invalid entry in coordinates array")
        place = place + part * whole
        whole *= length
    return place


def _unravel_index(indices, shape, order):
    shape = tuple(atleast_1d(shape).tolist())
    _check_layout(order)
    rest = asarray(indices)
    if rest.dtype.kind in "fc":
        raise TypeError("only int indices permitted")
    total = 1
    for length in shape:
        total *= length
    wrong = (rest < 0) | (rest >= total)
    if wrong.any():
        at = rest.ravel()[wrong.ravel()][0].item()
        raise ValueError(f"index {at} is out of bounds for array with size {total}")
    parts = []
    for length in shape if order == "F" else reversed(shape):
        parts.append(rest % length)
        rest = rest // length
    return tuple(parts if order == "F" else reversed(parts))


def _check_layout(order):
    if order not in ("C", "F"):
        raise ValueError(f"only 'C' or 'F' order is permitted, not {order!r}")


def _choose(a, choices, out, mode):
    a = asarray(a)
    choices = arrays_of(*choices)
    if mode == "wrap":
        a = a % len(choices)
    elif mode == "clip":
        a = clip(a, 0, len(choices) - 1)
    elif mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    elif ((a < 0) | (a >= len(choices))).any() and 0 not in broadcast_shapes(*[x.shape for x in (a, *choices)]):
        raise ValueError("invalid entry in choice array")
    made = choices[0]
    for at, choice in enumerate(choices[1:], 1):
        made = where(a == at, choice, made)
    made = made.astype(result_type(*choices))
    return _given(broadcast_to(made, broadcast_shapes(a.shape, made.shape)), out)


def _ediff1d(x, to_end, to_begin):
    x = asarray(x).ravel()
    parts = [x[1:] - x[:-1]]
    for end, name in ((to_begin, "to_begin"), (to_end, "to_end")):
        if end is None:
            continue
        end = arrays_of(end, x)[0].ravel()
        if not can_cast(end.dtype, x.dtype, "same_kind"):
            words = f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
            raise TypeError(words)
        end = end.astype(x.dtype)
        parts = [end] + parts if name == "to_begin" else parts + [end]
    return concatenate(parts)


def _indices(dimensions, dtype, sparse):
    dimensions = (dimensions,) if isinstance(dimensions, int) else tuple(dimensions)
    n = len(dimensions)
    return tuple([
        arange(length, dtype=dtype).reshape((1,) * at + (length,) + (1,) * (n - at - 1))
        for at, length in enumerate(dimensions)
    ])


def _unique_slices(x, axis, return_index, return_inverse, return_counts):
    """The distinct slices along an axis, sorted, and where they stand."""
    x = asarray(x)
    axis = _normal_axis(axis, x.ndim)
    slices = moveaxis(x, axis, 0)
    n = len(slices)
    flat = slices.reshape((n, x.size // max(n, 1)))
    columns = [flat[:, at] for at in range(flat.shape[1])]
    order = lexsort(stack(columns[::-1])) if columns else arange(n)
    ordered = flat[order]
    first = concatenate([ones(min(n, 1), dtype=bool_), (ordered[1:] != ordered[:-1]).any(axis=1)])
    made = [moveaxis(slices[order[first]], 0, axis)]
    if return_index:
        made.append(order[first])
    if return_inverse:
        inverse = zeros(n, dtype=int64)
        inverse[order] = first.cumsum() - 1
        made.append(inverse)
    if return_counts:
        made.append(diff(concatenate([flatnonzero(first), array([n])])))
    return tuple(made) if len(made) > 1 else made[0]
