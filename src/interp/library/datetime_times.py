class tzinfo:
    """How far a zone's time is from UTC; a class derived from it says so in `utcoffset`."""

    __spoken_name__ = "datetime.tzinfo"
    __module__ = "datetime"

    def utcoffset(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def tzname(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def fromutc(self, dt):
        """A time in UTC as one of the zone."""
        return dt + self.utcoffset(dt)


class timezone(tzinfo):
    """A zone that is always as far from UTC."""

    __spoken_name__ = "datetime.timezone"
    __module__ = "datetime"

    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError(f"timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}")
        if abs(offset._total) >= _DAY:
            raise ValueError(
                "offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), "
                f"not {offset!r}."
            )
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return "UTC" + _offset_text(self._offset) if self._offset else "UTC"

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        name = "" if self._name is None else f", {self._name!r}"
        return f"datetime.timezone({self._offset!r}{name})"

    def __str__(self):
        return self.tzname(None)


def _offset_text(offset, colon=":"):
    sign, offset = ("-", -offset) if offset._total < 0 else ("+", offset)
    seconds = offset._total // _SECOND
    text = f"{sign}{seconds // 3600:02}{colon}{seconds // 60 % 60:02}"
    if seconds % 60 or offset.microseconds:
        text += f"{colon}{seconds % 60:02}"
    return text + (f".{offset.microseconds:06}" if offset.microseconds else "")


timezone.utc = timezone(timedelta(0))
timezone.min, timezone.max = timezone(-timedelta(hours=23, minutes=59)), timezone(timedelta(hours=23, minutes=59))
UTC = timezone.utc


def _formatted(format, parts, microsecond, zone, offset):
    """`strftime`, with the codes that only objects of this module know."""
    made, at = [], 0
    while at < len(format):
        code = format[at:at + 2]
        if code == "%f":
            made.append(f"{microsecond:06}")
        elif code == "%z":
            made.append("" if offset is None else _offset_text(offset, ""))
        elif code == "%Z":
            made.append(("" if zone is None else zone).replace("%", "%%"))
        elif code[:1] == "%":
            made.append(code)
        else:
            made.append(format[at])
            at -= 1
        at += 2
    return _clock.strftime("".join(made), parts)


class time:
    """A time of the day, with or without a zone."""

    __spoken_name__ = "datetime.time"
    __module__ = "datetime"

    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        made = object.__new__(cls)
        made._set_clock(hour, minute, second, microsecond, tzinfo, fold)
        return made

    def _set_clock(self, hour, minute, second, microsecond, zone, fold):
        self._hour = _within(hour, 0, 23, "hour must be in 0..23")
        self._minute = _within(minute, 0, 59, "minute must be in 0..59")
        self._second = _within(second, 0, 59, "second must be in 0..59")
        self._microsecond = _within(microsecond, 0, 999999, "microsecond must be in 0..999999")
        if zone is not None and not isinstance(zone, tzinfo):
            raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(zone).__name__}'")
        self._tzinfo, self._fold = zone, _within(fold, 0, 1, "fold must be either 0 or 1")

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def fromisoformat(cls, time_string, /):
        """A time of `12:30`, `12:30:15.5+01:00`."""
        parts = _read_time(time_string.removeprefix("T"))
        if parts is None:
            raise ValueError(f"Invalid isoformat string: {time_string!r}")
        return cls(*parts)

    def utcoffset(self):
        """How far it is ahead of UTC; None without a zone."""
        return None if self._tzinfo is None else self._tzinfo.utcoffset(None)

    def tzname(self):
        """The name of its zone."""
        return None if self._tzinfo is None else self._tzinfo.tzname(None)

    def dst(self):
        """How much of the offset is summer time."""
        return None if self._tzinfo is None else self._tzinfo.dst(None)

    def isoformat(self, timespec="auto"):
        """`12:30:15.500000`"""
        offset = self.utcoffset()
        return _clock_text(self, timespec) + ("" if offset is None else _offset_text(offset))

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        """The time with some of it changed."""
        return time(*_replaced(self, hour, minute, second, microsecond, tzinfo), fold=self._fold if fold is None else fold)

    def strftime(self, format):
        """As a format such as `%H:%M` writes it."""
        parts = _clock.struct_time((1900, 1, 1, self._hour, self._minute, self._second, 0, 1, -1))
        return _formatted(format, parts, self._microsecond, self.tzname(), self.utcoffset())

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def _key(self):
        offset = self.utcoffset()
        return _in_day(self) - (0 if offset is None else offset._total)

    def _other(self, other):
        if not isinstance(other, time):
            return NotImplemented
        if (self._tzinfo is None) != (other._tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return other._key()

    def __eq__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return (self._tzinfo is None) == (other._tzinfo is None) and self._key() == other._key()

    def __lt__(self, other):
        other = self._other(other)
        return other if other is NotImplemented else self._key() < other

    def __le__(self, other):
        other = self._other(other)
        return other if other is NotImplemented else self._key() <= other

    def __gt__(self, other):
        other = self._other(other)
        return other if other is NotImplemented else self._key() > other

    def __ge__(self, other):
        other = self._other(other)
        return other if other is NotImplemented else self._key() >= other

    def __hash__(self):
        return hash(self._key())

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        parts = [self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        zone = "" if self._tzinfo is None else f", tzinfo={self._tzinfo!r}"
        fold = ", fold=1" if self._fold else ""
        return f"{_name_of(self)}({', '.join(map(str, parts))}{zone}{fold})"


def _in_day(t):
    return ((t._hour * 60 + t._minute) * 60 + t._second) * _SECOND + t._microsecond


def _replaced(t, hour, minute, second, microsecond, zone):
    given = ((hour, t._hour), (minute, t._minute), (second, t._second), (microsecond, t._microsecond))
    return (*(old if new is None else new for new, old in given), t._tzinfo if zone is True else zone)


def _clock_text(t, timespec):
    hour = f"{t._hour:02}"
    minutes = f"{hour}:{t._minute:02}"
    seconds = f"{minutes}:{t._second:02}"
    if timespec == "auto":
        timespec = "microseconds" if t._microsecond else "seconds"
    texts = {
        "hours": hour,
        "minutes": minutes,
        "seconds": seconds,
        "milliseconds": f"{seconds}.{t._microsecond // 1000:03}",
        "microseconds": f"{seconds}.{t._microsecond:06}",
    }
    if timespec not in texts:
        raise ValueError("Unknown timespec value")
    return texts[timespec]


time.min, time.max, time.resolution = time(), time(23, 59, 59, 999999), timedelta.resolution


class datetime(date):
    """A day and a time, with or without a zone: `datetime(2024, 2, 29, 12, 30)`."""

    __spoken_name__ = "datetime.datetime"
    __module__ = "datetime"

    def __new__(cls, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        made = object.__new__(cls)
        made._set_day(year, month, day)
        time._set_clock(made, hour, minute, second, microsecond, tzinfo, fold)
        return made

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def now(cls, tz=None):
        """The time that it is here, or in a zone."""
        return cls.fromtimestamp(_clock.time(), tz)

    @classmethod
    def today(cls):
        """The time that it is here."""
        return cls.fromtimestamp(_clock.time())

    @classmethod
    def utcnow(cls):
        """The time that it is in UTC, without a zone."""
        return cls.utcfromtimestamp(_clock.time())

    @classmethod
    def fromtimestamp(cls, timestamp, /, tz=None):
        """The time of seconds since 1970 as it is here, or in a zone."""
        if tz is not None:
            if not isinstance(tz, tzinfo):
                raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(tz).__name__}'")
            return tz.fromutc(cls._at(timestamp).replace(tzinfo=tz))
        return cls._at(timestamp, offset_of_time(timestamp)[0])

    @classmethod
    def utcfromtimestamp(cls, timestamp, /):
        """The time of seconds since 1970 in UTC, without a zone."""
        return cls._at(timestamp)

    @classmethod
    def _at(cls, timestamp, ahead=0):
        if not isinstance(timestamp, (int, float)):
            raise TypeError(f"'{type(timestamp).__name__}' object cannot be interpreted as an integer")
        if timestamp != timestamp:
            raise ValueError("cannot convert float NaN to integer")
        part, seconds = math.modf(timestamp)
        seconds, micro = int(seconds), round(part * 1e6)
        seconds, micro = seconds + micro // _SECOND, micro % _SECOND
        parts = parts_of_time(seconds + ahead)
        return cls(*parts[:6], micro)

    @classmethod
    def fromordinal(cls, n, /):
        """The midnight at which a day begins."""
        return cls(*_from_ordinal(n))

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        """A day and a time."""
        zone = time._tzinfo if tzinfo is True else tzinfo
        return cls(date._year, date._month, date._day, time._hour, time._minute, time._second, time._microsecond, zone, fold=time._fold)

    @classmethod
    def fromisoformat(cls, date_string, /):
        """A time of `2024-02-29`, `2024-02-29T12:30:15+01:00`."""
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        for size in (10, 8, 7):
            day = _read_day(date_string[:size])
            if day is None:
                continue
            if len(date_string) == size:
                return cls(*day)
            clock = _read_time(date_string[size + 1:])
            if clock is not None:
                return cls(*day, *clock)
        raise ValueError(f"Invalid isoformat string: {date_string!r}")

    @classmethod
    def strptime(cls, date_string, format, /):
        """A time that a format such as `%Y-%m-%d %H:%M` reads from a text."""
        parts, micro, offset, name = _clock._read_time(date_string, format)
        zone = None
        if offset is not None:
            zone = timezone(timedelta(seconds=offset), *([name] if name else []))
        return cls(*parts[:6], micro, zone)

    def date(self):
        """Its day."""
        return date(self._year, self._month, self._day)

    def time(self):
        """Its time without the zone."""
        return time(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self):
        """Its time with the zone."""
        return time(self._hour, self._minute, self._second, self._microsecond, self._tzinfo, fold=self._fold)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        """The time with some of it changed."""
        given = ((year, self._year), (month, self._month), (day, self._day))
        day = (old if new is None else new for new, old in given)
        clock = _replaced(self, hour, minute, second, microsecond, tzinfo)
        return type(self)(*day, *clock, fold=self._fold if fold is None else fold)

    def utcoffset(self):
        """How far it is ahead of UTC; None without a zone."""
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        """The name of its zone."""
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def dst(self):
        """How much of the offset is summer time."""
        return None if self._tzinfo is None else self._tzinfo.dst(self)

    def _micros(self):
        """Microseconds since the year 1 began, as they are written."""
        return date.toordinal(self) * _DAY + _in_day(self)

    def _utc(self):
        offset = self.utcoffset()
        return self._micros() - (0 if offset is None else offset._total)

    def timestamp(self):
        """Seconds since 1970; without a zone it is a time as it is here."""
        since = self._utc() - _FIRST * _DAY
        if self._tzinfo is None:
            whole = _clock.mktime(self._parts(self._hour, self._minute, self._second))
            return whole + self._microsecond / 1e6
        return since / _SECOND

    def astimezone(self, tz=None):
        """The same time in a zone; without one as it is here."""
        seconds = self.timestamp()
        if tz is None:
            offset, _, name = offset_of_time(seconds)
            tz = timezone(timedelta(seconds=offset), name)
        utc = self._utc() - (offset_of_time(seconds)[0] * _SECOND if self._tzinfo is None else 0)
        return tz.fromutc(datetime._of(utc, tz))

    @classmethod
    def _of(cls, micros, zone):
        day, rest = divmod(micros, _DAY)
        if not 1 <= day <= 3652059:
            raise OverflowError("date value out of range")
        seconds, micro = divmod(rest, _SECOND)
        return cls(*_from_ordinal(day), seconds // 3600, seconds // 60 % 60, seconds % 60, micro, zone)

    def timetuple(self):
        """As the module `time` has it."""
        dst = self.dst()
        return self._parts(self._hour, self._minute, self._second, -1 if dst is None else int(bool(dst)))

    def utctimetuple(self):
        """The same time in UTC."""
        made = datetime._of(self._utc(), None)
        return made._parts(made._hour, made._minute, made._second, 0)

    def isoformat(self, sep="T", timespec="auto"):
        """`2024-02-29T12:30:15`"""
        offset = self.utcoffset()
        text = f"{date.isoformat(self)}{sep}{_clock_text(self, timespec)}"
        return text + ("" if offset is None else _offset_text(offset))

    def strftime(self, format):
        """As a format such as `%Y-%m-%d %H:%M:%S` writes it."""
        return _formatted(format, self.timetuple(), self._microsecond, self.tzname(), self.utcoffset())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)._of(self._micros() + other._total, self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        if self._tzinfo is other._tzinfo:
            return timedelta._of(self._micros() - other._micros())
        if (self._tzinfo is None) != (other._tzinfo is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta._of(self._utc() - other._utc())

    def _key(self):
        return self._utc()

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return NotImplemented
        return (self._tzinfo is None) == (other._tzinfo is None) and self._key() == other._key()

    def _compared(self, other):
        if isinstance(other, datetime) and (self._tzinfo is None) != (other._tzinfo is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return super()._compared(other)

    def __hash__(self):
        return hash(self._key())

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self._year, self._month, self._day, self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        zone = "" if self._tzinfo is None else f", tzinfo={self._tzinfo!r}"
        fold = ", fold=1" if self._fold else ""
        return f"{_name_of(self)}({', '.join(map(str, parts))}{zone}{fold})"


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(days=1)
datetime.min, datetime.max, datetime.resolution = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999), timedelta.resolution
