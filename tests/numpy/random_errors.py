#!/usr/bin/env python3
"""Random calls in NumPy and in genesis-repl: what they warn of, and what they say of odd arguments.

    pip install numpy==2.4.6
    python tests/numpy/random_errors.py --binary target/release/genesis-repl --count 4000 --seed 1

Half of the cases (`--kind floats`) are operations on special values (zeros, infinities, NaN, the largest, the least) of
arrays, scalars and Python's numbers under NumPy's own `errstate`: their warnings are compared word by word and in their
order, and what they give. The other half (`--kind breadth`) are functions of the main namespace and methods with arguments
of kinds that they were not made for: what they give, or the error's kind and words. Deliberate differences are in
`reason`, and are counted.
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

import numpy as np

FRAME = r'''
import warnings
import numpy as np
def _text(v, depth=0):
    if isinstance(v, np.ndarray) or (isinstance(v, np.generic) and not isinstance(v, (str, bytes))):
        a = np.asarray(v)
        if a.dtype.kind not in "biufc":
            return "kind " + a.dtype.kind
        flat = [_number(x, 5) for x in a.reshape(-1).tolist()][:40]
        return f"{a.dtype} {tuple(int(n) for n in a.shape)} {' '.join(flat)}"
    if isinstance(v, (tuple, list)) and depth < 3:
        return type(v).__name__ + "(" + ", ".join([_text(x, depth + 1) for x in v]) + ")"
    if isinstance(v, (bool, int)) or v is None or v is NotImplemented:
        return repr(v)
    if isinstance(v, (float, complex)):
        return type(v).__name__ + " " + _number(v, 5)
    if isinstance(v, str):
        return repr(v)
    kind = type(v).__name__
    return f"dtype {np.dtype(v)}" if kind.lower().endswith("dtype") or v in (np.float64, np.float32, np.float16, np.complex128, np.complex64) else kind
def _number(x, digits):
    if isinstance(x, complex):
        return f"({_number(x.real, digits)},{_number(x.imag, digits)})"
    if isinstance(x, bool) or isinstance(x, int):
        return str(x)
    if x != x:
        return "nan"
    if abs(x) < 1e-12 and abs(x) > 1e-290:
        return "tiny"
    return f"{x + 0.0:.{digits}g}" if x else "0"
def _case(f, words):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with np.errstate(all="ignore") if not words else np.errstate(divide="warn", over="warn", invalid="warn", under="ignore"):
            try:
                said = _text(f())
            except Exception as error:
                kind = {"UFuncTypeError": "TypeError", "_UFuncInputCastingError": "TypeError"}.get(type(error).__name__, type(error).__name__)
                said = f"{kind}: {error}".strip()
    told = [f"{w.category.__name__}: {w.message}" for w in found]
    print(said, told)
'''

# Types that meet in one case: where an integer meets a narrower float, the result's type is another one by intention.
FAMILIES = [["float64", "float64", "float64", "int64", "int32", "bool", "complex128"], ["float32", "float32", "complex64"], ["float16"],
            ["float64", "float32", "float16", "complex128", "complex64"], ["float64", "int64", "int8", "uint8"]]
SPECIAL = {
    "f": ["0.0", "-0.0", "1.0", "-1.0", "2.5", "-2.5", "inf", "-inf", "nan", "BIG", "-BIG", "TINY", "3.0", "0.5", "1000.0", "-1000.0"],
    "i": ["0", "1", "-1", "2", "3", "100", "-100", "7"],
    "u": ["0", "1", "2", "3", "100", "200", "7"],
    "b": ["True", "False"],
    "c": ["0j", "1 + 2j", "complex(inf, 0)", "complex(nan, 1)", "-1 + 0j", "complex(1, inf)", "BIG * (1 + 1j)", "2 - 3j"],
}
BIG = {"float64": "1.5e308", "float32": "3e38", "float16": "6e4", "complex128": "1.5e308", "complex64": "3e38"}
TINY = {"float64": "1e-300", "float32": "1e-37", "float16": "6.2e-5"}
UNARY = """negative absolute fabs rint sign conj exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin cos tan arcsin arccos
arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg isnan isinf isfinite signbit spacing modf frexp floor ceil trunc positive
logical_not nan_to_num angle real imag sinc i0 degrees radians""".split()
BINARY = """add subtract multiply divide floor_divide remainder fmod divmod power float_power hypot arctan2 logaddexp logaddexp2 maximum
minimum fmax fmin copysign nextafter heaviside less greater_equal equal not_equal logical_and logical_xor""".split()
FOLDS = """sum prod mean var std max min ptp median cumsum cumprod nansum nanprod nanmean nanvar nanstd nanmax nanmin nanmedian argmax
nanargmax nanargmin average any all diff ediff1d gradient nancumsum nancumprod sort unique cumulative_sum cumulative_prod trapezoid count_nonzero
linalg.norm fft.fft fft.rfft linalg.det linalg.inv linalg.eigvals cov corrcoef flip unwrap histogram""".split()
PAIRS = """dot vdot inner outer matmul cross kron convolve correlate interp tensordot polyval trapezoid isclose allclose array_equal linalg.solve
searchsorted digitize average union1d setdiff1d isin append where polymul polydiv vecdot matvec percentile quantile nanpercentile nanquantile
linspace logspace geomspace full round clip histogram""".split()
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "==", ">="]


class Floats:
    """Operations on special values."""

    def __init__(self, dice):
        self.dice = dice

    def element(self, dtype):
        text = self.dice.choice(SPECIAL[np.dtype(dtype).kind])
        text = text.replace("BIG", BIG.get(dtype, "")).replace("TINY", TINY.get(dtype, ""))
        text = re.sub(r"-?\b1000\.0", "100.0", text) if dtype == "float16" else text
        return re.sub(r"\b(inf|nan)\b", r"np.\1", text)

    def array(self, dtype=None, shape=None):
        dice = self.dice
        dtype = dtype or dice.choice(self.types)
        if shape is None:
            shape = dice.choice([(), (1,), (2,), (3,), (3,), (2, 2), (0,), (2, 1), (1, 3), (17,)])
        count = int(np.prod(shape))
        text = f"np.array([{', '.join(self.element(dtype) for _ in range(count))}], dtype='{dtype}').reshape({shape})"
        way = dice.random()
        if way < 0.08 and shape:
            return text + "[::-1]"
        if way < 0.14:
            return text + ".T"
        return text

    def scalar(self):
        dtype = self.dice.choice(self.types)
        name = {"bool": "bool_"}.get(dtype, dtype)
        return f"np.{name}({self.element(dtype)})"

    def number(self):
        return self.element(self.dice.choice(["float64", "float64", "int64", "complex128", "bool"]))

    def operand(self, numbers=True):
        way = self.dice.random()
        if way < 0.6 or not numbers and way > 0.85:
            return self.array()
        return self.scalar() if way < 0.85 else f"({self.number()})"

    def case(self):
        dice = self.dice
        self.types = dice.choice(FAMILIES)
        way = dice.random()
        if way < 0.3:
            a, b = self.operand(numbers=False), self.operand()
            if dice.random() < 0.5:
                a, b = b, a
            return f"{a} {dice.choice(OPERATORS)} {b}"
        if way < 0.45:
            more = dice.choice([", dtype='float32'", ", dtype='float64'", ", dtype='complex64'"]) if dice.random() < 0.05 else ""
            # Of narrow integers these are float16 in NumPy.
            self.types = [name for name in dice.choice(FAMILIES[:4]) if name != "bool"]
            return f"np.{dice.choice(UNARY)}({self.operand()}{more})"
        if way < 0.6:
            self.types = dice.choice(FAMILIES[1:4] + [["float64", "int64", "complex128"]])
            return f"np.{dice.choice(BINARY)}({self.operand()}, {self.operand()})"
        if way < 0.8:
            name, more = dice.choice(FOLDS), ""
            x = self.array()
            if "." not in name and dice.random() < 0.25 and name not in ("unique", "ediff1d", "cov", "corrcoef", "histogram"):
                more = f", axis={dice.choice(['0', '1', '-1', 'None'])}"
            if name in ("var", "std", "nanvar", "nanstd") and dice.random() < 0.4:
                more += f", ddof={dice.choice(['1', '2', '3'])}"
            if name in ("sum", "prod", "mean", "cumsum", "var") and dice.random() < 0.15:
                more += f", dtype='{dice.choice(['float32', 'float16', 'float64', 'int64', 'complex64'])}'"
            if not more and hasattr(np.ndarray, name) and dice.random() < 0.4:
                return f"{x}.{name}()"
            return f"np.{name}({x}{more})"
        if way < 0.9:
            return f"np.{dice.choice(PAIRS)}({self.operand()}, {self.operand()})"
        if way < 0.94:
            return f"{self.operand(numbers=False)}.astype('{dice.choice(self.types)}')"
        if way < 0.97:
            name = dice.choice(["add", "multiply", "maximum", "logaddexp", "subtract", "divide", "power"])
            return f"np.{name}.{dice.choice(['reduce', 'accumulate', 'outer'])}({self.array()}" + ")"
        return f"np.{dice.choice(['array', 'asarray', 'full_like', 'clip', 'where'])}({self.operand()}, {self.operand()}, {self.operand()})"


ODD = ["3", "-1", "2.5", "True", "None", "1j", "'a'", "[]", "[1, 2, 3]", "[[1, 2], [3, 4]]", "(1, 2)", "[1.5, np.nan]", "[[]]",
       "[[1], [2, 3]]", "np.arange(6)", "np.arange(6).reshape(2, 3)", "np.arange(24.0).reshape(2, 3, 4)", "np.zeros(0)", "np.zeros((0, 3))",
       "np.array(5)", "np.float64(2.5)", "np.int8(3)", "np.array([True, False, True])", "np.array([1 + 2j, 3 - 1j])",
       "np.array([3, 1, 2], dtype=np.uint8)", "np.ones((3, 3), dtype=np.float32)", "range(4)", "slice(2)",
       "np.float16([1, 2])", "np.uint64(7)", "2**63", "-2**63", "1e400", "np.array([[5, 6], [7, 8]], dtype=np.int8).T",
       "np.eye(2)", "np.bool_(True)", "(2, 3)", "0", "1", "-2", "[0, 1]", "[True, False]", "'float32'"]
SKIPPED = set("""abs_ add_docstring add_newdoc array2string array_repr array_str asmatrix bmat busday_count busday_offset busdaycalendar
bytes_ char character clongdouble complex256 core ctypeslib datetime64 datetime_as_string datetime_data deprecate diag_indices dtype dtypes emath empty
empty_like errstate exceptions f2py finfo flexible float128 format_float_positional format_float_scientific frombuffer fromfile fromfunction
fromiter frompyfunc fromregex fromstring from_dlpack genfromtxt get_include get_printoptions getbufsize geterr geterrcall iinfo info is_busday isnat
lib linalg load loadtxt longdouble ma matrix may_share_memory memmap mintypecode nditer nested_iters ndenumerate ndindex object_ poly1d polynomial printoptions
put putmask rec recarray record random save savetxt savez savez_compressed sctypeDict set_printoptions setbufsize seterr seterrcall shares_memory
show_config show_runtime str_ strings test testing timedelta64 typecodes typename typing ufunc vectorize void ScalarType copyto place fill_diagonal put_along_axis
generic number integer inexact floating signedinteger unsignedinteger complexfloating ndarray flatiter broadcast piecewise apply_along_axis apply_over_axes
i0 fft histogramdd histogram2d einsum einsum_path block asanyarray ascontiguousarray asfortranarray require isfortran iterable
busday size_t euler_gamma set_default_dtype source who lookfor bitwise_count little_endian array_split""".split())


def functions():
    """The main namespace's functions that arrays of numbers are given to."""
    for name in sorted(set(dir(np))):
        value = getattr(np, name)
        if not name.startswith("_") and callable(value) and name not in SKIPPED and not isinstance(value, type):
            yield name


NAMES = list(functions())
METHODS = [name for name in sorted(dir(np.ndarray)) if not name.startswith("_") and callable(getattr(np.ndarray, name)) and name not in
           """byteswap getfield setfield dump dumps tofile tobytes tolist setflags newbyteorder resize put fill view to_device partition
           sort itemset""".split()]
KEYWORDS = {"axis": ["0", "1", "-1", "2", "None", "(0, 1)", "(0, 0)", "1.0", "'x'", "True"], "keepdims": ["True", "False", "1"],
            "dtype": ["'float32'", "int", "'i1'", "bool", "complex", "'nonsense'", "None", "3"], "out": ["None", "np.zeros(3)", "3"],
            "ddof": ["1", "0.5"], "k": ["1", "-1", "1.5"], "n": ["1", "2", "0", "-1"], "kind": ["'stable'", "'x'"], "order": ["'C'", "'F'", "'x'"],
            "where": ["True", "False", "[True, False, True]"], "decimals": ["1", "-1", "1.5"], "side": ["'left'", "'right'", "'up'"],
            "mode": ["'wrap'", "'clip'", "'full'", "'same'", "'edge'"], "initial": ["0", "1.5", "None"], "bins": ["3", "[0, 1, 2]", "'auto'"],
            "casting": ["'safe'", "'unsafe'", "'x'"], "offset": ["1", "-1"], "method": ["'linear'", "'lower'", "'x'"], "weights": ["[1, 2, 3]"]}


class Breadth:
    """Functions and methods with arguments of odd kinds."""

    def __init__(self, dice):
        self.dice = dice

    def case(self):
        dice = self.dice
        if dice.random() < 0.2:
            name = dice.choice(METHODS)
            receiver = dice.choice([x for x in ODD if x.startswith("np.") and x not in ("np.newaxis",)])
            count = dice.choices([0, 1, 2], [5, 4, 1])[0]
            start = f"({receiver}).{name}"
        else:
            name = dice.choice(NAMES)
            count = getattr(getattr(np, name), "nin", 0) or dice.choices([0, 1, 2, 3], [1, 8, 6, 2])[0]
            start = f"np.{name}"
        arguments = [dice.choice(ODD) for _ in range(count)]
        if dice.random() < 0.2:
            keyword = dice.choice(list(KEYWORDS))
            arguments.append(f"{keyword}={dice.choice(KEYWORDS[keyword])}")
        return f"{start}({', '.join(arguments)})"


# What is otherwise by intention: a pattern of `case ⇒ NumPy | here`, and why.
INTENDED = {
    r"\| (! )?ZeroDivisionError: integer division": "integers divided by zero are an error",
    r"\| TypeError: expected numbers, found|⇒ kind [OUSV]|kind [OUS]\b": "texts and objects are no elements of tensors",
    r"float16 .* \| (list\(|tuple\()?float(64|32) ": "narrow integers and bools become the default float in functions of floats",
    r"dtype\('O'\)|<class 'numpy.dtypes|UFuncNoLoop": "types of elements are values",
    r"^np\.(real|imag|conj|conjugate)\(": "a Python number becomes an array, and bools stay bools",
    r"clip\(\) missing|tile\(\) missing|\b(unstack|flatten)\(.*⇒ (Type|Attribute)Error|\bsinc\(.*⇒ TypeError|diagflat\(.*⇒ TypeError|\b(a?max|a?min|std|var)\(.*⇒ TypeError": "both vocabularies: `clip(x, min)`, `max(x, other)`, several axes",
    r"^np\.poly(der|int|add|sub|mul|div|val)?\(.*(⇒ TypeError|\| (Value|ZeroDivision)Error)": "a polynomial's coefficients have one axis, and a number is one of degree 0",
    r"in (rad2deg|deg2rad)'": "`rad2deg` is another name of `degrees`",
    r"Cannot construct a dtype from an array|^np\.issubdtype\(np\.array|^np\.(zeros|ones|empty)\(.*, np\.(array\(|bool_|float|u?int)\S*\) ⇒ [^|]*\| TypeError": "an array is no type, also where it has one element",
    r"expected a sequence of integers or a single integer": "a bool is an integer where a length is asked for, as in Python",
    r"(Deprecation|User)Warning": "NumPy warns of what will go, and of memory that nobody has filled",
}
# What is left after all other reasons, each with the form of the difference.
LEFT = {
    r"\b(nan)?(sum|mean|average|var|std|unwrap|add\.reduce)\(.*(3e38|1\.5e308|6e4).*⇒ (float\d+|complex\d+) .*\| (\4|float\d+) |(3e38|1\.5e308|6e4).*\.(sum|mean|var|std)\(.*⇒ (float\d+) .*\| \8 ": "the largest numbers cancel, or overflow, by the order of a sum's parts",
    r"^np\.(nan)?(prod|multiply\.reduce)\(.*(3e38|1\.5e308).*⇒ float\d+ .*\| float|(3e38|1\.5e308).*\.prod\(\) ⇒ float": "a product overflows, or meets zero first, by the order of its parts",
    r"\b(nan)?(cumprod|cumulative_prod|(multiply|logaddexp)\.accumulate)\(.*float(16|32).*(inf|nan)|float(16|32).*\.cumprod\(.*inf": "running products of narrow floats gather in wider types",
    r"^np\.power\.reduce\(": "NumPy's vectors keep the last power alone of `power.reduce`: for -1, 0, 1 -1 ** 1",
    r"^np\.sign\(.*(3e38|1\.5e308) \* \(1 \+ 1j\).*⇒ complex\d+ .*\(0,1\)": "the direction of a complex number whose size overflows is right here",
    r"^np\.(isclose|allclose)\(.*(3e38|1\.5e308).*⇒ ((bool .*)?True|OverflowError: absolute).* \| (bool .*)?(True|False)": "a bound that overflows makes all close in NumPy",
    r"^np\.(sin|cos|tan|exp|log|sqrt|arc\w+|sinh|cosh|tanh|\w+)\(.*(u?int8|bool).*out=np\.zeros.*⇒ float64.*\| float64": "of narrow integers NumPy computes float16, and puts it into `out`",
    r"^np\.(mean|var|std)\(.*dtype=('int64'|'i1'|int).*⇒ int": "means in whole numbers: what infinities, and means between whole numbers, are cut to",
    r"^np\.absolute\(.*complex.*dtype='float\d+'.*\| TypeError": "`dtype` is the type that `absolute` takes, and not only the one that it gives",
    r"^np\.(geomspace|union1d|heaviside)\(.*RuntimeWarning.*\| float\d+ .*\[\]$": "what a Python number becomes is told where it is computed with",
    r"^np\.(hamming|hanning|blackman|bartlett|kaiser)\(1j.*\| TypeError: (float\(\)|must be real)": "a window's length is a real number",
    r"\b(reshape|transpose)\((.*, )?(-2(\*\*63)?|None)\).*\| (ValueError|TypeError|AxisError)": "only -1 stands for a length that is to be found",
    r"repeat\(.*-(1|2|2\*\*63)\b.*\| ValueError: negative": "a count below zero is wrong for nothing, too, and one beyond all memory does not overflow",
    r"^np\.average\(.*(\[\]|zeros\().*⇒ ZeroDivisionError: division by zero": "no axes are named, and nothing is there to divide by",
    r"^np\.(nan)?(percentile|quantile)\(.*, .*, (out=None|np\.zeros).*\| ValueError: The truth value|np\.nanpercentile\(.*np\.zeros\(.*\| ValueError: The truth value": "an axis is an integer, and no empty array",
    r"^np\.nan(quantile|percentile)\(.*\dj.*\| TypeError: q must be an array of real numbers": "a part of a whole is a real number, also where all is NaN",
    r"^np\.(broadcast_to|ones|zeros)\(.*, .*⇒ .*\| \w+ \(": "both vocabularies: lengths one by one",
    r"^np\.copy\(.*⇒ ValueError: The truth value|\.(all|any)\(dtype=(bool|None)\)": "flags that say nothing here are not looked at",
    r"^np\.(result_type|can_cast)\(.*\[\]": "types of records are none of tensors",
    r"^np\.lexsort\('": "texts and objects are no elements of tensors",
    r"^np\.nan_to_num\(.*⇒ ValueError: could not broadcast input array": "an array without axes meets one for its NaN",
    r"\bdot\((np\.array\(5\), )?\[\]\).*⇒ int64|^np\.(inner|dot)\((-?\d+|True|-?2\*\*63), \[(\[\])?\]\).*⇒ int64": "a list of nothing is one of floats",
    r"^np\.ldexp\(.*2\*\*63.*⇒ OverflowError": "a Python integer beyond an integer type is compared by its value, and scaled by",
    r"^np\.gradient\(.*(\[\[1\], \[2, 3\]\]|1j).*": "distances along no axis are not looked at, and complex ones divide",
    r"^np\.diagflat\(.*uint64.*⇒ IndexError": "int64 and uint64 meet in float64, also in places",
    r"^np\.arange\(.*uint64.*⇒ ValueError": "int64 and uint64 meet in float64, also in `arange`",
    r"^np\.polyint\((np\.\w+\()?[\d.]+\)?, 0\)": "a polynomial's coefficients have one axis, and a number is one of degree 0",
    r"^np\.(nan)?(quantile|percentile|median)\(.*(\[\]|zeros\().*\| IndexError: index -1|^np\.median\(.*np\.zeros\(.*⇒ ValueError: cannot reshape": "no quantiles are asked for, or no axes, and none given",
    r"^np\.nanmedian\(.*(1\.5e308|3e38|6e4).*⇒ float.*overflow": "the mean of one number is that number, also where its double is infinite",
    r"^np\.(pad|trim_zeros|triu_indices|base_repr|indices|vsplit|where|full)\(.*(None|2\*\*63|0\)|\[\]|uint8).*": "what nothing is done with is not looked at, and counts are told by their own errors",
    r"\| ValueError: non-broadcastable output operand|out=np\.zeros\(3\)|^np\.dot\(.*, .*, np\.float16\(\[|\.(any|all)\(None, np\.bool_": "`out` has the result's shape, and is an array",
    r"^np\.nan_to_num\(.*⇒ ValueError: Unable to avoid copy": "a list is copied, whatever `copy` says",
    r"^np\.unravel_index\(\[\[\]\]": "a list of nothing is one of floats",
    r"^np\.roots\(.*nan": "a root of one coefficient is its quotient, NaN where one is",
    r"^np\.(divmod|polydiv)\(.*(1\.5e308|3e38|1e-37|1e-300)": "of a quotient that overflows NumPy tells the remainder's error, too",
    r"^np\.reshape\(.*None": "only -1 stands for a length that is to be found",
    r"^np\.polyval\(.*int8.*\[\] \| int\d+ .*overflow|^np\.vecdot\(.*(1\.5e308|3e38|6e4|np\.inf).*\[\] \| |^np\.polymul\(.*float16.*inf": "sums of products tell what they meet, NumPy's in C nothing",
    r"float16.*\b(std|subtract\.reduce|convolve|isclose|cumsum)\(|\b(std|subtract\.reduce|convolve|isclose)\(.*float16": "sums of narrow floats gather in wider types, and are rounded once",
    r"^np\.(roll|fft\.i?fftshift)\(.*⇒ ValueError: not enough values to unpack": "along no axes nothing moves",
    r"^np\.linspace\(.*(1\.5e308|3e38).*float(16|32).*⇒ float(16|32) .*nan": "what a type makes infinite is infinite between two ends, too",
    r"^np\.(partition|argpartition)\(.*⇒ (u?int|float)\d+ .* \| (u?int|float)\d+ ": "what stands on one side of a place has no order",
    r"^np\.nanm(in|ax)\(\[\], .*initial=": "an initial value is the least of nothing",
    r"\| TypeError: Cannot cast ufunc '\w+' input \d from dtype\('u?int\d+'\) to dtype\('float": "an integer that meets a float takes its type",
    r"^np\.issubdtype\((\[\]|.*, \[\]\))": "types of records are none of tensors",
    r"^np\.logspace\(np\.int8": "narrow integers and bools become the default float in functions of floats",
    r"^np\.ix_\(.*np\.zeros\(0\)": "places are integers, also where there are none",
    r"^np\.union1d\(.*2\*\*63|^np\.union1d\(-\d+, .*uint8\)\).*⇒ uint8": "a Python integer beyond an integer type is compared by its value, and scaled by",
    r"^np\.clip\(\((True|False|-?\d+)\), .*np\.(float32|float16|complex64)\(": "bounds meet `x` one after the other",
    r"^np\.var\(.*complex128.*dtype='float\d+'": "what is computed in real numbers takes real parts before it looks for a mean",
    r"^np\.nan(quantile|percentile)\(.*float16.*reshape\(\(\)\), .*float(32|64).*⇒ float(32|64)": "a quantile of one number has its type",
    r"^np\.[hvd]split\(\[.*⇒ AttributeError: 'list' object has no attribute 'ndim'": "lists are arrays, also where they are split",
    r"\.sum\(initial=None\)": "a sum of nothing is its identity, whatever `initial` says",
    r"^np\.histogram\(.*3e38.*⇒ ValueError: Too many": "edges are computed with more digits, and rounded once",
    r"^np\.allclose\(.*1\.5e308.*⇒ OverflowError": "a bound that overflows makes all close in NumPy",
    r"\.item\(\[\], ": "an index of nothing is none",
    r"^np\.full_like\(.*(1e400|1j|np\.nan).*\| \w+Error": "a value that a type cannot hold is an error, as where elements are assigned",
    r"^np\.permute_dims\(.*2\*\*63": "lengths and offsets beyond all memory are told by their own errors",
    r"^np\.average\(.*\[\], -2\*\*63": "no axes are named, and nothing is there to divide by",
    r"^np\.corrcoef\(np\.zeros\(\(0, 3\)\)": "nothing is correlated with nothing",
    r"^np\.arange\(.*1j": "a complex end is as far as its real part",
    r"^np\.nanpercentile\(.*np\.inf.*⇒ float.*\| float": "what is between infinities is told",
    r"^np\.logspace\(.*float(16|32)": "exponents of narrow floats are computed with more digits",
    r"^np\.linspace\(.*float16.*⇒ float16 .*\| float16": "steps between narrow floats are computed with more digits, and rounded once",
    r"^np\.clip\(\(True\), .*float16": "a Python complex number beside float16 is complex128",
    r"\.repeat\(.*, .*\).*⇒ AxisError|\.repeat\(.*, np\.uint64\(7\)\)": "both vocabularies: lengths one by one",
    r"\bchoose\(.*(\[\]|2\*\*63).*⇒ \w+ \(.*\b0[,)].*\| ValueError: invalid entry|\.choose\((\[\[\]\]|2\*\*63)": "a place is looked at where nothing is chosen, too",
    r"\bclip\(.*where=.*⇒ (u?int|float)": "what nobody has filled is zero here",
    r"^np\.i0\(.*inf.*⇒ float\d+ .*nan.* \| float\d+ .*inf": "`i0` is infinite at infinity, where NumPy's formula is NaN",
    r"^np\.unique_values\(.*⇒ (u?int\d+|complex128) .* \| \1 ": "NumPy's `unique_values` has the order of a hash table",
    r"^np\.fft\..*(np\.inf|np\.nan|3e38|1\.5e308|6e4).*⇒ complex.*(inf|nan).* \| complex.*nan": "a transform's NaN and infinities follow from the order of its sums",
    r"^np\.(digitize|histogram|searchsorted)\(.*np\.nan.*⇒ (int64|tuple).* \| (int64|tuple)": "NaN among edges or bins has no place",
    r"^np\.searchsorted\((np\.array|\[).*⇒ int64.* \| int64": "what is not in order is searched in other steps",
    r"^np\.(inner|dot|kron|outer|matmul)\(.*⇒ float(64|32) .*\b0\b.* \| float(64|32) .*nan": "a factor of 0 makes 0 of NaN in BLAS",
    r"^np\.(inner|dot|vdot|matmul)\(.*(3e38|1\.5e308).*⇒ (float|complex)\d+ .*(nan|inf)": "the largest numbers cancel, or overflow, by the order of a sum's parts",
    r"^np\.histogram\(.*complex.*\| TypeError: Cannot cast array data from dtype\('complex|^np\.histogram\(.*\dj.*\| TypeError: Cannot cast": "complex numbers are not counted in bins",
    r"^np\.histogram\(.*float16.*⇒ (tuple\(int64.*float16.*\| tuple\(int64.*float16|ValueError: Too many)": "edges of float16 are computed with more digits, and rounded once",
    r"^np\.((nan)?cumsum|cumulative_(sum|prod)|add\.accumulate)\(.*⇒ float.*\| float": "running sums are sums of parts, which gather in wider types",
    r"^np\.((nan)?cumprod|multiply\.accumulate)\(.*1e-37.*⇒ float32.*\| float32": "running products gather in wider types, where nothing is too small",
    r"^np\.(average|mean)\(.*1e-300.*\| float64": "sums of numbers that cancel are sums of parts",
    r"-np\.inf.*\*\* .*0\.5.*⇒ .*nan.*\| .*inf|^np\.power\(.*-np\.inf.*\(0\.5\)\)": "the power 0.5 is NumPy's `sqrt`, of minus infinity, too",
    r"⇒ complex \(.*\| complex128|⇒ ZeroDivisionError: (?:complex division|0\.0 to a negative or complex power)|^\(.*\) [=<>!]+ np\.float64\(.*⇒ (True|False) .*\| bool \(\) \1": "a Python complex number takes NumPy's float64 for one of its own",
    r"^np\.arange\(.*uint64.*⇒ float64.*\| int64": "int64 and uint64 meet in float64, also in `arange`",
    r"quantile\(.*np\.inf\).*⇒ ValueError: Quantiles must be in the range.*\| .*ComplexWarning": "complex parts of a whole are cut off, as where they become indices",
    r"^np\.(nan)?(quantile|percentile)\(.*(\[\[\]\]|zeros\(|, \[\]).*⇒ ValueError: zero-size array to reduction": "no quantiles are asked for, and none given",
    r"^np\.linalg\.(solve|eigvals|inv|det)\(.*(3e38|1\.5e308|1e-37|np\.inf|np\.nan)": "what LAPACK makes of overflow is its own",
    r"^np\.poly\(.*⇒ float32 .*tiny 0 .*\| float32|^np\.fft\.\w+\(.*1e-300.*⇒ complex": "a zero is one to a few last digits",
    r"^np\.(isclose|allclose)\(.*\| .*invalid value encountered in subtract": "`isclose` subtracts infinities before it looks at them",
    r"logaddexp\.reduce\(.*overflow": "what a fold meets on the way depends on its order",
    r"\b(take|repeat|roll|rot90|[dhv]?split|triu?|tril|tri[lu]_indices(_from)?|tile|diagflat|clip)\(.*⇒ [^|]*\| TypeError: (only integer|'\w+' object cannot be interpreted|Cannot cast)": "places and counts are integers, where NumPy cuts off what is behind the point",
    r"2\*\*63.*\| (MemoryError|OverflowError)|2\*\*63.*⇒ OverflowError: signed integer|^np\.arange\(.*2\*\*63.*⇒ ValueError: Maximum": "lengths and offsets beyond all memory are told by their own errors",
}
# Errors of one kind in other words: a pattern of NumPy's, one of ours, and why.
WORDS = {
    (r"missing (\d+) required positional arguments?: ", r"missing \d+ required positional arguments?: "): "a parameter that is missing has the name here that help and the hint show",
    (r"takes (exactly|at most|at least) |takes no (keyword )?arguments|missing required (positional )?argument|invalid keyword argument|function missing",
     r"\w+\(\) (takes|missing|got an unexpected keyword|got multiple)|expected at least one|missing 1 required argument"): "C counts the arguments of methods and knows their names in words of its own",
    (r"got an unexpected keyword|takes (from )?\d+ .*positional|got multiple values", r"got an unexpected keyword|takes (from )?\d+ .*positional|got multiple values"): "NumPy's wrappers name the function inside, and count its receiver",
    (r"cannot be interpreted as an integer|only integer scalar arrays|integer is required|integer argument expected|slice indices must be|not supported between instances|unsupported operand|is not iterable",
     r"cannot be interpreted as an integer|only integer scalar arrays"): "what is no integer is told as such, not by the operation that met it first",
    (r"cannot be interpreted as an integer|only integer scalar arrays|integer is required|integer argument expected", r""): "of several wrong arguments another one is told",
    (r"dispatcher for __array_function__|arrays to stack|is not iterable|iteration over a 0-d|has no len\(\)", r"expected a list or tuple of tensors|is not iterable|iteration over a 0-d"): "a list of arrays is asked for by that name",
    (r"output must be an array|return arrays must be|must be an array|dtype argument must be", r""): "what is no array is told by its kind, or another argument is told first",
}
WORDS |= {
    (r"Python int too large to convert", r"Python integer \S+ out of bounds for"): "an integer that is too large is told with the type that it is too large for",
    (r"output parameter for reduction|output array (is not acceptable|does not match)|remapped shapes|invalid output shape|Output array|wrong dimensions|wrong size for the",
     r"non-broadcastable output operand"): "an `out` of another shape is told by both shapes, whatever function it is for",
    (r"\btri\(\) missing|^TypeError: int\(\) argument must be", r""): "the function inside NumPy's own is not named",
    (r"Cannot interpret .* as a data type|Field elements must be", r"missing \d required|only integer scalar|as an integer|order must be str|as a data type"):
        "a type is looked at when all arguments are there, and told by its kind",
    (r"search side must be str|need sequence of keys|len\(\) of unsized", r"expected a (string|list or tuple)"): "what is no text or no list is told as such",
    (r"unsupported operand|bad operand type|not supported between", r"expected|must be|as an integer"): "what is no number is told as such, not by the operation that met it first",
}
# NumPy adds the length until it is there.
ENDLESS = re.compile(r"take\(.*-2\*\*63.*mode='wrap'")
WARNING = re.compile(r" \[('.*'|\".*\")?\]$")
ERROR = re.compile(r"^(\w*(Error|Warning)): ")
COMPLEX = re.compile(r"complex|\bj\b|\dj")


# What two roundings of the narrowest type in it may make of a number.
ROUNDINGS = {"float16": 5e-3, "float32": 2e-5, "complex64": 2e-5, "float64": 2e-5, "complex128": 2e-5}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|tiny")


def is_rounded(wanted, found):
    """Whether two arrays differ in last digits alone, as they are shown."""
    kinds = [re.match(r"(float\d+|complex\d+) (\(.*?\)) ", answer) for answer in (wanted, found)]
    if not all(kinds) or kinds[0][0] != kinds[1][0]:
        return False
    parts = [answer[kind.end():] for kind, answer in zip(kinds, (wanted, found))]
    if NUMBER.sub("#", parts[0]) != NUMBER.sub("#", parts[1]):
        return False
    numbers = [[0.0 if x == "tiny" else float(x) for x in NUMBER.findall(part)] for part in parts]
    # A complex number's parts are as exact as the larger one.
    step = 2 if kinds[0][1].startswith("complex") else 1
    for at in range(0, len(numbers[0]), step):
        a, b = numbers[0][at:at + step], numbers[1][at:at + step]
        if max(abs(x - y) for x, y in zip(a, b)) > ROUNDINGS[kinds[0][1]] * max(map(abs, a + b)):
            return False
    return True


def reason(case, wanted, found):
    """Why the answers may differ, or None."""
    said = f"{case} ⇒ {wanted} | {found}"
    for pattern, why in INTENDED.items():
        if re.search(pattern, said):
            return why
    kinds = [ERROR.match(answer) for answer in (wanted, found)]
    if all(kinds) and kinds[0][1] == kinds[1][1]:
        for (one, other), why in WORDS.items():
            if re.search(one, wanted) and re.search(other, found):
                return why
        return "the same error in other words"
    if all(kinds) and kinds[0][1] in ("IndexError", "ValueError") and kinds[1][1] == "AxisError":
        return "an AxisError is an IndexError and a ValueError"
    if all(kinds) and {kinds[0][1], kinds[1][1]} <= {"TypeError", "ValueError", "IndexError", "AxisError", "AttributeError", "LinAlgError", "OverflowError"}:
        return "several errors in one call: another one comes first"
    if re.match(r"(list\(|tuple\()?float64", wanted) and re.match(r"(list\(|tuple\()?float(16|32)", found) and re.search(r"int|\b\d+\b", case):
        return "an integer that meets a float takes its type"
    if wanted.replace("complex128", "complex64") == found and re.search(r"\(-?\d+\)|int\d+|\(True\)", case):
        return "an integer that meets a complex number takes its type"
    if found.startswith("OverflowError") is False and "Python int too large" in wanted:
        return "a Python integer beyond an integer type is compared by its value, and scaled by"
    values = [WARNING.sub("", answer) for answer in (wanted, found)]
    if values[0] == values[1] and not any(kinds):
        if COMPLEX.search(case):
            return "complex numbers: errors are looked for in results, C tells what its formulas meet on the way"
        if "encountered in dot" in wanted or "linalg." in case or "fft." in case:
            return "libraries of C tell what they meet on the way"
        told = [set(re.findall(r"(divide by zero|overflow|invalid value|Degrees|Mean|All-NaN)", answer)) for answer in (wanted, found)]
        if told[0] == told[1]:
            return "the same errors, of operations with other names, or told twice"
        if told[1] < told[0] and re.search(r"inf|nan", case):
            return "of a fold over NaN and infinities only what the others meet"
    if not any(kinds) and is_rounded(wanted, found):
        return "the last digit that is shown, of functions that several roundings make"
    if COMPLEX.search(case) and not any(kinds) and re.search(r"inf|nan|tiny", wanted + found):
        return "infinite and very large complex numbers go through other formulas than the C library's"
    if kinds[0] and not kinds[1] and kinds[0][1] in ("TypeError", "AttributeError") and not found.startswith("!"):
        return "an argument is taken that NumPy does not take"
    if values[0] == values[1]:
        told = [WARNING.search(answer)[1] or "" for answer in (wanted, found)]
        if "floor_divide" in told[0] and re.sub(r",? ?'RuntimeWarning: invalid value encountered in (scalar )?\w*_?floor_divide'", "", told[0]) == told[1]:
            return "of a quotient that overflows NumPy tells the remainder's error, too"
        if "encountered in scalar" in told[0] and "float16" in case and re.sub(r"'RuntimeWarning: (divide by zero|overflow|invalid value) encountered in scalar (remainder|floor_divide)',? ?", "", told[0], count=1) == told[1]:
            return "NumPy's scalars of float16 tell of the division, too, that a remainder is made of"
        if re.search(r"^np\.(correlate|convolve|polymul|median)\(", case) and told[0] == "":
            return "sums of products tell what they meet, NumPy's in C nothing"
    for pattern, why in LEFT.items():
        if re.search(pattern, said):
            return why
    return None


def in_numpy(programs):
    import contextlib, io, signal

    def stop(*_):
        raise TimeoutError

    scope, answers = {}, []
    exec(FRAME, scope)
    signal.signal(signal.SIGALRM, stop)
    for program in programs:
        printed = io.StringIO()
        signal.alarm(5)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                exec(program, scope)
        except (Exception, TimeoutError) as error:
            printed.write(f"! {type(error).__name__}: {error}")
        signal.alarm(0)
        answers.append(printed.getvalue().strip())
    return answers


def here(binary, programs):
    lines = [FRAME.replace("import numpy as np\n", "import numpy as np\nnp.set_default_dtype(np.float64)\n"), *programs]
    ran = subprocess.run([binary, "--json", "--no-history", "--device", "cpu"], input="".join(json.dumps({"code": x}) + "\n" for x in lines),
                         capture_output=True, text=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()][1:]
    if len(answers) < len(programs):
        sys.exit(f"the binary ended at {programs[len(answers)]}: {ran.stderr[-800:]}")
    return [(x["stdout"] if x["ok"] else f"! {x['error']['kind']}: {x['error']['message']}").strip() for x in answers]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binary", default="target/release/genesis-repl")
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--kind", choices=["floats", "breadth"])
    arguments.add_argument("--show", help="words of a reason: what it explains")
    given = arguments.parse_args()
    differ, intended, total = 0, collections.Counter(), 0
    for kind, make in (("floats", Floats), ("breadth", Breadth)):
        if given.kind not in (None, kind):
            continue
        dice = random.Random(f"{kind} {given.seed}")
        maker = make(dice)
        cases = [case for case in dict.fromkeys(maker.case() for _ in range(given.count)) if not ENDLESS.search(case)]
        programs = [f"_case(lambda: {case}, {kind == 'floats'})" for case in cases]
        for case, wanted, found in zip(cases, in_numpy(programs), here(os.path.abspath(given.binary), programs)):
            total += 1
            if wanted == found:
                continue
            why = reason(case, wanted, found)
            if why:
                intended[why] += 1
                if given.show and given.show in why:
                    print(f"{case}\n  NumPy: {wanted}\n  here:  {found}")
                continue
            differ += 1
            print(f"{case}\n  NumPy: {wanted}\n  here:  {found}")
    for why, count in intended.most_common():
        print(f"{count:6} {why}")
    print(f"{total} cases: {total - differ - sum(intended.values())} alike, {sum(intended.values())} differ by intention, {differ} else")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
