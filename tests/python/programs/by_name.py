"""Methods behind operators and functions, asked by their names."""
it=iter([1,2]); n=it.__next__; print(n(), n()); 
try: n()
except StopIteration: print('stop')
g=(x for x in 'ab'); print(g.__next__(), g.__iter__() is g, list(map(g.__next__, [])) )
f=lambda a,b=2,*c,**d:(a,b,c,d); print(f.__call__(1,3,4,k=5), len.__call__([1]), f.__class__.__name__, len.__class__.__name__, 'abc'.upper.__call__())
r=range(2,9,3); print(r.__len__(), r.__getitem__(1), r.__contains__(5), list(r.__iter__()), list(r.__reversed__()), r.__eq__(range(2,9,3)), r==range(2,10,3))
d={'a':1}; print(d.keys().__len__(), d.keys().__contains__('a'), list(d.items().__iter__()), list(d.__reversed__()), [1,2].__reversed__().__next__())
print((1j).__add__(2), (1j).__abs__(), (2j).__mul__(3j), (1j).__eq__(1j), (1j).__lt__(2), (1).__add__(1j), (1j).__add__('a'))
print((7).__round__(-1), (2.5).__round__(), (2.567).__round__(2), (2.5).__floor__(), (2.5).__ceil__(), (-2.5).__trunc__(), '%d-%s'.__mod__((1,'a')))
print((5).__repr__(), f.__eq__(f), None.__repr__(), (3).__class__, [].__class__.__name__, type(None.__class__).__name__, (1).__hash__())
class A:
    x=1
a=A(); a.__setattr__('y',2); print(a.y, A.__dict__['x'], a.__dir__()[-1:] != [], a.__ne__(3))
class L(list):
    def __init__(self,*a,**k): super().__init__(*a)
print(L([1]), L('ab'))
class E(Exception):
    def __init__(self,*a): super().__init__(*a); self.n=len(a)
print(E(1,2).n, E(1,2).args)
