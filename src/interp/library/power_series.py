"""Polynomials by their coefficients, the lowest power first, over a domain that is mapped to a window."""

from numpy import array, asarray, atleast_1d, concatenate, convolve, finfo, linalg, ndarray, ones_like, zeros, zeros_like


class _Series:
    """A polynomial of one variable, as a series over the family whose functions `_over` has."""

    maxpower, basis_name = 100, None

    __hash__ = None

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        coef = atleast_1d(asarray(coef))
        if coef.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
        if coef.size == 0:
            raise ValueError("Coefficient array is empty")
        self.coef = coef if coef.is_floating_point() else coef * 1.0
        self.domain = array(self._over.ends) if domain is None else asarray(domain) * 1.0
        self.window = array(self._over.ends) if window is None else asarray(window) * 1.0
        self._symbol = symbol

    @property
    def symbol(self):
        return self._symbol

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        """The polynomial that fits points best in the sum of squares, over the points' own domain.

        `deg` is a degree, or a list of the powers that may be there.
        """
        x, y, w = arrays_of(x, y, w)
        x = x * 1.0
        if domain is None:
            low, high = x.min().item(), x.max().item()
            domain = [low - 1, high + 1] if low == high else [low, high]
        elif isinstance(domain, (list, tuple)) and len(domain) == 0:
            domain = cls._over.ends
        made = cls([0], domain, window, symbol)
        found = cls._over.fit(made._inside(x), y, deg, rcond, full, w)
        if full:
            return cls(found[0], domain, window, symbol), found[1]
        return cls(found, domain, window, symbol)

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):
        """The polynomial with these roots and a leading 1, over their own domain or [-1, 1]."""
        roots = asarray(roots) * 1.0
        if domain is None:
            domain = [roots.min().item(), roots.max().item()]
        elif len(domain) == 0:
            domain = None
        made = cls([0], domain, window, symbol)
        offset, scale = made.mapparms()
        return cls(cls._over.fromroots(offset + scale * roots) / scale ** len(roots), domain, window, symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        """The polynomial that gives what it is given."""
        made = cls([0, 1], domain, window, symbol)
        offset, scale = made.mapparms()
        return cls(cls._over.line(0 - offset / scale, 1 / scale), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        """The power `deg`. ValueError for a negative one."""
        if int(deg) != deg or deg < 0:
            raise ValueError("deg must be non-negative integer")
        return cls([0] * int(deg) + [1], domain, window, symbol)

    def mapparms(self):
        """(offset, scale): the domain's x is `offset + scale * x` in the window."""
        (a, b), (c, d) = self.domain.tolist(), self.window.tolist()
        return (b * c - a * d) / (b - a), (d - c) / (b - a)

    def _inside(self, x):
        offset, scale = self.mapparms()
        return offset + scale * x

    def __call__(self, arg):
        return self._over.val(self._inside(arg if isinstance(arg, _Series) else asarray(arg)), self.coef)

    def degree(self):
        """The highest power, counting coefficients that are zero."""
        return len(self.coef) - 1

    def __len__(self):
        return len(self.coef)

    def __iter__(self):
        return iter(self.coef)

    def copy(self):
        """The same polynomial again."""
        return self._like(self.coef.copy())

    def trim(self, tol=0):
        """Without the last coefficients that are no larger than `tol`."""
        return self._like(polytrim(self.coef, tol))

    def truncate(self, size):
        """With its first `size` coefficients. ValueError for none."""
        if int(size) != size or size < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:int(size)])

    def cutdeg(self, deg):
        """Up to the power `deg`."""
        return self.truncate(deg + 1)

    def convert(self, domain=None, kind=None, window=None):
        """The same polynomial over another domain, [-1, 1] where none is given."""
        return self((kind or type(self)).identity(domain, window, self._symbol))

    def deriv(self, m=1):
        """The derivative of order `m`."""
        _, scale = self.mapparms()
        return self._like(self._over.der(self.coef, m, scale))

    def integ(self, m=1, k=[], lbnd=None):
        """The antiderivative of order `m`, with the constants `k`, zero at `lbnd`."""
        offset, scale = self.mapparms()
        start = 0 if lbnd is None else offset + scale * lbnd
        return self._like(self._over.int(self.coef, m, k, start, 1.0 / scale))

    def roots(self):
        """The roots, by the eigenvalues of the companion matrix."""
        found = self._over.roots(self.coef)
        offset, scale = self.mapparms()
        return (found - offset) / scale

    def linspace(self, n=100, domain=None):
        """(x, y) at n points of the domain."""
        from numpy import linspace
        low, high = (self.domain if domain is None else asarray(domain)).tolist()
        x = linspace(low, high, n)
        return x, self(x)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        """Another polynomial as one of this class, over another domain."""
        return series.convert(domain, cls, window)

    def has_sametype(self, other):
        """Whether it is of the same class."""
        return isinstance(other, self.__class__)

    def has_samecoef(self, other):
        """Whether the coefficients are the same."""
        return len(self.coef) == len(other.coef) and bool((self.coef == other.coef).all())

    def has_samedomain(self, other):
        """Whether the domains are the same."""
        return bool((self.domain == other.domain).all())

    def has_samewindow(self, other):
        """Whether the windows are the same."""
        return bool((self.window == other.window).all())

    def _like(self, coef):
        return type(self)(coef, self.domain, self.window, self._symbol)

    def _of(self, other):
        """The other's coefficients. TypeError where it lies over another domain."""
        if not isinstance(other, _Series):
            return arrays_of(other, self.coef)[0]
        if not isinstance(other, type(self)):
            raise TypeError("Polynomial types differ")
        if not self.has_samedomain(other):
            raise TypeError("Domains differ")
        if not self.has_samewindow(other):
            raise TypeError("Windows differ")
        return other.coef

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._like(self._over.add(self.coef, self._of(other)))

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self._like(self._over.sub(self.coef, self._of(other)))

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return self._like(self._over.mul(self.coef, self._of(other)))

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        if not isinstance(other, (int, float)) and not (isinstance(other, ndarray) and other.ndim == 0):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self._like(self.coef / other)

    def __divmod__(self, other):
        quotient, rest = self._over.div(self.coef, self._of(other))
        return self._like(quotient), self._like(rest)

    def __floordiv__(self, other):
        return divmod(self, other)[0]

    def __mod__(self, other):
        return divmod(self, other)[1]

    def __pow__(self, other):
        return self._like(self._over.pow(self.coef, other, self.maxpower))

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.has_samedomain(other) and self.has_samewindow(other) and self.has_samecoef(other)

    def __repr__(self):
        parts = [repr(part)[6:-1] for part in (self.coef, self.domain, self.window)]
        return f"{type(self).__name__}({parts[0]}, domain={parts[1]}, window={parts[2]}, symbol='{self._symbol}')"

    def __str__(self):
        return self._drawn(self._unicode_term)

    def __format__(self, spec):
        if spec not in ("", "ascii", "unicode"):
            words = f"Unsupported format string '{spec}' passed to {type(self)}.__format__."
            raise ValueError(words + " Valid options are 'ascii' and 'unicode'")
        return self._drawn(self._ascii_term if spec == "ascii" else self._unicode_term)

    def _drawn(self, term):
        """The sum of all terms, in lines no longer than arrays have."""
        from numpy import get_printoptions

        symbol, width = self._argument(), get_printoptions()["linewidth"]
        lines, line = [], _told(self.coef[0])
        for power, c in enumerate(self.coef[1:], 1):
            if c >= 0:
                sign, number = "+ ", _told(c, True)
            else:
                sign, number = "- ", _told(-c, True)
            part = sign + number + term(power, symbol)
            # What is no last term has a sign behind it, too.
            if len(line) + 1 + len(part) + (2 if power < len(self.coef) - 1 else 0) >= width:
                lines.append(line + " " + sign[0])
                line = part[2:]
            else:
                line += " " + part
        return "\n".join([*lines, line])

    def _argument(self):
        """The variable, or what it is in the window."""
        offset, scale = self.mapparms()
        scaled = self._symbol if scale == 1 else _told(array(scale)) + self._symbol
        if offset == 0:
            return scaled if scale == 1 else f"({scaled})"
        return f"({_told(array(offset))} + {scaled})"

    def _unicode_term(self, number, symbol):
        return f"·{self.basis_name}{str(number).translate(_LOWERED)}({symbol})"

    def _ascii_term(self, number, symbol):
        return f" {self.basis_name}_{number}({symbol})"


_LOWERED = {ord(digit): lowered for digit, lowered in zip("0123456789", "₀₁₂₃₄₅₆₇₈₉")}


def _told(number, in_brackets=False):
    """A coefficient as text, with a digit behind its point at least."""
    from numpy import format_float_positional, format_float_scientific, get_printoptions, isfinite
    if number.dtype.kind == "c":
        return str(number.item())
    options, size = get_printoptions(), abs(float(number))
    if not isfinite(number):
        return options["nanstr"] if size != size else ("-" if number < 0 else "") + options["infstr"]
    precision = options["precision"]
    write = format_float_positional
    if size != 0 and (size >= 1e8 or size < 10.0 ** min(0, -(precision - 1) // 2)):
        write = format_float_scientific
    else:
        in_brackets = False
    is_fixed = options["floatmode"] == "fixed"
    text = write(number, precision=precision, unique=not is_fixed, trim="k" if is_fixed else "0", sign=options["sign"] == "+")
    return f"({text})" if in_brackets else text


def _series(c):
    c = atleast_1d(asarray(c))
    return c if c.is_floating_point() else c * 1.0


def _both(c1, c2):
    """The coefficients of two polynomials that meet."""
    c1, c2 = arrays_of(c1, c2)
    return _series(c1), _series(c2)


def polyval(x, c, tensor=True):
    """The value at `x` of the polynomial whose coefficients, the constant first, are c's first axis.

    With `tensor`, c's other axes come before x's.
    """
    if isinstance(x, (tuple, list, ndarray)):
        x, c = arrays_of(x, c)
    c = _series(c)
    if tensor and isinstance(x, ndarray):
        c = c.reshape(c.shape + (1,) * x.ndim)
    made = c[-1] + x * 0
    for part in range(len(c) - 2, -1, -1):
        made = c[part] + made * x
    return made


def polytrim(c, tol=0):
    """The coefficients without the last that are no larger than `tol`."""
    c = _series(c)
    n = len(c)
    while n > 1 and abs(c[n - 1]) <= tol:
        n -= 1
    return c[:n] if n > 1 or abs(c[0]) > tol else c[:1] * 0


def polyadd(c1, c2):
    """The sum of two polynomials."""
    c1, c2 = _both(c1, c2)
    n = max(len(c1), len(c2))
    parts = [concatenate([c, zeros(n - len(c), dtype=c.dtype)]) for c in (c1, c2)]
    return polytrim(parts[0] + parts[1])


def polysub(c1, c2):
    """The difference of two polynomials."""
    c1, c2 = _both(c1, c2)
    return polyadd(c1, -c2)


def polymul(c1, c2):
    """The product of two polynomials."""
    return polytrim(convolve(*_both(c1, c2)))


def polydiv(c1, c2):
    """The quotient and the remainder. ZeroDivisionError where the divisor is zero."""
    c1, c2 = _both(c1, c2)
    c1, c2 = polytrim(c1), polytrim(c2)
    if c2[-1] == 0:
        raise ZeroDivisionError("polydiv: the divisor is zero")
    if len(c1) < len(c2):
        return c1[:1] * 0, c1
    rest, n = c1.copy(), len(c2)
    quotient = zeros(len(c1) - n + 1, dtype=c1.dtype)
    for at in range(len(c1) - n, -1, -1):
        quotient[at] = rest[at + n - 1] / c2[-1]
        rest[at:at + n] -= quotient[at] * c2
    return quotient, polytrim(rest[:max(n - 1, 1)] if n > 1 else rest[:1] * 0)


def polypow(c, pow, maxpower=None):
    """A whole power of a polynomial. ValueError for others and for one beyond `maxpower`."""
    power = int(pow)
    if power != pow or power < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and power > maxpower:
        raise ValueError("Power is too large")
    made = array([1.0])
    for _ in range(power):
        made = convolve(made, _series(c))
    return made


def polyder(c, m=1, scl=1, axis=0):
    """The derivative of order `m` along an axis, each step times `scl`. ValueError for a negative order."""
    from numpy import flip, moveaxis
    if axis != 0:
        flip(_series(c), axis)  # NumPy's AxisError where there is no such axis.
        return moveaxis(polyder(moveaxis(_series(c), axis, 0), m, scl), 0, axis)
    c = _series(c)
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    from numpy import arange
    for _ in range(m):
        steps = arange(1, len(c)).reshape((len(c) - 1,) + (1,) * (c.ndim - 1))
        c = c[1:] * steps * scl if len(c) > 1 else c * 0
    return c


def polyint(c, m=1, k=[], lbnd=0, scl=1, axis=0):
    """The antiderivative of order `m` along an axis, each step times `scl`, with the constants `k`, zero at `lbnd`."""
    from numpy import flip, moveaxis
    if axis != 0:
        flip(_series(c), axis)
        return moveaxis(polyint(moveaxis(_series(c), axis, 0), m, k, lbnd, scl), 0, axis)
    c = _series(c)
    k = list(k) if isinstance(k, (list, tuple, ndarray)) else [k]
    if m < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(k) > m:
        raise ValueError("Too many integration constants")
    from numpy import arange
    for at in range(m):
        steps = arange(1, len(c) + 1).reshape((len(c),) + (1,) * (c.ndim - 1))
        made = concatenate([c[:1] * 0, c * scl / steps])
        made[0] = (k[at] if at < len(k) else 0) - polyval(lbnd, made)
        c = made
    return c


def polyfromroots(roots):
    """The polynomial with these roots and a leading 1."""
    made = array([1.0])
    for root in asarray(roots):
        made = convolve(made, concatenate([-root.reshape((1,)), ones_like(root).reshape((1,))]))
    return made


def polyroots(c):
    """The roots, sorted. They are the eigenvalues of the companion matrix."""
    from numpy import roots, sort
    c = polytrim(c)
    return sort(roots(c[::-1])) if len(c) > 1 else c[:0]


def polyvander(x, deg):
    """The powers of x from 0 to `deg`, along a new last axis."""
    from numpy import arange
    x = asarray(x)
    return (x * 1.0)[..., None] ** arange(deg + 1)


def _points(x, y):
    """The points of a fit as floats: `x` of shape (m,), `y` of shape (m,) or (m, k). TypeError for others."""
    x, y = arrays_of(x, y)
    x, y = x * 1.0, y * 1.0
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    return x, y


def polyfit(x, y, deg, rcond=None, full=False, w=None):
    """The coefficients of the polynomial that fits points best in the sum of squares.

    `x` has shape (m,), `y` (m,) or (m, k), `deg` is a degree or a list of powers. With `full` also
    (residuals, rank, singular values, rcond).
    """
    return _fitted(polyvander, x, y, deg, rcond, full, w)


def _fitted(vander, x, y, deg, rcond, full, w):
    from numpy import sqrt, where
    x, y = _points(x, y)
    powers = list(range(deg + 1)) if isinstance(deg, int) else sorted(asarray(deg).tolist())
    if powers and powers[0] < 0 or isinstance(deg, int) and deg < 0:
        raise ValueError("expected deg >= 0")
    left, right = vander(x, powers[-1])[:, array(powers)], y
    if w is not None:
        w = arrays_of(w, y)[0] * 1.0
        if w.ndim != 1:
            raise TypeError("expected 1D vector for w")
        if len(w) != len(x):
            raise TypeError("expected x and w to have same length")
        left = left * w[:, None]
        right = right * (w[:, None] if y.ndim == 2 else w)
    if rcond is None:
        rcond = len(x) * finfo(x.dtype).eps
    scale = sqrt((left * left).sum(axis=0))
    scale = where(scale == 0, 1.0, scale)
    found, residuals, rank, singular = linalg.lstsq(left / scale, right, rcond)
    found = (found.T / scale).T
    made = zeros((powers[-1] + 1,) + y.shape[1:], dtype=found.dtype)
    made[array(powers)] = found
    return (made, [residuals, rank, singular, rcond]) if full else made
