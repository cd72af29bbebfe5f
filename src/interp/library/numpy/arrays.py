"""Arrays made anew from others, and walks over several at once."""

from operator import index as _index

from numpy import ndarray


def resize(a, new_shape):
    """An array of a new shape, filled with a's elements again and again; with zeros if it has none.

    >>> resize(array([1, 2, 3]), (2, 4))
    """
    a = asarray(a).ravel()
    shape = tuple([_index(n) for n in ((new_shape,) if isscalar(new_shape) else new_shape)])
    total = 1
    for length in shape:
        if length < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        total *= length
    if a.size == 0 or total == 0:
        return zeros(shape, dtype=a.dtype)
    return tile(a, -(-total // a.size))[:total].reshape(shape)


def _method_resize(x, *new_shape, refcheck=True):
    """Makes the array longer or shorter in place, by rows; what is added is zero.

    ValueError for a view, and where another variable holds the array or a view of it, unless `refcheck` is False.

    >>> x = array([[0, 1], [2, 3]])
    >>> x.resize((3, 2))
    >>> x
    """
    if len(new_shape) == 1:
        new_shape = new_shape[0]
    if new_shape is None or isinstance(new_shape, tuple) and len(new_shape) == 0:
        return
    shape = (new_shape,) if isscalar(new_shape) else tuple(new_shape)
    flags = x.flags
    if not flags.forc:
        raise ValueError("resize only works on single-segment arrays")
    total = 1
    for length in shape:
        if _index(length) < 0:
            raise ValueError("negative dimensions not allowed")
        total *= length
    if total == x.size and flags.c_contiguous:
        return set_shape(x, shape)
    if not flags.owndata:
        raise ValueError("cannot resize this array: it does not own its data")
    names, views = holders_of(x)
    if refcheck and (names > 1 or views > 0):
        raise ValueError(
            "cannot resize an array that references or is referenced\nby another object in this way.\n"
            "Use the np.resize function to get a new resized copy or\n set refcheck=False to disable this check"
        )
    made = zeros(total, dtype=x.dtype, device=x.device)
    kept = min(total, x.size)
    made[:kept] = x.ravel(order="K")[:kept]
    become(x, made.reshape(shape))


def trim_zeros(filt, trim="fb", axis=None):
    """An array without the zeros at its ends: 'f' at the front, 'b' at the back, along the axes.

    A list stays a list. ValueError for other letters.

    >>> trim_zeros(array([0, 0, 1, 2, 0]))
    """
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    trim = trim.lower()
    a = asarray(filt)
    if a.ndim == 0:
        return filt
    places = argwhere(a)
    low, high = zeros(a.ndim, dtype=int64), array(a.shape)
    if len(places) > 0:
        low, high = places.min(axis=0), places.max(axis=0) + 1
    else:
        high = zeros(a.ndim, dtype=int64)
        if trim == "f":
            low = high = array(a.shape)
    axes = _normal_axes(axis, a.ndim)
    index = [slice(None)] * a.ndim
    for at in axes:
        start = int(low[at]) if "f" in trim else None
        stop = int(high[at]) if "b" in trim else None
        index[at] = slice(start, stop)
    if isinstance(filt, (list, tuple)) and len(index) == 1:
        return filt[index[0]]
    return a[tuple(index)]


def unwrap(p, discont=None, axis=-1, *, period=2 * pi):
    """An angle along an axis without jumps: what is further than half a period from the last is moved by periods.

    Jumps smaller than `discont` stay. The shape is p's.

    >>> unwrap(array([0.0, 3.0, -3.0])).round(3)
    """
    p = asarray(p)
    step = diff(p, axis=axis)
    if discont is None:
        discont = period / 2
    dtype = result_type(step, period)
    is_whole = not (zeros(0, dtype=dtype)).is_floating_point()
    half, rest = (period // 2, period % 2 == 0) if is_whole else (period / 2, True)
    low = -half
    moved = (step - low) % period + low
    if rest:
        moved = where((moved == low) & (step > 0), half, moved)
    correction = where(abs(step) < discont, 0, moved - step)
    first = [slice(None)] * p.ndim
    first[axis] = slice(0, 1)
    behind = [slice(None)] * p.ndim
    behind[axis] = slice(1, None)
    up = p.astype(dtype).copy()
    up[tuple(behind)] = up[tuple(behind)] + correction.cumsum(axis=axis)
    return up


def nancumprod(a, axis=None, dtype=None, out=None):
    """The running product along an axis, NaN counted as 1; of all elements for None.

    >>> nancumprod(array([2.0, nan, 3.0]))
    """
    a = asarray(a)
    if a.is_floating_point() or iscomplexobj(a):
        a = where(isnan(a), 1, a)
    return cumprod(a, axis=axis, dtype=dtype, out=out)


def packbits(a, /, axis=None, bitorder="big"):
    """Bits, what is not zero for ones, packed into uint8: eight along the axis for one, the last filled with zeros.

    'big' has the first bit at the top, 'little' at the bottom. TypeError for floats.

    >>> packbits(array([1, 0, 1, 0, 0, 0, 0, 1, 1]))
    """
    a = asarray(a)
    if a.is_floating_point() or iscomplexobj(a):
        raise TypeError("Expected an input array of integer or boolean data type")
    _check_order(bitorder)
    if axis is None or a.ndim == 0:
        a, axis = a.ravel(), axis or 0
    rows = moveaxis(a != 0, _normal_axis(axis, a.ndim), -1)
    missing = -rows.shape[-1] % 8
    more = zeros(rows.shape[:-1] + (missing,), dtype=bool_)
    # A product puts the eight bits of a word, one a byte, next to each other at its top.
    words = (concatenate([rows, more], axis=-1) if missing else rows.copy()).view(int64)
    places = _BITS_UP if bitorder == "little" else _BITS_DOWN
    return moveaxis(((words * places) >> 56).astype(uint8), -1, axis)


# A bit of each byte of a word: the lowest of the last one and the next of the one before it, or the other way round.
_BITS_UP = 0x0102040810204080
_BITS_DOWN = -0x7FBFDFEFF7FBFDFF


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of a uint8 array along an axis, eight for each element; `count` of them, filled with zeros.

    A negative `count` leaves as many away at the end. TypeError for other types.

    >>> unpackbits(array([161], dtype=uint8))
    """
    a = asarray(a)
    if a.dtype != uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    _check_order(bitorder)
    if axis is None or a.ndim == 0:
        a, axis = a.ravel(), axis or 0
    # Each element in all bytes of a word, of which each keeps a bit.
    words = moveaxis(a, _normal_axis(axis, a.ndim), -1).astype(int64) * 0x0101010101010101
    kept = ascontiguousarray(words & (_BITS_DOWN if bitorder == "little" else _BITS_UP))
    bits = (kept.view(uint8) != 0).astype(uint8)
    if count is not None:
        n = bits.shape[-1]
        if count < 0 and -count > n:
            raise ValueError(f"-count {count} too large for input array of size {n}")
        keep = count if count >= 0 else n + count
        more = zeros(bits.shape[:-1] + (max(keep - n, 0),), dtype=uint8)
        bits = concatenate([bits[..., :keep], more], axis=-1)
    return moveaxis(bits, -1, axis)


def _check_order(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")


def iterable(y):
    """Whether a value can be walked over.

    >>> iterable([1, 2])
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


def asarray_chkfinite(a, dtype=None, order=None):
    """As `asarray`. ValueError where an element is infinite or NaN.

    >>> asarray_chkfinite([1, 2])
    """
    a = asarray(a, dtype=dtype, order=order)
    if a.dtype.kind in "fc" and not isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return a


def asfortranarray(a, dtype=None, *, like=None):
    """The array with its elements by columns, the first axis fastest, of one axis at least; itself where they lie so.

    >>> asfortranarray(array([[1, 2], [3, 4]])).flags.f_contiguous
    """
    return atleast_1d(asarray(a, dtype=dtype, order="F", like=like))


def _ndarray(shape, dtype, buffer, offset, strides, order):
    if buffer is None:
        if strides is not None or offset != 0:
            raise ValueError("offset and strides go with a buffer, whose memory they walk through")
        return empty(shape, dtype=dtype, order=order)
    if not isinstance(buffer, ndarray):
        raise TypeError(f"a buffer is an array here, not {type(buffer).__name__}")
    kind = zeros(0, dtype=dtype).dtype
    own = buffer.ravel()
    if not shares_memory(own, buffer):
        raise ValueError("ndarray is not contiguous")
    if kind != own.dtype:
        own = own.view(kind)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = kind.itemsize
    if strides is None:
        made, strides = size, []
        for length in shape if order == "F" else reversed(shape):
            strides.append(made)
            made *= length
        strides = strides if order == "F" else strides[::-1]
    if offset < 0 or offset % size != 0 or any([stride % size != 0 for stride in strides]):
        raise ValueError(f"offset and strides are whole elements of {size} bytes here")
    if offset // size > own.size:
        raise TypeError("buffer is too small for requested array")
    return strided(own[offset // size:], shape, [stride // size for stride in strides])


def ascontiguousarray(a, dtype=None, *, like=None):
    """The array with its elements in row-major order, of one axis at least; itself where they lie so.

    >>> ascontiguousarray(array([[1, 2], [3, 4]]).T)
    """
    return atleast_1d(asarray(a, dtype=dtype, like=like)).contiguous()


def isfortran(a):
    """Whether an array's elements lie in the order of its first axis, and not in that of its last.

    >>> isfortran(ones((2, 3)).T)
    """
    return a.flags.fnc


True_ = True
False_ = False
little_endian = True
