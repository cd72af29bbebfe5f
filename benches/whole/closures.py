"""Closures that count, and functions that are composed."""


def counter():
    c = 0

    def inc(k=1):
        nonlocal c
        c += k
        return c

    return inc


def compose(f, g):
    return lambda x: f(g(x))


def work():
    inc = counter()
    h = compose(lambda x: x + 1, lambda x: x * 2)
    s = 0
    for i in range(15000):
        s += h(i) + inc(2)
    return s
