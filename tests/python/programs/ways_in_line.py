# What is called, gone through and made without asking anybody: stars, generators, unpacking, formats, searches.

def f(a, b): return (a, b)
def g(*args): return args
def h(a, *rest): return (a, rest)
def k(a, b=5, *rest): return (a, b, rest)
def d(a, b=5): return (a, b)
class C:
    def m(self, *args): return args
    def n(self, a, b): return (a, b)
    def __call__(self, *a): return a
c = C()
t = (1, 2)
for fn, args in ((f, t), (g, t), (g, ()), (h, (1,)), (h, (1,2,3)), (k, (1,)), (k, (1,2)), (k,(1,2,3,4)), (d,(1,)), (d,(1,2))):
    for i in range(3):
        print(fn.__name__, fn(*args))
for bad in (lambda: f(*(1,)), lambda: f(*(1,2,3)), lambda: h(*()), lambda: f(*5), lambda: c.n(*(1,2,3))):
    try:
        print(bad())
    except TypeError as e:
        print('TypeError')
for i in range(3):
    print(c.m(*t), c.m(1, *t), c.n(*t), c.n(1, *(2,)), g(*[1,2]), g(*'ab'), g(0, *t), h(*t, 4), g(*t, *t), c(*t), c(1, 2))
def rec(n, *args):
    return n if not args else rec(n + args[0], *args[1:])
print(rec(0, *range(20)))
def deep(n, *a):
    return 0 if n == 0 else 1 + deep(n - 1, n, *a[:1])
print(deep(300))
# cells in gathering functions
def mk(*vals):
    def inner(): return vals
    return inner
print([mk(i, i + 1)() for i in range(3)])
# unpacking loops
for a, b in zip([1,2,3], 'abc'): print(a, b)
print(a, b)
for a, b in zip([1,2,3], [4,5]): pass
print(a, b)
z = zip([1,2,3],[4,5,6]); 
for a, b in z:
    if a == 2: break
print(list(z))
for i, (a, b) in enumerate([(1,2),(3,4)]): print(i, a, b)
for i, x in enumerate('ab', 9223372036854775800): print(i, x)
dd = {1: 'a', 2: 'b'}
for k2, v in dd.items(): print(k2, v)
try:
    for k2, v in dd.items(): dd[k2 + 10] = v
except RuntimeError as e: print(e)
try:
    for a, b, q in zip([1],[2]): pass
except ValueError as e: print(e)
try:
    for a, b in [(1,2),(3,4,5)]: print(a,b)
except ValueError as e: print(type(e).__name__, a, b)
l = [(1,2)]
for a, b in l:
    if len(l) < 5: l.append((a+1, b+1))
print(l, a, b)
for a, b in ((1,2),[3,4],'xy'): print(a, b)
for x in 'héλ🎉a': print(x, end=' ')
print([c2 for c2 in 'aβc'], {c2: 1 for c2 in 'ab'}, list(c2 + '!' for c2 in 'xyz'))
def letters(s):
    for ch in s: yield ch
print(''.join(letters('hello')), list(zip(letters('ab'), letters('cd'))))
# driven generators
def gen(n):
    try:
        for i in range(n): yield i
    finally:
        print('closed', n)
print(any(x > 2 for x in gen(5)))
ge = gen(6)
print(any(x > 2 for x in ge)); print(next(ge)); print(sum(ge))
print(sum(gen(3)), list(gen(3)), tuple(gen(2)), sorted(gen(3)), max(gen(4)), min(gen(4)), set(gen(2)))
class V:
    def __init__(self, n): self.n = n
    def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))
    __radd__ = __add__
    def __bool__(self):
        return self.n > 1
gg = None
class W(V):
    def __radd__(self, o):
        return next(gg, 0) + (o if not isinstance(o, V) else o.n)
print(sum((V(i) for i in range(4)), V(0)).n, any(V(i) for i in range(3)), all(V(i) for i in range(3)))
gg = (W(i) if i == 1 else i for i in range(6))
print(sum(gg))
def bad(n):
    yield 1
    raise ValueError('bad')
for fn in (sum, list, any, tuple, sorted, set, all):
    try: print(fn(bad(1)))
    except ValueError as e: print(fn.__name__, e)
def sub(): 
    yield from (1, 2)
    r = yield from gen(3)
    yield 9
print(sum(sub()), list(sub()), ','.join(str(i) for i in sub()))
def selfish():
    yield 1
    yield next(me)
me = selfish()
try: print(sum(me))
except ValueError as e: print(e)
print(sum(sum(j for j in range(i)) for i in range(10)))
try: sum(1 // (3 - i) for i in range(9))
except ZeroDivisionError: print('ZeroDivisionError')
# recursion within driven
def down(n): return 0 if n == 0 else 1 + sum(down(n - 1) for _ in range(1))
print(down(50))
try: down(5000)
except RecursionError as e: print('RecursionError')
# formats
for v in (0.0, -0.0, 1.005, -2.5, 1e10, 123456.789, 1e-7):
    print(f'{v:.2f}|{v:8.3f}|{v:08.2f}|{v:.0f}|{v:010.1f}|{v:5.1f}')
for v in (0, 5, -5, 123456, True):
    print(f'{v:d}|{v:5d}|{v:05d}|{v:0}|{v:3}|{v:03}|{v:.2f}')
for v in (float('inf'), float('nan')): print(f'{v:.2f}|{v:8.2f}|{v:08.1f}')
w = 7; p = 3
print(f'{3.14159:{w}.{p}f}|{42:{w}}|{"x":5}|{"x":>5}|{3.5:5}|{3.5}')
loc = 2.5; spec = '.1f'
for i in range(3): print(f'{loc:{spec}}', loc, spec)
# comparisons, containment
for a, b in (((1,2),(1,3)), ((1,),(1,2)), ((),()), ((1,'a'),(1,'b')), ((1.5,2),(1.5,2)), ((1,2),(1.0,2)), (('a','b'),('a',))):
    print(a < b, a <= b, a > b, a >= b, a == b, a != b)
try: print((1,'a') < (1,2))
except TypeError as e: print(e)
print('a' < 'b', 'a' <= 'A', 'é' > 'z', 1 in [1.0], 'a' in ('b','a'), 2 in [1,None,'2',2], True in [1], 1 in [True], 'b' in 'abc', '' in 'x', 3 not in [1,2], None in [None], 1 in (2,3))
try: 1 in 'a'
except TypeError as e: print(e)
# numbers
for t3 in ('12', '-7', '+3', '  9 ', '1_000', '0x1', '', '12.5', '1e5', '.5', '5.', '-.5e-3', 'inf', 'nan', '٣', '9999999999999999', '-'):
    for fn in (int, float):
        try: print(fn.__name__, repr(t3), repr(fn(t3)))
        except ValueError as e: print('ValueError', e)
print(divmod(7,3), divmod(-7,3), divmod(7,-3), divmod(7.5,2), round(2.5), round(3.5), round(-0.5), round(2.675,2), round(5), round(1e15+0.5), round(1.25,1), round(7,-1), round(1234.5,-2))
print(max([3,1,2]), min([3,1,2]), max([1.5,0.5]), max([1,2.5]), max(1,2,3), min(3,2,1), max('ab'), max([True,2]), min([0.0,-0.0]), max([float('nan'),1.0]), max([1.0,float('nan')]), sum([1,2,3]), sum([1.5,2]), sum([True,2]), sum([]))
for bad2 in (lambda: max([]), lambda: min(1), lambda: divmod(1,0), lambda: round('a'), lambda: sum(['a'])):
    try: print(bad2())
    except Exception as e: print(type(e).__name__)
# containers
from collections import deque
q = deque([1,2]); q.append(3); q.appendleft(0); print(q, q.pop(), q.popleft(), q)
m = deque(maxlen=2)
for i in range(5): m.append(i)
print(m)
e = deque()
try: e.pop()
except IndexError as x: print(x)
l2 = [1,[2]]; l3 = l2.copy(); l3[1].append(3); l3.append(4); print(l2, l3, l2[:], l2[:] == l2)
print({i % 3 for i in range(10)}, {i: i * i for i in range(40)}[39], {str(i): i for i in range(5)}, {(1, i) for i in range(3)}, {True: 1, 1: 2, 1.0: 3})
print({x: y for x, y in zip('ab', [1, 2])}, [x + y for x, y in [(1, 2), (3, 4)]])
print('a-b'.replace('-', '+++'), 'aaa'.replace('a', 'bb'), 'abc'.replace('', '-'), 'x'.replace('y', 'zz'))
print(list(map(str, [1, 2.5, None])), list(map(len, ['a', []])), list(map(int, ['1', ' 2'])), sorted(['bb', 'a'], key=len), list(map(abs, [-1, 2.5])), list(map(max, [1, 5], [3, 2])), list(filter(len, ['', 'a'])))
# closures, cells, methods
def counter():
    n = 0
    def step(by=1):
        nonlocal n
        n += by
        return n
    return step
s1, s2 = counter(), counter()
print([s1() for _ in range(5)], s2(10), s1(2))
def attr(): 
    attr.calls += 1
    return attr.calls
attr.calls = 0
for _ in range(3): attr()
print(attr.calls)
class D:
    live = 0
    def __init__(self): D.live += 1
    def __del__(self): D.live -= 1
def hold():
    x = D()
    return lambda: x
def run():
    y = hold()
    r = y() is y()
    return r
for i in range(4): run()
print(D.live)
# what predicates answer, and objects' own truth
from itertools import takewhile, dropwhile
print(len(list(takewhile(lambda i: V(i), [2, 3, 1, 4]))), len(list(dropwhile(lambda i: V(i), [2, 3, 1, 4]))))
print([v.n for v in filter(None, [V(0), V(2), V(1), V(3)])], any([V(0), V(1)]), all([V(2), V(3)]))
