"""Whole programs of plain Python, as people write them, here and in CPython.

Usage: python benches/whole.py [path/to/genesis-repl [program …]]

Each program of benches/whole defines `work()`, which is timed five times in each of three processes; the best run
counts, and what it gives must be the same in both. Nobody has tuned for these; programs may be added, and are
not to be taken out.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TIMER = """
import time
best = 1e9
for run in range(5):
    begun = time.time()
    given = work()
    best = min(best, time.time() - begun)
print(best, given)
"""


def run(command, program):
    """Seconds, and what the program gives."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([command, file.name], capture_output=True, text=True, check=True)
    seconds, given = done.stdout.split(None, 1)
    return float(seconds), given


def is_one(given):
    """Whether all are the same, but for the last digits of sums, which CPython compensates from 3.12 on."""
    try:
        numbers = [float(text) for text in given]
    except ValueError:
        return len(given) == 1
    return max(numbers) - min(numbers) <= 1e-14 * abs(max(numbers))


def main():
    ours = sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"
    words = sys.argv[2:]
    print(f"| program | here, ms | CPython {sys.version.split()[0]}, ms | faster |")
    print("| --- | ---: | ---: | ---: |")
    rows = []
    for path in sorted(Path(__file__).with_name("whole").glob("*.py")):
        if words and path.stem not in words:
            continue
        program = path.read_text() + TIMER
        # Turn and turn about, so that both meet the same load.
        runs = [[run(command, program) for command in (ours, sys.executable)] for _ in range(3)]
        given = {given for pair in runs for _, given in pair}
        if not is_one(given):
            sys.exit(f"{path.stem}: {given}")
        here, there = (min(seconds for seconds, _ in times) * 1e3 for times in zip(*runs))
        print(f"| {path.stem} | {here:.2f} | {there:.2f} | {there / here:.2f} |", flush=True)
        rows.append(there / here)
    behind = sum(ratio < 1 for ratio in rows)
    print(f"\nGeometric mean {statistics.geometric_mean(rows):.2f}, {behind} of {len(rows)} behind CPython.")


if __name__ == "__main__":
    main()
