"""What benches/features.py times."""

# What all programs begin with.
DEFINITIONS = """\
import bisect, contextlib, copy, datetime, fractions, functools, heapq, io, itertools, json, math, operator, random, re, statistics
from collections import defaultdict, Counter, deque, namedtuple, OrderedDict
from dataclasses import dataclass, field
from enum import Enum


@dataclass
class Pt:
    x: int
    y: int


@dataclass(order=True, frozen=True)
class Fz:
    x: int
    y: int


class Color(Enum):
    RED = 1
    GREEN = 2


NT = namedtuple('NT', 'a b')


class Base:
    count = 0

    def __init__(self, v):
        self.v = v

    @property
    def dbl(self):
        return self.v * 2

    @dbl.setter
    def dbl(self, x):
        self.v = x // 2

    @classmethod
    def make(cls, v):
        return cls(v)

    @staticmethod
    def st(v):
        return v

    def meth(self):
        return self.v


class Der(Base):

    def __init__(self, v, w):
        super().__init__(v)
        self.w = w

    def meth(self):
        return super().meth() + self.w


class Sl:
    __slots__ = ('a', 'b')

    def __init__(self, a, b):
        self.a, self.b = (a, b)


class It:

    def __init__(self, n):
        self.n, self.i = (n, 0)

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


class Cm:

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False


class MyErr(Exception):

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def deco(f):

    @functools.wraps(f)
    def w(*a, **k):
        return f(*a, **k)
    return w


@deco
def dfun(a, b=2):
    return a + b


@contextlib.contextmanager
def cmg():
    yield 1


def gen(n):
    for i in range(n):
        yield i


def coro():
    t = 0
    while True:
        t += (yield t)


def kw(a, *, b=1, c=2):
    return a + b + c


class Special:

    def __init__(self, x, y):
        self.x, self.y = (x, y)

    def __str__(self):
        return f'({self.x}, {self.y})'

    def __repr__(self):
        return f'Special({self.x}, {self.y})'

    def __hash__(self):
        return hash((self.x, self.y))

    def __eq__(self, o):
        return self.x == o.x and self.y == o.y

    def __lt__(self, o):
        return self.x < o.x

    def __format__(self, spec):
        return f'<{self.x}>'

    def __getattr__(self, name):
        return 5

    def __int__(self):
        return self.x

    def __contains__(self, x):
        return x == self.x

    def __missing__(self, x):
        return x

    def __call__(self, x):
        return x

    def __len__(self):
        return 3

    def __setattr__(self, n, v):
        object.__setattr__(self, n, v)


class Answers(dict):

    def __missing__(self, k):
        return k


p = Special(1, 2)
q = Special(1, 2)
d = {p: 1}
st = {p}
dd = Answers()
"""

# What is done first, and what is done again and again.
TURNS = {
    "dataclass ==": ('a, b = (Pt(1, 2), Pt(1, 2))', 'a == b'),
    "dataclass repr": ('a = Pt(1, 2)', 'repr(a)'),
    "dataclass made": ('', 'Pt(i, 2)'),
    "frozen dataclass as a key": ("""
d = {Fz(1, 2): 1}
k = Fz(1, 2)
""", 'd[k]'),
    "dataclass <": ('a, b = (Fz(1, 2), Fz(1, 3))', 'a < b'),
    "members of enum": ('', 'Color.RED is Color.GREEN'),
    "enum by value": ('', 'Color(2)'),
    "name and value of enum": ('c = Color.RED', """
c.value
c.name
"""),
    "namedtuple made": ('', 'NT(i, 2)'),
    "namedtuple fields": ('t = NT(1, 2)', 't.a + t.b'),
    "property": ('b = Base(3)', 'b.dbl'),
    "property setter": ('b = Base(3)', 'b.dbl = i'),
    "classmethod": ('', 'Base.make(i)'),
    "staticmethod": ('', 'Base.st(i)'),
    "super().__init__": ('', 'Der(i, 2)'),
    "super().method": ('d = Der(1, 2)', 'd.meth()'),
    "__slots__": ('', """
s = Sl(i, 2)
s.a += s.b
"""),
    "with of a class": ('', """
with Cm() as c:
    pass
"""),
    "with of contextmanager": ('', """
with cmg() as c:
    pass
"""),
    "exception class caught": ('', """
try:
    raise MyErr(i)
except MyErr as e:
    e.code
"""),
    "ValueError caught, str": ('', """
try:
    raise ValueError('bad value')
except (TypeError, ValueError) as e:
    str(e)
"""),
    "error through five calls": ("""
def f(k):
    if k == 0:
        raise KeyError(k)
    return f(k - 1)
""", """
try:
    f(5)
except KeyError:
    pass
"""),
    "int of no number caught": ('', """
try:
    int('x1')
except ValueError:
    pass
"""),
    "try finally": ('', """
try:
    i
finally:
    i
"""),
    "decorated call": ('', 'dfun(i)'),
    "decorated call by name": ('', 'dfun(i, b=3)'),
    "keyword-only call": ('', 'kw(i, b=3, c=4)'),
    "call with a star": ('t = (1, 2)', 'dfun(*t)'),
    "generator.send": ("""
c = coro()
next(c)
""", 'c.send(i)'),
    "isinstance": ('', """
isinstance(i, (str, int))
isinstance(i, float)
"""),
    "str.format": ('', "'{} {:>5} {:.2f}'.format(i, 'ab', 1.5)"),
    "str.format by name": ('', "'{a} {b}'.format(a=i, b=2)"),
    "% of three": ('', "'%d %s %.2f' % (i, 'ab', 1.5)"),
    "f-string of three": ('', 'f"{i:5d} {\'ab\':<5} {1.5:.3f}"'),
    "f-string of a list and a repr": ('', "f'{i!r} {[i]} {i:,}'"),
    "deque both ends": ('d = deque(range(10))', """
d.append(i)
d.popleft()
d[3]
"""),
    "match and groups": ("p = re.compile('(\\\\w+)\\\\s*=\\\\s*(\\\\d+)')", """
m = p.match('name = 42')
(m.group(1), m.group(2))
"""),
    "date + timedelta": ("""
d = datetime.date(2024, 1, 1)
one = datetime.timedelta(days=1)
""", 'd = d + one'),
    "Fraction": ('f = fractions.Fraction(1, 3)', 'f + 1 == f * 2'),
    "insort": ('l = []', 'bisect.insort(l, i * 7919 % n)'),
    "strip, lower, split": ('', "' The quick  brown fox '.strip().lower().split()"),
    "join of capitalize": ('', "'-'.join([w.capitalize() for w in ['ab', 'cd', 'ef']])"),
    "replace, upper, find": ('', "'hello world'.replace('o', '0').upper().find('W')"),
    "letters that are letters": ("t = 'hello world'", '[c for c in t if c.isalpha()]'),
    "text grown": ("s = ''", "s += 'x'"),
    "text reversed": ('', "'hello'[::-1] == 'olleh'"),
    "complex": ('z = 0j', 'z = z * z + (0.1 + 0.2j)'),
    "defaultdict of lists": ('d = defaultdict(list)', 'd[i % 10].append(i)'),
    "setdefault of lists": ('d = {}', 'd.setdefault(i % 10, []).append(i)'),
    "dict.get to count": ('d = {}', 'd[i % 10] = d.get(i % 10, 0) + 1'),
    "object made and asked": ('', 'Base(i).meth()'),
    "lambda": ('f = lambda x: x + 1', 'f(i)'),
    "min and max": ('', '(min(i, 3), max(i, 3, 5))'),
    "divmod, abs, round": ('', """
divmod(i, 7)
abs(-i)
round(2.567, 2)
"""),
    "math": ('', 'math.sqrt(i) + math.sin(i) + math.floor(1.5)'),
    "unpacking with a star": ('', 'a, *b, c = (1, 2, 3, 4)'),
    "chained comparison": ('', '0 < i < n != 5'),
    "conditional expression": ('', '1 if i % 2 else 2'),
    "class attribute counted": ('', 'Base.count += 1'),
    "list slices": ('l = list(range(20))', '(l[2:10], l[::2], l[-3:])'),
    "list methods": ('', """
l = [3, 1, 2]
l.append(4)
l.sort()
l.insert(0, 5)
l.pop()
l.index(2)
l.reverse()
"""),
    "matrices of lists": ('A = [[1, 2], [3, 4]]', '[[sum((a * b for a, b in zip(r, c))) for c in zip(*A)] for r in A]'),
    "random.Random": ('r = random.Random(1)', '(r.random(), r.randint(1, 6))'),
    "partial": ('f = functools.partial(dfun, 1)', 'f(2)'),
    "getattr, setattr, hasattr": ('b = Base(1)', """
getattr(b, 'v')
setattr(b, 'v', i)
hasattr(b, 'zz')
"""),
    "type of": ('', """
type(i) is int
type(i).__name__
"""),
    "__call__ of a local class": ("""
class C:

    def __call__(self, x):
        return x
c = C()
""", 'c(i)'),
    "move_to_end": ('d = OrderedDict(((i, i) for i in range(50)))', 'd.move_to_end(i % 50)'),
    "print into StringIO": ("""
import io
f = io.StringIO()
""", "print(i, 'a', file=f)"),
    "ints of a line": ('', "[int(x) for x in '1 2 3 4'.split()]"),
    "bases": ('', """
int('ff', 16)
hex(i)
bin(i)
f'{i:08b}'
"""),
    "ord and chr": ('', "chr((ord('a') - 97 + 3) % 26 + 97)"),
    "str(error)": ("e = ValueError('bad')", 'str(e)'),
    "list.sort of three": ('l = [3, 1, 2]', 'l.sort()'),
    "list.index": ('l = [3, 1, 2]', 'l.index(2)'),
    "list.insert and pop": ('l = [3, 1, 2]', """
l.insert(0, 5)
l.pop()
"""),
    "list display": ('', '[3, 1, i]'),
    "type(x) is int": ('', 'type(i) is int'),
    "type(x).__name__": ('', 'type(i).__name__'),
    "hasattr": ('b = Base(1)', "hasattr(b, 'zz')"),
    "hash of a tuple": ('', 'hash((i, 2))'),
    "__str__ by str": ('', 'str(p)'),
    "__repr__ by repr": ('', 'repr(p)'),
    "__str__ in an f-string": ('', "f'{p!s}'"),
    "__format__ in an f-string": ('', "f'{p:x}'"),
    "__repr__ in an f-string": ('', "f'a {p!r} b'"),
    "__hash__ by hash": ('', 'hash(p)'),
    "object as a key, read": ('', 'd[q]'),
    "object as a key, written": ('', 'd[q] = i'),
    "object in a dict": ('', 'q in d'),
    "object in a set": ('', 'q in st'),
    "__getattr__": ('', 'p.zzz'),
    "__int__": ('', 'int(p)'),
    "__contains__": ('', '5 in p'),
    "__call__": ('', 'p(i)'),
    "object in a list": ('l = [Special(2, 2), Special(3, 3)]', 'q in l'),
    "__missing__": ('', 'dd[i]'),
    "tuples with objects ==": ('', '(p, 1) == (q, 1)'),
    "__setattr__": ('', 'p.x = i'),
}

# What does something n times by itself.
WHOLE = {
    "class as an iterator": """
for x in It(n):
    pass
""",
    "sum of a generator": 'sum((i * i for i in range(n)))',
    "generators in a row": """
a = (i for i in range(n))
b = (i * 2 for i in a if i % 2)
sum(b)
""",
    "yield from": """
def g():
    yield from gen(n)
for x in g():
    pass
""",
    "sort by itemgetter": """
l = [(i * 7919 % n, i) for i in range(n)]
l.sort(key=operator.itemgetter(0))
""",
    "sorted by attrgetter": """
l = [Base(i * 7919 % n) for i in range(n)]
sorted(l, key=operator.attrgetter('v'))
""",
    "sorted by a tuple": """
l = [(i * 7919 % n, str(i)) for i in range(n)]
sorted(l, key=lambda t: (-t[0], t[1]))
""",
    "Counter of a generator": 'Counter((str(i % 50) for i in range(n))).most_common(3)',
    "heapq of pairs": """
h = []
for i in range(n):
    heapq.heappush(h, (i * 7919 % n, i))
while h:
    heapq.heappop(h)
""",
    "groupby": """
for k, g in itertools.groupby(range(n), key=lambda x: x // 10):
    list(g)
""",
    "json": """
for i in range(n // 10):
    json.loads(json.dumps({'a': [1, 2, {'b': None}], 'c': 'text', 'd': 1.5}))
""",
    "re.sub by a function": "re.sub('\\\\d+', lambda m: str(int(m.group()) + 1), 'a1 b22 ' * (n // 2))",
    "finditer": """
p = re.compile('\\s*(?:(\\d+)|(.))')
for m in p.finditer('12 + 3 * (4 - 5) ' * (n // 10)):
    m.lastgroup
    m.groups()
""",
    "bytes in a loop": """
b = bytes(range(256))
s = 0
for i in range(n // 100):
    for x in b[:100]:
        s += x
""",
    "dict comprehension": '{str(i): i for i in range(n)}',
    "set comprehension": '{i % 100 for i in range(n)}',
    "nested comprehension": '[[j for j in range(10)] for i in range(n // 10)]',
    "dict of zip": """
a = list(range(n))
dict(zip(a, a))
""",
    "enumerate of zip": """
for i, (a, b) in enumerate(zip(range(n), range(n))):
    pass
""",
    "dict.items": """
d = {i: i for i in range(100)}
for i in range(n // 100):
    for k, v in d.items():
        k + v
""",
    "map of a lambda": 'list(map(lambda x: x + 1, range(n)))',
    "filter": 'list(filter(None, range(n)))',
    "any of a generator": 'any((x > n for x in range(n)))',
    "deepcopy": """
for i in range(n // 10):
    copy.deepcopy([[1, 2], {'a': [3]}])
""",
    "shuffle": 'random.Random(1).shuffle(list(range(n)))',
    "statistics.mean": 'statistics.mean(list(range(n)))',
    "itertools.product": """
for a, b in itertools.product(range(n // 10), range(10)):
    pass
""",
    "permutations and accumulate": """
for p in itertools.permutations(range(5)):
    pass
list(itertools.accumulate(range(n)))
""",
    "reduce": """
functools.reduce(operator.mul, range(1, 20))
functools.reduce(lambda a, b: a ^ b, range(n))
""",
    "walrus": """
i = 0
while (j := (i * 2)) < n * 2:
    i += 1
""",
    "Counter arithmetic": """
c = Counter('abracadabra')
d = Counter('alakazam')
for i in range(n // 10):
    c + d
    c - d
    c & d
""",
    "list.sort by __lt__": """
l = [Special(i * 7919 % n, i) for i in range(n)]
l.sort()
""",
    "sorted objects by a field": """
l = [Special(i * 7919 % n, i) for i in range(n)]
sorted(l, key=lambda p: p.x)
""",
    "sorted objects by a tuple": """
l = [Special(i * 7919 % n, i) for i in range(n)]
sorted(l, key=lambda p: (p.x, p.y))
""",
    "object made with __setattr__": 'l = [Special(i * 7919 % n, i) for i in range(n)]',
    "join of str": "', '.join((str(x) for x in [p] * n))",
    "map of str": 'list(map(str, [p] * n))',
    "repr of a list of objects": """
l = [p, p, p]
for i in range(n // 3):
    repr(l)
""",
    "lists of objects ==": """
a = [p, p]
b = [q, q]
for i in range(n // 2):
    a == b
""",
    "max of objects": """
l = [Special(i, i) for i in range(100)]
for i in range(n // 100):
    max(l)
""",
    "filter of a lambda": 'list(filter(lambda x: x > 3, range(n)))',
    "cmp_to_key": """
from functools import cmp_to_key
sorted(range(n), key=cmp_to_key(lambda a, b: a - b))
""",
    "reduce of a lambda": """
from functools import reduce
reduce(lambda a, b: a + b, range(n))
""",
}
