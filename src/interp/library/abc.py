"""Classes that leave methods to the classes derived from them."""


def abstractmethod(funcobj):
    """Marks a method that a class derived from this one must have: without it there are no objects."""
    funcobj.__isabstractmethod__ = True
    return funcobj


def _is_abstract(value):
    for part in ("fget", "fset", "fdel", "__func__"):
        inner = getattr(value, part, None)
        if inner is not None and getattr(inner, "__isabstractmethod__", False):
            return True
    return getattr(value, "__isabstractmethod__", False)


class ABCMeta:
    """What `class A(metaclass=ABCMeta)` asks for: abstract methods."""

    __is_metaclass__ = True

    def __init__(cls):
        own = vars(cls)
        names = {name for name, value in own.items() if _is_abstract(value)}
        for base in cls.__mro__[1:]:
            for name in getattr(base, "__abstractmethods__", ()):
                if _is_abstract(getattr(cls, name, None)):
                    names.add(name)
        set_in_class(cls, "__abstractmethods__", tuple(sorted(names)))


class ABC(metaclass=ABCMeta):
    """A class with abstract methods is derived from it."""
