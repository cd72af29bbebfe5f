#!/usr/bin/env python3
"""Times genesis-repl beside PyTorch (eager and compiled) and CuPy on one GPU in one run.

    cargo build --release && python3 benches/compare_gpu.py [--cases add_64M,softmax_10K] [--no-compile]

Each case is one statement. Everybody's time is taken the same way: the host's clock around a series of
calls, as many for one as for the other, that ends in one synchronisation, so that launches cost what
they cost a user; ours runs through the line protocol, timed by `:timeit`. In every round each has its
turn of one series, each round another begins, and before a turn the GPU rests for a moment, so that
neither the order nor the power limit decides. The medians over the rounds count.

The table shows microseconds, how many times faster we are than each peer, the share of the measured
copy bandwidth that the bytes of the case would need at the least, and the target that the case has:
`3x eager` (faster than PyTorch eager by that factor), `compile`, `peer` (the fastest of all peers, by
the factor behind it), `90%` (share of the bandwidth). Several alternatives are separated by `or`.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, Genesis  # noqa: E402

try:
    import cupy
except ImportError:
    cupy = None

M64 = 64 * 1024 * 1024
GB = 1e9

SETUP = """
seed(0)
x1 = randn(1000000)
y1 = randn(1000000)
x = randn(67108864)
y = randn(67108864)
m = x.reshape(8192, 8192)
s10 = randn(10000)
sm = randn(4096, 10000)
table = randn(1000000, 64)
rows = randint(0, 1000000, (1000000,))
places = randint(0, 67108864, (16777216,))
values = randn(1000000, 64)
perm = permutation(1000000)
a1 = randn(1024, 1024)
b1 = randn(1024, 1024)
a4 = randn(4096, 4096)
b4 = randn(4096, 4096)
ah = randn(8192, 8192).half()
bh = randn(8192, 8192).half()
v16 = randn(16777216)
k = randn(1000, 1000)
result = zeros(1000)
tiny = randn(16)
"""


def inputs():
    """The same shapes for the peers, by the names of SETUP."""
    torch.manual_seed(0)
    device = "cuda"

    def normal(*shape):
        return torch.randn(*shape, device=device)

    t = {"x1": normal(1_000_000), "y1": normal(1_000_000), "x": normal(M64), "y": normal(M64)}
    t["m"] = t["x"].view(8192, 8192)
    t["s10"], t["sm"] = normal(10_000), normal(4096, 10_000)
    t["table"], t["values"] = normal(1_000_000, 64), normal(1_000_000, 64)
    t["rows"] = torch.randint(0, 1_000_000, (1_000_000,), device=device)
    t["places"] = torch.randint(0, M64, (16 * 1024 * 1024,), device=device)
    t["perm"] = torch.randperm(1_000_000, device=device)
    t["a1"], t["b1"] = normal(1024, 1024), normal(1024, 1024)
    t["a4"], t["b4"] = normal(4096, 4096), normal(4096, 4096)
    t["ah"], t["bh"] = normal(8192, 8192).half(), normal(8192, 8192).half()
    t["v16"], t["k"], t["tiny"] = normal(16 * 1024 * 1024), normal(1000, 1000), normal(16)
    return t


def loop(xp, k, result):
    for i in range(1000):
        result[i] = k[i, ::10].sum()


def assign(target, index, value):
    target[index] = value


def cases(t, c, xp):
    """Name, our statement, torch's call, CuPy's call, bytes at the least, target. `t` are torch's
    inputs, `c` CuPy's, `xp` is CuPy or nothing."""
    f = 4 * M64
    out = torch.empty_like(t["x"])
    r_torch = torch.zeros(1000, device="cuda")
    r_cupy = xp.zeros(1000, dtype=xp.float32) if xp else None
    statements = "\n".join(f"result[{i}] = k[{i}, ::10].sum()" for i in range(1000))
    return [
        ("copy_64M", "r = x.copy()", lambda: out.copy_(t["x"]), None, 2 * f, None),
        ("add_tiny", "r = tiny + tiny", lambda: t["tiny"] + t["tiny"], lambda: c["tiny"] + c["tiny"], 0, "2x eager"),
        ("item", "r = float(tiny.sum())", lambda: float(t["tiny"].sum()), lambda: float(c["tiny"].sum()), 0, None),
        ("add_1M", "r = x1 + y1", lambda: t["x1"] + t["y1"], lambda: c["x1"] + c["y1"], 12_000_000, "2x eager"),
        ("sum_1M", "r = x1.sum()", lambda: t["x1"].sum(), lambda: c["x1"].sum(), 4_000_000, "2x eager"),
        ("softmax_10K", "r = softmax(s10, dim=0)", lambda: torch.softmax(t["s10"], 0), None, 80_000, "2x eager"),
        ("chain_1M", "r = exp(x1*2+1)*y1 - x1/3", lambda: torch.exp(t["x1"] * 2 + 1) * t["y1"] - t["x1"] / 3,
         lambda: xp.exp(c["x1"] * 2 + 1) * c["y1"] - c["x1"] / 3, 12_000_000, None),
        ("add_64M", "r = x + y", lambda: t["x"] + t["y"], lambda: c["x"] + c["y"], 3 * f, "90%"),
        ("chain_64M", "r = exp(x*2+1)*y - x/3", lambda: torch.exp(t["x"] * 2 + 1) * t["y"] - t["x"] / 3,
         lambda: xp.exp(c["x"] * 2 + 1) * c["y"] - c["x"] / 3, 3 * f, "90% and compile and 4x eager"),
        ("chain_sum_64M", "r = (exp(x*0.5)*y).sum()", lambda: (torch.exp(t["x"] * 0.5) * t["y"]).sum(),
         lambda: (xp.exp(c["x"] * 0.5) * c["y"]).sum(), 2 * f, "90% and compile"),
        ("sum_64M", "r = x.sum()", lambda: t["x"].sum(), lambda: c["x"].sum(), f, None),
        ("softmax_4096x10K", "r = softmax(sm, dim=1)", lambda: torch.softmax(t["sm"], 1), None,
         2 * 4096 * 10_000 * 4, "compile"),
        ("var_rows_8192", "r = ((m - m.mean(dim=1, keepdim=True)) ** 2).mean(dim=1)",
         lambda: ((t["m"] - t["m"].mean(dim=1, keepdim=True)) ** 2).mean(dim=1),
         lambda: ((c["m"] - c["m"].mean(axis=1, keepdims=True)) ** 2).mean(axis=1), f, "compile"),
        ("sum_rows_8192", "r = m.sum(dim=1)", lambda: t["m"].sum(dim=1), lambda: c["m"].sum(axis=1), f, "85%"),
        ("sum_cols_8192", "r = m.sum(dim=0)", lambda: t["m"].sum(dim=0), lambda: c["m"].sum(axis=0), f, "85%"),
        ("max_idx_rows_8192", "r = m.max(dim=1)", lambda: t["m"].max(dim=1),
         lambda: (c["m"].max(axis=1), c["m"].argmax(axis=1)), f, "85%"),
        ("mask_select_64M", "r = x[x > 0.5]", lambda: t["x"][t["x"] > 0.5], lambda: c["x"][c["x"] > 0.5],
         int(f * 1.31), "1.5x peer or 80%"),
        ("mask_fill_64M", "y[y > 10.0] = 0.0", lambda: assign(t["y"], t["y"] > 10.0, 0.0),
         lambda: assign(c["y"], c["y"] > 10.0, 0.0), 2 * f, "1.5x peer or 80%"),
        ("transpose_8192", "r = m.T.contiguous()", lambda: t["m"].t().contiguous(),
         lambda: xp.ascontiguousarray(c["m"].T), 2 * f, "1.5x peer or 80%"),
        ("strided_copy", "r = m[::2, ::3].copy()", lambda: t["m"][::2, ::3].contiguous(),
         lambda: xp.ascontiguousarray(c["m"][::2, ::3]), f // 2 + f // 6, "1.5x peer or 80%"),
        ("gather_rows_1Mx64", "r = table[rows]", lambda: t["table"][t["rows"]], lambda: c["table"][c["rows"]],
         2 * 256_000_000 + 8_000_000, "1.5x peer or 80%"),
        ("gather_16M", "r = x[places]", lambda: t["x"][t["places"]], lambda: c["x"][c["places"]],
         16 * 1024 * 1024 * (8 + 4 + 32), "1.5x peer or 80%"),
        ("scatter_rows_1Mx64", "table[perm] = values", lambda: assign(t["table"], t["perm"], t["values"]),
         lambda: assign(c["table"], c["perm"], c["values"]), 2 * 256_000_000 + 8_000_000, "1.5x peer or 80%"),
        ("sort_16M", "r = sort(v16)", lambda: torch.sort(t["v16"]), lambda: xp.sort(c["v16"]), 0, "1x peer"),
        ("cumsum_64M", "r = cumsum(x)", lambda: t["x"].cumsum(0), lambda: c["x"].cumsum(), 2 * f, "1x peer"),
        ("unique_16M_int", "r = unique(places)", lambda: torch.unique(t["places"]), lambda: xp.unique(c["places"]), 0,
         "1x peer"),
        ("randn_64M", "r = randn(67108864)", lambda: torch.randn(M64, device="cuda"),
         lambda: xp.random.standard_normal(M64, dtype=xp.float32), f, "1x peer"),
        ("matmul_1024_f32", "r = a1 @ b1", lambda: t["a1"] @ t["b1"], lambda: c["a1"] @ c["b1"], 0, "0.98x peer"),
        ("matmul_4096_f32", "r = a4 @ b4", lambda: t["a4"] @ t["b4"], lambda: c["a4"] @ c["b4"], 0, "0.98x peer"),
        ("matmul_8192_f16", "r = ah @ bh", lambda: t["ah"] @ t["bh"], None, 0, "0.98x peer"),
        ("loop_rows_1000", statements, lambda: loop(torch, t["k"], r_torch), lambda: loop(xp, c["k"], r_cupy), 0,
         "10000us"),
    ]


COMPILED = {"chain_1M", "chain_64M", "chain_sum_64M", "softmax_4096x10K", "var_rows_8192"}


# Seconds that a series is to last, and that the GPU rests before it.
SERIES = 0.02
REST = 0.03


def series_time(function, count):
    """The time of one call in a series, in microseconds. A call ahead fills the caches."""
    function()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        function()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / count * 1e6


def our_time(genesis, code, count):
    if "\n" not in code:
        return genesis.timeit(code, f"-n {count} -r 1")
    # A pasted cell: its text is read, too.
    begin = time.perf_counter()
    for _ in range(count):
        genesis.run(code)
    return (time.perf_counter() - begin) / count * 1e6


def measure(turns, rounds):
    """The median time of each turn, by its name. A turn is a function of the number of calls."""
    for turn in turns.values():
        turn(1)
    fastest = min(turn(1) for turn in turns.values())
    count = max(1, min(5000, int(SERIES * 1e6 / fastest)))
    times = {name: [] for name in turns}
    order = list(turns)
    for number in range(rounds):
        begin = number % len(order)
        for name in order[begin:] + order[:begin]:
            time.sleep(REST)
            times[name].append(turns[name](count))
    return {name: statistics.median(taken) for name, taken in times.items()}


def first_result(binary):
    """Milliseconds from the start of the process to the end of one that computed on the GPU."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        done = subprocess.run([str(binary), "-e", "print((randn(1000) + 1).sum() > 0)"], capture_output=True, text=True)
        times.append((time.perf_counter() - begin) * 1e3)
        if done.returncode != 0:
            sys.exit(done.stderr)
    return times


def is_met(target, ours, peers, share):
    """Whether a target of the module's text is met; none where there is none to meet."""
    if target is None:
        return None

    def one(text):
        if text.endswith("%"):
            return share is not None and share >= float(text[:-1])
        if text.endswith("us"):
            return ours <= float(text[:-2])
        if text == "compile":
            return "compile" not in peers or ours <= peers["compile"]
        factor, name = re.fullmatch(r"([\d.]+)x (eager|peer)", text).groups()
        other = peers.get("torch") if name == "eager" else min(peers.values(), default=None)
        return other is not None and ours * float(factor) <= other

    return any(all(one(part) for part in way.split(" and ")) for way in target.split(" or "))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", default="", help="names, separated by commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    parser.add_argument("--only-ours", action="store_true", help="time nobody else")
    parser.add_argument("--binary", default=str(ROOT / "target/release/genesis-repl"))
    options = parser.parse_args()
    wanted = set(filter(None, options.cases.split(",")))
    starts = first_result(options.binary)
    print(f"start to first result: first {starts[0]:.0f} ms, then {statistics.median(starts[1:]):.0f} ms", flush=True)
    genesis = Genesis(options.binary)
    genesis.run(SETUP)
    t = inputs()
    c = {name: cupy.asarray(value) for name, value in t.items()} if cupy else {}
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, cupy {cupy.__version__ if cupy else '-'}")
    copy_rate = 0.0
    rows = []
    for name, code, torch_call, cupy_call, volume, target in cases(t, c, cupy):
        if wanted and name not in wanted | {"copy_64M"}:
            continue
        calls = {"torch": torch_call, "cupy": cupy_call if cupy else None}
        if name in COMPILED and not options.no_compile:
            torch._dynamo.reset()
            calls["compile"] = torch.compile(torch_call, dynamic=False)
        turns = {"ours": partial(our_time, genesis, code)}
        if not options.only_ours or name == "copy_64M":
            turns |= {peer: partial(series_time, call) for peer, call in calls.items() if call is not None}
        peers = measure(turns, options.rounds)
        ours = peers.pop("ours")
        if name == "copy_64M":
            copy_rate = volume / min(ours, *peers.values())
        share = 100 * volume / ours / copy_rate if volume else None
        met = is_met(target, ours, peers, share)
        rows.append((name, ours, peers, share, target, met))
        shown = [f"{peers[p]:>10.1f}" if p in peers else " " * 10 for p in ("torch", "compile", "cupy")]
        best = f"{min(peers.values()) / ours:>6.2f}x" if peers else " " * 7
        part = f"{share:>5.0f}%" if share else " " * 6
        verdict = "" if met is None else ("ok" if met else "MISSED")
        print(f"{name:20} {ours:>10.1f} {' '.join(shown)} {best} {part}  {target or '':30} {verdict}", flush=True)
    print(json.dumps({"copy_tb_s": round(copy_rate / 1e6, 3),
                      "missed": [row[0] for row in rows if row[5] is False]}))


if __name__ == "__main__":
    main()
