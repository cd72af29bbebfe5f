# Bytes by `%` and by tables, classes derived from them, and what `%` of texts takes names from.
from collections import ChainMap, Counter, OrderedDict, defaultdict, namedtuple


def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)


class Written:
    def __bytes__(self):
        return b"<w>"

    def __repr__(self):
        return "Writtén"


class Wrong:
    def __bytes__(self):
        return "text"

    def __repr__(self):
        return "Wrong()"


class Numbered:
    def __index__(self):
        return 7

    def __float__(self):
        return 2.5

    def __repr__(self):
        return "Numbered()"


values = [
    (5, b"x"), b"abc", b"\xff\x00", Written(), Wrong(), "text", 3, 65, 300, -1, 2.75, None, True, b"", [1], (),
    {b"a": 1, b"b c": b"\x80"}, {"a": 1}, Numbered(), float("nan"), (b"%d", 3), (b"x",) * 3,
]
for template in [b"%s", b"%b", b"%d", b"%c", b"%r", b"%a", b"%x", b"%5.1f", b"%%", b"%-5s|", b"%.1s", b"%(a)s", b"%(b c)b",
                 b"%(x)d", b"%", b"%y", b"%d %s", b"\xfe%s\x1c", b"no field", b"%(a", b"%(a(b))s", b"%ld",
                 b"%05d", b"%+d", b"%#x"]:
    for value in values:
        print(template, end=" ")
        show(lambda: template % value)

show(lambda: b"%*d|%-*d|" % (5, 3, 4, 2))
show(lambda: b"%d" % 5 + b"%s" % b"\xe9")
show(lambda: b"a%s".__mod__(b"b"))
show(lambda: 5 % b"a")

table = bytes.maketrans(b"abc", b"xyz")
show(lambda: (len(table), table[96:101]))
show(lambda: b"aabbcc dd".translate(table))
show(lambda: b"aabbcc dd".translate(table, b"b "))
show(lambda: b"aabbcc dd".translate(None, delete=b"a"))
show(lambda: b"aabbcc dd".translate(None))
show(lambda: b"ab".translate(b"x" * 255))
show(lambda: b"ab".translate("x" * 256))
show(lambda: b"ab".translate(None, "a"))
show(lambda: bytes.maketrans(b"ab", b"x"))
show(lambda: bytes.maketrans("ab", b"xy"))
show(lambda: bytes(range(256)).translate(bytes(range(255, -1, -1)))[:4])
show(lambda: b"".translate(table, b"abc"))


class Tagged(bytes):
    """Bytes with a name."""

    def __new__(cls, value, tag="t"):
        made = super().__new__(cls, value)
        made.tag = tag
        return made

    def shout(self):
        return self.upper() + b"!"


t = Tagged(b"abc", "name")
print(t, t.tag, t.shout(), len(t), t[0], t[1:], t == b"abc", b"abc" == t, hash(t) == hash(b"abc"), {b"abc": 1}[t])
print(isinstance(t, bytes), type(t).__name__, issubclass(Tagged, bytes), Tagged.__mro__, b"b" in t, 98 in t, list(t))
print(t + b"d", b"d" + t, t * 2, t < b"abd", b"-".join([t, t]), t.decode(), t.hex(), t.split(b"b"), bytes(t), type(bytes(t)))
print(t.replace(b"a", t), t.find(t), t.startswith(t), b"%s|%d" % (t, 3), t % (), int(Tagged(b"12")), float(Tagged(b"1.5")))
print(sorted([t, b"aa"]), max(t), [x for x in reversed(t)], t.translate(table), bytes.fromhex("61") == Tagged(b"a"))


class Framed(bytes):
    def __repr__(self):
        return f"<{self.decode()}>"


print(repr(Framed(b"a")), [Framed(b"c")])
show(lambda: Tagged(5))
show(lambda: Tagged("text"))
show(lambda: setattr(b"a", "x", 1))

# Texts take names from whatever has brackets.


class Looked:
    def __getitem__(self, key):
        return key * 2

    def __repr__(self):
        return "Looked()"


Pair = namedtuple("Pair", "a b")
for template in ["%(a)s", "%s", "%s %s", "%(a)s %s", "%s %(a)s", "%(a)5.1f|", "%(b(c)d)s", "%(missing)s", "plain", "%5%|", "%ld", "%-*d|"]:
    for value in [{"a": 1, "b(c)d": 2}, defaultdict(int, a=3), Counter("aab"), OrderedDict(a=4), ChainMap({"a": 5}), Looked(),
                  Pair(6, 7), (8, 9), [10], "text", b"bytes", range(3), 11, None, {1, 2}, (5, 3)]:
        print(template, end=" ")
        show(lambda: template % value)
