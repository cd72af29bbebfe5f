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


class _TypedDictType:
    __is_metaclass__ = True

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)


class TypedDict(metaclass=_TypedDictType):
    """A class derived from it says which keys a dictionary has; calling it makes a dictionary."""

    def __init_subclass__(cls, total=True):
        cls.__total__ = total
        own = frozenset(vars(cls).get("__annotations__", ()))
        for name, keys in (("__required_keys__", own if total else frozenset()), ("__optional_keys__", frozenset() if total else own)):
            setattr(cls, name, keys.union(*[getattr(base, name, ()) for base in cls.__bases__]))


class Generic:
    """A class derived from it takes types in brackets: `class Stack(Generic[T])`, `Stack[int]()`."""

    def __class_getitem__(cls, parameters):
        return cls


class _ProtocolType:
    __is_metaclass__ = True

    def __init__(cls):
        own = [name for name in (*vars(cls), *cls.__dict__.get("__annotations__", ())) if not name.startswith("__") or callable(vars(cls).get(name))]
        names = {name for name in own if name not in ("__module__", "__init__", "__class_getitem__", "_asked", "_is_checked")}
        for base in cls.__mro__[1:]:
            names.update(getattr(base, "_asked", ()))
        is_protocol = cls.__name__ == "Protocol" or Protocol in cls.__bases__
        set_in_class(cls, "_asked", tuple(names) if is_protocol else None)

    def __instancecheck__(cls, instance):
        if cls._asked is None:
            return False
        if not getattr(cls, "_is_checked", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        return all(hasattr(instance, name) for name in cls._asked)

    def __subclasscheck__(cls, subclass):
        return cls._asked is not None and all(hasattr(subclass, name) for name in cls._asked)


class Protocol(metaclass=_ProtocolType):
    """A class derived from it says which attributes an object has."""

    def __class_getitem__(cls, parameters):
        return cls


def runtime_checkable(cls):
    """A class decorator: `isinstance` looks whether an object has a protocol's attributes."""
    cls._is_checked = True
    return cls


def _meant(hint, names):
    """What an annotation means; a text is computed where the session and `names` are seen."""
    if isinstance(hint, str):
        used = {name: value for name, value in names.items() if name.isidentifier() and name in hint}
        hint = written("<annotation>", f"def meant({', '.join(used)}):\n    return (\n{hint}\n)")(**used)
    return type(None) if hint is None else hint


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """What a function or a class is annotated with; texts are computed."""
    names = {**(globalns or {}), **(localns or {})}
    if not isinstance(obj, type):
        return {name: _meant(hint, names) for name, hint in obj.__annotations__.items()}
    hints = {}
    for base in reversed(obj.__mro__):
        own = getattr(base, "__dict__", {})
        for name, hint in own.get("__annotations__", {}).items():
            hints[name] = _meant(hint, {**own, **names})
    return hints


def _as_it_is(arg):
    """Says something to readers, and nothing to the program."""
    return arg


overload = _as_it_is
final = _as_it_is
no_type_check = _as_it_is


def assert_type(val, typ, /):
    """The value as it is."""
    return val


def assert_never(arg, /):
    """For what can't happen."""
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def reveal_type(obj, /):
    """Says the type of a value beside the program's output."""
    tell(f"Runtime type is {type(obj).__name__!r}")
    return obj


def get_origin(tp):
    """What brackets follow: `list` of `list[int]`, `Union` of `Optional[int]`; None without any."""
    return getattr(tp, "__origin__", None)


def get_args(tp):
    """What stands in the brackets of a type, as a tuple."""
    return getattr(tp, "__args__", ())
