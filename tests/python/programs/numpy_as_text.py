# Arrays as text by `array2string`, whatever they hold, by all options together.
arrays = {
    "ints": np.array([3, -12345, 7]), "bytes": np.arange(20, dtype=np.int8).reshape(4, 5), "bools": np.array([[True, False], [False, False]]),
    "floats": np.array([1.5, -0.0, np.nan, 1e10, np.inf, 1 / 3]), "small": np.array([[1e-10, 1.0], [2.0, -3.5]]),
    "single": np.array([0.1, 100000.0, -2.5], dtype=np.float32), "half": np.array([0.1, 6e4], dtype=np.float16),
    "complex": np.array([1 + 2j, 1 / 3 + 2j / 7, 2.0, complex("inf"), 1j, 0j, -1.5e10 - 1e-3j, complex("nan")]),
    "plain complex": np.array([[1 + 2j, 2.0], [0j, 1j]], dtype=np.complex64), "deep": np.arange(24).reshape(2, 3, 4) * 100,
    "long": np.arange(60) * 37 % 101, "number": np.array(0.1), "truth": np.array(True), "negative": np.array(-2), "empty": np.zeros((0, 3)),
}
options = [
    {}, {"separator": ", "}, {"separator": ","}, {"separator": ""}, {"prefix": "array("}, {"suffix": ")))"}, {"sign": "+"}, {"sign": " "},
    {"max_line_width": 20}, {"max_line_width": 40, "prefix": "x = ", "separator": ", ", "suffix": ";"}, {"precision": 2},
    {"precision": 3, "suppress_small": True, "sign": "+"}, {"threshold": 3, "edgeitems": 1}, {"threshold": 0, "edgeitems": 2, "separator": ", "},
    {"floatmode": "fixed", "precision": 4}, {"floatmode": "unique", "max_line_width": 30}, {"floatmode": "maxprec", "precision": 1, "sign": " "},
    {"formatter": {"all": lambda v: f"<{v.real:.1f}>"}}, {"formatter": {"int": hex}, "max_line_width": 30},
    {"formatter": {"all": lambda v: "a\nlong"}, "separator": ", ", "max_line_width": 20, "threshold": 5, "edgeitems": 2},
]
for name, array in arrays.items():
    for given in options:
        print(name, {k: v for k, v in given.items() if k != "formatter"})
        print(np.array2string(array, **given))
with np.printoptions(nanstr="NA", infstr="oo", linewidth=30, sign="+", precision=3):
    print(np.array2string(arrays["floats"], separator="; "))
    print(np.array2string(arrays["complex"], prefix="z = "))


def show_text(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)


for x in [123456.789, 1e-10, 0.0, -2.5, np.inf, np.nan, np.float32(0.1), 1e22, 5.0]:
    for given in [{}, {"unique": False}, {"unique": False, "precision": 3}, {"unique": False, "precision": 2, "fractional": False, "trim": "0"},
                  {"precision": 0, "fractional": False}, {"precision": 3, "fractional": False}, {"precision": 3, "trim": "-", "sign": True}]:
        show_text(lambda: np.format_float_positional(x, **given))
        if "fractional" not in given:
            show_text(lambda: np.format_float_scientific(x, **given))
    for trim in "k.0":
        show_text(lambda: np.format_float_scientific(x, precision=4, unique=False, trim=trim))
        show_text(lambda: np.format_float_scientific(x, precision=0, unique=False, trim=trim))

# Integers of arrays in other bases.
for x in [np.array([3, -12345]), np.array([-128, 127], dtype=np.int8), np.array([18446744073709551615, 0], dtype=np.uint64), np.array([-(2**63)])]:
    print([[f(v) for v in x] for f in (hex, oct, bin)], [f"{v:x} {v:#o}" for v in x])


class Below:
    def __index__(self):
        return -7


print(hex(Below()), oct(Below()), bin(Below()))
