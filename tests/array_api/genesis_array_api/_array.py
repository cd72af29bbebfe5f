"""The array object: a number of a value in the session."""

from ._session import DType, Kept, called, encoded, session

_UNARY = "abs invert neg pos"
_BINARY = "add and eq floordiv ge gt le lshift lt matmul mod mul ne or pow rshift sub truediv xor"
_SIGNS = {
    "add": "+", "and": "&", "eq": "==", "floordiv": "//", "ge": ">=", "gt": ">", "le": "<=", "lshift": "<<", "lt": "<",
    "matmul": "@", "mod": "%", "mul": "*", "ne": "!=", "or": "|", "pow": "**", "rshift": ">>", "sub": "-",
    "truediv": "/", "xor": "^", "invert": "~", "neg": "-", "pos": "+",
}
_TAKEN = (bool, int, float, complex, Kept)


class Array(Kept):
    def __init__(self, number, shape, dtype):
        super().__init__(number)
        self._shape, self._dtype = shape, dtype

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    ndim = property(lambda self: session().ask(f"{self._text}.ndim"))
    size = property(lambda self: session().ask(f"{self._text}.size"))
    device = property(lambda self: session().ask(f"str({self._text}.device)"))
    T = property(lambda self: session().ask(f"{self._text}.T"))
    mT = property(lambda self: session().ask(f"{self._text}.mT"))
    real = property(lambda self: session().ask(f"{self._text}.real"))
    imag = property(lambda self: session().ask(f"{self._text}.imag"))

    def __bool__(self):
        return session().ask(f"bool({self._text})")

    def __int__(self):
        return session().ask(f"int({self._text})")

    def __float__(self):
        return session().ask(f"float({self._text})")

    def __complex__(self):
        return session().ask(f"complex({self._text})")

    def __index__(self):
        return len(range(session().ask(f"range({self._text}).stop"))) if False else session().ask(f"{self._text}.__index__()")

    def __repr__(self):
        return session().ask(f"repr({self._text})")

    def __len__(self):
        return session().ask(f"len({self._text})")

    def __iter__(self):
        return iter([self[at] for at in range(len(self))])

    def __getitem__(self, key):
        return session().ask(f"{self._text}[{encoded(key)}]")

    def __setitem__(self, key, value):
        session().run(f"{self._text}[{encoded(key)}] = {encoded(value)}")

    def __abs__(self):
        return session().ask(f"abs({self._text})")

    def __array_namespace__(self, /, *, api_version=None):
        import sys

        session().ask(f"{self._text}.__array_namespace__(api_version={encoded(api_version)}).__name__")
        return sys.modules["genesis_array_api"]

    def __dlpack__(self, /, **kwargs):
        return called(f"{self._text}.__dlpack__", (), kwargs)

    def __dlpack_device__(self, /):
        kind, number = session().ask(f"{self._text}.__dlpack_device__()")
        return kind, number

    def to_device(self, device, /, *, stream=None):
        return called(f"{self._text}.to_device", (device,), {"stream": stream} if stream is not None else {})

    __hash__ = None


def _operator(name):
    sign = _SIGNS[name]

    def forward(self, other, /):
        if not isinstance(other, _TAKEN):
            return NotImplemented
        return session().ask(f"{self._text} {sign} {encoded(other)}")

    def reflected(self, other, /):
        if not isinstance(other, _TAKEN):
            return NotImplemented
        return session().ask(f"{encoded(other)} {sign} {self._text}")

    def inplace(self, other, /):
        if not isinstance(other, _TAKEN):
            return NotImplemented
        session().run(f"{self._text} {sign}= {encoded(other)}")
        return self

    return forward, reflected, inplace


for _name in _BINARY.split():
    _forward, _reflected, _inplace = _operator(_name)
    _forms = {f"__{_name}__": _forward}
    if _name not in ("eq", "ne", "lt", "le", "gt", "ge"):
        _forms |= {f"__r{_name}__": _reflected, f"__i{_name}__": _inplace}
    for _key, _function in _forms.items():
        _function.__name__ = _function.__qualname__ = _key
        setattr(Array, _key, _function)
for _name in ("invert", "neg", "pos"):
    def _unary(self, _sign=_SIGNS[_name]):
        return session().ask(f"{_sign}{self._text}")
    setattr(Array, f"__{_name}__", _unary)
