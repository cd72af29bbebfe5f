# Objects are asked what Python asks them, no more and no less: unpacking, comparisons of what holds them.
import bisect
import heapq


def say(value, *rest):
    print("<", value, *rest, ">")
    return value


def attempt(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, error)


class Told:
    def __init__(self, name, n=1):
        self.name, self.n = name, n

    def __repr__(self):
        return f"Told({self.name})"

    def __iter__(self):
        return iter(say([self.n, self.n + 1], "iter", self.name))

    def __len__(self):
        return say(self.n, "len", self.name)

    def __eq__(self, other):
        return say(False, "eq", self.name)

    def __lt__(self, other):
        return say(False, "lt", self.name)

    def __gt__(self, other):
        return say([], "gt", self.name)

    def __le__(self, other):
        return say([], "le", self.name)

    def __ge__(self, other):
        return say([], "ge", self.name)


l = [1, 2]
a, l[1] = Told("t", -1)
a, b = Told("t", -1)
a, l[1] = Told("t", 1)
print(a, b, l)


def starred():
    a, *b = Told("t", 2)
    return a, b


def short():
    a, b, c = Told("t", 2)


attempt(starred)
attempt(short)

t = Told("t")
for made in (
    lambda: (t,) < ("a",),
    lambda: (t, 1) <= ("a", 2),
    lambda: [t, 1] > ["a", 2],
    lambda: [(t, 1)] >= [("a", 2)],
    lambda: (1, [t]) > (1, ["a"]),
    lambda: max([(t, 1), (3, 4)]),
    lambda: sorted([(t, 1), (3, 4), (t, 1)]),
):
    attempt(made)


class Less:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return say(self.n < other.n, "lt")

    def __eq__(self, other):
        return say(self.n == other.n, "eq")


for made in (
    lambda: (Less(1), 2) < (Less(1), 3),
    lambda: (Less(1), 2) < (Less(2), 3),
    lambda: (Less(1), 2) > (Less(2), 3),
    lambda: (Less(1), 2) <= (Less(1), 3),
    lambda: (Less(1), 2) <= (Less(0), 3),
    lambda: (Less(1),) == (Less(0),),
    lambda: (Less(1), Less(3)) != (Less(1), Less(3)),
    lambda: sorted([(Less(1), 2), (Less(0), 3)])[0][1],
    lambda: bisect.bisect([(Less(1), 2), (Less(3), 3)], (Less(2), 5)),
    lambda: max((Less(1), 2), (Less(2), 3))[1],
    lambda: min((Less(1), 2), (Less(2), 3), (Less(0), 1))[1],
    lambda: sorted([Less(2), Less(1), Less(3)])[0].n,
):
    attempt(made)

heap = [(Less(3), 1), (Less(2), 2)]
attempt(lambda: heapq.heapify(heap) or heap[0][1])

nan = float("nan")
for several in (
    [3.0, nan, 1.0, 2.0], [nan, 2.0, 1.0, nan, 0.5], [{1}, {2}, {1, 2}, set(), {3}], [5.0, 4.0, nan, 3.0, 2.0, nan, 1.0],
):
    print(sorted(several), sorted(several, reverse=True), sorted(several, key=lambda x: [x]), max(several, key=lambda x: [x]))
    several.sort()
    print(several)
for n in (2, 3, 4, 5, 9):
    print(sorted([Less(at * 7 % 5) for at in range(n)], reverse=n % 2 == 0)[0].n)
print([at for _, at in sorted([(Less(at % 3), at) for at in range(7)], key=lambda pair: pair[0], reverse=True)])
