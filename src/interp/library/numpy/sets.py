"""Sets of an array's elements, where more is asked of them than the built-in functions give."""

from collections import namedtuple as _namedtuple

_UniqueAllResult = _namedtuple("UniqueAllResult", ["values", "indices", "inverse_indices", "counts"])
_UniqueCountsResult = _namedtuple("UniqueCountsResult", ["values", "counts"])
_UniqueInverseResult = _namedtuple("UniqueInverseResult", ["values", "inverse_indices"])


def _unique_all(values, indices, inverse_indices, counts):
    return _UniqueAllResult(values, indices, inverse_indices, counts)


def _unique_counts(values, counts):
    return _UniqueCountsResult(values, counts)


def _unique_inverse(values, inverse_indices):
    return _UniqueInverseResult(values, inverse_indices)


def _isin_set(element, test_elements, assume_unique, invert, kind):
    # NumPy takes a set for one object, which no element equals.
    return full(asarray(element).shape, bool(invert))


def _setdiff1d(x, y, assume_unique):
    x, y = arrays_of(x, y)
    x = x.ravel()
    return x[isin(x, y, invert=True)]


def _setxor1d(x, y, assume_unique):
    x, y = arrays_of(x, y)
    joined = sort(concatenate([x.ravel(), y.ravel()]))
    if joined.size == 0:
        return joined
    is_new = concatenate([array([True]), joined[1:] != joined[:-1], array([True])])
    return joined[is_new[1:] & is_new[:-1]]


def _intersect1d(x, y, assume_unique, return_indices):
    x, y = arrays_of(x, y)
    x, y = x.ravel(), y.ravel()
    if not assume_unique:
        x, first = unique(x, return_index=True)
        y, second = unique(y, return_index=True)
    joined = concatenate([x, y])
    order = argsort(joined, kind="stable")
    joined = joined[order]
    is_both = joined[1:] == joined[:-1]
    made = joined[:-1][is_both]
    if not return_indices:
        return made
    at, other = order[:-1][is_both], order[1:][is_both] - x.size
    return (made, at, other) if assume_unique else (made, first[at], second[other])
