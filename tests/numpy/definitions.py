#!/usr/bin/env python3
"""Writes definitions.jsonl: functions that NumPy has not, by their definitions in float64.

    python tests/numpy/definitions.py > tests/numpy/definitions.jsonl

The same form as generate.py writes. Each case is an expression of ours and one of NumPy's or SciPy's
for the same value, written from the function's definition (or PyTorch's documentation).
"""

import json

import numpy as np
from scipy import linalg, special

from generate import encode

SETUP = """import numpy as np
from numpy import nan, inf
x = np.array([[1.5, -2.25, 0.0, 3.0], [-0.5, 4.0, 20.0, -30.0], [0.125, 1.0, -1.0, 2.5]], dtype='f8')
y = np.array([[0.5, 1.5, -2.0, 1.0], [2.0, -4.0, 0.25, 3.0], [1.0, 1.0, 0.5, -2.5]], dtype='f8')
p = np.array([[0.1, 0.6, 0.3], [0.25, 0.25, 0.5]], dtype='f8')
v = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0], dtype='f8')
w = np.array([0.5, 2.0, 1.0, 4.0], dtype='f8')
gaps = np.array([[1.0, nan, 3.0], [nan, nan, 4.0], [-2.0, 0.5, nan]], dtype='f8')
k = np.array([[3, 1, 2], [0, 2, 5]])
c = np.array([2, 0])"""
FAMILIES = [("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag")]
SCOPE = {"np": np, "special": special, "linalg": linalg}
exec(SETUP, SCOPE)


def softmax(x, axis=-1):
    return special.softmax(x, axis=axis)


def normed(x, axes, eps):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def positive_part(x):
    return np.where(x > 0, x, 0.0)


def covariance_like(x, y):
    return (x * y).sum(1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1))


def running(x, axis, best, place):
    values = best.accumulate(x, axis)
    at = np.indices(x.shape)[axis]
    return values, np.maximum.accumulate(np.where(x == values, at, 0), axis)


def taken(x, places):
    return np.take_along_axis(x, places, 1)


def scattered(x, places, values, add):
    x = x.copy()
    for row in range(places.shape[0]):
        for column in range(places.shape[1]):
            if add:
                x[row, places[row, column]] += values[row, column]
            else:
                x[row, places[row, column]] = values[row, column]
    return x


SCOPE.update({name: value for name, value in globals().items() if callable(value)})

# name: (units of the last place, [(ours, the definition; empty where it is the same text)])
CASES = {
    "activations": (4, [
        ("sigmoid(x)", "special.expit(x)"), ("relu(x)", "positive_part(x)"), ("relu6(x)", "np.clip(x, 0, 6)"),
        ("silu(x)", "x * special.expit(x)"), ("mish(x)", "x * np.tanh(np.logaddexp(x, 0))"), ("softsign(x)", "x / (1 + abs(x))"),
        ("logsigmoid(x)", "special.log_expit(x)"), ("hardtanh(x)", "np.clip(x, -1, 1)"),
        ("hardsigmoid(x)", "np.clip(x + 3, 0, 6) / 6"), ("hardswish(x)", "x * np.clip(x + 3, 0, 6) / 6"),
        ("leaky_relu(x)", "np.where(x > 0, x, 0.01 * x)"), ("leaky_relu(x, 0.2)", "np.where(x > 0, x, 0.2 * x)"),
        ("elu(x)", "np.where(x > 0, x, np.expm1(np.minimum(x, 0)))"), ("elu(x, 0.5)", "np.where(x > 0, x, 0.5 * np.expm1(np.minimum(x, 0)))"),
        ("selu(x)", "1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0)))"),
        ("softplus(x)", "np.logaddexp(x, 0)"), ("softplus(x, 2.0)", "np.logaddexp(2 * x, 0) / 2"),
        ("logit(p)", "special.logit(p)"), ("logit(p, 0.2)", "special.logit(np.clip(p, 0.2, 0.8))"),
        ("erf(x)", "special.erf(x)"), ("xlogy(relu(x), abs(y))", "special.xlogy(positive_part(x), abs(y))"), ("rsqrt(abs(y))", "1 / np.sqrt(abs(y))"),
    ]),
    # Where x is large and negative, what is left of 1 + erf(x) has few digits in either.
    "gelu": (64, [
        ("gelu(x)", "x * special.ndtr(x)"), ("gelu(y)", "y * special.ndtr(y)"),
        ("gelu(y, approximate='tanh')", "0.5 * y * (1 + np.tanh(np.sqrt(2 / np.pi) * (y + 0.044715 * y**3)))"),
    ]),
    "softmax": (8, [
        ("softmax(x)", ""), ("softmax(x, axis=0)", ""), ("softmax(x * 100, axis=1)", ""), ("softmin(y, axis=1)", "softmax(-y, 1)"),
        ("log_softmax(x, axis=1)", "special.log_softmax(x, 1)"), ("log_softmax(y * 300, axis=0)", "special.log_softmax(y * 300, 0)"),
        ("logsumexp(x)", "special.logsumexp(x)"), ("logsumexp(x, axis=0)", "special.logsumexp(x, 0)"),
        ("logsumexp(x * 1000, axis=1, keepdims=True)", "special.logsumexp(x * 1000, 1, keepdims=True)"),
        ("logsumexp(array([-inf, -inf]))", "special.logsumexp(np.array([-np.inf, -np.inf]))"),
    ]),
    "norms": (16, [
        ("layer_norm(x)", "normed(x, (1,), 1e-5)"), ("layer_norm(x, (3, 4))", "normed(x, (0, 1), 1e-5)"),
        ("layer_norm(x, (4,), w, w)", "normed(x, (1,), 1e-5) * w + w"), ("layer_norm(x, eps=0.1)", "normed(x, (1,), 0.1)"),
        ("rms_norm(x, (4,), w)", "x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-6) * w"),
        ("torch.nn.functional.normalize(x)", "x / np.linalg.norm(x, axis=1, keepdims=True)"),
        ("torch.nn.functional.normalize(x, p=1.0, axis=0)", "x / abs(x).sum(0)"),
        ("cosine_similarity(x, y)", "covariance_like(x, y)"), ("dist(x, y)", "np.linalg.norm(x - y)"), ("dist(x, y, 1)", "abs(x - y).sum()"),
        ("linalg.vector_norm(x)", "np.linalg.norm(x)"), ("linalg.vector_norm(x, axis=1, ord=3)", "np.linalg.norm(x, 3, axis=1)"),
        ("linalg.vector_norm(x, axis=0, ord=inf)", "abs(x).max(0)"),
    ]),
    "losses": (16, [
        ("cross_entropy(p, c)", "-np.mean([special.log_softmax(p[0])[2], special.log_softmax(p[1])[0]])"),
        ("cross_entropy(p, c, reduction='none')", "-np.array([special.log_softmax(p[0])[2], special.log_softmax(p[1])[0]])"),
        ("cross_entropy(p, p, reduction='sum')", "-(p * special.log_softmax(p, 1)).sum()"),
        ("nll_loss(p, c)", "-(p[0, 2] + p[1, 0]) / 2"), ("mse_loss(x, y)", "((x - y)**2).mean()"), ("l1_loss(x, y)", "abs(x - y).mean()"),
        ("mse_loss(x, y, reduction='sum')", "((x - y)**2).sum()"), ("l1_loss(x, y, reduction='none')", "abs(x - y)"),
        ("binary_cross_entropy(p, p)", "-(p * np.log(p) + (1 - p) * np.log(1 - p)).mean()"),
        ("torch.nn.functional.linear(x, y, array([1.0, 2.0, 3.0]))", "x @ y.T + [1.0, 2.0, 3.0]"),
        ("one_hot(c, 4)", "np.eye(4, dtype='i8')[c]"), ("one_hot(c)", "np.eye(3, dtype='i8')[c]"),
    ]),
    "statistics": (16, [
        ("cov(x)", "np.cov(x)"), ("cov(v)", "np.cov(v)"), ("cov(k)", "np.cov(k)"), ("nanprod(gaps)", "np.nanprod(gaps)"), ("nanprod(gaps, axis=0)", "np.nanprod(gaps, 0)"),
        ("nanargmax(gaps, axis=1)", "np.nanargmax(gaps, 1)"), ("nanargmin(gaps)", "np.nanargmin(gaps)"), ("nancumsum(gaps, axis=0)", "np.nancumsum(gaps, 0)"),
        ("nanvar(gaps, axis=1, ddof=0)", "np.nanvar(gaps, 1)"), ("nanstd(gaps)", "np.nanstd(gaps)"), ("nanmean(gaps, axis=0)", "np.nanmean(gaps, 0)"),
        ("var_mean(x, axis=1)", "(x.var(1, ddof=1), x.mean(1))"), ("aminmax(x, axis=0)", "(x.min(0), x.max(0))"),
        ("trapezoid(v)", "np.trapezoid(v)"), ("trapezoid(x, dx=0.5, axis=0)", "np.trapezoid(x, dx=0.5, axis=0)"), ("trapezoid(x, [0.0, 1.0, 3.0, 7.0])", "np.trapezoid(x, [0.0, 1.0, 3.0, 7.0])"),
        ("gradient(v)", "np.gradient(v)"), ("gradient(v, 0.5)", "np.gradient(v, 0.5)"), ("gradient(x, axis=0)", "np.gradient(x, axis=0)"), ("gradient(v[:2])", "np.gradient(v[:2])"),
        ("ediff1d(x)", "np.ediff1d(x)"), ("interp(v, [-1.0, 0.0, 2.0, 4.0], [3.0, 1.0, 5.0, 4.0])", "np.interp(v, [-1.0, 0.0, 2.0, 4.0], [3.0, 1.0, 5.0, 4.0])"),
        ("interp(x, [0.0, 0.0, 1.0], [1.0, 2.0, 3.0])", "np.interp(x, [0.0, 0.0, 1.0], [1.0, 2.0, 3.0])"),
        ("interp(nan, [1, 2], [3, 4])", "np.interp(np.nan, [1, 2], [3, 4])"), ("interp([0.5, 5.0], [1, 2], [3, 4], -1, 9.5)", "np.interp([0.5, 5.0], [1, 2], [3, 4], -1, 9.5)"),
        ("cummax(k, 1)", "running(k, 1, np.maximum, 0)"), ("cummin(v, 0)", "running(v, 0, np.minimum, 0)"),
        ("cumulative_sum(k, axis=0, include_initial=True)", "np.cumulative_sum(k, axis=0, include_initial=True)"), ("cumulative_prod(v)", "np.cumulative_prod(v)"),
    ]),
    "order": (0, [
        ("topk(v, 2)", "(np.array([9.0, 4.0]), np.array([5, 2]))"), ("topk(x, 2, axis=1, largest=False)", "(np.sort(x, 1)[:, :2], np.argsort(x, 1, kind='stable')[:, :2])"),
        ("kthvalue(v, 2)", "(np.float64(-1.0), np.int64(1))"), ("kthvalue(x, 3, axis=0)", "(np.sort(x, 0)[2], np.argsort(x, 0, kind='stable')[2])"),
        ("bucketize(v, array([0.0, 3.0]))", "np.searchsorted([0.0, 3.0], v)"), ("bucketize(v, array([0.0, 3.0]), right=True)", "np.searchsorted([0.0, 3.0], v, 'right')"),
        ("msort(x)", "np.sort(x, 0)"), ("tuple(unique_counts(k))", "np.unique(k, return_counts=True)"), ("tuple(unique_inverse(k))", "tuple(np.unique_inverse(k))"), ("tuple(unique_all(k))", "tuple(np.unique_all(k))"), ("unique_values(gaps)", "np.sort(np.unique_values(gaps))"),
        ("digitize(v, [9.0, 3.0, -1.0])", "np.digitize(v, [9.0, 3.0, -1.0])"), ("digitize(gaps, [0.0, 1.0])", "np.digitize(gaps, [0.0, 1.0])"),
        ("searchsorted([1.0, 2.0, nan, nan], gaps, side='right')", "np.searchsorted([1.0, 2.0, np.nan, np.nan], gaps, side='right')"),
    ]),
    "arithmetic": (2, [
        ("lerp(x, y, 0.3)", "x + 0.3 * (y - x)"), ("addcmul(x, y, w, value=0.1)", "x + 0.1 * (y * w)"), ("addcdiv(x, y, w, value=-2)", "x - 2 * (y / w)"),
        ("ldexp(x, [1, -2, 0, 3])", "np.ldexp(x, [1, -2, 0, 3])"), ("frac(x)", "np.modf(x)[0]"), ("spacing(x)", "np.spacing(x)"), ("imag(x)", "np.imag(x)"),
        ("frexp(array([8.0, -3.0, 0.0, 1e-310, 1.7e308], dtype='f8'))", "np.frexp(np.array([8.0, -3.0, 0.0, 1e-310, 1.7e308]))"),
        ("frexp(array([2.0**-3, 1.0, 2.0**52, 2.0**1023], dtype='f8'))", "np.frexp(np.array([2.0**-3, 1.0, 2.0**52, 2.0**1023]))"),
        ("addmm(x[:, :3], x, y.T, beta=0.5, alpha=2)", "0.5 * x[:, :3] + 2 * (x @ y.T)"), ("logical_or.reduce(k)", "np.logical_or.reduce(k)"),
        ("a = v.copy(); subtract.at(a, [0, 0, 2], 1.5); a", "v - [3.0, 0, 1.5, 0, 0, 0]"), ("a = v.copy(); multiply.at(a, [0, 0, 2], 2.0); a", "v * [4.0, 1, 2, 1, 1, 1]"), ("a = v.copy(); minimum.at(a, [5, 5], [0.5, 2.0]); a", "np.minimum(v, [9, 9, 9, 9, 9, 0.5])"),
    ]),
    "pieces": (0, [
        ("gather(x, 1, k % 4)", "taken(x[:2], k % 4)"), ("scatter(x, 1, k % 4, y)", "scattered(x, k % 4, y, False)"), ("scatter_add(x, 1, k % 4, y)", "scattered(x, k % 4, y, True)"),
        ("index_add(x, 0, array([2, 2]), y[:2])", "x + np.array([0 * w, 0 * w, y[0] + y[1]])"), ("index_select(x, 1, array([3, 0]))", "x[:, [3, 0]]"), ("masked_fill(x, x > 1, 0.1)", "np.where(x > 1, 0.1, x)"), ("masked_select(x, x > 1)", "x[x > 1]"),
        ("chunk(v, 4)", "(v[:2], v[2:4], v[4:])"), ("x.narrow(1, 1, 2)", "x[:, 1:3]"), ("x.unflatten(1, (2, 2))", "x.reshape(3, 2, 2)"), ("permute(x, (1, 0))", "x.T"), ("x.expand(2, 3, 4)", "np.broadcast_to(x, (2, 3, 4))"),
        ("x.repeat(2, 1)", "np.repeat(x, 2, 1)"), ("x.repeat(2, 3)", "np.tile(x, (2, 3))"), ("repeat(x, 2, 1)", "np.repeat(x, 2, 1)"), ("repeat(x, [0, 2, 1], 0)", "np.repeat(x, [0, 2, 1], 0)"), ("repeat(x[:0], zeros(0, dtype=int32), 0)", "x[:0]"), ("v.repeat_interleave(2)", "np.repeat(v, 2)"),
    ]),
    "storage": (0, [
        ("numel(x)", "12"), ("x.dim()", "2"), ("x.element_size()", "8"), ("is_floating_point(x)", "True"), ("is_floating_point(k)", "False"),
        ("is_tensor(x)", "True"), ("is_tensor(3)", "False"), ("isrealobj(x)", "True"), ("isrealobj(x + 1j)", "False"),
        ("np.issubdtype(np.int8, np.integer)", "True"), ("np.issubdtype(np.int8, np.floating)", "False"), ("zeros(2).dtype == get_default_dtype()", "True"),
        ("x.new_zeros((2, 3))", "np.zeros((2, 3))"), ("x.new_ones(2)", "np.ones(2)"), ("x.new_empty((2, 3)).shape", "(2, 3)"),
        ("a = x.copy(); a.zero_(); a", "np.zeros((3, 4))"), ("a = x.copy(); a.fill_(2.5); a", "np.full((3, 4), 2.5)"), ("a = x.copy(); a.copy_(y); a", "y"),
        ("w.expand_as(x)", "np.broadcast_to(w, (3, 4))"), ("v.reshape_as(k)", "v.reshape(2, 3)"), ("k.type_as(x)", "k.astype('f8')"),
        ("x.unbind(0)", "(x[0], x[1], x[2])"), ("x.T.contiguous()", "x.T"), ("x[1].storage_offset()", "4"), ("x.T.stride()", "(1, 4)"), ("x.T.is_contiguous()", "False"), ("x.detach()", "x"), ("x.to_device('cpu')", "x"),
        ("k.astype(np.short)", "k.astype('i2')"), ("(k * 100).astype(np.byte)", "(k * 100).astype('i1')"), ("(k * 100).char()", "(k * 100).astype('i1')"),
        ("array([1.00390625, 1.01171875, 3.0]).bfloat16().double()", "np.array([1.0, 1.015625, 3.0])"), ("multiply.accumulate(v)", "np.multiply.accumulate(v)"), ("minimum.outer(v, w)", "np.minimum.outer(v, w)"),
        ("np.common_type(x) == np.float64", "True"), ("np.isfortran(x)", "False"), ("np.isfortran(np.asfortranarray(x))", "True"), ("isinstance(x.flat, np.flatiter)", "True"),
    ]),
    "chances": (0, [
        ("bernoulli(array([0.0, 1.0, 1.0]))", "np.array([0.0, 1.0, 1.0])"), ("a = ones(4); a.bernoulli_(0.0); a", "np.zeros(4)"),
        ("dropout(x, 0.0)", "x"), ("manual_seed(1); a = randn(100000); (bool(abs(a.mean()) < 0.01), bool(abs(a.var() - 1) < 0.02))", "(True, True)"), ("manual_seed(1); sort(unique(randint(-2, 3, (1000,))))", "np.arange(-2, 3)"), ("rand_like(x).shape", "(3, 4)"), ("randn_like(x).shape", "(3, 4)"), ("sort(randperm(7))", "np.arange(7)"),
        ("bool(((0 <= rand_like(x)) & (rand_like(x) < 1)).all())", "True"),
        ("manual_seed(7).initial_seed()", "7"), ("import torch; s = torch.get_rng_state(); a = rand(3); torch.set_rng_state(s); bool((a == rand(3)).all())", "True"),
        ("manual_seed(1); a = zeros(100000); a.normal_(2.0, 3.0); (bool(abs(a.mean() - 2) < 0.05), bool(abs(a.std() - 3) < 0.05))", "(True, True)"),
        ("manual_seed(1); a = zeros(100000); a.exponential_(2.0); (bool(abs(a.mean() - 0.5) < 0.01), bool(abs(a.std() - 0.5) < 0.01), bool(a.min() > 0))", "(True, True, True)"),
        ("manual_seed(1); a = zeros(100000); a.geometric_(0.25); (bool(abs(a.mean() - 4) < 0.05), bool(abs(a.var() - 12) < 0.5), float(a.min()))", "(True, True, 1.0)"),
        ("manual_seed(1); a = zeros(100000); a.cauchy_(1.0, 2.0); (bool(abs(median(a) - 1) < 0.05), bool(abs(quantile(a, 0.75) - 3) < 0.1))", "(True, True)"),
        ("manual_seed(1); a = zeros(100000); a.log_normal_(0.1, 0.5); (bool(abs(log(a).mean() - 0.1) < 0.01), bool(abs(log(a).std() - 0.5) < 0.01))", "(True, True)"),
        ("manual_seed(1); a = zeros(100000); a.uniform_(-1.0, 3.0); (bool(abs(a.mean() - 1) < 0.02), bool(a.min() >= -1), bool(a.max() < 3), bool(abs(a.var() - 4 / 3) < 0.02))", "(True, True, True, True)"),
    ]),
    "matrices": (64, [
        ("linalg.matrix_exp(p[:, :2])", "linalg.expm(p[:, :2])"), ("linalg.solve_triangular(array([[2.0, 0.0], [1.0, 4.0]]), p[:, :2], upper=False)", "linalg.solve_triangular([[2.0, 0.0], [1.0, 4.0]], p[:, :2], lower=True)"),
    ]),
    "polynomials": (8, [(f"np.polynomial.polynomial.{call}", "") for call in (
        "polypow([1.0, 2.0], 3)", "polytrim([1.0, 0.0, 2.0, 0.0])", "polyroots([2.0, -3.0, 1.0])", "polyfromroots([1.0, 2.0])", "polyvander(w, 2)",
        "polygrid3d([1.0], [2.0, 3.0], [4.0], np.arange(8.0).reshape(2, 2, 2))", "polyval3d(w, w, w, np.arange(8.0).reshape(2, 2, 2))")]),
    "families": (512, [(f"np.polynomial.{module}.{call.replace('$', prefix)}", "") for module, prefix in FAMILIES for call in (
        "$add([1, 2, 3], [3, 2])", "$sub([1, 2], [3, 2, 1])", "$mul([1.0, 2, 3], [3, 2, 1])", "$mul([2], [1, 2, 3])", "$mulx([1, 2, 3])", "$mulx([0])",
        "$div([1.0, 2, 3, 4], [3, 2, 1])", "$div([1.0, 2], [3, 2, 1])", "$div([1.0, 2], [2])", "$pow([1, 2, 3], 2)", "$pow([1, 2], 0)",
        "$val(w, [1, 2, 3, 4])", "$val(2, [5])", "$val(w, [1, 2])", "$val(x, x)", "$val(w, x, tensor=False)", "$val2d(w, w, k)", "$grid2d(w, [1, 2], k)",
        "$val3d(w, w, w, np.arange(8.0).reshape(2, 2, 2))", "$grid3d([1.0], [2.0, 3.0], [4.0], np.arange(8.0).reshape(2, 2, 2))",
        "$der([1, 2, 3, 4])", "$der([1, 2, 3, 4, 5], 2, 3)", "$der([1], 1)", "$der(x, axis=1)", "$der([1, 2, 3], 0)", "$int([1, 2, 3])",
        "$int([1, 2, 3, 4], 2, [3, 4], 0.5, 2)", "$int(x, axis=1)", "$int([1, 2], 0)", "$fromroots([-1, 0.5, 2])", "$fromroots([])", "$fromroots([1, 2, 3, 4, 5])",
        "$companion([1, 2, 3])", "$companion([1, 2])", "$companion([4, 1, 2, 3, 1j])", "$roots([-1, 2, 3])", "$roots([1, 2])", "$roots([3])", "$vander(w, 3)",
        "$vander(x, 0)", "$vander2d(w, w, [1, 2])", "$vander3d(w, w, w, [1, 1, 1])", "$fit(v, v**2, 2)", "$fit(w, np.stack([w, w**2], 1), 3, w=[1, 2, 1, 2])",
        "$gauss(1)", "$gauss(4)", "$gauss(9)", "$weight(w / 5)", "$line(3, 2)", "$line(3, 0)", "$trim([1, 0, 2, 0])", "$2poly([1, 2, 3, 4])", "$2poly([2])",
        "$2poly([1, 2])", "$domain", "$x", "$one", "$zero")]
        + [(f"np.polynomial.{module}.poly2{prefix}([1, 2, 3, 4])", "") for module, prefix in FAMILIES]
        + [(f"np.polynomial.chebyshev.{call}", "") for call in ("chebpts1(5)", "chebpts2(5)", "chebinterpolate(np.exp, 4)", "chebinterpolate(lambda x, a: x + a, 2, (3,))")]
        + [(call.replace("$", f"np.polynomial.{name}"), "") for name in ("Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre", "Polynomial") for call in (
        "($([1, 2]) * $([1, 3])).coef", "($([1, 2, 3]) // $([1, 1])).coef", "(2 - $([1, 2], domain=[0, 4]) * 3).coef", "($([1, 2]) ** 3).coef", "$([1, 2, 3])(w)",
        "$([1, 2, 3], domain=[0, 4]).deriv().coef", "$([1, 2, 3], domain=[0, 4]).integ(2, [1], 1).coef", "$([1, -4, 1], domain=[0, 4]).roots()",
        "$.fit(v, v**2, 2).coef", "$.fit(v, v**2, 2, domain=[]).coef", "$.fromroots([1, 2]).coef", "$.fromroots([1, 2], domain=None).coef", "$.basis(2).coef",
        "$.identity([0, 4]).coef", "$([1, 2, 3]).convert(kind=np.polynomial.Polynomial).coef", "np.polynomial.Polynomial([1, 2, 3]).convert(kind=$).coef",
        "$.cast(np.polynomial.Polynomial([1, 2, 3])).coef", "$([1, 2, 3]).linspace(3)", "$([0, 1]).domain", "$([1, 2]) == $([1, 2])",
        "$([1, 2]) == np.polynomial.Polynomial([1, 2, 3])", "repr($([1, 2])).startswith('$([1., 2.], domain=['.replace('np.polynomial.', ''))")]
        + [(f"str(np.polynomial.{name}([1, -2, 3])) == '{text}'", "") for name, text in (
        ("Chebyshev", "1.0 - 2.0·T₁(x) + 3.0·T₂(x)"), ("Legendre", "1.0 - 2.0·P₁(x) + 3.0·P₂(x)"), ("Hermite", "1.0 - 2.0·H₁(x) + 3.0·H₂(x)"),
        ("HermiteE", "1.0 - 2.0·He₁(x) + 3.0·He₂(x)"), ("Laguerre", "1.0 - 2.0·L₁(x) + 3.0·L₂(x)"), ("Polynomial", "1.0 - 2.0·x + 3.0·x²"))]
        + [("f'{np.polynomial.Chebyshev([1, 2], domain=[0, 4]):ascii}' == '1.0 + 2.0 T_1((-1.0 + 0.5x))'", ""), ("np.polynomial.Chebyshev.interpolate(np.sin, 3, [0, 2]).coef", "")]),
    "odd arguments": (8, [(call, "") for call in (
        "np.full_like(np.zeros(0), [[]])", "np.full_like(np.zeros(3), [[1, 2, 3]])", "np.full((3,), [[1, 2, 3]])", "np.full((), [1.0])", "np.full_like(5.0, [[1]])",
        "np.geomspace(nan, 1, 3)", "np.geomspace([1, nan], [2, 5], 3)", "np.geomspace(1, nan, 3)",
        "np.sum([100, 100, -100], dtype='u1')", "np.prod([100, 100, -100], dtype='u1')", "np.cumsum([100, 100, -100], dtype='u1')", "np.cumprod([100, -100], dtype='u1')",
        "np.sum([1.5, -2.75], dtype='i4', axis=0)", "np.cumulative_sum([1, -2], dtype='u1')", "np.mean([100, 100, -100], dtype='u1')", "np.mean([100, 100, 100], dtype='i1')",
        "np.mean(np.array([1.5, 2, 30]), dtype='i1')", "np.mean([], dtype='i1')", "np.std([1, 2, 30], dtype='i1')", "np.std([100, 100, -100], dtype='u1')",
        "np.var([100, 100, -100], dtype='i8')", "np.var(np.array([1.5, 2, 30]), dtype='i1', ddof=1)", "np.var(k, axis=0, dtype='i4', keepdims=True)",
        "np.std([1, 2, 30], dtype=bool)", "np.zeros((2, 0)).sum(axis=0, initial=None)", "np.repeat([1, 2], np.array([True, False]))", "np.trim_zeros([0, 1, 0], 'F')",
        "k.data.shape", "k.data.tolist() == [[3, 1, 2], [0, 2, 5]]", "(k.data.ndim, k.data.itemsize, k.data.nbytes, k.data.strides)",
        "v.data[0]", "v.data[::2].tolist()[1]", "len(x.data)", "x.data[1, 2]", "v.data == v.data", "x.data.format == 'd'", "np.asarray(v.data)")]
        + [("a = np.zeros(3); np.copyto(a, [[1, 2, 3]]); a", "np.array([1.0, 2, 3])"), ("a = v.copy(); a.data[1] = 7.0; a", "np.array([3.0, 7, 4, 1, -5, 9])")]),
}


def main():
    dump = lambda value: json.dumps(value, separators=(",", ":"))
    print(dump({"setup": SETUP}))
    np.seterr(all="ignore")
    for name, (ulps, cases) in CASES.items():
        rows = [[ours, encode(eval(by or ours, SCOPE))] for ours, by in cases]
        print(dump({"f": name, "ulps": ulps, "scale": 1.0, "cases": rows}))


if __name__ == "__main__":
    main()
