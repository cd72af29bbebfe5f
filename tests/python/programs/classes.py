# Classes: methods, attributes, inheritance, properties, operators.
class Point:
    """A point."""

    count = 0

    def __init__(self, x=0, y=0):
        self.x, self.y = x, y
        Point.count += 1

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __add__(self, other):
        if isinstance(other, Point):
            return Point(self.x + other.x, self.y + other.y)
        return NotImplemented

    def __radd__(self, other):
        return Point(self.x + other, self.y + other)

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __lt__(self, other):
        return (self.x, self.y) < (other.x, other.y)

    def __bool__(self):
        return bool(self.x or self.y)

    def __len__(self):
        return 2

    def __iter__(self):
        yield self.x
        yield self.y

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __setitem__(self, i, v):
        if i == 0:
            self.x = v
        else:
            self.y = v

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __call__(self, k):
        return self.x * k + self.y

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __format__(self, spec):
        return f"<{self.x:{spec}}|{self.y:{spec}}>"

    @property
    def norm(self):
        return abs(self)

    @norm.setter
    def norm(self, value):
        k = value / abs(self)
        self.x *= k
        self.y *= k

    @staticmethod
    def origin():
        return Point()

    @classmethod
    def diagonal(cls, n):
        return cls(n, n)


p, q = Point(3, 4), Point(1, 2)
print(p, q, p + q, p - q, p * 2, 2 * p, -p, 1 + p)
print(p == q, p == Point(3, 4), p != q, p < q, sorted([p, q]), max(p, q))
print(bool(p), bool(Point()), len(p), list(p), p[0], p[-1], 4 in p, 9 in p, p(10))
print(abs(p), p.norm, f"{p:.1f}", f"{p!r:>12}", "%s %r" % (p, p), str(p), format(q, "03d"))
p[0] = 6
p[1] = 8
print(p, p.norm)
p.norm = 5
print(p, Point.origin(), Point.diagonal(2), p.diagonal(1), Point.count, p.count)
print({Point(1, 1): "a"}[Point(1, 1)], Point(1, 1) in {Point(1, 1)}, len({Point(0, 0), Point(0, 0)}))
x, y = q
print(x, y, [*q], max(*q), tuple(q))
try:
    p + "a"
except TypeError as e:
    print(e)
try:
    q.norm = 0
    q.missing
except AttributeError as e:
    print(e)
print(Point.__name__, Point.__doc__, Point.__mro__, type(p), type(p) is Point, p.__class__.__name__)
print(isinstance(p, Point), isinstance(p, object), isinstance(p, int), issubclass(Point, object))
print(sum([Point(1, 2), Point(3, 4)], Point()))


class A:
    kind = "a"

    def __init__(self):
        self.log = ["A"]

    def who(self):
        return "A.who " + self.kind

    def chain(self):
        return ["A"]


class B(A):
    kind = "b"

    def __init__(self):
        super().__init__()
        self.log.append("B")

    def who(self):
        return "B>" + super().who()

    def chain(self):
        return ["B"] + super().chain()


class C(A):
    def chain(self):
        return ["C"] + super().chain()


class D(B, C):
    def chain(self):
        return ["D"] + super().chain()


d = D()
print(d.chain(), d.who(), d.log, [c.__name__ for c in D.__mro__])
print(A.who(d), B.chain(C() if False else d), D.kind, D.__bases__ == (B, C), D.__base__ is B)
D.kind = "d"
print(d.kind, B.kind, vars(d), d.__dict__)
d.kind = "own"
print(d.kind, vars(d))
del d.kind
print(d.kind, hasattr(d, "kind"), hasattr(d, "nope"), getattr(d, "nope", 7), getattr(d, "kind"))
setattr(d, "new", 5)
print(d.new, sorted(vars(d)))
delattr(d, "new")
try:
    del d.new
except AttributeError as e:
    print(type(e).__name__)
D.added = lambda self, n: (self.kind, n)
print(d.added(3))
bound = d.who
print(bound(), bound.__name__, bound.__self__ is d)


class Dynamic:
    def __init__(self):
        self.real = 1

    def __getattr__(self, name):
        if name.startswith("x"):
            return name.upper()
        raise AttributeError(name)


z = Dynamic()
print(z.real, z.xyz, hasattr(z, "abc"), getattr(z, "abc", None))


class Recorder:
    def __init__(self):
        object.__setattr__(self, "log", [])

    def __setattr__(self, name, value):
        self.log.append((name, value))
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self.log.append(name)
        super().__delattr__(name)


r = Recorder()
r.a = 1
r.b = 2
del r.a
print(r.log, hasattr(r, "a"), r.b)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 1


s = Slots()
try:
    s.c = 3
except AttributeError as e:
    print(e)
print(s.a)


class Counter:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Counter(3)), sum(Counter(5)), [x * 2 for x in Counter(3)], next(Counter(2)), max(Counter(4)))
for x in Counter(2):
    print("x", x)


class Sequence:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * i


print(list(Sequence()), 4 in Sequence(), 5 in Sequence(), tuple(zip(Sequence(), "abc")))


class Celsius:
    def __init__(self, t):
        self._t = t

    def get(self):
        return self._t

    def set(self, t):
        if t < -273:
            raise ValueError("too cold")
        self._t = t

    def delete(self):
        self._t = None

    t = property(get, set, delete, "temperature")


c = Celsius(20)
c.t = 30
print(c.t)
try:
    c.t = -300
except ValueError as e:
    print(e)
del c.t
print(c.t)


class ReadOnly:
    @property
    def v(self):
        return 1


try:
    ReadOnly().v = 2
except AttributeError as e:
    print(e)
try:
    del ReadOnly().v
except AttributeError as e:
    print(e)


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, "unset")

    def __set__(self, obj, value):
        setattr(obj, self.name, value * 2)


class Owner:
    a = Descriptor()


o = Owner()
print(o.a, type(Owner.a).__name__)
o.a = 4
print(o.a, vars(o))


class Private:
    def __init__(self):
        self.__secret = 1

    def __hidden(self):
        return self.__secret

    def reveal(self):
        return self.__hidden()


print(Private().reveal(), sorted(vars(Private())), hasattr(Private(), "__secret"))


class Plugin:
    known = []

    def __init_subclass__(cls, tag="none", **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag
        Plugin.known.append(cls.__name__)


class P1(Plugin, tag="one"):
    pass


class P2(Plugin):
    pass


print(Plugin.known, P1.tag, P2.tag)


class Single:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

    def __init__(self, v=None):
        self.v = v


print(Single(1) is Single(2), Single(3).v)


class Stack(list):
    def push(self, x):
        self.append(x)

    def peek(self):
        return self[-1]


st = Stack([1, 2])
st.push(3)
print(st, len(st), st.peek(), st[0], isinstance(st, list), st + [4], sum(st), sorted(st, reverse=True), 2 in st)


class Default(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value


dd = Default(a=1)
print(dd["a"], dd["b"], dict(dd), len(dd), isinstance(dd, dict), sorted(dd))


class Upper(str):
    def shout(self):
        return self.upper() + "!"


u = Upper("hey")
print(u.shout(), u + " you", len(u), u == "hey", {u: 1}["hey"], isinstance(u, str), u[0])


class Meters(float):
    def __repr__(self):
        return f"{float(self)}m"


print(Meters(2.5), Meters(2.5) + 1, Meters(1) < Meters(2))


def make(n):
    class Local:
        value = n

        def get(self):
            return n, self.value

    return Local


print(make(3)().get(), make(4).value)


class Outer:
    class Inner:
        x = 1

    y = Inner.x + 1
    table = {i: i * i for i in range(3)}
    if y == 2:
        z = "two"
    for w in range(3):
        pass


print(Outer.y, Outer.Inner.x, Outer.table, Outer.z, Outer.w, Outer.Inner.__name__, Outer.Inner.__qualname__)


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def __getitem__(self, key):
        i, j = key
        return self.rows[i][j]

    def __imul__(self, k):
        self.rows = [[k * v for v in row] for row in self.rows]
        return self


m = Matrix([[1, 2], [3, 4]])
n = m
m *= 2
print((m @ m).rows, m[0, 1], n is m)


class Number:
    def __init__(self, v):
        self.v = v

    def __int__(self):
        return int(self.v)

    def __float__(self):
        return float(self.v)

    def __index__(self):
        return int(self.v)

    def __round__(self, n=None):
        return round(self.v, n) if n is not None else round(self.v)

    def __str__(self):
        return "n" + str(self.v)


n = Number(2.7)
print(int(n), float(n), [1, 2, 3][n], round(n), round(n, 1), str(n), list(range(n)))


class Cmp:
    def __init__(self, v):
        self.v = v

    def __le__(self, other):
        return "le"

    def __gt__(self, other):
        return "gt"


print(Cmp(1) <= Cmp(2), Cmp(1) >= Cmp(2), Cmp(1) > Cmp(2), Cmp(1) < Cmp(2))
try:
    A() < A()
except TypeError as e:
    print(e)
for wrong in (lambda: Point(1, 2, 3), lambda: A(1), lambda: Dynamic().who(), lambda: len(A()), lambda: A()[0], lambda: iter(A()), lambda: A()(), lambda: A.who()):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)


class NoInit:
    pass


try:
    NoInit(1)
except TypeError as e:
    print(e)


class BadInit:
    def __init__(self):
        return 1


try:
    BadInit()
except TypeError as e:
    print(e)


class Unhashable:
    def __eq__(self, other):
        return True


try:
    {Unhashable(): 1}
except TypeError as e:
    print(e)
print(callable(Point), callable(p), callable(A()), type(A).__name__, type(type).__name__)
T = type("T", (A,), {"extra": 4, "f": lambda self: self.extra})
print(T().f(), T.__name__, T().who())


class Lazy:
    @property
    def value(self):
        if not hasattr(self, "_value"):
            print("computing")
            self._value = 42
        return self._value


lazy = Lazy()
print(lazy.value, lazy.value)


def decorate(cls):
    cls.decorated = True
    return cls


@decorate
class Decorated:
    pass


print(Decorated.decorated)
print(super(D, d).chain(), isinstance(d, (int, A)), issubclass(D, (int, C)))


class Node:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)

    def total(self):
        return self.value + sum(child.total() for child in self.children)

    def __repr__(self):
        return f"Node({self.value!r}, {self.children!r})"


tree = Node(1, [Node(2), Node(3, [Node(4)])])
print(tree.total(), tree)
print([m.__name__ for m in (d.who, d.chain)], A.who.__name__, A.who.__qualname__)


class Outer2:
    def method(self):
        def inner():
            return __class__.__name__, super(Outer2, self).__repr__() != ""

        return inner()


print(Outer2().method())


class WithAnnotations:
    a: int
    b: str = "x"


print(WithAnnotations.__annotations__ == {"a": int, "b": str}, WithAnnotations.b, hasattr(WithAnnotations, "a"))
