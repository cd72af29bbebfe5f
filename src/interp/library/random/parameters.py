def _lengths(size):
    """NumPy's `size` as a tuple."""
    if isinstance(size, (float, str)) or size is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got '{size}'")
    if isinstance(size, (tuple, list)) or ndim(size) > 0:
        shape = tuple(_index(length) for length in size)
    else:
        shape = (_index(size),)
    if any(length < 0 for length in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def _parameter(x):
    """A number as it is, anything else as a tensor of numbers."""
    if isinstance(x, (int, float)):
        return x
    if isinstance(x, str):
        raise ValueError(f"could not convert string to float: {x!r}")
    if x is None:
        raise TypeError("must be real number, not NoneType")
    x = asarray(x)
    if iscomplexobj(x):
        words = f"Cannot cast array data from dtype('{_name(x.dtype)}') to dtype('float64') according to the rule 'safe'"
        raise TypeError(words)
    return x


def _whole(x):
    """As `_parameter`, of integers; a number loses its fraction."""
    if isinstance(x, float):
        return int(x)
    x = _parameter(x)
    if ndim(x) > 0 and x.is_floating_point():
        words = f"Cannot cast array data from dtype('{_name(x.dtype)}') to dtype('int64') according to the rule 'safe'"
        raise TypeError(words)
    return _number(x)


def _number(x):
    """A tensor without axes as a number."""
    return x.item() if is_tensor(x) and x.ndim == 0 else x


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def _shape(size, *parameters):
    """The shape of what is drawn: `size`, or what the parameters make together."""
    if size is None:
        return _together([_lengths_of(x) for x in parameters])
    shape = _lengths(size)
    if all(ndim(x) == 0 for x in parameters):
        return shape
    found = _together([shape, *[_lengths_of(x) for x in parameters]])
    if found != shape:
        words = f"Output size {shape} is not compatible with broadcast dimensions of inputs {found}."
        raise ValueError(words)
    return shape


def _lengths_of(x):
    return () if ndim(x) == 0 else tuple(x.shape)


def _together(shapes):
    """The shape that all broadcast to."""
    rank = max([len(shape) for shape in shapes], default=0)
    lengths = []
    for axis in range(-rank, 0):
        length, of = 1, 0
        for position, shape in enumerate(shapes):
            if len(shape) < -axis or shape[axis] == 1 or shape[axis] == length:
                continue
            if length != 1:
                words = "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
                words += f"arg {of} with shape {shapes[of]} and arg {position} with shape {shape}."
                raise ValueError(words)
            length, of = shape[axis], position
        lengths.append(length)
    return tuple(lengths)


def _refuse(wrong, words):
    """Raises ValueError where a condition on a parameter holds, or holds for an element."""
    if wrong if isinstance(wrong, bool) else wrong.any():
        raise ValueError(words)


def _within(x, is_right, words, beside=0):
    """Raises ValueError where a parameter is not where it has to be; NaN is nowhere.

    The words end as NumPy's do where the parameter, or the one beside it, is an array.
    """
    words = words.format("is NaN" if ndim(x) == 0 and ndim(beside) == 0 else "contains NaNs")
    _refuse(not is_right(x) if ndim(x) == 0 else ~is_right(x), words)


def _float_of(*parameters):
    """The type of what is drawn: the default float, or a parameter's that is wider."""
    dtype = get_default_dtype()
    if any(ndim(x) > 0 and x.dtype == float64 for x in parameters):
        return float64
    return dtype


def _result(values, out):
    """The values, in `out` where there is one."""
    if out is None:
        return values
    out[...] = values
    return out


def _checked(dtype, out, name):
    """The float type that is asked for, by name or by what `out` holds."""
    if out is not None and not is_tensor(out):
        raise TypeError(f"out must be a tensor, found {type(out).__name__}")
    if dtype is None:
        dtype = get_default_dtype() if out is None else out.dtype
    dtype = _dtype(dtype)
    if dtype not in (float32, float64):
        raise TypeError(f"Unsupported dtype dtype('{_name(dtype)}') for {name}")
    if out is not None and out.dtype != dtype:
        words = f"Supplied output array has the wrong type. Expected {_name(dtype)}, got {_name(out.dtype)}"
        raise TypeError(words)
    return dtype


def _dtype(dtype):
    return zeros(0, dtype=dtype).dtype


def _into(size, out):
    """The shape that `size` and `out` agree on."""
    if out is None:
        return () if size is None else _lengths(size)
    if size is not None and _lengths(size) != tuple(out.shape):
        raise ValueError("size must match out.shape when used together")
    return tuple(out.shape)
