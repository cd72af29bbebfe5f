# Tuples as keys and elements, found by what they hold: numbers, texts, and what equals them.
from collections import Counter, defaultdict


class Same:
    """Equals any pair of numbers, by the hash of one."""

    def __eq__(self, other):
        return isinstance(other, tuple)

    def __hash__(self):
        return hash((1, 2))


class One(int):
    pass


d = {}
for i in range(5):
    for j in range(5):
        d[i, j] = i * j
d["a", 1] = "text"
d[()] = "none"
d[(1,)] = "one"
d[1, 2, 3, 4, 5, 6, 7, 8] = "eight"
d[1, 2, 3, 4, 5, 6, 7, 8, 9] = "nine"
d[1.5, 2] = "float"
d[True, "b"] = "truth"
d[(1, (2, 3))] = "inside"
print(len(d), d[2, 3], d["a", 1], d[()], d[(1,)], d[1, 2, 3, 4, 5, 6, 7, 8], d[1, 2, 3, 4, 5, 6, 7, 8, 9], d[1.5, 2])
print(d[1.0, 2], d[True, 2], d[1, "b"], d[1.0, "b"], d[One(1), 2], d[1, (2, 3)], d[1.0, (2.0, 3)], d[2.0, 3.0])
print((1, 2) in d, (1, 9) in d, ("a", 1) in d, ("a", True) in d, (1, 2, 3) in d, () in d, (-1, -2) in d, (2**61, 1) in d)
for i in range(3):
    d[i, i] += 10
    d[i, 0] = d.get((i, 1), 0) + d.get((i, 99), 5)
    d[1.0, i] = "replaced"
print(d[0, 0], d[1, 1], d[2, 2], d[2, 0], [k for k in d if d[k] == "replaced"])
for key in ((9, 9), ("z",), (1, 2, 3)):
    for again in range(2):
        try:
            d[key]
        except KeyError as error:
            print("KeyError", error)
for wrong in (([1], 2), ({}, 1)):
    try:
        d[wrong]
    except TypeError as error:
        print(error)
    try:
        print(wrong in d)
    except TypeError as error:
        print(error)

seen = set()
for step in range(3):
    for p in ((0, 0), (1, 0), (1, 0.0), (True, False), ("x", 1), (0, 0), (1, (2, 3))):
        new = p not in seen
        seen.add(p)
        print(p, new, len(seen), end="; ")
print()
seen.discard((1, 0))
seen.discard((5, 5))
seen.remove(("x", 1))
print(sorted(map(str, seen)), (1.0, 0) in seen, (0, 0) in seen)
try:
    seen.remove((7, 7))
except KeyError as error:
    print("KeyError", error)

own = {Same(): "own"}
print((1, 2) in own, own[1, 2], own.get((1, 2)), (2, 1) in own, {Same()} & {(1, 2)} != set(), (1, 2) in {Same()})
own[1, 2] = "set"
print(len(own), own[1, 2])
mixed = {(1, 2): "plain", (Same(), 2): "inside"}
print((1, 2) in mixed, (2, 2) in mixed, len(mixed))

c = Counter()
g = defaultdict(list)
for i in range(6):
    c[i % 2, "k"] += 1
    g[i % 3, i % 2].append(i)
print(c, dict(g))

# Letters taken from the ends.
for text, letters in (("..a.b,.", ".,"), ("aaa", "a"), ("", "x"), ("xyz", ""), ("äöä", "ä"), ("héh", "h"), ("  a ", " "),
                      ("a\tb\n", "\n\t"), ("[x]", "]["), ("b" * 300, "b"), ("word.", ".,;:!?")):
    print([text.strip(letters), text.lstrip(letters), text.rstrip(letters), text.strip(None), text.strip()])
