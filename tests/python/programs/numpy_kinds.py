# Kinds of types.
import numpy as np

if hasattr(np, "set_default_dtype"):
    np.set_default_dtype(np.float64)


def shown(r):
    if isinstance(r, np.ndarray) or np.isscalar(r) and not isinstance(r, (str, bool, int)):
        r = np.asarray(r)
        return np.round(r, 8) + 0 if r.dtype.kind == "f" else r
    return r


def show(f):
    try:
        r = f()
    except Exception as e:
        print(type(e).__name__, e)
        return
    if isinstance(r, (tuple, list)):
        for x in r:
            print("  ", shown(x))
    else:
        print(shown(r))


for d in (np.float32, np.int8, np.uint8, bool, np.int64):
    for k in (
        "bool",
        "signed integer",
        "unsigned integer",
        "integral",
        "real floating",
        "complex floating",
        "numeric",
        "foo",
        np.float32,
        ("bool", "integral"),
    ):
        show(lambda: np.isdtype(np.dtype(d), k))
for v in (0, 1, -1, 255, -128, 127, -129, 1.0, 1e5, -1e39, True, np.nan, -40000):
    show(lambda: np.min_scalar_type(v))
show(lambda: np.min_scalar_type(np.arange(3)))
show(lambda: np.isreal(np.array([1.0, 2])))
show(lambda: np.iscomplex([1, 2]))
show(lambda: np.real_if_close([1.0, 2]))
show(lambda: np.require([1, 2], float))
show(lambda: np.require([1, 2], float, ["C", "W"]))
show(lambda: np.argpartition(np.array([3, 1, 2]), 0))
show(lambda: np.argpartition(np.array([3, 1, 2]), 5))
with np.errstate(divide="ignore", invalid="ignore"):
    print(np.array([1.0, 0]) / 0)


@np.errstate(all="ignore")
def f(x):
    return x / 0


print(f(np.ones(2)))
show(lambda: np.errstate(divide="foo").__enter__())
