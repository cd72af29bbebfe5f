"""`enumerate` over `zip`, unpacked."""


def work():
    a = list(range(1000))
    b = [x * 2 for x in a]
    s = 0
    for k in range(40):
        for i, (x, y) in enumerate(zip(a, b)):
            s += i * x - y
    return s
