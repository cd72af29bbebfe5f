# try, except, else, finally, raise, from, the hierarchy, and what the objects say.
def report(f, *args):
    try:
        result = f(*args)
    except Exception as e:
        print(type(e).__name__, str(e), repr(e), e.args)
    else:
        print("no error", result)


report(lambda: 1 / 0)
report(lambda: [][1])
report(lambda: {}["a"])
report(lambda: {}[1, 2])
report(lambda: int("x"))
report(lambda: undefined_name)
report(lambda: None.foo)
report(lambda: "a" + 1)
report(lambda: 3)


def order(which):
    print("begin", which)
    try:
        print("body")
        if which == 1:
            raise ValueError("v")
        if which == 2:
            raise KeyError("k")
        if which == 3:
            raise TypeError("t", 1)
    except ValueError as e:
        print("value", e)
    except (KeyError, IndexError) as e:
        print("lookup", e, e.args)
    else:
        print("else")
    finally:
        print("finally")
    print("end")


for which in range(3):
    order(which)
try:
    order(3)
except TypeError as e:
    print("out", e, e.args)


def returns(n):
    try:
        if n == 0:
            return "try"
        if n == 1:
            raise ValueError
        if n == 2:
            raise KeyError("x")
        return "late"
    except ValueError:
        return "except"
    else:
        return "else"
    finally:
        print("finally", n)
        if n == 2:
            return "finally wins"


for n in range(4):
    print(returns(n))


def loops():
    for i in range(6):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            print("i", i)
        finally:
            print("after", i)
    else:
        print("never")
    while True:
        try:
            try:
                raise ValueError(1)
            finally:
                print("inner")
        except ValueError:
            print("outer")
            break
        finally:
            print("last")
    return i


print(loops())


def nested():
    try:
        try:
            raise ValueError("a")
        except ValueError as e:
            raise RuntimeError("b") from e
    except RuntimeError as e:
        print(repr(e), repr(e.__cause__), e.__cause__ is e.__context__, e.__suppress_context__)
    try:
        try:
            raise ValueError("a")
        except ValueError:
            raise KeyError("c")
    except KeyError as e:
        print(repr(e), e.__cause__, repr(e.__context__))
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise ValueError("hidden") from None
    except ValueError as e:
        print(repr(e), e.__cause__, repr(e.__context__), e.__suppress_context__)
    try:
        try:
            {}["x"]
        except KeyError:
            [][0]
    except IndexError as e:
        print(repr(e), repr(e.__context__))


nested()


def reraise():
    try:
        try:
            raise ValueError("again")
        except ValueError:
            print("caught")
            raise
    except ValueError as e:
        print("twice", e)
        return e


e = reraise()
print(e, e.__traceback__ is None or True)
try:
    raise e
except ValueError as f:
    print(f is e)


class Base(Exception):
    """Words."""


class Special(Base, ValueError):
    def __init__(self, code, **extra):
        super().__init__(f"code {code}")
        self.code = code
        self.extra = extra


class Worded(Exception):
    def __str__(self):
        return "worded " + ", ".join(map(str, self.args))


for cls in (Base, Special, Worded):
    try:
        raise cls(7)
    except Base as e:
        print("base", type(e).__name__, e, e.args, getattr(e, "code", None))
    except Exception as e:
        print("other", type(e).__name__, e, repr(e), e.args)
print(Special.__mro__[1].__name__, issubclass(Special, ValueError), isinstance(Special(1), Exception))
print(Base.__doc__, Base("x"), repr(Base()), repr(Base(1, 2)), str(Base(1, 2)))
try:
    raise Special
except TypeError as e:
    print(e)
try:
    raise Special(3, a=1)
except ValueError as e:
    print(e.extra, e.code)

print(issubclass(KeyError, LookupError), issubclass(ZeroDivisionError, ArithmeticError))
print(issubclass(KeyboardInterrupt, Exception), issubclass(RecursionError, RuntimeError))
print(issubclass(FileNotFoundError, OSError), issubclass(ModuleNotFoundError, ImportError))
print(issubclass(UnboundLocalError, NameError), IOError is OSError, EnvironmentError is OSError)
print(ValueError, repr(ValueError), ValueError.__name__, ValueError.__mro__)
print(str(KeyError("a")), str(KeyError("a", "b")), str(ValueError()), str(ValueError(None)))
print(OSError(2, "No such file", "f.txt"), OSError(2, "x").errno, OSError("plain").errno)
print(StopIteration(3).value, StopIteration().value, SystemExit(2).code)

try:
    raise 3
except TypeError as e:
    print(e)
try:
    raise int
except TypeError as e:
    print(e)
try:
    try:
        raise ValueError("x")
    except 3:
        print("no")
except TypeError as e:
    print(e)
try:
    raise
except RuntimeError as e:
    print(e)
try:
    raise ValueError("a") from 3
except TypeError as e:
    print(e)


def scope():
    e = 1
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        print(e)
    except UnboundLocalError as x:
        print("gone", type(x).__name__)


scope()
err = 5
try:
    raise ValueError
except ValueError as err:
    pass
try:
    err
except NameError as x:
    print("gone", x)

note = ValueError("with notes")
note.add_note("first")
note.add_note("second")
print(note.__notes__)

try:
    assert 1 == 2, "message"
except AssertionError as e:
    print(repr(e))
try:
    assert 1 == 2
except AssertionError as e:
    print(repr(e))


def deep(n):
    return deep(n + 1)


try:
    deep(0)
except RecursionError as e:
    print(type(e).__name__, e)


def generator():
    try:
        yield 1
        yield 2
    except ValueError as e:
        print("inside", e)
        yield 3
    finally:
        print("closed")


g = generator()
print(next(g))
print(g.throw(ValueError("thrown")))
print(list(g))
g = generator()
next(g)
g.close()
try:
    next(iter([]))
except StopIteration as e:
    print("stop", repr(e), e.value)


def many():
    out = []
    for item in [1, "a", None, [1], 0, 2.5]:
        try:
            try:
                out.append(10 / item)
            except TypeError:
                out.append("type")
                continue
            finally:
                out.append(".")
        except ZeroDivisionError as e:
            out.append(str(e))
    return out


print(many())


def swap():
    x = 1
    try:
        x = 2
        raise KeyError
    except KeyError:
        y = x
    finally:
        z = x + 1
    return x, y, z


print(swap())
try:
    try:
        raise ValueError("first")
    finally:
        print("cleanup")
except ValueError as e:
    print(e)
try:
    import does_not_exist
except ImportError as e:
    print(type(e).__name__)
try:
    exec_missing = [].no_such
except AttributeError as e:
    print(e)
