#!/usr/bin/env python3
"""What `:mem save FILE.pickle` writes, read by PyTorch's own script.

    python3 tests/torch/memory_viz.py        # needs the binary of `cargo build` (or GENESIS_BINARY)

The script is one file of PyTorch's wheel (`torch/cuda/_memory_viz.py`); it alone is read out of the wheel, and kept
under target/. Its functions get snapshots of two simulated GPUs whose contents are known: sizes, statements with the
lines on which they stand, what came and went between two snapshots, and an allocation that failed.
"""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

TORCH = "2.9.1"
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Sizes are chosen so that each live block of the first GPU has a segment of its own.
PROGRAM = """\
x = ones((1000, 1000))
y = x * 2
:mem save before.pickle
del y
z = zeros(5_000_000)
def scaled(t):
    a = t * 3
    return a + 1
w = scaled(z)
try:
    too_large = zeros(1 << 29)
    too_large += 1
except MemoryError:
    pass
b = ones(2_000_000, device='cuda:1') * 2
:mem save after.pickle
:mem save one.pickle cuda:1
"""


class Remote(io.RawIOBase):
    """A file on a server that gives parts of it."""

    def __init__(self, url):
        self.url, self.at = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as reply:
            self.size = int(reply.headers["Content-Length"])

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, offset, whence=io.SEEK_SET):
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence]
        return self.at

    def readinto(self, buffer):
        count = min(len(buffer), self.size - self.at)
        if count <= 0:
            return 0
        part = {"Range": f"bytes={self.at}-{self.at + count - 1}"}
        with urllib.request.urlopen(urllib.request.Request(self.url, headers=part)) as reply:
            if reply.status != 206:
                raise OSError(f"{self.url}: the server gives no parts of files")
            data = reply.read()
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


def memory_viz():
    """PyTorch's script as a module."""
    kept = ROOT / "target" / "memory-viz" / f"memory_viz_{TORCH.replace('.', '_')}.py"
    if not kept.exists():
        report = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet",
             "--disable-pip-version-check", "--root-user-action=ignore", "--report", "-", f"torch=={TORCH}"],
            check=True, capture_output=True, text=True,
        )
        url = json.loads(report.stdout)["install"][0]["download_info"]["url"]
        with zipfile.ZipFile(io.BufferedReader(Remote(url), 1 << 20)) as wheel:
            text = wheel.read("torch/cuda/_memory_viz.py")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(text)
    spec = importlib.util.spec_from_file_location("memory_viz", kept)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def snapshots():
    """What the program saves."""
    binary = os.environ.get("GENESIS_BINARY") or ROOT / "target" / "debug" / "genesis-repl"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "program.py").write_text(PROGRAM)
        command = [binary, "--no-history", "--simulate", "2x1GiB", "program.py"]
        subprocess.run(command, cwd=folder, check=True)
        read = lambda name: pickle.loads((pathlib.Path(folder) / f"{name}.pickle").read_bytes())
        return [read(name) for name in ("before", "after", "one")]


def lines_of(flamegraph):
    """A flame graph's stacks, with their bytes."""
    stacks = {}
    for line in flamegraph.splitlines():
        stack, count = line.rsplit(" ", 1)
        stacks[stack] = stacks.get(stack, 0) + int(count)
    return stacks


def bytes_at(stacks, place):
    return sum(count for stack, count in stacks.items() if "active_allocated" in stack and place in stack)


def main():
    viz = memory_viz()
    before, after, one = snapshots()
    plain = lambda lines: lines

    stacks = lines_of(viz.memory(after, plain))
    made = {"program.py:1:x = ones((1000, 1000))": 4_000_000, "program.py:5:z = zeros(5_000_000)": 20_000_000,
            "program.py:8:return a + 1": 20_000_000, "program.py:15:b = ones(2_000_000": 8_000_000}
    for place, expected in made.items():
        assert bytes_at(stacks, place) == expected, (place, expected, stacks)
    live = sum(count for stack, count in stacks.items() if "active_allocated" in stack and "<gaps>" not in stack)
    assert live == sum(made.values()), (live, stacks)

    # Which statement needed each segment.
    segment_stacks = viz.segments(after, plain)
    for segment in after["segments"]:
        assert f"seg_{segment['address']}" in segment_stacks
        (frame,) = segment["frames"]
        assert frame["filename"] == "program.py" and frame["line"] > 0, frame

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        compared = lines_of(viz.compare(before["segments"], after["segments"], plain))
    assert any(stack.startswith("only_after") and "program.py:5:z" in stack for stack in compared), compared
    assert not any("program.py:1:x" in stack for stack in compared), compared
    assert "only_before" in said.getvalue() and "only_after" in said.getvalue()

    trace = viz.trace(after)
    assert re.search(r"raise OutOfMemoryError # 2\.0GiB requested, .*free in CUDA", trace), trace
    assert "Device 0 ---" in trace and "Device 1 ---" in trace, trace
    assert "del " in trace and "free completed" in trace, trace
    totals = viz.segsum(after)
    assert re.search(r"total_allocated: 49\.6MiB", totals), totals

    # One device by name is a file of its own; both pages hold what they are given.
    assert bytes_at(lines_of(viz.memory(one, plain)), "program.py:15:b") == 8_000_000
    assert len(one["device_traces"]) == 1 and len(after["device_traces"]) == 2
    for page in (viz.trace_plot(after, device=0), viz.segment_plot(after, device=1)):
        assert "<html" in page and len(page) > 1000
    print(f"PyTorch {TORCH} reads {len(after['segments'])} segments, "
          f"{sum(map(len, after['device_traces']))} events of 2 devices")


if __name__ == "__main__":
    main()
