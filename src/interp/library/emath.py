"""Functions that go on into the complex plane where those of real numbers end."""

import numpy as np

# What complex numbers of single precision hold all of.
_SINGLE = (np.float32, np.int8, np.int16, np.uint8, np.uint16, np.complex64)


def _complex_where(x, is_beyond):
    """`x`, complex if any of it is real and beyond what the real function takes."""
    x = np.asarray(x)
    if not np.any(np.isreal(x) & is_beyond(x)):
        return x
    return x.astype(np.complex64 if x.dtype in _SINGLE else np.complex128)


def _unless_negative(x):
    return _complex_where(x, lambda x: x < 0)


def _unless_above_one(x):
    return _complex_where(x, lambda x: abs(x) > 1)


def sqrt(x):
    """The square root, imaginary of negative numbers.

    >>> np.emath.sqrt(-4)
    """
    return np.sqrt(_unless_negative(x))


def log(x):
    """The natural logarithm, with pi as the imaginary part of negative numbers."""
    return np.log(_unless_negative(x))


def log2(x):
    """The logarithm in base 2, complex of negative numbers."""
    return np.log2(_unless_negative(x))


def log10(x):
    """The logarithm in base 10, complex of negative numbers."""
    return np.log10(_unless_negative(x))


def logn(n, x):
    """The logarithm in base `n`, complex of negative numbers."""
    x = np.log(_unless_negative(x))
    return x / np.log(_unless_negative(n))


def power(x, p):
    """A power, complex of negative numbers, and a float where an exponent is negative."""
    x, p = _unless_negative(x), np.asarray(p)
    return np.power(x, p * 1.0 if np.any(np.isreal(p) & (p < 0)) else p)


def arccos(x):
    """The arc cosine, complex beyond one."""
    return np.arccos(_unless_above_one(x))


def arcsin(x):
    """The arc sine, complex beyond one."""
    return np.arcsin(_unless_above_one(x))


def arctanh(x):
    """The inverse hyperbolic tangent, complex beyond one."""
    return np.arctanh(_unless_above_one(x))
