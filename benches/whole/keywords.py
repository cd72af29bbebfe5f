"""Calls with defaults, stars and keywords."""


def f(a, b=2, *args, c=3, **kw):
    return a + b + c + len(args) + len(kw)


def work():
    s = 0
    for i in range(10000):
        s += f(i) + f(i, 1) + f(i, 1, 2, 3, c=4) + f(i, d=5, e=6)
    return s
