# What NumPy says where arguments do not fit, and what empty ones give.
A = np.array
for f in [
    lambda: np.max(A([]), axis=1, initial=0), lambda: np.max(A([]), axis=0, initial=3), lambda: np.min(np.zeros((0, 2)), axis=5, initial=1), lambda: np.argmax(A([[1, 2], [3, 4]]), axis=(0, 1)),
    lambda: np.argmin(A([1, 2]), axis=[0]), lambda: np.nanargmin(A([1.0]), axis=(0,)), lambda: A([[1, 2]]).argmax(axis=(0,)), lambda: np.nanmedian(A([])), lambda: np.nanmedian(A([]), axis=0),
    lambda: np.nanmedian(np.zeros((0, 3)), axis=0), lambda: np.ptp(A([True, False])), lambda: A([True]) - A([True]), lambda: np.reshape(A([1, 2, 3]), (2, -1)), lambda: np.reshape(A([1, 2, 3]), (2, -1), order="F"),
    lambda: np.reshape(A([1, 2, 3]), (4, 5), order="F"), lambda: A([1, 2]) @ A([1, 2, 3]), lambda: np.matmul(np.ones((2, 3)), np.ones((2, 3))), lambda: np.concatenate((np.zeros((2, 3)), A([1]))),
    lambda: np.hstack([np.zeros((2, 3)), A([1])]), lambda: np.append(np.zeros((2, 2)), A([1, 2]), axis=0), lambda: np.select([A([1, 2])], [1], 9), lambda: np.take_along_axis(A([1, 2]), A([[0]]), axis=1),
    lambda: np.matrix_transpose(A([1, 2])), lambda: np.matrix_transpose(A(5)), lambda: np.extract(A([True]), A([4, 5])), lambda: np.extract(A([False, True]), A([4, 5, 6])),
    lambda: np.extract(A(2.5), A([1, 2])), lambda: np.extract(A([[True, False], [False, True]]), A([[1, 2], [3, 4]])),
    lambda: np.histogram([1, 2, 3], bins=[3, 1]), lambda: np.histogram([1, 2, 3], bins=[[1, 2]]), lambda: np.histogram([1, 2, 2, 3], bins=[1, 2, 2, 3]), lambda: np.einsum("ii", [[1, 2], [3, 4]]),
    lambda: np.einsum("i->", [1, 2]), lambda: np.einsum("ij->ji", [[1, 2]]), lambda: np.einsum("i", np.array([1, 2])), lambda: np.einsum("i,i", [1, 2], [3, 4]), lambda: np.float64(3).is_integer(),
    lambda: np.float32(2.5).is_integer(), lambda: np.int8(2).is_integer(), lambda: np.int64(-5).bit_count(), lambda: np.uint64(255).bit_count(), lambda: np.array([2]) ** -1, lambda: np.int64(2) ** -1,
    lambda: np.loadtxt(["1,2", "", "3,4"], delimiter=","), lambda: np.loadtxt(["1,2", "  ", "3,4"], delimiter=","), lambda: np.loadtxt(["1", "#x", "", "3"], delimiter=","), lambda: np.loadtxt(["1 2", "  ", "3 4"]),
    lambda: np.loadtxt(["1_0"], dtype=int), lambda: np.loadtxt(["1_0"]), lambda: np.loadtxt(["1_0"], dtype=complex), lambda: np.loadtxt(["+1", "-0"], dtype=int), lambda: np.loadtxt(["1.0"], dtype=int),
    lambda: np.loadtxt(["300"], dtype="u1"), lambda: np.loadtxt(["-1"], dtype="u1"), lambda: np.loadtxt(["9223372036854775808"], dtype=int), lambda: np.loadtxt(["1", "0"], dtype=bool), lambda: np.loadtxt(["nan", "-Infinity"]),
    lambda: np.loadtxt(["1 2"], usecols=[0, 0]), lambda: np.loadtxt(["1 2"], usecols=-1), lambda: np.loadtxt(["1 2"], usecols=[-3]), lambda: np.loadtxt(["1 2"], usecols=2), lambda: np.loadtxt(["1 2"], usecols="a"),
    lambda: np.loadtxt(["1 2"], usecols=[0.5]), lambda: np.loadtxt(["1 2"], skiprows=-1), lambda: np.loadtxt(["1 2"], max_rows=-1), lambda: np.loadtxt(["1 2"], ndmin=3), lambda: np.loadtxt(["1 2"], delimiter="ab"),
    lambda: np.loadtxt(["1 2"], comments=""), lambda: np.loadtxt(["1 %2"], comments="%"), lambda: np.loadtxt(["1+2j", "(3-4j)", "2j"], dtype=complex), lambda: np.loadtxt([b"1 2", b"3 4"]), lambda: np.loadtxt(["1 2\n3 4"]),
    lambda: np.loadtxt([3]), lambda: np.loadtxt(["1,2,"], delimiter=","), lambda: np.loadtxt(["1 2", "3"]), lambda: np.genfromtxt(["1,2", "  ", "3,4"], delimiter=","), lambda: np.genfromtxt(["1,x"], delimiter=",", filling_values=9),
]:
    show(f)
for lines, kw in [([], dict(usecols=[0, 0])), ([], dict(usecols=[0, 0], ndmin=2)), ([], dict(usecols=1, ndmin=2)), ([], dict(usecols=(0, 1, 2), unpack=True)), ([], dict(ndmin=2)), ([], {}), (["# a"], dict(usecols=[0, 1])),
                  (["1 2"], dict(max_rows=0)), (["1 2"], dict(skiprows=1, usecols=[0, 1]))]:
    import warnings
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        print(np.loadtxt(lines, **kw).shape, [str(x.message) for x in heard])
