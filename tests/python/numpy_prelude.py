# Runs before each of programs/numpy_*.py.
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
