class Logger(Filterer):
    """Says things under a name; `getLogger` makes it."""

    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name, self.level, self.parent, self.propagate = name, _checked(level), None, True
        self.handlers, self.disabled = [], False

    def setLevel(self, level):
        """Leaves out what matters less."""
        self.level = _checked(level)

    def getEffectiveLevel(self):
        """What matters enough: its own level, or that of the next one above with one."""
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        """Whether something of a level is said."""
        return not self.disabled and level > _state["disable"] and level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        """The logger of a name below this one."""
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")

    def addHandler(self, hdlr):
        """Brings records there, too."""
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        """Brings records there no more."""
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        """Whether records go anywhere."""
        logger = self
        while logger is not None:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def debug(self, msg, *args, **kwargs):
        """Says what helps to find a fault."""
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        """Says what goes on."""
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        """Says what may go wrong."""
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        """Says what went wrong."""
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        """Says what went wrong, with the exception that is being handled."""
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        """Says what ends the work."""
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        """Says something of a level."""
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = type(exc_info), exc_info, exc_info.__traceback__
            elif not isinstance(exc_info, tuple):
                exc_info = sys.exc_info()
        self.handle(self.makeRecord(self.name, level, "(unknown file)", 0, msg, args, exc_info, "(unknown function)", extra))

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        """A record with the attributes of `extra`."""
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            record.__dict__[key] = value
        return record

    def handle(self, record):
        """Brings a record to all handlers, here and above."""
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        """Brings a record to all handlers, here and above."""
        logger, found = self, 0
        while logger is not None:
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if found == 0 and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def __repr__(self):
        kind = "RootLogger" if self is root else "Logger"
        return f"<{kind} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


root = Logger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    """The logger of a name, the same each time; without a name the one above all others."""
    if not name or name == "root":
        return root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    logger = _loggers.get(name)
    if logger is None:
        logger = _loggers[name] = Logger(name)
        logger.parent = _above(name)
        for known in _loggers.values():
            if known.name.startswith(name + "."):
                known.parent = _above(known.name)
    return logger


def _above(name):
    while "." in name:
        name = name.rpartition(".")[0]
        if name in _loggers:
            return _loggers[name]
    return root


def basicConfig(*, filename=None, filemode="a", format=None, datefmt=None, style="%", level=None, stream=None, handlers=None, force=False, encoding=None, errors=None):
    """Says where records go and how they look, unless somebody has."""
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    if stream is not None and filename is not None:
        raise ValueError("'stream' and 'filename' should not be specified together")
    if handlers is not None and (stream is not None or filename is not None):
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if style not in _STYLES:
        raise ValueError(f"Style must be one of: {','.join(_STYLES)}")
    if handlers is None:
        handlers = [FileHandler(filename, filemode, encoding, errors=errors) if filename else StreamHandler(stream)]
    formatter = Formatter(format or _STYLES[style][1], datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def _ready():
    if not root.handlers:
        basicConfig()
    return root


def debug(msg, *args, **kwargs):
    """Says what helps to find a fault."""
    _ready().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    """Says what goes on."""
    _ready().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    """Says what may go wrong."""
    _ready().warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    """Says what went wrong."""
    _ready().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    """Says what went wrong, with the exception that is being handled."""
    error(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    """Says what ends the work."""
    _ready().critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    """Says something of a level."""
    _ready().log(level, msg, *args, **kwargs)


def disable(level=CRITICAL):
    """Says nothing up to a level, whoever speaks."""
    _state["disable"] = _checked(level)


def captureWarnings(capture):
    """Warnings stay what they are here."""
    raise NotImplementedError("warnings do not become records here; `warnings.catch_warnings(record=True)` collects them")


def shutdown():
    """Brings all records where they go."""
    for handler in root.handlers:
        handler.flush()


def getLoggerClass():
    """The class of loggers."""
    return Logger


class LoggerAdapter:
    """A logger that adds something to all that is said."""

    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        """What is said, and with which names."""
        return msg, {**kwargs, "extra": self.extra}

    def log(self, level, msg, *args, **kwargs):
        """Says something of a level."""
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)
