# Matrix products of operands as they lie: whole numbers, so that every order of the sums gives the same.
def numbers(shape, dtype, first):
    many = (np.arange(np.prod(shape)) * 7 + first) % 11 - 5
    if np.dtype(dtype).kind == "c":
        many = many + 1j * ((np.arange(np.prod(shape)) * 5 + first) % 7 - 3)
    return many.reshape(shape).astype(dtype)


def laid(way, lead, rows, columns, dtype, first):
    if way == "turned":
        return numbers(lead + (columns, rows), dtype, first).swapaxes(-1, -2)
    if way == "apart":
        return numbers(lead + (2 * rows, 3 * columns), dtype, first)[..., ::2, ::3]
    if way == "backwards":
        return numbers(lead + (rows, columns), dtype, first)[..., ::-1, ::-1]
    if way == "again":
        return np.broadcast_to(numbers(lead + (1, columns), dtype, first), lead + (rows, columns))
    return numbers(lead + (rows, columns), dtype, first)


def told(dtype, lead, sides, ways):
    m, k, n = sides
    a = laid(ways[0], lead[0], m, k, dtype, 1)
    b = laid(ways[1], lead[1], k, n, dtype, 2)
    c = a @ b
    whole = np.complex128 if np.dtype(dtype).kind == "c" else np.int64
    by_rows = (np.arange(1, c.size + 1) % 97).reshape(c.shape)
    print(dtype, lead, sides, ways, c.shape, c.dtype, (c.astype(whole) * by_rows).sum(), c.astype(whole).sum())


# Both sides of what is copied before a product, and of what each loop takes.
for sides in [(16, 64, 128), (16, 63, 130), (33, 512, 16), (33, 512, 17), (40, 546, 15), (9, 90, 91), (200, 9, 1000), (96, 90, 95), (96, 90, 96)]:
    for ways in [("dense", "turned"), ("turned", "dense"), ("turned", "turned"), ("apart", "backwards"), ("again", "turned")]:
        for dtype in ["float32", "float64", "int32", "int64", "uint8"]:
            told(dtype, ((), ()), sides, ways)
# Few rows by a turned matrix, which is the turned product of many rows by few columns.
for m in [1, 2, 3, 4, 5, 7, 8, 9, 17, 24, 25]:
    for dtype in ["float32", "float64"]:
        told(dtype, ((), ()), (m, 70, 140), ("dense", "turned"))
        told(dtype, ((), ()), (m, 3, 16), ("dense", "turned"))
        told(dtype, ((), ()), (m, 3, 15), ("turned", "turned"))
# Complex numbers, of every side that may be doubled, and stacks.
for sides in [(1, 1, 1), (1, 5, 1), (2, 1, 3), (1, 40, 70), (70, 40, 1), (3, 100, 120), (120, 100, 3), (33, 34, 35), (5, 0, 4), (0, 3, 2)]:
    for ways in [("dense", "dense"), ("dense", "turned"), ("turned", "dense"), ("turned", "turned"), ("apart", "backwards"), ("again", "dense")]:
        for dtype in ["complex64", "complex128"]:
            told(dtype, ((), ()), sides, ways)
for lead in [((3,), (3,)), ((3,), ()), ((), (2,)), ((2, 1), (3,)), ((0,), (1,))]:
    for sides in [(4, 5, 6), (1, 30, 40), (40, 30, 1), (2, 2, 2)]:
        for ways in [("dense", "turned"), ("turned", "dense")]:
            for dtype in ["float32", "int64", "complex64", "complex128"]:
                told(dtype, lead, sides, ways)
v = numbers((6,), "complex64", 3)
x = numbers((4, 6), "complex64", 4)
print(x @ v, v @ x.T, v @ v, x.conj() @ v, np.vdot(v, v), np.dot(x, v), x @ numbers((6,), "float32", 1))
for c in [x @ v, x @ x.T, v @ x.T, x.T @ x, np.stack([x, x]) @ x.T]:
    print(c.flags.owndata, c.flags.writeable, c.base is None, c.flags.c_contiguous, c.nbytes)
# By their parts, which lie in each other's gaps.
for n in [1, 7, 8, 15, 16, 17, 63, 64, 65, 513, 2049]:
    for dtype in ["complex64", "complex128"]:
        z, w = numbers((n,), dtype, 1), numbers((n,), dtype, 2)
        turn = np.arange(1, n + 1) % 13
        print(n, dtype, [(r * turn).sum().item() for r in (z + w, z * w, z.conj() - w, z[::-1] * 2, z.real - w.imag, z.imag[::-1] + w.real)])
    for dtype in ["uint8", "int16", "float32", "int64"]:
        z = numbers((2 * n,), dtype, 3)
        print(n, dtype, ((z[::2] + z[1::2]) * np.arange(n)).sum(), ((z[1::2] - z[::2]) * np.arange(n)).sum())
# Triangles are their own, whatever they were made of.
for dtype in [bool, "uint8", "float64"]:
    for made in [np.tri(4, 5, 1, dtype=dtype), np.tri(4, dtype=dtype), np.tril(np.ones((4, 4), dtype), -1), np.triu(np.ones((4, 4), dtype)), np.eye(4, 3, -1, dtype=dtype)]:
        made[0, 1] = 1
        made[2, 0] = 0
        print(made.astype(int).tolist(), made.flags.c_contiguous, made.strides)
        np.logical_not(made, out=made)
        made[1:] += made[:1]
        print(made.astype(int).tolist())
