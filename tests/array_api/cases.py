"""What the walk calls: for each function of the standard a few ways to call it, with arrays of NumPy as arguments.

A case is a function of a generator of random numbers that gives positional and named arguments.
"""

import numpy as np

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMERIC = INTEGERS + REALS + COMPLEX
ALL = ["bool"] + NUMERIC

# Elementwise functions by how many operands they take, and which types the standard gives them.
UNARY = {
    "abs": NUMERIC, "acos": REALS + COMPLEX, "acosh": REALS + COMPLEX, "asin": REALS + COMPLEX, "asinh": REALS + COMPLEX,
    "atan": REALS + COMPLEX, "atanh": REALS + COMPLEX, "bitwise_invert": ["bool"] + INTEGERS, "ceil": INTEGERS + REALS,
    "conj": NUMERIC, "cos": REALS + COMPLEX, "cosh": REALS + COMPLEX, "exp": REALS + COMPLEX, "expm1": REALS + COMPLEX,
    "floor": INTEGERS + REALS, "imag": COMPLEX, "isfinite": NUMERIC, "isinf": NUMERIC, "isnan": NUMERIC,
    "log": REALS + COMPLEX, "log10": REALS + COMPLEX, "log1p": REALS + COMPLEX, "log2": REALS + COMPLEX,
    "logical_not": ["bool"], "negative": [name for name in NUMERIC if name[0] != "u"], "positive": NUMERIC,
    "real": NUMERIC, "reciprocal": REALS + COMPLEX, "round": NUMERIC, "sign": NUMERIC, "signbit": REALS,
    "sin": REALS + COMPLEX, "sinh": REALS + COMPLEX, "sqrt": REALS + COMPLEX, "square": NUMERIC, "tan": REALS + COMPLEX,
    "tanh": REALS + COMPLEX, "trunc": INTEGERS + REALS,
}
BINARY = {
    "add": NUMERIC, "atan2": REALS, "bitwise_and": ["bool"] + INTEGERS, "bitwise_left_shift": INTEGERS,
    "bitwise_or": ["bool"] + INTEGERS, "bitwise_right_shift": INTEGERS, "bitwise_xor": ["bool"] + INTEGERS,
    "copysign": REALS, "divide": REALS + COMPLEX, "equal": ALL, "floor_divide": INTEGERS + REALS,
    "greater": INTEGERS + REALS, "greater_equal": INTEGERS + REALS, "hypot": REALS, "less": INTEGERS + REALS,
    "less_equal": INTEGERS + REALS, "logaddexp": REALS, "logical_and": ["bool"], "logical_or": ["bool"],
    "logical_xor": ["bool"], "maximum": INTEGERS + REALS, "minimum": INTEGERS + REALS, "multiply": NUMERIC,
    "nextafter": REALS, "not_equal": ALL, "pow": NUMERIC, "remainder": INTEGERS + REALS, "subtract": NUMERIC,
}
SIGNS = {
    "add": "+", "bitwise_and": "&", "bitwise_left_shift": "<<", "bitwise_or": "|", "bitwise_right_shift": ">>",
    "bitwise_xor": "^", "divide": "/", "equal": "==", "floor_divide": "//", "greater": ">", "greater_equal": ">=",
    "less": "<", "less_equal": "<=", "multiply": "*", "not_equal": "!=", "pow": "**", "remainder": "%", "subtract": "-",
}


class Type(str):
    """A type by its name, where an argument is one."""


def some(rng, dtype, shape, low=-5, high=6):
    """Small numbers of any type."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype[0] == "u":
        low = max(low, 0)
    numbers = rng.integers(low, high, shape)
    if dtype[0] in "iu":
        return np.asarray(numbers, dtype=dtype)
    made = numbers + rng.random(shape).round(3)
    if dtype[0] == "c":
        made = made + 1j * (rng.integers(low, high, shape) + rng.random(shape).round(3))
    return np.asarray(made, dtype=dtype)


def shape(rng, rank=None, least=0):
    rank = rng.integers(0, 4) if rank is None else rank
    return tuple(int(rng.integers(least, 5)) for _ in range(rank))


def pick(rng, options):
    return options[rng.integers(0, len(options))]


def array(rng, dtypes=ALL, rank=None, least=0):
    return some(rng, pick(rng, dtypes), shape(rng, rank, least))


def axis_of(rng, x):
    return int(rng.integers(-x.ndim, x.ndim))


def axes_of(rng, x):
    """An axis, several, or None."""
    if x.ndim == 0 or rng.random() < 0.3:
        return None
    if rng.random() < 0.6:
        return axis_of(rng, x)
    count = rng.integers(1, x.ndim + 1)
    return tuple(int(axis) for axis in rng.permutation(x.ndim)[:count])


def fold(dtypes, least=0, **names):
    def case(rng):
        x = array(rng, dtypes, least=least)
        named = {"axis": axes_of(rng, x), "keepdims": bool(rng.integers(0, 2))}
        return (x,), named | {name: value(rng, x) for name, value in names.items()}
    return case


def along(dtypes, least=0, **names):
    def case(rng):
        x = array(rng, dtypes, rank=int(rng.integers(1, 4)), least=least)
        return (x,), {"axis": axis_of(rng, x)} | {name: value(rng, x) for name, value in names.items()}
    return case


def arg_fold(rng):
    x = array(rng, INTEGERS + REALS, rank=int(rng.integers(1, 4)), least=1)
    axis = None if rng.random() < 0.3 else axis_of(rng, x)
    return (x,), {"axis": axis, "keepdims": bool(rng.integers(0, 2))}


def flag(rng, x):
    return bool(rng.integers(0, 2))


def matrices(dtypes=REALS + COMPLEX, square=True, kind="any"):
    def case(rng):
        m, n = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        sides = (m, m) if square else (m, n)
        a = some(rng, pick(rng, dtypes), shape(rng, int(rng.integers(0, 2)), 1) + sides)
        if kind == "own":
            a = a + np.conj(np.swapaxes(a, -1, -2))
        if kind == "positive":
            a = a @ np.conj(np.swapaxes(a, -1, -2)) + 3 * np.eye(sides[0], dtype=a.dtype)
        if kind == "regular":
            a = a + 20 * np.eye(sides[0], dtype=a.dtype)
        return (a,), {}
    return case


def with_names(case, **names):
    def more(rng):
        args, named = case(rng)
        return args, named | {name: value(rng, args[0]) for name, value in names.items()}
    return more


def solve(rng):
    (a,), _ = matrices(kind="regular")(rng)
    n = a.shape[-1]
    b = some(rng, str(a.dtype), (n,) if rng.random() < 0.4 else a.shape[:-1] + (2,))
    return (a, b), {}


def joined(rng):
    x = array(rng, rank=int(rng.integers(1, 3)), least=1)
    return ([x, x.copy(), x[:1]] if rng.random() < 0.3 else [x, x.copy()],), {"axis": 0}


def typed(rng):
    return Type(pick(rng, NUMERIC))


MOVES = {
    "broadcast_to": lambda rng: ((some(rng, "int32", (3, 1)), (2, 3, 4)), {}),
    "broadcast_arrays": lambda rng: ((some(rng, "int32", (3, 1)), some(rng, "float32", (2, 1, 4))), {}),
    "broadcast_shapes": lambda rng: (((3, 1), (2, 1, 4)), {}),
    "concat": joined,
    "expand_dims": lambda rng: ((array(rng, rank=2),), {"axis": pick(rng, [0, 1, 2, -1, -3, (0, 2), (-1, 0)])}),
    "flip": lambda rng: ((x := array(rng),), {"axis": axes_of(rng, x)}),
    "moveaxis": lambda rng: ((array(rng, rank=3), pick(rng, [0, 1, -1, (0, 1), (2, 0)]), (0, 2)), {}),
    "permute_dims": lambda rng: ((x := array(rng), tuple(int(at) for at in rng.permutation(x.ndim))), {}),
    "repeat": lambda rng: ((x := array(rng, rank=2), 2), {"axis": pick(rng, [None, 0, 1, -1])}),
    "reshape": lambda rng: ((some(rng, pick(rng, ALL), (2, 6)), pick(rng, [(3, 4), (-1,), (12, 1), (2, -1)])), {"copy": pick(rng, [None, True])}),
    "roll": lambda rng: ((x := array(rng, rank=2), pick(rng, [1, -1, 5])), {"axis": pick(rng, [None, 0, 1])}),
    "squeeze": lambda rng: ((some(rng, pick(rng, ALL), (1, 3, 1)), pick(rng, [0, 2, (0, 2), -1])), {}),
    "stack": lambda rng: (([x := array(rng, rank=2), x.copy()],), {"axis": pick(rng, [0, 1, 2, -1])}),
    "tile": lambda rng: ((array(rng, rank=2), pick(rng, [(2,), (1, 2), (2, 1, 2)])), {}),
    "unstack": lambda rng: ((array(rng, rank=2, least=1),), {"axis": pick(rng, [0, 1, -1])}),
}
MAKERS = {
    "arange": lambda rng: (pick(rng, [(5,), (1, 7), (2.5,), (1, 9, 3), (5, -2, -2)]), {"dtype": pick(rng, [None, Type("float32"), Type("int32")])}),
    "asarray": lambda rng: (pick(rng, [([1, 2],), (2.5,), ([[True, False]],), (array(rng),), ([1j, 2],)]), {"copy": pick(rng, [None, True])}),
    "empty": lambda rng: ((shape(rng),), {"dtype": typed(rng)}),
    "empty_like": lambda rng: ((array(rng),), {"dtype": typed(rng)}),
    "eye": lambda rng: ((3,), {"n_cols": pick(rng, [None, 4, 2]), "k": pick(rng, [0, 1, -2]), "dtype": typed(rng)}),
    "from_dlpack": lambda rng: ((array(rng),), {}),
    "full": lambda rng: ((shape(rng), pick(rng, [3, 2.5, True, 1j])), {"dtype": None}),
    "full_like": lambda rng: ((array(rng, NUMERIC), 3), {"dtype": pick(rng, [None, Type("float64"), Type("complex64")])}),
    "linspace": lambda rng: (pick(rng, [(0, 5, 6), (0.5, -2.0, 3), (1, 2, 1), (1, 2, 0), (0, 1j, 3)]), {"endpoint": flag(rng, 0), "dtype": pick(rng, [None, Type("complex64")])}),
    "meshgrid": lambda rng: ((some(rng, "int32", (3,)), some(rng, "int32", (2,))), {"indexing": pick(rng, ["xy", "ij"])}),
    "ones": lambda rng: ((shape(rng),), {"dtype": pick(rng, [None, typed(rng)])}),
    "ones_like": lambda rng: ((array(rng),), {"dtype": pick(rng, [None, typed(rng)])}),
    "tril": lambda rng: ((array(rng, rank=int(rng.integers(2, 4))),), {"k": int(rng.integers(-2, 3))}),
    "triu": lambda rng: ((array(rng, rank=int(rng.integers(2, 4))),), {"k": int(rng.integers(-2, 3))}),
    "zeros": lambda rng: ((shape(rng),), {"dtype": pick(rng, [None, typed(rng)])}),
    "zeros_like": lambda rng: ((array(rng),), {"dtype": pick(rng, [None, typed(rng)])}),
}
SEARCHES = {
    "argmax": arg_fold, "argmin": arg_fold, "argsort": along(INTEGERS + REALS, stable=lambda rng, x: True),
    "count_nonzero": fold(ALL), "nonzero": lambda rng: ((array(rng, rank=int(rng.integers(1, 4))),), {}),
    "searchsorted": lambda rng: ((np.sort(some(rng, "float64", (5,))), some(rng, "float64", (2, 3))), {"side": pick(rng, ["left", "right"])}),
    "sort": along(INTEGERS + REALS, descending=flag), "where": lambda rng: ((some(rng, "bool", (2, 3)), some(rng, "int32", (3,)), some(rng, "int64", (2, 1))), {}),
    "take": lambda rng: ((x := array(rng, rank=2, least=3), np.array(pick(rng, [[0, 2], [1], [-1, 0, 1]]))), {"axis": pick(rng, [0, 1, -1])}),
    "take_along_axis": lambda rng: ((some(rng, pick(rng, ALL), (3, 4)), rng.integers(0, 3, (3, 2))), {"axis": pick(rng, [1, -1])}),
    "isin": lambda rng: ((some(rng, "int32", (3, 2)), some(rng, "int32", (4,))), {"invert": flag(rng, 0)}),
    "unique_values": lambda rng: ((array(rng, INTEGERS + REALS),), {}), "unique_counts": lambda rng: ((array(rng, INTEGERS + REALS),), {}),
    "unique_inverse": lambda rng: ((array(rng, INTEGERS + REALS),), {}), "unique_all": lambda rng: ((array(rng, INTEGERS + REALS),), {}),
}
FOLDS = {
    "all": fold(ALL), "any": fold(ALL), "max": fold(INTEGERS + REALS, 1), "min": fold(INTEGERS + REALS, 1),
    "mean": fold(REALS + COMPLEX, 1), "prod": fold(NUMERIC), "sum": fold(NUMERIC),
    "std": fold(REALS, 1, correction=lambda rng, x: pick(rng, [0, 0.0, 0.5])), "var": fold(REALS, 1, correction=lambda rng, x: pick(rng, [0, 0.0, 0.5])),
    "cumulative_sum": along(NUMERIC, include_initial=flag), "cumulative_prod": along(NUMERIC, include_initial=flag),
    "diff": along(NUMERIC, 2, n=lambda rng, x: pick(rng, [0, 1])),
}
TYPES = {
    "astype": lambda rng: ((array(rng, ["bool"] + INTEGERS + REALS), Type(pick(rng, ["int16", "float32", "float64", "complex64", "int64"]))), {}),
    "can_cast": lambda rng: ((Type(pick(rng, ALL)), Type(pick(rng, ALL))), {}),
    "isdtype": lambda rng: ((Type(pick(rng, ALL)), pick(rng, ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", ("bool", "integral")])), {}),
    "clip": lambda rng: ((array(rng, REALS),), {"min": pick(rng, [None, -1.5, 0]), "max": pick(rng, [None, 2.5])}),
}
LINALG = {
    "cholesky": with_names(matrices(kind="positive"), upper=flag), "det": matrices(), "inv": matrices(kind="regular"), "slogdet": matrices(kind="regular"),
    "cross": lambda rng: ((some(rng, "float64", (2, 3)), some(rng, "float64", (2, 3))), {"axis": -1}),
    "diagonal": lambda rng: ((array(rng, rank=3),), {"offset": pick(rng, [0, 1, -1])}),
    "trace": lambda rng: ((array(rng, NUMERIC, rank=3),), {"offset": pick(rng, [0, 1])}),
    "eig": matrices(), "eigvals": matrices(), "eigh": matrices(kind="own"), "eigvalsh": matrices(kind="own"), "qr": with_names(matrices(square=False), mode=lambda rng, x: pick(rng, ["reduced", "complete"])),
    "svd": with_names(matrices(square=False), full_matrices=flag), "svdvals": matrices(square=False),
    "matmul": lambda rng: ((some(rng, t := pick(rng, NUMERIC), (2, 3)), some(rng, t, (3, 4))), {}),
    "matrix_norm": with_names(matrices(square=False), ord=lambda rng, x: pick(rng, ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]), keepdims=flag),
    "matrix_power": lambda rng: (matrices(kind="regular")(rng)[0] + (pick(rng, [0, 1, 3, -2]),), {}),
    "matrix_rank": matrices(square=False), "matrix_transpose": lambda rng: ((array(rng, rank=3),), {}),
    "outer": lambda rng: ((some(rng, "int32", (3,)), some(rng, "int64", (2,))), {}),
    "pinv": matrices(square=False), "solve": solve,
    "tensordot": lambda rng: ((some(rng, "float64", (2, 3, 4)), some(rng, "float64", (4, 3, 2))), {"axes": pick(rng, [0, 1, ((1, 2), (1, 0))])}),
    "vecdot": lambda rng: ((some(rng, t := pick(rng, REALS + COMPLEX), (2, 3)), some(rng, t, (2, 3))), {"axis": -1}),
    "vector_norm": lambda rng: ((x := array(rng, REALS + COMPLEX, least=1),), {"axis": axes_of(rng, x), "ord": pick(rng, [2, 1, 0, np.inf, -np.inf, 3]), "keepdims": flag(rng, 0)}),
}


def transform(dtypes):
    def case(rng):
        x = array(rng, dtypes, rank=int(rng.integers(1, 3)), least=2)
        return (x,), {"axis": axis_of(rng, x), "norm": pick(rng, ["backward", "ortho", "forward"]), "n": pick(rng, [None, 3, 6])}
    return case


def transforms(dtypes):
    def case(rng):
        x = array(rng, dtypes, rank=2, least=2)
        return (x,), {"axes": pick(rng, [(0, 1), (1,), (-1, 0)]), "norm": pick(rng, ["backward", "ortho", "forward"])}
    return case


FFT = {
    "fft": transform(COMPLEX), "ifft": transform(COMPLEX), "rfft": transform(REALS), "irfft": transform(COMPLEX),
    "hfft": transform(COMPLEX), "ihfft": transform(REALS), "fftn": transforms(COMPLEX), "ifftn": transforms(COMPLEX),
    "rfftn": transforms(REALS), "irfftn": transforms(COMPLEX), "fftfreq": lambda rng: ((5,), {"d": pick(rng, [1.0, 0.5])}),
    "rfftfreq": lambda rng: ((6,), {"d": pick(rng, [1.0, 0.5])}),
    "fftshift": lambda rng: ((x := array(rng, COMPLEX, least=1, rank=2),), {"axes": pick(rng, [None, 0, (0, 1)])}),
    "ifftshift": lambda rng: ((x := array(rng, COMPLEX, least=1, rank=2),), {"axes": pick(rng, [None, 0, (0, 1)])}),
}


def operands(dtypes, count):
    def case(rng):
        first = pick(rng, dtypes)
        second = pick(rng, dtypes)
        sides = [(3,), (2, 1), (2, 3), (), (0, 3), (1,)]
        low, high = (0, 4)
        return tuple(some(rng, name, pick(rng, sides), low, high) for name in (first, second)[:count]), {}
    return case


MAIN = MOVES | MAKERS | SEARCHES | FOLDS | TYPES
MAIN |= {name: LINALG[name] for name in ("matmul", "matrix_transpose", "tensordot", "vecdot")}
MAIN |= {name: operands(dtypes, 1) for name, dtypes in UNARY.items()}
MAIN |= {name: operands(dtypes, 2) for name, dtypes in BINARY.items()}
