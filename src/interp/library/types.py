"""The types of functions and their kin, and objects that are nothing but attributes."""

import typing as _typing


def _generator():
    yield


class _Object:
    def method(self):
        pass


FunctionType = LambdaType = type(_generator)
GeneratorType = type(_generator())
BuiltinFunctionType = BuiltinMethodType = type(len)
MethodType = type(_Object().method)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)


UnionType = _typing.Union
GenericAlias = type(list[int])
CodeType = type(_generator.__code__)


class SimpleNamespace:
    """An object with the given attributes."""

    __spoken_name__ = "types.SimpleNamespace"

    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__


class mappingproxy:
    """A dictionary that can be read and not changed."""

    def __init__(self, mapping, /):
        if not hasattr(mapping, "keys"):
            raise TypeError(f"mappingproxy() argument must be a mapping, not {type(mapping).__name__}")
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __contains__(self, key):
        return key in self._mapping

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, mappingproxy) else other)

    def __or__(self, other):
        return self._mapping | (other._mapping if isinstance(other, mappingproxy) else other)

    def __str__(self):
        return str(self._mapping)

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"

    def get(self, key, default=None, /):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()


MappingProxyType = mappingproxy
