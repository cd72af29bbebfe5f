"""Assertions about numbers and arrays, for tests."""

from numpy import array, asarray, broadcast_arrays, broadcast_shapes, isfinite, isinf, isnan, ndarray


def _report(words, err_msg, x, y, verbose, names=("ACTUAL", "DESIRED"), details=""):
    """NumPy's text of a comparison that fails."""
    text = ["\n" + words]
    if err_msg:
        text[0] += "\n" + err_msg if "\n" in err_msg or len(words) + len(err_msg) > 79 else " " + err_msg
    if details:
        text.append(details)
    if verbose:
        text += [f" {name}: {_short(value)}" for name, value in zip(names, (x, y))]
    return "\n".join(text)


def _short(value):
    lines = repr(value).split("\n")
    return "\n".join(lines[:3] + ["..."] if len(lines) > 3 else lines)


def _compare(holds, x, y, words, err_msg, verbose, names=("ACTUAL", "DESIRED"), equal_nan=True, equal_inf=True,
             strict=False):
    """AssertionError where `holds(x, y)` is not true everywhere; NaNs and infinities are compared first."""
    x, y = arrays_of(x, y)
    head = words + "\n" + err_msg if err_msg else words + "\n"

    def fail(details):
        raise AssertionError(_joined(head, details, x, y, verbose, names))

    fits = x.shape == y.shape if strict else x.shape == () or y.shape == () or x.shape == y.shape
    if not fits or strict and x.dtype != y.dtype:
        what = f"shapes {x.shape}, {y.shape}" if not fits else f"dtypes {x.dtype}, {y.dtype}"
        fail(f"({what} mismatch)")
    a, b = broadcast_arrays(x, y)
    left_out = None
    floats = a.dtype.kind in "fc" or b.dtype.kind in "fc"
    if equal_nan and floats:
        a_nan, b_nan = isnan(a * 1.0), isnan(b * 1.0)
        if (a_nan != b_nan).any():
            fail("nan location mismatch:")
        left_out = a_nan
    if equal_inf and floats:
        a_inf, b_inf = isinf(a * 1.0), isinf(b * 1.0)
        if (a_inf != b_inf).any():
            fail("inf location mismatch:")
        if (a[a_inf] != b[b_inf]).any():
            x, y = a[a_inf], b[b_inf]
            raise AssertionError(_joined(head, "inf values mismatch:", x, y, verbose, names))
        left_out = a_inf if left_out is None else left_out | a_inf
    right = asarray(holds(a, b))
    if left_out is not None:
        right = right | left_out
    if right.all():
        return
    fail(_mismatches(~right, a, b, x.ndim + y.ndim > 0, names))


def _joined(head, details, x, y, verbose, names):
    text = "\n" + head + "\n" + details
    if verbose:
        text += "".join([f"\n {name}: {_short(value)}" for name, value in zip(names, (x, y))])
    return text


def _mismatches(wrong, a, b, has_places, names):
    """How many elements are wrong, where, and how far off they are."""
    from numpy import abs, argwhere, array2string
    count = int(wrong.sum())
    lines = [f"Mismatched elements: {count} / {wrong.size} ({100 * count / wrong.size:.3g}%)"]
    if has_places:
        places = argwhere(wrong)[:5]
        if count > 5:
            lines.append("First 5 mismatches are at indices:")
        else:
            lines.append("Mismatch at index:" if count == 1 else "Mismatch at indices:")
        for place in places.tolist():
            place = tuple(place)
            shown = f"{a[place].item()!r} ({names[0]}), {b[place].item()!r} ({names[1]})"
            lines.append(f" {list(place)}: {shown}")
    if a.dtype == "bool" and b.dtype == "bool":
        return "\n".join(lines)
    a, b = a[wrong], b[wrong]
    off = abs(a - b) if a.dtype != "bool" and b.dtype != "bool" else abs(a * 1 - b * 1)
    lines.append("Max absolute difference among violations: " + array2string(off.max()))
    size = abs(b * 1)
    known = size != 0
    if known.any():
        lines.append("Max relative difference among violations: " + array2string((off[known] / size[known]).max()))
    else:
        lines.append("Max relative difference among violations: inf")
    return "\n".join(lines)


def assert_(val, msg=""):
    """AssertionError where the value is false.

    >>> testing.assert_(1 < 2)
    """
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    """AssertionError where an element is further than `atol + rtol * abs(desired)` off.

    A shape () is compared with all elements. With `strict`, shapes and types are equal, too.

    >>> testing.assert_allclose(array([1.0]), array([1.0 + 1e-9]))
    """
    from numpy import isclose

    def holds(a, b):
        return isclose(a * 1, b * 1, rtol=rtol, atol=atol, equal_nan=equal_nan)

    words = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
    _compare(holds, actual, desired, words, err_msg, verbose, equal_nan=equal_nan, strict=strict)


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """AssertionError where the arrays differ in shape or in an element; NaN is as NaN.

    >>> testing.assert_array_equal(array([1, 2]), [1, 2])
    """
    _compare(lambda a, b: a == b, actual, desired, "Arrays are not equal", err_msg, verbose, strict=strict)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    """AssertionError where an element of x is not smaller than y's.

    >>> testing.assert_array_less([1, 2], [2, 3])
    """
    _compare(lambda a, b: a < b, x, y, "Arrays are not strictly ordered `x < y`", err_msg, verbose,
             ("x", "y"), equal_inf=False, strict=strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """AssertionError where an element is `1.5 * 10 ** -decimal` off, or more.

    >>> testing.assert_array_almost_equal([1.0000001], [1.0])
    """
    from numpy import abs
    limit = 1.5 * 10.0 ** -decimal
    words = f"Arrays are not almost equal to {decimal} decimals"
    _compare(lambda a, b: abs(a * 1.0 - b) < limit, actual, desired, words, err_msg, verbose)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    """As `assert_array_almost_equal`, of numbers, too, to 7 decimals.

    >>> testing.assert_almost_equal(2.3333333333, 2.33333334)
    """
    if isinstance(actual, (ndarray, tuple, list)) or isinstance(desired, (ndarray, tuple, list)):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    words = f"Arrays are not almost equal to {decimal} decimals"
    both_finite = isfinite(actual) and isfinite(desired)
    same = actual == desired or actual != actual and desired != desired
    if not same and not (both_finite and abs(desired - actual) < 1.5 * 10.0 ** -decimal):
        raise AssertionError(_report(words, err_msg, actual, desired, verbose))


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    """AssertionError where two numbers differ in their first `significant` digits.

    >>> testing.assert_approx_equal(0.123456789, 0.12345678, significant=7)
    """
    from numpy import floor, log10
    if actual == desired or actual != actual and desired != desired:
        return
    scale = (abs(desired) + abs(actual)) / 2
    scale = 10.0 ** float(floor(log10(scale)))
    if not abs(desired / scale - actual / scale) < 10.0 ** -(significant - 1):
        words = f"Items are not equal to {significant} significant digits:"
        raise AssertionError(_report(words, err_msg, actual, desired, verbose))


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """AssertionError where two values differ: numbers, texts, arrays, lists and dictionaries of these. NaN is as NaN.

    >>> testing.assert_equal([1, 2, {"a": 3}], [1, 2, {"a": 3}])
    """
    words = "Items are not equal:"
    if isinstance(desired, dict):
        if not isinstance(actual, dict):
            raise AssertionError(repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for key, value in desired.items():
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], value, f"key={key!r}\n{err_msg}", verbose)
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for at, (one, other) in enumerate(zip(actual, desired)):
            assert_equal(one, other, f"item={at}\n{err_msg}", verbose)
        return
    if isinstance(actual, ndarray) and actual.ndim > 0 or isinstance(desired, ndarray) and desired.ndim > 0:
        return assert_array_equal(actual, desired, err_msg, verbose, strict=strict)
    is_nan = actual != actual and desired != desired
    if not is_nan and not actual == desired:
        raise AssertionError(_report(words, err_msg, actual, desired, verbose))


class _Raises:
    """What `assert_raises` gives without a function: a manager whose block must raise."""

    def __init__(self, kinds, pattern=None):
        self._kinds, self._pattern, self.exception = kinds, pattern, None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            name = getattr(self._kinds, "__name__", repr(self._kinds))
            raise AssertionError(f"{name} not raised")
        if not issubclass(kind, self._kinds):
            return False
        self.exception = error
        if self._pattern is not None and not _found(self._pattern, str(error)):
            raise AssertionError(f'"{self._pattern}" does not match "{error}"')
        return True


def _found(pattern, text):
    try:
        import re
    except ImportError:
        return pattern in text
    return re.search(pattern, text) is not None


def assert_raises(exception_class, callable=None, *args, **kwargs):
    """AssertionError where a call raises no exception of the class; without a call, a manager for `with`.

    >>> testing.assert_raises(ValueError, int, "x")
    """
    manager = _Raises(exception_class)
    return _called(manager, callable, args, kwargs)


def assert_raises_regex(exception_class, expected_regexp, callable=None, *args, **kwargs):
    """As `assert_raises`; the exception's text holds the pattern, too.

    >>> testing.assert_raises_regex(ValueError, "literal", int, "x")
    """
    manager = _Raises(exception_class, expected_regexp)
    return _called(manager, callable, args, kwargs)


def _called(manager, function, args, kwargs):
    if function is None:
        return manager
    try:
        with manager:
            function(*args, **kwargs)
    except AssertionError as error:
        if manager.exception is None and str(error).endswith("not raised"):
            name = getattr(function, "__name__", repr(function))
            raise AssertionError(f"{error} by {name}") from None
        raise


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """AssertionError where elements are further apart than `nulp` of the spacings at the larger of the two.

    >>> testing.assert_array_almost_equal_nulp(array([1.0]), array([1.0]))
    """
    from numpy import abs, maximum, spacing
    x, y = arrays_of(x, y)
    steps = spacing(maximum(abs(x), abs(y)))
    off = (abs(x - y) / steps).max() if x.size else 0.0
    if not off <= nulp:
        raise AssertionError(f"Arrays are not equal to {nulp} ULP (max is {float(off):g})")


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """As `assert_array_almost_equal_nulp`; gives how far apart the elements are, in spacings.

    >>> testing.assert_array_max_ulp(array([1.0]), array([1.0]))
    """
    from numpy import abs, maximum, spacing
    a, b = asarray(a, dtype=dtype), asarray(b, dtype=dtype)
    off = abs(a - b) / spacing(maximum(abs(a), abs(b)))
    if not (off <= maxulp).all():
        words = f"Arrays are not almost equal up to {maxulp} ULP"
        raise AssertionError(f"{words} (max difference is {float(off.max()):g} ULP)")
    return off


def assert_string_equal(actual, desired):
    """AssertionError where two texts differ.

    >>> testing.assert_string_equal("ab", "ab")
    """
    for text in (actual, desired):
        if not isinstance(text, str):
            raise AssertionError(repr(type(text)))
    if actual != desired:
        raise AssertionError(f"Differences in strings:\n- {actual}\n+ {desired}")
