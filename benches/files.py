"""Reading arrays and tables beside NumPy, in one run: ratios of times, the best of three each.

    python3 benches/files.py [BINARY] [MEGABYTES]

Files are made with a fixed seed in a folder that is removed. The page cache holds them, so that the disk is
out of the comparison.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

BINARY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl")
SIZE = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
CASES = ["np.load('x.npy')", "np.save('y.npy', x)", "np.load('x.npz')['x']", "np.loadtxt('t.txt', dtype='f8')",
         "np.loadtxt('t.csv', delimiter=',', dtype='f8')", "np.genfromtxt('t.csv', delimiter=',', dtype='f8')"]


def ours(case):
    lines = ["import numpy as np, time", "x = np.load('x.npy')"]
    lines += [f"t = time.perf_counter(); r = {case}; d = time.perf_counter() - t; r = None; d"] * 3
    asked = "\n".join(json.dumps({"code": line}) for line in lines) + "\n"
    command = [BINARY, "--json", "--no-history", "--device", "cpu"]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer.get("ok") for answer in answers), answers
    return min(answer["value"]["value"] for answer in answers[2:])


def numpys(case, x):
    times = []
    for _ in range(1 if "genfromtxt" in case else 3):
        start = time.perf_counter()
        result = eval(case, {"np": np, "x": x})
        times.append(time.perf_counter() - start)
        del result
    return min(times)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rng = np.random.default_rng(1)
    x = rng.random((SIZE, 125_000))
    np.save("x.npy", x)
    np.savez("x.npz", x=x)
    table = rng.random((SIZE * 400, 10))
    np.savetxt("t.txt", table)
    np.savetxt("t.csv", table, delimiter=",", fmt="%.17g")
    print(f"{'':48} ours      NumPy     NumPy / ours")
    for case in CASES:
        a, b = ours(case), numpys(case, x)
        print(f"{case:48} {a:7.3f} s {b:7.3f} s {b / a:8.2f}")
