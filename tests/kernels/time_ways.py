#!/usr/bin/env python3
"""Times every way to run some programs on a GPU.

    cargo run --release --example kernel_ways target/ways
    tests/kernels/time_ways.py target/ways
    tests/kernels/time_ways.py target/ways --only softmax

The first way of a program is the one that a session takes. For each way: the median of some
launches, between events; bytes of all operands by that time; how far its results are from the first
way's, relative. It needs the NVIDIA driver, NVRTC (see compile.py) and NumPy.
"""

import argparse
import ctypes
import glob
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from compile import Nvrtc  # noqa: E402
from time_sort import Gpu  # noqa: E402

FAULT_BYTES = 64
COUNTERS = 4 << 16


class Job:
    """What a `.job` file says, ready to be launched."""

    def __init__(self, path, gpu, nvrtc, operands, fault, counters):
        self.gpu, self.launches = gpu, []
        with open(path, encoding="utf-8") as file:
            lines = [line.split() for line in file]
        self.scratch = gpu.allocate(next(int(line[1]) for line in lines if line[0] == "scratch"))
        for line in (line for line in lines if line[0] == "launch"):
            _, name, entry, *numbers, params = line
            with open(os.path.join(os.path.dirname(path), name), encoding="utf-8") as file:
                text = file.read()
            options = [f"--gpu-architecture=sm_{gpu.capability[0]}{gpu.capability[1]}",
                       "--fmad=false", "--std=c++17"]
            code, log = nvrtc.compile(text, name, options)
            if code is None:
                sys.exit(log)
            x, y, z, block, shared = map(int, numbers)
            function = gpu.function(gpu.module(code), entry)
            if shared > 48 << 10:
                gpu.do("cuFuncSetAttribute", function, 8, shared)
            # Three pointers of the device, then those of the operands.
            words = [fault, self.scratch, counters, *operands]
            data = bytearray.fromhex(params)
            data[:8 * len(words)] = b"".join(word.to_bytes(8, "little") for word in words)
            buffer = (ctypes.c_char * len(data)).from_buffer(data)
            pointers = (ctypes.c_void_p * 1)(ctypes.addressof(buffer))
            self.launches.append((function, (x, y, z, block, 1, 1, shared), pointers, buffer))

    def run(self):
        for function, sizes, pointers, _ in self.launches:
            self.gpu.do("cuLaunchKernel", function, *sizes, None, pointers, None)

    def free(self):
        self.gpu.do("cuMemFree_v2", ctypes.c_uint64(self.scratch))


def operands_of(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    return [(kind, "int16" if dtype == "bfloat16" else dtype, int(count), int(bound))
            for kind, dtype, count, bound in
            (line for line in lines if line[0] in ("input", "output"))]


def sample(dtype, count, bound):
    dice = np.random.default_rng(1)
    if dtype == "bool":
        return np.zeros(count, dtype)
    if np.dtype(dtype).kind == "f":
        return dice.random(count, np.float32).astype(dtype, copy=False)
    return dice.integers(0, bound, count).astype(dtype)


def median(gpu, job, repeats):
    times = []
    for _ in range(repeats):
        begin, end = gpu.event(), gpu.event()
        gpu.record(begin)
        job.run()
        gpu.record(end)
        times.append(gpu.microseconds(begin, end))
        for event in (begin, end):
            gpu.do("cuEventDestroy_v2", event)
    return float(np.median(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--nvrtc", help="the folder with libnvrtc")
    given = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(given.folder, "*.job")))
    names = sorted({os.path.basename(path).split(".")[0] for path in paths})
    gpu, nvrtc = Gpu(), Nvrtc(given.nvrtc)
    fault, counters = gpu.allocate(FAULT_BYTES), gpu.allocate(COUNTERS)
    gpu.zero(counters, COUNTERS)
    for name in (name for name in names if given.only in name):
        ways = [path for path in paths if os.path.basename(path).startswith(name + ".")]
        ways.sort(key=lambda path: int(path.rsplit(".", 2)[1]))
        described = operands_of(ways[0])
        memory = [gpu.upload(sample(dtype, count, bound)) if kind == "input"
                  else gpu.allocate(np.dtype(dtype).itemsize * count)
                  for kind, dtype, count, bound in described]
        traffic = sum(np.dtype(dtype).itemsize * count for _, dtype, count, _ in described)
        first = None
        for path in ways:
            job = Job(path, gpu, nvrtc, memory, fault, counters)
            job.run()
            found = [gpu.download(address, np.empty(count, dtype))
                     for address, (kind, dtype, count, _) in zip(memory, described)
                     if kind == "output"]
            first = first or found
            far = max(float(np.max(np.abs(a.astype("f8") - b) / np.maximum(np.abs(b), 1e-30)))
                      for a, b in zip(found, first))
            time = median(gpu, job, given.repeats)
            job.free()
            _, (x, y, _, block, _, _, shared), _, _ = job.launches[0]
            way = os.path.basename(path).split(".")[1]
            print(f"{name:22} way {way}: {time:8.1f} µs {traffic / time / 1e3:7.0f} GB/s  "
                  f"{len(job.launches)} launches of {x}x{y} blocks of {block}, {shared} bytes "
                  f"shared; {far:.1e}", flush=True)
        for address in memory:
            gpu.do("cuMemFree_v2", ctypes.c_uint64(address))


if __name__ == "__main__":
    main()
