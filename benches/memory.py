#!/usr/bin/env python3
"""How long the memory commands take where there is much to say: 100,000 blocks, 100,000 events, a snapshot of PyTorch's of a gigabyte.

    python3 benches/memory.py [BINARY] [DEVICE]

Milliseconds from a line to its answer over the line protocol, the least of five; of a process's whole life for the snapshot, which is
written here as PyTorch 2.11 writes them: stacks of six frames at every block and event.
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
    """As `torch.cuda.memory._dump_snapshot` writes; gives how many events it has."""
    rng = random.Random(3)
    stacks = [[{"filename": f"/models/layer{number % 40}.py", "line": number * 7 + depth, "name": f"forward_{depth}"}
               for depth in range(6)] for number in range(300)]
    address, live, events, segments = 0x7F0000000000, [], [], []
    while len(events) * 290 < size:
        segment = {"device": 0, "address": address, "total_size": 1 << 26, "allocated_size": 0, "active_size": 0, "stream": 0,
                   "segment_type": "large", "segment_pool_id": (0, 0), "is_expandable": False,
                   "frames": [dict(frame) for frame in rng.choice(stacks)], "blocks": []}
        events.append({"action": "segment_alloc", "addr": address, "size": 1 << 26, "stream": 0, "time_us": len(events),
                       "compile_context": "N/A", "user_metadata": "", "frames": [dict(frame) for frame in rng.choice(stacks)]})
        for at in range(address, address + (1 << 26), 1 << 20):
            frames = [dict(frame) for frame in rng.choice(stacks)]
            entry = {"addr": at, "size": 1 << 20, "stream": 0, "compile_context": "N/A", "user_metadata": ""}
            for _ in range(8):
                events.append({"action": "alloc", "time_us": len(events), "frames": frames, **entry})
                for action in ("free_requested", "free_completed"):
                    events.append({"action": action, "time_us": len(events), "frames": [dict(f) for f in frames], **entry})
            is_live = rng.random() < 0.7
            if is_live:
                events.append({"action": "alloc", "time_us": len(events), "frames": frames, **entry})
                segment["allocated_size"] += 1 << 20
                segment["active_size"] += 1 << 20
            segment["blocks"].append({"address": at, "size": 1 << 20, "requested_size": (1 << 20) - 100, "frames": frames,
                                      "state": "active_allocated" if is_live else "inactive"})
        segments.append(segment)
        address += 1 << 27
    with open(path, "wb") as file:
        pickle.dump({"segments": segments, "device_traces": [events], "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": ""},
                     "external_annotations": []}, file)
    return len(events)


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
        events = snapshot(path, 1 << 30)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run([BINARY, "replay", path], capture_output=True, check=True)
            times.append(time.perf_counter() - start)
        size = os.path.getsize(path) / 1e9
        print(f"genesis-repl replay snapshot.pickle {min(times):8.2f} s, {size:.2f} GB, {events:,} events")


main()
