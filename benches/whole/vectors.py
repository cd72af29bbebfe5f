"""Vectors with operators: objects made and dropped."""


class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    def dot(self, o):
        return self.x * o.x + self.y * o.y


def work():
    a = V(0.0, 0.0)
    b = V(1.0, 0.5)
    for i in range(10000):
        a = a + b * 0.5
    return a.dot(b)
