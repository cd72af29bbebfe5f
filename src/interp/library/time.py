"""Times as a calendar has them, here and in UTC."""

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


def _now():
    return _seconds_of(*parts_of_time()[:6])


def localtime(seconds=None, /):
    """The parts of a time as it is here; without `seconds` since 1970 of now."""
    seconds = _now() if seconds is None else seconds
    offset, is_summer, _ = offset_of_time(seconds)
    return struct_time((*parts_of_time(int(seconds // 1) + offset)[:8], is_summer))


def _seconds_of(year, month, day, hour, minute, second):
    """Seconds since 1970 of a time in UTC; each part may be too large."""
    month -= 1
    year, month = year + month // 12, month % 12
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days += (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[month] + (month > 1 and is_leap) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def mktime(t, /):
    """Seconds since 1970 of a time as it is here."""
    t = tuple(t)
    if len(t) != 9:
        raise TypeError("mktime(): illegal time tuple argument")
    wanted = _seconds_of(*t[:6])
    # What the clock shows is ahead by the offset of that time, which two guesses find.
    offsets = [offset_of_time(wanted - offset_of_time(wanted + guess)[0])[0] for guess in (-86400, 86400)]
    fitting = [offset for offset in offsets if offset_of_time(wanted - offset)[0] == offset]
    if t[8] >= 0:
        fitting = [offset for offset in fitting if offset_of_time(wanted - offset)[1] == bool(t[8])] or fitting
    return float(wanted - (fitting or offsets)[0])


_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_LONG_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_LONG_MONTHS = "january february march april may june july august september october november december".split()


def asctime(t=None, /):
    """A time as a text; without one, now and here."""
    t = localtime() if t is None else t
    return f"{_DAYS[t[6]]} {_MONTHS[t[1] - 1]} {t[2]:2} {t[3]:02}:{t[4]:02}:{t[5]:02} {t[0]}"


def ctime(seconds=None, /):
    """A time as it is here, as a text; without `seconds` since 1970 of now."""
    return asctime(localtime(seconds))


def _zones():
    """Offset and name in winter and in summer."""
    year = parts_of_time(_now())[0]
    found = [offset_of_time(_seconds_of(year, month, 1, 0, 0, 0)) for month in (1, 7)]
    winter = next((zone for zone in found if not zone[1]), found[0])
    summer = next((zone for zone in found if zone[1]), winter)
    return winter, summer


_winter, _summer = _zones()
timezone, altzone = -_winter[0], -_summer[0]
daylight = int(_summer[1] != _winter[1])
tzname = (_winter[2], _summer[2])

# How many digits a part has at most, and from where to where it goes.
_NUMBERS = {
    "Y": (4, 0, 9999), "m": (2, 1, 12), "d": (2, 1, 31), "H": (2, 0, 23), "I": (2, 1, 12), "M": (2, 0, 59),
    "S": (2, 0, 61), "j": (3, 1, 366), "y": (2, 0, 99), "w": (1, 0, 6), "u": (1, 1, 7), "U": (2, 0, 53), "W": (2, 0, 53),
    "G": (4, 0, 9999), "V": (2, 1, 53),
}
_WHOLE = {"x": "%m/%d/%y", "X": "%H:%M:%S", "c": "%a %b %d %H:%M:%S %Y"}


class _Unlike(Exception):
    """A text that is not as the format says."""


def _number(text, at, size, low, high):
    """The number at a place of a text, of so many digits at most, and where it ends."""
    end = at
    while end < len(text) and end - at < size and text[end] in "0123456789":
        end += 1
    while end > at and not low <= int(text[at:end]) <= high:
        end -= 1
    if end == at or size == 4 and end - at < 4:
        raise _Unlike
    return int(text[at:end]), end


def _word(text, at, words):
    """Which of several words stands at a place, and where it ends."""
    rest = text[at:].lower()
    found = [word for word in words if rest.startswith(word)]
    if not found:
        raise _Unlike
    word = max(found, key=len)
    return words.index(word), at + len(word)


def _offset(text, at):
    """Seconds ahead of UTC, such as `+01:30`, and where they end."""
    if text[at:at + 1] == "Z":
        return 0, at + 1
    sign = {"+": 1, "-": -1}.get(text[at:at + 1])
    if sign is None:
        raise _Unlike
    hours, at = _number(text, at + 1, 2, 0, 23)
    at += text[at:at + 1] == ":"
    minutes, at = _number(text, at, 2, 0, 59)
    return sign * (hours * 3600 + minutes * 60), at


def _read(text, format, at, found):
    """Reads a text from a place on; where it ends."""
    step = 0
    while step < len(format):
        letter = format[step]
        step += 1
        if letter.isspace():
            start = at
            while at < len(text) and text[at].isspace():
                at += 1
            if at == start:
                raise _Unlike
            while step < len(format) and format[step].isspace():
                step += 1
            continue
        if letter != "%":
            if text[at:at + 1].lower() != letter.lower():
                raise _Unlike
            at += 1
            continue
        code = format[step:step + 1]
        step += 1
        if code in _NUMBERS:
            if code == "d" and text[at:at + 1] == " ":
                at += 1
            found[code], at = _number(text, at, *_NUMBERS[code])
        elif code in _WHOLE:
            at = _read(text, _WHOLE[code], at, found)
        elif code == "f":
            start = at
            _, at = _number(text, at, 6, 0, 999999)
            found["f"] = int(text[start:at].ljust(6, "0"))
        elif code == "a":
            found["A"], at = _word(text, at, [day.lower() for day in _DAYS])
        elif code == "A":
            found["A"], at = _word(text, at, _LONG_DAYS)
        elif code in ("b", "h"):
            month, at = _word(text, at, [month.lower() for month in _MONTHS])
            found["m"] = month + 1
        elif code == "B":
            month, at = _word(text, at, _LONG_MONTHS)
            found["m"] = month + 1
        elif code == "p":
            found["p"], at = _word(text, at, ["am", "pm"])
        elif code == "z":
            found["z"], at = _offset(text, at)
        elif code == "Z":
            names = ["utc", "gmt", tzname[0].lower(), tzname[1].lower()]
            which, at = _word(text, at, names)
            found["Z"] = names[which]
        elif code == "%":
            if text[at:at + 1] != "%":
                raise _Unlike
            at += 1
        elif code == "":
            raise ValueError(f"stray % in format '{format}'")
        else:
            raise ValueError(f"'{code}' is a bad directive in format '{format}'")
    return at


def _read_time(text, format):
    """The parts of a time that a format reads from a text, microseconds, the offset, and the zone's name."""
    for value, which in ((text, 0), (format, 1)):
        if not isinstance(value, str):
            raise TypeError(f"strptime() argument {which} must be str, not {type(value).__name__}")
    found = {}
    try:
        end = _read(text, format, 0, found)
    except _Unlike:
        raise ValueError(f"time data {text!r} does not match format {format!r}") from None
    if end != len(text):
        raise ValueError(f"unconverted data remains: {text[end:]}")
    year = found.get("Y")
    if year is None and "y" in found:
        year = found["y"] + (2000 if found["y"] <= 68 else 1900)
    hour = found.get("H", 0)
    if "I" in found:
        hour = found["I"] % 12 + 12 * found.get("p", 0)
    month, day, weekday = found.get("m", 1), found.get("d", 1), found.get("A")
    if weekday is None and "w" in found:
        weekday = (found["w"] + 6) % 7
    if weekday is None and "u" in found:
        weekday = found["u"] - 1
    is_leap_day = year is None and (month, day) == (2, 29)
    whole = 1904 if is_leap_day else 1900 if year is None else year
    yearday = found.get("j")
    first = parts_of_time(_seconds_of(whole, 1, 1, 0, 0, 0))[6]
    if yearday is None and weekday is not None and ("U" in found or "W" in found):
        # The week's number counts Sundays or Mondays.
        is_sunday = "U" in found
        into = (weekday + is_sunday) % 7
        begins = (first + is_sunday) % 7
        yearday = 7 * found["U" if is_sunday else "W"] + into - begins + 1 - (7 if begins == 0 else 0)
    if weekday is not None and "G" in found and "V" in found:
        first = parts_of_time(_seconds_of(found["G"], 1, 4, 0, 0, 0))[6]
        whole, yearday = found["G"], 4 - first + 7 * (found["V"] - 1) + weekday
    at = _seconds_of(whole, 1, yearday, 0, 0, 0) if yearday is not None else _seconds_of(whole, month, day, 0, 0, 0)
    made = parts_of_time(at)
    if yearday is None and made[2] != day:
        raise ValueError("day is out of range for month")
    date = (whole, month, day) if yearday is None else made[:3]
    zone = found.get("Z")
    offset = found.get("z", 0 if zone in ("utc", "gmt") else None)
    is_summer = -1 if zone is None else int(daylight and zone == tzname[1].lower())
    clock = hour, found.get("M", 0), found.get("S", 0)
    shown = 1900 if is_leap_day else date[0]
    weekday = made[6] if weekday is None or year is not None else weekday
    parts = (shown, *date[1:], *clock, weekday, made[7], is_summer)
    return parts, found.get("f", 0), offset, None if zone is None or "z" not in found else zone.upper()


def strptime(string, format="%a %b %d %H:%M:%S %Y", /):
    """The parts of a time that a format such as `%Y-%m-%d` reads from a text."""
    return struct_time(_read_time(string, format)[0])
