"""The namespace of the Array API standard that genesis-repl gives, for tests that are written in Python.

`GENESIS_BINARY` says which binary, `GENESIS_DEVICE` which device. What it holds is asked of the session.
"""

import inspect as _inspect
import re as _re
import sys as _sys
import types as _types

from ._array import Array
from ._session import DType, Other as _Other, called as _called, session as _session

_TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)


def _function(path):
    """A function of the session under its signature there, which calls it."""

    def call(*args, **kwargs):
        return _called(path, args, kwargs)

    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    text = _session().ask(f"_signature_of({path})")
    try:
        scope = {}
        exec(f"def made{text}: pass", {"inf": float("inf")}, scope)
        call.__signature__ = _inspect.signature(scope["made"])
    except SyntaxError:
        pass
    return call


_session().run('''
import inspect as _inspect
def _signature_of(f):
    try: return str(_inspect.signature(f))
    except (TypeError, ValueError): return "(*args, **kwargs)"
''')


def _filled(module, path):
    for name in _session().ask(f"[n for n in dir({path}) if not n.startswith('_')]"):
        text = f"{path}.{name}"
        kind = _session().ask(f"type({text}).__name__")
        if name in _TYPES:
            module.__dict__[name] = DType(name)
        elif kind == "module":
            continue
        elif kind in ("float", "int", "NoneType"):
            module.__dict__[name] = _session().ask(text)
        else:
            module.__dict__[name] = _Lazy(text)


class _Lazy:
    """A function that is asked for when it is first used."""

    def __init__(self, path):
        self.path, self.made = path, None

    def get(self):
        self.made = self.made or _function(self.path)
        return self.made


class _Namespace(_types.ModuleType):
    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        return value.get() if isinstance(value, _Lazy) else value


def __array_namespace_info__():
    return _called("np.__array_namespace_info__", (), {})


__array_api_version__ = _session().ask("np.__array_api_version__")
_sys.modules[__name__].__class__ = _Namespace
_filled(_sys.modules[__name__], "np")
for _name in ("linalg", "fft"):
    _module = _Namespace(f"{__name__}.{_name}")
    _filled(_module, f"np.{_name}")
    _sys.modules[_module.__name__] = globals()[_name] = _module
