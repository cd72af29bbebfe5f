"""JSON in files, and encoders as classes."""

from json import dumps, loads


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


def dump(obj, fp, **options):
    """Writes a value as JSON into a file; the options are those of `dumps`."""
    fp.write(dumps(obj, **options))


def load(fp, **options):
    """The value that a file of JSON holds; the options are those of `loads`."""
    return loads(fp.read(), **options)
