# Tuples, lists and numbers of classes of the program's as shapes, axes, indices and arrays.
from collections import namedtuple
from enum import IntEnum

import numpy as np

Shape = namedtuple("Shape", "rows columns")


class L(list):
    pass


class I(int):
    pass


class F(float):
    pass


shape = Shape(2, 3)
print(np.zeros(shape).shape, np.ones(6).reshape(shape).shape, np.arange(6).reshape(shape)[Shape(1, 2)])
print(np.full(shape, I(3)), np.broadcast_to(np.arange(3), shape), np.resize([1, 2], shape))
print(np.transpose(np.ones((2, 3)), Shape(1, 0)).shape, np.ones((2, 3)).transpose(Shape(1, 0)).shape)
print(np.sum(np.ones((2, 3)), axis=Shape(0, 1)), np.ones((2, 3)).sum(axis=I(1)), np.flip(np.arange(3), I(0)))
print(np.array(L([1, 2])), np.asarray([L([1, 2]), L([3, 4])]), np.arange(5)[L([0, 2])], np.concatenate(L([np.ones(1), np.ones(2)])))
print(np.arange(I(3)), np.arange(4)[I(2)], np.arange(4)[:I(2)], np.ones(2) * F(2.5), np.ones(2) + I(1), np.maximum(I(3), np.arange(5)))
print(np.tile(np.arange(2), Shape(2, 2)), np.pad(np.arange(2), Shape(1, 2)), np.roll(np.arange(4), I(1)), np.repeat(np.arange(2), I(2)))
print(np.linspace(F(0.0), I(1), I(3)), np.clip(np.arange(5), I(1), F(3.0)), np.where(np.arange(3) > I(1), I(1), F(0.5)))
print(np.stack(Shape(np.zeros(1), np.ones(1))), np.einsum("i,i", *Shape(np.ones(2), np.ones(2))), np.split(np.arange(4), L([1, 3])))
x = np.zeros(shape)
x[Shape(0, 1)] = F(1.5)
x[I(1)] = L([1, 2, 3])
print(x, x.reshape(I(3), I(2)).shape, x.max(axis=Shape(0, 1)), np.moveaxis(x, Shape(0, 1), Shape(1, 0)).shape)


class Index:
    def __index__(self):
        return 2


two = Index()
y = np.arange(5)
print(y[two], y[:two], np.zeros(two), np.zeros((two, 3)).shape, np.ones((2, 3)).reshape(I(3), two).shape)
print(np.ones((2, 3))[1, two], np.roll(y, two), np.take(y, two), np.repeat(y, two).shape, y.reshape((1, 5)).sum(axis=I(1)))


class Colour(IntEnum):
    RED = 1
    BLUE = 2


print(np.array([Shape(1, 2), Shape(3, 4)]), np.array([Colour.RED, Colour.BLUE]), np.arange(3) + Colour.BLUE, np.array([[Colour.RED], [5]]))
print(np.stack([Shape(1, 2), Shape(3, 4)]), np.mean([Shape(1, 2), Shape(3, 4)], axis=0), np.array([L([1.5]), (F(2.5),)]), np.max(Shape(3, 7)))
print(np.array(Shape([1, 2], (3, 4))), np.arange(6).reshape(2, 3)[[Colour.RED]], np.array([Colour.RED, 2.5]), np.isin([1, 2, 3], Shape(1, 3)))
