# A class may bind a name that its methods mean from the function around, and what a type's functions make of a derived class.
from collections import ChainMap, deque
from functools import lru_cache, partial, partialmethod, singledispatch
from string import Formatter, Template
import collections.abc
import copy
import types


def around(shared):
    class Inside:
        shared = 12

        def method(self):
            return shared

        def named(self):
            return [shared for _ in range(2)], (lambda: shared)()

        doubled = shared * 2

    return Inside


one = around("outer")
print(one.shared, one().method(), one().named(), one.doubled)


class Counts(dict):
    pass


class Name(str):
    pass


class Marks(set):
    pass


class Whole(int):
    pass


print(type(Counts.fromkeys("ab", 1)), Counts().fromkeys("c"), Counts.fromkeys([]))
print(type(Whole.from_bytes(b"\x01\x02", "big")), Whole.from_bytes(b"\x03", "big"), Name.maketrans("a", "b"))
print(Marks([1]) in {frozenset([1])}, {frozenset([1, 2])} - {frozenset(Marks([2, 1]))})
marks = {frozenset([1]), frozenset([2])}
marks.discard(Marks([1]))
marks.remove(Marks([2]))
print(marks)
first, queue = {1, 2}, deque([1])
print(id(first) == id(first.copy()), id(first) == id(first), id(queue) == id(copy.copy(queue)), id((1, 2)) == id([1, 2]))


def takes(*values):
    return values


def fails():
    raise TypeError("from inside")


class Broken:
    def __iter__(self):
        return self

    def __next__(self):
        raise TypeError("from next")


for values in (lambda: (fails() for _ in range(1)), Broken, lambda: 3, lambda: None):
    try:
        print(takes(*values()))
    except TypeError as error:
        print(str(error).replace("__main__.", ""))


def told(*args, **keywords):
    return args[1:], keywords


class Told:
    plain = partialmethod(told, 1, a=2)
    nested = partialmethod(plain, 3)
    over = partialmethod(partial(told, c=6), 5)
    fixed = partialmethod(staticmethod(lambda *args: args), "first")
    of_class = partialmethod(classmethod(lambda cls, *args: (cls.__name__, args)), 7)

    @lru_cache
    def kept(self, x):
        return x + 1


told_one = Told()
print(told_one.plain(4), told_one.nested(5, b=1), told_one.over(7), told_one.fixed(2), told_one.of_class(8), Told.plain(told_one, 9))
print(told_one.kept(1), told_one.kept(1), told_one.kept.cache_info(), told_one.kept.__name__)
bound = types.MethodType(lambda self, x: (self, x), "receiver")
print(bound(3), bound.__self__, type(bound) is types.MethodType)
for arguments in ((3, 4), (print, None)):
    try:
        types.MethodType(*arguments)
    except TypeError as error:
        print(error)


@singledispatch
def kind(x):
    return "any"


@kind.register(collections.abc.Sized)
def _(x):
    return "sized"


@kind.register(collections.abc.Mapping)
def _(x):
    return "mapping"


@kind.register
def _(x: int | float):
    return "number"


print([kind(x) for x in (1, 2.5, True, "ab", [1], {}, Counts(), 1j, range(3))])


class Upper(Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"<{key}>") if isinstance(key, str) else args[key]

    def convert_field(self, value, conversion):
        return str(value).upper() if conversion == "u" else super().convert_field(value, conversion)

    def format_field(self, value, spec):
        return f"[{super().format_field(value, spec)}]"

    def check_unused_args(self, used, args, kwargs):
        print("used", sorted(map(str, used)))


print(Upper().format("{0!u} {name} {n:>3} {1[0].real} {{}}", "ab", [3j], n=7, width=3))
for text, args in (("{} {0}", (1,)), ("{a.}", ()), ("{0!x}", (1,)), ("{0[1}", ([1],))):
    try:
        print(Formatter().format(text, *args))
    except (ValueError, KeyError, IndexError) as error:
        print(type(error).__name__, error)


class Mail(Template):
    delimiter = "&"


class Dotted(Template):
    idpattern = r"[a-z]+(?:\.[a-z]+)*"


print(Mail("for &{who}: && $x &what").substitute(who="me", what=3), Dotted("$a.b and ${c}").safe_substitute({"a.b": 1}))


class Asked:
    def __getitem__(self, name):
        return name * 2


print(Template("$x ${y}").substitute(Asked()), Template("$x").safe_substitute({}))
chain = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(chain | {"c": 4}, {"b": 0, "d": 5} | chain, copy.copy(chain).maps[0] is chain.maps[0], ChainMap.fromkeys("xy", 0))
chain |= {"e": 6}
print(chain, isinstance(b"", collections.abc.Sequence))


class Said(bytes):
    def __repr__(self):
        return "said"


print(object.__str__(Said(b"x")), str(Said(b"x")), object.__str__("text"), object.__str__(Whole(3)))


def waits():
    while True:
        try:
            yield 1
        except ValueError as error:
            print("caught", repr(error))


waiting = waits()
next(waiting)
waiting.throw(ValueError, TypeError(1))
waiting.throw(ValueError("plain"))
for wrong in ("abc", 0, list):
    try:
        waits().throw(wrong)
    except TypeError as error:
        print(error)


try:
    raise BrokenPipeError(32, "no reader")
except ConnectionError as error:
    print(repr(error), error.errno, [kind.__name__ for kind in ConnectionResetError.__mro__])
print([kind.__base__.__name__ for kind in (BlockingIOError, ChildProcessError, ConnectionAbortedError, ConnectionRefusedError, ProcessLookupError)])
