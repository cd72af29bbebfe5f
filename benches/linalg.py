"""Linear algebra here, on the CPU, and in NumPy, or, with --gpu, on the GPU beside PyTorch's, one after the
other in one run.

Usage: python benches/linalg.py [--gpu] [path/to/genesis-repl] [part of a name]

Each call is timed several times, and the best one counts. Needs NumPy; with --gpu PyTorch.
"""

import subprocess
import sys
import tempfile

SQUARES = {
    "solve": "linalg.solve(a, b)",
    "inv": "linalg.inv(a)",
    "cholesky": "linalg.cholesky(p)",
    "qr": "linalg.qr(a)",
    "svd": "linalg.svd(a)",
    "svdvals": "linalg.svdvals(a)",
    "eigh": "linalg.eigh(s)",
    "eigvalsh": "linalg.eigvalsh(s)",
    "eig": "linalg.eig(s)",
}
STACKS = {
    "100,000 qr": (100_000, 3, "linalg.qr(a)"),
    "512 eigh": (512, 3, "linalg.eigh(s)"),
    "100,000 eigh": (100_000, 3, "linalg.eigh(s)"),
    "100,000 solve": (100_000, 3, "linalg.solve(p, a)"),
    "10,000 inv": (10_000, 4, "linalg.inv(p)"),
    "10,000 det": (10_000, 8, "linalg.det(p)"),
    "10,000 svd": (10_000, 3, "linalg.svd(a)"),
    "1,000 eigh": (1_000, 32, "linalg.eigh(s)"),
    "1,000 svd": (1_000, 32, "linalg.svd(a)"),
    "1,000 cholesky": (1_000, 32, "linalg.cholesky(p)"),
}
NUMPY = """
import numpy as np
from numpy import linalg
from numpy import random, swapaxes, eye

def wait(): pass
a = random.rand(*{shape}).astype(np.{dtype}) - np.array(0.5, dtype=np.{dtype})
one = eye({n}, dtype=np.{dtype})
"""
OURS_ON_GPU = """
import numpy as np
import torch
from numpy import linalg
from numpy import random, swapaxes, eye

wait = torch.cuda.synchronize
a = random.rand(*{shape}).astype(np.{dtype}) - np.array(0.5, dtype=np.{dtype})
one = eye({n}, dtype=np.{dtype})
"""
TORCH = """
import torch
from torch import linalg, swapaxes

wait = torch.cuda.synchronize
a = torch.rand(*{shape}, dtype=torch.{dtype}, device="cuda") - 0.5
one = torch.eye({n}, dtype=torch.{dtype}, device="cuda")
"""
PROGRAM = """
import time

s = a + swapaxes(a, -1, -2)
p = s + one * {n} * 4
b = a[..., 0] + 0
def best(work):
    least, end = 1e9, time.perf_counter() + {patience}
    for turn in range(10):
        wait()
        begin = time.perf_counter()
        work()
        wait()
        least = min(least, time.perf_counter() - begin)
        if time.perf_counter() > end:
            break
    return least
"""


def seconds(command, program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run(command + [file.name], capture_output=True, text=True)
    try:
        return [float(line) for line in done.stdout.split()]
    except ValueError:
        sys.exit(done.stderr or done.stdout)


def groups(on_gpu):
    """Calls that have their operands in common: those, and each call by its name."""
    for dtype in ("float64", "float32"):
        for n in (256, 1024, 2048):
            calls = {
                f"{name} of {n} x {n}, {dtype}": call
                for name, call in SQUARES.items()
                if name != "eig" or (n < 2048 and not on_gpu)
            }
            yield (n, n), n, dtype, calls
        for name, (count, n, call) in STACKS.items():
            yield (count, n, n), n, dtype, {f"{name} of {n} x {n}, {dtype}": call}


def main():
    on_gpu = "--gpu" in sys.argv
    rest = [word for word in sys.argv[1:] if word != "--gpu"]
    binary = rest[0] if rest else "target/release/genesis-repl"
    part = rest[1] if len(rest) > 1 else ""
    ours = [binary, "--device", "cuda" if on_gpu else "cpu"]
    peer = "PyTorch" if on_gpu else "NumPy"
    print(f"{'':36} {'here':>10} {peer:>10} {'ratio':>7}")
    for shape, n, dtype, calls in groups(on_gpu):
        calls = {name: call for name, call in calls.items() if part in name}
        if not calls:
            continue
        timed = PROGRAM + "".join(f"print(best(lambda: {call}))\n" for call in calls.values())
        fill = lambda text: text.format(shape=shape, n=n, dtype=dtype, patience=1)
        here = seconds(ours, fill((OURS_ON_GPU if on_gpu else NUMPY) + timed))
        there = seconds([sys.executable], fill((TORCH if on_gpu else NUMPY) + timed))
        for name, here, there in zip(calls, here, there):
            times = f"{here * 1e3:8.2f}ms {there * 1e3:8.2f}ms {there / here:6.2f}x"
            print(f"{name:36} {times}", flush=True)


main()
