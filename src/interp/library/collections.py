"""Tuples with names, and dictionaries behind each other."""

from operator import itemgetter

_KEYWORDS = (
    "False None True and as assert async await break class continue def del elif else except finally "
    "for from global if import in is lambda nonlocal not or pass raise return try while with yield"
).split()


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """A class of tuples whose items also have names: `Point = namedtuple("Point", "x y")`."""
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = [str(name) for name in field_names]
    typename = str(typename)
    if rename:
        seen = set()
        for index, name in enumerate(field_names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen:
                field_names[index] = f"_{index}"
            seen.add(name)
    for name in [typename] + field_names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in field_names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    defaults = () if defaults is None else tuple(defaults)
    if len(defaults) > len(field_names):
        raise TypeError("Got more default values than field names")
    first = len(field_names) - len(defaults)
    namespace = _tuple_methods(typename, field_names, dict(zip(field_names[first:], defaults)))
    if module is not None:
        namespace["__module__"] = module
    return type(typename, (tuple,), namespace)


def _tuple_methods(typename, field_names, defaults):
    """What a class of tuples with names holds."""
    parameters = [f"{name}=_defaults[{name!r}]" if name in defaults else name for name in field_names]
    shown = ", ".join(f"{name}={{self[{at}]!r}}" for at, name in enumerate(field_names))
    plain = "".join(f"{name}, " for name in field_names)
    text = f"""def _(_tuple_new, _defaults):
    class {typename}:
        def __new__({", ".join(["_cls"] + parameters)}):
            return _tuple_new(_cls, ({plain}))
        def __repr__(self):
            return self.__class__.__name__ + f"({shown})"
    return {typename}
"""
    methods = vars(written(f"<namedtuple {typename}>", text)(tuple.__new__, defaults))
    new = methods["__new__"]
    new.__doc__ = f"Create new instance of {typename}({', '.join(field_names)})"
    fields = tuple(field_names)

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != len(fields):
            raise TypeError(f"Expected {len(fields)} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make(map(kwds.pop, fields, self))
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    def _asdict(self):
        return dict(zip(fields, self))

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(field_names)})",
        "__slots__": (),
        "_fields": fields,
        "_field_defaults": defaults,
        "__new__": new,
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": methods["__repr__"],
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
        "__match_args__": fields,
    }
    for at, name in enumerate(field_names):
        namespace[name] = property(itemgetter(at), _refuse, _refuse, f"Alias for field number {at}")
    return namespace


def _refuse(self, *value):
    raise AttributeError("can't set attribute" if value else "can't delete attribute")


class ChainMap:
    """Dictionaries behind each other: the first that has a key answers, and only the first changes."""

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"

    def __eq__(self, other):
        if isinstance(other, ChainMap):
            return self._merged() == other._merged()
        return self._merged() == other if isinstance(other, dict) else NotImplemented

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(mapping)
        return merged

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    def new_child(self, m=None, **kwargs):
        """The same behind another dictionary."""
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return type(self)(m, *self.maps)

    @property
    def parents(self):
        """The same without the first dictionary."""
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        self.maps[0].update(*args, **kwargs)

    def clear(self):
        self.maps[0].clear()

    def __or__(self, other):
        made = self.copy()
        made.maps[0].update(other)
        return made

    def __ior__(self, other):
        self.maps[0].update(other)
        return self
