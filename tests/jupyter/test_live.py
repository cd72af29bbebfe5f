"""What stays up to date in a notebook: the panel of `:mem live`, progress, the footer."""

import contextlib
import queue
import tempfile
import threading
import time
import unittest

from jupyter_client.manager import start_new_kernel

KERNEL = "genesis"


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manager, cls.client = start_new_kernel(kernel_name=KERNEL)

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel(now=True)

    def run_cell(self, code):
        """The reply, and what was published for the cell, each with the time it came."""
        sent = self.client.execute(code)
        published = []
        while True:
            message = self.client.get_iopub_msg(timeout=30)
            if message["parent_header"].get("msg_id") != sent:
                continue
            if message["content"].get("execution_state") == "idle":
                break
            published.append((message["msg_type"], message["content"], time.monotonic()))
        return self.client.get_shell_msg(timeout=30)["content"], published

    def of(self, published, kind):
        return [content for name, content, _ in published if name == kind]

    def open_panel(self):
        self.addCleanup(self.run_cell, ":mem live off")
        reply, published = self.run_cell(":mem live")
        self.assertEqual(reply["status"], "ok")
        [shown] = self.of(published, "display_data")
        panel = shown["transient"]["display_id"]
        updates = self.of(published, "update_display_data")
        self.assertEqual(updates[-1]["transient"]["display_id"], panel)
        return panel

    def test_panel(self):
        self.run_cell(":reset")
        panel = self.open_panel()
        _, published = self.run_cell("x = zeros(1 << 20)\ny = x[:3]")
        [*_, last] = self.of(published, "update_display_data")
        self.assertEqual(last["transient"]["display_id"], panel)
        text = last["data"]["text/plain"]
        self.assertIn("live 4.0 MiB", text)
        self.assertIn("after [", text)
        self.assertRegex(text, r"x, y +4\.0 MiB +float32 \(1048576,\)")
        html = last["data"]["text/html"]
        self.assertIn("<img", html)
        self.assertNotIn("<script", html)
        self.assertLess(len(html), 16_000)
        # What fails is undone, and the panel shows that, too.
        reply, published = self.run_cell("z = ones(1 << 20); z[1 << 20]")
        self.assertEqual(reply["status"], "error")
        [*_, last] = self.of(published, "update_display_data")
        self.assertIn("z", last["data"]["text/plain"])
        # Another panel takes over; the first one says so.
        second = self.open_panel()
        self.assertNotEqual(second, panel)
        _, published = self.run_cell("del x, y, z")
        ids = {u["transient"]["display_id"] for u in self.of(published, "update_display_data")}
        self.assertEqual(ids, {second})
        _, published = self.run_cell(":mem live off")
        [*_, last] = self.of(published, "update_display_data")
        self.assertIn("ended at [", last["data"]["text/plain"])
        _, published = self.run_cell("x = 1")
        self.assertEqual(self.of(published, "update_display_data"), [])

    def test_the_panel_keeps_its_height(self):
        self.run_cell(":reset")
        panel = self.open_panel()
        _, published = self.run_cell("x = zeros(1 << 16)")
        few = self.of(published, "update_display_data")[-1]["data"]["text/html"]
        _, published = self.run_cell("; ".join(f"t{i} = zeros({9000 - i})" for i in range(9)))
        [*_, last] = self.of(published, "update_display_data")
        self.assertEqual(last["transient"]["display_id"], panel)
        many = last["data"]["text/html"]
        self.assertEqual(few.count("<tr>"), many.count("<tr>"))
        # Ten storages, and six have a row.
        self.assertIn("…and 4 more hold 140.", many)
        self.assertIn("…and 4 more hold 140.", last["data"]["text/plain"])
        self.run_cell(":mem live off")

    def test_what_is_shown_when_the_kernel_ends(self):
        """A kernel that is restarted leaves no panel that looks alive, and no bar half way."""
        for code in ("1", "import time\n" + "time.sleep(0.1)\n" * 100, "time.sleep(0)\n" * 9 + "time.sleep(9)"):
            with self.subTest(code=code[:20]):
                manager, client = start_new_kernel(kernel_name=KERNEL)
                self.addCleanup(manager.shutdown_kernel, now=True)
                self.addCleanup(client.stop_channels)
                client.execute(":mem live\nimport time")
                client.execute(code)
                time.sleep(2)
                client.shutdown(restart=True)
                last = {}
                with contextlib.suppress(queue.Empty):
                    while True:
                        message = client.get_iopub_msg(timeout=4)
                        content = message["content"]
                        if message["msg_type"] in ("display_data", "update_display_data"):
                            last[content["transient"]["display_id"]] = content["data"]
                panels = [data for name, data in last.items() if "memory" in name]
                bars = [data for name, data in last.items() if "progress" in name]
                self.assertIn("the kernel has ended", panels[0]["text/plain"])
                self.assertIn("the kernel has ended", panels[0]["text/html"])
                self.assertEqual(bars, [{}] * len(bars))

    def test_panel_while_a_cell_runs(self):
        self.run_cell(":reset")
        self.open_panel()
        begun = time.monotonic()
        _, published = self.run_cell(
            "a = zeros(1 << 20)\nimport time\ntime.sleep(1.5)\n"
            # Variables are not looked at right after they have been.
            "b = zeros(1 << 20)\ntime.sleep(0.2)\ntime.sleep(1.5)"
        )
        running = [
            (content["data"]["text/plain"], at - begun)
            for name, content, at in published
            if name == "update_display_data" and "runs for" in content["data"]["text/plain"]
        ]
        self.assertGreaterEqual(len(running), 2, running)
        first, at = running[0]
        self.assertIn("live 4.0 MiB", first)
        self.assertLess(at, 1.4, "it came while the first sleep lasted")
        self.assertTrue(any("live 8.0 MiB" in text for text, _ in running), running)
        self.assertTrue(any("b " in text for text, _ in running), running)
        self.run_cell(":mem live off")

    def test_cost(self):
        """A panel costs a cell less than 2 ms."""

        def median(count=200):
            times = []
            for _ in range(count):
                begun = time.perf_counter()
                self.run_cell("1 + 1")
                times.append(time.perf_counter() - begun)
            return sorted(times)[count // 2]

        self.run_cell("; ".join(f"t{i} = zeros({1000 + i})" for i in range(100)))
        median(50)
        without = median()
        self.open_panel()
        median(50)
        with_panel = median()
        self.run_cell(":mem live off")
        cost = (with_panel - without) * 1e3
        print(f"\ncell {without * 1e3:.2f} ms, with the panel {with_panel * 1e3:.2f} ms")
        # A debug build on a busy machine is slow; what is measured stands in benches/RESULTS.md.
        self.assertLess(cost, 20)

    def test_footer(self):
        self.run_cell(":set footer on")
        _, published = self.run_cell("f = zeros(1 << 20) + 1\nf.sum()")
        kinds = [name for name, _, _ in published]
        self.assertLess(kinds.index("execute_result"), kinds.index("display_data"))
        [footer] = self.of(published, "display_data")
        self.assertRegex(
            footer["data"]["text/plain"],
            r"^[\d.]+ [mµ]?s · allocated 4\.0 MiB in 2 blocks · live .* \(\+4\.0 MiB\) · 2 kernels$",
        )
        self.run_cell(":set footer off")
        _, published = self.run_cell("1")
        self.assertEqual(self.of(published, "display_data"), [])

    def test_progress(self):
        code = "import time\n" + "time.sleep(0.1)\n" * 12
        _, published = self.run_cell(code)
        [shown] = self.of(published, "display_data")
        bar = shown["transient"]["display_id"]
        self.assertRegex(shown["data"]["text/plain"], r"<In \d+> █.* of 13 statements")
        updates = self.of(published, "update_display_data")
        self.assertEqual({u["transient"]["display_id"] for u in updates}, {bar})
        self.assertGreater(len(updates), 2)
        # What is done leaves nothing behind, whatever came of it.
        self.assertEqual([u["data"] == {} for u in updates[-2:]], [False, True])
        _, published = self.run_cell(code + "nothing\n" + "1\n" * 9)
        self.assertEqual(self.of(published, "update_display_data")[-1]["data"], {})
        # Work within a statement, however it ends.
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(2**34)
            threading.Timer(8, self.manager.interrupt_kernel).start()
            _, published = self.run_cell(f"import numpy as np\nstats(np.memmap({file.name!r}, mode='r'))")
        [shown] = self.of(published, "display_data")
        self.assertRegex(shown["data"]["text/plain"], r"stats .* of 16\.0 GiB · .*/s · .* left")
        updates = self.of(published, "update_display_data")
        self.assertGreaterEqual(len(updates), 1)
        self.assertEqual(updates[-1]["data"], {})
        self.assertEqual(self.of(published, "error")[0]["ename"], "KeyboardInterrupt")
        # Short work says nothing.
        _, published = self.run_cell("x = 1\n" * 20)
        self.assertEqual(self.of(published, "display_data"), [])


if __name__ == "__main__":
    unittest.main()
