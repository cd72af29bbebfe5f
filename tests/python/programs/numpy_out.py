# What may be written into `out`, and by which rule.
KINDS = ("bool", "int8", "int64", "uint8", "float32", "float64")


def attempt(call):
    try:
        print(repr(call()))
    except (TypeError, ValueError) as error:
        print("TypeError" if isinstance(error, TypeError) else "ValueError", str(error)[:43])


rows = np.array([[1.5, 2.5, -4.0], [7.0, 0.5, 3.0]])
for name in ("sum", "prod", "max", "min", "mean", "any", "all", "nansum", "nanmax", "var", "median"):
    fold = getattr(np, name)
    for kind in KINDS:
        attempt(lambda: fold(np.abs(rows), axis=1, out=np.zeros(2, kind)).tolist())
        attempt(lambda: fold(rows.astype(int)[:, :2], axis=0, out=np.zeros(2, kind)).tolist())
for kind in KINDS:
    attempt(lambda: np.cumsum(np.abs(rows)[0], out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.cumprod(np.arange(3), out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.add.reduce(np.abs(rows), out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.add.accumulate(np.abs(rows)[1], out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.maximum.reduce(np.abs(rows), out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.std(rows, axis=1, out=np.zeros(2, kind)).tolist() and 1)
    attempt(lambda: np.ptp(rows, axis=1, out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.quantile(np.abs(rows), 0.5, axis=1, out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.round(rows, out=np.zeros((2, 3), kind)).tolist())
    attempt(lambda: np.nanmean(np.abs(rows), axis=1, out=np.zeros(2, kind)).tolist() and 1)
    attempt(lambda: np.argmax(rows, axis=1, out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.take(np.abs(rows), [0, 1], out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.take(np.arange(4), [0, 1], out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.compress([True, False, True], np.arange(3), out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.dot(rows, rows[0], out=np.zeros(2, kind)).tolist())
    attempt(lambda: np.concatenate([rows[0]], out=np.zeros(3, kind)).tolist())
    attempt(lambda: np.stack([rows[0]], out=np.zeros((1, 3), kind)).tolist())
# A wider float is added up in.
print(np.sum(np.array([1e8, 1, 1], dtype="float32"), out=np.zeros(())).item())
print(np.cumsum(np.array([1e8, 1, 1], dtype="float32"), out=np.zeros(3)).tolist())

# Scalars are keys; arrays without axes are none.
x = np.array([1, 2, 2])
half = np.float64(0.5)
print({half: 1}[0.5], {0.5: 2}[half], half in {0.5}, x[1] in {2: 0}, np.True_ in {1})
print(sorted(set(x.tolist())) == sorted(set(x)), len(set(x)), len({(value, "a"): 0 for value in x}))
counts = {}
for value in x:
    counts[value] = counts.get(value, 0) + 1
print(counts[1], counts[2], hash(x[0]) == hash(1), len(frozenset([x.sum(), 5, 5.0])))
for wrong in (x, np.array(5), (x, 1)):
    try:
        print({wrong: 1})
    except TypeError as error:
        print(str(error)[:16])

# The whole mask of an array without axes.
for index in (True, False, np.True_, np.array(False)):
    for value in (7, [7], [7, 8], [], np.ones((1, 1)), np.ones((2, 3)), np.ones((1, 0)), np.array(4)):
        x = np.array(5)

        def write():
            x[index] = value
            return x

        attempt(write)
