"""Series of Chebyshev polynomials of the first kind."""

from numpy import pi, sqrt
from numpy.polynomial.polynomial import _Family, _Series

def _inside(n):
    if n < 2:
        return (0.25, 0, 0) if n else (1, 0, 0)
    return 0.5 / (n + 1), 0, -0.5 / (n - 1)


_family = _Family("cheb", lambda n: 1 if n == 0 else 0.5, lambda n: 0, lambda n: 0.5, _inside,
                  [-1.0, 1.0], lambda x: 1 / (sqrt(1 + x) * sqrt(1 - x)), pi)

chebadd, chebsub, chebmul, chebmulx, chebdiv, chebpow, chebval, chebval2d, chebval3d, chebgrid2d, chebgrid3d, chebder, chebint, chebfromroots, chebroots, chebcompanion, chebvander, chebvander2d, chebvander3d, chebfit, _gauss, chebweight, chebline, chebtrim, cheb2poly, poly2cheb, chebdomain, chebzero, chebone, chebx = _family.functions()


def chebpts1(npts):
    """The zeros of T[npts], rising: the points between which `chebinterpolate` is exact. ValueError for none."""
    from numpy import arange, sin
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < 1:
        raise ValueError("npts must be >= 1")
    return sin(0.5 * pi / count * arange(-count + 1, count + 1, 2))


def chebpts2(npts):
    """The places of the extremes of T[npts - 1], rising. ValueError for less than two."""
    from numpy import cos, linspace
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < 2:
        raise ValueError("npts must be >= 2")
    return cos(linspace(-pi, 0, count))


def chebinterpolate(func, deg, args=()):
    """The series of degree `deg` that equals a function at the zeros of T[deg + 1]."""
    if not isinstance(deg, int):
        raise TypeError("deg must be an int")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    points = chebpts1(deg + 1)
    made = chebvander(points, deg).T @ func(points, *args)
    made[0] /= deg + 1
    made[1:] /= 0.5 * (deg + 1)
    return made


def chebgauss(deg):
    """Points and weights of Gauss's quadrature with the weight 1 / sqrt(1 - x**2). ValueError for none."""
    from numpy import arange, cos, ones
    if int(deg) != deg or deg <= 0:
        raise ValueError("deg must be a positive integer")
    return cos(pi * arange(1, 2 * deg, 2) / (2.0 * deg)), ones(deg) * (pi / deg)


class Chebyshev(_Series):
    """Series of Chebyshev polynomials of the first kind. See `Polynomial`."""

    basis_name, _over = "T", _family

    @classmethod
    def interpolate(cls, func, deg, domain=None, args=()):
        """The series of degree `deg` that equals a function at the zeros of T[deg + 1] in the domain."""
        made = cls([0], domain)
        offset, scale = made.mapparms()
        return cls(chebinterpolate(lambda x: func((x - offset) / scale, *args), deg), domain)
