"""What kinds of numbers there are, for `isinstance`."""

from abc import ABC


class Number(ABC):
    """Any number."""

    __hash__ = None


class Complex(Number):
    """A number with a real and an imaginary part."""


class Real(Complex):
    """A number on the line."""


class Rational(Real):
    """A fraction of two integers."""

    def __float__(self):
        return int(self.numerator) / int(self.denominator)


class Integral(Rational):
    """A whole number."""


Complex.register(complex)
Real.register(float)
Integral.register(int)
