"""Arrays out of bytes, and bytes out of arrays."""


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    """The elements that bytes hold, `count` of them, from byte `offset` on: a read-only array. Of an array, a view of it
    as another type.

    A type by its code may have the other order of bytes, `">i4"`: the elements are turned around as they are read. ValueError
    for bytes that do not come out even.

    >>> frombuffer(b"\\x01\\x00\\x02\\x00", dtype=int16)
    """
    _check_like(like)
    count, offset = _whole(count), _whole(offset)
    is_code = isinstance(dtype, str) and dtype[:1] in (">", "=", "|")
    kind = dtype if is_code else zeros(0, dtype=dtype).dtype
    size = zeros(0, dtype=dtype.lstrip(">=|")).itemsize if is_code else kind.itemsize
    if isinstance(buffer, ndarray):
        if not buffer.flags.c_contiguous:
            raise ValueError("ndarray is not C-contiguous")
        length = buffer.nbytes
    elif isinstance(buffer, bytes):
        length = len(buffer)
    else:
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    if not 0 <= offset <= length:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({length})")
    if count < 0:
        if (length - offset) % size:
            raise ValueError("buffer size must be a multiple of element size")
        count = (length - offset) // size
    elif offset + count * size > length:
        raise ValueError("buffer is smaller than requested size")
    if isinstance(buffer, bytes):
        return read_only(elements_of_bytes(buffer, kind, offset, count))
    part = buffer.reshape(-1).view(uint8)[offset:offset + count * size]
    if not is_code:
        return part.view(kind)
    return read_only(elements_of_bytes(bytes_of(part), kind, 0, count))


def _whole(number):
    """An integer, or what stands for one."""
    if isinstance(number, (int, bool)) or hasattr(number, "__index__"):
        return int(number)
    raise TypeError(f"'{type(number).__name__}' object cannot be interpreted as an integer")


def _method_tobytes(x, order="C"):
    """The bytes of the elements by rows, with order "F" by columns, with "A" by columns where they lie so.

    >>> arange(3, dtype=int16).tobytes()
    """
    if order not in ("C", "F", "A", "K", None):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    by_columns = order == "F" or order == "A" and x.flags.fnc
    return bytes_of(x.T if by_columns else x)
