"""Tuples as keys."""


def work():
    d = {}
    for i in range(100):
        for j in range(100):
            d[i, j] = i * j
    s = 0
    for (i, j), v in d.items():
        s += v + i - j
    for i in range(100):
        s += d[i, 99 - i]
    return s
