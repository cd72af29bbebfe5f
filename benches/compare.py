#!/usr/bin/env python3
"""Times genesis-repl beside NumPy and numexpr in one run, and prints the ratios.

    cargo build --release && python3 benches/compare.py [--cases add_16M,softmax] [--rounds 3]

Each case is one statement. Ours runs through the line protocol, timed by `:timeit`; theirs runs in
this process. In every round each peer has its turn: it runs warm, again and again for a fraction of a
second, and its best time counts; between turns the machine rests for a moment, because the waiting
threads of one peer's pool would otherwise be charged to the next. The median over the rounds is
shown. A ratio above 1 means that we are faster. Needs `pip install numpy numexpr`.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

try:
    import numexpr
except ImportError:
    numexpr = None

ROOT = Path(__file__).resolve().parent.parent
MILLION = 1024 * 1024


class Genesis:
    """A session behind the line protocol."""

    def __init__(self, binary):
        command = [str(binary), "--json", "--no-history", "--json-limit", "0"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, code):
        self.process.stdin.write(json.dumps({"id": 1, "code": code}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if not answer["ok"]:
            sys.exit(f"{code}\n{answer['error']}")
        return answer

    def timeit(self, code, flags="-r 3"):
        """The best time of one run, in microseconds, as `:timeit` says it."""
        text = self.run(f":timeit {flags} {code}")["stdout"]
        number, unit = re.search(r"([\d.]+) (ns|µs|ms|s)\b", text).groups()
        return float(number) * {"ns": 1e-3, "µs": 1.0, "ms": 1e3, "s": 1e6}[unit]


def best_time(function, series=3, budget=0.2):
    """The best time of one call, in microseconds, over series of calls that fill the budget."""
    function()
    start = time.perf_counter()
    function()
    count = max(1, int(budget / max(time.perf_counter() - start, 1e-7)))
    best = float("inf")
    for _ in range(series):
        start = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - start) / count)
    return best * 1e6


def distribution(ratios):
    """How ratios are distributed, in words."""
    few = [sum(ratio < bound for ratio in ratios) for bound in (0.7, 0.9)]
    return (f"geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}, most {max(ratios):.2f}, "
            f"below 0.7: {few[0]}, below 0.9: {few[1]}, of {len(ratios)}")


def softmax(m):
    e = np.exp(m - m.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cases():
    """Name, our statement, NumPy's function, numexpr's expression, the ratios to hold."""
    rng = np.random.default_rng(0)
    n = 16 * MILLION
    x, y = rng.standard_normal(n, np.float32), rng.standard_normal(n, np.float32)
    m = x.reshape(4096, 4096)
    x1, y1 = x[:MILLION].copy(), y[:MILLION].copy()
    index = rng.integers(0, n, 4 * MILLION)
    table = x.reshape(-1, 64)
    rows = rng.integers(0, len(table), len(table))
    a, b = m[:1024, :1024].copy(), m[1024:2048, :1024].copy()
    tiny = x[:16].copy()
    two, one, three, half = (np.float32(v) for v in (2, 1, 3, 0.5))
    env = {"x": x, "y": y}
    env1 = {"x": x1, "y": y1}
    return [
        ("copy_16M", "r = x.copy()", lambda: x.copy(), None, None),
        ("add_1M", "r = x1 + y1", lambda: x1 + y1, ("x+y", env1), (1, None)),
        ("add_16M", "r = x + y", lambda: x + y, ("x+y", env), (1, None)),
        ("chain_1M", "r = exp(x1*2+1)*y1 - x1/3", lambda: np.exp(x1 * two + one) * y1 - x1 / three,
         ("exp(x*2+1)*y-x/3", env1), None),
        ("chain_16M", "r = exp(x*2+1)*y - x/3", lambda: np.exp(x * two + one) * y - x / three,
         ("exp(x*2+1)*y-x/3", env), (3, 1.5)),
        ("poly_16M", "r = ((x*0.5+1)*x-3)*x+y", lambda: ((x * half + one) * x - three) * x + y,
         ("((x*0.5+1)*x-3)*x+y", env), None),
        ("sum_1M", "r = x1.sum()", lambda: x1.sum(), None, (1, None)),
        ("sum_16M", "r = x.sum()", lambda: x.sum(), None, (1, None)),
        ("chain_sum_16M", "r = (exp(x*0.5)*y).sum()", lambda: (np.exp(x * half) * y).sum(),
         ("sum(exp(x*0.5)*y)", env), None),
        ("sum_rows", "r = m.sum(axis=1)", lambda: m.sum(axis=1), None, None),
        ("sum_columns", "r = m.sum(axis=0)", lambda: m.sum(axis=0), None, None),
        ("max_argmax_rows", "r = m.max(dim=1)", lambda: (m.max(axis=1), m.argmax(axis=1)), None, None),
        ("var_rows", "r = ((m - m.mean(axis=1, keepdims=True)) ** 2).mean(axis=1)",
         lambda: ((m - m.mean(axis=1, keepdims=True)) ** 2).mean(axis=1), None, (2, None)),
        ("softmax_rows", "r = softmax(m, dim=1)", lambda: softmax(m), None, (2, None)),
        ("mask_select_16M", "r = x[x > .5]", lambda: x[x > 0.5], None, (2, None)),
        ("gather_4M", "r = x[index]", lambda: x[index], None, (2, None)),
        ("gather_rows_64", "r = table[rows]", lambda: table[rows], None, None),
        ("strided_copy", "r = m[::2, ::3].copy()", lambda: np.ascontiguousarray(m[::2, ::3]), None, None),
        ("transposed_copy", "r = m.T.contiguous()", lambda: np.ascontiguousarray(m.T), None, (2, None)),
        ("matmul_1024", "r = a @ b", lambda: a @ b, None, (1, None)),
        ("sort_4M", "r = sort(x[:4194304])", lambda: np.sort(x[: 4 * MILLION]), None, (1, None)),
        ("cumsum_16M", "r = cumsum(x)", lambda: np.cumsum(x), None, (2, None)),
        ("unique_4M", "r = unique(index)", lambda: np.unique(index), None, (2, None)),
        ("randn_16M", "r = randn(16777216)", lambda: rng.standard_normal(n, np.float32), None, (2, None)),
        ("add_16", "r = tiny + 1", lambda: tiny + 1, None, None),
    ]


SETUP = """
seed(0)
x = randn(16777216)
y = randn(16777216)
m = x.reshape(4096, 4096)
x1 = x[:1048576].copy()
y1 = y[:1048576].copy()
index = randint(0, 16777216, (4194304,))
table = x.reshape(-1, 64)
rows = randint(0, 262144, (262144,))
a = m[:1024, :1024].copy()
b = m[1024:2048, :1024].copy()
tiny = x[:16].copy()
"""


def measure(genesis, statement, reference, expression, rounds):
    turns = [lambda: genesis.timeit(statement), lambda: best_time(reference)]
    if numexpr is not None and expression:
        text, env = expression
        turns.append(lambda: best_time(lambda: numexpr.evaluate(text, local_dict=env)))
    times = [[] for _ in turns]
    for _ in range(rounds):
        for taken, turn in zip(times, turns):
            time.sleep(0.3)
            taken.append(turn())
    return [statistics.median(taken) for taken in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target" / "release" / "genesis-repl")
    parser.add_argument("--cases", default="")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    wanted = set(filter(None, arguments.cases.split(",")))
    genesis = Genesis(arguments.binary)
    genesis.run(SETUP)
    versions = f"NumPy {np.__version__}" + (f", numexpr {numexpr.__version__}" if numexpr else "")
    print(f"{versions}, {os.cpu_count()} cores; medians of {arguments.rounds} rounds\n")
    print("| case | genesis-repl µs | NumPy µs | × NumPy | × numexpr | to hold |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    missed = 0
    for name, statement, reference, expression, target in cases():
        if wanted and name not in wanted:
            continue
        ours, theirs, *others = measure(genesis, statement, reference, expression, arguments.rounds)
        ratio, other = theirs / ours, others[0] / ours if others else None
        verdict = ""
        if target:
            held = ratio >= target[0] and (target[1] is None or other is None or other >= target[1])
            missed += not held
            goals = [f"≥ {goal} × {peer}" for goal, peer in zip(target, ("NumPy", "numexpr")) if goal]
            verdict = ", ".join(goals) + ("" if held else " – missed")
        print(f"| {name} | {ours:,.1f} | {theirs:,.1f} | {ratio:.2f} | {f'{other:.2f}' if other else ''} | {verdict} |", flush=True)
    print(f"\ntargets missed: {missed}" if missed else "\nevery target held")


if __name__ == "__main__":
    main()
