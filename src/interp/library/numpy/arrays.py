"""Arrays made anew from others, and walks over several at once."""

from numpy import ndarray


def resize(a, new_shape):
    """An array of a new shape, filled with a's elements again and again; with zeros if it has none.

    >>> resize(array([1, 2, 3]), (2, 4))
    """
    a = asarray(a).ravel()
    shape = (new_shape,) if isscalar(new_shape) else tuple(new_shape)
    total = 1
    for length in shape:
        if length < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        total *= length
    if a.size == 0 or total == 0:
        return zeros(shape, dtype=a.dtype)
    return tile(a, -(-total // a.size))[:total].reshape(shape)


def _method_resize(x, *new_shape, refcheck=True):
    """Not there: an array keeps its size."""
    raise ValueError("cannot resize an array in place here: `x = resize(x, shape)` makes another")


def trim_zeros(filt, trim="fb", axis=None):
    """An array without the zeros at its ends: 'f' at the front, 'b' at the back, along the axes.

    A list stays a list. ValueError for other letters.

    >>> trim_zeros(array([0, 0, 1, 2, 0]))
    """
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    a = atleast_1d(asarray(filt))
    places = argwhere(a)
    low, high = zeros(a.ndim, dtype=int64), array(a.shape)
    if len(places) > 0:
        low, high = places.min(axis=0), places.max(axis=0) + 1
    else:
        high = zeros(a.ndim, dtype=int64)
        if trim == "f":
            low = high = array(a.shape)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [_normal_axis(one, a.ndim) for one in axes]
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
    if a.is_floating_point():
        a = where(isnan(a), 1, a)
    return cumprod(a, axis=axis, dtype=dtype, out=out)


def packbits(a, /, axis=None, bitorder="big"):
    """Bits, what is not zero for ones, packed into uint8: eight along the axis for one, the last filled with zeros.

    'big' has the first bit at the top, 'little' at the bottom. TypeError for floats.

    >>> packbits(array([1, 0, 1, 0, 0, 0, 0, 1, 1]))
    """
    a = asarray(a)
    if a.is_floating_point():
        raise TypeError("Expected an input array of integer or boolean data type")
    _check_order(bitorder)
    if axis is None:
        a, axis = a.ravel(), 0
    rows = moveaxis(a != 0, _normal_axis(axis, a.ndim), -1)
    missing = -rows.shape[-1] % 8
    rows = concatenate([rows, zeros(rows.shape[:-1] + (missing,), dtype=bool_)], axis=-1)
    rows = rows.reshape(rows.shape[:-1] + (rows.shape[-1] // 8, 8))
    powers = 2 ** (arange(8) if bitorder == "little" else arange(7, -1, -1))
    return moveaxis((rows * powers).sum(axis=-1).astype(uint8), -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of a uint8 array along an axis, eight for each element; `count` of them, filled with zeros.

    A negative `count` leaves as many away at the end. TypeError for other types.

    >>> unpackbits(array([161], dtype=uint8))
    """
    a = asarray(a)
    if a.dtype != uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    _check_order(bitorder)
    if axis is None:
        a, axis = a.ravel(), 0
    rows = moveaxis(a, _normal_axis(axis, a.ndim), -1).astype(int64)
    shifts = arange(8) if bitorder == "little" else arange(7, -1, -1)
    bits = ((rows[..., None] >> shifts) & 1).astype(uint8)
    bits = bits.reshape(rows.shape[:-1] + (rows.shape[-1] * 8,))
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


def bitwise_count(x, /):
    """How many bits are set in the size of each integer, as uint8.

    >>> bitwise_count(array([0, 5, -8]))
    """
    x = asarray(x)
    if x.is_floating_point():
        raise TypeError("ufunc 'bitwise_count' not supported for the input types")
    if x.dtype == "bool":
        return x.astype(uint8)
    size = x.itemsize * 8
    # The lowest integer has no positive one; its bit is the topmost.
    bits, count = abs(x), zeros(x.shape, dtype=int64)
    for shift in range(size):
        count = count + ((bits >> shift) & 1).astype(int64)
    return where(bits < 0, 1, count).astype(uint8)


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
    a = asarray(a, dtype=dtype)
    if a.is_floating_point() and not isfinite(a).all():
        raise ValueError("array must not contain infs or NaNs")
    return a


def vecmat(x1, x2, /):
    """Vectors times matrices: the last axis of x1 is summed with the last but one of x2; stacks broadcast.

    >>> vecmat(array([1, 2]), array([[1, 2], [3, 4]]))
    """
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError("vecmat: x1 has 1 axis at least, x2 has 2")
    if x1.shape[-1] != x2.shape[-2]:
        words = f"vecmat: the vectors have {x1.shape[-1]} elements, the matrices {x2.shape[-2]} rows"
        raise ValueError(words)
    return (x1[..., None, :] @ x2)[..., 0, :]


class broadcast:
    """Arrays that broadcast with each other: their common shape, and a walk over their elements.

    >>> broadcast(ones((3, 1)), ones(4)).shape
    """

    def __init__(self, *args):
        self._arrays = broadcast_arrays(*[asarray(arg) for arg in args])
        self.shape = self._arrays[0].shape if args else ()
        self.nd = self.ndim = len(self.shape)
        self.numiter = len(args)
        self.size = 1
        for length in self.shape:
            self.size *= length
        self.reset()

    @property
    def iters(self):
        return tuple([iter(array.ravel()) for array in self._arrays])

    def reset(self):
        """Begins again at the first elements."""
        self.index = 0
        self._rows = zip(*self.iters)

    def __iter__(self):
        return self

    def __next__(self):
        row = next(self._rows)
        self.index += 1
        return row


class nditer:
    """A walk over the elements of one array, or of several that broadcast, the last axis fastest.

    Elements of an array that `op_flags` names 'readwrite' or 'writeonly' are views: `x[...] = value`
    writes. The flag 'multi_index' keeps `multi_index`, 'c_index' keeps `index`, 'external_loop' gives
    all elements at once. ValueError for other flags.

    >>> [int(x) for x in nditer(array([[1, 2], [3, 4]]))]
    """

    def __init__(self, op, flags=(), op_flags=None, op_dtypes=None, order="K", casting="safe"):
        known = ("multi_index", "c_index", "external_loop", "buffered", "refs_ok", "zerosize_ok")
        for flag in flags:
            if flag not in known:
                raise ValueError(f"nditer: the flag {flag!r} is not there; these are: {', '.join(known)}")
        if order not in ("K", "C", "A"):
            raise ValueError(f"nditer: arrays lie in order 'C' here, not {order!r}")
        operands = list(op) if isinstance(op, (tuple, list)) and any([isinstance(x, ndarray) for x in op]) else [op]
        if op_flags and isinstance(op_flags[0], str):
            op_flags = [op_flags] * len(operands)
        writes = op_flags or [["readonly"]] * len(operands)
        shape = broadcast_shapes(*[asarray(x).shape for x in operands if x is not None])
        self._flags, self.shape, self.ndim = flags, shape, len(shape)
        made = []
        for at, (x, one) in enumerate(zip(operands, writes)):
            is_new = x is None
            if is_new:
                x = zeros(shape, dtype=result_type(*[y for y in operands if y is not None]))
            x = asarray(x)
            if op_dtypes is not None and op_dtypes[at] is not None:
                x = x.astype(op_dtypes[at])
            is_written = is_new or "readwrite" in one or "writeonly" in one
            if is_written and x.shape != shape:
                raise ValueError("output operand requires a reduction along a dimension, which is not enabled")
            made.append((broadcast_to(x, shape) if x.shape != shape else x, is_written))
        self.operands = tuple([x for x, _ in made])
        self.itersize = 1
        for length in shape:
            self.itersize *= length
        self._made = made
        self.reset()

    def reset(self):
        """Begins again at the first elements."""
        self.index = -1
        self.finished = self.itersize == 0
        self._indices = ndindex(self.shape)
        self.multi_index = None
        if "external_loop" not in self._flags:
            self._waits = False
            self.iternext()
            self._waits = True

    def _elements(self):
        found = [x[self.multi_index + (...,)] if writes else x[self.multi_index] for x, writes in self._made]
        return found[0] if len(found) == 1 else tuple(found)

    @property
    def value(self):
        return self._elements()

    def __getitem__(self, at):
        x, _ = self._made[at]
        return x[self.multi_index + (...,)]

    def __setitem__(self, at, value):
        self._made[at][0][self.multi_index] = value

    def __len__(self):
        return self.itersize

    def iternext(self):
        """Goes on; whether there is another place."""
        try:
            self.multi_index = next(self._indices)
        except StopIteration:
            self.finished = True
            return False
        self.index += 1
        return True

    def __iter__(self):
        return self

    def __next__(self):
        if self.finished:
            raise StopIteration
        if "external_loop" in self._flags:
            self.finished = True
            rows = [x.ravel() if not writes else x.reshape((-1,)) for x, writes in self._made]
            return rows[0] if len(rows) == 1 else tuple(rows)
        if not self._waits:
            if not self.iternext():
                raise StopIteration
        self._waits = False
        return self._elements()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def ascontiguousarray(a, dtype=None):
    """The array with its elements in row-major order, of one axis at least; itself where they lie so.

    >>> ascontiguousarray(array([[1, 2], [3, 4]]).T)
    """
    return atleast_1d(asarray(a, dtype=dtype)).contiguous()


def isfortran(a):
    """Whether an array's elements lie in the order of its first axis, and not in that of its last.

    >>> isfortran(ones((2, 3)).T)
    """
    return a.flags.fnc


True_ = True
False_ = False
little_endian = True
