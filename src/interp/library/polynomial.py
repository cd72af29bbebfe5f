"""Polynomials by their coefficients, as classes."""

from numpy.polynomial.polynomial import Polynomial as _Polynomial

Polynomial = _Polynomial
