# Classes that extend numbers, texts, queues and what stands in brackets.
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Dict, Generic, List, TypeVar


def tried(function, *arguments):
    try:
        answer = function(*arguments)
        return type(answer).__name__, answer
    except Exception as error:
        return type(error).__name__, str(error)


class Whole(int):
    pass


class Counted(int):
    def __int__(self):
        return 9


class Real(float):
    def __float__(self):
        return 1.0

    def __int__(self):
        return 7


class Number:
    def __int__(self):
        return 4

    def __float__(self):
        return 2.5

    def __index__(self):
        return 6

    def __str__(self):
        return "number"

    __repr__ = __str__


class Letters(str):
    pass


for value in (Whole(3), Counted(3), Real(2.5), Number(), True, 3, 2.5, "a", None, Letters("ab")):
    print([tried(lambda: template % (value,)) for template in ("%d", "%i", "%x", "%5.1f", "%e", "%g", "%s", "%r", "%c", "%o")])
print("%05d|%-6d|%+d" % (Whole(42), Whole(42), Whole(42)), "%.2f" % Real(2.5), "%(n)d" % {"n": Whole(5)})


class Sized:
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length


for length in (3, True, Whole(4), Number(), Letters("a"), Real(2.0), -1, None):
    print(tried(len, Sized(length)), tried(bool, Sized(length)) if length != -1 else "")


class Queue(deque):
    pass


class Table(defaultdict):
    pass


class Tally(Counter):
    pass


class Ordered(OrderedDict):
    pass


q = Queue([1, 2], 3)
print(q.maxlen)
for made in (q, Table(list), Tally("abb"), Ordered(a=1, b=2)):
    made.name = "first"
    setattr(made, "name", made.name + " second")
    object.__setattr__(made, "other", 3)
    print(made.name, made.other, getattr(made, "none", None), hasattr(made, "name"), len(made))
t = Table(list)
t.default_factory = int
t["a"] += 1
setattr(t, "default_factory", str)
print(t["b"] == "", t["a"], t.default_factory)
o = Ordered(a=1, b=2, c=3)
for key in ("a", "c", "c", "b"):
    o.move_to_end(key)
    print(list(o), end=" ")
print(tried(o.move_to_end, "z"))

T = TypeVar("T")
K = TypeVar("K")


class Stack(Generic[T]):
    def __init__(self):
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()


class Named(Stack[T], Generic[T, K]):
    kind = "named"


class Integers(List[int]):
    def total(self):
        return sum(self)


class Names(dict[str, int]):
    pass


class Both(Dict[str, int]):
    pass


s, n = Stack[int](), Named()
s.push(1)
n.push("x")
print(s.pop(), n.pop(), n.kind, isinstance(n, Stack), isinstance(s, Generic), issubclass(Named, Generic))
print(Integers([1, 2]).total(), Integers([1]) + [2], Names(a=1), Both({"b": 2})["b"], issubclass(Integers, list), issubclass(Names, dict))
print([c.__name__ for c in Named.__mro__], tried(s.pop))


def failing(value):
    if value > 1:
        raise ValueError(value)
    return value


print([tried(lambda: sorted([3, 1, 2], key=failing)) for turn in range(3)], sorted([1, 0], key=failing), tried(lambda: list(map(failing, [0, 1, 2]))))
