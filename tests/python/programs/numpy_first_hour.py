# The ends of quantiles, as whole numbers ask for them.
show(lambda: np.quantile([1, 2, 3, 4], [0, 1]))
show(lambda: np.quantile([1, 2, 3, 4], [0, 1]).dtype)
show(lambda: np.quantile(np.array([[1.5, np.inf], [np.nan, 2.0]]), 1, axis=1))
show(lambda: np.quantile([1.5, np.inf, np.inf], 1))
show(lambda: np.quantile([True, False], True).dtype)
show(lambda: np.nanquantile([np.nan, 2, 1], [0, 1]))
show(lambda: np.nanquantile(np.uint8([3, 4]), np.int8(1)).dtype)
show(lambda: np.quantile([1, 2, 3, 4], [0, 1], method="hazen").dtype)
show(lambda: np.percentile([1, 2, 3, 4], [0, 100]).dtype)
show(lambda: np.quantile([1, 2], 2))

# The middle of an odd number is an element, however large.
big = 1.5e308
show(lambda: str(np.median([-np.inf, -big, 0.5])))
show(lambda: str(np.median(np.array([[big, big, -big], [1, 2, 3]]), axis=1)))
show(lambda: str(np.median(np.float16([6e4, 6e4, 1]))))
show(lambda: str(np.nanmedian([np.nan, big])))
show(lambda: str(np.nanmedian(np.array([[3, np.nan, 1, 2], [1, 2, np.nan, np.nan]]), axis=1)))
show(lambda: np.median([1, 2, 3, 4]))

# Edges of no bins, and numbers of bins and parts that are arrays' own.
show(lambda: np.histogram([1.0, 2.0], []))
show(lambda: np.histogram([1.0, 2.0], [1.0]))
show(lambda: np.histogram([1, 2], np.zeros(0), weights=[0.5, 2]))
show(lambda: np.histogram([1.0, 2.0, 4.0], np.int64(2)))
show(lambda: np.histogram([1.0, 2.0, 4.0], np.array(3)))
show(lambda: np.histogram([1.0, 2.0], np.int64(0)))
show(lambda: np.split(np.arange(6), np.int64(3)))
show(lambda: np.split(np.arange(6), np.array(4)))
show(lambda: np.array_split(np.arange(5), np.uint8(2)))
show(lambda: np.hsplit(np.arange(4), np.int8(2)))

# The axis of a single number.
for name in ("nanargmax", "nanargmin", "nanstd", "nanvar", "nansum", "nanmax", "squeeze"):
    for axis in (0, -1, 1):
        show(lambda: getattr(np, name)(np.array(5.0), axis=axis))
show(lambda: np.lexsort([1, 0]))
show(lambda: np.lexsort([1, 0], axis=1))

# Sequences of numbers, and lengths that are no numbers at all.
show(lambda: np.hstack(range(4)))
show(lambda: np.stack(range(3)))
show(lambda: np.array([2, 0, 1]).choose(range(3)))
show(lambda: np.lexsort([range(3), (0, 1, 0)]))
for empty in (np.zeros(0), np.zeros((0, 3)), np.array([], dtype=bool), []):
    show(lambda: np.ones(empty))
    show(lambda: np.full(empty, 3).shape)
    show(lambda: np.array(7).transpose(empty))
    show(lambda: np.broadcast_shapes(empty, (2,)))

# Quotients that are small.
show(lambda: [str(x[0]) for x in np.polydiv([6.2e-20], [2.0])])
show(lambda: [str(x) for x in np.polydiv([1.0, 1e-20], [1.0])[0]])
show(lambda: np.polydiv([1, 5, 6], [1, 2]))
show(lambda: (np.isreal(2), np.isreal(2j), np.isreal([1j, 1])))

# What is stored in arrays, and of an index and a value that are both wrong, which is told.
for kind in ("f8", "f4", "i8", "u1"):
    x = np.zeros(3, dtype=kind)

    def store(index, value):
        x[index] = value
        return x

    show(lambda: store(0, "no"))
    show(lambda: store(0, " 3 "))
    show(lambda: store(slice(None), "2"))
    show(lambda: store([0, 1], ""))
    show(lambda: store(x > 1, "no"))
    show(lambda: store(9, "no"))
    show(lambda: store((0, 0), "no"))
    show(lambda: store((0, 0), -1 if kind == "u1" else 1))
    show(lambda: store(9, [1, 2]))
    show(lambda: store("a", "no"))
    show(lambda: x)

# Random bytes are as many as asked for.
show(lambda: (len(np.random.bytes(5)), type(np.random.default_rng(3).bytes(2)).__name__, len(np.random.default_rng(1).bytes(0))))
show(lambda: np.random.default_rng(1).bytes(4) == np.random.default_rng(1).bytes(4))
show(lambda: np.searchsorted([1, 2, 3], 2, side="x"))

# The axis of a single number.
for f in (np.nanmean, np.nansum, np.nanvar, np.nanstd, np.nanmin, np.nanmax, np.ptp, np.count_nonzero, np.squeeze):
    for axis in (0, -1, 1, None):
        show(lambda: f(np.array(2.5), axis=axis))
for x in ([3e38, 3e38, 3e38], [1.0, 2.0], [2.0], [np.nan, 1.0]):
    show(lambda: str(np.median(np.array(x, dtype="f4"))))
    show(lambda: np.median(np.array([x, x], dtype="f8"), axis=(0, 1)))
