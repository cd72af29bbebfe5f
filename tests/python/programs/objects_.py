# What the object protocol asks for, beside CPython.
import traceback


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 1


s = Slots()
for wrong in [lambda: s.b, lambda: setattr(s, "c", 1), lambda: s.__dict__]:
    try:
        wrong()
    except AttributeError as e:
        print(e)


class Base:
    registry = []

    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry.append((cls.__name__, tag))


class A(Base, tag="x"):
    pass


class B(A):
    pass


print(Base.registry)


class Field:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(f"{self.name[1:]} must not be negative")
        setattr(instance, self.name, value)


class Account:
    balance = Field()


account = Account()
account.balance = 5
print(account.balance, account.__dict__)
try:
    account.balance = -1
except ValueError as e:
    print(e)


class Box:
    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item.__name__}]"


print(Box[int])


class Watch:
    def __getattribute__(self, name):
        if name.startswith("secret"):
            raise AttributeError(f"no {name}")
        return super().__getattribute__(name)

    def __getattr__(self, name):
        return f"got {name}"

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

    def __delattr__(self, name):
        print("deleting", name)
        super().__delattr__(name)


w = Watch()
w.x = 4
print(w.x, w.secret1, w.other, hasattr(w, "zzz"))
del w.x
try:
    del w.x
except AttributeError as e:
    print(e)


class Number:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n

    def __format__(self, spec):
        return f"<{spec}:{self.n}>"

    def __matmul__(self, other):
        return f"{self.n}@{other}"

    def __rmatmul__(self, other):
        return f"{other}@{self.n}"

    def __rsub__(self, other):
        return other - self.n

    def __divmod__(self, other):
        return divmod(self.n, other)

    def __round__(self, digits=None):
        return ("rounded", digits)

    def __reversed__(self):
        return "reversed"

    def __contains__(self, item):
        return item == self.n

    def __abs__(self):
        return abs(self.n)

    def __bool__(self):
        return self.n > 0

    def __call__(self, *args, **kw):
        return args, kw

    def __iadd__(self, other):
        self.n += other
        return self

    def __lt__(self, other):
        return self.n < other.n


n = Number(3)
print([10, 20, 30, 40][n], f"{n:>5}", format(n, "x"), n @ 2, 2 @ n, 10 - n, divmod(n, 2), round(n), round(n, 2))
print(reversed(n), 3 in n, 4 in n, abs(n), bool(Number(0)), n(1, a=2), hex(n), range(n), [1] * n, min(n, Number(1)).n)
n += 4
print(n.n, bin(n), "abcdefgh"[n], chr(Number(65)), "x" * Number(2))


class Unhashable:
    __hash__ = None


class EqOnly:
    def __eq__(self, other):
        return True


for value in (Unhashable(), EqOnly(), [], {}, set(), slice(1)):
    try:
        hash(value)
    except TypeError as e:
        print(e)


class Default(dict):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]


d = Default(a=1)
print(d["a"], d["q"], d, "z" in d, d.get("z"))


class Negative:
    def __len__(self):
        return -1


for call in (len, list, bool):
    try:
        print(call(Negative()))
    except Exception as e:
        print(call.__name__, type(e).__name__, e)


class Odd:
    def __len__(self):
        return "3"

    def __bool__(self):
        return 3

    def __str__(self):
        return 5

    def __repr__(self):
        return None

    def __hash__(self):
        return "h"

    def __iter__(self):
        return 5

    def __contains__(self, item):
        return "yes"

    def __index__(self):
        return 1.5

    def __float__(self):
        return 1


for call in (len, bool, str, repr, hash, iter, float, lambda o: 1 in o, lambda o: [1, 2][o], lambda o: range(o)):
    try:
        print(call(Odd()))
    except Exception as e:
        print(type(e).__name__, e)


class Seq:
    def __getitem__(self, i):
        if isinstance(i, slice):
            return ("slice", i.start, i.stop, i.step)
        if i >= 3:
            raise IndexError(i)
        return i * i

    def __len__(self):
        return 3


q = Seq()
print(list(q), 4 in q, q[1:2], q[::3], list(reversed(q)), sum(q), max(q), tuple(q), [*q], dict(zip("abc", q)))


class Managed:
    def __enter__(self):
        print("in")
        return self

    def __exit__(self, kind, value, tb):
        print("out", kind and kind.__name__, value, tb is not None)
        return kind is ValueError


with Managed():
    raise ValueError("swallowed")
with Managed():
    pass
try:
    with 5:
        pass
except TypeError as e:
    print(e)
try:
    with Managed:
        pass
except TypeError as e:
    print(e)


class Upper(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key.upper(), value)

    def __getitem__(self, key):
        return super().__getitem__(key.upper())

    def __contains__(self, key):
        return super().__contains__(key.upper())

    def __delitem__(self, key):
        super().__delitem__(key.upper())


u = Upper()
u["a"] = 1
u["b"] = 2
del u["b"]
print(u["a"], "a" in u, "z" in u, len(u), list(u), u)


class Logged(list):
    def __setitem__(self, at, value):
        print("set", at, value)
        super().__setitem__(at, value)

    def __iter__(self):
        return iter([item * 10 for item in super().__iter__()])

    def __len__(self):
        return super().__len__() + 100


l = Logged([1, 2, 3])
l[0] = 5
print(list(l), len(l), l[0], dict.__len__({1: 2}), [1, 2].__len__(), list.__getitem__([7, 8], 1))
