"""JSON in files, and encoders as classes."""

from json import JSONDecodeError, dumps, loads


class JSONEncoder:
    """Writes values as JSON; `default` says what a value is written as that JSON has no form for."""

    def __init__(self, *, skipkeys=False, ensure_ascii=True, allow_nan=True, sort_keys=False, indent=None, separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.allow_nan = skipkeys, ensure_ascii, allow_nan
        self.sort_keys, self.indent, self.separators = sort_keys, indent, separators
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        """A value as a text of JSON."""
        return dumps(
            o, skipkeys=self.skipkeys, ensure_ascii=self.ensure_ascii, allow_nan=self.allow_nan,
            sort_keys=self.sort_keys, indent=self.indent, separators=self.separators, default=self.default,
        )

    def iterencode(self, o):
        """The text, as something to loop over."""
        yield self.encode(o)


class JSONDecoder:
    """Reads JSON; hooks say what objects, numbers and constants are worth."""

    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None):
        self.object_hook, self.object_pairs_hook, self.strict = object_hook, object_pairs_hook, strict
        self.parse_float, self.parse_int, self.parse_constant = parse_float or float, parse_int or int, parse_constant
        self._hooks = object_hook, parse_float, parse_int, parse_constant, object_pairs_hook

    def decode(self, s):
        """The value that a text writes down."""
        blanks = " \t\n\r"
        value, end = self.raw_decode(s, len(s) - len(s.lstrip(blanks)))
        end = len(s) - len(s[end:].lstrip(blanks))
        if end != len(s):
            raise JSONDecodeError("Extra data", s, end)
        return value

    def raw_decode(self, s, idx=0):
        """The value that a text begins with at a place, and the place behind it."""
        return scan_json(s, idx, self.strict, *self._hooks)


def dump(obj, fp, **options):
    """Writes a value as JSON into a file; the options are those of `dumps`."""
    fp.write(dumps(obj, **options))


def load(fp, **options):
    """The value that a file of JSON holds; the options are those of `loads`."""
    return loads(fp.read(), **options)
