# What asks a number or a text of a class of the program's own, and for what.
import collections, functools, heapq, itertools, json, math, operator, bisect, statistics, random, string
log = []


def said(word):
    log.append(word)


def make(base, name, value):

    def method(self, *args):
        said(name)
        return value(self, *args) if callable(value) else value
    return type(base.__name__.title() + name.strip('_').title(), (base,), {name: method})
INT = {
    '__add__': 100,
    '__radd__': 200,
    '__sub__': 300,
    '__mul__': 7,
    '__rmul__': 8,
    '__truediv__': 9.5,
    '__floordiv__': 4,
    '__rfloordiv__': 44,
    '__mod__': 5,
    '__pow__': 6,
    '__neg__': -70,
    '__abs__': 71,
    '__lt__': True,
    '__gt__': True,
    '__le__': False,
    '__ge__': False,
    '__eq__': lambda s, o: True,
    '__bool__': False,
    '__int__': 55,
    '__index__': 1,
    '__str__': 'S',
    '__repr__': 'R',
    '__format__': 'F',
    '__hash__': 99,
    '__round__': 'rnd',
    '__trunc__': 12,
    '__floor__': 13,
    '__ceil__': 14,
    '__divmod__': (1, 1),
    '__and__': 1,
    '__or__': 2,
    '__lshift__': 3,
    '__invert__': 4,
    '__complex__': 1j,
}
STR = {
    '__add__': 'A',
    '__mul__': 'M',
    '__mod__': 'P',
    '__lt__': True,
    '__gt__': True,
    '__eq__': lambda s, o: True,
    '__ne__': lambda s, o: False,
    '__hash__': 99,
    '__str__': 'S',
    '__repr__': 'R',
    '__format__': 'F',
    '__len__': 2,
    '__getitem__': 'g',
    '__contains__': True,
    '__bool__': False,
    '__int__': 7,
    '__float__': 7.5,
    'upper': 'UP',
    'lower': 'low',
    'split': ['sp'],
    'join': 'jn',
    'strip': 'st',
    'encode': b'e',
    'format': 'fm',
    'startswith': True,
    'replace': 'rp',
    '__radd__': 'RA',
    '__rmod__': 'RM',
}
FLT = {k: INT[k] for k in (
    '__add__', '__radd__', '__mul__', '__neg__', '__abs__', '__lt__', '__gt__', '__eq__', '__bool__',
    '__int__', '__str__', '__repr__', '__format__', '__hash__', '__round__', '__trunc__', '__floor__',
    '__ceil__', '__complex__',
)}
FLT['__float__'] = 5.5
FLT['is_integer'] = True
FLT['hex'] = 'hx'
FLT['as_integer_ratio'] = (1, 2)
INT['bit_length'] = 77
INT['to_bytes'] = b'tb'
kinds = []
for base, table, first in ((int, INT, 3), (str, STR, 'abc'), (float, FLT, 2.5)):
    for name, value in table.items():
        if name == '__eq__':
            equal = (lambda v: lambda s, o: (said('eq'), v(s, o))[1])(value)
            c = type(base.__name__.title() + 'Eq', (base,), {'__eq__': equal, '__hash__': base.__hash__})
        else:
            c = make(base, name, value)
        kinds.append((c.__name__, base, c, first))
NUM = {
    'x+1': lambda x: x + 1,
    '1+x': lambda x: 1 + x,
    'x-1': lambda x: x - 1,
    '5-x': lambda x: 5 - x,
    'x*2': lambda x: x * 2,
    '2*x': lambda x: 2 * x,
    'x/2': lambda x: x / 2,
    'x//2': lambda x: x // 2,
    '7//x': lambda x: 7 // x,
    'x%2': lambda x: x % 2,
    'x**2': lambda x: x ** 2,
    '-x': lambda x: -x,
    'abs': abs,
    '~x': lambda x: ~x,
    'x&1': lambda x: x & 1,
    'x|4': lambda x: x | 4,
    'x<<1': lambda x: x << 1,
    'x+x': lambda x: x + x,
    'x+=1': lambda x: iadd(x),
    'sum': lambda x: sum([x, x]),
    'sum start': lambda x: sum([1, 2], x),
    'max': lambda x: max(x, 1) is x,
    'min': lambda x: min(x, 1) is x,
    'max list': lambda x: max([1, x, 9]) is x,
    'sorted': lambda x: [i is x for i in sorted([5, x, 1])],
    'sort key': lambda x: sorted([1, 2], key=lambda i: x),
    'x<5': lambda x: x < 5,
    '5<x': lambda x: 5 < x,
    'x>5': lambda x: x > 5,
    'x<=3': lambda x: x <= 3,
    'x==9': lambda x: x == 9,
    '9==x': lambda x: 9 == x,
    'x!=3': lambda x: x != 3,
    'x==3.0': lambda x: x == 3.0,
    'chain': lambda x: 1 < x < 5,
    'bool': bool,
    'not': lambda x: not x,
    'if': lambda x: 'y' if x else 'n',
    'and': lambda x: (x and 1) is x,
    'any': lambda x: any([x]),
    'all': lambda x: all([x]),
    'filter': lambda x: len(list(filter(None, [x]))),
    'int': int,
    'float': float,
    'str': str,
    'repr': repr,
    'format': lambda x: format(x, '5'),
    'f': lambda x: f'{x}',
    'f5': lambda x: f'{x:5}',
    'f!r': lambda x: f'{x!r}',
    'f=': lambda x: f'x={x!r}',
    '%d': lambda x: '%d' % x,
    '%s': lambda x: '%s' % x,
    '%r': lambda x: '%r' % (x,),
    '%f': lambda x: '%.2f' % x,
    '%x': lambda x: '%x' % x,
    '.format': lambda x: '{} {!r} {:>4}'.format(x, x, x),
    'in dict': lambda x: x in {3: 1, 2.5: 2},
    'dict get': lambda x: {3: 'a', 2.5: 'b'}.get(x),
    'in list': lambda x: x in [1, 9],
    'list in': lambda x: 9 in [x],
    'count': lambda x: [9, 3].count(x),
    'index': lambda x: [9, 3].index(x),
    'set': lambda x: len({x, 3}),
    'set in': lambda x: 3 in {x},
    'dict key': lambda x: len({x: 1, 3: 2}),
    'round': round,
    'round2': lambda x: round(x, 1),
    'trunc': math.trunc,
    'floor': math.floor,
    'ceil': math.ceil,
    'divmod': lambda x: divmod(x, 2),
    'pow': lambda x: pow(x, 2),
    'pow3': lambda x: pow(x, 2, 5),
    'sqrt': math.sqrt,
    'gcd': lambda x: math.gcd(x, 6),
    'factorial': math.factorial,
    'hypot': lambda x: math.hypot(x, 1),
    'isnan': math.isnan,
    'fsum': lambda x: math.fsum([x]),
    'prod': lambda x: math.prod([x, 2]),
    'bin': bin,
    'hex': hex,
    'chr': chr,
    'range': lambda x: list(range(x)),
    'range2': lambda x: list(range(0, 9, x)),
    'item': lambda x: [10, 11, 12, 13][x],
    'slice': lambda x: [10, 11, 12, 13][:x],
    'tuple item': lambda x: (1, 2, 3, 4)[x],
    'str item': lambda x: 'abcd'[x],
    'list mul': lambda x: [0] * x,
    'str mul': lambda x: 'a' * x,
    'x str': lambda x: x * 'a',
    'insert': lambda x: ins(x),
    'pop': lambda x: [1, 2, 3, 4].pop(x),
    'setitem': lambda x: seti(x),
    'islice': lambda x: list(itertools.islice('abcdef', x)),
    'repeat': lambda x: list(itertools.repeat(1, x)),
    'combinations': lambda x: len(list(itertools.combinations('abcd', x))),
    'accumulate': lambda x: list(itertools.accumulate([x, x])),
    'count it': lambda x: list(itertools.islice(itertools.count(x), 2)),
    'deque maxlen': lambda x: collections.deque([1, 2, 3, 4], maxlen=x),
    'rotate': lambda x: rot(x),
    'ljust': lambda x: 'a'.ljust(x),
    'zfill': lambda x: '7'.zfill(x),
    'json': json.dumps,
    'json key': lambda x: json.dumps({x: x}),
    'reduce': lambda x: functools.reduce(operator.add, [x, 1]),
    'op.add': lambda x: operator.add(x, 1),
    'op.index': operator.index,
    'op.neg': operator.neg,
    'op.lt': lambda x: operator.lt(x, 5),
    'bisect': lambda x: bisect.bisect([1, 2, 3, 4], x),
    'bit_length': lambda x: x.bit_length(),
    'to_bytes': lambda x: x.to_bytes(2, 'big'),
    'real': lambda x: x.real,
    'is_integer': lambda x: x.is_integer(),
    'hexf': lambda x: x.hex(),
    'ratio': lambda x: x.as_integer_ratio(),
    'isinstance': lambda x: isinstance(x, (int, float)),
    'type': lambda x: type(x + 0).__name__,
    'bytes': bytes,
    'tuple eq': lambda x: (x,) == (9,),
    'list lt': lambda x: [x] < [5],
    'dict eq': lambda x: {1: x} == {1: 9},
    'list remove': lambda x: rem(x),
    'join': lambda x: ''.join(map(str, [x])),
    'enumerate': lambda x: list(enumerate('a', x)),
    'int str': lambda x: int(str(x)),
    'comp': lambda x: [i for i in range(3) if x],
    'while': lambda x: 'ran' if x else 'no',
    'assert': lambda x: asserting(x),
    'ternary': lambda x: (x or 4) == 4,
    'compare none': lambda x: x == None,
    'x is': lambda x: x is x,
    'float add': lambda x: x + 0.5,
    'radd float': lambda x: 0.5 + x,
    'bool add': lambda x: True + x,
    'mul list': lambda x: x * [1],
    'complex add': lambda x: x + 1j,
    'string in': lambda x: 'a' in str(x),
    'isclose': lambda x: math.isclose(x, 3),
    'copysign': lambda x: math.copysign(1, x),
    'log': lambda x: math.log(x),
    'atan2': lambda x: math.atan2(x, 1),
    'comb': lambda x: math.comb(5, x),
    'isqrt': math.isqrt,
    'degrees': math.degrees,
    'fmod': lambda x: math.fmod(x, 2),
}


def iadd(x):
    x += 1
    return x


def ins(x):
    l = [1, 2, 3, 4]
    l.insert(x, 0)
    return l


def seti(x):
    l = [1, 2, 3, 4]
    l[x] = 0
    return l


def rot(x):
    d = collections.deque([1, 2, 3, 4])
    d.rotate(x)
    return d


def rem(x):
    l = [1, 9, 3]
    l.remove(x)
    return l


def asserting(x):
    assert x
    return 'ok'
TXT = {k: NUM[k] for k in (
    'x<5', 'bool', 'not', 'if', 'any', 'str', 'repr', 'f', 'f!r', 'f=', '%s', '%r', 'set', 'json',
    'json key', 'filter', 'enumerate', 'join', 'x*2', '2*x', 'compare none', 'x+x', 'isinstance',
)}
TXT |= {
    "x+'d'": lambda x: x + 'd',
    "'d'+x": lambda x: 'd' + x,
    'mod left': lambda x: '%s' % x,
    'lt': lambda x: x < 'b',
    'gt': lambda x: 'b' > x,
    'eq': lambda x: x == 'zz',
    'req': lambda x: 'zz' == x,
    'ne': lambda x: x != 'abc',
    'sorted': lambda x: [i is x for i in sorted(['b', x, 'a'])],
    'max': lambda x: max([x, 'z']) is x,
    'len': len,
    'item': lambda x: x[0],
    'slice': lambda x: x[1:],
    'in': lambda x: 'z' in x,
    'x in': lambda x: x in 'zabcz',
    'iter': list,
    'for': lambda x: [c for c in x],
    'join seq': lambda x: '-'.join([x, x]),
    'join sep': lambda x: x.join(['1', '2']),
    'str.join': lambda x: str.join(x, ['1', '2']),
    'upper': lambda x: x.upper(),
    'str.upper': lambda x: str.upper(x),
    'map upper': lambda x: list(map(str.upper, [x])),
    'split': lambda x: x.split('b'),
    'strip': lambda x: x.strip('a'),
    'encode': lambda x: x.encode(),
    'bytes': lambda x: bytes(x, 'utf8'),
    'startswith': lambda x: x.startswith('q'),
    'arg startswith': lambda x: 'abcd'.startswith(x),
    'replace': lambda x: x.replace('a', 'b'),
    'arg replace': lambda x: 'xabcx'.replace(x, '-'),
    'arg find': lambda x: 'xabcx'.find(x),
    'arg split': lambda x: '1abc2'.split(x),
    'arg count': lambda x: 'abcabc'.count(x),
    'arg in': lambda x: x in ['zz'],
    'width': lambda x: f'{x:>6}',
    'format!s': lambda x: f'{x!s}',
    '.format': lambda x: '{0} {0!r} {0:>5}'.format(x),
    'format_map': lambda x: '{a}'.format_map({'a': x}),
    'dict get': lambda x: {'abc': 1}.get(x),
    'dict set': lambda x: len({x: 1, 'abc': 2}),
    'list index': lambda x: ['zz', 'abc'].index(x),
    'counter': lambda x: dict(collections.Counter(x)),
    'set of': lambda x: sorted(set(x)),
    'zip': lambda x: list(zip(x, x)),
    'min': lambda x: min(x),
    'unpack': lambda x: [*x],
    'two': lambda x: two(x),
    'ord': lambda x: ord(x[0]),
    'sum': lambda x: sum([[c] for c in x], []),
    'title': lambda x: x.title(),
    'isalpha': lambda x: x.isalpha(),
    'center': lambda x: x.center(7, '*'),
    'translate': lambda x: x.translate({97: 'Z'}),
    'casefold': lambda x: x.casefold(),
    'partition': lambda x: x.partition('b'),
    'groupby': lambda x: [k for k, g in itertools.groupby(x)],
    'namedtuple': lambda x: collections.namedtuple('N', x)._fields,
    'eval cmp': lambda x: x <= 'b',
    'chain cmp': lambda x: 'a' < x < 'z',
    'mul': lambda x: x * 3,
    'rmul': lambda x: 3 * x,
    'and': lambda x: x and 'k',
    'hash eq': lambda x: hash(x) == hash('abc'),
    'frozenset': lambda x: 'abc' in frozenset([x]),
    'tuple eq': lambda x: (x,) == ('zz',),
    'repr list': lambda x: repr([x]),
    'str dict': lambda x: str({x: x}),
    'f nested': lambda x: f'{[x]}',
    'add int': lambda x: x + 1,
    'iadd': lambda x: iadds(x),
    'Exception': lambda x: str(ValueError(x)),
    'raise': lambda x: raising(x),
    'KeyError': lambda x: str(KeyError(x)),
    'splitlines': lambda x: x.splitlines(),
    'expandtabs': lambda x: x.expandtabs(),
    'type': lambda x: type(x.upper()).__name__,
    'strip type': lambda x: type(x[:]).__name__,
}


class Holder:
    abc = 5


ATTR = Holder()


def kw(**k):
    return list(k.items())


def two(x):
    a, *b = x
    return (a, b)


def iadds(x):
    x += 'd'
    return x


def raising(x):
    try:
        raise ValueError(x)
    except ValueError as e:
        return (str(e), e.args)


def outcome(f, x):
    log.clear()
    try:
        r = f(x)
    except Exception as e:
        return type(e).__name__
    return f"{type(r).__name__} {r!r}"


# What differs from what the base does, and what is asked.
for cname, base, c, first in kinds:
    for name, f in (TXT if base is str else NUM).items():
        usual = outcome(f, first)
        found = outcome(f, c(first))
        if log or found != usual:
            print(cname, "|", name, "|", found, "|", " ".join(log))
