"""Kinds of containers: `isinstance`, and classes derived from them."""

import typing
from collections import deque
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
    Set,
    Sized,
)

KINDS = (Callable, Collection, Generator, Hashable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence, Set, Sized)
VALUES = ([], (), "a", {}, set(), frozenset(), range(3), 5, None, len, lambda: 0, int, iter([]), (x for x in []), {}.keys(), {}.items(), deque())
for value in VALUES:
    print(type(value).__name__, [kind.__name__ for kind in KINDS if isinstance(value, kind)])
print(isinstance({}.keys(), KeysView), isinstance({}.items(), ItemsView), isinstance({}.values(), KeysView))
print(isinstance([], typing.Iterable), isinstance([], typing.List), isinstance((), typing.List), isinstance(frozenset(), typing.AbstractSet))
print(issubclass(list, Sequence), issubclass(dict, Mapping), issubclass(dict, Sequence), issubclass(bool, Hashable))


class Table(MutableMapping):
    def __init__(self):
        self.rows = {}

    def __getitem__(self, key):
        return self.rows[key]

    def __setitem__(self, key, value):
        self.rows[key] = value

    def __delitem__(self, key):
        del self.rows[key]

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)


table = Table()
table["a"] = 1
table.update({"b": 2}, c=3)
table.update([("d", 4)])
print(dict(table), table.pop("a"), table.pop("z", None), table.get("q", 0), list(table.items()), list(table.values()))
print("b" in table, table == {"b": 2, "c": 3, "d": 4}, table.setdefault("e", 5), table.popitem(), len(table.keys()), "b" in table.keys())
print(sorted(table.keys() & {"b", "x"}), isinstance(table, Mapping), isinstance(table, Iterable))
try:
    table.pop("nothing")
except KeyError as error:
    print("KeyError", error)
table.clear()
print(len(table), bool(table))


class Row(MutableSequence):
    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __len__(self):
        return len(self.items)

    def insert(self, index, value):
        self.items.insert(index, value)


row = Row(1, 2, 3)
row.append(4)
row += [5, 3]
row.reverse()
print(list(row), 3 in row, 9 in row, row.index(4), row.count(3), row.pop(), row.pop(0), list(reversed(row)))
row.remove(4)
row.extend(row)
print(row.items)
try:
    row.index(99)
except ValueError:
    print("ValueError")


class Bag(Set):
    def __init__(self, items):
        self.kept = list(dict.fromkeys(items))

    def __contains__(self, item):
        return item in self.kept

    def __iter__(self):
        return iter(self.kept)

    def __len__(self):
        return len(self.kept)


one, two = Bag([1, 2]), Bag([2, 3])
print((one & two).kept, (one | two).kept, (one - two).kept, (one ^ two).kept, one <= two, one == {1, 2}, one < Bag([1, 2, 3]), one.isdisjoint([5]))


class Steps(Iterator):
    def __init__(self):
        self.at = 0

    def __next__(self):
        self.at += 1
        if self.at > 3:
            raise StopIteration
        return self.at


print(list(Steps()), isinstance(Steps(), Iterable))
for made in (Mapping, MutableSequence, Iterator, Hashable):
    try:
        made()
    except TypeError as error:
        print(error)


class Node:
    pass


def walk(node: Node | None, rest: "list[Node] | int" = 0) -> Node | int | None:
    return node


print(walk.__annotations__["node"], walk.__annotations__["return"], isinstance(Node(), Node | None), isinstance(None, Node | int))
