# Numbers and arrays as text.
for n in (0, 1, 5, -7, 255, -128):
    for b in (2, 3, 8, 16, 36):
        show(lambda: np.base_repr(n, b))
    show(lambda: np.base_repr(n, 2, 3))
    show(lambda: np.binary_repr(n))
    show(lambda: np.binary_repr(n, 8))
    show(lambda: np.binary_repr(n, 10))
    show(lambda: np.binary_repr(n, 3))
show(lambda: np.base_repr(5, 40))
show(lambda: np.base_repr(5, 1))
for x in (
    1.0,
    0.1,
    -2.5,
    1e-5,
    123456.789,
    1e20,
    1.5e-10,
    0.0,
    -0.0,
    np.nan,
    np.inf,
    -np.inf,
    1 / 3,
    16777216.0,
    3.14159265,
):
    for k in (
        dict(),
        dict(precision=3),
        dict(precision=3, unique=False),
        dict(trim="-"),
        dict(trim="0"),
        dict(trim="."),
        dict(sign=True),
        dict(precision=2, trim="0"),
        dict(min_digits=4),
    ):
        show(lambda: "P " + np.format_float_positional(x, **k))
        show(lambda: "S " + np.format_float_scientific(x, **k))
    show(lambda: "|" + np.format_float_positional(x, pad_left=9, pad_right=20) + "|")
    show(lambda: np.format_float_positional(x, precision=4, fractional=False))
    show(lambda: np.format_float_scientific(x, exp_digits=4))
a = np.arange(6).reshape(2, 3)
f = np.array([1.23456, -2.5, 100.0, 0.001])
with np.printoptions(precision=2):
    print(f)
print(f)
show(lambda: np.array_repr(f, precision=2))
show(lambda: np.array_str(f, precision=2))
show(lambda: np.array_str(f * 1e-5, suppress_small=True, precision=4))
for s in (" ", ", ", ",", "; ", " | "):
    show(lambda: np.array2string(a, separator=s))
    show(lambda: np.array2string(f, separator=s))
    show(lambda: np.array2string(np.arange(40), separator=s))
    show(lambda: np.array2string(np.arange(2000), separator=s))
    show(lambda: np.array2string(np.arange(24.0).reshape(2, 3, 4), separator=s))
    show(lambda: np.array2string(np.arange(40) / 7, separator=s, max_line_width=40))
    show(lambda: np.array2string(np.arange(4000).reshape(40, 100), separator=s, threshold=10, edgeitems=2))
show(lambda: np.array2string(f, precision=2))
show(lambda: np.array2string(f, formatter={"float_kind": lambda x: "%.1f" % x}))
show(lambda: np.array2string(a, formatter={"all": lambda x: "<%d>" % x}))
show(lambda: np.array2string(a, prefix="array(", separator=", "))
show(lambda: np.array2string(np.array([True, False])))
show(lambda: np.array2string(np.array(3.5)))
show(lambda: np.array2string(np.array([])))
show(lambda: np.array2string(f, sign="+"))
show(lambda: np.array2string(f, sign=" "))
show(lambda: np.array2string(np.array([1e10, 1e-5])))
show(lambda: np.array2string(np.array([1.0, np.nan, np.inf])))
