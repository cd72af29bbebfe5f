# Kinds of types.
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
