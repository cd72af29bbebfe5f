"""Linear algebra on stacks of matrices, by blocks: what is left is mostly products of matrices.

Matrices are the last two axes. Algorithms after Golub and Van Loan, Matrix Computations, 4th edition;
singular values by one-sided Jacobi rotations (8.6.3 there) of pairs of columns that do not meet.
"""

from collections import namedtuple

from numpy import diagonal as _slanted
from numpy.linalg import LinAlgError, norm

_BLOCK = 64

matmul = matmul
matrix_transpose = matrix_transpose
tensordot = tensordot

EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])


def _matrices(a, what="Array"):
    a = asarray(a)
    if a.ndim < 2:
        words = f"{a.ndim}-dimensional array given. {what} must be at least two-dimensional"
        raise LinAlgError(words)
    if not a.is_floating_point():
        return a * 1.0
    if a.itemsize < 4:
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    return a


def _square(a):
    a = _matrices(a)
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def _first(wrong):
    """Which of a stack is wrong, in words."""
    if wrong.ndim == 0:
        return ""
    return " " + str(tuple(int(i) for i in argwhere(wrong)[0])) + " of the stack"


def _lu(a):
    """Both triangles in one matrix, the rows as they stand then, and the sign of that order."""
    lu = a.copy()
    n = a.shape[-1]
    order = broadcast_to(arange(n), a.shape[:-1]).copy()
    sign = ones(a.shape[:-2], dtype=a.dtype)
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for k in range(start, end):
            pivot = k + argmax(absolute(lu[..., k:, k]), axis=-1)
            _swap(lu, k, pivot[..., None, None], -2)
            _swap(order, k, pivot[..., None], -1)
            sign = where(pivot == k, sign, -sign)
            divisor = lu[..., k, k]
            divisor = where(divisor == 0, 1, divisor)
            lu[..., k + 1:, k] /= divisor[..., None]
            lu[..., k + 1:, k + 1:end] -= lu[..., k + 1:, k, None] * lu[..., k, None, k + 1:end]
        if end < n:
            _forward(lu[..., start:end, start:end], lu[..., start:end, end:])
            lu[..., end:, end:] -= lu[..., end:, start:end] @ lu[..., start:end, end:]
    return lu, order, sign


def _swap(x, k, other, axis):
    here = x[..., k:k + 1, :].copy() if axis == -2 else x[..., k:k + 1].copy()
    index = broadcast_to(other, here.shape)
    there = take_along_axis(x, index, axis)
    put_along_axis(x, index, here, axis)
    if axis == -2:
        x[..., k:k + 1, :] = there
    else:
        x[..., k:k + 1] = there


def _forward(lower, b):
    """Solves for a triangle with ones on its diagonal, in place."""
    n = lower.shape[-1]
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for k in range(start, end - 1):
            b[..., k + 1:end, :] -= lower[..., k + 1:end, k, None] * b[..., k, None, :]
        if end < n:
            b[..., end:, :] -= lower[..., end:, start:end] @ b[..., start:end, :]


def _backward(upper, b):
    """Solves for an upper triangle, in place."""
    n = upper.shape[-1]
    for end in range(n, 0, -_BLOCK):
        start = max(end - _BLOCK, 0)
        for k in range(end - 1, start - 1, -1):
            b[..., k, :] /= upper[..., k, k, None]
            b[..., start:k, :] -= upper[..., start:k, k, None] * b[..., k, None, :]
        if start > 0:
            b[..., :start, :] -= upper[..., :start, start:end] @ b[..., start:end, :]


def _diagonal(a):
    return _slanted(a, 0, -2, -1)


def _turned(a):
    return swapaxes(a, -1, -2)


def solve(a, b):
    """`x` of `a @ x == b`. A `b` of one axis is a vector, else a stack of matrices.

    Raises LinAlgError where a matrix is singular.
    """
    a = _square(a)
    b = asarray(b)
    if b.ndim == 0:
        raise LinAlgError("0-dimensional array given. Array must be at least one-dimensional")
    right = b[:, None] if b.ndim == 1 else b
    if right.shape[-2] != a.shape[-1]:
        words = f"solve: the matrices have {a.shape[-1]} rows, and the right-hand side has {right.shape[-2]}"
        raise ValueError(words)
    dtype = result_type(a, right)
    batch = broadcast_shapes(a.shape[:-2], right.shape[:-2])
    lu, order, _ = _lu(a.astype(dtype))
    wrong = (_diagonal(lu) == 0).any(axis=-1)
    if wrong.any():
        raise LinAlgError("Singular matrix" + _first(wrong))
    lu = broadcast_to(lu, batch + lu.shape[-2:])
    right = broadcast_to(right.astype(dtype), batch + right.shape[-2:])
    index = broadcast_to(order[..., None], right.shape)
    x = take_along_axis(right, index, -2)
    _forward(lu, x)
    _backward(lu, x)
    return x[..., 0] if b.ndim == 1 else x


def inv(a):
    """The inverse of each matrix. Raises LinAlgError where one is singular."""
    a = _square(a)
    return solve(a, broadcast_to(eye(a.shape[-1], dtype=a.dtype), a.shape))


def det(a):
    """The determinant of each matrix."""
    lu, _, sign = _lu(_square(a))
    return sign * prod(_diagonal(lu), axis=-1)


def slogdet(a):
    """The determinant's sign and the logarithm of its size."""
    lu, _, turned = _lu(_square(a))
    pivots = _diagonal(lu)
    return SlogdetResult(turned * prod(sign(pivots), axis=-1), log(absolute(pivots)).sum(axis=-1))


def cholesky(a, /, *, upper=False):
    """The lower triangle `L` of `L @ L.T == a`; only a's lower triangle is read, or its upper one.

    Raises LinAlgError where a matrix is not positive definite.
    """
    a = _square(a)
    left = (_turned(a) if upper else a).copy()
    n = a.shape[-1]
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for k in range(start, end):
            left[..., k, k] = sqrt(left[..., k, k])
            left[..., k + 1:, k] /= left[..., k, k, None]
            left[..., k + 1:, k + 1:end] -= left[..., k + 1:, k, None] * left[..., None, k + 1:end, k]
        if end < n:
            below = left[..., end:, start:end]
            left[..., end:, end:] -= below @ _turned(below)
    pivots = _diagonal(left)
    wrong = logical_not((pivots > 0).all(axis=-1))
    if wrong.any():
        raise LinAlgError("Matrix is not positive definite" + _first(wrong))
    return _turned(tril(left)) if upper else tril(left)


def _reflections(a):
    """The triangle that reflections make of each matrix, their vectors as columns, and their factors."""
    r = a.copy()
    m, n = a.shape[-2:]
    vectors = zeros_like(a)[..., :min(m, n)]
    factors = zeros(a.shape[:-2] + (min(m, n),), dtype=a.dtype)
    for k in range(min(m, n)):
        x = r[..., k:, k].copy()
        tail = (x[..., 1:] ** 2).sum(axis=-1)
        head = x[..., 0].copy()
        # A column that is zero below its head stays as it is.
        length = where(tail == 0, 0, sqrt(head * head + tail))
        pivot = where(tail == 0, head, -copysign(length, head))
        x[..., 0] = where(tail == 0, 1, head - pivot)
        vectors[..., k:, k] = x / x[..., :1]
        factors[..., k] = where(tail == 0, 0, (pivot - head) / where(pivot == 0, 1, pivot))
        v = vectors[..., k:, k, None]
        r[..., k:, k:] -= factors[..., k, None, None] * v * (_turned(v) @ r[..., k:, k:])
        r[..., k + 1:, k] = 0
    return r, vectors, factors


def qr(a, mode="reduced"):
    """Orthonormal columns `Q` and an upper triangle `R` of `Q @ R == a`.

    mode: 'reduced', 'complete' (as many columns as rows) or 'r' (R alone).
    """
    a = _matrices(a)
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    m, n = a.shape[-2:]
    r, vectors, factors = _reflections(a)
    if mode == "r":
        return r[..., :min(m, n), :]
    columns = m if mode == "complete" else min(m, n)
    q = broadcast_to(eye(m, columns, dtype=a.dtype), a.shape[:-2] + (m, columns)).copy()
    for k in range(min(m, n) - 1, -1, -1):
        v = vectors[..., k:, k, None]
        q[..., k:, k:] -= factors[..., k, None, None] * v * (_turned(v) @ q[..., k:, k:])
    return QRResult(q, r[..., :columns, :])


def _rotated(a):
    """`w` and an orthogonal `v` of `a @ v == w`, whose columns are orthogonal and get shorter."""
    m, n = a.shape[-2:]
    batch = a.shape[:-2]
    if n < 2 or a.size == 0:
        return a, broadcast_to(eye(n, dtype=a.dtype), batch + (n, n)), sqrt((a * a).sum(axis=-2))
    # What is done to the columns of `a` is done to those of the identity below it.
    whole = concatenate([a, broadcast_to(eye(n, dtype=a.dtype), batch + (n, n))], axis=-2)
    if n % 2:
        whole = concatenate([whole, zeros(batch + (m + n, 1), dtype=a.dtype)], axis=-1)
    # A tournament in which each column meets each: the first stays, the others go round.
    half = whole.shape[-1] // 2
    p, q = whole[..., :half], flip(whole[..., half:], -1)
    least = finfo(a.dtype).eps
    for _ in range(60):
        worst = 0.0
        for _ in range(2 * half - 1):
            a_p, a_q = p[..., :m, :], q[..., :m, :]
            alpha, beta = (a_p * a_p).sum(axis=-2), (a_q * a_q).sum(axis=-2)
            gamma = (a_p * a_q).sum(axis=-2)
            limit = sqrt(alpha) * sqrt(beta)
            turns = absolute(gamma) > least * limit
            off = where(turns, absolute(gamma) / where(limit == 0, 1, limit), 0)
            worst = max(worst, off.max().item())
            zeta = (beta - alpha) / where(turns, 2 * gamma, 1)
            t = copysign(1, zeta) / (absolute(zeta) + sqrt(1 + zeta * zeta))
            c = where(turns, 1 / sqrt(1 + t * t), 1)
            s = where(turns, c * t, 0)
            c, s = c[..., None, :], s[..., None, :]
            p, q = c * p - s * q, s * p + c * q
            if half > 1:
                p, q = (
                    concatenate([p[..., :1], q[..., :1], p[..., 1:-1]], axis=-1),
                    concatenate([q[..., 1:], p[..., -1:]], axis=-1),
                )
        if not worst > n * least:
            break
    whole = concatenate([p, flip(q, -1)], axis=-1)[..., :n]
    w, v = whole[..., :m, :], whole[..., m:, :]
    lengths = sqrt((w * w).sum(axis=-2))
    order = argsort(-lengths, axis=-1)[..., None, :]
    take = lambda x: take_along_axis(x, broadcast_to(order, x.shape), -1)
    return take(w), take(v), take_along_axis(lengths, order[..., 0, :], -1)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Orthogonal `U` and `Vh` and falling singular values `S` of `U * S @ Vh == a`.

    Without `compute_uv` the values alone. `hermitian` says that a matrix is symmetric, which changes
    nothing here.
    """
    a = _matrices(a)
    m, n = a.shape[-2:]
    if m < n:
        parts = svd(_turned(a), full_matrices, compute_uv)
        return SVDResult(_turned(parts[2]), parts[1], _turned(parts[0])) if compute_uv else parts
    q, r = qr(a)
    w, v, lengths = _rotated(r)
    if not compute_uv:
        return lengths
    # The columns are orthogonal, so that their triangle is diagonal, and there are as many unit vectors as
    # wanted, also where some columns are zero.
    rotations, diagonals = qr(w)
    u = q @ (rotations * copysign(1, _diagonal(diagonals))[..., None, :])
    if full_matrices and m > n:
        u = concatenate([u, qr(a, "complete").Q[..., n:]], axis=-1)
    return SVDResult(u, lengths, _turned(v))


def svdvals(x, /):
    """The singular values of each matrix, the largest first."""
    return svd(x, compute_uv=False)


def eigh(a, UPLO="L"):
    """Rising eigenvalues of symmetric matrices, and their vectors as columns; one triangle is read."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    a = _square(a)
    half = tril(a, -1) if UPLO.upper() == "L" else _turned(triu(a, 1))
    n = a.shape[-1]
    a = half + _turned(half) + _diagonal(a)[..., None] * eye(n, dtype=a.dtype)
    # Moved up by no less than the largest of them, all eigenvalues are singular values.
    shift = absolute(a).sum(axis=-1).max(axis=-1) if n else zeros(a.shape[:-2], dtype=a.dtype)
    _, v, lengths = _rotated(a + shift[..., None, None] * eye(n, dtype=a.dtype))
    v = flip(v, -1)
    values = (v * (a @ v)).sum(axis=-2)
    order = argsort(values, axis=-1)
    values = take_along_axis(values, order, -1)
    return EighResult(values, take_along_axis(v, broadcast_to(order[..., None, :], v.shape), -1))


def eigvalsh(a, UPLO="L"):
    """The eigenvalues of symmetric matrices, the smallest first."""
    return eigh(a, UPLO)[0]


def _limit(values, tol):
    return values.max(axis=-1, keepdims=True) * tol if values.shape[-1] else values


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """The pseudo-inverse: singular values up to `rcond` times the largest count as zero."""
    a = _matrices(a)
    if rcond is None:
        rcond = 1e-15 if rtol is None else rtol
    u, s, vh = svd(a, full_matrices=False)
    keeps = s > _limit(s, asarray(rcond)[..., None])
    inverse = where(keeps, 1 / where(keeps, s, 1), 0)
    return _turned(vh) @ (inverse[..., None] * _turned(u))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """How many singular values are larger than `tol`."""
    A = asarray(A)
    if A.ndim < 2:
        return int(not (A == 0).all())
    s = svdvals(A)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * finfo(s.dtype).eps
        tol = _limit(s, asarray(rtol)[..., None])
    else:
        tol = asarray(tol)[..., None]
    return count_nonzero(s > tol, axis=-1)


def cond(x, p=None):
    """How much an error of the right-hand side may grow: by norm `p`, else by the singular values."""
    x = _matrices(x)
    if p is None or p == 2 or p == -2:
        s = svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return norm(x, p, axis=(-2, -1)) * norm(inv(x), p, axis=(-2, -1))


def lstsq(a, b, rcond=None):
    """`x` of the least `norm(b - a @ x)`, the sums of squares that are left, a's rank, its singular values.

    Of several such `x` it is the shortest. Singular values up to `rcond` times the largest count as zero.
    """
    a, b = _matrices(a), asarray(b)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if b.ndim not in (1, 2):
        raise LinAlgError(f"{b.ndim}-dimensional array given. Array must be one- or two-dimensional")
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    m, n = a.shape
    dtype = result_type(a, b)
    a, right = a.astype(dtype), (b if b.ndim == 2 else b[:, None]).astype(dtype)
    if rcond is None:
        rcond = finfo(dtype).eps * max(m, n)
    u, s, vh = svd(a, full_matrices=False)
    keeps = s > _limit(s, rcond)
    x = vh.T @ (where(keeps, 1 / where(keeps, s, 1), 0)[:, None] * (u.T @ right))
    rank = int(count_nonzero(keeps))
    left = zeros(0, dtype=dtype)
    if rank == n and m > n:
        left = ((right - a @ x) ** 2).sum(axis=0)
    return (x if b.ndim == 2 else x[:, 0]), left, rank, s


def tensorsolve(a, b, axes=None):
    """`x` of `tensordot(a, x, x.ndim) == b`."""
    a, b = asarray(a), asarray(b)
    if axes is not None:
        order = [k for k in range(a.ndim) if k not in axes]
        a = transpose(a, order + list(axes))
    shape = a.shape[b.ndim:]
    size = prod(array(shape, dtype=int64)).item()
    if a.size != size ** 2:
        raise LinAlgError(f"a has {a.size} elements, and {size} times {size} are needed")
    return solve(a.reshape(b.size, size), b.ravel()).reshape(shape)


def tensorinv(a, ind=2):
    """The inverse of `a` under `tensordot`, whose first `ind` axes count as rows."""
    a = asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    rows, columns = a.shape[:ind], a.shape[ind:]
    size = prod(array(columns, dtype=int64)).item()
    return inv(a.reshape(-1, size)).reshape(columns + rows)


def cross(x1, x2, /, *, axis=-1):
    """The vector product along one axis of length three."""
    x1, x2 = asarray(x1), asarray(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        words = f"but they are {x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, " + words)
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    a, b, c = x1[..., 0], x1[..., 1], x1[..., 2]
    d, e, f = x2[..., 0], x2[..., 1], x2[..., 2]
    return moveaxis(stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1), -1, axis)


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along one axis."""
    return (asarray(x1) * asarray(x2)).sum(axis=axis)


def outer(x1, x2, /):
    """All products of two vectors."""
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        words = f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        raise ValueError(words)
    return x1[:, None] * x2


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of each matrix."""
    return norm(asarray(x), ord, axis=(-2, -1), keepdims=keepdims)


def diagonal(x, /, *, offset=0):
    """The diagonal of each matrix."""
    return _slanted(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of each matrix's diagonal."""
    return _slanted(x, offset, -2, -1).sum(axis=-1, dtype=dtype)
