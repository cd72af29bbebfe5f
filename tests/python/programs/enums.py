# enum: members, values, aliases, flags, and what is refused.
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique


class Color(Enum):
    """Three colours."""
    RED = 1
    GREEN = 2
    BLUE = auto()
    CRIMSON = 1

    def describe(self):
        return f"{self.name.lower()} is {self.value}"

    @classmethod
    def default(cls):
        return cls.GREEN


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color.CRIMSON is Color.RED)
print(list(Color), len(Color), Color(2), Color["BLUE"], Color.BLUE.value, Color.RED in Color)
print(Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.GREEN, Color.RED is Color(1))
print(Color.GREEN.describe(), Color.default(), {Color.RED: "r"}[Color.CRIMSON], isinstance(Color.RED, Color))
print(Color, type(Color.RED), list(Color.__members__), f"{Color.RED}", f"{Color.RED:>12}", "%s" % Color.RED, Color.__doc__)
print([c.name for c in reversed(Color)], sorted(Color, key=lambda c: -c.value), bool(Color.RED))
for color in Color:
    print(color.name, end=" ")
print()


class Planet(Enum):
    EARTH = (5.0, 6.5)
    MARS = (0.5, 3.5)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def ratio(self):
        return self.mass / self.radius ** 2


print(Planet.EARTH.mass, Planet.MARS.value, Planet.MARS.ratio, repr(Planet.EARTH), Planet((0.5, 3.5)))


class Level(IntEnum):
    LOW = 1
    MIDDLE = 5
    HIGH = 10


print(Level.LOW < Level.HIGH, Level.LOW + 1, Level.HIGH == 10, sorted([Level.HIGH, Level.LOW]), [10, 20, 30][Level.LOW])
print(str(Level.LOW), repr(Level.LOW), f"{Level.HIGH:03d}", f"{Level.HIGH}", {1: "one"}[Level.LOW], int(Level.HIGH), Level(5), max(Level))
print(Level.LOW * 2.5, -Level.LOW, isinstance(Level.LOW, int), range(Level.MIDDLE), Level.LOW in [1, 2])


class Mode(StrEnum):
    READ = "r"
    WRITE = auto()


print(Mode.READ, repr(Mode.READ), Mode.READ == "r", Mode.WRITE.value, Mode("r"), Mode.READ.upper(), "r" + Mode.WRITE)


class Suit(str, Enum):
    HEARTS = "h"
    SPADES = "s"


print(Suit.HEARTS, repr(Suit.HEARTS), Suit.HEARTS == "h", Suit("s"), Suit.HEARTS.value, f"{Suit.HEARTS}")


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


print(Perm.R | Perm.X, repr(Perm.R | Perm.X), Perm.RW, Perm.R in Perm.RW, Perm.X in Perm.RW, Perm.RW & Perm.W, ~Perm.R)
print(Perm(0), repr(Perm(0)), bool(Perm(0)), list(Perm), list(Perm.RW), Perm.R.value, Perm(5), Perm.R ^ Perm.RW, Perm.RW.name)


class Bits(IntFlag):
    A = 1
    B = 2


print(repr(Bits.A | Bits.B), Bits.A | Bits.B == 3, (Bits.A | Bits.B).value, Bits.A + 1, repr(Bits.A & 3))

Shape = Enum("Shape", "CIRCLE SQUARE")
print(list(Shape), Shape.SQUARE.value, Shape.CIRCLE)
Num = IntEnum("Num", {"ONE": 1, "TWO": 2})
print(list(Num))


@unique
class Fine(Enum):
    A = 1
    B = 2


def double():
    @unique
    class Twice(Enum):
        A = 1
        B = 1


def extend():
    class More(Color):
        PINK = 9


def assign():
    Color.RED = 5


for wrong in [
    lambda: Color(9), lambda: Color["PINK"], lambda: hasattr(Color, "PINK"), double, extend, assign,
    lambda: Color.RED < Color.GREEN, lambda: Perm(99), lambda: Color(),
]:
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)


class Http(Enum):
    OK = 200
    UNKNOWN = 0

    @classmethod
    def _missing_(cls, value):
        return cls.UNKNOWN


print(Http(200), Http(404))
