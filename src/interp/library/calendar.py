"""Months and weeks."""

import datetime
import sys

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January, February = 1, 2
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
day_abbr = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
month_abbr = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_lengths = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
_first = [0]


class IllegalMonthError(ValueError):
    """A month that no year has."""

    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f"bad month number {self.month!r}; must be 1-12"


class IllegalWeekdayError(ValueError):
    """A day that no week has."""

    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return f"bad weekday number {self.weekday!r}; must be 0 (Monday) to 6 (Sunday)"


def isleap(year):
    """Whether a year has 366 days.

    >>> [year for year in (1900, 2000, 2023, 2024) if isleap(year)]
    [2000, 2024]
    """
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    """How many leap years there are from `y1` on before `y2`."""
    y1, y2 = y1 - 1, y2 - 1
    return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)


def weekday(year, month, day):
    """The day of the week of a date, 0 for a Monday."""
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        year = 2000 + year % 400
    return datetime.date(year, month, day).weekday()


def monthrange(year, month):
    """The day of the week of a month's first day, and how many days it has.

    >>> monthrange(2024, 2)
    (3, 29)
    """
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), _lengths[month] + (month == February and isleap(year))


def setfirstweekday(firstweekday):
    """Which day the functions of the module put first in a week."""
    if not MONDAY <= firstweekday <= SUNDAY:
        raise IllegalWeekdayError(firstweekday)
    _first[0] = firstweekday


def firstweekday():
    """The day that a week begins with."""
    return _first[0]


class Calendar:
    """Months as weeks of dates."""

    def __init__(self, firstweekday=0):
        self._from = firstweekday

    def getfirstweekday(self):
        """The day that a week begins with."""
        return self._from % 7

    def setfirstweekday(self, firstweekday):
        """Which day a week begins with."""
        self._from = firstweekday

    firstweekday = property(getfirstweekday, setfirstweekday)

    def iterweekdays(self):
        """The numbers of the days of a week in their order."""
        for day in range(self.firstweekday, self.firstweekday + 7):
            yield day % 7

    def itermonthdays(self, year, month):
        """The days of a month, with 0 for those of the months beside it in its weeks."""
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        after = (self.firstweekday - first - days) % 7
        return iter([0] * before + list(range(1, days + 1)) + [0] * after)

    def itermonthdays2(self, year, month):
        """The same with the day of the week beside each."""
        for at, day in enumerate(self.itermonthdays(year, month), self.firstweekday):
            yield day, at % 7

    def itermonthdates(self, year, month):
        """The dates of all weeks of a month."""
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        begin = datetime.date(year, month, 1) - datetime.timedelta(days=before)
        for at in range(before + days + (self.firstweekday - first - days) % 7):
            yield begin + datetime.timedelta(days=at)

    def monthdayscalendar(self, year, month):
        """The weeks of a month as lists of its days."""
        days = list(self.itermonthdays(year, month))
        return [days[at : at + 7] for at in range(0, len(days), 7)]

    def monthdays2calendar(self, year, month):
        """The same with the day of the week beside each."""
        days = list(self.itermonthdays2(year, month))
        return [days[at : at + 7] for at in range(0, len(days), 7)]

    def monthdatescalendar(self, year, month):
        """The weeks of a month as lists of dates."""
        dates = list(self.itermonthdates(year, month))
        return [dates[at : at + 7] for at in range(0, len(dates), 7)]


class TextCalendar(Calendar):
    """Months as texts."""

    def formatweekheader(self, width):
        """The names of the days above a month."""
        names = day_name if width >= 9 else day_abbr
        return " ".join(names[day][:width].center(width) for day in self.iterweekdays())

    def formatmonthname(self, theyear, themonth, width, withyear=True):
        """The name above a month."""
        return (month_name[themonth] + (f" {theyear}" if withyear else "")).center(width)

    def formatweek(self, theweek, width):
        """The days of a week in a line."""
        return " ".join(("" if day == 0 else f"{day:2}").center(width) for day, _ in theweek)

    def formatmonth(self, theyear, themonth, w=0, l=0):
        """A month as a text of several lines."""
        w, l = max(2, w), max(1, l)
        text = self.formatmonthname(theyear, themonth, 7 * (w + 1) - 1).rstrip() + "\n" * l
        text += self.formatweekheader(w).rstrip() + "\n" * l
        for week in self.monthdays2calendar(theyear, themonth):
            text += self.formatweek(week, w).rstrip() + "\n" * l
        return text

    def prmonth(self, theyear, themonth, w=0, l=0):
        """Prints a month."""
        print(self.formatmonth(theyear, themonth, w, l), end="")


def monthcalendar(year, month):
    """The weeks of a month as lists of its days, with 0 beside it.

    >>> monthcalendar(2024, 2)[0]
    [0, 0, 0, 1, 2, 3, 4]
    """
    return Calendar(_first[0]).monthdayscalendar(year, month)


def month(theyear, themonth, w=0, l=0):
    """A month as a text of several lines."""
    return TextCalendar(_first[0]).formatmonth(theyear, themonth, w, l)


def prmonth(theyear, themonth, w=0, l=0):
    """Prints a month."""
    print(month(theyear, themonth, w, l), end="")


def timegm(tuple):
    """Seconds since 1970 of the parts of a time in UTC."""
    year, month, day, hour, minute, second = tuple[:6]
    days = datetime.date(year, month, 1).toordinal() - 719163 + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
