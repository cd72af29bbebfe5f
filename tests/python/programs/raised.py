# Exceptions as objects: tracebacks, causes, notes, generators.
import sys
import traceback


def fail():
    return 1 / 0


try:
    fail()
except ZeroDivisionError as e:
    print(bool(e.__traceback__), e.__traceback__ is not None, e.__cause__, e.__context__, e.__suppress_context__)
    text = traceback.format_exc()
    print(text.splitlines()[0], text.splitlines()[-1], "return 1 / 0" in text, "in fail" in text)
    print(traceback.format_exception_only(type(e), e))
    print("".join(traceback.format_exception(e)).splitlines()[-1])
    kind, value, tb = sys.exc_info()
    print(kind.__name__, value is e, tb is not None)
print(sys.exc_info())
print(repr(traceback.format_exc()))
try:
    try:
        {}["k"]
    except KeyError as e:
        raise ValueError("second") from e
except ValueError as e:
    print(repr(e.__cause__), e.__context__ is e.__cause__, e.__suppress_context__)
    lines = traceback.format_exc().splitlines()
    print([line for line in lines if line.startswith(("KeyError", "ValueError", "The above", "During"))])
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise KeyError("during")
except KeyError as e:
    print(repr(e.__context__), e.__cause__)
    lines = traceback.format_exc().splitlines()
    print([line for line in lines if line.startswith(("KeyError", "Zero", "The above", "During"))])
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise KeyError("alone") from None
except KeyError as e:
    print(repr(e.__context__), e.__suppress_context__)
try:
    e = ValueError("noted", 3)
    e.add_note("first note")
    e.add_note("second")
    raise e
except ValueError as e:
    print(e.__notes__, e.args, traceback.format_exc().splitlines()[-3:])
try:
    ValueError().add_note(3)
except TypeError as e:
    print(e)


def gen():
    try:
        while True:
            try:
                received = yield 1
                print("received", received)
            except ValueError as e:
                print("thrown", e)
                yield "answer"
    finally:
        print("closing")


g = gen()
print(next(g), g.send("x"), g.throw(ValueError("v")), next(g))
g.close()
try:
    next(g)
except StopIteration as e:
    print("done", e.value)


def returns():
    yield 1
    return "result"


g = returns()
next(g)
try:
    next(g)
except StopIteration as e:
    print(e.value, e.args)


def outer():
    value = yield from returns()
    print("inner gave", value)


print(list(outer()))


def ignores():
    try:
        yield 1
    except GeneratorExit:
        yield 2


g = ignores()
next(g)
try:
    g.close()
except RuntimeError as e:
    print(e)


def leaks():
    yield 1
    raise StopIteration("x")


try:
    list(leaks())
except RuntimeError as e:
    print(e, repr(e.__cause__))
g = gen()
try:
    g.send(1)
except TypeError as e:
    print(e)
try:
    g.throw(KeyError("early"))
except KeyError as e:
    print("early", e)
x: int = 3


def typed():
    global counter
    counter = 5
    y: int = counter
    (z): int = 3
    return y + z


print(typed(), counter, x)
for text, call in [
    ("a", lambda: 1 // 0), ("b", lambda: 1 % 0), ("c", lambda: 1.0 / 0), ("d", lambda: 1.0 // 0), ("e", lambda: 1.0 % 0),
    ("f", lambda: divmod(1, 0)), ("g", lambda: divmod(1.0, 0)), ("h", lambda: 0 ** -1), ("i", lambda: 0.0 ** -1), ("j", lambda: pow(2, 3, 0)),
    ("k", lambda: int("x")), ("l", lambda: float("x")), ("m", lambda: [].pop()), ("n", lambda: [1].remove(2)), ("o", lambda: {}.popitem()),
    ("p", lambda: "abc".index("z")), ("q", lambda: (1, 2).index(3)), ("r", lambda: [1, 2][5]), ("s", lambda: (1,)[3]), ("t", lambda: "ab"[9]),
    ("u", lambda: int(float("nan"))), ("v", lambda: int(float("inf"))), ("w", lambda: chr(-1)), ("x", lambda: ord("ab")), ("y", lambda: "a" + 1),
    ("z", lambda: 1 + "a"), ("A", lambda: [] + ()), ("B", lambda: len(5)), ("C", lambda: iter(5)), ("D", lambda: None + 1),
    ("E", lambda: max([])), ("F", lambda: next(iter([]))), ("G", lambda: "x".join([1])), ("H", lambda: sorted([1, "a"])), ("I", lambda: {}["a"]),
    ("J", lambda: {[]: 1}), ("K", lambda: range(1, 2, 0)), ("L", lambda: "%d" % "x"), ("M", lambda: "{}".format()), ("N", lambda: undefined_name),
    ("O", lambda: (lambda a: a)()), ("P", lambda: (lambda: 1)(2)), ("Q", lambda: (lambda a: a)(b=1)), ("R", lambda: int("1", 99)), ("S", lambda: -"a"),
    ("T", lambda: x()), ("U", lambda: (1).x), ("V", lambda: 1 < "a"), ("W", lambda: "abc"[x / 2]), ("X", lambda: list(5)),
]:
    try:
        print(text, call())
    except Exception as e:
        print(text, type(e).__name__, "" if isinstance(e, ZeroDivisionError) else e)

# What an assertion is given stays what it is.
for message in ["text", 5, ("a", 1), [1, 2], None, KeyError("k"), ""]:
    try:
        assert False, message
    except AssertionError as e:
        print(e.args, repr(e), str(e))


class NoException:
    def __init__(self, needed):
        pass


class NoneEither:
    def __init__(self):
        print("made")


for wrong in [NoException, NoneEither, NoneEither(), 5, "text", int]:
    try:
        raise wrong
    except TypeError as e:
        print(e)
    try:
        raise ValueError("v") from wrong
    except TypeError as e:
        print(e)
