#!/usr/bin/env python3
"""Draws notebook-light.png and notebook-dark.png: a notebook in JupyterLab, all of its cells run.

    genesis-repl jupyter install
    pip install jupyterlab playwright pillow      # and Chromium, or `playwright install chromium`
    .github/screenshot/notebook.py [CHROMIUM]
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from PIL import Image
from playwright.sync_api import sync_playwright

CELLS = [
    ":mem live",
    "seed(7)\nx = randn(4, 6)\nbig = randn(1000, 1000)\nbig",
    "p = softmax(big, axis=1)\nt = linspace(0, 10, 400)\n:plot t, sin(t), cos(3 * t) * exp(-t / 4)",
    "x[:, 6]",
]
WIDTH, HEIGHT = 1180, 1130
# Without the menu and the side bars.
FRAME = (38, 28, WIDTH - 38, HEIGHT - 24)


def notebook():
    def cell(at, source):
        return {
            "cell_type": "code", "id": f"c{at}", "source": source,
            "metadata": {}, "outputs": [], "execution_count": None,
        }  # fmt: skip

    return {
        "cells": [cell(at, source) for at, source in enumerate(CELLS)],
        "metadata": {"kernelspec": {"name": "genesis", "display_name": "Genesis"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def shoot(browser, address, theme, path):
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(f"{address}/lab/tree/{theme}.ipynb?reset")
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=120_000)
    time.sleep(4)

    def command(name, arguments=None):
        page.evaluate(
            "([name, arguments]) => window.jupyterapp.commands.execute(name, arguments)",
            [name, arguments or {}],
        )

    command("apputils:change-theme", {"theme": f"JupyterLab {theme.title()}"})
    command("application:toggle-left-area")
    command("notebook:run-all-cells")
    # Cells out of sight have no prompt; those in sight have a star while they wait.
    prompts, deadline = ["*"], time.monotonic() + 60
    while any("*" in prompt for prompt in prompts) and time.monotonic() < deadline:
        time.sleep(1)
        prompts = [prompt.inner_text() for prompt in page.query_selector_all(".jp-InputPrompt")]
    page.add_style_tag(content=".Toastify { display: none !important }")
    page.query_selector(".jp-WindowedPanel-outer").evaluate("e => e.scrollTop = 0")
    time.sleep(2)
    page.screenshot(path=path)
    picture = Image.open(path).convert("RGB").crop(FRAME)
    few = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main():
    chromium = sys.argv[1] if len(sys.argv) > 1 else None
    here = pathlib.Path(__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        for theme in ["light", "dark"]:
            (pathlib.Path(folder) / f"{theme}.ipynb").write_text(json.dumps(notebook()))
        lab = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1",
                f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}",
                "--ServerApp.allow_root=True", "--expose-app-in-browser",
            ],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            for _ in range(120):
                try:
                    urllib.request.urlopen(f"{address}/api", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.5)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium, args=["--no-sandbox"]
                )
                for theme in ["light", "dark"]:
                    shoot(browser, address, theme, here / f"notebook-{theme}.png")
        finally:
            lab.terminate()
            lab.wait()


if __name__ == "__main__":
    main()
