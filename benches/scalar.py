"""Loops, calls and containers of plain Python, here and in CPython.

Usage: python benches/scalar.py [path/to/genesis-repl [program …]]

With programs named, only those whose names contain one of the words are run.

Each program times itself, five times in each of three processes, and the best run counts. Nanoseconds
are those of one turn of its loop, or of one call.
"""

import statistics
import subprocess
import sys
import tempfile

from scalar_programs import BUILT_INS, CELLS

PROGRAMS = {
    "i = i + 1 in a function": (2_000_000, """
def work(n):
    i = 0
    while i < n:
        i = i + 1
    return i
"""),
    "s += i * i % 7 in a function": (1_000_000, """
def work(n):
    s = 0
    for i in range(n):
        s += i * i % 7
    return s
"""),
    "float step": (1_000_000, """
def work(n):
    x = 0.5
    for i in range(n):
        x = 3.7 * x * (1.0 - x)
    return x
"""),
    "call of two arguments": (500_000, """
def f(a, b):
    return a
def work(n):
    for i in range(n):
        f(i, n)
"""),
    "fib(24)": (150_049, """
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def work(n):
    return fib(24)
"""),
    "nested loops": (1_000_000, """
def work(n):
    c = 0
    for i in range(1000):
        for j in range(n // 1000):
            if i != j:
                c += 1
    return c
"""),
    "list append and sum": (500_000, """
def work(n):
    l = []
    for i in range(n):
        l.append(i)
    return sum(l)
"""),
    "dict counting": (500_000, """
def work(n):
    d = {}
    for i in range(n):
        k = i % 100
        d[k] = d.get(k, 0) + 1
    return d
"""),
    "string building": (300_000, """
def work(n):
    s = ""
    for i in range(n):
        s += "x"
    return len(s)
"""),
    "f-strings": (200_000, """
def work(n):
    t = 0
    for i in range(n):
        t += len(f"{i}:{i + 1}")
    return t
"""),
    "list items": (500_000, """
def work(n):
    l = list(range(100))
    for i in range(n):
        l[i % 100] += 1
    return l
"""),
    "sieve": (200_000, """
def work(n):
    p = [True] * n
    for i in range(2, 450):
        if p[i]:
            for j in range(i * i, n, i):
                p[j] = False
    return sum(1 for x in p if x)
"""),
    "generator": (500_000, """
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
def work(n):
    s = 0
    for i in count(n):
        s += i
    return s
"""),
    "comprehension": (500_000, """
def work(n):
    return len([i * 2 for i in range(n) if i % 3])
"""),
    "closure": (300_000, """
def make():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
def work(n):
    f = make()
    for i in range(n):
        f()
"""),
    "call by name": (300_000, """
def f(a, b=2, *, c=3):
    return a
def work(n):
    for i in range(n):
        f(i, c=n)
"""),
    "method": (300_000, """
class Counter:
    def __init__(self):
        self.count = 0
    def step(self, by):
        return by
def work(n):
    c = Counter()
    for i in range(n):
        c.step(i)
"""),
    "attributes": (300_000, """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
def work(n):
    p = Point(0, 1)
    for i in range(n):
        p.x = p.x + p.y
    return p.x
"""),
    "property": (300_000, """
class Circle:
    def __init__(self, r):
        self.r = r
    @property
    def width(self):
        return self.r
def work(n):
    c = Circle(2)
    s = 0
    for i in range(n):
        s += c.width
    return s
"""),
    "objects made": (200_000, """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
def work(n):
    for i in range(n):
        Point(i, n)
"""),
    "for x in list": (1_000_000, """
def work(n):
    l = [1] * 1000
    s = 0
    for k in range(n // 1000):
        for x in l:
            s += x
    return s
"""),
    "while with a chain": (1_000_000, """
def work(n):
    i = 0
    while 0 <= i < n:
        i += 1
    return i
"""),
    "join of texts": (200_000, """
def work(n):
    l = []
    for i in range(n):
        l.append(str(i))
    return len(", ".join(l))
"""),
    "unpacking and swap": (500_000, """
def work(n):
    pairs = [(1, 2)] * 1000
    c = 0
    for k in range(n // 1000):
        for a, b in pairs:
            a, b = b, a
            c += a
    return c
"""),
    "try without an error": (500_000, """
def work(n):
    s = 0
    for i in range(n):
        try:
            s += i
        except ValueError:
            s = 0
    return s
"""),
    "try with an error": (50_000, """
def work(n):
    s = 0
    for i in range(n):
        try:
            raise ValueError("no")
        except ValueError:
            s += 1
    return s
"""),
    "len": (500_000, """
def work(n):
    l = [1, 2, 3]
    s = 0
    for i in range(n):
        s += len(l)
    return s
"""),
    "abs, min and max": (300_000, """
def work(n):
    s = 0
    for i in range(n):
        s += abs(max(i, 3) - min(i, 5))
    return s
"""),
    "isinstance": (500_000, """
def work(n):
    s = 0
    for i in range(n):
        if isinstance(i, int):
            s += 1
    return s
"""),
    "sorted with key": (100_000, """
def work(n):
    return sorted(list(range(n)), key=lambda x: -x)[0]
"""),
    "methods of texts": (200_000, """
def work(n):
    s = 0
    for i in range(n):
        if "a b c".split(" ")[1].startswith("b"):
            s += 1
    return s
"""),
    "Mandelbrot": (250_000, """
def work(n):
    count = 0
    for row in range(50):
        for column in range(50):
            x0, y0 = column / 25 - 1.5, row / 25 - 1.0
            x = y = 0.0
            k = 0
            while x * x + y * y <= 4.0 and k < 100:
                x, y = x * x - y * y + x0, 2.0 * x * y + y0
                k += 1
            count += k
    return count
"""),
}

TIMER = """
import time
best = 1e9
for run in range(5):
    begun = time.time()
    work({n})
    best = min(best, time.time() - begun)
print(best)
"""

def seconds(command, program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([*command, file.name], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def table(title, rows, commands, words):
    """Times programs in both, each a name, the turns of its loop and its text."""
    rows = [row for row in rows if not words or any(word in row[0] for word in words)]
    if not rows:
        return []
    version = sys.version.split()[0]
    print(f"\n{title}\n\n| program | here, ns | CPython {version}, ns | faster |")
    print("| --- | ---: | ---: | ---: |")
    ratios = []
    for name, n, program in rows:
        # Turn and turn about, so that both meet the same load.
        runs = [[seconds(command, program) for command in commands] for _ in range(3)]
        here, there = (min(times) * 1e9 / n for times in zip(*runs))
        print(f"| {name} | {here:.1f} | {there:.1f} | {there / here:.2f} |", flush=True)
        ratios.append(there / here)
    print(f"| geometric mean | | | {statistics.geometric_mean(ratios):.2f} |")
    return ratios


def main():
    ours = [sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"]
    commands, words = (ours, [sys.executable]), sys.argv[2:]
    timed = {
        title: [(name, n, text + TIMER.format(n=n)) for name, (n, text) in programs.items()]
        for title, programs in (("The language", PROGRAMS), ("What is built in", BUILT_INS))
    }
    timed["Statements of a cell"] = [(name, 300_000, text) for name, text in CELLS.items()]
    ratios = [table(title, rows, commands, words) for title, rows in timed.items()]
    ratios = [ratio for part in ratios for ratio in part]
    print(f"\nGeometric mean of all: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
