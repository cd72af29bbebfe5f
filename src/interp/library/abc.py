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
        set_in_class(cls, "_registered", [])

    def register(cls, subclass):
        """Says that a class is one of this kind, though it is not derived from it."""
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if issubclass(cls, subclass) and cls is not subclass:
            raise RuntimeError("Refusing to create an inheritance cycle")
        for base in cls.__mro__:
            if subclass is not cls and "_registered" in getattr(base, "__dict__", ()):
                base._registered.append(subclass)
        return subclass

    def __subclasscheck__(cls, subclass):
        hook = getattr(cls, "__subclasshook__", None)
        answer = NotImplemented if hook is None else hook(subclass)
        if answer is not NotImplemented:
            return bool(answer)
        return any(issubclass(subclass, known) for known in cls._registered)


class ABC(metaclass=ABCMeta):
    """A class with abstract methods is derived from it."""
