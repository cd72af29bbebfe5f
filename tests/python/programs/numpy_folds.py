"""Folds by an operation's own formula, over lengths on both sides of a block of lanes, along both axes."""

KINDS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
LENGTHS = [0, 1, 2, 3, 63, 64, 65, 127, 129, 1000, 4097]


def numbers(count, kind, factor):
    return (np.arange(count, dtype="int64") * 2654435761 % 251 * factor).astype(kind)


for name, factor in [("bitwise_and", 1), ("bitwise_or", 1), ("bitwise_xor", 1), ("gcd", 6)]:
    u = getattr(np, name)
    for kind in KINDS:
        if name == "gcd" and kind == "bool":
            continue
        for n in LENGTHS:
            rows = numbers(3 * n, kind, factor).reshape(3, n)
            print(name, kind, n, u.reduce(rows, axis=1).tolist(), u.reduce(rows.T, axis=0).dtype)
            columns = numbers(5 * n, kind, factor).reshape(n, 5)
            print(u.reduce(columns).tolist(), u.reduce(columns[:, ::2], axis=None).item())
        steps = u.accumulate(numbers(200, kind, factor))
        print(steps.dtype, steps[:9].tolist(), steps[-1].item(), int(steps.astype("int64").sum()))

# What is rounded at each step depends on the order, in the last digits.
EXACT = {"hypot": lambda x: np.sqrt((x * x).sum(axis=1)), "logaddexp": lambda x: np.log(np.exp(x).sum(axis=1))}
for name in EXACT:
    u = getattr(np, name)
    for kind, error in [("float32", 1e-4), ("float64", 1e-12), ("int32", 1e-12)]:
        for n in LENGTHS[1:]:
            rows = numbers(3 * n, kind, 1).reshape(3, n) / 64
            exact = EXACT[name](rows.astype("float64"))
            for folded in [u.reduce(rows, axis=1), u.reduce(rows[:, ::-1].T, axis=0)]:
                print(name, kind, n, folded.dtype, bool((abs(folded - exact) <= error * (1 + abs(exact))).all()))
        print(u.reduce(rows[:, :0], axis=1).tolist(), u.accumulate(rows[0, :5]).shape)
    print(u.reduce(np.ones(100, "float16")).dtype, u.reduce(np.zeros((0, 2), "float16")).tolist())

# What a fold begins with has the type of its result.
show(lambda: np.sum(np.arange(3), initial=1.5))
show(lambda: np.add.reduce(np.arange(4)[:0], initial=1.5))
show(lambda: np.add.reduce(np.ones((2, 0), dtype=int), axis=1, initial=1.5))
show(lambda: np.prod(np.arange(1, 3), initial=2.5))
show(lambda: np.max(np.arange(3), initial=2.5))
show(lambda: np.min(np.arange(3), initial=-0.5, where=[True, False, True]))
show(lambda: np.sum(np.ones(2), initial=0.25))

# A part of one element is the element.
print(np.gcd.reduceat([-4, 6, -9, 3], [0, 2, 3]), np.gcd.reduceat([-4], [0]), np.multiply.reduceat(np.array([1, -2], "i1"), [0, 1]).dtype)
# Without elements there is no place that is out of bounds.
for shape in [(0,), (2, 0), (0, 3)]:
    a = np.zeros(shape)
    a.partition(5)
    print(a.shape, np.partition(a, 5).shape, np.argpartition(a, 2).shape)
print(np.trim_zeros(np.array(3)), np.trim_zeros(np.array([0, 1, 0])))
a = np.arange(3, dtype="u8")
for at in [0, [0, 1]]:
    try:
        a.flat[at] = -2.25
    except (OverflowError, ValueError) as error:
        print(type(error).__name__, error)
a.flat[1] = 7.9
a.flat[[0, 2]] = 5
print(a)
for options in [dict(left=1j), dict(right=2j)]:
    try:
        np.interp([0.0, 9], [1, 2, 3], [1, 2, 3], **options)
    except TypeError as error:
        print(error)
print(np.interp([0.0, 9], [1, 2, 3], [1, 2, 3j], left=1j))
print("%s %d" % (np.ones(2), 3), "%s" % np.array([1, 2]), "%d" % np.array(3), "%.2f" % np.array(3.5))
