# Tables of chances hold at most so many values; beyond it, and where parameters are tensors, elements are drawn
# one by one.
_TABLE = 20000
_LARGEST = 9223372036854775807


class _Discrete(_Continuous):
    """Distributions of whole numbers, int64. With plain numbers as parameters most are drawn by inversion from a
    table of chances."""

    def _finish(self, size, values, *parameters):
        if size is None and all(ndim(x) == 0 for x in parameters):
            return values.item()
        return values

    def poisson(self, lam=1.0, size=None):
        """How many events fall into a time in which `lam` are expected."""
        lam = _number(_parameter(lam))
        _within(lam, lambda lam: lam >= 0, "lam < 0 or lam {}")
        _refuse(lam > 9.223372006484771e18, "lam value too large")
        return self._finish(size, self._poisson(lam, _shape(size, lam)), lam)

    def _poisson(self, lam, shape):
        lam = _number(lam)
        if ndim(lam) == 0:
            if lam == 0:
                return zeros(shape, dtype=int64)
            low, high = _range(lam, lam**0.5, _LARGEST)
            if high - low < _TABLE:
                k = arange(low + 1, high + 1, dtype=float64)
                return self._inverted(low, log(lam / k), shape)
            return _attempts(self._bits, _poisson_hat, shape, float64, lam).astype(int64)
        lam = broadcast_to(lam.astype(float64), shape)
        return self._by_size(
            lam < 10,
            lambda: self._counted(exp(-lam), lambda k: lam / (k + 1), lam < 10, shape),
            lambda: _attempts(self._bits, _poisson_hat, shape, float64, maximum(lam, 10.0)),
        )

    def _by_size(self, is_few, few, many):
        """What `few` makes where few are expected, and `many` elsewhere; neither is asked for nothing."""
        is_any, is_all = bool(is_few.any()), bool(is_few.all())
        if is_all:
            return few()
        if not is_any:
            return many().astype(int64)
        return where(is_few, few(), many().astype(int64))

    def _inverted(self, low, ratios, shape):
        """Numbers from `low` on, given the logarithm of each one's chance over that of the one before."""
        logs = concatenate([zeros(1, dtype=float64), cumsum(ratios)])
        chances = cumsum(exp(logs - logs.max()))
        u = self._draw("uniform", shape, float64) * chances[-1]
        return low + minimum(searchsorted(chances, u, side="right"), len(chances) - 1)

    def _counted(self, chance, ratio, is_asked, shape):
        """Numbers found by counting up from zero, whose chance is given; `ratio(k)` is that of k + 1 over that of k.

        Where nothing is asked the number is zero.
        """
        u = where(is_asked, self._draw("uniform", shape, float64), 0.0) - chance
        number = zeros(shape, dtype=int64)
        k = 0
        # A chance below 2 ** -60 changes no sum: what is left then is rounding.
        while bool(((u >= 0) & (chance > 2.0**-60) & is_asked).any()) or k == 0:
            for _ in range(8):
                number = number + (u >= 0)
                chance = chance * ratio(k)
                u = u - chance
                k += 1
        return number

    def binomial(self, n, p, size=None):
        """How many of `n` trials succeed, each with the chance `p`."""
        n, p = _whole(n), _number(_parameter(p))
        _refuse(n < 0, "n < 0")
        _within(p, lambda p: (p >= 0) & (p <= 1), "p < 0, p > 1 or p {}", n)
        return self._finish(size, self._binomial(n, p, _shape(size, n, p)), n, p)

    def _binomial(self, n, p, shape):
        if ndim(n) == 0 and ndim(p) == 0:
            if p > 0.5:
                return n - self._binomial(n, 1 - p, shape)
            if n == 0 or p == 0:
                return zeros(shape, dtype=int64)
            low, high = _range(n * p, (n * p * (1 - p)) ** 0.5, n)
            if high - low < _TABLE:
                k = arange(low + 1, high + 1, dtype=float64)
                return self._inverted(low, log((n - k + 1) / k * (p / (1 - p))), shape)
            return _attempts(self._bits, _binomial_hat, shape, float64, n, p).astype(int64)
        n = broadcast_to(asarray(n), shape).astype(float64)
        p = broadcast_to(asarray(p), shape).astype(float64)
        least = minimum(p, 1 - p)
        is_few = n * least < 10
        odds = least / (1 - least)
        n_many, p_many = where(is_few, 40.0, n), where(is_few, 0.5, least)
        successes = self._by_size(
            is_few,
            lambda: self._counted(exp(n * log1p(-least)), lambda k: (n - k) / (k + 1) * odds, is_few, shape),
            lambda: _attempts(self._bits, _binomial_hat, shape, float64, n_many, p_many),
        )
        successes = minimum(successes, n)
        return where(p > 0.5, n - successes, successes).astype(int64)

    def negative_binomial(self, n, p, size=None):
        """How many trials of chance `p` fail before `n` succeed; a Poisson number of a gamma number."""
        n, p = _parameter(n), _parameter(p)
        _refuse(n <= 0, "n <= 0")
        _within(p, lambda p: (p > 0) & (p <= 1), "p <= 0, p > 1 or p contains NaNs")
        odds = (1 - p) / p
        words = "n too large or p too small, see Generator.negative_binomial Notes"
        _refuse(n * odds + 10 * odds * n**0.5 > 9.2e18, words)
        shape = _shape(size, n, p)
        lam = exp(self._log_gamma(n, shape, float64)) * odds
        return self._finish(size, self._poisson(lam, shape), n, p)

    def geometric(self, p, size=None):
        """How many trials of chance `p` it takes until one succeeds, by inversion."""
        p = _parameter(p)
        _within(p, lambda p: (p > 0) & (p <= 1), "p <= 0, p > 1 or p contains NaNs")
        u = self._draw("uniform", _shape(size, p), float64)
        number = ceil(log(1 - u) / log1p(-asarray(p, dtype=float64)))
        return self._finish(size, _as_whole(maximum(number, 1.0)), p)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """How many of `nsample` drawn without putting back are good."""
        good, bad, count = _whole(ngood), _whole(nbad), _whole(nsample)
        _refuse(good + bad < count, "ngood + nbad < nsample")
        _refuse(good < 0, "ngood < 0")
        _refuse(bad < 0, "nbad < 0")
        _refuse(count < 0, "nsample < 0")
        words = "both ngood and nbad must be less than 1000000000"
        _refuse((good >= 10**9) | (bad >= 10**9), words)
        shape = _shape(size, good, bad, count)
        return self._finish(size, self._hypergeometric(good, bad, count, shape), good, bad, count)

    def _hypergeometric(self, good, bad, count, shape):
        if all(ndim(x) == 0 for x in (good, bad, count)):
            low, high = max(0, count - bad), min(good, count)
            if high == low:
                return zeros(shape, dtype=int64) + low
            total = good + bad
            mean = count * (good / total)
            deviation = (mean * (bad / total) * (total - count) / max(total - 1, 1)) ** 0.5
            least, most = _range(mean, deviation, high)
            low, high = max(low, least), min(high, most)
            if high - low < _TABLE:
                k = arange(low + 1, high + 1, dtype=float64)
                ratios = (good - k + 1) / k * ((count - k + 1) / (bad - count + k))
                return self._inverted(low, log(ratios), shape)
        good, bad, count = [broadcast_to(asarray(x), shape).astype(float64) for x in (good, bad, count)]
        # The rarer kind among the smaller part of the whole is counted, and the rest follows.
        rare, common, total = minimum(good, bad), maximum(good, bad), good + bad
        part = minimum(count, total - count)
        is_few = part * rare < 10 * total
        none = exp(_log_ways(rare, common, part, 0.0 * part, total))
        found = self._by_size(
            is_few,
            lambda: self._counted(
                none, lambda k: (rare - k) * (part - k) / ((k + 1) * (common - part + k + 1)), is_few, shape
            ),
            lambda: _attempts(self._bits, _hypergeometric_hat, shape, float64, rare, common, part),
        )
        found = minimum(found, minimum(rare, part))
        found = where(good > bad, part - found, found)
        return where(part < count, good - found, found).astype(int64)

    def logseries(self, p, size=None):
        """Numbers k with chances in proportion to p^k / k (Kemp, "Efficient generation of logarithmically
        distributed pseudo-random variables", 1981)."""
        p = _parameter(p)
        _within(p, lambda p: (p >= 0) & (p < 1), "p < 0, p >= 1 or p {}")
        shape = _shape(size, p)
        u, v = self._draw("uniform", shape, float64), self._draw("uniform", shape, float64)
        q = -expm1(log1p(-asarray(p, dtype=float64)) * (1 - u))
        number = where(q > 0, floor(1 + log(1 - v) / log(q)), 1.0)
        return self._finish(size, _as_whole(maximum(number, 1.0)), p)

    def zipf(self, a, size=None):
        """Numbers k with chances in proportion to k^-a (Devroye, Non-Uniform Random Variate Generation, 1986,
        X.6.1)."""
        a = _parameter(a)
        _within(a, lambda a: a > 1, "a <= 1 or a {}")
        values = _attempts(self._bits, _zipf_hat, _shape(size, a), float64, minimum(a, 1025.0))
        return self._finish(size, _as_whole(values), a)

    def multinomial(self, n, pvals, size=None):
        """How often each outcome comes in `n` trials, the outcomes along the last axis."""
        n, pvals = _whole(n), asarray(pvals)
        if pvals.ndim == 0 or pvals.shape[-1] == 0:
            words = "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0."
            raise ValueError(words)
        pvals = pvals.astype(float64)
        _refuse(~((pvals >= 0) & (pvals <= 1)), "pvals < 0, pvals > 1 or pvals contains NaNs")
        _refuse(n < 0, "n < 0")
        if bool((pvals[..., :-1].sum(axis=-1) > 1 + 1e-12).any()):
            raise ValueError("sum(pvals[:-1]) > 1.0")
        shape = _shape(size, n, pvals[..., 0])
        left = broadcast_to(asarray(n), shape)
        chance = 1.0
        counts = []
        for outcome in range(pvals.shape[-1] - 1):
            p = pvals[..., outcome]
            share = where(p > 0, minimum(p / maximum(chance, 1e-300), 1.0), 0.0)
            drawn = self._binomial(left, share, shape)
            counts.append(drawn)
            left, chance = left - drawn, chance - p
        return stack([*counts, left], axis=-1)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """How many of each colour are among `nsample` drawn without putting back; one axis more than `size`."""
        if method not in ("count", "marginals"):
            raise ValueError('method must be "count" or "marginals".')
        try:
            nsample = _index(nsample)
        except TypeError:
            raise ValueError("nsample must be an integer")
        _refuse(nsample < 0, "nsample must be nonnegative.")
        colors = asarray(colors)
        if colors.ndim != 1 or colors.is_floating_point() or bool((colors < 0).any()):
            words = "colors must be a one-dimensional sequence of nonnegative integers "
            raise ValueError(words + f"not exceeding {_LARGEST}.")
        amounts = colors.tolist()
        total = sum(amounts)
        _refuse(nsample > total, "nsample > sum(colors)")
        if total >= 10**9 and method == "marginals":
            raise ValueError('When method is "marginals", sum(colors) must be less than 1000000000.')
        shape = () if size is None else _lengths(size)
        left = zeros(shape, dtype=int64) + nsample
        counts = []
        for amount in amounts[:-1]:
            total -= amount
            drawn = self._hypergeometric(amount, total, left if counts else nsample, shape)
            counts.append(drawn)
            left = left - drawn
        return stack([*counts, left], axis=-1) if amounts else zeros((*shape, 0), dtype=int64)

    def _integers(self, low, high, size, dtype, is_closed, name):
        dtype = _dtype(dtype)
        if zeros(0, dtype=dtype).is_floating_point():
            raise TypeError(f"Unsupported dtype dtype('{_name(dtype)}') for {name}")
        low, high = (0, _bound(low)) if high is None else (_bound(low), _bound(high))
        if ndim(low) == 0 and low == 0:
            words = "high < 0" if is_closed else "high <= 0"
        else:
            words = "low > high" if is_closed else "low >= high"
        least, most = (0, 1) if dtype == bool else (iinfo(dtype).min, iinfo(dtype).max)
        _refuse(low < least, f"low is out of bounds for {_name(dtype)}")
        _refuse(high > most if is_closed else high - 1 > most, f"high is out of bounds for {_name(dtype)}")
        _refuse(low > high if is_closed else low >= high, words)
        shape = _shape_last(size, low, high)
        if ndim(low) == 0 and ndim(high) == 0:
            if is_closed and high == _LARGEST:
                # An end that no integer stands behind.
                if low == -_LARGEST - 1:
                    return _filled(self._bits, "bits", shape, int64)
                return _filled(self._bits, "integers", shape, int64, low - 1, high) + 1
            drawn = _filled(self._bits, "integers", shape, dtype, low, high + is_closed)
            return drawn
        low, high = broadcast_to(asarray(low), shape), broadcast_to(asarray(high), shape)
        bits = _filled(self._bits, "bits", shape, int64)
        return (low + _scaled_bits(bits, high - low + is_closed)).astype(dtype)


def _as_whole(x):
    """Of floats that may be beyond int64."""
    return where(x >= 2.0**63, _LARGEST, minimum(x, 2.0**63 - 1024).astype(int64))


def _bound(x):
    """An end of a range of integers."""
    if isinstance(x, float):
        return int(x)
    return x if isinstance(x, int) else _number(asarray(x).astype(int64))


def _shape_last(size, *parameters):
    """As `_shape`; errors count `size` as the last operand."""
    shapes = [_lengths_of(x) for x in parameters]
    if size is None:
        return _together(shapes)
    shape = _lengths(size)
    if _together([*shapes, shape]) != shape:
        raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {_together(shapes)}.")
    return shape


def _scaled_bits(bits, span):
    """The upper half of the product of two numbers of 64 bits without sign, of halves of 32 bits."""
    a, b = (bits >> 32) & _LOW, bits & _LOW
    c, d = (span >> 32) & _LOW, span & _LOW
    middle = a * d + ((b * d >> 32) & _LOW)
    carry = (middle & _LOW) + b * c
    return a * c + ((middle >> 32) & _LOW) + ((carry >> 32) & _LOW)


def _range(mean, deviation, most):
    """Where all but 2^-60 of a distribution lies that falls off like Poisson's."""
    width = 10 * deviation + 30
    return max(0, int(mean - width)), min(most, int(mean + width))


def _log_factorial(k):
    """log(k!) of whole numbers in float64, by Stirling's series; small ones from ten factors further up."""
    factors = 1.0
    for step in range(1, 11):
        factors = factors * (k + step)
    is_small = k < 10
    x = where(is_small, k + 10, k)
    square = x * x
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x
    large = (x + 0.5) * log(x) - x + 0.9189385332046727 + series
    return large - where(is_small, log(where(is_small, factors, 1.0)), 0.0)


def _poisson_hat(draw, lam):
    """Hörmann, "The transformed rejection method for generating Poisson random variables", 1993: PTRS.

    The chance of k is taken apart so that large lam lose no digits (Loader, 2000).
    """
    u, v = draw.uniform() - 0.5, draw.uniform()
    root = sqrt(lam)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    depth = 0.5 - absolute(u)
    k = floor((2 * a / depth + b) * u + lam + 0.43)
    hat = log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (depth * depth) + b))
    x = maximum(k, 1.0)
    excess = (x - lam) / lam
    deviance = lam * ((1 + excess) * log1p(excess) - excess)
    correction = _log_factorial(x) - (x * log(x) - x + 0.5 * log(2 * pi * x))
    log_chance = where(k < 1, -lam, -deviance - 0.5 * log(2 * pi * x) - correction)
    return k, (k < 0) | (k >= 2.0**63) | (hat > log_chance)


def _binomial_hat(draw, n, p):
    """Hörmann, "The generation of binomial random variates", 1993: BTRS, for p <= 1/2 and n p >= 10."""
    u, v = draw.uniform() - 0.5, draw.uniform()
    deviation = sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    depth = 0.5 - absolute(u)
    k = floor((2 * a / depth + b) * u + n * p + 0.5)
    alpha = (2.83 + 5.1 / b) * deviation
    hat = log(v * alpha / (a / (depth * depth) + b))
    mode = floor((n + 1) * p)
    at_mode = _log_factorial(mode) + _log_factorial(n - mode)
    log_chance = at_mode - _log_factorial(k) - _log_factorial(n - k) + (k - mode) * log(p / (1 - p))
    return k, (k < 0) | (k > n) | (hat > log_chance)


def _hypergeometric_hat(draw, rare, common, part):
    """Stadlober, "The ratio of uniforms approach for generating discrete random variates", 1990: HRUA*."""
    u, v = draw.uniform(), draw.uniform()
    total = rare + common
    share = rare / maximum(total, 1.0)
    variance = (total - part) * part * share * (1 - share) / maximum(total - 1, 1.0)
    width = 1.7155277699214135 * sqrt(variance + 0.5) + 0.8989161620588988
    k = floor(part * share + 0.5 + width * (v - 0.5) / (1 - u))
    mode = floor((part + 1) * (rare + 1) / (total + 2))
    log_chance = _log_ways(rare, common, part, k, total) - _log_ways(rare, common, part, mode, total)
    return k, (k < 0) | (k > minimum(rare, part)) | (2 * log(1 - u) > log_chance)


def _log_ways(rare, common, part, k, total):
    """The logarithm of the chance that k of the rarer kind are among a part of the whole."""
    of_rare = _log_factorial(rare) - _log_factorial(k) - _log_factorial(rare - k)
    of_common = _log_factorial(common) - _log_factorial(part - k) - _log_factorial(common - part + k)
    return of_rare + of_common - _log_factorial(total) + _log_factorial(part) + _log_factorial(total - part)


def _zipf_hat(draw, a):
    u, v = 1 - draw.uniform(), draw.uniform()
    k = floor(exp(-log(u) / (a - 1)))
    log_step = (a - 1) * log1p(1 / k)
    # (t - 1) / (b - 1) for t = (1 + 1 / k)^(a - 1), b = 2^(a - 1), each over its larger factor.
    wrong = v * k * (-expm1(-log_step)) / (-expm1(-(a - 1) * log(2.0))) > 1
    return k, (k >= 2.0**63) | wrong
