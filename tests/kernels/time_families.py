#!/usr/bin/env python3
"""Times scans, compaction, scatters and random numbers on a GPU, as their launchers start them.

    tests/kernels/time_families.py
    tests/kernels/time_families.py --only scan --len 1000000
    tests/kernels/time_families.py --only scan --change "READS 8" "READS 4"

For each case: whether the result is right, the median of some runs between events, and the bytes
that have to move at the least by that time. It needs the NVIDIA driver, NVRTC (see compile.py) and
NumPy.
"""

import argparse
import ctypes
import os
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from compile import Nvrtc  # noqa: E402
from time_sort import KERNELS, Gpu  # noqa: E402


def read(name):
    with open(os.path.join(KERNELS, name), encoding="utf-8") as file:
        return file.read()


class Bench:
    """A GPU, its compiler, and changes to the kernels to try something out."""

    def __init__(self, nvrtc, changes):
        self.gpu, self.nvrtc, self.changes, self.held = Gpu(), Nvrtc(nvrtc), changes, []
        # A fault that says that nothing happened, and zeros for blocks to count themselves.
        self.fault = self.upload(np.array([-1, 0, 0, 0, 0, 0, 0, 0], np.int64))
        self.counters = self.zeros(1 << 18)

    def upload(self, array):
        self.held.append(self.gpu.upload(array))
        return self.held[-1]

    def room(self, count):
        self.held.append(self.gpu.allocate(count))
        return self.held[-1]

    def zeros(self, count):
        address = self.room(count)
        self.gpu.zero(address, count)
        return address

    def free(self):
        for address in self.held[2:]:
            self.gpu.do("cuMemFree_v2", ctypes.c_uint64(address))
        del self.held[2:]

    def kernel(self, name, entry, **macros):
        macros = {"OPERANDS": 1, "RANK": 1, "WIDE": 0, **macros}
        defines = "".join(f"#define {macro} {value}\n" for macro, value in macros.items())
        text = read("prelude.cuh") + defines + read("tiles.cuh")
        text += (read("scan_folds.cuh") if name == "scan.cu" else "") + read(name)
        for old, new in self.changes:
            text = text.replace(old, new)
        options = [f"--gpu-architecture=sm_{self.gpu.capability[0]}{self.gpu.capability[1]}",
                   "--fmad=false", "--std=c++17"]
        code, log = self.nvrtc.compile(text, name, options)
        if code is None:
            sys.exit(log)
        return self.gpu.function(self.gpu.module(code), entry)

    def launch(self, function, grid, threads, *arguments):
        """Integers are words of 8 bytes, bytes are structs."""
        places = [ctypes.create_string_buffer(a, len(a)) if isinstance(a, bytes)
                  else ctypes.c_uint64(a & (1 << 64) - 1) for a in arguments]
        pointers = (ctypes.c_void_p * len(places))(*[ctypes.addressof(p) for p in places])
        x, y = grid if isinstance(grid, tuple) else (grid, 1)
        self.gpu.do("cuLaunchKernel", function, x, y, 1, threads, 1, 1, 0, None, pointers, None)

    def report(self, name, run, traffic, is_right, repeats=15):
        run()
        right = is_right()
        times = []
        for _ in range(repeats):
            begin, end = self.gpu.event(), self.gpu.event()
            self.gpu.record(begin)
            run()
            self.gpu.record(end)
            times.append(self.gpu.microseconds(begin, end))
        time = float(np.median(times))
        print(f"{name:34} {'right' if right else 'WRONG'} {time:8.1f} µs "
              f"{traffic / time / 1e3:6.0f} GB/s", flush=True)
        self.free()


def run_axes(extent, *strides):
    """One axis, which needs no division."""
    return struct.pack("<QII", extent, 1, 0) + b"".join(struct.pack("<q", s) for s in strides)


def scan(bench, count):
    data = np.random.default_rng(1).standard_normal(count)
    for item, fold, size in (("f32", "SumFloat", 4), ("f32", "MaxOf", 4), ("f64", "SumDouble", 8)):
        held = data.astype(f"f{size}")
        way = np.maximum.accumulate if fold == "MaxOf" else np.cumsum
        expected = way(held.astype(np.float64))
        macros = {"OPERANDS": 2, "ITEM": item, "FOLD": fold, "PACK": 16 // size, "ROWS": 4,
                  "GROUP": 32, "WARPS": 16, "PART": "TILES"}
        totals = bench.kernel("scan.cu", "scan_totals", **macros)
        steps = bench.kernel("scan.cu", "scan_tiles", **macros)
        for most in (1024, 2048, 4096):
            source, out = bench.upload(held), bench.room(held.nbytes)
            tile = 512 * 16 // size * 4
            tiles = -(-count // tile)
            stretch = -(-tiles // most) * tile
            stretches = -(-count // stretch)
            sums, begins, repairs = bench.room(24 * stretches), bench.room(24 * tiles), bench.zeros(32)
            line = [count, 1, 1, run_axes(1, 0, 0)]

            def run():
                if stretches > 1:
                    bench.launch(totals, stretches - 1, 512, source, out, sums, stretch, *line)
                bench.launch(steps, stretches, 512, source, out, sums, stretch, begins, repairs, tiles,
                             *line)

            def is_right():
                return bool(np.allclose(bench.gpu.download(out, held), expected, rtol=1e-6, atol=1e-6))

            bench.report(f"scan {item} {fold}, {stretches} stretches", run, 2 * held.nbytes, is_right)


def scan_rows(bench, count):
    side = int(count ** 0.5) // 4 * 4
    data = np.random.default_rng(1).standard_normal((side, side)).astype(np.float32)
    for rows in (2, 4):
        function = bench.kernel("scan.cu", "scan_lines", OPERANDS=2, ITEM="f32", FOLD="SumFloat",
                                PACK=4, ROWS=rows, GROUP=32, PART="LINES")
        source, out = bench.upload(data), bench.room(data.nbytes)
        grid = min(-(-side // 8), 32 * bench.gpu.multiprocessors)

        def run():
            bench.launch(function, grid, 256, source, out, side, side, 1, 1,
                         run_axes(side, side, side))

        def is_right():
            got, wide = bench.gpu.download(out, data), np.cumsum(data, 1, np.float64)
            return bool(np.allclose(got, wide, rtol=1e-6, atol=1e-6))

        bench.report(f"scan along rows, {rows} rows", run, 2 * data.nbytes, is_right)
    for stretch in (64, 128, 256):
        macros = {"OPERANDS": 2, "ITEM": "f32", "FOLD": "SumFloat", "PACK": 4, "ROWS": 8,
                  "GROUP": 1, "PART": "COLUMNS"}
        totals = bench.kernel("scan.cu", "scan_column_totals", **macros)
        columns = bench.kernel("scan.cu", "scan_columns", **macros)
        segments = -(-side // stretch)
        source, out = bench.upload(data), bench.room(data.nbytes)
        sums = bench.room(8 * side * segments)
        arguments = [source, out, sums, side, 1, side, stretch, side, side, run_axes(1, 0, 0)]

        def run():
            grid = (-(-side // 4 // 128), segments)
            bench.launch(totals, grid, 128, *arguments)
            bench.launch(columns, grid, 128, *arguments)

        def is_right():
            got, wide = bench.gpu.download(out, data), np.cumsum(data, 0, np.float64)
            return bool(np.allclose(got, wide, rtol=1e-6, atol=1e-6))

        bench.report(f"scan along columns, {stretch} a piece", run, 2 * data.nbytes, is_right)


def compress(bench, count):
    dice = np.random.default_rng(1)
    data = dice.standard_normal(count).astype(np.float32)
    for percent in (31, 1, 99):
        mask = dice.random(count, np.float32) < percent / 100
        expected = data[mask]
        source, places = bench.upload(data), bench.upload(mask.view(np.uint8))
        out = bench.room(4 * len(expected))
        tiles = -(-count // 4096)
        states = bench.room(8 * tiles)
        function = bench.kernel("compress.cu", "compress", OPERANDS=2, ITEM="u32", DIRECT=1,
                                PART="SELECT")
        counts = bench.kernel("compress.cu", "count_true", ITEM="u8", DIRECT=1, PART="COUNT")
        found = bench.room(16)

        def count_all():
            grid = min(-(-count // (64 * 256)), 8 * bench.gpu.multiprocessors)
            bench.launch(counts, grid, 256, places, found, found + 8, bench.counters, count, 1,
                         run_axes(count, 1))

        def select():
            bench.gpu.zero(states, 8 * tiles)
            bench.launch(function, tiles, 256, places, source, out, states, count, len(expected),
                         run_axes(count, 1, 1))

        def count_is_right():
            return int(bench.gpu.download(found, np.zeros(1, np.uint64))[0]) == len(expected)

        def is_right():
            return bool((bench.gpu.download(out, expected) == expected).all())

        held, bench.held = bench.held, bench.held[:2]
        bench.report(f"count of {percent} %", count_all, count, count_is_right)
        bench.held = held
        bench.report(f"compress {percent} %", select, 5 * count + 4 * len(expected), is_right)


def scatter(bench, count):
    rows, width = max(count // 64, 1), 64
    dice = np.random.default_rng(1)
    data = dice.standard_normal((rows, width)).astype(np.float32)
    for kind in ("a permutation", "any rows"):
        at = dice.permutation(rows) if kind == "a permutation" else dice.integers(0, rows, rows)
        at = at.astype(np.int64)
        expected = np.zeros_like(data)
        expected[at] = data
        values, index = bench.upload(data), bench.upload(at)
        target, last = bench.zeros(data.nbytes), bench.room(4 * rows)
        owners = struct.pack("<QQQ", last, last, rows - 1)
        indices = struct.pack("<Qqqq", index, rows, 1, 0)
        claim = bench.kernel("scatter.cu", "scatter_claim", OPERANDS=2, INDICES=1, OWNERS="TABLE",
                             PART="CLAIM")
        for lanes, together in ((16, 1), (16, 2), (16, 4), (8, 2)):
            write = bench.kernel("scatter.cu", "scatter_rows", OPERANDS=3, INDICES=1, SPREAD=0,
                                 OWNERS="TABLE", PART="ROWS", ITEM="u32", UNIT="uint4",
                                 LANES=lanes, TOGETHER=together)

            def run():
                bench.gpu.zero(last, 4 * rows)
                grid = min(-(-rows // 256), 64 * bench.gpu.multiprocessors)
                bench.launch(claim, grid, 256, owners, bench.fault, rows, indices,
                             run_axes(rows, 1, 0))
                bench.launch(write, -(-rows // (together * 256 // lanes)), 256, target, values,
                             owners, bench.fault, rows, 16, 16, indices,
                             run_axes(rows, 1, 0, width))

            def is_right():
                return bool((bench.gpu.download(target, data) == expected).all())

            held, bench.held = bench.held, bench.held[:2]
            bench.report(f"scatter rows, {kind}, {lanes}x{together}", run, 2 * data.nbytes,
                         is_right)
            bench.held = held
        bench.free()


def random(bench, count):
    for item, draw, bits, size in (("f32", "normal", 32, 4), ("f32", "uniform", 32, 4),
                                   ("f64", "normal", 64, 8), ("i64", "integer", 64, 8)):
        function = bench.kernel("random.cu", "fill_random", ITEM=item, DRAW=draw, FROM=bits)
        out = bench.room(size * count)
        quarters = -(-count // (64 if bits == 32 else 32)) * 4

        def run():
            bench.launch(function, -(-quarters // 256), 256, out, count, 7, 0,
                         struct.pack("<qQ", -5, 1000), 1)

        def is_right():
            got = bench.gpu.download(out, np.empty(count, {"f": f"f{size}", "i": "i8"}[item[0]]))
            mean, spread = {"normal": (0, 1), "uniform": (0.5, 12 ** -0.5),
                            "integer": (494.5, 1000 * 12 ** -0.5)}[draw]
            near = 8 * spread / count ** 0.5
            return bool(abs(got.mean() - mean) < near and abs(got.std() - spread) < near)

        bench.report(f"random {draw} {item}", run, size * count, is_right)


CASES = {"scan": scan, "rows": scan_rows, "compress": compress, "scatter": scatter,
         "random": random}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=CASES)
    parser.add_argument("--len", type=int, default=1 << 26)
    parser.add_argument("--change", action="append", nargs=2, default=[], metavar=("OLD", "NEW"),
                        help="replaces text of the kernels")
    parser.add_argument("--nvrtc", help="the folder with libnvrtc")
    given = parser.parse_args()
    bench = Bench(given.nvrtc, given.change)
    for name, case in CASES.items():
        if given.only in (None, name):
            case(bench, given.len)


if __name__ == "__main__":
    main()
