"""What groups of exceptions are split by, and what derived classes make of what built-in types make."""


def _test_of(condition):
    kinds = condition if isinstance(condition, tuple) else (condition,)
    if all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds):
        return lambda exc: isinstance(exc, condition)
    if isinstance(condition, type) or not callable(condition):
        raise TypeError("expected a function, exception type or tuple of exception types")
    return condition


def _split_group(group, condition):
    return _parts_of(group, _test_of(condition))


def _parts_of(group, test):
    if test(group):
        return group, None
    inside, outside = [], []
    for exc in group.exceptions:
        if isinstance(exc, BaseExceptionGroup):
            yes, no = _parts_of(exc, test)
        else:
            yes, no = (exc, None) if test(exc) else (None, exc)
        if yes is not None:
            inside.append(yes)
        if no is not None:
            outside.append(no)
    return _part_of(group, inside), _part_of(group, outside)


def _part_of(group, excs):
    if not excs:
        return None
    part = group.derive(excs)
    if not isinstance(part, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    part.__context__, part.__cause__ = group.__context__, group.__cause__
    part.__traceback__ = group.__traceback__
    notes = getattr(group, "__notes__", None)
    if isinstance(notes, (list, tuple)):
        part.__notes__ = list(notes)
    return part


def _caught_part(exc, kinds):
    """The part of an exception that `except* kinds` takes, and the rest."""
    every = kinds if isinstance(kinds, tuple) else (kinds,)
    for kind in every:
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    if any(issubclass(kind, BaseExceptionGroup) for kind in every):
        raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    if exc is None:
        return None, None
    is_group = isinstance(exc, BaseExceptionGroup)
    if isinstance(exc, kinds):
        if is_group:
            return exc, None
        part = BaseExceptionGroup("", (exc,))
        part.__traceback__ = exc.__traceback__
        return part, None
    if not is_group:
        return None, exc
    parts = exc.split(kinds)
    if not isinstance(parts, tuple):
        raise TypeError(f"{type(exc).__name__}.split must return a tuple, not {type(parts).__name__}")
    if len(parts) < 2:
        raise TypeError(f"{type(exc).__name__}.split must return a 2-tuple, got tuple of size {len(parts)}")
    return parts[:2]


def _regrouped(exc, raised, rest):
    """What goes on behind `except*`: what its blocks raised anew, and the parts of the group that go on as they were."""
    left = raised if rest is None else raised + [rest]
    if not left:
        return None
    if not isinstance(exc, BaseExceptionGroup):
        return left[0]
    again = [x for x in left if x.__cause__ is exc.__cause__ and x.__context__ is exc.__context__]
    new = [x for x in left if not any(x is y for y in again)]
    leaves = [leaf for x in again for leaf in _leaves_of(x)]
    kept = _parts_of(exc, lambda x: any(x is leaf for leaf in leaves))[0] if again else None
    if not new:
        return kept
    if kept is not None:
        new.append(kept)
    return new[0] if len(new) == 1 else BaseExceptionGroup("", tuple(new))


def _leaves_of(exc):
    if not isinstance(exc, BaseExceptionGroup):
        return [exc]
    return [leaf for inner in exc.exceptions for leaf in _leaves_of(inner)]


def _made_by(cls, base, name):
    """A function that makes one of a built-in type, `dict.fromkeys`, as it is for a class derived from that."""
    plain = getattr(base, name)
    if name == "maketrans":
        return plain

    def function(*args, **keywords):
        made = plain(*args, **keywords)
        if name != "fromkeys":
            return cls(made)
        own = cls()
        for key, value in made.items():
            own[key] = value
        return own
    return function


class member_descriptor:
    """A field that a class names in its `__slots__`, as the class has it."""

    def __init__(self, owner, name):
        self.__objclass__ = owner
        self.__name__ = name
        self.__qualname__ = f"{owner.__qualname__}.{name}"

    def __repr__(self):
        return f"<member {self.__name__!r} of {self.__objclass__.__name__!r} objects>"

    def __get__(self, instance, owner=None):
        return self if instance is None else object.__getattribute__(instance, self.__name__)

    def __set__(self, instance, value):
        object.__setattr__(instance, self.__name__, value)

    def __delete__(self, instance):
        object.__delattr__(instance, self.__name__)


def _member_of(owner, name):
    return member_descriptor(owner, name)
