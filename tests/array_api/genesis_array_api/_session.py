"""A session of genesis-repl behind `--json`, and what goes to it and comes from it.

Nothing is computed here: values of the session stay there under numbers, calls become text, and what is asked for
comes back as JSON.
"""

import atexit
import builtins
import cmath
import json
import os
import subprocess
import threading
from pathlib import Path

import numpy

# What the session says of a value: plain ones as they are, tensors and other objects by number.
_TELL = '''
import json as _json
import numpy as np
import genesis
np.set_default_dtype(np.float64)
_kept = {}
_count = [0]
def _keep(v):
    _count[0] += 1
    _kept[_count[0]] = v
    return _count[0]
def _told(v):
    if v is None or v is NotImplemented: return {"plain": None}
    kind = type(v).__name__
    if isinstance(v, np.ndarray): return {"array": _keep(v), "shape": list(v.shape), "dtype": str(v.dtype)}
    if kind in ("bool", "int", "str"): return {"plain": v}
    if kind == "float": return {"float": repr(v)}
    if kind == "complex": return {"complex": [repr(v.real), repr(v.imag)]}
    if kind == "dtype": return {"dtype": str(v)}
    if isinstance(v, dict): return {"dict": [[k, _told(i)] for k, i in v.items()]}
    if isinstance(v, tuple): return {"tuple": [_told(i) for i in v], "class": kind, "fields": list(getattr(v, "_fields", []))}
    if isinstance(v, list): return {"list": [_told(i) for i in v]}
    if kind in ("iinfo", "finfo"): return {"object": [[k, _told(getattr(v, k))] for k in ("bits", "max", "min", "dtype") + (("eps", "smallest_normal") if kind == "finfo" else ())]}
    return {"other": _keep(v), "text": repr(v)}
def _tell(v): print(_json.dumps(_told(v)))
'''


def _binary():
    root = Path(__file__).resolve().parents[3]
    return os.environ.get("GENESIS_BINARY", str(root / "target" / "debug" / "genesis-repl"))


class Session:
    def __init__(self):
        device = os.environ.get("GENESIS_DEVICE", "cpu")
        self.process = subprocess.Popen(
            [_binary(), "--json", "--no-history", "--device", device],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.lock = threading.RLock()
        self.gone = []
        self.run(_TELL)

    def run(self, code):
        with self.lock:
            gone, self.gone = self.gone, []
            if gone:
                code = f"for _n in {gone}: _kept.pop(_n, None)\n{code}"
            self.process.stdin.write(json.dumps({"code": code}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if not line:
            builtins.exit(f"genesis-repl ended at: {code}")
        answer = json.loads(line)
        if not answer["ok"]:
            error = answer["error"]
            kind = getattr(builtins, error["kind"], None) or getattr(numpy.linalg, error["kind"], None)
            if error["kind"] == "AxisError":
                kind = numpy.exceptions.AxisError
            if not (isinstance(kind, type) and issubclass(kind, BaseException)):
                kind = RuntimeError
            raise kind(f"{error['message']} in {code.splitlines()[-1]}")
        return answer["stdout"]

    def ask(self, expression):
        return decoded(json.loads(self.run(f"_tell({expression})")))


_session = []


def session():
    if not _session:
        _session.append(Session())
        atexit.register(_session[0].process.kill)
    return _session[0]


class DType:
    """A type of elements, by its name."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, DType) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"genesis_array_api.{self.name}"


class Kept:
    """A value that stays in the session."""

    def __init__(self, number):
        self._number = number

    def __del__(self):
        if _session:
            _session[0].gone.append(self._number)

    @property
    def _text(self):
        return f"_kept[{self._number}]"


class Other(Kept):
    """An object that is no array: what it has is asked of the session."""

    def __init__(self, number, text):
        super().__init__(number)
        self._repr = text

    def __repr__(self):
        return self._repr

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = session().ask(f"{self._text}.{name}")
        if isinstance(value, Other):
            return lambda *args, **kwargs: called(f"{self._text}.{name}", args, kwargs)
        return value


class Info:
    """The attributes of `iinfo` and `finfo`."""

    def __init__(self, items):
        self.__dict__.update(items)


def decoded(told):
    from ._array import Array

    if "plain" in told:
        return told["plain"]
    if "float" in told:
        return float(told["float"])
    if "complex" in told:
        return complex(*map(float, told["complex"]))
    if "array" in told:
        return Array(told["array"], tuple(told["shape"]), DType(told["dtype"]))
    if "dtype" in told:
        return DType(told["dtype"])
    if "dict" in told:
        items = {key: decoded(item) for key, item in told["dict"]}
        return Info(items) if "bits" in items else items
    if "object" in told:
        return Info({key: decoded(item) for key, item in told["object"]})
    if "list" in told:
        return [decoded(item) for item in told["list"]]
    if "tuple" in told:
        items = tuple(decoded(item) for item in told["tuple"])
        if not told["fields"]:
            return items
        from collections import namedtuple

        return namedtuple(told["class"], told["fields"])(*items)
    return Other(told["other"], told["text"])


def encoded(value):
    """The text of a value."""
    if isinstance(value, Kept):
        return value._text
    if isinstance(value, DType):
        return f"np.{value.name}"
    if value is Ellipsis:
        return "..."
    if isinstance(value, slice):
        return f"slice({encoded(value.start)}, {encoded(value.stop)}, {encoded(value.step)})"
    if isinstance(value, tuple):
        return "(" + "".join(f"{encoded(item)}, " for item in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(encoded, value)) + "]"
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, int):
        return f"({int(value)})"
    if isinstance(value, complex):
        return f"complex({encoded(value.real)}, {encoded(value.imag)})"
    if isinstance(value, float):
        return f"({value!r})" if cmath.isfinite(value) else f"float('{float(value)}')"
    if isinstance(value, str):
        return repr(value)
    if hasattr(value, "__index__"):
        return f"({value.__index__()})"
    raise TypeError(f"{type(value).__name__} is nothing that goes to a session")


def called(name, args, kwargs):
    words = [encoded(value) for value in args] + [f"{key}={encoded(value)}" for key, value in kwargs.items()]
    return session().ask(f"{name}({', '.join(words)})")
