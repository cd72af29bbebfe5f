"""Files that NumPy writes, and what is in them: tests/numpy/files.jsonl. With a binary's path as its argument it
compares at random instead: NumPy reads what that writes, and it reads what NumPy writes.

    python3 tests/numpy/files.py > tests/numpy/files.jsonl
    python3 tests/numpy/files.py target/debug/genesis-repl [COUNT]
"""

import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

TYPES = "? u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8 c8 c16".split()
SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 0, 2), (2, 1, 3), (1, 1, 1, 2)]
rng = np.random.default_rng(7)


def filled(kind, shape):
    size = int(np.prod(shape))
    kind = np.dtype(kind)
    if kind.kind == "b":
        x = rng.integers(0, 2, size).astype(kind)
    elif kind.kind in "iu":
        info = np.iinfo(kind)
        x = rng.integers(info.min, info.max, size, dtype=kind.newbyteorder("="), endpoint=True).astype(kind)
    elif kind.kind == "f":
        x = (rng.standard_normal(size) * 10).astype(kind)
    else:
        x = (rng.standard_normal(size) + 1j * rng.standard_normal(size)).astype(kind)
    return x.reshape(shape)


def saved(x):
    file = io.BytesIO()
    np.save(file, x)
    return file.getvalue()


def cases():
    for kind in TYPES:
        for shape in SHAPES:
            for order in "CF":
                yield np.array(filled(kind, shape), order=order)
    for kind in TYPES:
        if np.dtype(kind).itemsize > 1:
            yield filled(">" + kind, (2, 3))
            yield np.asfortranarray(filled(">" + kind, (2, 3)))


def goldens():
    for x in cases():
        kind = x.dtype.newbyteorder("=").name
        bits = x.astype(x.dtype.newbyteorder("<")).tobytes().hex()
        print(json.dumps({"hex": saved(x).hex(), "dtype": kind, "shape": x.shape, "bits": bits}))


def ask(binary, statements):
    asked = "\n".join(json.dumps({"code": line}) for line in statements) + "\n"
    command = [binary, "--json", "--no-history", "--device", "cpu"]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    for line, answer in zip(statements, map(json.loads, done.stdout.splitlines())):
        assert answer.get("ok"), (line, answer)


def same(a, b):
    return a.dtype.newbyteorder("=") == b.dtype.newbyteorder("=") and a.shape == b.shape and (
        a.astype(a.dtype.newbyteorder("<")).tobytes() == b.astype(b.dtype.newbyteorder("<")).tobytes())


def compare(binary, count):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        arrays, statements = [], ["import numpy as np"]
        for at in range(count):
            shape = tuple(rng.integers(0, 6, rng.integers(0, 5)))
            order = rng.choice([">", "<"])
            x = filled(order + str(rng.choice(TYPES)), shape)
            x = np.array(x, order=rng.choice(["C", "F"]))
            if x.ndim and rng.random() < 0.3:
                x = x[::2]
            arrays.append(x)
            np.save(f"{at}.npy", x)
            pack = np.savez if rng.random() < 0.5 else np.savez_compressed
            pack(f"{at}.npz", x=x, y=x.T)
            name = rng.choice(["savez", "savez_compressed"])
            statements += [f"x = np.load('{at}.npy')", f"np.save('o{at}', x)", f"d = np.load('{at}.npz')",
                           f"np.{name}('o{at}', a=d['x'], b=d['y'], c=x.T)", f"x.tofile('o{at}.bin')",
                           f"m = np.load('{at}.npy', mmap_mode='r')",
                           f"np.save('m{at}', m[...])", f"np.save('t{at}', m[..., None].T[0])"]
        ask(binary, statements)
        for at, x in enumerate(arrays):
            found = np.load(f"o{at}.npy")
            assert same(found, x), (at, x, found)
            assert same(np.load(f"m{at}.npy"), x) and same(np.load(f"t{at}.npy"), x[..., None].T[0])
            packed = np.load(f"o{at}.npz")
            assert same(packed["a"], x) and same(packed["b"], x.T) and same(packed["c"], x.T)
            assert open(f"o{at}.bin", "rb").read() == x.astype(x.dtype.newbyteorder("<")).tobytes()
    print(f"{count} arrays, each in four files, are the same on both sides")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compare(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
    else:
        goldens()
