# Generators that nobody holds any more end at once, in Python's order, with what they delegate to.


def say(*rest):
    print("<", *rest, ">")


def stubborn(n, name="s"):
    try:
        for i in range(n):
            yield i
    except GeneratorExit as error:
        say(name, type(error).__name__)
        yield -1
    finally:
        say(name, "ends")


def plain(n, name):
    try:
        for i in range(n):
            yield i
    finally:
        say(name, "ends")


def over(items):
    result = yield from items
    return result


def dropped():
    g = stubborn(3)
    next(g)


def delegated():
    g = over(stubborn(3))
    next(g)


def deep():
    g = over(over(stubborn(3)))
    next(g)


def held():
    s = stubborn(3)
    g = over(s)
    next(g)
    del g
    say("between")


def in_loop():
    for x in over(stubborn(3)):
        return "left"


def in_list():
    several = [plain(2, "a"), plain(2, "b"), plain(2, "c")]
    for g in several:
        next(g)
    return 1


def variables():
    a, b, c = plain(2, "a"), plain(2, "b"), plain(2, "c")
    next(c), next(a), next(b)
    return 1


def mixed():
    several = [plain(2, "a"), plain(2, "b")]
    for one in several:
        next(one)
    g = plain(2, "e")
    next(g)
    del one
    return 5


def captured():
    g = plain(3, "z")
    next(g)
    h = (x for x in g)
    next(h)

    def inner():
        return g

    del g
    say("between")


def ending_another():
    inner = plain(2, "inner")
    next(inner)

    def outer(item):
        try:
            yield 1
        finally:
            say("outer ends")
            item = None
            say("outer has ended")

    g, other = outer(inner), plain(2, "other")
    next(g), next(other)
    inner = None
    g = None
    say("between")


def all_of_them():
    for run in (
        dropped, delegated, deep, held, in_loop, in_list, variables, mixed, captured, ending_another,
    ):
        say(run.__name__)
        print("result", run())


all_of_them()
for run in (delegated, deep, in_list, variables, in_loop, mixed):
    print("result", run())
