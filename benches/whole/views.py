"""Loops over the views of a dictionary."""


def work():
    d = {str(i): i for i in range(2000)}
    s = 0
    for k in range(10):
        for key, v in d.items():
            if key.isdigit():
                s += v
        for v in d.values():
            s += v
        for key in d:
            s += len(key)
    return s
