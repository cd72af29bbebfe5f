"""What `for` goes through of the program's own classes."""

class Tree:
    def __init__(s, v, l=None, r=None): s.v, s.l, s.r = v, l, r
    def __iter__(s):
        if s.l: yield from s.l
        yield s.v
        if s.r:
            for x in s.r: yield x
t = Tree(4, Tree(2, Tree(1), Tree(3)), Tree(6, Tree(5), Tree(7)))
print(list(t), [x for x in t], max(t), 5 in t, [*t], sum(t), dict.fromkeys(t))
a, *b = t; print(a, b)
class Count:
    def __init__(s, n): s.n, s.i = n, 0
    def __iter__(s): s.i = 0; return s
    def __next__(s):
        if s.i >= s.n: raise StopIteration
        s.i += 1; return s.i
c = Count(3)
for x in c:
    for y in c: print(x, y)
print(list(c), [x * y for x in c for y in Count(2)], {x for x in Count(2)})
class L:
    def __iter__(s): return iter([1, 2])
class D:
    def __iter__(s): return {1: 2}.items().__iter__()
class Bad:
    def __iter__(s): return 5
class Bad2:
    def __iter__(s): return [1]
class Raises:
    def __iter__(s): raise LookupError("none")
class Nest:
    def __init__(s, n): s.n = n
    def __iter__(s):
        for x in (Nest(s.n - 1) if s.n else []): pass
        return iter(range(s.n))
for o in (L(), D(), Bad(), Bad2(), Raises(), 5, Nest(150)):
    try:
        for x in o: pass
        print(x, [y for y in o][:3])
    except (TypeError, LookupError) as e: print(type(e).__name__, e)
class Seq:
    def __getitem__(s, i):
        if i > 2: raise IndexError
        return i * i
for x in Seq(): print(x)
class SubL(list):
    def __iter__(s): return reversed(s)
for x in SubL([1, 2, 3]): print(x)
class SubD(dict): pass
for x in SubD(a=1): print(x)
class NI:
    __iter__ = None
try:
    for x in NI(): pass
except TypeError as e: print(e)
print(sorted(Count(3), reverse=True), tuple(zip(Count(2), t)))
def loop():
    yield from Count(2)
    return (yield)
print(list(loop()))
