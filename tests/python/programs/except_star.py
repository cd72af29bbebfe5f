# Parts of groups: what `except*` takes, what its blocks raise, and what goes on.
def show(e, d=0):
    print("  "*d + type(e).__name__, str(e), e.__cause__, type(e.__context__).__name__)
    if isinstance(e, BaseExceptionGroup):
        for x in e.exceptions: show(x, d+1)
def run(f):
    try: f()
    except BaseException as e: show(e)
    else: print("none")
def a():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), ExceptionGroup("h", [ValueError(3), KeyError(4)])])
    except* ValueError as e: show(e)
    except* TypeError: print("type")
run(a)
def b():
    try: raise ValueError("naked")
    except* ValueError as e: print(repr(e), e.exceptions)
    else: print("else")
    finally: print("fin")
run(b)
def c():
    try: raise ValueError("naked")
    except* TypeError: pass
run(c)
def d():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError: raise KeyError("new")
    except* TypeError: raise
run(d)
def e():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), OSError(3)])
    except* ValueError as x: raise KeyError("new") from x.exceptions[0]
    except* (TypeError, OSError) as x: raise RuntimeError
run(e)
def f():
    try: print("ok")
    except* ValueError: print("no")
    else: print("else")
run(f)
def g():
    try: raise ValueError(1)
    except* ExceptionGroup: pass
run(g)
def h():
    for i in range(3):
        try:
            if i == 1: raise ExceptionGroup("x", [OSError(i)])
        except* OSError as x:
            for j in range(3):
                if j == 1: break
            def k(): return 5
            print(j, k(), x)
            continue_ = 1
        try: x
        except UnboundLocalError as n: print("unbound")
        except NameError: print('ne')
run(h)
def i():
    try:
        try: raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError: raise
    except* KeyError as e2: show(e2)
run(i)
def j():
    try: raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* 5: pass
run(j)
class MyG(ExceptionGroup):
    def derive(self, excs): return MyG(self.message, excs)
def k():
    try: raise MyG("g", [ValueError(1), KeyError(2), MyG("in",[ValueError(5)])])
    except* KeyError as e: show(e); e.add_note("hi")
run(k)
try:
    raise ExceptionGroup("cell", [ValueError(1), KeyError(2)])
except* ValueError as e:
    z = 5
    show(e)
except* KeyError:
    z += 1
print(z)


def l():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* (ValueError, TypeError) as e: raise SyntaxError("bad")
run(l)
def m():
    def inner(n):
        try: raise ExceptionGroup("deep", [OSError(n), ExceptionGroup("d", [OSError(n + 1), KeyError(n)])])
        except* OSError as e: return_ = len(e.exceptions); raise
        finally: print("finally", n)
    try: inner(1)
    except* KeyError as e: show(e)
    except* OSError as e: show(e)
    else: print("not here")
run(m)
def n():
    gen = (x for x in [1])
    try:
        try: raise ExceptionGroup("g", [ValueError(1), KeyError(2), IndexError(3)])
        except* KeyError as e: raise
        except* IndexError as e: raise e.exceptions[0]
    except ExceptionGroup as e: show(e)
run(n)
try:
    try: raise ExceptionGroup("g", [StopIteration(1)])
    except* StopIteration as held: pass
    held
except NameError as q: print(q)
