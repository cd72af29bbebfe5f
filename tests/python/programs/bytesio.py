# io.BytesIO, and JSON by decoders and of bytes.
import io
import json
from io import BytesIO
from json.decoder import JSONDecodeError

b = BytesIO(b"abc\ndef\n")
print(b.read(2), b.readline(), b.tell(), b.read(), b.read(), b.seek(0), list(b), b.getvalue())
print(b.seek(-3, 2), b.read(), b.seek(2), b.seek(1, 1), b.read(1), b.seek(-100, 1), b.readlines(), b.seek(0), b.readlines(3))
print(b.seek(12), b.write(b"xyz"), b.getvalue(), b.tell(), b.truncate(5), b.getvalue(), b.seek(1), b.write(b"_"), b.getvalue(), b.writelines([b"1", b"2"]), b.getvalue())
with io.BytesIO() as out:
    for n in range(4):
        out.write(bytes([n]) * n)
    print(out.getvalue(), out.readable(), out.writable(), out.seekable(), out.isatty(), out.closed)
print(out.closed)
for wrong in [lambda: out.read(), lambda: out.getvalue(), lambda: out.seek(0), lambda: next(out), lambda: BytesIO("a"), lambda: BytesIO(5), lambda: b.write("x"), lambda: b.seek(-1), lambda: b.seek(0, 5), lambda: b.truncate(-1), lambda: b.read(2.0), lambda: b.fileno()]:
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)

print(json.loads(b'{"a": [1, 2.5, null]}'), json.loads(b'\xef\xbb\xbf"x"'), json.JSONDecodeError is JSONDecodeError)
decoder = json.JSONDecoder()
print(decoder.decode("  [1, 2] "), decoder.raw_decode('{"é": 1} rest'), decoder.raw_decode("xx[1]", 2))
print(json.JSONDecoder(object_hook=lambda d: sorted(d), parse_float=str, parse_int=lambda n: int(n) + 1, parse_constant=lambda c: c).decode('{"b": 1, "a": [2.50, NaN]}'))
print(json.JSONDecoder(parse_float=str, parse_int=lambda n: int(n) + 1, parse_constant=lambda c: c).decode('{"b": 1, "a": [2.50, NaN]}'), json.JSONDecoder(object_pairs_hook=tuple).decode('{"b": 1, "a": 2}'))
print(json.loads('"a\tb"', strict=False), json.JSONDecoder(strict=False).decode('"a\nb"'))


class Upper(json.JSONDecoder):
    def decode(self, s):
        return super().decode(s.upper())


print(json.loads('["a", {"b": 1}]', cls=Upper), json.loads("[1.5]", cls=json.JSONDecoder, parse_float=str))
for wrong in [lambda: decoder.decode("[1] x"), lambda: decoder.decode(""), lambda: decoder.raw_decode(" 1"), lambda: decoder.decode('{"a" 1}'), lambda: json.loads('"a\tb"'), lambda: json.loads(5), lambda: json.loads("1", nothing=2), lambda: json.JSONDecoder(nothing=1)]:
    try:
        print(wrong())
    except JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno)
    except Exception as e:
        print(type(e).__name__, e)
