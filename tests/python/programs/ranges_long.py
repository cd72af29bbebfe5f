# Ranges that nobody could make a list of: whatever looks at them makes no more items than it shows.
import bisect
import copy
import itertools
import operator
import random
from fractions import Fraction

long = range(10**18)
print(len(long), long[-1], long[10**17:10**17 + 5], long[::-1], long[::10**17], long[5:-10**18:-2])
print(long.index(10**17), long.count(7), range(0, 10**18, 3).count(7), long == range(10**18), hash(long) == hash(range(10**18)))
print([value in long for value in (5, -1, 5.0, True, 3 + 0j, Fraction(6, 2))], [value in range(50) for value in (5.5, None, "a", 3 + 1j, Fraction(1, 2), [1])])


class Seven:
    def __eq__(self, other):
        return other == 7


print(Seven() in range(10), Seven() in range(5), range(10).index(Seven()), range(20).count(Seven()))

random.seed(1)
print(random.sample(range(10**12), 3), random.sample(range(-10**12, 10**12, 7), k=2), random.sample("abcdefghij", 4))
print(random.sample(range(21), 21), random.sample(range(22), 5), random.sample(range(1000), 40)[-3:])
print(random.sample(["a", "b"], counts=[10**12, 3], k=3), random.sample(["a", "b"], counts=[2, 1], k=3))
print(random.choice(long), random.choices(long, k=2), random.choices("abc", weights=[1, 2, 3], k=4), random.choices("abc", cum_weights=[1, 2, 3], k=4))
print(random.randrange(10**18), random.randrange(5, 10**18, 7), random.randint(-2**62, 2**62))
for call in (
    lambda: random.sample([1, 2], 3), lambda: random.sample([1, 2], -1), lambda: random.sample({1, 2}, 1), lambda: random.sample({1: 2}.keys(), 1),
    lambda: random.sample(iter([1]), 1), lambda: random.sample("ab", counts=[1], k=1), lambda: random.sample("ab", counts=[0, 0], k=0),
    lambda: random.choices([], k=1), lambda: random.choices({1, 2}, k=1), lambda: random.choices("ab", [1]), lambda: random.choices("ab", [0, 0]),
    lambda: random.shuffle((1, 2)), lambda: random.shuffle("ab"), lambda: random.shuffle(range(3)),
):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


class Endless:
    def __len__(self):
        return 10**15

    def __getitem__(self, at):
        return "item", at


class Drawn:
    def __len__(self):
        return 5

    def __getitem__(self, at):
        return at, random.random()


class Holes:
    def __len__(self):
        return 3

    def __getitem__(self, at):
        if at == 1:
            raise IndexError
        return at


random.seed(2)
print(random.choice(Endless()), random.choices(Endless(), k=2), random.choice(Drawn()))
backwards = reversed(Endless())
print(next(backwards), next(backwards), list(reversed(Holes())), list(reversed("añb")))
items = [1, 2, 3, 4, 5]
random.shuffle(items)
places = {0: "a", 1: "b", 2: "c"}
random.shuffle(places)
print(items, places)

print(list(zip(long, "abc")), next(enumerate(long)), next(map(abs, range(5, 10**18))), next(filter(None, long)), next(reversed(long)))
print(any(long), all(long), max(range(0), default=3), [*itertools.islice(long, 10, 20, 5)], next(itertools.cycle(long)), next(itertools.accumulate(range(1, 10**18))))
print(next(itertools.chain.from_iterable([long])), next(itertools.pairwise(long)), next(itertools.groupby(long))[0], next(itertools.zip_longest(long, "ab")))
print(bisect.bisect(long, 10**17), bisect.bisect_left(range(0, 10**18, 3), 10), bisect.bisect(long, 7.5), operator.getitem(long, 10**17))
print(copy.deepcopy(long), {long: 1}[range(10**18)], slice(5, None, 3).indices(10**18), dict(zip("ab", long)))
whole = range(-2**63, 2**63 - 1)
print(whole[0], whole[-1], whole[5:10], whole[2**62], 2**62 in whole, bool(whole), next(iter(whole)))
for at in reversed(long):
    break
print(at)
