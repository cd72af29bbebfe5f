"""An array's elements one after the other, by rows: `x.flat`."""

from numpy import ndarray


class flatiter:
    """What `x.flat` is: a walk over an array's elements by rows, which also takes one index for all axes.

    What is assigned to an index goes into the array, however it lies.

    >>> x = array([[1, 2], [3, 4]]).T
    >>> x.flat[1] = 9
    >>> x
    """

    def __init__(self, x):
        self.base, self.index = x, 0

    @property
    def coords(self):
        shape, rest, made = self.base.shape, self.index, []
        for length in reversed(shape):
            made.append(rest % max(length, 1))
            rest //= max(length, 1)
        return tuple(reversed(made))

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return self

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self[self.index - 1]

    def __getitem__(self, key):
        found = self.base.reshape(-1)[key]
        return found.copy() if found.ndim > 0 else found

    def __setitem__(self, key, value):
        x = self.base
        own = x.reshape(-1)
        if shares_memory(own, x):
            x, at = own, (arange(x.size)[key],)
        else:
            at = unravel_index(arange(x.size)[key], x.shape)
        if isinstance(value, (bool, int, float, complex)):
            try:
                x[at] = value
            except (OverflowError, ValueError, TypeError):
                if at[0].ndim > 0:
                    raise
                raise ValueError("Error setting single item of array.") from None
            return
        values, count = _stored(value, x).ravel(), at[0].size
        if values.size == 0 and count > 0:
            raise ValueError("Error setting single item of array." if at[0].ndim == 0 else "cannot assign an empty array")
        if at[0].ndim == 0:
            x[at] = values[0]
        elif values.size == 1:
            x[at] = values[0]
        else:
            # Of too many the first are taken, too few begin again.
            x[at] = resize(values, (count,)).reshape(at[0].shape)

    def copy(self):
        """The elements as an array of one axis."""
        return self.base.flatten()

    def __array__(self, dtype=None, copy=None):
        made = self.base.ravel() if copy is False else self.base.flatten()
        return made if dtype is None else made.astype(dtype)

    def __eq__(self, other):
        return self.base.ravel() == _plain_flat(other)

    def __ne__(self, other):
        return self.base.ravel() != _plain_flat(other)

    def __lt__(self, other):
        return self.base.ravel() < _plain_flat(other)

    def __le__(self, other):
        return self.base.ravel() <= _plain_flat(other)

    def __gt__(self, other):
        return self.base.ravel() > _plain_flat(other)

    def __ge__(self, other):
        return self.base.ravel() >= _plain_flat(other)

    def __repr__(self):
        return f"<numpy.flatiter object of shape {self.base.shape}>"


def _stored(value, x):
    """What is stored in x, made in its type where it is no array yet: a number that it does not hold is an error."""
    if isinstance(value, (ndarray, flatiter)):
        return asarray(value)
    return asarray(value, dtype=x.dtype) if x.dtype.kind in "iufcb" else asarray(value)


def _plain_flat(other):
    return other.base.ravel() if isinstance(other, flatiter) else other


def _property_flat(x):
    return flatiter(x)


def _set_property_flat(x, value):
    flatiter(x)[:] = value
