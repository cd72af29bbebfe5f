# What a question of a container leaves behind that failed, and errors of keys that are none of missing keys.
log = []


class Key:
    def __init__(self, kind):
        self.kind = kind

    def __hash__(self):
        log.append("hash " + self.kind)
        if self.kind == "hash":
            raise KeyError("no hash")
        return 7

    def __eq__(self, other):
        log.append("eq " + self.kind)
        if "eq" in (self.kind, other.kind):
            raise ValueError("not comparable")
        return True


class Missing(dict):
    def __getitem__(self, key):
        log.append("getitem")
        return dict.__getitem__(self, key)

    def __missing__(self, key):
        log.append("missing")
        return "made"


class Plain(dict):
    def __missing__(self, key):
        log.append("missing")
        return "made"


BAD, SHY, GOOD = Key("hash"), Key("eq"), Key("good")


def tell(what):
    print(what, log)
    log.clear()


# Each of these stands in a compound statement of the cell that has begun nothing yet.
for key in (BAD, SHY, GOOD):
    try:
        print(len({x for x in [key, GOOD]}))
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
    tell("comprehension")
    try:
        print({GOOD: 1, key: 2}[key])
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
    tell("display")
    try:
        print(key in {GOOD}, key in (GOOD, GOOD))
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
    tell("in")
    for made in (Missing(), Plain(), Missing({GOOD: 5}), Plain({GOOD: 5})):
        try:
            print(made[key])
        except (KeyError, ValueError) as error:
            print(type(error).__name__)
        tell("item")
    try:
        print({**{GOOD: 1}, **{key: 2}} == {GOOD: 2})
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
    tell("equal")
    try:
        print([SHY, GOOD].index(key), [GOOD].count(key), max(1, 2))
    except (KeyError, ValueError) as error:
        print(type(error).__name__)
    tell("index")


class Odd:
    def __bool__(self):
        log.append("bool")
        raise RuntimeError

    def __len__(self):
        log.append("len")
        raise RuntimeError

    def __iter__(self):
        log.append("iter")
        raise RuntimeError

    def __getitem__(self, key):
        log.append("getitem")
        raise RuntimeError

    def __add__(self, other):
        log.append("add")
        raise RuntimeError

    def __lt__(self, other):
        log.append("lt")
        raise RuntimeError

    def __str__(self):
        log.append("str")
        raise RuntimeError

    def __getattr__(self, name):
        log.append("getattr")
        raise RuntimeError

    def __index__(self):
        log.append("index")
        raise RuntimeError

    def __call__(self):
        log.append("call")
        raise RuntimeError

    def __format__(self, specification):
        log.append("format")
        raise RuntimeError


odd = Odd()
for ask in ("not odd", "len(odd)", "[*odd]", "odd[0]", "odd + 1", "odd < 1", "f'{odd}'", "f'{odd!s}'", "odd.x", "[1, 2][odd]"):
    try:
        if ask == "not odd":
            not odd
        elif ask == "len(odd)":
            len(odd)
        elif ask == "[*odd]":
            [*odd]
        elif ask == "odd[0]":
            odd[0]
        elif ask == "odd + 1":
            odd + 1
        elif ask == "odd < 1":
            odd < 1
        elif ask == "f'{odd}'":
            f"{odd}"
        elif ask == "f'{odd!s}'":
            f"{odd!s}"
        elif ask == "odd.x":
            odd.x
        else:
            [1, 2][odd]
    except RuntimeError:
        pass
    tell(ask)
while True:
    try:
        a, b = odd
    except RuntimeError:
        tell("unpacked")
    try:
        [x for x in odd if odd]
    except RuntimeError:
        tell("comprehended")
    try:
        sorted([odd, odd])
    except RuntimeError:
        tell("sorted")
    try:
        odd()
    except RuntimeError:
        tell("called")
    try:
        range(odd)
    except RuntimeError:
        tell("range")
    try:
        "".join(map(str, [odd]))
    except RuntimeError:
        tell("mapped")
    try:
        1 if odd else 2
    except RuntimeError:
        tell("chosen")
    try:
        odd[1:odd]
    except RuntimeError:
        tell("sliced")
    break


class Amount:
    def __add__(self, other):
        log.append("add")
        if other == "no":
            raise ValueError("no")
        return self


# What an update adds comes before the key is asked again.
counts = {GOOD: Amount(), "text": "a"}
for other in (1, "no"):
    try:
        counts[GOOD] += other
    except ValueError:
        pass
    tell("updated")
try:
    counts[GOOD] = 1
    counts[GOOD] += "text"
except TypeError:
    tell("not a number")
counts[GOOD] += 2
print(counts[GOOD])
tell("counted")


class Word(str):
    pass


class Unsure:
    def __eq__(self, other):
        log.append("eq")
        return NotImplemented

    def __lt__(self, other):
        log.append("lt")
        return NotImplemented


print(Unsure() == Word("a"), Word("a") == Unsure(), Unsure() != Word("a"), Word("a") != Unsure())
tell("asked once")
for compare in (lambda: Unsure() < Word("a"), lambda: Word("a") > Unsure()):
    try:
        compare()
    except TypeError as error:
        print(error)
    tell("no order")
print(Word("%s") % Amount.__name__, Word("a") == "a", "a" != Word("a"), Word("a") < "b", [Word("a")] == ["a"])
