"""Functions and classes made of others."""

from collections import namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Gives a function the name, the words and the attributes of the one that it stands for."""
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            pass
        else:
            setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """A decorator: the function inside another decorator looks like the one that was decorated."""
    def decorator(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)
    return decorator


def cache(user_function, /):
    """A decorator: the function keeps the results of all calls."""
    return lru_cache(maxsize=None)(user_function)


def lru_cache(maxsize=128, typed=False):
    """A decorator: the function keeps the results of its last calls."""
    if callable(maxsize) and isinstance(typed, bool):
        return lru_cache(128, typed)(maxsize)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")

    def decorating_function(user_function):
        if not callable(user_function):
            raise TypeError("the first argument must be callable")
        return update_wrapper(_cached(user_function, maxsize, typed), user_function)
    return decorating_function


_BETWEEN = object()


def _cached(function, maxsize, typed):
    # The results by their arguments, those asked for last at the end.
    kept = {}
    # Hits and misses.
    counts = [0, 0]

    def wrapper(*args, **kwds):
        key = args
        if kwds:
            key += (_BETWEEN, *kwds.items())
        elif not typed and len(args) == 1 and type(args[0]) in (int, str):
            # As CPython has it: `1` and `1.0` are two keys alone, and one among others.
            key = args[0]
        if typed:
            key += (_BETWEEN, *map(type, args), *map(type, kwds.values()))
        result = kept.get(key, _BETWEEN)
        if result is not _BETWEEN:
            counts[0] += 1
            if maxsize is not None:
                kept[key] = kept.pop(key)
            return result
        counts[1] += 1
        result = function(*args, **kwds) if kwds else function(*args)
        if maxsize is None or maxsize > 0:
            if maxsize is not None and len(kept) >= maxsize and key not in kept:
                del kept[next(iter(kept))]
            kept[key] = result
        return result

    def cache_info():
        """Hits, misses, the limit and the number of results kept."""
        return _CacheInfo(*counts, maxsize if maxsize is None else max(maxsize, 0), len(kept))

    def cache_clear():
        """Forgets all results."""
        counts[:] = 0, 0
        kept.clear()

    if not typed:
        answer_from(wrapper, function, kept, counts, maxsize)
    wrapper.cache_info, wrapper.cache_clear = cache_info, cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapper


_CacheInfo = namedtuple("CacheInfo", "hits misses maxsize currsize")


class cached_property:
    """A property that is computed once and then is a field of the object."""

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(
                "Cannot assign the same cached_property to two different names "
                f"({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        fields = instance.__dict__
        if self.attrname not in fields:
            fields[self.attrname] = self.func(instance)
        return fields[self.attrname]


def total_ordering(cls):
    """A class decorator: of `__eq__` and one comparison it makes the others."""
    roots = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if _defines(cls, name)]
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    # CPython prefers `<`, then `<=`, `>`, `>=`.
    for name, function in _ORDERINGS[roots[0]]:
        if name not in roots:
            set_in_class(cls, name, function)
    return cls


def _defines(cls, name):
    return any(name in base.__dict__ for base in cls.__mro__ if hasattr(base, "__dict__"))


def _not(method):
    def opposite(self, other):
        result = getattr(type(self), method)(self, other)
        return result if result is NotImplemented else not result
    return opposite


def _or_equal(method):
    def either(self, other):
        result = getattr(type(self), method)(self, other)
        return result or self == other
    return either


def _and_differs(method):
    def both(self, other):
        result = getattr(type(self), method)(self, other)
        return result if result is NotImplemented else result and self != other
    return both


def _neither(method):
    def greater(self, other):
        result = getattr(type(self), method)(self, other)
        return result if result is NotImplemented else not result and self != other
    return greater


def _not_or_equal(method):
    def either(self, other):
        result = getattr(type(self), method)(self, other)
        return result if result is NotImplemented else not result or self == other
    return either


_ORDERINGS = {
    "__lt__": [("__gt__", _neither("__lt__")), ("__le__", _or_equal("__lt__")), ("__ge__", _not("__lt__"))],
    "__le__": [("__ge__", _not_or_equal("__le__")), ("__lt__", _and_differs("__le__")), ("__gt__", _not("__le__"))],
    "__gt__": [("__lt__", _neither("__gt__")), ("__ge__", _or_equal("__gt__")), ("__le__", _not("__gt__"))],
    "__ge__": [("__le__", _not_or_equal("__ge__")), ("__gt__", _and_differs("__ge__")), ("__lt__", _not("__ge__"))],
}


def singledispatch(func):
    """A decorator: `register` adds functions for types of the first argument."""
    registry = {object: func}

    def dispatch(cls):
        for base in cls.__mro__:
            if base in registry and base is not object:
                return registry[base]
        # Abstract classes that it is derived from by what it can do.
        found = [kind for kind in registry if kind is not object and issubclass(cls, kind)]
        nearest = [kind for kind in found if not any(other is not kind and issubclass(other, kind) for other in found)]
        if len(nearest) > 1:
            raise RuntimeError(f"Ambiguous dispatch: {nearest[0]!r} or {nearest[1]!r}")
        return registry[nearest[0]] if nearest else func

    def register(cls, function=None):
        kinds = [cls] if isinstance(cls, type) else getattr(cls, "__args__", None)
        if function is not None:
            if not kinds or not all(isinstance(kind, type) for kind in kinds):
                raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class or union type.")
            registry.update(dict.fromkeys(kinds, function))
            return function
        if kinds:
            return lambda function: register(cls, function)
        from typing import get_type_hints

        annotations = [of for name, of in get_type_hints(cls).items() if name != "return"]
        if not annotations:
            raise TypeError(
                f"Invalid first argument to `register()`: {cls!r}. Use either "
                "`@register(some_class)` or plain `@register` on an annotated function."
            )
        return register(annotations[0], cls)

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kw)

    update_wrapper(wrapper, func)
    wrapper.register, wrapper.dispatch, wrapper.registry = register, dispatch, registry
    return wrapper


class partialmethod:
    """A method that already has some of its arguments."""

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        if isinstance(func, partialmethod):
            func, args, keywords = func.func, func.args + args, {**func.keywords, **keywords}
        self.func, self.args, self.keywords = func, args, keywords

    def __repr__(self):
        given = [repr(self.func), *map(repr, self.args), *[f"{k}={v!r}" for k, v in self.keywords.items()]]
        return f"functools.partialmethod({', '.join(given)})"

    def __get__(self, instance, owner=None):
        def method(*args, **keywords):
            function, receiver = self.func, (instance,)
            if isinstance(function, classmethod):
                function, receiver = function.__func__, (owner,)
            elif isinstance(function, staticmethod):
                function, receiver = function.__func__, ()
            elif instance is None:
                receiver, args = args[:1], args[1:]
            return function(*receiver, *self.args, *args, **{**self.keywords, **keywords})
        return method


class singledispatchmethod:
    """A method whose function depends on the type of its first argument."""

    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher, self.func = singledispatch(func), func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def method(*args, **kwargs):
            chosen = self.dispatcher.dispatch(type(args[0]))
            if isinstance(chosen, staticmethod):
                return chosen.__func__(*args, **kwargs)
            if isinstance(chosen, classmethod):
                return chosen.__func__(owner, *args, **kwargs)
            return chosen(instance, *args, **kwargs)
        method.register = self.register
        return method
