"""`:view` in a notebook: sliders without a kernel for small tensors, and words for all."""

import unittest

from kernel import Kernel


def shown(cell):
    """The forms of the one thing that a cell shows."""
    [output] = [it["content"]["data"] for it in cell.outputs if it["msg_type"] == "display_data"]
    return output


class View(unittest.TestCase):
    def test_small_tensors_bring_their_slices_along(self):
        with Kernel() as kernel:
            data = shown(kernel.run(":view arange(24).reshape(2, 3, 4)"))
            self.assertIn("slice [0, ↓, →]", data["text/plain"])
            html = data["text/html"]
            self.assertEqual(html.count("<script>"), 1)
            self.assertIn("values:[0e0,1e0,2e0,3e0,", html)
            # Without the script there is still the first slice.
            before = html[: html.index("<script>")]
            self.assertIn("11", before)
            self.assertIn("where the notebook is trusted", before)

    def test_large_ones_say_how_to_look(self):
        with Kernel() as kernel:
            data = shown(kernel.run(":view zeros(1000, 1000)"))
            self.assertNotIn("<script>", data["text/html"])
            self.assertIn("pip install anywidget", data["text/html"])
            # A cell that keeps no results leaves nothing that controls could ask for.
            data = shown(kernel.run(":view zeros(1000, 1000)", store_history=False))
            self.assertIn("[:100, :100]</code>", data["text/html"])


if __name__ == "__main__":
    unittest.main()
