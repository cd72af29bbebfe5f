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
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), -1
    axis = _normal_axis(axis, a.ndim)
    n = a.shape[axis]
    for place in asarray(kth).ravel().tolist():
        if not -n <= place < n:
            raise ValueError(f"kth(={place}) out of bounds ({n})")
    return argsort(a, axis=axis)


_method_argpartition = argpartition


def _method_partition(a, kth, axis=-1, kind="introselect", order=None):
    """Puts the array in an order in which the `kth` elements stand where sorting puts them, in place."""
    a[...] = partition(a, kth, axis, kind, order)


def _method_choose(x, choices, out=None, mode="raise"):
    """For each element of x, a number of one of the choices, that choice's element there."""
    return choose(x, choices, out=out, mode=mode)


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


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Sets what happens at floating-point errors; gives what happened before, as `geterr`.

    Infinities and NaNs are results like others here: 'ignore' is the only way. ValueError for what is
    none of NumPy's ways, NotImplementedError for its others.

    >>> seterr(all="ignore")
    """
    before = geterr()
    for name, way in dict(all=all, divide=divide, over=over, under=under, invalid=invalid).items():
        if way is None or way == "ignore":
            continue
        if way not in ("warn", "raise", "call", "print", "log"):
            raise ValueError(f"invalid error mode {way!r}")
        words = "floating-point errors make infinities and NaNs here and are not told of"
        raise NotImplementedError(f"{name}={way!r}: {words}: look with `isfinite(x).all()`")
    return before


def geterr():
    """What happens at each kind of floating-point error: nothing, 'ignore'.

    >>> geterr()
    """
    return {"divide": "ignore", "over": "ignore", "under": "ignore", "invalid": "ignore"}


class errstate:
    """Inside `with`, or in a function that it decorates, floating-point errors are told of as `seterr` says.

    >>> with errstate(divide="ignore"): print(array([1.0]) / 0)
    """

    def __init__(self, *, call=None, all=None, divide=None, over=None, under=None, invalid=None):
        if call is not None:
            raise NotImplementedError("errstate: nothing is called at floating-point errors here")
        self._ways = dict(all=all, divide=divide, over=over, under=under, invalid=invalid)

    def __enter__(self):
        seterr(**self._ways)
        return self

    def __exit__(self, *error):
        return None

    def __call__(self, function):
        from functools import wraps

        @wraps(function)
        def inside(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return inside
