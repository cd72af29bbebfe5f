# What floating-point errors of scalars are called, beside those of arrays.
import warnings

f, i8, C = np.float64, np.int8, np.array


def t(text, g):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with np.errstate(all="warn"):
            try:
                r = g()
            except Exception as error:
                r = type(error).__name__
    print(text, shown(r), [str(x.message) for x in heard])


cases = [
    ("divide", lambda: f(1) / 0), ("by a scalar", lambda: f(1) / f(0)), ("reflected", lambda: 1 / f(0)), ("zero by zero", lambda: f(0) / f(0)), ("floor", lambda: f(1) // 0),
    ("rest", lambda: f(1) % 0), ("add", lambda: f(1e308) + f(1e308)), ("multiply", lambda: f(1e308) * 10), ("subtract", lambda: f(-1e308) - f(1e308)), ("power", lambda: f(10) ** 400),
    ("root", lambda: f(-1) ** 0.5), ("reciprocal", lambda: f(0) ** -1), ("square", lambda: f(1e200) ** 2), ("inf - inf", lambda: f("inf") - f("inf")), ("underflow", lambda: f(1e-308) * f(1e-308)),
    ("int add", lambda: i8(127) + i8(1)), ("int subtract", lambda: i8(-128) - i8(1)), ("int multiply", lambda: i8(100) * i8(2)), ("int power", lambda: i8(2) ** i8(7)), ("int negative", lambda: -i8(-128)),
    ("int floor", lambda: i8(-128) // i8(-1)), ("int64", lambda: np.int64(2**62) * 4), ("uint8", lambda: np.uint8(0) - np.uint8(1)), ("uint64", lambda: np.uint64(18446744073709551615) * np.uint64(18446744073709551615)), ("uint negative", lambda: -np.uint8(1)),
    ("no overflow", lambda: i8(100) + i8(27)), ("weak", lambda: i8(127) + 1), ("weak reflected", lambda: 1 - np.uint8(2)), ("float32", lambda: np.float32(1e38) * 10), ("float16", lambda: np.float16(60000) * 2),
    ("int by zero", lambda: np.int64(1) / f(0)), ("array", lambda: C([1.0]) / 0), ("0-d", lambda: C(1.0) / 0), ("with 0-d", lambda: f(1) / C(0.0)), ("with array", lambda: C([1.0]) / f(0)),
    ("function", lambda: np.divide(f(1), 0)), ("sqrt", lambda: np.sqrt(f(-1))), ("log", lambda: np.log(f(0))), ("bool ahead", lambda: np.bool_(True) / f(0)), ("bool behind", lambda: f(1) / np.bool_(False)),
    ("element", lambda: np.arange(3.0)[1] / 0), ("sum", lambda: np.sum(C([1.0])) / 0), ("array power", lambda: C([0.0]) ** -1), ("array int", lambda: C([127], "i1") + C([1], "i1")), ("array negative", lambda: -C([-128], "i1")),
    ("array floor", lambda: C([-128], "i1") // C([-1], "i1")), ("divmod", lambda: np.divmod(C([1.0]), 0)[0]), ("add function", lambda: np.add(i8(127), i8(1))), ("list", lambda: f(1) / [0.0]),
]
for text, g in cases:
    t(text, g)
with np.errstate(divide="raise", over="raise"):
    for g in [lambda: f(1) / 0, lambda: i8(127) + i8(1), lambda: C([1.0]) / 0]:
        try:
            g()
        except FloatingPointError as error:
            print(error)
    x = f(1)
    try:
        x /= 0
    except FloatingPointError as error:
        print(error, x)
