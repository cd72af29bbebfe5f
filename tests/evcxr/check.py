"""What tests/evcxr/run does: the notebook as it is stored, and a session through hard times."""

import re
import sys
from pathlib import Path

import nbformat

from cells import Notebook, errors, plain, stderr

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "notebooks" / "rust.ipynb"
DEP = ':dep genesis-repl = { path = "..", default-features = false, features = ["ndarray"] }'

NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
# The last digits of a sum may differ from one processor to another.
TOLERANCE = 1e-3

# A cell, and what must come of it: a text in its result, or what goes wrong in Rust.
HARD_TIMES = [
    (DEP, None),
    # What evcxr.toml says has been heard.
    ("option_env!(\"CARGO_INCREMENTAL\").unwrap_or(\"unset\")", "\"0\""),
    ("use genesis_repl::{gx, notebook}; use genesis_repl::notebook::Tensor;\n"
     "let mut g = notebook::start();\ng.run(\"x = arange(10.)\")", None),
    ("g.register(\"twice\", |x: f64| 2.0 * x)?;\nlet t: Tensor = g.get(\"x\")?;\n"
     "gx!(g, twice(x.sum().item()))", "90.0"),
    ("g.run(\"y = x + 1\"); panic!(\"on purpose\");", "panicked"),
    ("gx!(g, y.sum())", "55."),
    ("let wrong: i32 = \"text\";", "does not compile"),
    ("gx!(g, no_such_name)", "NameError"),
    ("g.run(\"x[99] = 1\"); 0", "on stderr"),
    ("gx!(g, twice(y.sum().item()))", "110.0"),
    ("t.to::<Vec<f32>>()?.iter().sum::<f32>().to_string()", "45"),
    # Cells share one copy of the crate: its threads are started once.
    ("g.run(\"big = randn(2000, 2000).exp().sum()\");\n"
     "let before: usize = std::fs::read_dir(\"/proc/self/task\").map(|tasks| tasks.count()).unwrap_or(0);",
     None),
    ("g.run(\"big = randn(2000, 2000).exp().sum()\");\n"
     "std::fs::read_dir(\"/proc/self/task\").map(|tasks| tasks.count()).unwrap_or(0) == before",
     "true"),
]


def close(ours, stored):
    """Whether two texts are the same up to the last digits of their numbers."""
    if NUMBER.sub("#", ours) != NUMBER.sub("#", stored):
        # A sign or an exponent may come or go where a number is next to nothing.
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(stored))
    return all(
        a == b or abs(float(a) - float(b)) <= TOLERANCE * max(abs(float(a)), abs(float(b)))
        for a, b in pairs
    )


def difference(ours, stored, varies):
    """Why the outputs of a cell are not the stored ones; nothing if they are."""
    def shape(outputs):
        return [(o["output_type"], o.get("name"), sorted(o.get("data", {}))) for o in outputs]

    if shape(ours) != shape(stored):
        return f"outputs {shape(ours)}, stored {shape(stored)}"
    for mine, theirs in zip(ours, stored):
        a = mine.get("text") or mine.get("data", {}).get("text/plain", "")
        b = theirs.get("text") or theirs.get("data", {}).get("text/plain", "")
        if not varies and not close(a, b):
            return f"now\n{a}\nstored\n{b}"
    return None


def run_stored(bless):
    notebook = nbformat.read(STORED, as_version=4)
    kernel = Notebook(STORED.parent)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found, seconds = [], []
    for cell in cells:
        outputs, took = kernel.run(cell.source)
        found.append(outputs)
        seconds.append(took)
    kernel.finish()
    problems = []
    for at, (cell, outputs) in enumerate(zip(cells, found)):
        if errors(outputs) or "panicked at" in stderr(outputs):
            failure = [output["evalue"] for output in errors(outputs)] or stderr(outputs)
            problems.append(f"cell {at}: {cell.source}\n{failure}")
        elif at == 0:
            outputs.clear()  # Cargo's lines.
        elif not bless:
            varies = "varies" in cell.metadata.get("tags", [])
            why = difference(outputs, cell.outputs, varies)
            problems += [f"cell {at}: {cell.source}\n{why}"] if why else []
    later = sorted(seconds[2:])
    print(f"first cell {seconds[0]:.1f} s, start {seconds[1]:.1f} s, later cells: "
          f"median {later[len(later) // 2]:.2f} s, longest {later[-1]:.2f} s")
    if bless and not problems:
        for number, (cell, outputs) in enumerate(zip(cells, found), start=1):
            cell.execution_count = number
            for output in outputs:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = number
            cell.outputs = outputs
        nbformat.write(notebook, STORED)
        print(f"stored the outputs of {len(cells)} cells")
    return problems


def run_hard_times():
    kernel = Notebook(STORED.parent)
    results = [(source, wanted, kernel.run(source)[0]) for source, wanted in HARD_TIMES]
    kernel.finish()
    problems = []
    for source, wanted, outputs in results:
        panicked = "panicked at" in stderr(outputs)
        failed = bool(errors(outputs))
        good = {
            None: not panicked and not failed,
            "panicked": panicked,
            "does not compile": failed,
            "on stderr": "IndexError" in stderr(outputs),
        }.get(wanted, not panicked and not failed and str(wanted) in plain(outputs))
        if not good:
            problems.append(f"wanted {wanted}: {source}\n{outputs}")
    return problems


def main():
    problems = run_hard_times() + run_stored("--bless" in sys.argv[1:])
    print("\n\n".join(problems) or "the notebook does what it says")
    sys.exit(bool(problems))


main()
