"""Windows for signals, and the functions that they are made of."""


def _window(M):
    """How many points, and the odd numbers from 1 - M on, in floats."""
    M = _one_number(2, M)
    if M < 1:
        return None
    points = arange(1 - M, M, 2)
    return points * 1.0


def _one_number(count, *numbers):
    """The first as a float; NumPy's words, of a list of `count`, where one of them is none."""
    for number in numbers:
        if isinstance(number, (list, tuple)) or getattr(number, "ndim", 0) > 0:
            words = "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions."
            raise ValueError(f"{words} The detected shape was ({count},) + inhomogeneous part.")
    return float(numbers[0])


def bartlett(M):
    """A triangle over M points that ends at zero; empty for M < 1.

    >>> bartlett(5)
    """
    n = _window(M)
    if n is None:
        return array([])
    if M == 1:
        return ones(1)
    return where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1))


def blackman(M):
    """Blackman's window over M points, a sum of three cosines; empty for M < 1.

    >>> blackman(5).round(3)
    """
    n = _window(M)
    if n is None:
        return array([])
    if M == 1:
        return ones(1)
    return 0.42 + 0.5 * cos(pi * n / (M - 1)) + 0.08 * cos(2.0 * pi * n / (M - 1))


def hamming(M):
    """Hamming's window over M points, a raised cosine on a step; empty for M < 1.

    >>> hamming(5)
    """
    n = _window(M)
    if n is None:
        return array([])
    if M == 1:
        return ones(1)
    return 0.54 + 0.46 * cos(pi * n / (M - 1))


def hanning(M):
    """Hann's window over M points, a raised cosine; empty for M < 1.

    >>> hanning(5)
    """
    n = _window(M)
    if n is None:
        return array([])
    if M == 1:
        return ones(1)
    return 0.5 + 0.5 * cos(pi * n / (M - 1))


def kaiser(M, beta):
    """Kaiser's window over M points: `i0(beta * sqrt(1 - t**2)) / i0(beta)` for t from -1 to 1.

    >>> kaiser(5, 14.0).round(3)
    """
    _one_number(3, M, beta)
    n = _window(M)
    beta = array([0.0, M, beta])[2]
    if n is None:
        return array([])
    if M == 1:
        return ones(1)
    alpha = (M - 1) / 2.0
    t = arange(0, float(M)) * 1.0 - alpha
    return i0(beta * sqrt(1 - (t / alpha) ** 2.0)) / i0(beta * 1.0)


def i0(x):
    """The modified Bessel function of the first kind of order 0, of x's shape.

    By its power series up to 20, of float32 to 12, by Hankel's expansion beyond (Abramowitz and Stegun, 9.6.12 and 9.7.1).

    >>> i0(array([0.0, 1.0]))
    """
    x = asarray(x)
    if iscomplexobj(x):
        raise TypeError("i0 not supported for complex values")
    x = abs(x * 1.0)
    if x.itemsize < 4:
        # The steps in between go beyond what a narrow float holds.
        return i0(x.astype(float32)).astype(x.dtype)
    # Digits decide where the one method takes over from the other, and how many terms both have.
    border, terms, far_terms = (12.0, 21, 10) if x.dtype == float32 else (20.0, 42, 31)
    small = minimum(x, border)
    quarter = small * small / 4
    # Both by Horner's rule, all terms being positive: 1 / k!² of the one, what Hankel's are made of for the other.
    factors, series = [1.0], 0.0
    for k in range(1, terms):
        factors.append(factors[-1] / (k * k))
    for factor in factors[::-1]:
        series = series * quarter + factor
    # Beyond 1000 all is infinite, and steps in between would be, too.
    large = minimum(maximum(x, border), 1000.0)
    inverse = 1 / large
    factors, far = [1.0], 0.0
    for k in range(1, far_terms):
        factors.append(factors[-1] * (2 * k - 1) ** 2 / (8 * k))
    for factor in factors[::-1]:
        far = far * inverse + factor
    # The exponential in two halves overflows no sooner than the result.
    half = exp(large / 2)
    return where(x <= border, series, half / sqrt(2 * pi * large) * far * half)
