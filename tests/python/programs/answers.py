"""Methods of classes that answer operations: items, comparisons, membership, truth, signs and the items of loops."""


class Line:
    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return Line(*self.items[at])
        if isinstance(at, tuple):
            return [self[part] for part in at]
        return self.items[at]

    def __setitem__(self, at, value):
        self.items[at] = value
        return "nobody sees it"

    def __contains__(self, value):
        return [value] if value in self.items else []

    def __bool__(self):
        return bool(self.items)

    def __neg__(self):
        return Line(*[-item for item in self.items])

    def __pos__(self):
        return NotImplemented

    def __invert__(self):
        return self[::-1]

    def __eq__(self, other):
        return self.items == other.items if isinstance(other, Line) else NotImplemented

    def __lt__(self, other):
        return self.items < other.items if isinstance(other, Line) else NotImplemented

    def __le__(self, other):
        return "as it is said"

    def __repr__(self):
        return f"Line{tuple(self.items)}"


line = Line(3, 1, 2)
print(line[0], line[-1], line[1:], line[0, 2], line[::2][0])
line[1] = 5
line[0], line[2] = line[2], line[0]
line[0] += 10
line[1:2] = [7, 8]
print(line, -line, ~line, +line, -(-line) == line)
print(7 in line, 9 in line, 7 not in line, 9 not in line)
print(line == line, line == Line(1), line != Line(1), line == 3, line != 3, 3 == line)
print(line < Line(100), line > Line(100), line <= Line(), (line <= 3) + "!", Line(1) < line < Line(90))
print(not line, not Line(), bool(line), line and 1, Line() and 1, line or 2, Line() or 2)
print(1 if line else 2, 1 if Line() else 2, [1, 2][Line() == Line()])
for value in [line, Line()]:
    if value:
        print("full", end=" ")
    if not value:
        print("empty", end=" ")
    while value and value[0] > 10:
        value[0] -= 1
        if 8 in value and 7 not in value or value == Line(12, 7, 8, 3):
            print("at", value, end=" ")
print()

# Errors: of the answer, of the method and of what neither side knows.


class Odd:
    def __bool__(self):
        return 1

    def __contains__(self, value):
        return Odd()

    def __getitem__(self, at):
        raise KeyError(at)

    def __setitem__(self, at, value):
        raise TypeError(f"not {at!r}")

    def __lt__(self, other):
        return Odd()

    def __neg__(self):
        return 1 / 0

    def __add__(self, number):
        return number * 2

    def __sub__(self, number):
        return NotImplemented


def said(what):
    try:
        return what()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


odd = Odd()
for what in [
    lambda: not odd,
    lambda: 1 if odd else 2,
    lambda: odd and 1,
    lambda: 1 in odd,
    lambda: 1 not in odd,
    lambda: odd["a"],
    lambda: odd.__setitem__(1, 2),
    lambda: type(odd < 1).__name__,
    lambda: 1 if odd < 1 else 2,
    lambda: 1 if odd < odd < odd else 2,
    lambda: odd > 1,
    lambda: odd >= odd,
    lambda: -odd,
    lambda: ~odd,
    lambda: odd + 21,
    lambda: odd - 1,
    lambda: line < 3,
    lambda: 3 > line,
    lambda: Line(1)[5],
    lambda: type(odd)[0],
]:
    print(said(what))
try:
    odd[1] = 2
except TypeError as error:
    print("stored:", error)


# Which side goes first.


class Base:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        print(f"{self.name}==", end=" ")
        return NotImplemented

    def __lt__(self, other):
        print(f"{self.name}<", end=" ")
        return NotImplemented

    def __gt__(self, other):
        print(f"{self.name}>", end=" ")
        return NotImplemented


class Derived(Base):
    def __gt__(self, other):
        print(f"{self.name}>>", end=" ")
        return True


one, two, derived = Base("one"), Base("two"), Derived("derived")
print(one == two, one != two, one == 3, one == one)
print(one < derived, derived > one, said(lambda: one < two), said(lambda: one > 3))
if one == two:
    print("no")
elif one < derived:
    print("yes")
print([one, two].index(two), two in [one, two])


# Loops over objects.


class Count:
    def __init__(self, end):
        self.at, self.end = 0, end

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= self.end:
            raise StopIteration(f"after {self.at}")
        self.at += 1
        return self.at


class Nested:
    def __init__(self, depth):
        self.inner = Nested(depth - 1) if depth else None
        self.left = 2

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return sum(item for item in self.inner) + 1 if self.inner else 1


count = Count(3)
for value in count:
    print(value, end=" ")
else:
    print("end", end=" ")
for value in count:
    print("never")
count.end = 5
print([value for value in count], list(Count(3)), sum(Count(4)))
for value in Count(9):
    if value % 2:
        continue
    if value > 6:
        break
    print(value, end=" ")
print([item for item in Nested(3)], list(zip(Count(2), Count(3))))


class Failing(Count):
    def __next__(self):
        if self.at == 2:
            next(iter([]))
        if self.at == self.end:
            raise ValueError("at the end")
        return super().__next__()


print([value for value in Failing(9)], said(lambda: [value for value in Failing(1)]))


def given():
    for value in Count(2):
        yield value
    yield from Count(2)


print(list(given()))


class Stop(StopIteration):
    pass


class Stopping:
    def __iter__(self):
        return self

    def __next__(self):
        raise Stop


print([value for value in Stopping()])
for value in Stopping():
    pass
else:
    print("stopped")


# Built-in functions and attributes.


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __abs__(self):
        return self.size

    def __next__(self):
        self.size -= 1
        if self.size < 0:
            raise StopIteration("at last")
        return self.size

    def __getattr__(self, name):
        if name == "never":
            raise AttributeError("never")
        return f"{name}?"


class Index:
    def __index__(self):
        return 4


for size in [3, True, Index(), -1, "no", 2.0, None]:
    sized = Sized(size)
    print(said(lambda: len(sized)), said(lambda: abs(sized) is size), end="; ")
print()
sized = Sized(2)
print(next(sized), next(sized), said(lambda: next(sized)), next(sized, "default"), said(lambda: next(sized, 1)))
print(sized.name, said(lambda: sized.never), getattr(sized, "never", 7), getattr(sized, "ever", 7))
print(hasattr(sized, "never"), hasattr(sized, "ever"), hasattr(line, "items"), hasattr(line, "item"), getattr(line, "item", 8))
print(said(lambda: line.item), said(lambda: getattr(line, "__len__")), said(lambda: len(line)), said(lambda: abs(line)))


class Watched:
    @property
    def failing(self):
        raise AttributeError("inside")

    @property
    def broken(self):
        return {}["key"]

    def __getattribute__(self, name):
        print("asked for", name, end="; ")
        return super().__getattribute__(name)


watched = Watched()
print(hasattr(watched, "failing"), hasattr(watched, "none"), getattr(watched, "none", 1))
print(said(lambda: watched.failing), said(lambda: hasattr(watched, "broken")), said(lambda: watched.none))


class Table:
    def __init__(self):
        self.rows = {}

    def __getitem__(self, key):
        print("get", key, end="; ")
        return self.rows.get(key, 0)

    def __setitem__(self, key, value):
        print("set", key, value, end="; ")
        self.rows[key] = value

    def __len__(self):
        return len(self.rows)


table = Table()
table["a"] += 1
table["a"] *= 5
table["b", 1] -= 2
table[len(table)] += len(table)
print(table.rows, len(table))
for table["c"] in range(2):
    pass
table["d"], other = [table["c"] for _ in range(2)]
print(table.rows)

# Depth.


class Deep:
    def __init__(self, depth):
        self.depth = depth

    def __getitem__(self, at):
        return 0 if at == 0 else self[at - 1] + 1

    def __eq__(self, other):
        return self.depth == 0 or Deep(self.depth - 1) == other

    def __lt__(self, other):
        return True if self.depth == 0 else Deep(self.depth - 1) < other

    def __contains__(self, at):
        return at == 0 or at - 1 in self

    def __bool__(self):
        return self.depth == 0 or not not Deep(self.depth - 1)

    def __neg__(self):
        return 0 if self.depth == 0 else -Deep(self.depth - 1) + 1

    def __len__(self):
        return 0 if self.depth == 0 else len(Deep(self.depth - 1)) + 1


deep = Deep(300)
print(deep[300], deep == 1, deep < 1, 300 in deep, not deep, -deep, len(deep))
print(said(lambda: deep[10**6])[:46])
print(said(lambda: Deep(10**6) == 1)[:46])
print(said(lambda: 10**6 in deep)[:46])


# What a method takes besides.


class Lenient:
    def __getitem__(self, at, default="none"):
        return at, default

    def __setitem__(self, *parts):
        print("set", parts)

    def __contains__(self, *, value=1):
        return True

    def __lt__(self, other, *more):
        return (other, more)


lenient = Lenient()
print(lenient[1], lenient[1:2, ...], lenient < 3, said(lambda: 1 in lenient))
lenient[1] = 2


class Generating:
    def __getitem__(self, at):
        yield from range(at)


print(list(Generating()[3]))


class Static:
    @staticmethod
    def __getitem__(at):
        return at * 2

    @classmethod
    def __contains__(cls, value):
        return cls.__name__ == value


print(Static()[21], "Static" in Static(), "static" in Static())


class Keyed(dict):
    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __missing__(self, key):
        return f"no {key}"

    def __contains__(self, key):
        return super().__contains__(key.lower())


class Lists(list):
    def __getitem__(self, at):
        return super().__getitem__(at) * 10


class Missing(dict):
    def __missing__(self, key):
        return f"missing {key}"


keyed = Keyed(a=1)
lists, missing = Lists([1, 2, 3]), Missing(a=1)
print(lists[0], lists[1:], said(lambda: lists[5]), [*lists], said(lambda: super(Lists, lists).__getitem__("a")))
print(missing["b"], dict.__getitem__(missing, "c"), missing.__getitem__("d"), missing.get("e"), dict(missing))
print(keyed["A"], keyed["B"], "A" in keyed, "B" in keyed, keyed == {"a": 1}, keyed != {})
