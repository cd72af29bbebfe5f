# How deep calls may nest.
import sys


def f(n):
    return 0 if n == 0 else 1 + f(n - 1)


def depth():
    try:
        return 1 + depth()
    except RecursionError:
        return 0


print(sys.getrecursionlimit(), f(900))
sys.setrecursionlimit(200)
try:
    f(500)
except RecursionError as e:
    print(e)
print(depth() < 200)
sys.setrecursionlimit(6000)
print(f(5000), sys.getrecursionlimit())
for limit in (0, -5):
    try:
        sys.setrecursionlimit(limit)
    except ValueError as e:
        print(e)
nested = []
for _ in range(3000):
    nested = [nested]
print(len(repr(nested)))
sys.setrecursionlimit(1000)
try:
    repr(nested)
except RecursionError as e:
    print(e)
