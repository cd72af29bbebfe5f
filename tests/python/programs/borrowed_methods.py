# Functions and methods of built-in types that stand in classes of the program's, and are called as functions.
import collections
import functools
import math
import operator


def show(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class A:
    size = len
    root = math.sqrt
    up = str.upper
    st = staticmethod(len)
    pm = functools.partialmethod(lambda self, a, b: (self.x, a, b), 5)
    pa = functools.partial(lambda *a: a, 1)
    x = 3
    getx = property(operator.attrgetter('x'))
    gx = operator.attrgetter('x')
    ctor = int
    fmt = '{}-{}'.format
    def __init__(self): self.items = [3, 1, 2]
    __enter__ = lambda self: self
    def __exit__(self, *a): return False
a = A()
show(lambda: a.size([1, 2]))
show(lambda: a.root(4))
show(lambda: a.up())
show(lambda: a.st('abc'))
show(lambda: a.pm(6))
show(lambda: a.pa(2))
show(lambda: a.getx)
show(lambda: a.gx(a))
show(lambda: a.ctor('5'))
show(lambda: a.fmt(1, 2))
with a as z: show(lambda: z is a)
class Stack(list):
    push = list.append
    peek = property(lambda self: self[-1])
    __lshift__ = list.append
    top = list.__getitem__
    empty = property(lambda self: not self)
s = Stack(); s.push(1); s.push(2); s << 9
show(lambda: (s, s.peek, s.empty, s.top(0)))
class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
d = AttrDict(a=1); d.b = 2
show(lambda: (d, d.a, d.b, d['b']))
del d.a
show(lambda: d)
show(lambda: d.zz)
show(lambda: hasattr(d, 'b'))
class AD(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
show(lambda: (AD(x=1).x, AD().nope, hasattr(AD(), 'anything')))
class CI(str):
    __hash__ = str.__hash__
    def __eq__(self, o): return self.lower() == o.lower()
show(lambda: (CI('a') == 'A', 'A' == CI('a'), CI('a') in ['A'], {CI('a'): 1}.get('a')))
class N(int):
    __str__ = int.__repr__
    __add__ = int.__sub__
    __neg__ = int.__abs__
    __call__ = int.__mul__
show(lambda: (str(N(3)), N(3) + 1, -N(-3), N(3)(4), repr(N(2))))
class S(set):
    __add__ = set.union
    __sub__ = set.difference
    add_all = set.update
    __contains__ = lambda self, x: True
s = S([1]); s.add_all([2, 3])
show(lambda: (s + [9], s - {1}, 77 in s, sorted(s)))
class T(tuple):
    __call__ = tuple.index
    __add__ = lambda a, b: T(map(operator.add, a, b))
    x = property(operator.itemgetter(0)); y = property(operator.itemgetter(1))
t = T((1, 2)) + T((3, 4))
show(lambda: (t, t.x, t.y, t(6)))
show(lambda: list.append([1], 2))
show(lambda: str.join(',', ['a', 'b']))
show(lambda: list(map(str.strip, [' a ', 'b '])))
show(lambda: sorted(['b', 'A'], key=str.lower))
show(lambda: max({'a': 1, 'b': 3}.items(), key=operator.itemgetter(1)))
show(lambda: dict.get({'a': 1}, 'a'))
show(lambda: set.union({1}, {2}, [3]))
show(lambda: int.bit_length(9))
show(lambda: float.is_integer(2.0))
show(lambda: int.from_bytes(b'\x01\x00', 'big'))
show(lambda: list(map(int.__add__, [1, 2], [3, 4])))
show(lambda: functools.reduce(dict.__or__, [{1: 2}, {3: 4}]))
show(lambda: functools.reduce(set.union, [{1}, {2}]))
show(lambda: list(map(list.copy, [[1]])))
show(lambda: tuple.__add__((1,), (2,)))
show(lambda: str.__contains__('abc', 'b'))
show(lambda: list.__contains__([1], 1))
show(lambda: list.__eq__([1], [1]))
show(lambda: dict.__contains__({1: 2}, 1))
show(lambda: int.__eq__(1, 1.0))
show(lambda: str.__lt__('a', 'b'))
show(lambda: list.__init__([1], [2]))
show(lambda: list.__new__(list))
show(lambda: dict.fromkeys('ab', 0))
show(lambda: str.maketrans('ab', 'cd'))
show(lambda: bool.__and__(True, False))
show(lambda: int.__and__(True, 3))
show(lambda: int.__add__(True, 1))
show(lambda: float.__add__(1.0, 2))
show(lambda: float.__add__(1, 2))
show(lambda: set.__or__({1}, {2}))
show(lambda: frozenset.__or__(frozenset([1]), {2}))
show(lambda: collections.OrderedDict.__len__({}))
show(lambda: dict.__len__(collections.OrderedDict(a=1)))
show(lambda: dict.__repr__(collections.OrderedDict(a=1)))
show(lambda: dict.__repr__(collections.Counter('aab')))
show(lambda: dict.__eq__(collections.OrderedDict(a=1), {'a': 1}))
show(lambda: list.__iter__((1,)))
show(lambda: dict.__iter__([1]))
show(lambda: str.__len__(b'a'))
show(lambda: bytes.__len__('a'))
show(lambda: object.__eq__(1, 1))
show(lambda: object.__hash__('a') == object.__hash__('a'))
show(lambda: complex.__abs__(3+4j))
show(lambda: range.__len__(range(4)))
show(lambda: dict.__getitem__({'a': 1}, 'a'))
show(lambda: dict.__missing__)
show(lambda: list.__mul__([1], 2))
show(lambda: (1).__add__(2))
show(lambda: 'a'.__add__('b'))
show(lambda: [1].__add__((2,)))


class Shown(collections.defaultdict):
    __repr__ = dict.__repr__
    __hash__ = object.__hash__


d = Shown(int, a=1)
print(d, hash(d) == hash(d), {d: 2}[d], super(Shown, d).__repr__())


class Members(set):
    def __repr__(self):
        return "<" + super().__repr__() + ">"


class Counts(collections.Counter):
    def __repr__(self):
        return "<" + super().__repr__() + ">"


class Names(list):
    def __repr__(self):
        return "<" + super().__repr__() + ">"


print(Members([1]), Members(), Counts("a"), Counts(), Names("a"), set.__repr__(Members([2])), list.__repr__(Names("b")))
OD, C = collections.OrderedDict, collections.Counter
print(OD({1: 2}).__lt__(OD({1: 2})), OD({1: 2}).__eq__({1: 2}), dict.__ne__(OD({1: 2}), {1: 3}), C("a").__le__(C("ab")), C("a").__eq__({"a": 1}))
