# Keys that say themselves what they equal, in every operation that looks for one: what is asked, in which order, and
# what becomes of answers that are none.
from collections import Counter, OrderedDict, defaultdict

log = []


class K:
    def __init__(self, name, number=0):
        self.name = name
        self.number = number

    def __hash__(self):
        log.append(f"hash {self.name}")
        return self.number

    def __eq__(self, other):
        log.append(f"{self.name} == {getattr(other, 'name', other)}")
        if not isinstance(other, K):
            return NotImplemented
        return self.name.lower() == other.name.lower()

    def __repr__(self):
        return f"K({self.name})"


def said():
    text = ", ".join(log)
    log.clear()
    return text


def run(what, function):
    try:
        result = function()
    except Exception as error:
        result = f"{type(error).__name__}: {error!r}"
    print(what, "->", result, "|", said())


a, b, big_a, other = K("a"), K("b"), K("A"), K("c", 1)
d = {a: 1, b: 2}
said()
run("same", lambda: d[a])
run("equal", lambda: d[big_a])
run("second", lambda: d[K("B")])
run("absent", lambda: d[K("z")])
run("other hash", lambda: d[other])
run("in", lambda: (a in d, big_a in d, K("z") in d, other in d, K("z") not in d))
run("get", lambda: (d.get(big_a), d.get(K("z")), d.get(K("z"), 7), d.get(other, None)))
run("setdefault", lambda: (d.setdefault(big_a, 9), d.setdefault(K("d"), 4), len(d)))
run("pop", lambda: (d.pop(K("D")), d.pop(K("q"), "none"), len(d)))
run("pop absent", lambda: d.pop(K("q")))


def put(key, value):
    d[key] = value
    return list(d.items())


run("put there", lambda: put(K("B"), 5))
run("put new", lambda: put(K("e"), 6))


def add(key):
    d[key] += 10
    return list(d.items())


run("add", lambda: add(big_a))
run("add absent", lambda: add(K("none")))


def out(key):
    del d[key]
    return list(d)


run("del", lambda: out(K("E")))
run("del absent", lambda: out(K("E")))

s = {a, b}
said()
run("set in", lambda: (big_a in s, K("z") in s, 5 in s, 0 in s))
run("set add", lambda: (s.add(big_a), s.add(K("n")), len(s)))
run("discard", lambda: (s.discard(K("N")), s.discard(K("N")), len(s)))
run("remove", lambda: (s.remove(K("B")), len(s)))
run("remove absent", lambda: s.remove(K("B")))
f = frozenset([a, b])
said()
run("frozen", lambda: (big_a in f, K("z") in f))

for kind in (OrderedDict, lambda p: defaultdict(int, p), Counter):
    e = kind({a: 1})
    said()
    run("kind", lambda: (e[big_a], big_a in e, e.get(K("z"), 3), len(e)))


def counted(keys):
    counts = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    return counts


run("count", lambda: counted([a, big_a, b, K("B"), other]))
run("comprehension", lambda: {k: n for n, k in enumerate([a, big_a, b])})
run("set comprehension", lambda: {k for k in [a, big_a, b]})
run("display", lambda: {a: 1, big_a: 2, b: 3})
run("integers", lambda: {0: "zero"}.get(a))
run("integer sought", lambda: {a: 1}.get(0))


class Odd(K):
    def __init__(self, hashed, equal):
        self.hashed, self.equal, self.name = hashed, equal, "odd"

    def __hash__(self):
        return self.hashed() if callable(self.hashed) else self.hashed

    def __eq__(self, other):
        return self.equal() if callable(self.equal) else self.equal


def fails():
    raise KeyError("from within")


for hashed in ("text", 1.5, None, True, -1, 2**61 - 1, fails):
    run(f"hash {hashed if not callable(hashed) else 'fails'}", lambda: {0: 1}.get(Odd(hashed, True), "absent"))
for equal in ("", "yes", [], [0], None, NotImplemented, fails):
    there = {Odd(3, equal): "there"}
    run(f"equal {equal if not callable(equal) else 'fails'}", lambda: there.get(Odd(3, equal), "absent"))
    run("in", lambda: Odd(3, equal) in there)


class Truthless:
    def __bool__(self):
        raise ValueError("no truth")


run("no truth", lambda: {Odd(3, Truthless()): 1}[Odd(3, Truthless())])


def caught(d, key):
    try:
        return d[key]
    except KeyError as error:
        return "caught", error.args
    finally:
        log.append("finally")


run("caught in the function", lambda: caught({}, Odd(fails, True)))
run("caught", lambda: caught({a: 1}, K("z")))


class Changing:
    """Changes the dictionary while it is asked."""

    def __init__(self, act):
        self.act = act

    def __hash__(self):
        return 5

    def __eq__(self, other):
        self.act()
        return True


target = {}
target[Changing(lambda: None)] = "first"
run("grows", lambda: (target.update({k: k for k in range(40)}), target[Changing(lambda: None)]))


class Inside:
    """Looks for keys while it is asked itself."""

    table = {}

    def __init__(self, depth):
        self.depth = depth

    def __hash__(self):
        if self.depth:
            Inside.table[Inside(self.depth - 1)] = self.depth
        return hash(("inside", self.depth))

    def __eq__(self, other):
        if self.depth and Inside(self.depth - 1) not in {Inside(self.depth - 1): 1}:
            return False
        return isinstance(other, Inside) and self.depth == other.depth


run("inside", lambda: ({Inside(5): 1}[Inside(5)], sorted(Inside.table.values())))


class Hashless:
    def __eq__(self, other):
        return True


run("hashless get", lambda: {}.get(Hashless()))
run("hashless in", lambda: Hashless() in {1})
run("hashless put", lambda: put(Hashless(), 1))


class Plain:
    pass


p, q = Plain(), Plain()
plain = {p: 1}
run("plain", lambda: (plain[p], p in plain, q in plain, plain.get(q, 0), q in {p}, p in {p}))


def keep(key):
    plain[key] = plain.get(key, 0) + 1
    return len(plain), plain[key]


run("plain put", lambda: (keep(p), keep(q), keep(q)))


class Derived(K):
    __hash__ = K.__hash__

    def __eq__(self, other):
        log.append("derived")
        return True


run("derived sought", lambda: {K("x"): 1}.get(Derived("y")))
run("derived there", lambda: {Derived("y"): 1}.get(K("x")))


def pairs():
    for key in (a, big_a, K("z")):
        yield key in d, d.get(key)


run("in a generator", lambda: list(pairs()))


def runaway():
    class Deep:
        def __hash__(self):
            return hash(Deep()) if False else {Deep(): 1}[self]

        def __eq__(self, other):
            return True

    return {}.get(Deep())


try:
    runaway()
except RecursionError as error:
    print("runaway:", type(error).__name__)


class Alike:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return True


class Counting(dict):
    def __missing__(self, key):
        return "missing"


def used_up():
    # What was said of one dictionary's keys counts for no other.
    one, other, there = Alike("one"), Counting(), Alike("there")
    print(len({x: 1 for x in [one, one]}), len({x for x in [one, one]}))
    other[there] = "found"
    print(other[one])
    held = {}
    for key in [one, one]:
        held[key] = 1
    print(other[one], other.get(one), one in other)


used_up()
