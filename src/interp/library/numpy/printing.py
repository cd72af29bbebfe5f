"""Numbers and arrays as text."""

from numpy import ndarray


def base_repr(number, base=2, padding=0):
    """An integer in a base from 2 to 36, with `padding` zeros in front. ValueError for other bases.

    >>> base_repr(255, 16)
    """
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if base > len(digits):
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    rest, text = abs(int(number)), ""
    while rest:
        text = digits[rest % base] + text
        rest //= base
    text = "0" * padding + text
    text = text or "0"
    return "-" + text if number < 0 else text


def binary_repr(num, width=None):
    """An integer in base 2, filled with zeros to `width`; a negative one in two's complement then.

    ValueError where it has no room.

    >>> binary_repr(-3, width=5)
    """
    num = int(bin(num), 2)
    if width is not None and width < 0:
        raise ValueError("Insufficient bit width provided")
    if num >= 0 or width is None:
        text = bin(abs(num))[2:]
        if width is not None:
            if len(text) > width:
                raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(text)}")
            text = text.rjust(width, "0")
        return "-" + text if num < 0 else text
    needed = len(bin(-num - 1)[2:]) + 1 if num != -1 else 1
    if width < needed:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={needed}")
    bits = []
    for _ in range(width):
        bits.append(str(num % 2))
        num //= 2
    return "".join(reversed(bits))


def _shortest(x):
    """The digits of a number and the power of ten of the first, as few as tell it from its neighbours."""
    text = str(x) if not isinstance(x, ndarray) else str(x.reshape(()))
    if isinstance(x, ndarray):
        # What is printed in the array's precision is made anew in the type's own.
        with printoptions(precision=17, suppress=False):
            text = str(x.reshape(()))
    text = text.lstrip("-")
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    power = int(exponent or 0) + len(whole) - 1
    digits = whole + part
    stripped = digits.lstrip("0")
    power -= len(digits) - len(stripped)
    stripped = stripped.rstrip("0")
    return (stripped, power) if stripped else ("0", 0)


def _special(x, sign):
    value = float(x)
    if value != value:
        return "nan"
    if value in (inf, -inf):
        return "-inf" if value < 0 else "+inf" if sign else "inf"
    return None


def _trimmed(text, trim):
    """Without the zeros behind the point that `trim` does away with."""
    if trim not in ("k", ".", "0", "-"):
        raise ValueError(f"trim must be one of 'k', '.', '0' or '-', not {trim!r}")
    if trim == "k" or "." not in text:
        return text
    text = text.rstrip("0")
    if trim == "-":
        return text.rstrip(".")
    return text + "0" if trim == "0" and text.endswith(".") else text


def _padded(text, pad_left, pad_right):
    whole, point, part = text.partition(".")
    if pad_left is not None:
        whole = whole.rjust(pad_left)
    if pad_right is not None:
        missing = pad_right - len(part) + (0 if point else 1)
        part += " " * max(missing, 0)
    return whole + point + part


def format_float_positional(x, precision=None, unique=True, fractional=True, trim="k", sign=False,
                            pad_left=None, pad_right=None, min_digits=None):
    """A number without an exponent: in as few digits as tell it from others, or `precision` behind the point.

    Without `unique` all digits are written. `trim` says which zeros at the end stay: 'k' all, '.' none,
    '0' one, '-' not even the point. Without `fractional`, `precision` counts all digits.

    >>> format_float_positional(1e-5)
    """
    if not unique and precision is None:
        raise TypeError("in non-unique mode `precision` must be supplied")
    if precision == 0 and not fractional:
        raise ValueError("precision must be greater than 0 if fractional=False")
    special = _special(x, sign)
    if special is not None:
        return special
    size = abs(float(x))
    digits, power = _shortest(x)
    behind = max(len(digits) - 1 - power, 0)
    if precision is not None:
        most = precision if fractional else precision - 1 - power
        behind = min(behind, max(most, 0)) if unique else max(most, 0)
    if min_digits is not None:
        behind = max(behind, min_digits if fractional else min_digits - 1 - power)
    if precision is not None and not fractional and len(digits) > precision:
        rounded, _, exponent = f"{size:.{precision - 1}e}".partition("e")
        digits, power = rounded.replace(".", ""), int(exponent)
    text = _positional(digits, power)
    # Where the digits end before the point, zeros stand for the rest.
    ends_before = precision is not None and not fractional and precision - 1 - power < 0
    if not unique and not ends_before or _behind(text) > behind:
        text = f"{size:.{behind}f}"
        if unique:
            text = text.rstrip("0") if min_digits is None and behind > 0 and float(text) != 0 else text
            text = text if "." in text else text + "."
    if min_digits is not None:
        text += "0" * max(behind - _behind(text), 0)
    if trim == "k" and not unique:
        text = text if "." in text else text + "."
    text = _trimmed(text if "." in text else text + ".", trim)
    front = "-" if float(x) < 0 or signbit(float(x)) else "+" if sign else ""
    return _padded(front + text, pad_left, pad_right)


def _behind(text):
    return len(text.partition(".")[2])


def _positional(digits, power):
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole = digits[:power + 1].ljust(power + 1, "0")
    return whole + "." + digits[power + 1:]


def format_float_scientific(x, precision=None, unique=True, trim="k", sign=False, pad_left=None,
                            exp_digits=None, min_digits=None):
    """A number with an exponent: in as few digits as tell it from others, or `precision` behind the point.

    The exponent has `exp_digits`, two at least. The rest is as `format_float_positional` has it.

    >>> format_float_scientific(1234.5)
    """
    if not unique and precision is None:
        raise TypeError("in non-unique mode `precision` must be supplied")
    special = _special(x, sign)
    if special is not None:
        return special
    digits, power = _shortest(x)
    if (not unique) or (precision is not None and len(digits) - 1 > precision):
        mantissa, _, exponent = f"{abs(float(x)):.{precision}e}".partition("e")
        power = int(exponent)
        if unique:
            mantissa = mantissa.rstrip("0")
    else:
        mantissa = digits[0] + "." + digits[1:]
    mantissa = mantissa if "." in mantissa else mantissa + "."
    if min_digits is not None:
        mantissa += "0" * max(min_digits - _behind(mantissa), 0)
    mantissa = _trimmed(mantissa, trim)
    front = "-" if float(x) < 0 or signbit(float(x)) else "+" if sign else ""
    size = str(abs(power)).rjust(2 if exp_digits is None else exp_digits, "0")
    return _padded(front + mantissa, pad_left, None) + "e" + ("-" if power < 0 else "+") + size


class printoptions:
    """Inside `with`, arrays are printed by these options, those of `set_printoptions`.

    >>> with printoptions(precision=2): print(array([0.12345]))
    """

    def __init__(self, **options):
        known = get_printoptions()
        for name in options:
            if name not in known:
                words = f"printoptions() got an unexpected keyword argument {name!r}"
                raise TypeError(f"{words}: the options are {', '.join(known)}")
        self._options = options

    def __enter__(self):
        self._before = get_printoptions()
        set_printoptions(**self._options)
        return get_printoptions()

    def __exit__(self, *error):
        set_printoptions(**self._before)
        return None


def _options(precision, suppress_small, max_line_width=None, threshold=None, floatmode=None, sign=None):
    given = dict(precision=precision, suppress=suppress_small, linewidth=max_line_width, threshold=threshold,
                 floatmode=floatmode, sign=sign, formatter=get_printoptions()["formatter"])
    return printoptions(**{name: value for name, value in given.items() if value is not None})


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """What `repr` gives, by these options.

    >>> array_repr(array([1.23456]), precision=2)
    """
    with _options(precision, suppress_small, max_line_width):
        return repr(arr)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """What `str` gives, by these options.

    >>> array_str(array([1.23456]), precision=2)
    """
    with _options(precision, suppress_small, max_line_width):
        return str(a)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *,
                 formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, suffix="", legacy=None):
    """An array as text, its elements with `separator` between them, lines behind the first moved by `prefix`.

    `floatmode` is one of those of `set_printoptions`. `formatter` has functions by kind: 'bool', 'int', 'float', 'complexfloat', 'int_kind', 'float_kind', 'complex_kind', 'all'. `sign`
    is '-', '+' or ' '. An array of more than `threshold` elements shows `edgeitems` at each end.

    >>> array2string(array([1, 2, 3]), separator=", ")
    """
    if legacy not in (None, False):
        raise NotImplementedError("array2string: arrays are printed as NumPy 2 prints them, and as no older one")
    options = get_printoptions()
    width = options["linewidth"] if max_line_width is None else max_line_width
    most = options["threshold"] if threshold is None else threshold
    edge = options["edgeitems"] if edgeitems is None else edgeitems
    a = asarray(a)
    if a.size == 0:
        return "[]"
    is_cut = a.size > most
    shown = a
    if is_cut:
        for axis in range(a.ndim):
            n = a.shape[axis]
            if n > 2 * edge:
                places = list(range(edge)) + list(range(n - edge, n))
                shown = take(shown, array(places, dtype=int64), axis=axis)
    function = _formatter(a, options["formatter"] if formatter is None else formatter)
    if function is not None:
        words = [function(x) for x in shown.ravel()]
        for word in words:
            if not isinstance(word, str):
                raise AttributeError(f"'{type(word).__name__}' object has no attribute 'splitlines'")
    else:
        # Each in a row of its own, `[[a]`, ` [b]`, ` [c]]`, and all of one width.
        with _options(precision, suppress_small, None, shown.size, floatmode, sign):
            rows = str(shown.reshape((-1, 1)))[:-1].split("\n")
        words = [row[2:-1] for row in rows]
    if a.ndim == 0:
        # A truth alone is no wider than it is.
        return words[0].strip() if a.dtype.kind == "b" else words[0]
    return _rows(iter(words), a.shape, is_cut, edge, separator, " " * (len(prefix) + 1), width - len(suffix))


def _formatter(a, formatter):
    if formatter is None:
        return None
    names = {"b": ("bool",), "c": ("complexfloat", "complex_kind"), "i": ("int", "int_kind"), "u": ("int", "int_kind")}
    for name in (*names.get(a.dtype.kind, ("float", "float_kind")), "all"):
        if formatter.get(name) is not None:
            return formatter[name]
    return None


def _rows(words, shape, is_cut, edge, separator, indent, width):
    """The text of a block, its words taken one after the other, the lines behind the first indented."""
    n = shape[0]
    cut = is_cut and n > 2 * edge
    head, tail = (edge, edge) if cut else (n, 0)

    def part():
        return _rows(words, shape[1:], is_cut, edge, separator, indent + " ", width - 1) if len(shape) > 1 else next(words)

    parts = [part() for _ in range(head)]
    if cut:
        parts.append("...")
        parts += [part() for _ in range(tail)]
    if len(shape) > 1:
        return "[" + (separator.rstrip() + "\n" * (len(shape) - 1) + indent).join(parts) + "]"
    room = width - max(len(separator.rstrip()), 1)
    lines, line = [], indent
    for at, part in enumerate(parts):
        # A function may write several lines; the others stand below the first.
        first, *others = part.splitlines() or [""]
        longest = max([len(one) for one in (first, *others)])
        if len(line) + longest > room and len(line) > len(indent):
            lines.append(line.rstrip())
            line = indent
        below = " " * len(line)
        line += first
        for other in others:
            lines.append(line.rstrip())
            line = below + other
        if others:
            line += " " * (longest - len(others[-1]))
        if at + 1 < len(parts):
            line += separator
    lines.append(line)
    return "[" + "\n".join(lines)[len(indent):] + "]"


def info(object=None, maxwidth=76, output=None, toplevel="numpy"):
    """Prints what is known of a function, a module or an array; of a text, of what has that name in NumPy.

    >>> info(mean)
    """
    import sys
    from inspect import getdoc, signature
    output = sys.stdout if output is None else output
    if isinstance(object, str):
        import numpy
        found = [(place, getattr(place, object)) for place in (numpy, numpy.linalg, numpy.fft) if hasattr(place, object)]
        if not found:
            print(f"Help for {object} not found.", file=output)
        for place, value in found:
            print(f"     *** Found in {place.__name__} ***", file=output)
            info(value, maxwidth, output)
        return
    if isinstance(object, ndarray):
        flags = object.flags
        figures = {"class": "ndarray", "shape": object.shape, "strides": object.strides, "itemsize": object.itemsize,
                   "aligned": flags.aligned, "contiguous": flags.contiguous, "fortran": flags.fortran,
                   "data pointer": hex(object.data_ptr()), "byteorder": "little", "byteswap": False, "type": object.dtype}
        for name, figure in figures.items():
            print(f"{name}:  {figure}", file=output)
        return
    if callable(object):
        try:
            print(f" {getattr(object, '__name__', '')}{signature(object)}\n", file=output)
        except (TypeError, ValueError):
            pass
    print(getdoc(object if object is not None else info) or "", file=output)
