# Tuples, lists and texts of classes of the program's where a tuple or a text is taken; queues that are asked.
class T(tuple): pass
print(isinstance(1, T((int,))), issubclass(bool, T((int, str))))
print('abc'.startswith(T(('a', 'x'))), 'abc'.endswith(T(('c',))), b'abc'.startswith(T((b'a',))))
try: 1/0
except T((ZeroDivisionError, ValueError)) as e: print('caught', e)
class L(list): pass
try: isinstance(1, L([int]))
except TypeError as e: print(e)
try: 'abc'.startswith(L(['a']))
except TypeError as e: print(e)
try:
    try: 1/0
    except L([ZeroDivisionError]): pass
except TypeError as e: print(e)
try:
    raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
except* (ValueError, KeyError) as g: print(g.exceptions)
class ST(str): pass
print('%s %s' % T((1, 2)), '%(a)s' % type('D', (dict,), {})(a=3))
print('abc'.find(ST('b')), 'abc'.replace(ST('a'), ST('z')), 'a-b'.split(ST('-')), ST('-').join(T(('a', 'b'))), ST('b') in 'abc', 'abc'.count(ST('c')), 'abc'.index(ST('c')), 'abc'.partition(ST('b')), 'abc'.strip(ST('ac')), 'abc'.removeprefix(ST('a')))
print('{}'.format(ST('q')), f'{ST("q"):>3}', int(ST('12')), float(ST('1.5')), getattr('abc', ST('upper'))(), hasattr([], ST('append')), ord(ST('a')))
print(sorted(T((3, 1))), max(T((3, 1))), dict([T((1, 2))]), dict([L([1, 2])]), [*T((1,))], {**type('D', (dict,), {})(a=3)})
print(isinstance(T(), tuple), T((1,)) + (2,), type(T((1,)) + (2,)).__name__, (0,) + T((1,)), T((1, 2)) * 2, T((1, 2))[::-1], type(T((1, 2))[:]).__name__)
d = {'a': 1}
print(d.get(ST('a')), d[ST('a')], ST('a') in d, {ST('a'): 2}['a'], getattr(type('A', (), {'x': 5}), ST('x')))
from collections import deque
class E:
    def __init__(self, n): self.n = n
    def __eq__(self, o): print('eq', self.n, o); return self.n == o
    def __repr__(self): return f'E{self.n}'
q = deque([E(1), E(2), E(3), E(2)])
print(q.index(2), q.count(2)); q.remove(2); print(q)
try: q.index(9)
except ValueError as e: print(e)
try: q.remove(9)
except ValueError as e: print(e)
print(q.index(2, 1), 2 in q)
class M:
    def __eq__(self, o): q.append(1); return False
q = deque([M(), M()])
for f in (q.index, q.count, q.remove):
    try: f(5)
    except (RuntimeError, IndexError) as e: print(type(e).__name__, e)
l = [E(1), E(2), E(2)]
print(l.index(2), l.count(2), l.remove(2), l)
import os
import pathlib


class Place:
    def __fspath__(self):
        return "/tmp"


class Text(str):
    def __fspath__(self):
        return "/no"


class Row(list):
    def __fspath__(self):
        return "/r"


print(os.fspath(Place()), os.path.join(Place(), "q"), pathlib.Path(Place(), "x"), os.path.exists(Place()), pathlib.PurePath("a", Text("b")))
print(os.fspath(Row()), os.fspath(Text("/t")), os.path.basename(Row()), pathlib.Path("a") / Text("b"), pathlib.Path(Row()).name)
for wrong in (lambda: os.fspath([1]), lambda: pathlib.Path(3), lambda: os.path.join("a", 3), lambda: os.fspath(T(("a",)))):
    try:
        print(wrong())
    except TypeError as e:
        print(e)
