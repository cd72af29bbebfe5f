# Arrays made of others, and walks over several.
a = np.arange(6).reshape(2, 3)
show(lambda: np.resize(a, (3, 4)))
show(lambda: np.resize([], (2, 2)))
show(lambda: np.resize(a, 5))
show(lambda: np.resize(a, (0, 3)))
show(lambda: np.resize(a, (-1, 3)))
show(lambda: np.trim_zeros(np.array([0, 0, 1, 2, 0])))
show(lambda: np.trim_zeros(np.array([0, 0, 1, 2, 0]), "b"))
show(lambda: np.trim_zeros([0, 1, 0], "f"))
show(lambda: np.trim_zeros(np.array([0, 0])))
show(lambda: np.trim_zeros(np.array([[0, 0, 0], [0, 1, 0]])))
show(lambda: np.trim_zeros(np.array([[0, 0, 0], [0, 1, 0]]), axis=0))
show(lambda: np.trim_zeros(np.array([1]), "x"))
show(lambda: np.trim_zeros(np.array([0, 0]), "f"))
show(lambda: np.unwrap(np.array([0.0, 3, -3, -1, 6, 9, 13])))
show(lambda: np.unwrap(np.array([0, 1, 2, -1, 0]), period=4))
show(lambda: np.unwrap(np.array([[0.0, 3, -3], [1, 7, 9]]), axis=0))
show(lambda: np.unwrap(np.array([0.0, 3, -3, -1, 6, 9, 13]), discont=5))
show(lambda: np.unwrap([2, 3, 4, 5, 2, 3, 4, 5], period=4))
show(lambda: np.unwrap([0, np.pi, -np.pi]))
show(lambda: np.nancumprod([2.0, np.nan, 3]))
show(lambda: np.nancumprod([[2.0, np.nan], [3, 4]], axis=0))
show(lambda: np.packbits(np.array([1, 0, 1, 0, 0, 0, 0, 1, 1])))
show(lambda: np.packbits(a, axis=1))
show(lambda: np.packbits(a, axis=0, bitorder="little"))
show(lambda: np.packbits(a * 1.0))
show(lambda: np.packbits(np.zeros(0, dtype=int)))
show(lambda: np.unpackbits(np.array([161, 3], dtype=np.uint8)))
show(lambda: np.unpackbits(np.array([[161], [3]], dtype=np.uint8), axis=1, count=10))
show(lambda: np.unpackbits(np.array([[161], [3]], dtype=np.uint8), axis=1, count=-3, bitorder="little"))
show(lambda: np.unpackbits(np.array([1])))
show(lambda: np.bitwise_count(np.array([-128, 127], dtype=np.int8)))
show(lambda: np.iterable(3))
show(lambda: np.iterable([3]))
show(lambda: np.asarray_chkfinite([1, np.nan]))
show(lambda: np.vecmat(np.array([1, 2]), np.array([[1, 2], [3, 4]])))
b = np.broadcast(np.ones((3, 1)), np.ones(4))
show(lambda: (b.shape, b.nd, b.size, b.numiter))
show(lambda: [(int(x), int(y)) for x, y in np.broadcast(np.array([[1], [2]]), np.array([3, 4]))])
show(lambda: [int(x) for x in np.nditer(a)])
c = a * 1.0
for x in np.nditer(c, op_flags=["readwrite"]):
    x[...] = x * 2
print(c)
it = np.nditer(a, flags=["multi_index"])
for x in it:
    print(int(x), it.multi_index)
it = np.nditer(a, flags=["c_index"])
for x in it:
    print(int(x), it.index)
it = np.nditer(a, flags=["multi_index"])
while not it.finished:
    print(int(it[0]), it.multi_index)
    it.iternext()
for x, y in np.nditer([a, np.arange(3)]):
    print(int(x), int(y))
for x in np.nditer(a, flags=["external_loop"]):
    print(x)
with np.nditer(c, op_flags=["readwrite"]) as it:
    for x in it:
        x[...] = -x
print(c)
it = np.nditer([a, None])
for x, y in it:
    y[...] = x * 2
print(it.operands[1])
it = np.nditer([a, None])
with it:
    for x, y in it:
        y[...] = x * 2
    print(it.operands[1])
