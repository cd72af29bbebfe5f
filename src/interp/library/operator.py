"""What calls, and how long something will be."""


def call(obj, /, *args, **kwargs):
    """`obj(*args, **kwargs)`"""
    return obj(*args, **kwargs)


def length_hint(obj, default=0, /):
    """The length, or what `__length_hint__` thinks that it will be, or else `default`."""
    if not isinstance(default, int):
        raise TypeError(f"'{type(default).__name__}' object cannot be interpreted as an integer")
    try:
        return len(obj)
    except TypeError:
        pass
    hint = getattr(type(obj), "__length_hint__", None)
    if hint is None:
        return default
    try:
        found = hint(obj)
    except TypeError:
        return default
    if found is NotImplemented:
        return default
    if not isinstance(found, int):
        raise TypeError(f"__length_hint__ must be an integer, not {type(found).__name__}")
    if found < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return int(found)
