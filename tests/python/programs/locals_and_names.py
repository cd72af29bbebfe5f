"""`locals()`, names of types in errors, and what methods take."""

import collections
import datetime
import functools
import io
import operator
import random
import re
import types


def plain(a, b=2, *args, c=3, **more):
    d = a + b
    for i in range(2):
        pass
    squares = [n * n for n in range(3)]
    return locals()


print(plain(1, 2, 9, c=4, z=5))


def around(a):
    shared = a

    def inside():
        b = shared + 1
        return locals()

    late = 1
    return inside(), sorted(locals())


print(around(1))


def unbound():
    print(locals())
    x = 1
    if False:
        y = 2
    print(locals())
    del x
    return locals()


print(unbound())


class Body:
    first = 1
    print(sorted(name for name in locals() if not name.startswith("__")))


def greet(name, punctuation="!"):
    return "{name}{punctuation} %(name)s".format(**locals()) % locals()


print(greet("you"))
print("{s} {self}".format(s=1, self=2), (lambda n: vars())(3))


def attempt(run):
    try:
        print(repr(run()))
    except Exception as error:
        print(type(error).__name__, error)


day, zone = datetime.date(2024, 1, 1), datetime.timezone.utc
for value in (day, datetime.timedelta(1), datetime.time(1), datetime.datetime(2024, 1, 1), zone, collections.deque(), collections.OrderedDict(),
              collections.defaultdict(int), collections.Counter(), re.compile("a"), re.match("a", "a"), functools.partial(len), types.SimpleNamespace(),
              io.StringIO(), operator.itemgetter(1), random.Random(1)):
    attempt(lambda: value + 1.5)
    attempt(lambda: value.nothing)
    if type(value) is not functools.partial:
        attempt(lambda: value())
    attempt(lambda: [1][value])


class Later(datetime.date):
    pass


attempt(lambda: Later(2024, 1, 1) + 1)
attempt(lambda: type(day).__name__)
attempt(lambda: datetime.timedelta(1) * "a")
attempt(lambda: ",".join([day]))
attempt(lambda: ord(5))
attempt(lambda: len("%.70000f" % 1.5))
attempt(lambda: f"{1e100:.70000}"[:12])
attempt(lambda: len(f"{1.5:.66000e}"))
attempt(lambda: (1.5).__format__(".3f") + format(2.5, ".0f"))
attempt(lambda: sorted(random.Random(3).sample(range(10**12), 3)))
attempt(lambda: random.Random(3).sample(range(0, 10**9, 7), 4))


def steps():
    while True:
        try:
            yield 1
        except ValueError as error:
            print("caught", error.args)


walk = steps()
next(walk)
attempt(lambda: walk.throw(ValueError, "a"))
attempt(lambda: walk.throw(ValueError, ("a", 2)))
attempt(lambda: walk.throw(ValueError("b")))
attempt(lambda: walk.throw(ValueError("b"), 3))
