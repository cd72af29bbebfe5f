"""What a program says of its work, by how much it matters."""

import sys
import time
import traceback
import warnings

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0

_names = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_levels = {"CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, "WARNING": 30, "INFO": 20, "DEBUG": 10, "NOTSET": 0}
_begun = time.time()
_state = {"disable": 0}
raiseExceptions = True
lastResort = None


def getLevelName(level):
    """A level's name, or the level of a name."""
    found = _names.get(level) if isinstance(level, int) else _levels.get(level)
    return f"Level {level}" if found is None else found


def addLevelName(level, levelName):
    """Gives a level a name."""
    _names[level], _levels[levelName] = levelName, level


def getLevelNamesMapping():
    """The levels by their names."""
    return dict(_levels)


def _checked(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _levels:
        raise ValueError(f"Unknown level: {level!r}")
    return _levels[level]


class LogRecord:
    """One thing that was said."""

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        now = time.time()
        self.name, self.msg, self.levelno, self.levelname = name, msg, level, getLevelName(level)
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.args, self.exc_info, self.exc_text, self.stack_info = args, exc_info, None, sinfo
        self.pathname, self.lineno, self.funcName = pathname, lineno, func
        self.filename = pathname.rpartition("/")[2]
        self.module = self.filename.rpartition(".")[0] or self.filename
        self.created, self.msecs = now, int((now - int(now)) * 1000) + 0.0
        self.relativeCreated = (now - _begun) * 1000
        self.thread, self.threadName, self.process, self.processName, self.taskName = 0, "MainThread", 0, "MainProcess", None

    def getMessage(self):
        """The words with the arguments filled in."""
        text = str(self.msg)
        return text % self.args if self.args else text

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'


def makeLogRecord(dict):
    """A record with these attributes."""
    record = LogRecord(None, None, "", 0, "", (), None)
    record.__dict__.update(dict)
    return record


BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
_STYLES = {"%": ("%(message)s", BASIC_FORMAT), "{": ("{message}", "{levelname}:{name}:{message}"), "$": ("${message}", "${levelname}:${name}:${message}")}


class Formatter:
    """Makes a text of a record: `Formatter("%(asctime)s %(levelname)s %(message)s")`."""

    default_time_format, default_msec_format = "%Y-%m-%d %H:%M:%S", "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in _STYLES:
            raise ValueError(f"Style must be one of: {','.join(_STYLES)}")
        self._fmt, self.datefmt, self._style, self._defaults = fmt or _STYLES[style][0], datefmt, style, defaults or {}

    def usesTime(self):
        """Whether it writes when something was said."""
        return {"%": "%(asctime)", "{": "{asctime", "$": "$asctime"}[self._style] in self._fmt or "${asctime}" in self._fmt

    def formatTime(self, record, datefmt=None):
        """When something was said."""
        parts = time.localtime(record.created)
        if datefmt:
            return time.strftime(datefmt, parts)
        return self.default_msec_format % (time.strftime(self.default_time_format, parts), record.msecs)

    def formatException(self, ei):
        """The traceback of an exception."""
        return "".join(traceback.format_exception(ei[0], ei[1], ei[2])).removesuffix("\n")

    def formatMessage(self, record):
        """The format with a record's attributes."""
        values = {**self._defaults, **record.__dict__}
        if self._style == "%":
            return self._fmt % values
        if self._style == "{":
            return self._fmt.format(**values)
        from string import Template
        return Template(self._fmt).substitute(values)

    def format(self, record):
        """The text of a record, with its exception."""
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info):
            if more:
                text = text + ("" if text.endswith("\n") else "\n") + more
        return text


_plain = Formatter()


class Filter:
    """Lets records of a logger and of those below it pass."""

    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        """Whether a record passes."""
        return self.name == "" or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    """What has filters."""

    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        """Asks a filter, too: an object or a function."""
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        """Asks a filter no more."""
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        """Whether all filters let a record pass."""
        for one in self.filters:
            passes = one.filter(record) if hasattr(one, "filter") else one(record)
            if not passes:
                return False
        return True


class Handler(Filterer):
    """Brings records somewhere."""

    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self.level, self.formatter, self.name = _checked(level), None, None

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def setLevel(self, level):
        """Leaves out what matters less."""
        self.level = _checked(level)

    def setFormatter(self, fmt):
        """Says how records are written."""
        self.formatter = fmt

    def format(self, record):
        """The text of a record."""
        return (self.formatter or _plain).format(record)

    def handle(self, record):
        """Brings a record there, if it passes."""
        passes = self.filter(record)
        if passes:
            self.emit(record)
        return passes

    def emit(self, record):
        """Brings a record there."""
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def flush(self):
        """Waits for what is under way."""

    def close(self):
        """Ends its use."""

    def acquire(self):
        """There is one thread."""

    def release(self):
        """There is one thread."""

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"


class StreamHandler(Handler):
    """Writes records into a file; without one beside the program's output."""

    terminator = "\n"

    def __init__(self, stream=None):
        Handler.__init__(self)
        self.stream = sys.stderr if stream is None else stream

    def setStream(self, stream):
        """Writes elsewhere from here on; gives where it wrote before."""
        if stream is self.stream:
            return None
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        self.stream.write(self.format(record) + self.terminator)
        self.flush()

    def flush(self):
        if hasattr(self.stream, "flush"):
            self.stream.flush()

    def __repr__(self):
        name = "<stderr> " if self.stream is sys.stderr else "<stdout> " if self.stream is sys.stdout else ""
        return f"<{type(self).__name__} {name}({getLevelName(self.level)})>"


class FileHandler(StreamHandler):
    """Writes records at the end of a file."""

    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = str(filename)
        StreamHandler.__init__(self, open(self.baseFilename, mode, encoding=encoding, errors=errors))

    def close(self):
        self.stream.close()


class NullHandler(Handler):
    """Lets all records go."""

    def handle(self, record):
        pass

    def emit(self, record):
        pass


lastResort = StreamHandler()
lastResort.level = WARNING
