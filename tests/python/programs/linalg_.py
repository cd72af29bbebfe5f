# NumPy's linear algebra: what it gives where it is one value, and what must hold where it is not.
import numpy as np
from numpy.linalg import LinAlgError


def show(x):
    x = np.asarray(x, dtype=np.float64)
    print(x.shape, [round(float(v), 7) + 0.0 for v in x.ravel().tolist()])


def holds(name, difference, limit=1e-9):
    d = np.asarray(difference)
    worst = float(np.abs(d).max()) if d.size else 0.0
    print(name, worst < limit or worst)


def turned(x):
    return np.swapaxes(x, -1, -2)


def matrix(*shape):
    # Neither symmetric nor regular, the same everywhere.
    size = 1
    for n in shape:
        size *= n
    values = [((k * 37 + 11) % 101) / 17.0 - 2.5 + ((k * k) % 7) for k in range(size)]
    return np.array(values, dtype=np.float64).reshape(shape)


def spread(n):
    return matrix(n, n) + 9.0 * n * np.eye(n, dtype=np.float64)


for shape in [(1, 1), (2, 2), (3, 3), (5, 5), (2, 3, 3), (2, 2, 4, 4), (0, 3, 3)]:
    a = matrix(*shape) + 3.0 * np.eye(shape[-1], dtype=np.float64)
    show(np.linalg.det(a))
    sign, size = np.linalg.slogdet(a)
    show(sign), show(size)
    show(np.linalg.inv(a))
    show(np.linalg.solve(a, matrix(shape[-1], 2)))
    show(np.linalg.svdvals(a))
    s = a + turned(a)
    show(np.linalg.eigvalsh(s))
    p = a @ turned(a) + np.eye(shape[-1], dtype=np.float64)
    show(np.linalg.cholesky(p))
    show(np.linalg.cholesky(p, upper=True))
    print(np.linalg.matrix_rank(a).tolist() if a.ndim > 2 else int(np.linalg.matrix_rank(a)))

# On both sides of a block.
for n in [63, 64, 65, 129]:
    a = spread(n)
    b = matrix(n, 3)
    holds("solve", a @ np.linalg.solve(a, b) - b)
    holds("inv", a @ np.linalg.inv(a) - np.eye(n))
    p = a @ a.T
    holds("cholesky", np.linalg.cholesky(p) @ np.linalg.cholesky(p).T - p, 1e-5)
    print(round(float(np.linalg.slogdet(a)[1]), 6))

for shape in [(5, 3), (3, 5), (4, 4), (1, 4), (4, 1), (2, 4, 3), (0, 3), (3, 0)]:
    a = matrix(*shape)
    m, n = shape[-2:]
    for mode in ["reduced", "complete"]:
        q, r = np.linalg.qr(a, mode)
        print(q.shape, r.shape)
        holds("q @ r", q @ r - a)
        holds("q.T @ q", turned(q) @ q - np.eye(q.shape[-1]))
    show(np.linalg.qr(a, "r"))
    if m and n:
        for full in [True, False]:
            u, s, vh = np.linalg.svd(a, full_matrices=full)
            print(u.shape, s.shape, vh.shape)
            k = min(m, n)
            holds("u s vh", (u[..., :k] * s[..., None, :]) @ vh[..., :k, :] - a)
            holds("u", turned(u) @ u - np.eye(u.shape[-1]))
            holds("vh", vh @ turned(vh) - np.eye(vh.shape[-2]))
        show(np.linalg.pinv(a))

a = matrix(6, 6)
s = a + a.T
for side in "LU":
    values, vectors = np.linalg.eigh(np.tril(s) if side == "L" else np.triu(s), side)
    holds("eigh", s @ vectors - vectors * values)
    holds("vectors", vectors.T @ vectors - np.eye(6))
    show(values)

# Singular, and nearly so.
flat = np.ones((4, 3), dtype=np.float64)
u, s, vh = np.linalg.svd(flat)
show(s)
holds("u of rank one", u.T @ u - np.eye(4))
show(np.linalg.pinv(flat))
print(int(np.linalg.matrix_rank(flat)), int(np.linalg.matrix_rank(np.zeros((3, 3)))))
print(int(np.linalg.matrix_rank(np.array([0.0, 1.0]))), int(np.linalg.matrix_rank(np.zeros(3))))
show(np.linalg.det(np.array([[1.0, 2.0], [2.0, 4.0]])))
show(np.linalg.cond(np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float64)))
for p in [1, -1, np.inf, -np.inf, 2, -2, "fro"]:
    show(np.linalg.cond(np.array([[1.0, 2.0], [3.0, 4.5]], dtype=np.float64), p))

x, left, rank, s = np.linalg.lstsq(np.array([[0.0, 1], [1, 1], [2, 1], [3, 1]], dtype=np.float64), np.array([-1, 0.2, 0.9, 2.1], dtype=np.float64))
show(x), show(left), print(int(rank)), show(s)
x, left, rank, s = np.linalg.lstsq(flat, matrix(4, 2), rcond=None)
show(x), print(left.shape, int(rank))
x, left, rank, s = np.linalg.lstsq(matrix(2, 4), matrix(2), rcond=None)
show(x), print(left.shape, int(rank))

a = np.eye(2 * 3 * 4, dtype=np.float64).reshape(2 * 3, 4, 2, 3, 4)
show(np.linalg.tensorsolve(a, matrix(2 * 3, 4)))
a = np.eye(4 * 6, dtype=np.float64).reshape(4, 6, 8, 3)
print(np.linalg.tensorinv(a, ind=2).shape)
show(np.linalg.cross(np.array([1, 2, 3]), np.array([4, 5, 6])))
show(np.linalg.vecdot(matrix(2, 3), matrix(2, 3)))
show(np.linalg.outer(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
show(np.linalg.diagonal(matrix(2, 3, 3), offset=1))
show(np.linalg.trace(matrix(2, 3, 3)))
show(np.linalg.matrix_norm(matrix(2, 3, 3)))
show(np.linalg.matrix_transpose(matrix(2, 3)))
result = np.linalg.svd(matrix(2, 2))
print(result.S.shape, result.U.shape, np.linalg.qr(matrix(2, 2)).R.shape, np.linalg.eigh(np.eye(2)).eigenvalues.tolist())
print(np.linalg.solve(np.array([[3, 1], [1, 2]]), np.array([9, 8])).tolist())

for wrong in [
    lambda: np.linalg.solve(np.zeros((2, 2)), np.ones(2)),
    lambda: np.linalg.inv(np.ones((3, 3))),
    lambda: np.linalg.inv(np.ones((2, 3))),
    lambda: np.linalg.det(np.ones(3)),
    lambda: np.linalg.cholesky(np.array([[1.0, 2.0], [2.0, 1.0]])),
    lambda: np.linalg.solve(np.eye(2), np.ones(3)),
    lambda: np.linalg.eigh(np.eye(2), "X"),
    lambda: np.linalg.cross(np.ones(2), np.ones(2)),
    lambda: np.linalg.outer(np.ones((2, 2)), np.ones(2)),
    lambda: np.linalg.lstsq(np.eye(2), np.ones(3)),
    lambda: np.linalg.qr(np.eye(2), "x"),
]:
    try:
        wrong()
        print("nothing raised")
    except LinAlgError as error:
        print("LinAlgError")
    except ValueError as error:
        print("ValueError")

def about(x):
    x = np.asarray(x, dtype=np.float64)
    print(x.shape, ["%.6g" % (float(v) + 0.0) for v in x.ravel().tolist()])


# Values that are not symmetric matrices': where they are real, in any order.
s = matrix(6, 6) + matrix(6, 6).T
for a in [np.triu(matrix(5, 5)), spread(4) @ turned(spread(4)), s, np.zeros((3, 3)), matrix(2, 3, 3) * 0.0 + np.diag(np.arange(3.0))]:
    w, v = np.linalg.eig(a)
    holds("eig", a @ v - v * w[..., None, :], 1e-8)
    holds("lengths", (v * v).sum(axis=-2) - 1.0)
    show(np.sort(w))
    show(np.sort(np.linalg.eigvals(a)))

# On both sides of the sizes at which the methods change.
for n in [15, 16, 17, 47, 48, 49, 127, 129]:
    a = matrix(n, n) / n
    q, r = np.linalg.qr(a)
    holds("qr", q @ r - a), holds("q", q.T @ q - np.eye(n))
    u, d, vh = np.linalg.svd(a)
    holds("svd", (u * d) @ vh - a), holds("u", u.T @ u - np.eye(n)), holds("vh", vh @ vh.T - np.eye(n))
    holds("svdvals", np.linalg.svdvals(a) - d)
    w, v = np.linalg.eigh(a + a.T)
    holds("eigh", (a + a.T) @ v - v * w), holds("v", v.T @ v - np.eye(n))
    holds("eigvalsh", np.linalg.eigvalsh(a + a.T) - w)
    print(round(float(np.linalg.slogdet(spread(n))[1]), 6))

# Norms, conditions, powers.
a = spread(4) + matrix(4, 4)
for p in [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]:
    about(np.linalg.norm(a, p))
    about(np.linalg.norm(matrix(2, 4, 3), p, axis=(0, 2)))
    about(np.linalg.norm(matrix(2, 4, 3), p, axis=(-1, 0), keepdims=True))
    about(np.linalg.matrix_norm(matrix(2, 3, 4), ord="fro" if p is None else p))
    about(np.linalg.cond(a, p))
    about(np.linalg.cond(np.ones((2, 2)), p) if p != "nuc" else 0.0)
for n in [-3, -1, 0, 1, 5]:
    about(np.linalg.matrix_power(spread(3) / 10.0, n))
chain = [matrix(5), matrix(5, 2), matrix(2, 7), matrix(7, 3), matrix(3)]
about(np.linalg.multi_dot(chain)), about(np.linalg.multi_dot(chain[1:])), about(np.linalg.multi_dot(chain[1:4]))
u, d, vh = np.linalg.svd(s, hermitian=True)
holds("hermitian", (u * d) @ vh - s), show(d), show(np.linalg.svd(s, compute_uv=False, hermitian=True))
show(np.linalg.pinv(s, hermitian=True)), print(int(np.linalg.matrix_rank(s, rtol=1e-3)))

# Very large, very small, and neither.
for size in [1e200, 1e-200]:
    show(np.linalg.eigvalsh(s * size) / size), show(np.linalg.svdvals(a * size) / size)
    show(np.linalg.solve(spread(3) * size, matrix(3) * size)), show(np.linalg.inv(spread(3) * size) * size)
for wild in [np.nan, np.inf]:
    b = np.eye(3)
    b[1, 1] = wild
    show(np.isnan(np.linalg.det(b))), show(np.isnan(np.linalg.inv(b)).any())
show(np.linalg.det(np.zeros((2, 4, 4)))), show(np.linalg.slogdet(np.zeros((3, 3)))[1])
show(np.linalg.det(np.array([[0.0, 1.0, 2.0], [0.0, 3.0, 4.0], [0.0, 5.0, 6.0]])))
for shape in [(0, 0), (2, 0, 0), (0, 3, 3)]:
    b = np.zeros(shape)
    show(np.linalg.det(b)), print(np.linalg.inv(b).shape, np.linalg.eigvalsh(b).shape, np.linalg.cholesky(b).shape)
    print([part.shape for part in np.linalg.svd(b)], [part.shape for part in np.linalg.qr(b)], np.linalg.pinv(b).shape)

for wrong in [
    lambda: np.linalg.eig(np.array([[1.0, np.nan], [0.0, 1.0]])),
    lambda: np.linalg.svd(np.array([[1.0, np.nan], [0.0, 1.0]])),
    lambda: np.linalg.cond(np.zeros((0, 3))),
    lambda: np.linalg.norm(np.eye(2), 3),
    lambda: np.linalg.norm(np.ones((2, 2, 2)), 1),
    lambda: np.linalg.norm(np.ones((2, 2, 2)), 1, axis=(0, 1, 2)),
    lambda: np.linalg.solve(np.eye(3), np.ones((2, 2))),
    lambda: np.linalg.solve(np.eye(3), np.ones(2)),
    lambda: np.linalg.solve(np.eye(3), 3.0),
    lambda: np.linalg.solve(np.ones((2, 2)), np.ones(2)),
    lambda: np.linalg.inv(3.0),
    lambda: np.linalg.inv(np.eye(2, dtype=np.float16)),
    lambda: np.linalg.lstsq(np.eye(2), np.ones((2, 2), dtype=np.float16)),
    lambda: np.linalg.lstsq(np.ones((2, 2, 2)), np.ones(2)),
    lambda: np.linalg.matrix_power(np.ones((2, 2)), -1),
    lambda: np.linalg.matrix_power(np.ones((2, 3)), 2),
    lambda: np.linalg.matrix_power(np.ones(2), 2),
    lambda: np.linalg.multi_dot([np.eye(2)]),
    lambda: np.linalg.multi_dot([np.eye(2), np.ones((2, 2, 2)), np.eye(2)]),
    lambda: np.linalg.multi_dot([np.eye(2), np.eye(3), np.eye(3)]),
    lambda: np.linalg.pinv(np.eye(2), rcond=1e-3, rtol=1e-3),
    lambda: np.linalg.matrix_rank(np.eye(2), tol=1.0, rtol=1e-3),
    lambda: np.linalg.svd(np.ones((2, 3)), hermitian=True),
    lambda: np.linalg.qr(np.eye(2), "x"),
]:
    try:
        wrong()
        print("nothing raised")
    except Exception as error:
        print(type(error).__name__, error)
