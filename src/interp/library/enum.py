"""Classes whose objects are a fixed set of names with values."""

from operator import and_, invert, or_, xor


class _Later:
    """What is made of values that the class has not chosen yet: `RW = R | W`."""

    def __init__(self, function, *parts):
        self.function, self.parts = function, parts

    def __or__(self, other):
        return _Later(or_, self, other)

    def __and__(self, other):
        return _Later(and_, self, other)

    def __xor__(self, other):
        return _Later(xor, self, other)

    def __invert__(self):
        return _Later(invert, self)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


class auto(_Later):
    """A value that the class chooses: the next number."""

    def __init__(self):
        self.value = None


def _chosen(value):
    if isinstance(value, auto):
        return value.value
    if isinstance(value, _Later):
        return value.function(*map(_chosen, value.parts))
    return tuple(map(_chosen, value)) if type(value) is tuple else value


def _is_member(cls_name, name, value):
    if name.startswith("_") and name.endswith("_") or name.startswith(f"_{cls_name}__"):
        return False
    is_method = isinstance(value, (property, staticmethod, classmethod)) or hasattr(value, "__get__")
    return not is_method and type(value).__name__ != "function"


class EnumType:
    """What is asked of the classes: their members."""

    __is_metaclass__ = True

    def __init__(cls):
        namespace = vars(cls)
        base = next((base for base in cls.__mro__[1:] if "_member_map_" in vars_of(base)), None)
        found = [(name, value) for name, value in namespace.items() if _is_member(cls.__name__, name, value)]
        for above in cls.__mro__[1:]:
            if vars_of(above).get("_member_map_"):
                raise TypeError(f"{cls!r} cannot extend {above!r}")
        set_in_class(cls, "_member_map_", {})
        set_in_class(cls, "_member_names_", [])
        set_in_class(cls, "_by_value_", [])
        natives = [of for of in cls.__mro__ if of in (int, str, float, tuple)]
        set_in_class(cls, "_member_type_", natives[0] if natives else object)
        if base is not None:
            for name, value in found:
                _add_member(cls, name, value)

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is None:
            return _by_value(cls, value)
        return _functional(cls, value, names, type, start)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[name] for name in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, member):
        if not isinstance(member, Enum):
            raise TypeError(
                f"unsupported operand type(s) for 'in': '{type(member).__qualname__}' and 'EnumType'"
            )
        return isinstance(member, cls) and member._name_ in cls._member_map_

    @property
    def __members__(cls):
        return dict(cls._member_map_)

    def __setattr__(cls, name, value):
        if name in cls._member_map_:
            raise AttributeError(f"cannot reassign member {name!r}")
        set_in_class(cls, name, value)

    def __repr__(cls):
        kind = "flag" if Flag is not None and issubclass(cls, Flag) else "enum"
        return f"<{kind} {cls.__name__!r}>"


EnumMeta = EnumType
Flag = None


def vars_of(cls):
    return getattr(cls, "__dict__", {})


def _own(cls, name):
    """What the program has put under a name, between the class and those of this module."""
    for base in cls.__mro__:
        if base in _BASES:
            return None
        if name in vars_of(base):
            return getattr(base, name)
    return None


def _add_member(cls, name, value):
    if isinstance(value, auto):
        last = [member._value_ for member in cls._member_map_.values()]
        value.value = cls._generate_next_value_(name, 1, len(last), last)
    value = _chosen(value)
    args = value if isinstance(value, tuple) else (value,)
    kind = cls._member_type_
    new = _own(cls, "__new__")
    if new is not None:
        member = new(cls, *args)
    elif kind is tuple:
        member = tuple.__new__(cls, value)
    elif kind is not object:
        member = kind.__new__(cls, *args)
    else:
        member = object.__new__(cls)
    if "_value_" not in vars(member):
        member._value_ = value if kind in (object, tuple) or new is not None else kind(*args)
    member._name_ = name
    member.__objclass__ = cls
    init = _own(cls, "__init__")
    if init is not None:
        init(member, *args)
    for known in cls._member_map_.values():
        if known._value_ == member._value_:
            cls._member_map_[name] = known
            return set_in_class(cls, name, known)
    member._sort_order_ = len(cls._member_names_)
    if not (Flag is not None and issubclass(cls, Flag)) or _is_single_bit(member._value_):
        cls._member_names_.append(name)
    cls._member_map_[name] = member
    cls._by_value_.append(member)
    set_in_class(cls, name, member)


def _by_value(cls, value):
    if isinstance(value, cls):
        return value
    for member in cls._by_value_:
        if member._value_ == value:
            return member
    result = cls._missing_(value)
    if isinstance(result, cls):
        return result
    invalid = ValueError(f"{value!r} is not a valid {cls.__qualname__}")
    if result is None:
        raise invalid
    error = TypeError(
        f"error in {cls.__name__}._missing_: returned {result!r} instead of None or a valid member"
    )
    error.__context__ = invalid
    raise error


def _functional(cls, class_name, names, kind, start):
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    pairs = list(names.items()) if isinstance(names, dict) else list(names)
    namespace = {}
    values = []
    for count, pair in enumerate(pairs):
        if isinstance(pair, str):
            pair = (pair, cls._generate_next_value_(pair, start, count, values))
        namespace[pair[0]] = pair[1]
        values.append(pair[1])
    return type(class_name, (cls,) if kind is None else (kind, cls), namespace)


class Enum(metaclass=EnumType):
    """A class derived from it has a member for each of its names: `class Color(Enum): RED = 1`."""

    def _generate_next_value_(name, start, count, last_values):
        numbers = [value for value in last_values if isinstance(value, int)]
        return max(numbers) + 1 if numbers else start

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, format_spec):
        return format(str(self), format_spec)

    def __dir__(self):
        return ["__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value"]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    """Its members are shown by `str` and `format` as their values are."""


class IntEnum(int, ReprEnum):
    """Members that are integers, too."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)


class StrEnum(str, ReprEnum):
    """Members that are texts, too."""

    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError("too many arguments for str(): %r" % (values,))
        if not isinstance(values[0], str):
            raise TypeError("%r is not a string" % (values[0],))
        member = str.__new__(cls, values[0])
        member._value_ = values[0]
        return member

    def __str__(self):
        return self._value_

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)


def _is_single_bit(value):
    return value > 0 and value & (value - 1) == 0


class Flag(Enum):
    """Members are bits that `|`, `&`, `^` and `~` combine."""

    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = 0
        for member in cls._by_value_:
            known |= member._value_
        if value < 0:
            value &= known
        elif value & ~known:
            if not issubclass(cls, int):
                width = max(value.bit_length(), known.bit_length())
                raise ValueError(
                    f"{cls!r} invalid value {value!r}\n"
                    f"    given {_bits(value, width)}\n"
                    f"  allowed {_bits(known, width)}"
                )
        for member in cls._by_value_:
            if member._value_ == value:
                return member
        member = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        member._value_ = value
        parts = [part._name_ for part in cls if part._value_ & value]
        rest = value & ~known
        member._name_ = "|".join(parts + [str(rest)] if rest else parts) or None
        member.__objclass__ = cls
        cls._by_value_.append(member)
        return member

    def __repr__(self):
        name = "" if self._name_ is None else "." + self._name_
        return f"<{type(self).__name__}{name}: {self._value_!r}>"

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_!r})"
        return f"{type(self).__name__}.{self._name_}"

    def __bool__(self):
        return bool(self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(
                f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}"
            )
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([part for part in type(self) if part._value_ & self._value_])

    def __len__(self):
        return bin(self._value_).count("1")

    def _other(self, other):
        if isinstance(other, type(self)):
            return other._value_
        return other if isinstance(self, int) and isinstance(other, int) else None

    def __or__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else type(self)(self._value_ | other)

    def __and__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else type(self)(self._value_ & other)

    def __xor__(self, other):
        other = self._other(other)
        return NotImplemented if other is None else type(self)(self._value_ ^ other)

    def __invert__(self):
        known = 0
        for member in type(self):
            known |= member._value_
        return type(self)(known & ~self._value_)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__


def _bits(value, width):
    return f"0b0 {value:0{width}b}"


class IntFlag(int, Flag):
    """Bits that are integers, too."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)

    __or__ = __ror__ = Flag.__or__
    __and__ = __rand__ = Flag.__and__
    __xor__ = __rxor__ = Flag.__xor__


_BASES = (Enum, ReprEnum, IntEnum, StrEnum, Flag, IntFlag)


def unique(enumeration):
    """A class decorator: two names of one value are an error."""
    pairs = enumeration.__members__.items()
    duplicates = [f"{name} -> {member.name}" for name, member in pairs if name != member.name]
    if duplicates:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(duplicates)}")
    return enumeration
