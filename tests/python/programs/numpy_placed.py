# Places, counts and bits, of arrays that begin anywhere in their memory.


def told(name, r):
    for one in r if isinstance(r, tuple) else [r]:
        print(name, one.dtype, one.shape, one.tolist())


bits = np.arange(100) % 3 == 0
for first, last in [(0, 64), (1, 65), (3, 20), (5, 5), (2, 9)]:
    for order in ["big", "little"]:
        told("packbits", np.packbits(bits[first:last], bitorder=order))
        told("packbits", np.packbits(np.arange(40, dtype=np.int16)[first // 2 : last // 2] % 2, bitorder=order))
told("packbits", np.packbits(bits[:60].reshape(4, 15)[:, 2:13], axis=1))
told("packbits", np.packbits(bits[:60].reshape(4, 15).T[3:], axis=0))
bytes_ = np.arange(0, 250, 11, dtype=np.uint8)
for first, last in [(0, 8), (3, 5), (7, 7)]:
    for order in ["big", "little"]:
        told("unpackbits", np.unpackbits(bytes_[first:last], bitorder=order))
told("unpackbits", np.unpackbits(bytes_[:12].reshape(3, 4)[:, 1:3], axis=0, count=11))

for dtype in [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]:
    edges = [np.iinfo(dtype).min, np.iinfo(dtype).max]
    some = np.concatenate([np.array(edges, dtype=dtype), np.arange(0, 100, 7).astype(dtype)])
    told("bitwise_count", np.bitwise_count(some))
    told("isin", np.isin(some, some[1:4]))
    told("isin", np.isin(some, np.array([14, 21, 99], dtype=dtype)))
    told("isin", np.isin(some[2:], np.array(edges, dtype=dtype), invert=True))
    told("power", some**3)
    told("power", np.arange(5).astype(dtype) ** 7)
told("isin", np.isin(np.array([[1, 2], [3, 400]]), np.arange(0, 1000, 2)))
told("isin", np.isin(np.array([True, False]), np.array([True])))

x = np.arange(24).reshape(4, 6)
for axis, index in [(0, 0), (0, 4), (0, -1), (1, 6), (1, -6), (1, 3)]:
    told("insert", np.insert(x, index, 7, axis=axis))
    told("insert", np.insert(x, index, np.arange(x.shape[1 - axis]), axis=axis))
told("insert", np.insert(x, 5, [1, 2, 3]))
told("insert", np.insert(x[:, ::2], [1, 1, 2], 9, axis=1))
for counts in [[0, 0, 0, 0], [0, 2, 0, 1], [3, 0, 0, 2], [1, 1, 1, 1]]:
    told("repeat", np.repeat(x, counts, axis=0))
told("repeat", np.repeat(np.arange(5)[1:4], [2, 0, 3]))

for mode in ["edge", "reflect", "symmetric", "wrap"]:
    for width in [(0, 2), (1, 0), (3, 4), (5, 5), (9, 13)]:
        told(mode, np.pad(np.arange(5), width, mode=mode))
    told(mode, np.pad(x[1:3, ::-2], ((1, 0), (2, 1)), mode=mode))
    told(mode, np.pad(np.array([8]), 2, mode=mode))

y = np.array([3, 1, 3, 2, 1, 3])
told("unique", np.unique(y, return_counts=True))
told("unique", np.unique(y, return_index=True))
told("unique", np.unique(y.reshape(2, 3), return_inverse=True))
told("unique", np.unique(y, return_index=True, return_inverse=True, return_counts=True))
told("unique", np.unique(y[:0], return_index=True, return_inverse=True, return_counts=True))
told("unique", np.unique(np.array([2.0, np.nan, 2.0, np.nan]), return_counts=True))
told("unique", np.unique(np.array([2.0, np.nan, np.nan]), return_counts=True, equal_nan=False))

for rows, columns, k in [(3, 3, 0), (3, 3, 5), (3, 3, -3), (2, 4, 3), (4, 2, -3), (0, 3, 0), (1, 1, 0)]:
    told("eye", np.eye(rows, columns, k, dtype=np.int32))
told("eye", np.eye(2, dtype=bool))

a, b, c = np.arange(6).reshape(2, 3), np.arange(6, 12).reshape(2, 3), np.arange(24).reshape(2, 3, 4)
for text, operands in [
    ("ij,ij->ij", (a, b)), ("ij,ij->i", (a, b)), ("ij,ij->j", (a, b)), ("ij,ij->", (a, b)), ("ij,ji->", (a, b.T)),
    ("ij,j->i", (a, b[0])), ("ij,i->j", (a, b[:, 0])), ("ijk,j->ik", (c, b[0])), ("ijk,j->ki", (c, b[0])),
    ("j,ijk->ik", (b[0], c)), ("ijk,ij->k", (c, a)), ("ijk,ik->ij", (c, c[:, 1])), ("i,j->ij", (a[0], b[1])),
    ("ijk,ijk->jk", (c, c)), ("ij,k->ijk", (a, b[0])), ("ij,->ij", (a, np.array(3))), ("ii,i->i", (c[:, :2, 0], a[:, 0])),
    ("...j,j->...", (c.transpose(0, 2, 1), b[0])),
]:
    told(text, np.einsum(text, *operands))
told("einsum", np.einsum("i,i->i", np.array([True, False]), np.array([True, True])))
told("vdot", np.asarray(np.vdot(a * 1j + 1, b - 2j)))
told("dot", np.asarray(np.dot(a[0] * 1j, b[0] * 2j)))
