# Operators of classes: what a method that does not know leaves to the other side, and in which order.
class V:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        if not isinstance(other, V):
            return NotImplemented
        return V(self.x + other.x, self.y + other.y)

    def __sub__(self, other, scale=1):
        return V(self.x - other.x * scale, self.y - other.y * scale)

    def __mul__(self, k):
        return V(self.x * k, self.y * k) if isinstance(k, (int, float)) else NotImplemented

    def __rmul__(self, k):
        return ("rmul", k)

    def __repr__(self):
        return f"V({self.x}, {self.y})"


a, b = V(1, 2), V(3, 4)
print(a + b, a - b, a * 2, 2 * a, a + b * 3 - a)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: a + 1)
attempt(lambda: 1 + a)
attempt(lambda: a * b)
attempt(lambda: a * "x")
attempt(lambda: a @ b)
attempt(lambda: a % 2)
attempt(lambda: a - 1)


def updated():
    c = a
    c += b
    print(c, a)
    c *= 2
    print(c)
    c += 1


attempt(updated)


class W(V):
    def __add__(self, other):
        return ("W.add", type(other).__name__)

    def __radd__(self, other):
        return ("W.radd", type(other).__name__)


w = W(5, 6)
print(a + w, w + a, w + 1, 1 + w, sum([w]), w * 2, 2 * w, w - a)


class N:
    asked = []

    def __init__(self, name):
        self.name = name

    def __add__(self, other):
        N.asked.append(("add", self.name))
        return NotImplemented

    def __radd__(self, other):
        N.asked.append(("radd", self.name))
        return NotImplemented

    def __iadd__(self, other):
        N.asked.append(("iadd", self.name))
        return NotImplemented


class M(N):
    pass


class Other:
    def __radd__(self, other):
        return f"other took {type(other).__name__}"


n, m = N("n"), M("m")
for f in (lambda: n + n, lambda: n + m, lambda: m + n, lambda: n + 1, lambda: 1 + n, lambda: n + Other(), lambda: m + "x"):
    N.asked = []
    attempt(f)
    print(N.asked)


def in_place(x):
    N.asked = []
    x += x


attempt(lambda: in_place(n))
print(N.asked)


# Errors inside, recursion, generators, closures and defaults in the methods.
class E:
    def __add__(self, other):
        raise ValueError("no sum")

    def __sub__(self, other):
        return (yield_ for yield_ in (self, other))

    def __mul__(self, other):
        total = 0

        def inner():
            nonlocal total
            total += other
            return total

        return [inner() for _ in range(3)]

    def __truediv__(self, other):
        yield other
        yield self

    def __pow__(self, other):
        return self ** (other - 1) if other else "bottom"

    def __floordiv__(self, other):
        return self // (other + 1)


e = E()
attempt(lambda: e + e)
attempt(lambda: len(list(e - 1)))
attempt(lambda: e * 2)
attempt(lambda: [type(v).__name__ for v in e / 7])
attempt(lambda: e ** 50)
try:
    e // 0
except RecursionError:
    print("too deep")


def caught():
    try:
        return e + 1
    except ValueError as error:
        return f"caught {error}", e ** 2
    finally:
        print("finally")


print(caught())


# Changed while it runs, and by an object of its own.
class C:
    def __add__(self, other):
        C.__add__ = lambda self, other: "second"
        return "first"


c = C()
print(c + c, c + c)
c.__add__ = lambda other: "own"
print(c + c)


class Money(int):
    def __add__(self, other):
        return Money(int(self) + int(other))

    def __repr__(self):
        return f"${int(self)}"


print(Money(3) + Money(4), Money(3) + 4, 4 + Money(3), Money(3) * 2, sum([Money(1), Money(2)], Money(0)))


class L(list):
    def __add__(self, other):
        return ("L.add", len(other))

    def __iadd__(self, other):
        self.append("iadd")
        return self


x = L([1])
y = x
x += [2]
print(x, y is x, x + [3], [3] + x, x * 2)


def loop(n):
    s = V(0, 0)
    for i in range(n):
        s = s + V(i, 1) * 2 - V(0, 1)
    return s


print(loop(1000))
total = V(0, 0)
for i in range(5):
    total += V(i, i)
print(total)
