class Generator(_Distributions):
    """Random numbers from a stream of their own: `default_rng(seed)` makes one.

    The numbers are the same on every device, and what a failed statement took is there again.
    """

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError("expected a BitGenerator such as `PCG64(0)`; `default_rng(0)` takes seeds")
        self._bits = bit_generator

    @property
    def bit_generator(self):
        """The stream: its `state` can be kept and put back."""
        return self._bits

    def spawn(self, n_children):
        """So many generators that are independent of this one and of each other."""
        return [type(self)(bits) for bits in self._bits.spawn(n_children)]

    def integers(self, low, high=None, size=None, dtype=int64, endpoint=False):
        """Whole numbers from `low` up to `high`, which is left out unless `endpoint`; from 0 if one is given."""
        drawn = self._integers(low, high, size, dtype, bool(endpoint), "integers")
        # Python's own types ask for Python's own numbers.
        is_plain = dtype is int or dtype is bool
        return drawn.item() if is_plain and size is None and drawn.ndim == 0 else drawn

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Elements of a (or of the numbers below it) along an axis, each with the chance in `p`.

        Of a list that holds more than numbers the result is a list.
        """
        return self._choice(a, size, replace, p, axis, shuffle, _WORDS)

    def permuted(self, x, *, axis=None, out=None):
        """x with every line along an axis mixed by itself; with `axis=None` all elements among themselves."""
        x = asarray(x)
        if axis is not None:
            axis = _axis(axis, x.ndim)
        elif x.ndim == 0:
            raise TypeError("len() of unsized object")
        if out is not None and (not is_tensor(out) or out.shape != x.shape):
            raise ValueError("out must have the same shape as x")
        if axis is None:
            mixed = x.reshape(-1)[self._order(x.numel())].reshape(x.shape)
        else:
            order = argsort(_filled(self._bits, "integers", tuple(x.shape), int64, 0, _LARGEST), axis=axis)
            mixed = take_along_axis(x, order, axis)
        return mixed if out is None else _result(mixed, out)

    def __repr__(self):
        return f"Generator({type(self._bits).__name__})"


def default_rng(seed=None):
    """A generator with a stream of its own, from an integer, several, a SeedSequence, or the clock."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, RandomState):
        return Generator(seed._bits)
    return Generator(seed if isinstance(seed, BitGenerator) else PCG64(seed))
