# Arguments that are gathered: stars of calls and of functions beside defaults, by position alone.
def f(a, b=2, *args, c=3, **kw):
    return a, b, args, c, kw


def g(a=1, /, b=2, *, c=3, d=4):
    return a, b, c, d


def h(*args, **kw):
    return args, kw


def k(a, b=[], **kw):
    b.append(a)
    kw["own"] = a
    return b, kw


def need(a, *args, c):
    return a, args, c


def last(*, a, b=2):
    return a, b


def tried(of):
    try:
        print(of())
    except TypeError as error:
        print("TypeError", error)


none, one, three = (), (7,), (7, 8, 9)
for call in (
    lambda: f(1), lambda: f(1, 5), lambda: f(1, 5, 6, 7), lambda: f(*one), lambda: f(*three), lambda: f(1, *one),
    lambda: f(1, 2, *three), lambda: f(1, 2, *none), lambda: f(*none), lambda: f(*[4, 5, 6]), lambda: f(*range(4)),
    lambda: f(1, c=5), lambda: f(1, d=5), lambda: f(b=1, a=2), lambda: f(*one, **{"b": 1, "z": 2}), lambda: f(),
    lambda: g(), lambda: g(5), lambda: g(5, 6), lambda: g(5, 6, 7), lambda: g(*one), lambda: g(*three), lambda: g(c=1),
    lambda: h(), lambda: h(1), lambda: h(1, 2, *three), lambda: h(*three), lambda: h(a=1), lambda: h(*none, **{}),
    lambda: k(1), lambda: k(2), lambda: k(3, []), lambda: k(*one), lambda: k(), lambda: k(1, 2, 3),
    lambda: need(1), lambda: need(1, 2), lambda: need(1, c=2), lambda: need(*three), lambda: need(*three, c=1),
    lambda: last(), lambda: last(1), lambda: last(a=1), lambda: last(*none, a=1),
):
    for again in range(2):
        tried(call)

first, second = h(), h()
print(first[1] is second[1], first[0] is second[0])


def logged(function):
    def wrapper(*args, **kwargs):
        kwargs.setdefault("c", 9)
        return "logged", function(*args, **kwargs)

    return wrapper


wrapped = logged(f)
for i in range(3):
    print(wrapped(i), wrapped(i, i, i), wrapped(i, c=i))


class Taker:
    def __init__(self, *args, **kw):
        self.got = args, kw

    def take(self, a, *args, c=1, **kw):
        return a, args, c, kw

    def __call__(self, *args):
        return args


t = Taker(1, 2)
print(t.got, Taker().got, Taker(*one, z=1).got)
for i in range(2):
    print(t.take(1), t.take(1, 2, 3), t.take(*three), t.take(1, c=i, d=2), t(), t(1), t(*three))
