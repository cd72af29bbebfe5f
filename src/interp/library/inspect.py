"""What functions and classes say about themselves."""

from enum import IntEnum
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType


class _Empty:
    """Stands where there is nothing."""


class _ParameterKind(IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self.name


class Parameter:
    """A parameter: its name, its kind, its default and what it is annotated with."""

    empty = _Empty
    POSITIONAL_ONLY = _ParameterKind.POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _ParameterKind.POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _ParameterKind.VAR_POSITIONAL
    KEYWORD_ONLY = _ParameterKind.KEYWORD_ONLY
    VAR_KEYWORD = _ParameterKind.VAR_KEYWORD

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name, self.kind, self.default, self.annotation = name, _ParameterKind(kind), default, annotation

    def __str__(self):
        stars = {2: "*", 4: "**"}.get(int(self.kind), "")
        text = stars + self.name
        if self.annotation is not _Empty:
            text += f": {_written(self.annotation)}"
        if self.default is _Empty:
            return text
        return text + (f" = {self.default!r}" if self.annotation is not _Empty else f"={self.default!r}")

    def __repr__(self):
        return f'<Parameter "{self}">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return vars(self) == vars(other)


def _written(annotation):
    return annotation.__name__ if isinstance(annotation, type) else repr(annotation)


class Signature:
    """The parameters of a function, and what its result is annotated with."""

    empty = _Empty

    def __init__(self, parameters=None, *, return_annotation=_Empty):
        self.parameters = {parameter.name: parameter for parameter in parameters or ()}
        self.return_annotation = return_annotation

    def __str__(self):
        parts, before = [], None
        for parameter in self.parameters.values():
            kind = int(parameter.kind)
            if before == 0 and kind != 0:
                parts.append("/")
            if kind == 3 and before not in (2, 3):
                parts.append("*")
            parts.append(str(parameter))
            before = kind
        if before == 0:
            parts.append("/")
        result = "" if self.return_annotation is _Empty else f" -> {_written(self.return_annotation)}"
        return f"({', '.join(parts)}){result}"

    def __repr__(self):
        return f"<Signature {self}>"

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return str(self) == str(other)


def signature(obj):
    """The signature of a function, of a method without `self`, or of a class's `__init__`."""
    if isinstance(obj, type):
        return _of_class(obj)
    is_method = isinstance(obj, MethodType)
    function = unwrap(obj.__func__ if is_method else obj)
    found = parameters_of(function)
    if found is None:
        if not callable(obj):
            raise TypeError(f"{obj!r} is not a callable object")
        call = getattr(type(obj), "__call__", None)
        if not isinstance(call, FunctionType):
            raise ValueError(f"no signature found for builtin {obj!r}")
        found, is_method = parameters_of(call), True
    parameters = [
        Parameter(name, kind, default=default[0] if default else _Empty,
                  annotation=annotation[0] if annotation else _Empty)
        for name, kind, default, annotation in found if name != "return"
    ]
    result = [annotation[0] for name, kind, default, annotation in found if name == "return"]
    return Signature(parameters[is_method:], return_annotation=result[0] if result else _Empty)


def _of_class(cls):
    init = getattr(cls, "__init__", None)
    if not isinstance(init, FunctionType):
        return Signature()
    whole = signature(init)
    return Signature(list(whole.parameters.values())[1:])


def unwrap(func, *, stop=None):
    """The function behind its decorators."""
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = func.__wrapped__
    return func


def isfunction(object):
    """Whether it is a function of the program."""
    return isinstance(object, FunctionType)


def isbuiltin(object):
    """Whether it is a built-in function."""
    return isinstance(object, BuiltinFunctionType)


def ismethod(object):
    """Whether it is a function of the program with its receiver."""
    return isinstance(object, MethodType) and hasattr(object, "__func__")


def isroutine(object):
    """Whether it is a function of any kind."""
    return isbuiltin(object) or isfunction(object) or isinstance(object, MethodType)


def isclass(object):
    """Whether it is a class."""
    return isinstance(object, type)


def ismodule(object):
    """Whether it is a module."""
    return type(object).__name__ == "module"


def isgenerator(object):
    """Whether it is a generator."""
    return isinstance(object, GeneratorType)


def isgeneratorfunction(obj):
    """Whether calling it gives a generator."""
    return is_generator_function(obj.__func__ if ismethod(obj) else obj)


def isabstract(object):
    """Whether it is a class that leaves methods to those derived from it."""
    return isclass(object) and bool(getattr(object, "__abstractmethods__", ()))


def cleandoc(doc):
    """A docstring without the blanks that its lines have in the program's text."""
    lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins) if margins else 0
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    """The docstring, without the blanks that its lines have in the program's text."""
    doc = getattr(object, "__doc__", None)
    return cleandoc(doc) if isinstance(doc, str) else None


def getsource(object):
    """The text that defines a function or a class."""
    text = source_of(unwrap(object))
    if text is None:
        raise TypeError(
            f"module, class, method, function, traceback, frame, or code object was expected, got {type(object).__name__}"
            if not callable(object) else f"{object!r} is built in"
        )
    return text if text.endswith("\n") else text + "\n"


def getmembers(object, predicate=None):
    """The names of an object with their values, in order."""
    pairs = [(name, getattr(object, name)) for name in dir(object) if hasattr(object, name)]
    return sorted((pair for pair in pairs if predicate is None or predicate(pair[1])), key=lambda pair: pair[0])
