"""Eight queens on a smaller board: recursion and sets."""


def solve(n, row, cols, d1, d2):
    if row == n:
        return 1
    c = 0
    for col in range(n):
        if col in cols or row + col in d1 or row - col in d2:
            continue
        cols.add(col)
        d1.add(row + col)
        d2.add(row - col)
        c += solve(n, row + 1, cols, d1, d2)
        cols.discard(col)
        d1.discard(row + col)
        d2.discard(row - col)
    return c


def work():
    return solve(7, 0, set(), set(), set())
