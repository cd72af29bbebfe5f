"""The notebooks of `notebooks/` show what running them shows.

Each is run from its first cell to its last by the kernel, and its outputs are compared with those
stored in it, character by character: text, and the words of HTML and of drawings. What differs from
run to run is replaced before (`SETTLED`). Colours, sizes and pictures have tests of their own beside
`src/report/html`.

`UPDATE=1 tests/jupyter/run test_notebooks` stores the outputs of cells that say something else now,
`UPDATE=all` those of every cell. Give it a release build, so that the times in them are typical.

No tolerance is needed: an element's last digit depends neither on the number of threads nor on
which vector instructions a processor has, as long as it multiplies and adds in one step.
"""

import html.parser
import os
import pathlib
import platform
import re
import unittest

import jupyter_client.kernelspec
import nbclient
import nbformat

from kernel import Kernel

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "notebooks"

# What is not the same twice: how long something took, how often it was repeated to find out, where
# the system put it, and how much memory the machine has left. Columns are as wide as their entries,
# so spaces and rules shrink to one. Escape sequences are colours.
SETTLED = [
    (re.compile(r"\x1b\[[\d;]*m"), ""),
    (re.compile(r"\d[\d.,]*\s(?:ns|µs|ms|s)\b"), "<time>"),
    (re.compile(r"series of [\d,]+"), "series of <count>"),
    (re.compile(r"0x[0-9a-f]+"), "<address>"),
    (re.compile(r"[\d.]+ [KMGT]iB can be had"), "<memory> can be had"),
    (re.compile(r"device\s+[\d.]+ GiB\s+[\d.]+ GiB free"), "device <memory> free"),
    (re.compile(r"─+"), "─"),
    (re.compile(r"[ \t]+"), " "),
]


def settle(text):
    """The text without what differs from run to run."""
    for pattern, word in SETTLED:
        text = pattern.sub(word, text)
    return text


def shown(output):
    """What an output says, one (what, text) for each of its representations."""
    kind = output["output_type"]
    if kind == "stream":
        return [(output["name"], output["text"])]
    if kind == "error":
        return [("error", "\n".join([output["ename"], output["evalue"], *output["traceback"]]))]
    return [
        (f"{kind} {mime}", words(text) if mime in MARKUP else str(text))
        for mime, text in sorted(output["data"].items())
    ]


MARKUP = ("text/html", "image/svg+xml")


class Words(html.parser.HTMLParser):
    """Collects what a page says: its text without style sheets, one piece for each element."""

    def __init__(self):
        super().__init__()
        self.pieces, self.is_style = [], False

    def handle_starttag(self, tag, attrs):
        self.is_style = tag == "style"

    def handle_endtag(self, tag):
        self.is_style = False

    def handle_data(self, data):
        if not self.is_style and data.strip():
            self.pieces.append(data.strip())


def words(markup):
    parser = Words()
    parser.feed(markup)
    parser.close()
    return "\n".join(parser.pieces)


# How far work is that takes long shows only where it does.
PROGRESS = re.compile(r"\S.* [\d,]+(?: of [\d,]+)? (?:statements|series) · <time>")


def is_progress(output):
    text = output.get("data", {}).get("text/plain", "")
    return output["output_type"] == "display_data" and bool(PROGRESS.fullmatch(settle(text)))


def settled(outputs):
    """All that outputs show, settled."""
    lasting = [output for output in outputs if not is_progress(output)]
    return [(what, settle(text)) for output in lasting for what, text in shown(output)]


def difference(stored, run):
    """The first place where two texts differ, with what stands around it."""
    at = next((at for at, (a, b) in enumerate(zip(stored, run)) if a != b), None)
    if at is None:
        at = min(len(stored), len(run))
    start = max(0, at - 60)
    return f"stored …{stored[start:at + 60]!r}…\n   run …{run[start:at + 60]!r}…"


def multiplies_and_adds_in_one_step():
    if platform.machine() not in ("x86_64", "AMD64"):
        return True
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return " fma " in file.read()
    except OSError:
        return True


class Notebooks(unittest.TestCase):
    maxDiff = None

    def test_they_show_what_running_them_shows(self):
        paths = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(paths), 4)
        for path in paths:
            notebook = nbformat.read(path, as_version=4)
            if notebook.metadata.kernelspec.name == "genesis":
                with self.subTest(path.name):
                    self.check(path, notebook)

    def check(self, path, notebook):
        stored = [cell.get("outputs", []) for cell in notebook.cells]
        # An error in a cell that is not tagged `raises-exception` ends the run.
        client = nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="genesis", record_timing=False,
            resources={"metadata": {"path": str(FOLDER)}},
        )
        client.execute(env={**os.environ, "RAYON_NUM_THREADS": "2"})
        if os.environ.get("UPDATE"):
            for cell, old in zip(notebook.cells, stored):
                is_kept = os.environ["UPDATE"] != "all" and cell.cell_type == "code"
                if is_kept and settled(old) == settled(cell.outputs):
                    cell.outputs = old
            nbformat.write(notebook, path)
            return
        if not multiplies_and_adds_in_one_step():
            self.skipTest("this processor rounds products before it adds: last digits differ")
        for number, (cell, old) in enumerate(zip(notebook.cells, stored)):
            if cell.cell_type != "code":
                continue
            where = f"{path.name}, cell {number}:\n{cell.source}\n"
            old, new = settled(old), settled(cell.outputs)
            self.assertEqual([what for what, _ in old], [what for what, _ in new], where)
            for (what, a), (_, b) in zip(old, new):
                if a != b:
                    self.fail(f"{where}{what}:\n{difference(a, b)}")


class Opened(unittest.TestCase):
    def test_what_is_stored_is_what_jupyterlab_writes(self):
        """Front ends write down what the kernel says of itself: where that is stored, opening a
        notebook changes nothing in it. And they write the file just so."""
        spec = jupyter_client.kernelspec.KernelSpecManager().get_kernel_spec("genesis")
        kernelspec = {"name": "genesis", "display_name": spec.display_name, "language": spec.language}
        with Kernel() as kernel:
            language = kernel.run_info()["language_info"]
        for path in sorted(FOLDER.glob("*.ipynb")):
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
                nbformat.validate(notebook)
                self.assertEqual(nbformat.writes(notebook) + "\n", text)
                self.assertGreaterEqual((notebook.nbformat, notebook.nbformat_minor), (4, 5))
                if notebook.metadata.kernelspec.name == "genesis":
                    self.assertEqual(notebook.metadata.kernelspec, kernelspec)
                    self.assertEqual(notebook.metadata.language_info, language)

    def test_what_is_stored_reads_well_untrusted(self):
        """Hosts strip style sheets with what is in them, and drawings but not their words."""
        for path in sorted(FOLDER.glob("*.ipynb")):
            notebook = nbformat.read(path, as_version=4)
            for number, cell in enumerate(notebook.cells):
                for output in cell.get("outputs", []):
                    page = output.get("data", {}).get("text/html", "")
                    with self.subTest(path.name, cell=number):
                        self.assertNotRegex(page, "<(svg|script|path|text|title)")
                        for picture in page.split("<img")[1:]:
                            self.assertRegex(picture.split(">")[0], ' alt="[^"]{8,}"')
                            self.assertRegex(picture.split(">")[0], ' src="data:image/(png|svg)')


class Settled(unittest.TestCase):
    """Only what may differ is replaced."""

    def test_what_a_page_says(self):
        page = '<style>a{b:c}</style><table><td style="x">4.0 MiB</td><td>big &lt; 2</td></table>'
        self.assertEqual(words(page + "<svg><title>x: 3</title></svg>"), "4.0 MiB\nbig < 2\nx: 3")

    def test_what_is_progress(self):
        def display(text):
            return {"output_type": "display_data", "data": {"text/plain": text}}

        for text in (":timeit 5 series · 1.72 s", "<In 5> ██▌      1,200 of 2,400 statements · 2.00 s"):
            self.assertEqual(settled([display(text)]), [])
        for text in ("best of 5 series of 69 (mean 2 ns)", "wall 5.96 ms · allocated 4 B"):
            self.assertNotEqual(settled([display(text)]), [])

    def test_what_is_replaced(self):
        self.assertEqual(settle("wall 5.96 ms · allocated 3.8 MiB"),
                         settle("wall 12 µs · allocated  3.8 MiB"))
        self.assertEqual(settle("at 0x7f850ce00000"), settle("at 0x7f8524200400"))
        for a, b in [("3.8 MiB", "3.9 MiB"), ("mean 1.5  sd 1", "mean 1.6  sd 1"),
                     ("[1., 2.]", "[1., 3.]"), ("in 1 block", "in 2 blocks"), ("52.0 %", "51.0 %")]:
            self.assertNotEqual(settle(a), settle(b))


if __name__ == "__main__":
    unittest.main()
