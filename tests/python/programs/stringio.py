# io.StringIO, redirect_stdout, print(file=…) and json with files.
import io
import json
import sys
from contextlib import redirect_stdout
from io import StringIO

s = StringIO()
print("hello", 3, file=s)
print(s.write("more"), repr(s.getvalue()), s.tell(), s.seek(0), s.readline(), s.read(), repr(s.read()))
s = StringIO("a\nb\nc")
print(list(s), s.seek(2), s.read(1), s.readlines(), s.closed)
with StringIO("x,y\n1,2\n") as rows:
    print([row.strip().split(",") for row in rows])
print(rows.closed)
try:
    rows.read()
except ValueError as e:
    print(e)
s = StringIO("abcdef")
s.seek(2)
s.write("XY")
print(s.getvalue(), s.truncate(3), s.getvalue(), s.seek(0, 2))
for wrong in [lambda: s.write(3), lambda: StringIO(3), lambda: s.seek(-1), lambda: s.seek(0, 9)]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
buffer = io.StringIO()
with redirect_stdout(buffer):
    print("hidden")
    sys.stdout.write("also\n")
print("shown", repr(buffer.getvalue()))
inner = io.StringIO()
with redirect_stdout(buffer):
    with redirect_stdout(inner):
        print("inner")
    print("outer")
print(repr(inner.getvalue()), repr(buffer.getvalue()))
try:
    with redirect_stdout(StringIO()) as quiet:
        print("lost")
        raise KeyError("x")
except KeyError as e:
    print("after", e, repr(quiet.getvalue()))


class Shout:
    def write(self, text):
        sys.stderr.flush()
        parts.append(text.upper())


parts = []
print("loud", "words", sep="-", file=Shout())
print(parts)
try:
    print("x", file=3)
except AttributeError as e:
    print(e)
out = StringIO()
json.dump({"a": [1, 2.5, None, True], "b": "é"}, out)
print(out.getvalue())
out.seek(0)
print(json.load(out))


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Point):
            return {"x": o.x, "y": o.y}
        return super().default(o)


print(json.dumps({"p": Point(1, 2)}, cls=Encoder), Encoder().encode([Point(0, 1)]))
print(json.dumps([Point(1, 2)], default=lambda o: vars(o), indent=2, sort_keys=True))
print(json.dumps({"b": 1, "a": [1, {"c": ()}]}, indent=1, separators=(",", ":")), json.dumps("é", ensure_ascii=False))
for wrong in [lambda: json.dumps(Point(1, 2)), lambda: json.dumps({1, 2}, cls=Encoder), lambda: json.loads("[1,"), lambda: json.loads("")]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
print(json.loads('{"a": 1, "b": [2]}', object_hook=lambda d: sorted(d)), json.loads("[1.5]", parse_float=str))
from collections import namedtuple
from enum import IntEnum
P = namedtuple("P", "x y")
L = IntEnum("L", "A B")
print(json.dumps([P(1, 2), L.A, {"k": L.B}]))
