"""`super()` in a method."""


class A:
    def f(self, x):
        return x + 1


class B(A):
    def f(self, x):
        return super().f(x) * 2


class C(B):
    pass


def work():
    o = C()
    s = 0
    for i in range(20000):
        s += o.f(i)
    return s
