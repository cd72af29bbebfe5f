#!/usr/bin/env python3
"""Times random statements beside the peers, in one run, and compares the results.

    cargo build --release && python3 benches/sweep.py [--count 140] [--seed 1] [--families float16,moments]
    python3 benches/sweep.py --gpu

On the CPU the peers are NumPy, numexpr and JAX's compiled code (`pip install numpy numexpr jax ml_dtypes`), on a
GPU PyTorch, eager and compiled, and CuPy. Each case is a statement over arrays drawn by a seed
(sweep_statements.py): maps, rows, reductions over any axes, indexing, scans, sorts, counts, products; types, shapes
and strides as they come. Our results are compared with NumPy's in float64 before anything is timed.

A ratio is the best peer's time by ours: above 1 we are faster. The last lines say how ratios are distributed,
by family and in all, and which twenty cases are the worst.
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
from sweep_statements import Maker  # noqa: E402

OURS = """
import numpy as np
std, var = np.std, np.var
def transposed(x): return x.T
def copied(x): return x.copy()
def nonzero_of(x): return np.nonzero(x)[0]
def unique_of(x): return np.unique(x)
def histogram(x, bins): return np.histogram(x, bins=bins)[0]
"""


def drawn(array, rng):
    """The elements of an input as NumPy holds them, dense; bfloat16 as the float32 that it is exactly."""
    shape = list(array.shape)
    if array.kind == "small":
        made = rng.integers(0, array.bound if array.dtype != "uint8" else min(array.bound, 256), shape)
    else:
        made = rng.standard_normal(shape, np.float32) if array.kind == "normal" else np.sort(rng.standard_normal(shape))
    if array.dtype == "bfloat16":
        bits = made.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
        return bits.view(np.float32)
    return made.astype(array.dtype)


def laid(x, lies):
    """`x` as it is to lie in memory: the same elements, behind other strides."""
    if lies == "transposed":
        return np.ascontiguousarray(x.T).T
    if lies == "strided":
        wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
        wide[..., ::2] = x
        return wide[..., ::2]
    return x


def whole(x, lies):
    """The dense array of which `x` is a view."""
    return np.ascontiguousarray({"transposed": x.T, "strided": x.base if x.base is not None else x}.get(lies, x))


def seen(whole, lies):
    """That view again, of a peer's array: each meets an input as it lies, not a dense copy of it."""
    if lies == "transposed":
        return whole.permute(*reversed(range(whole.ndim))) if hasattr(whole, "permute") else whole.T
    return whole[..., ::2] if lies == "strided" else whole


def given(genesis, name, x, array, folder):
    """Hands an input to the session by a file."""
    path = f"{folder}/{name}.npy"
    np.save(path, whole(x, array.lies))
    genesis.run(f"{name} = np.load({path!r})")
    if array.dtype == "bfloat16":
        genesis.run(f"{name} = {name}.bfloat16()")
    if array.lies == "transposed":
        genesis.run(f"{name} = {name}.T")
    if array.lies == "strided":
        genesis.run(f"{name} = {name}[..., ::2]")


def numpy_names(xp, exact=False):
    """The vocabulary in NumPy's words, for NumPy, CuPy and JAX; `exact` for what our results are compared with."""
    names = {name: getattr(xp, name) for name in (
        "exp log1p tanh sqrt sin absolute maximum minimum where square sign floor amax amin argmax argmin stack "
        "concatenate roll flip repeat take_along_axis cumsum sort argsort bincount matmul var std mean searchsorted "
        "clip dot").split()}

    def softmax(x, axis):
        e = xp.exp(x - xp.amax(x, axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    def log_softmax(x, axis):
        d = x - xp.amax(x, axis=axis, keepdims=True)
        return d - xp.log(xp.exp(d).sum(axis=axis, keepdims=True))

    return names | {
        "softmax": softmax, "log_softmax": log_softmax, "transposed": lambda x: x.T, "copied": lambda x: x.copy(),
        "nonzero_of": lambda x: xp.nonzero(x)[0], "unique_of": xp.unique,
        "histogram": lambda x, bins: xp.histogram(x, bins=bins)[0],
    }


class NumPy:
    name = "NumPy"

    def __init__(self):
        self.names = numpy_names(np)

    def timed(self, case, arrays):
        if any(array.dtype == "bfloat16" for array in case.arrays.values()):
            return None
        code, env = compile(case.text, "case", "eval"), self.names | arrays
        return best_time(lambda: eval(code, env))  # noqa: S307


class Numexpr:
    name = "numexpr"

    def __init__(self):
        import numexpr
        self.evaluate = numexpr.evaluate

    def timed(self, case, arrays):
        if not case.family.startswith(("chain", "cheap", "integers", "broadcast", "small")) or "16" in case.family:
            return None
        text = case.text.replace("absolute", "abs")
        if "square" in text or ".sum" in text or "amax" in text:
            return None
        try:
            self.evaluate(text, local_dict=arrays)
        except Exception:  # noqa: BLE001 - a word that numexpr does not know
            return None
        return best_time(lambda: self.evaluate(text, local_dict=arrays))


class Jax:
    name = "JAX"

    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax, self.names = jax, numpy_names(jax.numpy)

    def timed(self, case, arrays):
        if "[x >" in case.text or "_of(" in case.text:
            return None  # a shape that depends on values is not compiled
        jnp = self.jax.numpy
        lies = {n: array.lies for n, array in case.arrays.items()}
        inputs = {n: jnp.asarray(whole(x, lies[n])).astype(case.arrays[n].dtype) for n, x in arrays.items()}
        code = compile(case.text, "case", "eval")
        names = self.names
        if "bincount" in case.text:
            length = max(int(arrays["x"].max()) + 1, int(case.text.split("=")[1].rstrip(")")))
            names = names | {"bincount": lambda x, minlength: jnp.bincount(x, length=length)}
        views = lambda args: {n: seen(x, lies[n]) for n, x in args.items()}  # noqa: E731
        function = self.jax.jit(lambda args: eval(code, names | views(args)))  # noqa: S307
        function(inputs).block_until_ready()
        return best_time(lambda: function(inputs).block_until_ready())


class Torch:
    """PyTorch on the GPU; `compiled` through torch.compile."""

    def __init__(self, compiled):
        import torch
        self.torch, self.compiled = torch, compiled
        self.name = "compiled" if compiled else "PyTorch"
        t = torch
        dims = lambda f: lambda x, axis=None, keepdims=False: f(x, dim=tuple(range(x.ndim)) if axis is None else axis, keepdim=keepdims)  # noqa: E731
        flat = lambda f: lambda x, axis=None: f(x, dim=axis)  # noqa: E731
        scalar = lambda f: lambda a, b: f(*(v if t.is_tensor(v) else t.tensor(v, dtype=o.dtype, device="cuda") for v, o in ((a, b), (b, a))))  # noqa: E731
        self.names = {
            **{n: getattr(t, n) for n in "exp log1p tanh sqrt sin absolute where square sign floor matmul bincount".split()},
            "maximum": scalar(t.maximum), "minimum": scalar(t.minimum), "amax": dims(t.amax), "amin": dims(t.amin),
            "argmax": flat(t.argmax), "argmin": flat(t.argmin), "mean": dims(t.mean),
            "std": lambda x, axis=None, keepdims=False: t.std(x, dim=axis, correction=0, keepdim=keepdims),
            "var": lambda x, axis=None, keepdims=False: t.var(x, dim=axis, correction=0, keepdim=keepdims),
            "stack": lambda xs, axis: t.stack(xs, axis), "concatenate": lambda xs, axis: t.cat(xs, axis),
            "roll": lambda x, n, axis: t.roll(x, n, axis), "flip": lambda x, axis: t.flip(x, (axis,)),
            "repeat": lambda x, n, axis: t.repeat_interleave(x, n, axis), "cumsum": flat(t.cumsum),
            "sort": lambda x, axis: t.sort(x, dim=axis)[0], "take_along_axis": t.take_along_dim,
            "softmax": flat(t.softmax), "log_softmax": flat(t.log_softmax), "transposed": lambda x: x.mT.contiguous() if x.ndim == 2 else x.permute(*range(x.ndim - 1, -1, -1)),
            "copied": lambda x: x.clone(memory_format=t.contiguous_format), "searchsorted": t.searchsorted,
            "nonzero_of": lambda x: t.nonzero(x, as_tuple=True)[0], "unique_of": t.unique, "clip": t.clip, "dot": t.dot,
            "histogram": lambda x, bins: t.histc(x, bins),
        }

    def timed(self, case, arrays):
        t = self.torch
        if "::-1" in case.text:
            return None  # no negative strides there
        inputs = {}
        for name, x in arrays.items():
            kind = case.arrays[name]
            made = t.from_numpy(whole(x, kind.lies)).to(device="cuda", dtype=getattr(t, kind.dtype))
            inputs[name] = seen(made, kind.lies)
        code, names = compile(case.text, "case", "eval"), self.names
        function = lambda args: eval(code, names | args)  # noqa: E731, S307
        if self.compiled:
            if not case.family.startswith(("chain", "cheap", "integers", "broadcast", "reduce", "columns", "short", "moments", "row", "several", "masks", "stencil", "hidden", "small")) or "[x >" in case.text or "_of(" in case.text:
                return None
            t._dynamo.reset()
            function = t.compile(self.written(case), dynamic=False)
        return self.series(lambda: function(inputs))

    def written(self, case):
        """A function of the text itself, which the compiler can read."""
        space = dict(self.names)
        taken = "; ".join(f"{name} = args[{name!r}]" for name in case.arrays)
        exec(f"def case(args):\n    {taken}\n    return {case.text}", space)  # noqa: S102
        return space["case"]

    def series(self, function):
        function()
        self.torch.cuda.synchronize()
        best = math.inf
        begin = time.perf_counter()
        function()
        self.torch.cuda.synchronize()
        count = max(1, min(2000, int(0.02 / max(time.perf_counter() - begin, 1e-6))))
        for _ in range(3):
            begin = time.perf_counter()
            for _ in range(count):
                function()
            self.torch.cuda.synchronize()
            best = min(best, (time.perf_counter() - begin) / count)
        return best * 1e6


class CuPy(Torch):
    def __init__(self):
        super().__init__(False)
        import cupy
        self.name, self.cupy, self.names = "CuPy", cupy, numpy_names(cupy)

    def timed(self, case, arrays):
        if any(array.dtype == "bfloat16" for array in case.arrays.values()):
            return None
        lies = {n: array.lies for n, array in case.arrays.items()}
        inputs = {n: seen(self.cupy.asarray(whole(x, lies[n])), lies[n]) for n, x in arrays.items()}
        code = compile(case.text, "case", "eval")
        return self.series(lambda: eval(code, self.names | inputs))  # noqa: S307


def expected(case, arrays):
    """NumPy's result in float64 for floats, in the type itself for all else."""
    names = numpy_names(np)
    keep = case.compared == "equal" or case.compared == "near"
    inputs = {n: x if keep or x.dtype.kind != "f" else x.astype(np.float64) for n, x in arrays.items()}
    return np.asarray(eval(case.text, names | inputs))  # noqa: S307


def difference(case, arrays, genesis, folder):
    """What is wrong with our result, or nothing."""
    path = f"{folder}/result.npy"
    genesis.run(f"result = {case.text}")
    half = any(array.dtype == "bfloat16" for array in case.arrays.values())
    genesis.run(f"np.save({path!r}, result.float() if result.dtype == bfloat16 else result)" if half
                else f"np.save({path!r}, result)")
    ours, theirs = np.load(path), expected(case, arrays)
    if ours.shape != theirs.shape:
        return f"shape {ours.shape}, expected {theirs.shape}"
    if case.compared == "equal" or theirs.dtype.kind in "bui":
        wrong = np.count_nonzero(ours != theirs)
        # A comparison of rounded values may fall on the other side; a bin's border, too.
        allowed = 0 if case.compared == "equal" else max(4, ours.size // 100 + int(np.abs(theirs).sum() // 500))
        off = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).sum()
        return f"{wrong} of {ours.size} differ" if wrong and off > allowed else None
    kinds = {array.dtype for array in case.arrays.values()}
    unit = 2e-2 if "bfloat16" in kinds else 4e-3 if "float16" in kinds else 2e-5 if "float32" in kinds else 1e-10
    scale = max(1.0, float(np.max(np.abs(theirs), initial=0.0)))
    if case.text == "dot(x, y)":
        # A sum of so many terms of either sign is drawn near zero now and then.
        scale = max(scale, math.sqrt(arrays["x"].size))
    far = np.abs(ours.astype(np.float64) - theirs) > 4 * unit * scale
    if ours.dtype.kind == "f":
        # What the type has no room for is infinite.
        beyond = np.abs(theirs) > np.finfo(ours.dtype).max * (1 - unit)
        far &= ~(beyond & np.isinf(ours) & (np.sign(ours) == np.sign(theirs)))
    # A selection turns on a comparison, which rounding may decide otherwise here and there.
    return f"{far.sum()} of {far.size} are far off" if far.sum() > far.size // 200 else None


def peers_of(options):
    kinds = [lambda: Torch(False), lambda: Torch(True), CuPy] if options.gpu else [NumPy, Numexpr, Jax]
    peers = []
    for kind in kinds:
        try:
            peers.append(kind())
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
    return [peer for peer in peers if not options.peers or peer.name in options.peers.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target" / "release" / "genesis-repl")
    parser.add_argument("--count", type=int, default=140)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="elements of the largest inputs")
    parser.add_argument("--families", default="", help="words that a family's name has, separated by commas")
    parser.add_argument("--peers", default="", help="only these, separated by commas")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="no line for each case")
    options = parser.parse_args()
    most = options.most or (1 << 25 if options.gpu else 1 << 22)
    peers, genesis, maker = peers_of(options), Genesis(options.binary), Maker(options.seed, most)
    genesis.run(OURS)
    rows, wrong, rng = [], 0, np.random.default_rng(options.seed)
    words = options.families.split(",")
    with tempfile.TemporaryDirectory() as folder:
        while len(rows) < options.count:
            case = maker.case()
            if not any(word in case.family for word in words):
                continue
            arrays = {}
            for name, array in case.arrays.items():
                arrays[name] = laid(drawn(array, rng), array.lies)
                given(genesis, name, arrays[name], array, folder)
            shown = f"{case.text}  {', '.join(f'{n} {a.shape} {a.dtype} {a.lies}' for n, a in case.arrays.items())}"
            if fault := difference(case, arrays, genesis, folder):
                wrong += 1
                print(f"WRONG  {fault}: {shown}", flush=True)
            ours = min(genesis.timeit(f"r = {case.text}") for _ in range(2))
            times = {peer.name: peer.timed(case, arrays) for peer in peers}
            times = {name: taken for name, taken in times.items() if taken}
            if not times:
                continue
            best = min(times, key=times.get)
            rows.append((times[best] / ours, case.family, f"{ours:>10,.1f} {times[best]:>10,.1f} {best:8} {shown}"))
            if not options.quiet:
                print(f"{rows[-1][0]:6.2f} {case.family:22} {rows[-1][2]}", flush=True)
    print("\nby family")
    for family in sorted({row[1] for row in rows}):
        print(f"  {family:24} {distribution([ratio for ratio, kind, _ in rows if kind == family])}")
    print("\nthe worst twenty (ratio, family, ours µs, best peer's µs)")
    for ratio, family, text in sorted(rows)[:20]:
        print(f"{ratio:6.2f} {family:22} {text}")
    print(f"\n{distribution([ratio for ratio, *_ in rows])}; results that differ: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
