import contextlib
import gc
import itertools


def items(name, n=3):
    try:
        for i in range(n):
            yield i
    finally:
        print("end of", name)


g = items("deleted")
print(next(g))
del g
print("after del")

g = items("replaced")
next(g)
g = None
print("after replacing")

g = items("never begun")
g = None
g = items("used up", 1)
print(list(g))
g = None
print("nothing more")


def loop(name):
    for i in items(name):
        if i == 1:
            break
    print("behind the loop")
    for i in items(name + " again"):
        return i


print(loop("loop"))


def local():
    a = items("a local")
    next(a)
    print("leaving")


local()
print("left")


def two():
    first, second = items("first"), items("second")
    next(first), next(second)
    first = second
    print("between")
    del second
    print("still there")
    first = 0
    print("gone")


two()
print(next(items("a temporary")), "then")
total = sum(next(zip(items("zipped"), [1])))
print(total)
a, *rest = itertools.islice(items("sliced"), 2)
print(a, rest)


def outer(name):
    try:
        yield from items("inner of " + name)
    finally:
        print("outer", name)


o = outer("delegation")
next(o)
del o


@contextlib.contextmanager
def managed(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("exit", name)


def with_managed():
    with managed("m"):
        yield 1
        yield 2


w = with_managed()
next(w)
w = None


def caught():
    try:
        yield 1
    except GeneratorExit:
        print("told to end")
        raise
    finally:
        print("ended")


c = caught()
next(c)
holder = [c, [c]]
del c
print("held")
holder.pop()
print("held by one")
holder.clear()
print("cleared")
d = {"c": caught()}
next(d["c"])
d["c"] = 5


class Owner:
    def __init__(self, name):
        self.name = name
        self.items = items("what " + name + " owns")
        next(self.items)


owner = Owner("an owner")
del owner
print("owner gone")


def chain(n):
    try:
        inner = chain(n - 1) if n else None
        if inner is not None:
            next(inner)
        yield n
    finally:
        if n % 50 == 0:
            print("link", n)


c = chain(100)
next(c)
del c


def effects():
    log = []

    def noting():
        try:
            yield
        finally:
            log.append("noted")
    n = noting()
    next(n)
    n = len(log)
    return n, len(log), log


print(effects())


def within():
    try:
        e = items("in a try")
        next(e)
        raise ValueError("x")
    except ValueError as error:
        print("handled", error)
    e = None
    print("done")


within()


def generator_of_generators():
    for i in range(2):
        inner = items(f"inner {i}")
        next(inner)
        yield inner


for inner in generator_of_generators():
    print("got one")
inner = None
print("loop over")

g = items("thrown into")
next(g)
try:
    g.throw(KeyError("k"))
except KeyError as error:
    print("thrown", error)
g = items("closed")
next(g)
g.close()
g.close()
print("closed twice")


class Resource:
    alive = 0

    def __init__(self, name):
        self.name = name
        Resource.alive += 1

    def __del__(self):
        Resource.alive -= 1
        print("del", self.name)


r = Resource("a variable")
r = None
print(Resource.alive)


def use():
    r = Resource("a local")
    return Resource.alive


print(use(), Resource.alive)
rs = [Resource(f"item {i}") for i in range(3)]
rs.pop(1)
del rs[0]
rs = None
Resource("never held")


class Derived(Resource):
    def __del__(self):
        super().__del__()
        print("and derived")


d = Derived("derived")
d2 = d
del d
print("one name left")
del d2


class Risen:
    kept = None

    def __del__(self):
        Risen.kept = self
        print("kept")


r = Risen()
del r
print(type(Risen.kept).__name__)
Risen.kept = None
print("end of it")

# What holds itself is ended by the collector.
gc.collect()
gc.disable() if hasattr(gc, "disable") else None


class Node:
    def __init__(self, name):
        self.name = name
        self.me = lambda: self

    def __del__(self):
        print("del node", self.name, self.me() is self)


n = Node("n")
del n
print("still waiting")
gc.collect()
print("collected")


class Runner:
    def __init__(self):
        self.run = self.steps()
        next(self.run)

    def steps(self):
        try:
            yield self
        finally:
            print("runner's end", hasattr(self, "run"))


r = Runner()
del r
print("runner waits")
gc.collect()
print("runner collected")


def recursive():
    def down(n):
        return 0 if n == 0 else 1 + down(n - 1)
    return down(3)


print(recursive(), gc.collect() > 0, gc.collect())


# What ends a generator before it has begun is no end of its items.
def fresh():
    yield 1


g = fresh()
try:
    g.throw(StopIteration(3))
except RuntimeError as e:
    print(e, repr(e.__cause__), list(g))


# What is delegated to may swallow the exit; who delegates ends all the same.
def swallows():
    try:
        yield 1
    except GeneratorExit:
        print("swallowed")
        return 5
    finally:
        print("inner ends")


def fails():
    try:
        yield 1
    finally:
        raise ValueError("at the exit")


def outer(inner):
    try:
        got = yield from inner
        print("not reached", got)
    except ValueError as error:
        print("caught", error)
    finally:
        print("outer ends")


def chain(depth):
    yield from (swallows() if depth == 0 else chain(depth - 1))


for inner in (swallows(), fails(), chain(0), chain(200)):
    g = outer(inner)
    print(next(g))
    print(g.close())
    print(list(g))

g = outer(swallows())
next(g)
try:
    g.throw(GeneratorExit("told"))
except GeneratorExit as error:
    print("left by", error)
