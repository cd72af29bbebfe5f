# bisect and heapq.
import bisect
import heapq
import random
from bisect import bisect_left, bisect_right, insort
from heapq import heapify, heappop, heappush, heappushpop, heapreplace, merge, nlargest, nsmallest

grades = [60, 70, 80, 90]
print([bisect.bisect(grades, score) for score in (33, 60, 65, 90, 99)], bisect_left(grades, 70), bisect_right(grades, 70))
print(["FDCBA"[bisect.bisect(grades, s)] for s in (33, 99, 77, 70, 89, 90, 100)])
insort(grades, 75)
insort(grades, 70)
print(grades, bisect_left(grades, 70, 2), bisect_right(grades, 100, 0, 3), bisect_left([], 1))
people = [("ann", 20), ("bob", 30), ("cid", 40)]
print(bisect_left(people, 30, key=lambda person: person[1]))
insort(people, ("dan", 25), key=lambda person: person[1])
print(people)
for wrong in [lambda: bisect_left([1], 1, -1), lambda: bisect_left([1, 2], "a"), lambda: bisect_left(5, 1)]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
random.seed(7)
values = [random.randrange(100) for _ in range(30)]
heap = values[:]
heapify(heap)
print(heap)
print([heappop(heap) for _ in range(10)], heap)
heappush(heap, 3)
print(heappushpop(heap, 1), heapreplace(heap, 50), heap)
print(nlargest(3, values), nsmallest(3, values), nlargest(2, ["a", "bbb", "cc"], key=len), nsmallest(0, values))
print(list(merge([1, 4, 7], [2, 5, 8], [3, 6])), list(merge([3, 1], [4, 2], reverse=True)), list(merge(["a", "ccc"], ["bb"], key=len)))
tasks = []
for priority, name in [(3, "c"), (1, "a"), (2, "b")]:
    heapq.heappush(tasks, (priority, name))
while tasks:
    print(heapq.heappop(tasks), end=" ")
print()
for wrong in [lambda: heappop([]), lambda: heapreplace([], 1), lambda: heapify([1, "a"])]:
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
print(list(merge()), heappushpop([], 5))
