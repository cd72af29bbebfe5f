"""What NumPy's elementwise functions can do along axes and at places, for those without a kernel of their own."""

from numpy import ndarray

_UNARY = {
    "negative", "absolute", "abs", "sign", "square", "sqrt", "rsqrt", "cbrt", "exp", "exp2", "expm1", "log",
    "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "arcsinh", "arccosh", "arctanh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma", "floor", "ceil",
    "trunc", "invert", "bitwise_not", "bitwise_invert", "positive", "fabs", "rint", "reciprocal", "degrees",
    "radians", "bitwise_count", "frexp", "modf", "spacing", "rad2deg", "deg2rad", "conj", "conjugate", "isnan", "isinf", "isfinite", "signbit", "logical_not",
}

# What these take and give is no number alone.
_SIGNATURES = {"matmul": "(n?,k),(k,m?)->(n?,m?)", "matvec": "(m,n),(n)->(m)", "vecdot": "(n),(n)->()"}

_WITH_TWO_RESULTS = {"divmod", "frexp", "modf"}

_IDENTITIES = {
    "add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False,
    "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "gcd": 0, "hypot": 0,
    "logaddexp": -inf, "logaddexp2": -inf,
}

# Without an identity, and yet the same in any order.
_FREE = {"maximum", "minimum", "fmax", "fmin"}

# With a kernel of their own.
_KERNELS = {"add", "multiply", "maximum", "minimum"}


# These take bools along an axis.
_LOGICAL = {"logical_and", "logical_or", "logical_xor"}

_NO_LOOP = "No loop matching the specified signature and casting was found for ufunc "

_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def _is_free(ufunc):
    """Whether what a function makes of several elements is the same in any order."""
    return ufunc.__name__ in _IDENTITIES or ufunc.__name__ in _FREE


def _taken(ufunc, array, dtype):
    x = asarray(array)
    if ufunc.__name__ in _COMPARISONS and (x.dtype if dtype is None else dtype) != bool:
        # What they give is compared next, so only bools can go through them.
        raise TypeError(_NO_LOOP + ufunc.__name__)
    if dtype is None and (ufunc.__name__ in _LOGICAL or ufunc.__name__ in _COMPARISONS):
        return x.astype(bool)
    one = ones(1, dtype=x.dtype if dtype is None else dtype)
    made = ufunc(one, one).dtype
    if dtype is not None and made != dtype:
        raise TypeError(_NO_LOOP + ufunc.__name__)
    return x.astype(made)


def _binary_only(ufunc, method):
    if ufunc.__name__ in _SIGNATURES:
        raise RuntimeError("Reduction not defined on ufunc with signature")
    if ufunc.__name__ in _UNARY:
        raise ValueError(f"{method} only supported for binary functions")
    if ufunc.__name__ in _WITH_TWO_RESULTS:
        raise ValueError(f"{method} only supported for functions returning a single value")


def _one_axis(method, axis, x):
    """The one axis along which a method works; None and a tuple may name it, too."""
    axes = [] if x.ndim == 0 and axis in (0, -1) else _normal_axes(axis, x.ndim)
    if x.ndim == 0:
        raise TypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


def _accumulate_several(ufunc, x, axis, dtype, out):
    """`accumulate` of a function with a kernel, along what is no plain axis."""
    x = asarray(x)
    return ufunc.accumulate(x, _one_axis("accumulate", axis, x), dtype, out)


def _ufunc_method_reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """The function between all elements along the axes, from the first or from `initial` on.

    Where `where` is not true, elements are left out. ValueError for no elements where there is no identity.
    """
    is_free = _is_free(ufunc)
    if where is True and initial is None:
        made = reduced_plainly(ufunc.__name__, array, axis, dtype, keepdims, is_free)
        if made is not None:
            return _given(made, out)
    _binary_only(ufunc, "reduce")
    x = _taken(ufunc, array, dtype)
    # A number without axes is a row of one.
    axes = [] if x.ndim == 0 and axis in (0, -1) else sorted(_normal_axes(axis, x.ndim))
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    if len(axes) > 1 and not is_free:
        words = f"reduction operation '{ufunc.__name__}' is not reorderable"
        raise ValueError(words + ", so at most one axis may be specified")
    if where is not True and initial is None and ufunc.__name__ not in _IDENTITIES:
        words = f"reduction operation '{ufunc.__name__}' does not have an identity"
        raise ValueError(words + ", so to use a where mask one has to specify 'initial'")
    if initial is not None and any([x.shape[at] == 0 for at in axes]):
        made = full([extent for at, extent in enumerate(x.shape) if at not in axes], initial).astype(x.dtype)
    elif not is_free and initial is not None and axes:
        made = _in_order(ufunc, x, axes[0], initial, where)
    else:
        made = x if where is True else _select(asarray(where), x, _begin(ufunc, x.dtype, initial))
        # Over no axes each element is a row of one.
        made = made if axes else made[newaxis]
        for at in reversed(axes or [0]):
            made = _along(ufunc, made, at)
        if initial is not None:
            made = ufunc(full((), initial).astype(made.dtype), made)
    if keepdims:
        made = expand_dims(made, axes)
    return _given(made, out)


def _begin(ufunc, dtype, initial=None):
    """What changes nothing when it is joined, in a type that the function gives; `initial` where there is no such thing."""
    value = _IDENTITIES.get(ufunc.__name__, initial)
    # Of every number of bits all are set.
    return ~zeros((), dtype=dtype) if ufunc.__name__ == "bitwise_and" else full((), value, dtype=dtype)


def _select(mask, x, other):
    return where(broadcast_to(mask, x.shape), x, other)


def _in_order(ufunc, x, axis, initial, mask):
    """The function of what stands before and each element in turn, where a mask is true, from `initial` on."""
    rows = moveaxis(x, axis, -1)
    kept = ones(rows.shape, dtype=bool) if mask is True else moveaxis(broadcast_to(asarray(mask).astype(bool), x.shape), axis, -1)
    first = full(rows.shape[:-1], initial).astype(x.dtype)
    counts = kept.sum(axis=-1).ravel()
    ends = cumsum(counts)
    made = joined_onto(ufunc.__name__, first.ravel(), rows[kept], ends - counts, ends)
    if made is not None:
        return made.reshape(first.shape)
    made = first
    for at in range(rows.shape[-1]):
        made = where(kept[..., at], ufunc(made, rows[..., at]), made)
    return made


def _along(ufunc, x, axis):
    rows = moveaxis(x, axis, 0)
    if len(rows) == 0 and ufunc.__name__ not in _IDENTITIES:
        raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
    if len(rows) == 0:
        return broadcast_to(_begin(ufunc, x.dtype), rows.shape[1:]).copy()
    is_free = _is_free(ufunc)
    folded = joined_along(ufunc.__name__, x, axis, is_free)
    if folded is not None:
        return folded
    # What has no kernel is no function of real numbers.
    while is_free and len(rows) > 1:
        # By halves, so that the number of steps grows with the logarithm of the length.
        half = len(rows) // 2
        both = ufunc(rows[:half], rows[half:2 * half])
        rows = concatenate([both, rows[2 * half:]]) if len(rows) % 2 == 1 else both
    made = rows[0]
    for row in rows[1:]:
        made = ufunc(made, row)
    return made


def _ufunc_method_accumulate(ufunc, array, axis=0, dtype=None, out=None):
    """Every step of the function between the elements along an axis, in the array's shape."""
    is_free = _is_free(ufunc)
    made = steps_plainly(ufunc.__name__, array, axis, dtype, is_free)
    if made is not None:
        return _given(made, out)
    _binary_only(ufunc, "accumulate")
    x = _taken(ufunc, array, dtype)
    axis = _one_axis("accumulate", axis, x)
    steps = steps_along(ufunc.__name__, x, axis, is_free)
    if steps is not None:
        return _given(steps, out)
    rows = moveaxis(x, axis, 0)
    if len(rows) == 0:
        return _given(x.copy(), out)
    if is_free:
        # Each step joins what stands before in runs twice as long.
        made, run = rows.copy(), 1
        while run < len(rows):
            made = concatenate([made[:run], ufunc(made[:-run], made[run:])])
            run *= 2
        return _given(moveaxis(made, 0, axis), out)
    steps = [rows[0]]
    for row in rows[1:]:
        steps.append(ufunc(steps[-1], row))
    return _given(stack(steps, axis), out)


def _ufunc_method_outer(ufunc, /, *operands, **kwargs):
    """The function of every pair: the first's axes, then the second's."""
    _binary_only(ufunc, "outer")
    if len(operands) != 2:
        raise TypeError("exactly two arguments expected")
    A, B = arrays_of(*operands)
    return ufunc(A.reshape(A.shape + (1,) * B.ndim), B, **kwargs)


def _outer_with(ufunc, A, B, out, where, casting, order, dtype):
    """`outer` of a function with a kernel, with what its calls can be asked for."""
    return _ufunc_method_outer(ufunc, A, B, out=out, where=where, casting=casting, order=order, dtype=dtype)


def _ufunc_method_reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    """The function between the elements of each part of an axis that begins at an index and ends before the next.

    Where the next index is not larger, the part is one element; the last part goes to the end. IndexError
    for an index beyond the axis.
    """
    made = sections_plainly(ufunc.__name__, array, indices, axis, dtype)
    if made is None:
        _binary_only(ufunc, "reduceat")
        x = _taken(ufunc, array, dtype)
        axis = _one_axis("reduceat", axis, x)
        made = sections_plainly(ufunc.__name__, x, indices, axis, dtype)
        if made is None:
            made = _sections(ufunc, x, indices, axis)
    return _given(made, out)


def _sections(ufunc, x, indices, axis):
    """What `reduceat` gives, a section after the other."""
    rows = moveaxis(x, axis, 0)
    n = len(rows)
    starts = asarray(indices).ravel().tolist()
    for start in starts:
        if not 0 <= start < n:
            raise IndexError(f"index {start} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})")
    ends = starts[1:] + [n]
    parts = [rows[start:max(end, start + 1)] for start, end in zip(starts, ends)]
    has_kernel = ufunc.__name__ in _KERNELS
    folded = [ufunc.reduce(part) if has_kernel else _along(ufunc, part, 0) for part in parts]
    # One element alone is what it is, also where a fold would change its sign.
    parts = [part[0].astype(one.dtype) if len(part) == 1 else one for part, one in zip(parts, folded)]
    return moveaxis(stack(parts) if parts else rows[:0], 0, axis)


def _ufunc_method_at(ufunc, a, indices, b=None, /):
    """`a[indices] = ufunc(a[indices], b)`, in place, where a place that comes often is changed as often."""
    if not isinstance(a, ndarray):
        raise TypeError("first operand must be array")
    places = arange(a.size).reshape(a.shape)[indices]
    shape, places = asarray(places).shape, asarray(places).ravel()
    if b is not None:
        b = broadcast_to(arrays_of(b, a)[0], shape).ravel()
    elif ufunc.__name__ not in _UNARY:
        raise ValueError("second operand needed for ufunc")
    is_kept = _keeps_type(ufunc, a, b)
    if len(places) == 0:
        return
    order = argsort(places, kind="stable")
    ordered = places[order]
    starts = flatnonzero(concatenate([ones(1, dtype=bool), ordered[1:] != ordered[:-1]]))
    ends = concatenate([starts[1:], full(1, len(places), dtype=int64)])
    at = _coordinates(a, ordered[starts])
    if b is None:
        a[at] = _applied(ufunc, a[at], ends - starts)
        return
    # Floats beside wider ones round once, at the end.
    between = a.dtype if is_kept else promote_types(a.dtype, b.dtype)
    if is_kept or a.dtype.kind == between.kind == "f":
        made = joined_onto(ufunc.__name__, a[at].astype(between), b.astype(between)[order], starts, ends)
        if made is not None:
            a[at] = made
            return
    # Of places that come often, the first times, then the second times, and so on.
    turn = arange(len(places)) - repeat(starts, ends - starts)
    for step in range(int(turn.max()) + 1):
        chosen = order[turn == step]
        at = _coordinates(a, places[chosen])
        a[at] = _held(ufunc, a, ufunc(a[at], b[chosen]))


def _coordinates(a, places):
    """The index of elements by their places in a flattened array; the one element of a number stands in a row."""
    return unravel_index(places, a.shape) if a.ndim > 0 else (newaxis,)


def _applied(ufunc, x, counts):
    """The function of each element, and of that again, as often as it counts."""
    order = argsort(-counts, kind="stable")
    made, left = x[order], counts[order]
    before, saved = made, 0
    for step, going in enumerate((len(x) - cumsum(bincount(counts)))[:-1].tolist()):
        made[:going] = _held(ufunc, x, ufunc(made[:going]))
        if step & (step - 1) == 0:
            before, saved = made.copy(), step
        elif step == saved + 2 and array_equal(before[:going].view(uint8), made[:going].view(uint8)):
            # What two more steps change nothing of depends on whether their number is even.
            odd = flatnonzero((left[:going] - step - 1) % 2)
            made[odd] = ufunc(made[odd])
            break
    return made[argsort(order)]


def _held(ufunc, a, made):
    """What a function made for an array, if it can hold it. TypeError otherwise."""
    if a.dtype != bool and made.dtype != a.dtype and not can_cast(made.dtype, a.dtype, "same_kind"):
        words = f"Cannot cast ufunc '{ufunc.__name__}' output from dtype('{made.dtype}')"
        raise TypeError(f"{words} to dtype('{a.dtype}') with casting rule 'same_kind'")
    return made


def _keeps_type(ufunc, a, b):
    """Whether what the function makes of elements of both, or of the first's, is of the first one's type."""
    if b is None:
        return ufunc(ones(1, dtype=a.dtype)).dtype == a.dtype
    if ufunc.__name__ in _LOGICAL:
        return a.dtype == b.dtype == bool
    return ufunc(ones(1, dtype=a.dtype), ones(1, dtype=b.dtype)).dtype == a.dtype


def _ufunc_property_nin(ufunc):
    return 1 if ufunc.__name__ in _UNARY else 2


def _ufunc_property_nout(ufunc):
    return 2 if ufunc.__name__ in _WITH_TWO_RESULTS else 1


def _ufunc_property_types(ufunc):
    made = []
    for letter in "?bBhHiIlLefdFD":
        one = ones(1, dtype=letter)
        try:
            given = ufunc(one) if ufunc.nin == 1 else ufunc(ones((1, 1), dtype=letter) if ufunc.signature else one, one)
        except (TypeError, ValueError):
            continue
        given = given if isinstance(given, tuple) else (given,)
        made.append(f"{letter * ufunc.nin}->{''.join([x.dtype.char for x in given])}")
    return made


def _ufunc_property_ntypes(ufunc):
    return len(ufunc.types)


def _ufunc_property_signature(ufunc):
    return _SIGNATURES.get(ufunc.__name__)


def _ufunc_property_nargs(ufunc):
    return ufunc.nin + ufunc.nout


def _ufunc_property_identity(ufunc):
    return _IDENTITIES.get(ufunc.__name__)


def _bitwise_count(x):
    if x.dtype.kind in "fc":
        words = "ufunc 'bitwise_count' not supported for the input types, and the inputs could not be safely coerced"
        raise TypeError(f"{words} to any supported types according to the casting rule ''safe''")
    if x.dtype == "bool":
        return x.astype(uint8)
    # Sums of pairs of bits, of fours and of eights, side by side in each element; a product sums the bytes.
    width = x.itemsize * 8
    wide = int64 if width == 64 else int32
    bits = abs(x).astype(wide)
    if width < 32:
        bits = bits & (2**width - 1)
    ones = 0x0101010101010101 if width == 64 else 0x01010101
    bits = bits - ((bits >> 1) & (ones * 0x55))
    bits = (bits & (ones * 0x33)) + ((bits >> 2) & (ones * 0x33))
    bits = (bits + (bits >> 4)) & (ones * 0x0F)
    return ((bits * ones) >> (56 if width == 64 else 24)).astype(uint8)
