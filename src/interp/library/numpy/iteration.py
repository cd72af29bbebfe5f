"""Walks over the elements of several arrays at once."""

from numpy import ndarray


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
    writes. The flag 'multi_index' keeps `multi_index`, 'c_index' and 'f_index' keep `index`, 'external_loop'
    gives all elements at once. `op_axes` says for each operand which of its axes is the walk's first, second,
    and so on, -1 for none; `itershape` how far the walk's axes go, -1 for as far as the operands do. `order` 'F'
    has the first axis fastest. ValueError for other flags.

    >>> [int(x) for x in nditer(array([[1, 2], [3, 4]]))]
    """

    def __init__(self, op, flags=(), op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None,
                 itershape=None, buffersize=0):
        known = ("multi_index", "c_index", "f_index", "external_loop", "buffered", "refs_ok", "zerosize_ok", "common_dtype",
                 "copy_if_overlap", "delay_bufalloc", "grow_inner", "ranged", "reduce_ok", "growinner")
        for flag in flags:
            if flag not in known:
                raise ValueError(f"nditer: the flag {flag!r} is not there; these are: {', '.join(known)}")
        if order not in ("K", "C", "A", "F"):
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        if buffersize < 0:
            raise ValueError("nditer: the buffer has no negative size")
        is_several = isinstance(op, (tuple, list)) and any([isinstance(x, ndarray) or x is None for x in op])
        operands = list(op) if is_several else [op]
        if op_flags and isinstance(op_flags[0], str):
            op_flags = [op_flags] * len(operands)
        writes = op_flags or [["writeonly" if x is None else "readonly"] for x in operands]
        views = [None if x is None else asarray(x) for x in operands]
        if op_axes is not None:
            views = [x if x is None else _seen_by(x, axes) for x, axes in zip(views, op_axes)]
        shape = _spread([x for x in views if x is not None])[0].shape
        if itershape is not None:
            shape = broadcast_shapes(shape, tuple([1 if n == -1 else n for n in itershape]))
        self._flags, self.shape, self.ndim, self._order = flags, shape, len(shape), order
        common = result_type(*[x for x in views if x is not None]) if "common_dtype" in flags else None
        made, kept = [], []
        for at, (x, one) in enumerate(zip(views, writes)):
            kind = common if op_dtypes is None or op_dtypes[at] is None else op_dtypes[at]
            is_new = x is None
            if is_new:
                x = zeros(shape, dtype=kind or result_type(*[y for y in views if y is not None]))
            is_written = is_new or "readwrite" in one or "writeonly" in one
            if kind is not None and x.dtype != kind:
                if not can_cast(x.dtype, kind, casting):
                    words = f"Iterator operand {at} dtype could not be cast from dtype('{x.dtype}')"
                    raise TypeError(f"{words} to dtype('{dtype(kind)}') according to the rule '{casting}'")
                if is_written:
                    raise TypeError(f"nditer: operand {at} is written to, and has the type {x.dtype} and no other")
                x = x.astype(kind)
            if is_written and x.shape != shape and "reduce_ok" not in flags:
                raise ValueError("output operand requires a reduction along a dimension, which is not enabled")
            spread = x
            if x.shape != shape:
                steps = [stride // x.itemsize for stride in x.strides]
                missing = len(shape) - x.ndim
                steps = [0] * missing + [0 if n == 1 else step for n, step in zip(x.shape, steps)]
                spread = strided(x, shape, steps) if is_written else broadcast_to(x, shape)
            made.append((spread, is_written))
            kept.append(x if is_new or operands[at] is not x else operands[at])
        self.operands = tuple(kept)
        self.nop, self.itersize = len(kept), 1
        for length in shape:
            self.itersize *= length
        self.dtypes = tuple([x.dtype for x in kept])
        self.has_multi_index, self.has_index = "multi_index" in flags, "c_index" in flags or "f_index" in flags
        self._made = made
        self.reset()

    def reset(self):
        """Begins again at the first elements."""
        self.iterindex = -1
        self.finished = self.itersize == 0
        self._indices = _places_in(self.shape, self._order)
        self.multi_index = None
        if "external_loop" in self._flags:
            self.multi_index, self.iterindex = (0,) * self.ndim, 0
        else:
            self._waits = False
            self.iternext()
            self._waits = True

    @property
    def index(self):
        """The number of the place, by rows, or by columns for 'f_index'."""
        place, whole = 0, 1
        steps = list(zip(self.multi_index, self.shape))
        for at, length in steps if "f_index" in self._flags else reversed(steps):
            place += at * whole
            whole *= length
        return place

    def _elements(self):
        found = [x[self.multi_index + (...,)] if writes else x[self.multi_index] for x, writes in self._made]
        return found[0] if len(found) == 1 else tuple(found)

    @property
    def value(self):
        return self._elements()

    @property
    def itviews(self):
        return tuple([x for x, _ in self._made])

    def _row(self, x, writes):
        order = "F" if self._order == "F" else "C"
        return x.reshape((-1,), order=order) if writes else x.ravel(order)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return tuple([self[i] for i in range(self.nop)[at]])
        x, writes = self._made[at]
        return self._row(x, writes) if "external_loop" in self._flags else x[self.multi_index + (...,)]

    def __setitem__(self, at, value):
        if "external_loop" in self._flags:
            x, writes = self._made[at]
            self._row(x, writes)[...] = value
        else:
            self._made[at][0][self.multi_index] = value

    def __len__(self):
        return self.nop

    def copy(self):
        """A walk of its own that stands where this one does."""
        made = nditer([x for x, _ in self._made] if self.nop > 1 else self._made[0][0], self._flags,
                      [["readwrite"] if writes else ["readonly"] for _, writes in self._made], order=self._order)
        for _ in range(self.iterindex):
            made.iternext()
        return made

    def iternext(self):
        """Goes on; whether there is another place."""
        if "external_loop" in self._flags:
            self.finished = True
            return False
        try:
            self.multi_index = next(self._indices)
        except StopIteration:
            self.finished = True
            return False
        self.iterindex += 1
        return True

    def __iter__(self):
        return self

    def __next__(self):
        if self.finished:
            raise StopIteration
        if "external_loop" in self._flags:
            self.finished = True
            rows = [self._row(x, writes) for x, writes in self._made]
            return rows[0] if len(rows) == 1 else tuple(rows)
        if not self._waits:
            if not self.iternext():
                raise StopIteration
        self._waits = False
        return self._elements()

    def close(self):
        """Ends the walk."""
        self.finished = True

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
        return None


def _seen_by(x, axes):
    """The array with those of its axes in this order; where there is none, an axis of length 1."""
    if axes is None:
        return x
    own = [axis for axis in axes if axis not in (-1, newaxis)]
    if any([x.shape[axis] != 1 for axis in range(x.ndim) if axis not in own]):
        raise ValueError("nditer: an axis that `op_axes` leaves out has length 1")
    left = [axis for axis in range(x.ndim) if axis not in own]
    x = x.transpose(own + left).reshape(tuple([x.shape[axis] for axis in own]))
    return expand_dims(x, [at for at, axis in enumerate(axes) if axis in (-1, newaxis)])


def _places_in(shape, order):
    if order != "F":
        return iter(ndindex(shape))
    return (at[::-1] for at in ndindex(shape[::-1]))


class _Nested:
    """One of the walks of `nested_iters`: over some axes, from where the outer ones stand."""

    def __init__(self, arrays, writes, axes, outer, flags):
        self._arrays, self._writes, self._axes, self._outer, self._flags = arrays, writes, axes, outer, flags
        shape = broadcast_shapes(*[x.shape for x in arrays])
        self.shape = tuple([shape[axis] for axis in axes])
        self.multi_index = (0,) * len(axes)
        self.finished = False

    @property
    def index(self):
        return int(ravel_multi_index(self.multi_index, self.shape)) if self.shape else 0

    def _place(self):
        place = dict(zip(self._axes, self.multi_index))
        if self._outer is not None:
            place.update(self._outer._place())
        return place

    def __iter__(self):
        for at in ndindex(self.shape):
            self.multi_index = at
            place = self._place()
            found = [x[tuple([place.get(axis, slice(None)) for axis in range(x.ndim)]) + ((...,) if writes else ())]
                     for x, writes in zip(self._arrays, self._writes)]
            yield found[0] if len(found) == 1 else tuple(found)
        self.finished = True


def nested_iters(op, axes, flags=(), op_flags=None, op_dtypes=None, order="K", casting="safe", buffersize=0):
    """Walks one within the other: each over the axes that `axes` lists for it, from where the outer ones stand.

    An axis stands in one of the lists only. Elements of what `op_flags` names 'readwrite' are views.

    >>> i, j = nested_iters(arange(6).reshape((2, 3)), [[0], [1]], flags=["multi_index"])
    >>> [(i.multi_index, [int(y) for y in j]) for x in i]
    """
    walk = nditer(op, ["multi_index"], op_flags, op_dtypes, order, casting, buffersize=buffersize)
    listed = [axis for part in axes for axis in part]
    if len(set(listed)) != len(listed):
        raise ValueError("An axis is used more than once")
    arrays, writes = [x for x, _ in walk._made], [is_written for _, is_written in walk._made]
    made, outer = [], None
    for part in axes:
        outer = _Nested(arrays, writes, [_normal_axis(axis, walk.ndim) for axis in part], outer, flags)
        made.append(outer)
    return tuple(made)
