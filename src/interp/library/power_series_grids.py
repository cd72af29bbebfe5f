"""Polynomials of two and three variables, by their coefficients, and of one by its roots."""

from numpy import asarray, atleast_1d, diag, ndarray, prod, stack, zeros


def polyline(off, scl):
    """The coefficients of `off + scl * x`; one where `scl` is zero.

    >>> polynomial.polyline(1, -1)
    """
    return asarray([off, scl] if scl != 0 else [off])


def polymulx(c):
    """A polynomial times x.

    >>> polynomial.polymulx([1, 2, 3])
    """
    from numpy import concatenate
    c = polytrim(c)
    return c if len(c) == 1 and c[0] == 0 else concatenate([c[:1] * 0, c])


def polycompanion(c):
    """The matrix whose eigenvalues are the roots. ValueError for a constant.

    >>> polynomial.polycompanion([1, 2, 3])
    """
    c = polytrim(c)
    if len(c) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
    n = len(c) - 1
    made = zeros((n, n), dtype=c.dtype) + diag(c[1:] * 0 + 1, -1)[:n, :n]
    made[:, n - 1] -= c[:-1] / c[-1]
    return made


def _values(c, *points, of=polyval):
    *points, c = arrays_of(*points, c)
    if any([point.shape != points[0].shape for point in points]):
        raise ValueError(", ".join("xyz"[:len(points)]) + " are incompatible")
    made = of(points[0], c)
    for point in points[1:]:
        made = of(point, made, tensor=False)
    return made


def _grid(c, *points, of=polyval):
    *points, c = arrays_of(*points, c)
    for point in points:
        c = of(point, c)
    return c


def polyval2d(x, y, c):
    """The values at points (x, y), where `c[i, j]` belongs to x**i * y**j.

    >>> polynomial.polyval2d(1, 1, [[1, 2, 3], [4, 5, 6]])
    """
    return _values(c, x, y)


def polyval3d(x, y, z, c):
    """The values at points (x, y, z), where `c[i, j, k]` belongs to x**i * y**j * z**k.

    >>> polynomial.polyval3d(1, 1, 1, [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]])
    """
    return _values(c, x, y, z)


def polygrid2d(x, y, c):
    """The values at all pairs of an element of x and one of y.

    >>> polynomial.polygrid2d([0, 1], [0, 1], [[1, 2, 3], [4, 5, 6]])
    """
    return _grid(c, x, y)


def polygrid3d(x, y, z, c):
    """The values at all triples of an element of x, one of y and one of z.

    >>> polynomial.polygrid3d([0, 1], [0, 1], [0, 1], [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]])
    """
    return _grid(c, x, y, z)


def _powers(points, deg, vander=polyvander):
    points = [point * 1.0 for point in arrays_of(*points)]
    if len(points) != len(deg):
        raise ValueError(f"Expected {len(points)} dimensions of degrees, got {len(deg)}")
    made = 1.0
    for at, (point, most) in enumerate(zip(points, deg)):
        powers = vander(point, int(most))
        others = len(points) - 1
        made = made * powers.reshape(point.shape + (1,) * at + (int(most) + 1,) + (1,) * (others - at))
    count = 1
    for most in deg:
        count *= int(most) + 1
    return made.reshape(made.shape[:made.ndim - len(points)] + (count,))


def polyvander2d(x, y, deg):
    """The products of powers of x up to `deg[0]` and of y up to `deg[1]`, along a new last axis.

    >>> polynomial.polyvander2d([1, 2], [3, 4], [1, 1])
    """
    return _powers([x, y], deg)


def polyvander3d(x, y, z, deg):
    """The products of powers of x, y and z up to the degrees, along a new last axis.

    >>> polynomial.polyvander3d([1, 2], [3, 4], [5, 6], [1, 1, 1]).shape
    """
    return _powers([x, y, z], deg)


def polyvalfromroots(x, r, tensor=True):
    """The value at `x` of the polynomial with the roots along r's first axis and a leading 1.

    With `tensor`, r's other axes come before x's; else they broadcast with x.

    >>> polynomial.polyvalfromroots(1, [1, 2, 3])
    """
    if isinstance(x, (tuple, list, ndarray)):
        x, r = arrays_of(x, r)
    r = atleast_1d(r) * 1.0
    if isinstance(x, ndarray):
        if tensor:
            r = r.reshape(r.shape + (1,) * x.ndim)
        elif x.ndim >= r.ndim:
            raise ValueError("x.ndim must be < r.ndim when tensor == False")
    return prod(x - r, axis=0)
