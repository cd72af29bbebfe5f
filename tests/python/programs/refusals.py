"""What is refused, and in which words: sequences, queues, indexes, descriptors, JSON, fractions."""

import itertools
import json
import operator
from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import harmonic_mean


def attempt(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, error)


class Plain:
    pass


def times(value, by):
    def run():
        result = value
        result *= by
        return result
    return run


attempt(lambda: deque([1]) * "a")
attempt(lambda: deque([1]) * [2])
attempt(lambda: 2 * deque([1]))
attempt(lambda: deque([1], 3) * True)
for value in ({1}, {}, range(3), None, 1.5, (1,)):
    attempt(times(value, "a"))
attempt(lambda: range(3) * "a")
attempt(lambda: operator.concat({1}, 0.5))
attempt(lambda: operator.concat([1], 0.5))

numbers = [1, 2, 3]
attempt(lambda: numbers[[]:2:0])
attempt(lambda: numbers[Plain()])
attempt(lambda: "abc"[Plain()])
attempt(lambda: numbers[1.5:])


def changed(change, most=None):
    def run():
        queue = deque([1, 2], most)
        for item in queue:
            change(queue)
        return queue
    return run


attempt(changed(lambda queue: queue.append(9), 2))
attempt(changed(lambda queue: queue.append(queue.popleft())))
attempt(changed(lambda queue: queue.rotate(1)))
attempt(changed(lambda queue: queue.__setitem__(0, 5)))
attempt(changed(lambda queue: queue.reverse()))


class A:
    @staticmethod
    def sum(x, y=2):
        "Adds."
        return x + y
    three = sum(1)
    six = sum(1, y=5)


attempt(lambda: (A.three, A.six, A().sum(1), A.__dict__["sum"](4), A.__dict__["sum"].__doc__))
length = staticmethod(len)
attempt(lambda: (length([1, 2]), callable(length), list(map(length, [[1]]))))
attempt(lambda: (callable(classmethod(len)), classmethod(len)([1])))
attempt(lambda: super(Plain, None).n)


@dataclass
class D:
    x: int
    y: int = field(init=False, default=7)


attempt(lambda: (D(1), D(1).__dict__, D.y))

attempt(lambda: harmonic_mean([0, -1]))
attempt(lambda: harmonic_mean([-1, 0]))
for run in (lambda: Fraction(5, 0), lambda: Fraction(-5, 3) / 0, lambda: 1 / Fraction(0), lambda: Fraction(0) ** -1):
    attempt(run)


def decoded(text):
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        print(error.pos, error.lineno, error.colno, error.msg, error.doc, error.args)


decoded("[1,\n 2,, 3]")
decoded("{'a': 1}")
decoded('["ä" 1]')
attempt(lambda: json.JSONDecodeError("words", "ab\ncd", 4))
attempt(lambda: json.JSONDecodeError("words", "ab\ncd", 4).colno)
