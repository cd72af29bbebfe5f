"""Loops, calls and containers of plain Python, here and in CPython.

Usage: python benches/scalar.py [path/to/genesis-repl]

Each program times itself, five times, and the best run counts. Nanoseconds are those of one turn of its
loop, or of one call.
"""

import subprocess
import sys
import tempfile

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
    "fib(24)": (75_024, """
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

CELL = """
import time
begun = time.time()
s = 0
for i in range(1000000):
    s += i * i % 7
print(time.time() - begun)
"""

STORE = """
import time
x = zeros(1000)
def work(n):
    for i in range(n):
        x[i % 1000] = i
work(1000)
begun = time.time()
work(100000)
print(time.time() - begun)
"""


def seconds(command, program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([*command, file.name], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def main():
    ours = [sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"]
    python = [sys.executable]
    print(f"| program | here, ns | CPython {sys.version.split()[0]}, ns | faster |\n| --- | ---: | ---: | ---: |")
    rows = [(name, n, text + TIMER.format(n=n)) for name, (n, text) in PROGRAMS.items()]
    rows.append(("s += i * i % 7 in a cell", 1_000_000, CELL))
    for name, n, program in rows:
        here, there = seconds(ours, program) * 1e9 / n, seconds(python, program) * 1e9 / n
        print(f"| {name} | {here:.1f} | {there:.1f} | {there / here:.2f} |", flush=True)
    here = seconds(ours, STORE) * 1e4
    try:
        there = seconds(python, "from numpy import zeros\n" + STORE) * 1e4
        print(f"| x[i] = v on a tensor | {here:.1f} | {there:.1f} (NumPy) | {there / here:.2f} |")
    except subprocess.CalledProcessError:
        print(f"| x[i] = v on a tensor | {here:.1f} | no NumPy | |")


if __name__ == "__main__":
    main()
