"""Linear algebra here, on the CPU, and in NumPy, one after the other in one run.

Usage: python benches/linalg.py [path/to/genesis-repl] [part of a name]

Each call is timed several times, and the best one counts. Needs NumPy.
"""

import subprocess
import sys
import tempfile

SQUARES = {
    "solve": "np.linalg.solve(a, b)",
    "inv": "np.linalg.inv(a)",
    "cholesky": "np.linalg.cholesky(p)",
    "qr": "np.linalg.qr(a)",
    "svd": "np.linalg.svd(a)",
    "svdvals": "np.linalg.svdvals(a)",
    "eigh": "np.linalg.eigh(s)",
    "eigvalsh": "np.linalg.eigvalsh(s)",
    "eig": "np.linalg.eig(s)",
}
STACKS = {
    "100,000 qr of 3 x 3": (100_000, 3, "np.linalg.qr(a)"),
    "512 eigh of 3 x 3": (512, 3, "np.linalg.eigh(s)"),
    "100,000 solve of 3 x 3": (100_000, 3, "np.linalg.solve(p, a)"),
    "10,000 inv of 4 x 4": (10_000, 4, "np.linalg.inv(p)"),
    "10,000 svd of 3 x 3": (10_000, 3, "np.linalg.svd(a)"),
    "1,000 eigh of 32 x 32": (1_000, 32, "np.linalg.eigh(s)"),
    "1,000 cholesky of 32 x 32": (1_000, 32, "np.linalg.cholesky(p)"),
}
PROGRAM = """
import time
import numpy as np

a = np.random.rand(*{shape}).astype(np.{dtype}) - np.array(0.5, dtype=np.{dtype})
s = a + np.swapaxes(a, -1, -2)
p = s + np.eye({n}, dtype=np.{dtype}) * {n} * 4
b = a[..., 0].copy()
best = 1e9
for turn in range({turns}):
    begin = time.perf_counter()
    {call}
    best = min(best, time.perf_counter() - begin)
print(best)
"""


def seconds(command, program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run(command + [file.name], capture_output=True, text=True)
    try:
        return float(done.stdout)
    except ValueError:
        sys.exit(done.stderr or done.stdout)


def cases():
    for n in (256, 1024, 2048):
        for dtype in ("float64", "float32"):
            for name, call in SQUARES.items():
                if name != "eig" or n < 2048:
                    turns = 10 if n == 256 else 2 if n == 1024 else 1
                    yield f"{name} of {n} x {n}, {dtype}", (n, n), n, dtype, call, turns
    for name, (count, n, call) in STACKS.items():
        for dtype in ("float64", "float32"):
            yield f"{name}, {dtype}", (count, n, n), n, dtype, call, 3


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl"
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    print(f"{'':36} {'here':>10} {'NumPy':>10} {'ratio':>7}")
    for name, shape, n, dtype, call, turns in cases():
        if part not in name:
            continue
        program = PROGRAM.format(shape=shape, n=n, dtype=dtype, call=call, turns=turns)
        here = seconds([binary, "--device", "cpu"], program)
        numpy = seconds([sys.executable], program)
        print(f"{name:36} {here * 1e3:8.2f}ms {numpy * 1e3:8.2f}ms {numpy / here:6.2f}x", flush=True)


main()
