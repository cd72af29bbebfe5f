# What a place remembers of the last object, function or list must not count for another one.
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def size(self):
        return self.x + self.y

    def grow(self, by):
        self.x = self.x + by
        return self


class Turned:
    def __init__(self, x, y):
        self.y = y
        self.x = x

    def size(self):
        return self.x - self.y


class Wide:
    def __init__(self, x, y):
        for at in range(12):
            setattr(self, f"f{at}", at)
        self.x = x
        self.y = y

    def size(self):
        return self.x * self.y


class Bare:
    x = 7
    y = 8

    def size(self):
        return (self.x, self.y)


class Asked:
    def __getattr__(self, name):
        return len(name)

    def size(self):
        return self.x + self.yy


class Computed:
    y = 1

    @property
    def x(self):
        return 40

    def size(self):
        return self.x + self.y


def sizes(objects):
    out = []
    for object in objects:
        out.append((object.x, object.size(), object.x + 1, object.x - 1))
    return out


points = [Point(1, 2), Point(2.5, 3), Turned(5, 9), Point(3, 4), Wide(6, 7), Bare(), Point(8, 9)]
print(sizes(points * 2))
print(sizes([Computed(), Point(1, 1), Computed(), Asked(), Point(1, 1), Asked()]))

# Fields that change kind, come, and go.
def kinds(p):
    seen = []
    for value in [1, 2.5, True, None, "text", [1], 3, -0.0, 2**62, Point]:
        p.x = value
        seen.append(p.x)
        p.x = p.x
    return seen


p = Point(0, 0)
print([str(value)[:20] for value in kinds(p)], p.__dict__["y"])


def again(p, n):
    for at in range(n):
        if at == 3:
            del p.x
            p.x = 100
        if at == 5:
            p.extra = "e"
        p.x = p.x + 1
        p.y = p.y + p.x
    return list(p.__dict__.items())


print(again(Point(1, 2), 8))


def lost(p):
    for at in range(4):
        if at == 2:
            del p.x
        p.x = p.x + 1


try:
    lost(Point(0, 0))
except AttributeError as error:
    print(error)


# A method that an object, its class or another class takes over.
def calls(p, n):
    out = []
    for at in range(n):
        if at == 2:
            p.size = lambda: "own"
        if at == 4:
            del p.size
        if at == 5:
            Point.size = lambda self: "class"
        out.append(p.size())
    return out


print(calls(Point(1, 2), 7))
Point.size = lambda self: self.x


def chain(p, n):
    for at in range(n):
        p = p.grow(at).grow(1)
    return p.x


print(chain(Point(0, 0), 5))


def made(n):
    out = []
    for at in range(n):
        class Again:
            def __init__(self):
                self.first = at
                if at % 2:
                    self.second = at
                    self.first = -at

            def value(self):
                return self.first * at

        one = Again()
        out.append((one.first, one.value()))
    return out


print(made(6))


# Numbers beside operators.
class Loud:
    def __add__(self, other):
        return f"{other} after"

    def __radd__(self, other):
        return f"{other} before"

    def __sub__(self, other):
        return f"less {other}"

    def __lt__(self, other):
        return f"under {other}"

    def __eq__(self, other):
        return []

    def __gt__(self, other):
        return 0


def sums(x):
    return (x + 1, x - 1, x + 0, x - 0, x + 32767, x - 32767, x + 32768, x - 32768)


def orders(x):
    out = [x < 2, x <= 2, x > 2, x >= 2, x == 2, x != 2, x < 32767, x < 32768, x == -1]
    if x < 2:
        out.append("less")
    if not x >= 2:
        out.append("not")
    while x > 2:
        out.append("while")
        break
    return out + [1 if x == 2 else 0, x < 2 and "and", x != 2 or "or"]


for value in [0, 2, -3, 2.5, -0.0, float("nan"), float("inf"), True, 32766, 2**53 + 1, 1 + 2j]:
    print(sums(value))
    if value != 1 + 2j:
        print(orders(value))


loud = Loud()
print(loud + 1, loud - 1, 1 + loud, loud < 2, loud == 2, loud != 2, bool(loud > 2))
print("less" if loud < 2 else "more", "equal" if loud == 2 else "different", "over" if loud > 2 else "under")
for wrong in ["text", None, [1], (1,), {1}, Point(1, 2), sums]:
    for action in (lambda x: x + 1, lambda x: x - 1, lambda x: x < 2):
        try:
            print(action(wrong))
        except TypeError as error:
            print(error)
    print(wrong == 2, wrong != 2)


# A function whose name is bound anew while its arguments are computed.
def first(x):
    return ("first", x)


def second(x):
    return ("second", x)


def swap():
    global first
    first, second_ = second, first
    return 1


def caller():
    return [first(2), first(swap()), first(3)]


print(caller())


def deep(n):
    if n < 1:
        return 0
    return deep(n - 1) + 1


print(deep(900))
try:
    deep(5000)
except RecursionError as error:
    print("too deep")
print(deep(10))


# Lists while a loop goes through them and stores into them.
def items(l):
    out = []
    for at, item in enumerate(list(l)):
        l[at] = item
        l[at - 1] = at
    for item in l:
        out.append(item)
        if len(l) < 9:
            l.append(item)
        l[0] = "t"
    for l in [[1, 2], [3, "x", 4.5], [None, True]]:
        for item in l:
            l[0] = 2.5
            out.append(item)
    return out


print(items([1, 2.5, "x", None, True, [1]]))


def stores(l):
    for at in range(-len(l), len(l)):
        l[at] = at
    try:
        l[len(l)] = 1
    except IndexError as error:
        print(error)
    same = l
    for at in [0, -1]:
        same[at] = False
    return l


print(stores([0, "a", [], 2.5]))


# `append` of lists and of what only has a method of that name.
class Log(list):
    def append(self, item):
        list.append(self, ("logged", item))


class Sink:
    def __init__(self):
        self.got = []

    def append(self, item):
        self.got.append(item)
        return "told"


def appends(targets, items):
    out = []
    for target in targets:
        for item in items:
            out.append(target.append(item))
    return out


first_list, log, sink = [], Log(), Sink()
items = [1, 2.5, True, None, "s", [3], first_list]
print(appends([first_list, log, first_list, sink, []], items))
print(len(first_list), first_list[:6], first_list[6] is first_list, len(log), log[1], len(sink.got))


def grows(n):
    made, same = [], None
    same = made
    for at in range(n):
        made.append(at)
        made.append(at * 0.5)
        if at % 50 == 0:
            made.append(len(same))
            same = made = list(made)
    return len(made), made[-3:], sum(made)


print(grows(300))
kept = [0]


def fails(n):
    for at in range(n):
        kept.append(at)
        kept[0] = at
        if at == 5:
            raise ValueError("five")


try:
    fails(9)
except ValueError as error:
    print(error, kept)
for wrong in [lambda: [].append(), lambda: [].append(1, 2)]:
    try:
        wrong()
    except TypeError:
        print("TypeError")
