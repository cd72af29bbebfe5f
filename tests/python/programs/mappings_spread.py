# What stands behind two stars: dictionaries, what is derived from them, and objects that have keys.
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping, MutableMapping


class Squares:
    def __init__(self, n):
        self.n = n

    def keys(self):
        return [chr(97 + i) for i in range(self.n)]

    def __getitem__(self, key):
        return (ord(key) - 97) ** 2


class Kept(MutableMapping):
    def __init__(self, **of):
        self.of = dict(of)

    def __getitem__(self, key):
        return self.of[key]

    def __setitem__(self, key, value):
        self.of[key] = value

    def __delitem__(self, key):
        del self.of[key]

    def __iter__(self):
        return iter(self.of)

    def __len__(self):
        return len(self.of)


class Named(dict):
    pass


def show(*args, **kwargs):
    return args, kwargs


for mapping in (
    Squares(0), Squares(3), Kept(x=1, y=2), Named(a=1), Counter("abca"), OrderedDict(p=1, q=2), defaultdict(int, z=3),
    {"k": 0},
):
    print({**mapping}, {"a": "first", **mapping}, {**mapping, "a": "last"}, show(1, **mapping), dict(**mapping))
print({**Squares(2), **Kept(b=5), **{"c": 6}}, show(**Squares(1), **Kept(w=1)))


class Name(str):
    def __eq__(self, other):
        return str.__eq__(self, other)

    def __hash__(self):
        return str.__hash__(self)


def two(a, b):
    return a, b


print(two(**{Name("a"): 1, Name("b"): 2}), two(1, **{Name("b"): 3}), show(**{Name("n"): 4}))


def tried(of):
    try:
        print(of())
    except Exception as error:
        print(type(error).__name__, str(error).replace("__main__.", ""))


class Broken:
    def keys(self):
        raise ValueError("no keys")


class Unheld:
    def keys(self):
        return ["a", "b"]

    def __getitem__(self, key):
        raise KeyError(key)


class Bare:
    pass


class Growing(Kept):
    def __iter__(self):
        for key in self.of:
            if key == "x":
                self.of["new"] = 1
            yield key


for wrong in (Broken, Unheld, Bare, lambda: Growing(x=1, y=2), lambda: 5, lambda: [("a", 1)], lambda: None):
    tried(lambda: {**wrong()})
    tried(lambda: show(**wrong()))
tried(lambda: show(**{1: 2}))
tried(lambda: show(a=1, **{"a": 2}))
tried(lambda: show(**{"a": 1}, **Squares(1)))
tried(lambda: {**{1: 2}, **{(3, 4): 5}})
