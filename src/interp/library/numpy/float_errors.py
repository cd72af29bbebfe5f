"""What happens at floating-point errors."""

_float_ways = {"divide": "ignore", "over": "ignore", "under": "ignore", "invalid": "ignore"}
_float_listener = [None]


def _set_float_ways(ways):
    _float_ways.update(ways)
    watch_floats(*_float_ways.values())


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Sets what happens at floating-point errors; gives what happened before, as `geterr`.

    'ignore', as at the start; 'warn' says a RuntimeWarning and 'print' a line; 'raise' is a
    FloatingPointError; 'call' and 'log' give it to what `seterrcall` was given. What is not ignored is
    looked for after each operation, which is then computed at once.

    >>> old = seterr(divide="raise"); seterr(**old)["divide"]
    """
    before = geterr()
    ways = dict(divide=divide, over=over, under=under, invalid=invalid)
    ways = {name: all if way is None else way for name, way in ways.items()}
    for way in ways.values():
        if way not in (None, "ignore", "warn", "raise", "call", "print", "log"):
            raise ValueError(f"invalid error mode {way!r}")
    _set_float_ways({name: way for name, way in ways.items() if way is not None})
    return before


def geterr():
    """What happens at each kind of floating-point error: `seterr`'s names.

    >>> geterr()
    """
    return dict(_float_ways)


def seterrcall(func):
    """Sets the function that 'call' calls, or the object to whose `write` 'log' writes; gives the one before.

    The function gets the error's name, as 'divide by zero', and its bit: 1 to divide, 2 over, 4 under, 8
    invalid. TypeError for what can neither be called nor written to.

    >>> seterrcall(print)
    """
    if func is not None and not callable(func):
        if not hasattr(func, "write") or not callable(func.write):
            raise TypeError("python object must be callable or have a callable write method")
    before, _float_listener[0] = _float_listener[0], func
    return before


def geterrcall():
    """What 'call' and 'log' give errors to.

    >>> geterrcall()
    """
    return _float_listener[0]


_not_given = object()


class errstate:
    """Inside `with`, or in a function that it decorates, what happens at floating-point errors: see `seterr`.

    >>> with errstate(divide="ignore"): print(array([1.0]) / 0)
    """

    def __init__(self, *, call=_not_given, all=None, divide=None, over=None, under=None, invalid=None):
        self._call = call
        self._ways = dict(all=all, divide=divide, over=over, under=under, invalid=invalid)
        self._before = None

    def __enter__(self):
        if self._before is not None:
            raise TypeError("Cannot enter `np.errstate` twice.")
        self._before = seterr(**self._ways), geterrcall()
        if self._call is not _not_given:
            seterrcall(self._call)

    def __exit__(self, *error):
        ways, listener = self._before
        _set_float_ways(ways)
        seterrcall(listener)

    def __call__(self, function):
        from functools import wraps

        @wraps(function)
        def inside(*args, **kwargs):
            with errstate(call=self._call, **self._ways):
                return function(*args, **kwargs)

        return inside


_float_bits = {"divide": 1, "over": 2, "under": 4, "invalid": 8}


def _tell_of(words, filename, lineno):
    """A RuntimeWarning of a function's."""
    from warnings import warn_explicit

    warn_explicit(words, RuntimeWarning, filename, lineno)


def _tell_of_parts(filename, lineno):
    """What a cast says that drops imaginary parts."""
    from numpy.exceptions import ComplexWarning
    from warnings import warn_explicit

    warn_explicit("Casting complex values to real discards the imaginary part", ComplexWarning, filename, lineno)


def _tell_float_error(error, words, filename, lineno):
    """What `_float_ways` says of an error that an operation met."""
    way = _float_ways[error]
    if way == "warn":
        from warnings import warn_explicit

        warn_explicit(words, RuntimeWarning, filename, lineno)
    elif way == "print":
        from sys import stderr

        print(f"Warning: {words}", file=stderr)
    elif way in ("call", "log"):
        listener = _float_listener[0]
        if listener is None:
            missing = "callback specified for" if way == "call" else "log specified for"
            raise NameError(f"python {missing} {words.split(' encountered')[0]} but no function found: give `seterrcall` one")
        if way == "call":
            listener(words.split(" encountered")[0], _float_bits[error])
        else:
            listener.write(f"Warning: {words}\n")
