# contextlib: generators as managers, and the managers that are there.
from contextlib import ContextDecorator, ExitStack, closing, contextmanager, nullcontext, suppress
import contextlib


@contextmanager
def tagged(name, swallow=False):
    """Prints a tag around."""
    print("<", name)
    try:
        yield name.upper()
    except ValueError as e:
        print("inside:", e)
        if not swallow:
            raise
    finally:
        print(">", name)


with tagged("a") as up:
    print(up)
print(tagged.__name__, tagged.__doc__)
with tagged("b", swallow=True):
    raise ValueError("gone")
try:
    with tagged("c"):
        raise ValueError("stays")
except ValueError as e:
    print("caught", e)
try:
    with tagged("d"):
        raise KeyError("k")
except KeyError as e:
    print("caught", repr(e))


@contextmanager
def never():
    if False:
        yield


@contextmanager
def twice():
    yield 1
    yield 2


for manager in (never, twice):
    try:
        with manager():
            print("body")
    except RuntimeError as e:
        print(type(e).__name__, e)


@contextmanager
def changes():
    try:
        yield
    except ValueError as e:
        raise TypeError("other") from e


try:
    with changes():
        raise ValueError("first")
except TypeError as e:
    print(e, "from", repr(e.__cause__))

try:
    with tagged("stop"):
        raise StopIteration("mine")
except StopIteration as e:
    print("StopIteration", e.value)


@tagged("decorated")
def f(x):
    print("f", x)
    return x * 2


print(f(3), f(4), f.__name__)

with suppress(KeyError, IndexError):
    {}["a"]
with suppress(LookupError):
    [][1]
print("still here")
try:
    with suppress(KeyError):
        1 / 0
except ZeroDivisionError as e:
    print("not suppressed:", type(e).__name__)


class Thing:
    def close(self):
        print("closed")


with closing(Thing()) as thing:
    print(type(thing).__name__)
with nullcontext(5) as five:
    print(five)
with nullcontext() as none:
    print(none)


class Loud(ContextDecorator):
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, *exc):
        print("exit", exc[0])


@Loud()
def g():
    print("in g")


g()
g()

with ExitStack() as stack:
    for name in "xyz":
        stack.enter_context(tagged(name))
    stack.callback(print, "callback", 1, sep="-")

    @stack.push
    def leaving(kind, value, traceback):
        print("leaving", kind, value)
        return True

    raise ValueError("swallowed by the stack")
print("after the stack")
stack = ExitStack()
stack.callback(print, "later")
other = stack.pop_all()
stack.close()
print("now")
other.close()
try:
    with ExitStack() as stack:
        stack.callback(lambda: 1 / 0)
        raise KeyError("first")
except ZeroDivisionError as e:
    print(e, "while", repr(e.__context__))
try:
    with ExitStack() as stack:
        stack.enter_context(3)
except TypeError as e:
    print(e)
print(isinstance(suppress(), contextlib.AbstractContextManager))
