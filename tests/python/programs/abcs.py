# abc: classes that leave methods to others.
from abc import ABC, ABCMeta, abstractmethod
import abc


class Shape(ABC):
    """What has an area."""

    @abstractmethod
    def area(self):
        ...

    @property
    @abstractmethod
    def name(self):
        ...

    def describe(self):
        return f"{self.name}: {self.area()}"


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    @property
    def name(self):
        return "square"


class Half(Shape):
    def area(self):
        return 1


print(Square(3).describe(), isinstance(Square(1), Shape), issubclass(Half, Shape))
for cls in (Shape, Half):
    try:
        cls()
    except TypeError as e:
        print(e)


class Other(metaclass=ABCMeta):
    @classmethod
    @abstractmethod
    def make(cls):
        return cls.__name__

    @staticmethod
    @abc.abstractmethod
    def help():
        pass


class Done(Other):
    @classmethod
    def make(cls):
        return super().make() + "!"

    @staticmethod
    def help():
        return "help"


try:
    Other()
except TypeError as e:
    print(e)
print(Done().make(), Done.help(), Shape.__doc__, Square.__mro__[1].__name__)
print(Other.make())


class WithInit(ABC):
    def __init__(self, value=0):
        self.value = value

    @abstractmethod
    def f(self): ...


class Sub(WithInit):
    def __init__(self):
        super().__init__(5)

    def f(self):
        return self.value


print(Sub().f())
try:
    WithInit(3)
except TypeError as e:
    print(e)
