# What the first weeks with NumPy come to: numbers that functions give, odd shapes, and what is refused.
import json
import numbers

rng = np.random.default_rng(1)
for drawn in (rng.integers(10), rng.integers(10, dtype=np.uint8), rng.integers(5, endpoint=True), rng.choice([1.5, 2.5])):
    print(drawn.dtype, drawn.shape, drawn.ndim)
print(type(rng.integers(10, dtype=int)).__name__, type(rng.choice(5)).__name__, type(rng.random()).__name__)

one = np.array([0.1, 1.1], dtype=np.float32)
print(f"{one[1]}", f"{one[1]:}", "{}".format(one[0]), format(one[1]), str(one[1]), "%s" % one[1], f"{one[1]!s}", f"{one[1]:.2f}")
print(f"{np.float16(0.1)} {np.float64(1.1)} {np.int8(3)} {np.bool_(True)} {np.complex64(1.1 + 2j)} {one}")
mean = np.array([1.0, 2.5]).mean()
print(isinstance(mean, float), isinstance(mean, (int, float)), isinstance(one[0], float), isinstance(mean, complex))
print(isinstance(np.complex128(1j), complex), isinstance(np.complex64(1j), complex), isinstance(np.int64(3), int))
for scalar in (mean, one[0], np.int64(3), np.uint8(3), np.complex128(1j), np.bool_(True)):
    print(*[isinstance(scalar, kind) for kind in (numbers.Number, numbers.Complex, numbers.Real, numbers.Integral)])
print(json.dumps({"mean": mean, "all": [np.float64(1), 2]}), mean.as_integer_ratio(), np.float32(0.5).as_integer_ratio())
try:
    json.dumps(np.int64(3))
except TypeError:
    print("no integer of NumPy's is one of JSON's")

# Whole numbers are weighed as floats.
show(lambda: np.average(np.array([200, 100, 50], np.uint8), weights=np.array([200, 100, 50], np.uint8)))
show(lambda: np.average(np.array([[100, 100], [3, 4]], np.int8), axis=0, weights=[100, 100]))
show(lambda: np.average(np.array([True, False, True]), weights=[1, 2, 3], returned=True))
show(lambda: np.average([2**62, 2**62], weights=[3, 3]))

# Norms of nothing, of numbers and along no axes.
for f in (
    lambda: np.linalg.norm([], np.inf), lambda: np.linalg.norm(np.zeros((0, 2)), np.inf), lambda: np.linalg.norm(np.zeros((2, 0)), 1),
    lambda: np.linalg.norm(np.zeros((0, 2)), np.inf, axis=0), lambda: np.linalg.norm([], -np.inf), lambda: np.linalg.norm(np.zeros((0, 2)), -1),
    lambda: np.linalg.norm(5.0), lambda: np.linalg.norm(5.0, 1), lambda: np.linalg.norm(np.array(5.0), np.inf), lambda: np.linalg.norm(5.0, 0),
    lambda: np.linalg.norm(np.eye(2), axis=()), lambda: np.linalg.norm(np.eye(2), 1, axis=()), lambda: np.linalg.norm([3.0, -4.0], np.inf),
    lambda: np.linalg.norm(np.zeros((3, 0)), np.inf, axis=1, keepdims=True),
):
    show(f)

# Arrays without axes or elements.
for f in (
    lambda: np.diff(np.array(5), 0), lambda: np.diff(np.array(5)), lambda: np.compress([True, False], np.array(4), axis=0),
    lambda: np.compress([True, False], 2.5, axis=-1), lambda: np.compress([True], 2.5, axis=1), lambda: np.ravel_multi_index([0, 1], (2, 3), 0),
    lambda: np.ravel_multi_index([5, 1], (2, 3), 1), lambda: np.ravel_multi_index(np.zeros((0, 3), int), []).shape,
    lambda: np.tile(np.zeros(0), -2).shape, lambda: np.tile(np.zeros((2, 0)), (1, -1)).shape, lambda: np.tile([1], -1),
    lambda: np.tile([1, 2], (-1, 2)), lambda: np.cov(np.zeros((0, 3)), np.zeros((2, 3, 4))),
    lambda: np.take_along_axis(np.eye(2), np.zeros((1, 1), int), axis=None), lambda: np.take_along_axis(np.eye(2), np.array([0, 3]), axis=None),
    lambda: np.roll(np.eye(2), 1, axis=()), lambda: np.roll([1, 2], [], 0), lambda: np.roll([1, 2], [], 1), lambda: np.roll([1, 2, 3], [1, 1], 0),
    lambda: np.pad(np.zeros((0, 2)), 1, "symmetric", reflect_type="odd"), lambda: np.pad(np.zeros(0), 2, "reflect", reflect_type="odd"),
    lambda: np.pad(np.zeros(0), 0, "symmetric", reflect_type="odd").shape, lambda: np.pad([1], 2, "reflect", reflect_type="odd"),
    lambda: np.linalg.multi_dot([np.array([3, 1, 2]), np.array(4)]), lambda: np.linalg.multi_dot([2.5, [1, 2, 3]]),
    lambda: np.linalg.multi_dot([[1, 2, 3], np.arange(24).reshape(2, 3, 4)]), lambda: np.linalg.multi_dot([np.eye(2), np.eye(3)]),
    lambda: np.tensordot(1.0, 2.0), lambda: np.tensordot(np.eye(2), 2.0, 1), lambda: np.tensordot(1.0, 2.0, 0),
    lambda: np.arange(np.inf, 1), lambda: np.arange(0, -np.inf), lambda: np.arange(np.nan), lambda: np.arange(0, 1, -np.inf),
):
    show(f)
for sort in (1.0, 3, 2j, np.float32(3), np.int8(3)):
    show(lambda: (float(np.finfo(sort).eps), np.finfo(sort).dtype))
    show(lambda: (np.iinfo(sort).max, np.iinfo(sort).dtype))

# What an axis that is not there says of itself.
for f in (
    lambda: np.sum([1], axis=3), lambda: np.expand_dims([1], -7), lambda: np.concatenate([[1], [2]], axis=1), lambda: np.eye(2).argmax(axis=2),
    lambda: np.moveaxis(np.eye(2), 5, 0),
):
    try:
        f()
    except np.exceptions.AxisError as error:
        print(error, error.axis, error.ndim)
for error in (np.exceptions.AxisError(5, 2), np.exceptions.AxisError(5, 2, "source"), np.exceptions.AxisError("words")):
    print(error, error.axis, error.ndim)
