"""A kernel and a client for tests."""

import contextlib
import queue
import tempfile
import time

from jupyter_client import BlockingKernelClient, KernelManager

PATIENCE = 120

# A cell of one statement that takes minutes, if nobody ends it, and no memory.
ENDLESS = "many = arange(200_000.0)\nsin(many.reshape(-1, 1) * many).sum()"


class Cell:
    """What came of a cell."""

    def __init__(self, reply, outputs):
        self.reply, self.outputs = reply, outputs

    @property
    def status(self):
        return self.reply["content"]["status"]

    @property
    def error(self):
        return self.reply["content"].get("ename")

    def text(self, name="stdout"):
        """All that was printed."""
        return "".join(
            output["content"]["text"] for output in self.outputs
            if output["msg_type"] == "stream" and output["content"]["name"] == name
        )

    @property
    def result(self):
        """The value of the last expression as text."""
        for output in self.outputs:
            if output["msg_type"] == "execute_result":
                return output["content"]["data"]["text/plain"]
        return None


class Kernel:
    """A running kernel with one client. Leaving the `with` block ends both."""

    def __init__(self, **options):
        self.complaints = tempfile.TemporaryFile("w+")
        self.manager = KernelManager(kernel_name="genesis", **options)

    def __enter__(self):
        self.manager.start_kernel(stderr=self.complaints)
        try:
            self.client = self.connect()
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.complaints.close()

    def connect(self):
        """Another client, with an identity of its own, ready."""
        client = BlockingKernelClient(connection_file=self.manager.connection_file)
        client.load_connection_file()
        client.start_channels()
        client.wait_for_ready(timeout=PATIENCE)
        return client

    @property
    def process(self):
        return self.manager.provisioner.process

    def complained(self):
        """What the kernel has said on standard error."""
        self.complaints.seek(0)
        return self.complaints.read()

    def run(self, code, client=None, **options):
        """Runs a cell to its end."""
        client = client or self.client
        return self.collect(client.execute(code, **options), client)

    def collect(self, request, client=None):
        """Reads all that comes of a request."""
        client = client or self.client
        outputs = []
        while True:
            message = client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
            outputs.append(message)
        return Cell(self.reply(request, client), outputs)

    def wait_for_begin(self, request):
        """Reads until the kernel works on a request. An interrupt from then on is meant for it."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                return

    def reply(self, request, client=None):
        """The reply to a request on shell, which has to be the next one."""
        message = (client or self.client).get_shell_msg(timeout=PATIENCE)
        assert message["parent_header"]["msg_id"] == request, message
        return message

    def run_info(self):
        """What the kernel says about itself."""
        return self.reply(self.client.kernel_info(), self.client)["content"]

    def interrupt(self):
        """Sends an interrupt and reads its reply."""
        client = self.client
        request = client.session.msg("interrupt_request", {})
        client.control_channel.send(request)
        return client.get_control_msg(timeout=PATIENCE)


def nothing(receive, seconds=0.3):
    """Whether nothing arrives."""
    try:
        receive(timeout=seconds)
        return False
    except queue.Empty:
        return True


def wait_until(condition, seconds=PATIENCE):
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
