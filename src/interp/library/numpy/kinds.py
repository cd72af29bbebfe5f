"""Kinds of types, and what an array's elements are."""

from numpy import dtype as _dtype


def isreal(x):
    """Whether each element has no imaginary part.

    >>> isreal(array([1.0, 2.0]))
    """
    return x.imag == 0 if isinstance(x, (int, float, complex)) else imag(x) == 0


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


def sort_complex(a):
    """A sorted copy as complex numbers: by the real parts, then by the imaginary ones.

    >>> sort_complex(array([3.0, 1.0, 2.0]))
    """
    made = sort(a)
    if iscomplexobj(made):
        return made
    return made.astype("complex64" if made.dtype in ("int8", "uint8", "int16", "uint16") else "complex128")


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


def _is_number(element):
    from numbers import Number
    return isinstance(element, Number)


def require(a, dtype=None, requirements=None, *, like=None):
    """The array in a type, and as `requirements` ask: 'C' and 'F' lay it out, 'A' always holds, 'W' and 'O' copy where they must.

    ValueError for others, and for 'C' and 'F' at once.

    >>> require([1, 2], float)
    """
    asked = [requirements] if isinstance(requirements, str) else list(requirements or [])
    known = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W",
             "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E", "F": "F",
             "F_CONTIGUOUS": "F", "FORTRAN": "F"}
    for one in asked:
        if one.upper() not in known:
            raise KeyError(one)
    asked = set([known[one.upper()] for one in asked])
    if "C" in asked and "F" in asked:
        raise ValueError("Cannot specify both \"C\" and \"F\" order")
    made = asarray(a, dtype=dtype, order="F" if "F" in asked else "C" if "C" in asked else "K", like=like)
    must_copy = "O" in asked and not made.flags.owndata or "W" in asked and not made.flags.writeable
    return made.copy(order="F" if "F" in asked else "C") if must_copy else made


class _Limits:
    """What `finfo` and `iinfo` tell of a type."""

    def __init__(self, name, figures):
        self._name = name
        for figure, value in figures.items():
            setattr(self, figure, value)

    def __repr__(self):
        figures = [f"resolution={self.resolution}"] if self._name == "finfo" else []
        figures += [f"min={self._shown('min')}", f"max={self._shown('max')}", f"dtype={self.dtype}"]
        return f"{self._name}({', '.join(figures)})"

    def __str__(self):
        line = "-" * 63
        shown = self._shown
        if self._name == "iinfo":
            lines = [f"min = {self.min}", f"max = {self.max}"]
        else:
            lines = [
                f"precision = {self.precision}   resolution = {self.resolution}",
                f"machep = {self.machep}   eps =        {shown('eps')}",
                f"negep =  {self.negep}   epsneg =     {shown('epsneg')}",
                f"minexp = {self.minexp}   tiny =       {shown('tiny')}",
                f"maxexp = {self.maxexp}   max =        {shown('max')}",
                f"nexp =   {self.nexp}   min =        -max",
                f"smallest_normal = {shown('smallest_normal')}   smallest_subnormal = {shown('smallest_subnormal')}",
            ]
        return "\n".join([f"Machine parameters for {self.dtype}", line, *lines, line, ""])

    def __eq__(self, other):
        return isinstance(other, _Limits) and (self._name, self.dtype) == (other._name, other.dtype)

    def __hash__(self):
        return hash((self._name, str(self.dtype)))

    def _shown(self, figure):
        value = getattr(self, figure)
        return str(value) if isinstance(value, int) else str(full((), value, dtype=self.dtype))


_LIMITS = {name: type(name, (_Limits,), {}) for name in ("finfo", "iinfo")}


def _limits(name, figures):
    return _LIMITS[name](name, figures)
