# Complex matrices taken apart.
rng = np.random.RandomState(3)


def numbers(*shape):
    count = int(np.prod(shape))
    line = np.arange(2 * count) * 7 % 11 - 5.0
    return (line[:count] + 1j * line[count:]).reshape(shape)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def near(a, b):
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9))


for shape in ((1, 1), (2, 2), (3, 3), (5, 5), (4, 2), (2, 4), (2, 3, 3), (2, 3, 4, 2), (7, 6), (9, 9), (0, 0), (3, 0)):
    a = numbers(*shape)
    m, n = shape[-2:]
    s = np.linalg.svdvals(a)
    print(shape, np.round(s, 6) + 0, s.dtype)
    for mode in ("reduced", "complete"):
        q, r = np.linalg.qr(a, mode)
        print(q.shape, r.shape, q.dtype, near(q @ r, a), near(adjoint(q) @ q, np.eye(q.shape[-1])), near(np.tril(r, -1), 0))
    print(np.linalg.qr(a, "r").shape)
    for full in (False, True):
        u, s, vh = np.linalg.svd(a, full_matrices=full)
        k = min(m, n)
        print(u.shape, s.shape, vh.shape, near((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a))
        print(near(adjoint(u) @ u, np.eye(u.shape[-1])), near(vh @ adjoint(vh), np.eye(vh.shape[-2])))
    if m and n:
        p = np.linalg.pinv(a)
        print(p.shape, near(a @ p @ a, a), near(p @ a @ p, p), near(adjoint(a @ p), a @ p))
        print(np.linalg.matrix_rank(a), np.round(np.linalg.norm(a), 6))
    if m == n and m > 0:
        h = a + adjoint(a)
        for uplo in "LU":
            w, v = np.linalg.eigh(h, uplo)
            print(np.round(w, 6) + 0, w.dtype, v.dtype, near(h @ v, v * w[..., None, :]), near(adjoint(v) @ v, np.eye(n)))
            print(near(np.linalg.eigvalsh(h, uplo), w))
        u, s, vh = np.linalg.svd(h, hermitian=True)
        print(near((u * s[..., None, :]) @ vh, h), near(np.linalg.svd(h, compute_uv=False, hermitian=True), s))
        print(near(np.linalg.pinv(h, hermitian=True), np.linalg.pinv(h)))
        w, v = np.linalg.eig(a)
        print(w.dtype, v.dtype, near(a @ v, v * w[..., None, :]), near((np.abs(v) ** 2).sum(axis=-2), 1))
        print(near(np.sort_complex(np.round(np.linalg.eigvals(a), 8)), np.sort_complex(np.round(w, 8))))
        print(near(np.prod(w, axis=-1), np.linalg.det(a)), near(np.sum(w, axis=-1), np.trace(a, axis1=-2, axis2=-1)))
a = numbers(5, 3)
for b in (numbers(5), numbers(5, 2), np.arange(5.0)):
    x, left, rank, s = np.linalg.lstsq(a, b)
    print(np.round(x, 6) + 0, np.round(left, 6), left.dtype, rank, np.round(s, 6))
one = np.array([[1, 1j], [1j, -1]])
print(np.linalg.matrix_rank(one), np.round(np.linalg.pinv(one), 6) + 0)
print(np.linalg.matrix_rank(np.array([1j, 0])), np.round(np.linalg.cond(np.array([[1, 1j], [2, 0]])), 6))
for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
    print(order, np.round(np.linalg.norm(numbers(3, 3), order), 6))
print(np.sort_complex(np.round(np.roots([1, 1j, 2]), 6) + 0))
print(np.linalg.vecdot(np.array([1j, 2]), np.array([1j, 1])))
own = np.array([[2, 1j], [-1j, 2]])
w, v = np.linalg.eig(own)
print(np.sort(np.round(w.real, 9)) + 0, near(w.imag, 0))
for bad in (np.inf, np.nan):
    c = np.array([[1j, bad], [0, 1]])
    for f in (np.linalg.eig, np.linalg.eigvals):
        show(lambda: f(c))
show(lambda: np.linalg.eigh(numbers(2, 3)))
single = numbers(3, 3).astype(np.complex64)
print([x.dtype for x in np.linalg.svd(single)], [x.dtype for x in np.linalg.qr(single)], [x.dtype for x in np.linalg.eigh(single)], [x.dtype for x in np.linalg.eig(single)])
