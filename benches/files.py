"""Reading arrays, checkpoints and tables beside NumPy, PyTorch, pyarrow, polars and DuckDB, in one run: ratios of times, the best
of three each. Of columns the sums are compared first.

    python3 benches/files.py [BINARY] [MEGABYTES] [csv]

Files are made with a fixed seed in a folder that is removed, of some times as many megabytes on the disk as are named. The page
cache holds them, so that the disk is out of the comparison, but for files that are written over others: what takes an old file's
place is on the disk first here, and not there. What is not installed, or what BINARY can't, is left out. With `csv` a table of
so many megabytes is all that is made and read.

What is loaded "first" is what a process loads first, in a process of its own each time; else memory is there already that the
one before has left.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

BINARY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/genesis-repl")
SIZE = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
IS_CSV = sys.argv[3:] == ["csv"]
ROUNDS = 3
# What is typed here, what is typed there, and what that wants.
CASES = [
    ("np.load('x.npy')", None, "numpy"),
    ("np.save('y@.npy', x)", None, "numpy"),
    ("np.save('old.npy', x)", None, "numpy"),
    ("np.load('x.npz')['x']", None, "numpy"),
    ("torch.load('x.pt')  # first", None, "torch"),
    ("torch.load('x.pt')", None, "torch"),
    ("[v.sum() for v in torch.load('x.pt').values()]", None, "torch"),
    ("torch.save({'x': x}, 'y@.pt')", "torch.save({'x': torch.from_numpy(x)}, 'y@.pt')", "torch"),
    ("torch.save({'x': x}, 'old.pt')", "torch.save({'x': torch.from_numpy(x)}, 'old.pt')", "torch"),
    ("np.loadtxt('t.txt', dtype='f8')", None, "numpy"),
    ("np.loadtxt('t.csv', delimiter=',', dtype='f8')", None, "numpy"),
    ("np.genfromtxt('t.csv', delimiter=',', dtype='f8')", None, "numpy"),
    ("np.loadtxt('t.csv', delimiter=',', dtype='f8')", "polars.read_csv('t.csv', has_header=False).to_numpy()", "polars"),
    ("np.loadtxt('t.csv', delimiter=',', dtype='f8')", "duckdb.sql(\"from read_csv('t.csv', header=false)\").fetchnumpy()", "duckdb"),
    *[(f"load('t.{ending}')['{column}']", theirs.format(ending=ending, column=column), module)
      for ending in ("parquet", "zstd.parquet", "feather")
      for column in ("normal", "few", "nulls")
      for module, theirs in (
          ("pyarrow", "READ('t.{ending}', columns=['{column}'])['{column}'].to_numpy()"),
          ("polars", "polars.SCAN('t.{ending}').select('{column}').collect()['{column}'].to_numpy()"),
          ("duckdb", "duckdb.sql(\"select {column} from 't.{ending}'\").fetchnumpy()['{column}']"))
      if not (module == "duckdb" and ending == "feather")],
]


def reads(case):
    """What reads a file, by its ending."""
    is_feather = ".feather" in case
    return case.replace("READ", "pyarrow.feather.read_table" if is_feather else "pyarrow.parquet.read_table") \
        .replace("SCAN", "scan_ipc" if is_feather else "scan_parquet")


def timed(case, at):
    """What is typed to time a case; each round writes a new file where the name has a place for its number."""
    case = case.split("  #")[0].replace("@", str(at))
    return f"t = time.perf_counter(); r = {case}; d = time.perf_counter() - t; r = None; d"


def ours(case):
    if case.endswith("# first"):
        found = [session([timed(case, 0)]) for _ in range(ROUNDS)]
    else:
        lines = [] if IS_CSV else ["x = np.load('x.npy')"]
        found = [session(lines + [timed(case, at) for at in range(ROUNDS)])]
    wrong = [message for _, message in found if message]
    return (None, wrong[0]) if wrong else (min(time for times, _ in found for time in times), None)


def session(lines):
    """The last rounds' times, or what is wrong."""
    lines = ["import numpy as np, torch, time"] + lines
    asked = "\n".join(json.dumps({"code": line}) for line in lines) + "\n"
    command = [BINARY, "--json", "--no-history", "--device", "cpu"]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [answer["error"]["message"] for answer in answers if not answer.get("ok")]
    if wrong:
        return None, wrong[0]
    times = [answer.get("value") for answer in answers]
    return [time["value"] for time in times if time and isinstance(time.get("value"), float)], None


def sums(case, other, names):
    """The sums of a column, here and there, without what is null."""
    code = f"import numpy as np\nfloat(np.nansum({case}.astype('f8')))"
    command = [BINARY, "--json", "--no-history", "--device", "cpu"]
    done = subprocess.run(command, input=json.dumps({"code": code}), capture_output=True, text=True, check=True)
    found = np.ma.filled(np.ma.asarray(eval(other, names)).astype("f8"), np.nan)
    return json.loads(done.stdout.splitlines()[-1])["value"]["value"], float(np.nansum(found))


def theirs(case, names):
    if case.endswith("# first"):
        code = f"import time, numpy as np, torch\nt = time.perf_counter(); r = {case}\nprint(time.perf_counter() - t)"
        run = [sys.executable, "-c", code]
        return min(float(subprocess.run(run, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS))
    times = []
    for at in range(1 if "genfromtxt" in case or IS_CSV and "np." in case else ROUNDS):
        start = time.perf_counter()
        result = eval(case.replace("@", str(at)), names)
        times.append(time.perf_counter() - start)
        del result
    return min(times)


def put_old(case):
    """An old file, where a case writes over one."""
    name = case.partition("'old.")[2].partition("'")[0]
    if name:
        with open(f"old.{name}", "wb") as file:
            file.write(b"old")


def remove_written():
    for name in os.listdir("."):
        if name.startswith(("y", "old.")):
            os.remove(name)
    # What waits to be written to the disk is not the next one's to wait for.
    os.sync()


def main():
    names = {"np": np}
    for module in ("numpy", "torch", "polars", "duckdb", "pyarrow", "pyarrow.parquet", "pyarrow.feather"):
        try:
            importlib.import_module(module)
            names[module.split(".")[0]] = sys.modules[module.split(".")[0]]
        except ImportError:
            pass
    rng = np.random.default_rng(1)
    if IS_CSV:
        # Numbers of 19 or 20 bytes with what ends them.
        with open("t.csv", "w", encoding="ascii") as file:
            for _ in range(SIZE):
                np.savetxt(file, rng.random((5000, 10)), delimiter=",", fmt="%.17g")
        print(f"t.csv has {os.path.getsize('t.csv') / 1e6:.0f} MB")
        compare(names, [case for case in CASES if "t.csv" in case[0] and "genfromtxt" not in case[0]])
        return
    x = names["x"] = rng.random((SIZE, 125_000))
    np.save("x.npy", x)
    np.savez("x.npz", x=x)
    if "torch" in names:
        parts = {f"layers.{at}.weight": names["torch"].from_numpy(part.copy()) for at, part in enumerate(np.array_split(x, 20))}
        names["torch"].save(parts, "x.pt")
    table = rng.random((SIZE * 400, 10))
    np.savetxt("t.txt", table)
    np.savetxt("t.csv", table, delimiter=",", fmt="%.17g")
    if "pyarrow" in names:
        pa, count = names["pyarrow"], SIZE * 50_000
        columns = pa.table({
            "normal": rng.normal(size=count), "few": rng.integers(0, 1000, count),
            "nulls": pa.array(rng.normal(size=count), mask=rng.random(count) < 0.1),
            "text": pa.array(["some text"] * count).dictionary_encode().cast(pa.string()),
        })
        pa.parquet.write_table(columns, "t.parquet")
        pa.parquet.write_table(columns, "t.zstd.parquet", compression="zstd")
        pa.feather.write_feather(columns, "t.feather")
    compare(names, CASES)


def compare(names, cases):
    print(f"{'':52} {'ours':>9} {'theirs':>9}  theirs / ours")
    for case, other, module in cases:
        if module not in names:
            continue
        if other is not None:
            other = reads(other)
        if case.startswith("load("):
            if "pyarrow" not in names:
                continue
            here, there = sums(case, other, names)
            if abs(here - there) > 1e-9 * max(abs(here), SIZE * 50_000):
                print(f"{case:52} WRONG: {here} and {there}")
                continue
        put_old(case)
        a, wrong = ours(case)
        remove_written()
        put_old(case)
        if wrong:
            print(f"{case:52} left out: {wrong}")
            continue
        b = theirs(other or case, names)
        remove_written()
        print(f"{case:52} {a:7.3f} s {b:7.3f} s {b / a:8.2f}  {module}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
