# What types with brackets make when they are called, and what properties say of themselves.
import typing
from typing import Generic, TypeVar

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, x):
        self.x = x


print(Box[int](3).x, Box[str]("a").x)
print(list[int]("ab"), dict[str, int](a=1, b=2), set[int]([1, 1]), tuple[int, ...]([1, 2]), frozenset[int]([2]))
print(type[int](5), list[list[int]]([[1]]), [*map(list[str], ["ab", "c"])])
print(typing.Counter("aab"), typing.Deque([1, 2], maxlen=1), typing.OrderedDict(a=1))
words = typing.DefaultDict[str, list](list)
words["a"].append(1)
print(words, typing.Counter[str]("ab")["a"], typing.Deque[int]([3]))
for made in (typing.List, typing.Dict[str, int], typing.Set, typing.FrozenSet[int], typing.Tuple, typing.Type[int]):
    try:
        made()
    except TypeError as error:
        print(error)
print(callable(list[int]), callable(typing.List), callable(typing.Counter[str]), callable(dict[str, int]))
for made in (list[int], dict[str, int]):
    try:
        made(1, 2, 3)
    except TypeError as error:
        print("TypeError")


class Told:
    @property
    def short(self): "a short one"; return 1

    @property
    def long(self):
        """a long one"""
        return 2

    @long.setter
    def long(self, value):
        """not this one"""

    @property
    def silent(self):
        return 3

    @silent.setter
    def silent(self, value):
        """nor this one"""

    said = property(lambda self: 4, doc="by hand")
    never = property()
    two = property(fset=lambda self, value: None)
    copied = property(long.fget)


for name in ("short", "long", "silent", "said", "never", "two", "copied"):
    print(name, getattr(Told, name).__doc__)


def changed(self):
    "before"


changed.__doc__ = "after"
print(property(changed).__doc__, property(changed, doc="given").__doc__, property(changed).setter(print).__doc__)
