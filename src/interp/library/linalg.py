"""Linear algebra on stacks of matrices, which are the last two axes.

Matrices are taken apart by the device that has them, or by `numpy.linalg._blocks` where it can't.
"""

from collections import namedtuple

from numpy import diagonal as _slanted
from numpy import vecdot as _of_rows
from numpy.linalg import LinAlgError, norm

matmul = matmul
matrix_transpose = matrix_transpose
tensordot = tensordot

EigResult = namedtuple("EigResult", ["eigenvalues", "eigenvectors"])
EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])


def _matrices(a):
    a = asarray(a)
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    return _in_a_type(a)


def _in_a_type(a):
    if a.dtype.kind not in "fc":
        return a * 1.0
    if a.itemsize < 4:
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    return a


def _square(a):
    a = _matrices(a)
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def _pair(a, b):
    dtype = result_type(a, b)
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def _diagonal(a):
    return _slanted(a, 0, -2, -1)


def _turned(a):
    return swapaxes(a, -1, -2)


def _adjoint(a):
    return conj(_turned(a)) if iscomplexobj(a) else _turned(a)


def solve(a, b):
    """`x` of `a @ x == b`. A `b` of one axis is a vector, else a stack of matrices.

    Raises LinAlgError where a matrix is singular.
    """
    a, b = arrays_of(a, b)
    a = _square(a)
    n, signature = a.shape[-1], "(m,m),(m)->(m)" if b.ndim == 1 else "(m,m),(m,n)->(m,n)"
    if b.ndim == 0:
        words = f"(has 0, gufunc core with signature {signature} requires 2)"
        raise ValueError("solve: Input operand 1 does not have enough dimensions " + words)
    right = _in_a_type(b[:, None] if b.ndim == 1 else b)
    if right.shape[-2] != n:
        name, words = "solve1" if b.ndim == 1 else "solve", f"(size {right.shape[-2]} is different from {n})"
        raise ValueError(f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {signature} {words}")
    x = solved(*_pair(a, right))
    return x[..., 0] if b.ndim == 1 else x


def inv(a):
    """The inverse of each matrix. Raises LinAlgError where one is singular."""
    a = _square(a)
    return solved(a, eye(a.shape[-1], dtype=a.dtype, device=a.device))


def det(a):
    """The determinant of each matrix."""
    lu, _, swaps = lu_of(_square(a))
    product = prod(_diagonal(lu), axis=-1)
    return where(swaps % 2 == 1, 0 - product, product)


def slogdet(a):
    """The determinant's sign and the logarithm of its size."""
    lu, _, swaps = lu_of(_square(a))
    pivots = _diagonal(lu)
    each = sign(pivots) if iscomplexobj(lu) else where(pivots < 0, -1, where(pivots == 0, 0, 1))
    signs = prod(each.astype(lu.dtype), axis=-1)
    return SlogdetResult(where(swaps % 2 == 1, 0 - signs, signs), log(absolute(pivots)).sum(axis=-1))


def cholesky(a, /, *, upper=False):
    """The lower triangle `L` of `L @ L.T == a`, `L.T` conjugated; only a's lower triangle is read, or its upper one.

    Raises LinAlgError where a matrix is not positive definite.
    """
    return cholesky_of(_square(a), bool(upper))


def qr(a, mode="reduced"):
    """Orthonormal columns `Q` and an upper triangle `R` of `Q @ R == a`.

    mode: 'reduced', 'complete' (as many columns as rows) or 'r' (R alone).
    """
    mode = {"full": "reduced", "f": "reduced"}.get(mode, mode)
    if mode not in ("reduced", "complete", "r"):
        if mode in ("raw", "economic", "e"):
            raise ValueError(f"mode '{mode}' hands out LAPACK's reflections, which are not kept: 'reduced', 'complete' and 'r' are there")
        raise ValueError(f"Unrecognized mode '{mode}'")
    parts = qr_of(_matrices(a), mode == "complete", mode != "r")
    return parts[0] if mode == "r" else QRResult(*parts)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Orthogonal `U` and `Vh` and falling singular values `S` of `U * S @ Vh == a`.

    Without `compute_uv` the values alone. `hermitian` says that a matrix is symmetric: its lower triangle is
    read, and its eigenvalues are found.
    """
    a = _matrices(a)
    if not hermitian:
        parts = svd_of(a, bool(full_matrices) if compute_uv else None)
        return SVDResult(*parts) if compute_uv else parts[0]
    values, *vectors = eigh_of(_square(a), False, bool(compute_uv))
    sizes = absolute(values)
    order = argsort(-sizes, axis=-1)
    sizes = take_along_axis(sizes, order, -1)
    if not compute_uv:
        return sizes
    u = take_along_axis(vectors[0], broadcast_to(order[..., None, :], a.shape), -1)
    signs = copysign(1, take_along_axis(values, order, -1))[..., None, :]
    return SVDResult(u, sizes, _adjoint(u * signs))


def svdvals(x, /):
    """The singular values of each matrix, the largest first."""
    return svd_of(_matrices(x), None)[0]


def _is_upper(UPLO):
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return UPLO.upper() == "U"


def eigh(a, UPLO="L"):
    """Rising eigenvalues of matrices that are their own adjoint, and their vectors as columns; one triangle is read."""
    upper = _is_upper(UPLO)
    return EighResult(*eigh_of(_square(a), upper, True))


def eigvalsh(a, UPLO="L"):
    """The eigenvalues of matrices that are their own adjoint, the smallest first."""
    return eigh_of(_square(a), _is_upper(UPLO), False)[0]


def _spectrum(a, vectors):
    a = _square(a)
    if not isfinite(a).all():
        raise LinAlgError("Array must not contain infs or NaNs")
    if iscomplexobj(a):
        return list(eig_of(a, vectors))
    values, imaginary, *vectors = eig_of(a, vectors)
    if (imaginary == 0).all():
        return [values] + vectors
    # Of a pair, whose imaginary part is positive first, the columns are the parts of the vector.
    first, second = (imaginary > 0)[..., None, :], (imaginary < 0)[..., None, :]
    for columns in vectors:
        re = where(second, roll(columns, 1, axis=-1), columns)
        im = where(first, roll(columns, -1, axis=-1), where(second, -columns, 0))
        vectors = [re + 1j * im]
    return [values + 1j * imaginary] + vectors


def eig(a):
    """Eigenvalues of square matrices, in no order, and their vectors of length one as columns: complex where
    one of the eigenvalues is.
    """
    return EigResult(*_spectrum(a, True))


def eigvals(a):
    """Eigenvalues of square matrices, in no order; complex where one of them is."""
    return _spectrum(a, False)[0]


def _limit(values, tol):
    return values.max(axis=-1, keepdims=True) * tol if values.shape[-1] else values


def _reciprocals(values, tol):
    keeps = values > _limit(values, asarray(tol)[..., None])
    return where(keeps, 1 / where(keeps, values, 1), 0)


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """The pseudo-inverse: singular values up to `rcond` times the largest count as zero."""
    a = _matrices(a)
    if rcond is not None and rtol is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is None:
        rcond = 1e-15 if rtol is None else rtol
    if a.size == 0:
        return zeros(a.shape[:-2] + (a.shape[-1], a.shape[-2]), dtype=a.dtype, device=a.device)
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    return _adjoint(vh) @ (_reciprocals(s, rcond)[..., None] * _adjoint(u))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """How many singular values are larger than `tol`, or than `rtol` times the largest."""
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = asarray(A)
    if A.ndim < 2:
        return int(not (A == 0).all())
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        if rtol is None:
            rtol = max(A.shape[-2:]) * finfo(s.dtype).eps
        tol = _limit(s, asarray(rtol)[..., None])
    else:
        tol = asarray(tol)[..., None]
    return count_nonzero(s > tol, axis=-1)


def cond(x, p=None):
    """How much an error of the right-hand side may grow: by norm `p`, else by the singular values."""
    x = asarray(x)
    if x.ndim >= 2 and x.shape[-1] * x.shape[-2] == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    x = _matrices(x)
    if p is None or p == 2 or p == -2:
        s = svdvals(x)
        found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        x = _square(x)
        lu, _, _ = lu_of(x)
        regular = (_diagonal(lu) != 0).all(axis=-1)
        # What is singular has no inverse, and its error grows without bounds.
        inverse = inv(where(regular[..., None, None], x, eye(x.shape[-1], dtype=x.dtype)))
        found = norm(x, p, axis=(-2, -1)) * norm(inverse, p, axis=(-2, -1))
        found = where(regular, found, inf)
    return where(isnan(found) & ~isnan(x).any(axis=(-2, -1)), inf, found)


def lstsq(a, b, rcond=None):
    """`x` of the least `norm(b - a @ x)`, the sums of squares that are left, a's rank, its singular values.

    Of several such `x` it is the shortest. Singular values up to `rcond` times the largest count as zero.
    """
    a, b = arrays_of(a, b)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    right = b[:, None] if b.ndim == 1 else b
    if right.ndim != 2:
        raise LinAlgError(f"{b.ndim}-dimensional array given. Array must be two-dimensional")
    m, n = a.shape
    if m != right.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    a, right = _pair(_in_a_type(a), _in_a_type(right))
    if rcond is None:
        rcond = finfo(a.dtype).eps * max(m, n)
    elif rcond < 0:
        rcond = finfo(a.dtype).eps
    try:
        u, s, vh = svd_of(a, False)
    except LinAlgError:
        raise LinAlgError("SVD did not converge in Linear Least Squares") from None
    x = _adjoint(vh) @ (_reciprocals(s, rcond)[:, None] * (_adjoint(u) @ right))
    rank = int(count_nonzero(s > _limit(s, rcond)))
    left = zeros(0, dtype=s.dtype, device=a.device)
    if rank == n and m > n:
        left = (absolute(right - a @ x) ** 2).sum(axis=0)
    return (x[:, 0] if b.ndim == 1 else x), left, rank, s


def _powered(x, n):
    """`matrix_power` of a negative exponent."""
    return matrix_power(inv(x), -n)


def multi_dot(arrays, *, out=None):
    """The product of several matrices, by the order that takes the fewest multiplications; the first and the
    last one may be vectors."""
    arrays = list(arrays_of(*arrays))
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return dot(arrays[0], arrays[1], out=out)
    row, column = arrays[0].ndim == 1, arrays[-1].ndim == 1
    if row:
        arrays[0] = arrays[0][None, :]
    if column:
        arrays[-1] = arrays[-1][:, None]
    for a in arrays:
        if a.ndim != 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    for k in range(len(arrays) - 1):
        (m, n), (p, q) = arrays[k].shape, arrays[k + 1].shape
        if n != p:
            raise ValueError(f"shapes ({m},{n}) and ({p},{q}) not aligned: {n} (dim 1) != {p} (dim 0)")
    product = _multiplied(arrays, _cheapest([a.shape[0] for a in arrays] + [arrays[-1].shape[1]]), 0, len(arrays) - 1)
    if row:
        product = product[0]
    if column:
        product = product[..., 0]
    if out is None:
        return product
    out[...] = product
    return out


def _cheapest(sides):
    """Where each part of a chain of products is best cut in two: for each first matrix, by the last one."""
    count = len(sides) - 1
    cost = [[0] * count for _ in range(count)]
    cut = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            ways = [
                (cost[first][k] + cost[k + 1][last] + sides[first] * sides[k + 1] * sides[last + 1], k)
                for k in range(first, last)
            ]
            cost[first][last], cut[first][last] = min(ways)
    return cut


def _multiplied(arrays, cut, first, last):
    if first == last:
        return arrays[first]
    middle = cut[first][last]
    return _multiplied(arrays, cut, first, middle) @ _multiplied(arrays, cut, middle + 1, last)


def tensorsolve(a, b, axes=None):
    """`x` of `tensordot(a, x, x.ndim) == b`."""
    a, b = arrays_of(a, b)
    if axes is not None:
        axes = [axis % a.ndim for axis in axes]
        a = transpose(a, [k for k in range(a.ndim) if k not in axes] + axes)
    shape = a.shape[b.ndim:]
    size = prod(array(shape, dtype=int64)).item()
    if a.size != size ** 2:
        raise LinAlgError("Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return solve(a.reshape(size, size), b.ravel()).reshape(shape)


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
    x1, x2 = arrays_of(x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        words = f"but they are {x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, " + words)
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    a, b, c = x1[..., 0], x1[..., 1], x1[..., 2]
    d, e, f = x2[..., 0], x2[..., 1], x2[..., 2]
    return moveaxis(stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1), -1, axis)


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along one axis."""
    return _of_rows(x1, x2, axis=axis)


def outer(x1, x2, /):
    """All products of two vectors."""
    x1, x2 = arrays_of(x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        words = f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}."
        raise ValueError(words)
    return x1[:, None] * x2


def _norm_by_values(x, ord, axis, keepdims):
    """Norms of matrices that are told by singular values: 2, -2 and 'nuc'."""
    first, second = axis
    values = svdvals(moveaxis(x, (first, second), (-2, -1)))
    if ord == "nuc":
        found = values.sum(axis=-1)
    else:
        found = values.max(axis=-1, initial=0) if ord > 0 else values.min(axis=-1)
    if keepdims:
        for axis in sorted((first % x.ndim, second % x.ndim)):
            found = expand_dims(found, axis)
    return found


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of each matrix."""
    return norm(asarray(x), ord, axis=(-2, -1), keepdims=keepdims)


def diagonal(x, /, *, offset=0):
    """The diagonal of each matrix."""
    return _slanted(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of each matrix's diagonal."""
    return _slanted(x, offset, -2, -1).sum(axis=-1, dtype=dtype)


def solve_triangular(A, B, /, *, upper, left=True, unitriangular=False):
    """`X` of `A @ X == B`, or of `X @ A == B` unless `left`; of `A` one triangle is read."""
    A, B = _square(A), _matrices(B)
    if not left:
        A, B, upper = _turned(A), _turned(B), not upper
    if A.shape[-1] != B.shape[-2]:
        raise ValueError(f"solve_triangular: shapes {tuple(A.shape)} and {tuple(B.shape)} do not fit")
    X = triangle_solved(*_pair(A, B), bool(upper), bool(unitriangular))
    return X if left else _turned(X)


def matrix_exp(A):
    """The exponential of each square matrix, by a quotient of polynomials and repeated squares.

    Al-Mohy and Higham, A New Scaling and Squaring Algorithm for the Matrix Exponential, 2009, with the
    quotient of degree 13 throughout.
    """
    A = _square(A)
    if A.size == 0:
        return A.copy()
    if not isfinite(A).all():
        return full_like(A, nan)
    size = absolute(A).sum(axis=-2).max().item()
    squares = 0
    while size > 5.371920351148152:
        size, squares = size / 2, squares + 1
    A = A / 2.0 ** squares
    one = eye(A.shape[-1], dtype=A.dtype, device=A.device)
    A2 = A @ A
    A4 = A2 @ A2
    A6 = A4 @ A2
    odd = A6 @ (A6 * 1.0 + 16380.0 * A4 + 40840800.0 * A2)
    odd = A @ (odd + 33522128640.0 * A6 + 10559470521600.0 * A4 + 1187353796428800.0 * A2 + 32382376266240000.0 * one)
    even = A6 @ (182.0 * A6 + 960960.0 * A4 + 1323241920.0 * A2)
    even = even + 670442572800.0 * A6 + 129060195264000.0 * A4 + 7771770303897600.0 * A2 + 64764752532480000.0 * one
    power = solved(even - odd, even + odd)
    for _ in range(squares):
        power = power @ power
    return power
