"""Kinds of mappings and sequences, and their views."""

from abc import abstractmethod
from collections import ChainMap, UserDict, UserList, UserString, deque


class MappingView(Sized):
    """What `keys`, `values` and `items` of a mapping are."""

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    """The keys of a mapping."""

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)


class ItemsView(MappingView, Set):
    """The pairs of a mapping."""

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            found = self._mapping[key]
        except KeyError:
            return False
        return found is value or found == value

    def __iter__(self):
        for key in self._mapping:
            yield (key, self._mapping[key])


class ValuesView(MappingView, Collection):
    """The values of a mapping."""

    def __contains__(self, value):
        return any(found is value or found == value for found in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class Mapping(Collection):
    """A dictionary that may be read: `__getitem__`, `__iter__` and `__len__` give the rest."""

    _asked = None

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        """A key's value, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        """The keys, as a view."""
        return KeysView(self)

    def items(self):
        """The pairs, as a view."""
        return ItemsView(self)

    def values(self):
        """The values, as a view."""
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None
    __reversed__ = None


_MISSING = object()


class MutableMapping(Mapping):
    """A dictionary that changes: with `__setitem__` and `__delitem__`."""

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_MISSING):
        """Takes a key out and gives its value, or the default. KeyError where there is neither."""
        try:
            value = self[key]
        except KeyError:
            if default is _MISSING:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        """Takes any pair out. KeyError where there is none."""
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        """Takes all pairs out."""
        while len(self) > 0:
            self.popitem()

    def update(self, other=(), /, **kwds):
        """Takes another's pairs in."""
        if isinstance(other, Mapping) or hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        """A key's value; the default, which is put there, where it has none."""
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class Sequence(Reversible, Collection):
    """A list that may be read: `__getitem__` and `__len__` give the rest."""

    _asked = None

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        """Where a value stands first. ValueError where it does not."""
        n = len(self)
        start = max(n + start, 0) if start < 0 else start
        stop = n if stop is None else stop + n if stop < 0 else min(stop, n)
        for i in range(start, stop):
            item = self[i]
            if item is value or item == value:
                return i
        raise ValueError

    def count(self, value):
        """How often a value stands there."""
        return sum(1 for item in self if item is value or item == value)


class MutableSequence(Sequence):
    """A list that changes: with `__setitem__`, `__delitem__` and `insert`."""

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        """Puts a value at the end."""
        self.insert(len(self), value)

    def clear(self):
        """Takes all items out."""
        while len(self) > 0:
            self.pop()

    def reverse(self):
        """Turns the items around in place."""
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        """Puts several values at the end."""
        for value in list(values) if values is self else values:
            self.append(value)

    def pop(self, index=-1):
        """Takes an item out and gives it."""
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        """Takes a value out where it stands first."""
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


for _of in (list, deque, UserList):
    MutableSequence.register(_of)
for _of in (tuple, str, bytes, range, UserString):
    Sequence.register(_of)
for _of in (dict, ChainMap, UserDict):
    MutableMapping.register(_of)
KeysView.register(type({}.keys()))
ItemsView.register(type({}.items()))
ValuesView.register(type({}.values()))
