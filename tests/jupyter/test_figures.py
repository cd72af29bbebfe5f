"""Figures in notebooks: they show themselves when their cell ends, as an image with words."""

import base64
import re
import unittest

from kernel import Kernel


def images(cell):
    """(words, drawing) of each image that a cell shows."""
    found = []
    for output in cell.outputs:
        page = output["content"].get("data", {}).get("text/html", "")
        for words, data in re.findall(r'<img class="plate"[^>]* alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)"', page):
            found.append((words, base64.b64decode(data).decode()))
    return found


class Figures(unittest.TestCase):
    def test_they_show_themselves(self):
        with Kernel() as kernel:
            kernel.run("import matplotlib.pyplot as plt")
            cell = kernel.run("plt.plot([1, 2, 4], label='up')\nplt.title('T')\nplt.legend();")
            [(words, drawing)] = images(cell)
            self.assertIn("“T”, line (up)", words)
            self.assertIn(">up</text>", drawing)
            self.assertTrue(drawing.startswith("<svg "))
            # Shown once, and forgotten.
            self.assertEqual(images(kernel.run("1")), [])
            self.assertEqual(len(images(kernel.run("plt.plot([1])\nplt.show()\nplt.plot([2]);"))), 2)
            # One that is the cell's value is shown as that, once, and again where it is asked for again.
            cell = kernel.run("fig, ax = plt.subplots()\nax.plot([1, 2])\nax.set_title('V')\nfig")
            [(words, _)] = images(cell)
            self.assertIn("“V”", words)
            self.assertIn("execute_result", [output["msg_type"] for output in cell.outputs])
            self.assertEqual(len(images(kernel.run("fig"))), 1)
            self.assertEqual(len(images(kernel.run("fig;"))), 0)
            self.assertEqual(kernel.run("plt.figure()").result, "<Figure size 640x480 with 0 Axes>")
            self.assertEqual(len(images(kernel.run("plt.plot([2])\nother = plt.gcf()\nplt.figure()\nplt.plot([1])\nother"))), 2)
            self.assertEqual(len(images(kernel.run("plt.plot([2])\nplt.gcf();"))), 1)
            # An error does not hold back what was drawn before it.
            cell = kernel.run("plt.plot([1])\nplt.plot([1], foo=2)")
            self.assertEqual((cell.error, len(images(cell))), ("AttributeError", 1))


if __name__ == "__main__":
    unittest.main()
