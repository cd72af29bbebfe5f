"""Places in sorted lists."""


def _end(a, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    return len(a) if hi is None else hi


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """Where `x` goes in front of what equals it; `key` is taken of the items, not of `x`."""
    hi = _end(a, lo, hi)
    if key is None:
        at = place_of(a, x, lo, hi, False)
        if at is not None:
            return at
    while lo < hi:
        mid = (lo + hi) // 2
        if (a[mid] if key is None else key(a[mid])) < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """Where `x` goes behind what equals it; `key` is taken of the items, not of `x`."""
    hi = _end(a, lo, hi)
    if key is None:
        at = place_of(a, x, lo, hi, True)
        if at is not None:
            return at
    while lo < hi:
        mid = (lo + hi) // 2
        if x < (a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Puts `x` into a sorted list, in front of what equals it."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Puts `x` into a sorted list, behind what equals it."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
