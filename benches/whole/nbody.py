"""Planets of a toy solar system pull each other: fields of objects."""


class Body:
    def __init__(self, x, y, vx, vy, m):
        self.x = x
        self.y = y
        self.vx = vx
        self.vy = vy
        self.m = m


def work():
    bs = [Body(i * 1.5, i * 0.7, 0.1 * i, -0.2 * i, 1.0 + i) for i in range(5)]
    for step in range(1500):
        for i in range(5):
            a = bs[i]
            for j in range(i + 1, 5):
                b = bs[j]
                dx = a.x - b.x
                dy = a.y - b.y
                d = (dx * dx + dy * dy + 0.01) ** 1.5
                mag = 0.01 / d
                a.vx -= dx * b.m * mag
                a.vy -= dy * b.m * mag
                b.vx += dx * a.m * mag
                b.vy += dy * a.m * mag
        for b in bs:
            b.x += 0.01 * b.vx
            b.y += 0.01 * b.vy
    return bs[0].x
