#!/usr/bin/env python3
"""The figures that the documents of Genesis promise, ours beside PyTorch's and the driver's own calls, on the first GPU.

    cargo build --release --examples --bins && python3 benches/headlines.py [FOLDER]

FOLDER holds `genesis-repl`, `headlines` and `replay` where they are not in target/release. Allocators are timed from C++ and
Rust, with no Python in the loop: PyTorch's and CUDA's calls by a library that g++ makes here, on the same five traces.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

import torch
from torch.utils import cpp_extension

FOLDER = sys.argv[1] if len(sys.argv) > 1 else None
PLAYER = r"""
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#include <algorithm>
#include <chrono>
#include <vector>
using Clock = std::chrono::steady_clock;
static void* take(int how, size_t bytes) {
    void* place = nullptr;
    if (how == 0) return c10::cuda::CUDACachingAllocator::raw_alloc(bytes);
    if (how == 1) cudaMalloc(&place, bytes); else cudaMallocAsync(&place, bytes, 0);
    return place;
}
static void give(int how, void* place) {
    if (how == 0) c10::cuda::CUDACachingAllocator::raw_delete(place);
    else if (how == 1) cudaFree(place); else cudaFreeAsync(place, 0);
}
// Nanoseconds, or -1 where memory ran out, of one pass over `count` steps, of which those without bytes are frees.
extern "C" double play(const long* id, const long* bytes, long count, long ids) {
    std::vector<void*> held(ids);
    const auto start = Clock::now();
    try {
        for (long at = 0; at < count; ++at) {
            if (bytes[at]) {
                held[id[at]] = take(0, bytes[at]);
            } else {
                give(0, held[id[at]]);
                held[id[at]] = nullptr;
            }
        }
    } catch (const std::exception&) {
        for (void* place : held) if (place) give(0, place);
        return -1;
    }
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}
// The median of the nanoseconds of a pair.
extern "C" double pair(int how, long bytes, long times) {
    std::vector<double> found;
    give(how, take(how, bytes));
    for (long round = 0; round < times / 10; ++round) {
        const auto start = Clock::now();
        for (int at = 0; at < 10; ++at) give(how, take(how, bytes));
        found.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / 10);
    }
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    return found[found.size() / 2];
}
"""
# Checksums of the bits of what a program computes: the same in every mode.
PROGRAM = """
import torch
torch.cuda.set_allocator_mode("MODE")
torch.manual_seed(3)
sums = []
kept = []
for step in range(30):
    n = 100_000 + 77_777 * (step * 7 % 13)
    x = torch.rand(n)
    kept.append(x)
    if len(kept) > 4:
        del kept[step * 5 % 4]
    y = torch.cat(kept)
    sums.append(int((torch.sort(y * 2 + 1)[0].view(torch.int32) % 1000003).sum()))
    sums.append(int((torch.cumsum(x, 0).view(torch.int32) % 1000003).sum()))
print(sums)
"""
VIEWS = [("m.T", "m.T.contiguous()"), ("m[10:-10, 5:-5]", "m[10:-10, 5:-5].clone()"), ("m.reshape(-1, 64)", "m.reshape(-1, 64).clone()")]


def binary(name, is_example=True):
    folder = FOLDER or ("target/release/examples" if is_example else "target/release")
    return os.path.abspath(os.path.join(folder, name))


def lines(name, *arguments):
    done = subprocess.run([binary(name), *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def player(folder):
    source, library = os.path.join(folder, "player.cpp"), os.path.join(folder, "player.so")
    with open(source, "w") as file:
        file.write(PLAYER)
    includes = [f"-I{path}" for path in cpp_extension.include_paths("cuda")]
    paths = cpp_extension.library_paths("cuda")
    links = [word for path in paths for word in (f"-L{path}", f"-Wl,-rpath,{path}")]
    abi = f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"
    subprocess.run(["g++", "-O2", "-std=c++20", "-shared", "-fPIC", abi, *includes, source, "-o", library,
                    *links, "-lc10", "-lc10_cuda", "-lcudart"], check=True)
    loaded = ctypes.CDLL(library)
    loaded.play.restype = loaded.pair.restype = ctypes.c_double
    loaded.pair.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_long]
    return loaded


def traces(folder):
    lines("replay", "--dump", folder)
    for name in ("same_size", "large", "variable", "transformer", "pressure"):
        with open(os.path.join(folder, f"{name}.txt")) as file:
            steps = [line.split() for line in file]
        ids = (ctypes.c_long * len(steps))(*[int(step[1]) for step in steps])
        sizes = (ctypes.c_long * len(steps))(*[int(step[2]) if step[0] == "a" else 0 for step in steps])
        yield name, ids, sizes, len(steps), max(ids) + 1


def checksums(mode):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(PROGRAM.replace("MODE", mode))
        file.flush()
        command = [binary("genesis-repl", False), "--device", "cuda", "--no-history", file.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def seconds(statement):
    code = f"import torch\nm = torch.rand(8192, 8192)\n{statement}\n:timeit {statement}\n"
    command = [binary("genesis-repl", False), "--json", "--no-history", "--device", "cuda"]
    asked = "".join(json.dumps({"code": line}) + "\n" for line in code.splitlines())
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    if not answer.get("ok"):
        sys.exit(f"{statement}: {answer['error']['message']}")
    amount, unit = re.match(r"([\d.,]+) (ns|µs|ms|s) a run", answer["stdout"]).groups()
    return float(amount.replace(",", "")) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def torch_seconds(statement):
    m = torch.rand(8192, 8192, device="cuda")
    from torch.utils.benchmark import Timer
    return Timer(statement, globals={"m": m}).blocked_autorange(min_run_time=0.5).median


def main():
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    found = lines("headlines", "--cuda")
    torch.empty(1, device="cuda")
    with tempfile.TemporaryDirectory() as folder:
        peer = player(folder)
        print("| a pair of | direct, ns | cudaMalloc | async | cudaMallocAsync | caching | PyTorch |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for size in (4 << 10, 1 << 20, 64 << 20, 1 << 30):
            ours = {line["mode"]: line["ns"] for line in found if line.get("bytes") == size}
            raw, pool, torchs = peer.pair(1, size, 300), peer.pair(2, size, 300), peer.pair(0, size, 100_000)
            torch.cuda.empty_cache()
            print(f"| {size >> 10:,} KiB | {ours['direct']:,.0f} | {raw:,.0f} | {ours['async']:,.0f} | {pool:,.0f} "
                  f"| {ours['caching']:.0f} | {torchs:.0f} |")
        print("\n| trace | first pass, ns a pair | warmed up | ratio | warm | PyTorch first | PyTorch warm | PyTorch / ours, warm |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        warm = {line["trace"]: line["warm_ns_per_pair"] for line in lines("replay", "--cuda")}
        passes = {line["trace"]: line for line in found if line["figure"] == "first pass"}
        for name, ids, sizes, count, most in traces(folder):
            torch.cuda.empty_cache()
            times = [peer.play(ids, sizes, ctypes.c_long(count), ctypes.c_long(most)) / (count / 2) for _ in range(6)]
            ours = passes[name]
            warmed = ours.get("warmed_ns")
            made_ready = f"{warmed:,.0f} | {ours['cold_ns'] / warmed:.1f}" if warmed else "any size | -"
            if min(times) < 0:
                print(f"| {name} | {ours['cold_ns']:,.0f} | {made_ready} | {warm[name]:.0f} | out of memory | | |")
                continue
            print(f"| {name} | {ours['cold_ns']:,.0f} | {made_ready} "
                  f"| {warm[name]:.0f} | {times[0]:,.0f} | {min(times[1:]):.0f} | {min(times[1:]) / warm[name]:.2f} |")
    # What PyTorch still holds would be missing to ours.
    torch.cuda.empty_cache()
    batch = next(line for line in found if line["figure"] == "batch")
    print(f"\n100 warm blocks: {batch['single_ns']:.0f} ns each one by one, {batch['batch_ns']:.0f} in one batch")
    sums = {mode: checksums(mode) for mode in ("caching", "direct", "async")}
    print("60 checksums in the modes caching, direct, async:", "the same" if len(set(sums.values())) == 1 else sums)
    print("\n| view | ns | copy | µs | copy / view | PyTorch: copy / view |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for view, copy in VIEWS:
        a, b, c, d = seconds(view), seconds(copy), torch_seconds(view), torch_seconds(copy)
        print(f"| `{view}` | {a * 1e9:.0f} | `{copy}` | {b * 1e6:.0f} | {b / a:,.0f} | {d / c:,.0f} |")


main()
