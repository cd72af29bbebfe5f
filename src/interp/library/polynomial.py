"""Polynomials by their coefficients, as classes."""

from numpy.polynomial import chebyshev as _chebyshev, hermite as _hermite, hermite_e as _hermite_e
from numpy.polynomial import laguerre as _laguerre, legendre as _legendre, polynomial as _powers

Polynomial = _powers.Polynomial
Chebyshev = _chebyshev.Chebyshev
Hermite = _hermite.Hermite
HermiteE = _hermite_e.HermiteE
Laguerre = _laguerre.Laguerre
Legendre = _legendre.Legendre
