"""What is being handled."""


def exc_info():
    """The class, the exception and the traceback of what is being handled."""
    exc = handled_exception()
    return (None, None, None) if exc is None else (type(exc), exc, exc.__traceback__)


def exception():
    """The exception that is being handled."""
    return handled_exception()
