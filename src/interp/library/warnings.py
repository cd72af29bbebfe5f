"""What a program says beside its output."""

_ACTIONS = ("default", "error", "ignore", "always", "module", "once")

# An action, what the message begins with, the category, the module, the line; the first that fits counts.
filters = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]
# What has been said already, and who takes what is said instead of the user.
_said = {}
_records = []


class WarningMessage:
    """A warning that `catch_warnings(record=True)` has taken."""

    def __init__(self, message, category, filename, lineno):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file = self.line = self.source = None

    def __str__(self):
        return (
            f"{{message : {self.message!r}, category : {self.category.__name__!r}, "
            f"filename : {self.filename!r}, lineno : {self.lineno}, line : {self.line!r}}}"
        )


def _warn(message, category, filename, lineno):
    """What `warn` does with a warning of a line."""
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    text = str(message)
    if not isinstance(message, Warning):
        message = category(message)
    action = _action(text, category, lineno)
    if action == "error":
        raise message
    if action == "ignore":
        return
    if action != "always":
        key = (text, category) if action == "once" else (text, category, filename, 0 if action == "module" else lineno)
        if key in _said:
            return
        _said[key] = True
    if _records:
        _records[-1].append(WarningMessage(message, category, filename, lineno))
    else:
        tell(f"{category.__name__}: {text}")


def _action(text, category, lineno):
    for action, beginning, of, module, line in filters:
        if beginning is not None and not text.lower().startswith(beginning):
            continue
        if issubclass(category, of) and module in (None, "__main__") and line in (0, lineno):
            return action
    return "default"


def _add(item, append):
    if append:
        if item not in filters:
            filters.append(item)
    else:
        if item in filters:
            filters.remove(item)
        filters.insert(0, item)
    _said.clear()


def _check(action, category, lineno):
    assert action in _ACTIONS, f"invalid action: {action!r}"
    assert isinstance(category, type) and issubclass(category, Warning), "category must be a Warning subclass"
    assert isinstance(lineno, int) and lineno >= 0, "lineno must be an int >= 0"


def simplefilter(action, category=Warning, lineno=0, append=False):
    """What is done with warnings of a category: "ignore", "error", "always", "default", "module", "once"."""
    _check(action, category, lineno)
    _add((action, None, category, None, lineno), append)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    """As `simplefilter`, for messages that begin so. There are no regular expressions here."""
    _check(action, category, lineno)
    beginning = message.removeprefix("^").removesuffix("$").removesuffix(".*").removeprefix(".*")
    for letter in beginning:
        if letter in "\\[](){}*+?|^$":
            raise ValueError(f"message must be how the text begins, without {letter!r}: there are no regular expressions here")
    _add((action, beginning.lower() or None, category, module or None, lineno), append)


def resetwarnings():
    """No filters: each warning is said once a line."""
    filters.clear()
    _said.clear()


class catch_warnings:
    """What filters do inside the block ends with it; with `record`, warnings are put into a list instead."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record, self._entered = record, False
        self._filter = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        if self._entered:
            raise RuntimeError(f"Cannot enter {self!r} twice")
        self._entered = True
        self._filters, self._before = filters[:], dict(_said)
        _said.clear()
        if self._filter is not None:
            simplefilter(*self._filter)
        if self._record:
            _records.append([])
            return _records[-1]

    def __exit__(self, *exc_info):
        if not self._entered:
            raise RuntimeError(f"Cannot exit {self!r} without entering first")
        filters[:] = self._filters
        _said.clear()
        _said.update(self._before)
        if self._record:
            _records.pop()


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    """Says a warning of a place that the program names."""
    _warn(message, category, filename, lineno)


def formatwarning(message, category, filename, lineno, line=None):
    """A warning as CPython writes it."""
    shown = f"  {line.strip()}\n" if line else ""
    return f"{filename}:{lineno}: {category.__name__}: {message}\n{shown}"


def showwarning(message, category, filename, lineno, file=None, line=None):
    """Writes a warning to a file, or says it beside the program's output."""
    text = formatwarning(message, category, filename, lineno, line)
    tell(text.rstrip("\n")) if file is None else file.write(text)
