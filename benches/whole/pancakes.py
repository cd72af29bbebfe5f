"""Pancakes are flipped: slices and items of lists."""


def work():
    n = 7
    p = list(range(n))
    q = [0] * n
    c = [0] * n
    best = 0
    sign = 1
    checks = 0
    p1 = list(range(n))
    count = list(range(1, n + 1))
    r = n
    perm = 0
    while True:
        while r != 1:
            count[r - 1] = r
            r -= 1
        if p1[0] != 0 and p1[n - 1] != n - 1:
            p = p1[:]
            flips = 0
            k = p[0]
            while k:
                p[: k + 1] = p[k::-1]
                flips += 1
                k = p[0]
            if flips > best:
                best = flips
        while True:
            if r == n:
                return best
            p0 = p1[0]
            i = 0
            while i < r:
                p1[i] = p1[i + 1]
                i += 1
            p1[r] = p0
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1
        r = max(r, 1)
