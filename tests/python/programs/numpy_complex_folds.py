# Complex numbers, first values and masks in the methods of NumPy's functions, and places that come often.
z = np.array([[1 + 2j, 3 - 1j, 0.5j, -2], [2, 1j, -1 + 1j, 4 - 3j], [0, 1 + 1j, 2 - 2j, 1]])
k = [0, 3, 1]


def parts(made):
    return [f"{x.real + 0.0:.6g} {x.imag + 0.0:.6g}" for x in np.asarray(made).ravel().tolist()]


for f in (np.add, np.subtract, np.multiply, np.divide):
    with np.errstate(all="ignore"):
        print(f.__name__, parts(f.reduce(z)), parts(f.reduce(z[:2], axis=1)), parts(f.reduce(z, initial=2j)))
        print(parts(f.accumulate(z)), parts(f.accumulate(z.T[:, ::-1], axis=1)), parts(f.accumulate(z[:0])))
        print(parts(f.reduceat(z, k, axis=1)), parts(f.reduceat(z.astype(np.complex64), [0, 2, 1])))
    x = np.array([1 + 1j, 2, 3j])
    f.at(x, [0, 2, 2, 0], [2j, 1 - 1j, 2, 0.5])
    print(parts(x), parts(np.cumprod(z, axis=1)), parts(z.prod(axis=1)), parts(np.arange(1, 30).reshape(1, 29).astype(complex).prod(axis=1)))

m = np.array([[True, False, True, True], [False, False, False, False], [True, True, False, True]])
x = np.arange(1, 13).reshape(3, 4)
for f in (np.subtract, np.floor_divide, np.left_shift, np.remainder, np.fmin):
    print(f.__name__, f.reduce(x, axis=1, initial=90, where=m), f.reduce(x, initial=50, where=m), f.reduce(x, axis=1, initial=7))
print(np.subtract.reduce(x.astype(np.float16), axis=1, initial=0.5), np.subtract.reduce(x[:, :0], axis=1, initial=4, where=m[:, :0]))
print(parts(np.divide.reduce(z, axis=1, initial=1j, where=m)))
for f, start in ((np.negative, 3.5), (np.reciprocal, 4.0), (np.sqrt, 5.0), (np.square, 1.5), (np.sin, 2.0), (np.floor, -1.5), (np.absolute, -0.0)):
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 66, 67, 1000):
        with np.errstate(all="ignore"):
            a = np.array([start, start, 7.0, start])
            f.at(a, [0] * count + [1] * (count // 2) + [3] * (count + 1))
            print(f.__name__, count, [f"{x:.9g}" for x in a.tolist()])
a = np.array([3, -4, 5], dtype=np.int8)
np.negative.at(a, [0] * 9 + [1] * 10)
np.invert.at(a, [2] * 131)
print(a)
a = np.array([1.0, 2.0, 3.0], dtype=np.float32)
np.divide.at(a, [0, 2, 2, 2], np.array([3.0, 2.0, 2.0, 5.0]))
print(a.dtype, [f"{x:.6g}" for x in a.tolist()])
