"""Methods of arrays, and what goes with them."""


def _check_selection(kind, order):
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """The places of an array's elements in an order in which the `kth` stand where sorting puts them.

    Smaller ones stand before, larger ones behind. ValueError for a place beyond the axis.

    >>> argpartition(array([3, 1, 2]), 0)
    """
    _check_selection(kind, order)
    a, kth = asarray(a), asarray(kth)
    a = a.ravel() if a.ndim == 0 else a
    if kth.dtype.kind not in "iu":
        raise (ValueError("Booleans unacceptable as partition index") if kth.dtype.kind == "b" else
               TypeError("Partition index must be integer"))
    if kth.ndim > 1:
        raise ValueError("object too deep for desired array")
    if axis is None:
        a, axis = a.ravel(), -1
    axis = _normal_axis(axis, a.ndim)
    n = a.shape[axis]
    for place in kth.ravel().tolist():
        if not -n <= place < n and a.size > 0:
            raise ValueError(f"kth(={place}) out of bounds ({n})")
    if a.ndim == 1 and kth.size == 1 and n >= _MANY and a.dtype.kind != "c":
        return _places_around(a, kth.ravel()[0])
    return argsort(a, axis=axis)


# Elements of which the places are rather found by their values than sorted.
_MANY = 4096


def _places_around(a, kth):
    """The places of what is smaller than the element that sorting puts at `kth`, of what equals it, and of the others."""
    middle = partition(a, kth)[kth]
    if a.dtype.kind == "f" and isnan(middle):
        before, equal = ~isnan(a), isnan(a)
    else:
        before, equal = a < middle, a == middle
    return concatenate([flatnonzero(part) for part in (before, equal, ~(before | equal))])


_method_argpartition = argpartition


def _method_partition(a, kth, axis=-1, kind="introselect", order=None):
    """Puts the array in an order in which the `kth` elements stand where sorting puts them, in place."""
    a[...] = partition(a, kth, axis, kind, order)


def _method_is_integer(x):
    """Whether a scalar is a whole number. AttributeError for an array."""
    if x.ndim or x.dtype.kind not in "fiu":
        raise AttributeError(f"'{type(x).__name__}' object has no attribute 'is_integer': scalars that are real numbers have it")
    return x.dtype.kind != "f" or float(x).is_integer()


def _method_as_integer_ratio(x):
    """Two integers whose quotient a float is. AttributeError for an array and for what is no float."""
    if x.ndim or x.dtype.kind != "f":
        raise AttributeError(f"'{type(x).__name__}' object has no attribute 'as_integer_ratio': scalars that are floats have it")
    return float(x).as_integer_ratio()


def _method_bit_count(x):
    """How many bits of a scalar are 1, without its sign. AttributeError for an array and for what is no integer."""
    if x.ndim or x.dtype.kind not in "iu":
        raise AttributeError(f"'{type(x).__name__}' object has no attribute 'bit_count': scalars that are integers have it")
    return int(x).bit_count()


def _method_choose(x, *choices, out=None, mode="raise"):
    """For each element of x, a number of one of the choices, that choice's element there."""
    if not choices:
        raise TypeError("choose() takes exactly 1 argument (0 given)")
    return choose(x, choices[0] if len(choices) == 1 else choices, out=out, mode=mode)


def _method_compress(x, condition, axis=None, out=None):
    """The slices along an axis where the condition is true."""
    return _given(compress(condition, x, axis=axis), out)


class _Flags:
    """How an array lies in memory, by NumPy's names. What is assigned to `writeable` holds for the array."""

    __spoken_name__ = "numpy.flagsobj"
    _names = ("c_contiguous", "f_contiguous", "owndata", "writeable", "aligned", "writebackifcopy")
    _short = {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata", "W": "writeable", "A": "aligned",
              "X": "writebackifcopy", "CA": "carray", "FA": "farray", "B": "behaved"}

    def __init__(self, x):
        self._x = x

    c_contiguous = property(lambda self: self._x.is_contiguous())
    f_contiguous = property(lambda self: self._x.T.is_contiguous())
    owndata = property(lambda self: owns_memory(self._x))
    writeable = property(lambda self: is_writable(self._x), lambda self, value: set_writable(self._x, bool(value)))
    behaved = property(lambda self: self.writeable)
    contiguous = property(lambda self: self.c_contiguous)
    fortran = property(lambda self: self.f_contiguous and not self.c_contiguous)
    fnc = fortran
    forc = property(lambda self: self.f_contiguous or self.c_contiguous)
    carray = property(lambda self: self.behaved and self.c_contiguous)
    farray = property(lambda self: self.behaved and self.fortran)

    @property
    def num(self):
        bits = {"c_contiguous": 1, "f_contiguous": 2, "owndata": 4, "aligned": 256, "writeable": 1024}
        return sum([bit for name, bit in bits.items() if self[name]])

    @property
    def aligned(self):
        return True

    @aligned.setter
    def aligned(self, value):
        if not value:
            raise ValueError("cannot set ALIGNED flag to False here: elements always lie aligned")

    @property
    def writebackifcopy(self):
        return False

    @writebackifcopy.setter
    def writebackifcopy(self, value):
        if value:
            raise ValueError("cannot set WRITEBACKIFCOPY flag to True")

    def _named(self, name):
        full = self._short.get(name, name.lower()) if isinstance(name, str) else ""
        if full not in self._names and full not in ("behaved", "carray", "farray", "fnc", "forc", "contiguous", "fortran"):
            raise KeyError("Unknown flag")
        return full

    def __getitem__(self, name):
        return getattr(self, self._named(name))

    def __setitem__(self, name, value):
        full = self._named(name)
        if full not in ("writeable", "aligned", "writebackifcopy"):
            raise KeyError("Unknown flag")
        setattr(self, full, value)

    def __eq__(self, other):
        return isinstance(other, _Flags) and [self[name] for name in self._names] == [other[name] for name in self._names]

    def __repr__(self):
        return "".join([f"  {name.upper()} : {self[name]}\n" for name in self._names])


def _property_flags(x):
    return _Flags(x)


class _Memory:
    """What an array holds, as Python's own numbers: `x.data`. Written elements change the array."""

    def __init__(self, x):
        self.obj, self.readonly = x, not x.flags.writeable
        self.shape, self.ndim, self.strides = x.shape, x.ndim, x.strides
        self.itemsize, self.nbytes, self.format = x.itemsize, x.nbytes, {"D": "Zd", "F": "Zf"}.get(x.dtype.char, x.dtype.char)

    def tolist(self):
        """The elements, in lists for the axes."""
        return self.obj.tolist()

    def tobytes(self, order="C"):
        """The elements' bytes."""
        return self.obj.tobytes(order)

    def _part(self, index):
        x = self.obj
        if x.ndim > 1 and not (isinstance(index, tuple) and len(index) == x.ndim):
            raise NotImplementedError("multi-dimensional sub-views are not implemented")
        return x[index]

    def __getitem__(self, index):
        part = self._part(index)
        return part.item() if part.ndim == 0 else _Memory(part)

    def __setitem__(self, index, value):
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        self._part(index)
        self.obj[index] = value

    def __len__(self):
        return self.shape[0] if self.ndim else 1

    def __array__(self, dtype=None, copy=None):
        return self.obj

    def __eq__(self, other):
        return array_equal(self.obj, other.obj) if isinstance(other, _Memory) else NotImplemented

    def __repr__(self):
        return f"<memory at {id(self.obj):#x}>"


def _property_data(x):
    return _Memory(x)


def _property_base(x):
    return base_of(x)


def _set_property_shape(x, shape):
    if is_scalar_of(x):
        raise AttributeError("attribute 'shape' of 'numpy.generic' objects is not writable")
    set_shape(x, shape)


def _method_setflags(x, write=None, align=None, uic=None):
    """Says who may write to the array: nobody where `write` is False.

    ValueError for what cannot be had: writing to what shares its elements with a read-only array.
    """
    flags = _Flags(x)
    if uic:
        raise ValueError("cannot set WRITEBACKIFCOPY flag to True")
    if align is not None:
        flags.aligned = align
    if write is not None:
        flags.writeable = write
