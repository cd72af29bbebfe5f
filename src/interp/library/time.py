"""Times as a calendar has them, in UTC."""

from collections import namedtuple


class struct_time(namedtuple("struct_time", "tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst")):
    """The parts of a time."""

    __slots__ = ()

    def __new__(cls, parts):
        if len(parts) != 9:
            raise TypeError(f"time.struct_time() takes a 9-sequence ({len(parts)}-sequence given)")
        return tuple.__new__(cls, parts)

    def __repr__(self):
        return "time." + super().__repr__()


def gmtime(seconds=None, /):
    """The parts of a time in UTC; without `seconds` since 1970 of now."""
    return struct_time(parts_of_time(seconds))


_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def asctime(t=None, /):
    """A time as a text; without one, now in UTC."""
    t = gmtime() if t is None else t
    return f"{_DAYS[t[6]]} {_MONTHS[t[1] - 1]} {t[2]:2} {t[3]:02}:{t[4]:02}:{t[5]:02} {t[0]}"
