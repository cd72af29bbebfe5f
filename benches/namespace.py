#!/usr/bin/env python3
"""Times the functions of NumPy's namespace one by one, here and in NumPy and JAX, in one run.

    cargo build --release && python3 benches/namespace.py [--only pad tile] [--below 0.9] [--before OTHER_BINARY]
    python3 benches/namespace.py --gpu

`sweep.py` draws statements out of few functions, over many shapes; here each of many functions stands once or twice, on
inputs as people have them: a table, an image, a batch of small images, integers, complex numbers. The statements are
those of `namespace_statements.txt`. Our results are compared with NumPy's before anything is timed. Prints the ratio of
the best peer's time to ours, the times in µs, and how the ratios are distributed; with another binary its times, too.
Statements that JAX does not have are timed beside NumPy. Needs `pip install numpy`; JAX takes part if it is there. On a
GPU the peer is CuPy, and a statement that it does not have is left out.
"""
import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis, best_time, distribution  # noqa: E402

# Any of several results is right.
FREE = ("partition", "argsort(x)", "argsort(x,axis", "add(x,y,where", "qr(", "svd(", "eig(", "eigh(")


def groups():
    """Inputs, as text that makes them with `rng`, and the statements over them. Those that write begin with `!`."""
    text = (Path(__file__).resolve().parent / "namespace_statements.txt").read_text()
    for group in text.strip().split("\n\n"):
        setup, *lines = group.split("\n")
        yield setup, [statement.strip() for line in lines for statement in line.split(";;")]


def compiled(statement):
    writes = statement.startswith("!")
    return compile(statement.lstrip("! "), "statement", "exec" if writes else "eval"), exec if writes else eval


def numpy_time(statement, arrays):
    (code, run), own = compiled(statement), {"np": np} | {name: array.copy() for name, array in arrays.items()}
    return best_time(lambda: run(code, own))


def jax_peer():
    """The time of a statement that JAX compiles; None where JAX does not have it."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def timed(statement, arrays):
        if statement.startswith("!"):
            return None
        code, _ = compiled(statement)
        function = jax.jit(lambda given: eval(code, {"np": jnp} | given))
        given = {name: jnp.asarray(array) for name, array in arrays.items()}
        try:
            jax.block_until_ready(function(given))
        except Exception:  # What JAX refuses it refuses in many ways.
            return None
        return best_time(lambda: jax.block_until_ready(function(given)))

    return timed


def cupy_peer():
    """The time of a statement in CuPy; None where CuPy does not have it."""
    import cupy

    def series(function, budget):
        cupy.cuda.Device().synchronize()
        begin, count = time.perf_counter(), 0
        while count == 0 or time.perf_counter() - begin < budget:
            function()
            count += 1
            if count % 16 == 0:
                cupy.cuda.Device().synchronize()
        cupy.cuda.Device().synchronize()
        return (time.perf_counter() - begin) / count * 1e6

    def timed(statement, arrays):
        (code, run), own = compiled(statement), {"np": cupy} | {n: cupy.asarray(a) for n, a in arrays.items()}
        try:
            run(code, own)
        except Exception:  # What CuPy refuses it refuses in many ways.
            return None
        return min(series(lambda: run(code, own), 0.03) for _ in range(3))

    return timed


def peers(gpu):
    if gpu:
        return [cupy_peer()]
    try:
        return [numpy_time, jax_peer()]
    except ImportError:
        return [numpy_time]


def our_time(genesis, statement):
    own = statement.lstrip("! ") if statement.startswith("!") else f"r = {statement}"
    genesis.run("kept = x.copy()")
    best = min(genesis.timeit(own, "-r 5") for _ in range(2))
    genesis.run("x = kept")
    return best


def difference(genesis, statement, arrays, folder):
    """What is wrong with our result beside NumPy's, or nothing."""
    (code, run), own = compiled(statement), {"np": np} | {name: array.copy() for name, array in arrays.items()}
    result = run(code, own)
    if statement.startswith("!"):
        genesis.run(f"kept = x.copy(); {statement.lstrip('! ')}; r = x; x = kept")
        result = own["x"]
    else:
        genesis.run(f"r = {statement}")
    genesis.run(f"np.savez('{folder}/r.npz', *(r if isinstance(r, (tuple, list)) else [r]))")
    theirs = [np.asarray(part) for part in (result if isinstance(result, (tuple, list)) else [result])]
    ours = [part for _, part in sorted(np.load(f"{folder}/r.npz").items(), key=lambda item: int(item[0][4:]))]
    if [part.shape for part in ours] != [part.shape for part in theirs]:
        return f"shapes {[part.shape for part in ours]}, expected {[part.shape for part in theirs]}"
    if any(function in statement for function in FREE):
        return None
    for mine, right in zip(ours, theirs):
        exact = right.dtype.kind in "bui"
        # What `linspace` makes is float32 here.
        is_double = mine.dtype in (np.float64, np.complex128) and "linspace" not in statement
        unit = 1e-8 if is_double else 1e-4
        scale = 1.0 if exact else max(1.0, float(np.max(np.abs(right[np.isfinite(right)]), initial=0.0)))
        wide = np.complex128 if mine.dtype.kind == "c" else np.float64
        near = np.isclose(mine.astype(wide), right, 0.0, 0.0 if exact else unit * scale, equal_nan=True)
        if not near.all():
            return f"{near.size - near.sum()} of {near.size} elements"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / "target/release/genesis-repl")
    parser.add_argument("--before", help="another binary that is timed, too")
    parser.add_argument("--only", nargs="*", default=[""], help="parts of the statements")
    parser.add_argument("--below", type=float, default=math.inf, help="print statements whose ratio is less")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--check", action="store_true", help="compare results and time nothing")
    options = parser.parse_args()
    np.seterr(all="ignore")
    binaries = [options.binary] + ([options.before] if options.before else [])
    sessions = [Genesis(binary) for binary in binaries]
    timed, ratios, wrong = [] if options.check else peers(options.gpu), [], 0
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
                if fault := difference(sessions[0], statement, arrays, folder):
                    wrong += 1
                    print(f" WRONG {fault}: {statement}  | {setup[:60]}", flush=True)
                if options.check:
                    continue
                ours, *before = [our_time(genesis, statement) for genesis in sessions]
                others = [peer(statement, arrays) for peer in timed]
                if not any(others):
                    continue
                ratios.append(min(filter(None, others)) / ours)
                if ratios[-1] < options.below:
                    shown = " ".join(f"{taken:9.1f}" if taken else "        -" for taken in [ours, *others, *before])
                    print(f"{ratios[-1]:6.2f} {shown}  {statement}  | {setup[:60]}", flush=True)
    if ratios:
        print(distribution(ratios))
    print(f"results that differ: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
