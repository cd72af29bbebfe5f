"""Binary trees of tuples: recursion and unpacking."""


def make(d):
    if d == 0:
        return (None, None)
    return (make(d - 1), make(d - 1))


def check(t):
    l, r = t
    if l is None:
        return 1
    return 1 + check(l) + check(r)


def work():
    s = 0
    for k in range(10):
        s += check(make(11))
    return s
