"""A global that is counted up."""

N = 0


def bump():
    global N
    N += 1
    return N


def work():
    s = 0
    for i in range(30000):
        s += bump()
    return s
