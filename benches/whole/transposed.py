"""A matrix of lists is transposed and summed."""


def work():
    m = [[i * j for j in range(50)] for i in range(50)]
    s = 0
    for k in range(20):
        t = [list(r) for r in zip(*m)]
        s += sum(sum(r) for r in t) + max(max(r) for r in m)
    return s
