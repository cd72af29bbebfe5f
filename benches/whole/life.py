"""Conway's game of life on a torus: lists in lists, loops over tuples."""


def work():
    n = 40
    g = [[(i * 7 + j * 13) % 3 == 0 for j in range(n)] for i in range(n)]
    for s in range(10):
        h = [[False] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                c = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di or dj) and g[(i + di) % n][(j + dj) % n]:
                            c += 1
                h[i][j] = c == 3 or (g[i][j] and c == 2)
        g = h
    return sum(map(sum, g))
