# What types, functions and errors tell of themselves.
for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split():
    kind = np.dtype(name)
    print(name, kind.num, kind.descr, kind.isbuiltin, kind.char, kind.str)

kinds = [np.dtype(name) for name in ("bool", "int8", "uint8", "int32", "uint32", "float16", "float32", "float64", "complex64", "complex128")]
for a in kinds:
    print(a, [int(a < b) + 2 * int(a <= b) for b in kinds], [int(a > b) + 2 * int(a >= b) for b in kinds])
print(sorted([np.dtype("f8"), np.dtype("i1"), np.dtype("f4"), np.dtype("?")]))
print(np.dtype("f4") < "f8", "f8" <= np.dtype("f4"), np.dtype("f4") < float, max(np.dtype("i2"), np.dtype("f8")))
for other in (3, "nonsense", [1]):
    try:
        print(np.dtype("f4") < other)
    except TypeError:
        print("no order with", other)

for function in (np.add, np.exp, np.divmod, np.modf, np.frexp, np.spacing, np.matmul, np.vecdot, np.matvec, np.vecmat, np.logaddexp):
    print(function.__name__, function.nin, function.nout, function.nargs, function.identity, function.signature)
for call in (lambda: np.matmul.reduce(np.eye(2)), lambda: np.divmod.reduce([1, 2]), lambda: np.exp.reduce([1.0]), lambda: np.modf.accumulate([1.0])):
    try:
        print(call())
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)

print(np.version.version == np.__version__, np.version.full_version.startswith(np.version.short_version), np.iinfo("uint16").key)

rows = np.zeros((2, 3))
calls = [lambda: rows.sum(axis=3), lambda: np.moveaxis(rows, 5, 0), lambda: np.moveaxis(rows, 0, -4), lambda: rows.swapaxes(0, 2), lambda: np.take(rows, 0, axis=4),
         lambda: np.expand_dims(rows, 7), lambda: np.stack([rows], axis=4), lambda: np.linspace(0, 1, 3, axis=2), lambda: np.sort(rows, axis=-4),
         lambda: np.cross(np.zeros(3), np.zeros(3), axis=3), lambda: np.cross(np.zeros(3), np.zeros(3), axisb=2), lambda: np.apply_along_axis(sum, 4, rows),
         lambda: np.percentile(rows, 5, axis=4), lambda: np.average(rows, axis=2), lambda: np.linalg.norm(rows, axis=4),
         lambda: np.random.default_rng(1).permuted(rows, axis=4), lambda: np.random.default_rng(1).permutation(rows, axis=4),
         lambda: np.lib.stride_tricks.sliding_window_view(rows, 2, axis=4), lambda: np.argmax(3, axis=1), lambda: np.nanargmin(3, axis=-2), lambda: np.nanargmin(3.0, axis=-2), lambda: np.flip(rows, 2)]
for call in calls:
    try:
        call()
    except np.exceptions.AxisError as error:
        print(repr(error), error.args, error.axis, error.ndim, error)
for error in (np.exceptions.AxisError(3, 1, "here"), np.exceptions.AxisError("words")):
    print(repr(error), error.axis, error.ndim, error)

flags = np.array([True, False, True])
print((flags ** 2).dtype, flags ** 2, (flags ** 3).dtype, (flags ** flags).dtype, (flags ** 2.0).dtype, (np.bool_(True) ** 2).dtype)
for method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation"):
    print(method, np.percentile(flags, 50, method=method), np.quantile(flags, [0.1, 0.9], method=method))
for method in ("linear", "midpoint", "hazen", "averaged_inverted_cdf"):
    for call in (np.quantile, np.nanquantile):
        try:
            print(call(flags, 0.5, method=method))
        except TypeError as error:
            print(method, error)
print(np.quantile(flags, [0, 1]), np.quantile(np.array(5), [], method="lower").dtype)

one = np.array([1.5], dtype="f4")
for parts in ([one, 2.5], [one, [2.5]], [one, True], [one, 2], [np.array([1], dtype="i1"), 2], [one, 2j], [2.5, 3], [1, 2], [np.array([1], dtype="f2"), 1, 2.5]):
    print(np.concatenate(parts, axis=None).dtype, np.concatenate(parts, axis=None))

table = np.array([[1, 2], [3, 4]]).T
print(table.ravel(order=None), table.flatten(order=None), table.copy(order=None).flags.c_contiguous, np.copy(table, order=None).flags.c_contiguous)
print(np.linspace(np.array([1, 2], dtype="f4"), np.int8(3), 2).dtype, np.linspace(np.int8(3), np.array([1, 2], dtype="f4"), 2).dtype)
for call in (lambda: table.ravel(order=3), lambda: np.copy(table, order=[1]), lambda: table.astype(2.5), lambda: table.astype([1, 2]), lambda: np.zeros(3, dtype=(1, 2)),
             lambda: np.add(1, 2, casting="x"), lambda: np.vstack(3), lambda: np.hstack(None), lambda: np.rot90([1, 2]), lambda: np.rot90(table, axes=(0, -2)),
             lambda: np.vdot([1, 2], [1, 2, 3]), lambda: np.nanargmax([]), lambda: np.isposinf(np.array([1j])), lambda: np.isneginf(np.array([1j], dtype="c8")),
             lambda: np.matvec(np.eye(3), [1, 2]), lambda: np.vecmat([1, 2, 3], np.eye(2))):
    try:
        print(call())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
