class S(str):
    def __eq__(self, o): print('eq'); return True
    __hash__ = str.__hash__
class L(list):
    def __eq__(self, o): print('eq'); return True
class I(int):
    def __eq__(self, o): print('eq'); return True
class T(tuple):
    def __eq__(self, o): print('eq'); return True
class X(Exception):
    def __eq__(self, o): print('eq'); return True
class D(dict):
    def __eq__(self, o): print('eq'); return True
class E:
    def __eq__(self, o): print('eqE'); return True
from collections import OrderedDict, deque, Counter, defaultdict
class O(OrderedDict):
    def __eq__(self, o): print('eq'); return True
class Q(deque):
    def __eq__(self, o): print('eq'); return True
class C(Counter):
    def __eq__(self, o): print('eq'); return True
class DD(defaultdict):
    def __eq__(self, o): print('eq'); return True
class ST(set):
    def __eq__(self, o): print('eq'); return True
class FS(frozenset):
    def __eq__(self, o): print('eq'); return True
class B(bytes):
    def __eq__(self, o): print('eq'); return True
class F(float):
    def __eq__(self, o): print('eq'); return True
class CX(complex):
    def __eq__(self, o): print('eq'); return True
for a, b in [(S('a'), 'b'), (S('a'), S('a')), (L([1]), [1]), (I(1), 1), (I(1), 2.0), (T((1,)), (1,)), (X(1), X(1)), (D(), {}), (O(), {}), (Q(), deque()), (C(), C()), (DD(), {}), (ST(), set()), (FS(), FS([1])), (B(b''), b'1'), (F(1), 1), (CX(1), 1), (S('a'), 1), (L(), ())]:
    print(type(a).__name__, a != b, b != a, a != None, a != E(), E() != a)
