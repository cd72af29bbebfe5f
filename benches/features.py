"""What programs do with classes, errors, generators, texts and the standard library, here and in CPython.

Usage: python benches/features.py [path/to/genesis-repl [words …]]

With words, only the cases whose names contain one of them are run. Each case runs 2,000 turns seven times in each of
three processes of each kind, which take turns; the best counts, in nanoseconds of one turn. Nobody has tuned for these;
cases may be added, and are not to be taken out.
"""

import math
import subprocess
import sys
import tempfile
import textwrap

from features_cases import DEFINITIONS, TURNS, WHOLE

COUNT = 2_000
ROUNDS = 7
PROCESSES = 3


def function(number, body):
    return f"def work_{number}(n):\n{textwrap.indent(body.strip(), '    ')}\n"


def program(names):
    """A text that prints how long each case takes, in their order."""
    parts = [DEFINITIONS]
    for number, name in enumerate(names):
        if name in WHOLE:
            parts.append(function(number, WHOLE[name]))
        else:
            setup, turn = TURNS[name]
            loop = f"for i in range(n):\n{textwrap.indent(turn.strip(), '    ')}"
            parts.append(function(number, f"{setup.strip()}\n{loop}"))
    parts.append(f"""
import time
def best(work):
    times = []
    for turn in range({ROUNDS}):
        begun = time.perf_counter()
        work({COUNT})
        times.append(time.perf_counter() - begun)
    return min(times) / {COUNT} * 1e9
for work in [{", ".join(f"work_{number}" for number in range(len(names)))}]:
    print(best(work))
""")
    return "\n".join(parts)


def times(command, path):
    printed = subprocess.run([command, path], capture_output=True, text=True, check=True).stdout
    return [float(line) for line in printed.split()]


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"
    words = sys.argv[2:] or [""]
    names = [name for name in [*TURNS, *WHOLE] if any(word in name for word in words)]
    runs = {binary: [], sys.executable: []}
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program(names))
        file.flush()
        for _ in range(PROCESSES):
            for command, found in runs.items():
                found.append(times(command, file.name))
    here, there = ([min(found) for found in zip(*found)] for found in runs.values())
    rows = sorted((python / own, name, own, python) for name, own, python in zip(names, here, there))
    print("| case | here, ns | CPython, ns | faster |\n| --- | ---: | ---: | ---: |")
    for ratio, name, own, python in rows:
        print(f"| {name} | {own:.0f} | {python:.0f} | {ratio:.2f} |")
    mean = math.exp(sum(math.log(ratio) for ratio, *_ in rows) / len(rows))
    behind = sum(ratio < 1 for ratio, *_ in rows)
    print(f"\nGeometric mean {mean:.2f}, {behind} of {len(rows)} behind CPython.")


if __name__ == "__main__":
    main()
