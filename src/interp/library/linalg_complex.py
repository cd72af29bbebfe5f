"""Complex matrices brought to real ones that the device takes apart, by reflections from both sides.

After Golub and Van Loan, Matrix Computations, 4th edition, 5.1 and 8.3; each reflection turns a column into a real
number and zeros, so that what is left of a matrix is a real band.
"""


def _adjoint(a):
    return conj(swapaxes(a, -1, -2))


def _reflection(x):
    """`v`, which begins with one, `tau` and the real `beta` of `x - conj(tau) * v * (v.H @ x) == [beta, 0, …]`."""
    head = x[..., 0]
    tail = (real(x[..., 1:]) ** 2 + imag(x[..., 1:]) ** 2).sum(axis=-1)
    stays = (tail == 0) & (imag(head) == 0)
    length = sqrt(real(head) ** 2 + imag(head) ** 2 + tail)
    beta = where(stays, real(head), -copysign(length, real(head)))
    tau = where(stays, 0, (beta - head) / where(stays, 1, beta))
    v = x / where(stays, 1, head - beta)[..., None]
    v[..., 0] = 1
    return v, tau[..., None, None], beta


def _reflected(a, v, tau):
    """`a - tau * v * (v.H @ a)`, in place."""
    v = v[..., None]
    a -= tau * v * (_adjoint(v) @ a)


def _columns(rows, columns, like):
    """As many columns of the identity, for each matrix of a stack."""
    return broadcast_to(eye(rows, columns, dtype=like.dtype, device=like.device), like.shape[:-2] + (rows, columns)).copy()


def _unreflected(kept, first, q):
    """What the reflections that were kept, each of them at and below its row, make of `q`, in place."""
    for k in range(len(kept) - 1, -1, -1):
        v, tau = kept[k]
        _reflected(q[..., k + first:, :], v, tau)
    return q


def _triangle(a):
    """The triangle that reflections make of each matrix, in place, and the reflections."""
    m, n = a.shape[-2:]
    kept = []
    for k in range(min(m, n)):
        v, tau, beta = _reflection(a[..., k:, k])
        _reflected(a[..., k:, k + 1:], v, conj(tau))
        a[..., k, k] = beta
        a[..., k + 1:, k] = 0
        kept.append((v, tau))
    return a, kept


def _complex_qr(a, complete, with_q):
    """As `_qr_of`."""
    m, n = a.shape[-2:]
    size = _complex_size(a)
    r, kept = _triangle(a / size)
    columns = m if complete else min(m, n)
    r = (r * size)[..., :columns, :]
    if not with_q:
        return (r,)
    return _unreflected(kept, 0, _columns(m, columns, a)), r


def _complex_size(a):
    """Powers of two without which squares are neither infinite nor zero."""
    if a.size == 0:
        return ones(a.shape[:-2] + (1, 1), dtype=real(a).dtype, device=a.device)
    size = maximum(absolute(real(a)), absolute(imag(a))).max(axis=(-2, -1), keepdims=True)
    return where((size > 0) & isfinite(size), 2.0 ** floor(log2(where(size > 0, size, 1))), 1).astype(real(a).dtype)


def _complex_eigh(whole, vectors):
    """Rising eigenvalues of matrices that are their own adjoint, and vectors as columns."""
    n = whole.shape[-1]
    size = _complex_size(whole)
    a = whole / size
    kept = []
    band = zeros(a.shape, dtype=real(a).dtype, device=a.device)
    for k in range(n - 1):
        v, tau, beta = _reflection(a[..., k + 1:, k])
        band[..., k + 1, k] = beta
        below = a[..., k + 1:, k + 1:]
        _reflected(below, v, conj(tau))
        turned = _adjoint(below)
        _reflected(turned, v, conj(tau))
        a[..., k + 1:, k + 1:] = _adjoint(turned)
        kept.append((v, tau))
    for k in range(n):
        band[..., k, k] = real(a[..., k, k])
    values, *rest = eigh_of(band, False, vectors)
    values = values * size[..., 0]
    if not vectors:
        return (values,)
    return values, _unreflected(kept, 1, rest[0].astype(a.dtype))


def _complex_svd(a, full):
    """As `_svd_of`."""
    m, n = a.shape[-2:]
    if m < n:
        parts = _complex_svd(_adjoint(a), full)
        return parts if full is None else (_adjoint(parts[2]), parts[1], _adjoint(parts[0]))
    size = _complex_size(a)
    a = a / size
    lefts, rights = [], []
    band = zeros(a.shape[:-2] + (n, n), dtype=real(a).dtype, device=a.device)
    for k in range(n):
        v, tau, beta = _reflection(a[..., k:, k])
        band[..., k, k] = beta
        rest = a[..., k:, k + 1:]
        _reflected(rest, v, conj(tau))
        lefts.append((v, tau))
        if k + 1 < n:
            turned = _adjoint(rest)
            v, tau, beta = _reflection(turned[..., 0])
            band[..., k, k + 1] = beta
            _reflected(turned, v, conj(tau))
            a[..., k:, k + 1:] = _adjoint(turned)
            rights.append((v, tau))
    if full is None:
        return (svd_of(band, None)[0] * size[..., 0],)
    u, s, vh = svd_of(band, False)
    wide = _columns(m, m if full else n, a)
    wide[..., :n, :n] = u
    return _unreflected(lefts, 0, wide), s * size[..., 0], _adjoint(_unreflected(rights, 1, _adjoint(vh).astype(a.dtype)))


def _complex_eig(a, vectors):
    """Eigenvalues of square matrices and their vectors.

    Moved up by more than any of them is large, all have a positive imaginary part, and those of the conjugated
    matrix a negative one; so the real matrix that does what both do has pairs of which the first are the matrix's own.
    """
    n = a.shape[-1]
    if n == 0:
        return (a.sum(axis=-1), a)[:2 if vectors else 1]
    size = _complex_size(a)
    a = a / size
    up = 1.25 * minimum(absolute(a).sum(axis=-1).max(axis=-1), absolute(a).sum(axis=-2).max(axis=-1))[..., None, None]
    # A power of two, so that what is added comes off again.
    up = (2.0 ** (floor(log2(where(up > 0, up, 1))) + 1)).astype(up.dtype)
    re, im = real(a), imag(a) + up * eye(n, dtype=real(a).dtype, device=a.device)
    both = concatenate([concatenate([re, -im], axis=-1), concatenate([im, re], axis=-1)], axis=-2)
    values, imaginary, *columns = eig_of(both, vectors)
    own = argsort(imaginary <= 0, axis=-1, stable=True)[..., :n]
    values = take_along_axis(values, own, -1) + 1j * (take_along_axis(imaginary, own, -1) - up[..., 0])
    if not vectors:
        return (values * size[..., 0],)
    places = broadcast_to(own[..., None, :], a.shape[:-2] + (2 * n, n))
    # The columns are the parts of a vector whose second half is the first one turned back by a quarter.
    whole = take_along_axis(columns[0], places, -1) + 1j * take_along_axis(columns[0], places + 1, -1)
    found = whole[..., :n, :] + 1j * whole[..., n:, :]
    return values * size[..., 0], found / sqrt((real(found) ** 2 + imag(found) ** 2).sum(axis=-2, keepdims=True))
