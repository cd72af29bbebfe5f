# Tables as text: every dialect beside every text.
import csv, io
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
texts = ["a,b,c\n1,2,3\n", 'a,"b ""q"" c",d\r\n', '"x\ny",z\n', "", "\n\n", "a\n\nb\n", ",\n", '""\n', '"a"b,c\n', 'a"b,c\n', ' "a", b\n', '"unclosed', 'a,b', '"a",\n', "a\tb\n", "x;y\n", 'a\\,b,c\n', "1.5,\"t\"\n", "a,b\r\nc,d\r\n", '"a","b\r\n', "  a , b\n", '"a" ,b\n', "a\rb\n"]
for text in texts:
    for kw in [{}, dict(skipinitialspace=True), dict(delimiter=";"), dict(delimiter="\t"), dict(quoting=csv.QUOTE_NONE), dict(escapechar="\\"), dict(doublequote=False), dict(strict=True), dict(quotechar="'")]:
        t(lambda: list(csv.reader(io.StringIO(text, newline=""), **kw)))
        t(lambda: list(csv.reader(text.splitlines(True), **kw)))
t(lambda: list(csv.reader(['1,"a",2.5'], quoting=csv.QUOTE_NONNUMERIC)))
t(lambda: list(csv.reader(['1,a'], quoting=csv.QUOTE_NONNUMERIC)))
rows = [[1, 2.5, "a"], ["a,b", 'q"q', None], [""], [], ["", ""], ["x\ny", True, 1e300], [" a", "b "], ["\\", "'"], "abc", (1,), [0.1, -0.0, float("nan")]]
for row in rows:
    for kw in [{}, dict(quoting=csv.QUOTE_ALL), dict(quoting=csv.QUOTE_NONNUMERIC), dict(quoting=csv.QUOTE_NONE), dict(quoting=csv.QUOTE_NONE, escapechar="\\"), dict(delimiter=";", lineterminator="\n"), dict(doublequote=False, escapechar="\\"), dict(quotechar="'"), dict(dialect="unix"), dict(dialect="excel-tab")]:
        def w():
            out = io.StringIO(newline="")
            n = csv.writer(out, **kw).writerow(row)
            return repr(out.getvalue()), n
        t(w)
def w():
    out = io.StringIO(newline="")
    d = csv.DictWriter(out, ["a", "b"], restval="-")
    d.writeheader(); d.writerow({"a": 1}); d.writerows([{"b": 2, "a": 3}])
    return repr(out.getvalue())
t(w)
t(lambda: csv.DictWriter(io.StringIO(), ["a"]).writerow({"x": 1}))
t(lambda: repr(csv.DictWriter(io.StringIO(), ["a"], extrasaction="ignore").writerow({"x": 1})))
t(lambda: list(csv.DictReader(["a,b", "1,2", "3", "4,5,6", ""])))
t(lambda: list(csv.DictReader(["1,2"], fieldnames=["x", "y"])))
r = csv.DictReader(["a,b", "1,2"])
t(lambda: (r.fieldnames, next(r), r.line_num))
t(lambda: csv.reader([], delimiter=""))
t(lambda: csv.reader([], delimiter="ab"))
t(lambda: csv.reader([], quoting=7))
t(lambda: csv.writer(5))
t(lambda: csv.writer(io.StringIO()).writerow(5))
t(lambda: list(csv.reader([5])))
t(lambda: csv.get_dialect("x"))
t(lambda: csv.list_dialects())
t(lambda: csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter)
t(lambda: [int(x) for row in csv.reader(["1,2", "3,4"]) for x in row])
