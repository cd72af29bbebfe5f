# Texts longer than a piece that is worked on at once, sets whose sizes lie far apart, calls with many names.
MIB = 1 << 20


def brief(x):
    if isinstance(x, str):
        return (len(x), x[:7], x[-7:], x.count("b"), x.count("ä"))
    if isinstance(x, (list, tuple)):
        return (type(x).__name__, len(x), [brief(part) for part in x[:3]])
    return x


for pad in (MIB - 1,):
    for text in ("x" * pad + "ab äbäb. cΣ", " \t" * (pad // 2) + "ä"):
        for work in (
            lambda t: t.upper(),
            lambda t: t.lower(),
            lambda t: t.title(),
            lambda t: t.capitalize(),
            lambda t: t.swapcase(),
            lambda t: t.casefold(),
            lambda t: t.strip(),
            lambda t: t.strip("xä "),
            lambda t: t.rstrip("xbäcΣ. a"),
            lambda t: t.replace("äb", "B"),
            lambda t: t.replace("x", "yz", pad // 2),
            lambda t: t.replace("", "-", 5),
            lambda t: t.replace("ä", "", 3),
            lambda t: (t.find("b"), t.rfind("ä"), t.find("q"), t.rfind("q"), t.find("")),
            lambda t: (t.find("Σ", 5), t.rfind("x", 0, pad - 1), t.count("b", pad - 9)),
            lambda t: (t.count(""), t.count("äb"), t.count("xx")),
            lambda t: t.partition("äb"),
            lambda t: t.rpartition("b"),
            lambda t: t[::-1],
            lambda t: t[5:-5],
            lambda t: t[::3],
            lambda t: t[pad:],
            lambda t: t[-1:5:-7],
            lambda t: (t.isalpha(), t.islower(), t.isupper(), t.istitle(), t.isspace()),
            lambda t: (t.isprintable(), t.isdigit(), (t + "1").isalnum()),
        ):
            print(brief(work(text)))

small, large = {3, 10**6, -1}, set(range(30000))
for a, b in ((small, large), (large, small), (large, large), (small, small), (set(), large)):
    for made in (a | b, a & b, a - b, a ^ b, frozenset(a) & b):
        print(len(made), sum(made), sorted(made)[:3])
    print(a <= b, a < b, a >= b, a > b, a == b, a.isdisjoint(b), a.issubset(b), a.issuperset(b))
print(sorted(large.intersection(range(5), [3, 4], {4: 0, 3: 1})), len(large.union()), len(large))
print(sorted(small.symmetric_difference(range(4))), sorted(small.difference([3], (-1,))))


def restless(s):
    for i in range(3):
        s.add(i * 100)
        yield i


changing = {7}
print(sorted(changing.union(restless(changing))), sorted(changing))
changing = {1}
print(sorted(changing.intersection(restless(changing))), sorted(changing))
changing = {1, 2}
print(changing.isdisjoint(restless(changing)), sorted(changing))
print(changing.issuperset(restless(changing)), changing.isdisjoint(i for i in range(10**12)), sorted(changing))
changing.update(restless(changing))
print(sorted(changing))
changing.update()
same = changing
same.intersection_update()
print(sorted(changing))
changing.clear()
print(same, set().union(), frozenset({1}).union() == {1})

numbers = list(range(5000))
alias = numbers
numbers.reverse()
print(alias[:3], alias is numbers)
alias.sort()
print(numbers[:3])
numbers.clear()
print(alias)
words = [str(i * 7919 % 100003) for i in range(100003)]
print(sorted(words)[:3], sorted(words, reverse=True)[:3])
floats = [float(w) / 7 for w in words]
print(sorted(floats)[1], max(floats), sorted(floats, reverse=True)[1], sorted(floats, key=lambda x: -x)[1])


def named(first=0, /, *rest, keyword=None, **names):
    return (first, len(rest), keyword, len(names), names.get("k7"))


names = {f"k{i}": i for i in range(20000)}
print(named(**names), named(1, *range(20), keyword=2, **names))
print(len(dict(**names)), len(dict(names, **{"x": 1})), "{k5} {k19999}".format(**names))
for call in (
    lambda: named(**names, **{"new": 1, "k19": 2}),
    lambda: named(*range(30), k1=1, **names),
):
    try:
        print(call())
    except TypeError as error:
        print(str(error).split("named")[-1])
