# Keys that are texts and numbers of classes with an `__eq__` of their own.
class SK(str):
    def __eq__(self, other):
        print('eq', str.__str__(self), other); return str.__eq__(self, other)
    def __hash__(self):
        return str.__hash__(self)
class SN(str):
    def __eq__(self, other):
        print('ne', other); return False
    __hash__ = str.__hash__
class SE(str):
    def __eq__(self, other):
        print('yes', other); return True
    def __hash__(self):
        return hash('b')
for K in SK, SN, SE:
    print(K.__name__)
    d = {K('a'): 1}
    print('a' in d, 'b' in d)
    print(d.get('a'), d.get('b'))
    try: print(d['a'])
    except KeyError as e: print('KeyError', e)
    try: print(d['b'])
    except KeyError as e: print('KeyError', e)
    print(K('a') in {'a': 1}, K('a') in {'b': 1}, K('b') in {'a', 'b'})
    d['a'] = 2
    print(len(d), list(d.values()))
    d['b'] = 3
    print(len(d), list(d.values()))
    s = {K('a'), 'a', 'b'}
    print(len(s))
    d = {'a': 5, 'b': 6}
    print(d.get(K('a')), d.get(K('b')))
    d.setdefault('a', 1); print(d.pop('b', None)); print(d.pop(K('a'), None), len(d))
    print([K('a')] == ['a'], ('a',) == (K('a'),), K('a') in ['a'], 'a' in [K('a')], 'a' in (K('b'),))
    print({K('a'): 1} == {'a': 1}, {'a'} == {K('a')}, {'a'} | {K('a')}, {'a'} & {K('a')})
class I(int):
    def __eq__(self, o): print('ieq', int(o)); return int(self) == o
    def __hash__(self): return int.__hash__(self)
d = {I(1): 'x'}
print(1 in d, d.get(1), d.get(1.0), d.get(True), 2 in d)
d[1] = 5; print(d)
print(I(1) in {1}, {1: 2}[I(1)])
