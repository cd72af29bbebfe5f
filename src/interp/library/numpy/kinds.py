"""Kinds of types, and what an array's elements are."""

from numpy import dtype as _dtype, iinfo as _iinfo


def isdtype(dtype, kind):
    """Whether a type is of a kind: a type, 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating',

    'complex floating', 'numeric', or a tuple of these. ValueError for another kind.

    >>> isdtype(float32, "real floating")
    """
    if isinstance(kind, tuple):
        return any([isdtype(dtype, one) for one in kind])
    of = _dtype(dtype).kind
    if not isinstance(kind, str):
        return _dtype(dtype) == _dtype(kind)
    kinds = {
        "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
        "complex floating": "c", "numeric": "iufc",
    }
    if kind not in kinds:
        raise ValueError(f"kind argument is a string, but {kind!r} is not a known kind name.")
    return of in kinds[kind]


def min_scalar_type(a, /):
    """The smallest type that holds a number; an array's own type.

    >>> min_scalar_type(-300)
    """
    if not isscalar(a) and asarray(a).ndim > 0:
        return asarray(a).dtype
    x = asarray(a)
    if x.dtype == "bool":
        return x.dtype
    value = x.item()
    if x.is_floating_point():
        if value != value or value in (inf, -inf):
            return _dtype("float16")
        for name, most in (("float16", 65000.0), ("float32", 3.4e38)):
            if -most < value < most:
                return _dtype(name)
        return _dtype("float64")
    signs = ("uint8", "uint16", "uint32", "uint64") if value >= 0 else ("int8", "int16", "int32", "int64")
    for name in signs:
        try:
            kind = _dtype(name)
        except TypeError:
            continue
        if _iinfo(kind).min <= value <= _iinfo(kind).max:
            return kind
    return _dtype("int64")


def isreal(x):
    """Whether each element has no imaginary part.

    >>> isreal(array([1.0, 2.0]))
    """
    return imag(x) == 0


def iscomplex(x):
    """Whether each element has an imaginary part.

    >>> iscomplex(array([1.0, 2.0]))
    """
    return imag(x) != 0


def real_if_close(a, tol=100):
    """The real parts where all imaginary ones are within `tol` of the type's spacings from zero, else `a`.

    >>> real_if_close(array([1.0, 2.0]))
    """
    a = asarray(a)
    if not iscomplexobj(a):
        return a
    limit = tol * finfo(a.dtype).eps if tol > 1 else tol
    return real(a) if (abs(imag(a)) < limit).all() else a


def common_type(*arrays):
    """The float type in which arrays meet, float64 for integers. TypeError for bools.

    >>> common_type(array([1, 2]), array([1.0], dtype=float32))
    """
    made = _dtype("float16")
    for x in arrays:
        if x.dtype == "bool":
            raise TypeError("can't get common type for non-numeric array")
        made = promote_types(made, x.dtype if x.dtype.kind in "fc" else "float64")
    return made


def require(a, dtype=None, requirements=None):
    """The array in a type, and as `requirements` ask: 'C', 'A' and 'W' always hold, 'O' and 'E' copy.

    ValueError for 'F', which is not there, and for others.

    >>> require([1, 2], float)
    """
    asked = [requirements] if isinstance(requirements, str) else list(requirements or [])
    known = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W",
             "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E"}
    made = asarray(a, dtype=dtype)
    for one in asked:
        if one.upper() not in known:
            raise ValueError(f"require: {one!r} is not there; arrays lie in order 'C' here")
        if known[one.upper()] == "O":
            made = made.copy()
        if known[one.upper()] == "C":
            made = ascontiguousarray(made)
    return made
