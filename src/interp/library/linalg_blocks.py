"""Matrices taken apart by blocks: what is left is mostly products of matrices, so that it goes well where a
device has nothing of its own for it.

Matrices are the last two axes. Algorithms after Golub and Van Loan, Matrix Computations, 4th edition;
singular values by one-sided Jacobi rotations (8.6.3 there) of pairs of columns that do not meet.
"""

from numpy import diagonal as _slanted
from numpy.linalg import LinAlgError

_BLOCK = 64


def _diagonal(a):
    return _slanted(a, 0, -2, -1)


def _turned(a):
    return swapaxes(a, -1, -2)


def _refuse(wrong, words):
    """Says which of a stack is wrong, if any is."""
    if wrong.any():
        which = "" if wrong.ndim == 0 else " " + str(tuple(int(i) for i in argwhere(wrong)[0])) + " of the stack"
        raise LinAlgError(words + which)


def _scaled(a):
    """Matrices whose squares are neither infinite nor zero, and the powers of two that were taken out."""
    if a.size == 0:
        return a, ones(a.shape[:-2] + (1, 1), dtype=a.dtype)
    size = absolute(a).max(axis=(-2, -1), keepdims=True)
    size = where((size > 0) & isfinite(size), 2.0 ** floor(log2(where(size > 0, size, 1))), 1).astype(a.dtype)
    return a / size, size


def _lu_of(a):
    """Both triangles in one matrix, the rows as they stand then, and how many pairs were exchanged."""
    lu = a.copy()
    m, n = a.shape[-2:]
    order = broadcast_to(arange(m), a.shape[:-1]).copy()
    swaps = zeros(a.shape[:-2], dtype=int64)
    for start in range(0, min(m, n), _BLOCK):
        end = min(start + _BLOCK, m, n)
        for k in range(start, end):
            pivot = k + argmax(absolute(lu[..., k:, k]), axis=-1)
            _swap(lu, k, pivot[..., None, None], -2)
            _swap(order, k, pivot[..., None], -1)
            swaps += pivot != k
            divisor = lu[..., k, k]
            divisor = where(divisor == 0, 1, divisor)
            lu[..., k + 1:, k] /= divisor[..., None]
            lu[..., k + 1:, k + 1:end] -= lu[..., k + 1:, k, None] * lu[..., k, None, k + 1:end]
        if end < n:
            _forward(lu[..., start:end, start:end], lu[..., start:end, end:])
            lu[..., end:, end:] -= lu[..., end:, start:end] @ lu[..., start:end, end:]
    return lu, order, swaps


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


def _solved(a, b):
    lu, order, _ = _lu_of(a)
    _refuse((_diagonal(lu) == 0).any(axis=-1), "Singular matrix")
    batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    lu = broadcast_to(lu, batch + lu.shape[-2:])
    b = broadcast_to(b, batch + b.shape[-2:])
    x = take_along_axis(b, broadcast_to(order[..., None], b.shape), -2)
    _forward(lu, x)
    _backward(lu, x)
    return x


def _triangle_solved(a, b, upper, unit):
    batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = broadcast_to(a, batch + a.shape[-2:])
    x = broadcast_to(b, batch + b.shape[-2:]).copy()
    if unit:
        a = tril(a, -1) + triu(a, 1) + eye(a.shape[-1], dtype=a.dtype)
    if upper:
        _backward(a, x)
    else:
        # Turned by half, a lower triangle is an upper one.
        _backward(flip(a, (-1, -2)), flip(x, -2))
    return x


def _conjugated(a):
    return conj(a) if iscomplexobj(a) else a


def _cholesky_of(a, upper):
    left = (_conjugated(_turned(a)) if upper else a).copy()
    n = a.shape[-1]
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for k in range(start, end):
            left[..., k, k] = sqrt(real(left[..., k, k]))
            left[..., k + 1:, k] /= left[..., k, k, None]
            left[..., k + 1:, k + 1:end] -= left[..., k + 1:, k, None] * _conjugated(left[..., None, k + 1:end, k])
        if end < n:
            below = left[..., end:, start:end]
            left[..., end:, end:] -= below @ _conjugated(_turned(below))
    _refuse(logical_not((real(_diagonal(left)) > 0).all(axis=-1)), "Matrix is not positive definite")
    return _conjugated(_turned(tril(left))) if upper else tril(left)


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


def _qr_of(a, complete, with_q):
    if iscomplexobj(a):
        return _complex_qr(a, complete, with_q)
    m, n = a.shape[-2:]
    a, size = _scaled(a)
    r, vectors, factors = _reflections(a)
    r = r * size
    columns = m if complete else min(m, n)
    if not with_q:
        return (r[..., :columns, :],)
    q = broadcast_to(eye(m, columns, dtype=a.dtype), a.shape[:-2] + (m, columns)).copy()
    for k in range(min(m, n) - 1, -1, -1):
        v = vectors[..., k:, k, None]
        q[..., k:, k:] -= factors[..., k, None, None] * v * (_turned(v) @ q[..., k:, k:])
    return q, r[..., :columns, :]


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


def _svd_of(a, full):
    m, n = a.shape[-2:]
    _refuse(isnan(a).any(axis=(-1, -2)), "SVD did not converge")
    if iscomplexobj(a):
        return _complex_svd(a, full)
    if m < n:
        parts = _svd_of(_turned(a), full)
        return parts if full is None else (_turned(parts[2]), parts[1], _turned(parts[0]))
    a, size = _scaled(a)
    q, r = _qr_of(a, False, True)
    w, v, lengths = _rotated(r)
    lengths = lengths * size[..., 0]
    if full is None:
        return (lengths,)
    # The columns are orthogonal, so that their triangle is diagonal, and there are as many unit vectors as
    # wanted, also where some columns are zero.
    rotations, diagonals = _qr_of(w, False, True)
    u = q @ (rotations * copysign(1, _diagonal(diagonals))[..., None, :])
    if full and m > n:
        u = concatenate([u, _qr_of(a, True, True)[0][..., n:]], axis=-1)
    return u, lengths, _turned(v)


def _eigh_of(a, upper, vectors):
    half = _turned(triu(a, 1)) if upper else tril(a, -1)
    n = a.shape[-1]
    _refuse(logical_not(isfinite(half).all(axis=(-1, -2)) & isfinite(_diagonal(a)).all(axis=-1)), "Eigenvalues did not converge")
    if iscomplexobj(a):
        half = conj(half) if upper else half
        return _complex_eigh(half + conj(_turned(half)) + real(_diagonal(a))[..., None] * eye(n, dtype=a.dtype), vectors)
    a, size = _scaled(half + _turned(half) + _diagonal(a)[..., None] * eye(n, dtype=a.dtype))
    # Moved up by no less than the largest of them, all eigenvalues are singular values.
    shift = absolute(a).sum(axis=-1).max(axis=-1) if n else zeros(a.shape[:-2], dtype=a.dtype)
    _, v, lengths = _rotated(a + shift[..., None, None] * eye(n, dtype=a.dtype))
    v = flip(v, -1)
    values = (v * (a @ v)).sum(axis=-2)
    order = argsort(values, axis=-1)
    values = take_along_axis(values, order, -1) * size[..., 0]
    if not vectors:
        return (values,)
    return values, take_along_axis(v, broadcast_to(order[..., None, :], v.shape), -1)


def _eig_of(a, vectors):
    if iscomplexobj(a):
        return _complex_eig(a, vectors)
    if a.shape[-1] == 0:
        return (a.sum(axis=-1), a.sum(axis=-1), a)[:3 if vectors else 2]
    words = f"eigenvalues of matrices that are not symmetric are not computed on {a.device} here: a.cpu() brings the matrix to a device that does it, if this build has the feature `linalg`"
    raise RuntimeError(words)
