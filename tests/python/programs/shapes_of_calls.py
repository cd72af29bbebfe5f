# Calls whose functions stay where they stood, and what a frame leaves behind.
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def other(n):
    return -n


print(fib(12), fib(5) + other(3) * fib(4), [fib(n) for n in range(6)])


def swapped(n):
    global fib
    if n == 3:
        fib = other
    return fib(n) + fib(n - 1)


print(swapped(2), swapped(3), fib(1))


def held(n):
    def inner(x, y=n):
        return x + y + n

    return inner(1) + inner(2, 3) + (held(n - 1) if n else 0)


print(held(3))


class Tree:
    def __init__(self, *children, name="t", **more):
        self.children, self.name, self.more = children, name, more

    def walk(self, f, *rest):
        return f(self.name, *rest) + sum(child.walk(f, *rest) for child in self.children)


tree = Tree(Tree(name="ab"), Tree(Tree(), name="abc", x=1))
print(tree.walk(len), tree.walk(lambda name, k: k * len(name), 2), tree.children[1].more)


def every(a, b=2, *c, d=4, **e):
    return a, b, c, d, e


triple = (1, 2, 3)
print(every(*triple), every(*triple, 4, d=5, e=6), every(*[], *(1,), **{"z": 0}), every(0, *triple[1:]))
print((lambda *a: a)(), (lambda *a: a)(1), (lambda *a: a)(1, 2, 3, 4), (lambda a, *b: (a, b))(*"xyz"))
for wrong in (lambda: fib(), lambda: fib(1, 2), lambda: fib(*triple), lambda: every(), lambda: other(*"ab")):
    try:
        print(wrong())
    except TypeError as error:
        print(error)

# Slices that stand in the text, and texts that are repeated.
text, items = "abcdefgh", list(range(8))
for n in range(2):
    print(text[:], text[2:5], text[-3:], text[::-1], items[1:-1:2], items[:0], items[7:2:-2], (1, 2, 3)[0:2])
    items[1:3] = [n] * 4
    del items[-2:]
print(items, slice(1, None) == slice(1, None, None), "ab" * 3, "ab" * 0, "ab" * -1, 2 * "x", "é" * 2, len("xyz" * 100))
copy = items[:]
copy[0] = "own"
print(items[0], copy[0], [1.5, "a", None, True][:], [[1], (2,)][:])

# Numbers far apart, side by side, and equal to others, as keys.
keys = [n << shift for n in range(40) for shift in (0, 4, 8, 20, 40)] + [-n for n in range(40)]
table = {key: at for at, key in enumerate(keys)}
print(len(table), sum(table.values()), all(table[key] <= at or key in table for at, key in enumerate(keys)))
print(table[5.0], table[True], 16.5 in table, len({*keys, *map(float, keys)}), [key in table for key in (39 << 40, 41 << 40)])
for key in keys[::3]:
    table.pop(key, None)
print(len(table), list(table)[:6])
