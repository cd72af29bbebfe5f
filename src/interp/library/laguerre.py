"""Series of Laguerre polynomials."""

from numpy import exp
from numpy.polynomial.polynomial import _Family, _Series

_family = _Family("lag", lambda n: -(n + 1), lambda n: 2 * n + 1, lambda n: -n, lambda n: (-1, 1, 0), [0.0, 1.0],
                  lambda x: exp(-x), 1.0)

lagadd, lagsub, lagmul, lagmulx, lagdiv, lagpow, lagval, lagval2d, lagval3d, laggrid2d, laggrid3d, lagder, lagint, lagfromroots, lagroots, lagcompanion, lagvander, lagvander2d, lagvander3d, lagfit, laggauss, lagweight, lagline, lagtrim, lag2poly, poly2lag, lagdomain, lagzero, lagone, lagx = _family.functions()


class Laguerre(_Series):
    """Series of Laguerre polynomials. See `Polynomial`."""

    basis_name, _over = "L", _family
