#!/usr/bin/env python3
"""A checkpoint of safetensors: its first table, statistics, differences, and one tensor on its way to a GPU, beside what the machine's
memory and disk, safetensors and PyTorch give, in one run.

    python3 benches/checkpoints.py [--binary FILE] [--gigabytes 10] [--folder FOLDER] [--gpu]

Two files of 500 tensors are made with a fixed seed, of bfloat16, float16 and float32, the second changed in every tenth tensor; both are
removed at the end. "Memory" is the rate at which as many threads as the machine has read the file from the system's cache into buffers that
they use again; "disk" the same once the system has been told to forget the file. Held is the most that the process kept in memory.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

TENSORS = 500
PIECE = 8 << 20


def write(path, gigabytes, changed):
    """The largest tensor has a hundred megabytes where the file has ten gigabytes."""
    rng = np.random.default_rng(7)
    sizes = rng.uniform(0.2, 1.8, TENSORS)
    sizes = sizes / sizes.sum() * gigabytes * 1e9
    sizes[123] = gigabytes * 1e7
    block = rng.normal(size=4 << 20).astype("f4")
    halves = {"F32": block, "F16": block.astype("f2"), "BF16": (block.view("u4") >> 16).astype("u2")}
    header, at, parts = {}, 0, []
    for number, size in enumerate(sizes):
        kind = "F32" if number == 123 or number % 5 == 0 else ("BF16", "F16")[number % 2]
        width = halves[kind].itemsize
        rows = max(1, int(size) // width // 1024)
        count = rows * 1024 * width
        header[f"layers.{number // 5}.{('q', 'k', 'v', 'up', 'down')[number % 5]}.weight"] = {
            "dtype": kind, "shape": [rows, 1024], "data_offsets": [at, at + count]}
        parts.append((kind, count, changed and number % 10 == 3))
        at += count
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for kind, count, is_changed in parts:
            source = halves[kind]
            if is_changed:
                source = (source if kind == "BF16" else source * source.dtype.type(1.5))[::-1]
            source = np.ascontiguousarray(source).view("u1")
            while count:
                file.write(source[:count].data)
                count -= min(count, source.size)
        file.flush()
        os.fsync(file.fileno())


def forget(*paths):
    for path in paths:
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def rate(*paths):
    """Bytes a second, all threads reading."""
    threads = os.cpu_count()

    def read(jobs):
        buffer = memoryview(bytearray(PIECE))
        for number, start, count in jobs:
            os.preadv(number, [buffer[:count]], start)

    files = [open(path, "rb") for path in paths]
    total = sum(os.path.getsize(path) for path in paths)
    jobs = [(file.fileno(), start, min(PIECE, os.fstat(file.fileno()).st_size - start))
            for file in files for start in range(0, os.fstat(file.fileno()).st_size, PIECE)]
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(read, [jobs[at::threads] for at in range(threads)]))
    return total / (time.perf_counter() - start)


def run(command):
    """Seconds, and the most bytes held."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    spent = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} failed:\n{child.stderr.read().decode()}")
    return spent, usage.ru_maxrss * 1024


def session(binary, lines, *arguments):
    """What the lines give."""
    asked = "".join(json.dumps({"code": line}) + "\n" for line in lines)
    command = [binary, "--json", "--no-history", *arguments]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [answer["error"]["message"] for answer in answers if not answer.get("ok")]
    if wrong:
        sys.exit(wrong[0])
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default="target/release/genesis-repl")
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--folder")
    parser.add_argument("--gpu", action="store_true")
    args = parser.parse_args()
    binary = os.path.abspath(args.binary)
    folder = tempfile.mkdtemp(dir=args.folder)
    try:
        measure(binary, args, folder)
    finally:
        shutil.rmtree(folder)


def measure(binary, args, folder):
    a, b = (os.path.join(folder, name) for name in ("a.safetensors", "b.safetensors"))
    write(a, args.gigabytes, False)
    write(b, args.gigabytes, True)
    size = os.path.getsize(a)
    rate(a, b)
    memory = max(rate(a) for _ in range(3))
    print(f"{size / 1e9:.2f} GB, {TENSORS} tensors, {os.cpu_count()} threads; memory gives {memory / 1e9:.1f} GB/s")
    times = [run([binary, "show", a])[0] for _ in range(5)]
    bare = [run([binary, "--version"])[0] for _ in range(5)]
    print(f"first table: {min(times) * 1e3:.1f} ms of a process, {min(bare) * 1e3:.1f} ms of which any process takes")
    code = ["import time",
            f"t = time.perf_counter(); ck = load({a!r}); text = repr(ck); d = time.perf_counter() - t; d * 1e3"]
    found = session(binary, code, "--device", "cpu")[-1]["value"]["value"]
    print(f"`ck = load(...)` and its table in a session: {found:.1f} ms")
    print("\n| work | from | s | GB/s | of what it gives | held |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for name, command, paths in (("stats", ["stats", a], [a]), ("diff", ["diff", a, b], [a, b])):
        total = sum(map(os.path.getsize, paths))
        for place in ("memory", "disk"):
            best, held, limit = float("inf"), 0, memory
            for _ in range(3 if place == "memory" else 1):
                if place == "disk":
                    forget(a, b)
                    limit = rate(*paths)
                    forget(a, b)
                spent, most = run([binary, *command])
                best, held = min(best, spent), max(held, most)
            speed = total / best
            print(f"| {name} | {place} | {best:.2f} | {speed / 1e9:.1f} | {speed / limit:.2f} | {held / (1 << 20):.0f} MiB |")
    if args.gpu:
        rate(a)
        to_gpu(binary, a)


def to_gpu(binary, path):
    """One tensor of a hundred megabytes (of ten gigabytes), to the GPU and waited for."""
    import torch
    from safetensors import safe_open
    name = "layers.24.up.weight"
    with safe_open(path, "pt", device="cuda") as file:
        size = file.get_tensor(name).nbytes
    pinned = torch.empty(size, dtype=torch.uint8).pin_memory()
    target = torch.empty(size, dtype=torch.uint8, device="cuda")

    def best(work):
        times = []
        for _ in range(7):
            torch.cuda.synchronize()
            start = time.perf_counter()
            work()
            torch.cuda.synchronize()
            times.append(time.perf_counter() - start)
        return min(times)

    def theirs():
        with safe_open(path, "pt", device="cuda") as file:
            file.get_tensor(name)

    link = size / best(lambda: target.copy_(pinned, non_blocking=True))
    safetensors = size / best(theirs)
    statement = f"t = time.perf_counter(); x = ck[{name!r}][:]; torch.cuda.synchronize(); d = time.perf_counter() - t; x = None; d"
    answers = session(binary, ["import time, torch", f"ck = load({path!r})"] + [statement] * 7, "--device", "cuda")
    warm = size / min(answer["value"]["value"] for answer in answers[2:])
    print(f"\n{size / 1e6:.0f} MB to the GPU: {warm / 1e9:.1f} GB/s; pinned memory {link / 1e9:.1f} ({warm / link:.2f} of it), "
          f"safetensors {safetensors / 1e9:.1f} ({warm / safetensors:.2f} times)")
    forget(path)
    with open(path, "rb") as file:
        start = time.perf_counter()
        file.seek(size_before(path, name))
        file.readinto(bytearray(size))
        disk = size / (time.perf_counter() - start)
    forget(path)
    answers = session(binary, ["import time, torch", "torch.zeros(3).sum()", f"ck = load({path!r})", statement], "--device", "cuda")
    cold = size / answers[-1]["value"]["value"]
    print(f"from the disk {cold / 1e9:.2f} GB/s; one thread that reads it to the host {disk / 1e9:.2f} ({cold / disk:.2f} of it)")


def size_before(path, name):
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return 8 + length + json.loads(file.read(length))[name]["data_offsets"][0]


main()
