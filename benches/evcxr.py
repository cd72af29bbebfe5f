"""Times a Rust notebook: the first `:dep` with nothing compiled before, the first use, later cells.

    target/evcxr-venv/bin/python benches/evcxr.py [FEATURES ...] [--opt 0]

FEATURES is what the notebook asks of the crate besides `default-features = false`, joined by commas,
or `-` for nothing. Each takes a kernel and a folder of its own, in which our evcxr.toml lies. After
`tests/evcxr/install` and `tests/evcxr/run`, which make the environment that it needs. The kernel that the first
installs is not optimised, and its look at the crate takes half a minute longer: EVCXR_JUPYTER names one that is
(`cargo install evcxr_jupyter`).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "evcxr"))
from cells import Notebook, errors  # noqa: E402

CELLS = [
    "let mut g = genesis_repl::notebook::start();",
    'g.run("x = randn(100, 100)")',
    "genesis_repl::gx!(g, x.mean())",
    "genesis_repl::gx!(g, x[x > 2].mean())",
    'g.run("y = softmax(x, axis=1)")',
    'g.run("y.sum(0)")',
    'g.run("mean = y.mean().item()")',
    'let mean: f64 = g.get("mean")?;',
]


def prepare(folder):
    """Installs the kernel's description where only this process looks."""
    built = ROOT / "target" / "evcxr-kernel" / "bin" / "evcxr_jupyter"
    kernel = os.environ.get("EVCXR_JUPYTER") or (built if built.exists() else "evcxr_jupyter")
    place = subprocess.run(["rustc", "--print", "target-libdir"], capture_output=True, text=True, check=True)
    os.environ.update(JUPYTER_PATH=folder, LD_LIBRARY_PATH=place.stdout.strip(), GENESIS_DEVICE="cpu")
    subprocess.run([kernel, "--install"], capture_output=True, check=True)


def measure(features, opt):
    """Seconds of `:dep`, of the first use, and of the later cells."""
    wanted = "" if features == "-" else ", features = [" + ", ".join(
        f'"{name}"' for name in features.split(",")) + "]"
    dep = f':opt {opt}\n:dep genesis-repl = {{ path = "{ROOT}", default-features = false{wanted} }}'
    with tempfile.TemporaryDirectory() as compiled:
        os.environ["EVCXR_TMPDIR"] = compiled
        shutil.copy(ROOT / "notebooks" / "evcxr.toml", compiled)
        notebook = Notebook(compiled)
        seconds = []
        for cell in [dep, *CELLS]:
            outputs, took = notebook.run(cell)
            if errors(outputs):
                sys.exit(f"{cell}\n{outputs}")
            seconds.append(took)
        notebook.finish()
    first, start, *later = seconds
    return first, start, sorted(later)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("features", nargs="*", default=["-", "ndarray", "cuda"])
    options.add_argument("--opt", default="0", choices=["0", "1", "2", "3"])
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        print("| features | first `:dep` s | first use s | later cells, median and longest, s |")
        print("| --- | ---: | ---: | ---: |")
        for features in options.features:
            first, start, later = measure(features, options.opt)
            print(f"| `{features}` | {first:.1f} | {start:.1f} | "
                  f"{later[len(later) // 2]:.2f}, {later[-1]:.2f} |", flush=True)


main()
