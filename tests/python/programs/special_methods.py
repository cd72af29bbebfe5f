"""The methods behind operators, asked by their names."""


def tell(run):
    try:
        value = run()
        # Sets keep an order of their own.
        print(sorted(value) if isinstance(value, (set, frozenset)) else repr(value))
    except Exception as error:
        print(type(error).__name__, error)


values = [3, -2, True, 2.5, "ab", (1, 2), [1, 2], {1: 2}, {1, 2}, frozenset({2, 3}), None]
binary = "add radd sub mul rmul truediv floordiv mod pow divmod and or xor lshift rshift".split()
compared = "eq ne lt le gt ge".split()
for value in values:
    for name in binary + compared:
        method = getattr(value, f"__{name}__", None)
        if method is None:
            continue
        for other in values:
            # What CPython says about a repetition that is none depends on the side.
            if name in ("mul", "rmul", "add") and isinstance(value, (str, tuple, list)):
                if not isinstance(other, (int, str)) or name == "add":
                    continue
                if isinstance(other, str):
                    continue
            if name == "mod" and isinstance(value, str):
                continue
            print(repr(value), name, repr(other), end=" ")
            tell(lambda: method(other))

for value in values[:-1]:
    for name in "neg pos abs invert int float bool index len repr str".split():
        method = getattr(value, f"__{name}__", None)
        if method is not None:
            print(repr(value), name, end=" ")
            tell(method)

print((12).__hash__() == hash(12), "a".__hash__() == hash("a"), (1, 2).__hash__() == hash((1, 2)))
tell(lambda: (1, [2]).__hash__())
print((7).__format__("05d"), (2.5).__format__(".2f"), "x".__format__(">3"))
print("abc".__getitem__(1), (1, 2, 3).__getitem__(slice(1, None)), "abc".__contains__("bc"), list("ab".__iter__()))
print(list(map(int.__add__, [1, 2], [3, 4])), list(map(str.__len__, ["a", "bc"])), list.__getitem__([1, 2], 1))
print(sorted(["b", "a"], key=str.__str__), max([3, 1], key=int.__neg__), hasattr(1, "__add__"), hasattr([], "__hash__x"))


class Number(int):
    def __add__(self, other):
        return Number(super().__add__(other))

    def __repr__(self):
        return "Number " + super().__repr__()

    def __eq__(self, other):
        return super().__eq__(other)

    def __hash__(self):
        return super().__hash__()


class Words(list):
    def __add__(self, other):
        return Words(super().__add__(other))

    def __lt__(self, other):
        return super().__lt__(other)


class Text(str):
    def __mul__(self, times):
        return Text(super().__mul__(times) + "!")


print(Number(3) + 4, Number(3) == 3, {Number(3): 1}[3], Number(2) + Number(5))
print(Words([1]) + [2], type(Words([1]) + [2]).__name__, Words([1]) < Words([2]), Text("ab") * 2)

for run in (
    lambda: "a" ** 2,
    lambda: pow("a", 2),
    lambda: divmod("a", 2),
    lambda: divmod(1, None),
):
    tell(run)
for value in (5, 1.5, "a", (1,), iter([]), range(3), {1}, None, int):
    try:
        del value[0]
    except TypeError as error:
        print(error)


# What only some calls ask for.
import io
import operator
import os


class Powered:
    def __pow__(self, exponent, modulus=None):
        return NotImplemented if exponent == "no" else ("power", exponent, modulus)

    def __index__(self):
        return 3


class Hinted:
    def __init__(self, hint):
        self.hint = hint

    def __length_hint__(self):
        if self.hint is TypeError:
            raise TypeError
        return self.hint


def asked(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, error)


asked(lambda: (pow(Powered(), 2, 5), pow(Powered(), 2), Powered() ** 2))
asked(lambda: pow(Powered(), "no", 5))
asked(lambda: pow(2, 5, 3))
for hint in [4, 0, -1, "x", None, NotImplemented, TypeError, True]:
    asked(lambda: operator.length_hint(Hinted(hint), 9))
asked(lambda: (operator.length_hint([1, 2]), operator.length_hint("abc", 7), operator.length_hint(5, 7), operator.length_hint(object())))
asked(lambda: operator.length_hint(5, "x"))
asked(lambda: operator.call(max, 1, 3, key=lambda v: -v))
print(io.SEEK_SET, io.SEEK_CUR, io.SEEK_END, os.SEEK_SET, os.SEEK_CUR, os.SEEK_END)
