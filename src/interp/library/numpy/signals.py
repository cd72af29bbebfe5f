"""Sums of products of shifted signals."""

from numpy.lib.stride_tricks import sliding_window_view as _windows


def _slid(a, v, mode):
    """The full convolution of two vectors, or the part of it that `mode` names."""
    n, m = len(a), len(v)
    if type(mode) is int:
        if not 0 <= mode <= 2:
            raise ValueError("integer convolve/correlate mode must be 0, 1, or 2")
        mode = ("valid", "same", "full")[mode]
    elif not isinstance(mode, str):
        raise TypeError("convolve/correlate mode not understood")
    elif mode not in ("full", "same", "valid"):
        raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
    if n < m:
        a, v, n, m = v, a, m, n
    dtype = result_type(a, v)
    if mode == "full":
        before, length = m - 1, n + m - 1
    elif mode == "same":
        before, length = m // 2, n
    else:
        before, length = 0, n - m + 1
    after = length - (n - m + 1) - before
    a = concatenate([zeros(before, dtype=dtype), a.astype(dtype), zeros(after, dtype=dtype)])
    v = v.astype(dtype)
    inside = None
    if dtype.kind in "fc" and before + after > 0 and not isfinite(v).all():
        # What lies beyond the ends adds nothing, also where it would be zero times NaN or infinity.
        inside = concatenate([zeros(before, dtype=bool), ones(n, dtype=bool), zeros(after, dtype=bool)])
    if m <= 32 or a.dtype == "bool" or inside is not None:
        made = zeros(length, dtype=dtype)
        for k in range(m):
            part = a[k:k + length] * v[m - 1 - k]
            if inside is not None:
                part = where(inside[k:k + length], part, 0)
            made = made | part if made.dtype == "bool" else made + part
        return made
    windows = _windows(a, m)
    reverse = v[::-1]
    # As many windows at once as keep what is copied small.
    step = max(1, 1048576 // m)
    if length <= step:
        return windows @ reverse
    return concatenate([windows[at:at + step] @ reverse for at in range(0, length, step)])


def _signals(a, v):
    a, v = arrays_of(a, v)
    return _signal(a), _signal(v)


def _signal(x):
    if x.ndim > 1:
        raise ValueError("object too deep for desired array")
    return x.reshape(-1)


def _refuse_number(x):
    if ndim(x) == 0:
        raise ValueError("object of too small depth for desired array")


def convolve(a, v, mode="full"):
    """The convolution of two vectors of lengths N and M.

    'full' gives N + M - 1 elements, 'same' max(N, M), 'valid' max(M, N) - min(M, N) + 1, those where
    the vectors overlap wholly. ValueError for empty vectors, more axes and other modes.

    >>> convolve([1, 2, 3], [0, 1, 0.5])
    """
    a, v = _signals(a, v)
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    return _slid(a, v, mode)


def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors, `sum(a[k + n] * conj(v[n]))` over n for each shift k.

    The modes are those of `convolve`. ValueError as there.

    >>> correlate([1, 2, 3], [0, 1, 0.5], "same")
    """
    _refuse_number(a)
    _refuse_number(v)
    a, v = _signals(a, v)
    if len(a) == 0:
        raise ValueError("first array argument cannot be empty")
    if len(v) == 0:
        raise ValueError("second array argument cannot be empty")
    v = conj(v) if iscomplexobj(v) else v
    if len(a) < len(v) and mode == "same":
        return _slid(v, a[::-1], mode)[::-1]
    return _slid(a, v[::-1], mode)
