"""Grids and indices: `mgrid`, `r_`, `ndindex` and their kin."""

from numpy import ndarray


class _Grid:
    """What `mgrid` and `ogrid` are: brackets that make coordinates of slices.

    A step that is an imaginary number counts points, with both ends among them.
    """

    def __init__(self, name, is_sparse):
        self._name, self._is_sparse = name, is_sparse

    def __repr__(self):
        return f"<numpy.{self._name}>"

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _points(key)
        parts = [_points(part) for part in key]
        dtype = result_type(*parts) if parts else int64
        parts = [part.astype(dtype) for part in parts]
        made = meshgrid(*parts, indexing="ij", sparse=self._is_sparse)
        if self._is_sparse:
            return tuple(made)
        return stack(made) if made else zeros((0,), dtype=dtype)


def _points(part, is_wide=False):
    """The numbers that a slice of a grid stands for; floats have 64 bits if `is_wide`."""
    start = 0 if part.start is None else part.start
    step = 1 if part.step is None else part.step
    if part.stop is None:
        raise TypeError("a slice of a grid has an end")
    if iscomplexobj(step):
        return linspace(start, part.stop, int(abs(step)), dtype=float64 if is_wide else None)
    has_floats = any([isinstance(number, float) for number in (start, part.stop, step)])
    return arange(start, part.stop, step, dtype=float64 if is_wide and has_floats else None)


mgrid = _Grid("mgrid", False)
ogrid = _Grid("ogrid", True)


class _Joined:
    """What `r_` and `c_` are: brackets that join arrays, numbers and slices along an axis."""

    def __init__(self, name, axis, ndmin, first):
        self._name, self._axis, self._ndmin, self._first = name, axis, ndmin, first

    def __repr__(self):
        return f"<numpy.{self._name}>"

    def __getitem__(self, key):
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin, first = self._axis, self._ndmin, self._first
        if parts and isinstance(parts[0], str):
            axis, ndmin, first = _directive(parts.pop(0), axis, ndmin, first)
        made, weak = [], []
        given = arrays_of(*[part for part in parts if not isinstance(part, (slice, str))])
        is_wide = any([array.dtype in (float64, complex128) for array in given])
        given = iter(given)
        for part in parts:
            if isinstance(part, str):
                raise ValueError("special directives must be the first entry.")
            is_weak = isinstance(part, (bool, int, float))
            part = _points(part, is_wide) if isinstance(part, slice) else next(given)
            missing = ndmin - part.ndim
            if missing > 0:
                before = missing if first < 0 else min(first, missing)
                part = part.reshape((1,) * before + part.shape + (1,) * (missing - before))
            (weak if is_weak else made).append(part)
        if not made and not weak:
            raise ValueError("need at least one array to concatenate")
        # A Python number takes the type that the arrays have.
        dtype = result_type(*made, *[part.ravel()[0].item() for part in weak])
        if dtype.kind in "iu":
            # One that the type does not hold is an error.
            asarray([part for part in parts if isinstance(part, (bool, int))], dtype=dtype)
        rest, again = iter(made), iter(weak)
        joined = [next(again if isinstance(part, (bool, int, float)) else rest) for part in parts]
        return concatenate([part.astype(dtype) for part in joined], axis)


def _directive(text, axis, ndmin, first):
    """What the text at the head of `r_`'s brackets asks for."""
    if text in ("r", "c"):
        raise ValueError(f"r_[{text!r}, …] makes a matrix, which is not there: reshape the result")
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"unknown special directive {text!r}") from None
    axis = numbers[0]
    if len(numbers) > 1:
        ndmin = numbers[1]
    if len(numbers) > 2:
        first = numbers[2]
    return axis, ndmin, first


r_ = _Joined("r_", 0, 1, -1)
c_ = _Joined("c_", -1, 2, 0)


class _Index:
    """What `s_` and `index_exp` are: brackets that give back what stands in them."""

    def __init__(self, name, is_tuple):
        self._name, self._is_tuple = name, is_tuple

    def __repr__(self):
        return f"<numpy.{self._name}>"

    def __getitem__(self, key):
        return (key,) if self._is_tuple and not isinstance(key, tuple) else key


s_ = _Index("s_", False)
index_exp = _Index("index_exp", True)


class ndindex:
    """Walks over all indices of a shape, the last axis fastest.

    >>> list(ndindex(2, 2))
    """

    def __init__(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        if any([length < 0 for length in shape]):
            raise ValueError("negative dimensions are not allowed")
        import itertools
        self.shape = shape
        self._indices = itertools.product(*[range(length) for length in shape])

    @property
    def ndim(self):
        return len(self.shape)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._indices)


class ndenumerate:
    """Walks over an array's indices, each with its element, the last axis fastest.

    >>> [(place, int(x)) for place, x in ndenumerate(array([[1, 2], [3, 4]]))]
    """

    def __init__(self, arr):
        arr = asarray(arr)
        self._indices, self._elements = ndindex(arr.shape), iter(arr.ravel())

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._indices), next(self._elements)


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    """What a function gives for the coordinates of a shape: one array of this shape for each axis.

    >>> fromfunction(lambda i, j: i + j, (2, 3), dtype=int)
    """
    _check_like(like)
    return function(*indices(shape, dtype=dtype), **kwargs)


def _check_like(like):
    if like is not None and not isinstance(like, ndarray):
        words = "The `like` argument must be an array-like that implements the `__array_function__` protocol."
        raise TypeError(words)


def fromiter(iter, dtype, count=-1, *, like=None):
    """An array of one axis of what an iterable gives, all of it or the first `count` items.

    ValueError where there are fewer.

    >>> fromiter((x * x for x in range(4)), float)
    """
    _check_like(like)
    items = []
    if count != 0:
        for item in iter:
            items.append(item)
            if len(items) == count:
                break
    if len(items) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return array(items, dtype=dtype)


def diag_indices_from(arr):
    """The indices of the main diagonal of an array whose axes are all of one length.

    >>> diag_indices_from(zeros((2, 2)))
    """
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if any([length != arr.shape[0] for length in arr.shape]):
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def mask_indices(n, mask_func, k=0):
    """The indices of an (n, n) array where `mask_func(ones((n, n)), k)` is not zero.

    >>> mask_indices(3, triu, 1)
    """
    return nonzero(mask_func(ones((n, n), dtype=int64), k) != 0)


def tril_indices_from(arr, k=0):
    """The indices of the lower triangle of an array of two axes, up to its `k`-th diagonal.

    >>> tril_indices_from(zeros((2, 2)))
    """
    return tril_indices(*_matrix_shape(arr, k))


def triu_indices_from(arr, k=0):
    """The indices of the upper triangle of an array of two axes, from its `k`-th diagonal on.

    >>> triu_indices_from(zeros((2, 2)))
    """
    return triu_indices(*_matrix_shape(arr, k))


def _matrix_shape(arr, k):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return arr.shape[0], k, arr.shape[1]
