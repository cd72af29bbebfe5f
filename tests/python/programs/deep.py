import copy
import json
import functools


class Number:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return other if self.n == 0 else 1 + (Number(self.n - 1) + other)

    def __radd__(self, other):
        return other + self.n

    def __neg__(self):
        return 0 if self.n == 0 else -Number(self.n - 1) - 1

    def __getitem__(self, index):
        return index if self.n == 0 else Number(self.n - 1)[index] + 1

    def __call__(self, x):
        return x if self.n == 0 else Number(self.n - 1)(x) + 1

    def __len__(self):
        return 0 if self.n == 0 else len(Number(self.n - 1)) + 1

    def __bool__(self):
        return False if self.n == 0 else not Number(self.n - 1)

    def __contains__(self, x):
        return True if self.n == 0 else x in Number(self.n - 1)

    def __hash__(self):
        return 7 if self.n == 0 else hash(Number(self.n - 1))

    def __getattr__(self, name):
        if name.startswith("a"):
            k = int(name[1:])
            return 0 if k == 0 else getattr(self, f"a{k - 1}") + 1
        raise AttributeError(name)

    @property
    def depth(self):
        return 0 if self.n == 0 else Number(self.n - 1).depth + 1

    def __enter__(self):
        if self.n == 0:
            return 0
        with Number(self.n - 1) as inner:
            return inner + 1

    def __exit__(self, *error):
        return False

    def __int__(self):
        return 0 if self.n == 0 else int(Number(self.n - 1)) + 1

    def __format__(self, spec):
        return "." if self.n == 0 else f"{Number(self.n - 1):x}"


print(Number(400) + 1, Number(450)(0), Number(900).depth, -Number(400))
print(Number(400)[5], len(Number(300)), bool(Number(300)), bool(Number(301)))
print(1 in Number(300), hash(Number(300)), Number(0).a300, int(Number(300)))
print(f"{Number(200):x}")
with Number(300) as depth:
    print(depth)


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next

    def __repr__(self):
        return f"{self.value} {self.next!r}"

    def __eq__(self, other):
        return isinstance(other, Node) and self.value == other.value and self.next == other.next

    def __lt__(self, other):
        return other.next is not None and (self.next is None or self.next < other.next)

    def __iter__(self):
        yield self.value
        if self.next is not None:
            yield from self.next


def nodes(n):
    first = None
    for i in range(n):
        first = Node(i, first)
    return first


print(len(repr(nodes(200))), nodes(300) == nodes(300), nodes(200) < nodes(201))
print(sum(nodes(300)), max(nodes(300)))


def by_key(n):
    return n if n == 0 else sorted([n], key=lambda k: by_key(n - 1))[0]


def by_map(n):
    return 0 if n == 0 else 1 + sum(map(lambda _: by_map(n - 1), [0]))


def by_reduce(n):
    return 0 if n == 0 else functools.reduce(lambda a, b: a + by_reduce(n - 1), [1, 0])


def by_comprehension(n):
    return 0 if n == 0 else sum([by_comprehension(n - 1) + 1 for _ in range(1)])


print(by_key(200), by_map(200), by_reduce(200), by_comprehension(200))


class Endless:
    def __add__(self, other): return self + other
    def __repr__(self): return repr(self)
    def __eq__(self, other): return self == other
    def __lt__(self, other): return self < other
    def __getattr__(self, name): return getattr(self, name + "x")
    def __call__(self): return self()
    def __bool__(self): return bool(self)
    def __len__(self): return len(self)
    def __getitem__(self, index): return self[index]
    def __iter__(self): return iter(self)
    def __hash__(self): return hash(self)
    def __str__(self): return str(self)
    @property
    def prop(self): return self.prop


def attempt(name, run):
    try:
        print(name, run())
    except RecursionError as error:
        print(name, "RecursionError", str(error).startswith("maximum recursion depth exceeded"))


endless = Endless()
for name, run in [
    ("add", lambda: endless + 1), ("repr", lambda: repr(endless)), ("eq", lambda: endless == 1),
    ("lt", lambda: endless < 1), ("attr", lambda: endless.x), ("call", lambda: endless()),
    ("bool", lambda: not endless), ("len", lambda: len(endless)), ("item", lambda: endless[0]),
    ("iter", lambda: list(endless)), ("hash", lambda: {endless}), ("str", lambda: f"{endless}"),
    ("prop", lambda: endless.prop), ("sorted", lambda: sorted([endless, endless])),
    ("max", lambda: max([1, 2], key=lambda x: endless())), ("in", lambda: 1 in [endless]),
]:
    attempt(name, run)


def nested(hold, start, n=40_000):
    value = start
    for _ in range(n):
        value = hold(value)
    return value


a, b = nested(lambda x: [x], []), nested(lambda x: [x], [])
attempt("repr", lambda: repr(a))
attempt("eq", lambda: a == b)
attempt("lt", lambda: a < b)
attempt("sort", lambda: sorted([a, b]))
attempt("deepcopy", lambda: copy.deepcopy(a))
attempt("dumps", lambda: json.dumps(a))
attempt("loads", lambda: json.loads("[" * 40_000 + "]" * 40_000))
attempt("str", lambda: "{}".format(a))
c, d = nested(lambda x: {1: x}, {}), nested(lambda x: (x,), ())
attempt("repr", lambda: repr(c))
attempt("repr", lambda: repr(d))
attempt("eq", lambda: c == nested(lambda x: {1: x}, {}))
attempt("eq", lambda: d == nested(lambda x: (x,), ()))
attempt("isinstance", lambda: isinstance(1, d))
e = nested(lambda x: [x], [], 300)
print(len(repr(e)), e == copy.deepcopy(e), json.loads(json.dumps(e)) == e)


class Holder:
    pass


def held(x):
    holder = Holder()
    holder.inner = x
    return holder


def wrapped(x):
    return lambda: x


def defaulted(x):
    def inner(y=x):
        return y
    return inner


for hold in [lambda x: [x], lambda x: (x, 1), lambda x: {0: x}, held, wrapped, defaulted,
             lambda x: slice(x), lambda x: functools.partial(print, x), lambda x: iter([x]),
             lambda x: [x, {1: (x, held(x))}]]:
    value = nested(hold, None)
    del value
value = None
print("all of them went")
