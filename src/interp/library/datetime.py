"""Dates and times, and what lies between them."""

import math
import time as _clock

MINYEAR, MAXYEAR = 1, 9999

_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_DAY, _HOUR, _MINUTE, _SECOND = 86400000000, 3600000000, 60000000, 1000000
_FIRST = 719163


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    return 29 if month == 2 and _is_leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _day_of_year(year, month, day):
    return _BEFORE[month - 1] + (month > 2 and _is_leap(year)) + day


def _ordinal(year, month, day):
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + _day_of_year(year, month, day)


def _from_ordinal(n):
    if not 1 <= n <= 3652059:
        raise ValueError("ordinal must be >= 1" if n < 1 else f"year is out of range")
    return parts_of_time((n - _FIRST) * 86400)[:3]


def _whole(value, name):
    if type(value) is int:
        return value
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if not isinstance(value, int) and not hasattr(value, "__index__"):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    return int(value)


def _within(value, low, high, message):
    value = _whole(value, message)
    if not low <= value <= high:
        raise ValueError(message)
    return value


class timedelta:
    """What lies between two times: days, seconds and microseconds."""

    __spoken_name__ = "datetime.timedelta"
    __module__ = "datetime"

    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        parts = ((days, _DAY), (seconds, _SECOND), (microseconds, 1), (milliseconds, 1000), (minutes, _MINUTE), (hours, _HOUR), (weeks, 7 * _DAY))
        total, rest = 0, 0.0
        for at, (value, size) in enumerate(parts):
            if isinstance(value, float):
                part, whole = math.modf(value)
                total += int(whole) * size
                rest += part * size
            elif isinstance(value, int):
                total += value * size
            else:
                name = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")[at]
                raise TypeError(f"unsupported type for timedelta {name} component: {type(value).__name__}")
        whole = math.floor(rest)
        total, half = total + whole, 2 * (rest - whole)
        self._set(total + (half > 1 or half == 1 and total % 2 == 1))

    def _set(self, total):
        if not -999999999 <= total // _DAY <= 999999999:
            raise OverflowError(f"days={total // _DAY}; must have magnitude <= 999999999")
        self._total = total

    @classmethod
    def _of(cls, total):
        made = timedelta.__new__(timedelta)
        made._set(total)
        return made

    @property
    def days(self):
        return self._total // _DAY

    @property
    def seconds(self):
        return self._total % _DAY // _SECOND

    @property
    def microseconds(self):
        return self._total % _SECOND

    def total_seconds(self):
        """All of it in seconds."""
        return self._total / _SECOND

    def __add__(self, other):
        return timedelta._of(self._total + other._total) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return timedelta._of(self._total - other._total) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return timedelta._of(-self._total)

    def __pos__(self):
        return self

    def __abs__(self):
        return timedelta._of(abs(self._total))

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta._of(self._total * other)
        if isinstance(other, float):
            over, under = other.as_integer_ratio()
            return timedelta._of(_divided(self._total, over, under))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total / other._total
        if isinstance(other, int):
            return timedelta._of(_nearest(self._total, other))
        if isinstance(other, float):
            over, under = other.as_integer_ratio()
            return timedelta._of(_divided(self._total, under, over))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._total // other._total
        return timedelta._of(self._total // other) if isinstance(other, int) else NotImplemented

    def __mod__(self, other):
        return timedelta._of(self._total % other._total) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        count, rest = divmod(self._total, other._total)
        return count, timedelta._of(rest)

    def __eq__(self, other):
        return self._total == other._total if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._total < other._total if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._total <= other._total if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._total > other._total if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._total >= other._total if isinstance(other, timedelta) else NotImplemented

    def __hash__(self):
        return hash((self.days, self.seconds, self.microseconds))

    def __bool__(self):
        return self._total != 0

    def __repr__(self):
        parts = ((name, getattr(self, name)) for name in ("days", "seconds", "microseconds"))
        return f"datetime.timedelta({', '.join(f'{name}={value}' for name, value in parts if value) or '0'})"

    def __str__(self):
        text = f"{self.seconds // 3600}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text + (f".{self.microseconds:06}" if self.microseconds else "")


timedelta.resolution = timedelta(microseconds=1)
timedelta.max = timedelta(days=999999999 // 10, hours=0)
timedelta.min = -timedelta.max


def _nearest(a, b):
    """a / b as the nearest integer, the even one of two."""
    if b == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    quotient, rest = divmod(a, b)
    twice = 2 * rest
    is_up = twice > b if b > 0 else twice < b
    return quotient + (is_up or twice == b and quotient % 2 == 1)


def _divided(total, over, under):
    """total * over / under, exactly where that fits."""
    if under == 0:
        raise ZeroDivisionError("division by zero")
    try:
        return _nearest(total * over, under)
    except OverflowError:
        return round(total * (over / under))


class date:
    """A day of the calendar: `date(2024, 2, 29)`."""

    __spoken_name__ = "datetime.date"
    __module__ = "datetime"

    def __new__(cls, year, month, day):
        made = object.__new__(cls)
        made._set_day(year, month, day)
        return made

    def _set_day(self, year, month, day):
        year = _within(year, MINYEAR, MAXYEAR, f"year {year} is out of range")
        month = _within(month, 1, 12, "month must be in 1..12")
        day = _within(day, 1, _days_in(year, month), "day is out of range for month")
        self._year, self._month, self._day = year, month, day

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def today(cls):
        """The day that it is here."""
        return cls.fromtimestamp(_clock.time())

    @classmethod
    def fromtimestamp(cls, timestamp, /):
        """The day of a time since 1970 as it is here."""
        return cls(*_clock.localtime(timestamp)[:3])

    @classmethod
    def fromordinal(cls, n, /):
        """The day of a number; the first of January of the year 1 has 1."""
        if cls is not date:
            return cls(*_from_ordinal(n))
        made = object.__new__(cls)
        made._year, made._month, made._day = _from_ordinal(n)
        return made

    @classmethod
    def fromisoformat(cls, date_string, /):
        """A day of `2024-02-29`, `20240229` or `2024-W09-4`."""
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        parts = _read_day(date_string)
        if parts is None:
            raise ValueError(f"Invalid isoformat string: {date_string!r}")
        return cls(*parts)

    @classmethod
    def fromisocalendar(cls, year, week, day):
        """The day of a week's number."""
        if not MINYEAR <= year <= MAXYEAR:
            raise ValueError(f"Year is out of range: {year}")
        if not 1 <= week <= _weeks_in(year):
            raise ValueError(f"Invalid week: {week}")
        if not 1 <= day <= 7:
            raise ValueError(f"Invalid weekday: {day} (range is [1, 7])")
        return cls.fromordinal(_first_week(year) + 7 * (week - 1) + day - 1)

    def toordinal(self):
        """The number of the day."""
        return _ordinal(self._year, self._month, self._day)

    def weekday(self):
        """0 for Monday to 6 for Sunday."""
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        """1 for Monday to 7 for Sunday."""
        return self.weekday() + 1

    def isocalendar(self):
        """(year, week, weekday) as weeks are counted."""
        day, year = self.toordinal(), self._year
        year += 1 if day >= _first_week(year + 1) else -1 if day < _first_week(year) else 0
        return IsoCalendarDate(year, (day - _first_week(year)) // 7 + 1, self.isoweekday())

    def isoformat(self):
        """`2024-02-29`"""
        return f"{self._year:04}-{self._month:02}-{self._day:02}"

    def replace(self, year=None, month=None, day=None):
        """The day with some of it changed."""
        given = ((year, self._year), (month, self._month), (day, self._day))
        return type(self)(*(old if new is None else new for new, old in given))

    def _parts(self, hour=0, minute=0, second=0, dst=-1):
        yearday = _day_of_year(self._year, self._month, self._day)
        return _clock.struct_time((self._year, self._month, self._day, hour, minute, second, date.weekday(self), yearday, dst))

    def timetuple(self):
        """As the module `time` has it."""
        return self._parts()

    def ctime(self):
        """`Thu Feb 29 00:00:00 2024`"""
        return _clock.asctime(self.timetuple())

    def strftime(self, format):
        """As a format such as `%d.%m.%Y` writes it."""
        return _formatted(format, self.timetuple(), 0, None, None)

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        day = self.toordinal() + other.days
        if not 1 <= day <= 3652059:
            raise OverflowError("date value out of range")
        return type(self).fromordinal(day)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date) and not isinstance(other, datetime):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _key(self):
        return self._year, self._month, self._day

    def __eq__(self, other):
        is_other = not isinstance(other, date) or isinstance(other, datetime) != isinstance(self, datetime)
        return NotImplemented if is_other else self._key() == other._key()

    def _compared(self, other):
        if not isinstance(other, date):
            return None
        if isinstance(other, datetime) != isinstance(self, datetime):
            names = type(self).__name__, type(other).__name__
            raise TypeError(f"can't compare datetime.{names[0]} to datetime.{names[1]}")
        mine, theirs = self._key(), other._key()
        return -1 if mine < theirs else int(mine > theirs)

    def __lt__(self, other):
        order = self._compared(other)
        return NotImplemented if order is None else order < 0

    def __le__(self, other):
        order = self._compared(other)
        return NotImplemented if order is None else order <= 0

    def __gt__(self, other):
        order = self._compared(other)
        return NotImplemented if order is None else order > 0

    def __ge__(self, other):
        order = self._compared(other)
        return NotImplemented if order is None else order >= 0

    def __hash__(self):
        return hash(self._key())

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"{_name_of(self)}({self._year}, {self._month}, {self._day})"


def _name_of(value):
    name = type(value).__qualname__
    return f"datetime.{name}" if type(value) in (date, time, datetime) else name


class IsoCalendarDate(tuple):
    """A year, a week and a weekday."""

    def __new__(cls, year, week, weekday):
        return tuple.__new__(cls, (year, week, weekday))

    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


def _first_week(year):
    """The Monday of the week with the year's first Thursday."""
    first = _ordinal(year, 1, 1)
    weekday = (first + 6) % 7
    return first - weekday + (7 if weekday > 3 else 0)


def _weeks_in(year):
    return (_first_week(year + 1) - _first_week(year)) // 7


def _digits(text):
    if not text.isascii() or not text.isdigit():
        raise ValueError
    return int(text)


def _read_day(text):
    """Year, month and day of a text; None where it is none."""
    try:
        if len(text) in (7, 8, 10) and "W" in text:
            year, rest = _digits(text[:4]), text[4:].replace("-", "")
            day = _digits(rest[3:]) if len(rest) == 4 else 1
            return date.fromisocalendar(year, _digits(rest[1:3]), day)._key()
        if len(text) == 10 and text[4] == text[7] == "-":
            return _digits(text[:4]), _digits(text[5:7]), _digits(text[8:])
        if len(text) == 8:
            return _digits(text[:4]), _digits(text[4:6]), _digits(text[6:])
    except ValueError:
        pass
    return None


def _read_time(text):
    """(hour, minute, second, microsecond, tzinfo) of a text; None where it is none."""
    try:
        zone, clock = None, text
        at = max(text.find(mark) for mark in "+-Zz")
        if at > 0:
            clock = text[:at]
            if text[at] in "Zz":
                if len(text) > at + 1:
                    return None
                zone = timezone.utc
            else:
                parts = _read_clock(text[at + 1:])
                away = timedelta(hours=parts[0], minutes=parts[1], seconds=parts[2], microseconds=parts[3])
                away = -away if text[at] == "-" else away
                zone = timezone(away) if away else timezone.utc
        return (*_read_clock(clock), zone)
    except ValueError:
        return None


def _read_clock(text):
    whole, dot, part = text.replace(",", ".").partition(".")
    pieces = whole.split(":") if ":" in whole else [whole[at:at + 2] for at in range(0, len(whole), 2)]
    if not 1 <= len(pieces) <= 3 or any(len(piece) != 2 for piece in pieces) or dot and (len(pieces) != 3 or not part):
        raise ValueError
    numbers = [_digits(piece) for piece in pieces] + [0, 0]
    return (*numbers[:3], _digits(part[:6].ljust(6, "0")) if part else 0)
