"""Functions over slices and elements: `apply_along_axis`, `vectorize`, `piecewise` and their kin."""

from operator import index as _index

from numpy import AxisError, ndarray


def _normal_axis(axis, ndim, argument=None):
    axis = _index(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim, argument)
    return axis % ndim


def _normal_axes(axis, ndim):
    """The axes that an argument asks for: one, several, or all where it is None."""
    axes = range(ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    return [_normal_axis(one, ndim) for one in axes]


def _spread(arrays):
    """The arrays in their common shape, in the words of elementwise functions where they have none."""
    try:
        return broadcast_arrays(*arrays)
    except ValueError:
        shapes = " ".join([str(x.shape).replace(" ", "") for x in arrays])
        raise ValueError(f"operands could not be broadcast together with shapes {shapes}") from None


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Calls `func1d(slice, *args, **kwargs)` for every slice of one axis and puts together what it gives.

    What it gives, of any shape, stands in the axis's place. ValueError for an array without slices,
    AxisError for an axis that is not there.

    >>> apply_along_axis(lambda row: row.max() - row.min(), 1, array([[1, 5], [2, 9]]))
    """
    arr = asarray(arr)
    axis = _normal_axis(axis, arr.ndim)
    rows = moveaxis(arr, axis, -1)
    around = rows.shape[:-1]
    count = prod(array(around, dtype=int64)).item()
    if count == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = [asarray(func1d(row, *args, **kwargs)) for row in rows.reshape((count, rows.shape[-1]))]
    joined = stack(made).reshape(around + made[0].shape)
    # The axes that the function made stand where the one that it took stood.
    new = list(range(len(around), joined.ndim))
    return moveaxis(joined, new, [axis + at for at in range(len(new))])


def apply_over_axes(func, a, axes):
    """Calls `func(a, axis)` for one axis after the other; an axis that it takes away stays, of length 1.

    ValueError where what it gives has other axes.

    >>> apply_over_axes(sum, ones((2, 3, 4)), [0, 2])
    """
    value = asarray(a)
    ndim = value.ndim
    for axis in asarray(axes).ravel().tolist():
        axis = axis + ndim if axis < 0 else axis
        made = asarray(func(value, axis))
        if made.ndim != value.ndim:
            made = expand_dims(made, axis)
            if made.ndim != value.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        value = made
    return value


def piecewise(x, condlist, funclist, *args, **kw):
    """For each element what the function of the condition gives that holds there, the last of several.

    Functions get the elements where their condition holds, in one axis; numbers stand for themselves.
    One function more than conditions is for where none holds, else zero is there. The result has x's
    shape and type. ValueError for another number of functions.

    >>> x = linspace(-2.0, 2.0, 5)
    >>> piecewise(x, [x < 0, x >= 0], [lambda x: -x, lambda x: x * 10])
    """
    x = asarray(x)
    is_one = condlist.ndim <= 1 if isinstance(condlist, ndarray) else isscalar(condlist) or isscalar(condlist[0])
    if is_one and x.ndim != 0:
        condlist = [condlist]
    conditions = [asarray(condition).astype(bool) for condition in condlist]
    if len(funclist) == len(conditions) + 1:
        rest = conditions[0]
        for condition in conditions[1:]:
            rest = rest | condition
        conditions.append(~rest)
    elif len(funclist) != len(conditions):
        n = len(conditions)
        words = f"with {n} condition(s), either {n} or {n + 1} functions are expected"
        raise ValueError(words)
    made = zeros_like(x)
    for condition, function in zip(conditions, funclist):
        condition = broadcast_to(condition, x.shape)
        if not callable(function):
            value = function.astype(x.dtype) if isinstance(function, ndarray) else asarray(function, dtype=x.dtype)
            made = where(condition, value, made)
        elif condition.any():
            if x.ndim == 0:
                made = arrays_of(function(x.reshape((1,)), *args, **kw), x)[0].reshape(()).astype(x.dtype)
            else:
                made[condition] = function(x[condition], *args, **kw)
    return made


class vectorize:
    """A function of numbers that takes arrays: called for the elements of its broadcast arguments.

    `otypes` are the types of what it gives, one for each, else those of the first call. `excluded`
    arguments, by place or name, are handed over whole. A `signature` such as '(n),(n)->()' says which
    last axes the function takes and gives itself; the others broadcast. ValueError for arguments
    without elements where the types are not given.

    >>> vectorize(lambda a, b: a if a > b else b)(array([1, 5]), array([[2], [4]]))
    """

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc, self.cache, self.signature = pyfunc, cache, signature
        self.otypes = None if otypes is None else _types(otypes)
        self.excluded = set() if excluded is None else set(excluded)
        self.__doc__ = doc if doc is not None or pyfunc is None else pyfunc.__doc__
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")
        self._cores = None if signature is None else _cores(signature)

    def __call__(self, *args, **kwargs):
        if self.pyfunc is None:
            self.__init__(*args, **dict(otypes=self.otypes, excluded=self.excluded,
                                        cache=self.cache, signature=self.signature))
            return self
        places = [at for at in range(len(args)) if at not in self.excluded]
        names = [name for name in kwargs if name not in self.excluded]
        arrays = [asarray(args[at]) for at in places] + [asarray(kwargs[name]) for name in names]

        def call(values):
            given, named = list(args), dict(kwargs)
            for at, value in zip(places, values):
                given[at] = value
            for name, value in zip(names, values[len(places):]):
                named[name] = value
            return self.pyfunc(*given, **named)

        if not arrays:
            return call([])
        if self._cores is not None:
            return _over_cores(call, arrays, self._cores, self.otypes)
        return _over_elements(call, arrays, self.otypes)


def _types(otypes):
    """The types of a text of letters, or of a list of types."""
    if not isinstance(otypes, str):
        return [dtype(one) for one in otypes]
    for letter in otypes:
        if letter not in "?bBhHiIlLqQefd":
            raise ValueError(f"Invalid otype specified: {letter}")
    return [dtype(letter) for letter in otypes]


def _over_elements(call, arrays, otypes):
    """What a function of numbers gives for each element, as an array or a tuple of arrays."""
    spread = _spread(arrays)
    shape = spread[0].shape
    if spread[0].size == 0:
        if otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        made = tuple([zeros(shape, dtype=one) for one in otypes])
        return made if len(made) > 1 else made[0]
    rows = zip(*[array.ravel() for array in spread])
    results = [call(values) for values in rows]
    is_several = isinstance(results[0], tuple)
    columns = [list(column) for column in zip(*results)] if is_several else [results]
    made = []
    for at, column in enumerate(columns):
        kind = asarray(column[0]).dtype if otypes is None else otypes[at]
        made.append(array(column).astype(kind).reshape(shape))
    return tuple(made) if is_several else made[0]


def _cores(signature):
    """The names of the axes in '(m,n),(n)->(m)', for what is taken and for what is given."""
    def sides(text):
        text = text.replace(" ", "")
        if not text.startswith("(") or not text.endswith(")"):
            raise ValueError(f"not a valid gufunc signature: {signature}")
        return [[name for name in part.split(",") if name] for part in text[1:-1].split("),(")]

    parts = signature.split("->")
    if len(parts) != 2:
        raise ValueError(f"not a valid gufunc signature: {signature}")
    return sides(parts[0]), sides(parts[1])


def _over_cores(call, arrays, cores, otypes):
    """As `_over_elements`, for a function that takes the last axes of its arguments itself."""
    taken, given = cores
    if len(arrays) != len(taken):
        words = f"wrong number of positional arguments: expected {len(taken)}, got {len(arrays)}"
        raise TypeError(words)
    lengths = {}
    for array, names in zip(arrays, taken):
        if array.ndim < len(names):
            words = f"{array.ndim}-dimensional argument does not have enough dimensions for all core dimensions"
            raise ValueError(f"{words} {tuple(names)!r}")
        for name, length in zip(names, array.shape[array.ndim - len(names):]):
            if lengths.setdefault(name, length) != length:
                words = f"inconsistent size for core dimension {name!r}: {length} vs {lengths[name]}"
                raise ValueError(words)
    loops = [array.shape[:array.ndim - len(names)] for array, names in zip(arrays, taken)]
    shape = broadcast_shapes(*loops)
    spread = [
        broadcast_to(array, shape + array.shape[array.ndim - len(names):])
        for array, names in zip(arrays, taken)
    ]
    results = [call([array[at] for array in spread]) for at in ndindex(shape)]
    if len(given) == 1:
        results = [(result,) for result in results]
    made = []
    for at, names in enumerate(given):
        column = [asarray(result[at]) for result in results]
        if not column:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        joined = stack(column).reshape(shape + column[0].shape)
        made.append(joined if otypes is None else joined.astype(otypes[at]))
    return tuple(made) if len(made) > 1 else made[0]


class _FromPython:
    """What `frompyfunc` gives."""

    def __init__(self, func, nin, nout):
        self._func, self.nin, self.nout, self.nargs = func, nin, nout, nin + nout
        self.__name__ = f"{getattr(func, '__name__', '?')} (vectorized)"

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args):
        if len(args) != self.nin:
            words = f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments"
            raise TypeError(f"{words} but {len(args)} were given")
        return _over_elements(lambda values: self._func(*values), [asarray(arg) for arg in args], None)

    def reduce(self, array, axis=0):
        """The function between all elements along an axis, from the first on."""
        rows = moveaxis(asarray(array), axis, 0)
        made = rows[0]
        for row in rows[1:]:
            made = self(made, row)
        return made

    def accumulate(self, array, axis=0):
        """Every step of the function between the elements along an axis."""
        rows = moveaxis(asarray(array), axis, 0)
        steps = [rows[0]]
        for row in rows[1:]:
            steps.append(self(steps[-1], row))
        return stack(steps, axis)

    def outer(self, a, b):
        """The function of every pair: the first's axes, then the second's."""
        a, b = arrays_of(a, b)
        return self(a.reshape(a.shape + (1,) * b.ndim), b)


def frompyfunc(func, /, nin, nout):
    """A function of `nin` numbers, which gives `nout`, as one that takes arrays and broadcasts.

    What it gives are arrays of numbers, of the types of the first call.

    >>> frompyfunc(lambda a, b: a * 10 + b, 2, 1)(array([1, 2]), 3)
    """
    return _FromPython(func, nin, nout)
