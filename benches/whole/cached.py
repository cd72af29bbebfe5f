"""A cached recursion."""

from functools import lru_cache


@lru_cache(maxsize=None)
def c(n, k):
    if k == 0 or k == n:
        return 1
    return c(n - 1, k - 1) + c(n - 1, k)


def work():
    c.cache_clear()
    return c(60, 30) % 1000007
