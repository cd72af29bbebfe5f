"""A shift-register generator: operators of integers."""


def work():
    s = 0
    x = 12345
    for i in range(40000):
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        s += x & 1
    return s
