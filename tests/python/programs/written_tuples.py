# Tuples that stand in the text, loops over tuples, items of lists in lists, and powers.
def told(x):
    return type(x).__name__, x


for t in ((), (1,), (1, 2), (1, 1.0, True), (True, 1.0, 1), (0.0, -0.0), (-0.0, 0.0), ("a", ("b", (-1, None))), (-1, -2.5),
          ((), ((),)), (1, (2, (3, (4, (5, (6, 7)))))), (None, False), (-True, --1, ...), (1j, -1j), (b"x", "x")):
    print(t, [told(item) for item in t], hash(t) == hash(tuple(t)))


def same():
    return (1, 2), (1.0, 2.0), (True, 2)


print(same(), same()[0] is same()[0], [type(t[0]).__name__ for t in same()])
x = y = (1, 2)
x += (3,)
print(x, y, (1, 2) + (1, 2), (1, 2) * 2, (1, 2) == y)


def grown():
    t = (1, 2)
    for i in (3, 4):
        t += (i,)
    return t


print(grown(), grown())


def turns():
    found = []
    for dx, dy in ((1, 0), (-1, 0), (0, 1.5), ("a", None)):
        found.append((dx, dy))
    for d in (-1, 0, 1, 0.5, True, None, "t", (1,), [2]):
        found.append(d)
    for i in (1, 2, 3):
        for j in (-1, 0):
            if i == 2:
                break
            found.append(i * j)
        else:
            found.append("whole")
    return found


print(turns())


def grid():
    g = [[1, 2.5, True], [None, "s", [3]], ((4, 5), {"k": [6]}, (7,))]
    i, j = 1, 0
    found = [g[0][0], g[0][i], g[j][2], g[i][j], g[1][1], g[i][2][0], g[2][0][1], g[-1][1]["k"][0], g[2][2][-1], g[i - 1][j + 1]]
    row = [g[0]]
    row = row[0]
    row = row[1]
    g[0][0] += 5
    g[0][1] = g[0][0] + g[j][2]
    return found, row, g, [[1, 2], [3]][1][0], [5, 6][1]


print(grid())
for a, b in ((0, 3), (1, 4), (2, 2), (3, -1)):
    try:
        print([[1, 2], [3], [], "no"][a][b])
    except Exception as error:
        print(type(error).__name__, error)


def powers(a, b):
    try:
        return told(a ** b), told(pow(a, b))
    except Exception as error:
        return type(error).__name__


bases = (0, 1, -1, 2, -3, 10, 0.0, -0.0, 0.5, -2.5, 1e200, -1e200, 1e-200, float("inf"), float("-inf"), float("nan"), True)
for a in bases:
    print(a, [powers(a, b) for b in (0, 1, 2, -1, 3, -2, 0.5, -0.5, 2.0, -3.0, 1.5, 1e3, float("inf"), float("-inf"), float("nan"), False)])
print((-8) ** (1 / 3), (-8.0) ** 0.5, 2 ** 62, (-2) ** 63)
