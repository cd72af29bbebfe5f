"""What is being handled, and what runs the program."""

from collections import namedtuple


def exc_info():
    """The class, the exception and the traceback of what is being handled."""
    exc = handled_exception()
    return (None, None, None) if exc is None else (type(exc), exc, exc.__traceback__)


def exception():
    """The exception that is being handled."""
    return handled_exception()


def _named(name, fields):
    def shown(self):
        return f"sys.{name}(" + ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self)) + ")"

    kind = namedtuple(name, fields)
    kind.__repr__ = shown
    return kind


version_info = _named("version_info", "major minor micro releaselevel serial")(3, 11, 0, "final", 0)
hexversion = 0x030B00F0
maxunicode = 0x10FFFF
float_repr_style = "short"
flags = _named("flags", "debug inspect interactive optimize no_user_site utf8_mode")(0, 0, 0, 0, 0, 1)
hash_info = _named("hash_info", "width modulus inf nan imag")(64, 2**61 - 1, 314159, 0, 1000003)
path = []
executable = ""


class _Input:
    name, mode, encoding, errors, closed = "<stdin>", "r", "utf-8", "strict", False

    def readline(self):
        """The next line with its line break; an empty text at the end."""
        try:
            return next_line()
        except EOFError:
            return ""

    def readlines(self):
        """The lines that are left."""
        return list(self)

    def read(self):
        """All that is left."""
        return "".join(self)

    def __iter__(self):
        return iter(self.readline, "")

    def __repr__(self):
        return "<_io.TextIOWrapper name='<stdin>' mode='r' encoding='utf-8'>"


stdin = _Input()


def getdefaultencoding():
    """What files are written in."""
    return "utf-8"


def getfilesystemencoding():
    """What names of files are written in."""
    return "utf-8"


def intern(string, /):
    """The text: equal ones need no name to be compared by."""
    return string


def getsizeof(obj, default=None, /):
    """About how many bytes a value takes itself, without what it holds.

    >>> getsizeof([1, 2, 3]) > getsizeof([])
    True
    """
    if hasattr(obj, "nbytes"):
        return 112 + obj.nbytes
    if isinstance(obj, str):
        return 16 + len(obj)
    if isinstance(obj, (list, tuple, set, frozenset, dict)):
        return 48 + len(obj) * (16 if isinstance(obj, (list, tuple)) else 48)
    return 16
