# What is done with whole containers at once: copies, comparisons, sorts, extremes, walks, texts and patterns.
import itertools
import random
import re
from collections import deque

random.seed(5)


class Shy:
    """Says itself what it equals and how it stands."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Shy) and self.x == other.x

    def __lt__(self, other):
        return self.x < other.x

    def __ge__(self, other):
        return self.x >= other.x

    def __gt__(self, other):
        return self.x > other.x

    def __hash__(self):
        return hash(self.x)

    def __repr__(self):
        return f"Shy({self.x})"


nan = float("nan")
kinds = [
    [3, 1, 2], [3.5, -0.0, 0.0, 1.5], ["b", "a", "ab", "", "é", "a\0", "abcdefghi", "abcdefgh", "abcdefghj"],
    [(2, "b"), (1, "z"), (2, "a"), (1,)], [[2, 1], [1, 5], [2], [], [1, 5, 0]], [True, 0, 2, False, 1], [1, 2.5, True, 1.0],
    [], [7], [Shy(2), Shy(1)], [10**18, -10**18, 0], [(1, nan), (1, nan), (0, nan)], [[1.5], [0.5, 2]], [(1, (2,)), (1, (1,))],
]
for items in kinds:
    print(sorted(items), sorted(items, reverse=True), sorted(items, key=lambda v: v), [items[:] == items, items + items, items * 2])
    print(items[::-1], list(reversed(items)), items[::2], items == list(items), items < items + items, items[1:] < items, tuple(items) >= tuple(items[1:]))
    if items:
        print(min(items), max(items), min(items, key=lambda v: v), len(items))
    copy = items.copy()
    copy.sort(reverse=True)
    copy.reverse()
    print(copy, sorted(enumerate(items), key=lambda pair: pair[1]) if items else None)

for wrong in ([1, "a"], [(1, "a"), (1, 2)], [[1, None], [1, 2]], [1j, 2j], [None, None]):
    for ask in (sorted, min, max, lambda items: items[0] < items[1]):
        try:
            print(ask(wrong))
        except TypeError as error:
            print(error)

# Equal keys keep their order, also backwards.
pairs = [(random.randrange(5), at) for at in range(40)]
print(sorted(pairs, key=lambda pair: pair[0]) == sorted(pairs), sorted(pairs, key=lambda pair: pair[0], reverse=True))
print(sorted(pairs, key=lambda pair: float(pair[0]), reverse=True)[:9], sorted(pairs, key=lambda pair: "xyzab"[pair[0]] * 9, reverse=True)[:9])
words = ["".join(random.choice("ab\0é") for _ in range(random.randrange(12))) for _ in range(300)]
for key in (None, len, str.upper, lambda w: w[::-1], lambda w: (len(w), w)):
    ordered = sorted(words, key=key)
    made = [key(w) if key else w for w in ordered]
    print(all(a <= b for a, b in zip(made, made[1:])), ordered[:3], max(words, key=key) if key else max(words))
numbers = {w: at for at, w in enumerate(words)}
print(max(numbers, key=numbers.get), min(numbers, key=numbers.__getitem__), sorted(numbers, key=numbers.get)[-2:])

# Lists that change while they are walked backwards.
shrinking = list(range(10))
seen = []
for item in reversed(shrinking):
    seen.append(item)
    if item == 7:
        del shrinking[3:]
print(seen, shrinking)
back = reversed([1, 2, 3])
print(next(back), list(back), next(back, "end"), list(reversed((1, 2))), list(reversed("aé")), list(reversed(range(0))))

# Walks.
steps = iter([1, 2, 3, 4, 5, 6])
print(list(itertools.islice(steps, 2)), list(itertools.islice(steps, 1, None, 2)), list(steps))
print(list(itertools.accumulate([1, 2, 3])), list(itertools.accumulate([2**62, 2**62 - 1])), list(itertools.accumulate([1, 2.5, True])), list(itertools.accumulate("abc")))
print(list(itertools.accumulate([3, 1, 2], max)), list(itertools.accumulate([], initial=4)), list(itertools.accumulate([1], initial=4)))
print(list(itertools.chain([1], (2, 3), "ab", range(2), {5: 6}, {7})), list(itertools.chain()), list(itertools.chain.from_iterable([[1], [], [2, 3]])))
shared = iter("abcdef")
print(list(itertools.zip_longest(shared, shared, [1], fillvalue=0)), list(itertools.pairwise([1])), list(itertools.pairwise("abc")))
print(list(itertools.takewhile(lambda v: v < 3, [1, 2, 3, 1])), list(itertools.dropwhile(lambda v: v < 3, [1, 3, 1])), list(itertools.filterfalse(None, [0, 1, ""])))
print(list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(itertools.compress("abc", [1, 0, 1])), list(itertools.islice(itertools.cycle([1, 2]), 5)))
growing = [1]
walk = itertools.chain(growing, [9])
print(next(walk), growing.append(2), list(walk))
print(list(zip([1, 2], "ab", (3, 4))), list(zip([1])), list(zip()), dict(zip("ab", [1, 2])), list(zip(*[(1, 2), (3, 4), (5, 6)])))

# Queues that take in a few.
queue = deque(range(100))
queue.extend([1, 2])
queue.extendleft("ab")
bounded = deque(range(5), maxlen=5)
bounded.extend([7, 8])
bounded.extendleft([9])
print(list(queue)[:4], list(queue)[-3:], len(queue), bounded)
try:
    for item in queue:
        queue.extend([item])
except RuntimeError as error:
    print(error)
queue.extend(queue)
print(len(queue))
for still in (deque([1, 2]), deque([], maxlen=0)):
    for item in still:
        still.extend([])
        still.extendleft(())
    still.extend([1] if still.maxlen == 0 else [])
    print(still)

# Texts.
for text in ("", "a", "abcab" * 9, "aébé" * 5, "\0" * 3):
    print(text.count("a"), text.count("ab"), text.count("é"), text.count(""), text.count("b", 2), text[::-1], text[::-2], text[5:1:-1], text[-2::-1], list(text)[:4], [c for c in text][-2:])
table = str.maketrans({"a": "é", "b": None, "c": "xyz", "d": 100, "é": "e"})
print("abcdéz".translate(table), "aab".translate({97: 98}), "aa".translate({97: "b", 98: "c"}), "".translate({}))


class Raised(dict):
    def __missing__(self, code):
        return chr(code + 1)


print("abca".translate(Raised({97: "!"})))
for bad in ({97: 1.5}, {97: -1}, {97: 1 << 30}):
    try:
        print("ba".translate(bad))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print("%d:%s %s %d%%" % (1, 2, "x", -3), "%s" % "long" * 9, "%s" % (True,), "%d" % True, "%5d|%-5s|" % (3, "ab"), "%s %s" % ("é" * 30, 10**18))
for template, values in (("%d", ("a",)), ("%d %d", (1,)), ("%d", (1, 2)), ("%s", ()), ("%", ()), ("%q", 1)):
    try:
        print(template % values)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(hex(255), hex(-255), oct(8), oct(-8), bin(5), bin(0), bin(-5), hex(True), [pow(3, e, 7) for e in range(8)], pow(2, 10**9, 10**9 + 7), pow(-3, 3, 7), pow(3, 3, -7), pow(3, -1, 7), pow(2, 0, 1))

# Numbers as texts.
for x in (0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 2.675, 1e15, 1e16, 1e22, 123456789.125, -0.001, 1e-7, 5e-324, 1.7976931348623157e308, 1/3, 100, -7):
    print(f"{x:.0f} {x:.1f} {x:.2f} {x:8.3f}| {x:08.2f}| {x:.10f} {x:.20f} {x:+.1f} {x:,.2f} {x:.1%}", "%.2f" % x, round(x, 2), repr(float(x)), str(float(x) * 3))

# Patterns.
for pattern in (r"\d+", r"(\w)=(\d+)", r"(a)|(b)", r"", r"x*", r"(?P<n>é)|,", r"$", r"\b"):
    for text in ("", "a=1,b=22;é", "xaxxb", "a\nb\n"):
        p = re.compile(pattern)
        print(p.findall(text), p.split(text), p.split(text, 1), p.sub("-", text), p.subn("", text, 1), p.findall(text, 1, 4))
        print(p.sub(lambda m: f"<{m.group()}>", text), [m.span() for m in p.finditer(text)], re.sub(pattern, r"[\g<0>]", text))
for wrong in (1, None, b"x"):
    for ask in (re.findall, re.split):
        try:
            ask("a", wrong)
            print("taken")
        except TypeError as error:
            print(type(error).__name__)

# Repeats on both sides of what is copied at once.
for items in ([], [1], (2, "a"), [0.5] * 1023, list(range(1025)), [[3]]):
    for times in (-1, 0, 1, 2, 511, 513):
        many = items * times
        print(len(many), many[:3], many[-2:], many[:len(items)] == items[:len(many)], end=" ")
    print()
print(list("aé" * 3), list(""), list("abc")[1], [letter for letter in "aé"], [1] * True, sum([]), sum([1, 2.5, True]), sum([-0.0, -0.0]), sum([0.1] * 10), sum([2**62, 1.5]), sum((1, 2)), sum([1.5, 2], 3))
