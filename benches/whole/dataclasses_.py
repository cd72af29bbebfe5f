"""Objects of a dataclass, powers."""

from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


def work():
    s = 0.0
    for i in range(10000):
        p = P(i, i + 1.0)
        s += p.norm()
    return s
