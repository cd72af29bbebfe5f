"""Tuples whose items have names."""

from collections import namedtuple

T = namedtuple("T", "a b c")


def work():
    s = 0
    for i in range(10000):
        t = T(i, i + 1, i + 2)
        s += t.a + t.b * t.c
    return s
