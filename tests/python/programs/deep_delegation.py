# `yield from` in `yield from`: what is sent, thrown and returned goes the whole way, whoever asks.
import sys


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right

    def walk(self):
        if self.left:
            yield from self.left.walk()
        yield self.value
        if self.right:
            yield from self.right.walk()


def grown(low, high):
    if low >= high:
        return None
    middle = (low + high) // 2
    return Tree(middle, grown(low, middle), grown(middle + 1, high))


tree = grown(0, 100)
print(list(tree) == list(range(100)), sum(tree.walk()), [v for v in tree.walk() if v % 17 == 0])


def chain(depth, log):
    try:
        if depth:
            got = yield from chain(depth - 1, log)
        else:
            got = yield "first"
            got = [got]
            got.append((yield "second"))
    except ValueError as error:
        log.append(f"caught at {depth}: {error}")
        if depth % 2:
            raise
        got = "mended"
    finally:
        log.append(f"left {depth}")
    return (depth, got)


for depth in (0, 1, 2, 5, 70, 200):
    log = []
    g = chain(depth, log)
    out = [next(g), g.send("one")]
    try:
        g.send("two")
    except StopIteration as stop:
        result = stop.value
    for _ in range(min(depth, 3)):
        result = result[1]
    print(depth, out, str(result)[:60], log[:3], len(log))
    log = []
    g = chain(depth, log)
    next(g)
    try:
        g.throw(ValueError("thrown"))
    except StopIteration as stop:
        print("  ended", str(stop.value)[-40:], log[:4])
    except ValueError as error:
        print("  out", error, log[:4])
    log = []
    g = chain(depth, log)
    next(g)
    g.close()
    print("  closed", len(log), log[:2], log[-1])
    del g


def inner():
    yield 1
    yield 2
    yield 3
    return "done"


shared = inner()


def outer(tag):
    result = yield from shared
    yield tag, result


first, second = outer("a"), outer("b")
print(next(first), next(shared), next(second), list(first), list(second))


def forwards(n):
    if n == 0:
        yield from range(3)
        yield from [10, 20]
    else:
        yield from forwards(n - 1)
    yield ("after", n)


print(list(forwards(4)))


def failing(n):
    if n == 0:
        yield 1
        raise KeyError("deep")
    try:
        yield from failing(n - 1)
    except KeyError as error:
        yield ("caught", n, error.args)
        if n < 3:
            raise


got = []
try:
    for item in failing(4):
        got.append(item)
finally:
    print(got)


def again():
    yield from me


me = again()
try:
    next(me)
except ValueError as error:
    print(error)

sys.setrecursionlimit(3000)


def deep(n):
    if n:
        yield from deep(n - 1)
    yield n


total = 0
for number in deep(900):
    total += number
print(total)


def counts(n):
    total = 0
    for depth in range(n):
        for value in deep(depth):
            total += value
            if value > depth // 2:
                break
    return total


print(counts(60))
try:
    list(deep(5000))
except RecursionError as error:
    print(error)
