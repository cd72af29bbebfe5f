# What methods and functions that CPython has in C say to arguments that they do not take.
values = [
    ({1: 2}, "clear copy get items keys pop popitem setdefault update values"),
    ([3, 1], "append clear copy count extend index insert pop remove reverse sort"),
    ("ab", "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill"),
    ({1}, "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update"),
    (frozenset([1]), "copy difference intersection isdisjoint issubset issuperset symmetric_difference union"),
    ((1, 2), "count index"),
    (b"ab", "capitalize center count decode endswith expandtabs find hex index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill"),
    (5, "as_integer_ratio bit_count bit_length conjugate to_bytes"),
    (1.5, "as_integer_ratio conjugate hex is_integer"),
    (2j, "conjugate"),
    (range(3), "count index"),
]


def said(call):
    try:
        call()
    except TypeError as error:
        words = str(error)
        return words if any(part in words for part in ["takes", ", got ", "keyword", "needs an", "descriptor", "missing"]) else "TypeError"
    except Exception as error:
        return type(error).__name__
    return "fine"


for value, names in values:
    for name in names.split():
        method = getattr(value, name)
        print(type(value).__name__, name, [said(lambda: getattr(value, name)(*[1] * count)) for count in range(5)])
        if name in "count endswith find index rfind rindex startswith difference difference_update intersection intersection_update union update".split():
            # CPython names these with their type or without, by how they were looked up.
            continue
        print("   ", said(lambda: method(nothing=1)), said(lambda: method(1, nothing=1)))

for of, names in [(list, "append count pop"), (dict, "get keys"), (str, "upper split find"), (bytes, "hex"), (int, "bit_length"), (float, "hex"), (set, "add"), (tuple, "index")]:
    for name in names.split():
        print(of.__name__, name, said(lambda: getattr(of, name)()), "|", said(lambda: getattr(of, name)(None)), "|", said(lambda: getattr(of, name)(None, 1)))

functions = [abs, all, bin, callable, chr, divmod, hash, hex, isinstance, len, ord, repr, hasattr, sorted, sum, pow, round, iter, next]
for function in functions + [list, tuple, set, dict, float, bool, str, object, range, slice, reversed]:
    print(function.__name__, [said(lambda: function(*["a"] * count)) for count in [0, 2, 4, 5]], said(lambda: function("a", nothing=1)))

import itertools
import math
import operator

for function in [math.sqrt, math.atan2, math.floor, math.isclose, math.dist, operator.add, operator.neg, operator.contains, itertools.islice, itertools.takewhile, itertools.pairwise, itertools.combinations]:
    print(function.__name__, [said(lambda: function(*[None] * count)) for count in [0, 1, 3, 4, 5]])
print(said(lambda: "a".split(" ", sep=" ")), said(lambda: (5).to_bytes(length=1, size=3)), said(lambda: [].sort(1)), said(lambda: [].sort(key=None, reverse=1, more=2)))
