#!/usr/bin/env python3
"""Times the light build: cargo's first one of an empty crate that depends on ours without default features.

    python3 benches/light.py [--features ndarray] [--turns 3] [--before CHECKOUT]

As a Rust notebook builds it with our evcxr.toml: no optimisation, no debug information, nothing kept for a second
build. Each turn begins with an empty folder; with another checkout the two take turns. What it depends on must be
downloaded before.
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = """[package]
name = "light"
edition = "2024"

[dependencies]
genesis-repl = {{ path = "{}", default-features = false, features = [{}] }}

[profile.dev]
opt-level = 0
debug = false
"""


def build(checkout, features):
    """Seconds of a build from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        names = ", ".join(f'"{name}"' for name in features.split(",") if name)
        Path(folder, "Cargo.toml").write_text(MANIFEST.format(Path(checkout).resolve(), names))
        Path(folder, "src").mkdir()
        Path(folder, "src/lib.rs").touch()
        Path(folder, "Cargo.lock").write_bytes(Path(checkout, "Cargo.lock").read_bytes())
        start = time.perf_counter()
        environment = os.environ | {"CARGO_INCREMENTAL": "0"}
        subprocess.run(["cargo", "build", "--quiet"], cwd=folder, env=environment, check=True)
        return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--features", default="", help="joined by commas")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--before", help="another checkout that is built, too")
    options = parser.parse_args()
    checkouts = [checkout for checkout in (ROOT, options.before) if checkout]
    taken = [[build(checkout, options.features) for checkout in checkouts] for _ in range(options.turns)]
    for checkout, seconds in zip(checkouts, zip(*taken)):
        shown = ", ".join(f"{each:.1f}" for each in sorted(seconds))
        print(f"{checkout}: {statistics.median(seconds):.1f} s ({shown})")


if __name__ == "__main__":
    main()
