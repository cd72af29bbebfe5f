"""Tuples with names as classes."""

from collections import _tuple_methods, namedtuple


class _NamedTupleType:
    __is_metaclass__ = True

    def __init__(cls):
        if cls.__mro__[1:] != (tuple, object) and NamedTuple in cls.__bases__:
            _make_named(cls)


def _make_named(cls):
    if len(cls.__bases__) > 1:
        raise TypeError("can only inherit from a NamedTuple type and Generic")
    types = cls.__annotations__
    own = vars(cls)
    defaults = {}
    for name in types:
        if name.startswith("_"):
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in own:
            defaults[name] = own[name]
        elif defaults:
            many = "s" if len(defaults) > 1 else ""
            raise TypeError(
                f"Non-default namedtuple field {name} cannot follow default field{many} {', '.join(defaults)}"
            )
    for name in ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_replace", "_make", "_asdict"):
        if name in own:
            raise AttributeError("Cannot overwrite NamedTuple attribute " + name)
    for name, value in _tuple_methods(cls.__name__, list(types), defaults).items():
        if name in types or name not in own:
            set_in_class(cls, name, value)


class NamedTuple(tuple, metaclass=_NamedTupleType):
    """A class derived from it has tuples with the annotated names: `class P(NamedTuple): x: int`."""

    def __new__(cls, typename, fields=None, /, **kwargs):
        fields = list(kwargs.items()) if fields is None else list(fields)
        made = namedtuple(typename, [name for name, _ in fields])
        set_in_class(made, "__annotations__", dict(fields))
        return made
