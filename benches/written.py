"""What a call of a library function costs on top of the expression that it stands for, in microseconds.

Usage: python benches/written.py [path/to/genesis-repl]

Each function and its expression, in a function of the program's own where it has several lines, are run in turn over the
same tensor of eight elements, and the shortest time of each counts. "text" functions are written in the language
(`src/interp/library`), and "Rust" ones in the table of builtins. A negative figure is a function that does with fewer nodes.
"""

import subprocess
import sys
import tempfile

# A function's call, where it is written, and what it stands for.
CASES = [
    ("isreal(x)", "text", "imag(x) == 0"),
    ("linalg.outer(x, y)", "text", "x[:, None] * y"),
    ("linalg.vecdot(x, y)", "text", "(x * y).sum(-1)"),
    ("linalg.diagonal(m)", "text", "m.diagonal()"),
    ("linalg.matrix_norm(m)", "text", "sqrt((m * m).sum((-2, -1)))"),
    ("linalg.trace(m)", "text", "m.trace()"),
    ("polyval(p, x)", "text", "horner(p, x)"),
    ("triu_indices_from(m)", "text", "triu_indices(2, 0, 4)"),
    ("softplus(x)", "Rust", "logaddexp(x, 0.0)"),
    ("softmax(x, 0)", "Rust", "soft(x)"),
    ("var(x)", "Rust", "square(x - x.mean()).mean()"),
    ("stack([x, y])", "Rust", "concatenate([x[None], y[None]])"),
    ("average(x)", "Rust", "x.mean()"),
]
PROGRAM = """
import time
from numpy import *

x, y = arange(8.0), arange(8.0) + 1
m, p = arange(8.0).reshape(2, 4), array([3.0, 2.0, 1.0])

def soft(x):
    e = exp(x - x.max())
    return e / e.sum()

def horner(p, x):
    y = zeros_like(x)
    for c in p:
        y = y * x + c
    return y

def timed(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin

def call():
    for turn in range({times}):
        z = {call}

def expression():
    for turn in range({times}):
        z = {expression}

best = [1e9, 1e9]
for again in range(15):
    best = [sorted([best[0], timed(call)])[0], sorted([best[1], timed(expression)])[0]]
print(best[0] / {times} * 1e6, best[1] / {times} * 1e6)
"""


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"
    print("| call | in | µs | written out | µs | on top |\n| --- | --- | ---: | --- | ---: | ---: |")
    for call, home, expression in CASES:
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(PROGRAM.format(call=call, expression=expression, times=4000))
            file.flush()
            done = subprocess.run([binary, "--device", "cpu", file.name], capture_output=True, text=True)
        try:
            here, there = [float(part) for part in done.stdout.split()]
        except ValueError:
            sys.exit(done.stderr or done.stdout)
        print(f"| `{call}` | {home} | {here:.2f} | `{expression}` | {there:.2f} | {here - there:.2f} |")


main()
