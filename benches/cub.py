#!/usr/bin/env python3
"""Times sorting, selecting and scanning beside CUB's algorithms, built from the CUDA toolkit's headers, on one GPU.

    cargo build --release && python3 benches/cub.py [--binary PATH]

CUB's times are those of its device-wide algorithms alone (cub.cu): inputs, outputs and temporary memory lie ready, `argsort`
carries indices of 32 bits (ours are int64), `x[x > 0.5]` selects by a predicate and without a mask in memory. Ours are
of the statement, by `:timeit`. Each has its turn three times; the medians count. A ratio is CUB's time by ours.
"""
import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis  # noqa: E402

SETUP = """
seed(0)
x = randn(67108864)
v16 = x[:16777216].copy()
v4 = x[:4000000].copy()
d30 = randn(30000000, dtype=float64)
mask = randint(0, 2, (67108864,)).bool()
numbers = randint(0, 67108864, (16777216,))
i16 = randint(0, 100, (16777216,))
i2 = i16[:2300000].copy()
"""

CASES = {
    "sort_16M": "sort(v16)",
    "argsort_16M": "argsort(v16)",
    "mask_select_64M": "x[x > 0.5]",
    "nonzero_64M": "mask.nonzero()",
    "unique_16M_int": "unique(numbers)",
    "cumsum_64M": "cumsum(x)",
    "cumsum_4M": "cumsum(v4)",
    "cumsum_30M_f64": "cumsum(d30)",
    "cumsum_16M_int": "cumsum(i16)",
    "cumsum_2M_int": "cumsum(i2)",
}
ROUNDS = 3


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=str(ROOT / "target" / "release" / "genesis-repl"))
    binary = options.parse_args().binary
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/cub"
        source = str(Path(__file__).resolve().parent / "cub.cu")
        subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", source, "-o", program], check=True)
        genesis = Genesis(binary)
        for line in SETUP.strip().splitlines():
            genesis.run(line)
        ours, cubs = ({name: [] for name in CASES} for _ in range(2))
        for _ in range(ROUNDS):
            lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout
            for name, time in re.findall(r"(\w+) ([\d.]+)", lines):
                cubs[name].append(float(time))
            for name, text in CASES.items():
                ours[name].append(genesis.timeit(f"r = {text}"))
    print("| case | statement | ours, µs | CUB, µs | CUB by ours |\n| --- | --- | ---: | ---: | ---: |")
    for name, text in CASES.items():
        own, cub = statistics.median(ours[name]), statistics.median(cubs[name])
        print(f"| {name} | `{text}` | {own:.1f} | {cub:.1f} | {cub / own:.2f} |")


if __name__ == "__main__":
    main()
