# What functions do not take, and what they make of edges: axes beside a mask, keys of other shapes, repeated axes, rows that are
# columns, numbers that no integer holds, scalars that are rounded.
import warnings

C = np.array
warnings.simplefilter("ignore")


def kind(f):
    try:
        r = f()
        print(type(r).__name__ if isinstance(r, (int, float)) else "", np.asarray(r).dtype, np.asarray(r).shape, np.round(np.asarray(r), 6).tolist())
    except Exception as e:
        print(type(e).__name__, e)


def error(f):
    try:
        print("done", np.asarray(f()).tolist())
    except Exception as e:
        print(type(e).__name__)


masked = [np.sum, np.prod, np.any, np.all, np.nansum, np.nanprod, np.mean, np.var, np.std, np.nanmean]
for f in masked:
    for axis in [0, -1, 1, 2, -3, (0, 1), (0, 2), None]:
        error(lambda: f(C([[1.0, 0.0], [2.0, 3.0]]), axis=axis, where=C([[True, False], [True, True]])))
for f in [np.max, np.min, np.nanmax, np.nanmin]:
    for axis in [0, -1, 2, -3, None]:
        error(lambda: f(C([[1.0, 4.0], [2.0, 3.0]]), axis=axis, where=C([True, False]), initial=2))
for f in [np.sum, np.prod, np.any, np.nansum]:
    for axis in [0, -1, 1, None]:
        error(lambda: f(C(3.0), axis=axis, where=True))
        error(lambda: f(C(3.0), axis=axis, where=False))
for keys in [([1, 2], [3]), (C([[1, 2]]), C([1, 2])), (C([3, 1]), C([1, 1])), (C([], "f8"), C([], "i4")), ([[1, 2]], [[2, 1], [1, 2]])]:
    kind(lambda: np.lexsort(keys))
for axis in [None, 0, (0, 1), (0, 0), 5, -3]:
    kind(lambda: np.expand_dims(C([1, 2]), axis))
for axis in [None, 0, (0, 1), (0, 0), (0, -2), 5, ()]:
    kind(lambda: np.flip(C([[1, 2], [3, 4]]), axis))
for x in [C([1j]), C([1.5]), C([], "f4"), [], C([], "i2"), C([1, 1], "u1"), C([True, False])]:
    kind(lambda: np.bincount(x))
for x in [C([[1.0, 2.0, 4.0]]), C([1.0, 2.0, 4.0]), C([[1.0, 2.0], [3.0, 5.0]]), C([[1.0], [2.0], [5.0]])]:
    for rowvar in [True, False]:
        kind(lambda: np.cov(x, rowvar=rowvar))
for x in [np.float64(2.5), np.float64(-0.5), np.float32(3.5), np.int64(7), np.uint8(200), np.mean([1.0, 2.0]), np.float16(1.25)]:
    print(round(x), type(round(x)), round(x, 1), type(round(x, 1)) is int)
print(round(C([1.0, 2.0]).sum()), [round(v) for v in C([0.5, 1.5, 2.5])], round(C([1.234, 5.678]).max(), 2) == 5.68)
for to in ["i1", "u1", "i2", "u2", "i4", "i8", "u8"]:
    heard = []
    for v in [-1.5, 300.0, -70000.0, 2.0**31, -(2.0**31), -(2.0**31) - 1000, 2.0**62, 2.0**63, -(2.0**63), -(2.0**63) - 5000, 2.0**64, np.nan, 65504.0]:
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            with np.errstate(all="warn"):
                C([v]).astype(to)
        heard.append(len(w))
    print(to, heard)
