# functools: wraps, cached_property, total_ordering, singledispatch, cache, partialmethod.
import functools
from functools import cache, cached_property, lru_cache, partial, partialmethod, singledispatch, total_ordering, wraps


def logged(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        """The wrapper's words."""
        print("call", function.__name__, args, kwargs)
        return function(*args, **kwargs)
    return wrapper


@logged
def area(width: int, height: int = 2) -> int:
    """Width times height."""
    return width * height


print(area(3), area(3, height=5))
print(area.__name__, area.__doc__, area.__qualname__, area.__wrapped__(4), area.__module__)
area.count = 7
other = functools.update_wrapper(lambda: None, area)
print(other.__name__, other.count)


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @cached_property
    def area(self):
        """The area."""
        print("computing")
        return 3 * self.radius ** 2


c = Circle(2)
print(c.area, c.area, c.__dict__)
c.area = 5
print(c.area)
del c.area
print(c.area)
print(type(Circle.area).__name__, Circle.area.__doc__)


@total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts


a, b = Version(1, 2), Version(1, 10)
print(a < b, a <= b, a > b, a >= b, a == b, a != b, a <= a, a >= a)
print(max(a, b).parts, sorted([b, a])[0].parts)
try:
    a <= 3
except TypeError as e:
    print(e)
try:
    @total_ordering
    class Empty:
        pass
except ValueError as e:
    print(e)


@total_ordering
class Least:
    def __init__(self, n):
        self.n = n

    def __ge__(self, other):
        return self.n >= other.n

    def __eq__(self, other):
        return self.n == other.n


print(Least(1) < Least(2), Least(1) <= Least(1), Least(2) > Least(2))


@singledispatch
def describe(value, verbose=False):
    """Says what a value is."""
    return f"something {value!r}"


@describe.register
def _(value: int, verbose=False):
    return f"int {value}"


@describe.register(list)
@describe.register(tuple)
def _(value, verbose=False):
    return f"sequence of {len(value)}" + (" items" if verbose else "")


class Animal:
    pass


class Dog(Animal):
    pass


describe.register(Animal, lambda value: type(value).__name__)
print(describe(1), describe(True), describe("a"), describe([1, 2], verbose=True), describe((1,)))
print(describe(Dog()), describe.__name__, describe.__doc__)
print(describe.dispatch(bool)(5), describe.dispatch(dict) is describe.registry[object])
try:
    describe()
except TypeError as e:
    print(e)


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(80), fib.cache_info())


@lru_cache(maxsize=2)
def square(n):
    print("square", n)
    return n * n


print([square(n) for n in (1, 2, 1, 3, 2)], square.cache_info(), square.__name__, square.__wrapped__(9))


class Cell:
    def __init__(self):
        self.alive = False

    def set_state(self, state):
        self.alive = state

    set_alive = partialmethod(set_state, True)
    set_dead = partialmethod(set_state, state=False)


cell = Cell()
cell.set_alive()
print(cell.alive)
cell.set_dead()
print(cell.alive)
print(functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]), partial(int, base=2)("101"))
