"""How a kernel is installed, what it asks its user, and when it ends."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from kernel import ENDLESS, PATIENCE, Kernel, wait_until

PROGRAM = os.environ["GENESIS_REPL"]


class Input(unittest.TestCase):
    def test_what_the_user_types_is_the_value(self):
        with Kernel() as kernel:
            request = kernel.client.execute("name = input('who? ')\nname + '!'", allow_stdin=True)
            asked = kernel.client.get_stdin_msg(timeout=PATIENCE)
            self.assertEqual(asked["msg_type"], "input_request")
            self.assertEqual(asked["content"], {"prompt": "who? ", "password": False})
            self.assertEqual(asked["parent_header"]["msg_id"], request)
            kernel.client.input("größe 🦀")
            self.assertEqual(kernel.collect(request).result, "'größe 🦀!'")

    def test_two_questions_in_a_cell(self):
        with Kernel() as kernel:
            request = kernel.client.execute("int(input('a')) + int(input('b'))", allow_stdin=True)
            for answer in ("20", "3"):
                kernel.client.get_stdin_msg(timeout=PATIENCE)
                kernel.client.input(answer)
            self.assertEqual(kernel.collect(request).result, "23")

    def test_an_interrupt_ends_the_question(self):
        with Kernel() as kernel:
            request = kernel.client.execute("x = input()", allow_stdin=True)
            kernel.client.get_stdin_msg(timeout=PATIENCE)
            kernel.interrupt()
            self.assertEqual(kernel.collect(request).error, "KeyboardInterrupt")
            # What is typed for it now answers nothing.
            kernel.client.input("late")
            request = kernel.client.execute("input()", allow_stdin=True)
            kernel.client.get_stdin_msg(timeout=PATIENCE)
            kernel.client.input("in time")
            self.assertEqual(kernel.collect(request).result, "'in time'")

    def test_nobody_to_ask_is_an_error(self):
        with Kernel() as kernel:
            cell = kernel.run("input()", allow_stdin=False)
            self.assertIn("takes no input", cell.reply["content"]["evalue"])


class Aborted(unittest.TestCase):
    def test_a_cell_that_never_ran_has_no_number(self):
        """Front ends show whatever number a reply has."""
        with Kernel() as kernel:
            slow = kernel.client.execute("import time; time.sleep(0.5); nothing")
            waiting = [kernel.client.execute("1") for _ in range(3)]
            reply = kernel.collect(slow).reply["content"]
            self.assertEqual((reply["status"], reply["execution_count"]), ("error", 1))
            for request in waiting:
                self.assertEqual(kernel.collect(request).reply["content"], {"status": "aborted"})
            endless = kernel.client.execute(ENDLESS)
            waiting = kernel.client.execute("1")
            kernel.wait_for_begin(endless)
            kernel.interrupt()
            self.assertEqual(kernel.collect(endless).error, "KeyboardInterrupt")
            self.assertEqual(kernel.collect(waiting).reply["content"], {"status": "aborted"})
            self.assertEqual(kernel.run("1 + 1").reply["content"]["execution_count"], 3)


class End(unittest.TestCase):
    def test_shutdown_ends_the_process_also_while_a_cell_runs(self):
        for code in ("1", ENDLESS):
            with Kernel() as kernel:
                kernel.client.execute(code)
                kernel.client.shutdown()
                reply = kernel.client.get_control_msg(timeout=PATIENCE)
                self.assertEqual(reply["msg_type"], "shutdown_reply")
                self.assertEqual(kernel.process.wait(10), 0)

    def test_a_signal_interrupts_the_cell_and_ends_nothing(self):
        with Kernel() as kernel:
            kernel.run("x = 1")
            kernel.process.send_signal(signal.SIGINT)
            self.assertEqual(kernel.run("x").result, "1")
            request = kernel.client.execute("import time; time.sleep(60)")
            kernel.wait_for_begin(request)
            time.sleep(0.2)
            begun = time.monotonic()
            kernel.process.send_signal(signal.SIGINT)
            cell = kernel.collect(request)
            self.assertLess(time.monotonic() - begun, 5)
            self.assertEqual(cell.error, "KeyboardInterrupt")
            self.assertEqual(kernel.run("x + 1").result, "2")

    def test_quit_ends_the_process(self):
        with Kernel() as kernel:
            cell = kernel.run(":quit")
            self.assertEqual(cell.reply["content"]["payload"][0]["source"], "ask_exit")
            self.assertEqual(kernel.process.wait(10), 0)

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs Unix")
    def test_an_orphan_ends(self):
        """Whatever its standard error is, and whatever it is doing."""
        for stderr in ("None", "a dead pipe", "a full pipe", "a dead terminal"):
            for code in ("1", ENDLESS):
                with self.subTest(stderr=stderr, code=code):
                    self.orphan(stderr, code)

    def orphan(self, stderr, code):
        """Starts a kernel under a parent that dies."""
        ends = os.openpty() if stderr == "a dead terminal" else os.pipe()
        reader, writer = ends
        parent = subprocess.Popen(
            [sys.executable, "-c",
             "import sys, time\nfrom jupyter_client import KernelManager\n"
             "stderr, code = sys.argv[1:]\n"
             "manager = KernelManager(kernel_name='genesis')\n"
             "manager.start_kernel(stderr=int(stderr) if stderr else None)\n"
             "client = manager.client()\nclient.start_channels()\n"
             "client.wait_for_ready(timeout=100)\nclient.execute(code)\n"
             "print(manager.provisioner.process.pid, flush=True)\ntime.sleep(1000)",
             "" if stderr == "None" else str(writer), code],
            stdout=subprocess.PIPE, text=True, pass_fds=[writer],
        )
        kernel = int(parent.stdout.readline())
        self.assertTrue(is_alive(kernel))
        if stderr == "a full pipe":
            os.set_blocking(writer, False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(writer, b"x" * 4096)
            # The kernel's end of it waits, as it did before.
            os.set_blocking(writer, True)
        os.close(writer)
        if stderr != "a full pipe":
            os.close(reader)
        parent.kill()
        parent.wait()
        parent.stdout.close()
        ended = wait_until(lambda: not is_alive(kernel), 10)
        if stderr == "a full pipe":
            os.close(reader)
        if not ended:
            os.kill(kernel, signal.SIGKILL)
        self.assertTrue(ended)


def is_alive(process):
    """Whether a process runs. One that has ended may wait for its parent to notice."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.home = self.folder / "home"
        self.home.mkdir()

    def jupyter(self, *arguments, **variables):
        """(exit code, both outputs) of a subcommand in an environment of its own."""
        done = subprocess.run(
            [PROGRAM, "jupyter", *arguments], capture_output=True, text=True, timeout=PATIENCE,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"], **variables},
        )
        return done.returncode, done.stdout + done.stderr

    def check(self, data, name, *arguments, **variables):
        """Installs, looks with Jupyter's own eyes, uninstalls."""
        folder = data / "kernels" / name
        code, output = self.jupyter("install", *arguments, **variables)
        self.assertEqual(code, 0, output)
        self.assertIn(str(folder), output)
        listed = subprocess.run(
            [sys.executable, "-m", "jupyter_client.kernelspecapp", "list", "--json"],
            capture_output=True, text=True, timeout=PATIENCE, check=True,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"], "JUPYTER_PATH": str(data)},
        )
        spec = json.loads(listed.stdout)["kernelspecs"][name]
        self.assertEqual(spec["resource_dir"], str(folder))
        self.assertEqual(spec["spec"]["argv"][:3], [PROGRAM, "jupyter", "run"])
        self.assertEqual(spec["spec"]["interrupt_mode"], "message")
        self.assertEqual(
            sorted(path.name for path in folder.iterdir()),
            ["kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"])
        # Again, over itself.
        self.assertEqual(self.jupyter("install", *arguments, **variables)[0], 0)
        code, output = self.jupyter("uninstall", *arguments, **variables)
        self.assertEqual((code, folder.exists()), (0, False), output)
        code, output = self.jupyter("uninstall", *arguments, **variables)
        self.assertNotEqual(code, 0)
        self.assertIn("there is no kernel", output)

    @unittest.skipUnless(sys.platform == "linux", "where data lies differs")
    def test_for_the_user(self):
        self.check(self.home / ".local/share/jupyter", "genesis", "--user")
        self.check(self.home / ".local/share/jupyter", "genesis")

    def test_in_the_environment(self):
        prefix = self.folder / "venv"
        self.check(prefix / "share/jupyter", "genesis", "--sys-prefix", VIRTUAL_ENV=str(prefix))
        self.check(prefix / "share/jupyter", "genesis", "--sys-prefix", CONDA_PREFIX=str(prefix))
        code, output = self.jupyter("install", "--sys-prefix")
        self.assertNotEqual(code, 0)
        self.assertIn("VIRTUAL_ENV", output)

    def test_under_a_prefix_and_another_name(self):
        prefix = self.folder / "prefix"
        self.check(prefix / "share/jupyter", "mine", "--prefix", str(prefix), "--name", "mine")

    def test_what_is_not_ours_stays(self):
        folder = self.folder / "share/jupyter/kernels/genesis"
        folder.mkdir(parents=True)
        (folder / "kernel.json").write_text('{"argv": ["other"]}')
        for action in ("install", "uninstall"):
            code, output = self.jupyter(action, "--prefix", str(self.folder))
            self.assertNotEqual(code, 0)
            self.assertIn("another kernel", output)
        self.assertEqual((folder / "kernel.json").read_text(), '{"argv": ["other"]}')

    def test_names_that_would_lead_elsewhere(self):
        for name in ("../up", "a/b", "", ".hidden", "a b"):
            code, output = self.jupyter("install", "--prefix", str(self.folder), "--name", name)
            self.assertNotEqual(code, 0)
            self.assertIn("expected a name", output)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["home"])


if __name__ == "__main__":
    unittest.main()
