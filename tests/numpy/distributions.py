#!/usr/bin/env python3
"""Writes distributions.jsonl: how often numbers of each distribution fall into cells, by SciPy's functions.

    python tests/numpy/distributions.py > tests/numpy/distributions.jsonl

A line has a program's expression over `g`, a generator, and `n`, how many numbers it gives; the inner edges of
cells (a number belongs to the first whose upper edge is not below it); the chance of each cell; the value that
Pearson's statistic exceeds once in a hundred thousand times; and mean and variance, each with five times the
deviation that it has over n numbers, where the moments for that exist.
"""

import json
import math

import numpy as np
from scipy import special, stats

N = 20_000
CELLS = 40


def cells(law):
    """Inner edges, and the chance of each cell."""
    if isinstance(law.dist, stats.rv_continuous):
        edges = law.ppf(np.arange(1, CELLS) / CELLS)
        return [float(edge) for edge in edges], [1 / CELLS] * CELLS
    edges, chances, below = [], [], 0.0
    for edge in np.unique(whole_quantiles(law, np.linspace(0, 1, 100)[1:-1])):
        up_to = cdf_of(law)(edge)
        if up_to - below >= 100 / N and 1 - up_to >= 100 / N:
            edges.append(float(edge))
            chances.append(float(up_to - below))
            below = up_to
    return edges, chances + [float(1 - below)]


def cdf_of(law):
    if law.dist.name in ("hypergeom", "logser"):
        # SciPy adds up all chances for each number; here are those that matter, once.
        mean, deviation = law.mean(), law.std()
        first = math.floor(max(mean - 14 * deviation - 10, -1))
        sums = np.cumsum(law.pmf(np.arange(first, math.ceil(mean + 40 * deviation + 10))))
        return lambda k: np.where(k < first, 0, sums[np.clip(k - first, 0, len(sums) - 1).astype(int)])
    if law.dist.name != "zipf":
        return law.cdf
    return lambda k: np.where(k < 1, 0.0, 1 - special.zeta(*law.args, np.maximum(k, 0) + 1) / special.zeta(*law.args))


def whole_quantiles(law, chances):
    """The least whole numbers that are not exceeded with these chances, by bisection."""
    cdf = cdf_of(law)
    low, high = np.full(chances.shape, -100.0), np.full(chances.shape, 2.0**40)
    if law.dist.name != "zipf":
        high[:] = math.ceil(law.mean() + 100 * law.std() + 1)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        is_enough = cdf(middle) >= chances
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    return high


def moments(law):
    mean, variance, _, kurtosis = (float(x) for x in law.stats("mvsk"))
    given = {}
    if math.isfinite(mean) and math.isfinite(variance):
        given["mean"] = [mean, 5 * math.sqrt(variance / N)]
        if math.isfinite(kurtosis) and kurtosis < 100:
            given["variance"] = [variance, 5 * variance * (math.sqrt((kurtosis + 2) / N) + 5 / N)]
    return given


def write(law, *calls):
    edges, chances = cells(law)
    critical = float(stats.chi2.ppf(1 - 1e-5, len(edges))) if edges else 0.0
    row = {"edges": edges, "chances": chances, "critical": critical, **moments(law)}
    for call in calls:
        print(json.dumps({"call": call, **row}), flush=True)


def triangular(left, mode, right):
    return stats.triang((mode - left) / (right - left), left, right - left)


# Each with the numbers for its parameters, and SciPy's name for what they give.
LAWS = [
    ("normal", [(0, 1), (-3, 0.5), (1e3, 10)], stats.norm),
    ("lognormal", [(0, 0.25), (1, 1)], lambda m, s: stats.lognorm(s, scale=math.exp(m))),
    ("uniform", [(0, 1), (-2, 5)], lambda low, high: stats.uniform(low, high - low)),
    ("exponential", [(1,), (0.01,)], lambda scale: stats.expon(0, scale)),
    ("laplace", [(0, 1), (3, 2)], stats.laplace),
    ("logistic", [(0, 1), (3, 2)], stats.logistic),
    ("gumbel", [(0, 1), (3, 2)], stats.gumbel_r),
    ("rayleigh", [(1,), (4,)], lambda scale: stats.rayleigh(0, scale)),
    ("weibull", [(0.5,), (1,), (5,)], stats.weibull_min),
    ("pareto", [(0.5,), (3,), (30,)], stats.lomax),
    ("power", [(0.2,), (1,), (7,)], stats.powerlaw),
    ("triangular", [(0, 1, 2), (-1, -1, 3), (-1, 3, 3), (1, 2, 7)], triangular),
    ("wald", [(1, 1), (0.1, 3), (5, 0.5)], lambda mean, scale: stats.invgauss(mean / scale, 0, scale)),
    ("standard_gamma", [(0.05,), (0.5,), (1,), (1.5,), (40,)], stats.gamma),
    ("gamma", [(0.3, 2), (2, 3), (1e6, 1e-3)], lambda a, scale: stats.gamma(a, 0, scale)),
    ("beta", [(0.05, 0.2), (0.5, 0.5), (1, 1), (2, 5), (300, 2), (1e4, 2e4)], stats.beta),
    ("chisquare", [(0.5,), (1,), (10,)], stats.chi2),
    ("f", [(1, 12), (5, 20), (40, 9.5)], stats.f),
    ("standard_t", [(0.7,), (5,), (1e5,)], stats.t),
    ("noncentral_chisquare", [(0.5, 2), (3, 0.1), (4, 100)], stats.ncx2),
    ("noncentral_f", [(3, 20, 2), (0.8, 30, 10)], stats.ncf),
    ("vonmises", [(0, 0), (0, 1e-9), (0, 0.1), (0, 1), (0, 30), (0, 1e8)],
     lambda mu, kappa: stats.vonmises(kappa, mu) if kappa > 1e-6 else stats.uniform(-math.pi, 2 * math.pi)),
    ("poisson", [(0.01,), (1,), (3.5,), (9.9,), (10,), (60,), (1e4,), (1e7,)], stats.poisson),
    ("binomial", [(1, 0.3), (10, 0.05), (10, 0.9), (25, 0.4), (40, 0.25), (1000, 0.5), (1000, 0.001),
                  (10**9, 0.3), (10**9, 2e-9), (10**6, 0.7)], stats.binom),
    ("negative_binomial", [(0.5, 0.3), (1, 0.5), (20, 0.9), (7.5, 0.01)], stats.nbinom),
    ("geometric", [(0.9,), (0.3,), (0.001,)], stats.geom),
    ("hypergeometric", [(10, 20, 7), (20, 10, 25), (1, 50, 30), (50, 1, 30), (1000, 3000, 1500), (3000, 1000, 1500),
                        (10**8, 2 * 10**8, 3 * 10**7), (5 * 10**8, 10**8, 5 * 10**8)],
     lambda good, bad, count: stats.hypergeom(good + bad, good, count)),
    ("logseries", [(0.05,), (0.7,), (0.99,)], stats.logser),
    ("zipf", [(1.3,), (2,), (4.5,), (12,)], stats.zipf),
    ("integers", [(0, 2), (-3, 10), (0, 10**6)], stats.randint),
]

# What has no parameter to be an array, or gives more than one axis.
EXPRESSIONS = [
    ("g.random(n)", stats.uniform()),
    ("g.standard_normal(n)", stats.norm()),
    ("g.standard_exponential(n)", stats.expon()),
    ("g.standard_exponential(n, dtype=float64)", stats.expon()),
    ("g.standard_cauchy(n)", stats.cauchy()),
    ("g.multinomial(10, [.2, .3, .5], n)[:, 0]", stats.binom(10, 0.2)),
    ("g.multinomial(10, [.2, .3, .5], n)[:, 1]", stats.binom(10, 0.3)),
    ("g.multinomial(10, [.2, .3, .5], n)[:, 2]", stats.binom(10, 0.5)),
    ("g.multinomial(1000, [.2, .3, .5], n)[:, 1:].sum(1)", stats.binom(1000, 0.8)),
    ("g.multinomial(np.full(n, 30), [.25] * 4)[:, 3]", stats.binom(30, 0.25)),
    ("g.multivariate_hypergeometric([10, 5, 20], 12, n)[:, 0]", stats.hypergeom(35, 10, 12)),
    ("g.multivariate_hypergeometric([10, 5, 20], 12, n)[:, 1]", stats.hypergeom(35, 5, 12)),
    ("g.multivariate_hypergeometric([10, 5, 20], 12, n, method='count')[:, 2]", stats.hypergeom(35, 20, 12)),
    ("g.dirichlet([0.5, 2, 3], n)[:, 0]", stats.beta(0.5, 5)),
    ("g.dirichlet([0.5, 2, 3], n)[:, 2]", stats.beta(3, 2.5)),
    ("g.dirichlet([0.3, 0.5, 1], n)[:, 0]", stats.beta(0.3, 1.5)),
    ("g.multivariate_normal([1, 2], [[2, 1], [1, 3]], n)[:, 0]", stats.norm(1, math.sqrt(2))),
    ("g.multivariate_normal([1, 2], [[2, 1], [1, 3]], n).sum(1)", stats.norm(3, math.sqrt(7))),
    ("g.multivariate_normal([1, 2], [[2, 1], [1, 3]], n, method='cholesky') @ np.array([1., -1.])",
     stats.norm(-1, math.sqrt(3))),
    ("g.multivariate_normal([1, 2], [[2, 1], [1, 3]], n, method='eigh').sum(1)", stats.norm(3, math.sqrt(7))),
    ("g.choice(7, n)", stats.randint(0, 7)),
    ("g.choice(3, n, p=[.2, .5, .3])", stats.rv_discrete(values=([0, 1, 2], [0.2, 0.5, 0.3]))()),
    ("g.choice(20000, n, replace=False)", stats.randint(0, 20000)),
    ("g.permutation(n)[np.arange(n)] % 10", stats.randint(0, 10)),
    ("g.permuted(np.broadcast_to(np.arange(6), (n, 6)), axis=1)[:, 2]", stats.randint(0, 6)),
    ("g.integers(np.full(n, -2), np.full(n, 9))", stats.randint(-2, 9)),
    ("g.integers(0, [9], n, dtype='int8', endpoint=True)", stats.randint(0, 10)),
    ("g.integers(0, 2199023255552, n) % 16", stats.randint(0, 16)),
]


def main():
    for name, parameters, law in LAWS:
        for values in parameters:
            texts = [repr(value) for value in values]
            in_array = [f"np.full(n, {texts[0]})", *texts[1:]]
            write(law(*values), f"g.{name}({', '.join(texts)}, size=n)", f"g.{name}({', '.join(in_array)})")
    for call, law in EXPRESSIONS:
        write(law, call)


if __name__ == "__main__":
    main()
