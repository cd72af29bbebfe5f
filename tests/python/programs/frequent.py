"""What the machine does without asking anybody, at the edges where it must ask."""


# Lists that change while a loop goes through them, and items that are gone when they are stored.
def grows():
    items = [1, 2, 3]
    for item in items:
        if len(items) < 6:
            items.append(item * 10)
    return items


def shrinks():
    items = [1, 2, 3]
    try:
        items[2] += items.pop()
    except IndexError as error:
        print("IndexError", error)
    return items


def stored():
    items = [0] * 3
    items[-1] = items
    items[0] = "a"
    items[0] += "b"
    items[1] += 2.5
    print(items[-1] is items, items[:2])
    for at in (3, -4):
        try:
            items[at] = 1
        except IndexError as error:
            print("IndexError", error)


print(grows(), shrinks())
stored()


# Keys that are numbers, texts, and what the program makes equal.
class Key:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return self.number == (other.number if isinstance(other, Key) else other)


def keys():
    held = {1: "one", "a": "text", Key(5): "five"}
    held[True] = "true"
    held[1.0] += "!"
    held["a"] = held["a"] + held["a"]
    print(held[1], held["a"], held.get(Key(5), 0), held[Key(5)], held.get(Key(6), 0), len(held))
    print(held.get((1, 2)), held.get(1.5, "none"), held.get("b"))
    for wrong in ([], {}):
        try:
            held.get(wrong)
        except TypeError as error:
            print("TypeError", error)
    for missing in (7, "b"):
        try:
            held[missing] += 1
        except KeyError as error:
            print("KeyError", error)
    counts = {}
    for letter in "mississippi":
        counts[letter] = counts.get(letter, 0) + 1
    print(counts)


keys()


# Texts that grow in place, unless somebody else has them.
def texts():
    whole = "a"
    kept = []
    for at in range(5):
        kept.append(whole)
        whole += str(at)
    whole += whole
    print(whole, kept)
    part = whole
    part += "!"
    print(len(whole), len(part), f"{whole}{(whole := 'new')}{whole}")


class Shown:
    def __init__(self, value):
        self.value = value

    def __format__(self, specification):
        self.value += 1
        return f"<{self.value}{specification}>"

    def __str__(self):
        return "shown"


def fields():
    shown, number = Shown(1), 3
    print(f"{shown}{shown!s}{shown}{shown:x}", f"{number}{1.5}{True}{None}{[1, 'a']}{-0.0}{1e300}")
    print(f"{number}{(number := 7)}{number}", f"{1}", f"{'a'}", f"{number=}{number!r:>4}{'ä'!a}")


texts()
fields()


# Generators that call, delegate, fail and are resumed from several places.
def count(stop):
    at = 0
    while at < stop:
        sent = yield at
        at += 1 if sent is None else sent
    return "counted"


def squares(stop):
    def square(number):
        return sum(number for _ in range(number))

    for number in count(stop):
        try:
            yield square(number)
        except ValueError as error:
            yield f"caught {error}"


def delegating():
    result = yield from count(3)
    yield result
    try:
        yield from squares(2)
    finally:
        yield "last"


def failing():
    yield 1
    try:
        raise KeyError("inner")
    except KeyError:
        yield 2
        raise ValueError("outer")


print(list(delegating()), list(zip(squares(4), squares(4))))
squaring = squares(9)
print(next(squaring), squaring.throw(ValueError("thrown")), next(squaring), list(squaring)[-1])
counting = count(10)
print(next(counting), counting.send(4), counting.send(None), list(counting))
try:
    for item in failing():
        print(item)
except ValueError as error:
    print(repr(error), repr(error.__context__))


def handles():
    try:
        raise TypeError("handled")
    except TypeError:
        for item in failing():
            yield item


try:
    print(list(handles()))
except ValueError as error:
    print(repr(error.__context__), repr(error.__context__.__context__))


# Arguments by name, defaults, and what does not fit.
def named(a, b=2, /, c=3, *, d, e=5):
    return a, b, c, d, e


class Named:
    def method(self, a, *, b=1):
        return a, b


print(named(1, d=4), named(1, 7, c=8, d=9, e=0), named(1, d=4, c=6), Named().method(b=3, a=2))
for call in (
    lambda: named(1),
    lambda: named(1, b=2, d=3),
    lambda: named(1, 2, 3, c=4, d=5),
    lambda: named(1, 2, 3, 4, d=5),
    lambda: named(1, d=4, f=6),
    lambda: Named().method(1, b=2, c=3),
    lambda: Named().method(),
):
    try:
        print(call())
    except TypeError as error:
        print(error)


# Names behind the dot that change what they are.
class Changing:
    kind = "class"

    def __init__(self, value):
        self.value = value
        self = None

    def method(self):
        return "method", self.value


def looks(objects):
    return [(o.value, o.kind, o.method()) for o in objects]


first, second = Changing(1), Changing(2)
print(looks([first, second]))
second.method = lambda: "field"
second.kind = "object"
print(looks([first, second]))
Changing.method = lambda self: "changed"
Changing.kind = "new"
print(looks([first, second]))
Changing.value = property(lambda self, more=1: self.__dict__["value"] * 100 + more)
print(looks([first, second]))
try:
    first.value = 3
except AttributeError as error:
    print(type(error).__name__)
del Changing.value
first.value = 3
del second.value
try:
    print(looks([first, second]))
except AttributeError as error:
    print(error)


class Node:
    def __init__(self, value, after=None):
        self.after = after
        self.value = value


class Fixed:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class Refusing:
    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

    def __getattr__(self, name):
        return name


node = None
for number in range(4):
    node = Node(number, node)


def walked(node):
    values = []
    while node is not None:
        values.append(node.value)
        node = node.after
    return values


print(walked(node))
fixed, refusing = Fixed(1), Refusing()
fixed.a += 1
refusing.a = 4
for _ in range(3):
    refusing.a += 1
print(fixed.a, refusing.a, refusing.b)
try:
    fixed.b = 1
except AttributeError as error:
    print(error)
try:
    Node()
except TypeError as error:
    print(error)


class Failing:
    def __init__(self):
        return 1


try:
    Failing()
except TypeError as error:
    print(error)

# Built-in functions of numbers, of what is nearly one, and of none.
nan = float("nan")
print(min(2, 1), max(2.5, 1.5), min(True, 2), max(1, 1.0), min(1.0, nan), max(nan, 1.0), min("b", "a"))
print(isinstance(True, int), isinstance(1, bool), isinstance(1, (str, int)), isinstance(node, Node))
print(isinstance(node, object), isinstance(Node, type), isinstance(1, Node), isinstance("a", str))
print(str(1), str("a"), str(1.0), str(True), str(), int(2.9), int(-2.9), int("7"), int(True), float(2))
print(int(9.1e18), float("1e3"), abs(-3), abs(-2.5), len("äö"), len({}), sum([1, 2.5]), sum([True, 2]))
print(sum([[1], [2]], []), sum(x for x in (1, 2)), sum([], 5))
for wrong in (lambda: int("x"), lambda: len(5), lambda: min(1, "a"), lambda: float("y")):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# Sorting: stable both ways, by any key, with what has no order.
words = ["pear", "fig", "apple", "kiwi", "plum", "date"]
print(sorted(words), sorted(words, key=len), sorted(words, key=len, reverse=True))
print(sorted([3, 1, 2], reverse=True), sorted([2.5, -1.0, 0.0, -0.0]), sorted([1, 0.5, True]))
print(sorted([(2, "b"), (1, "z"), (2, "a")]), sorted("cab"), sorted([]), sorted([nan, 1.0])[1])
words.sort(key=lambda word: word[-1])
print(words)
for mixed in ([1, "a"], [None, None]):
    try:
        sorted(mixed)
    except TypeError as error:
        print(error)


# Pairs that change places, and what does not unpack.
def pairs():
    a, b = 1, 2
    a, b = b, a
    for a, (b, c) in [(1, (2, 3)), ("x", "yz")]:
        print(a, b, c)
    for wrong in ((1, 2, 3), (1,), 5):
        try:
            a, b = wrong
        except (TypeError, ValueError) as error:
            print(type(error).__name__)
    return a, b


print(pairs())
