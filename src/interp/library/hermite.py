"""Series of Hermite polynomials, the physicists'."""

from numpy import exp, pi, sqrt
from numpy.polynomial.polynomial import _Family, _Series

_family = _Family("herm", lambda n: 0.5, lambda n: 0, lambda n: n, lambda n: (0.5 / (n + 1), 0, 0), [-1.0, 1.0],
                  lambda x: exp(-x**2), sqrt(pi))

hermadd, hermsub, hermmul, hermmulx, hermdiv, hermpow, hermval, hermval2d, hermval3d, hermgrid2d, hermgrid3d, hermder, hermint, hermfromroots, hermroots, hermcompanion, hermvander, hermvander2d, hermvander3d, hermfit, hermgauss, hermweight, hermline, hermtrim, herm2poly, poly2herm, hermdomain, hermzero, hermone, hermx = _family.functions()


class Hermite(_Series):
    """Series of Hermite polynomials, the physicists'. See `Polynomial`."""

    basis_name, _over = "H", _family
