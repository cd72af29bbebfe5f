# Heaps of objects that say their order themselves: the comparisons and the places are CPython's, also where one
# fails, knows nothing or changes the heap.
import heapq
from dataclasses import dataclass, field

log = []


class Item:
    def __init__(self, name):
        self.name = name

    def __lt__(self, other):
        log.append(f"{self.name}<{getattr(other, 'name', other)}")
        if not isinstance(other, Item):
            return NotImplemented
        return self.name < other.name

    def __repr__(self):
        return self.name


def said():
    text = " ".join(log)
    log.clear()
    return text


heap = []
for name in "hcfadbge":
    heapq.heappush(heap, Item(name))
    print(heap, said())
print(heapq.heappushpop(heap, Item("aa")), said())
print(heapq.heapreplace(heap, Item("k")), heap, said())
while heap:
    print(heapq.heappop(heap), heap, said())
for text in ("", "a", "ba", "cab", "dcba", "thequickbrownfox"):
    heap = [Item(name) for name in text]
    heapq.heapify(heap)
    print(heap, said())


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)


tasks = []
for number in range(40):
    heapq.heappush(tasks, Task(number * 7 % 11, f"t{number}"))
print([(task.priority, task.name) for task in tasks])
print([heapq.heappop(tasks).name for _ in range(40)])


class Failing(Item):
    left = 3

    def __lt__(self, other):
        Failing.left -= 1
        if Failing.left < 0:
            raise ValueError(f"{self.name} has no order")
        return self.name < other.name


heap = []
for name in "dcba":
    try:
        heapq.heappush(heap, Failing(name))
    except ValueError as error:
        print(error)
print(sorted(map(repr, heap)))


class Odd(Item):
    def __lt__(self, other):
        return [] if self.name < other.name else "yes"


heap = []
for name in "acbed":
    heapq.heappush(heap, Odd(name))
print(heap)


class Other:
    def __init__(self, name):
        self.name = name

    def __gt__(self, other):
        log.append(f"other {self.name}>{other.name}")
        return self.name > other.name

    def __lt__(self, other):
        log.append(f"other {self.name}<{other.name}")
        return self.name < other.name

    def __repr__(self):
        return self.name.upper()


heap = []
for at, name in enumerate("gdafbec"):
    heapq.heappush(heap, (Item if at % 2 else Other)(name))
print(heap)
print([heapq.heappop(heap) for _ in range(7)])
log.clear()

heap = [Item("b")]
try:
    heapq.heappush(heap, 5)
except TypeError as error:
    print(error)


class Growing(Item):
    def __lt__(self, other):
        if len(heap) < 5:
            heap.append(self)
        return False


heap = [Growing("x"), Growing("y")]
try:
    heapq.heappush(heap, Growing("z"))
    print("pushed")
except RuntimeError as error:
    print(type(error).__name__, error)

print(heapq.nsmallest(2, [Item("c"), Item("a"), Item("b")]), heapq.nlargest(2, [Item("c"), Item("a"), Item("b")]))
print(list(heapq.merge([Item("a"), Item("c")], [Item("b")])))
