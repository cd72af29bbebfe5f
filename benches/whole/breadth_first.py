"""A breadth-first search on a grid: a deque, sets of tuples, chained comparisons."""

from collections import deque


def work():
    n = 80
    seen = set()
    q = deque([(0, 0)])
    seen.add((0, 0))
    steps = 0
    while q:
        x, y = q.popleft()
        steps += 1
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = x + dx, y + dy
            if 0 <= a < n and 0 <= b < n and (a * b) % 7 != 3 and (a, b) not in seen:
                seen.add((a, b))
                q.append((a, b))
    return steps
