"""What annotations mean that are texts."""

import typing
def f(a: "int", b: "list[int]" = None) -> "str": pass
print(typing.get_type_hints(f))
class A:
    x: "int"
    y: float
    z: "A"
print(typing.get_type_hints(A))
def g(a: "Missing"): pass
try: typing.get_type_hints(g)
except NameError as e: print(e)
print(typing.get_type_hints(g, {"Missing": 3}))
def h(a: None, b: "None"): pass
print(typing.get_type_hints(h))
