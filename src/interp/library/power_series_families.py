"""Series of polynomials that follow from one another: x * P[n] = up[n] * P[n+1] + same[n] * P[n] + down[n] * P[n-1]."""

from numpy import array, asarray, concatenate, linalg, multiply, ndarray, ones, sign, sort, sqrt, stack, zeros


class _Family:
    """Functions of series over one family, whose `up`, `same` and `down` are functions of n.

    `inside` gives for n the parts of an antiderivative of P[n]: those of P[n+1], P[n] and P[n-1]. `weight` is what the
    polynomials are orthogonal under, and `total` its integral.
    """

    def __init__(self, name, up, same, down, inside, ends, weight, total):
        self.name, self._up, self._same, self._down, self._inside = name, up, same, down, inside
        self.ends, self.domain, self.weight, self.total = ends, array(ends), weight, total
        self.zero, self.one = array([0]), array([1])
        self.x = self.line(0, 1)
        self.trim = polytrim
        self.add = polyadd
        self.sub = polysub

    def functions(self):
        """The names that a module has, in one order for all families."""
        return (self.add, self.sub, self.mul, self.mulx, self.div, self.pow, self.val, self.val2d, self.val3d, self.grid2d,
                self.grid3d, self.der, self.int, self.fromroots, self.roots, self.companion, self.vander, self.vander2d,
                self.vander3d, self.fit, self.gauss, self.weight, self.line, self.trim, self.to_powers, self.from_powers,
                self.domain, self.zero, self.one, self.x)

    def line(self, off, scl):
        """The series of `off + scl * x`."""
        return array([off + self._same(0) * scl, scl * self._up(0)]) if scl != 0 else array([off])

    def mulx(self, c):
        """A series times x."""
        c = polytrim(c)
        if len(c) == 1 and c[0] == 0:
            return c
        made = zeros(len(c) + 1, dtype=c.dtype)
        for n in range(len(c)):
            made[n + 1] += self._up(n) * c[n]
            made[n] += self._same(n) * c[n]
            if n > 0:
                made[n - 1] += self._down(n) * c[n]
        return polytrim(made)

    def _sum(self, c, times, add):
        """The sum of c[n] * P[n], from the last on (Clenshaw, A Note on the Summation of Chebyshev Series, 1955)."""
        made, behind = c[-1], None
        for n in range(len(c) - 2, -1, -1):
            at = 1.0 / self._up(n)
            step = times(made, n, at)
            if behind is not None:
                step = add(step, behind * (-self._down(n + 1) / self._up(n + 1)))
            made, behind = add(step, c[n]), made
        return made

    def val(self, x, c, tensor=True):
        """The value at `x` of a series whose coefficients are c's first axis.

        With `tensor`, c's other axes come before x's.
        """
        if isinstance(x, (tuple, list, ndarray)):
            x, c = arrays_of(x, c)
        c = _series(c)
        if tensor and isinstance(x, ndarray):
            c = c.reshape(c.shape + (1,) * x.ndim)
        if len(c) == 1:
            return c[0] + x * 0
        return self._sum(c, lambda made, n, at: (x - self._same(n)) * made * at, lambda a, b: a + b)

    def mul(self, c1, c2):
        """The product of two series."""
        c1, c2 = _both(c1, c2)
        c1, c2 = polytrim(c1), polytrim(c2)
        if len(c1) > len(c2):
            c1, c2 = c2, c1
        times = lambda made, n, at: polysub(self.mulx(made), made * self._same(n)) * at
        return polytrim(self._sum([part * c2 for part in c1], times, polyadd))

    def div(self, c1, c2):
        """The quotient and the remainder. ZeroDivisionError where the divisor is zero."""
        c1, c2 = _both(c1, c2)
        rest, c2 = polytrim(c1), polytrim(c2)
        if c2[-1] == 0:
            raise ZeroDivisionError
        count = len(rest) - len(c2) + 1
        if count < 1:
            return rest[:1] * 0, rest
        if len(c2) == 1:
            return rest / c2[-1], rest[:1] * 0
        quotient = zeros(count, dtype=rest.dtype)
        for at in range(count - 1, -1, -1):
            part = self.mul([0] * at + [1], c2)
            quotient[at] = rest[-1] / part[-1]
            rest = rest[:-1] - quotient[at] * part[:-1]
        return quotient, polytrim(rest)

    def pow(self, c, pow, maxpower=16):
        """A whole power of a series. ValueError for others and for one beyond `maxpower`."""
        power = int(pow)
        if power != pow or power < 0:
            raise ValueError("Power must be a non-negative integer.")
        if maxpower is not None and power > maxpower:
            raise ValueError("Power is too large")
        c = polytrim(c)
        made = array([1.0]) if power == 0 else c
        for _ in range(power - 1):
            made = self.mul(made, c)
        return made

    def der(self, c, m=1, scl=1, axis=0):
        """The derivative of order `m` along an axis, each step times `scl`. ValueError for a negative order."""
        from numpy import moveaxis
        if m < 0:
            raise ValueError("The order of derivation must be non-negative")
        c = moveaxis(_series(c), axis, 0)
        for _ in range(m):
            c = c * scl
            made = zeros((max(len(c) - 1, 1),) + c.shape[1:], dtype=c.dtype)
            for n in range(len(c) - 2, -1, -1):
                after, same, before = self._inside(n)
                made[n] = c[n + 1] / after
                if n > 0:
                    c[n] -= made[n] * same
                if n > 1:
                    c[n - 1] -= made[n] * before
            c = made
        return moveaxis(c, 0, axis)

    def int(self, c, m=1, k=[], lbnd=0, scl=1, axis=0):
        """The antiderivative of order `m` along an axis, each step times `scl`, with the constants `k`, zero at `lbnd`."""
        from numpy import moveaxis
        k = list(k) if isinstance(k, (list, tuple, ndarray)) else [k]
        if m < 0:
            raise ValueError("The order of integration must be non-negative")
        if len(k) > m:
            raise ValueError("Too many integration constants")
        c = moveaxis(_series(c), axis, 0)
        for at in range(m):
            c = c * scl
            made = zeros((len(c) + 1,) + c.shape[1:], dtype=c.dtype)
            for n in range(len(c)):
                after, same, before = self._inside(n)
                made[n + 1] += c[n] * after
                made[n] += c[n] * same
                if n > 0:
                    made[n - 1] += c[n] * before
            made[0] += (k[at] if at < len(k) else 0) - self.val(lbnd, made)
            c = made
        return moveaxis(c, 0, axis)

    def fromroots(self, roots):
        """The series with these roots, whose highest power of x has the factor 1."""
        roots = sort(asarray(roots) * 1.0)
        parts = [self.line(-root, 1) * 1.0 for root in roots] or [array([1.0])]
        while len(parts) > 1:
            half, odd = divmod(len(parts), 2)
            joined = [self.mul(parts[at], parts[at + half]) for at in range(half)]
            if odd:
                joined[0] = self.mul(joined[0], parts[-1])
            parts = joined
        return parts[0]

    def companion(self, c):
        """The matrix whose eigenvalues are the roots, symmetric but for its last column. ValueError for a constant."""
        from numpy import diag
        c = polytrim(c)
        if len(c) < 2:
            raise ValueError("Series must have maximum degree of at least 1.")
        n = len(c) - 1
        if n == 1:
            return array([[self._same(0) - self._up(0) * c[0] / c[1]]])
        up, down = (array([of(at) * 1.0 for at in range(first, n + first - 1)]) for of, first in ((self._up, 0), (self._down, 1)))
        beside = sign(up) * sqrt(up * down)
        made = diag(array([self._same(at) * 1.0 for at in range(n)])) + diag(beside, 1) + diag(beside, -1)
        scale = concatenate([multiply.accumulate(sqrt(up / down)[::-1])[::-1], ones(1)])
        made = made.astype(c.dtype) if c.dtype.kind == "c" else made
        made[:, -1] -= c[:-1] / c[-1] * scale * self._up(n - 1)
        return made

    def roots(self, c):
        """The roots, sorted. They are the eigenvalues of the companion matrix."""
        c = polytrim(c)
        if len(c) <= 2:
            return self.companion(c)[0] if len(c) == 2 else c[:0]
        return sort(linalg.eigvals(self.companion(c)[::-1, ::-1]))

    def vander(self, x, deg):
        """The polynomials at x up to `deg`, along a new last axis. ValueError for a negative degree."""
        degree = int(deg)
        if degree != deg:
            raise TypeError("deg must be integer")
        if degree < 0:
            raise ValueError("deg must be non-negative")
        x = asarray(x) * 1.0
        made = [x * 0 + 1]
        for n in range(degree):
            step = (x - self._same(n)) * made[n]
            made.append((step if n == 0 else step - made[n - 1] * self._down(n)) / self._up(n))
        return stack(made, axis=-1)

    def fit(self, x, y, deg, rcond=None, full=False, w=None):
        """The series that fits points best in the sum of squares; see `polyfit`."""
        return _fitted(self.vander, x, y, deg, rcond, full, w)

    def gauss(self, deg):
        """Points and weights of Gauss's quadrature, exact up to the degree 2 * deg - 1. ValueError for none."""
        degree = int(deg)
        if degree != deg or degree <= 0:
            raise ValueError("deg must be a positive integer")
        c = array([0.0] * degree + [1.0])
        x = linalg.eigvalsh(self.companion(c)) if degree > 1 else self.companion(c)[0]
        slope = self.val(x, self.der(c))
        x = x - self.val(x, c) / slope
        before = self.val(x, c[1:])
        weights = 1 / (before / abs(before).max() * (slope / abs(slope).max()))
        if self._same(0) == 0:
            weights, x = (weights + weights[::-1]) / 2, (x - x[::-1]) / 2
        return x, weights * (self.total / weights.sum())

    def to_powers(self, c):
        """The same polynomial by the powers of x."""
        c = polytrim(c)
        times = lambda made, n, at: polysub(polymulx(made), made * self._same(n)) * at
        return polytrim(self._sum([part.reshape((1,)) for part in c], times, polyadd))

    def from_powers(self, pol):
        """A polynomial by the powers of x as a series of this family."""
        pol = polytrim(pol)
        made = pol[-1:]
        for at in range(len(pol) - 2, -1, -1):
            made = polyadd(self.mulx(made), pol[at:at + 1])
        return made

    def val2d(self, x, y, c):
        """The values at points (x, y), where `c[i, j]` belongs to P[i](x) * P[j](y)."""
        return _values(c, x, y, of=self.val)

    def val3d(self, x, y, z, c):
        """The values at points (x, y, z), where `c[i, j, k]` belongs to P[i](x) * P[j](y) * P[k](z)."""
        return _values(c, x, y, z, of=self.val)

    def grid2d(self, x, y, c):
        """The values at all pairs of an element of x and one of y."""
        return _grid(c, x, y, of=self.val)

    def grid3d(self, x, y, z, c):
        """The values at all triples of an element of x, one of y and one of z."""
        return _grid(c, x, y, z, of=self.val)

    def vander2d(self, x, y, deg):
        """The products of polynomials of x up to `deg[0]` and of y up to `deg[1]`, along a new last axis."""
        return _powers([x, y], deg, self.vander)

    def vander3d(self, x, y, z, deg):
        """The products of polynomials of x, y and z up to the degrees, along a new last axis."""
        return _powers([x, y, z], deg, self.vander)


class _Plain:
    """The same functions of series of powers."""

    ends = [-1.0, 1.0]

    def __init__(self):
        self.add, self.sub, self.mul, self.div, self.pow = polyadd, polysub, polymul, polydiv, polypow
        self.val, self.der, self.int, self.fit, self.roots = polyval, polyder, polyint, polyfit, polyroots
        self.fromroots, self.line = polyfromroots, polyline


_RAISED = {ord(digit): raised for digit, raised in zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")}


class Polynomial(_Series):
    """A polynomial of one variable, by its coefficients from the constant on.

    What it is given lies in `domain`, which is mapped to `window` first, both [-1, 1] where nothing else
    is said. ValueError for coefficients of more than one axis or none at all.

    >>> polynomial.Polynomial([1, 2, 3])(0.5)
    """

    _over = _Plain()

    def _unicode_term(self, power, symbol):
        return f"·{symbol}" + ("" if power == 1 else str(power).translate(_RAISED))

    def _ascii_term(self, power, symbol):
        return f" {symbol}" + ("" if power == 1 else f"**{power}")
