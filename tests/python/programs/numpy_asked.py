# What a call asks for by a keyword is done, or refused, and never passed over.
import contextlib


def told(name, f):
    try:
        r = f()
    except Exception as e:
        print(name, type(e).__name__, e)
        return
    for one in r if isinstance(r, (tuple, list)) else [r]:
        if isinstance(one, np.ndarray) or isinstance(one, np.generic):
            one = np.asarray(one)
            wide = one.astype(complex if one.dtype.kind == "c" else float) if one.dtype.kind in "fc" else one
            print(name, one.dtype, one.shape, (wide.round(4) + 0 if one.dtype.kind in "fc" else one).tolist())
        else:
            print(name, one)


# casting
for rule in ["no", "equiv", "safe", "same_kind", "unsafe", "same_value"]:
    for kind, to in [("int64", "float64"), ("float64", "int64"), ("float64", "float32"), ("int8", "int64"), ("int64", "int64"),
                     ("uint8", "bool"), ("bool", "int8"), ("int64", "uint64"), ("float32", "complex64"), ("int16", "uint8")]:
        try:
            made = np.array([1, 0, 1], dtype=kind).astype(to, casting=rule)
            print(rule, kind, to, made.dtype, made.tolist())
        except TypeError as e:
            print(rule, kind, to, "TypeError", e)
for x, to in [([1.5], "i8"), ([300], "i1"), ([np.nan, 1.0], "f4"), ([1e300], "f4"), ([-1], "u1"), ([], "i1"), (2.0, "i8"), (2.5, "i8"),
              ([2**53 + 1], "f8"), ([0.1], "f4")]:
    try:
        print(x, to, np.array(x).astype(to, casting="same_value").tolist())
    except ValueError as e:
        print(x, to, "ValueError", str(e).split(" ")[:4])

# the type that an elementwise function works in
x = np.array([1.0, 4.0])
for name in ["sqrt", "exp", "degrees", "radians", "fabs", "rint", "cbrt", "log1p", "sin", "reciprocal", "square", "negative", "absolute"]:
    for kind in ["int64", "bool", "float32", "float64"]:
        told(f"{name} {kind}", lambda: getattr(np, name)(np.array([1, 2]), dtype=kind, casting="unsafe"))
for name in ["float_power", "logaddexp", "arctan2", "copysign", "hypot", "heaviside", "nextafter", "fmod", "maximum", "power", "true_divide"]:
    for kind in ["int64", "float64"]:
        told(f"{name} {kind}", lambda: getattr(np, name)(np.array([1, 4]), np.array([2, 3]), dtype=kind, casting="unsafe"))
told("float_power", lambda: np.float_power(2.0, x, dtype=np.float32))

# along one axis, however it is named
m = np.arange(6).reshape(2, 3)
for function in [np.add, np.maximum, np.fmax, np.subtract, np.logical_xor, np.hypot]:
    for axis in [0, -1, (0,), (-1,), None, (0, 1), (), 2, (2,), (0, 0)]:
        told(f"{function.__name__}.accumulate {axis}", lambda: function.accumulate(m, axis=axis))
        told(f"{function.__name__}.reduceat {axis}", lambda: function.reduceat(m, [0, 1], axis=axis))
        told(f"{function.__name__}.reduce {axis}", lambda: function.reduce(m, axis=axis))
    told("row", lambda: function.accumulate([1, 2, 3], axis=None))
    for axis in [0, -1, None, (), 1]:
        told(f"{function.__name__} of a number {axis}", lambda: function.reduce(np.array(3), axis=axis))
    told("number", lambda: function.accumulate(np.array(3)))
    told("number", lambda: function.reduceat(np.array(3), [0]))
    told("outer", lambda: function.outer([1, 2], [3, 4], dtype=float) if function is not np.logical_xor else 0)
    told("outer", lambda: function.outer([1.0, 2.0], [3.0], out=np.zeros((2, 1))))
    told("outer", lambda: function.outer([1.0, 2.0], [3.0, 4.0], dtype=np.float32) if function is not np.logical_xor else 0)
for function in [np.equal, np.greater, np.less_equal, np.not_equal]:
    b = np.array([[True, False], [False, False]])
    told("reduce", lambda: function.reduce(b))
    told("reduce", lambda: function.reduce(b, axis=1))
    told("accumulate", lambda: function.accumulate(b))
    told("reduceat", lambda: function.reduceat(b[0], [0, 1]))
    told("ints", lambda: function.reduce([1, 2]))
    told("ints", lambda: function.reduce([1, 0, 2], dtype=bool))
    told("several", lambda: function.reduce(b, axis=(0, 1)))
    told("none", lambda: function.reduce(np.zeros(0, dtype=bool)))

# places
a = np.arange(4)
told("compress", lambda: np.compress([[True, False]], a))
told("compress", lambda: np.compress(True, a))
told("compress", lambda: np.compress([1, 0, 2], a))
for f, mask in [(np.place, [True, False]), (np.putmask, [True, False]), (np.place, [[1, 0], [0, 1]]), (np.putmask, [[1, 0], [0, 1]])]:
    told(f"{f.__name__} {mask}", lambda: [f(b := a.copy(), mask, [8, 9]), b])
told("put", lambda: [np.put(b := a.copy(), [True, False, True], [7, 8, 9]), b])
told("take", lambda: np.take([5, 6], [True, False]))
told("choose", lambda: np.choose([0.0, 1.0], [[1, 2], [3, 4]]))
told("choose", lambda: np.choose(np.array([0, 1], dtype=np.uint64), [[1, 2], [3, 4]]))
told("choose", lambda: np.choose(np.array([0, 1], dtype=np.uint32), [[1, 2], [3, 4]]))
told("sum", lambda: np.sum([1, 2], where=[1, 0]))
told("sum", lambda: np.sum([1, 2], where=np.array([1, 0])))
told("add", lambda: np.add([1, 2], 1, where=[1, 1]))
told("add", lambda: np.add([1, 2], 1, where=np.array([1, 1])))

# axes
told("lexsort", lambda: np.lexsort(([1, 0], [2, 2]), axis=1))
told("lexsort", lambda: np.lexsort(([[3, 1], [1, 2]], [[1, 1], [2, 2]]), axis=0))
told("lexsort", lambda: np.lexsort(([[3, 1], [1, 2]], [[1, 1], [2, 2]]), axis=1))
told("unique", lambda: np.unique([1, 1], axis=1))
told("unique", lambda: np.unique([2, 1, 1], axis=0))
told("linspace", lambda: np.linspace(0, 1, 3, axis=1))
told("linspace", lambda: np.linspace(0, 1, 3, axis=-1))
told("logspace", lambda: np.logspace(0, 1, 3, axis=2))
told("geomspace", lambda: np.geomspace(1, 2, 3, axis=-2))
told("vecdot", lambda: np.linalg.vecdot([1], [[1, 2], [3, 4]]))
told("vecdot", lambda: np.linalg.vecdot([[1j, 2]], [3, 4]))
told("vecdot", lambda: np.linalg.vecdot(3, [1]))
told("matvec", lambda: np.matvec(np.zeros(2), np.zeros(2)))
told("matvec", lambda: np.matvec(np.ones((2, 2)), 3))
told("vecmat", lambda: np.vecmat([1], [1]))
told("matmul", lambda: np.matmul(3, [1]))
told("matmul", lambda: np.matmul([1], np.array(3)))
told("vector_norm", lambda: np.linalg.vector_norm([3.0, 4.0], ord=None))

# lengths
for f in [np.eye, np.identity, np.tri, np.fft.fftfreq, np.fft.rfftfreq, lambda n: np.eye(2, n), lambda n: np.vander([1, 2], n)]:
    told("length", lambda: f(-1))
told("indices", lambda: np.indices(n for n in (2, 1)))
told("indices", lambda: np.indices(map(int, "21"), dtype=np.int8))
told("diff", lambda: np.diff([1, 4], n=0, append=9))
told("diff", lambda: np.diff(np.array([1, 4]), n=0, prepend=9))
told("broadcast_arrays", lambda: np.broadcast_arrays([[1, 2], [3, 4]]))
told("broadcast_arrays", lambda: np.broadcast_arrays([1, 2], [[3], [4]]))
told("histogramdd", lambda: np.histogramdd(np.array(7), bins=2)[0])
told("histogramdd", lambda: np.histogramdd([], bins=2)[0])
told("reciprocal", lambda: np.reciprocal([True, True]))

# orders
for y in [np.broadcast_to(np.array([1, 2, 3]), (2, 3)), np.arange(12).reshape(3, 4).T[::2], np.arange(6).reshape(2, 3).T,
          np.asfortranarray(np.arange(6).reshape(2, 3))[:, ::2], np.arange(24).reshape(2, 3, 4).transpose(2, 1, 0), np.arange(6).reshape(1, 6)]:
    told("ravel A", lambda: y.ravel(order="A"))
    told("flatten A", lambda: y.flatten(order="A"))
    told("reshape A", lambda: y.reshape((-1, 2), order="A"))
    told("copy A", lambda: [y.copy(order="A").flags.f_contiguous, y.copy(order="A").flags.c_contiguous])

# variances of complex numbers, about a mean, of some elements
z = np.array([1 + 2j, -3j, 0, 2.5], dtype=np.complex64)
told("var", lambda: z.var(mean=0))
told("var", lambda: np.var(z, where=[True, True, False, True]))
told("std", lambda: np.std(z, mean=np.mean(z), ddof=1))
told("nanvar", lambda: np.nanvar([[1 + 2j, 2], [3, -1j]], axis=0, keepdims=True, correction=1))
told("mean", lambda: np.mean(z, where=[True, False, False, True]))

# polynomials
told("polymul", lambda: np.polymul([0, 1, 2], [0, 0, 3]))
told("polymul", lambda: np.polymul([], [1, 2]))
told("polysub", lambda: np.polysub(np.array([1, -128], dtype=np.int8), np.array([-128], dtype=np.int8)))
told("polysub", lambda: np.polysub(np.array([1 + 2j, 2.5], dtype=np.complex64), np.array([1, -128], dtype=np.int8)))
told("polysub", lambda: np.polysub(np.array([3, 2], dtype=np.uint64), np.array([1], dtype=np.uint64)))
told("polydiv", lambda: np.polydiv(np.array([9, 3, 6], dtype=np.uint64), np.array([3, 2], dtype=np.uint64)))
told("polydiv", lambda: np.polydiv(np.array([100, 100], dtype=np.int8), np.array([2], dtype=np.int8)))

# what functions are not defined for
for f in [lambda: ~x, lambda: x << 1, lambda: x & 1, lambda: np.bitwise_count(x), lambda: np.arctan2(1j, 1), lambda: np.fmod(1j, 1),
          lambda: np.floor(np.array(1j)), lambda: np.cbrt(np.array([1j])), lambda: np.invert(2.5), lambda: np.hypot(1j, 1)]:
    told("undefined", f)

# figures of types
for kind in [np.float32, np.float64, np.complex128]:
    print(repr(np.finfo(kind)), np.finfo(kind) == np.finfo(kind), np.finfo(kind).bits)
print(np.finfo(np.float64))
for kind in [np.int8, np.uint64, np.int64]:
    print(repr(np.iinfo(kind)), np.iinfo(kind).kind, np.iinfo(kind).bits)
    print(np.iinfo(kind))

# choices of texts by the older name, too
told("choice", lambda: str(np.random.choice(["a"])))
told("choice", lambda: len(np.random.choice(["a", "b"], 3, p=[0.5, 0.5])))
told("choice", lambda: np.random.choice([[1, 2], [3, 4]]))
told("choice", lambda: np.random.choice([7, 7], 2))

# complex numbers are floats where NaN and fractions matter
z = np.array([np.nan + 1j, 2j])
for f in [lambda: np.testing.assert_equal(z, z), lambda: np.testing.assert_allclose(z, z), lambda: np.testing.assert_array_almost_equal(z, z),
          lambda: np.asarray_chkfinite(z), lambda: np.unravel_index(np.array([1j]), (2,)), lambda: np.ravel_multi_index(([1j], [0]), (2, 2)),
          lambda: np.bitwise_count(z), lambda: np.testing.assert_allclose(np.array([np.inf + 1j]), np.array([np.inf + 1j])),
          lambda: np.pad((np.arange(6) * (1 - 2j)).reshape(2, 3), 1, mode="mean"), lambda: np.pad(np.array([1j, 2, 4]), 1, mode="median")]:
    told("complex", f)
told("take_along_axis", lambda: np.take_along_axis(np.arange(9).reshape(3, 3), np.array([[0], [1]]), 1))
told("take_along_axis", lambda: np.take_along_axis(np.arange(6).reshape(2, 3, 1), np.zeros((2, 2, 2), dtype=int), 0))
told("take_along_axis", lambda: np.take_along_axis(np.arange(9).reshape(3, 3), np.array([[2]]), 1))
told("put_along_axis", lambda: np.put_along_axis(np.arange(9).reshape(3, 3), np.array([[0, 1]]), 5, 1))
told("put_along_axis", lambda: np.put_along_axis(np.arange(9).reshape(3, 3), np.array([[0], [1]]), 5, 1))

# a fold begins with what it is told to begin with, and leaves out what a mask leaves out
a = np.array([[7, 2, 3], [4, 5, 1]])
for function, initial in [(np.subtract, 10), (np.floor_divide, 1000), (np.right_shift, 1000), (np.left_shift, 1), (np.remainder, 1000), (np.fmax, 3),
                          (np.bitwise_and, 10.5), (np.logical_and, 0), (np.logical_or, 2), (np.logical_xor, 3), (np.gcd, 12), (np.add, 2.5)]:
    for axis in [0, 1]:
        told(f"{function.__name__} {axis}", lambda: function.reduce(a, axis=axis, initial=initial))
        told(f"{function.__name__} {axis} where", lambda: function.reduce(a, axis=axis, initial=initial, where=a != 5, keepdims=True))
    told(f"{function.__name__} of nothing", lambda: function.reduce(np.zeros(0, dtype=int), initial=initial))
told("divide", lambda: np.divide.reduce([8.0, 2.0, 4.0], initial=64))
told("all", lambda: np.logical_and.reduce(np.zeros(0), initial=0))

# signals of what is not finite
for mode in ["full", "same", "valid"]:
    for v in [[np.nan, 1.0], [np.inf, 1.0, 3.0], [1.0, -np.inf], [np.nan] + [1.0] * 40]:
        told(f"convolve {mode}", lambda: np.convolve([1, 0, 2.0, 4], v, mode))
        told(f"correlate {mode}", lambda: np.correlate([1, 0, 2.0, 4], v, mode))
told("poly", lambda: np.poly([np.nan, 1]))
told("polymul", lambda: np.polymul([1, np.nan], [1, 2]))
told("union1d", lambda: np.union1d(3, np.array([18446744073709551615, 0], dtype=np.uint64)))
told("union1d", lambda: np.union1d(np.array([2, 0], dtype=np.int16), 3))
told("geomspace", lambda: np.geomspace(-1, 4, 5, dtype=complex))
told("i0", lambda: np.isfinite(np.i0(np.array([1.5, -2.25, 6e4], dtype=np.float16))))
