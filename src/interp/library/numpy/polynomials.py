"""Polynomials by their coefficients, the highest power first."""


def _coefficients(p, name="p"):
    """A polynomial's coefficients, of one axis."""
    if isinstance(p, poly1d):
        return p.coeffs
    p = atleast_1d(asarray(p))
    if p.ndim != 1:
        raise ValueError(f"{name}: a polynomial's coefficients have 1 axis, not {p.ndim}")
    return p


def _both(a1, a2, names=("a1", "a2")):
    """The coefficients of two polynomials that meet."""
    p, q = arrays_of(*[p.coeffs if isinstance(p, poly1d) else p for p in (a1, a2)])
    return _coefficients(p, names[0]), _coefficients(q, names[1])


def _like(value, *operands):
    """The value as a `poly1d` where one of the operands is one."""
    return poly1d(value) if any([isinstance(p, poly1d) for p in operands]) else value


def _without_leading_zeros(p):
    places = flatnonzero(p)
    return p[int(places[0]):] if len(places) > 0 else p[:0]


def poly(seq_of_zeros):
    """The coefficients of the polynomial with these roots, or a square matrix's characteristic ones.

    `seq_of_zeros` has shape (n,) or (n, n), the result (n + 1,) with a leading 1. ValueError for
    other shapes.

    >>> poly([1, 2])
    """
    roots_of = atleast_1d(asarray(seq_of_zeros))
    if roots_of.ndim == 2 and roots_of.shape[0] == roots_of.shape[1] and roots_of.shape[0] != 0:
        symmetric = bool((roots_of == roots_of.T).all()) and isrealobj(roots_of)
        roots_of = linalg.eigvalsh(roots_of) if symmetric else linalg.eigvals(roots_of)
    elif roots_of.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if len(roots_of) == 0:
        return 1.0
    if roots_of.dtype.kind not in "fc":
        roots_of = roots_of * 1.0
    made = ones(1, dtype=roots_of.dtype)
    for root in roots_of:
        made = convolve(made, stack([ones_like(root), -root]), "full")
    # Roots in conjugate pairs leave nothing imaginary.
    if iscomplexobj(made) and (sort_complex(roots_of) == sort_complex(conj(roots_of))).all():
        return real(made).copy()
    return made


def roots(p):
    """The roots of a polynomial, by the eigenvalues of its companion matrix.

    `p` has shape (n + 1,), the result (n,) where the first and the last coefficient are not zero.
    ValueError for other shapes.

    >>> roots([1, -3, 2])
    """
    p = atleast_1d(asarray(p))
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    places = flatnonzero(p)
    if len(places) == 0:
        return array([])
    trailing = len(p) - 1 - int(places[-1])
    p = p[int(places[0]):int(places[-1]) + 1]
    if not p.is_floating_point():
        p = p * 1.0
    if len(p) == 1:
        return zeros(trailing, dtype=p.dtype)
    companion = eye(len(p) - 1, k=-1, dtype=p.dtype)
    companion[0] = -p[1:] / p[0]
    if len(p) == 2:
        found = companion[0]
    elif len(p) == 3 and isrealobj(p):
        found = _quadratic(p)
    else:
        found = linalg.eigvals(companion)
    return concatenate([found, zeros(trailing, dtype=found.dtype)])


def _quadratic(p):
    """The two roots of a quadratic, the larger in size first, without cancellation."""
    a, b, c = p
    square_of = b * b - 4 * a * c
    if square_of < 0:
        return linalg.eigvals(stack([stack([-b / a, -c / a]), stack([ones_like(a), zeros_like(a)])]))
    q = -(b + copysign(sqrt(square_of), b)) / 2
    return stack([q / a, c / q if q != 0 else q])


def polyval(p, x):
    """The value of a polynomial at `x`, of x's shape, by Horner's rule; of a `poly1d` at another, theirs.

    >>> polyval([3, 0, 1], 5)
    """
    if isinstance(x, poly1d):
        p, y = _coefficients(p), poly1d([0])
    else:
        if not (is_tensor(x) and is_tensor(p)):
            x, p = arrays_of(x, p.coeffs if isinstance(p, poly1d) else p)
        y = zeros_like(x)
    for c in p:
        y = y * x + c
    return y


def polyadd(a1, a2):
    """The sum of two polynomials.

    >>> polyadd([1, 2], [9, 5, 4])
    """
    p, q = _as_long(*_both(a1, a2))
    return _like(p + q, a1, a2)


def _as_long(p, q):
    n = max(len(p), len(q))
    return [concatenate([zeros(n - len(one), dtype=one.dtype), one]) for one in (p, q)]


def polysub(a1, a2):
    """The difference of two polynomials.

    >>> polysub([2, 10, -2], [3, 10, -4])
    """
    p, q = _as_long(*_both(a1, a2))
    return _like(p - q, a1, a2)


def polymul(a1, a2):
    """The product of two polynomials.

    >>> polymul([1, 2, 3], [9, 5, 1])
    """
    p, q = [poly1d(one).coeffs for one in _both(a1, a2)]
    return _like(convolve(p, q), a1, a2)


def polydiv(u, v):
    """The quotient and the remainder of two polynomials, without leading zeros in the latter.

    ZeroDivisionError where `v` begins with a zero.

    >>> polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    """
    p, q = [one * 1.0 for one in _both(u, v, ("u", "v"))]
    if p[0] is not None and q[0] == 0:
        raise ZeroDivisionError("polydiv: the divisor's first coefficient is zero")
    rest = p.astype(result_type(p, q))
    quotient = zeros(max(len(p) - len(q) + 1, 1), dtype=rest.dtype)
    scale = 1.0 / q[0]
    for k in range(len(p) - len(q) + 1):
        factor = scale * rest[k]
        quotient[k] = factor
        rest[k:k + len(q)] -= factor * q
    while len(rest) > 1 and allclose(rest[0], 0, rtol=1e-14):
        rest = rest[1:]
    return _like(quotient, u, v), _like(rest, u, v)


def polyder(p, m=1):
    """The derivative of order `m`. ValueError for a negative order.

    >>> polyder([1, 1, 1, 1])
    """
    m = int(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    made = _coefficients(p)
    for _ in range(m):
        made = made[:-1] * arange(len(made) - 1, 0, -1)
    return _like(made, p)


def polyint(p, m=1, k=None):
    """The antiderivative of order `m`, with the constants `k`, zeros by default: a number or m numbers.

    ValueError for a negative order or another number of constants.

    >>> polyint([3, 2, 1])
    """
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = zeros(m) if k is None else atleast_1d(arrays_of(k, _coefficients(p))[0])
    if len(constants) == 1 and m > 1:
        constants = repeat(constants, m)
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    made = _coefficients(p)
    if m > 0:
        made = made * 1.0
    for at in range(m):
        made = made / arange(len(made), 0, -1)
        made = concatenate([made, constants[at:at + 1].astype(made.dtype)])
    return _like(made, p)


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of degree `deg` that fits the points best in the sum of squares.

    `x` and `w` have shape (m,), `y` (m,) or (m, k), the result (deg + 1,) or (deg + 1, k). With
    `full` also the residuals, the rank, the singular values and `rcond`; with `cov` also the
    covariance of the coefficients. TypeError for other shapes, ValueError for a negative degree.

    >>> polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(3)
    """
    from numpy.polynomial.polynomial import _points
    order = int(deg) + 1
    if deg < 0:
        raise ValueError("expected deg >= 0")
    x, y = _points(x, y)
    if rcond is None:
        rcond = len(x) * finfo(x.dtype).eps
    left, right = vander(x, order), y
    if w is not None:
        w = arrays_of(w, y)[0] * 1.0
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    scale = sqrt((left * left).sum(axis=0))
    left = left / scale
    found, residuals, rank, singular = linalg.lstsq(left, right, rcond)
    found = (found.T / scale).T
    if rank != order and not full:
        from numpy.exceptions import RankWarning
        from warnings import warn
        warn("Polyfit may be poorly conditioned", RankWarning, stacklevel=2)
    if full:
        return found, residuals, rank, singular, rcond
    if not cov:
        return found
    base = linalg.inv(left.T @ left) / outer(scale, scale)
    factor = 1.0
    if cov != "unscaled":
        if len(x) <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / (len(x) - order)
    if y.ndim == 1:
        return found, base * factor
    return found, base[:, :, None] * factor


class poly1d:
    """A polynomial of one variable, by its coefficients from the highest power on, or with `r` by its roots.

    >>> poly1d([1, 2, 3])(0.5)
    """

    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            self.coeffs = c_or_r.coeffs
            self.variable = c_or_r.variable if variable is None else variable
            return
        made = poly(c_or_r) if r else c_or_r
        made = atleast_1d(asarray(made))
        if made.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        made = _without_leading_zeros(made)
        self.coeffs = made if len(made) > 0 else zeros(1, dtype=made.dtype)
        self.variable = "x" if variable is None else variable

    @property
    def order(self):
        return len(self.coeffs) - 1

    o = order

    @property
    def coef(self):
        return self.coeffs

    c = coef
    coefficients = coef

    @property
    def roots(self):
        return roots(self.coeffs)

    r = roots

    def __array__(self, dtype=None, copy=None):
        return self.coeffs if dtype is None else self.coeffs.astype(dtype)

    def __call__(self, val):
        return polyval(self.coeffs, val)

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self.coeffs)

    def __repr__(self):
        return "poly1d(" + repr(self.coeffs)[6:-1] + ")"

    def __str__(self):
        return _drawn(self.coeffs, self.variable)

    def __neg__(self):
        return poly1d(-self.coeffs)

    def __pos__(self):
        return self

    def __mul__(self, other):
        if isscalar(other):
            return poly1d(self.coeffs * other)
        return poly1d(polymul(self.coeffs, getattr(other, "coeffs", other)))

    def __rmul__(self, other):
        return self * other

    def __add__(self, other):
        return poly1d(polyadd(self.coeffs, getattr(other, "coeffs", other)))

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return poly1d(polysub(self.coeffs, getattr(other, "coeffs", other)))

    def __rsub__(self, other):
        return poly1d(polysub(getattr(other, "coeffs", other), self.coeffs))

    def __pow__(self, val):
        if not isscalar(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        made = [1]
        for _ in range(int(val)):
            made = polymul(self.coeffs, made)
        return poly1d(made)

    def __truediv__(self, other):
        if isscalar(other):
            return poly1d(self.coeffs / other)
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other):
        return polydiv(poly1d(other), self)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool((self.coeffs == other.coeffs).all())

    def __getitem__(self, val):
        if val > self.order or val < 0:
            return zeros((), dtype=self.coeffs.dtype)
        return self.coeffs[self.order - val]

    def __setitem__(self, key, val):
        if key < 0:
            raise ValueError("Does not support negative powers.")
        if key > self.order:
            self.coeffs = concatenate([zeros(key - self.order, dtype=self.coeffs.dtype), self.coeffs])
        self.coeffs[self.order - key] = val

    def integ(self, m=1, k=0):
        """The antiderivative, as `polyint` gives it."""
        return poly1d(polyint(self.coeffs, m, k))

    def deriv(self, m=1):
        """The derivative, as `polyder` gives it."""
        return poly1d(polyder(self.coeffs, m))


def _drawn(coeffs, variable):
    """A polynomial in two lines, the exponents above."""
    last, text = len(coeffs) - 1, "0"
    for k, c in enumerate(coeffs):
        size, power = _coefficient_of(c.item()), last - k
        if size == "0":
            term = "0" if k == last == 0 else ""
        else:
            term = size + ("" if power == 0 else f" {variable}" + (f"**{power}" if power > 1 else ""))
        if k == 0:
            text = term
        elif term != "":
            text += " - " + term[1:] if term.startswith("-") else " + " + term
    return _with_powers_above(text)


def _coefficient_of(c):
    """A coefficient in four digits; a complex one in brackets, unless it is imaginary alone."""
    def part(q):
        return f"{q:.4g}".removesuffix(".0000")

    if not isinstance(c, complex) or c.imag == 0:
        return part(c.real)
    return part(c.imag) + "j" if c.real == 0 else f"({part(c.real)} + {part(c.imag)}j)"


def _with_powers_above(text, width=70):
    """Moves `**n` of a polynomial's text to a line above it; turns over at `width`."""
    above, below, done, at = "", "", " ", 0
    while (power := text.find("**", at)) >= 0:
        end = power + 2
        while end < len(text) and text[end].isdigit():
            end += 1
        part, exponent = text[at:power], text[power + 2:end]
        if max(len(above), len(below)) + len(part) + len(exponent) - 1 > width:
            done += above + "\n" + below + "\n "
            above, below = "", ""
        above += " " * (len(part) - 1) + exponent
        below += part + " " * (len(exponent) - 1)
        at = end
    return done + above + "\n" + below + text[at:]
