"""Errors that are caught in a loop."""


def work():
    d = {i: i for i in range(0, 1000, 2)}
    m = 0
    for k in range(10):
        for i in range(1000):
            try:
                m += d[i]
            except KeyError:
                m -= 1
    return m
