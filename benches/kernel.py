#!/usr/bin/env python3
"""Times the Jupyter kernel beside ipykernel, turn and turn about, and prints a table.

    cargo build --release
    tests/jupyter/run test_protocol      # makes target/jupyter-venv
    target/jupyter-venv/bin/python benches/kernel.py

Both are driven by the same client over TCP on this machine. With `--device cuda`, ours alone on a GPU.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PATIENCE = 60

# A name of its own: tests/jupyter/run leaves a debug build named "genesis" in the environment, which would
# be found first.
OURS = "genesis-bench"
KERNELS = (OURS, "python3")

# Cells that take minutes; ours has no loops.
ENDLESS = {
    OURS: "many = arange(200_000.0)\nsin(many.reshape(-1, 1) * many).sum()",
    "python3": "while True:\n    n = n",
}


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


class Kernel:
    def __init__(self, name):
        from jupyter_client import KernelManager
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel(stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels(stdin=False, hb=False)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run(self, code):
        """From the request to its reply and the end of its output."""
        request = self.client.execute(code)
        self.finish(request)

    def finish(self, request):
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if (message["parent_header"].get("msg_id") == request
                    and message["msg_type"] == "status"
                    and message["content"]["execution_state"] == "idle"):
                break
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"]["msg_id"] == request:
                return reply


def worst(times):
    """What nine of ten do not exceed."""
    return sorted(times)[min(len(times) - 1, len(times) * 9 // 10)]


def start(name, code="1 + 1"):
    """From nothing to the reply that says that a first cell is done."""
    kernels = []

    def work():
        kernels.append(Kernel(name))
        client = kernels[0].client
        request = client.execute(code)
        while client.get_shell_msg(timeout=PATIENCE)["parent_header"]["msg_id"] != request:
            pass

    took = milliseconds(work)
    kernels[0].end()
    return took


def interrupt(kernel, code):
    """From asking for the interrupt to the reply of the cell."""
    request = kernel.client.execute(code)
    time.sleep(0.5)

    def work():
        kernel.manager.interrupt_kernel()
        reply = kernel.finish(request)
        assert reply["content"]["ename"] == "KeyboardInterrupt", reply["content"]

    return milliseconds(work)


def long_kernel(kernel, seconds=3.0):
    """A statement whose one kernel keeps this GPU busy for so long."""
    def code(numbers):
        return f"n = arange({numbers}.0)\n(n.reshape(-1, 1) * n).max()"

    numbers = 1_000_000
    kernel.run(code(numbers))
    took = milliseconds(lambda: kernel.run(code(numbers))) / 1e3
    return code(int(numbers * (seconds / took) ** 0.5))


def on_a_gpu(arguments):
    """Rows of the table: what a cell costs with and without the panel, and how it begins and ends."""
    plain, first = "1 + 1", "(randn(1000) + 1).sum()"
    yield "start to first result", [start(OURS) for _ in range(arguments.starts)]
    yield f"start to `{first}`", [start(OURS, first) for _ in range(arguments.starts)]
    kernel = Kernel(OURS)
    kernel.client.wait_for_ready(timeout=PATIENCE)
    kernel.run("x = randn(1000)")
    kernel.run("; ".join(f"t{i} = zeros({1000 + i})" for i in range(100)))

    def cells(code):
        for _ in range(50):
            kernel.run(code)
        return [milliseconds(lambda: kernel.run(code)) for _ in range(arguments.cells)]

    codes = (plain, "x + 1", "x = x + 1")
    for code in codes:
        yield f"`{code}`", cells(code)
    kernel.run(":mem live")
    for code in codes:
        yield f"`{code}`, panel", cells(code)
    kernel.run(":mem live off")
    code = long_kernel(kernel)
    yield "interrupt of a long kernel", [
        interrupt(kernel, code) for _ in range(min(arguments.interrupts, 5))
    ]
    kernel.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=ROOT / "target/release/genesis-repl")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--cells", type=int, default=300)
    parser.add_argument("--interrupts", type=int, default=30)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        # Nothing of the user's is read or written; ipykernel is found in this environment.
        os.environ.update(HOME=folder, JUPYTER_DATA_DIR=f"{folder}/data", GENESIS_DEVICE=arguments.device)
        subprocess.run([arguments.program, "jupyter", "install", "--user", "--name", OURS], check=True,
                       stdout=subprocess.DEVNULL)
        if arguments.device != "cpu":
            print("| case | median | worst of ten percent |")
            print("| --- | --- | --- |")
            for case, times in on_a_gpu(arguments):
                print(f"| {case} | {statistics.median(times):.3g} ms | {worst(times):.3g} ms |", flush=True)
            return
        names = KERNELS
        starts = {name: [] for name in names}
        for _ in range(arguments.starts):
            for name in names:
                starts[name].append(start(name))
        kernels = {name: Kernel(name) for name in names}
        cells = {name: [] for name in names}
        big = {name: [] for name in names}
        interrupts = {name: [] for name in names}
        for kernel in kernels.values():
            kernel.client.wait_for_ready(timeout=PATIENCE)
            kernel.run("n = 1")
        for _ in range(arguments.cells):
            for name, kernel in kernels.items():
                cells[name].append(milliseconds(lambda: kernel.run("n")))
        for _ in range(5):
            for name, kernel in kernels.items():
                big[name].append(milliseconds(lambda: kernel.run("'x' * 50_000_000")))
        for _ in range(arguments.interrupts):
            for name, kernel in kernels.items():
                interrupts[name].append(interrupt(kernel, ENDLESS[name]))
        for kernel in kernels.values():
            kernel.end()

    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; median / worst of ten percent")
    print("| case | genesis-repl | ipykernel |")
    print("| --- | --- | --- |")
    for case, times in [("start to first result", starts), ("round trip of a cell", cells),
                        ("50 MB result", big), ("interrupt", interrupts)]:
        row = [case]
        for name in names:
            row.append(f"{statistics.median(times[name]):.3g} / {worst(times[name]):.3g} ms")
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    sys.exit(main())
