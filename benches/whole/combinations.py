"""Combinations, permutations, products and accumulations."""

import itertools


def work():
    s = 0
    for a, b, c in itertools.combinations(range(40), 3):
        s += a * b - c
    for p in itertools.permutations(range(6)):
        s += p[0]
    for a, b in itertools.product(range(50), repeat=2):
        s += a ^ b
    return s + sum(itertools.accumulate(range(1000)))
