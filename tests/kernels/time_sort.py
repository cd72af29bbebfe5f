#!/usr/bin/env python3
"""Times the radix sort of kernels/sort_radix.cu on a GPU, with blocks of several shapes.

    tests/kernels/time_sort.py                # 16 Mi float32, values only
    tests/kernels/time_sort.py --type int64 --pairs --len 1000000

For each shape it says whether the result is right, and how long the histogram, a pass, and the whole
sort take (medians, by events). It needs the NVIDIA driver, NVRTC (see compile.py) and NumPy.
"""

import argparse
import ctypes
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from compile import Nvrtc  # noqa: E402

KERNELS = os.path.join(HERE, "..", "..", "kernels")
TYPES = {
    "float32": ("u32", 2, "0x7f800000"),
    "float64": ("u64", 2, "0x7ff0000000000000"),
    "int32": ("u32", 1, "0"),
    "int64": ("u64", 1, "0"),
}
DIGITS = 256


class Gpu:
    """The first GPU, through the driver's own functions."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.do("cuInit", 0)
        self.do("cuDeviceGet", ctypes.byref(device), 0)
        self.do("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.do("cuCtxSetCurrent", context)
        self.attributes = lambda which: self.attribute(which, device)
        self.capability = (self.attributes(75), self.attributes(76))
        self.multiprocessors = self.attributes(16)

    def attribute(self, which, device):
        value = ctypes.c_int()
        self.do("cuDeviceGetAttribute", ctypes.byref(value), which, device)
        return value.value

    def do(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        if result != 0:
            raise RuntimeError(f"{name}: error {result}")

    def allocate(self, count):
        address = ctypes.c_uint64()
        self.do("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(count, 1)))
        return address.value

    def upload(self, array):
        address = self.allocate(array.nbytes)
        pointer = array.ctypes.data_as(ctypes.c_void_p)
        self.do("cuMemcpyHtoD_v2", ctypes.c_uint64(address), pointer, ctypes.c_size_t(array.nbytes))
        return address

    def download(self, address, like):
        array = np.empty_like(like)
        pointer = array.ctypes.data_as(ctypes.c_void_p)
        self.do("cuMemcpyDtoH_v2", pointer, ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))
        return array

    def zero(self, address, count):
        self.do("cuMemsetD8Async", ctypes.c_uint64(address), 0, ctypes.c_size_t(count), None)

    def module(self, code):
        module = ctypes.c_void_p()
        self.do("cuModuleLoadData", ctypes.byref(module), code)
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.do("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def launch(self, function, blocks, threads, arguments):
        words = [ctypes.c_uint64(value & (1 << 64) - 1) for value in arguments]
        pointers = (ctypes.c_void_p * len(words))(*[ctypes.addressof(word) for word in words])
        self.do("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, 0, None, pointers, None)

    def event(self):
        event = ctypes.c_void_p()
        self.do("cuEventCreate", ctypes.byref(event), 0)
        return event

    def record(self, event):
        self.do("cuEventRecord", event, None)

    def microseconds(self, begin, end):
        milliseconds = ctypes.c_float()
        self.do("cuEventSynchronize", end)
        self.do("cuEventElapsedTime", ctypes.byref(milliseconds), begin, end)
        return milliseconds.value * 1e3


def source(item, key, infinity, threads, items, blocks, pairs, changes):
    macros = {"ITEM": item, "KEY": key, "INFINITY_BITS": infinity, "THREADS": threads,
              "ITEMS": items, "BLOCKS": blocks, "PAIRS": int(pairs), "WIDE": 0}
    parts = []
    for name in ["prelude.cuh", None, "sort.cuh", "sort_radix.cu"]:
        if name is None:
            parts += [f"#define {macro} {value}" for macro, value in macros.items()]
        else:
            with open(os.path.join(KERNELS, name), encoding="utf-8") as file:
                parts.append(file.read())
    text = "\n".join(parts)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


class Sort:
    """The launches of src/device/cuda/sort/radix.rs for one row."""

    def __init__(self, gpu, nvrtc, data, shape, kind, pairs, changes, blocks_each=4):
        threads, items, blocks = shape
        self.gpu, self.data, self.pairs, self.threads = gpu, data, pairs, threads
        text = source(*kind, threads, items, blocks, pairs, changes)
        options = [f"--gpu-architecture=sm_{gpu.capability[0]}{gpu.capability[1]}",
                   "--fmad=false", "--std=c++17"]
        code, log = nvrtc.compile(text, "sort", options)
        if code is None:
            sys.exit(log)
        module = gpu.module(code)
        self.histogram = gpu.function(module, "sort_histogram")
        self.move = gpu.function(module, "sort_pass")
        self.passes = data.dtype.itemsize
        self.tiles = -(-len(data) // (threads * items))
        chunks = min(blocks_each * gpu.multiprocessors, -(-len(data) // 8192))
        self.chunk = -(-len(data) // chunks) + 15 & ~15
        self.chunks = -(-len(data) // self.chunk)
        self.words = self.tiles * DIGITS * 4
        self.starts = self.passes * DIGITS * 4
        self.input = gpu.upload(data)
        self.memory = [gpu.allocate(data.nbytes) for _ in range(2)]
        self.payload = [gpu.allocate(8 * len(data)) for _ in range(2)]
        self.scratch = gpu.allocate(self.starts + 2 * self.words + 16)

    def run(self, mark=lambda: None):
        gpu, count = self.gpu, len(self.data)
        starts, words = self.scratch, self.scratch + self.starts
        done, other = words + self.words, words + self.words + 8
        plan = other + self.words
        gpu.zero(starts, self.starts + self.words + 8)
        mark()
        gpu.launch(self.histogram, self.chunks, 512, [
            self.input, starts, plan, done, count, self.chunk, self.chunks, count, 0, self.passes])
        mark()
        for number in range(self.passes):
            used, cleared = (words, other) if number % 2 == 0 else (other, words)
            arguments = [self.input, self.memory[0], self.memory[1]]
            if self.pairs:
                arguments += [0, self.payload[0], self.payload[1], self.payload[0]]
            arguments += [starts, plan, used, cleared, count, self.tiles, count, count]
            if self.pairs:
                arguments += [2 * count, 1]
            arguments += [0, number, self.passes]
            gpu.launch(self.move, self.tiles, self.threads, arguments)
            mark()

    def is_right(self):
        self.run()
        order = np.argsort(self.data, kind="stable")
        values = self.gpu.download(self.memory[0], self.data)
        right = (values.view(np.uint8) == self.data[order].view(np.uint8)).all()
        if self.pairs:
            right &= (self.gpu.download(self.payload[0], order) == order).all()
        return bool(right)

    def times(self, repeats=20):
        """Medians of the histogram, of the passes, and of the whole."""
        found = []
        for _ in range(repeats):
            events = []

            def mark():
                events.append(self.gpu.event())
                self.gpu.record(events[-1])

            mark()
            self.run(mark)
            steps = [self.gpu.microseconds(a, b) for a, b in zip(events, events[1:])]
            begin, end = self.gpu.event(), self.gpu.event()
            self.gpu.record(begin)
            self.run()
            self.gpu.record(end)
            found.append(steps + [self.gpu.microseconds(begin, end)])
            for event in [*events, begin, end]:
                self.gpu.do("cuEventDestroy_v2", event)
        medians = np.median(np.array(found), axis=0)
        return medians[1], medians[2:-1], medians[-1]

    def free(self):
        for address in [self.input, self.scratch, *self.memory, *self.payload]:
            self.gpu.do("cuMemFree_v2", ctypes.c_uint64(address))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--type", choices=TYPES, default="float32")
    parser.add_argument("--len", type=int, default=16 << 20)
    parser.add_argument("--pairs", action="store_true", help="with the positions")
    parser.add_argument("--small", action="store_true", help="integers of few digits")
    parser.add_argument("--shape", action="append", help="THREADS,ITEMS,BLOCKS; several may be given")
    parser.add_argument("--change", action="append", nargs=2, default=[], metavar=("OLD", "NEW"),
                        help="replaces text of the kernels, to try something out")
    parser.add_argument("--nvrtc", help="the folder with libnvrtc")
    given = parser.parse_args()
    kind = TYPES[given.type]
    dice = np.random.default_rng(1)
    if given.type.startswith("float"):
        data = dice.standard_normal(given.len).astype(given.type)
    else:
        bits = 26 if given.small else 8 * np.dtype(given.type).itemsize - 2
        data = dice.integers(0, 1 << bits, given.len).astype(given.type)
    small = [(384, 20, 2), (384, 23, 2), (512, 16, 2), (384, 16, 3), (256, 24, 3), (256, 16, 4)]
    wide = [(384, 12, 2), (512, 8, 2), (384, 10, 2), (384, 8, 3), (256, 12, 3), (256, 16, 2)]
    shapes = wide if data.dtype.itemsize == 8 else small
    if given.shape:
        shapes = [tuple(map(int, shape.split(","))) for shape in given.shape]
    gpu, nvrtc = Gpu(), Nvrtc(given.nvrtc)
    for shape in shapes:
        sort = Sort(gpu, nvrtc, data, shape, kind, given.pairs, given.change)
        right = sort.is_right()
        histogram, passes, whole = sort.times()
        sort.free()
        print(f"{given.type} x {given.len}{' pairs' if given.pairs else ''} {shape}: "
              f"{'right' if right else 'WRONG'}; histogram {histogram:.0f} µs, passes "
              f"{' '.join(f'{time:.0f}' for time in passes)} µs, whole {whole:.0f} µs", flush=True)


if __name__ == "__main__":
    main()
