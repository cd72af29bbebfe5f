# What counters, dictionaries and chains take of mappings that are no dictionaries.
from collections import Counter, UserDict, ChainMap, OrderedDict
from collections.abc import Mapping, MutableMapping
print(isinstance(UserDict(), Mapping), isinstance(ChainMap(), Mapping), isinstance({}, Mapping))
print(Counter(UserDict(a=3)), Counter(ChainMap({'a': 4})))
class M(Mapping):
    def __getitem__(self, k): return {'x': 5, 'y': 6}[k]
    def __iter__(self): return iter('xy')
    def __len__(self): return 2
print(Counter(M()), dict(M()), OrderedDict(M()), {**M()}, dict(**M()))
c = Counter(x=1); c.update(M()); print(c); c.subtract(M()); print(c)
class K:
    def keys(self): return ['p']
    def __getitem__(self, k): return 7
    def __iter__(self): return iter('qqr')
print(Counter(K()), dict(K()))
c = Counter('a'); c.update(K()); print(c)
try: print(Counter(5))
except TypeError as e: print(e)
try: print(Counter({'a': 'b'}) + Counter())
except TypeError as e: print(e)
