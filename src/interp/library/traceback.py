"""Errors as texts, with the calls that led to them."""

import sys
from collections import namedtuple

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"


def format_exception_only(exc, /, value=None):
    """The last lines of a traceback: the class, the words, the notes."""
    exc = exc if value is None else value
    if exc is None:
        return ["NoneType: None\n"]
    cls = type(exc)
    name = cls.__qualname__ if cls.__module__ in ("__main__", "builtins") else f"{cls.__module__}.{cls.__qualname__}"
    text = str(exc)
    notes = getattr(exc, "__notes__", [])
    return [f"{name}: {text}\n" if text else f"{name}\n"] + [f"{note}\n" for note in notes]


class FrameSummary(namedtuple("_Frame", "filename lineno name line")):
    """A call and its line of the program."""

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


def extract_tb(tb, limit=None):
    """A FrameSummary for each call, the outermost first."""
    frames = [] if tb is None else frames_of(tb)
    if limit is not None:
        frames = frames[:limit] if limit >= 0 else frames[limit:]
    return [FrameSummary(*frame) for frame in frames]


def format_list(extracted_list):
    """The lines of a traceback for what `extract_tb` gives."""
    return [
        f'  File "{file}", line {line}, in {function}\n' + (f"    {text}\n" if text else "")
        for file, line, function, text in extracted_list
    ]


def format_tb(tb, limit=None):
    """A line for each call and its line of the program."""
    return format_list(extract_tb(tb, limit))


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    """The whole traceback as a list of texts."""
    exc = exc if value is None else value
    lines, seen = [], []
    while exc is not None:
        seen.append(exc)
        own = format_exception_only(exc)
        if exc.__traceback__ is not None:
            own = ["Traceback (most recent call last):\n"] + format_tb(exc.__traceback__, limit) + own
        lines[:0] = own
        before, words = exc.__cause__, _CAUSE
        if before is None and not exc.__suppress_context__:
            before, words = exc.__context__, _CONTEXT
        if not chain or before is None or any(before is one for one in seen):
            break
        lines.insert(0, words)
        exc = before
    return lines or ["NoneType: None\n"]


def format_exc(limit=None, chain=True):
    """The traceback of the exception that is being handled, as a text."""
    return "".join(format_exception(handled_exception(), limit=limit, chain=chain))


def _tell(text, file):
    if file is None:
        sys.stderr.write(text)
    else:
        file.write(text)


def print_exc(limit=None, file=None, chain=True):
    """Says the traceback of the exception that is being handled."""
    _tell(format_exc(limit, chain), file)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    """Says the traceback of an exception."""
    _tell("".join(format_exception(exc, value, tb, limit, chain)), file)


def print_tb(tb, limit=None, file=None):
    """Says the calls of a traceback."""
    _tell("".join(format_tb(tb, limit)), file)
