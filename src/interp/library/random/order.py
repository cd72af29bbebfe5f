class _Distributions(_Discrete):
    """What generators of both kinds have."""

    def _order(self, count):
        """The numbers below `count` in random order: 63 random bits each, sorted."""
        return argsort(_filled(self._bits, "integers", (count,), int64, 0, _LARGEST))

    def bytes(self, length):
        """So many random bytes."""
        return self._integers(0, 256, length, uint8, False, "integers").tobytes()

    def shuffle(self, x, axis=0):
        """Brings what stands along an axis into random order, in place; also of a list."""
        if not is_tensor(x):
            count = len(x)
            if axis != 0:
                raise NotImplementedError("Axis argument is only supported on ndarray objects")
            order = self._order(count).tolist()
            if isinstance(x, (str, tuple)):
                raise TypeError(f"'{type(x).__name__}' object does not support item assignment")
            x[:] = [x[place] for place in order]
            return None
        if x.ndim == 0:
            raise TypeError("len() of unsized object")
        axis = _axis(axis, x.ndim)
        x[...] = take(x, self._order(x.shape[axis]), axis=axis)
        return None

    def permutation(self, x, axis=0):
        """The numbers below an integer in random order, or a copy of x with what stands along an axis mixed."""
        if isinstance(x, int):
            return self._order(max(x, 0))
        if ndim(x) == 0:
            raise _AxisError(axis, 0, None)
        x = _items(x)
        if not is_tensor(x):
            return [x[place] for place in self._order(len(x)).tolist()]
        return take(x, self._order(x.shape[_axis(axis, x.ndim)]), axis=axis)

    def _choice(self, a, size, replace, p, axis, is_shuffled, words):
        if is_tensor(a) and a.ndim == 0 and not a.is_floating_point():
            a = a.item()
        items = a if isinstance(a, int) else _items(a, words["kind"])
        is_number = isinstance(items, int)
        if is_number:
            count = items
        elif is_tensor(items):
            count = items.shape[_axis(axis, items.ndim)]
        else:
            count = len(items)
        shape = () if size is None else _lengths(size)
        wanted = _product(shape)
        if count < 1 and wanted > 0:
            raise ValueError(words["number"] if is_number else words["empty"])
        places = self._places(count, wanted, replace, _chances(p, count, words), is_shuffled, words)
        places = places.reshape(shape)
        if is_number:
            return places.item() if size is None else places
        if not is_tensor(items):
            return items[places.item()] if size is None else _gathered(items, places.tolist())
        if size is None and items.ndim == 1:
            return items[places.item()]
        # The axes of `size` stand where the axis was.
        chosen = take(items, places.reshape(-1), axis=axis)
        axis = _axis(axis, items.ndim)
        return chosen.reshape(tuple(items.shape[:axis]) + shape + tuple(items.shape[axis + 1:]))

    def _places(self, count, wanted, replace, chances, is_shuffled, words):
        if chances is not None and replace:
            ends = cumsum(chances)
            u = self._draw("uniform", (wanted,), float64) * ends[-1]
            return minimum(searchsorted(ends, u, side="right"), count - 1)
        if replace:
            return _filled(self._bits, "integers", (wanted,), int64, 0, max(count, 1))
        if wanted > count:
            raise ValueError(words["larger"])
        if chances is not None:
            _refuse((chances > 0).sum() < wanted, words["fewer"])
            # The largest of log(u) / w (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
            keys = log(1 - self._draw("uniform", (count,), float64)) / chances
            return argsort(-where(chances > 0, keys, -inf))[:wanted]
        if count < 1000 or 10 * wanted > count:
            return self._order(count)[:wanted]
        return self._distinct(count, wanted)

    def _distinct(self, count, wanted):
        """The first different ones of numbers that are drawn one after the other."""
        found = zeros(0, dtype=int64)
        while len(found) < wanted:
            more = _filled(self._bits, "integers", (wanted + wanted // 4 + 16,), int64, 0, count)
            found = concatenate([found, more])
            order = argsort(found, stable=True)
            ordered = found[order]
            is_first = concatenate([ones(1, dtype=bool), ordered[1:] != ordered[:-1]])
            found = found[sort(order[is_first])]
        return found[:wanted]


def _items(x, words="x must be an integer or at least 1-dimensional"):
    """A tensor or a list to take from; what holds more than numbers stays a list."""
    if is_tensor(x):
        items = x
    elif isinstance(x, (float, str, bool)) or x is None:
        raise ValueError(words.replace("TYPE", str(type(x))))
    else:
        items = list(x)
        if all(isinstance(item, (int, float, list, tuple)) or is_tensor(item) for item in items):
            items = asarray(items) if items else zeros(0)
    if is_tensor(items) and items.ndim == 0:
        raise ValueError(words.replace("TYPE", str(type(x))))
    return items


def _gathered(items, places):
    """Lists of the items at places."""
    return [_gathered(items, place) if isinstance(place, list) else items[place] for place in places]


def _axis(axis, rank):
    if not -rank <= axis < rank:
        raise _AxisError(axis, rank, None)
    return axis % rank


def _chances(p, count, words):
    """Checked chances in float64, or None."""
    if p is None:
        return None
    p = asarray(p)
    tolerance = 1e-8 if p.dtype == float64 or not p.is_floating_point() else 1e-5
    p = p.astype(float64)
    if p.ndim != 1:
        raise ValueError(words["rank"])
    if p.shape[0] != count:
        raise ValueError(words["same"])
    total = p.sum().item()
    if isnan(total):
        raise ValueError(words["nan"])
    if bool((p < 0).any()):
        raise ValueError(words["negative"])
    if not abs(total - 1) <= tolerance:
        raise ValueError(words["sum"])
    return p


_WORDS = {
    "kind": "a must be a sequence or an integer, not TYPE",
    "number": "a must be a positive integer unless no samples are taken",
    "empty": "a cannot be empty unless no samples are taken",
    "larger": "Cannot take a larger sample than population when replace is False",
    "fewer": "Fewer non-zero entries in p than size",
    "rank": "p must be 1-dimensional",
    "same": "a and p must have same size",
    "nan": "Probabilities contain NaN",
    "negative": "Probabilities are not non-negative",
    "sum": "Probabilities do not sum to 1. See Notes section of docstring for more information.",
}
_OLDER_WORDS = {
    **_WORDS,
    "kind": "a must be 1-dimensional or an integer",
    "number": "a must be greater than 0 unless no samples are taken",
    "empty": "'a' cannot be empty unless no samples are taken",
    "larger": "Cannot take a larger sample than population when 'replace=False'",
    "rank": "'p' must be 1-dimensional",
    "same": "'a' and 'p' must have same size",
    "nan": "probabilities contain NaN",
    "negative": "probabilities are not non-negative",
    "sum": "probabilities do not sum to 1",
}


