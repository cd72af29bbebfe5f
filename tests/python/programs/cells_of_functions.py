# `__closure__`, and objects that can be called wherever something is called.
import functools
import itertools
from collections import defaultdict


def counter(start, step=1):
    count = start

    def next_one():
        nonlocal count
        count += step
        return count

    return next_one


def plain():
    return 1


f, g = counter(10), counter(1, 5)
f(), f(), g()
for function in (f, g):
    names = function.__code__.co_freevars
    print(names, [cell.cell_contents for cell in function.__closure__], len(function.__closure__))
print(plain.__closure__, (lambda: f).__closure__, type(f.__closure__[0]).__name__)
held = dict(zip(f.__code__.co_freevars, f.__closure__))
held["count"].cell_contents = 100
print(f(), f(), held["count"].cell_contents)


def pair():
    shared = []

    def put(x):
        shared.append(x)

    def get():
        return shared

    return put, get


put, get = pair()
put(1), put(2)
print(put.__closure__[0].cell_contents is get(), [get(), later] if (later := get.__closure__[0].cell_contents) else 0)


def late():
    def inner():
        return value

    try:
        inner.__closure__[0].cell_contents
    except ValueError as e:
        print(type(e).__name__, e)
    except AttributeError as e:
        print("AttributeError", e)
    value = 3
    return inner.__closure__[0].cell_contents


print(late())


class Twice:
    def __init__(self):
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return (args, kwargs)


class Bound(Twice):
    def __get__(self, instance, owner=None):
        return functools.partial(self, instance) if instance else self


class Holder:
    method = Bound()


twice = Twice()
print(functools.partial(twice, 1, a=2)(3, b=4), twice.calls)
print(functools.partial(functools.partial(twice, 1), 2)(3))
holder = Holder()
print(holder.method(5)[0][1:], Holder.method.calls, callable(twice), callable(holder))


class Numbers:
    def __init__(self):
        self.at = 0

    def __call__(self):
        self.at += 1
        return self.at


print(list(iter(Numbers(), 4)))
d = defaultdict(Numbers())
print(d["a"], d["b"], d["a"], dict(d))


class Backwards:
    def __call__(self, a, b):
        return (a < b) - (a > b)


class Sum:
    def __call__(self, a, b=0):
        return a + b


print(sorted([3, 1, 2], key=functools.cmp_to_key(Backwards())))
print(functools.reduce(Sum(), [1, 2, 3]), list(map(Sum(), [1, 2], [3, 4])), list(itertools.accumulate([1, 2, 3], Sum())))
print(sorted([3, 1, 2], key=Sum()), max([1, 5, 2], key=Sum()), list(filter(Sum(), [0, 1])))
print(list(itertools.starmap(Sum(), [(1, 2)])), list(itertools.takewhile(Sum(), [1, 0, 1])))
for wrong in (lambda: functools.partial(holder), lambda: iter(holder, 1), lambda: defaultdict(holder)):
    try:
        wrong()
    except TypeError as e:
        print(e)


@functools.singledispatch
def shown(x):
    return "?"


@shown.register
def _(x: "int"):
    return "int"


@shown.register
def _(x: "list", depth: "int" = 0) -> "str":
    return "list"


print(shown(1), shown([]), shown(""), shown(True))


def ends(name):
    try:
        yield name
        yield name
    finally:
        print("end of", name)


for a, b in zip(ends("a"), ends("b")):
    break
for a in map(lambda *names: names, ends("a"), ends("b"), ends("c")):
    break


class End:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def hold():
    held = (End(1), End(2), End(3))
    del held
    print("-")
    held = [End(1), End(2)]
    held.clear()
    print("-")
    held = (End(1), [End(2), (End(3), End(4))], End(5))


hold()
