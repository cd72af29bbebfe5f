# Bytes: literals, what they are made of, methods, and how they meet other values.
def t(f):
    try:
        print(repr(f()))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


b = b"It's \x00\xff\n\\ caf\303\251"
print(b, str(b), [b], {b: 1}[b], len(b), bool(b""), b"a" b'b' br"\n" rb"\x" Rb'c' B"d")
print(b'\'"', b"'", b'"', b"""a
b""", b"\u1234\N{dash}\q".hex(), b"\777\0", type(b) is bytes, isinstance(b, bytes), isinstance("", bytes))
print(f"{b[:2]} {b[:2]!r:>8}", "%s %r" % (b[:1], b[:1]), "{}".format(b[-2:]), ascii(b[-2:]))
print(list(b"abc"), [x + 1 for x in b"ab"], tuple(reversed(b"ab")), sorted(b"ba"), sum(b"ab"), max(b"ab"), set(b"aa"))
first, *rest = b"abc"
print(first, rest, dict(enumerate(b"ab")), list(zip(b"ab", b"cd")), b"a" == b"a", b"a" == "a", b"a" != 97, b"ab" is None)
print(hash(b"ab") == hash(bytes([97, 98])), {b"a", bytes([97])}, {(b"a", 1): 2}[b"a", 1], b"a" in [b"a"], "a" in [b"a"])
print([x for x in [b"b", b"a", b"", b"ab"] if x], sorted([b"b", b"a", b"", b"ab"]), max(b"a", b"b"), b"a" < b"ab" <= b"ab" > b"")
for f in [
    lambda: b"abc"[0], lambda: b"abc"[-1], lambda: b"abc"[3], lambda: b""[0], lambda: b"abc"["a"], lambda: b"abc"[1.0], lambda: b"abc"[None],
    lambda: b"abc"[1:], lambda: b"abc"[::-1], lambda: b"abc"[::2], lambda: b"abc"[5:], lambda: b"abc"[::0], lambda: b"abc"[True],
    lambda: b"a" + b"b", lambda: b"a" + "b", lambda: "a" + b"b", lambda: b"a" + 1, lambda: [1] + b"a", lambda: b"ab" * 2, lambda: 2 * b"ab",
    lambda: b"ab" * 0, lambda: b"ab" * -1, lambda: b"ab" * True, lambda: b"ab" * 1.5, lambda: b"" * 9, lambda: b"a" - b"b", lambda: b"a" < "a",
    lambda: b"a" | b"b", lambda: -b"a", lambda: b"b" in b"abc", lambda: b"" in b"", lambda: 98 in b"abc", lambda: 300 in b"a", lambda: "a" in b"a",
    lambda: None in b"a", lambda: b"ac" in b"abc", lambda: setattr(b"a", "x", 1) or 1, lambda: b"a".nothing,
    lambda: bytes(), lambda: bytes(3), lambda: bytes(-1), lambda: bytes([1, 255]), lambda: bytes([256]), lambda: bytes([-1]), lambda: bytes(["a"]),
    lambda: bytes("a"), lambda: bytes("é", "utf-8"), lambda: bytes("é", encoding="latin-1"), lambda: bytes("é", "ascii"), lambda: bytes(1.5),
    lambda: bytes(None), lambda: bytes(b"ab"), lambda: bytes(range(3)), lambda: bytes(x for x in (1, 2)), lambda: bytes(encoding="utf-8"),
    lambda: bytes(b"a", "utf-8"), lambda: bytes(True), lambda: bytes({1: 2}), lambda: bytes([1.5]),
    lambda: "héé".encode(), lambda: "hé".encode("latin1"), lambda: "hé".encode("ascii"), lambda: "héé".encode("ascii"), lambda: "é".encode("ascii", "ignore"),
    lambda: "é".encode("ascii", errors="replace"), lambda: "a".encode("nope"), lambda: b"h\xc3\xa9".decode(), lambda: b"\xff".decode(),
    lambda: b"\xff".decode("latin-1"), lambda: b"a\xffb".decode(errors="replace"), lambda: b"a\xffb".decode("utf-8", "ignore"), lambda: b"\x80".decode("ascii"),
    lambda: b"\xe2\x82".decode(), lambda: str(b"ab", "utf-8"), lambda: str(b"\xff", errors="ignore"), lambda: str("a", "utf-8"), lambda: str(1, "utf-8"),
    lambda: b"\x00\xff".hex(), lambda: b"abcde".hex(":"), lambda: b"abcde".hex("-", 2), lambda: b"abcde".hex("-", -2), lambda: b"ab".hex(b" "),
    lambda: b"ab".hex("::"), lambda: b"ab".hex("é"), lambda: bytes.fromhex("00 fF"), lambda: bytes.fromhex("0"), lambda: bytes.fromhex("0g"),
    lambda: bytes.fromhex(" 1 2"), lambda: bytes.fromhex(3), lambda: bytes.fromhex(""),
    lambda: b"abcabc".find(b"c"), lambda: b"abcabc".rfind(b"c"), lambda: b"abc".find(99), lambda: b"abc".find(b"x"), lambda: b"abc".index(b"x"),
    lambda: b"abc".rindex(300), lambda: b"abc".find("a"), lambda: b"aaa".count(b"a", 1), lambda: b"aaa".count(97, -2, -1), lambda: b"abc".count(b""),
    lambda: b"abc".startswith(b"ab"), lambda: b"abc".startswith((b"x", b"a")), lambda: b"abc".startswith("a"), lambda: b"abc".endswith(b"c", 1, 2),
    lambda: b"abc".startswith(("a",)), lambda: b"a,b,,c".split(b","), lambda: b" a  b\t\x1c".split(), lambda: b"a b c".split(None, 1),
    lambda: b"a,b,c".rsplit(b",", 1), lambda: b"abc".split(b""), lambda: b"abc".split("b"), lambda: b"a b".split(maxsplit=0), lambda: b"a-b".split(sep=b"-"),
    lambda: b"\xa0\x85 x \x1f".strip(), lambda: b"xxaxx".strip(b"x"), lambda: b"ab".lstrip(b"ba"), lambda: b"abc ".rstrip(), lambda: b"a".strip("a"),
    lambda: b"abc".replace(b"b", b""), lambda: b"aaa".replace(b"a", b"xy", 2), lambda: b"ab".replace(b"", b"-"), lambda: b"ab".replace("a", b"b"),
    lambda: b"a=b=c".partition(b"="), lambda: b"a=b=c".rpartition(b"="), lambda: b"ab".partition(b"x"), lambda: b"ab".partition(b""),
    lambda: b"abc".removeprefix(b"ab"), lambda: b"abc".removesuffix(b"x"), lambda: b",".join([b"a", b"b"]), lambda: b",".join(["a"]), lambda: b"-".join(b""),
    lambda: b"".join(3), lambda: b"aB\xe9 c".upper(), lambda: b"AB\xc9".lower(), lambda: b"ab cd".title(), lambda: b"aB".swapcase(), lambda: b"ABC".capitalize(),
    lambda: (b"ab".isalpha(), b"\xe9".isalpha(), b"12".isdigit(), b"".isdigit(), b"a1".isalnum(), b" \x0b\x1c".isspace(), b" \x0b".isspace(), b"\x80".isascii()),
    lambda: (b"A1".isupper(), b"a\xc9".islower(), b"Ab Cd".istitle()), lambda: b"-4".zfill(5), lambda: b"a".center(4, b"*"), lambda: b"a".ljust(3),
    lambda: b"a".rjust(3, b"ab"), lambda: b"a".rjust(3, "a"), lambda: b"a\tb".expandtabs(4), lambda: b"a\nb\r\nc\x0bd".splitlines(), lambda: b"a\n\n".splitlines(True),
    lambda: (1024).to_bytes(2, "big"), lambda: (1024).to_bytes(4, "little"), lambda: (-2).to_bytes(2, "big", signed=True), lambda: (-1).to_bytes(1, "big"),
    lambda: (256).to_bytes(1, "big"), lambda: (128).to_bytes(1, "big", signed=True), lambda: (255).to_bytes(), lambda: (1).to_bytes(2, "middle"),
    lambda: (18446744073709551615).to_bytes(8, "big"), lambda: (-(2**63)).to_bytes(8, "little", signed=True), lambda: (0).to_bytes(0, "big"), lambda: (1).to_bytes(-1, "big"),
    lambda: True.to_bytes(1, "big"), lambda: int.from_bytes(b"\x04\x00", "big"), lambda: int.from_bytes(b"\xfe\xff", "little", signed=True),
    lambda: int.from_bytes(b"", "big"), lambda: int.from_bytes([1, 0], "big"), lambda: int.from_bytes(b"\xff" * 8), lambda: int.from_bytes("a", "big"),
    lambda: int.from_bytes(3, "big"), lambda: int.from_bytes(b"\x00" * 20 + b"\x01", "big"), lambda: int(b"12"), lambda: float(b" 1.5 "), lambda: int(b"ff", 16), lambda: b"%d" is None,
    lambda: [1, 2][b"a"], lambda: {}[b"a"], lambda: hash([b"a"]), lambda: iter(b"a").__next__(), lambda: type(iter(b"a")).__name__,
    lambda: b"ab".__len__(), lambda: b"ab".__getitem__(0), lambda: b"ab".__eq__(b"ab"), lambda: b"ab".__contains__(97), lambda: b"a".__add__(b"b"),
]:
    t(f)


class Own:
    def __bytes__(self):
        return b"own"


class Wrong:
    def __bytes__(self):
        return "text"


class Index:
    def __index__(self):
        return 2


t(lambda: bytes(Own()))
t(lambda: bytes(Wrong()))
t(lambda: bytes(Index()))
t(lambda: bytes([Index()]))
t(lambda: b"abc"[Index()])
a = b"ab"
c = a
c += b"c"
print(a, c)
try:
    a[0] = 1
except TypeError as error:
    print(error)
try:
    del a[0]
except TypeError as error:
    print(error)


def named(x, /, key=b"k"):
    "What it is."
    return x + key


print(named(b"x"), named.__defaults__, b"" or b"empty", b"x" and b"y", not b"")
