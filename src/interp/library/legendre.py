"""Series of Legendre polynomials."""

from numpy.polynomial.polynomial import _Family, _Series

_family = _Family("leg", lambda n: (n + 1) / (2 * n + 1) if n else 1, lambda n: 0, lambda n: n / (2 * n + 1),
                  lambda n: (1 / (2 * n + 1), 0, -1 / (2 * n + 1)), [-1.0, 1.0], lambda x: x * 0.0 + 1.0, 2.0)

legadd, legsub, legmul, legmulx, legdiv, legpow, legval, legval2d, legval3d, leggrid2d, leggrid3d, legder, legint, legfromroots, legroots, legcompanion, legvander, legvander2d, legvander3d, legfit, leggauss, legweight, legline, legtrim, leg2poly, poly2leg, legdomain, legzero, legone, legx = _family.functions()


class Legendre(_Series):
    """Series of Legendre polynomials. See `Polynomial`."""

    basis_name, _over = "P", _family
