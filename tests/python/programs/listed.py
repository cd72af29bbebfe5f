# What `dir` lists, of types and of their objects.
import collections

for of, value in ((int, 3), (bool, True), (float, 2.5), (str, "a"), (list, []), (tuple, ()), (dict, {}), (set, set()), (frozenset, frozenset()), (range, range(3)), (bytes, b"")):
    for shown in (of, value):
        names = dir(shown)
        public = [name for name in names if not name.startswith("_") and name not in ("real", "imag", "numerator", "denominator", "start", "stop", "step", "efficiency_score")]
        print(of.__name__, public == sorted(public), *public)
        missing = [name for name in ("__eq__", "__hash__", "__repr__", "__class__", "__doc__", "__len__", "__add__", "__iter__", "__getitem__") if name not in names]
        print(missing, all(hasattr(shown, name) for name in names))


class Empty:
    pass


class Own(list):
    field = 1

    def method(self):
        pass


print([name for name in dir(Empty()) if not name.startswith("_")], "__class__" in dir(Empty), "__eq__" in dir(Empty()))
print([name for name in dir(Own()) if name not in dir(list) and name[0] != "_"], "append" in dir(Own), "__len__" in dir(Own()))
print([name for name in dir(collections.deque()) if not name.startswith("_")])
print("append" in dir(collections.deque()), "most_common" in dir(collections.Counter), "add_note" in dir(ValueError()), "args" in dir(ValueError()), "default_factory" in dir(collections.defaultdict()))
import math

print([name for name in dir(math) if name in ("__eq__", "__hash__", "__repr__", "__class__")], "sqrt" in dir(math))
