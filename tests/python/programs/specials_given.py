# How a special method is given to a class, and what asks for it.
import functools, math, operator, os
OPS = {
    '__len__': (lambda x: len(x), lambda *a: 3),
    '__bool__': (lambda x: bool(x), lambda *a: False),
    '__repr__': (lambda x: repr(x), lambda *a: 'R'),
    '__str__': (lambda x: str(x), lambda *a: 'S'),
    '__iter__': (lambda x: list(x), lambda *a: iter([1, 2])),
    '__contains__': (lambda x: 5 in x, lambda *a: True),
    '__getitem__': (lambda x: x[4], lambda *a: ('got', a[-1])),
    '__call__': (lambda x: x(7), lambda *a: ('called', a[-1])),
    '__add__': (lambda x: x + 1, lambda *a: ('add', a[-1])),
    '__radd__': (lambda x: 1 + x, lambda *a: ('radd', a[-1])),
    '__iadd__': (lambda x: iadd(x), lambda *a: ('iadd', a[-1])),
    '__neg__': (lambda x: -x, lambda *a: 'neg'),
    '__eq__': (lambda x: x == 1, lambda *a: 'eq'),
    '__lt__': (lambda x: x < 1, lambda *a: 'lt'),
    '__gt__': (lambda x: 1 < x, lambda *a: 'gt'),
    '__hash__': (lambda x: hash(x), lambda *a: 42),
    '__int__': (lambda x: int(x), lambda *a: 6),
    '__float__': (lambda x: float(x), lambda *a: 6.5),
    '__index__': (lambda x: [0, 1, 2][x], lambda *a: 2),
    '__enter__': (lambda x: entering(x), lambda *a: 'entered'),
    '__format__': (lambda x: f'{x:>4}', lambda *a: 'F' + str(a[-1])),
    '__getattr__': (lambda x: x.nothing, lambda *a: ('attr', a[-1])),
    '__reversed__': (lambda x: list(reversed(x)), lambda *a: iter([9])),
    '__abs__': (lambda x: abs(x), lambda *a: 'abs'),
    '__round__': (lambda x: round(x), lambda *a: 'round'),
    '__next__': (lambda x: next(x), lambda *a: 'next'),
    '__setitem__': (lambda x: seti(x), lambda *a: print('set', a[-2:])),
    '__delitem__': (lambda x: deli(x), lambda *a: print('del', a[-1])),
    '__bytes__': (lambda x: bytes(x), lambda *a: b'by'),
    '__complex__': (lambda x: complex(x), lambda *a: 1j),
    '__matmul__': (lambda x: x @ 2, lambda *a: ('mat', a[-1])),
    '__divmod__': (lambda x: divmod(x, 2), lambda *a: 'dm'),
    '__pow__': (lambda x: x ** 2, lambda *a: ('pow', a[-1])),
    '__trunc__': (lambda x: math.trunc(x), lambda *a: 'tr'),
    '__class_getitem__': (lambda x: type(x)[int], lambda *a: ('item', a[-1])),
    '__instancecheck__': (lambda x: isinstance(x, type(x)), lambda *a: True),
    '__fspath__': (lambda x: os.fspath(x), lambda *a: '/p'),
}


def iadd(x):
    x += 1
    return x


def entering(x):
    with x as y:
        return y


def seti(x):
    x[1] = 2


def deli(x):
    del x[1]


class Callable:

    def __init__(self, f):
        self.f = f

    def __call__(self, *a):
        return self.f('object', *a)


class Descr:

    def __init__(self, f):
        self.f = f

    def __get__(self, obj, owner):
        return lambda *a: self.f('descr', *a)


class ADescr(Descr):

    def __set__(self, obj, v):
        raise AttributeError('ro')


def wrapped(f):

    @functools.wraps(f)
    def w(*a, **k):
        return f(*a, **k)
    return w


GIVEN = {
    'function': lambda f: f,
    'wrapped': wrapped,
    'static': staticmethod,
    'class': classmethod,
    'partial': lambda f: functools.partial(f, 'part'),
    'partialmethod': lambda f: functools.partialmethod(f),
    'object': Callable,
    'descr': Descr,
    'data': ADescr,
    'property': lambda f: property(lambda self: lambda *a: f(self, *a)),
    'none': lambda f: None,
    'number': lambda f: 5,
    'builtin': lambda f: len,
    'lru': lambda f: functools.lru_cache(f),
    'bound': lambda f: Holder(f).m,
    'type': lambda f: str,
}


class Holder:

    def __init__(self, f):
        self.f = f

    def m(self, *a):
        return self.f('held', *a)


def show(f, x):
    try:
        return repr(f(x))
    except Exception as e:
        return type(e).__name__


class Extra:

    def __exit__(self, *a):
        return False


for name, (use, f) in OPS.items():
    for how, give in GIVEN.items():
        words = []
        for way in ('body', 'later', 'mixin', 'instance', 'list'):
            try:
                given = give(f)
                if way == 'body':
                    c = type('C', (Extra,), {name: given})
                elif way == 'later':
                    c = type('C', (Extra,), {})
                    setattr(c, name, given)
                elif way == 'mixin':
                    c = type('C', (type('M', (), {name: given}), Extra), {})
                elif way == 'instance':
                    c = type('C', (Extra,), {})
                    x = c()
                    setattr(x, name, given)
                else:
                    c = type('C', (list,), {name: given, '__exit__': Extra.__exit__})
                if way != 'instance':
                    x = c()
            except Exception as e:
                words.append('making ' + type(e).__name__)
                continue
            r = show(use, x)
            if ' object' in r or '<class' in r or '<list' in r:
                r = 'default'
            words.append(r)
        if name == '__hash__':
            words = [w if not w.lstrip('-').isdigit() or w == '42' else 'number' for w in words]
        print(name, how, '|', ' | '.join(words))
