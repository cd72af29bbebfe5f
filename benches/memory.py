#!/usr/bin/env python3
"""How long the memory commands take where there is much to say: 100,000 blocks, 100,000 events, a snapshot of PyTorch's of a gigabyte.

    python3 benches/memory.py [BINARY] [DEVICE]

Milliseconds from a line to its answer over the line protocol, the least of five; of a process's whole life for the snapshot, which is
written here as PyTorch 2.11 writes them: stacks of six frames at every block and event. Beside it `pickle.load` of the same file.
"""

import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time

BINARY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl")
# Of a snapshot.
BYTES_OF_EVENT = 97
DEVICE = sys.argv[2] if len(sys.argv) > 2 else "cpu"


class Session:
    def __init__(self):
        command = [BINARY, "--json", "--no-history", "--device", DEVICE]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, code):
        start = time.perf_counter()
        self.child.stdin.write(json.dumps({"code": code}) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        spent = time.perf_counter() - start
        if not answer.get("ok"):
            sys.exit(f"{code}: {answer['error']['message']}")
        return spent * 1e3

    def best(self, code):
        return min(self(code) for _ in range(5))


def snapshot(path, size):
    """As `torch.cuda.memory._dump_snapshot` writes, with the stacks of Python: each frame is one object, which all stacks share, and
    an allocation and its free have a list of frames each; gives how many events it has."""
    rng = random.Random(3)
    frames = [{"name": f"forward_{number % 7}", "filename": f"/models/layer{number % 40}.py", "line": number * 7} for number in range(300)]
    about = {"stream": 0, "compile_context": "N/A", "user_metadata": ""}
    address, events, segments = 0x7F0000000000, [], []

    def note(action, at, bytes_of, stack):
        events.append({"action": action, "addr": at, "size": bytes_of, **about, "time_us": 1_790_000_000_000_000 + len(events),
                       "frames": stack})

    def stack():
        first = rng.randrange(len(frames) - 6)
        return frames[first:first + 6]

    while len(events) * BYTES_OF_EVENT < size:
        segment = {"device": 0, "address": address, "total_size": 1 << 26, "allocated_size": 0, "active_size": 0, "stream": 0,
                   "segment_type": "large", "segment_pool_id": (0, 0), "is_expandable": False, "frames": stack(), "blocks": []}
        note("segment_alloc", address, 1 << 26, segment["frames"])
        for at in range(address, address + (1 << 26), 1 << 20):
            for _ in range(8):
                made, gone = stack(), stack()
                note("alloc", at, 1 << 20, made)
                note("free_requested", at, 1 << 20, gone)
                note("free_completed", at, 1 << 20, gone)
            is_live = rng.random() < 0.7
            if is_live:
                note("alloc", at, 1 << 20, made)
                segment["allocated_size"] += 1 << 20
                segment["active_size"] += 1 << 20
            segment["blocks"].append({"address": at, "size": 1 << 20, "requested_size": (1 << 20) - 100, "frames": made,
                                      "state": "active_allocated" if is_live else "inactive"})
        segments.append(segment)
        address += 1 << 27
    with open(path, "wb") as file:
        pickle.dump({"segments": segments, "device_traces": [events], "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": ""},
                     "external_annotations": []}, file)
    return len(events)


def replay(path, policy):
    start = time.perf_counter()
    subprocess.run([BINARY, "replay", *policy, path], capture_output=True, check=True)
    return time.perf_counter() - start


def main():
    session = Session()
    session("import torch")
    session("kept = [zeros(200) + number for number in range(100_000)]")
    for command in (":mem", ":mem segments", ":mem vars", ":mem top", ":mem fragmentation", ":mem leak"):
        print(f"{command:34} {session.best(command):9.1f} ms, 100,000 blocks")
    session("kept = None")
    session("torch.cuda.set_history_len(100_000)")
    session("for number in range(60_000): y = zeros(200) + number")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("pickle", "json", "html", "csv", "pb.gz", "trace.json"):
            path = os.path.join(folder, f"events.{ending}")
            verb = "save" if ending in ("pickle", "json") else "export"
            spent = session.best(f":mem {verb} {path}")
            print(f":mem {verb} events.{ending:17} {spent:9.1f} ms, 100,000 events, {os.path.getsize(path) >> 10:,} KiB")
        path = os.path.join(folder, "snapshot.pickle")
        events = snapshot(path, 10**9)
        spent = {}
        for policy in (["--policy", "pytorch"], []):
            spent[" ".join(policy) or "every policy"] = min(replay(path, policy) for _ in range(3))
        size = os.path.getsize(path) / 1e9
        start = time.perf_counter()
        with open(path, "rb") as file:
            pickle.load(file)
        loaded = time.perf_counter() - start
        print(f"genesis-repl replay of {size:.2f} GB, {events:,} events; pickle.load takes {loaded:.2f} s")
        for name, seconds in spent.items():
            print(f"    {name:30} {seconds:9.2f} s")


main()
