"""What tensors have by the special names of Python's data model and of the Array API standard. Operators and built-in
functions themselves do not look here."""

import operator as _operators


def _methods(name):
    """An operator's three methods: with the tensor on the left, on the right, and in place."""
    plain, in_place = getattr(_operators, name), getattr(_operators, "i" + name.strip("_"))
    return lambda x, value, /: plain(x, value), lambda x, value, /: plain(value, x), lambda x, value, /: in_place(x, value)


_method___add__, _method___radd__, _method___iadd__ = _methods("add")
_method___sub__, _method___rsub__, _method___isub__ = _methods("sub")
_method___mul__, _method___rmul__, _method___imul__ = _methods("mul")
_method___truediv__, _method___rtruediv__, _method___itruediv__ = _methods("truediv")
_method___floordiv__, _method___rfloordiv__, _method___ifloordiv__ = _methods("floordiv")
_method___mod__, _method___rmod__, _method___imod__ = _methods("mod")
_method___pow__, _method___rpow__, _method___ipow__ = _methods("pow")
_method___matmul__, _method___rmatmul__, _method___imatmul__ = _methods("matmul")
_method___lshift__, _method___rlshift__, _method___ilshift__ = _methods("lshift")
_method___rshift__, _method___rrshift__, _method___irshift__ = _methods("rshift")
_method___and__, _method___rand__, _method___iand__ = _methods("and_")
_method___or__, _method___ror__, _method___ior__ = _methods("or_")
_method___xor__, _method___rxor__, _method___ixor__ = _methods("xor")

_method___eq__ = _operators.eq
_method___ne__ = _operators.ne
_method___lt__ = _operators.lt
_method___le__ = _operators.le
_method___gt__ = _operators.gt
_method___ge__ = _operators.ge
_method___neg__ = _operators.neg
_method___pos__ = _operators.pos
_method___invert__ = _operators.invert
_method___contains__ = _operators.contains
_method___getitem__ = _operators.getitem


def _method___setitem__(x, key, value, /):
    x[key] = value


def _method___abs__(x, /):
    return abs(x)


def _method___divmod__(x, value, /):
    return divmod(x, value)


def _method___rdivmod__(x, value, /):
    return divmod(value, x)


def _method___bool__(x, /):
    return bool(x)


def _method___int__(x, /):
    return int(x)


def _method___float__(x, /):
    return float(x)


def _method___complex__(x, /):
    return complex(x)


def _method___index__(x, /):
    return _operators.index(x)


def _method___len__(x, /):
    return len(x)


def _method___iter__(x, /):
    return iter(x)


def _method___repr__(x, /):
    return repr(x)


def _method___str__(x, /):
    return str(x)


def _method___format__(x, spec, /):
    return format(x, spec)


def _method___copy__(x, /):
    return x.copy()


def _method___deepcopy__(x, memo, /):
    return x.copy()


def _property___hash__(x):
    return None


def _method___array__(x, dtype=None, *, copy=None):
    """The tensor itself, in a type if one is given; `copy` True or False insists."""
    return asarray(x, dtype=dtype, copy=copy)


def _method___array_namespace__(x, /, *, api_version=None):
    """The namespace with the standard's functions for this tensor: `numpy`."""
    if api_version is not None and api_version not in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"Version \"{api_version}\" of the Array API Standard is not supported.")
    import numpy
    return numpy


class _Capsule:
    """What `__dlpack__` hands out: the tensor, for `from_dlpack`."""

    def __init__(self, tensor):
        self.tensor = tensor


def _method___dlpack__(x, /, *, stream=None, max_version=None, dl_device=None, copy=None):
    """The tensor's memory for `from_dlpack`. Nothing outside this program can take it."""
    if copy:
        x = x.copy()
    if dl_device is not None and tuple(dl_device) != x.__dlpack_device__():
        if copy is False or tuple(dl_device)[0] != 1:
            raise BufferError("unsupported device requested")
        x = x.to_device("cpu")
    return _Capsule(x)


def _method___dlpack_device__(x, /):
    """The kind of the tensor's device in DLPack's numbers, 1 for host memory and 2 for CUDA, and its number."""
    return (1, 0) if x.device.type == "cpu" else (2, x.device.index)


def from_dlpack(x, /, *, device=None, copy=None):
    """A tensor over the memory of an object with `__dlpack__`, on a device, as a copy if `copy`.

    >>> from_dlpack(arange(3))
    """
    if not hasattr(x, "__dlpack__"):
        raise AttributeError(f"'{type(x).__name__}' object has no attribute '__dlpack__'")
    made = x.__dlpack__(copy=copy).tensor
    if device is not None and str(made.device) != str(device):
        if copy is False:
            raise ValueError("from_dlpack: another device takes a copy")
        return made.to_device(device)
    return made.view(made.dtype)
