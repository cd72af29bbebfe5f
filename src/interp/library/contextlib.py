"""Managers for `with`."""

from functools import wraps


class AbstractContextManager:
    """A manager that enters as itself; `__exit__` is left to the class derived from it."""

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    """A manager that also decorates: each call of the function runs inside it."""

    def _for_call(self):
        return self

    def __call__(self, function):
        @wraps(function)
        def inside(*args, **kwargs):
            with self._for_call():
                return function(*args, **kwargs)
        return inside


class _Yielding(AbstractContextManager, ContextDecorator):
    """What a generator that yields once makes of a block: it stands still while the block runs."""

    def __init__(self, function, args, kwargs):
        self._made_by, self.gen = (function, args, kwargs), function(*args, **kwargs)
        self.__doc__ = function.__doc__

    def _for_call(self):
        return _Yielding(*self._made_by)

    def __enter__(self):
        for value in self.gen:
            return value
        raise RuntimeError("generator didn't yield")

    def __exit__(self, kind, error, traceback):
        if kind is None:
            for _ in self.gen:
                raise RuntimeError("generator didn't stop")
            return False
        error = kind() if error is None else error
        try:
            self.gen.throw(error)
        except BaseException as left:
            # What went in and comes out again is the block's, also where a StopIteration of it was
            # wrapped on the way out of the generator.
            is_wrapped = isinstance(error, StopIteration) and left.__cause__ is error
            if left is error or is_wrapped and isinstance(left, RuntimeError):
                return False
            if isinstance(left, StopIteration):
                return True
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    """A decorator: a generator that yields once becomes a manager for `with`."""
    @wraps(function)
    def manager(*args, **kwargs):
        return _Yielding(function, args, kwargs)
    return manager


class closing(AbstractContextManager):
    """Calls `thing.close()` behind the block."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class suppress(AbstractContextManager):
    """Goes on behind the block where one of these exceptions comes up in it."""

    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class redirect_stdout(AbstractContextManager):
    """What the block prints goes into a file, or into an `io.StringIO`."""

    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    _is_aside = False

    def __enter__(self):
        self._old_targets.append(redirect(self._new_target, self._is_aside))
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        redirect(self._old_targets.pop(), self._is_aside)


class redirect_stderr(redirect_stdout):
    """What the block says beside its output, warnings among it, goes into a file, or into an `io.StringIO`."""

    _is_aside = True


class nullcontext(AbstractContextManager):
    """Does nothing; gives `enter_result`."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class ExitStack(AbstractContextManager):
    """Managers and callbacks that end with the block, the last first."""

    def __init__(self):
        self._exits = []

    def pop_all(self):
        """Another stack with all that this one would end."""
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def push(self, exit):
        """Calls `exit`, or its `__exit__`, with the exception of the block, behind it."""
        method = getattr(type(exit), "__exit__", None)
        self._exits.append(exit if method is None else exit.__exit__)
        return exit

    def enter_context(self, cm):
        """Enters a manager, and leaves it behind the block."""
        cls = type(cm)
        if not hasattr(cls, "__enter__") or not hasattr(cls, "__exit__"):
            raise TypeError(
                f"'{cls.__module__}.{cls.__qualname__}' object does not support the context manager protocol"
            )
        result = cm.__enter__()
        self._exits.append(cm.__exit__)
        return result

    def callback(self, callback, /, *args, **kwds):
        """Calls a function behind the block."""
        self._exits.append(lambda *details: _no_value(callback(*args, **kwds)))
        return callback

    def close(self):
        """Ends all at once."""
        self.__exit__(None, None, None)

    def __exit__(self, *details):
        received, pending, suppressed = details[1], details[1], False
        while self._exits:
            exit = self._exits.pop()
            try:
                if exit(None if pending is None else type(pending), pending, None):
                    suppressed, pending = True, None
            except BaseException as exc:
                if exc.__context__ is None and pending is not exc:
                    exc.__context__ = pending
                pending, suppressed = exc, False
        if pending is not None and pending is not received:
            raise pending
        return received is not None and suppressed


def _no_value(value):
    return None
