"""Classes derived from containers of the library."""
class S(set): pass
a=S([1,2]); b=a|{3}; print(type(b), b, repr(a), type(a.copy()), type(a.union([4])), type({9}|a), type(a & a), type(a-{1}), isinstance(a,set), a=={1,2}, hash(frozenset([1]))==hash(frozenset([1])))
from collections import *; import json
class C(Counter): pass
c=C('aab'); print(repr(c), type(c.copy()), type(c+c), type(c-c), c['z'], c.most_common(1), type(c & c)); c.update('zz'); print(c, c|c)
class D(defaultdict): pass
d=D(int, a=1); d['x']+=1; print(repr(d), type(d.copy()), type(d|{}), d.default_factory)
class D2(defaultdict):
    def __missing__(self, k): self[k]=k*2; return self[k]
print(D2()['ab'], D2(None)['c'])
class O(OrderedDict): pass
o=O(a=1,b=2); o.move_to_end('a'); print(repr(o), type(o.copy()), type(o|{}), o==O(b=2,a=1), o=={'a':1,'b':2}, list(reversed(o)))
class Q(deque):
    def push(self,x): self.append(x); return self
q=Q([1],maxlen=2).push(2).push(3); print(repr(q), type(q.copy()), type(q+q), q.maxlen, q[0], len(q))
class F(frozenset): pass
f=F([1]); print(repr(f), {f:1}[frozenset([1])], type(f|f))
import random
class R(random.Random):
    def roll(self): return self.randint(1,6)
print(R(1).roll())
class L(list): pass
l=L([1]); m=l; l+=[2]; print(type(l).__name__, m is l, m); l*=2; print(m, type(l).__name__)
class DD(dict): pass
d=DD(a=1); e=d; d|={'b':2}; print(type(d).__name__, e is d, e)
s=S([1]); t=s; s|={2}; s-={1}; print(type(s).__name__, t is s, t)
try: s|=[1]
except TypeError as x: print(x)
q=Q([1]); r=q; q+=[3]; print(type(q).__name__, r is q, r)
class Recent(deque):
    def __init__(self, n): super().__init__(maxlen=n); self.seen=0
    def append(self, x): self.seen+=1; super().append(x)
r=Recent(2)
for i in range(5): r.append(i)
print(r, r.seen, r.maxlen, list(r), r[-1], 4 in r, len(r), bool(r))
class Bag(Counter):
    def __init__(self, *a): super().__init__(*a); self.name='bag'
    def total2(self): return sum(self.values())*2
b=Bag('hello'); print(b.total2(), b.name, b, b['q'], isinstance(b, dict), b == Counter('hello'), sorted(b.elements()))
class Graph(defaultdict):
    def __init__(self): super().__init__(set)
    def link(self,a,b): self[a].add(b); self[b].add(a)
g=Graph(); g.link(1,2); g.link(1,3); print(g, dict(g), g.default_factory, {**g}, json.dumps({k: sorted(v) for k,v in g.items()}) if 'json' in globals() else '')
class LRU(OrderedDict):
    def __init__(self, cap, *args, **kwds): self.cap=cap; super().__init__(*args, **kwds)
    def __getitem__(self, k):
        v=super().__getitem__(k); self.move_to_end(k); return v
    def __setitem__(self,k,v):
        super().__setitem__(k,v)
        if len(self)>self.cap: del self[next(iter(self))]
l=LRU(2,a=1); l['b']=2; l['a']; l['c']=3; print(l, l.cap, list(l.items()))
import copy

class US(set):
    def add(self, x): super().add(str(x)); return self
print(sorted(US().add(1).add(2)), US('ab') >= {'a'}, {'a'} <= US('ab'), US('a') == {'a'}, len(US()), hash(F([1]))==hash(frozenset([1])))
try: hash(S())
except TypeError as x: print(x)
try: {q: 1}
except TypeError as x: print(x)
class O2(Q, object): pass
print(O2([1,2]), O2.__mro__[1].__name__)
try:
    class Bad(list, dict): pass
except TypeError as x: print(x)
class DC(dict):
    def __missing__(self, k): return k+'!'
print(DC()['a'], DC(a=1)['a'])

from dataclasses import dataclass, field
@dataclass
class Box:
    x: object
    items: list = field(default_factory=list)
b = Box(1); b.items.append((b, 7)); print(b); print(repr(b), [b])
class A:
    def __init__(self): self.l = [self]
    def __repr__(self): return f'A({self.l})'
print(A(), [A()]); a = A(); a.l = {'a': a}; print(a)
q.append(q); print(q)
l = [3, 1, 2]
try: l.sort(key=lambda v: l.append(1) or v)
except ValueError as x: print(x)
