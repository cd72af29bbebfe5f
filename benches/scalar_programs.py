"""The programs of scalar.py that are about built-in functions, their methods, and statements of a cell."""


def turns(body, *before):
    """A function that does something in each turn of its loop, after something else."""
    lines = ["def work(n):", *(f"    {line}" for line in before), "    for i in range(n):"]
    return "\n".join([*lines, *(f"        {line}" for line in body.split("\n"))]) + "\n"


def once(body):
    """A function that goes through `n` things by itself."""
    return "def work(n):\n" + "\n".join(f"    {line}" for line in body.split("\n")) + "\n"


BUILT_INS = {
    # Whatever goes through something.
    "sum of a generator": (300_000, once("return sum(x * 2 for x in range(n))")),
    "any and all of a generator": (
        300_000,
        once("return any(x < 0 for x in range(n // 2)), all(x >= 0 for x in range(n // 2))"),
    ),
    "for k, v in d.items()": (
        300_000,
        once("d = {i: i for i in range(n)}\ns = 0\nfor k, v in d.items():\n    s += v\nreturn s"),
    ),
    "map": (300_000, once("return sum(map(lambda x: x + 1, range(n)))")),
    "map of a built-in": (300_000, once("return list(map(str, range(n)))[-1]")),
    "filter": (300_000, once("return len(list(filter(lambda x: x % 2, range(n))))")),
    "enumerate in a loop": (
        300_000,
        once("l = [1] * n\ns = 0\nfor i, x in enumerate(l):\n    s += i * x\nreturn s"),
    ),
    "zip in a loop": (
        300_000,
        once("l = [1] * n\ns = 0\nfor a, b in zip(l, l):\n    s += a * b\nreturn s"),
    ),
    "enumerate, zip and reversed as values": (
        300_000,
        once(
            "l = list(range(n // 3))\n"
            "return len(list(enumerate(l))), len(list(zip(l, l))), len(list(reversed(l)))"
        ),
    ),
    "dict comprehension": (200_000, once("return len({i: i * 2 for i in range(n)})")),
    "set comprehension": (200_000, once("return len({i % 1000 for i in range(n)})")),
    "nested comprehension": (
        300_000,
        once("return sum([x for r in [[j for j in range(10)] for i in range(n // 10)] for x in r])"),
    ),
    "sorted": (
        200_000,
        once("return sorted([i * 7919 % 100003 for i in range(n)])[0]"),
    ),
    "sort by len": (
        100_000,
        once("l = ['x' * (i * 7 % 13) for i in range(n)]\nl.sort(key=len)\nreturn l[0]"),
    ),
    "max and min of lists": (
        500_000,
        once("l = list(range(1000))\nfor i in range(n // 2000):\n    max(l)\n    min(l)"),
    ),
    "max and min of two": (300_000, turns("s = max(i, 7) + min(i, 7)")),
    "letters of a text": (
        300_000,
        once("t = 'abc' * (n // 3)\nc = 0\nfor x in t:\n    if x == 'a':\n        c += 1\nreturn c"),
    ),
    # Numbers.
    "divmod": (200_000, turns("q, r = divmod(i, 7)")),
    "round": (200_000, turns("x = round(i * 0.37, 2)")),
    "int of a text": (200_000, turns("x = int('1234')")),
    "float of a text": (200_000, turns("x = float('12.5')")),
    "str of an int": (200_000, turns("x = str(i)")),
    "f'{x:.2f}'": (200_000, turns("t = f'{x:.2f}'", "x = 3.14159")),
    # Texts.
    "split and join": (100_000, turns("t = '-'.join('a b c d'.split())")),
    "replace, strip and count": (
        100_000,
        turns("t = ' a,b,a '.strip().replace('a', 'bb')\nc = t.count('b')"),
    ),
    "startswith and isdigit": (200_000, turns("x = 'abc'.startswith('ab') and '123'.isdigit()")),
    "join of a generator": (100_000, once("return len(','.join(str(i) for i in range(n)))")),
    "concatenation": (200_000, turns("t = 'a' + str(i) + 'b'")),
    # Lists and tuples.
    "slices of a list": (200_000, turns("x = l[2:8]", "l = list(range(10))")),
    "copies of a list": (200_000, turns("x = l[:]\ny = l.copy()", "l = list(range(10))")),
    "append and pop": (300_000, turns("l.append(i)\nl.pop()", "l = []")),
    "comparison of tuples": (300_000, turns("x = (i, 2) < (3, i)")),
    "in a list": (200_000, turns("x = 7 in l", "l = list(range(10))")),
    "lists in lists": (300_000, turns("m[i % 10][3] += 1", "m = [[0] * 5 for k in range(10)]")),
    # Dictionaries and sets.
    "in a dict and a set": (300_000, turns("x = i in d or i in s", "d = {1: 2}", "s = {1, 2, 3}")),
    "dict.get": (300_000, turns("x = d.get(i, 0)", "d = {k: k for k in range(100)}")),
    "set.add": (300_000, turns("s.add(i % 1000)", "s = set()")),
    "deque": (
        200_000,
        "from collections import deque\n" + turns("d.append(i)\nd.popleft()", "d = deque([1, 2])"),
    ),
    "Counter": (
        200_000,
        "from collections import Counter\n"
        + once("c = Counter(i % 10 for i in range(n))\nfor i in range(n):\n    c[i % 10] += 1"),
    ),
    # Functions.
    "default arguments": (300_000, "def f(a, b=2, c=3):\n    return b\n" + turns("f(i)")),
    "*args": (200_000, "def f(*args):\n    return args\n" + turns("f(i, n, 1)")),
    "call with a star": (200_000, "def f(a, b):\n    return a\n" + turns("f(*t)", "t = (1, 2)")),
    "nested functions": (
        200_000,
        turns("def f(x):\n    return x + n\nf(i)"),
    ),
    "recursion with lists": (
        131_071,
        "def walk(t):\n    if not t:\n        return 0\n    return walk(t[0]) + walk(t[1]) + 1\n"
        "def tree(k):\n    return [tree(k - 1), tree(k - 1)] if k else []\n"
        "def work(n):\n    return walk(tree(15))\n",
    ),
    "methods of a field": (
        300_000,
        "class Stack:\n    def __init__(self):\n        self.items = []\n"
        "    def push(self, item):\n        self.items.append(item)\n"
        "    def pop(self):\n        return self.items.pop()\n"
        + turns("s.push(i)\ns.pop()", "s = Stack()"),
    ),
    "reduce": (
        200_000,
        "from functools import reduce\n" + once("return reduce(lambda a, b: a + b, range(n))"),
    ),
    "while True and break": (
        500_000,
        once("i = 0\nwhile True:\n    i += 1\n    if i >= n:\n        break\nreturn i"),
    ),
}


def cell(body, *before):
    """A loop of the cell itself, in which each simple statement is a transaction."""
    lines = ["import time", *before, "begun = time.time()", "for i in range(300000):"]
    lines += [f"    {line}" for line in body.split("\n")]
    return "\n".join([*lines, "print(time.time() - begun)"]) + "\n"


CELLS = {
    "s += i * i % 7 in a cell": cell("s += i * i % 7", "s = 0"),
    "l.append(i) in a cell": cell("l.append(i)", "l = []"),
    "d[k] += 1 in a cell": cell("d[i % 100] += 1", "d = {k: 0 for k in range(100)}"),
    "p.x = p.x + 1 in a cell": cell("p.x = p.x + 1", "class P:\n    x = 0", "p = P()"),
    "s = f(s, i) in a cell": cell("s = f(s, i)", "s = 0", "def f(a, b):\n    return a + b"),
}
