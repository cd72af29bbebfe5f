# Counting in dictionaries: what a place does at once for one dictionary and key must not count for others.
from collections import Counter, OrderedDict, defaultdict


class Same:
    """Is as one number."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return other == self.number

    def __hash__(self):
        return hash(self.number)


class Upper(dict):
    def __getitem__(self, key):
        return ("upper", dict.get(self, key))

    def __setitem__(self, key, value):
        dict.__setitem__(self, key, (value, value))

    def get(self, key, default="none"):
        return ("got", default)


class Table:
    def __init__(self):
        self.d = {}

    def get(self, key, default=None):
        return ("table", key, default)

    def __getitem__(self, key):
        return key

    def __setitem__(self, key, value):
        self.d[key] = value


def count(d, keys):
    for k in keys:
        d[k] = d.get(k, 0) + 1
    return d


def read(d, keys):
    seen = []
    for k in keys:
        try:
            seen.append(d[k])
        except KeyError as error:
            seen.append(("missing", *error.args))
    return seen


def get_one(d, keys):
    return [d.get(k) for k in keys]


def get_two(d, keys, default):
    return [d.get(k, default) for k in keys]


for size in (0, 1, 2, 3, 7, 8, 9, 10, 40):
    numbers = [i * 7 % (size + 1) for i in range(3 * size + 2)]
    texts = [f"k{number}" for number in numbers]
    for keys in (numbers, sorted(numbers), numbers[::-1], [-k for k in numbers], texts, texts + numbers):
        d = count({}, keys)
        print(size, d, get_one(d, [0, 1, -1, size, size + 1, "k0", "k1", "", None, 0.0, 1.0, True, (0,)]))
        print(get_two(d, [0, 99, "k0", "no"], 5), get_two(d, [0, 99], []), get_two(d, [0, 99], "x"))
        print(read(d, [0, 1, size, 10**12, -(10**12), 2**62, "k1", "k99", True, 1.0]))

# Entries that go leave places behind, and others come to stand there.
d = {i: i for i in range(40)}
for i in range(0, 40, 3):
    del d[i]
for i in range(30, 50):
    d[i] = i * i
print(get_one(d, range(-2, 52)), read(d, range(0, 50, 7)))
for i in list(d)[:30]:
    d.pop(i)
print(get_one(d, range(50)), count(d, range(0, 60, 5)))

# Numbers that are equal are one key, whatever they are.
d = {0: 1, 1.0: 2, 2: 3, True: 4, 3.0: 5}
print(count(d, [0, 1, 2, 3, False, True, 2.0]), get_one(d, [0, 1, 2, 3]))
d = count({Same(0): 10, Same(1): 20}, [0, 1, 2, Same(2), 0])
print(list(d.values()), get_one(d, [0, 1, 2, 3, Same(1), Same(5)]))
d = count({i: i for i in range(12)}, [Same(3), 3, Same(12), 12, Same(-1), -1])
print(list(d.values()), [d[Same(12)], d[12], d.get(Same(40), 0), d.get(40, 0)])

# One place, many kinds of dictionaries.
kinds = [{}, OrderedDict(), defaultdict(int), Counter(), {}, Upper(), {1: 2.5}, Table(), {1: [1]}, {1: "a"}, {1: None}, {1: True}]
for d in kinds + kinds[::-1]:
    print(type(d).__name__, get_two(d, [1, "a"], 0), get_one(d, [1, "a"]))
    try:
        print(count(d, [1, 1, 2]).__class__.__name__, d if not isinstance(d, Table) else d.d)
    except TypeError as error:
        print(error)
print([read(d, [1, 2, 3]) for d in kinds if not isinstance(d, defaultdict)], kinds[2][3], kinds[2])


# What a default or a key holds is let go of.
class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("end of", self.name)


def default(d, n):
    for i in range(n):
        d.get(i % 2, Loud(i))
        print("after", i)


default({0: 1, 1: 2}, 4)
default({0: 1}, 4)


def longer(d):
    s = "k"
    for i in range(6):
        if d.get(s, 0) == 0:
            s += "k"
    return s


print(longer({"kk": 0, "kkk": 1}), longer({}))


# An error after a change that is caught leaves the change.
def failing(d):
    for i in range(30):
        d[i % 12] = i
        if i == 17:
            raise ValueError(i)


for d in ({}, {i: 0 for i in range(12)}, {str(i): 0 for i in range(12)}):
    try:
        failing(d)
    except ValueError as error:
        print(error, d)


# The dictionary that goes while its argument is computed.
def swapped():
    d = {1: 10, 2: 20}

    def other():
        nonlocal d
        d = {1: "other"}
        return 1

    return d.get(other(), 0), d.get(other()), d[other()]


print(swapped())


def turned(n):
    d, seen = {0: 1}, []
    for i in range(n):
        seen.append(d.get(i, (d := {i + 1: i})[i + 1]))
        d[i + 1] = d[i + 1] + 1
    return seen, d


print(turned(5))
try:
    {1: 2}.get([], 1)
except TypeError as error:
    print(error)
try:
    {1: 2}[{}] = 1
except TypeError as error:
    print(error)
