"""Much at once, and interrupts whenever they like: nothing may be lost."""

import random
import time
import unittest

from kernel import ENDLESS, Kernel


class Stress(unittest.TestCase):
    def test_a_hundred_thousand_messages_for_a_slow_reader(self):
        with Kernel() as kernel:
            # Turn and turn about, so that no two can be joined.
            request = kernel.client.execute(
                
                "import warnings\n"
                + "".join(f"print({i})\nwarnings.warn('{i}')\n" for i in range(50_000)))
            time.sleep(4)
            cell = kernel.collect(request)
            self.assertEqual(cell.status, "ok")
            expected = [str(i) for i in range(50_000)]
            self.assertEqual(cell.text().split(), expected)
            warned = [line.split()[-1] for line in cell.text("stderr").splitlines()]
            self.assertEqual(warned, expected)
            self.assertGreaterEqual(len(cell.outputs), 100_000)

    def test_printed_lines_for_a_slow_reader(self):
        with Kernel() as kernel:
            request = kernel.client.execute("".join(f"print({i})\n" for i in range(100_000)))
            time.sleep(2)
            cell = kernel.collect(request)
            self.assertEqual(cell.text().split(), [str(i) for i in range(100_000)])

    def test_fifty_megabytes(self):
        with Kernel() as kernel:
            cell = kernel.run("'x' * 50_000_000")
            self.assertEqual(len(cell.result), 50_000_002)
            self.assertEqual(kernel.run("1 + 1").result, "2")

    def test_two_hundred_quick_cells(self):
        with Kernel() as kernel:
            requests = [kernel.client.execute(f"{i} * 2") for i in range(200)]
            for i, request in enumerate(requests):
                cell = kernel.collect(request)
                self.assertEqual((cell.status, cell.result), ("ok", str(i * 2)))

    def test_interrupts_of_a_cell_that_would_not_end(self):
        chance = random.Random(1)
        with Kernel() as kernel:
            kernel.run("kept, rounds = arange(5), 0")
            for round in range(40):
                body = ENDLESS if round % 2 else "big = randn(300, 300).sum()\n" * 2000
                request = kernel.client.execute("rounds += 1\n" + body)
                kernel.wait_for_begin(request)
                time.sleep(chance.uniform(0, 0.03))
                kernel.interrupt()
                cell = kernel.collect(request)
                self.assertEqual(cell.error, "KeyboardInterrupt", round)
            self.assertEqual(kernel.run("print(kept.sum())").text(), "10\n")
            # A round that was interrupted before it began has not counted.
            self.assertLessEqual(int(kernel.run("rounds").result), 40)

    def test_interrupts_between_quick_cells(self):
        chance = random.Random(2)
        with Kernel() as kernel:
            kernel.run("n = 0")
            ended = {"ok": 0, "KeyboardInterrupt": 0}
            for _ in range(300):
                request = kernel.client.execute("n += 1")
                if chance.random() < 0.5:
                    time.sleep(chance.uniform(0, 0.003))
                    kernel.interrupt()
                cell = kernel.collect(request)
                ended[cell.error or "ok"] += 1
            # Each cell was done or undone, and its reply says which.
            self.assertEqual(int(kernel.run("n").result), ended["ok"])
            self.assertEqual(sum(ended.values()), 300)


if __name__ == "__main__":
    unittest.main()
