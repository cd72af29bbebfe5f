# Objects that lead to others: fields read into the variable that holds the object, names of items, `super()`.
from collections import namedtuple


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Tree:
    left = None
    right = None

    def __init__(self, key):
        self.key = key

    @property
    def least(self):
        return self if self.left is None else self.left.least


def chain(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    return head


def total(node):
    s = 0
    while node:
        s += node.value
        node = node.next
    return s


def walk(node, n):
    for i in range(n):
        node = node.next
    return node.value


print(total(chain(5)), walk(chain(5), 2), [walk(chain(4), i) for i in range(4)])
for n in (4, 5):
    try:
        print(walk(chain(4), n))
    except AttributeError as error:
        print(error)


def insert(tree, key):
    while True:
        side = "left" if key < tree.key else "right"
        if getattr(tree, side) is None:
            setattr(tree, side, Tree(key))
            return
        tree = tree.left if key < tree.key else tree.right


root = Tree(50)
for key in (30, 70, 20, 40, 60, 80, 10):
    insert(root, key)


def down(tree):
    seen = []
    while tree is not None:
        seen.append(tree.key)
        tree = tree.left
    return seen


def least(tree):
    # A property gives the object that takes the place of its own.
    for i in range(3):
        tree = tree.least
    return tree.key


print(down(root), down(root.right), least(root), root.least.key)


class Kinds:
    pass


def replaced(x, n):
    for i in range(n):
        x = x.it
    return x


a, b = Kinds(), Kinds()
a.it, b.it = b, "text"
print(replaced(a, 1) is b, replaced(a, 2), replaced(b, 1))
b.it = 2.5
print(replaced(a, 2))
b.it = [1]
print(replaced(a, 2) is b.it)
b.it = a
print(replaced(a, 3) is b, replaced(a, 4) is a)

Point = namedtuple("Point", "x y z", defaults=[9])


class Named(Point):
    def total(self):
        return self.x + self.y + self.z


class Checked(namedtuple("Base", "a b")):
    def __new__(cls, a, b=0):
        return super().__new__(cls, a * 2, b)


class Begun(namedtuple("Other", "a")):
    def __init__(self, *args):
        self.begun = args


def points(n):
    out = []
    for i in range(n):
        p = Point(i, i + 1)
        q = Named(i, y=2, z=3)
        r = Point(*p)
        c = Checked(i)
        d = Begun(i)
        out.append((p, p.x + p.y * p.z, q, q.total(), r == p, c, c.a, d, d.begun, type(q).__name__, isinstance(q, Point)))
    return out


for row in points(3):
    print(row)
for wrong in (lambda: Point(), lambda: Point(1, 2, 3, 4), lambda: Point(1, x=2), lambda: Checked(), lambda: Begun()):
    for again in range(2):
        try:
            print(wrong())
        except TypeError as error:
            print(str(error).replace("Point.", "").replace("Checked.", "").replace("Begun.", "").replace("Other.", ""))
Point.x = property(lambda self: "changed")
print([Point(1, 2).x for i in range(3)], Point(1, 2)[0], Named(5, 6).x)


class A:
    def __init__(self, n):
        self.n = n

    def f(self, x, k=1):
        return self.n + x * k

    @classmethod
    def made(cls, n):
        return cls(n)

    @staticmethod
    def s(x):
        return "A", x

    @property
    def p(self):
        return "p of A"


class B(A):
    def __init__(self, n):
        super().__init__(n + 1)

    def f(self, x, k=2):
        return super().f(x, k=k) * 10

    @classmethod
    def made(cls, n):
        return super().made(n + 100)

    def s(self, x):
        return super().s(x)

    @property
    def p(self):
        return "B and " + super().p


class Mixin:
    def f(self, x):
        return "mixin " + str(super().f(x))


class C(Mixin, B):
    pass


class D(list):
    def append(self, item):
        super().append(item * 2)
        return super().__len__()


for i in range(3):
    b, c, d = B(i), C(i), D()
    print(b.f(i), b.f(i, 3), c.f(i), B.made(i).n, C.made(i).f(1), b.s(i), c.p, d.append(i), d, d.append([i]), d)
b = B(1)
A.f = lambda self, x, k=1: "changed"
print(b.f(2) if isinstance(b.f(2), str) else b.f(2), C(1).f(1))
try:
    super(B, 5).f
except TypeError as error:
    print(error)
