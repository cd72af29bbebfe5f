"""Conditions of all forms."""


def work():
    s = 0
    for i in range(30000):
        if i % 3 == 0 and i % 5 == 0:
            s += 1
        elif i % 3 == 0 or i % 5 == 0:
            s += 2
        elif not i & 1:
            s += 3
        else:
            s -= 1
        t = i if i < 100 else -i
        s += t
    return s
