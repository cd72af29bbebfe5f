"""Loops over tensors, here on the CPU and in NumPy.

Usage: python benches/loops.py [path/to/genesis-repl] [part of a name]

Each program times itself, five times, and the best run counts. Nanoseconds are those of one turn of its
loop. Needs NumPy.
"""

import subprocess
import sys
import tempfile

VECTOR = "x = zeros(1000, dtype=float64)\ny = ones(1000, dtype=float64)\n"
MATRIX = "m = ones((1000, 100), dtype=float64)\n"

PROGRAMS = {
    "x[i] = v": (200_000, VECTOR, """
def work(n):
    for i in range(n):
        x[i % 1000] = i
"""),
    "x[i] = v in a cell": (200_000, VECTOR, None, """
for i in range({n}):
    x[i % 1000] = i
"""),
    "m[i, j] = v": (200_000, MATRIX, """
def work(n):
    for i in range(n // 100):
        for j in range(100):
            m[i % 1000, j] = j
"""),
    "x[i]": (200_000, VECTOR, """
def work(n):
    for i in range(n):
        x[i % 1000]
"""),
    "m[i, j]": (200_000, MATRIX, """
def work(n):
    for i in range(n // 100):
        for j in range(100):
            m[i % 1000, j]
"""),
    "s += float(x[i])": (200_000, VECTOR, """
def work(n):
    s = 0.0
    for i in range(n):
        s += float(x[i % 1000])
    return s
"""),
    "s += x[i].item()": (200_000, VECTOR, """
def work(n):
    s = 0.0
    for i in range(n):
        s += x[i % 1000].item()
    return s
"""),
    "s += x[i]": (200_000, VECTOR, """
def work(n):
    s = 0.0
    for i in range(n):
        s += x[i % 1000]
    return s
"""),
    "if x[i] > 0: c += 1": (200_000, VECTOR, """
def work(n):
    c = 0
    for i in range(n):
        if x[i % 1000] > 0:
            c += 1
    return c
"""),
    "x[i] += v": (200_000, VECTOR, """
def work(n):
    for i in range(n):
        x[i % 1000] += 1.5
"""),
    "x[i] = x[i - 1] + 1": (200_000, VECTOR, """
def work(n):
    for i in range(n):
        x[i % 1000] = x[i % 1000 - 1] + 1
"""),
    "x[i] = x[i] * y[i] - 2": (200_000, VECTOR, """
def work(n):
    for i in range(n):
        k = i % 1000
        x[k] = x[k] * y[k] - 2
"""),
    "for v in x": (200_000, VECTOR, """
def work(n):
    for i in range(n // 1000):
        for v in x:
            pass
"""),
    "for row in m": (100_000, MATRIX, """
def work(n):
    for i in range(n // 1000):
        for row in m:
            pass
"""),
    "m[i]": (100_000, MATRIX, """
def work(n):
    for i in range(n):
        m[i % 1000]
"""),
    "x[a:b]": (100_000, VECTOR, """
def work(n):
    for i in range(n):
        x[i % 900:i % 900 + 50]
"""),
    "m[i] = 0": (100_000, MATRIX, """
def work(n):
    for i in range(n):
        m[i % 1000] = 0
"""),
    "m[i] = m[i - 1]": (50_000, MATRIX, """
def work(n):
    for i in range(n):
        k = i % 1000
        m[k] = m[k - 1]
"""),
    "m[i] += v": (50_000, MATRIX, """
def work(n):
    for i in range(n):
        m[i % 1000] += 0.5
"""),
    "x[i] = m[i, ::10].sum()": (20_000, VECTOR + MATRIX, """
def work(n):
    for i in range(n):
        k = i % 1000
        x[k] = m[k, ::10].sum()
"""),
    "x[i] = m[i].sum() in a cell": (20_000, VECTOR + MATRIX, None, """
for i in range({n}):
    x[i % 1000] = m[i % 1000].sum()
"""),
    "y = x + 1, 16 elements": (50_000, "z = ones(16, dtype=float64)\n", """
def work(n):
    for i in range(n):
        y = z + 1
"""),
    "y = x + 1, 16 elements, used": (50_000, "z = ones(16, dtype=float64)\n", """
def work(n):
    y = z
    for i in range(n):
        y = y + 1
    return float(y.sum())
"""),
    "y = x + 1, 16 elements, in a cell": (50_000, "z = ones(16, dtype=float64)\n", None, """
for i in range({n}):
    y = z + 1
"""),
    "y = x * i, 16 elements, in a cell": (20_000, "z = ones(16, dtype=float64)\n", None, """
for i in range({n}):
    y = z * i
"""),
    "y = x * (1 / (i + 1)), 16 elements, in a cell": (20_000, "z = ones(16, dtype=float64)\n", None, """
for i in range({n}):
    y = z * (1 / (i + 1))
"""),
    "s = s + row": (20_000, MATRIX, """
def work(n):
    for i in range(n // 1000):
        s = 0
        for row in m:
            s = s + row
    return float(s.sum())
"""),
    "s += row": (20_000, MATRIX, """
def work(n):
    s = zeros(100, dtype=float64)
    for i in range(n // 1000):
        for row in m:
            s += row
    return float(s.sum())
"""),
    "three operations in a function": (20_000, "z = ones(1000, dtype=float64)\n", """
def f(x):
    y = x * 2
    z = y + 1
    return exp(z)
def work(n):
    for i in range(n):
        r = f(z)
    return float(r[0])
"""),
    "Mandelbrot, a step of 250,000 points": (50, """
a = linspace(-2, 0.5, 500, dtype=float64).reshape(1, 500)
b = linspace(-1.25, 1.25, 500, dtype=float64).reshape(500, 1)
""", """
def work(n):
    x = zeros((500, 500), dtype=float64)
    y = zeros((500, 500), dtype=float64)
    k = zeros((500, 500), dtype=int32)
    for i in range(n):
        x2 = x * x
        y2 = y * y
        inside = x2 + y2 <= 4.0
        k = k + inside
        y = where(inside, 2.0 * x * y + b, y)
        x = where(inside, x2 - y2 + a, x)
    return int(k.sum())
"""),
}

NUMPY = "from numpy import exp, float64, int32, linspace, ones, where, zeros\n"

TIMER = """
import time
{before}
best = 1e9
for run in range(5):
    begun = time.time()
    {work}
    best = min(best, time.time() - begun)
print(best)
"""


def program(n, before, function, cell=None):
    if function:
        return TIMER.format(before=before + function, work=f"work({n})")
    return TIMER.format(before=before, work=cell.format(n=n).strip().replace("\n", "\n    "))


def seconds(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([*command, file.name], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}in this program:\n{text}")
    return float(done.stdout.split()[-1])


def main():
    ours = [sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"]
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    import numpy

    print(f"| loop | here, ns | NumPy {numpy.__version__}, ns | faster |\n| --- | ---: | ---: | ---: |")
    for name, (n, *texts) in PROGRAMS.items():
        if part in name:
            text = program(n, *texts)
            here = seconds(ours, text) * 1e9 / n
            there = seconds([sys.executable], NUMPY + text) * 1e9 / n
            print(f"| {name} | {here:.0f} | {there:.0f} | {there / here:.2f} |", flush=True)


if __name__ == "__main__":
    main()
