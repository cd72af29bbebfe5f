# What asks a container of a class of the program's own, and for what.
import collections, functools, heapq, itertools, json, math, operator, random, string
log = []


def said(word):
    log.append(word)


class L(list):

    def __iter__(self):
        said('iter')
        return iter([7, 8, 9])


class LL(list):

    def __len__(self):
        said('len')
        return 2


class LG(list):

    def __getitem__(self, i):
        said('get')
        return 42


class LC(list):

    def __contains__(self, x):
        said('contains')
        return True


class T(tuple):

    def __iter__(self):
        said('iter')
        return iter([7, 8, 9])


class TL(tuple):

    def __len__(self):
        said('len')
        return 2


class TG(tuple):

    def __getitem__(self, i):
        said('get')
        return 42


class S(set):

    def __iter__(self):
        said('iter')
        return iter([7, 8, 9])


class SL(set):

    def __len__(self):
        said('len')
        return 2


class SC(set):

    def __contains__(self, x):
        said('contains')
        return True


class F(frozenset):

    def __iter__(self):
        said('iter')
        return iter([7, 8, 9])


class D(dict):

    def __iter__(self):
        said('iter')
        return iter([1, 2])


class DK(dict):

    def keys(self):
        said('keys')
        return [1, 2]


class DI(dict):

    def items(self):
        said('items')
        return [(1, 10), (2, 20)]


class DV(dict):

    def values(self):
        said('values')
        return [10, 20]


class DG(dict):

    def __getitem__(self, k):
        said('get')
        return 42


class DL(dict):

    def __len__(self):
        said('len')
        return 2


class DC(dict):

    def __contains__(self, k):
        said('contains')
        return True


class DS(dict):

    def __setitem__(self, k, v):
        said('set')
        dict.__setitem__(self, k, v)


class DALL(dict):

    def __iter__(self):
        said('iter')
        return iter([1, 2])

    def keys(self):
        said('keys')
        return [1, 2]

    def __getitem__(self, k):
        said('get')
        return 42


class ST(str):

    def __iter__(self):
        said('iter')
        return iter(['x', 'y'])


class STL(str):

    def __len__(self):
        said('len')
        return 2


class STG(str):

    def __getitem__(self, i):
        said('get')
        return 'q'


class STS(str):

    def __str__(self):
        said('str')
        return 'other'


class Q(collections.deque):

    def __iter__(self):
        said('iter')
        return iter([7, 8, 9])


class QL(collections.deque):

    def __len__(self):
        said('len')
        return 2


class OD(collections.OrderedDict):

    def __iter__(self):
        said('iter')
        return iter([1, 2])


class DD(collections.defaultdict):

    def __iter__(self):
        said('iter')
        return iter([1, 2])


makers = {
    'L': lambda: L([1, 2, 3]),
    'LL': lambda: LL([1, 2, 3]),
    'LG': lambda: LG([1, 2, 3]),
    'LC': lambda: LC([1, 2, 3]),
    'T': lambda: T([1, 2, 3]),
    'TL': lambda: TL([1, 2, 3]),
    'TG': lambda: TG([1, 2, 3]),
    'S': lambda: S([1, 2, 3]),
    'SL': lambda: SL([1, 2, 3]),
    'SC': lambda: SC([1, 2, 3]),
    'F': lambda: F([1, 2, 3]),
    'D': lambda: D({1: 2, 3: 4}),
    'DK': lambda: DK({1: 2, 3: 4}),
    'DI': lambda: DI({1: 2, 3: 4}),
    'DV': lambda: DV({1: 2, 3: 4}),
    'DG': lambda: DG({1: 2, 3: 4}),
    'DL': lambda: DL({1: 2, 3: 4}),
    'DC': lambda: DC({1: 2, 3: 4}),
    'DS': lambda: DS({1: 2, 3: 4}),
    'DALL': lambda: DALL({1: 2, 3: 4}),
    'ST': lambda: ST('abc'),
    'STL': lambda: STL('abc'),
    'STG': lambda: STG('abc'),
    'STS': lambda: STS('abc'),
    'Q': lambda: Q([1, 2, 3]),
    'QL': lambda: QL([1, 2, 3]),
    'OD': lambda: OD({1: 2, 3: 4}),
    'DD': lambda: DD(int, {1: 2, 3: 4}),
}


def star(*a, **k):
    return (a, k)


def unpack2(x):
    a, b = x
    return (a, b)


def unpack3(x):
    a, b, c = x
    return (a, b, c)


def unpack_star(x):
    a, *b = x
    return (a, b)


def loop(x):
    out = []
    for i in x:
        out.append(i)
    return out


def extend(x):
    out = [0]
    out.extend(x)
    return out


def iadd(x):
    out = [0]
    out += x
    return out


def slice_set(x):
    out = [0, 1, 2]
    out[1:2] = x
    return out


def update_set(x):
    out = {0}
    out.update(x)
    return sorted(out, key=str)


def update_dict(x):
    out = {0: 0}
    out.update(x)
    return out


def ior_dict(x):
    out = {0: 0}
    out |= x
    return out


def ior_set(x):
    out = {0}
    out |= x
    return sorted(out, key=str)


def dq_extend(x):
    out = collections.deque([0])
    out.extend(x)
    return list(out)


def dq_left(x):
    out = collections.deque([0])
    out.extendleft(x)
    return list(out)


def counter_update(x):
    out = collections.Counter()
    out.update(x)
    return dict(out)


def counter_sub(x):
    out = collections.Counter()
    out.subtract(x)
    return dict(out)


def yielding(x):

    def g():
        yield from x
    return list(g())


def heap(x):
    h = list(x)
    heapq.heapify(h)
    return h


def subscripted(x):
    try:
        return x[1]
    except KeyError:
        return 'missing'


def match_in(x):
    return 1 in x
consumers = {
    'list': list,
    'tuple': tuple,
    'set': lambda x: sorted(set(x), key=str),
    'frozenset': lambda x: sorted(frozenset(x), key=str),
    'dict': dict,
    'sorted': sorted,
    'sum': sum,
    'min': min,
    'max': max,
    'any': any,
    'all': all,
    'len': len,
    'bool': bool,
    'zip': lambda x: list(zip(x, x)),
    'map': lambda x: list(map(str, x)),
    'filter': lambda x: list(filter(None, x)),
    'enumerate': lambda x: list(enumerate(x)),
    'iter': lambda x: list(iter(x)),
    'next': lambda x: next(iter(x)),
    'join': lambda x: ','.join(x),
    'join str': lambda x: ','.join(map(str, x)),
    'in': match_in,
    'star': lambda x: star(*x),
    'star two': lambda x: star(0, *x),
    'kw': lambda x: star(**x),
    'unpack2': unpack2,
    'unpack3': unpack3,
    'unpack star': unpack_star,
    'list display': lambda x: [0, *x],
    'tuple display': lambda x: (0, *x),
    'set display': lambda x: sorted({0, *x}, key=str),
    'dict display': lambda x: {0: 0, **x},
    'loop': loop,
    'comprehension': lambda x: [i for i in x],
    'gen': lambda x: list((i for i in x)),
    'yield from': yielding,
    'extend': extend,
    'iadd': iadd,
    'slice set': slice_set,
    'set.update': update_set,
    'dict.update': update_dict,
    'ior dict': ior_dict,
    'ior set': ior_set,
    'dict or': lambda x: {0: 0} | x,
    'or dict': lambda x: x | {0: 0},
    'set or': lambda x: sorted({0, 1} | x, key=str),
    'or set': lambda x: sorted(x | {0, 1}, key=str),
    'set and': lambda x: sorted({0, 1} & x, key=str),
    'and set': lambda x: sorted(x & {0, 1}, key=str),
    'set minus': lambda x: sorted({0, 1} - x, key=str),
    'minus set': lambda x: sorted(x - {0, 1}, key=str),
    'set xor': lambda x: sorted({0, 1} ^ x, key=str),
    'union': lambda x: sorted({0, 1}.union(x), key=str),
    'intersection': lambda x: sorted({0, 1}.intersection(x), key=str),
    'difference': lambda x: sorted({0, 1}.difference(x), key=str),
    'symmetric': lambda x: sorted({0, 1}.symmetric_difference(x), key=str),
    'issubset': lambda x: {1}.issubset(x),
    'issuperset': lambda x: {1, 2, 3}.issuperset(x),
    'isdisjoint': lambda x: {1}.isdisjoint(x),
    'x.issubset': lambda x: x.issubset({1, 2, 3}),
    'x.issuperset': lambda x: x.issuperset({1}),
    'x.isdisjoint': lambda x: x.isdisjoint({1}),
    'x.union': lambda x: sorted(x.union([5]), key=str),
    'le': lambda x: {1} <= x,
    'ge': lambda x: {1, 2, 3} >= x,
    'lt': lambda x: {1} < x,
    'eq list': lambda x: x == [1, 2, 3],
    'eq tuple': lambda x: x == (1, 2, 3),
    'eq set': lambda x: x == {1, 2, 3},
    'eq dict': lambda x: x == {1: 2, 3: 4},
    'dict eq': lambda x: {1: 2, 3: 4} == x,
    'list eq': lambda x: [1, 2, 3] == x,
    'lt list': lambda x: x < [1, 2, 4],
    'add list': lambda x: x + [4],
    'list add': lambda x: [4] + x,
    'add tuple': lambda x: x + (4,),
    'tuple add': lambda x: (4,) + x,
    'repr': repr,
    'str': str,
    'format': lambda x: f'{x}',
    'format r': lambda x: f'{x!r}',
    'percent': lambda x: '%s' % (x,),
    'percent bare': lambda x: '%s %s %s' % x,
    'percent map': lambda x: '%(a)s' % x,
    'str.format': lambda x: '{} {}'.format(*x),
    'str.format0': lambda x: '{0[1]}'.format(x),
    'format_map': lambda x: '{a}'.format_map(x),
    'subscript': subscripted,
    'slice': lambda x: x[1:],
    'index': lambda x: x.index(2),
    'count': lambda x: x.count(2),
    'get': lambda x: x.get(1),
    'setdefault': lambda x: x.setdefault(1, 5),
    'pop': lambda x: x.pop(),
    'pop key': lambda x: x.pop(1),
    'popitem': lambda x: x.popitem(),
    'keys': lambda x: list(x.keys()),
    'values': lambda x: list(x.values()),
    'items': lambda x: list(x.items()),
    'fromkeys': lambda x: dict.fromkeys(x),
    'fromkeys self': lambda x: (type(x).fromkeys([1]), 0)[1],
    'Counter': lambda x: dict(collections.Counter(x)),
    'counter.update': counter_update,
    'counter.sub': counter_sub,
    'OrderedDict': lambda x: list(collections.OrderedDict(x).items()),
    'defaultdict': lambda x: dict(collections.defaultdict(int, x)),
    'ChainMap': lambda x: sorted(collections.ChainMap(x), key=str),
    'ChainMap get': lambda x: collections.ChainMap(x)[1],
    'deque': lambda x: list(collections.deque(x)),
    'dq extend': dq_extend,
    'dq left': dq_left,
    'namedtuple': lambda x: collections.namedtuple('N', 'a b c')(*x),
    '_make': lambda x: collections.namedtuple('N', 'a b c')._make(x),
    'namedtuple fields': lambda x: collections.namedtuple('N', x)._fields,
    'fsum': math.fsum,
    'prod': math.prod,
    'hypot': lambda x: round(math.hypot(*x), 6),
    'gcd': lambda x: math.gcd(*x),
    'json': json.dumps,
    'json in': lambda x: json.dumps([x]),
    'json indent': lambda x: json.dumps(x, indent=1),
    'chain': lambda x: list(itertools.chain(x, x)),
    'from_iterable': lambda x: list(itertools.chain.from_iterable([x])),
    'islice': lambda x: list(itertools.islice(x, 2)),
    'product': lambda x: len(list(itertools.product(x, x))),
    'permutations': lambda x: len(list(itertools.permutations(x))),
    'combinations': lambda x: list(itertools.combinations(x, 2)),
    'accumulate': lambda x: list(itertools.accumulate(x)),
    'groupby': lambda x: [k for k, _ in itertools.groupby(x)],
    'cycle': lambda x: list(itertools.islice(itertools.cycle(x), 5)),
    'starmap': lambda x: list(itertools.starmap(pow, [x])),
    'zip_longest': lambda x: list(itertools.zip_longest(x, [1])),
    'tee': lambda x: [list(i) for i in itertools.tee(x)],
    'pairwise': lambda x: list(itertools.pairwise(x)),
    'compress': lambda x: list(itertools.compress(x, [1, 0, 1])),
    'takewhile': lambda x: list(itertools.takewhile(bool, x)),
    'repeat': lambda x: len(list(itertools.repeat(x, 2))),
    'reduce': lambda x: functools.reduce(lambda a, b: a, x),
    'heapify': heap,
    'heap merge': lambda x: list(heapq.merge(x, [1])),
    'nsmallest': lambda x: heapq.nsmallest(1, x),
    'itemgetter': lambda x: operator.itemgetter(1)(x),
    'contains': lambda x: operator.contains(x, 1),
    'countOf': lambda x: operator.countOf(x, 1),
    'indexOf': lambda x: operator.indexOf(x, 8),
    'length_hint': lambda x: operator.length_hint(x),
    'isinstance': lambda x: isinstance(1, x),
    'startswith': lambda x: 'abc'.startswith(x),
    'translate': lambda x: 'abc'.translate(x),
    'maketrans': lambda x: str.maketrans(x),
    'split': lambda x: x.split('b'),
    'replace': lambda x: x.replace('b', 'c'),
    'upper': lambda x: x.upper(),
    'plus': lambda x: 'z' + x,
    'plus r': lambda x: x + 'z',
    'eq str': lambda x: x == 'abc',
    'hash': lambda x: hash(x) == hash('abc'),
    'in str': lambda x: 'b' in x,
    'str in': lambda x: x in 'zabcz',
    'key': lambda x: {'abc': 1}.get(x),
    'int': lambda x: int(x),
    'ord': lambda x: ord(x[0]),
    'print sep': lambda x: print(*x),
    'print': print,
    'round': lambda x: round(sum(x)),
    'sort': lambda x: (x.sort(), list.__len__(x))[1],
    'append': lambda x: (x.append(4), 0)[1],
    'remove': lambda x: (x.remove(2), 0)[1],
    'divmod': lambda x: divmod(*x),
    'slice del': lambda x: x.__delitem__(slice(0, 1)),
    'x.update self': lambda x: (x.update(x), 0)[1],
    'string.Template': lambda x: string.Template('$a').safe_substitute(x),
    'ne': lambda x: x != [1],
    'type call': lambda x: type(x)(x) and 0,
    'max key': lambda x: max(x, key=str),
}


def outcome(consume, x):
    log.clear()
    try:
        r = consume(x)
    except Exception as e:
        return type(e).__name__
    shown = list.__repr__(r) if isinstance(r, list) else dict.__repr__(r) if isinstance(r, dict) else repr(r)
    return f"{type(r).__name__} {shown}"


# What differs from what the base does, and what is asked.
for cname, consume in consumers.items():
    for mname, make in makers.items():
        x = make()
        plain = type(x).__mro__[1]
        usual = outcome(consume, plain(int, x) if plain is collections.defaultdict else plain(x))
        found = outcome(consume, x)
        if log or found != usual.replace(plain.__name__, type(x).__name__):
            print(cname, "|", mname, "|", found, "|", " ".join(log))
