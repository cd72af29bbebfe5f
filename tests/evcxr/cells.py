"""Runs cells of a Rust notebook, and keeps every message that belongs to them."""

import queue
import time

from jupyter_client.manager import KernelManager
from nbformat.v4 import output_from_msg

# The first cell compiles the crate.
LONGEST = 1800
# evcxr may send what a cell wrote to standard error after it said that the cell is over.
LATE = 1.0


class Notebook:
    """A kernel, and what its cells brought."""

    def __init__(self, folder):
        self.manager = KernelManager(kernel_name="rust")
        self.manager.start_kernel(cwd=folder)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=180)
        self.cells = {}

    def run(self, source):
        """Runs a cell; its outputs, its seconds."""
        begun = time.monotonic()
        name = self.client.execute(source)
        self.cells[name] = []
        while not self._receive(name, LONGEST):
            pass
        return self.cells[name], time.monotonic() - begun

    def finish(self):
        """Waits for what comes late, and ends the kernel."""
        try:
            while True:
                self._receive(None, LATE)
        except queue.Empty:
            pass
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def _receive(self, name, seconds):
        """Takes one message to its cell; whether it ends the cell `name`."""
        message = self.client.get_iopub_msg(timeout=seconds)
        parent = message["parent_header"].get("msg_id")
        kind, content = message["msg_type"], message["content"]
        outputs = self.cells.get(parent)
        if outputs is not None and kind in ("stream", "execute_result", "display_data", "error"):
            output = output_from_msg(message)
            last = outputs[-1] if outputs else None
            if kind == "stream" and last and last.get("name") == output["name"]:
                last["text"] += output["text"]
            else:
                outputs.append(output)
        return kind == "status" and content["execution_state"] == "idle" and parent == name


def errors(outputs):
    return [output for output in outputs if output["output_type"] == "error"]


def stderr(outputs):
    streams = [o for o in outputs if o["output_type"] == "stream" and o["name"] == "stderr"]
    return "".join(output["text"] for output in streams)


def plain(outputs):
    """The text of a cell's result."""
    results = [output for output in outputs if output["output_type"] == "execute_result"]
    return "\n".join(result["data"].get("text/plain", "") for result in results)
