#!/usr/bin/env python3
"""Times the functions of NumPy's namespace one by one, here and in NumPy and JAX, in one run.

    cargo build --release && python3 benches/namespace.py [--only pad tile] [--below 0.9] [--before OTHER_BINARY]

`sweep.py` draws statements out of few functions, over many shapes; here each of many functions stands once or twice, on
inputs as people have them: a table, an image, a batch of small images, integers, complex numbers. The statements are
those of `namespace_statements.txt`. Prints the ratio of the best peer's time to ours, the times in µs, and how the
ratios are distributed; with another binary its times, too. Statements that JAX does not have are timed beside NumPy.
Needs `pip install numpy`; JAX takes part if it is there.
"""
import argparse
import math
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis, best_time  # noqa: E402

try:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None


def groups():
    """Inputs, as text that makes them with `rng`, and the statements over them. Those that write begin with `!`."""
    text = (Path(__file__).resolve().parent / "namespace_statements.txt").read_text()
    for group in text.strip().split("\n\n"):
        setup, *lines = group.split("\n")
        yield setup, [statement.strip() for line in lines for statement in line.split(";;")]


def numpy_time(statement, names):
    code = compile(statement.lstrip("! "), "statement", "exec" if statement.startswith("!") else "eval")
    run = exec if statement.startswith("!") else eval
    own = dict(names)
    return best_time(lambda: run(code, own))


def jax_time(statement, arrays):
    """None where JAX does not have it."""
    if jax is None or statement.startswith("!"):
        return None
    code = compile(statement, "statement", "eval")
    function = jax.jit(lambda given: eval(code, {"np": jnp} | given))
    given = {name: jnp.asarray(array) for name, array in arrays.items()}
    try:
        jax.block_until_ready(function(given))
    except Exception:  # What JAX refuses it refuses in many ways.
        return None
    return best_time(lambda: jax.block_until_ready(function(given)))


def our_time(genesis, statement):
    own = statement.lstrip("! ") if statement.startswith("!") else f"r = {statement}"
    return min(genesis.timeit(own, "-r 5") for _ in range(2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "target/release/genesis-repl")
    parser.add_argument("--before", help="another binary that is timed, too")
    parser.add_argument("--only", nargs="*", default=[""], help="parts of the statements")
    parser.add_argument("--below", type=float, default=math.inf, help="print statements whose ratio is less")
    options = parser.parse_args()
    np.seterr(all="ignore")
    binaries = [options.binary] + ([options.before] if options.before else [])
    sessions = [Genesis(binary) for binary in binaries]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for setup, statements in groups():
            names = {"np": np, "rng": np.random.default_rng(0)}
            exec(setup, names)
            arrays = {name: value for name, value in names.items() if isinstance(value, np.ndarray)}
            for genesis in sessions:
                genesis.run("import numpy as np")
                for name, array in arrays.items():
                    np.save(f"{folder}/{name}.npy", array)
                    genesis.run(f"{name} = np.load('{folder}/{name}.npy')")
            for statement in statements:
                if not any(part in statement for part in options.only):
                    continue
                ours, *before = [our_time(genesis, statement) for genesis in sessions]
                peers = [numpy_time(statement, names), jax_time(statement, arrays)]
                best = min(peer for peer in peers if peer is not None)
                ratios.append(best / ours)
                if ratios[-1] < options.below:
                    shown = " ".join(f"{time:9.1f}" if time else "        -" for time in [ours, *peers, *before])
                    print(f"{ratios[-1]:6.2f} {shown}  {statement}  | {setup[:60]}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    few = {bound: sum(ratio < bound for ratio in ratios) for bound in (0.7, 0.9)}
    print(f"{len(ratios)} statements: geometric mean {mean:.2f}, least {min(ratios):.2f}, "
          f"below 0.7: {few[0.7]}, below 0.9: {few[0.9]}")


if __name__ == "__main__":
    main()
