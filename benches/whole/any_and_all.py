"""`any` and `all` of generator expressions."""


def work():
    s = 0
    for n in range(2, 3000):
        if all(n % d for d in range(2, int(n**0.5) + 1)):
            s += n
        if any(x == n for x in (3, 5, 7)):
            s += 1
    return s
