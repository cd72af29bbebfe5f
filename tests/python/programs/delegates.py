# What `yield from` goes through gets what is sent and thrown, and is closed.


class Steps:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        print("next", self.n)
        return self.n

    def send(self, value):
        print("send", value)
        return value * 2

    def throw(self, error):
        print("throw", repr(error))
        return "thrown"

    def close(self):
        print("closed")


class Plain:
    def __iter__(self):
        return self

    def __next__(self):
        return 1


class Ended(Steps):
    def __next__(self):
        raise StopIteration("value")


class Stops(Steps):
    def send(self, value):
        raise StopIteration("sent")

    def throw(self, error):
        raise StopIteration("swallowed")


class Stuck(Steps):
    def close(self):
        raise ValueError("stuck")


def over(items):
    result = yield from items
    return result


def attempt(run):
    try:
        print("=", run())
    except BaseException as error:
        print(type(error).__name__, error)


g = over(Steps())
attempt(lambda: next(g))
attempt(lambda: g.send(4))
attempt(lambda: g.throw(ValueError("v")))
attempt(lambda: g.close())
attempt(lambda: next(g))

several = (
    [1, 2], (1, 2), "ab", "äb", range(3), {1: 2}, {1, 2}, {1: 2}.items(), {1: 2}.values(), enumerate([1]),
    map(str, [1]), zip([1], [2]), reversed([1]), Plain(), filter(None, [1]), iter([1]), frozenset([1]),
)
for items in several:
    g = over(items)
    attempt(lambda: next(g))
    attempt(lambda: g.send(3))
    attempt(lambda: next(g, "over"))
    g = over(items)
    attempt(lambda: next(g))
    attempt(lambda: g.throw(ValueError("v")))
    attempt(lambda: g.close())


def closing():
    try:
        yield from Steps()
    except GeneratorExit:
        print("exit")
        raise


g = closing()
next(g)
del g
print("end")
attempt(lambda: next(over(Ended())))
g = over(Stops())
next(g)
attempt(lambda: g.send(1))
g = over(Stops())
next(g)
attempt(lambda: g.throw(KeyError(1)))
g = over(Stuck())
next(g)
attempt(lambda: g.close())
g = over(Stuck())
next(g)
attempt(lambda: g.throw(GeneratorExit))


# What a generator says of itself.
def asked():
    global me
    yield me.gi_running, me.gi_suspended
    yield from inner()
    yield 3


def inner():
    yield me.gi_yieldfrom, me.gi_running


def says(g):
    return g.gi_running, g.gi_suspended, type(g.gi_yieldfrom).__name__, g.__name__, g.gi_code.co_name


me = asked()
print(says(me), [(item, says(me)) for item in me], says(me))
print(me.gi_code.co_name, hasattr(me, "gi_x"))
