# with: classes as context managers, on every way out.
class Manager:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, traceback):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.swallow


with Manager("a") as a:
    print("body", a.name)
with Manager("b"), Manager("c") as c:
    print("both", c.name)
with Manager("d", swallow=True):
    raise ValueError("swallowed")
print("after d")
try:
    with Manager("e"):
        raise ValueError("passes")
except ValueError as e:
    print("caught", e)


def returning():
    with Manager("f") as m:
        return m.name


print(returning())


def looping():
    for i in range(4):
        with Manager(i):
            if i == 1:
                continue
            if i == 2:
                break
            print("i", i)
    return i


print(looping())


def nested():
    with Manager("outer", swallow=True):
        with Manager("inner"):
            try:
                [][0]
            finally:
                print("finally")
        print("never")
    return "done"


print(nested())


class Failing:
    def __enter__(self):
        raise RuntimeError("enter fails")

    def __exit__(self, *args):
        print("never")


try:
    with Manager("g"), Failing():
        print("never")
except RuntimeError as e:
    print(e)


class FailingExit:
    def __enter__(self):
        return 1

    def __exit__(self, *args):
        raise KeyError("exit fails")


try:
    with FailingExit():
        raise ValueError("first")
except KeyError as e:
    print(repr(e), repr(e.__context__))
try:
    with 3:
        pass
except TypeError as e:
    print(e)


class Half:
    def __enter__(self):
        return self


try:
    with Half():
        pass
except TypeError as e:
    print(e)
x = [0]
with Manager("h") as x[0]:
    print(type(x[0]).__name__)
with (Manager("i") as i, Manager("j")):
    print(i.name)
