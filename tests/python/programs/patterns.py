# Regular expressions: what matches, what is wrong with a pattern, templates, flags.
import re


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)


TEXTS = ["", "a", "aaa", "abc", "abxd", "a1 b22  c333", "foo=1, bar=22;baz", "line one\nline two\n", "\n", "AbC äÖ ß",
         "2024-02-29T12:30", "aab\naab", "(a(b)c)", "naïve café ٣4", "_x9 __init__", "a,b,,c", "«quoted»\r\n"]
PATTERNS = ["", "a", "a*", "a+?", "a??", "|a", "x*", "(a)(b)?", "(?:a|ab)(c|bcd)?", r"\d+", r"(\w+)=(\d+)", r"(?P<key>\w+)=(?P<value>\d+)", "^", "$",
            r"^\w+", r"\w+$", r"\b\w", r"\B\w", r"\s+", r"[^\s,]+", r"[a-c]{2,3}", r"(\w)\1", r"(?P<q>a)(?P=q)", r"(?=b)", r"a(?!b)", r"(?<=a)b", r"(?<!a)b", r".",
            r"(a(b))|c", r"(\w+) (\w+)", r"\A\w+\Z", r"(?i)ABC", r"(?m)^line", r"(?m)o\w+$", r"(?s).+", r"(?x) a  # one letter", r"(?a)\w+", r"(?i:A)b",
            r"(a)?b(?(1)c|d)", r"[]a]", r"[\]\[&~-]", r"a{,2}", r"a{2}", r"{", r"a{1", r"(?>a+)b", r"a++", r"([ab])+", r"(?:(a)|b)*", r"(\d{4})-(\d\d)-(\d\d)"]
for pattern in PATTERNS:
    p = re.compile(pattern)
    print("==", p, p.groups, p.groupindex, p.flags)
    for text in TEXTS:
        found = [(m.span(), m.groups(), m.lastindex, m.lastgroup) for m in p.finditer(text)]
        whole, here = p.fullmatch(text), p.match(text)
        print(found, whole and whole.span(), here and here.span())
        print(p.findall(text), p.split(text, 2), p.sub("-", text), p.subn("<\\g<0>>", text, 2))

for pattern in ["(", "a)", "*", "a**", "[a", "[z-a]", "\\", "\\q", "\\1", "(\\1)", "(?P<a>x)(?P<a>y)", "(?P<1>x)", "(?P=x)", "(?k)", "a{2,1}", "a(?i)", "\\x4",
                "(?P<", "(?P<a", "(?Px)", "(?<x)", "(?", "(?#", "(?i", "(?i-", "(?-", "(?z:a)", "(?iz:a)", "(?-z:)", "(?(0)a)", "(?(x)a)", "\\400", "[\\400]", "(?L)",
                "(?au)a", "(?-a:b)", "(?P<n>", "(?P<>a)", "(?P=)", "(?P=n", "(a)\\2", "x{1,2}{3}", "^*", "\\b+", "[]", "[^]", "[a-\\d]", "\\8", "[\\8]", "(?(1a)b)", "(?P=1)",
                "(?<", "\\u12", "|*", "a\nb(", "(?(2)a|b|c)(x)", "(?(3)a)"]:
    t(lambda: re.compile(pattern))
for error in [lambda: re.compile("a\n(")]:
    try:
        error()
    except re.error as e:
        print(e.msg, e.pos, e.lineno, e.colno, e.pattern)
m = re.search(r"(?P<first>\w+) (?P<second>\w+)", "hello big world")
print(m, m.group(), m.group(1, 2), m["first"], m[2], m.start("second"), m.end(), m.span(2), m.groupdict(), m.expand(r"\2 \g<first>!"), m.pos, m.endpos, m.re.pattern, m.string)
t(lambda: m.group(3))
t(lambda: m.group("x"))
print(re.match("(a)?(b)", "b").groups("none"), re.match("(a)?(b)", "b").groupdict(), re.match("(a)?b", "b").span(1), re.match("(a)?b", "b").start(1))
for template in [r"\1", r"\g<1>x", r"\g<k>", r"\n\t\\", r"\0", r"\07", r"\101", r"\\1", r"a\.b", "", r"\10", r"\g<0>"]:
    t(lambda: re.sub("(?P<k>b)", template, "abc"))
for template in [r"\2", r"\g<2>", r"\g<x>", r"\g<", r"\g", r"\q", "\\", r"\g<1a>", r"\g<>", r"\g<1", r"\400"]:
    t(lambda: re.sub("(b)", template, "abc"))
print(re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "a1 b22"), re.subn("a", "b", "aaa", count=2), re.sub("x", "y", "abc"))
t(lambda: re.findall("a", 5))
t(lambda: re.compile(5))
print(re.split(r"\W+", "Words, words, words."), re.split(r"(\W+)", "a, b", maxsplit=1), re.split("x*", "axbc"), re.split(",", ""))
print(re.escape("a.b*c [x] äß-_~/\n"), re.match(re.escape("a.b*"), "a.b*") is not None)
for flags in [re.I, re.I | re.M, re.S, re.X, re.A, re.IGNORECASE | re.DOTALL | re.VERBOSE, 0]:
    p = re.compile("a . # x", flags)
    print(p, int(p.flags), p.findall("A b # x\naXb a c"))
print(re.I, repr(re.I | re.S), re.compile("a") == re.compile("a"), re.compile(re.compile("a")).pattern, isinstance(re.compile("a"), re.Pattern), isinstance(re.match("a", "a"), re.Match))
t(lambda: re.compile(re.compile("a"), re.I))
p = re.compile("b")
print(p.search("abcb", 2), p.search("abcb", 2, 3), p.match("abc", 1), p.findall("bbbb", 1, 3), re.compile("^b").search("ab", 1), re.compile("(?<=a)b").match("ab", 1), p.fullmatch("abc", 1, 2))
print([m.start() for m in re.finditer("ä", "aäbä")], re.search("(ß)(.)", "xßyz").span(2), re.findall(r"[α-ω]+", "αβγ abc ωψ"))
print([m[0] for m in re.finditer("(?m)^(.*)$", "a\nbb\n\nc\n")], re.findall("$", "a\n"), re.findall(r"\Z", "a\n"), re.findall("(?m)$", "a\nb\n"))
print(bool(re.match("a", "b")), bool(re.match("a", "a")))
log = '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326'
print(re.match(r'(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+) [^"]*" (\d{3}) (\d+)', log).groups())
print(re.sub(r"(?<!^)(?=[A-Z])", "_", "CamelCaseName").lower(), re.sub(r"\s+", " ", " a \n b "), re.sub(r"(\d)(?=(\d{3})+$)", r"\1,", "1234567"))
print(len(re.findall(r"\w+", "word " * 10000)), sum(1 for _ in re.finditer("a?", "a" * 10000)))
print({re.compile("a"): 1}[re.compile("a")], list(map(re.compile("a").sub, ["x", "y"], ["ab", "ca"])))
