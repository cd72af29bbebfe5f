"""What Python's own types and library do with containers of 50,000 items, here and in CPython.

Usage: python benches/built_ins.py [path/to/genesis-repl]

The first table has operations on a whole container, the best of five runs in milliseconds. The second has operations that
change or ask a few items, 300 times, in a container and in one of a hundredth of its items: microseconds of one, and how
many times longer it takes in the large container. Nobody has tuned for these; operations may be added, and are not to be
taken out.
"""

import math
import subprocess
import sys
import tempfile

from built_ins_cases import FEW, WHOLE

COUNT = 50_000
HEAD = "import bisect, collections, copy, functools, heapq, itertools, json, math, random, re, statistics, time\n"


def run(command, program):
    """The numbers that a program prints."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(HEAD + program)
        file.flush()
        printed = subprocess.run([*command, file.name], capture_output=True, text=True, check=True).stdout
    return [float(word) for word in printed.split()]


def whole(init, operation):
    return f"""
def work(N):
    {init}
    begun = time.perf_counter()
    {operation}
    return time.perf_counter() - begun
print(min(work({COUNT}) for turn in range(5)) * 1e3)
"""


def few(init, operation):
    return f"""
def work(N):
    {init}
    begun = time.perf_counter()
    for i in range(300):
        {operation}
    return (time.perf_counter() - begun) / 300 * 1e6
print(*(min(work(N) for turn in range(5)) for N in ({4 * COUNT}, {4 * COUNT // 100})))
"""


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"
    commands = [binary], [sys.executable]
    ratios = []
    print("| container | operation | here, ms | CPython, ms | faster |\n| --- | --- | ---: | ---: | ---: |")
    for init, operations in WHOLE:
        for operation in operations:
            here, there = (run(command, whole(init, operation))[0] for command in commands)
            ratios.append(there / here)
            shown = operation.replace("|", "\\|").replace("\n", "; ")
            print(f"| `{init}` | `{shown}` | {here:.3f} | {there:.3f} | {there / here:.2f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    behind = sum(ratio < 1 for ratio in ratios)
    print(f"\nGeometric mean {mean:.2f}, {behind} of {len(ratios)} behind CPython.\n")
    print("| container | operation | here, us | times the small | CPython, us | times the small |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for init, operations in FEW:
        for operation in operations:
            shown = operation.replace("|", "\\|")
            parts = []
            for command in commands:
                large, small = run(command, few(init, operation))
                parts.append(f"{large:.2f} | {large / small:.1f}")
            print(f"| `{init}` | `{shown}` | {' | '.join(parts)} |", flush=True)


if __name__ == "__main__":
    main()
