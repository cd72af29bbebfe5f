# Which floating-point errors there are, and what they are called: numbers that become narrow, scalars that do not meet as
# such, functions that several operations make, means of nothing; and casts that drop imaginary parts.
import warnings

inf, nan = np.inf, np.nan
f2, f4, f8, C = np.float16, np.float32, np.float64, np.array


def t(text, g):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with np.errstate(all="warn", under="ignore"):
            try:
                g()
                done = "done"
            except Exception as error:
                done = type(error).__name__
    print(text, done, [f"{type(x.message).__name__}: {x.message}" for x in heard])


def all_of(cases):
    for text, g in cases:
        t(text, g)


all_of([
    ("to half", lambda: f2(1e38)), ("to single", lambda: f4(-1e300)), ("the largest half", lambda: f2(65504.0)), ("just kept", lambda: f2(65519.9)), ("just not", lambda: f2(65520.0)),
    ("the largest single", lambda: f4(3.4028235e38)), ("single beyond", lambda: f4(3.4028236e38)), ("infinite", lambda: f4(inf)), ("NaN", lambda: f2(nan)), ("list", lambda: C([1.0, 1e300, -1e300], "f4")), ("int to half", lambda: f2(70000)),
    ("complex", lambda: np.complex64(1e300 + 1j)), ("double", lambda: f8(1e300)), ("beside", lambda: C([1.0], "f4") * 1e300), ("beside a scalar", lambda: f4(1) + 1e300), ("compressed", lambda: C([[1e30], [1e5]], "f2")),
    ("array cast", lambda: C([1e300]).astype("f4")), ("nothing", lambda: C([], "f4")), ("nested", lambda: C([[1.0, 2.0], [3.0, 1e39]], f4)),
])
all_of([
    ("float by int", lambda: -inf % np.uint64(200)), ("float by int8", lambda: -inf // np.int8(-128)), ("uint64 by half", lambda: np.uint64(1) / f2(0)), ("uint8 by half", lambda: np.uint8(1) / f2(0)), ("half by uint64", lambda: f2(0) / np.uint64(0)),
    ("int64 by uint64", lambda: np.int64(1) / np.uint64(0) if False else None), ("double by int64", lambda: f8(1) / np.int64(0)), ("single by int32", lambda: f4(1) / np.int32(0)), ("single by int16", lambda: f4(1) / np.int16(0)),
    ("asarray", lambda: np.asarray(f8(1)) / 0), ("asarray of half", lambda: np.asarray(f2(1)) / f2(0)), ("array", lambda: np.array(f8(1)) / 0), ("complex beside float", lambda: f8(1) / 0j), ("int by float", lambda: 1 / f4(0)),
])
x = np.asarray(f8(1))
y = f8(1)
z = np.asarray(y)
z[...] = 5
print(x, y, z)
all_of([
    ("ldexp", lambda: np.ldexp(1.0, 2000)), ("ldexp of single", lambda: np.ldexp(C([1.0], "f4"), 2000)), ("ldexp of nan", lambda: np.ldexp(nan, 2000)), ("ldexp of zero", lambda: np.ldexp(C([0.0], "f4"), 2000)), ("ldexp of inf", lambda: np.ldexp(-inf, 2000)),
    ("float_power", lambda: np.float_power(C([-1.0, 0.0]), C([0.5, -1.0]))), ("float_power over", lambda: np.float_power(10.0, 400)), ("spacing", lambda: np.spacing(C([1.0, inf]))), ("modf", lambda: np.modf(C([inf, 1.5]))), ("frexp", lambda: np.frexp(C([0.0, 3.0, inf]))),
    ("dot", lambda: np.dot(C([1e200]), C([1e200]))), ("dot of a number", lambda: np.dot(0.0, C([inf]))), ("inner", lambda: np.inner(C([1e200]), C([1e200]))), ("vdot", lambda: np.vdot(C([1e200]), C([1e200]))), ("matmul", lambda: C([[1e200]]) @ C([[1e200]])),
    ("ldexp down", lambda: np.ldexp(C([1.0], "f4"), -2000)), ("ldexp of halves", lambda: np.ldexp(C([1.0, 60000.0], "f2"), 3)), ("sinc", lambda: np.sinc(C([0.0, 0.5]))), ("sinc of inf", lambda: np.sinc(C([inf]))), ("interp", lambda: np.interp(C([0.0, 1.0, 2.5]), [0, 1, 2], [1, 3, 2])),
])
for x in [C([0.0, -0.0, 5e-324, 1.5, 1e300, inf, nan]), C([0.0, -0.0, 1e-45, 1.5, 1e38, inf, nan], "f4"), C([0.0, 6e-8, 1.5, 60000.0, -inf], "f2")]:
    with np.errstate(all="ignore"):
        for power in [0, 1, -1, 14, 15, -14, -15, 24, -24, 40, 126, 127, 128, -126, -127, -149, 150, 276, -276, 1022, 1023, 1024, -1022, -1074, -1075, 2097, -2097, 2098, 5000, -5000, 2**31 - 1, -2**31]:
            print(power, np.ldexp(x, power).tolist())
with np.errstate(all="ignore"):
    print(np.ldexp(C([1.1, 1.3, 1.7, 1.9]) * 2.0**-1000, C([-40, -60, -70, -73])).tolist(), np.ldexp(C([1.1, 1.3]) * 2.0**-10, -1050).tolist(), np.ldexp(C([1.1, 1.3], "f4"), C([-120, -127], "i1")).tolist())
all_of([
    ("mean", lambda: np.mean([])), ("mean of ints", lambda: np.mean(C([], "i4"))), ("mean of halves", lambda: np.mean(C([], "f2"))), ("mean of rows", lambda: np.mean(np.zeros((2, 0)), axis=1)), ("mean kept", lambda: np.mean(np.zeros((2, 0)), keepdims=True)),
    ("nanmean", lambda: np.nanmean([nan])), ("nanmean of nothing", lambda: np.nanmean([])), ("nanvar", lambda: np.nanvar([nan])), ("nanstd", lambda: np.nanstd([1.0], ddof=1)), ("nanmean where", lambda: np.nanmean([1.0, 2.0], where=[False, False])),
    ("mean of inf", lambda: np.mean([inf, -inf])), ("mean over", lambda: np.mean([1e308, 1e308])),
])
c = C([1 + 2j, 3 + 0j])
all_of([
    ("astype", lambda: c.astype("f8")), ("astype int", lambda: c.astype("i4")), ("astype bool", lambda: c.astype(bool)), ("astype complex", lambda: c.astype("c8")), ("asarray", lambda: np.asarray(c, dtype="f4")), ("array", lambda: np.array(c, dtype="u1")), ("sum", lambda: np.sum(c, dtype="f8")),
])
