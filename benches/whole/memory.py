"""Fibonacci numbers with a memory: closures and a dictionary."""


def work():
    memo = {}

    def f(n):
        if n in memo:
            return memo[n]
        r = n if n < 2 else f(n - 1) + f(n - 2)
        memo[n] = r
        return r

    s = 0
    for k in range(300):
        memo.clear()
        s += f(80) % 1000
    return s
