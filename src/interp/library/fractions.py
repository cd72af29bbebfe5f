"""Fractions of two integers, exactly."""

import math
from numbers import Rational
from operator import add, floordiv, mod, mul, sub, truediv


def _read(text):
    """Numerator and denominator of `1/3`, `-0.25`, `1e-3`."""
    invalid = ValueError(f"Invalid literal for Fraction: {text!r}")
    body = text.strip()
    sign = -1 if body[:1] == "-" else 1
    body = body[1:] if body[:1] in ("-", "+") else body
    over, slash, under = body.partition("/")
    try:
        if slash:
            if not over[:1].isdigit() or not under[:1].isdigit():
                raise invalid
            return sign * int(over), int(under)
        digits, mark, exponent = body.replace("E", "e").partition("e")
        whole, dot, part = digits.partition(".")
        shift = int(exponent) if mark else 0
        is_number = (whole or part) and all(p == "" or p[0].isdigit() and p[-1].isdigit() for p in (whole, part))
        if not is_number or mark and not exponent:
            raise invalid
        part = part.replace("_", "")
        top, power = sign * int(whole.replace("_", "") + part), shift - len(part)
    except OverflowError:
        raise
    except ValueError:
        raise invalid from None
    return (top * 10 ** power, 1) if power >= 0 else (top, 10 ** -power)


class Fraction(Rational):
    """A fraction in lowest terms: of two integers, of a float exactly, or of a text such as `"1/3"`."""

    __slots__ = ("_numerator", "_denominator")

    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, int):
                over, under = int(numerator), 1
            elif isinstance(numerator, Fraction):
                over, under = numerator._numerator, numerator._denominator
            elif isinstance(numerator, float):
                over, under = numerator.as_integer_ratio()
            elif isinstance(numerator, str):
                over, under = _read(numerator)
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
            over = numerator.numerator * denominator.denominator
            under = denominator.numerator * numerator.denominator
        else:
            raise TypeError("both arguments should be Rational instances")
        if under == 0:
            raise ZeroDivisionError(f"Fraction({over}, 0)")
        common = math.gcd(over, under)
        if under < 0:
            common = -common
        object.__setattr__(self, "_numerator", over // common)
        object.__setattr__(self, "_denominator", under // common)

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    @classmethod
    def from_float(cls, f):
        """Just what a float is worth."""
        if not isinstance(f, (int, float)):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})")
        return cls(f)

    def as_integer_ratio(self):
        """(numerator, denominator)"""
        return self._numerator, self._denominator

    def is_integer(self):
        """Whether it is whole."""
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        """The nearest fraction whose denominator is no larger."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        # The convergents of the continued fraction, and what lies between the last two.
        before, last = (0, 1), (1, 0)
        over, under = self._numerator, self._denominator
        while True:
            whole = over // under
            size = before[1] + whole * last[1]
            if size > max_denominator:
                break
            before, last = last, (before[0] + whole * last[0], size)
            over, under = under, over - whole * under
        step = (max_denominator - before[1]) // last[1]
        size = before[1] + step * last[1]
        # Each side's distance is known without large products: last[1] * over + before[1] * under is the denominator.
        if 2 * under * size <= self._denominator:
            return Fraction(last[0], last[1])
        return Fraction(before[0] + step * last[0], size)

    def __add__(self, other):
        return _computed(self, other, _sum, add)

    def __radd__(self, other):
        return _computed(other, self, _sum, add)

    def __sub__(self, other):
        return _computed(self, other, _difference, sub)

    def __rsub__(self, other):
        return _computed(other, self, _difference, sub)

    def __mul__(self, other):
        return _computed(self, other, _product, mul)

    def __rmul__(self, other):
        return _computed(other, self, _product, mul)

    def __truediv__(self, other):
        return _computed(self, other, _quotient, truediv)

    def __rtruediv__(self, other):
        return _computed(other, self, _quotient, truediv)

    def __floordiv__(self, other):
        return _computed(self, other, _floor, floordiv)

    def __rfloordiv__(self, other):
        return _computed(other, self, _floor, floordiv)

    def __mod__(self, other):
        return _computed(self, other, _rest, mod)

    def __rmod__(self, other):
        return _computed(other, self, _rest, mod)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __pow__(self, exponent):
        if isinstance(exponent, Fraction) and exponent._denominator == 1:
            exponent = exponent._numerator
        if not isinstance(exponent, int):
            return float(self) ** float(exponent)
        over, under = self._numerator, self._denominator
        if exponent < 0:
            over, under, exponent = under, over, -exponent
            if under == 0:
                raise ZeroDivisionError("Fraction(1, 0)" if over > 0 else "Fraction(-1, 0)")
        return Fraction(over ** exponent, under ** exponent)

    def __rpow__(self, base):
        if self._denominator == 1 and self._numerator >= 0:
            return base ** self._numerator
        if isinstance(base, (int, Fraction)) and self._denominator == 1:
            return Fraction(base) ** self._numerator
        return base ** float(self)

    def __pos__(self):
        return Fraction(self)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __trunc__(self):
        over = self._numerator
        return -(-over // self._denominator) if over < 0 else over // self._denominator

    __int__ = __trunc__

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            twice = 2 * rest
            is_up = twice > self._denominator or twice == self._denominator and floor % 2 == 1
            return floor + is_up
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __bool__(self):
        return self._numerator != 0

    def __hash__(self):
        # A float has the same value only where the denominator is a power of two.
        if self._denominator & (self._denominator - 1) == 0:
            return hash(self._numerator / self._denominator)
        return hash((self._numerator, self._denominator))

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            return self._numerator == other.numerator and self._denominator == other.denominator
        if isinstance(other, float):
            if math.isnan(other) or math.isinf(other):
                return 0.0 == other
            return self == Fraction(other)
        return NotImplemented

    def __lt__(self, other):
        return _ordered(self, other, lambda a, b: a < b)

    def __le__(self, other):
        return _ordered(self, other, lambda a, b: a <= b)

    def __gt__(self, other):
        return _ordered(self, other, lambda a, b: a > b)

    def __ge__(self, other):
        return _ordered(self, other, lambda a, b: a >= b)

    def __format__(self, spec):
        return format(str(self) if spec == "" or spec[-1] not in "eEfFgGn%" else float(self), spec)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"


def _computed(a, b, of_fractions, of_floats):
    if isinstance(a, float) or isinstance(b, float):
        return of_floats(float(a), float(b))
    if not isinstance(a, (int, Fraction)) or not isinstance(b, (int, Fraction)):
        return NotImplemented
    return of_fractions(a.numerator, a.denominator, b.numerator, b.denominator)


def _sum(a, b, c, d):
    common = math.gcd(b, d)
    return Fraction(a * (d // common) + c * (b // common), b // common * d)


def _difference(a, b, c, d):
    return _sum(a, b, -c, d)


def _product(a, b, c, d):
    # What can be reduced is, before the products become large.
    across, back = math.gcd(a, d), math.gcd(c, b)
    return Fraction((a // across) * (c // back), (b // back) * (d // across))


def _quotient(a, b, c, d):
    if c == 0:
        raise ZeroDivisionError(f"Fraction({(a > 0) - (a < 0)}, 0)")
    return _product(a, b, d, c)


def _floor(a, b, c, d):
    return (a * d) // (b * c)


def _rest(a, b, c, d):
    return Fraction((a * d) % (c * b), b * d)


def _ordered(a, b, compare):
    if isinstance(b, float):
        if math.isnan(b) or math.isinf(b):
            return compare(0.0, b)
        b = Fraction(b)
    if not isinstance(b, (int, Fraction)):
        return NotImplemented
    return compare(a.numerator * b.denominator, b.numerator * a.denominator)
