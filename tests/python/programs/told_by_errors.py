# What exceptions tell beside their words: names, objects, parts of texts, the calls behind them.
import sys
import traceback


def caught(function, *args):
    try:
        function(*args)
    except BaseException as e:
        return e


class Thing:
    __slots__ = ("a",)

    def __getattr__(self, name):
        raise AttributeError(f"nothing: {name}")


class Plain:
    pass


def unknown():
    return no_such_name


def unbound():
    held = held + 1


def imports():
    import no_such_module


def imports_from():
    from math import no_such_function


def of_module():
    return sys.no_such_attribute


plain = Plain()
e = caught(unknown)
print(type(e).__name__, e.name, e.args)
print(type(caught(unbound)).__name__)
e = caught(imports_from)
print(type(e).__name__, e.name, str(e).split(" (")[0])
e = caught(imports)
print(e.msg, e.args)
e = caught(lambda: plain.missing)
print(e.name, e.obj is plain, e.args)
e = caught(lambda: Plain.missing)
print(e.name, e.obj is Plain, e)
e = caught(lambda: (3).missing)
print(e.name, e.obj, e)
e = caught(of_module)
print(e.name, e.obj is sys, e)
e = caught(lambda: [].push)
print(e.name, e.obj, e)
print(caught(lambda: Thing().b))
print(hasattr(plain, "missing"), getattr(plain, "missing", "instead"))

for made in (
    NameError("n"), NameError("n", name="x"), UnboundLocalError("n", name="y"),
    AttributeError("a"), AttributeError("a", name="x", obj=[1]), AttributeError("a", obj=2),
    ImportError("i"), ImportError("i", name="m"), ImportError("i", path="p"), ModuleNotFoundError("i", name="m", path="p"),
):
    parts = [getattr(made, part, "-") for part in ("name", "obj", "path", "msg")]
    print(type(made).__name__, made.args, parts)
for wrong in (
    lambda: NameError("n", obj=1), lambda: AttributeError("a", path=1), lambda: ImportError("i", obj=1),
    lambda: ValueError("v", name=1), lambda: KeyError(name=1),
):
    print(type(caught(wrong)).__name__)


class Missing(AttributeError):
    def __init__(self, what, owner):
        super().__init__(f"no {what}", name=what, obj=owner)
        self.what = what


class Absent(ImportError):
    pass


e = Missing("wheel", "car")
print(e, e.args, e.name, e.obj, e.what)
e = Absent("gone", name="m")
print(e, e.args, e.name, e.path, e.msg)
e.name = "other"
print(e.name, ImportError("a", "b").msg, ImportError().msg)

try:
    raise NameError("said by a program: 'x'")
except NameError as e:
    print(e.name)
try:
    try:
        no_such_name
    except NameError as first:
        raise first
except NameError as e:
    print(e.name)


def parts_of(e):
    print(type(e).__name__, e.encoding, e.object, e.start, e.end, e.reason, "|", e)
    print(e.args == (e.encoding, e.object, e.start, e.end, e.reason))


for data in (b"\xff", b"ab\xc3", b"ab\xc3(", b"\xe2\x82", b"\xe2\x82x", b"a\xf0\x9f\x98", b"\xc0\x80", b"x\x80\x80"):
    parts_of(caught(data.decode))
    parts_of(caught(data.decode, "ascii"))
for text in ("\xff", "ab\u20acc", "\U0001f600", "a\xe9\xe8b", "\u20ac\u20ac"):
    for codec in ("ascii", "latin-1"):
        e = caught(text.encode, codec)
        if e:
            parts_of(e)
e = UnicodeDecodeError("utf-8", b"abc", 1, 2, "why")
print(e, repr(e), isinstance(e, ValueError))
print(UnicodeDecodeError("utf-8", b"abc", 0, 3, "why"))
print(UnicodeEncodeError("ascii", "a\u1234", 1, 2, "so"))
try:
    b"\xfe".decode()
except UnicodeError as e:
    print(e.object[e.start:e.end], repr(e))

e = caught(open, "/no/such/file")
print(e.errno, e.strerror, e.filename, e.filename2)
e = OSError(2, "gone", "a", None, "b")
print(type(e).__name__, e.errno, e.filename, e.filename2, e.args)
print([getattr(OSError(1), part) for part in ("errno", "strerror", "filename")])
print([caught(sys.exit, *args).code for args in ((), (3,), ("bye",), (None,))], SystemExit(1, 2).code, SystemExit().code)


def generator():
    yield 1
    return "end"


g = generator()
next(g)
e = caught(next, g)
print(e.value, e.args, StopIteration(1, 2).value, StopIteration().value)


def deepest(x):
    return 1 / x


def middle(x):
    y = x
    return deepest(y)


def outermost():
    try:
        middle(0)
    except ZeroDivisionError as e:
        tb = e.__traceback__
        base, file = tb.tb_lineno, tb.tb_frame.f_code.co_filename
        while tb:
            code = tb.tb_frame.f_code
            print(tb.tb_lineno - base, code.co_name, code.co_filename == file)
            tb = tb.tb_next
        return e


e = outermost()
found = traceback.extract_tb(e.__traceback__)
print([(frame.name, frame.line) for frame in found], [frame.lineno - found[0].lineno for frame in found])
filename, lineno, name, line = found[-1]
print(name, line, filename == found[0].filename, len(traceback.extract_tb(e.__traceback__, 1)))
print([frame.name for frame in traceback.extract_tb(e.__traceback__, limit=-1)], traceback.extract_tb(None))
print(traceback.format_list([("a.py", 3, "f", "x = 1"), ("b.py", 4, "g", "")]))
print(type(e.__traceback__).__name__, type(e.__traceback__.tb_frame).__name__, ValueError().__traceback__)
try:
    middle(0)
except ZeroDivisionError:
    tb = sys.exc_info()[2]
    print(tb.tb_frame.f_code.co_name, tb.tb_next.tb_frame.f_code.co_name, tb.tb_next.tb_next.tb_next)
