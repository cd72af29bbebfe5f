"""Series of Hermite polynomials, the probabilists'."""

from numpy import exp, pi, sqrt
from numpy.polynomial.polynomial import _Family, _Series

_family = _Family("herme", lambda n: 1, lambda n: 0, lambda n: n, lambda n: (1 / (n + 1), 0, 0), [-1.0, 1.0],
                  lambda x: exp(-0.5 * x**2), sqrt(2 * pi))

hermeadd, hermesub, hermemul, hermemulx, hermediv, hermepow, hermeval, hermeval2d, hermeval3d, hermegrid2d, hermegrid3d, hermeder, hermeint, hermefromroots, hermeroots, hermecompanion, hermevander, hermevander2d, hermevander3d, hermefit, hermegauss, hermeweight, hermeline, hermetrim, herme2poly, poly2herme, hermedomain, hermezero, hermeone, hermex = _family.functions()


class HermiteE(_Series):
    """Series of Hermite polynomials, the probabilists'. See `Polynomial`."""

    basis_name, _over = "He", _family
