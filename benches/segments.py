#!/usr/bin/env python3
"""The five allocator traces over plain and over paged segments, and as they are by default, on the first GPU, or on a simulated one with `--simulated`.

First the results: a program that runs short of memory, so that pages move under it, must print the same in all modes. Then the table.
Build before: `cargo build --release --examples --bins`.
"""

import argparse
import json
import os
import subprocess
import sys

KINDS = ["plain", "paged", "auto"]
PROGRAM = """
import numpy as np
np.random.seed(7)
def check(x):
    return int((x.astype(np.float32).view(np.int32) % 1000003).sum())
kept, sums = [], []
for step in range(40):
    n = 300_000 + 211_111 * (step * 7 % 23)
    kept.append(np.random.rand(n))
    if len(kept) > 6:
        del kept[step * 5 % 7]
    joined = np.concatenate(kept)
    sums.append(check(np.sort(joined) * 2 + 1))
    sums.append(check(np.cumsum(kept[-1])))
print(sums)
print([check(x) for x in kept])
"""


def run(command, kind):
    environment = dict(os.environ, GENESIS_CUDA_SEGMENTS=kind)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def check(binary, where):
    command = [binary, "--no-history", *where, "-e", PROGRAM]
    plain, *others = [run(command, kind) for kind in KINDS]
    if any(other != plain for other in others) or len(plain) < 100:
        sys.exit("the results differ:\n" + "\n".join([plain, *others]))
    print(f"results: the same over {', '.join(KINDS)} segments ({plain.count(',')} checksums)")
    for kind in KINDS[1:]:
        counts = run([*command, "-e", ":mem stats"], kind)
        print(kind, *(line for line in counts.splitlines() if "device calls" in line or "moved" in line), sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--target", default="target/release")
    options = parser.parse_args()
    where = ["--simulate", "512MiB"] if options.simulated else ["--device", "cuda"]
    check(f"{options.target}/genesis-repl", where)
    print()
    print("| trace | segments | fragmentation | cold ns a pair | cold calls | warm ns a pair | calls a warm pair | moved |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for kind in KINDS:
        command = [f"{options.target}/examples/replay"]
        command += [] if options.simulated else ["--cuda"]
        command += [f"--{kind}"] if kind != "plain" else []
        for row in map(json.loads, run(command, kind).splitlines()):
            assert row["segments"] == kind, row
            if row["failed"]:
                print(f"| {row['trace']} | {kind} | out of memory | | | | | |")
                continue
            print(
                f"| {row['trace']} | {kind} | {100 * row['fragmentation']:.1f} % | {row['cold_ns_per_pair']:.0f} "
                f"| {row['cold_upstream_calls']} | {row['warm_ns_per_pair']:.0f} "
                f"| {row['warm_upstream_calls_per_pair']} | {row['moved']} |"
            )


if __name__ == "__main__":
    main()
