"""Fourier transforms here and in NumPy, or, with --gpu, on the GPU beside PyTorch's, one after the other in
one run.

Usage: python benches/fft.py [--gpu] [path/to/genesis-repl] [part of a name]

Each call is timed several times, and the best one counts. Needs NumPy; with --gpu PyTorch.
"""

import subprocess
import sys
import tempfile

SHAPES = {
    "fft of 1,000": ((1_000,), "fft.fft(z)"),
    "fft of 2^10 x 2^10 lines": ((1 << 10, 1 << 10), "fft.fft(z)"),
    "fft along the first axis, 2^10 x 2^10": ((1 << 10, 1 << 10), "fft.fft(z, {axis}=0)"),
    "fft along the first axis, 1,000 x 1,000": ((1_000, 1_000), "fft.fft(z, {axis}=0)"),
    "fft along the first axis, 1,009 x 1,001": ((1_009, 1_001), "fft.fft(z, {axis}=0)"),
    "fft along the middle axis, 15 x 375 x 77": ((15, 375, 77), "fft.fft(z, {axis}=1)"),
    "rfft along the first axis, 2^10 x 2^10": ((1 << 10, 1 << 10), "fft.rfft(x, {axis}=0)"),
    "irfft along the first axis, 513 x 2^10": ((513, 1 << 10), "fft.irfft(z, {axis}=0)"),
    "fft of 2^16": ((1 << 16,), "fft.fft(z)"),
    "fft of 2^20": ((1 << 20,), "fft.fft(z)"),
    "fft of 2^24": ((1 << 24,), "fft.fft(z)"),
    "fft of 10^6": ((10**6,), "fft.fft(z)"),
    "fft of a prime, 1,000,003": ((1_000_003,), "fft.fft(z)"),
    "ifft of 2^20": ((1 << 20,), "fft.ifft(z)"),
    "rfft of 2^20": ((1 << 20,), "fft.rfft(x)"),
    "irfft of 2^20": ((1 << 20,), "fft.irfft(z)"),
    "100,000 rfft of 64": ((100_000, 64), "fft.rfft(x)"),
    "100,000 fft of 60": ((100_000, 60), "fft.fft(z)"),
    "fft2 of 2^11 x 2^11": ((1 << 11, 1 << 11), "fft.fft2(z)"),
    "fftn of 128 x 128 x 128": ((128, 128, 128), "fft.fftn(z)"),
}
NUMPY = """
import time
import numpy as np
from numpy import fft

def wait(): pass
x = np.random.rand(*{shape}).astype(np.{dtype})
"""
OURS_ON_GPU = """
import time
import numpy as np
import torch
from numpy import fft

wait = torch.cuda.synchronize
x = np.random.rand(*{shape}).astype(np.{dtype})
"""
TORCH = """
import time
import torch
from torch import fft

wait = torch.cuda.synchronize
x = torch.rand(*{shape}, dtype=torch.{dtype}, device="cuda")
"""
PROGRAM = """
z = x + 1j * x
best = 1e9
for turn in range({turns}):
    wait()
    begin = time.perf_counter()
    for again in range({times}):
        y = {call}
    wait()
    best = min(best, (time.perf_counter() - begin) / {times})
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


def main():
    arguments = sys.argv[1:]
    on_gpu = "--gpu" in arguments
    arguments = [argument for argument in arguments if argument != "--gpu"]
    binary = arguments[0] if arguments else "target/release/genesis-repl"
    part = arguments[1] if len(arguments) > 1 else ""
    device, peer = ("cuda", "PyTorch") if on_gpu else ("cpu", "NumPy")
    print(f"{'':48} {'here':>10} {peer:>10} {'ratio':>7}")
    for name, (shape, call) in SHAPES.items():
        for dtype in ("float64", "float32"):
            title = f"{name}, {dtype}"
            if part not in title:
                continue
            size = 1
            for extent in shape:
                size *= extent
            times = max(1, (1 << 18) // size)
            given = {"shape": shape, "dtype": dtype, "turns": 20 if size < 1 << 22 else 5, "times": times}
            head = OURS_ON_GPU if on_gpu else NUMPY
            ours = (head + PROGRAM).format(call=call.format(axis="axis"), **given)
            theirs = (TORCH if on_gpu else NUMPY) + PROGRAM
            theirs = theirs.format(call=call.format(axis="dim" if on_gpu else "axis"), **given)
            here = seconds([binary, "--device", device], ours)
            there = seconds([sys.executable], theirs)
            print(f"{title:48} {here * 1e6:8.1f} µs {there * 1e6:8.1f} µs {there / here:7.2f}")


main()
