class _Continuous:
    """Distributions of real numbers. `_bits` is the stream.

    Parameters broadcast against each other and fill `size`; a single number is a Python number.
    """

    def _draw(self, kind, shape, dtype):
        return _filled(self._bits, kind, shape, dtype)

    def _plan(self, size, *parameters):
        """The shape and type of what is drawn, and what makes a result of it."""
        shape = _shape(size, *parameters)
        if size is None and shape == ():
            return shape, float64, _single
        return shape, _float_of(*parameters), _whole_tensor

    def _transformed(self, kind, size, transform, *parameters):
        """`transform(x, *parameters)` of uniform or normal numbers x."""
        shape, dtype, finish = self._plan(size, *parameters)
        return finish(transform(self._draw(kind, shape, dtype), *parameters))

    def standard_normal(self, size=None, dtype=None, out=None):
        """Normally distributed numbers of mean 0 and deviation 1 (Box and Muller, 1958)."""
        return self._plain("normal", size, dtype, out, "standard_normal")

    def _plain(self, kind, size, dtype, out, name, transform=None):
        is_single = size is None and out is None
        dtype = float64 if is_single and dtype is None else _checked(dtype, out, name)
        x = self._draw(kind, _into(size, out), dtype)
        x = x if transform is None else transform(x)
        return x.item() if is_single else _result(x, out)

    def random(self, size=None, dtype=None, out=None):
        """Numbers spread evenly over [0, 1)."""
        return self._plain("uniform", size, dtype, out, "random")

    def standard_exponential(self, size=None, dtype=None, method="zig", out=None):
        """Exponentially distributed numbers of mean 1, by inversion whatever `method` says."""
        if method not in ("zig", "inv"):
            raise ValueError(f"method must be 'zig' or 'inv', found {method!r}")
        return self._plain("uniform", size, dtype, out, "standard_exponential", lambda u: -log(1 - u))

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Normally distributed numbers of mean `loc` and deviation `scale`."""
        loc, scale = _parameter(loc), _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("normal", size, _scaled, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Numbers whose logarithms are normally distributed with that mean and deviation."""
        mean, sigma = _parameter(mean), _parameter(sigma)
        _refuse(sigma < 0, "sigma < 0")
        return self._transformed("normal", size, lambda x, m, s: exp(_scaled(x, m, s)), mean, sigma)

    def uniform(self, low=0.0, high=1.0, size=None):
        """Numbers spread evenly over [low, high)."""
        low, high = _parameter(low), _parameter(high)
        width = high - low
        if ndim(width) == 0:
            if not isfinite(width):
                raise OverflowError("high - low range exceeds valid bounds")
            _refuse(width < 0, "high - low < 0")
        else:
            if not isfinite(width).all():
                raise OverflowError("Range exceeds valid bounds")
            _refuse(width < 0, "high - low < 0")
        return self._transformed("uniform", size, _between, low, high)

    def exponential(self, scale=1.0, size=None):
        """Exponentially distributed numbers of mean `scale`, by inversion."""
        scale = _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("uniform", size, lambda u, scale: -scale * log(1 - u), scale)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the double exponential distribution around `loc`, by inversion."""
        loc, scale = _parameter(loc), _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("uniform", size, _laplace, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the logistic distribution around `loc`, by inversion."""
        loc, scale = _parameter(loc), _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("uniform", size, _logistic, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Numbers of the extreme value distribution of largest values, mode `loc`, by inversion."""
        loc, scale = _parameter(loc), _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("uniform", size, _gumbel, loc, scale)

    def rayleigh(self, scale=1.0, size=None):
        """Lengths of vectors of two normal numbers of deviation `scale`, by inversion."""
        scale = _parameter(scale)
        _refuse(scale < 0, "scale < 0")
        return self._transformed("uniform", size, lambda u, scale: scale * sqrt(-2 * log(1 - u)), scale)

    def weibull(self, a, size=None):
        """Numbers of the Weibull distribution of shape `a` and scale 1, by inversion."""
        a = _parameter(a)
        _refuse(a < 0, "a < 0")
        return self._transformed("uniform", size, _weibull, a)

    def pareto(self, a, size=None):
        """Numbers of the Pareto distribution of the second kind (Lomax) of shape `a`, by inversion."""
        a = _parameter(a)
        _refuse(a <= 0, "a <= 0")
        return self._transformed("uniform", size, lambda u, a: expm1(-log(1 - u) / a), a)

    def power(self, a, size=None):
        """Numbers of [0, 1] with density a x^(a - 1), by inversion."""
        a = _parameter(a)
        _refuse(a <= 0, "a <= 0")
        return self._transformed("uniform", size, lambda u, a: exp(log(1 - u) / a), a)

    def standard_cauchy(self, size=None):
        """Numbers of the Cauchy distribution around 0, by inversion."""
        return self._transformed("uniform", size, lambda u: tan(pi * (u - 0.5)))

    def triangular(self, left, mode, right, size=None):
        """Numbers of [left, right], likeliest at `mode`, by inversion."""
        left, mode, right = _parameter(left), _parameter(mode), _parameter(right)
        _refuse(left > mode, "left > mode")
        _refuse(mode > right, "mode > right")
        _refuse(left == right, "left == right")
        return self._transformed("uniform", size, _triangular, left, mode, right)

    def wald(self, mean, scale, size=None):
        """Numbers of the inverse Gaussian distribution (Michael, Schucany and Haas, 1976)."""
        mean, scale = _parameter(mean), _parameter(scale)
        _refuse(mean <= 0, "mean <= 0")
        _refuse(scale <= 0, "scale <= 0")
        shape, dtype, finish = self._plan(size, mean, scale)
        x, u = self._draw("normal", shape, dtype), self._draw("uniform", shape, dtype)
        # The smaller root, in a form that loses no digits.
        y = mean * x * x
        root = sqrt(y * (y + 4 * scale))
        small = mean * where(y > 0, 4 * scale * y / (y + root) ** 2, 1.0)
        return finish(where(u * (mean + small) <= mean, small, mean * (mean / small)))

    def standard_gamma(self, shape, size=None, dtype=None, out=None):
        """Numbers of the gamma distribution of that shape (Marsaglia and Tsang, 2000)."""
        a = _parameter(shape)
        _refuse(a < 0, "shape < 0")
        is_single = size is None and out is None and ndim(a) == 0
        dtype = float64 if is_single and dtype is None else _checked(dtype, out, "standard_gamma")
        lengths = _shape(size if out is None else _into(size, out), a)
        x = exp(self._log_gamma(a, lengths, dtype)) if ndim(a) > 0 or a < 1 else self._gamma(a, lengths, dtype)
        return x.item() if is_single else _result(x.astype(dtype), out)

    def _gamma(self, a, shape, dtype):
        """Of shapes that are one at least."""
        d = a - 1 / 3
        return d * _attempts(self._bits, _cube, shape, dtype, d)

    def _log_gamma(self, a, shape, dtype):
        """Logarithms: small shapes give numbers that are too small for floats.

        For shapes below one a number of shape a + 1, times u ** (1 / a).
        """
        if ndim(a) == 0:
            if a >= 1:
                return log(self._gamma(a, shape, dtype))
            u = self._draw("uniform", shape, dtype)
            return log(self._gamma(a + 1.0, shape, dtype)) + _quotient(log(1 - u), a)
        u = self._draw("uniform", shape, dtype)
        x = log(self._gamma(where(a < 1, a + 1.0, a), shape, dtype))
        return x + where(a < 1, _quotient(log(1 - u), a), 0.0)

    def gamma(self, shape, scale=1.0, size=None):
        """Numbers of the gamma distribution of that shape and scale (Marsaglia and Tsang, 2000)."""
        shape, scale = _parameter(shape), _parameter(scale)
        _refuse(shape < 0, "shape < 0")
        _refuse(scale < 0, "scale < 0")
        return self._of_gammas(size, lambda draw, a, scale: scale * draw(a), shape, scale)

    def _of_gammas(self, size, make, *parameters):
        """What `make(draw, *parameters)` makes of gamma numbers; `draw(a)` gives those of a shape."""
        shape, dtype, finish = self._plan(size, *parameters)

        def draw(a):
            if ndim(a) == 0 and a >= 1:
                return self._gamma(a, shape, dtype)
            return exp(self._log_gamma(a, shape, dtype))

        return finish(make(draw, *parameters))

    def beta(self, a, b, size=None):
        """Numbers of the beta distribution, from two of gamma distributions."""
        a, b = _parameter(a), _parameter(b)
        _refuse(a <= 0, "a <= 0")
        _refuse(b <= 0, "b <= 0")
        shape, dtype, finish = self._plan(size, a, b)
        x, y = self._log_gamma(a, shape, dtype), self._log_gamma(b, shape, dtype)
        return finish(1 / (1 + exp(y - x)))

    def chisquare(self, df, size=None):
        """Sums of squares of `df` normal numbers, from the gamma distribution."""
        df = _parameter(df)
        _refuse(df <= 0, "df <= 0")
        return self._of_gammas(size, lambda draw, df: 2 * draw(df / 2), df)

    def f(self, dfnum, dfden, size=None):
        """Numbers of Fisher's distribution, from two of chi-square distributions."""
        dfnum, dfden = _parameter(dfnum), _parameter(dfden)
        _refuse(dfnum <= 0, "dfnum <= 0")
        _refuse(dfden <= 0, "dfden <= 0")
        return self._of_gammas(size, lambda draw, m, n: draw(m / 2) / m / (draw(n / 2) / n), dfnum, dfden)

    def standard_t(self, df, size=None):
        """Numbers of Student's distribution, from a normal and a chi-square one."""
        df = _parameter(df)
        _refuse(df <= 0, "df <= 0")
        shape, dtype, finish = self._plan(size, df)
        x, half = self._draw("normal", shape, dtype), asarray(df, dtype=dtype) / 2
        return finish(x * exp(-0.5 * (self._log_gamma(half, shape, dtype) - log(half))))

    def noncentral_chisquare(self, df, nonc, size=None):
        """Sums of squares of `df` normal numbers whose means' squares add up to `nonc`."""
        df, nonc = _parameter(df), _parameter(nonc)
        _refuse(df <= 0, "df <= 0")
        _refuse(nonc < 0, "nonc < 0")
        shape, dtype, finish = self._plan(size, df, nonc)
        return finish(self._noncentral(df, nonc, shape, dtype))

    def _noncentral(self, df, nonc, shape, dtype):
        """A central number with a Poisson number of degrees more (Johnson, Kotz and Balakrishnan, 29.2)."""
        more = self._poisson(nonc / 2, shape).astype(dtype)
        return 2 * exp(self._log_gamma(df / 2 + more, shape, dtype)).astype(dtype)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        """Numbers of Fisher's distribution whose numerator is not central."""
        dfnum, dfden, nonc = _parameter(dfnum), _parameter(dfden), _parameter(nonc)
        _refuse(dfnum <= 0, "dfnum <= 0")
        _refuse(dfden <= 0, "dfden <= 0")
        _refuse(nonc < 0, "nonc < 0")
        shape, dtype, finish = self._plan(size, dfnum, dfden, nonc)
        above = self._noncentral(dfnum, nonc, shape, dtype) / dfnum
        below = 2 * exp(self._log_gamma(dfden / 2, shape, dtype)) / dfden
        return finish(above / below)

    def vonmises(self, mu, kappa, size=None):
        """Angles of [-pi, pi] around `mu` (Best and Fisher, 1979)."""
        mu, kappa = _parameter(mu), _parameter(kappa)
        _refuse(kappa < 0, "kappa < 0")
        shape, dtype, finish = self._plan(size, mu, kappa)
        angle = _attempts(self._bits, _circle, shape, float64, kappa)
        angle = remainder(angle + mu + pi, 2 * pi) - pi
        return finish(angle.astype(dtype))

    def dirichlet(self, alpha, size=None):
        """Rows of positive numbers whose sum is one, from gamma distributions; shape `size` and one axis more."""
        alpha = asarray(alpha)
        if alpha.ndim != 1:
            raise ValueError(f"alpha must have one axis, found {alpha.ndim}")
        _refuse(alpha < 0, "alpha < 0")
        shape = (() if size is None else _lengths(size)) + tuple(alpha.shape)
        x = self._log_gamma(alpha, shape, _float_of(alpha))
        if shape[-1] == 0:
            return x
        x = exp(x - x.max(axis=-1, keepdims=True))
        return x / x.sum(axis=-1, keepdims=True)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        """Vectors of that mean and covariance: the mean, and a root of the covariance times normal numbers."""
        if method not in ("eigh", "svd", "cholesky"):
            raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
        if check_valid not in ("warn", "raise", "ignore"):
            raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
        mean, cov = asarray(mean), asarray(cov)
        if mean.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if cov.shape[0] != mean.shape[0]:
            raise ValueError("mean and cov must have same length")
        shape = (() if size is None else _lengths(size)) + tuple(mean.shape)
        dtype = _float_of(mean, cov)
        x = self._draw("normal", shape, dtype)
        # The root is taken in float64: what is nearly singular stays within the tolerance.
        cov = cov.astype(float64)
        if method == "cholesky":
            root = _cholesky(cov)
            return mean + x @ matrix_transpose(root).astype(dtype)
        values, vectors = _eigh(cov)
        if check_valid != "ignore":
            _check_covariance(cov, values, tol, check_valid == "raise")
        root = vectors * sqrt(absolute(values))
        return (mean + x @ matrix_transpose(root).astype(dtype)).astype(dtype)


def _single(x):
    return x.item()


def _whole_tensor(x):
    return x


def _check_covariance(cov, values, tol, is_error):
    is_symmetric = bool((absolute(cov - matrix_transpose(cov)) <= tol + tol * absolute(cov)).all())
    if is_symmetric and not bool((values < -tol).any()):
        return
    if is_error:
        raise ValueError("covariance is not symmetric positive-semidefinite.")
    _warn("covariance is not symmetric positive-semidefinite.", RuntimeWarning)


def _scaled(x, loc, scale):
    return loc + scale * x


def _between(u, low, high):
    """Of the interval's points; rounding takes none to its end."""
    x = low + (high - low) * u
    return minimum(x, nextafter(asarray(high).astype(x.dtype), low))


def _laplace(u, loc, scale):
    """The larger half by the distance from one, so that both tails have all digits."""
    tail = where(u < 0.5, 2 * u, 2 - 2 * u)
    return loc + scale * where(u < 0.5, log(tail), -log(tail))


def _logistic(u, loc, scale):
    u = maximum(u, 2.0**-54 if u.dtype == float64 else 2.0**-25)
    return loc + scale * (log(u) - log1p(-u))


def _gumbel(u, loc, scale):
    return loc - scale * log(maximum(-log(1 - u), 2.0**-54 if u.dtype == float64 else 2.0**-25))


def _weibull(u, a):
    """Of shape zero all numbers are zero."""
    return where(a == 0, 0.0, exp(log(-log(1 - u)) / a))


def _triangular(u, left, mode, right):
    width = right - left
    below = (mode - left) / width
    rising = left + sqrt(u * width * (mode - left))
    falling = right - sqrt((1 - u) * width * (right - mode))
    return where(u <= below, rising, falling)


def _quotient(x, divisor):
    """x / divisor, and minus infinity where the divisor is zero."""
    if ndim(divisor) == 0:
        return x / divisor if divisor != 0 else x * 0 - inf
    return where(divisor == 0, -inf, x / divisor)


def _cube(draw, d):
    """Marsaglia and Tsang, "A simple method for generating gamma variables", 2000."""
    x, u = draw.normal(), draw.uniform()
    v = 1 + x / sqrt(9 * d)
    v = v * v * v
    return v, (v <= 0) | (log(u) > 0.5 * x * x + d * (1 - v + log(v)))


def _circle(draw, kappa):
    """Best and Fisher, "Efficient simulation of the von Mises distribution", 1979.

    What nearly cancels for small and large kappa is written as a product.
    """
    u, v = draw.uniform(), draw.uniform()
    root = hypot(1.0, 2.0 * kappa)
    tau = 1 + root
    rho = 2 * kappa / (tau + sqrt(2 * tau))
    is_flat = kappa < 1e-8
    rho = where(is_flat, 0.5, rho)
    # One less than the envelope's constant.
    s = (1 - rho) ** 2 / (2 * rho)
    turn = pi * (2 * u - 1)
    z = cos(turn)
    # 1 - w, where w is the cosine of the angle.
    gap = s * (1 - z) / (s + 1 + z)
    angle = where(turn < 0, -2.0, 2.0) * arcsin(sqrt(minimum(gap / 2, 1.0)))
    c = kappa * (s + gap)
    wrong = (c * (2 - c) < v) & (log(c / v) + 1 < c)
    return where(is_flat, turn, angle), where(is_flat, False, wrong)
