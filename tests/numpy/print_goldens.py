"""Arrays and what NumPy prints for them, one JSON object a line, for tests/report_numpy.rs.

    python tests/numpy/print_goldens.py 400 > tests/numpy/print_goldens.jsonl
    python tests/numpy/print_goldens.py 30000 > many.jsonl
    GENESIS_PRINT_GOLDENS=many.jsonl cargo test --test report_numpy

Of a summarised array only the elements that are seen are written, in row-major order. Floats are
written as the hexadecimal text of the float64 that they widen to.
"""

import json
import sys

import numpy as np

DTYPES = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


def random_shape(rng):
    kind = rng.integers(10)
    if kind == 0:
        return ()
    if kind == 1:
        shape = [int(n) for n in rng.integers(0, 4, size=rng.integers(1, 4))]
        shape[rng.integers(len(shape))] = 0
        return tuple(shape)
    if kind == 2:
        return (int(rng.integers(900, 1200)),)
    if kind == 3:
        return tuple(int(n) for n in rng.integers(1, 60, size=3))
    rank = int(rng.integers(1, 5))
    return tuple(int(n) for n in rng.integers(1, [40, 14, 6, 4][rank - 1], size=rank))


def random_floats(rng, shape, dtype):
    kind = rng.integers(9)
    size = int(np.prod(shape))
    if kind == 0:
        bits = rng.integers(0, 2**63, size=size, dtype=np.uint64) * np.uint64(2)
        width = {"float16": np.uint16, "float32": np.uint32, "float64": np.uint64}[dtype]
        raw = (bits >> np.uint64(64 - 8 * width().itemsize)).astype(width)
        with np.errstate(invalid="ignore"):
            values = raw.view(dtype).astype(np.float64) * rng.choice([-1, 1], size=size)
    elif kind == 1:
        values = rng.integers(-1000, 1000, size=size).astype(np.float64)
    elif kind == 2:
        values = rng.integers(-50, 50, size=size) / rng.choice([2, 4, 8, 10, 100, 1000])
    elif kind == 3:
        values = np.ldexp(1.0, rng.integers(-20, 20, size=size)) * rng.choice([-1, 1], size=size)
    elif kind == 4:
        values = np.round(rng.normal(size=size), int(rng.integers(0, 7)))
    elif kind == 5:
        values = np.full(size, rng.choice([0.0, -0.0, 1.0, 0.1, 1e8, 1e-4, 1e6, 1e3, 99999999.0]))
    else:
        values = rng.normal(size=size) * 10.0 ** rng.integers(-9, 12)
        if kind == 6:
            values = values * 10.0 ** rng.integers(-3, 3, size=size)
    if rng.integers(4) == 0 and size:
        odd = rng.choice([np.nan, np.inf, -np.inf, 0.0], size=size)
        values = np.where(rng.random(size) < rng.choice([0.05, 0.5, 1.0]), odd, values)
    with np.errstate(over="ignore"):
        return values.astype(dtype).reshape(shape)


def random_array(rng):
    shape, dtype = random_shape(rng), str(rng.choice(DTYPES))
    if dtype == "bool":
        return rng.integers(0, 2, size=shape).astype(bool)
    if dtype.startswith("float"):
        return random_floats(rng, shape, dtype)
    info = np.iinfo(dtype)
    low, high = info.min, info.max
    if rng.integers(2):
        low, high = max(low, -int(rng.integers(1, 200))), min(high, int(rng.integers(1, 2000)))
    return np.asarray(rng.integers(low, high, size=shape, dtype=dtype, endpoint=True))


def seen(array, threshold, edge):
    if array.size <= threshold:
        return array
    for axis, extent in enumerate(array.shape):
        if extent > 2 * edge:
            ends = [*range(edge), *range(extent - edge, extent)]
            array = np.take(array, ends, axis=axis)
    return array


def main():
    count = int(sys.argv[1])
    rng = np.random.default_rng(20)
    for _ in range(count):
        array = random_array(rng)
        options = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False}
        if rng.integers(2):
            options["precision"] = int(rng.integers(0, 18))
            options["threshold"] = int(rng.choice([0, 5, 20, 1000, 100000]))
            options["edgeitems"] = int(rng.integers(1, 6))
            options["linewidth"] = int(rng.choice([10, 30, 75, 100, 200]))
            options["suppress"] = bool(rng.integers(2))
        part = seen(array, options["threshold"], options["edgeitems"])
        if part.size > (300 if count < 1000 else 4000):
            continue
        if array.dtype.kind == "f":
            values = [float(v).hex() for v in part.ravel()]
        else:
            values = [int(v) for v in part.ravel()]
        with np.printoptions(**options):
            case = {
                "dtype": str(array.dtype),
                "shape": list(array.shape),
                "options": options,
                "values": values,
                "repr": repr(array),
                "str": str(array),
            }
        print(json.dumps(case))


main()
