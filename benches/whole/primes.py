"""A sieve in a generator."""


def primes(n):
    s = [True] * (n + 1)
    for i in range(2, n + 1):
        if s[i]:
            yield i
            for j in range(i * i, n + 1, i):
                s[j] = False


def work():
    return sum(primes(30000))
