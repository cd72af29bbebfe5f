# Containers of the library change in place, for all who hold them.
from collections import Counter, OrderedDict, defaultdict, deque


def attempt(change, *operands):
    try:
        print(change(*operands))
    except TypeError as error:
        print("TypeError:", error)


def grow(queue, other):
    kept = queue
    queue += other
    return queue, kept is queue


def often(queue, times):
    kept = queue
    queue *= times
    return queue, kept is queue


for queue in (deque([1]), deque([1, 2], 2), deque()):
    for other in ([2, 3], "xy", deque([9]), queue, range(2), {5: 6}, (item for item in "z")):
        attempt(grow, queue.copy(), other)
    for times in (0, 1, 3, -1, True):
        attempt(often, queue.copy(), times)
    attempt(lambda: (queue + deque([7]), queue * 2, 2 * queue, queue))
attempt(grow, deque([1]), 5)
attempt(often, deque([1]), 1.5)
attempt(lambda: deque([1]) + [2])
own = deque([1])
own += own
held = {"q": own}
held["q"] += [4]
print(own, held)

for other in (Counter("aab"), Counter(), {"a": 5, "z": 1}):
    counts = same = Counter("abc")
    counts += other
    print(counts, same is counts)
    counts -= other
    print(counts, same is counts)
    counts |= other
    print(counts, same is counts)
    if isinstance(other, Counter):
        counts &= other
    print(counts, same is counts)
attempt(lambda: Counter("ab") + {"a": 1})
for table in (OrderedDict(x=1), defaultdict(int, x=1)):
    same = table
    table |= {"y": 2}
    print(dict(same), same is table)

# A failed statement leaves them as they were.
queue, counts = deque([1]), Counter("ab")
try:
    queue += [2, [][0]]
except IndexError as error:
    print(queue, error)


def broken():
    yield 5
    raise KeyError("no more")


try:
    queue += broken()
except KeyError as error:
    print(error)
