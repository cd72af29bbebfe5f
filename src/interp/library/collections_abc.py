"""Kinds of containers and functions: for `isinstance`, and to be derived from, as what a few methods say gives the rest."""

import typing
from abc import ABC, abstractmethod
from collections import deque

_UNHASHABLE = (list, dict, set, slice, deque, type({}.keys()), type({}.items()))


class _Kind(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        asked = vars(cls).get("_asked")
        if asked is None:
            return NotImplemented
        for name in asked:
            if getattr(other, name, None) is None:
                return NotImplemented
        return True

    @classmethod
    def __class_getitem__(cls, item):
        return getattr(typing, "AbstractSet" if cls.__name__ == "Set" else cls.__name__)[item]


class Hashable(_Kind):
    """What can be a key: it has `__hash__`."""

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not Hashable:
            return NotImplemented
        return not issubclass(other, _UNHASHABLE) and getattr(other, "__hash__", None) is not None

    @abstractmethod
    def __hash__(self):
        return 0


class Awaitable(_Kind):
    """What `await` takes; there is none here."""


class Coroutine(Awaitable):
    """What an `async` function gives; there is none here."""


class AsyncIterable(_Kind):
    """What `async for` takes; there is none here."""


class AsyncIterator(AsyncIterable):
    """What `async for` asks; there is none here."""


class AsyncGenerator(AsyncIterator):
    """A generator of an `async` function; there is none here."""


class Iterable(_Kind):
    """What `for` takes: it has `__iter__`."""

    _asked = ("__iter__",)

    @abstractmethod
    def __iter__(self):
        while False:
            yield None


class Iterator(Iterable):
    """What gives one item after the other: it has `__next__`."""

    _asked = ("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Reversible(Iterable):
    """What `reversed` takes."""

    _asked = ("__reversed__", "__iter__")

    @abstractmethod
    def __reversed__(self):
        while False:
            yield None


class Generator(Iterator):
    """An iterator that takes values: it has `send`, `throw` and `close`."""

    _asked = ("__iter__", "__next__", "send", "throw", "close")

    def __next__(self):
        return self.send(None)

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            pass
        else:
            raise RuntimeError("generator ignored GeneratorExit")


class Sized(_Kind):
    """What `len` takes."""

    _asked = ("__len__",)

    @abstractmethod
    def __len__(self):
        return 0


class Container(_Kind):
    """What `in` looks into: it has `__contains__`."""

    _asked = ("__contains__",)

    @abstractmethod
    def __contains__(self, x):
        return False


class Collection(Sized, Iterable, Container):
    """What has a length, items, and `in`."""

    _asked = ("__len__", "__iter__", "__contains__")


class Callable(_Kind):
    """What can be called."""

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not Callable:
            return NotImplemented
        return other in _FUNCTIONS or issubclass(other, type) or getattr(other, "__call__", None) is not None

    @abstractmethod
    def __call__(self, *args, **kwds):
        return False


_FUNCTIONS = (type(len), type(lambda: 0), type([].append), type(abstractmethod), staticmethod)


class Set(Collection):
    """A set that may be read: from `__contains__`, `__iter__` and `__len__` follow comparisons and operators."""

    _asked = None

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        return len(self) < len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        return len(self) > len(other) and self.__ge__(other) if isinstance(other, Set) else NotImplemented

    def __eq__(self, other):
        return len(self) == len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        """Whether nothing is in both."""
        return not any(value in self for value in other)

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(item for part in (self, other) for item in part)

    __ror__ = __or__

    def __sub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return self._from_iterable(value for value in self if value not in other)

    def __rsub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return self._from_iterable(value for value in other if value not in self)

    def __xor__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__


class MutableSet(Set):
    """A set that changes: `add` and `discard` give the rest."""

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        """Takes a value out. KeyError where it is not there."""
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        """Takes any value out. KeyError where there is none."""
        try:
            value = next(iter(self))
        except StopIteration:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        """Takes all values out."""
        while len(self) > 0:
            self.pop()

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        for value in list(it):
            if value in self:
                self.discard(value)
            else:
                self.add(value)
        return self

    def __isub__(self, it):
        for value in list(it):
            self.discard(value)
        return self


MutableSet.register(set)
Set.register(frozenset)
