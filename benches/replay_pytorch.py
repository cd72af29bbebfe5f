#!/usr/bin/env python3
"""Where PyTorch runs out of memory, and where `genesis-repl replay` says it does. Needs a GPU and PyTorch.

    python3 benches/replay_pytorch.py --binary target/release/genesis-repl --count 8

Random programs ask for 512 B to 128 MiB and let go of what they got, until PyTorch's allocator refuses within a
fraction of the device (`set_per_process_memory_fraction`). Each runs in a process of its own, with and without
expandable segments; its snapshot is replayed under the policy with which it ran. "same" is a replay that runs out of
memory at the same request. A fraction refuses a request whole where a GPU of that size would only have to map the
rest of it behind what is mapped already: with expandable segments a replay may therefore go on.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

GIB = 1 << 30
SETTINGS = ["", "expandable_segments:True"]


def program(seed, limit, path):
    """Runs in a process of its own until memory is refused."""
    import torch

    device = torch.cuda.get_device_properties(0)
    torch.cuda.set_per_process_memory_fraction(limit / device.total_memory)
    torch.cuda.memory._record_memory_history(max_entries=2_000_000, stacks="python")
    rng, held = random.Random(seed), []
    try:
        while True:
            if held and rng.random() < 0.47:
                held.pop(rng.randrange(len(held)))
            held.append(torch.empty(int(2 ** rng.uniform(9, 27)), dtype=torch.uint8, device="cuda"))
    except torch.cuda.OutOfMemoryError:
        pass
    stats = torch.cuda.memory_stats()
    torch.cuda.memory._dump_snapshot(path)
    names = {"reserved": "reserved_bytes.all.peak", "live": "allocated_bytes.all.peak"}
    print(json.dumps({name: stats[key] for name, key in names.items()} | {"torch": torch.__version__, "gpu": device.name}))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--binary", default="target/release/genesis-repl")
    arguments.add_argument("--count", type=int, default=8, help="random programs")
    arguments.add_argument("--limit", type=float, default=4, help="GiB that PyTorch may hold")
    arguments.add_argument("--program", nargs=2, metavar=("SEED", "FILE"), help=argparse.SUPPRESS)
    options = arguments.parse_args()
    limit = int(options.limit * GIB)
    if options.program:
        return program(int(options.program[0]), limit, options.program[1])
    same = {setting: 0 for setting in SETTINGS}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, options.count + 1):
            for setting in SETTINGS:
                path = os.path.join(folder, "run.pickle")
                command = [sys.executable, __file__, "--limit", str(options.limit), "--program", str(seed), path]
                environment = os.environ | {"PYTORCH_CUDA_ALLOC_CONF": setting}
                ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
                measured = json.loads(ran.stdout.splitlines()[-1])
                policy = "pytorch" + (f"={setting}" if setting else "")
                replay = [options.binary, "replay", path, "--json", "--limit", str(limit), "--policy", policy]
                told = json.loads(subprocess.run(replay, check=True, capture_output=True, text=True).stdout)
                died, said = told["recorded"]["ran_out_at"], told["runs"][0]["ran_out"]
                same[setting] += said is not None and said["step"] == died
                where = "goes on" if said is None else f"out at {said['step']}"
                held = told["runs"][0]["peak_reserved"] / measured["reserved"]
                print(f"seed {seed:2} {setting or '(default)':26} out at {died:5}, replay {where:12} reserved {held:.3f} of measured", flush=True)
    print(f"{measured['gpu']}, PyTorch {measured['torch']}, {options.limit:g} GiB")
    for setting, count in same.items():
        print(f"{setting or '(default)':26} same in {count} of {options.count}")


if __name__ == "__main__":
    main()
