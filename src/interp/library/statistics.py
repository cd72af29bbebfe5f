"""Figures of lists of numbers."""

from collections import Counter, namedtuple
from math import ceil, erf, erfc, exp, fabs, fsum, hypot, log, sqrt, tau


class StatisticsError(ValueError):
    """The data have no such figure."""


def _numbers(data):
    data = list(data)
    for x in data:
        if not isinstance(x, (int, float)):
            raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")
    return data


def _are_integers(data):
    return all(isinstance(x, int) for x in data)


def _product(a, b):
    """A product and what rounding took from it."""
    p = a * b
    if not abs(p) < 1e290 or abs(a) > 1e290 or abs(b) > 1e290:
        return p, 0.0
    a_high = 134217729.0 * a
    a_high -= a_high - a
    b_high = 134217729.0 * b
    b_high -= b_high - b
    a_low, b_low = a - a_high, b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def _exact(parts):
    """A sum as two floats: rounded, and the rest."""
    parts = list(parts)
    total = fsum(parts)
    return (total, fsum(parts + [-total])) if abs(total) < float("inf") else (total, 0.0)


def _divided(pair, divisor):
    """A quotient of two pairs, as a pair."""
    (high, low), (by, by_low) = pair, divisor
    quotient = high / by
    p, e = _product(quotient, by)
    if p != p or abs(p) == float("inf"):
        return quotient, 0.0
    rest = ((((high - p) - e) + low) - quotient * by_low) / by
    return quotient + rest, rest - ((quotient + rest) - quotient)


def _mean(data):
    """The mean of floats as a pair."""
    return _divided(_exact(data), (float(len(data)), 0.0))


def _ratio(total, n):
    """An integer where it is one, as CPython gives it of integers."""
    return total // n if total % n == 0 else total / n


def mean(data):
    """The arithmetic mean; an integer where integers have one."""
    data = _numbers(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    if _are_integers(data):
        return _ratio(sum(data), len(data))
    return _mean(data)[0]


def fmean(data, weights=None):
    """The arithmetic mean as a float."""
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError("fmean requires at least one data point")
        return fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    total = fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return fsum(x * w for x, w in zip(data, weights)) / total


def geometric_mean(data):
    """The root of the product; all must be positive."""
    data = list(data)
    if not data or min(data) <= 0:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
    return exp(fmean(map(log, data)))


def harmonic_mean(data, weights=None):
    """The reciprocal of the mean of the reciprocals."""
    data = _numbers(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    weights = [1] * len(data) if weights is None else list(weights)
    if len(weights) != len(data):
        raise StatisticsError("Number of weights does not match data size")
    for x in data:
        if x < 0:
            raise StatisticsError("harmonic mean does not support negative values")
        if not x:
            return 0
    if len(data) == 1:
        return data[0]
    return _divided(_exact(weights), _exact([w / x for x, w in zip(data, weights)]))[0]


def _sorted(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data


def median(data):
    """The one in the middle, or the mean of the two there."""
    data = _sorted(data)
    half = len(data) // 2
    return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2


def median_low(data):
    """The one in the middle, or the smaller of the two there."""
    data = _sorted(data)
    return data[(len(data) - 1) // 2]


def median_high(data):
    """The one in the middle, or the larger of the two there."""
    data = _sorted(data)
    return data[len(data) // 2]


def mode(data):
    """The most frequent item, of several the first."""
    most = Counter(iter(data)).most_common(1)
    if not most:
        raise StatisticsError("no mode for empty data")
    return most[0][0]


def multimode(data):
    """All items that are the most frequent."""
    counts = Counter(iter(data))
    most = max(counts.values(), default=0)
    return [item for item, count in counts.items() if count == most]


def _squares(data, center):
    """The sum of the squared distances from the center as a pair."""
    center, low = _mean(data) if center is None else (float(center), 0.0)
    parts = []
    for x in data:
        x = float(x)
        distance = x - center
        back = distance - x
        rest = (x - (distance - back)) - (center + back) - low
        parts += [*_product(distance, distance), 2.0 * distance * rest, rest * rest]
    return _exact(parts)


def _variance(data, center, n):
    """The variance as a pair; an integer where integers have one."""
    if _are_integers(data) and (center is None or isinstance(center, int)):
        # Over n * n it is an integer.
        size, total = len(data), sum(data)
        if center is None:
            squares = size * sum([x * x for x in data]) - total * total
            return _divided((float(squares), 0.0), (float(size * n), 0.0)), squares % (size * n) == 0
        squares = sum([(x - center) ** 2 for x in data])
        return _divided((float(squares), 0.0), (float(n), 0.0)), squares % n == 0
    return _divided(_squares(data, center), (float(n), 0.0)), False


def _root(pair):
    high, low = pair
    root = sqrt(high)
    if not root or root == float("inf"):
        return root
    p, e = _product(root, root)
    return root + (((high - p) - e) + low) / (2.0 * root)


def _as_given(variance):
    (value, _), is_integer = variance
    return int(value) if is_integer else value


def variance(data, xbar=None):
    """The variance of a sample, over n - 1."""
    data = _numbers(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    return _as_given(_variance(data, xbar, len(data) - 1))


def pvariance(data, mu=None):
    """The variance of a whole population, over n."""
    data = _numbers(data)
    if not data:
        raise StatisticsError("pvariance requires at least one data point")
    return _as_given(_variance(data, mu, len(data)))


def stdev(data, xbar=None):
    """The root of `variance`."""
    data = _numbers(data)
    if len(data) < 2:
        raise StatisticsError("stdev requires at least two data points")
    return _root(_variance(data, xbar, len(data) - 1)[0])


def pstdev(data, mu=None):
    """The root of `pvariance`."""
    data = _numbers(data)
    if not data:
        raise StatisticsError("pstdev requires at least one data point")
    return _root(_variance(data, mu, len(data))[0])


def quantiles(data, *, n=4, method="exclusive"):
    """The points that cut the data into `n` parts of the same weight."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    if len(data) < 2:
        raise StatisticsError("must have at least two data points")
    result = []
    if method == "inclusive":
        m = len(data) - 1
        for i in range(1, n):
            j, delta = divmod(i * m, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
    elif method == "exclusive":
        m = len(data) + 1
        for i in range(1, n):
            j = min(max(i * m // n, 1), len(data) - 1)
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
    else:
        raise ValueError(f"Unknown method: {method!r}")
    return result


def _deviations(x, y, of):
    n = len(x)
    if len(y) != n:
        raise StatisticsError(f"{of} requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError(f"{of} requires at least two data points")
    mid_x, mid_y = fsum(x) / n, fsum(y) / n
    return [a - mid_x for a in x], [b - mid_y for b in y]


def covariance(x, y, /):
    """How two lists vary together, over n - 1."""
    a, b = _deviations(x, y, "covariance")
    return fsum(p * q for p, q in zip(a, b)) / (len(a) - 1)


def correlation(x, y, /):
    """Pearson's coefficient of two lists."""
    a, b = _deviations(x, y, "correlation")
    both = fsum(p * q for p, q in zip(a, b))
    scale = sqrt(fsum(p * p for p in a) * fsum(q * q for q in b))
    if not scale:
        raise StatisticsError("at least one of the inputs is constant")
    return both / scale


LinearRegression = namedtuple("LinearRegression", ("slope", "intercept"))


def linear_regression(x, y, /, *, proportional=False):
    """The line that is nearest to points: its slope, and where it begins."""
    n = len(x)
    if len(y) != n:
        raise StatisticsError("linear regression requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("linear regression requires at least two data points")
    if proportional:
        sxy = fsum(a * b for a, b in zip(x, y))
        sxx = fsum(a * a for a in x)
    else:
        xbar, ybar = fsum(x) / n, fsum(y) / n
        sxy = fsum((a - xbar) * (b - ybar) for a, b in zip(x, y))
        sxx = fsum((a - xbar) * (a - xbar) for a in x)
    if sxx == 0:
        raise StatisticsError("x is constant")
    slope = sxy / sxx
    return LinearRegression(slope=slope, intercept=0.0 if proportional else ybar - slope * xbar)


def median_grouped(data, interval=1):
    """The median of numbers that stand for intervals around them."""
    data = sorted(data)
    n = len(data)
    if not n:
        raise StatisticsError("no median for empty data")
    if n == 1:
        return data[0]
    x = data[n // 2]
    below = sum(1 for value in data if value < x)
    same = sum(1 for value in data if value == x)
    return float(x) - float(interval) / 2 + float(interval) * (n / 2 - below) / same


class NormalDist:
    """A normal distribution."""

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        """The distribution with the mean and the deviation of data."""
        data = list(data)
        return cls(fmean(data), stdev(data))

    @property
    def mean(self):
        return self._mu

    @property
    def median(self):
        return self._mu

    @property
    def mode(self):
        return self._mu

    @property
    def stdev(self):
        return self._sigma

    @property
    def variance(self):
        return self._sigma ** 2.0

    def pdf(self, x):
        """The density at `x`."""
        variance = self._sigma ** 2.0
        if not variance:
            raise StatisticsError("pdf() not defined when sigma is zero")
        diff = x - self._mu
        return exp(diff * diff / (-2.0 * variance)) / sqrt(tau * variance)

    def cdf(self, x):
        """How likely a value is not above `x`."""
        if not self._sigma:
            raise StatisticsError("cdf() not defined when sigma is zero")
        return 0.5 * (1.0 + erf((x - self._mu) / (self._sigma * sqrt(2.0))))

    def inv_cdf(self, p):
        """The value below which one is as likely as `p`."""
        if p <= 0.0 or p >= 1.0:
            raise StatisticsError("p must be in the range 0.0 < p < 1.0")
        if self._sigma <= 0.0:
            raise StatisticsError("cdf() not defined when sigma at or below zero")
        # Newton's steps from a start that is near everywhere; the smaller tail keeps its digits.
        tail = min(p, 1.0 - p)
        t = sqrt(-2.0 * log(tail))
        x = t - (2.30753 + 0.27061 * t) / (1.0 + (0.99229 + 0.04481 * t) * t)
        for _ in range(8):
            error = 0.5 * erfc(x / sqrt(2.0)) - tail
            step = error * sqrt(tau) * exp(x * x / 2.0)
            x += step / (1.0 + x * step / 2.0)
            if abs(step) <= 1e-16 * abs(x):
                break
        return self._mu + self._sigma * (-x if p < 0.5 else x)

    def quantiles(self, n=4):
        """The values that cut the distribution into `n` parts of the same weight."""
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def overlap(self, other):
        """The share that two distributions have in common."""
        if not isinstance(other, NormalDist):
            raise TypeError("Expected another NormalDist instance")
        a, b = (self, other) if (self._sigma, self._mu) <= (other._sigma, other._mu) else (other, self)
        if not a.variance or not b.variance:
            raise StatisticsError("overlap() not defined when sigma is zero")
        spread = b.variance - a.variance
        apart = fabs(b._mu - a._mu)
        if not spread:
            return 1.0 - erf(apart / (2.0 * a._sigma * sqrt(2.0)))
        middle = a._mu * b.variance - b._mu * a.variance
        root = a._sigma * b._sigma * sqrt(apart * apart + spread * log(b.variance / a.variance))
        first, second = (middle + root) / spread, (middle - root) / spread
        return 1.0 - (fabs(b.cdf(first) - a.cdf(first)) + fabs(b.cdf(second) - a.cdf(second)))

    def zscore(self, x):
        """How many deviations `x` is from the mean."""
        if not self._sigma:
            raise StatisticsError("zscore() not defined when sigma is zero")
        return (x - self._mu) / self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __rsub__(self, other):
        return -(self - other)

    def __mul__(self, factor):
        return NormalDist(self._mu * factor, self._sigma * fabs(factor))

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        return NormalDist(self._mu / divisor, self._sigma / fabs(divisor))

    def __pos__(self):
        return NormalDist(self._mu, self._sigma)

    def __neg__(self):
        return NormalDist(-self._mu, self._sigma)

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})"
