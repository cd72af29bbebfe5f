"""Random programs over Python's library, run here and in CPython.

Usage: python tests/python/random_library.py [--binary PATH] [--count N] [--seed N]
       python tests/python/random_library.py --write N > tests/python/library.txt

Calls of `collections`, `itertools`, `functools`, `operator`, `heapq`, `bisect`, `copy`, `statistics`, `json`, `textwrap`, `string`,
`enum`, `fractions`, `re`, `datetime`, `math` and data classes with arguments at their edges, each inside of `attempt`, so that
an error's class and words are output, too.
"""

import random
import re

from random_programs import compare

PRELUDE = '''
import bisect, collections, copy, dataclasses, enum, fractions, functools, heapq, itertools, json, math, operator, re, statistics, string, textwrap
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction

def attempt(run):
    try:
        print(repr(run()))
    except Exception as error:
        print(type(error).__name__, error)

def near(figure):
    """CPython's figures are rounded once, ours where it is quick."""
    if isinstance(figure, (list, tuple)):
        return [near(part) for part in figure]
    return round(figure, 9) if isinstance(figure, float) else figure

def steps(start, *runs):
    for run in runs:
        try:
            print(repr(run(start)), start)
        except Exception as error:
            print(type(error).__name__, error, start)

'''


class Maker:
    def __init__(self, seed):
        self.random = random.Random(f"library {seed}")

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, low=-5, high=12):
        return self.random.randint(low, high)

    def items(self, most=7, low=-5, high=12):
        return [self.number(low, high) for _ in range(self.random.randint(0, most))]

    def letters(self, most=6, of="abcd"):
        return "".join(self.random.choices(of, k=self.random.randint(0, most)))

    def some(self, choices, most=5):
        """Steps on one object, in a row."""
        return ",\n    ".join(self.random.choice(choices) for _ in range(self.random.randint(2, most)))

    def program(self):
        kinds = [self.deques, self.counters, self.dicts, self.named, self.iterators, self.joined, self.functional, self.operators, self.heaps, self.copies,
                 self.averages, self.documents, self.wrapped, self.templates, self.enums, self.fractions, self.patterns, self.days, self.figures, self.datas, self.chained]
        return PRELUDE + "\n".join(self.random.choice(kinds)() for _ in range(self.random.randint(3, 5))) + "\n"

    def deques(self):
        n, m = self.number(), self.number(-3, 4)
        calls = [f"d.append({n})", f"d.appendleft({m})", "d.pop()", "d.popleft()", f"d.extend({self.items(3)})", f"d.extendleft({self.items(3)})", f"d.rotate({self.number(-9, 9)})", "d.rotate()",
                 f"d.insert({m}, {n})", f"d.remove({n})", f"d.index({n})", f"d.index({n}, {m})", f"d.count({n})", "d.reverse()", "d.copy()", f"d[{m}]", f"d.__setitem__({m}, {n})", f"d.__delitem__({m})",
                 "list(reversed(d))", f"{n} in d", f"d + deque({self.items(2)})", f"d * {self.number(-1, 2)}", f"d += {self.items(2)}" if False else f"d.__iadd__({self.items(2)})", f"d == deque({self.items(2)})", f"d < deque({self.items(3)})",
                 "len(d), bool(d), d.maxlen", "d.clear()", "d[1:2]", f"d + {self.items(1)}", "[d.append(1) for x in d]", "hash(d)", "sorted(d, key=str)", "deque(d, 2)", "d.maxlen"]
        most = self.pick("", "", f", {self.number(0, 4)}", f", maxlen={self.number(-1, 3)}", ", None")
        return f"""
attempt(lambda: deque({self.pick(self.items(), repr(self.letters()), '()', '5')}{most}))
steps(deque({self.items()}{most if '-1' not in most else ''}), *[lambda d: {f'{chr(10)}    , lambda d: '.join(self.random.choice(calls) for _ in range(self.random.randint(2, 6)))}])"""

    def counters(self):
        a, b = self.letters(), self.letters()
        calls = [f"c[{self.letters(1)!r}]", f"c.most_common({self.pick('', self.number(-2, 4))})", f"c.update({self.pick(repr(b), {'a': self.number()}, 'x=2')})", f"c.subtract({b!r})", "sorted(c.elements())", "c.total()",
                 f"c + Counter({b!r})", f"c - Counter({b!r})", f"c & Counter({b!r})", f"c | Counter({b!r})", "+c", "-c", f"c == Counter({b!r})", f"c <= Counter({b!r})", f"c > Counter({b!r})", f"c.pop({self.letters(1)!r}, None)",
                 f"c.__setitem__('a', {self.number()})", f"c.__delitem__({self.letters(1)!r})", "list(c.items())", "c.copy()", f"c.get({self.letters(1)!r})", "len(c)", "dict(c)", f"{b[:1]!r} in c", "max(c, key=c.get)", "c.fromkeys('ab')",
                 "c.clear()", f"c.setdefault('q', {self.number()})", "c.popitem()", "c | {'a': 1}", "c.__ior__(Counter('ab'))", "c.__isub__(Counter('abc'))", "json.dumps(c)", "{**c}", "isinstance(c, dict)", "sum(c.values())"]
        return f"""
attempt(lambda: Counter({self.pick(repr(a), self.items(), {'a': self.number(), 'b': 2}, 'a=2, b=-1', '5', '', 'None', [[1]])}))
steps(Counter({a!r}), *[lambda c: {f'{chr(10)}    , lambda c: '.join(self.random.choice(calls) for _ in range(self.random.randint(2, 6)))}])"""

    def dicts(self):
        make = self.pick("defaultdict(int)", "defaultdict(list, a=[1])", "defaultdict(lambda: 7, {'b': 2})", "defaultdict(None, {'a': 1})", "OrderedDict(a=1, b=2)", "OrderedDict([('x', 1), ('a', 2), ('b', 3)])", "defaultdict(str)", "dict(a=1, b=2, c=3)", "{'b': 0, 'a': [2]}")
        k = lambda: repr(self.letters(1) or "z")
        calls = [f"d[{k()}]", f"d.get({k()})", f"d.pop({k()})", f"d.pop({k()}, {self.number()})", "d.popitem()", f"d.setdefault({k()}, {self.number()})", f"d.update({k()[1:-1]}={self.number()})", f"d.__setitem__({k()}, {self.number()})", f"d.__delitem__({k()})", "list(d)",
                 "list(reversed(d))", "d.copy()", f"{k()} in d", "len(d)", "d == dict(d)", "list(d.values())", "d.keys()", "d.values()", "d.items()", f"d | {{{k()}: 1}}", f"{{{k()}: 1}} | d", f"d.__ior__({{{k()}: 5}})", "d.clear()", "[d.pop(x) for x in list(d)[:1]]",
                 "sorted(d.items(), key=str)", f"d.fromkeys({self.letters(2)!r}, 0)", "[d.update({x + 'q': 1}) for x in d]", "next(iter(d))", "next(reversed(d.values()), None)", f"d.keys() & {{{k()}}}", f"d.items() - {{({k()}, 1)}}" , "type(d).__name__", "{**d}", "list(map(d.get, 'abx'))"]
        if "Ordered" in make:
            calls += [f"d.move_to_end({k()})", f"d.move_to_end({k()}, last=False)", "d.popitem(last=False)", "d == OrderedDict(reversed(list(d.items())))"] * 2
        if "default" in make:
            calls += ["d.default_factory", f"d.__missing__({k()})", f"d[{k()}] and d"] if "lambda" not in make else [f"d.__missing__({k()})"]
        return f"""
steps({make}, *[lambda d: {f'{chr(10)}    , lambda d: '.join(self.random.choice(calls) for _ in range(self.random.randint(3, 7)))}])"""

    def named(self):
        fields = self.pick("'x y z'", "['x', 'y', 'z']", "'x, y, z'")
        options = self.pick("", "", ", defaults=[5]", ", defaults=(1, 2, 3)", ", rename=True", ", defaults=[1, 2, 3, 4]")
        bad = self.pick("'x x'", "'x class'", "'_x'", "['1']", "'x-y'")
        calls = ["p", "p.x + 1", "p[0]", "p[-1:]", f"p._replace(y={self.number()})", "p._replace(w=1)", "p._asdict()", "P._fields", "P._field_defaults", "P._make([1, 2, 3])", "P._make([1])", "tuple(p)", "p == (1, 2, 3)", "p + (4,)", "p.count(1)", "p.index(2)", "len(p)", "hash(p) == hash(tuple(p))",
                 "[*p]", "P(*'abc')", "P(1, 2)", "P(1, 2, 3, 4)", "P(z=1, y=2, x=3)", "p < P(1, 3, 0)", "P.__name__, P.__doc__", "setattr(p, 'x', 2)", "p.q", "isinstance(p, tuple)", "sorted([P(2, 1, 0), p])", "(lambda x, y, z: (z, y))(*p)", "f'{p}|{p.x:>4}'", "P.x.__doc__", "repr(p)", "{p: 1}[1, 2, 3]", "p.__getnewargs__()", "P._source"]
        return f"""
try:
    P = namedtuple('P', {fields}{options})
    p = P(1, 2, 3)
except Exception as error:
    print(type(error).__name__, error)
    P = namedtuple('P', 'x y z'); p = P(1, 2, 3)
""" + "\n".join(f"attempt(lambda: {self.random.choice(calls)})" for _ in range(self.number(2, 5))) + f"\nattempt(lambda: namedtuple('Q', {bad}))"

    def iterators(self):
        a, b, n, m = self.items(), repr(self.letters()), self.number(-1, 4), self.number(-2, 6)
        calls = [f"itertools.accumulate({a}{self.pick('', ', max', ', operator.mul', f', initial={n}', f', lambda x, y: x - y, initial={m}')})", f"itertools.chain({a}, {b}, {{1: 2}})", f"itertools.chain.from_iterable([{a}, {b}])", f"itertools.combinations({b}, {n})", f"itertools.combinations_with_replacement({b[:4]}{chr(39) if len(b) > 4 else ''}, {n})",
                 f"itertools.compress({b}, {a})", f"itertools.dropwhile(lambda x: x < {m}, {a})", f"itertools.takewhile(lambda x: x > {m}, {a})", f"itertools.filterfalse({self.pick('None', 'lambda x: x % 2')}, {a})", f"[(k, list(g)) for k, g in itertools.groupby({self.pick(a, sorted(a))}, {self.pick('None', 'lambda x: x // 3', 'abs')})]",
                 f"itertools.islice({a}, {m})", f"itertools.islice(itertools.count({n}, {self.pick(1, 2, -3, 0.5)}), {max(n, 0)}, {self.number(0, 12)}, {self.pick(1, 2, 3, 0, -1)})", f"itertools.pairwise({b})", f"itertools.permutations({b}[:3]{self.pick('', f', {n}')})", f"itertools.product({b}[:3], {a}[:3])", f"itertools.product('ab', repeat={n})",
                 f"itertools.repeat({n}, {m})", f"itertools.starmap(pow, [(2, 3), ({n}, 2), {self.pick('(1,)', '(3, 2, 5)', '5')}])", f"itertools.zip_longest({a}, {b}{self.pick('', ', fillvalue=0')})", f"[list(x) for x in itertools.tee({a}, {n})]", f"[x for x, _ in zip(itertools.cycle({b}), range({m}))]", f"zip({a}, {b}, strict=True)", f"enumerate({b}, {n})", f"map(lambda *x: x, {a}, {b})", f"reversed({a})", f"itertools.islice({b}, {n}, None)"]
        call = self.random.choice(calls)
        return "\n".join(f"attempt(lambda: list({self.random.choice(calls)}))" for _ in range(3)) + f"""
i = iter({self.random.choice(calls[:8])})
steps(0, *[lambda _: next(i), lambda _: next(i, 'over'), lambda _: list(i), lambda _: next(i, 'over')])"""

    def joined(self):
        """What an iterator that two hold gives to both."""
        a = self.items(9)
        return f"""
i = iter({a})
attempt(lambda: [(x, next(i, None)) for x in i])
a, b = itertools.tee(iter({a}), 2)
attempt(lambda: (next(a, 0), list(b), list(a), list(b)))
g = itertools.groupby({self.letters(9)!r})
attempt(lambda: [(k, next(v)) for k, v in g])
g = itertools.groupby({sorted(a)}, key=lambda x: x // 4)
attempt(lambda: [list(v) for v in [v for k, v in g]])
z = zip(i := iter({a}), {self.pick('i', repr(self.letters()))})
attempt(lambda: (list(z), list(i)))
attempt(lambda: [*zip(*[iter({a})] * {self.number(1, 3)})])
attempt(lambda: {self.pick(f'max({a}, default=None)', f'min({a}, key=lambda x: -x, default=5)', f'sum(map(abs, {a}), start={self.number()})', f'any(x > 3 for x in {a})', f'sorted(set({a}), reverse=True)', f'dict(zip({a}, itertools.count()))')})"""

    def functional(self):
        n, a = self.number(), self.items()
        return f"""
attempt(lambda: functools.reduce({self.pick('operator.add', 'lambda x, y: x * 2 - y', 'max')}, {a}{self.pick('', f', {n}')}))
attempt(lambda: functools.partial({self.pick('pow', 'int', 'divmod', 'max', 'print')}, {self.pick('2', "'12'", '7')}{self.pick('', ', base=3', ', 3')})({self.pick('', '3', '2, 5', 'base=5')}))
attempt(lambda: [functools.partial(lambda a, b=2, *c, **d: (a, b, c, d), {n}{self.pick('', ', b=3', ', x=4')}).{self.pick('args', 'keywords', 'func(1)')}])
attempt(lambda: sorted({a}, key=functools.cmp_to_key(lambda x, y: {self.pick('x - y', 'y - x', 'x % 3 - y % 3', 'None')})))
@functools.lru_cache(maxsize={self.pick(None, 2, 0, 128)})
def cached(x, y=0):
    return x * 2 + y
attempt(lambda: ([cached(x) for x in {self.items(5, 0, 3)}], cached.cache_info(), cached(y=1, x=2), cached.__name__))
attempt(lambda: (cached.cache_clear(), cached.cache_info(), cached.__wrapped__(3)))
def times(n, *, tell={self.pick(True, False)}):
    def wrap(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            \"\"\"not this\"\"\"
            if tell: print(f.__name__, args, kwargs)
            return [f(*args, **kwargs) for _ in range(n)]
        return inner
    return wrap
@times({self.number(0, 3)})
@times({self.number(0, 2)}, tell={self.pick(True, False)})
def shown(a, b={n}):
    \"\"\"text\"\"\"
    return a + b
attempt(lambda: (shown({self.pick('1', '1, 2', 'b=1', 'a=3')}), shown.__name__, shown.__doc__, shown.__wrapped__.__name__))
@functools.total_ordering
class T:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __{self.pick('lt', 'gt', 'le', 'ge')}__(self, other): return self.n < other.n
attempt(lambda: (T(1) < T({n}), T(1) <= T({n}), T(1) > T({n}), T(1) >= T({n})))
@functools.singledispatch
def kind(x): return 'other'
@kind.register
def _(x: int): return 'int'
@kind.register({self.pick('str', 'list', 'float')})
def _(x): return 'registered'
attempt(lambda: [kind(x) for x in (1, 'a', [2], 1.5, True, None)])"""

    def operators(self):
        two = self.pick("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "lt", "le", "eq", "ne", "gt", "ge", "concat", "contains", "countOf", "indexOf", "getitem", "is_", "is_not")
        x = self.pick(str(self.number()), repr(self.letters()), str(self.items()), "2.5", "{1, 2}", "(1, 2)")
        y = self.pick(x, str(self.number()), repr(self.letters(2)), str(self.items(3)), "0.5", "{2}")
        return f"""
attempt(lambda: operator.{two}({x}, {y}))
attempt(lambda: operator.{self.pick('neg', 'pos', 'abs', 'invert', 'not_', 'truth', 'index')}({self.pick(x, y, 'True')}))
attempt(lambda: list(map(operator.itemgetter({self.pick('0', '1, 0', '-1', 'slice(1)', "'a'")}), [{self.items(3)}, (1, 2), {{'a': 5, 0: 1, 1: 2, -1: 0}}])))
attempt(lambda: operator.attrgetter({self.pick("'real'", "'real', 'imag'", "'real.imag'", "'none'")})({self.number()}))
attempt(lambda: operator.methodcaller({self.pick("'upper'", "'split', 'a'", "'replace', 'a', 'b'", "'nothing'", "'center', 9, '*'")})({self.letters()!r}))
attempt(lambda: (operator.itemgetter(1), operator.attrgetter('a.b', 'c'), operator.methodcaller('f', 1, x=2)))
attempt(lambda: [operator.i{self.pick('add', 'mul', 'or')}({x}, {y})])"""

    def heaps(self):
        a, n = self.items(9), self.number()
        return f"""
steps({a}, lambda h: heapq.heapify(h), lambda h: heapq.heappush(h, {n}), lambda h: heapq.heappop(h), lambda h: heapq.heapreplace(h, {self.number()}), lambda h: heapq.heappushpop(h, {self.number()}))
attempt(lambda: (heapq.nlargest({self.number(-1, 5)}, {a}), heapq.nsmallest({self.number(-1, 5)}, {a}, key=lambda x: {self.pick('-x', 'x % 3', 'abs(x)')})))
attempt(lambda: list(heapq.merge({sorted(a)}, {sorted(self.items())}{self.pick('', ', reverse=False')})))
attempt(lambda: list(heapq.merge({sorted(a, reverse=True)}, {sorted(self.items(), reverse=True)}, key=lambda x: x, reverse=True)))
attempt(lambda: (bisect.bisect({sorted(a)}, {n}), bisect.bisect_left({sorted(a)}, {n}), bisect.bisect_right({sorted(a)}, {n}, {self.number(-1, 3)}), bisect.bisect_left({sorted(a)}, {n}, hi={self.number(0, 5)}, key=lambda x: x // 2)))
steps({sorted(a)}, lambda h: bisect.insort(h, {n}), lambda h: bisect.insort_left(h, {n}), lambda h: bisect.insort_right(h, {self.pick(n, '1.5', repr('a'))}))
attempt(lambda: heapq.heappop([]))"""

    def copies(self):
        make = self.pick("[1, [2, 3], (4, [5])]", "{'a': [1], 'b': {2}}", "(1, [2])", "{1, 2}", "deque([[1]], 3)", "defaultdict(list, a=[1])", "Counter('ab')", "[Box(1), Box([2])]", "OrderedDict(a=[1])", "Box([1])", "range(3)", "{'x': Box([1])}", "print", "None", "1.5")
        return f"""
class Box:
    def __init__(self, v): self.v = v
    def __eq__(self, other): return isinstance(other, Box) and self.v == other.v
    def __repr__(self): return f'Box({{self.v!r}})'
    {self.pick('', '', 'def __copy__(self): return Box("copied")', 'def __deepcopy__(self, memo): return Box(len(memo) > 0)')}
x = {make}
y, z = copy.copy(x), copy.deepcopy(x)
attempt(lambda: (x == y, x is y, x == z, x is z, y, z, type(z).__name__))
l = [1, {self.items(2)}]; l.append(l)
m = copy.deepcopy(l)
attempt(lambda: (m[2] is m, m[1] is l[1], m, len(copy.copy(l)), l[:] == l[:2] + [l]))
a = [{self.items(1)}] * 3
attempt(lambda: [copy.deepcopy(a)[0].append(1), a, [x is a[0] for x in copy.copy(a)], (lambda b: b[0] is b[1])(copy.deepcopy(a))])"""

    def averages(self):
        a = self.pick(self.items(), [round(self.random.uniform(-9, 9), self.number(0, 3)) for _ in range(self.number(0, 6))], self.items(9, 0, 3))
        name = self.pick("mean", "median", "median_low", "median_high", "mode", "multimode", "stdev", "pstdev", "variance", "pvariance", "fmean", "geometric_mean", "harmonic_mean", "quantiles")
        return f"""
attempt(lambda: near(statistics.{name}({a})))
attempt(lambda: near(statistics.{self.pick('mean', 'median', 'mode', 'stdev', 'variance')}({self.pick(a, '[]', '[1]', "'abca'", '[1, 2.5, 4]', '[True, False, True]')})))
attempt(lambda: near(statistics.quantiles({a}, n={self.number(1, 5)}, method={self.pick("'inclusive'", "'exclusive'")})))
attempt(lambda: near(statistics.{self.pick('correlation', 'covariance', 'linear_regression')}({self.items(3)}, {self.items(3)})))
attempt(lambda: statistics.fmean({a}, weights={[1] * len(a)}))"""

    def value(self, depth=2):
        kinds = ["None", "True", str(self.number()), repr(round(self.random.uniform(-9, 9), 3)), repr(self.pick("", "a", 'q"\\\n', "ä€\u2028", "\U0001f600", "\x00\x1f", "</a>")), "1e100", "float('inf')"]
        if depth and self.random.random() < 0.6:
            parts = [self.value(depth - 1) for _ in range(self.number(0, 3))]
            keys = [self.pick("'a'", "'b'", "1", "None", "True", "1.5", "'ä'") for _ in parts]
            return self.pick(f"[{', '.join(parts)}]", f"({''.join(p + ', ' for p in parts)})", "{" + ", ".join(f"{k}: {p}" for k, p in zip(keys, parts)) + "}")
        return self.random.choice(kinds)

    def documents(self):
        v = self.value(3)
        options = self.pick("", "", ", indent=2", ", indent=0", ", indent='--'", ", sort_keys=True", ", ensure_ascii=False", ", separators=(',', ':')", ", allow_nan=False", ", default=str", ", skipkeys=True", ", indent=1, separators=(';', '=')")
        text = self.pick('[1, 2.0, -0, 1e5, true, null]', '{"a": [1, {"b": "\\u00e4\\n"}]}', '[1,]', '{"a" 1}', '"abc', '[1 2]', ' 12 ', '1 2', 'NaN', '[Infinity, -Infinity]', '{"a": 1, "a": 2}', '', '01', '-', '"\\x"', "{'a': 1}", '"\\ud83d\\ude00"', '[1.5e-3, 123456789012]', '{"a": }', 'tru', '[', '"a\tb"', '{1: 2}', '{"a": 1,}', '1.', '[]]')
        return f"""
attempt(lambda: json.dumps({v}{options}))
attempt(lambda: json.loads(json.dumps({v})) == {v})
attempt(lambda: json.loads({text!r}{self.pick('', '', ', parse_int=float', ', parse_float=str', ', object_hook=lambda d: sorted(d)', ', object_pairs_hook=list', ', parse_constant=str')}))
attempt(lambda: json.dumps({self.pick('{1, 2}', 'object', 'Fraction(1, 2)', '{(1, 2): 3}', 'Counter("aab")', 'range(3)', 'deque([1])', '1j', "[print]")}))"""

    def wrapped(self):
        words = " ".join(self.random.choices(["a", "bb", "ccc", "dddddd", "e-e", "fffffffffffff", "g.", "h,", "  ", "\n", "\t", "ä"], k=self.number(0, 14)))
        width = self.pick(5, 8, 10, 20, 1)
        options = self.pick("", "", ", initial_indent='* '", ", subsequent_indent='  '", ", break_long_words=False", ", max_lines=2", ", drop_whitespace=False", ", replace_whitespace=False", ", break_on_hyphens=False", ", expand_tabs=False", ", fix_sentence_endings=True", ", max_lines=1, placeholder='~'")
        return f"""
attempt(lambda: textwrap.wrap({words!r}, {width}{options}))
attempt(lambda: textwrap.fill({words!r}, width={width}{options}))
attempt(lambda: textwrap.shorten({words!r}, {self.pick(5, 10, 15)}{self.pick('', ", placeholder='..'")}))
attempt(lambda: textwrap.dedent({self.pick('  a%s  b', '    a%s  b%s', 'a%s b', ' %s  x', chr(9) + 'a%s' + chr(9) + ' b')!r}.replace('%s', '\\n')))
attempt(lambda: textwrap.indent({words!r}, '> '{self.pick('', ', lambda line: True', ', lambda line: len(line) > 3')}))"""

    def templates(self):
        text = self.pick("$a and ${b}", "$$ $a", "$c", "${a", "$", "$a$b", "x$a.b", "$1")
        return f"""
attempt(lambda: string.Template({text!r}).{self.pick('substitute', 'safe_substitute')}({self.pick("{'a': 1, 'b': 'x'}", "a=2, b=3", "{'a': 1}", '')}))
attempt(lambda: string.capwords({(self.letters() + ' ' + self.letters() + '  x')!r}{self.pick('', ", 'a'")}))
attempt(lambda: string.{self.pick('ascii_letters', 'digits', 'punctuation', 'hexdigits', 'whitespace', 'octdigits', 'ascii_uppercase', 'printable')})
attempt(lambda: string.Formatter().format({self.pick('{0} {1:>4}', '{} {}', '{a!r}', '{0.real}', '{0[0]}', '{', '{:{}}', '}}')!r}, {self.number()}, {self.number(1, 9)}, a='x'))
attempt(lambda: list(string.Formatter().parse({self.pick('a{0}b', '{x!r:>3}', '{{}}', '{', 'a}')!r})))
attempt(lambda: {self.pick('{0} {1:>4}', '{} {0}', '{a!r}', '{0.real}', '{0[0]}', '{2}', '{', '{:{}}', '}}', '{a[0]}{a}', '{!x}', '{:q}', '{0.none}')!r}.format({self.pick(self.number(), '[7]')}, {self.number(1, 9)}, a='x'))"""

    def enums(self):
        kind = self.pick("Enum", "Enum", "IntEnum", "Flag", "IntFlag", "StrEnum")
        value = {"StrEnum": "'{}'"}.get(kind, self.pick("{}", "{}", "enum.auto()") if "Flag" not in kind else "{}")
        numbers = [1, 2, 4] if "Flag" in kind else [self.number(0, 3), self.number(0, 3), self.number(0, 9)]
        a, b, c = (value.format(n) for n in numbers)
        calls = ["E.A", "repr(E.B), str(E.B)", "E.A.name, E.A.value", "list(E)", "E['A']", "E['Z']", f"E({a if 'auto' not in a else 1})", "E(99)", "E.A is E.A, E.A == E.B", "E.A == 1", "len(E)", "E.A in E", "list(E.__members__)", "E.A < E.B", "{E.A: 1}[E.A]", "isinstance(E.A, E)", "f'{E.A}'", "sorted(E)", "E.A + 1", "E.A | E.C", "E.A & E.C",
                 "~E.A", "bool(E.A)", "E.C.twice()", "setattr(E, 'A', 5)", "hash(E.A) == hash(E.A)", "[x.name for x in E]", "E.A.__class__.__name__", "type(E.A)", "(E.A | E.B).name", "E(3)", "E(0)", "json.dumps({'a': E.A})", "f'{E.A:>6}'", "E.A.A"]
        return f"""
class E(enum.{kind}):
    A = {a}
    B = {b}
    C = {c}
    def twice(self): return self.value * 2
    {self.pick('', '', '@property' + chr(10) + '    def low(self): return self.name.lower()', 'def __str__(self): return "!" + self.name', '@classmethod' + chr(10) + '    def _missing_(cls, value): return cls.A')}
""" + "\n".join(f"attempt(lambda: {self.random.choice(calls)})" for _ in range(self.number(3, 7))) + "\nattempt(lambda: (lambda F: (list(F), F.x.value))(enum.Enum('F', 'x y')))"

    def fractions(self):
        q = lambda: self.pick(f"Fraction({self.number()}, {self.number(1, 9)})", f"Fraction('{self.number()}/{self.number(0, 4)}')", f"Fraction({self.number()})", "Fraction('1.25')", "Fraction(0.5)", str(self.number()), "2.5")
        return f"""
attempt(lambda: {q()} {self.pick('+', '-', '*', '/', '//', '%', '**', '<', '==', '>=')} {q()})
attempt(lambda: {q()} {self.pick('+', '-', '*', '/')} Fraction({self.number()}, {self.number(0, 5)}))
attempt(lambda: Fraction({self.number()}, 7).{self.pick('numerator', 'limit_denominator(3)', 'as_integer_ratio()', '__float__()', '__round__(1)', '__hash__() != 0', 'denominator')})
attempt(lambda: (str({q()}), round({q()}), math.floor({q()}), abs({q()}), bool({q()}), int({q()})))
attempt(lambda: sum([Fraction(1, n) for n in range(1, {self.number(2, 6)})]))"""

    def patterns(self):
        p = self.pick(r"\d+", r"(a)(b)?", r"(?P<x>[a-c]+)-(?P<y>\d)", r"^\s*", r"a|b|", r"(?i)AB", r"\bab\b", r"a*?b", r"(.)\1", r"[^a]", r"", r"a{2,3}", r"(?:ab)+", r"(?<=a)b", r"a(?!b)", "(", "[a", "*a", r"\w+$", r"(\w)(\w)", r".", r"(a", r"a++b", r"\Aab\Z")
        text = self.pick("ab12", "aab-3 abc-4", "  x\ny", "AbaB", "aabbaaab", "", "a1b22c333", "äb_c", "xaab")
        f = self.pick("match", "search", "fullmatch", "findall", "split", "finditer")
        calls = [f"re.findall({p!r}, {text!r}{self.pick('', ', re.I', ', re.M', ', re.S')})", f"re.split({p!r}, {text!r}{self.pick('', ', 1', ', maxsplit=2')})", f"re.sub({p!r}, {self.pick('x', '<' + chr(92) + 'g<0>>', chr(92) + '1', '', chr(92) + 'g<x>', chr(92) + '9')!r}, {text!r}{self.pick('', ', 1', ', count=2')})", f"re.subn({p!r}, lambda m: m.group().upper(), {text!r})",
                 f"[(m.start(), m.end(), m.group(), m.groups(), m.groupdict()) for m in re.finditer({p!r}, {text!r})]", f"re.match({p!r}, {text!r})", f"re.search({p!r}, {text!r}).span({self.pick('', 0, 1)})", f"re.compile({p!r}).fullmatch({text!r}, {self.number(0, 2)})", f"re.escape({text!r})", f"re.compile({p!r}).groups", f"re.compile({p!r}, re.I | re.X)", f"re.search({p!r}, {text!r})[{self.pick(0, 1, 2, repr('x'))}]", f"re.search({p!r}, {text!r}).expand('{self.pick('<' + chr(92) * 2 + '1>', 'x')}')", f"re.compile({p!r}).groupindex", f"re.search({p!r}, {text!r}).lastindex"]
        return "\n".join(f"attempt(lambda: {self.random.choice(calls)})" for _ in range(4))

    def days(self):
        d = lambda: f"date({self.pick(2024, 2023, 2000, 1, 9999, 2025)}, {self.number(1, 12)}, {self.number(1, 31)})"
        t = lambda: f"datetime(2024, {self.number(1, 12)}, {self.number(1, 29)}, {self.number(0, 23)}, {self.number(0, 59)}, {self.number(0, 60)}, {self.pick(0, 5, 123456)})"
        l = lambda: f"timedelta(days={self.number(-9, 40)}, hours={self.number(-30, 30)}, seconds={self.pick(0, 0.5, 90, -1)})"
        calls = [f"{d()} - {d()}", f"{d()} + {l()}", f"{t()} - {t()}", f"{t()} + {l()}", f"str({t()})", f"{t()}.isoformat({self.pick('', repr(' '))})", f"{d()}.isoweekday()", f"{d()}.isocalendar()", f"{t()}.strftime('{self.pick('%Y-%m-%d', '%H:%M:%S.%f', '%a %d %b %y', '%j %U %W', '%I %p', '%%')}')", f"datetime.strptime('{self.pick('2024-02-30', '2024-03-01', 'x')}', '%Y-%m-%d')",
                 f"{l()} {self.pick('+', '-', '<', '==')} {l()}", f"{l()} {self.pick('*', '/', '//')} {self.pick(2, 1.5, 0, 3)}", f"str({l()}), {l()}.total_seconds()", f"{l()} {self.pick('/', '//', '%')} timedelta(hours=7)", f"{d()}.replace(day={self.number(1, 31)})", f"date.fromisoformat('{self.pick('2024-02-29', '2023-02-29', '20240101', 'a')}')", f"{t()}.date(), {t()}.time()", f"{d()} < {d()}", f"{d()}.toordinal()", f"repr({t()}), repr({l()})", f"abs({l()}), -{l()}", f"{t()} < {d()}", f"{d()}.timetuple()[:8]", f"f'{{{d()}:%d.%m.}}'", f"divmod({l()}, timedelta(days=1))", f"{t()}.weekday()", f"datetime.fromisoformat('2024-01-02T03:04:05')"]
        return "\n".join(f"attempt(lambda: {self.random.choice(calls)})" for _ in range(4))

    def figures(self):
        n = self.pick(2 ** 63 - 1, -2 ** 63, 2 ** 62, 2 ** 53 + 1, 10 ** 18, self.number(), self.number(-99, 999), 2 ** 31)
        m = self.pick(1, -1, 2, 3, 7, 2 ** 62, -2 ** 63, 2 ** 63 - 1, 10 ** 9, self.number())
        x = self.pick(0.1, 1e16, 1e-7, 123456789.123, 5e-324, 1.7976931348623157e308, 0.5, -2.5, 1e22, 2.675, 1 / 3, float(self.number()), self.random.uniform(-1e6, 1e6))
        f = self.pick("sqrt", "floor", "ceil", "trunc", "factorial", "isqrt", "exp", "log", "log2", "log10", "log1p", "gamma", "lgamma", "erf", "frexp", "modf", "degrees", "isnan", "ulp", "cbrt", "exp2", "sin", "acos", "atanh")
        g = self.pick("gcd", "lcm", "comb", "perm", "pow", "fmod", "atan2", "hypot", "copysign", "remainder", "nextafter", "ldexp", "isclose", "dist", "log")
        return f"""
attempt(lambda: {n} {self.pick('+', '-', '*', '//', '%', '&', '|', '^', '/', '<', '==')} {m})
attempt(lambda: ({n}) {self.pick('**', '<<', '>>')} {self.number(0, 4)})
attempt(lambda: (-({n}), abs({n}), ~({n})))
attempt(lambda: (float({n}), {n} == float({n}), hash({n}), str({n}), ({n}).bit_length()))
attempt(lambda: (int({x}), round({x}), math.floor({x})))
attempt(lambda: ({x}, str({x}), f'{{{x}:.3f}} {{{x}:g}} {{{x}:e}} {{{x}:,.1f}} {{{x}:.0f}} {{{x}:%}}', round({x}, {self.number(-3, 4)})))
attempt(lambda: math.{f}({self.pick(x, n, self.number())}))
attempt(lambda: math.{g}({self.pick(n, x, self.number())}, {self.pick(m, self.number())}))
attempt(lambda: (math.fsum({[round(self.random.uniform(-9, 9), 2) for _ in range(self.number(0, 5))]}), math.prod({self.items(4)}), math.sumprod([1], [2]) if hasattr(math, 'sumprod') else 2))
attempt(lambda: int({self.pick(str(n), hex(n), ' 7 ', '1_0', '1__0', '9' * 18, '-0b1', '٣', '1.0', '')!r}{self.pick('', '', ', 0', ', 16', ', 36')}))
attempt(lambda: divmod({n}, {m}))
attempt(lambda: (float('{self.pick('1e400', '-inf', 'nan', '1_000.5', '0x1p3', '1e-400', ' 2 ', '1 2')}'), ({x}).hex()))"""

    def datas(self):
        options = self.pick("", "", "(order=True)", "(frozen=True)", "(eq=False)", "(repr=False)", "(unsafe_hash=True)", "(kw_only=True)", "(slots=True)", "(frozen=True, order=True)", "(init=False)", "(match_args=False)")
        calls = ["D(1)", "D(1, 2)", "D(1, y=3)", "D(x=1, y=2)", "D()", "D(1) == D(1)", "D(1) < D(2)", "setattr(D(1), 'x', 5)", "dataclasses.asdict(D(x=1))", "dataclasses.astuple(D(x=1))", "dataclasses.replace(D(x=1), y=9)", "[f.name for f in dataclasses.fields(D)]", "dataclasses.is_dataclass(D)", "D(x=1).z", "D(x=1).z is D(x=1).z", "D.__match_args__", "D(x=1, q=2)", "D(x=1).__dict__", "sorted([D(x=2), D(x=1)])",
                 "D.__annotations__", "D(x=1) != D(x=2)", "S(x=1)", "S(x=1, w=3) == S(x=1, w=3)", "S(1, 2, 3)", "[f.default for f in dataclasses.fields(S) if f.default is not dataclasses.MISSING]", "dataclasses.replace(S(x=1), w=5)", "delattr(D(x=1), 'x')", "repr(S(x=[1]))", "isinstance(S(x=1), D)", "dataclasses.asdict(S(x=[D(x=1), {'a': D(x=2)}]))", "dataclasses.replace(D(x=1), z=5)", "D.y", "D.x", "copy.deepcopy(S(x=[1]))", "D(x=1).__eq__(3)"]
        fields = self.pick("z: list = field(default_factory=list)", "z: int = field(default=3, repr=False)", "z: int = field(default=3, compare=False)", "z: int = field(init=False, default=7)", "z: list = field(default_factory=list, repr=False)", "z: int = 0; k: str = field(default='k', kw_only=True)", "z: dataclasses.InitVar[int] = 4", "_: dataclasses.KW_ONLY; z: int = 6", "z: list = []", "z: int = field(default=1, hash=False)")
        fields = fields.replace("; ", "\n    ")
        return f"""
try:
    @dataclass{options}
    class D:
        x: int
        y: int = {self.number()}
        {fields.replace(chr(10), chr(10) + '    ')}
        {self.pick('', '', 'def __post_init__(self, *rest): print("post", rest)', 'def total(self): return self.x + self.y', 'def __repr__(self): return "own"')}
    @dataclass{options if self.random.random() < 0.8 else ''}
    class S(D):
        w: float = {self.pick('0.5', "'w'")}
        {self.pick('', 'y: int = 100', 'x: int = 1')}
except Exception as error:
    print(type(error).__name__, error)
else:
""" + "\n".join(f"    attempt(lambda: {self.random.choice(calls)})" for _ in range(self.number(3, 7)))

    def chained(self):
        calls = ["c['a']", "c['z']", "c.__setitem__('a', 9)", "c.pop('a')", "c.pop('b')", "list(c)", "len(c)", "dict(c)", "c.new_child({'n': 1})", "c.parents", "c.maps", "'b' in c", "c.get('q', 4)", "sorted(c.items())", "c | {'x': 1}", "c.popitem()", "bool(c)", "c == {'a': 1}", "c.__delitem__('b')", "c.update(a=2)", "c.copy()"]
        return f"""
steps(ChainMap({{'a': 1}}, {{'a': 2, 'b': 3}}), *[lambda c: {', lambda c: '.join(self.random.choice(calls) for _ in range(4))}])"""


def alike(text):
    """An integer beyond 64 bits is an error here, and of an error about one the class is enough."""
    # Said in other words: which arguments a built-in function lacks, and types with their modules.
    calls = r"(TypeError) (?:\w+\(\) |\w+ expected |'\w+' is an invalid keyword).*(?:argument|given|got).*"
    text = re.sub(calls, r"\1", text).replace("'collections.deque'", "'deque'").replace("odict_", "dict_")
    text = re.sub(r"argument of type '(\w+)' is not iterable", r"'\1' object is not iterable", text)
    text = text.replace("OrderedDict mutated during", "dictionary changed size during")
    text = re.sub(r"sequence index must be integer, not '(\w+)'", r"deque indices must be integers or slices, not \1", text)
    text = re.sub(r"<__main__\.(\S+) object at 0x\w+>", r"<\1 object>", text)
    # Differences that are written down: words of divisions by zero, the order of sets, `mappingproxy`, `KW_ONLY`, what `pow` takes.
    zero = r"ZeroDivisionError (?:integer |float )?(?:floor )?(?:division or modulo|division|modulo|divmod\(\))(?: by zero)?"
    text = re.sub(zero, "ZeroDivisionError division by zero", text)
    text = re.sub(r"\{(\('\w+', -?\d+\)(?:, \('\w+', -?\d+\))+)\}", lambda m: "{%s}" % sorted(re.findall(r"\(.*?\)", m[1])), text)
    text = re.sub(r"mappingproxy\((\{.*?\})\)", r"\1", text)
    text = re.sub(r"<dataclasses._KW_ONLY_TYPE object at 0x\w+>", "'KW_ONLY'", text)
    text = re.sub(r"(TypeError) (?:argument for pow\(\) given|unsupported operand type\(s\) for \*\* or pow\(\): '\w+', '\w+', ).*?(?= \[|$)", r"\1", text, flags=re.M)
    words_of = lambda words: re.sub(r"<function (\S+) at 0x\w+>", r"<function \1>", words)

    def line(words):
        words = words_of(words)
        beyond = any(not -2 ** 63 <= int(n) < 2 ** 63 for n in re.findall(r"(?<![\d.])-?\d{19,400}(?![\d.])", words))
        return "beyond" if beyond or words.startswith("OverflowError") else words
    return "".join(line(words) + "\n" for words in text.splitlines())


def is_kept(text, expected):
    return len(text) + len(expected) < 5000 and alike(expected) == expected


if __name__ == "__main__":
    compare(lambda seed: Maker(seed).program(), is_kept, alike)
