from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from copy import copy, deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from heapq import heappush, heappop
from itertools import count, cycle, islice

class Stop(BaseException): pass

def tick():
    if ticked(): raise Stop
    return 7

Point = namedtuple('Point', 'a b')

class Node:
    made = 0
    def __init__(self, name):
        self.name, self.links = name, []
        Node.made += 1
        tick()
    def __eq__(self, other): return bool(tick()) and isinstance(other, Node) and self.name == other.name
    def __hash__(self): return tick() + len(self.name)
    def __lt__(self, other): return tick() == 7 and self.name < other.name
    def __repr__(self): return f'Node({self.name!r}, {len(self.links)}, {sorted(vars(self))})'
    def __iadd__(self, other):
        self.links.append(other)
        tick()
        return self
    def __call__(self, n):
        self.called = getattr(self, 'called', 0) + n
        return tick()
    @property
    def size(self): return tick() and len(self.links)
    @size.setter
    def size(self, n):
        del self.links[n:]
        tick()

@dataclass
class Box:
    x: object
    items: list = field(default_factory=list)
    def __post_init__(self):
        boxes.append(self.x)
        tick()

class Slots:
    __slots__ = ('a', 'b')

class Bag(Counter):
    def add(self, key):
        self[key] += tick()
        self.last = key

class Ring(deque):
    def append(self, item):
        super().append(item)
        self.turns = getattr(self, 'turns', 0) + tick()

class Table(OrderedDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        tick()
        if len(self) > 3: self.popitem(last=False)

class Names(list):
    def add(self, name):
        self.append(name)
        self.sort(key=lambda name: (tick(), str(name)))

class Loud:
    def __repr__(self):
        l.append('shown')
        tick()
        return 'Loud'

class Guard:
    def __enter__(self):
        depth.append(len(depth))
        tick()
        return self
    def __exit__(self, *what):
        depth.pop()
        tick()

def counter():
    n, seen = 0, []
    def bump(by=1):
        nonlocal n
        n += by
        seen.append(n)
        tick()
        return n
    def look(): return n, seen[-3:]
    return bump, look

def walk():
    at = 0
    while True:
        try:
            got = yield at
            tick()
            at += 1 if got is None else got
            kept.append(at)
        except ValueError:
            kept.append('thrown')
            tick()

def piped(items):
    for item in items:
        tick()
        yield item * 2
    yield from walk()

def gather(k, into=[]):
    into.append(k)
    tick()
    return into[-2:]

@lru_cache(maxsize=4)
def memo(n):
    memoed.append(n)
    tick()
    return [n]

def guarded(i):
    with Guard() as guard:
        l.append(i)
        tick()
        with Guard():
            d[i] = depth[:]
            tick()

def tried(i):
    try:
        kept.append('try')
        tick()
        raise KeyError(i)
    except KeyError as error:
        d['error'] = str(error)
        tick()
    finally:
        kept.append('finally')
        tick()

def emptied():
    while l:
        l.pop()
        tick()
    l.extend([1, 2, 3])

def swapped():
    global x, v
    x, v = v, x
    tick()

class Ended:
    def __init__(self, n): self.n = n
    def __del__(self): ended.append(self.n)

ended, kept, boxes, memoed, depth = [], [], [], [], []
l, d, s, q, h = [1, 2, 3], {'k': 1}, {1, 2}, deque([1, 2], maxlen=5), [3]
c, e, f, p = Counter('aab'), OrderedDict(a=1, b=2), defaultdict(list), Point(1, 2)
o, box, slots, bag, ring, table, names = Node('o'), Box(1), Slots(), Bag('xy'), Ring([1], 3), Table(a=1), Names(['b'])
bump, bumped = counter()
gen, pipe, it, pairs, turns, numbers = walk(), piped(range(5)), iter(l), zip(range(9), 'abcdefghi'), cycle('xyz'), count()
gen.send(None)
x, w, m = arange(8.), zeros(40_000), ones((3, 4))
v = x[2:5]
t = n = 0
