"""A matrix that is a function, by a vector: generator expressions inside a comprehension."""


def A(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def mul(v):
    n = len(v)
    return [sum(A(i, j) * v[j] for j in range(n)) for i in range(n)]


def work():
    v = [1.0] * 60
    for k in range(10):
        v = mul(v)
    return v[0]
