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
    # By this name of its source `Class::plain_new` knows that its `__new__` does nothing else.
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


def _is_mapping(value):
    from collections.abc import Mapping

    return isinstance(value, Mapping)


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
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(set().union(*self.maps))

    def __iter__(self):
        return iter(self._keys())

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

    def _keys(self):
        keys = {}
        for mapping in reversed(self.maps):
            keys.update(dict.fromkeys(mapping))
        return keys

    def _merged(self):
        return {key: self[key] for key in self}

    def keys(self):
        return self._keys().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, *args):
        """One dictionary with these keys."""
        return cls(dict.fromkeys(iterable, *args))

    def __or__(self, other):
        if not isinstance(other, (dict, ChainMap)):
            return NotImplemented
        made = self.copy()
        made.maps[0].update(other)
        return made

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        return type(self)(dict(other) | self._merged())

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

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


class UserDict:
    """A dictionary to derive classes from: all that is put in goes through `__setitem__`."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        if not isinstance(other, (UserDict, dict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def __or__(self, other):
        if not isinstance(other, (UserDict, dict)):
            return NotImplemented
        return type(self)({**self.data, **dict(other.items())})

    def __ror__(self, other):
        if not isinstance(other, (UserDict, dict)):
            return NotImplemented
        return type(self)({**dict(other.items()), **self.data})

    def __ior__(self, other):
        self.update(other)
        return self

    def __copy__(self):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.data = self.data.copy()
        return made

    def copy(self):
        return self.__copy__()

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return {key: None for key in self}.keys()

    def values(self):
        return {key: self[key] for key in self}.values()

    def items(self):
        return {key: self[key] for key in self}.items()

    def pop(self, key, *default):
        if len(default) > 1:
            raise TypeError(f"pop expected at most 2 arguments, got {len(default) + 1}")
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **kwds):
        pairs = [(key, other[key]) for key in other.keys()] if hasattr(other, "keys") else other
        for key, value in pairs:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made


def _plain(other):
    return other.data if isinstance(other, (UserList, UserString)) else other


class _Held:
    """What lists and texts that are held in `data` have alike."""

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == _plain(other)

    def __lt__(self, other):
        return self.data < _plain(other)

    def __le__(self, other):
        return self.data <= _plain(other)

    def __gt__(self, other):
        return self.data > _plain(other)

    def __ge__(self, other):
        return self.data >= _plain(other)

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__


class UserList(_Held):
    """A list to derive classes from."""

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_plain(initlist))

    def __contains__(self, item):
        return item in self.data

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return type(self)(self.data + list(_plain(other)))

    def __radd__(self, other):
        return type(self)(list(_plain(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(_plain(other))
        return self

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.data = self.data[:]
        return made

    def copy(self):
        return type(self)(self)

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(_plain(other))


class UserString(_Held):
    """A text to derive classes from."""

    def __init__(self, seq):
        self.data = str(_plain(seq))

    def __str__(self):
        return self.data

    def __hash__(self):
        return hash(self.data)

    def __contains__(self, text):
        return _plain(text) in self.data

    def __getitem__(self, index):
        return type(self)(self.data[index])

    def __add__(self, other):
        return type(self)(self.data + str(_plain(other)))

    def __radd__(self, other):
        return type(self)(str(other) + self.data)

    def __mod__(self, args):
        return type(self)(self.data % args)

    def __getattr__(self, name):
        method = getattr(self.__dict__["data"], name)

        def asked(*args, **kwds):
            found = method(*[_plain(arg) for arg in args], **kwds)
            return type(self)(found) if isinstance(found, str) else found
        return asked
